#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The shells' own completion of castled's command line, from the scripts in config/completion.

Usage: test_completion.py FOLDER SHELL    exits 77 where there is no such shell
"""
import os
import pty
import re
import select
import shutil
import subprocess
import sys
import tempfile
import time

# A command line up to the cursor, what must be offered, what must not. "~" is the folder of the test.
CASES = (
    ("castled ", {"run", "check", "init", "resign", "log-level", "tournament"}, {"rated"}),
    ("castled re", {"resume", "reload", "resign", "report"}, {"run"}),
    ("castled --config ~/one.conf dr", {"drain", "draw"}, {"run"}),
    ("castled --instance alba dr", {"drain", "draw"}, {"run"}),
    ("castled --instance alba games --speed ", {"bullet", "blitz"}, {"standard"}),
    ("castled --in", {"--instance"}, {"init"}),
    ("castled stats --by ", {"all", "opponent", "opening", "losses"}, {"run"}),
    ("castled stats --format ", {"table", "csv", "json"}, {"run"}),
    ("castled stats --js", {"--json"}, {"run"}),
    ("castled why ", {"latest"}, {"run"}),
    ("castled watch ", {"latest"}, {"run"}),
    ("castled check --s", {"--show"}, {"--help"}),
    ("castled games --", {"--opponent", "--humans", "--bots", "--json", "--since", "--until"}, {"--by"}),
    ("castled games --speed ", {"bullet", "blitz", "rapid"}, {"standard"}),
    ("castled pgn --variant ", {"standard", "chess960", "atomic"}, {"blitz"}),
    ("castled log-level ", {"error", "warning", "info", "debug"}, {"run"}),
    ("castled challenge maia1 3+2 ", {"rated", "casual", "white", "black", "chess960"}, {"run"}),
    ("castled tournament ", {"join", "leave"}, {"run"}),
    ("castled resign ", {"latest"}, {"run"}),
    ("castled login --token-file ~/one", {"one.conf", "one.json"}, {"two"}),
    ("castled explain ~/one", {"one.conf", "one.json"}, {"two"}),
    ("castled --config ~/one", {"one.conf", "one.json"}, {"two"}),
)

BASH = r"""
source "$1"; COMP_LINE=$2; COMP_POINT=${#COMP_LINE}
read -r -a COMP_WORDS <<< "$COMP_LINE"
[[ $COMP_LINE == *' ' ]] && COMP_WORDS+=('')
COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
_castled castled && printf '%s\n' "${COMPREPLY[@]}"
"""


def bash(folder, line):
    done = subprocess.run(["bash", "--norc", "-c", BASH, "bash", f"{folder}/castled.bash", line],
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=60, check=False)
    assert done.stderr == "", done.stderr
    return done.stdout


def fish(folder, line):
    done = subprocess.run(["fish", "--no-config", "-c", 'source $argv[1]; complete -C "$argv[2]"',
                           f"{folder}/castled.fish", line],
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=60, check=False)
    assert done.stderr == "", done.stderr
    return re.sub(r"(?m)\t.*", "", done.stdout)


ZSHRC = """
PROMPT='READY> '
zstyle ':completion:*' menu no
fpath=(%s $fpath)
autoload -Uz compinit
compinit -u -D
bindkey '^T' list-choices
setopt no_auto_menu
unsetopt list_types zle_bracketed_paste 2>/dev/null
LISTMAX=9999
"""


def read_until(terminal, mark, seconds=30):
    """What a program wrote, up to the mark or its end."""
    shown, end = b"", time.monotonic() + seconds
    while mark not in shown and time.monotonic() < end:
        if select.select([terminal], [], [], 0.1)[0]:
            try:
                shown += os.read(terminal, 65536)
            except OSError:
                break
    return shown.decode(errors="replace")


def zsh(folder, line):
    """zsh completes at its own prompt only: in a terminal, by a key."""
    with tempfile.TemporaryDirectory(prefix="castled-zsh-") as home:
        with open(os.path.join(home, ".zshrc"), "w", encoding="utf-8") as file:
            file.write(ZSHRC % folder)
        process, terminal = pty.fork()
        if process == 0:
            os.environ.update(TERM="dumb", ZDOTDIR=home, HOME=home)
            os.execvp("zsh", ["zsh", "-d", "-i"])
        try:
            read_until(terminal, b"READY> ")
            os.write(terminal, line.encode() + b"\x14" + b"\x15" + b"print DONE''DONE; exit\n")
            shown = read_until(terminal, b"DONEDONE")
        finally:
            os.close(terminal)
            os.waitpid(process, 0)
    shown = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]|[\x07\r]", "", shown)
    return shown.partition("\n")[2].partition("READY>")[0]


def faults(shell, folder):
    with tempfile.TemporaryDirectory(prefix="castled-completion-") as files:
        for name in ("one.conf", "one.json", "two"):
            open(os.path.join(files, name), "w", encoding="utf-8").close()
        for line, wanted, unwanted in CASES:
            line = line.replace("~", files)
            offered = {os.path.basename(word) for word in shell(folder, line).split()}
            if not wanted <= offered or unwanted & offered:
                yield f"{line!r}: offered {sorted(offered)}, lacks {sorted(wanted - offered)}"


def main():
    folder, name = os.path.abspath(sys.argv[1]), sys.argv[2]
    if shutil.which(name) is None:
        print(f"{name} is not installed: its completion was not tried")
        return 77
    found = list(faults({"bash": bash, "zsh": zsh, "fish": fish}[name], folder))
    print("\n".join(found) or f"{name}: {len(CASES)} command lines completed")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
