# SPDX-License-Identifier: GPL-3.0-or-later
"""On hosts that go away at a known time, and where the environment holds the settings."""
import json
import os
import signal
import time
import unittest

from sim.daemon import Daemon
from sim.opponent import Idle

from .harness import EX_CONFIG, EX_OK, EX_USAGE, PROGRAM, SLOWNESS, TOKEN, DaemonTest

ALL_SPEEDS = "bullet, blitz, rapid, classical, correspondence"


class PlayTimeTest(DaemonTest):
    async def castled(self, *words: str) -> tuple[int, str]:
        config = os.path.join(self.directory, "castled.conf")
        return await self.command(*words, "--config", config, token=None)

    async def resumed(self, *words: str):
        """A game that was begun before a run of a few seconds."""
        await self.start()
        game = await self.game(Idle(), limit=600)
        await self.stop_daemon()
        await self.start(process={"words": ("--for", f"{int(4 * SLOWNESS)}s", *words)})
        return game

    async def test_no_game_begins_that_cannot_end_in_time(self):
        began = time.time()
        await self.start(process={"words": ("--for", "5m")}, challenge={"speeds": ALL_SPEEDS})
        await self.game(Idle(), limit=60)
        for name, wanted in ("blitz", {"limit": 180}), ("daily", {"days": 1, "limit": None}):
            late = await self.challenge(Idle(), name=name, **wanted)
            self.assertEqual(await late.declined(5 * SLOWNESS), "tooSlow")
        status = json.loads((await self.castled("status", "--json"))[1])
        self.assertAlmostEqual(status["ends_unix_s"], began + 300, delta=5 * SLOWNESS)
        self.assertRegex((await self.castled("status"))[1],
                         r"(?m)^until    \d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d)?Z, then castled finishes")
        code, output = await self.castled("challenge", "blitz", "3+0")
        self.assertIn("castled ends before such a game can", output)
        self.assertNotEqual(code, EX_OK)

    async def test_when_the_time_is_over_games_are_finished(self):
        game = await self.resumed()
        await self.log_says("daemon draining games=1")
        self.assertEqual(await (await self.challenge(name="late", limit=60)).declined(5), "later")
        self.assertTrue(self.daemon.is_running)
        game.resign("white")
        self.assertEqual(await self.daemon.wait(5 * SLOWNESS), 0)

    async def test_a_deadline_leaves_what_still_runs(self):
        game = await self.resumed("--deadline", "1s")
        self.assertEqual(await self.daemon.wait(12 * SLOWNESS), 0)
        self.assertIn("time-over", self.daemon.log())
        self.assertTrue(game.is_running)

    async def drains(self, *words: str):
        """A game that runs when a SIGTERM has begun a drain."""
        await self.start(process={"words": ("--drain", *words)})
        game = await self.game(Idle(), limit=600)
        await self.log_says("game started")  # the server knows of a game before castled does
        self.daemon.signal(signal.SIGTERM)
        await self.log_says("daemon draining games=1")
        return game

    async def test_a_sigterm_finishes_the_games_where_it_is_told_to_drain(self):
        game = await self.drains()
        self.assertEqual(await (await self.challenge(name="late", limit=60)).declined(5), "later")
        self.assertTrue(self.daemon.is_running)
        game.resign("white")
        self.assertEqual(await self.daemon.wait(5 * SLOWNESS), 0)

    async def test_a_second_sigterm_ends_the_drain(self):
        game = await self.drains()
        self.daemon.signal(signal.SIGTERM)
        self.assertEqual(await self.daemon.wait(5 * SLOWNESS), 0)
        self.assertTrue(game.is_running)

    async def test_a_drain_by_sigterm_ends_at_the_deadline(self):
        game = await self.drains("--deadline", "1s")
        self.assertEqual(await self.daemon.wait(5 * SLOWNESS), 0)
        self.assertIn("drained games=1", self.daemon.log())
        self.assertTrue(game.is_running)

    async def test_a_time_that_is_none_is_refused(self):
        self.write_config()
        for words, said in ((("--for", "5"), "5 is not a time"), (("--for",), "--for takes TIME"),
                            (("--deadline", "5s"), "--deadline needs --for"), (("--drain", "5s"), "5s: unexpected")):
            with self.subTest(words=words):
                code, output = await self.castled("run", *words)
                self.assertEqual(code, EX_USAGE)
                self.assertIn(said, output)


class EnvironmentTest(DaemonTest):
    """As in a container: no file, nothing but variables."""

    def settings(self, **more: str) -> dict[str, str]:
        return {"CASTLED_ACCOUNT_URL": self.address, "CASTLED_ACCOUNT_CA_FILE": self.sim.ca_file,
                "CASTLED_ENGINE_HASH": "8", "CASTLED_ENGINE_NODES": "2000", **more}

    async def run_daemon(self, *words: str) -> None:
        log_path = os.path.join(self.directory, "environment.log")
        self.daemon = await Daemon.start(PROGRAM, "", log_path, self.environment(), words=words)
        await self.online()

    async def test_castled_plays_without_a_file(self):
        self.variables = self.settings(CASTLED_GAMES_CONCURRENCY="2")
        await self.run_daemon()
        self.assertIn('configured file="no file, only the environment"', self.daemon.log())
        games = [await self.game(Idle(), name=name, limit=600) for name in ("Alba", "Berta")]
        code, output = await self.command("status")
        self.assertEqual(code, EX_OK, output)
        self.assertIn("2 of 2 slots", output)
        code, output = await self.command("reload")
        self.assertEqual((code, output), (EX_OK, "reloaded no file, only the environment: no changes\n"))
        for game in games:
            game.resign("white")
            await self.over(game)

    async def test_a_check_shows_what_comes_from_where(self):
        path = self.write_config(games={"concurrency": 3})
        self.variables = self.settings(CASTLED_GAMES_CONCURRENCY="2", CASTLED_CHAT_HELLO="Hi")
        code, output = await self.command("check", "--show", "--config", path)
        self.assertEqual(code, EX_OK, output)
        self.assertRegex(output, r"(?m)^concurrency = 2 +; the environment$")
        self.assertRegex(output, r"(?m)^hello = Hi +; the environment$")
        self.assertRegex(output, r"(?m)^abort_after = 30 +; default$")
        self.assertRegex(output, r"(?m)^move_overhead = 50 +; \S+castled.conf:\d+$")
        self.assertNotIn(TOKEN, output)

    async def test_a_mistake_in_a_variable_is_one_in_the_configuration(self):
        self.variables = {"CASTLED_GAMES_CONCURENCY": "2"}
        code, output = await self.command("run")
        self.assertEqual(code, EX_CONFIG)
        self.assertEqual(output, "CASTLED_GAMES_CONCURENCY: no such setting; did you mean "
                                 "CASTLED_GAMES_CONCURRENCY?\n")


if __name__ == "__main__":
    unittest.main()
