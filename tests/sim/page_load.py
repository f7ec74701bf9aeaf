#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The live page's cost under games and viewers, and what moves wait while its statistics are looked at.

scripts/page-load calls it.
"""
from __future__ import annotations

import argparse
import asyncio
import os
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

from sim.daemon import Daemon, free_port, inherited, write_config  # noqa: E402
from sim.opponent import Unsteady  # noqa: E402
from sim.server import Simulator  # noqa: E402

TOKEN = "lip_load"


class Viewer:
    """Reads the events as they come."""

    def __init__(self) -> None:
        self.bytes = 0
        self.is_dropped = False

    async def follow(self, port: int) -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(b"GET /events HTTP/1.1\r\nHost: localhost\r\n\r\n")
        try:
            while chunk := await reader.read(1 << 16):
                self.bytes += len(chunk)
            self.is_dropped = True
        finally:
            writer.close()


class Statistics:
    """Opens the page of statistics once a second."""

    def __init__(self) -> None:
        self.times_s: list[float] = []

    async def follow(self, port: int) -> None:
        while True:
            began = time.monotonic()
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.write(b"GET /stats.json HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
            page = await reader.read()
            writer.close()
            if b'"times"' not in page:
                raise RuntimeError(f"no statistics: {page[:200]!r}")
            self.times_s.append(time.monotonic() - began)
            await asyncio.sleep(max(0.0, 1 - self.times_s[-1]))


class Hiccups:
    """How late this process itself is at worst: what a busy machine adds to any latency measured here."""

    def __init__(self) -> None:
        self.worst_s = 0.0

    async def follow(self) -> None:
        while True:
            began = time.monotonic()
            await asyncio.sleep(0.002)
            self.worst_s = max(self.worst_s, time.monotonic() - began - 0.002)


async def measure(daemon: Daemon, sim: Simulator, seconds: float) -> tuple[float, float]:
    """Share of a core, and moves a second."""
    sim.move_latencies_s.clear()
    cpu, moves = daemon.cpu_s(), sim.count("move")
    await asyncio.sleep(seconds)
    return (daemon.cpu_s() - cpu) / seconds, (sim.count("move") - moves) / seconds


async def measure_moves(daemon: Daemon, sim: Simulator, seconds: float) -> str:
    hiccups = Hiccups()
    task = asyncio.create_task(hiccups.follow())
    share, _ = await measure(daemon, sim, seconds)
    task.cancel()
    times = sorted(sim.move_latencies_s)
    return (f"{len(times)} moves, median {1000 * times[len(times) // 2]:.1f} ms, "
            f"99 % within {1000 * times[len(times) * 99 // 100]:.1f} ms, all within {1000 * times[-1]:.1f} ms "
            f"(the simulator's own worst: {1000 * hiccups.worst_s:.1f} ms); {100 * share:.1f} % of a core")


async def load_statistics(daemon: Daemon, sim: Simulator, port: int, seconds: float) -> None:
    print("without statistics:", await measure_moves(daemon, sim, seconds))
    statistics = Statistics()
    task = asyncio.create_task(statistics.follow(port))
    print("looked at once a second:", await measure_moves(daemon, sim, seconds))
    if task.done():
        task.result()
    task.cancel()
    print(f"{len(statistics.times_s)} looks of {min(statistics.times_s):.2f} to {max(statistics.times_s):.2f} s")


async def load(wanted: argparse.Namespace, directory: str) -> None:
    sim = Simulator(directory)
    bot = sim.add_account("castled", title="BOT", rating=2000)
    sim.add_token(TOKEN, bot)
    await sim.start()
    port = free_port()
    archive = os.path.join(directory, "games.sqlite")
    if wanted.archive:
        subprocess.run([wanted.filler, archive, str(wanted.archive)], check=True, stdout=subprocess.DEVNULL)
    config = os.path.join(directory, "castled.conf")
    write_config(config, {
        "account": {"url": sim.url, "ca_file": sim.ca_file}, "status": {"http": port},
        "games": {"concurrency": 64}, "engine": {"threads": 1, "hash": 1, "nodes": 1},
        "archive": {"file": archive} if wanted.archive else {}})
    daemon = await Daemon.start(wanted.castled, config, os.path.join(directory, "log"), {
        **inherited(), "CASTLED_TOKEN": TOKEN, "XDG_STATE_HOME": directory, "XDG_RUNTIME_DIR": directory})
    viewers = [Viewer() for _ in range(wanted.viewers)]
    tasks = []
    try:
        await sim.until(lambda: bot.is_online, 15, "the event stream")
        for number in range(wanted.games):
            name = f"player{number}"
            sim.add_account(name, rating=1500)
            challenge = await sim.challenge(bot, name, limit=1800, player=Unsteady(number, wanted.pause))
            await challenge.started(20)
        await asyncio.sleep(3)
        if wanted.archive:
            await load_statistics(daemon, sim, port, wanted.seconds)
            return
        alone, moves = await measure(daemon, sim, wanted.seconds)
        tasks = [asyncio.create_task(viewer.follow(port)) for viewer in viewers]
        await asyncio.sleep(3)
        before = sum(viewer.bytes for viewer in viewers)
        watched, watched_moves = await measure(daemon, sim, wanted.seconds)
        sent = sum(viewer.bytes for viewer in viewers) - before
        print(f"games {wanted.games}, viewers {wanted.viewers}: {100 * alone:.1f} % of a core without viewers "
              f"({moves:.1f} moves of ours a second), {100 * watched:.1f} % with ({watched_moves:.1f}); "
              f"the page costs {100 * (watched - alone):.1f} %; {sent / wanted.seconds / 1e6:.1f} MB/s; "
              f"{sum(viewer.is_dropped for viewer in viewers)} dropped")
    finally:
        for task in tasks:
            task.cancel()
        await daemon.stop()
        await sim.stop()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--castled", required=True, help="the program")
    parser.add_argument("--games", type=int, default=64)
    parser.add_argument("--viewers", type=int, default=50)
    parser.add_argument("--seconds", type=float, default=30)
    parser.add_argument("--pause", type=float, default=3, help="mean seconds that an opponent thinks")
    parser.add_argument("--archive", type=int, help="games of an archive whose statistics are looked at once a second")
    parser.add_argument("--filler", help="archive_bench, which makes it")
    wanted = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="castled-load-") as directory:
        asyncio.run(load(wanted, directory))


if __name__ == "__main__":
    main()
