# SPDX-License-Identifier: GPL-3.0-or-later
"""A test as a line of steps: each is printed with its seconds, the first that fails ends it."""
from __future__ import annotations

import contextlib
import time
from typing import Iterator


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
