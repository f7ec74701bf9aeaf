#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Refuses writable objects with static storage in the libraries: one process holds many engines and games.

Usage: globals.py READELF ARCHIVE… Exits 1 if an object of ours lies in a writable section, 77 (skipped) where
instrumentation adds objects of its own.
"""
import re
import subprocess
import sys

SECTION = re.compile(r"\s*\[\s*(\d+)\]\s+(\S+)\s+\S+\s+[0-9a-f]+\s+[0-9a-f]+\s+[0-9a-f]+\s+[0-9a-f]+\s+([A-Za-z]*)\s")
SYMBOL = re.compile(r"\s*\d+:\s+[0-9a-f]+\s+\S+\s+(OBJECT|TLS|COMMON|FUNC)\s+\S+\s+\S+\s+(\d+|COM)\s+(\S+)")
INSTRUMENTED = ("__asan", "__tsan", "__ubsan", "__gcov", "__odr_asan", "__llvm", "__sancov", "__prof")


def main():
    readelf, archives = sys.argv[1], sys.argv[2:]
    seen = found = 0
    for archive in archives:
        out = subprocess.run([readelf, "-W", "-S", "-s", archive], check=True, capture_output=True, text=True).stdout
        if any(f" {name}" in out for name in INSTRUMENTED):
            print("skipped: the library is instrumented")
            return 77
        member, sections = archive, {}
        for line in out.splitlines():
            if line.startswith("File: "):
                member, sections = line.removeprefix("File: "), {}
            section, symbol = SECTION.match(line), SYMBOL.match(line)
            if section:
                number, name, flags = section.groups()
                sections[number] = (name, "W" in flags)
            if symbol:
                kind, number, name = symbol.groups()
                place, writable = sections.get(number, ("common", number == "COM"))
                seen += 1
                # Pointers that are const but relocated at load time; read-only from then on (RELRO).
                if writable and kind != "FUNC" and not place.startswith(".data.rel.ro"):
                    print(f"{member}: {name} is a writable object in {place}")
                    found += 1
    if not seen:
        print("no symbols found: are these the static libraries?")
        return 1
    print(f"{seen} symbols, {found} writable objects")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
