# SPDX-License-Identifier: GPL-3.0-or-later
"""Challenges of ours by matchmaking, while nobody plays with us."""
import asyncio
import json
import os
import unittest

from sim.judge import engine_path
from sim.opponent import Engine, Idle, Random

from .harness import DAY_LIMIT, EX_CONFIG, SLOWNESS
from .test_outgoing import OutgoingTest


class MatchmakingTest(OutgoingTest):
    wanted = {"play": "yes", "idle": 1, "clocks": "1+0", "pairs": "no"}

    async def status(self) -> dict:
        return json.loads((await self.castled("status", "--json"))[1])["matchmaking"]

    async def test_an_idle_bot_looks_for_a_game(self):
        self.add_bot("Rival")
        await self.start(matchmaking=self.wanted)
        (game,) = await self.games(1)
        await game.plies(4, 20 * SLOWNESS)
        ((name, wish),) = self.wishes()
        self.assertEqual(name, "rival")
        self.assertEqual((wish["clock.limit"], wish["variant"]), ("60", "standard"))
        self.assertEqual((await self.status())["bot_games_today"], 1)

    async def test_a_pair_is_finished_after_a_restart(self):
        self.add_bot("Rival", player=lambda: Random(1, delay=0.2))
        self.add_bot("Another")
        wanted = {**self.wanted, "pairs": "yes"}
        await self.start(matchmaking=wanted)
        (first,) = await self.games(1)
        await first.plies(2, 20 * SLOWNESS)
        rival = next(seat.account for seat in first.seats.values() if seat.account is not self.bot)
        await self.stop_daemon()
        await self.start(matchmaking=wanted)
        first.resign(first.colour_of(rival))
        _, second = await self.games(2)
        self.assertIs(second.seats[first.colour_of(self.bot)].account, rival)
        await second.plies(4, 20 * SLOWNESS)
        second.resign(second.colour_of(rival))
        *_, third = await self.games(3)  # and that pair is over: it is somebody else's turn
        self.assertIsNone(third.colour_of(rival))

    async def test_correspondence_takes_no_more_slots_than_it_may(self):
        for name in ("Rival", "Another", "Third"):
            self.add_bot(name, player=Idle)
        await self.start(games={"correspondence": 5}, matchmaking={
            **self.wanted, "clocks": "2 days", "correspondence": 2, "pairs": "yes"})
        await self.games(2)
        for _ in range(100):
            if (await self.status())["doing"] == "nobody suits":
                break
            await asyncio.sleep(0.1 * SLOWNESS)
        self.assertEqual((await self.status())["doing"], "nobody suits")
        self.assertEqual([(wish.get("days"), "clock.limit" in wish) for _, wish in self.wishes()], [("2", False)] * 2)
        self.assertEqual({game.time_control.days for game in self.sim.games.values()}, {2})

    async def test_a_variant_is_played_by_the_engine_that_has_it(self):
        self.add_bot("Rival")
        await self.start(matchmaking={**self.wanted, "variants": "crazyhouse"},
                         **{"engine.external fairy": {"command": engine_path("fairy-stockfish"),
                                                      "variants": "crazyhouse", "nodes": 1000}})
        (game,) = await self.games(1)
        self.assertEqual(game.variant, "crazyhouse")
        await game.plies(6, 30 * SLOWNESS)
        self.assertRegex(self.daemon.log(), f"move id={game.id} .* source=fairy")

    async def test_types_name_what_is_played(self):
        self.add_bot("Rival")
        await self.start(matchmaking={**self.wanted, "weight": 0},
                         **{"matchmaking.slow": {"weight": 1, "clocks": "15+10", "modes": "rated",
                                                 "variants": "chess960"},
                            "matchmaking.never": {"weight": 0}})
        await self.games(1)
        ((_, wish),) = self.wishes()
        self.assertEqual((wish["clock.limit"], wish["clock.increment"], wish["rated"],
                          wish["variant"]), ("900", "10", "true", "chess960"))

    async def test_ratings_blocks_and_absence_are_heeded(self):
        self.add_bot("TooWeak", rating=900)
        self.add_bot("TooStrong", rating=2900)
        self.add_bot("Blocked", rating=2000)
        self.sim.add_account("Absent", title="BOT", rating=2000)
        self.add_bot("Fitting", rating=2050)
        await self.start(matchmaking={**self.wanted, "rating_difference": 200},
                         challenge={"block": "blocked"})
        await self.games(1)
        self.assertEqual([name for name, _ in self.wishes()], ["fitting"])

    async def test_only_those_on_the_lists_are_challenged(self):
        """By name, in a file, or as members of a team."""
        for name in ("Stranger", "Named", "Filed"):
            self.add_bot(name)
        self.add_bot("Mate", team="engine-authors")
        path = os.path.join(self.directory, "opponents.txt")
        with open(path, "w", encoding="ascii") as file:
            file.write("# worth a game\nFiled\n")
        await self.start(matchmaking={**self.wanted, "only": "named", "only_list": path,
                                      "teams": "engine-authors", "during_games": 2, "rematch_cooldown": 3600},
                         games={"concurrency": 4})
        await self.log_says("lists read .*names=1 from=file")
        await self.log_says("lists read .*names=1 from=web")
        await self.games(3)  # beside each other
        self.assertEqual(sorted(name for name, _ in self.wishes()), ["filed", "mate", "named"])

    async def test_clones_are_known_by_what_they_say(self):
        """By the biography before any game, by the answer to !name after the first."""
        self.add_bot("Told", bio="I run Stockfish 17 on 64 cores")
        self.add_bot("Secretive")
        await self.start(matchmaking={**self.wanted, "avoid_engines": "stockfish*", "rematch_cooldown": 0, "pairs": "yes"})
        (game,) = await self.games(1)
        self.assertIsNone(game.colour_of(self.sim.accounts["told"]))
        await self.sim.until(lambda: any(text == "!name" for _, _, _, text in self.sim.chats), 10, "a question")
        game.chat("player", "secretive", "Secretive running Stockfish 16.1 (lichess-bot 2026.1)")
        await self.log_says('engine-known .*opponent=secretive engine="stockfish 16.1"')
        await game.plies(2, 10 * SLOWNESS)
        game.resign(game.colour_of(self.sim.accounts["secretive"]))
        await self.log_says("game over")
        await self.quiet(3)
        self.assertEqual(len(self.sim.games), 1)  # neither the pair's second one, nor any other
        self.assertRegex((await self.castled("games"))[1], r"moves, resign, runs stockfish 16\.1\n")
        output = (await self.castled("stats", "--by", "opponent-engine"))[1]
        self.assertRegex(output, r"(?m)^ +1 .* stockfish 16\.1$")

    async def test_people_are_not_asked_what_they_run(self):
        await self.start(chat={"ask_engine": "yes"})
        game = await self.game(Random(1))
        await game.plies(2, 10 * SLOWNESS)
        self.sim.add_account("Machine", title="BOT")
        bot = await self.game(Random(1), name="Machine")
        await bot.plies(2, 10 * SLOWNESS)
        await self.sim.until(lambda: any(text == "!name" for _, _, _, text in self.sim.chats), 10 * SLOWNESS, "a question")
        self.assertEqual([game_id for game_id, _, _, text in self.sim.chats if text == "!name"], [bot.id])
        bot.resign(bot.colour_of(self.sim.accounts["machine"]))
        await self.over(bot)
        again = await self.game(Random(1), name="Machine")
        await again.plies(2, 10 * SLOWNESS)
        self.assertEqual(sum(text == "!name" for _, _, _, text in self.sim.chats), 1)

    async def test_the_last_of_512_bots_is_found(self):
        for number in range(510):  # with us and Fitting as many as Lichess tells of
            self.add_bot(f"Weak{number}", rating=900, bio="x" * 2500, human_play_s=1000)
        self.add_bot("Fitting", rating=2050)
        await self.start(matchmaking={**self.wanted, "rating_difference": 200})
        await self.games(1)
        self.assertEqual([name for name, _ in self.wishes()], ["fitting"])

    async def test_a_human_who_comes_goes_first(self):
        self.add_bot("Rival", answer="ignore")
        await self.start(matchmaking=self.wanted, games={"concurrency": 1})
        await self.sim.until(lambda: self.wishes(), 20 * SLOWNESS)
        challenge = await self.challenge(Engine(nodes=50), name="Alba")
        game = await challenge.started(5 * SLOWNESS)
        await game.plies(4, 20 * SLOWNESS)
        game.resign(game.colour_of(self.sim.account("Alba")))
        await self.sim.until(lambda: len(self.wishes()) > 1, 20 * SLOWNESS)  # nothing was learnt

    async def test_the_opponents_day_limit_is_his_own(self):
        self.add_bot("Spent")
        self.sim.faults.order("create", status=400, body=DAY_LIMIT)
        await self.start(matchmaking=self.wanted)
        await self.log_says("ended id=.* end=refused", 20)
        self.assertNotIn("rate-limited", self.daemon.log())
        await self.stop_daemon()
        await self.start(matchmaking=self.wanted)
        self.add_bot("Fresh")
        await self.games(1)  # and they are left alone after a restart
        self.assertEqual([name for name, _ in self.wishes()], ["spent", "fresh"])

    async def test_our_own_day_limit_ends_it_for_the_day(self):
        self.add_bot("Rival")
        self.sim.faults.order("create", status=429, body=DAY_LIMIT)
        await self.start(matchmaking=self.wanted)
        await self.log_says("rate-limited family=create-bot", 20)
        await asyncio.sleep(3)
        self.assertEqual((await self.status())["doing"], "limited by the server")
        await self.stop_daemon()
        await self.start(matchmaking=self.wanted)
        await asyncio.sleep(3)
        self.assertEqual((await self.status())["doing"], "limited by the server")
        self.assertEqual(len(self.wishes()), 1)

    async def test_our_own_rating_is_that_of_the_account(self):
        """Without a bio we are not in the list of online bots."""
        self.bot.bio = ""
        for number in range(20):
            self.add_bot(f"TooWeak{number}", rating=1200)
        self.add_bot("Fitting", rating=2050)
        await self.start(matchmaking={**self.wanted, "rating_difference": 200})
        await self.games(1)
        self.assertEqual([name for name, _ in self.wishes()], ["fitting"])

    async def test_our_challenge_is_withdrawn_when_somebody_wants_to_play_with_us(self):
        self.add_bot("Busy", answer="ignore")
        await self.start(matchmaking=self.wanted, games={"concurrency": 1})
        await self.sim.until(lambda: self.wishes() and self.sim.challenges, 20 * SLOWNESS)
        (ours,) = self.sim.challenges.values()
        theirs = await self.challenge(Idle(), name="Alba")
        await theirs.started(5 * SLOWNESS)
        await self.sim.until(lambda: ours.status == "canceled", 5 * SLOWNESS)

    async def test_a_game_without_a_move_is_counted_once_over_a_restart(self):
        rival = self.add_bot("Rival", player=Idle)
        await self.start()
        challenge = await self.sim.challenge(self.bot, rival.name, player=Idle())
        game = await challenge.started(10 * SLOWNESS)
        await self.stream(game)
        self.assertEqual((await self.status())["bot_games_today"], 1)
        await self.stop_daemon()
        await self.start()
        await self.sim.until(lambda: game.streams("black"), 30 * SLOWNESS, "the game's stream")
        self.assertEqual((game.moves, (await self.status())["bot_games_today"]), ([], 1))

    async def test_a_clock_that_lichess_does_not_have_is_an_error_that_names_the_nearest(self):
        path = self.write_config(matchmaking={**self.wanted, "clocks": "2.5+1"})
        status, output = await self.command("check", "--config", path)
        self.assertEqual(status, EX_CONFIG, output)
        self.assertRegex(output, r"2\+1.*3\+1")


if __name__ == "__main__":
    unittest.main()
