# SPDX-License-Identifier: GPL-3.0-or-later
"""Installs the documents into an empty folder: the operator's pages are there, and each of their links leads somewhere.

Usage: documents.py CMAKE BUILD. Prints each fault, exits 1 if there is one.
"""
import pathlib
import re
import subprocess
import sys
import tempfile

PAGES = ("README.md", "config/README.md", "config/LOG.md", "config/castled.conf.example", "systemd/README.md",
         "config/prometheus/prometheus.yml", "config/prometheus/castled.rules.yml", "config/grafana/castled.json",
         "config/examples/bullet.conf")


def faults(folder: pathlib.Path) -> list[str]:
    found = [f"{page} is not installed" for page in PAGES if not (folder / page).is_file()]
    for page in folder.rglob("*.md"):
        for target in re.findall(r"\]\(([^)\s]+)\)", page.read_text(encoding="utf-8")):
            if ":" not in target and not (page.parent / (target.partition("#")[0] or page.name)).exists():
                found.append(f"{page.relative_to(folder)} leads to {target}, which is not installed")
    return found


def main() -> int:
    cmake, build = sys.argv[1:]
    with tempfile.TemporaryDirectory() as prefix:
        subprocess.run([cmake, "--install", build, "--prefix", prefix, "--component", "documents"], check=True,
                       stdout=subprocess.DEVNULL)
        found = faults(pathlib.Path(prefix, "share/doc/castled"))
    for fault in found:
        print(fault)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
