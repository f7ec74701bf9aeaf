# SPDX-License-Identifier: GPL-3.0-or-later
"""The live page as people read it: by ear, on phones, in the dark, from a stream."""
from __future__ import annotations

import asyncio
import re
import unittest
from typing import Any

from e2e.harness import SLOWNESS
from sim.opponent import Engine, Idle, Scripted

from .browser import PROGRAM
from .page_case import PageCase

# The contrast of two colours, each as the page computes it. After: WCAG 2.1, "contrast ratio".
CONTRAST = """(one, other) => {
  const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const luminance = (colour) => {
    canvas.fillStyle = colour;
    canvas.fillRect(0, 0, 1, 1);
    const [r, g, b] = [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3).map((byte) => byte / 255)
      .map((c) => c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const style = getComputedStyle(document.documentElement);
  const [a, b] = [one, other].map((name) => luminance(style.getPropertyValue("--" + name).trim()) + 0.05);
  return Math.max(a, b) / Math.min(a, b);
}"""


@unittest.skipUnless(PROGRAM, "there is no chromium")
class ReadingTest(PageCase):
    async def ask(self, expression: str) -> Any:
        return await self.browser.ask(expression)

    async def text(self, selector: str) -> str:
        return await self.ask(f"document.querySelector('{selector}').innerText")

    async def attribute(self, selector: str, name: str) -> str:
        return await self.ask(f"document.querySelector('{selector}').getAttribute('{name}')")

    async def finished(self, moves: str = "e2e4 d2d4", **other) -> Any:
        """A game that Alba has given up, and that is written down."""
        game = await self.game(Scripted(moves), **{"limit": 180, "colour": "white", **other})
        await game.plies(2 * len(moves.split()), 20 * SLOWNESS)
        game.resign("white")
        await self.over(game)
        for _ in range(300):
            await self.visit("/games")
            if await self.ask(f"Boolean(document.querySelector('a[href=\"/game/{game.id}\"]'))"):
                return game
            await asyncio.sleep(0.1)
        self.fail(f"{game.id} is not in the list")

    async def test_a_board_its_game_and_its_evaluation_have_names(self):
        await self.begin()
        game = await self.game(Scripted("e2e4 d2d4"), limit=180, colour="white")
        await game.plies(4, 20 * SLOWNESS)
        await self.visit("/")
        await self.browser.until("document.querySelector('.score').textContent && "
                                 "document.querySelector('.latest').textContent.startsWith('2…')")
        self.assertEqual(await self.text("article h2"), "Alba – BOT Castled-Bot")
        label = await self.attribute(".board", "aria-label")
        self.assertRegex(label, r"^White Ke1 Qd1 .*; Black Ke8 .*; last move 2… \S+$")
        score = await self.text(".score")
        self.assertRegex(score, r"^White [+-]\d+\.\d\d$")
        self.assertEqual(await self.attribute(".bar", "aria-label"),
                         score.replace("White", "evaluation for White:"))

    async def test_one_move_is_in_the_tab_order_and_the_latest_is_announced(self):
        await self.begin()
        game = await self.game(Scripted("e2e4 d2d4 c2c4"), limit=180, colour="white")
        await game.plies(6, 20 * SLOWNESS)
        await self.visit(f"/game/{game.id}")
        await self.browser.until("document.querySelectorAll('.moves button').length === 6")
        current = "[...document.querySelectorAll('.moves [aria-current=step]')]"
        in_order = "[...document.querySelectorAll('.moves button')].filter((b) => b.tabIndex === 0)"
        for press, shown in (("", 5), ("ArrowLeft", 4), ("Home", None), ("End", 5)):
            with self.subTest(press):
                if press:
                    await self.browser.press(press)
                self.assertEqual(await self.ask(f"{in_order}.length"), 1)
                self.assertEqual(await self.ask(f"{current}.length"), 0 if shown is None else 1)
                if shown is not None:
                    self.assertTrue(await self.ask(
                        f"{current}[0] === document.querySelectorAll('.moves button')[{shown}]"))
        self.assertEqual(await self.attribute(".detail", "aria-live"), "polite")
        self.assertRegex(await self.text(".detail"), r"^3… ")

    async def test_a_curve_begins_even_and_never_falls_where_nothing_is_known(self):
        await self.begin()
        game = await self.game(Scripted("e2e4 d2d4 c2c4"), limit=180, colour="white")
        await game.plies(6, 20 * SLOWNESS)
        await self.visit(f"/game/{game.id}")
        await self.browser.until("document.querySelectorAll('.moves button').length === 6")
        points = [tuple(map(float, point.split(","))) for point in
                  (await self.attribute(".evals polygon", "points")).split()]
        self.assertEqual(points[1], (0, 50))
        self.assertEqual(points[-2], (6, points[-3][1]))
        self.assertRegex(await self.attribute(".evals", "aria-label"), "^evaluation for White over the game")

    async def test_results_are_sentences(self):
        await self.begin()
        await self.visit("/")
        for result, status, said in (
                ("1-0", "outoftime", "White won on time"), ("0-1", "resign", "Black won as White resigned"),
                ("1-0", "mate", "White won by checkmate"), ("1/2-1/2", "stalemate", "drawn by stalemate"),
                ("1/2-1/2", "draw", "drawn"), ("*", "aborted", "aborted"), ("0-1", "newWord", "Black won")):
            self.assertEqual(said, await self.ask("import('/js/words.js').then(({ resultText }) => "
                                                  f"resultText({{ result: '{result}', status: '{status}' }}))"))

    async def test_a_finished_game_says_when_what_and_where_else(self):
        await self.begin()
        await self.browser.send("Emulation.setTimezoneOverride", timezoneId="Asia/Tokyo")
        first, game = await self.finished("e2e4 d2d4"), await self.finished("d2d4 c2c4", rated=True)
        await self.visit(f"/game/{game.id}")
        await self.browser.until("document.querySelector('.links time')")
        moment = await self.attribute(".links time", "datetime")
        self.assertEqual(await self.text(".links time"), await self.ask(
            f"new Date(Date.parse('{moment}') + 9 * 3600000).toISOString().slice(0, 16).replace('T', ' ')"))
        self.assertIn("blitz 3+0, rated", await self.text(".caption"))
        self.assertRegex(await self.text(".opening"), r"^[A-E]\d\d \w")
        self.assertEqual(await self.attribute(".pgn", "download"), f"{game.id}.pgn")
        pgn = await self.ask("fetch(document.querySelector('.pgn').href).then((answer) => answer.text())")
        self.assertIn("1. d4", pgn)
        self.assertIn("0-1 · Black won as White resigned", await self.text(".state"))
        await self.ask("[...document.querySelectorAll('.links a')].find((a) => a.innerText.includes('before')).click()")
        await self.browser.until(f"location.pathname === '/game/{first.id}'")

    async def test_statistics_lead_to_their_games_and_can_be_sorted(self):
        await self.begin()
        self.sim.add_account("Zeta", rating=1900)
        await self.finished()
        await self.finished("d2d4 c2c4")
        await self.finished("d2d4 c2c4", name="Zeta")
        await self.visit("/stats")
        opponents = "[...document.querySelectorAll('section')].find((s) => s.innerText.startsWith('Opponents'))"
        names = f"[...{opponents}.querySelectorAll('td a')].map((a) => a.innerText).join()"
        by_name = f"{opponents}.querySelector('th button').click()"
        self.assertEqual(await self.ask(f"{names}.toLowerCase()"), "alba,zeta")
        await self.ask(by_name)
        self.assertEqual(await self.ask(f"{names}.toLowerCase()"), "zeta,alba")
        self.assertEqual(await self.ask(f"{opponents}.querySelector('th').getAttribute('aria-sort')"), "descending")
        self.assertEqual(await self.ask("[...document.querySelectorAll('th')].filter((h) => !h.textContent).length"), 0)
        openings = opponents.replace("Opponents", "Openings")
        count = int(await self.ask(f"{openings}.querySelectorAll('td.n')[0].innerText"))
        await self.ask(f"{openings}.querySelector('td a').click()")
        await self.browser.until("location.pathname === '/games' && document.querySelector('.games')")
        self.assertEqual(await self.ask("document.querySelectorAll('.games tbody tr').length"), count)
        self.assertTrue(await self.ask("document.querySelector('[name=opening]').value"))

    async def test_games_can_be_chosen_by_variant(self):
        await self.begin()
        game = await self.finished()
        for choice, count in (("standard", 1), ("atomic", 0)):
            await self.visit(f"/games?variant={choice}")
            self.assertEqual(await self.ask("document.querySelector('[name=variant]').value"), choice)
            self.assertEqual(await self.ask(f"document.querySelectorAll('a[href=\"/game/{game.id}\"]').length"), count)

    async def test_scales_show_sizes_from_nothing_and_name_their_places(self):
        await self.begin()
        await self.visit("/stats")
        for wanted, scale in (("8, 9.5, 1, true", [0, 10]), ("2010, 2030, 0, false", [2010, 2030]),
                              ("3, 3, 0, false", [3, 4])):
            self.assertEqual(scale, await self.ask("import('/js/chart.js').then(({ scaleOf }) => "
                                                   f"[scaleOf({wanted}).low, scaleOf({wanted}).high])"))
        bounds = ["10", "25", "50", "100", "250", "500", "1000", "2500", "5000", "10000"]
        named = await self.ask(
            "import('/js/chart.js').then(({ chartFigure }) => [...chartFigure({ kind: 'bars', title: 't', place: 'p',"
            f" names: {bounds}, series: [{{ name: 'n', values: {bounds}.map(() => 1) }}] }})"
            ".querySelectorAll('.mid')].map((text) => text.textContent))")
        self.assertEqual(named, bounds)
        count = await self.ask(
            "import('/js/lists.js').then(({ statsPage }) => statsPage({ tables: [], progress: { count: 0 },"
            " moves: { echo_within_ms: {} }, times: { games: 1, speeds: [], by_move: { ours: [1, 2, null, null],"
            " theirs: [1, 2, 3, null] } } }, new URLSearchParams()).at(-1).querySelectorAll('.numbers tbody tr').length)")
        self.assertEqual(count, 3)

    async def test_colours_can_be_told_apart(self):
        await self.begin()
        await self.visit("/")
        for is_dark in (False, True):
            await self.browser.see(1100, 800, is_dark)
            for one, other, least in (
                    ("light", "dark", 3), ("on-light", "light", 4.5), ("on-dark", "dark", 4.5),
                    ("ink", "ground", 4.5), ("faint", "panel", 4.5), ("faint", "ground", 4.5), ("accent", "ground", 4.5),
                    ("bad", "ground", 4.5), ("won", "ground", 3), ("drawn", "panel", 3), ("lost", "panel", 3),
                    ("drawn", "ground", 3), ("white", "black", 4.5)):
                with self.subTest((is_dark, one, other)):
                    self.assertGreaterEqual(await self.ask(f"({CONTRAST})('{one}', '{other}')"), least)
        game = await self.game(Idle(), limit=180)
        await self.browser.until(f"document.querySelector('[data-id=\"{game.id}\"]')")
        for selector in (".bar", ".game"):
            self.assertEqual(await self.ask(
                f"getComputedStyle(document.querySelector('{selector}')).opacity"), "1")
        self.assertGreater(await self.ask("parseFloat(getComputedStyle(document.querySelector('.bar')).borderWidth)"), 0)

    async def test_one_game_fills_the_window_and_tables_their_page(self):
        await self.begin()
        game = await self.game(Idle(), limit=180)
        await self.browser.see(1400, 900)
        await self.visit("/")
        await self.browser.until(f"document.querySelector('[data-id=\"{game.id}\"]')")
        width = "document.querySelector('{}').getBoundingClientRect().width"
        self.assertGreater(await self.ask(width.format(".board")), 500)
        self.assertLess(await self.ask("document.querySelector('.game').getBoundingClientRect().bottom"), 900)
        self.assertGreater(await self.ask(width.format("#state table")), 1300)
        self.assertNotIn("State", await self.text("#state"))

    async def test_a_phone_shows_a_games_result_without_scrolling(self):
        await self.begin()
        game = await self.finished()
        await self.browser.see(390, 844, phone=True)
        for path in ("/games", "/stats", f"/game/{game.id}", "/"):
            with self.subTest(path):
                await self.visit(path)
                await asyncio.sleep(0.2)
                self.assertTrue(await self.ask("document.documentElement.scrollWidth <= 390"))
                hidden = await self.ask("[...document.querySelectorAll('main td, main p, main h2')].filter((cell) => "
                                        "cell.getBoundingClientRect().right > 390 && !cell.closest('.unseen, details'))"
                                        ".map((cell) => cell.innerText)")
                self.assertEqual(hidden, [])
        await self.visit("/games")
        self.assertTrue(await self.ask("document.querySelector('.outcome').getBoundingClientRect().right <= 390"))

    async def test_the_tab_says_how_many_games_and_whose_clock(self):
        await self.begin()
        game = await self.game(Engine(nodes=300), limit=180)
        await game.plies(4, 30 * SLOWNESS)
        await self.visit("/")
        await self.browser.until("/^1 game · Alba \\d+:\\d\\d$/.test(document.title)")
        await self.visit(f"/game/{game.id}")
        await self.browser.until("/^Alba \\d+[.…] \\S+/.test(document.title)")

    async def test_a_card_shows_the_last_move_the_opening_and_who_is_ahead(self):
        await self.begin()
        fen = "rnbqkbnr/ppp1pppp/8/3p4/4P3/8/PPPP1PPP/RNBQKB1R w KQkq - 0 2"
        game = await self.game(Scripted("e4d5"), limit=180, colour="white", variant="fromPosition", fen=fen)
        await game.plies(2, 20 * SLOWNESS)
        other = await self.game(Scripted("e2e4 d2d4"), name="Berta", limit=180, colour="white")
        await other.plies(4, 20 * SLOWNESS)
        await self.visit("/")
        await self.browser.until(f"document.querySelector('[data-id=\"{other.id}\"] .opening').innerText")
        self.assertRegex(await self.text(f'[data-id="{other.id}"] .latest'), r"^2… \S+$")
        beside = await self.ask(f"[...document.querySelectorAll('[data-id=\"{game.id}\"] .beside')].map((b) => b.innerText)")
        self.assertEqual(len([text for text in beside if re.fullmatch(r"\+[123]", text)]), 1, beside)

    async def test_pockets_and_checks_stand_beside_a_variants_board(self):
        await self.begin()
        for variant, fen, shown in (
                ("crazyhouse", "r3k3/8/8/8/8/8/8/4K2R[QPn] b - - 0 1", ["♛♟", "♞"]),
                ("threeCheck", "r3k3/8/8/8/8/8/8/4K2R b - - 1+2 0 1", ["1 check", "2 checks"])):
            with self.subTest(variant):
                game = await self.game(Idle(), variant=variant, fen=fen, colour="black")
                await self.log_says(f"started id={game.id}")
                await self.visit(f"/game/{game.id}")
                await self.browser.until("document.querySelector('.beside').innerText")
                beside = await self.ask("[...document.querySelectorAll('.beside')].map((b) => b.innerText)")
                self.assertEqual(sorted(beside), sorted(shown))

    async def test_an_overlay_of_the_latest_game_leaves_a_long_one(self):
        await self.begin(games={"concurrency": 4})
        long = await self.game(Idle(), limit=1800)
        await self.visit("/overlay/latest")
        shows = "document.querySelector('article[data-id=\"{}\"]')"
        await self.browser.until(shows.format(long.id))
        short = await self.game(Idle(), name="Berta", limit=60)
        await self.browser.until(shows.format(short.id))  # while the long one goes on
        third = await self.game(Idle(), name="Corvin", limit=300)
        await self.browser.until(shows.format(third.id))
        third.resign("white")
        await self.over(third)
        await self.browser.until(shows.format(short.id))  # it has the least time left
        await self.browser.see(1000, 500)
        box = await self.ask("(({ left, right }) => [left, innerWidth - right])"
                             "(document.querySelector('article').getBoundingClientRect())")
        self.assertAlmostEqual(box[0], box[1], delta=2)
        self.assertGreater(box[0], 50)

    async def test_a_game_leads_to_the_next_one(self):
        await self.begin(games={"concurrency": 4})
        first = await self.game(Idle(), limit=180)
        second = await self.game(Idle(), name="Berta", limit=180)
        await self.visit(f"/game/{first.id}")
        await self.browser.until("document.querySelector('.next')")
        await self.ask("document.querySelector('.next').click()")
        await self.browser.until(f"location.pathname === '/game/{second.id}'")


if __name__ == "__main__":
    unittest.main()
