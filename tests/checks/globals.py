#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Refuses writable objects with static storage in the libraries: one process holds many engines and games.

Usage: globals.py NM ARCHIVE… Exits 1 if an object of ours lies in .data, .bss or thread-local storage, 77 (skipped)
where instrumentation adds objects of its own.
"""
import subprocess
import sys

WRITABLE = set("bBdDcCgGsS")


def main():
    nm, archives = sys.argv[1], sys.argv[2:]
    seen = found = 0
    for archive in archives:
        out = subprocess.run([nm, "--format=sysv", archive], check=True, capture_output=True, text=True).stdout
        member = archive
        for line in out.splitlines():
            if line.startswith(("Symbols from ", "Undefined symbols")):
                member = line.removeprefix("Symbols from ").rstrip(":")
            fields = [field.strip() for field in line.split("|")]
            if len(fields) != 7 or fields[0] == "Name":
                continue
            name, kind, section = fields[0], fields[2], fields[6]
            if name.startswith(("__asan", "__ubsan", "__gcov", "__odr_asan", "__llvm")):
                print("skipped: the library is instrumented")
                return 77
            seen += 1
            if kind in WRITABLE and not section.startswith((".data.rel.ro", ".rodata")):
                print(f"{member}: {name} is a writable object in {section}")
                found += 1
    if not seen:
        print("no symbols found: are these the static libraries?")
        return 1
    print(f"{seen} symbols, {found} writable objects")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
