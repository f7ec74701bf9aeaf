#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Looks into the programs for what makes a fault hard to exploit.

Usage: hardening.py READELF PROGRAM… Prints what is missing where, exits 1 if anything is.
"""
import re
import subprocess
import sys


def faults(text):
    """What the output of readelf -hldnW --dyn-syms lacks of a hardened program."""
    segments = dict(re.findall(r"^  (\w+) +(?:0x[0-9a-f]+ ){5}([RWE ]{3}) ", text, re.MULTILINE))
    loads = re.findall(r"^  LOAD +(?:0x[0-9a-f]+ ){5}([RWE ]{3}) ", text, re.MULTILINE)
    flags = " ".join(re.findall(r"\((?:FLAGS|FLAGS_1)\)(.*)", text))
    imports = set(re.findall(r" UND (\w+)", text))
    is_x86 = "X86-64" in text
    wanted = {
        "a position-independent executable": re.search(r"Type: +DYN", text) and "PIE" in flags,
        "relocations that are read-only": "GNU_RELRO" in segments,
        "all symbols bound at start": "BIND_NOW" in flags or "NOW" in flags.split(),
        "a stack that is not executable": segments.get("GNU_STACK", "RWE")[2] != "E",
        "no segment both writable and executable": loads and not any("W" in l and "E" in l for l in loads),
        "no relocations in its code": "(TEXTREL)" not in text and "TEXTREL" not in flags,
        "no search path for libraries": not re.search(r"\((?:RPATH|RUNPATH)\)", text),
        "the stack protector": "__stack_chk_fail" in imports,
        "FORTIFY": any(name.startswith("__") and name.endswith("_chk") for name in imports),
        "a mark for shadow stacks": not is_x86 or "SHSTK" in text,
    }
    return [what for what, is_there in wanted.items() if not is_there]


def main():
    found = 0
    for program in sys.argv[2:]:
        text = subprocess.run([sys.argv[1], "-hldnW", "--dyn-syms", program], check=True, capture_output=True,
                              text=True).stdout
        for what in faults(text):
            print(f"{program}: not there: {what}")
            found += 1
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
