# SPDX-License-Identifier: GPL-3.0-or-later
"""Challenges of ours: by hand, and by matchmaking while nobody plays with us."""
import asyncio
import json
import os
import unittest
from urllib.parse import parse_qs

from sim.board import x_fen
from sim.judge import engine_path
from sim.opponent import Engine, Idle, Random, Scripted

from .harness import DAY_LIMIT, EX_CONFIG, EX_OK, EX_UNREACHABLE, EX_USAGE, SLOWNESS, DaemonTest


class OutgoingTest(DaemonTest):
    def add_bot(self, name: str, **facts):
        facts.setdefault("player", lambda: Random(1))
        return self.sim.add_account(name, title="BOT", is_present=True, **facts)

    async def castled(self, *words: str) -> tuple[int, str]:
        config = os.path.join(self.directory, "castled.conf")
        return await self.command(*words, "--config", config, token=None)

    def wishes(self) -> list[tuple[str, dict[str, str]]]:
        """Whom we challenged, and to what."""
        return [(r.path.rpartition("/")[2], {k: v[0] for k, v in parse_qs(r.body.decode()).items()})
                for r in self.sim.requests if r.family == "create"]

    async def games(self, count: int, timeout: float = 60) -> list:
        await self.sim.until(lambda: len(self.sim.games) >= count, timeout * SLOWNESS,
                             f"{count} games")
        return list(self.sim.games.values())


class ByHandTest(OutgoingTest):
    async def test_a_challenge_by_hand_becomes_a_game(self):
        self.add_bot("Rival")
        await self.start()
        status, output = await self.castled("challenge", "Rival", "3+2", "rated", "white")
        self.assertEqual(status, EX_OK, output)
        (game,) = await self.games(1)
        self.assertIn(f"accepted: {self.url}/{game.id}", output)
        self.assertEqual(self.wishes(), [("rival", {
            "keepAliveStream": "true", "rated": "true", "clock.limit": "180", "clock.increment": "2", "color": "white",
            "variant": "standard"})])
        await game.plies(4, 20 * SLOWNESS)

    async def test_a_slot_kept_for_humans_serves_our_challenge_to_one(self):
        self.sim.add_account("Berta", is_present=True, player=Idle)
        self.add_bot("Rival", player=Idle)
        await self.start(games={"concurrency": 2}, challenge={"human_slots": 1})
        await self.castled("challenge", "rival", "3+2")
        await self.games(1)
        status, output = await self.castled("challenge", "berta", "3+2")
        self.assertEqual(status, EX_OK, output)
        await self.games(2)

    async def test_a_challenge_may_begin_with_a_position(self):
        self.add_bot("Rival")
        fen = "r3k2r/pppq1ppp/8/8/8/8/PPPQ1PPP/R3K2R w KQkq - 0 1"
        await self.start()
        status, output = await self.castled("challenge", "rival", "3+2", "white", "--fen", fen)
        self.assertEqual(status, EX_OK, output)
        (game,) = await self.games(1)
        self.assertEqual((game.variant, x_fen(game.positions[0].fen)), ("fromPosition", fen))
        await game.plies(4, 20 * SLOWNESS)

    async def test_another_game_has_the_colours_changed_over(self):
        self.add_bot("Rival", player=lambda: Random(1))
        await self.start()
        self.assertEqual((await self.castled("challenge", "--again"))[0], 1)  # like which one?
        status, output = await self.castled("challenge", "rival", "3+2", "rated", "white")
        self.assertEqual(status, EX_OK, output)
        (first,) = await self.games(1)
        await first.plies(4, 20 * SLOWNESS)
        first.resign("black")
        await self.log_says(f"game over id={first.id}")
        await asyncio.sleep(1)  # for the archive
        status, output = await self.castled("challenge", "--again", "rival")
        self.assertEqual(status, EX_OK, output)
        self.assertEqual(self.wishes()[1][1], {**self.wishes()[0][1], "color": "black"})

    async def test_a_match_is_played_game_by_game_with_the_colours_changed_over(self):
        self.add_bot("Rival", player=Idle)
        await self.start()
        status, output = await self.castled("challenge", "rival", "3+2", "--games", "3")
        self.assertEqual(status, EX_OK, output)
        self.assertIn("scheduled as number 1: 3 games with rival", output)
        for number in (1, 2, 3):
            game = (await self.games(number))[-1]
            self.assertEqual(game.colour_of(self.bot), "black" if number == 2 else "white")
            self.assertEqual(len(self.sim.games), number)
            game.resign("black" if number != 2 else "white")
        await self.log_says("schedule removed number=1", 60)

    async def test_a_match_ends_when_the_rival_has_had_enough(self):
        rival = self.add_bot("Rival", player=Idle)
        await self.start()
        await self.castled("challenge", "rival", "3+2", "--games", "2")
        (game,) = await self.games(1)
        rival.answer = "later"
        game.resign("black")
        await self.log_says("schedule removed number=1 why=later", 60)

    async def test_a_declined_challenge_says_why(self):
        self.add_bot("Rival", answer="tooFast")
        await self.start()
        status, output = await self.castled("challenge", "rival", "1+0")
        self.assertEqual((status, output), (1, "castled: declined: tooFast\n"))

    async def test_a_refused_challenge_says_why(self):
        await self.start()
        status, output = await self.castled("challenge", "nobody", "1+0")
        self.assertEqual((status, output), (1, "castled: the server says no: No such user: nobody\n"))

    async def test_without_a_slot_nobody_is_challenged(self):
        self.add_bot("Rival")
        await self.start(games={"concurrency": 1})
        game = await self.game(Scripted("e2e4"))
        await game.plies(2, 30 * SLOWNESS)
        status, output = await self.castled("challenge", "rival", "1+0")
        self.assertEqual((status, output), (1, "castled: all 1 slots are taken\n"))

    async def test_wrong_words_and_no_daemon(self):
        self.write_config()
        for words in ((), ("rival",), ("rival", "3"), ("rival", "0+0"), ("rival", "3+2", "fromPosition"),
                      ("r/val", "3+2"), ("rival", "3+2..5+3"), ("rival", "3+2", "--games"),
                      ("rival", "3+2", "--games", "0"), ("rival", "3+2", "--fen", "8/8"),
                      ("rival", "3+2", "--fen"), ("rival", "3+2", "--again"), ("rival", "3+2", "--games", "101")):
            status, output = await self.castled("challenge", *words)
            self.assertEqual(status, EX_USAGE, output)
        status, output = await self.castled("challenge", "rival", "3+2")
        self.assertEqual(status, EX_UNREACHABLE, output)

    async def test_what_nobody_answers_is_withdrawn_after_20_s(self):
        self.add_bot("Rival", answer="ignore")
        await self.start()
        status, output = await self.command(
            "challenge", "rival", "1+0", "--config", os.path.join(self.directory, "castled.conf"),
            token=None, timeout=40)
        self.assertEqual((status, output),
                         (1, "castled: no answer in 20 s; withdrawn\n"))
        (challenge,) = self.sim.challenges.values()
        self.assertEqual(challenge.status, "canceled")


class MatchmakingTest(OutgoingTest):
    wanted = {"play": "yes", "idle": 1, "clocks": "1+0", "pairs": "no"}

    async def status(self) -> dict:
        return json.loads((await self.castled("status", "--json"))[1])["matchmaking"]

    async def test_nobody_is_challenged_by_default(self):
        self.add_bot("Rival")
        await self.start()
        await asyncio.sleep(3)
        self.assertEqual(self.wishes(), [])
        self.assertEqual((await self.status())["doing"], "off")

    async def test_an_idle_bot_looks_for_a_game(self):
        self.add_bot("Rival")
        await self.start(matchmaking=self.wanted)
        (game,) = await self.games(1)
        await game.plies(4, 20 * SLOWNESS)
        ((name, wish),) = self.wishes()
        self.assertEqual(name, "rival")
        self.assertEqual((wish["clock.limit"], wish["variant"]), ("60", "standard"))
        self.assertEqual((await self.status())["bot_games_today"], 1)

    async def test_pairs_change_colours(self):
        self.add_bot("Rival")
        await self.start(matchmaking={**self.wanted, "pairs": "yes"})
        (first,) = await self.games(1)
        await first.plies(4, 20 * SLOWNESS)
        first.resign(first.colour_of(self.sim.account("Rival")))
        _, second = await self.games(2)
        self.assertNotEqual(first.colour_of(self.bot), second.colour_of(self.bot))
        await second.plies(2, 20 * SLOWNESS)
        second.resign(second.colour_of(self.sim.account("Rival")))
        await asyncio.sleep(8)  # and no third
        self.assertEqual(len(self.wishes()), 2)

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

    async def test_who_declined_is_not_asked_again_even_after_a_restart(self):
        self.add_bot("Rival", answer="noBot")
        await self.start(matchmaking=self.wanted)
        await self.log_says("ended id=.* end=declined", 20)
        await self.stop_daemon()
        await self.start(matchmaking=self.wanted)
        await asyncio.sleep(4)
        self.assertEqual(len(self.wishes()), 1)
        self.assertEqual((await self.status())["doing"], "nobody suits")
        self.assertEqual((await self.status())["credits_today"], 1)

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

    async def test_somebody_who_is_busy_may_answer_later(self):
        self.add_bot("Busy", answers_after_s=24)
        await self.start(matchmaking=self.wanted)
        await self.games(1)

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
