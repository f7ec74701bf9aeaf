# SPDX-License-Identifier: GPL-3.0-or-later
"""Challenges and matches that are to begin at a set time."""
import asyncio
import contextlib
import json
import os
import sqlite3
import time
import unittest

from sim.opponent import Idle, Scripted

from .harness import EX_OK, EX_USAGE
from .test_outgoing import OutgoingTest


class ScheduleTest(OutgoingTest):
    async def scheduled(self) -> list[dict]:
        return json.loads((await self.castled("status", "--json"))[1])["scheduled"]

    def skip_to(self, seconds: float) -> None:
        """The scheduled matches become due in this many seconds."""
        path = os.path.join(self.directory, "castled", "games.sqlite")
        with contextlib.closing(sqlite3.connect(path)) as archive, archive:
            rows = archive.execute(
                "SELECT key, value FROM fact WHERE key LIKE 'scheduled/%'").fetchall()
            for key, value in rows:
                value = f"{int(time.time() + seconds)} {value.partition(' ')[2]}"
                archive.execute("UPDATE fact SET value = ? WHERE key = ?", (value, key))
        self.assertTrue(rows)

    async def test_a_planned_match_begins_at_its_time_even_after_restarts(self):
        self.add_bot("Rival", player=Idle)
        await self.start()
        status, output = await self.castled("challenge", "rival", "3+2", "black", "--games", "2",
                                            "--at", "+90")
        self.assertEqual(status, EX_OK, output)
        self.assertRegex(output, r"^scheduled as number 1, for \d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d)?Z\n$")
        (scheduled,) = await self.scheduled()
        self.assertEqual((scheduled["number"], scheduled["games"], scheduled["challenge"]),
                         (1, 2, "rival 3+2 casual standard black"))
        self.assertIn("scheduled  1: rival 3+2 casual standard black, 2 at 2",
                      (await self.castled("status"))[1])
        await asyncio.sleep(2)
        await self.stop_daemon()
        self.assertEqual(self.wishes(), [])
        self.skip_to(1)
        await self.start()
        (first,) = await self.games(1)
        self.assertEqual(first.colour_of(self.bot), "black")
        await asyncio.sleep(1)
        await self.stop_daemon()
        await self.start()  # in the middle of the match
        await asyncio.sleep(2)
        self.assertEqual(len(self.wishes()), 1)
        first.resign("white")
        _, second = await self.games(2, 40)
        self.assertEqual(second.colour_of(self.bot), "white")
        await self.log_says("schedule removed number=1 why=begun")
        self.assertEqual(await self.scheduled(), [])

    async def test_an_archive_that_is_locked_at_the_start_keeps_its_matches(self):
        self.add_bot("Rival", player=Idle)
        plan = ("challenge", "rival", "--at", "+90", "3+2")
        await self.start()
        self.assertEqual((await self.castled(*plan, "white"))[0], EX_OK)
        await self.stop_daemon()
        path = os.path.join(self.directory, "castled", "games.sqlite")
        with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as archive:
            archive.execute("PRAGMA locking_mode = EXCLUSIVE")
            archive.execute("BEGIN IMMEDIATE")
            archive.execute("DELETE FROM fact WHERE key = 'none'")
            await self.start()
            await self.log_says("archive not-written")
            self.assertEqual(await self.scheduled(), [])
            self.assertEqual((await self.castled(*plan, "black"))[0], EX_OK)  # as number 1, too
            archive.execute("ROLLBACK")
        await self.log_says("archive writable-again")
        for _ in range(2):  # by this daemon, and by the next
            matches = {match["number"]: match["challenge"] for match in await self.scheduled()}
            self.assertEqual(matches, {1: "rival 3+2 casual standard black",
                                       2: "rival 3+2 casual standard white"})
            await self.stop_daemon()
            await self.start()

    async def test_what_cannot_be_asked_is_asked_again_and_what_is_dropped_is_not(self):
        self.add_bot("Rival", player=Idle)
        await self.start(games={"concurrency": 1})
        game = await self.game(Scripted("e2e4"))
        for minutes in ("+60", "+90"):
            status, output = await self.castled("challenge", "rival", "3+2", "--at", minutes)
            self.assertEqual(status, EX_OK, output)
        self.assertEqual(await self.castled("challenge", "--cancel", "1"),
                         (EX_OK, "number 1 is cancelled\n"))
        self.assertEqual(await self.castled("challenge", "--cancel", "1"),
                         (1, "castled: nothing of that number is scheduled\n"))
        self.assertEqual([scheduled["number"] for scheduled in await self.scheduled()], [2])
        await self.stop_daemon()
        self.skip_to(-60)
        await self.start(games={"concurrency": 1})
        await self.log_says("schedule waits number=2 why=\"all 1 slots are taken\"", 20)
        await self.stop_daemon()
        game.finish("aborted")
        self.skip_to(-3600)  # nobody waits for so long
        await self.start(games={"concurrency": 1})
        await self.log_says("schedule removed number=2 why=\"its time is past\"", 20)
        self.assertEqual((self.wishes(), await self.scheduled()), ([], []))

    async def test_wrong_times_are_refused(self):
        self.write_config()
        for words in (("rival", "3+2", "--at"), ("rival", "3+2", "--at", "now"),
                      ("rival", "3+2", "--at", "2020-01-01T00:00Z"),
                      ("rival", "3+2", "--cancel", "1"), ("--cancel", "0"), ("--cancel", "17")):
            status, output = await self.castled("challenge", *words)
            self.assertEqual(status, EX_USAGE, output)


if __name__ == "__main__":
    unittest.main()
