# SPDX-License-Identifier: GPL-3.0-or-later
"""Where the scripts' files are."""
import pathlib

TOP = pathlib.Path(__file__).resolve().parent.parent.parent
CASTLED_UCI = str(TOP / "build/bin/castled-uci")
OPENINGS = str(TOP / "tests/data/openings.epd")  # level: for reports
UNBALANCED = str(TOP / "tests/data/openings_unbalanced.epd")  # one side is better: fewer games tell


def fens(epd):
    """The positions of such a file, as FENs whose counters begin."""
    lines = pathlib.Path(epd).read_text(encoding="utf-8").splitlines()
    return [" ".join(line.split()[:4]) + " 0 1" for line in lines]
