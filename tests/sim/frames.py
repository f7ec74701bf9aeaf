# SPDX-License-Identifier: GPL-3.0-or-later
"""Puts frames of its own between those that an HTTP/2 server sends, on the same connection.

    castled -- TLS -- FrameInjector -- TLS -- nghttpx -- the simulator
"""
from __future__ import annotations

import asyncio
import contextlib
import re
import ssl
import sys
import time
from urllib.parse import urlsplit

PREFACE_BYTES = 24   # of the client, before its first frame
HEAD_BYTES = 9       # of a frame
PIECE_BYTES = 1 << 20
HEADERS, PRIORITY, SETTINGS, PUSH_PROMISE, PING, CONTINUATION = 1, 2, 4, 5, 6, 9
UNKNOWN = 0xfa
ACK, END_HEADERS = 1, 4


def frame(kind: int, payload: bytes = b"", stream: int = 0, flags: int = 0) -> bytes:
    return len(payload).to_bytes(3, "big") + bytes((kind, flags)) + stream.to_bytes(4, "big") + payload


FLOODS = {
    "PING": frame(PING, b"castled?"),
    "PRIORITY": frame(PRIORITY, (3).to_bytes(4, "big") + b"\x10", stream=1),
    "SETTINGS": frame(SETTINGS),
    "unknown": frame(UNKNOWN, b"?" * 8),
}
# What a client answers to ours, many at a time.
_ANSWERS = re.compile(b"(?:" + re.escape(frame(PING, b"castled?", flags=ACK)) + b")+")


def _abort(writer: asyncio.StreamWriter) -> None:
    if not writer.transport.is_closing():
        writer.transport.abort()


class _Pair:
    """A connection of a client's and one to the server, with frames going both ways."""

    def __init__(self, client: tuple, server: tuple):
        self.from_client, self.to_client = client
        self.from_server, self.to_server = server
        self.is_between = True   # frames: no block of headers has begun
        self.settings = 0        # of the server that are not acknowledged yet

    @property
    def is_open(self) -> bool:
        return not self.to_client.transport.is_closing()

    async def carry(self) -> None:
        """Until one of them has gone."""
        both = [asyncio.ensure_future(way) for way in (self._to_client(), self._to_server())]
        try:
            await asyncio.wait(both, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for way in both:
                way.cancel()
            await asyncio.gather(*both, return_exceptions=True)
            for writer in (self.to_client, self.to_server):
                _abort(writer)

    async def _to_client(self) -> None:
        while True:
            head = await self.from_server.readexactly(HEAD_BYTES)
            payload = await self.from_server.readexactly(int.from_bytes(head[:3], "big"))
            kind, flags = head[3], head[4]
            if kind in (HEADERS, PUSH_PROMISE, CONTINUATION):
                self.is_between = bool(flags & END_HEADERS)
            if kind == SETTINGS and not flags & ACK:
                self.settings += 1
            self.to_client.write(head + payload)
            await self.to_client.drain()

    async def _to_server(self) -> None:
        """What answers the frames that are ours stays here."""
        self.to_server.write(await self.from_client.readexactly(PREFACE_BYTES))
        data = b""
        while True:
            more = await self.from_client.read(1 << 20)
            if not more:
                return
            data += more
            at = 0
            while len(data) - at >= HEAD_BYTES:
                answers = _ANSWERS.match(data, at)
                if answers:
                    at = answers.end()
                    continue
                end = at + HEAD_BYTES + int.from_bytes(data[at:at + 3], "big")
                if end > len(data):
                    break
                if self._is_the_servers(data[at + 3], data[at + 4]):
                    self.to_server.write(data[at:end])
                at = end
            data = data[at:]
            await self.to_server.drain()

    def _is_the_servers(self, kind: int, flags: int) -> bool:
        if kind != SETTINGS or not flags & ACK:
            return True
        self.settings -= 1
        return self.settings >= 0


class _Server:
    def __init__(self, onward_url: str, certificate_file: str, key_file: str):
        self._onward = urlsplit(onward_url)
        self._context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self._context.load_cert_chain(certificate_file, key_file)
        self._onward_context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        self._onward_context.check_hostname = False
        self._onward_context.verify_mode = ssl.CERT_NONE
        for context in (self._context, self._onward_context):
            context.set_alpn_protocols(["h2"])
        self._pairs: list[_Pair] = []

    async def start(self) -> int:
        listener = await asyncio.start_server(self._serve, "127.0.0.1", 0, ssl=self._context)
        return listener.sockets[0].getsockname()[1]

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(OSError):
            onward = await asyncio.open_connection(self._onward.hostname, self._onward.port,
                                                   ssl=self._onward_context)
            pair = _Pair((reader, writer), onward)
            self._pairs.append(pair)
            await pair.carry()
            self._pairs.remove(pair)
        _abort(writer)

    async def pour(self, what: bytes, seconds: float) -> None:
        """On the connection made last, as fast as it is taken, until it is closed."""
        if not self._pairs:
            return
        pair = self._pairs[-1]
        piece = what * (PIECE_BYTES // len(what))
        until = time.monotonic() + seconds
        with contextlib.suppress(OSError):
            while pair.is_open and time.monotonic() < until:
                if pair.is_between:
                    pair.to_client.write(piece)
                    await pair.to_client.drain()
                await asyncio.sleep(0)


class FrameInjector:
    """Stands before an HTTP/2 server, with the same certificate. It is a process of its own, so that
    a flood leaves the simulator its time."""

    def __init__(self, process: asyncio.subprocess.Process, port: int):
        self._process = process
        self.url = f"https://127.0.0.1:{port}"

    @classmethod
    async def start(cls, onward_url: str, certificate_file: str, key_file: str) -> "FrameInjector":
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "sim.frames", onward_url, certificate_file, key_file,
            stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE)
        return cls(process, int(await process.stdout.readline()))

    async def close(self) -> None:
        self._process.kill()
        await self._process.wait()

    async def pour(self, kind: str, seconds: float) -> None:
        """Sends the frame of FLOODS again and again on the connection made last, until that is
        closed or the time is over."""
        self._process.stdin.write(f"{kind} {seconds}\n".encode())
        await self._process.stdout.readline()


async def _main(onward_url: str, certificate_file: str, key_file: str) -> None:
    server = _Server(onward_url, certificate_file, key_file)
    print(await server.start(), flush=True)
    loop = asyncio.get_running_loop()
    while line := await loop.run_in_executor(None, sys.stdin.readline):
        kind, seconds = line.split()
        await server.pour(FLOODS[kind], float(seconds))
        print("over", flush=True)


if __name__ == "__main__":
    asyncio.run(_main(*sys.argv[1:]))
