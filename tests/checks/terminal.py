#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Refuses text of others that the commands print past bot/cli/shown.h.

Usage: terminal.py ROOT. Prints each finding as file:line, exits 1 if there is one.
"""
import pathlib
import re
import sys

from banned import COMMENT_OR_TEXT, blank

# report.c writes a file, and through redact.h.
ELSEWHERE = {"bot/cli/report.c"}
PRINT = re.compile(r"(?<!\w)(?:printf|fprintf|fputs|puts|fwrite)\s*\(")
SHOWN = re.compile(r"\bshown(?:_error)?\s*\(")
FOREIGN = {
    r"\bTEXT_ARGS\s*\(": "a view of text",
    r"\b\w*(?:err|error|why)(?:\.|->)text\b": "an Error",
    r"\bjsonread_text\s*\(|\bjson_object_\w+\s*\(": "a value of JSON",
    r"\brecord->(?:id|players\b[^,]*(?:name|title))\b": "the archive's text",
}


def closing(text, opening):
    """Where the bracket that opens there closes."""
    depth = 0
    for at in range(opening, len(text)):
        depth += {"(": 1, ")": -1}.get(text[at], 0)
        if depth == 0:
            return at
    return len(text)


def without_shown(call):
    while match := SHOWN.search(call):
        call = call[:match.start()] + call[closing(call, match.end() - 1) + 1:].removeprefix(".text")
    return call


def main():
    root = pathlib.Path(sys.argv[1])
    files = [*sorted((root / "bot/cli").glob("*.c")), *(root / "bot").glob("main.c")]
    found = 0
    for file in files:
        path = file.relative_to(root).as_posix()
        text = COMMENT_OR_TEXT.sub(blank, file.read_text(encoding="utf-8"))
        for match in PRINT.finditer(text) if path not in ELSEWHERE else ():
            call = without_shown(text[match.end() - 1:closing(text, match.end() - 1)])
            for pattern, what in FOREIGN.items():
                if re.search(pattern, call):
                    line = text.count("\n", 0, match.start()) + 1
                    print(f"{path}:{line}: prints {what} as it is; use shown()")
                    found += 1
    if not files:
        print(f"{root}: no sources found")
        return 1
    print(f"{len(files)} files, {found} findings")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
