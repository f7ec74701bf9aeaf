# SPDX-License-Identifier: GPL-3.0-or-later
"""Challenges of ours by hand, one at a time or as a match."""
import asyncio
import os
import unittest
from urllib.parse import parse_qs

from sim.board import x_fen
from sim.opponent import Idle, Random, Scripted

from .harness import EX_OK, EX_UNREACHABLE, EX_USAGE, PROGRAM, SLOWNESS, DaemonTest

LIMIT_OF_2_S = (b'{"error":"Too many requests. Try again later.",'
                b'"ratelimit":{"key":"challenge.create","seconds":2}}')


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


class GauntletTest(OutgoingTest):
    def file(self, *names: str) -> str:
        path = os.path.join(self.directory, "rivals.txt")
        with open(path, "w", encoding="ascii") as file:
            file.write("".join(f"{name}\n" for name in names))
        return path

    async def test_each_player_of_a_list_is_played_also_in_two_parts(self):
        for name in ("Alba", "Berta"):
            self.add_bot(name, player=lambda: Random(1))
        path = self.file("Alba", "# and", "Berta")
        await self.start()
        config = os.path.join(self.directory, "castled.conf")
        words = ("gauntlet", path, "1+0", "--games", "2", "--config", config)
        first = await asyncio.create_subprocess_exec(PROGRAM, *words, env=self.environment(None),
                                                     stdout=asyncio.subprocess.DEVNULL)
        await self.games(2)
        first.kill()
        await first.wait()
        await self.sim.until(lambda: all(not game.is_running for game in self.sim.games.values()), 30, "their ends")
        played = len(self.sim.games)
        await self.sim.until(lambda: self.daemon.log().count(" game over ") == played, 30, "their ends in the log")
        await self.quiet(1)  # the archive writes a moment later
        status, output = await self.command(*words, token=None)
        self.assertEqual(status, 0, output)
        self.assertEqual(len(self.sim.games), 4)
        self.assertLess(played, 4)
        self.assertEqual(sorted(name for name, _ in self.wishes()), ["alba", "alba", "berta", "berta"])
        self.assertEqual(sorted(wish["color"] for _, wish in self.wishes()), ["black", "black", "white", "white"])
        self.assertRegex(output, r"(?m)^ +2 +2 +0 +0 +100.0 % .* alba$")
        self.assertRegex(output, r"(?m)^ +4 +4 +0 +0 +100.0 % .* all$")
        again = await self.command(*words, token=None)
        self.assertEqual(len(self.sim.games), 4)
        self.assertEqual(again[0], 0)

    async def test_begun_again_it_waits_for_its_running_game(self):
        self.add_bot("Alba", player=lambda: Random(1, 1.0))
        path = self.file("Alba")
        await self.start()
        words = ("gauntlet", path, "3+2", "--games", "2", "--config", os.path.join(self.directory, "castled.conf"))
        first = await asyncio.create_subprocess_exec(PROGRAM, *words, env=self.environment(None),
                                                     stdout=asyncio.subprocess.DEVNULL)
        (game,) = await self.games(1)
        await game.plies(2, 20)
        first.kill()
        await first.wait()
        again = await asyncio.create_subprocess_exec(PROGRAM, *words, env=self.environment(None),
                                                     stdout=asyncio.subprocess.PIPE)
        self.addCleanup(lambda: again.returncode is None and again.kill())
        said = await asyncio.wait_for(again.stdout.readline(), 20 * SLOWNESS)
        self.assertEqual(said.decode().strip(), f"{game.id} is being played: waiting for its end")
        game.resign(game.colour_of(self.sim.accounts["alba"]))
        _, second = await self.games(2)
        await second.plies(2, 20)
        second.resign(second.colour_of(self.sim.accounts["alba"]))
        output = (await asyncio.wait_for(again.stdout.read(), 60 * SLOWNESS)).decode()
        self.assertRegex(output, r"(?m)^ +2 +2 +0 +0 +100.0 % .* alba$")
        self.assertEqual([wish["color"] for _, wish in self.wishes()], ["white", "black"])

    async def test_a_list_that_is_none_is_refused_with_its_line(self):
        await self.start()
        path = self.file("Alba", "two words")
        status, output = await self.castled("gauntlet", path, "1+0")
        self.assertEqual((status, output.strip()), (1, f"castled: gauntlet: {path}: line 2 is no name"))


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

    async def test_a_match_is_put_off_while_the_server_takes_no_challenge(self):
        self.add_bot("Rival", player=Idle)
        self.sim.faults.order("create", status=429, times=2, body=LIMIT_OF_2_S)
        await self.start()
        await self.castled("challenge", "rival", "3+2", "--games", "2")
        await self.log_says("schedule waits number=1 why=\"limited by the server\"")
        (game,) = await self.games(1, 30)
        game.resign("black")
        await self.games(2)

    async def accepted_without_the_event_stream(self, loses_its_own_stream):
        self.add_bot("Rival", player=Idle, answers_after_s=2)
        await self.start()
        await self.castled("challenge", "rival", "3+2", "--games", "2")
        await self.sim.until(lambda: self.sim.challenges, 10 * SLOWNESS)
        (challenge,) = self.sim.challenges.values()
        await self.log_says(f"state id={challenge.id} from=creating to=open")
        self.sim.faults.order("event_stream", status=502, lasts_s=8)
        self.sim.strike("reset")
        if loses_its_own_stream:
            challenge.streams[0].reset()
            challenge.come_back()  # who keeps it meanwhile is of no matter here
        game = await challenge.started(10 * SLOWNESS)
        await self.log_says("ended id=.* end=accepted", 30)
        self.assertEqual((game.is_running, self.sim.count("cancel")), (True, 0))
        game.resign("black")
        await self.games(2)
        self.assertEqual(len(self.wishes()), 2)

    async def test_a_game_that_begins_without_the_event_stream_is_not_aborted(self):
        await self.accepted_without_the_event_stream(False)

    async def test_a_game_of_whose_start_no_event_tells_is_played(self):
        self.add_bot("Rival", player=Idle)
        await self.start()
        self.sim.tells_starts = False
        asked = asyncio.ensure_future(self.castled("challenge", "rival", "3+2", "white"))
        (game,) = await self.games(1)
        await game.plies(1, 10 * SLOWNESS)
        status, output = await asked
        self.assertEqual(status, EX_OK, output)

    async def test_nor_is_it_when_the_challenges_own_stream_broke_too(self):
        await self.accepted_without_the_event_stream(True)

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


if __name__ == "__main__":
    unittest.main()
