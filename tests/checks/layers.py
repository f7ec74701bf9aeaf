#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Holds every #include against the layers of the tree: dependencies point one way.

Usage: layers.py ROOT. Prints each include that breaks a rule, exits 1 if there is one.
"""
import pathlib
import re
import sys

ENGINE = {
    "base": [],
    "core": ["base"],
    "eval": ["base", "core"],
    "tablebase": ["base", "core"],
    "book": ["base", "core"],
    "search": ["base", "core", "eval", "tablebase", "book"],
    "uci": ["base", "core", "eval", "tablebase", "book", "search"],
    "train": ["base", "core", "eval", "tablebase", "book", "search"],
}
# What a folder of bot/ may include of bot/. The files directly in bot/ wire everything together.
BOT = {
    "ops": [],
    "lichess": ["ops"],
    "config": ["lichess", "ops"],
    "policy": ["config", "lichess"],
    "source": ["config", "lichess", "ops"],
    "game": ["config", "lichess", "ops", "policy", "source"],
    "archive": ["config", "ops", "game", "lichess"],
}
BOT_SEES_OF_ENGINE = ("engine/search/engine.h", "engine/tablebase/tablebase.h",
                      "engine/book/", "engine/core/", "engine/base/")
# Modules that are pure functions of their arguments: no loop, no network, no clock, no log.
PURE = {
    "bot/game/game", "bot/game/move_request", "bot/game/gameclock", "bot/game/offers",
    "bot/game/our_move", "bot/game/outbox", "bot/game/eval_history", "bot/archive/record",
    "bot/game/step", "bot/game/game_stream", "bot/lichess/backoff", "bot/lichess/ndjson",
    "bot/lichess/http_head", "bot/lichess/pacer",
    "bot/lichess/ratelimit", "bot/policy/accept", "bot/policy/adjudicate", "bot/policy/day_count",
    "bot/source/online_answer", "bot/source/online_ask", "bot/source/online_choice",
    "bot/policy/namelist", "bot/policy/rules", "bot/policy/seek", "bot/policy/talk", "bot/policy/visits",
}
IMPURE_HEADERS = ("uv.h", "curl/", "engine/base/clock.h", "bot/ops/", "time.h", "sys/")


def complaint(path, header):
    """Why `path` may not include `header`, or None."""
    parts = path.split("/")
    stem = path.rsplit(".", 1)[0]
    if stem in PURE and header.startswith(IMPURE_HEADERS):
        return "a pure module reads no clock, does no I/O and writes no log"
    ours = header.startswith(("engine/", "bot/", "tests/"))
    if not ours:
        return None
    if header.startswith("tests/"):
        return "product code does not include tests"
    target = header.split("/")
    if parts[0] == "engine":
        if target[0] != "engine":
            return "engine/ does not know bot/"
        if len(parts) < 3 or len(target) < 3:
            return None
        if target[1] != parts[1] and target[1] not in ENGINE.get(parts[1], []):
            return f"engine/{parts[1]} is below or beside engine/{target[1]}"
    if parts[0] == "bot":
        if target[0] == "engine":
            if not header.startswith(BOT_SEES_OF_ENGINE):
                return "bot/ sees only " + ", ".join(BOT_SEES_OF_ENGINE)
        elif len(parts) > 2:
            if len(target) == 2:
                return "only files directly in bot/ may include bot/*.h"
            if target[1] != parts[1] and target[1] not in BOT.get(parts[1], []):
                return f"bot/{parts[1]} is below or beside bot/{target[1]}"
    return None


def main():
    root = pathlib.Path(sys.argv[1])
    files = sorted(p for top in ("engine", "bot") for p in (root / top).rglob("*.[ch]"))
    broken = 0
    for file in files:
        path = file.relative_to(root).as_posix()
        for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
            match = re.match(r'\s*#\s*include\s+[<"]([^>"]+)[>"]', line)
            why = match and complaint(path, match.group(1))
            if why:
                print(f"{path}:{number}: includes {match.group(1)}: {why}")
                broken += 1
    if not files:
        print(f"{root}: no sources found")
        return 1
    print(f"{len(files)} files, {broken} includes against the layers")
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
