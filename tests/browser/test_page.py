# SPDX-License-Identifier: GPL-3.0-or-later
"""The live page as a browser shows it: boards against the games' own positions."""
from __future__ import annotations

import asyncio
import unittest

from e2e.harness import SLOWNESS, DaemonTest
from sim.daemon import free_port
from sim.opponent import Engine, Idle, Scripted

from .browser import PROGRAM, SHOWN_PLACEMENT, Browser


@unittest.skipUnless(PROGRAM, "there is no chromium")
class PageTest(DaemonTest):
    async def asyncSetUp(self):
        await super().asyncSetUp()
        self.browser = await Browser.start()
        self.addAsyncCleanup(self.browser.close)
        self.addAsyncCleanup(self.nothing_was_forbidden)
        self.port = free_port()

    async def begin(self, **sections) -> None:
        await self.start(status={"http": self.port}, **sections)
        await self.log_says("page listening")

    async def visit(self, path: str) -> None:
        await self.browser.open(f"http://127.0.0.1:{self.port}{path}")

    async def shows(self, game) -> None:
        """The board comes to show the game as it stands."""
        for _ in range(200):
            placement = game.position.fen.split()[0]
            shown = await self.browser.ask(f"({SHOWN_PLACEMENT})('{game.id}')")
            if shown == placement == game.position.fen.split()[0]:
                return
            await asyncio.sleep(0.05)
        self.fail(f"{shown} is shown, {placement} stands")

    async def nothing_was_forbidden(self) -> None:
        self.assertEqual(self.browser.complaints, [])

    async def test_a_board_follows_its_game_to_the_end(self):
        await self.begin()
        await self.visit("/")
        self.assertFalse(await self.browser.ask("document.querySelector('#none').hidden"))
        game = await self.game(Engine(nodes=300, delay=0.05), limit=180, colour="white")
        await self.browser.until(f"document.querySelector('article[data-id=\"{game.id}\"] .score')?.textContent")
        await self.over(game, 120 * SLOWNESS)
        await self.shows(game)
        await self.browser.until("document.querySelector('article.over')")
        result = {"white": "1-0", "black": "0-1", None: "1/2-1/2"}[game.winner]
        self.assertIn(result, await self.browser.ask("document.querySelector('.state').textContent"))

    async def test_moves_of_more_than_one_piece_are_drawn(self):
        await self.begin()
        await self.visit("/")
        for before, uci, after in (
                ("8/8/8/8/8/8/8/R3K2R", "e1g1", "8/8/8/8/8/8/8/R4RK1"),
                ("8/8/8/8/8/8/8/R3K2R", "e1h1", "8/8/8/8/8/8/8/R4RK1"),
                ("r3k2r/8/8/8/8/8/8/8", "e8c8", "2kr3r/8/8/8/8/8/8/8"),
                ("8/8/8/8/8/8/8/1RK4R", "c1b1", "8/8/8/8/8/8/8/2KR3R"),
                ("8/8/8/8/8/8/8/5KR1", "f1g1", "8/8/8/8/8/8/8/5RK1"),
                ("8/8/8/3pP3/8/8/8/8", "e5d6", "8/8/3P4/8/8/8/8/8"),
                ("8/8/8/8/3pP3/8/8/8", "d4e3", "8/8/8/8/8/4p3/8/8"),
                ("r7/1P6/8/8/8/8/8/8", "b7a8n", "N7/8/8/8/8/8/8/8"),
                ("8/8/8/8/8/8/1p6/8", "b2b1q", "8/8/8/8/8/8/8/1q6"),
                ("8/8/8/8/8/8/4r3/4K3", "e1e2", "8/8/8/8/8/8/4K3/8")):
            with self.subTest((before, uci)):
                drawn = await self.browser.ask(f"played(boardOf('{before}'), '{uci}').join()")
                self.assertEqual(drawn, await self.browser.ask(f"boardOf('{after}').join()"))

    async def test_moves_can_be_stepped_through_by_keyboard(self):
        await self.begin()
        game = await self.game(Engine(nodes=300), limit=180)
        await game.plies(30, 60 * SLOWNESS)
        await self.visit(f"/game/{game.id}")
        await self.browser.until("document.querySelectorAll('.moves button').length >= 30")
        await self.browser.press("Home")
        start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR"
        self.assertEqual(await self.browser.ask(f"({SHOWN_PLACEMENT})('{game.id}')"), start)
        for ply in range(1, 31):
            await self.browser.press("ArrowRight")
            self.assertEqual(await self.browser.ask(f"({SHOWN_PLACEMENT})('{game.id}')"),
                             game.positions[ply].fen.split()[0], ply)
        await self.browser.press("End")
        await self.shows(game)
        await self.browser.press("f")
        await self.shows(game)

    async def test_strangers_names_are_text(self):
        await self.begin()
        name = "<img/src/onerror=x>"
        game = await self.game(Idle(), name=name)
        await self.visit("/")
        await self.browser.until(f"document.querySelector('article[data-id=\"{game.id}\"]')")
        self.assertIn(name, await self.browser.ask("document.body.innerText"))
        self.assertEqual(await self.browser.ask("document.querySelectorAll('article img').length"), 0)

    async def test_without_scripts_the_page_shows_what_there_is(self):
        await self.begin()
        game = await self.game(Scripted("e2e4"), limit=180)
        await game.plies(2, 20 * SLOWNESS)
        await self.browser.send("Emulation.setScriptExecutionDisabled", value=True)
        await self.visit("/")
        await self.shows(game)

    async def test_an_overlay_goes_on_to_the_next_game(self):
        await self.begin(games={"concurrency": 1})
        await self.visit("/overlay/latest")
        first = await self.game(Scripted("e2e4 d2d4"), limit=180)
        await self.browser.until(f"document.querySelector('article[data-id=\"{first.id}\"]')")
        await first.plies(2, 20 * SLOWNESS)
        await self.shows(first)
        first.resign("white")
        await self.over(first)
        second = await self.game(Scripted("d2d4"), limit=180)
        await self.browser.until(f"document.querySelector('article[data-id=\"{second.id}\"]')")
        await second.plies(2, 20 * SLOWNESS)
        await self.shows(second)
        self.assertEqual(await self.browser.ask("getComputedStyle(document.body).backgroundColor"),
                         "rgba(0, 0, 0, 0)")
        self.assertEqual(await self.browser.ask("document.querySelectorAll('article').length"), 1)


if __name__ == "__main__":
    unittest.main()
