# SPDX-License-Identifier: GPL-3.0-or-later
"""HTTP/1.1 over TLS on asyncio streams: keep-alive, fixed answers, and chunked NDJSON streams.

It exists (rather than http.server) so that a test can order what the wire does: split and
coalesce lines at any byte, reset, close, fall silent, and know to the microsecond when a request
came in and when a line went out.
"""
from __future__ import annotations

import asyncio
import collections
import email.utils
import json
import socket
import ssl
import struct
import time
import urllib.parse
from dataclasses import dataclass, field
from typing import Any, Awaitable, Callable, Optional

STREAM_BUFFER_LINES = 32  # that wait for a slow reader; the oldest go first
PIECES_MOST = 4096  # of one line, each a write of its own: a long one in single bytes takes minutes

REASONS = {200: "OK", 201: "Created", 204: "No Content", 303: "See Other",
           400: "Bad Request", 401: "Unauthorized", 403: "Forbidden", 404: "Not Found",
           405: "Method Not Allowed", 429: "Too Many Requests",
           500: "Internal Server Error", 502: "Bad Gateway", 503: "Service Unavailable",
           504: "Gateway Timeout"}


@dataclass
class Request:
    method: str
    path: str
    query: dict[str, str]
    headers: dict[str, str]  # names in lower case
    body: bytes
    arrived: float           # time.monotonic() when the first byte was read
    connection: int          # number of the connection it came on
    family: str = ""         # set by the router: move, chat, event_stream, ...
    status: int = 0          # of the answer that went out; 0 while there is none
    error: str = ""          # text of a refusal
    ply: int = 0             # of the move that it made; 0: none
    was_held: bool = False   # by a fault, before it was looked at

    def form(self) -> dict[str, str]:
        """The body's fields, from a form or from JSON with the same names."""
        if "json" in self.headers.get("content-type", ""):
            return {k: v if isinstance(v, str) else json.dumps(v)
                    for k, v in json.loads(self.body or b"{}").items()}
        return dict(urllib.parse.parse_qsl(self.body.decode(), keep_blank_values=True))


@dataclass
class Response:
    status: int
    body: bytes = b""
    content_type: str = "application/json"
    headers: dict[str, str] = field(default_factory=dict)
    after: Optional[Callable[[], None]] = None  # run once the answer has gone out
    is_chunked: bool = False  # instead of with a Content-Length


def json_response(value: Any, status: int = 200) -> Response:
    return Response(status, json.dumps(value, ensure_ascii=False).encode())


def date_header() -> str:
    return f"Date: {email.utils.formatdate(usegmt=True)}"


@dataclass
class KeepAlive:
    """When the server closes a connection that it had promised to keep; without a warning."""
    after_requests: int = 0         # so many were answered; 0: never
    after_stream: bool = False      # the body of a stream has ended
    at_next_request: bool = False   # a request comes on a connection that has carried one before
    late_s: float = 0               # how long after its cause the close goes out

    def ends(self, connection: "Connection", was_stream: bool) -> bool:
        return (was_stream and self.after_stream) \
            or 0 < self.after_requests <= connection.answered


class Connection:
    """One client's connection."""

    def __init__(self, number: int, reader: asyncio.StreamReader, writer: asyncio.StreamWriter):
        self.number = number
        self.reader = reader
        self.writer = writer
        self._protocol = writer.transport.get_protocol()  # lost when the transport is closed
        self.answered = 0     # requests
        self.reusable = True  # False once the client has gone in the middle of a stream

    def reset(self) -> None:
        """Ends the connection with a TCP reset."""
        sock = self.writer.get_extra_info("socket")
        if sock is not None:
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.writer.transport.abort()

    def close(self) -> None:
        self.writer.close()

    def send(self, response: Response) -> None:
        reason = REASONS.get(response.status, "Unknown")
        head = [f"HTTP/1.1 {response.status} {reason}", date_header(),
                f"Content-Type: {response.content_type}",
                "Transfer-Encoding: chunked" if response.is_chunked
                else f"Content-Length: {len(response.body)}"]
        head += [f"{name}: {value}" for name, value in response.headers.items()]
        body = response.body
        if response.is_chunked:  # each byte a chunk of its own
            body = b"".join(b"1\r\n%c\r\n" % byte for byte in body) + b"0\r\n\r\n"
        self.writer.write("\r\n".join(head).encode() + b"\r\n\r\n" + body)

    async def request(self) -> Optional[Request]:
        """The next request, or None when the client is done."""
        try:
            head = await self.reader.readuntil(b"\r\n\r\n")
        except (asyncio.IncompleteReadError, OSError):
            return None
        arrived = self._protocol.take_arrival()
        first, *lines = head.decode("latin-1").split("\r\n")
        method, target, _ = first.split(" ", 2)
        headers = {}
        for line in lines:
            name, colon, value = line.partition(":")
            if colon:
                headers[name.strip().lower()] = value.strip()
        body = await self.reader.readexactly(int(headers.get("content-length", 0)))
        self._protocol.take_arrival()  # of a body that came in a segment of its own
        url = urllib.parse.urlsplit(target)
        return Request(method, urllib.parse.unquote(url.path),
                       dict(urllib.parse.parse_qsl(url.query, keep_blank_values=True)),
                       headers, body, arrived, self.number)


class Stream:
    """A chunked NDJSON answer that stays open, with the faults a test may order on it."""

    def __init__(self, connection: Connection, keepalive_s: float, headers: dict[str, str],
                 late_head: bool = False):
        """With `late_head` the head waits for the first byte of the body, as a proxy may have it."""
        self._connection = connection
        self._queue: collections.deque[tuple[float, bytes]] = collections.deque()
        self._pump: Optional[asyncio.Task] = None
        self._waiting: collections.deque[bytes] = collections.deque(maxlen=STREAM_BUFFER_LINES)
        self._drain: Optional[asyncio.Task] = None
        self._held: Optional[bytes] = None
        self._keepalive_s = keepalive_s
        self._ending = False
        self.stalled = False      # nothing goes out any more, the connection stays
        self.rewrite: Optional[Callable[[Any], Any]] = None  # of an event, None of which is sent
        self.keepalive = b"\n"
        self.split = 0            # bytes in one segment (more of a very long line); 0: whole lines
        self.lag: Callable[[], float] = lambda: 0.0  # seconds between send() and the wire
        self.is_open = True
        self.opened = time.monotonic()
        self.closed: asyncio.Future = asyncio.get_running_loop().create_future()
        head = ["HTTP/1.1 200 OK", date_header(), "Content-Type: application/x-ndjson",
                "Transfer-Encoding: chunked", "Cache-Control: no-cache"]
        head += [f"{name}: {value}" for name, value in headers.items()]
        self._head = "\r\n".join(head).encode() + b"\r\n\r\n"
        if not late_head:
            self._put_head()
        self._ticker = asyncio.get_running_loop().create_task(self._tick())

    def send(self, value: Any) -> None:
        """One event, as one line."""
        if self.rewrite is not None:
            value = self.rewrite(value)
            if value is None:
                return
        text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
        self.send_raw(text.encode() + b"\n")

    def send_all(self, values: list[Any]) -> None:
        """What is there when the stream opens, before anything can be read."""
        for value in values[-STREAM_BUFFER_LINES:]:
            self.send(value)

    async def pour(self, data: bytes, seconds: float) -> int:
        """Sends `data` again and again, as fast as it is taken; returns how many bytes were."""
        until, sent = time.monotonic() + seconds, 0
        while self.is_open and time.monotonic() < until:
            self._write(data)
            sent += len(data)
            try:
                await asyncio.wait_for(self._connection.writer.drain(),
                                       max(0.0, until - time.monotonic()))
            except (asyncio.TimeoutError, OSError):
                break
            await asyncio.sleep(0)  # a reader that is fast enough must not starve the others
        return sent

    def send_raw(self, data: bytes) -> None:
        """Any bytes, whole lines or not."""
        if not self.is_open or self._ending or self.stalled:
            return
        delay_s = self.lag()
        if self._held is not None:
            self._held += data
        elif self._queue or self.split or delay_s:
            self._queue.append((time.monotonic() + delay_s, data))
            if self._pump is None:
                self._pump = asyncio.get_running_loop().create_task(self._run_queue())
        elif self._waiting or self._is_full():
            self._waiting.append(data)
            if self._drain is None:
                self._drain = asyncio.get_running_loop().create_task(self._run_drain())
        else:
            self._write(data)

    def hold(self) -> None:
        """Keeps lines back, until release() sends them in one segment."""
        self._held = self._held or b""

    def release(self) -> None:
        data, self._held = self._held, None
        if data:
            self.send_raw(data)

    def end(self) -> None:
        """A clean end of the body; the connection can be used again."""
        if not self.is_open or self._ending:
            return
        self._ending = True
        if not self._queue and not self._waiting:
            self._finish()

    def reset(self) -> None:
        if self.is_open:
            self._connection.reset()
            self._close()

    def drop(self) -> None:
        """Closes the connection in the middle of the body, without its last chunk."""
        if self.is_open:
            self._connection.close()
            self._close()

    async def wait(self) -> None:
        """Until the stream is over; tells the connection whether it can carry another request."""
        gone = asyncio.ensure_future(self._connection.reader.read(1))
        try:
            await asyncio.wait((gone, self.closed), return_when=asyncio.FIRST_COMPLETED)
            self._connection.reusable = self._ending and not gone.done()
            gone.cancel()
            await asyncio.gather(gone, return_exceptions=True)
        finally:
            gone.cancel()
            self._close()

    def _write(self, data: bytes) -> None:
        connection = self._connection
        if connection.writer.transport.is_closing() or connection.reader.at_eof():
            self._close()
            return
        self._put_head()
        connection.writer.write(b"%x\r\n%s\r\n" % (len(data), data))

    def _put_head(self) -> None:
        head, self._head = self._head, b""
        self._connection.writer.write(head)

    def _is_full(self) -> bool:
        transport = self._connection.writer.transport
        return transport.get_write_buffer_size() > transport.get_write_buffer_limits()[1]

    async def _run_drain(self) -> None:
        while self._waiting and self.is_open:
            try:
                await self._connection.writer.drain()
            except OSError:
                return
            self._write(self._waiting.popleft())
        self._drain = None
        if self._ending and self.is_open:
            self._finish()

    def _finish(self) -> None:
        self._put_head()
        self._connection.writer.write(b"0\r\n\r\n")
        self._close()

    def _close(self) -> None:
        self.is_open = False
        self._ticker.cancel()
        for task in (self._pump, self._drain):
            if task is not None:
                task.cancel()
        if not self.closed.done():
            self.closed.set_result(None)

    async def _run_queue(self) -> None:
        while self._queue and self.is_open:
            due, data = self._queue[0]
            await asyncio.sleep(max(0.0, due - time.monotonic()))
            step = max(self.split, len(data) // PIECES_MOST) if self.split else len(data)
            for i in range(0, len(data), step):
                self._write(data[i:i + step])
                if self.split:
                    await asyncio.sleep(0)  # each piece is a write of its own
            self._queue.popleft()
        self._pump = None
        if self._ending and self.is_open:
            self._finish()

    async def _tick(self) -> None:
        while True:
            await asyncio.sleep(self._keepalive_s)
            self.send_raw(self.keepalive)


class _Protocol(asyncio.StreamReaderProtocol):
    """Remembers when the first byte of a request was read."""

    _arrival: Optional[float] = None

    def data_received(self, data: bytes) -> None:
        if self._arrival is None:
            self._arrival = time.monotonic()
        super().data_received(data)

    def take_arrival(self) -> float:
        arrival, self._arrival = self._arrival, None
        return time.monotonic() if arrival is None else arrival


Handler = Callable[[Request, Connection], Awaitable[Optional[Response]]]


class HttpServer:
    """Calls `handle(request, connection)` for each request.

    It returns the answer, or None if it has written to the connection itself.
    """

    def __init__(self, handle: Handler, context: ssl.SSLContext):
        self._handle = handle
        self.context = context  # of connections from the next start() on
        self._server: Optional[asyncio.AbstractServer] = None
        self._place: Optional[socket.socket] = None  # keeps the port while nobody listens
        self._connections: dict[int, Connection] = {}
        self._tasks: set[asyncio.Task] = set()
        self.keep_alive = KeepAlive()
        self.connections_made = 0
        self.unanswered = 0   # requests that met a connection's end
        self.port = 0

    def __del__(self) -> None:
        if self._place is not None:
            self._place.close()

    async def start(self, host: str, port: int) -> None:
        """Listens on `port`; 0: on a free one. Later calls listen where the first did."""
        loop = asyncio.get_running_loop()

        def protocol() -> _Protocol:
            return _Protocol(asyncio.StreamReader(limit=1 << 20, loop=loop), self._serve, loop=loop)

        if self._place is None:
            self._place = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET)
            self._place.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            self._place.bind((host, port))
            self.port = self._place.getsockname()[1]
        self._server = await loop.create_server(protocol, host, self.port, ssl=self.context,
                                                backlog=512, reuse_address=True)

    def reset_all(self) -> None:
        """Resets every connection; new ones are welcome."""
        for connection in list(self._connections.values()):
            connection.reset()

    async def stop(self) -> None:
        """Refuses new connections and resets those that are there."""
        if self._server is not None:
            self._server.close()
            self._server = None
        self.reset_all()
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        self._tasks.add(task)
        self.connections_made += 1
        connection = Connection(self.connections_made, reader, writer)
        self._connections[connection.number] = connection
        try:
            while True:
                request = await connection.request()
                if request is None:
                    break
                if connection.answered and self.keep_alive.at_next_request:
                    self.unanswered += 1
                    break
                response = await self._handle(request, connection)
                if response is None:
                    if not connection.reusable:
                        break
                else:
                    connection.send(response)
                    if response.after is not None:
                        response.after()
                    await writer.drain()
                connection.answered += 1
                if self.keep_alive.ends(connection, response is None):
                    await asyncio.sleep(self.keep_alive.late_s)
                    break
        except (OSError, asyncio.IncompleteReadError, asyncio.CancelledError):
            pass  # the client has gone, or the server goes down
        finally:
            self._connections.pop(connection.number, None)
            self._tasks.discard(task)
            writer.close()
