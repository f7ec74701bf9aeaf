# SPDX-License-Identifier: GPL-3.0-or-later
"""Games at a rating by a network of people's moves: here one of random weights."""
import asyncio
import os
import re
import subprocess
import unittest

from sim.opponent import Idle, Random, Scripted

from .harness import PROGRAM, SLOWNESS, DaemonTest

MAKE_POLICY = os.environ.get("CASTLED_MAKE_POLICY") or os.path.join(os.path.dirname(PROGRAM), "make_policy")


class HumanTest(DaemonTest):
    def network(self) -> str:
        path = os.path.join(self.directory, "people.pb.gz")
        subprocess.run([MAKE_POLICY, path], check=True)
        return path

    def said_of(self, game) -> list[str]:
        """The log's lines of our moves."""
        return re.findall(rf"info game move id={game.id} .*", self.daemon.log())

    async def test_a_file_is_described_or_refused_in_one_line(self):
        status, output = await self.command("human", "--check", self.network())
        self.assertEqual(status, 0, output)
        self.assertRegex(output, r"people.pb.gz: .* 1 blocks of 8 filters\n")
        self.assertRegex(output, r"time: \d+\.\d{3} ms for a position on one core, with \S+ .*\d+ positions\)")
        text = os.path.join(self.directory, "text")
        with open(text, "w", encoding="ascii") as file:
            file.write("no network")
        for path in (text, "/nonexistent", self.directory):
            status, output = await self.command("human", "--check", path)
            self.assertEqual((status, output.count("\n")), (1, 1), output)
            self.assertIn(f"castled: human: {path}: ", output)
        for words in ((), ("--check",), ("--chekc", text)):
            status, output = await self.command("human", *words)
            self.assertEqual(status, 64, output)

    async def test_a_game_is_played_to_its_end_by_the_network(self):
        await self.start(engine={"human": self.network(), "elo": 2500, "nodes": 0}, pace={"human": "no"})
        await self.log_says("engine human file=.* blocks=1 filters=8")
        game = await self.game(Random(7), limit=180)
        status, _ = await self.over(game, 90)
        self.assertIn(status, ("mate", "stalemate", "draw"))
        lines = self.said_of(game)
        self.assertGreater(len(lines), 3)
        for line in lines:
            self.assertRegex(line, r"people=\d+%$")

    async def test_our_own_network_needs_no_file(self):
        status, output = await self.command("human", "--check", "built-in")
        self.assertEqual(status, 0, output)
        self.assertRegex(output, r"built-in: castled's own kind, for all ratings")
        await self.start(engine={"human": "built-in", "elo": 1500}, pace={"human": "no"})
        game = await self.game(Random(7), limit=180)
        watching = asyncio.create_task(self.command(
            "watch", game.id, "--config", os.path.join(self.directory, "castled.conf"), token=None))
        await game.plies(8, 30 * SLOWNESS)
        for line in self.said_of(game):
            self.assertRegex(line, r"people=\d+%$")
        game.finish("unknownFinish")
        _, shown = await watching
        self.assertRegex(shown, r"people \d+ %, [A-Za-z0-9+#=-]+ \d+ %, search [A-Za-z0-9+#=-]+")

    async def test_the_network_plays_chess_at_a_rating_and_nothing_else(self):
        await self.start(engine={"human": self.network()}, pace={"human": "no"},
                         **{"rule weak": {"when.kind": "human", "engine.elo": 1500},
                            "rule engine": {"when.opponent": "berta", "engine.style": "engine"}})
        self.sim.add_account("Berta")
        for wanted, is_human in (({}, True), ({"name": "Berta"}, False), ({"variant": "antichess"}, False)):
            game = await self.game(Scripted("e2e3", Idle()), limit=180, **wanted)
            await game.plies(2, 30 * SLOWNESS)
            await self.log_says(f"move id={game.id} ")
            self.assertEqual("people=" in self.said_of(game)[0], is_human, wanted)

    async def test_without_its_file_the_engine_plays_with_one_warning(self):
        await self.start(engine={"human": "/nonexistent", "elo": 1500}, pace={"human": "no"})
        game = await self.game(Random(7), limit=180)
        await game.plies(8, 30 * SLOWNESS)
        self.assertEqual(self.daemon.log().count("engine no-human"), 1)
        self.assertNotIn("people=", self.daemon.log())


if __name__ == "__main__":
    unittest.main()
