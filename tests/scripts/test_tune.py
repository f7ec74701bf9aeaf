#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""scripts/tune finds the best value of a parameter, and tells which parameters matter.

The engine and its duels are played by small scripts: `peak` is best at 30, `idle` changes nothing.
usage: test_tune.py SCRIPT
"""
import json
import pathlib
import re
import subprocess
import sys
import tempfile

UCI = """#!/bin/sh
while read -r line; do
    case $line in
    uci)
        echo "option name peak type spin default 60 min 0 max 100"
        echo "option name idle type spin default 50 min 0 max 100"
        echo "option name time_idle type spin default 40 min 0 max 100"
        echo "option name switch type spin default 0 min 0 max 1"
        echo uciok ;;
    isready) echo readyok ;;
    quit) exit ;;
    esac
done
"""

# The side that is nearer to 30 wins both games, else they are drawn.
DUEL = r"""#!/bin/sh
echo "$@" >"$0.arguments"
echo "$@" | awk '{ side = 0; for (i = 1; i <= NF; i++) { if ($i == "--") side = 1
    if (sub(/^peak=/, "", $i)) { d[side] = $i - 30; if (d[side] < 0) d[side] = -d[side] } }
    print (d[0] < d[1] ? "+2 =0 -0" : d[1] < d[0] ? "+0 =0 -2" : "+0 =2 -0") }'
"""


def row(output, name):
    """Elo of a step up against one down, its error, and the value now."""
    match = re.search(rf"^\| {name} \| .* \| ([+-]\d+) ± (\d+) \| ([\d.]+) \|$", output, re.MULTILINE)
    assert match, repr(output)
    return int(match[1]), int(match[2]), float(match[3])


def main():
    script = sys.argv[1]
    with tempfile.TemporaryDirectory() as folder:
        place = pathlib.Path(folder)
        (place / "bin").mkdir()
        for name, text in (("castled-uci", UCI), ("duel", DUEL)):
            (place / "bin" / name).write_text(text, encoding="utf-8")
            (place / "bin" / name).chmod(0o755)

        def tune(*words, state="tune.json"):
            return subprocess.run([sys.executable, script, "--build", folder, "--state", str(place / state), "--pairs", "1", *words],
                                  capture_output=True, text=True, timeout=100, check=False)

        nothing = tune("--show")
        assert nothing.returncode and "no " in nothing.stderr, nothing
        unknown = tune("peek")
        assert unknown.returncode and "peek" in unknown.stderr, unknown
        assert not (place / "tune.json").exists()

        # The values stay, but the games tell that 60 is too much of the one, and nothing of the other.
        asked = tune("--rate", "0", "--turns", "60", "--jobs", "2", state="asked.json")
        effect, error, value = row(asked.stdout, "peak")
        assert effect + error < 0 and value == 60, asked.stdout
        effect, error, value = row(asked.stdout, "idle")
        assert abs(effect) <= 2 * error and value == 50, asked.stdout
        assert "switch" not in asked.stdout and "time_idle" not in asked.stdout
        assert "60 turns, 120 games" in asked.stdout, asked.stdout
        shown = tune("--show", "--pairs", "9", state="asked.json")
        assert shown.stdout == asked.stdout, shown.stdout

        assert "--openings" in (place / "bin/duel.arguments").read_text(encoding="utf-8")
        tune("--variant", "atomic", "--turns", "2", "peak", state="atomic.json")
        arguments = (place / "bin/duel.arguments").read_text(encoding="utf-8")
        assert "--variant atomic" in arguments and "--openings" not in arguments, arguments

        # By clocks, time management alone is tuned.
        clocked = tune("--clock", "1000+10", "--nodes", "300", "--turns", "2", state="clock.json")
        assert row(clocked.stdout, "time_idle")[2] and "peak" not in clocked.stdout, clocked.stdout
        arguments = (place / "bin/duel.arguments").read_text(encoding="utf-8")
        assert "--clock 1000+10" in arguments and "--nodes 300" in arguments, arguments

        # Two runs of one schedule come to the peak.
        tune("--rate", "0.05", "--turns", "100", "peak=10")
        done = tune("--rate", "0.05", "--turns", "200", "peak=10")
        assert len(json.loads((place / "tune.json").read_text(encoding="utf-8"))["turns"]) == 200
        assert abs(row(done.stdout, "peak")[2] - 30) < 5, done.stdout

        # A duel that fails ends the run with what it said, and what was played is kept.
        (place / "bin" / "duel").write_text("#!/bin/sh\necho no openings >&2\nexit 1\n", encoding="utf-8")
        failed = tune("--turns", "300")
        assert failed.returncode and "no openings" in failed.stderr, failed
        assert len(json.loads((place / "tune.json").read_text(encoding="utf-8"))["turns"]) == 200


if __name__ == "__main__":
    main()
