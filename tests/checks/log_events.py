#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Lists every event that the daemon logs, with one example line each: the page config/LOG.md.

Usage: log_events.py ROOT           compares the page with the sources, exits 1 if they differ
       log_events.py ROOT --write   writes the page
"""
import pathlib
import re
import sys

PAGE = "config/LOG.md"
HEAD = """# What castled logs

One line an event: time, level, component, event, then `key=value`. `id` is a game, or the challenge that it comes from;
`why` says what happened in words, `advice` what to do. Scores are for castled's side. The values below are examples. With
`[log] format = json` a line is one JSON object with the same keys (`id` is called `game` there); in systemd's journal each
value is a field, `CASTLED_GAME=Qw8rTy2u` for example.

`tests/checks/log_events.py` writes this page from the sources.
"""
LEVELS = ("error", "warning", "info", "debug")
EXAMPLES = {
    "account": "castled-bot", "advice": '"what to do, in words"', "ahead_s": "31536000", "after": "waiting", "after_s": "25", "answer": "yes",
    "arena": "Ar3naId8", "at": "127.0.0.1:8080", "base_s": "180", "book_moves": "0", "bots": "212", "budget_ms": "171200", "by": "Zx9wVu8t", "by_s": "-3600",
    "bytes": "2097152", "claims": "victory", "clock": "3+2", "clock_s": "59.871", "clock_ms": "171900", "colour": "white",
    "component": "game", "contempt": "20", "count": "1", "created_ms": "1790000000000", "days": "13", "depth": "21", "dtz": "35",
    "end": "lost", "engine": "sf", "entries": "8055", "event": "unreadable", "facts": "12", "family": "challenge",
    "fen": '"rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"', "file": "/var/lib/castled/games.sqlite",
    "for": "now", "for_s": "28800", "for_us": "won", "from": "alba", "game": "Qw8rTy2u", "games": "1", "got_mib": "64",
    "id": "Qw8rTy2u", "in_file": "16", "increment_s": "2", "key": "games.concurrency", "kind": "declined/",
    "lag_ms": "42", "line": '"info string …"', "lines": "980", "misses": "3", "move": "Nf3",
    "moves": '"e2e4 e7e5"', "ms": "42", "name": "castled-bot", "names": "140", "nearest": "Hash", "next": "12",
    "nodes": "1520000", "now": "8", "number": "1", "of": "alba", "opponent": "alba", "option": "Hsah",
    "outcome": "refused", "owe_a_move": "1", "path": "/var/lib/castled/list", "pid": "4711", "pieces": "5", "problem": '"castled.conf:7: concurrency = 99: not within 1..64"', "plies": "0", "ply": "12",
    "program": '"Stockfish 15.1"', "rated": "yes", "rating": "2213", "reason": "mate", "refusals": "1",
    "request": "2", "requests": "1", "result": "1-0", "retry": '"in 2.0s"', "retry_in_ms": "2000", "retry_in_s": "60", "room": "player", "rows": "1",
    "schema": "6", "score": "+0.31", "section": "engine.external", "server": "postgresql://castled@db/castled", "signal": "SIGTERM", "since": "2026-11-23T07:41:50Z", "socket": "/run/castled/castled.sock",
    "source": "engine", "speed": "blitz", "start": '"{\\"type\\":"', "starts_s": "90", "state": "open",
    "status": "502", "strikes": "1", "tablebase": "silent", "text": "hi", "time_s": "2.104", "to": "maia1",
    "token_from": "credential", "try": "1", "type": "newEvent", "uci": "g1f3", "unix_s": "1790000000", "unreadable_s": "180.000",
    "team": "engine-arenas", "url": "https://lichess.org", "user": "alba", "variant": "standard", "version": "0.1.0", "wait_s": "31536000", "waited_s": "30.000",
    "wanted": "7", "wanted_mib": "256", "was": "13", "wdl": "35", "what": "rule", "way": "url", "why": '"what happened, in words"', "words": '"a year"',
    "worst_lag_ms": "180", "after_ms": "42",
}


def closing(text, start):
    """The index behind the bracket that ends what begins at text[start], a '('."""
    depth, quoted, at = 0, False, start
    while True:
        char = text[at]
        if quoted:
            at += char == "\\"
            quoted = char != '"'
        elif char == '"':
            quoted = True
        elif char in "([{":
            depth += 1
        elif char in ")]}":
            depth -= 1
            if depth == 0:
                return at + 1
        at += 1


def arguments(text):
    """The arguments of a call, cut at the commas that are in no bracket and no string."""
    out, start, at = [], 0, 0
    while at < len(text):
        if text[at] == '"':
            at += 1
            while text[at] != '"':
                at += 1 + (text[at] == "\\")
        elif text[at] in "([{":
            at = closing(text, at) - 1
        elif text[at] == ",":
            out.append(text[start:at].strip())
            start = at + 1
        at += 1
    return out + [text[start:].strip()]


def names_of(argument, text, start):
    """The events that a call may log: a literal, one of two, or what the callers of its function pass."""
    literals = re.findall(r'"([^"]+)"', argument)
    if literals:
        return literals
    function = re.findall(r"(?m)^(?:static )?\w[\w *]*?\b(\w+)\(", text[:start])[-1]
    return re.findall(rf'\b{function}\([^"();]*(?:\([^()]*\))?[^"();]*"([^"]+)"', text)


def events_of(text):
    """(level, component, event, [keys]) of each call, and of each row of a table of events."""
    for match in re.finditer(r"\blog_(error|warning|info|debug)\(", text):
        call = arguments(text[match.end():closing(text, match.end() - 1) - 1])
        if len(call) != 4 or not call[1].startswith('"'):
            continue  # a declaration
        keys = re.findall(r'\bF\("([^"]+)"', call[3])
        for name in names_of(call[2], text, match.start()):
            yield match.group(1), call[1].strip('"'), name, keys
    for level, name, rest in re.findall(r'\{ \.log = log_(\w+), \.event = "([^"]+)",?((?:[^{}]|\{[^{}]*\}|\{(?:[^{}]|\{[^{}]*\})*\})*)\}', text):
        yield level, "game", name, ["id"] + re.findall(r'\{ "([^"]+)", COL_', rest)


def page(root):
    found = {}
    for file in sorted((root / "bot").rglob("*.c")):
        text = file.read_text(encoding="utf-8")
        if file.name.startswith("log"):
            text = re.sub(r"(?s)\{ LEVEL_(\w+), (\"\w+\"), (\"\w+\"),\s*(FIELDS\(.*?\)\))\s*\}",
                          lambda m: f"log_{m.group(1).lower()}(0, {m.group(2)}, {m.group(3)}, {m.group(4)})", text)
        for level, component, name, keys in events_of(text):
            found.setdefault(component, {}).setdefault((name, LEVELS.index(level)), keys)
    missing = sorted({key for events in found.values() for keys in events.values() for key in keys} - set(EXAMPLES))
    if missing:
        print(f"log_events.py: no example for the keys: {', '.join(missing)}")
        sys.exit(1)
    out = [HEAD]
    for component in sorted(found):
        out.append(f"\n## {component}\n\n```\n")
        for (name, level), keys in sorted(found[component].items()):
            values = "".join(f" {key}={EXAMPLES[key]}" for key in keys)
            out.append(f"{LEVELS[level]} {component} {name}{values}\n")
        out.append("```\n")
    return "".join(out)


def main():
    root = pathlib.Path(sys.argv[1])
    text = page(root)
    file = root / PAGE
    if "--write" in sys.argv:
        file.write_text(text, encoding="utf-8")
    elif not file.exists() or file.read_text(encoding="utf-8") != text:
        print(f"{PAGE} is not what the sources log: tests/checks/log_events.py . --write")
        return 1
    print(f"{text.count(chr(10) + 'error ') + text.count(chr(10) + 'warning ') + text.count(chr(10) + 'info ') + text.count(chr(10) + 'debug ')} events")
    return 0


if __name__ == "__main__":
    sys.exit(main())
