# SPDX-License-Identifier: GPL-3.0-or-later
"""Finished games are gone over when no game needs the cores, and what is found is kept."""
import asyncio
import json
import os
import re
import signal
import sqlite3
import unittest
import urllib.request

from sim.daemon import free_port
from sim.judge import engine_path
from sim.opponent import Idle, Scripted

from .harness import EX_OK, EX_UNREACHABLE, EX_USAGE, PROGRAM, ROOT, SLOWNESS, DaemonTest

FOOLISH = "f2f3 g2g4"  # there is mate in one then, whatever castled answers first
EX_FAULT = 1
FAKE = os.path.join(ROOT, "tests", "engines", "fake_engine.py")
TICKS = os.sysconf("SC_CLK_TCK")


class AnalyseTest(DaemonTest):
    async def asyncSetUp(self):
        await super().asyncSetUp()
        self.moves = {}
        self.port = free_port()

    def rows(self, question: str) -> list:
        path = os.path.join(self.directory, "castled", "games.sqlite")
        with sqlite3.connect(f"file:{path}?mode=ro", uri=True) as database:
            return database.execute(question).fetchall()

    def count(self, table: str) -> int:
        try:
            return self.rows(f"SELECT count(*) FROM {table}")[0][0]
        except sqlite3.OperationalError:
            return 0

    async def castled(self, *words: str) -> tuple[int, str]:
        return await self.command(*words, "--config", os.path.join(self.directory, "castled.conf"))

    async def play(self, games: int) -> list[str]:
        """Games that are lost or won in a few moves; returns their ids."""
        ids = []
        for _ in range(games):
            game = await self.game(Scripted(FOOLISH), limit=60)
            await game.plies(3, 30 * SLOWNESS)
            if game.is_running:
                game.resign("white")
            await self.over(game)
            ids.append(game.id)
            self.moves[game.id] = game.moves
        await self.sim.until(lambda: self.count("game") == games, 30 * SLOWNESS, "all games kept")
        return ids

    async def page(self, path: str) -> bytes:
        def fetch() -> bytes:
            with urllib.request.urlopen(f"http://127.0.0.1:{self.port}{path}", timeout=10) as answer:
                return answer.read()
        return await asyncio.get_running_loop().run_in_executor(None, fetch)

    async def begin(self, *words: str) -> asyncio.subprocess.Process:
        process = await asyncio.create_subprocess_exec(
            PROGRAM, "analyse", *words, "--config", os.path.join(self.directory, "castled.conf"),
            env=self.environment(), stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT)
        self.addCleanup(lambda: process.returncode is None and process.kill())
        return process

    @staticmethod
    async def says(process: asyncio.subprocess.Process, pattern: str) -> str:
        while True:
            line = (await asyncio.wait_for(process.stdout.readline(), 30 * SLOWNESS)).decode()
            if re.search(pattern, line):
                return line
            if line == "":
                raise AssertionError(f"no /{pattern}/")

    @staticmethod
    def processor_s(pid: int) -> float:
        with open(f"/proc/{pid}/stat", encoding="ascii") as file:
            fields = file.read().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / TICKS

    async def test_what_is_found_is_kept_and_shown_everywhere(self):
        await self.start(status={"http": self.port})
        ids = await self.play(2)
        status, output = await self.castled("analyse", "--nodes", "2000")
        self.assertEqual(status, EX_OK, output)
        self.assertEqual(re.findall(r"(?m)^(\w{8}) +\d{4}-\d\d-\d\d  (?:won|lost) ", output),
                         ids[::-1])
        self.assertRegex(output, r"(?m)^game 1 of 2, just begun$")
        self.assertRegex(output, r"(?m)^game 2 of 2, \d+ s left$")
        self.assertRegex(output, r"(?m)^2 games analysed now$")
        self.assertRegex(output, r"(?m)^analysed: 2 of 2 games, accuracy \d+\.\d %, theirs ")
        status, output = await self.castled("analyse", "--nodes", "2000")
        self.assertEqual((status, output.splitlines()[0]), (EX_OK, "0 games analysed now"))
        # What stands there is shown, not searched for again.
        path = os.path.join(self.directory, "castled", "games.sqlite")
        with sqlite3.connect(path) as database:
            database.execute("UPDATE analysis SET scores = '777' || substr(scores, instr(scores, ' '))")
        status, output = await self.castled("why", ids[0], "--nodes", "2000")
        self.assertEqual(status, EX_OK, output)
        self.assertIn("+7.77", output)
        status, output = await self.castled("stats", "--by", "losses", "--json")
        self.assertEqual(status, EX_OK, output)
        line = json.loads(output)
        self.assertEqual((line["games"], line["losses"]["analysed"]), (2, 2))
        self.assertRegex((await self.castled("stats"))[1], r"(?m)^analysed: 2 of 2 games")
        found = json.loads(await self.page(f"/json/{ids[0]}"))["analysis"]  # of what has just ended, too
        self.assertEqual(sorted(found["accuracy"]), ["black", "white"])
        self.assertIn(("1. f3", "+7.77"), [(loss["move"], loss["before"]) for loss in found["losses"]])
        found = json.loads(await self.page(f"/json/{ids[1]}"))["analysis"]
        self.assertEqual(len(found["percent"]), len(self.moves[ids[1]]))
        status, output = await self.castled("analyse", "--nodes", "3000", "--limit", "1")
        self.assertRegex(output, r"(?m)^1 game analysed now$")  # fewer nodes do not do
        # Seen from the side that was mated, there are mistakes of ours.
        with sqlite3.connect(path) as database:
            database.execute("UPDATE game SET our_colour = 'white'")
        status, output = await self.castled("analyse", "--nodes", "2000", "--epd")
        self.assertEqual(status, EX_OK, output)
        for line in output.splitlines():
            self.assertRegex(line, r'^\S+ [wb] \S+ \S+( bm \S+;)? am \S+; id "\w{8} \d+\.+ \S+"; c0 "(mistake|blunder), ')
        self.assertIn(f'id "{ids[0]} ', output)

    async def test_another_engine_can_judge(self):
        await self.start()
        ids = await self.play(2)
        status, output = await self.castled("analyse", "--judge", engine_path(), "--nodes", "2000")
        self.assertEqual(status, EX_OK, output)
        self.assertRegex(output, r"(?m)^2 games analysed now$")
        status, output = await self.castled("why", ids[0], "--nodes", "2000")
        self.assertEqual(status, EX_OK, output)
        self.assertRegex(output, r"(1\. f3|2\. g4)")
        for judge, why in (("/nonesuch", "/nonesuch: not found"), ("sh -c :", "the judge has ended"),
                           (f"{FAKE} --fault crash", "the judge has ended")):
            status, output = await self.castled("analyse", "--judge", judge, "--nodes", "3000")
            self.assertEqual(status, EX_FAULT, output)
            self.assertIn(why, output)

    async def test_it_waits_while_a_game_is_played_and_can_be_stopped(self):
        await self.start()
        await self.play(3)
        process = await self.begin("--nodes", "400000")
        await self.says(process, "^game 1 of 3")
        policies = {os.sched_getscheduler(int(task))
                    for task in os.listdir(f"/proc/{process.pid}/task")}
        self.assertIn(os.SCHED_IDLE, policies)
        game = await self.game(Idle(), limit=600)
        await self.says(process, "waiting while games are played")
        kept, used = self.count("analysis"), self.processor_s(process.pid)
        await asyncio.sleep(2.5)
        self.assertLess(self.processor_s(process.pid) - used, 0.2)
        self.assertEqual(self.count("analysis"), kept)
        game.finish("aborted")
        await self.over(game)
        await self.sim.until(lambda: self.count("analysis") > kept, 60 * SLOWNESS,
                             "a game analysed after that")
        process.send_signal(signal.SIGINT)
        self.assertEqual(await asyncio.wait_for(process.wait(), 10), -signal.SIGINT)
        done = self.count("analysis")
        status, output = await self.castled("analyse", "--nodes", "2000")
        self.assertEqual(status, EX_OK, output)
        self.assertRegex(output, rf"(?m)^{3 - done} games? analysed now$")
        self.assertEqual(self.count("analysis"), 3)

    async def test_words_and_archives_that_do_not_fit_are_refused(self):
        self.write_config()
        for words in (("--nodes",), ("--nodes", "1"), ("--json",), ("abcdefgh",), ("--since", "x")):
            status, output = await self.castled("analyse", *words)
            self.assertEqual(status, EX_USAGE, output)
        status, output = await self.castled("analyse")
        self.assertEqual(status, EX_UNREACHABLE, output)
        self.assertIn("there is no archive yet", output)
        self.assertFalse(os.path.exists(os.path.join(self.directory, "castled", "games.sqlite")))


if __name__ == "__main__":
    unittest.main()
