#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Holds the seeds of fuzz targets to a few with names: tests/fuzz/README.md.

Usage: seeds.py ROOT. Prints each finding, exits 1 if there is one.
"""
import pathlib
import re
import sys

MOST = 10
NAME = re.compile(r"(?![0-9a-fA-F]+$)[A-Za-z]+[A-Za-z0-9]*(?:[_-][A-Za-z0-9]+)*")


def faults(folder):
    seeds = sorted(file.name for file in folder.iterdir())
    if len(seeds) > MOST:
        yield f"{len(seeds)} seeds, and no more than {MOST} are looked at by anybody"
    for name in seeds:
        if not NAME.fullmatch(name):
            yield f"{name}: a seed's name says what is in it"


def main():
    corpus = pathlib.Path(sys.argv[1], "tests/fuzz/corpus")
    found = [f"{folder.relative_to(sys.argv[1])}: {fault}" for folder in sorted(corpus.glob("*"))
             for fault in faults(folder)]
    for fault in found:
        print(fault)
    if not any(corpus.glob("*/*")):
        print(f"{corpus}: no seeds found")
        return 1
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
