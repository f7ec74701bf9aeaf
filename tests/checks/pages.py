#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Holds the pages together: links lead somewhere, README.md stays short and counts as FAULTS.md does, scripts/README.md
has every script, and invariants that sources cite ("I13 of bot/README.md") are there.

Usage: pages.py ROOT. Prints each fault, exits 1 if there is one.
"""
import os
import pathlib
import re
import sys

README_LINES = 200
LEFT_OUT = re.compile(r"\.(?!github)|build")  # folders of tools and builds


def pages(root):
    """Every Markdown file of the tree."""
    for folder, folders, files in os.walk(root):
        folders[:] = sorted(name for name in folders if not LEFT_OUT.match(name))
        yield from (pathlib.Path(folder, name) for name in sorted(files) if name.endswith(".md"))


def anchors(text):
    """What links may end in, as GitHub makes them of headings."""
    headings = re.findall(r"(?m)^#+ (.+)$", text)
    return {re.sub(r"[^\w\- ]", "", heading).strip().lower().replace(" ", "-") for heading in headings}


def broken_links(page, root):
    text = re.sub(r"(?ms)^ *```.*?^ *```$", "", page.read_text(encoding="utf-8"))
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        if re.match(r"\w+:", target):
            continue
        path, _, anchor = target.partition("#")
        file = (page.parent / path) if path else page
        if not file.exists():
            yield f"{page.relative_to(root)}: {target}: there is no such file"
        elif anchor and anchor not in anchors(file.read_text(encoding="utf-8")):
            yield f"{page.relative_to(root)}: {target}: there is no such heading"


def wrong_invariants(root):
    """Numbers that are missing in bot/README.md, or cited and not there."""
    page = root / "bot/README.md"
    known = re.findall(r"(?m)^- \*\*(I\d+)\*\*", page.read_text(encoding="utf-8")) if page.exists() else []
    if known != [f"I{number}" for number in range(1, len(known) + 1)]:
        yield "bot/README.md: the invariants are not numbered in order"
    for top in ("bot", "tests"):
        for file in sorted((root / top).rglob("*")):
            if file.suffix not in (".c", ".h", ".py") or not file.is_file():
                continue
            for cited in re.findall(r"((?:I\d+(?:, | and ))*I\d+) of bot/README\.md", file.read_text(encoding="utf-8")):
                yield from (f"{file.relative_to(root)}: {number} is not in bot/README.md"
                            for number in re.findall(r"I\d+", cited) if number not in known)


def wrong_counts(root):
    """README.md says how many rows FAULTS.md has."""
    said = re.findall(r"\[(\d+) faults\]\(tests/e2e/FAULTS\.md\)", (root / "README.md").read_text(encoding="utf-8"))
    rows = root / "tests/e2e/FAULTS.md"
    there = re.findall(r"(?m)^(\d+) faults", rows.read_text(encoding="utf-8")) if said else []
    if said != there:
        yield f"README.md: {' '.join(said)} faults, but FAULTS.md has {' '.join(there)}"


def faults(root):
    for page in pages(root):
        yield from broken_links(page, root)
    yield from wrong_invariants(root)
    yield from wrong_counts(root)
    lines = (root / "README.md").read_text(encoding="utf-8").count("\n")
    if lines > README_LINES:
        yield f"README.md: {lines} lines, at most {README_LINES}"
    scripts = root / "scripts"
    if scripts.is_dir():
        named = set(re.findall(r"(?m)^\| `([\w-]+)` \|", (scripts / "README.md").read_text(encoding="utf-8")))
        there = {entry.name for entry in scripts.iterdir() if entry.name != "README.md"}
        yield from (f"scripts/README.md: {name}: has no line" for name in sorted(there - named))
        yield from (f"scripts/README.md: {name}: there is no such script" for name in sorted(named - there))


def main():
    found = list(faults(pathlib.Path(sys.argv[1]).resolve()))
    for fault in found:
        print(fault)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
