#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Pictures of the live page for the READMEs: games on the simulated Lichess in a headless Chromium.

scripts/screenshots calls it.
"""
from __future__ import annotations

import argparse
import asyncio
import os
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

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
    config = os.path.join(directory, "castled.conf")
    write_config(config, {
        "account": {"url": sim.url, "ca_file": sim.ca_file}, "status": {"http": port},
        "games": {"concurrency": 4}, "engine": {"hash": 32, "nodes": 60000, "move_overhead": 50}})
    daemon = await Daemon.start(wanted.castled, config, os.path.join(directory, "log"), {
        **os.environ, "CASTLED_TOKEN": TOKEN, "XDG_STATE_HOME": directory, "XDG_RUNTIME_DIR": directory})
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
        for name, path, width, height, dark, phone in (
                ("overview", "/", 1100, 720, False, False),
                ("dark", "/", 1100, 720, True, False),
                ("game", f"/game/{games[0].id}", 1100, 760, False, False),
                ("phone", f"/game/{games[0].id}", 390, 780, False, True),
                ("overlay", "/overlay/latest", 420, 520, False, False)):
            await browser.see(width, height, dark, phone)
            await browser.open(base + path)
            await asyncio.sleep(1.5)
            await browser.picture(os.path.join(wanted.out, f"{name}.png"), name == "overlay")
        print("\n".join(browser.complaints) or "no complaints")
    finally:
        await browser.close()
        await daemon.stop()
        await sim.stop()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--castled", required=True, help="the program")
    parser.add_argument("--out", required=True, help="folder for the pictures")
    wanted = parser.parse_args()
    os.makedirs(wanted.out, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="castled-pictures-") as directory:
        asyncio.run(play(wanted, directory))


if __name__ == "__main__":
    main()
