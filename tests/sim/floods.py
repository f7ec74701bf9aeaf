# SPDX-License-Identifier: GPL-3.0-or-later
"""What a peer sends that wants to keep castled busy."""
from __future__ import annotations

import asyncio
import contextlib
import zlib
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


_GZIP_HEAD = b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\xff"
_EMPTY_BLOCK = b"\x00\x00\x00\xff\xff"  # of deflate, stored: decodes to nothing
_LAYER_BYTES = 1 << 20


def nested_codings(layers: int) -> bytes:
    """An answer of some 3 KiB with gzip as its transfer coding, `layers` times over. Each layer but
    the innermost decodes to several hundred times its size; the innermost decodes to nothing."""
    start, unit = _GZIP_HEAD, _EMPTY_BLOCK
    for _ in range(layers - 1):
        packer = zlib.compressobj(9, zlib.DEFLATED, -15)
        packed = packer.compress(start) + packer.flush(zlib.Z_FULL_FLUSH)
        # From a full flush on nothing refers to what came before: it can be repeated.
        again = packer.compress(unit * (_LAYER_BYTES // len(unit)))
        start, unit = _GZIP_HEAD + packed, again + packer.flush(zlib.Z_FULL_FLUSH)
    body = start + unit
    return (b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nTransfer-Encoding: "
            + b"gzip, " * layers + b"chunked\r\n\r\n%x\r\n%s\r\n" % (len(body), body))
