#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Holds every #include against the layers of the tree: dependencies point one way.

Usage: layers.py ROOT. Prints each include that breaks a rule and each circle of files that include
each other, exits 1 if there is one. What a floor sees is said in its CMakeLists.txt, by which it is linked as well.
"""
import pathlib
import re
import sys

# What main.c sees, the one source that is on no floor.
MAIN_SEES = {"cli", "child", "ops"}
BOT_SEES_OF_ENGINE = ("engine/search/engine.h", "engine/tablebase/tablebase.h",
                      "engine/human/policy_folder.h", "engine/human/policy_network.h", "engine/book/", "engine/core/", "engine/base/")
# A module whose header's first comment says "Pure" is a function of its arguments: no loop, no
# network, no clock, no log. Its header and its .c are held to that.
IMPURE_HEADERS = ("uv.h", "curl/", "engine/base/clock.h", "bot/ops/", "bot/http/", "bot/lichess/api.h", "sys/")
# Pure all the same: of libcurl this module takes only what reads and writes URLs.
PURE_ALL_THE_SAME = {("bot/ops/url", "curl/curl.h")}
READS_CLOCK = re.compile(r"\b(time|clock_gettime|gettimeofday)\s*\(")


def stem(path):
    return path.rsplit(".", 1)[0]


def claims_purity(text):
    """Does the first comment of a header, below the licence line, say that the module is pure?"""
    comments = re.findall(r"/\*.*?\*/", text, re.S)
    return any(re.search(r"\bPure\b", comment) for comment in comments[1:2])


def floors(root):
    """For each folder of engine/ and bot/ that is a floor the names of those that it sees."""
    found = {}
    for lists in sorted(p for top in ("engine", "bot") for p in (root / top).glob("*/CMakeLists.txt")):
        floor = re.search(r"(?m)^castled_floor\((\w+)(?:\s+SEES([\w\s]*?))?\s+SOURCES\s", lists.read_text(encoding="utf-8"))
        if floor:
            found[lists.parent.relative_to(root).as_posix()] = set((floor[2] or "").split())
    return found


def complaint(path, header, sees, pure=frozenset()):
    """Why `path` may not include `header`, or None. `sees`: as floors() has it. `pure`: paths without ending of
    pure modules."""
    parts = path.split("/")
    if (stem(path) in pure and header.startswith(IMPURE_HEADERS) and stem(header) not in pure
            and (stem(path), header) not in PURE_ALL_THE_SAME):
        return "a pure module reads no clock, does no I/O and writes no log"
    ours = header.startswith(("engine/", "bot/", "tests/"))
    if not ours:
        return None
    if header.startswith("tests/"):
        return "product code does not include tests"
    target = header.split("/")
    if parts[0] == "engine" and target[0] != "engine":
        return "engine/ does not know bot/"
    if parts[0] == "bot" and target[0] == "engine" and not header.startswith(BOT_SEES_OF_ENGINE):
        return "bot/ sees only " + ", ".join(BOT_SEES_OF_ENGINE)
    here, there = "/".join(parts[:-1]), "/".join(target[:-1])
    seen = MAIN_SEES if here == "bot" else sees.get(here)
    if seen is None:
        return f"{here} is no floor: its CMakeLists.txt has no castled_floor()"
    if here != there and (there.count("/") != 1 or target[1] not in seen):
        return f"{here} does not see {there}"
    return None


def circles(includes):
    """Each circle of files that include each other, once, as a list that ends where it began.
    `includes`: for each file the files that it includes."""
    found, finished = [], set()

    def walk(path, way):
        if path in way:
            found.append(way[way.index(path):] + [path])
            return
        if path in finished:
            return
        for header in includes.get(path, ()):
            walk(header, way + [path])
        finished.add(path)

    for path in sorted(includes):
        walk(path, [])
    return found


def main():
    root = pathlib.Path(sys.argv[1])
    files = sorted(p for top in ("engine", "bot") for p in (root / top).rglob("*.[ch]"))
    pure = {stem(file.relative_to(root).as_posix()) for file in files
            if file.suffix == ".h" and claims_purity(file.read_text(encoding="utf-8"))}
    sees = floors(root)
    broken = 0
    includes = {}
    for file in files:
        path = file.relative_to(root).as_posix()
        includes[path] = []
        if path.startswith("bot/") and path.count("/") == 1 and path != "bot/main.c":
            print(f"{path}: only main.c lies directly in bot/")
            broken += 1
        for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
            match = re.match(r'\s*#\s*include\s+[<"]([^>"]+)[>"]', line)
            why = match and complaint(path, match.group(1), sees, pure)
            if match:
                includes[path].append(match.group(1))
            if path.endswith(".c") and stem(path) in pure and READS_CLOCK.search(line):
                why = "a pure module reads no clock"
            if why:
                print(f"{path}:{number}: {line.strip()}: {why}")
                broken += 1
    for circle in circles(includes):
        print(f"{' includes '.join(circle)}: a circle")
        broken += 1
    if not files:
        print(f"{root}: no sources found")
        return 1
    print(f"{len(files)} files, {len(pure)} pure modules, {broken} breaks of the layers")
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
