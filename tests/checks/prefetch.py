#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Refuses an engine that no longer prefetches the hash table's entries before it makes a move.

A prefetch has no effect that a compiler knows of: gcc's link-time optimisation once dropped all calls, every test
passed, and a node took a twentieth longer. Usage: prefetch.py OBJDUMP PROGRAM
"""
import re
import subprocess
import sys

LABEL = re.compile(r"^[0-9a-f]+ <(\w+)")
USE = re.compile(r"<worker_foretell(\.\w+)*>$")
PREFETCH = re.compile(r"\t(prefetch|prfm)")
# Where the calls are inlined, the instruction itself stands in the search: for a move, and for a null move.
INLINED_MIN = 2


def main():
    objdump, program = sys.argv[1:]
    out = subprocess.run([objdump, "-d", "--no-show-raw-insn", program], check=True, capture_output=True, text=True).stdout
    lines = out.splitlines()
    stands_alone = any(m[1] == "worker_foretell" for m in map(LABEL.match, lines) if m)
    uses = sum(bool(USE.search(line)) for line in lines)
    prefetches = sum(bool(PREFETCH.search(line)) for line in lines)
    print(f"{prefetches} prefetches; {uses} calls of worker_foretell(), {'a function' if stands_alone else 'inlined'}")
    kept = prefetches and (uses if stands_alone else prefetches >= INLINED_MIN)
    return 0 if kept else 1


if __name__ == "__main__":
    sys.exit(main())
