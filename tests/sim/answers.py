# SPDX-License-Identifier: GPL-3.0-or-later
"""The forms of the server's answers, and the words that it takes for yes."""
from __future__ import annotations

from typing import TYPE_CHECKING, Optional

from .http1 import Request, Response, json_response

if TYPE_CHECKING:
    from .server import Simulator

OK = {"ok": True}
TOO_MANY = "Too many requests. Try again later."


class Refused(Exception):
    """A command that the server answers with this text: 400, unless it says otherwise."""

    def __init__(self, text: str, status: int = 400, **more: object):
        super().__init__(text)
        self.status, self.more = status, more


def error(request: Request, status: int, text: str, headers: Optional[dict[str, str]] = None,
          **more: object) -> Response:
    """`more` are fields beside the text."""
    request.error = text
    response = json_response({"error": text, **more}, status)
    response.headers.update(headers or {})
    return response


def form_error(request: Request, key: str, text: str) -> Response:
    """A field that is wrong (its errors come twice), or "global" for what lies between fields."""
    request.error = f"{key}: {text}"
    return json_response({"error": {key: [text]}, key: [text]}, 400)


def limited(request: Request, status: int, key: str, seconds: int) -> Response:
    request.error = key
    return json_response({"error": TOO_MANY,
                          "ratelimit": {"key": key, "seconds": seconds}}, status)


def flags(sim: Simulator, **values: bool) -> dict[str, bool]:
    """Only what is true, as the server writes it; all, where a test wants it as the spec has it."""
    return {name: bool(value) for name, value in values.items() if value or sim.says_false}


def is_yes(word: str) -> bool:
    return word in ("yes", "true", "1", "on")
