# SPDX-License-Identifier: GPL-3.0-or-later
"""Who stands between castled and the server: a proxy that takes CONNECT, or a network address
translation, either of which may go on acknowledging when it has lost the other side.

    proxy = await Relay.start()                       https_proxy = proxy.url
    relay = await Relay.start(("127.0.0.1", port))    the server, at relay.port
    relay.freeze()                                    what is open is read, and never answered
"""
from __future__ import annotations

import asyncio
import contextlib
from typing import Optional

Address = tuple[str, int]


class Link:
    """One client's connection, and ours to the server."""

    def __init__(self, writers: tuple[asyncio.StreamWriter, asyncio.StreamWriter]):
        self.writers = writers
        self.is_deaf = self.is_mute = False  # nothing reaches the server, or the client

    async def carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter,
                    name: str) -> None:
        with contextlib.suppress(OSError):
            while data := await reader.read(65536):
                if getattr(self, name):
                    continue
                writer.write(data)
                await writer.drain()
        if not getattr(self, name):
            writer.close()

    def close(self) -> None:
        for writer in self.writers:
            writer.close()


class Relay:
    def __init__(self, server: Optional[Address]):
        self._server = server
        self._links: list[Link] = []
        self._tasks: set[asyncio.Task] = set()
        self.connects: list[str] = []  # the places that were asked for

    @classmethod
    async def start(cls, server: Optional[Address] = None) -> "Relay":
        """Without a server it is a proxy that takes CONNECT."""
        relay = cls(server)
        relay._listener = await asyncio.start_server(relay._serve, "127.0.0.1", 0)
        relay.port = relay._listener.sockets[0].getsockname()[1]
        return relay

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def freeze(self, deaf: bool = True, mute: bool = True) -> None:
        """Of connections that are open nothing reaches the server (deaf), or castled (mute), any
        more, though all that comes is acknowledged. New ones are fine."""
        for link in self._links:
            link.is_deaf, link.is_mute = link.is_deaf or deaf, link.is_mute or mute

    async def close(self) -> None:
        self._listener.close()
        for link in self._links:
            link.close()
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _place(self, reader: asyncio.StreamReader,
                     writer: asyncio.StreamWriter) -> Optional[Address]:
        if self._server:
            return self._server
        head = await reader.readuntil(b"\r\n\r\n")
        method, target, _ = head.decode("latin-1").split(" ", 2)
        if method != "CONNECT":
            writer.write(b"HTTP/1.1 405 Method Not Allowed\r\nContent-Length: 0\r\n\r\n")
            return None
        self.connects.append(target)
        host, _, port = target.rpartition(":")
        return host.strip("[]"), int(port)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        self._tasks.add(task)
        try:
            await self._join(reader, writer)
        except (OSError, asyncio.IncompleteReadError, asyncio.CancelledError):
            pass  # one side has gone, or the test is over
        finally:
            self._tasks.discard(task)
            writer.close()

    async def _join(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        place = await self._place(reader, writer)
        if place is None:
            return
        try:
            behind, ahead = await asyncio.open_connection(*place)
        except OSError:
            if not self._server:
                writer.write(b"HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\n\r\n")
            return
        if not self._server:
            writer.write(b"HTTP/1.1 200 Connection established\r\n\r\n")
        link = Link((writer, ahead))
        self._links.append(link)
        try:
            await asyncio.gather(link.carry(reader, ahead, "is_deaf"),
                                 link.carry(behind, writer, "is_mute"))
        finally:
            self._links.remove(link)
            link.close()
