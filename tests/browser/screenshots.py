#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Pictures of the page, of `castled watch` and of `castled why` for the READMEs: games on the simulated Lichess, and an
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
from sim.accounts import Account  # noqa: E402
from sim.daemon import Daemon, free_port, inherited, write_config  # noqa: E402
from sim.game import Game  # noqa: E402
from sim.opponent import Engine  # noqa: E402
from sim.server import Simulator  # noqa: E402

TOKEN = "lip_pictures"
OPPONENTS = [("Alba", "", 1720, 180, 2, 3), ("Berta", "BOT", 2140, 60, 0, 7), ("Corvin", "FM", 2310, 600, 5, 9)]


async def win(sim: Simulator, bot: Account) -> Game:
    """A game that castled, which goes easy on Dorian, wins all the same."""
    sim.add_account("Dorian", rating=1650)
    while True:
        challenge = await sim.challenge(bot, "Dorian", limit=300, increment=3, colour="black",
                                        player=Engine(skill=2, nodes=2000, delay=0.05))
        game = await challenge.started(10)
        await game.until(lambda g: not g.is_running, 240)
        if game.winner == "white":
            return game


async def begin(sim: Simulator, bot: Account) -> list[Game]:
    games = []
    for index, (name, title, rating, limit, increment, skill) in enumerate(OPPONENTS):
        sim.add_account(name, title=title, rating=rating)
        challenge = await sim.challenge(
            bot, name, limit=limit, increment=increment, colour=("white", "black")[index % 2],
            player=Engine(skill=skill, nodes=5000, delay=0.6))
        games.append(await challenge.started(10))
    return games


async def say(wanted: argparse.Namespace, environment: dict[str, str], config: str, *words: str) -> str:
    process = await asyncio.create_subprocess_exec(
        wanted.castled, *words, "--config", config, env=environment, stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.DEVNULL)
    return (await process.communicate())[0].decode()


async def take_all(wanted: argparse.Namespace, directory: str, sim: Simulator, bot: Account, port: int,
                   environment: dict[str, str], browser: Browser) -> None:
    config, base = os.path.join(directory, "castled.conf"), f"http://127.0.0.1:{port}"

    async def take(name: str, url: str, width: int, height: int, dark: bool = False, phone: bool = False,
                   whole: bool = False) -> None:
        await browser.see(width, height, dark, phone)
        await browser.open(url)
        await asyncio.sleep(1.5)
        await browser.picture(os.path.join(wanted.out, f"{name}.png"), name == "overlay", whole)

    async def take_text(name: str, text: str, width: int) -> None:
        path = os.path.join(directory, f"{name}.html")
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        await take(name, f"file://{path}", width, 100, whole=True)

    won = await win(sim, bot)
    await say(wanted, environment, config, "analyse", "--limit", "1")
    await take("finished", f"{base}/game/{won.id}", 1100, 900, whole=True)
    why = await say(wanted, environment, config, "why", won.id)
    await take_text("why", terminal.page(f"$ castled why {won.id}\n{why}"), 1140)
    games = await begin(sim, bot)
    await games[0].plies(36, 120)
    game = f"{base}/game/{games[0].id}"
    await take("overview", f"{base}/", 1100, 640)
    await take("dark", f"{base}/", 1100, 720, dark=True, whole=True)
    await take("game", game, 1100, 900, whole=True)
    await take("phone", game, 390, 844, phone=True)
    await take("overlay", f"{base}/overlay/{games[0].id}", 420, 486)
    shown = await terminal.watch(wanted.castled, config, environment, 92, 16, 3)
    await take_text("watch", shown or "nothing was drawn", 930)
    await take("games", f"{base}/games", 1100, 724)
    await take("stats", f"{base}/stats", 1100, 900, whole=True)
    await take("stats-phone", f"{base}/stats", 390, 844, phone=True, dark=True)


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
        "archive": {"file": archive}, "games": {"concurrency": 4},
        "engine": {"hash": 32, "nodes": 60000, "move_overhead": 50}, "pace": {"human": "no"},
        "rule gently": {"when.opponent": "Dorian", "engine.elo": 2100}})
    environment = {**inherited(), "CASTLED_TOKEN": TOKEN, "XDG_STATE_HOME": directory,
                   "XDG_RUNTIME_DIR": directory}
    daemon = await Daemon.start(wanted.castled, config, os.path.join(directory, "log"), environment)
    browser = await Browser.start()
    try:
        await sim.until(lambda: bot.is_online, 15, "the event stream")
        await take_all(wanted, directory, sim, bot, port, environment, browser)
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
