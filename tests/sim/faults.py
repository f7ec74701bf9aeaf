# SPDX-License-Identifier: GPL-3.0-or-later
"""What goes wrong with a request or an open stream, on order.

    sim.faults.order("move", status=502, applied=True)          one 502 for a move that was made
    sim.faults.order("accept", status=429, times=3, html=True)
    sim.faults.order("move", reset=True)                        a reset instead of an answer
    sim.faults.order("move", stream="reset")                    the game's stream breaks as it comes
    sim.faults.order("", lasts_s=5, **faults.REFUSALS["proxy 403"])   every request, for 5 s
    sim.strike("silence", game)                                 one of STREAM_FAULTS, now

A fault belongs to a family of requests (see the table in routes.py; "" is any family, one that is
in no route is an error) and is used up after `times` requests, or with `lasts_s` after that time. `skip` lets that many pass
first.
"""
from __future__ import annotations

import asyncio
import json
import time
from dataclasses import dataclass
from typing import Any, Callable, Optional

from .http1 import Request, Response, Stream

LONG_LINE_BYTES = 1 << 20
ONE_SEGMENT_S = 0.3

# Lines that no client may trip over, for event and game streams alike.
BAD_LINES = {
    "invalid JSON": (b"not json\n", b'{"type":"gameState","moves":\n', b'{"type":"gameStart"\n',
                     b"[" * 5000 + b"\n"),
    "invalid UTF-8": (b'{"type":"chatLine","room":"player","username":"\xff\xfe","text":"\xc3"}\n',
                      b"\xff\xfe\n"),
    "unknown types": (b'{"type":"newThing","x":{"y":[1,2]}}\n', b'{"type":"opponentGone",'
                      b'"gone":true}\n', b"[]\n", b"null\n", b"7\n", b'"gameStart"\n'),
    "null fields": (b'{"type":null}\n', b'{"type":"chatLine","room":null,"text":null}\n',
                    b'{"type":"gameStart","game":null}\n', b'{"type":"challenge",'
                    b'"challenge":{"id":null,"challenger":null}}\n',
                    b'{"type":"gameState","moves":null,"wtime":null,"status":null}\n'),
    "missing fields": (b"{}\n", b'{"type":"gameStart"}\n', b'{"type":"gameFinish"}\n',
                       b'{"type":"challenge","challenge":{}}\n', b'{"type":"gameState"}\n'),
}


def _one_segment(stream: Stream) -> None:
    """What comes in the next moments is kept back and sent at once."""
    stream.hold()
    for text in ("one", "two", "three"):
        stream.send({"type": "chatLine", "room": "player", "username": "alba", "text": text})
    asyncio.get_running_loop().call_later(ONE_SEGMENT_S, stream.release)


def _half_a_line(stream: Stream) -> None:
    stream.send_raw(b'{"type":"gameState","moves":"e2e4 e7')
    stream.reset()


def _say(lines: tuple[bytes, ...]) -> Callable[[Stream], None]:
    def say(stream: Stream) -> None:
        for line in lines:
            stream.send_raw(line)
    return say


STREAM_FAULTS: dict[str, Callable[[Stream], None]] = {
    "reset": Stream.reset,
    "close": Stream.end,
    "cut": Stream.drop,
    "half a line": _half_a_line,
    "silence": lambda stream: setattr(stream, "stalled", True),
    "single bytes": lambda stream: setattr(stream, "split", 1),
    "one segment": _one_segment,
    "long line": lambda stream: stream.send({"type": "chatLine", "room": "player",
                                             "username": "alba", "text": "x" * LONG_LINE_BYTES}),
    **{name: _say(lines) for name, lines in BAD_LINES.items()},
}

# Answers that refuse a request, as keywords of order(). What a proxy in front says comes as a page.
REFUSALS: dict[str, dict[str, Any]] = {
    **{f"proxy {status}": {"status": status, "html": True} for status in (403, 429, 502, 504)},
    "missing scope": {"status": 403, "body": b'{"error":"Missing scope: bot:play"}'},
    "playban": {"status": 403, "body": json.dumps({
        "error": "Banned from playing for 10 minutes. Reason: too many aborts",
        "minutes": 10}).encode()},
    "restricted": {"status": 403,
                   "body": b'{"error":"The access to this resource is restricted."}'},
    "no such token": {"status": 401, "body": b'{"error":"No such token"}'},
    "too many at a time": {"status": 429,
                           "body": b'{"error":"Please only run 1 request(s) at a time"}'},
}

_PAGE = b"<html><head><title>%d</title></head><body><center><h1>%d</h1></center></body></html>\r\n"


@dataclass
class Fault:
    family: str
    status: int = 0            # answer with this instead of the true answer
    body: Optional[bytes] = None
    html: bool = False         # an HTML page as body, as the front proxy sends
    headers: Optional[dict] = None
    chunked: bool = False      # the body comes in chunks
    reset: bool = False        # reset the connection instead of answering
    hang: bool = False         # never answer
    raw: bytes = b""           # these bytes go out instead, and the connection stays open
    stream: str = ""           # one of STREAM_FAULTS hits the game's streams as the request comes in
    applied: bool = False      # the command takes effect all the same
    delay_before_s: float = 0  # wait before the command is looked at
    delay_after_s: float = 0   # wait before the answer goes out
    times: int = 1
    skip: int = 0
    lasts_s: float = 0         # from its order on, any number of times
    when: Optional[Callable[[Request], bool]] = None

    def __post_init__(self) -> None:
        self.until = time.monotonic() + self.lasts_s

    @property
    def is_over(self) -> bool:
        return time.monotonic() > self.until if self.lasts_s else self.times <= 0

    @property
    def replaces_answer(self) -> bool:
        return bool(self.status or self.reset or self.hang or self.raw)

    def response(self) -> Response:
        if self.body is not None:
            body, content_type = self.body, "application/json"
        elif self.html or self.status >= 500:
            body, content_type = _PAGE % (self.status, self.status), "text/html"
        elif self.status == 429:
            body = b'{"error":"Too many requests. Try again later."}'
            content_type = "application/json"
        else:
            body, content_type = b'{"error":"Ordered by a test"}', "application/json"
        return Response(self.status, body, "text/html" if self.html else content_type,
                        dict(self.headers or {}), is_chunked=self.chunked)


class Faults:
    def __init__(self, families: Callable[[], set[str]]):
        """`families` tells those that there are."""
        self._families = families
        self._ordered: list[Fault] = []

    def order(self, family: str, **what) -> Fault:
        if family and family not in self._families():
            raise ValueError(f"no route is of the family {family!r}")
        fault = Fault(family, **what)
        self._ordered.append(fault)
        return fault

    def clear(self) -> None:
        self._ordered.clear()

    def take(self, request: Request) -> Optional[Fault]:
        """The fault that this request meets, if any."""
        for fault in self._ordered:
            if fault.family not in ("", request.family) or fault.is_over:
                continue
            if fault.when is not None and not fault.when(request):
                continue
            if fault.skip > 0:
                fault.skip -= 1
                continue
            fault.times -= 1
            return fault
        return None
