# SPDX-License-Identifier: GPL-3.0-or-later
"""Where the scripts' files are."""
import pathlib

TOP = pathlib.Path(__file__).resolve().parent.parent.parent
CASTLED_UCI = str(TOP / "build/bin/castled-uci")
OPENINGS = str(TOP / "tests/data/openings.epd")  # level: for reports
UNBALANCED = str(TOP / "tests/data/openings_unbalanced.epd")  # one side is better: fewer games tell
