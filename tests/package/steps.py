# SPDX-License-Identifier: GPL-3.0-or-later
"""A test as a line of steps: each is printed with its seconds, the first that fails ends it."""
from __future__ import annotations

import asyncio
import contextlib
import os
import pathlib
import sys
import tempfile
import time
from typing import Awaitable, Callable, Iterator

from sim.server import Simulator


class Failure(Exception):
    """The machine, or the package in it, did not do what it should; the text says what."""


def check(holds: bool, text: str) -> None:
    if not holds:
        raise Failure(text)


@contextlib.contextmanager
def step(what: str) -> Iterator[None]:
    print(f"{what} … ", end="", flush=True)
    began = time.monotonic()
    yield
    print(f"{time.monotonic() - began:.1f} s", flush=True)


def main_of(name: str, run: Callable[[str, Simulator, pathlib.Path], Awaitable[None]]) -> int:
    """A whole test that plays on a simulated Lichess: runs it with a folder of its own, the server, which it starts when
    it may, and the place of castled's log. The exit status; on a failure the log is printed."""
    async def whole() -> int:
        began = time.monotonic()
        with tempfile.TemporaryDirectory(prefix="castled-package-") as directory:
            os.chmod(directory, 0o755)  # for users that the test becomes
            sim, log = Simulator(directory), pathlib.Path(directory, "log")
            try:
                await run(directory, sim, log)
            except (Failure, AssertionError, asyncio.TimeoutError) as failure:
                print(f"\n{name}: {failure or 'timed out'}", file=sys.stderr)
                print(log.read_text(errors="replace") if log.exists() else "", file=sys.stderr)
                return 1
            finally:
                await sim.stop()
        print(f"all in {time.monotonic() - began:.0f} s")
        return 0
    return asyncio.run(whole())
