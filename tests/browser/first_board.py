#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""How soon a browser shows the first board of many games, and what it was sent until then.

Several programs take turns on the same simulated Lichess, so that their figures can be compared.
scripts/page-load --first-board calls it.
"""
from __future__ import annotations

import argparse
import asyncio
import os
import statistics
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

from browser.browser import Browser  # noqa: E402
from sim.daemon import Daemon, free_port, inherited, write_config  # noqa: E402
from sim.opponent import Unsteady  # noqa: E402
from sim.server import Simulator  # noqa: E402

TOKEN = "lip_board"

# Set before the page's own scripts: when a piece stands on a board, and when all games have one.
WATCH = """
  window.boards = {};
  new MutationObserver(() => {
    const count = [...document.querySelectorAll("article")].filter((a) => a.querySelector(".pieces use")).length;
    if (count > 0) window.boards.first ??= performance.now();
    if (count >= %d) window.boards.all ??= performance.now();
  }).observe(document, { childList: true, subtree: true });
"""
SENT = """performance.getEntries().filter((e) => e.transferSize && !e.name.endsWith("/events"))
  .reduce((sum, e) => sum + e.transferSize, 0)"""


async def look(browser: Browser, url: str) -> tuple[float, float, float]:
    """Milliseconds to the first board and to all, and bytes."""
    await browser.open(url)
    await browser.until("window.boards.all", 60)
    return tuple([await browser.ask(expression) for expression in ("boards.first", "boards.all", SENT)])


async def measure(program: str, wanted: argparse.Namespace, directory: str) -> None:
    sim = Simulator(directory)
    bot = sim.add_account("castled", title="BOT", rating=2000)
    sim.add_token(TOKEN, bot)
    await sim.start()
    port, config = free_port(), os.path.join(directory, "castled.conf")
    write_config(config, {
        "account": {"url": sim.url, "ca_file": sim.ca_file}, "status": {"http": port},
        "games": {"concurrency": 64}, "engine": {"threads": 1, "hash": 1, "nodes": 1}})
    daemon = await Daemon.start(program, config, os.path.join(directory, "log"), {
        **inherited(), "CASTLED_TOKEN": TOKEN, "XDG_STATE_HOME": directory, "XDG_RUNTIME_DIR": directory})
    browser = await Browser.start()
    try:
        await sim.until(lambda: bot.is_online, 30, "the event stream")
        for number in range(wanted.games):
            sim.add_account(f"player{number}", rating=1500)
            challenge = await sim.challenge(bot, f"player{number}", limit=1800, player=Unsteady(number, 10))
            await challenge.started(30)
        await asyncio.sleep(2)
        await browser.send("Page.addScriptToEvaluateOnNewDocument", source=WATCH % wanted.games)
        looks = [await look(browser, f"http://127.0.0.1:{port}/") for _ in range(wanted.looks)]
        first, every, sent = (statistics.median(values) for values in zip(*looks))
        print(f"{program}: {wanted.games} games, {wanted.looks} looks, medians: first board after {first:.0f} ms, "
              f"all after {every:.0f} ms, {sent / 1000:.1f} kB", flush=True)
    finally:
        await browser.close()
        await daemon.stop()
        await sim.stop()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--castled", required=True, action="append", help="a program; several take turns")
    parser.add_argument("--games", type=int, default=64)
    parser.add_argument("--looks", type=int, default=15)
    parser.add_argument("--rounds", type=int, default=2)
    wanted = parser.parse_args()
    for _ in range(wanted.rounds):
        for program in wanted.castled:
            with tempfile.TemporaryDirectory(prefix="castled-board-") as directory:
                asyncio.run(measure(program, wanted, directory))


if __name__ == "__main__":
    main()
