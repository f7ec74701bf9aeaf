# SPDX-License-Identifier: GPL-3.0-or-later
"""Copies documents with their folders, to be installed; a link to a file that is not among them becomes its text.

Usage: documents.py SOURCE OUT FILE…, each FILE by its path in SOURCE.
"""
import pathlib
import posixpath
import re
import shutil
import sys

LINK = re.compile(r"(!?)\[((?:[^\[\]]|\[[^\]]*\])*)\]\(([^)\s]+)\)")


def with_links_to(text: str, folder: str, known: set[str]) -> str:
    """`text`, which lies in `folder`, linking to what is `known` and to the web."""
    def kept(link: re.Match) -> str:
        picture, words, target = link.groups()
        path = posixpath.normpath(posixpath.join(folder, target.partition("#")[0]))
        if ":" in target or target.startswith("#") or path in known:
            return link[0]
        return "" if picture else words
    return LINK.sub(kept, text)


def main() -> int:
    source, out = (pathlib.Path(word) for word in sys.argv[1:3])
    names = [posixpath.normpath(name) for name in sys.argv[3:]]
    known = set(names) | {posixpath.dirname(name) for name in names}
    shutil.rmtree(out, ignore_errors=True)
    for name in names:
        (out / name).parent.mkdir(parents=True, exist_ok=True)
        if name.endswith(".md"):
            text = (source / name).read_text(encoding="utf-8")
            (out / name).write_text(with_links_to(text, posixpath.dirname(name), known), encoding="utf-8")
        else:
            shutil.copyfile(source / name, out / name)
    return 0


if __name__ == "__main__":
    sys.exit(main())
