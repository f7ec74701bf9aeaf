#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Holds the sources against .clang-format.

Usage: format.py CLANG_FORMAT ROOT [FILE…]. Looks at all sources, or at these, by their paths in ROOT. Exits 1 and names
the files that `clang-format -i` would change. Each version has a taste of its own: the sources are as version 14 (Debian
12's) writes them, and another one looks at nothing and exits 77.
"""
import pathlib
import re
import subprocess
import sys


def main():
    tool, root = sys.argv[1], pathlib.Path(sys.argv[2])
    told = subprocess.run([tool, "--version"], check=True, capture_output=True, text=True).stdout
    if not re.search(r"version 14\.", told):
        print(f"the format was not looked at: it is clang-format 14's, and here is {told.strip()}")
        return 77
    files = [root / name for name in sys.argv[3:]] or sorted(
        p for top in ("engine", "bot", "tests") for p in (root / top).rglob("*.[ch]"))
    wrong = 0
    for file in files:
        text = file.read_bytes()
        done = subprocess.run([tool, f"--assume-filename={file}"], input=text, check=True, capture_output=True)
        if done.stdout != text:
            print(f"{file.relative_to(root)}: run clang-format -i on it")
            wrong += 1
    print(f"{len(files)} files, {wrong} to format")
    return 1 if wrong or not files else 0


if __name__ == "__main__":
    sys.exit(main())
