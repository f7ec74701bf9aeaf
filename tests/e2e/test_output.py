# SPDX-License-Identifier: GPL-3.0-or-later
"""Commands whose output is lost: a full disk, a reader that has gone."""
import asyncio
import os
import signal
import unittest

from sim.opponent import Idle, Scripted

from .harness import PROGRAM, SLOWNESS, DaemonTest

COMMANDS = ("--version", "--help", "games --help", "status", "games", "stats", "stats --by speed --format csv",
            "pgn", "check", "check --show")


class OutputTest(DaemonTest):
    async def start_with_archive(self) -> list[str]:
        """The words that lead a command to the daemon and its archive."""
        await self.start(archive={"file": os.path.join(self.directory, "games.sqlite")})
        return ["--config", os.path.join(self.directory, "castled.conf")]

    async def run_into(self, output, *words: str) -> tuple[int, str]:
        """Exit status and what was said of it."""
        process = await asyncio.create_subprocess_exec(
            PROGRAM, *words, env=self.environment(), stdin=asyncio.subprocess.DEVNULL,
            stdout=output, stderr=asyncio.subprocess.PIPE)
        _, errors = await asyncio.wait_for(process.communicate(), 30 * SLOWNESS)
        return process.returncode, errors.decode()

    async def test_what_cannot_be_written_is_a_failure(self):
        place = await self.start_with_archive()
        game = await self.game(Scripted("e7e5"), colour="black")
        await game.plies(3, 30 * SLOWNESS)
        game.resign("white")
        await self.over(game)
        await self.log_says("game over")
        await asyncio.sleep(1)  # until the archive has it
        with open("/dev/full", "wb") as full, open(os.devnull, "wb") as devnull:
            for words in COMMANDS:
                with self.subTest(words):
                    status, errors = await self.run_into(devnull, *place, *words.split())
                    self.assertEqual((status, errors), (0, ""))
                    status, errors = await self.run_into(full, *place, *words.split())
                    self.assertEqual(status, 1)
                    self.assertIn("castled: the output could not be written\n", errors)

    async def test_watch_ends_when_nobody_reads_it(self):
        place = await self.start_with_archive()
        game = await self.game(Idle(), colour="white", limit=180)
        watch = await asyncio.create_subprocess_exec(
            PROGRAM, *place, "watch", env=self.environment(), stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE)
        await game.move("e2e4")
        await asyncio.wait_for(watch.stdout.readline(), 30 * SLOWNESS)
        watch._transport.get_pipe_transport(1).close()  # as head does
        await game.plies(2, 30 * SLOWNESS)
        await game.move("d2d3")
        self.assertEqual(await asyncio.wait_for(watch.wait(), 30 * SLOWNESS), -signal.SIGPIPE)


if __name__ == "__main__":
    unittest.main()
