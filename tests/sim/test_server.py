# SPDX-License-Identifier: GPL-3.0-or-later
"""Faults and orders, and a server that goes away."""
import asyncio
import ssl
import time
import unittest

from sim import control, faults
from sim.case import SimulatorTest
from sim.opponent import Idle


class ServerTest(SimulatorTest):
    async def test_faults_happen_as_ordered_and_only_as_often(self):
        game = await self.game(colour="black", player=Idle())
        path = f"/api/bot/game/{game.id}/move/"
        self.sim.faults.order("move", status=429, html=True)
        answer = await self.client.post(path + "e2e4")
        self.assertEqual((answer.status, answer.headers["content-type"]), (429, "text/html"))
        self.sim.faults.order("move", reset=True)
        with self.assertRaises((ConnectionError, asyncio.IncompleteReadError)):
            await self.client.post(path + "e2e4")
        self.assertEqual(game.moves, [])
        self.sim.faults.order("move", status=502, applied=True)
        answer = await self.client.post(path + "e2e4")
        self.assertEqual((answer.status, game.moves), (502, ["e2e4"]))
        self.sim.faults.order("account", delay_after_s=0.2)
        began = time.monotonic()
        await self.client.get("/api/account")
        self.assertGreater(time.monotonic() - began, 0.2)

    async def test_strikes_and_outages_can_be_ordered_over_http(self):
        control.install(self.sim)
        stranger = self.new_client(None)
        stream = self.client.lines("/api/stream/event")
        await stream.__anext__()
        await stranger.request("POST", "/sim/strike", body=b'{"what": "close"}')
        self.assertFalse(self.bot.is_online)
        await stranger.request("POST", "/sim/down", body=b'{"seconds": 0.3}')
        await asyncio.sleep(0.1)
        with self.assertRaises(OSError):
            await self.client.get("/api/account")
        await asyncio.sleep(0.5)
        self.assertEqual((await self.client.get("/api/account")).status, 200)

    async def test_the_server_may_come_back_with_another_certificate(self):
        await self.sim.down()
        await self.sim.start(certificate={"days": -1})
        with self.assertRaises(ssl.SSLError):
            await self.client.get("/api/account")
        await self.sim.down()
        await self.sim.start()
        self.assertEqual((await self.client.get("/api/account")).status, 200)

    async def test_challenges_and_faults_can_be_ordered_over_http(self):
        control.install(self.sim)
        stranger = self.new_client(None)
        answer = await stranger.request("POST", "/sim/challenge",
                                        body=b'{"limit": 30, "moves": "f2f3 g2g4"}')
        game_id = answer.json["id"]
        await self.client.post(f"/api/challenge/{game_id}/accept")
        await self.play(game_id, ["e7e5", "d8h4"])
        answer = await stranger.get("/sim")
        self.assertEqual(answer.json["games"][0]["result"], "0-1")
        await stranger.request("POST", "/sim/fault", body=b'{"family": "account", "status": 503}')
        self.assertEqual((await self.client.get("/api/account")).status, 503)

    async def test_the_server_goes_away_and_comes_back_with_its_games(self):
        game = await self.game(player=Idle())
        await self.sim.down()
        with self.assertRaises(OSError):
            await self.client.get("/api/account")
        await self.sim.start()
        answer = await self.client.get("/api/account/playing")
        self.assertEqual(answer.json["nowPlaying"][0]["gameId"], game.id)

    async def test_refusals_are_those_of_the_server_or_of_a_proxy_before_it(self):
        for name, status, kind, text in (
                ("proxy 403", 403, "text/html", "<html>"),
                ("proxy 429", 429, "text/html", "<html>"),
                ("proxy 502", 502, "text/html", "<html>"),
                ("proxy 504", 504, "text/html", "<html>"),
                ("missing scope", 403, "application/json", "Missing scope: bot:play"),
                ("playban", 403, "application/json", '"minutes": 10'),
                ("restricted", 403, "application/json", "is restricted."),
                ("no such token", 401, "application/json", "No such token"),
                ("too many at a time", 429, "application/json", "Please only run 1")):
            with self.subTest(name):
                self.sim.faults.order("account", **faults.REFUSALS[name])
                answer = await self.client.get("/api/account")
                self.assertEqual((answer.status, answer.headers["content-type"]), (status, kind))
                self.assertIn(text, answer.body.decode())

    async def test_a_fault_may_last_for_a_time_instead_of_a_number_of_requests(self):
        self.sim.faults.order("", lasts_s=0.5, **faults.REFUSALS["proxy 403"])
        for _ in range(3):
            self.assertEqual((await self.client.get("/api/account")).status, 403)
        await asyncio.sleep(0.6)
        self.assertEqual((await self.client.get("/api/account")).status, 200)


if __name__ == "__main__":
    unittest.main()
