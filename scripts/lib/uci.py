# SPDX-License-Identifier: GPL-3.0-or-later
"""A UCI engine as a child process, for one thread: questions go in, lines come out."""
import re
import shlex
import shutil
import subprocess

LEGAL_MOVE = re.compile(r"([a-h][1-8][a-h][1-8][qrbnk]?|[PNBRQ]@[a-h][1-8]): 1$")
MATE_CP = 10000  # what a mate counts where a number is asked for
GAMES = "/usr/games"  # Debian installs games where root's PATH does not look


class EngineEnded(Exception):
    """The program ended, or could not be started."""


class Engine:
    """A running program; `options` are set once it has said what it offers. `command` is split as a shell does."""

    def __init__(self, command, options=None):
        words = shlex.split(str(command))
        program = shutil.which(words[0]) or shutil.which(words[0], path=GAMES)
        if not program:
            raise EngineEnded(f"no program {words[0]}")
        self.name = words[0]
        self._process = subprocess.Popen([program, *words[1:]], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                         stderr=subprocess.DEVNULL, text=True)
        self.offers = self.ask("uci", "uciok")
        for name, value in (options or {}).items():
            self.tell(f"setoption name {name} value {value}")
        self.ask("isready", "readyok")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def tell(self, *lines):
        try:
            self._process.stdin.write("".join(line + "\n" for line in lines))
            self._process.stdin.flush()
        except BrokenPipeError:
            raise EngineEnded(f"{self.name} ended") from None

    def wait(self, word):
        """The lines up to the one that begins with `word`, which is the last of them."""
        lines = []
        for line in self._process.stdout:
            lines.append(line.rstrip("\n"))
            if line.startswith(word):
                return lines
        raise EngineEnded(f"{self.name} ended before it said {word}")

    def ask(self, question, last):
        self.tell(question)
        return self.wait(last)

    def new_game(self):
        self.tell("ucinewgame")
        self.ask("isready", "readyok")

    def set_position(self, fen=None, moves=()):
        """Without a FEN the usual start, or that of the variant which is set."""
        self.tell(f"position {'fen ' + fen if fen else 'startpos'}" + (" moves " + " ".join(moves) if moves else ""))

    def go(self, limits):
        """The lines of a search, "bestmove" last."""
        return self.ask(f"go {limits}", "bestmove")

    def fen(self):
        """Of the position that is set."""
        self.tell("d")
        lines = self.ask("isready", "readyok")
        return next(line.partition(" ")[2].strip() for line in lines if line.lower().startswith("fen"))

    def legal_moves(self):
        """Of the position that is set, in UCI. Some engines count in a thread of its own: readyok would be too early."""
        return [found[1] for line in self.ask("go perft 1", "Nodes searched") if (found := LEGAL_MOVE.match(line))]

    def close(self):
        try:
            self.tell("quit")
        except EngineEnded:
            pass
        try:
            self._process.stdin.close()
        except BrokenPipeError:
            pass
        self._process.stdout.close()
        self._process.wait()


def best_move(lines):
    """The move of a search's last line; None where there is none."""
    move = lines[-1].split()[1]
    return None if move in ("(none)", "0000") else move


def field(lines, name):
    """The value of a field of the last "info" line that has it; None: no line has."""
    for line in reversed(lines):
        words = line.split()
        if words[:1] == ["info"] and name in words:
            return words[words.index(name) + 1]
    return None


def score(line, mate_cp=MATE_CP):
    """The mover's centipawns in an "info" line, a mate as ±mate_cp; None: it has no score."""
    words = line.split()
    if "score" not in words:
        return None
    kind, value = words[words.index("score") + 1:][:2]
    if kind == "cp":
        return int(value)
    return mate_cp if int(value) > 0 else -mate_cp


def last_score(lines, mate_cp=MATE_CP):
    """That of the last line which has one."""
    return next((cp for line in reversed(lines) if (cp := score(line, mate_cp)) is not None), None)
