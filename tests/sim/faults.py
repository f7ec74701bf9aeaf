# SPDX-License-Identifier: GPL-3.0-or-later
"""What goes wrong with a request, on order.

    sim.faults.order("move", status=502, applied=True)          one 502 for a move that was made
    sim.faults.order("challenge", status=429, times=3, html=True)
    sim.faults.order("move", reset=True)                        a reset instead of an answer

A fault belongs to a family of requests (see the table of routes in server.py; "" is any family)
and is used up after `times` requests. `skip` lets that many pass first. What goes wrong with an
open stream is ordered on the Stream itself.
"""
from __future__ import annotations

from dataclasses import dataclass
from typing import Callable, Optional

from .http1 import Request, Response

_PAGE = b"<html><head><title>%d</title></head><body><center><h1>%d</h1></center></body></html>\r\n"


@dataclass
class Fault:
    family: str
    status: int = 0            # answer with this instead of the true answer
    body: Optional[bytes] = None
    html: bool = False         # an HTML page as body, as the front proxy sends
    headers: Optional[dict] = None
    reset: bool = False        # reset the connection instead of answering
    hang: bool = False         # never answer
    applied: bool = False      # the command takes effect all the same
    delay_before_s: float = 0  # wait before the command is looked at
    delay_after_s: float = 0   # wait before the answer goes out
    times: int = 1
    skip: int = 0
    when: Optional[Callable[[Request], bool]] = None

    @property
    def replaces_answer(self) -> bool:
        return bool(self.status or self.reset or self.hang)

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
                        dict(self.headers or {}))


class Faults:
    def __init__(self) -> None:
        self._ordered: list[Fault] = []

    def order(self, family: str, **what) -> Fault:
        fault = Fault(family, **what)
        self._ordered.append(fault)
        return fault

    def clear(self) -> None:
        self._ordered.clear()

    def take(self, request: Request) -> Optional[Fault]:
        """The fault that this request meets, if any."""
        for fault in self._ordered:
            if fault.family not in ("", request.family) or fault.times <= 0:
                continue
            if fault.when is not None and not fault.when(request):
                continue
            if fault.skip > 0:
                fault.skip -= 1
                continue
            fault.times -= 1
            return fault
        return None
