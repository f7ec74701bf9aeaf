#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Refuses calls that this tree does without, and sources without a licence line.

Usage: banned.py ROOT. Prints each finding as file:line, exits 1 if there is one.
"""
import pathlib
import re
import sys

BANNED = {
    "strcpy": "memcpy with a known length",
    "strcat": "Buf",
    "strncpy": "memcpy with a known length",
    "strncat": "Buf",
    "sprintf": "snprintf",
    "vsprintf": "vsnprintf",
    "gets": "fgets",
    "strtok": "a view of pointer and length",
    "atoi": "number_parse",
    "atol": "number_parse",
    "atoll": "number_parse",
    "atof": "number_parse",
    "rand": "a seeded generator that is passed in",
    "srand": "a seeded generator that is passed in",
    "random": "a seeded generator that is passed in",
    "alloca": "an array with a limit",
    "system": "uv_spawn",
    "popen": "uv_spawn",
    "json_object_object_add": "json_put_value",
    "json_object_array_add": "json_put_entry",
}
HOMES = {"json_object_object_add": "bot/ops/json_put.h", "json_object_array_add": "bot/ops/json_put.h"}
CALL = re.compile(r"\b(" + "|".join(BANNED) + r")\s*\(")
COMMENT_OR_TEXT = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', re.S)


def blank(match):
    return re.sub(r"[^\n]", " ", match.group(0))


def main():
    root = pathlib.Path(sys.argv[1])
    files = sorted(p for top in ("engine", "bot") for p in (root / top).rglob("*.[ch]"))
    found = 0
    for file in files:
        path = file.relative_to(root).as_posix()
        text = file.read_text(encoding="utf-8")
        if "SPDX-License-Identifier: GPL-3.0-or-later" not in text[:200]:
            print(f"{path}:1: no SPDX-License-Identifier line")
            found += 1
        for number, line in enumerate(COMMENT_OR_TEXT.sub(blank, text).splitlines(), 1):
            for match in CALL.finditer(line):
                name = match.group(1)
                if HOMES.get(name) == path:
                    continue
                print(f"{path}:{number}: {name}() is banned here; use {BANNED[name]}")
                found += 1
    if not files:
        print(f"{root}: no sources found")
        return 1
    print(f"{len(files)} files, {found} findings")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
