#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""A whole game to watch: `castled run` against the simulated Lichess. scripts/demo calls it.

`castled watch` shows it: on a board in a terminal, else a line for each move.
"""
from __future__ import annotations

import argparse
import asyncio
import os
import random
import shutil
import signal
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

from sim import pgn  # noqa: E402
from sim.accounts import Account  # noqa: E402
from sim.daemon import Daemon, inherited, write_config  # noqa: E402
from sim.game import Game  # noqa: E402
from sim.opponent import Engine  # noqa: E402
from sim.server import Simulator  # noqa: E402

TOKEN = "lip_demo"
BOT, RIVAL = "castled", "Alba"
RESULTS = {"mate": "checkmate", "outoftime": "time ran out", "draw": "draw",
           "stalemate": "stalemate", "resign": "resignation", "aborted": "aborted"}


class Failure(Exception):
    pass


async def watch(wanted: argparse.Namespace, config: str, game: Game, daemon: Daemon,
                environment: dict[str, str]) -> None:
    """`castled watch` shows the game: on a board, or a line a move where there is no terminal."""
    bound_s = 60 if wanted.fast else 150
    process = await asyncio.create_subprocess_exec(
        wanted.castled, "watch", game.id, "--config", config, env=environment)
    try:
        status = await asyncio.wait_for(process.wait(), bound_s)
        await game.until(lambda g: not g.is_running, bound_s)  # after q, too
    except asyncio.TimeoutError:
        raise Failure(f"the game did not end within {bound_s} s") from None
    finally:
        if process.returncode is None:
            process.terminate()
            await process.wait()
    if status != 0:
        raise Failure(f"castled watch ended with status {status}")
    if not daemon.is_running:
        raise Failure(f"castled ended with status {daemon.status}")


async def play(wanted: argparse.Namespace, directory: str) -> None:
    sim = Simulator(directory)
    bot = sim.add_account(BOT, title="BOT", rating=2000)
    sim.add_account(RIVAL, rating=wanted.human or 1500)
    sim.add_token(TOKEN, bot)
    await sim.start()
    config = os.path.join(directory, "castled.conf")
    write_config(config, {
        "account": {"url": sim.url, "ca_file": sim.ca_file},
        "engine": {"hash": 64, "move_overhead": 50, "nodes": 5000 if wanted.fast else None,
                   "elo": wanted.human, "human": "built-in" if wanted.human else None},
        "pace": {"human": "no" if wanted.fast else None}})
    environment = {**inherited(), "CASTLED_TOKEN": TOKEN, "XDG_STATE_HOME": directory,
                   "XDG_RUNTIME_DIR": directory}
    if os.environ.get("CI") == "true":
        environment["TERM"] = "dumb"
    daemon = await Daemon.start(wanted.castled, config, os.path.join(directory, "castled.log"),
                                environment)
    try:
        game = await begin(wanted, sim, bot, daemon)
        await watch(wanted, config, game, daemon, environment)
        report(wanted, sim, game, bot)
    except (Failure, AssertionError, asyncio.TimeoutError) as error:
        sys.stderr.write("\n".join(daemon.log().splitlines()[-20:]) + "\n")
        raise Failure(str(error) or "timed out") from error
    finally:
        if daemon.is_running:
            await daemon.stop()
        await sim.stop()


async def begin(wanted: argparse.Namespace, sim: Simulator, bot: Account, daemon: Daemon) -> Game:
    await sim.until(lambda: bot.is_online or not daemon.is_running, 15, "castled's event stream")
    if not daemon.is_running:
        raise Failure(f"castled ended with status {daemon.status}")
    clock = "10+0" if wanted.fast else "1+0"
    print(f"{RIVAL} challenges {BOT} to a game of {clock}.", flush=True)
    if wanted.human:
        print(f"{BOT} plays as people of {wanted.human} do: their moves, times and manners.")
    print(flush=True)
    challenge = await sim.challenge(
        bot, RIVAL, limit=600 if wanted.fast else 60, colour=random.choice(("white", "black")),
        player=Engine(skill=1, nodes=500, delay=0 if wanted.fast else 0.4))
    return await challenge.started(10)


def report(wanted: argparse.Namespace, sim: Simulator, game: Game, bot: Account) -> None:
    if sim.failures or game.status == "aborted":
        raise Failure("; ".join(sim.failures) or "the game was aborted")
    os.makedirs(wanted.pgn_dir, exist_ok=True)
    path = os.path.join(wanted.pgn_dir, f"demo-{game.id}.pgn")
    shutil.copy(sim.pgn_path(game), path)
    winner = "castled wins" if game.winner == game.colour_of(bot) else f"{RIVAL} wins"
    print(f"\n{pgn.result(game)}, {RESULTS.get(game.status, game.status)}: "
          f"{winner if game.winner else 'draw'}"
          f" in {(len(game.moves) + 1) // 2} moves.\nThe game as PGN: {path}")


NEXT = """
To play on Lichess itself:
  1. create a new account there (one that has never played), and stay logged in as it;
  2. castled login gets a token for it, by your consent in the browser;
  3. castled upgrade makes it a BOT account, which cannot be undone;
  4. castled check, then castled run. All with --config config/castled.conf.example, or a copy of
     it; README.md has the systemd way.
"""


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Plays a game on a simulated Lichess.")
    parser.add_argument("--castled", required=True, help="the program")
    parser.add_argument("--pgn-dir", default=".", help="where the game is kept")
    parser.add_argument("--fast", action="store_true", help="a few seconds, for tests")
    parser.add_argument("--human", type=int, metavar="RATING",
                        help="castled plays as people of that rating do, and takes their times")
    return parser.parse_args()


async def main() -> int:
    task = asyncio.current_task()
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, task.cancel)
    wanted = arguments()
    with tempfile.TemporaryDirectory(prefix="castled-demo-") as directory:
        try:
            await play(wanted, directory)
        except asyncio.CancelledError:
            print("\nstopped")
            return 130
        except Failure as failure:
            print(f"\nscripts/demo: {failure}", file=sys.stderr)
            return 1
    print(NEXT, end="")
    return 0


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))
