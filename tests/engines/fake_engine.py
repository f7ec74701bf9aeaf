#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""A UCI engine for tests, with faults on demand.

    fake_engine.py [--backend PROGRAM] [--fault KIND] [--at N] [--children] [--peek FILE]
                   [--order SOCKET WORDS] [--option NAME] [--answers FILE] [MOVE …]

Without faults it plays the moves given, one for each "go", the last one again and again; with a
backend it hands everything on to that engine, answers included; with answers it has them by the list of
moves so far ({"e2e4 e7e5": ["g1f3", 20]}, with a score in centipawns), and none for others. From the Nth "go" of its life on
(default: the first) it does what FAULTS says. --children: has a child in a session of its own, as
daemons have, with the path of the log among its words.
"""
from __future__ import annotations

import argparse
import contextlib
import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time

FAULTS = {
    "crash": "exits",
    "kill": "is killed",
    "stop": "is stopped by a signal",
    "hang": "hears and says nothing more",
    "deaf": "finds no best move, whatever it is told, but says readyok",
    "garbage": "writes what is no text, and no best move",
    "flood": "writes lines without end",
    "endless": "writes a line without end",
    "illegal": "plays an illegal move",
    "null": "plays the null move",
    "none": "says that there is no move",
    "nonsense": "plays what is no move at all",
    "bare": "says bestmove and nothing else",
    "twice": "says each best move twice",
    "mute": "never says uciok",
    "quit": "ends as soon as it has started",
    "unready": "never says readyok",
    "nap": "thinks for 1.5 s, then for 4 s in which it hears nothing",
    "wither": "answers ever later, and exits at the fourth time",
    "complain": "writes to standard error",
}


class Engine:
    def __init__(self, wanted: argparse.Namespace):
        self.option, self.order, self.cycle = wanted.option, wanted.order, wanted.cycle
        self.fault, self.at, self.moves = wanted.fault, wanted.at, wanted.moves or ["e2e4"]
        self.goes, self.played = 0, ""
        self.answers = json.load(open(wanted.answers, encoding="utf-8")) if wanted.answers else None
        self.is_silent = self.is_deaf = False
        self.lock = threading.Lock()
        self.backend = None
        if wanted.backend:
            self.backend = subprocess.Popen([wanted.backend], stdin=subprocess.PIPE,
                                            stdout=subprocess.PIPE)
            threading.Thread(target=self.forward, daemon=True).start()
        if wanted.children:
            subprocess.Popen(["sh", "-c", "sleep 600; exit", "child", str(wanted.log)],
                             start_new_session=True)

    def say(self, text: str) -> None:
        self.write(text.encode() + b"\n")

    def write(self, text: bytes) -> None:
        with self.lock:
            if not self.is_silent:
                os.write(1, text)

    def forward(self) -> None:
        for line in self.backend.stdout:
            is_best = line.startswith(b"bestmove")
            if self.is_deaf and is_best:
                continue
            self.write(line)
            if is_best and self.fault == "twice":
                self.write(line)

    def go_wrong(self) -> bool:
        """True if this "go" gets no usual answer."""
        replies = {"illegal": "bestmove e1e5", "null": "bestmove 0000", "none": "bestmove (none)",
                   "nonsense": "bestmove \x00\x01xyzzy ponder", "bare": "bestmove"}
        if self.fault in replies:
            self.say(replies[self.fault])
        elif self.fault == "crash":
            os._exit(3)
        elif self.fault == "kill":
            os.kill(os.getpid(), signal.SIGKILL)
        elif self.fault == "stop":
            os.kill(os.getpid(), signal.SIGSTOP)
        elif self.fault == "hang":
            self.is_silent = True
        elif self.fault == "deaf":
            self.is_deaf = True
        elif self.fault == "nap" and self.goes == self.at:
            threading.Timer(1.5, self.say, ["bestmove " + self.moves[0]]).start()
        elif self.fault == "nap":
            time.sleep(4)
            return False
        elif self.fault == "wither":
            time.sleep(0.1 * (self.goes - self.at + 1))
            if self.goes - self.at == 3:
                os._exit(4)
            return False
        elif self.fault == "garbage":
            self.is_deaf = True
            for size in (1, 100, 5000, 100000):
                self.write(os.urandom(size) + b"\nbestmove\nbestmove e2\ninfo score cp\n")
        elif self.fault == "flood":
            while True:
                self.write(b"info string and another one\n" * 1000)
        elif self.fault == "endless":
            while True:
                self.write(b"info string and so on " * 1000)
        elif self.fault == "complain":
            os.write(2, b"a line of complaint\nanother \x1b[31mred\x00 one\n")
            return False
        else:
            return False
        return True

    def give_order(self, path: str, words: str) -> None:
        with socket.socket(socket.AF_UNIX) as castled:
            castled.connect(path)
            with contextlib.suppress(BrokenPipeError):  # who is refused may hear it at once
                castled.sendall(words.encode() + b"\n")
            answer = castled.makefile().readline()
        print("ordered:", answer, file=sys.stderr, flush=True)

    def go(self, line: str) -> None:
        self.goes += 1
        if self.order:
            self.give_order(*self.order)
        if self.goes >= self.at and self.go_wrong():
            return
        if self.backend:
            self.tell_backend(line)
            return
        if self.answers is not None:
            if self.played in self.answers:
                self.answer(*self.answers[self.played])
            return
        last = (self.goes - 1) % len(self.moves) if self.cycle else min(self.goes, len(self.moves)) - 1
        move = self.moves[last]
        self.answer(move, 31, " e7e5")
        if self.fault == "twice":
            self.say(f"bestmove {move}")

    def answer(self, move: str, score_cp: int, then: str = "") -> None:
        self.say(f"info depth 7 seldepth 9 score cp {score_cp} nodes 4242 time 12 pv {move}{then}")
        self.say(f"bestmove {move}")

    def tell_backend(self, line: str) -> None:
        self.backend.stdin.write(line.encode() + b"\n")
        self.backend.stdin.flush()

    def hear(self, line: str) -> None:
        word = line.split()[0] if line.split() else ""
        if self.fault == "mute" or (self.fault == "unready" and word == "isready"):
            return
        if word == "position":
            self.played = line.partition(" moves ")[2]
        if word == "go":
            self.go(line)
        elif self.backend:
            if word == "uci" and self.option:
                self.say("option name " + self.option)
            self.tell_backend(line)
        elif word == "uci":
            self.say("id name Fake 1\nid author nobody\n"
                     "option name Hash type spin default 16 min 1 max 64\n"
                     "option name Style type combo default Solid var Solid var Risky\n"
                     "option name UCI_Chess960 type check default false")
            if self.option:
                self.say("option name " + self.option)
            self.say("uciok")
        elif word == "isready":
            self.say("readyok")


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--backend")
    parser.add_argument("--fault", choices=FAULTS)
    parser.add_argument("--at", type=int, default=1)
    parser.add_argument("--children", action="store_true")
    parser.add_argument("--peek", action="append", default=[], metavar="FILE",
                        help="says on standard error what it can read of FILE")
    parser.add_argument("--order", nargs=2, metavar=("SOCKET", "WORDS"),
                        help="says on standard error what castled answers to WORDS, at each go")
    parser.add_argument("--option", metavar="NAME", help="has this one besides the backend's")
    parser.add_argument("--answers", metavar="FILE", help="the moves that it finds, as JSON")
    parser.add_argument("--cycle", action="store_true", help="begins again after the last move")
    parser.add_argument("--log", help="a file for all that it hears")
    parser.add_argument("moves", nargs="*")
    wanted = parser.parse_args()
    engine = Engine(wanted)
    if wanted.fault == "quit":
        sys.exit(7)
    for path in wanted.peek:
        try:
            with open(path, "rb") as file:
                print(f"peeked {len(file.read())} bytes of {path}", file=sys.stderr, flush=True)
        except OSError as error:
            print(f"refused {path}: {error.strerror}", file=sys.stderr, flush=True)
    log = open(wanted.log, "a", encoding="utf-8") if wanted.log else None
    while True:
        line = sys.stdin.readline()
        if not line or line.strip() == "quit":
            break
        if log:
            log.write(line)
            log.flush()
        engine.hear(line.rstrip("\n"))
    if engine.backend:
        engine.backend.kill()
        engine.backend.wait()


if __name__ == "__main__":
    main()
