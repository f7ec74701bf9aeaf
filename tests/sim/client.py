# SPDX-License-Identifier: GPL-3.0-or-later
"""A small client of the API, for the simulator's own tests."""
from __future__ import annotations

import asyncio
import json
import ssl
from typing import Any, AsyncIterator, Optional
from urllib.parse import urlencode, urlsplit


class Answer:
    def __init__(self, status: int, headers: dict[str, str], body: bytes):
        self.status, self.headers, self.body = status, headers, body

    @property
    def json(self) -> Any:
        return json.loads(self.body)


class Client:
    """Each request has a connection of its own; `agent` and `token` may be None, and the `ca_file`
    of a server without TLS. `via` is what a proxy would add to each request."""

    def __init__(self, url: str, ca_file: Optional[str], token: Optional[str], agent: str = "test",
                 via: str = ""):
        self._url = urlsplit(url)
        self._context = ssl.create_default_context(cafile=ca_file) if ca_file else None
        if self._context:
            self._context.verify_flags |= ssl.VERIFY_X509_STRICT  # as from Python 3.13 on
        self.token, self.agent, self.via = token, agent, via

    async def request(self, method: str, path: str, form: Optional[dict[str, str]] = None,
                      body: bytes = b"") -> Answer:
        reader, writer = await self._send(method, path, form, body)
        try:
            status, headers = await self._head(reader)
            if "content-length" in headers:
                content = await reader.readexactly(int(headers["content-length"]))
            else:
                content = b"".join([chunk async for chunk in self._chunks(reader)])
            return Answer(status, headers, content)
        finally:
            writer.close()

    async def get(self, path: str) -> Answer:
        return await self.request("GET", path)

    async def post(self, path: str, **form: str) -> Answer:
        return await self.request("POST", path, form)

    async def open(self, path: str) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        """A GET whose answer nobody has read yet."""
        return await self._send("GET", path)

    async def lines(self, path: str, method: str = "GET", form: Optional[dict[str, str]] = None
                    ) -> AsyncIterator[Optional[dict[str, Any]]]:
        """The events of a stream; None for a keep-alive."""
        reader, writer = await self._send(method, path, form)
        try:
            status, _ = await self._head(reader)
            assert status == 200, f"{path}: {status}"
            rest = b""
            async for chunk in self._chunks(reader):
                *whole, rest = (rest + chunk).split(b"\n")
                for line in whole:
                    yield json.loads(line) if line else None
        finally:
            writer.close()

    async def _send(self, method: str, path: str, form: Optional[dict[str, str]] = None,
                    body: bytes = b"") -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        reader, writer = await asyncio.open_connection(
            self._url.hostname, self._url.port, ssl=self._context, limit=1 << 22)
        head = [f"{method} {path} HTTP/1.1", f"Host: {self._url.netloc}"]
        if self.agent:
            head.append(f"User-Agent: {self.agent}")
        if self.via:
            head.append(f"Via: {self.via}")
        if self.token:
            head.append(f"Authorization: Bearer {self.token}")
        if form:
            body = urlencode(form).encode()
            head.append("Content-Type: application/x-www-form-urlencoded")
        head.append(f"Content-Length: {len(body)}")
        writer.write("\r\n".join(head).encode() + b"\r\n\r\n" + body)
        return reader, writer

    @staticmethod
    async def _head(reader: asyncio.StreamReader) -> tuple[int, dict[str, str]]:
        first, *lines = (await reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")
        headers = {}
        for line in lines:
            name, _, value = line.partition(": ")
            headers[name.lower()] = value
        return int(first.split()[1]), headers

    @staticmethod
    async def _chunks(reader: asyncio.StreamReader) -> AsyncIterator[bytes]:
        while True:
            size = int(await reader.readline(), 16)
            data = await reader.readexactly(size + 2)
            if size == 0:
                return
            yield data[:-2]
