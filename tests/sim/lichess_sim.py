#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs the simulated Lichess by itself, and challenges the bot as long as asked to.

    python3 tests/sim/lichess_sim.py --token lip_demo --dir /tmp/sim --games 2 --clock 60+1

prints what a client needs: url, ca_file, token. See control.py for orders over HTTP.
"""
from __future__ import annotations

import argparse
import asyncio
import os
import signal
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

from sim import control, oauth, pgn  # noqa: E402
from sim.opponent import Engine  # noqa: E402
from sim.playback import Playback  # noqa: E402
from sim.server import Simulator  # noqa: E402


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="A simulated Lichess on loopback.")
    parser.add_argument("--port", type=int, default=0, help="default: a free one")
    parser.add_argument("--token", default="lip_simulated", help="the bot's token")
    parser.add_argument("--name", default="castled-bot", help="the bot's name")
    parser.add_argument("--dir", help="for certificates and PGNs; default: a temporary one")
    parser.add_argument("--games", type=int, default=0, help="challenge the bot so many times")
    parser.add_argument("--at-once", type=int, default=1, help="games at a time")
    parser.add_argument("--clock", default="60+0", help="base seconds + increment")
    parser.add_argument("--variant", default="standard")
    parser.add_argument("--skill", type=int, default=3, help="of the opponent, 0..20")
    parser.add_argument("--play", metavar="FILE", help="a recording to play back")
    parser.add_argument("--speed", type=float, default=1, help="how fast it is played back")
    parser.add_argument("--nodes", type=int, default=2000, help="of the opponent, a move")
    return parser.parse_args()


async def challenger(sim: Simulator, bot, wanted: argparse.Namespace, numbers) -> None:
    limit, increment = (int(part) for part in wanted.clock.split("+"))
    for number in numbers:
        await sim.until(lambda: bot.is_online, 3600, "the bot's event stream")
        challenge = await sim.challenge(
            bot, f"player{number}", limit=limit, increment=increment, variant=wanted.variant,
            colour=("black", "white")[number % 2],
            player=Engine(skill=wanted.skill, nodes=wanted.nodes))
        status = await challenge.settled
        if status != "accepted":
            print(f"challenge {challenge.id}: {status} {challenge.reason}", flush=True)
            continue
        print(f"game {challenge.id}: started", flush=True)
        status, _ = await challenge.game.over
        print(f"game {challenge.id}: {status} {pgn.result(challenge.game)} "
              f"{sim.pgn_path(challenge.game)}", flush=True)


async def main() -> None:
    wanted = arguments()
    directory = wanted.dir or tempfile.mkdtemp(prefix="lichess-sim-")
    os.makedirs(directory, exist_ok=True)
    sim = Simulator(directory, port=wanted.port)
    control.install(sim)
    if wanted.play:
        bot = Playback(sim, wanted.play, wanted.speed).account
    else:
        bot = sim.add_account(wanted.name, title="BOT", rating=2000)
    sim.add_token(wanted.token, bot)
    oauth.Oauth(sim, bot)
    await sim.start()
    print(f"url = {sim.url}\nca_file = {sim.ca_file}\ntoken = {wanted.token}", flush=True)
    stop = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    numbers = iter(range(wanted.games))
    challengers = asyncio.gather(*(challenger(sim, bot, wanted, numbers)
                                   for _ in range(wanted.at_once if wanted.games else 0)))
    stopped = asyncio.ensure_future(stop.wait())
    waits = {stopped} | ({challengers} if wanted.games else set())
    await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
    challengers.cancel()
    await asyncio.gather(challengers, return_exceptions=True)
    await sim.stop()


if __name__ == "__main__":
    asyncio.run(main())
