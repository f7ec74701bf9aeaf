# SPDX-License-Identifier: GPL-3.0-or-later
"""Plays the matrix of faults and prints it; scripts/faults and ctest call this.

    cd tests && CASTLED=../build/bin/castled python3 -m e2e.faults [--slow] [--times N] [--write] [WORD...]
"""
from __future__ import annotations

import argparse
import asyncio
import datetime
import sys

from . import (faults_page, rows_commands, rows_engines, rows_environment, rows_neighbours,
               rows_pairing, rows_self, rows_server, rows_streams, seeds)
from .matrix import Result, Row, play_all

TABLES = (rows_streams.table, rows_commands.table, rows_server.table, rows_pairing.table,
          rows_neighbours.table, rows_self.table, rows_environment.table, rows_engines.table)


NOT_PLAYED = 77  # ctest: skipped


def every_row() -> list[Row]:
    """In the order of the page."""
    return [row for table in TABLES for row in table.rows]


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="scripts/faults", description="The matrix of faults.")
    parser.add_argument("words", nargs="*", help="only rows whose name has one of these")
    parser.add_argument("--row", help="only this one, as --list names it; exits 77 where it can't be played")
    parser.add_argument("--list", action="store_true", help="name each row in a word, and play none")
    parser.add_argument("--slow", action="store_true", help="rows that take minutes as well")
    parser.add_argument("--times", type=int, default=1, help="how often each row is played")
    parser.add_argument("--at-once", type=int, default=6, help="rows at a time")
    parser.add_argument("--write", action="store_true",
                        help="put the rows that were played into tests/e2e/FAULTS.md")
    parser.add_argument("--proxy", action="store_true",
                        help="through an HTTP proxy that takes CONNECT")
    parser.add_argument("--protocol", choices=("HTTP/1.1", "HTTP/2"), help="only this one")
    seeds.add_arguments(parser)
    wanted = parser.parse_args()
    if wanted.write and (wanted.protocol or wanted.proxy):
        parser.error("--write needs both protocols, and no proxy: a row of the page has both")
    return wanted


def tell(result: Result) -> None:
    verdict = "; ".join(result.wrong) or "survived"
    took = "" if result.recovery_s is None else f", {result.recovery_s:.3f} s"
    print(f"{result.protocol}: {result.row.group}: {result.row.name}{took}: {verdict}",
          file=sys.stderr, flush=True)
    if result.story:
        print(result.story, file=sys.stderr, flush=True)


async def matrix(wanted: argparse.Namespace) -> int:
    rows = [row for row in every_row() if (wanted.slow or wanted.row or not row.is_slow)
            and wanted.row in (None, row.word)
            and (not wanted.words or any(word in row.name for word in wanted.words))]
    if not rows:
        print("no row has such a name", file=sys.stderr)
        return 1
    results: list[Result] = []
    for protocol in (wanted.protocol,) if wanted.protocol else ("HTTP/1.1", "HTTP/2"):
        results += await play_all(rows, protocol, wanted.at_once, wanted.times, tell,
                                  "CONNECT" if wanted.proxy else "")
    if wanted.write:
        faults_page.write(every_row(), results)
    print(faults_page.renewed("", rows, results, faults_page.machine(), f"{datetime.date.today()}"))
    if any(result.wrong for result in results):
        return 1
    if not results:
        return NOT_PLAYED
    in_variants = sum(bool(result.variants - {"standard"}) for result in results)
    if not wanted.words and not wanted.row and in_variants < len(results) // 8:
        print(f"only {in_variants} of {len(results)} rows with games of other variants", file=sys.stderr)
        return 1
    return 0


def main() -> int:
    wanted = arguments()
    if wanted.list:
        print("\n".join(row.word for row in every_row()))
        return 0
    if wanted.seeds:
        return 0 if asyncio.run(seeds.run(wanted)) else 1
    return asyncio.run(matrix(wanted))


if __name__ == "__main__":
    sys.exit(main())
