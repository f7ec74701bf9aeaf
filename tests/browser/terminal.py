# SPDX-License-Identifier: GPL-3.0-or-later
"""What castled draws on a terminal, as a web page: for pictures."""
from __future__ import annotations

import asyncio
import fcntl
import html
import os
import pty
import re
import struct
import termios
from typing import Optional

FRAME = re.compile(r"\x1b\[H((?:(?!\x1b\[H).)*)\x1b\[J", re.S)
CONTROL = re.compile(r"\x1b\[([0-9;?]*)([A-Za-z])")
LEVELS = (0, 95, 135, 175, 215, 255)


def colour(number: int) -> str:
    """Of the 256 of a terminal; after: xterm, 256colres.h."""
    if number >= 232:
        return "#" + f"{8 + 10 * (number - 232):02x}" * 3
    if number >= 16:
        number -= 16
        return "#" + "".join(f"{LEVELS[n]:02x}" for n in (number // 36, number // 6 % 6, number % 6))
    return "#e8e4dc" if number in (7, 15) else "#000000"


def styles(codes: str, now: dict[str, str]) -> dict[str, str]:
    """`now` after the colours and weights of `codes`."""
    words = [int(word or 0) for word in codes.split(";")]
    then = dict(now)
    while words:
        word = words.pop(0)
        if word == 0:
            then = {}
        elif word == 1:
            then["font-weight"] = "bold"
        elif word == 2:
            then["opacity"] = ".6"
        elif word in (38, 48) and words[:1] == [5]:
            then["color" if word == 38 else "background"] = colour(words[1])
            del words[:2]
    return then


def page(frame: str) -> str:
    parts = ["<!doctype html><meta charset='utf-8'><body style='margin:0;background:#171615'>"
             "<pre style='margin:0;padding:16px;color:#e8e4dc;font:16px/18px \"DejaVu Sans Mono\",monospace'>"]
    now: dict[str, str] = {}
    at = 0
    for control in CONTROL.finditer(frame):
        text = html.escape(frame[at:control.start()])
        look = ";".join(f"{name}:{value}" for name, value in now.items())
        parts.append(f"<span style='{look}'>{text}</span>" if look else text)
        if control[2] == "m":
            now = styles(control[1], now)
        at = control.end()
    return "".join(parts) + html.escape(frame[at:]) + "</pre></body>"


async def watch(castled: str, config: str, environment: dict[str, str], columns: int, rows: int,
                seconds: float) -> Optional[str]:
    """The latest frame that it has drawn after so long, as a page."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
    os.set_blocking(ours, False)
    process = await asyncio.create_subprocess_exec(
        castled, "watch", "--config", config, stdin=theirs, stdout=theirs, stderr=theirs,
        env={**environment, "TERM": "xterm-256color", "LC_ALL": "C.UTF-8"})
    shown = b""
    for _ in range(int(seconds * 20)):
        await asyncio.sleep(0.05)
        try:
            shown += os.read(ours, 1 << 16)
        except BlockingIOError:
            pass
    process.terminate()
    while process.returncode is None:
        try:
            os.read(ours, 1 << 16)
        except BlockingIOError:
            await asyncio.sleep(0.02)
    os.close(ours)
    os.close(theirs)
    frames = FRAME.findall(shown.decode(errors="replace").replace("\r\n", "\n"))
    return page(frames[-1]) if frames else None
