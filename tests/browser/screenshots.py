#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Pictures of the page and of `castled watch` for the READMEs: games on the simulated Lichess, and an
archive of random ones, in a headless Chromium.

scripts/screenshots calls it.
"""
from __future__ import annotations

import argparse
import asyncio
import os
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

from browser import terminal  # noqa: E402
from browser.browser import Browser  # noqa: E402
from sim.daemon import Daemon, free_port, write_config  # noqa: E402
from sim.opponent import Engine  # noqa: E402
from sim.server import Simulator  # noqa: E402

TOKEN = "lip_pictures"
OPPONENTS = [("Alba", "", 1720, 180, 2), ("Berta", "BOT", 2140, 60, 0), ("Corvin", "FM", 2310, 600, 5)]


async def play(wanted: argparse.Namespace, directory: str) -> None:
    sim = Simulator(directory)
    bot = sim.add_account("castled", title="BOT", rating=2280)
    sim.add_token(TOKEN, bot)
    await sim.start()
    port = free_port()
    archive = os.path.join(directory, "games.sqlite")
    subprocess.run([wanted.filler, archive, "5000"], check=True, stdout=subprocess.DEVNULL)
    config = os.path.join(directory, "castled.conf")
    write_config(config, {
        "account": {"url": sim.url, "ca_file": sim.ca_file}, "status": {"http": port},
        "archive": {"file": archive}, "games": {"concurrency": 4}, "engine": {"hash": 32, "nodes": 60000, "move_overhead": 50}})
    environment = {**os.environ, "CASTLED_TOKEN": TOKEN, "XDG_STATE_HOME": directory,
                   "XDG_RUNTIME_DIR": directory}
    daemon = await Daemon.start(wanted.castled, config, os.path.join(directory, "log"), environment)
    browser = await Browser.start()
    try:
        await sim.until(lambda: bot.is_online, 15, "the event stream")
        games = []
        for index, (name, title, rating, limit, increment) in enumerate(OPPONENTS):
            sim.add_account(name, title=title, rating=rating)
            challenge = await sim.challenge(
                bot, name, limit=limit, increment=increment, colour=("white", "black")[index % 2],
                player=Engine(skill=20, nodes=100000, delay=0.3))
            games.append(await challenge.started(10))
        await games[0].plies(36, 120)
        base = f"http://127.0.0.1:{port}"

        async def take(name: str, url: str, width: int, height: int, dark: bool = False,
                       phone: bool = False) -> None:
            await browser.see(width, height, dark, phone)
            await browser.open(url)
            await asyncio.sleep(1.5)
            await browser.picture(os.path.join(wanted.out, f"{name}.png"), name == "overlay")

        game = f"{base}/game/{games[0].id}"
        await take("overview", f"{base}/", 1100, 720)
        await take("dark", f"{base}/", 1100, 720, dark=True)
        await take("game", game, 1100, 760)
        await take("phone", game, 390, 780, phone=True)
        await take("overlay", f"{base}/overlay/latest", 420, 520)
        shown = await terminal.watch(wanted.castled, config, environment, 92, 16, 3)
        path = os.path.join(directory, "watch.html")
        with open(path, "w", encoding="utf-8") as file:
            file.write(shown or "nothing was drawn")
        await take("watch", f"file://{path}", 930, 340)
        games[0].resign("black" if games[0].colour_of(bot) == "white" else "white")
        await games[0].until(lambda g: not g.is_running, 10)
        await take("finished", game, 1100, 900)
        await take("games", f"{base}/games", 1100, 720)
        await take("stats", f"{base}/stats", 1100, 1500)
        await take("stats-phone", f"{base}/stats", 390, 1400, phone=True, dark=True)
        print("\n".join(browser.complaints) or "no complaints")
    finally:
        await browser.close()
        await daemon.stop()
        await sim.stop()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--castled", required=True, help="the program")
    parser.add_argument("--filler", required=True, help="archive_bench, which makes the archive")
    parser.add_argument("--out", required=True, help="folder for the pictures")
    wanted = parser.parse_args()
    os.makedirs(wanted.out, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="castled-pictures-") as directory:
        asyncio.run(play(wanted, directory))


if __name__ == "__main__":
    main()
