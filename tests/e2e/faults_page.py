# SPDX-License-Identifier: GPL-3.0-or-later
"""FAULTS.md: the matrix of faults as last measured. `scripts/faults --write` renews the rows that it played.

Rows that were not played keep their figures, and say when and on which machine these were measured.
Rows that no longer exist are dropped.
"""
from __future__ import annotations

import datetime
import os
import pathlib
import platform
import re
from typing import Iterable

from .matrix import Result, Row, cells_by_row

PAGE = pathlib.Path(__file__).with_name("FAULTS.md")
PROTOCOLS = ("HTTP/1.1", "HTTP/2")
HEAD = ["fault", "games lost", "moves posted twice", "other requests in a minute",
        *(f"recovery over {protocol}: median, worst" for protocol in PROTOCOLS), "verdict", "measured"]
TEXT = """\
# Faults

<!-- Written by scripts/faults --write; edits are lost. -->

The simulated Lichess injects each of these faults in mid-game, over HTTP/1.1 and over HTTP/2 (through
`nghttpx`). The tests hold every row to its bounds.

- Recovery lasts from the fault, or from the server's return, until our next move is on the board. For event
  streams it lasts until the next challenge is accepted.
- Other requests are all but the moves that were made.
- A silent stream takes two keep-alive periods to be told from a quiet one.
- After a 429 castled waits a minute where the clock survives it.
- A move is posted twice only where the server hides what it did with the first POST. Its answer is a 400,
  never a second move.
- Every fourth row of a group plays its games in another variant, where the fault leaves the choice.

{rows} faults, each measured with castled and the simulator on one machine, which its row names.

"""


def machine() -> str:
    """This machine, as the page names it."""
    try:
        info = pathlib.Path("/proc/cpuinfo").read_text(encoding="utf-8")
    except OSError:
        info = ""
    model = re.search(r"(?m)^model name\s*: (.+)$", info)
    name = model[1] if model else platform.machine()
    return f"{len(os.sched_getaffinity(0))} cores of {name}"


def read(text: str) -> dict[tuple[str, str], list[str]]:
    """The page's rows: (group, name) -> the cells behind the name."""
    rows: dict[tuple[str, str], list[str]] = {}
    group = ""
    for line in text.splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if not line.startswith("| ") or cells[0] == HEAD[0]:
            continue
        if cells[0].startswith("**"):
            group = cells[0].strip("*")
        else:
            rows[group, cells[0]] = cells[1:]
    return rows


def renewed(old: str, rows: Iterable[Row], results: Iterable[Result], here: str, date: str) -> str:
    """The page with the results in place of what `old`, the page so far, says of these rows."""
    known = read(old)
    for key, cells in cells_by_row(results, PROTOCOLS).items():
        known[key] = [*cells, f"{date}, {here}"]
    lines = ["| " + " | ".join(HEAD) + " |", "|" + "---|" * len(HEAD)]
    group, count = "", 0
    for row in rows:
        cells = known.get((row.group, row.name))
        if cells is None:
            continue
        if row.group != group:
            group = row.group
            lines.append(f"| **{group}** |" + " |" * (len(HEAD) - 1))
        lines.append("| " + " | ".join([row.name, *cells]) + " |")
        count += 1
    return TEXT.format(rows=count) + "\n".join(lines) + "\n"


def write(rows: Iterable[Row], results: Iterable[Result]) -> None:
    old = PAGE.read_text(encoding="utf-8") if PAGE.exists() else ""
    PAGE.write_text(renewed(old, rows, results, machine(), f"{datetime.date.today():%Y-%m}"),
                    encoding="utf-8")
