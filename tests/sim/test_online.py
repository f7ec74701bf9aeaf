# SPDX-License-Identifier: GPL-3.0-or-later
"""The simulated services on the web answer as the real ones do."""
import asyncio
import tempfile
import unittest
import urllib.parse

from sim import board
from sim.client import Client
from sim.online import Online, chessdb, cloud, explorer, tablebase
from sim.server import Simulator

ENDGAME = "8/8/8/3k4/8/8/4Q3/K7 w - - 0 1"


class OnlineTest(unittest.IsolatedAsyncioTestCase):
    async def asyncSetUp(self):
        asyncio.get_running_loop().set_debug(False)  # unittest's default is slow
        await asyncio.sleep(0)
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.sim = Simulator(directory.name)
        self.sim.add_token("lip_good", self.sim.add_account("Castled-Bot", title="BOT"))
        self.web = Online(self.sim)
        await self.sim.start()
        self.addAsyncCleanup(self.sim.stop)

    async def get(self, path: str, fen: str = board.START, token=None):
        client = Client(self.sim.url, self.sim.ca_file, token)
        return await client.get(path + urllib.parse.quote(fen))

    async def test_what_was_said_is_told_whatever_the_counters(self):
        for service, path, fen, said in (
                ("cloud", "/api/cloud-eval?fen=", board.START, cloud(("e2e4", 20))),
                ("chessdb", "/cdb.php?board=", board.START, chessdb(("e2e4", 20, 2))),
                ("tablebase", "/standard?fen=", ENDGAME, tablebase(("e2e3", "loss", 3)))):
            self.web.say(service, fen, said)
            answer = await self.get(path, fen.replace("0 1", "7 40"))
            self.assertEqual((answer.status, answer.json), (200, said))
        self.assertEqual([r.family for r in self.web.asked()], ["cloud", "chessdb", "tablebase"])

    async def test_what_is_not_known_is_said_in_each_services_way(self):
        self.assertEqual((await self.get("/api/cloud-eval?fen=")).status, 404)
        self.assertEqual((await self.get("/cdb.php?board=")).json, {"status": "unknown"})
        self.assertEqual((await self.get("/standard?fen=")).json["category"], "unknown")
        self.assertEqual((await self.get("/masters?fen=", token="lip_good")).json["moves"], [])

    async def test_more_lines_may_mean_a_shallower_evaluation_and_fewer_than_asked(self):
        for depth, moves in ((40, "e2e4"), (30, "e2e4 d2d4 c2c4"), (50, "e2e4")):
            self.web.say("cloud", board.START, cloud(*((m, 20) for m in moves.split()),
                                                     depth=depth))
        for lines, depth, told in ((1, 50, 1), (2, 30, 2), (3, 30, 3), (5, 30, 3)):
            answer = (await self.get(f"/api/cloud-eval?multiPv={lines}&fen=")).json
            self.assertEqual((answer["depth"], len(answer["pvs"])), (depth, told), lines)

    async def test_the_explorer_wants_a_token(self):
        self.web.say("explorer", board.START, explorer(("e2e4", 1, 2, 3)))
        for token, status in ((None, 401), ("lip_bad", 401), ("lip_good", 200)):
            self.assertEqual((await self.get("/lichess?fen=", token=token)).status, status)

    async def test_a_players_games_come_line_by_line(self):
        self.web.say("explorer", board.START, explorer(("e2e4", 1, 2, 3)))
        client = Client(self.sim.url, self.sim.ca_file, "lip_good")
        lines = client.lines("/player?fen=" + urllib.parse.quote(board.START))
        self.assertIsNone(await lines.__anext__())
        self.assertEqual((await lines.__anext__())["moves"][0]["uci"], "e2e4")
        await lines.aclose()


if __name__ == "__main__":
    unittest.main()
