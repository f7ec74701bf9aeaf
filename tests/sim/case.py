# SPDX-License-Identifier: GPL-3.0-or-later
"""What the simulator's own tests share: a simulator and a client, met through the wire."""
from __future__ import annotations

import asyncio
import tempfile
import unittest

from .client import Client
from .server import Simulator


class SimulatorTest(unittest.IsolatedAsyncioTestCase):
    async def asyncSetUp(self):
        asyncio.get_running_loop().set_debug(False)  # unittest's default is slow
        await asyncio.sleep(0)
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.sim = Simulator(directory.name, keepalive_s=0.2)
        self.bot = self.sim.add_account("Castled-Bot", title="BOT", rating=2000)
        self.sim.add_token("lip_good", self.bot)
        await self.sim.start()
        self.addAsyncCleanup(self.sim.stop)
        self.client = self.new_client()

    def new_client(self, token="lip_good", agent="test", via=""):
        return Client(self.sim.url, self.sim.ca_file, token, agent, via)

    async def play(self, game_id, moves):
        """Posts the moves as they come due and returns the game stream's lines."""
        lines = []
        moves = list(moves)
        async for line in self.client.lines(f"/api/bot/game/stream/{game_id}"):
            if line is None:
                continue
            lines.append(line)
            game = self.sim.games[game_id]
            if game.is_running and game.turn == game.colour_of(self.bot) and moves \
                    and line["type"] in ("gameFull", "gameState"):
                answer = await self.client.post(f"/api/bot/game/{game_id}/move/{moves.pop(0)}")
                self.assertEqual(answer.status, 200, answer.body)
        return lines

    async def game(self, **wanted):
        """A game that the bot has accepted without a word on the wire."""
        challenge = await self.sim.challenge(self.bot, "alba", **wanted)
        challenge.accept()()
        return await challenge.started(1)

    async def next_event(self, events):
        while (event := await events.__anext__()) is None:
            pass
        return event

    async def first_lines(self, path, count):
        lines = []
        events = self.client.lines(path)
        async for line in events:
            lines.append(line)
            if len(lines) == count:
                break
        await events.aclose()
        return lines

    async def refused(self, method, path, status, text, **form):
        """That a request is refused with this text; returns the answer."""
        answer = await self.client.request(method, path, form)
        self.assertEqual((answer.status, answer.json["error"]), (status, text), path)
        return answer

    async def online(self):
        """The event stream, open, and past what it begins with."""
        events = self.client.lines("/api/stream/event")
        while await events.__anext__() is not None:
            pass
        self.addAsyncCleanup(events.aclose)
        return events

    async def quiet(self, events, seconds=0.5):
        """That a stream says nothing but keep-alives for a while."""
        async def listen():
            while True:
                self.assertIsNone(await events.__anext__())
        with self.assertRaises(asyncio.TimeoutError):
            await asyncio.wait_for(listen(), seconds)
