#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Holds tests/COMPARISON.md to its word: what castled claims there names tests that run, or slow suites.

Usage: capabilities.py ROOT. Prints each row that claims something without them, exits 1 if there is one.
"""
import pathlib
import re
import sys

PAGE = "tests/COMPARISON.md"


def rows(page):
    """The rows of its tables but their heads: name and claim. Where other bridges have columns the claim is castled's;
    in the table of wishes it is the last cell, which only names tests."""
    is_body = False
    for line in page.splitlines():
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        if is_body and len(cells) == 4 and cells[1]:
            yield cells[0], cells[1]
        elif is_body and len(cells) == 3:
            yield cells[0], f"yes: {cells[2]}"
        is_body = line.startswith("|") and (is_body or "---" in line)


def is_run(root, test):
    """It exists, and ctest or a person runs it."""
    path = pathlib.PurePath(test)
    if path.suffix == ".ndjson":  # each scenario is a test
        return path.parts[:2] == ("data", "scenarios") and (root / "tests" / path).is_file()
    if path.parts[0] == "scripts":  # a suite of its own; tests/README.md tells people to run it
        return (root / path).is_file() and f"| `{path}` |" in (root / "tests/README.md").read_text(encoding="utf-8")
    name = re.fullmatch(r"test_(\w+)\.(c|py)", path.name)
    if name and name[2] == "c":  # each that lies in a folder of the mirrored tree is built and run
        return any(list((root / "tests" / top).rglob(test)) for top in ("bot", "engine"))
    if not (root / "tests" / path).is_file():
        return False
    lists = (root / "tests" / path.parent / "CMakeLists.txt").read_text(encoding="utf-8")
    if name is None:  # a program that ctest runs as a module
        return f" -m {'.'.join(path.with_suffix('').parts)} " in lists
    return re.search(rf"(?m)(^ +|\b){name[1]}( |$|\))", lists) is not None


def main():
    root = pathlib.Path(sys.argv[1])
    found = list(rows((root / PAGE).read_text(encoding="utf-8")))
    faults = 0
    for name, claim in found:
        tests = re.findall(r"`([^`]+)`", claim)
        if claim == "–":
            continue
        if not re.match(r"(yes|partly): `", claim) or not tests:
            print(f"{name}: claims \"{claim}\" and names no test")
            faults += 1
        for test in tests:
            if not is_run(root, test):
                print(f"{name}: {test} is no test that runs")
                faults += 1
    if not found:
        print(f"{PAGE} has no table of capabilities")
        return 1
    print(f"{len(found)} capabilities, {faults} claims without tests")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
