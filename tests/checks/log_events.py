#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Lists every event that the daemon logs, with one recorded line each and what to do about it: the page config/LOG.md.

Usage: log_events.py ROOT                  compares sources, examples and page, exits 1 if they differ
       log_events.py ROOT --record FOLDER  takes a line for each event that has none from the logs in FOLDER
       log_events.py ROOT --write          writes the page

The examples are log_examples.txt: a line as the daemon writes it, without its time; below each warning and error, indented,
what to do. CASTLED_TEST_LOGS=FOLDER has the end-to-end tests keep their logs there. What no test brings about is written by
hand.
"""
import pathlib
import re
import sys

PAGE, EXAMPLES = "config/LOG.md", "tests/checks/log_examples.txt"
HEAD = """# What castled logs

One line an event: time, level, component, event, then `key=value`. `id` is a game, or the challenge that it comes from;
`why` says what happened in words, `advice` what to do. Scores are for castled's side. Keys that end in `_s` are seconds, in
`_ms` milliseconds. With `[log] format = json` a line is one JSON object with the same keys (`id` is called `game` there); in
systemd's journal each value is a field, `CASTLED_GAME=Qw8rTy2u` for example.

Most lines below were recorded in games on the simulated Lichess, some are written by hand as castled would write them. What to
do stands below each warning and error; "nothing" means that castled helps itself. `tests/checks/log_events.py` writes this page, and a test compares it with the sources.
"""
LEVELS = ("error", "warning", "info", "debug")
VALUE = r'(?:"(?:[^"\\]|\\.)*"|\S*)'
LINE = re.compile(rf"(error|warning|info|debug) ([a-z]+) ([a-z-]+)((?: \w+={VALUE})*)$")
# What the machine of the tests puts into a line, and what an operator's has there.
PLACES = ((r"https://127\.0\.0\.1:\d+", "https://lichess.org"), (r"127\.0\.0\.1 port \d+", "lichess.org port 443"),
          (r"/tmp/castled-[^/ ]+/castled/castled\.sock", "/run/castled/castled.sock"),
          (r"/tmp/castled-[^/ ]+/(castled/)?(\w+\.sqlite)", r"/var/lib/castled/\2"), (r"/tmp/castled-[^/ ]+/", "/etc/castled/"))


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


def logged(root):
    """(component, event, level) -> the lists of keys that the sources log it with."""
    found = {}
    for file in sorted((root / "bot").rglob("*.c")):
        text = file.read_text(encoding="utf-8")
        if file.name.startswith("log"):
            text = re.sub(r"(?s)\{ LEVEL_(\w+), (\"\w+\"), (\"\w+\"),\s*(FIELDS\(.*?\)\))\s*\}",
                          lambda m: f"log_{m.group(1).lower()}(0, {m.group(2)}, {m.group(3)}, {m.group(4)})", text)
        for level, component, name, keys in events_of(text):
            found.setdefault((component, name, LEVELS.index(level)), []).append(keys)
    return found


def parsed(line):
    """The event of a line and its keys; None where it is no line of the log."""
    match = LINE.match(line)
    return match and ((match[2], match[3], LEVELS.index(match[1])), re.findall(rf" (\w+)={VALUE}", match[4]))


def examples(text):
    """event -> (line, what to do)"""
    out, event = {}, None
    for line in text.splitlines():
        if line.startswith("    "):
            out[event] = (out[event][0], line.strip())
        elif line and not line.startswith("#"):
            event = parsed(line)[0]
            out[event] = (line, "")
    return out


def faults(found, shown):
    for event, (line, advice) in sorted(shown.items()):
        name = f"{LEVELS[event[2]]} {event[0]} {event[1]}"
        if event not in found:
            yield f"{name}: an example, but the sources log no such event"
        elif parsed(line)[1] not in found[event]:
            yield f"{name}: the example has other keys than the sources: {found[event][0]}"
        if (event[2] < LEVELS.index("info")) != bool(advice):
            yield f"{name}: what to do stands below warnings and errors, and only there"
    for event in sorted(set(found) - set(shown)):
        yield f"{LEVELS[event[2]]} {event[0]} {event[1]}: no example; its keys are {found[event][0]}"


def written(shown):
    """The file of examples."""
    out = ["# One line for each event, and what to do. See log_events.py.\n"]
    for event, (line, advice) in sorted(shown.items()):
        out.append(f"{line}\n" + (f"    {advice}\n" if advice else ""))
    return "".join(out)


def record(found, shown, folder):
    for file in sorted(folder.iterdir()):
        for line in file.read_text(encoding="utf-8", errors="replace").splitlines():
            line = line.partition(" ")[2].partition(" ")[2]
            event = parsed(line)
            if event and event[1] in found.get(event[0], ()) and event[0] not in shown:
                for place, name in PLACES:
                    line = re.sub(place, name, line)
                shown[event[0]] = (line, "")


def page(shown):
    out = [HEAD]
    for component in sorted({event[0] for event in shown}):
        events = [(event, *said) for event, said in sorted(shown.items()) if event[0] == component]
        out.append(f"\n## {component}\n\n```\n" + "".join(f"{line}\n" for _, line, _ in events) + "```\n")
        todo = [f"- {LEVELS[event[2]]} `{event[1]}`: {advice}\n" for event, _, advice in events if advice]
        out.append("\n" * bool(todo) + "".join(todo))
    return "".join(out)


def main():
    root = pathlib.Path(sys.argv[1])
    found, shown = logged(root), examples((root / EXAMPLES).read_text(encoding="utf-8"))
    if "--record" in sys.argv:
        record(found, shown, pathlib.Path(sys.argv[3]))
        (root / EXAMPLES).write_text(written(shown), encoding="utf-8")
    wrong = list(faults(found, shown))
    if "--write" in sys.argv:
        (root / PAGE).write_text(page(shown), encoding="utf-8")
    elif (root / PAGE).read_text(encoding="utf-8") != page(shown):
        wrong.append(f"{PAGE} is not what {EXAMPLES} says: tests/checks/log_events.py . --write")
    print("\n".join(wrong) or f"{len(found)} events")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
