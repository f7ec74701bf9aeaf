# SPDX-License-Identifier: GPL-3.0-or-later
"""A daemon with a page and a browser that looks at it, for each test."""
from __future__ import annotations

import asyncio

from e2e.harness import DaemonTest
from sim.daemon import free_port

from .browser import SHOWN_PLACEMENT, Browser


class PageCase(DaemonTest):
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
        await self.browser.until("document.querySelector('main')")  # drawn

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
