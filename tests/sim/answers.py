# SPDX-License-Identifier: GPL-3.0-or-later
"""The forms of the server's answers, and the words that it takes for yes."""
from __future__ import annotations

from typing import Optional

from .http1 import Request, Response, json_response


OK = {"ok": True}


class Refused(Exception):
    """A command that the server answers with 400 and this text."""


def error(request: Request, status: int, text: str,
          headers: Optional[dict[str, str]] = None) -> Response:
    request.error = text
    response = json_response({"error": text}, status)
    response.headers.update(headers or {})
    return response


def form_error(request: Request, key: str, text: str) -> Response:
    request.error = f"{key}: {text}"
    return json_response({"error": {key: [text]}, key: [text]}, 400)


def limited(request: Request, status: int, key: str, seconds: int) -> Response:
    request.error = key
    return json_response({"error": "Too many requests. Try again later.",
                          "ratelimit": {"key": key, "seconds": seconds}}, status)


def is_yes(word: str) -> bool:
    return word in ("yes", "true", "1", "on")
