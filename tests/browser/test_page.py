# SPDX-License-Identifier: GPL-3.0-or-later
"""The live page as a browser shows it: boards against the games' own positions."""
from __future__ import annotations

import asyncio
import os
import unittest

from e2e.harness import SLOWNESS
from sim.opponent import Engine, Idle, Scripted

from .browser import PROGRAM, SHOWN_PLACEMENT
from .page_case import PageCase


@unittest.skipUnless(PROGRAM, "there is no chromium")
class PageTest(PageCase):
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
                drawn = await self.browser.ask("import('/js/board.js').then(({ boardOf, played }) =>"
                                               f" [played(boardOf('{before}'), '{uci}').join(),"
                                               f" boardOf('{after}').join()])")
                self.assertEqual(*drawn)

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

    async def played_before(self, *games) -> None:
        """They are over, and the daemon that played them as well: only the archive has them."""
        for game in games:
            await self.over(game, 120 * SLOWNESS)
        await self.stop_daemon()
        await self.begin()

    async def test_a_finished_game_can_be_stepped_through(self):
        await self.begin(engine={"nodes": 300})
        game = await self.game(Engine(nodes=300, delay=0.02), limit=180, colour="white")
        await game.plies(30, 60 * SLOWNESS)
        game.resign("white")
        await self.played_before(game)
        await self.visit(f"/game/{game.id}")
        count = len(game.moves)
        await self.browser.until(f"document.querySelectorAll('.moves button').length === {count}")
        await self.shows(game)
        self.assertTrue(await self.browser.ask(
            "document.querySelector('.moves .here').getBoundingClientRect().bottom <="
            " document.querySelector('.moves').getBoundingClientRect().bottom + 1"))
        for press, ply in (("Home", 0), ("ArrowRight", 1), ("ArrowRight", 2), ("ArrowLeft", 1)):
            await self.browser.press(press)
            self.assertEqual(await self.browser.ask(f"({SHOWN_PLACEMENT})('{game.id}')"),
                             game.positions[ply].fen.split()[0], (press, ply))
        await self.browser.ask("document.querySelectorAll('.moves button')[9].click()")
        self.assertEqual(await self.browser.ask(f"({SHOWN_PLACEMENT})('{game.id}')"),
                         game.positions[10].fen.split()[0])
        self.assertRegex(await self.browser.ask("document.querySelector('.detail').textContent"),
                         r"^5[.…] \S+ · .* s$")
        for curve in ("evals", "times"):
            label = await self.browser.ask(f"document.querySelector('.{curve}').getAttribute('aria-label')")
            self.assertRegex(label, r"\d")
        self.assertGreater(await self.browser.ask("document.querySelectorAll('.times .white').length"), 5)
        self.assertEqual(await self.browser.ask(
            "performance.getEntriesByType('resource').filter((e) => e.name.endsWith('/events')).length"), 0)

    async def test_a_finished_game_shows_its_analysis(self):
        await self.begin()
        game = await self.game(Scripted("f2f3 g2g4"), limit=180, colour="white")
        await game.plies(3, 20 * SLOWNESS)
        if game.is_running:
            game.resign("white")
        await self.played_before(game)
        config = os.path.join(self.directory, "castled.conf")
        status, output = await self.command("analyse", "--nodes", "2000", "--config", config)
        self.assertEqual(status, 0, output)
        await self.visit(f"/game/{game.id}")
        await self.browser.until("document.querySelectorAll('.moves button').length >= 3")
        self.assertRegex(await self.browser.ask("document.querySelector('.analysis').textContent"),
                         r"Accuracy: White [\d.]+ %, Black [\d.]+ %\.[^$]*(1\. f3|2\. g4)\?")
        marked = await self.browser.ask(
            "document.querySelectorAll('.moves .inaccuracy, .moves .mistake, .moves .blunder').length")
        self.assertGreater(marked, 0)
        await self.browser.ask("document.querySelector('.moves .inaccuracy button, .moves .mistake button,"
                               " .moves .blunder button').click()")
        self.assertRegex(await self.browser.ask("document.querySelector('.detail').textContent"),
                         r"(inaccuracy|mistake|blunder) \(chess\), \S+ → \S+ · best \S+$")
        await self.browser.see(1100, 900)  # a window with the whole game, and what was found below it
        self.assertTrue(await self.browser.ask(
            "((article, analysis) => article.bottom <= Math.min(innerHeight, analysis.top))"
            "(document.querySelector('article').getBoundingClientRect(),"
            " document.querySelector('.analysis').getBoundingClientRect())"))

    async def test_finished_games_are_listed_and_chosen_from(self):
        await self.begin(games={"concurrency": 2})
        name = "<img/src/onerror=x>"
        self.sim.add_account("Zeta", title="BOT", rating=2100)
        games = [await self.game(Scripted("e2e4 d2d4"), name=player, limit=limit, colour="white")
                 for player, limit in ((name, 60), ("Zeta", 600))]
        for game in games:
            await game.plies(4, 20 * SLOWNESS)
            game.resign("white")
        await self.played_before(*games)
        await self.visit("/")
        await self.browser.ask("document.querySelector('nav a[href=\"/games\"]').click()")
        await self.browser.until("document.querySelectorAll('tr a[href^=\"/game/\"]').length === 2")
        text = await self.browser.ask("document.querySelector('main').innerText")
        self.assertIn(name, text)
        self.assertIn("White resigned", text)
        self.assertEqual(await self.browser.ask("document.querySelectorAll('img').length"), 0)
        for choice, ids in (("?speed=rapid", {games[1].id}), ("?against=human", {games[0].id}),
                            ("?opponent=zeta", {games[1].id}), ("?result=won", {game.id for game in games}),
                            ("?result=lost", set()), ("?page=1", set()), ("?page=-1&speed=%00&x=<b>", None)):
            with self.subTest(choice):
                await self.visit(f"/games{choice}")
                found = await self.browser.ask(
                    "[...document.querySelectorAll('.games tr a')].map((a) => a.getAttribute('href').split('/')[2])")
                self.assertEqual(set(found), {game.id for game in games} if ids is None else ids)
        await self.visit("/games")
        await self.browser.ask("document.querySelector('[name=against]').value = 'bot';"
                               "document.querySelector('form button').click()")
        await self.browser.until("location.search.includes('against=bot') &&"
                                 "document.querySelectorAll('tr a').length === 1")
        await self.visit("/game/nosuchid")
        self.assertIn("There is no such game.", await self.browser.ask("document.body.innerText"))
        self.browser.complaints.clear()  # of the 404

    async def test_statistics_are_drawn_and_said_in_words(self):
        await self.begin(games={"concurrency": 2})
        self.sim.add_account("Zeta", title="BOT", rating=2100)
        for player in ("Alba", "Zeta"):
            game = await self.game(Scripted("e2e4 d2d4"), name=player, limit=180, colour="white")
            await game.plies(4, 20 * SLOWNESS)
            game.resign("white")
            await self.over(game)
        for _ in range(100):  # until both are written down
            await self.visit("/stats")
            if await self.browser.ask("document.querySelectorAll('.chart').length") >= 5:
                break
            await asyncio.sleep(0.1)
        labels = await self.browser.ask(
            "[...document.querySelectorAll('.chart')].map((c) => c.getAttribute('aria-label'))")
        self.assertIn("results against humans: won 1 at last, drawn 0 at last, lost 0 at last", labels)
        self.assertIn("results against bots: won 1 at last, drawn 0 at last, lost 0 at last", labels)
        self.assertRegex("\n".join(labels), r"our rating: blitz \d+ at last")
        text = await self.browser.ask("document.querySelector('main').innerText")
        for part in ("human", "bot", "blitz", "Openings", "Time"):
            self.assertIn(part, text)
        self.assertEqual(await self.browser.ask("document.querySelectorAll('figure details').length"),
                         len(labels))
        await self.browser.see(390, 780, phone=True)
        self.assertTrue(await self.browser.ask("document.documentElement.scrollWidth <= 390"))

    async def test_strangers_names_are_text(self):
        await self.begin()
        name = "<img/src/onerror=x>"
        game = await self.game(Idle(), name=name)
        await self.visit("/")
        await self.browser.until(f"document.querySelector('article[data-id=\"{game.id}\"]')")
        self.assertIn(name, await self.browser.ask("document.body.innerText"))
        self.assertEqual(await self.browser.ask("document.querySelectorAll('article img').length"), 0)

    async def test_without_scripts_a_sentence_leads_to_the_json(self):
        await self.begin()
        await self.browser.scripts(False)
        await self.browser.open(f"http://127.0.0.1:{self.port}/")
        document = await self.browser.send("DOM.getDocument", depth=-1)
        link = await self.browser.send("DOM.querySelector", nodeId=document["root"]["nodeId"], selector="noscript a")
        attributes = (await self.browser.send("DOM.getAttributes", nodeId=link["nodeId"]))["attributes"]
        self.assertEqual(attributes, ["href", "/status.json"])

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
