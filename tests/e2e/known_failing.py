# SPDX-License-Identifier: GPL-3.0-or-later
"""Tests that show what castled does wrong today, each listed in known_failing.txt.

A line is `module.Class.test_name: what is wrong`. A listed test runs like any other and must fail:
as soon as it passes its suite fails, until whoever fixed castled removes the line. With the last
line go that file, this one, test_known_failing.py, and what harness.py knows of them.
"""
from __future__ import annotations

import os

PATH = os.path.join(os.path.dirname(os.path.abspath(__file__)), "known_failing.txt")


def known_failing() -> dict[str, str]:
    """What is wrong, by the test's name."""
    with open(PATH, encoding="utf-8") as file:
        lines = [line.strip() for line in file if line.strip() and not line.startswith("#")]
    return {name: why.strip() for name, _, why in (line.partition(":") for line in lines)}
