# SPDX-License-Identifier: GPL-3.0-or-later
"""What a peer sends that wants to keep castled busy."""
from __future__ import annotations

import asyncio
import contextlib
from typing import Any

from .server import Simulator

PIECE_BYTES = 65536


def pieces_of(line: bytes) -> bytes:
    """The line over and over, as much of it as one piece holds."""
    return line * (PIECE_BYTES // len(line))


def add_endless_list(sim: Simulator, path: str) -> asyncio.Event:
    """A text whose first chunk's extension never ends. The event is set when it is asked for."""
    flooded = asyncio.Event()

    async def endless(call: Any) -> None:
        writer = call.connection.writer
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n"
                     b"Transfer-Encoding: chunked\r\n\r\n5;x=")
        flooded.set()
        with contextlib.suppress(OSError):
            while not writer.transport.is_closing():
                writer.write(b"x" * PIECE_BYTES)
                await writer.drain()
                await asyncio.sleep(0)
        call.connection.reusable = False
    sim.add_route("GET", path, "list", endless)
    return flooded
