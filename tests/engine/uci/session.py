# SPDX-License-Identifier: GPL-3.0-or-later
"""Drives the real castled-uci: normal sessions, hostile ones, and the bench signature.

usage: session.py PATH_TO_CASTLED_UCI BENCH_FILE
"""
import os
import pathlib
import queue
import shutil
import subprocess
import sys
import tempfile
import threading
import time
import unittest

PROGRAM = ""
BENCH_FILE = ""
PATIENCE_S = 120


class Engine:
    """A running castled-uci."""

    def __init__(self):
        self.process = subprocess.Popen([PROGRAM], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.lines = queue.Queue()
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self):
        for line in self.process.stdout:
            self.lines.put(line.decode("utf-8", "replace").rstrip("\n"))
        self.lines.put(None)

    def send(self, text):
        self.send_bytes(text.encode() + b"\n")

    def send_bytes(self, data):
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def expect(self, start):
        """Lines up to and with the first that begins so."""
        seen = []
        while True:
            line = self.lines.get(timeout=PATIENCE_S)
            if line is None:
                raise AssertionError(f"the program ended before {start!r}; last: {seen[-3:]}")
            seen.append(line)
            if line.startswith(start):
                return seen

    def end(self):
        """Closes the input and returns the exit status."""
        self.process.stdin.close()
        status = self.process.wait(PATIENCE_S)
        self.process.stdout.close()
        return status


class Session(unittest.TestCase):
    def setUp(self):
        self.engine = Engine()

    def tearDown(self):
        if self.engine.process.poll() is None:
            self.engine.process.kill()
            self.engine.process.wait()
        for stream in (self.engine.process.stdin, self.engine.process.stdout):
            try:
                stream.close()
            except BrokenPipeError:
                pass

    def test_handshake_and_a_game(self):
        e = self.engine
        e.send("uci")
        options = e.expect("uciok")
        for name in ("Hash", "Threads", "MultiPV", "Move Overhead", "UCI_Chess960", "Clear Hash", "Ponder"):
            self.assertTrue(any(line.startswith(f"option name {name} type") for line in options), name)
        e.send("isready")
        e.expect("readyok")
        e.send("ucinewgame")
        moves = []
        for _ in range(20):
            e.send("position startpos" + (" moves " + " ".join(moves) if moves else ""))
            e.send("go wtime 2000 btime 2000 winc 20 binc 20")
            move = e.expect("bestmove")[-1].split()[1]
            self.assertNotEqual(move, "0000")
            moves.append(move)
        e.send("quit")
        self.assertEqual(e.process.wait(PATIENCE_S), 0)

    def test_quit_in_a_search(self):
        self.engine.send("go infinite")
        self.engine.send("quit")
        self.engine.expect("bestmove")
        self.assertEqual(self.engine.process.wait(PATIENCE_S), 0)

    def test_end_of_input_is_quit(self):
        self.engine.send("go infinite")
        self.assertEqual(self.engine.end(), 0)

    def test_last_line_without_newline_is_obeyed(self):
        self.engine.send_bytes(b"isready")
        self.engine.process.stdin.close()
        self.engine.expect("readyok")

    def test_pieces_of_lines_are_put_together(self):
        for piece in (b"isr", b"ea", b"dy\nisready\r\nis", b"ready\n"):
            self.engine.send_bytes(piece)
            time.sleep(0.02)
        for _ in range(3):
            self.engine.expect("readyok")

    def test_garbage_gets_an_error_and_the_program_lives(self):
        e = self.engine
        hostile = [
            b"\x00\x00\x00", b"\xff\xfe\xfd go", b"go depth \x00 5", b"position fen " + b"/" * 200,
            b"position startpos moves " + b"e2e4 " * 500, b"setoption name " + b"A" * 5000,
            b"go " + b"depth 1 " * 300 + b"bogus", b"GO DEPTH 1", b"%s%n%x%d", b"position",
            b"setoption", b"go searchmoves", b"go wtime -99999999999999999999",
        ]
        for line in hostile:
            e.send_bytes(line + b"\n")
            error = e.expect("info string error: ")[-1]
            self.assertLess(len(error), 700)
            e.send("stop")
            e.send("isready")
            e.expect("readyok")

    def test_absurdly_long_lines_are_refused(self):
        e = self.engine
        writer = threading.Thread(target=lambda: e.send_bytes(b"x" * (5 << 20) + b"\nisready\n"))
        writer.start()
        e.expect("info string error: the line is too long")
        self.assertEqual(len(e.expect("readyok")), 1)
        writer.join()

    def test_long_games_are_read(self):
        e = self.engine
        shuffle = "g1f3 g8f6 f3g1 f6g8 "
        e.send("position startpos moves " + shuffle * 2000)
        e.send("go depth 2")
        e.expect("bestmove")

    def test_a_policy_needs_a_network(self):
        for args, status, text in (([], 64, "usage: castled-uci policy NETWORK"), (["/none"], 1, "/none: cannot be opened"),
                                   ([PROGRAM], 1, "not packed by gzip")):
            done = subprocess.run([PROGRAM, "policy", *args], stdin=subprocess.DEVNULL, capture_output=True, text=True,
                                  timeout=PATIENCE_S)
            self.assertEqual((done.returncode, done.stdout), (status, ""))
            self.assertIn(text, done.stderr)

    def test_of_a_folder_the_network_for_the_rating_is_loaded(self):
        own = next((pathlib.Path(__file__).resolve().parents[3] / "engine/nets").glob("*.people"))
        with tempfile.TemporaryDirectory() as folder:
            shutil.copy(own, os.path.join(folder, "ours-1100.pb"))
            with open(os.path.join(folder, "broken-1900.pb"), "w", encoding="ascii") as file:
                file.write("no network")
            self.engine.send("setoption name UCI_LimitStrength value true")
            self.engine.send("setoption name UCI_Elo value 1200")
            self.engine.send(f"setoption name HumanFile value {folder}")
            self.engine.send("isready")
            self.assertNotIn("error", " ".join(self.engine.expect("readyok")))
            self.engine.send("setoption name UCI_Elo value 2000")
            self.engine.send("isready")
            self.assertIn(f"setoption HumanFile: {folder}/broken-1900.pb: ", " ".join(self.engine.expect("readyok")))

    def test_commands_run_from_the_shell(self):
        def run(*args):
            done = subprocess.run([PROGRAM, *args], capture_output=True, text=True, timeout=PATIENCE_S)
            return done.returncode, done.stdout, done.stderr

        self.assertEqual(run("perft", "3")[:2], (0, "Nodes searched: 8902\n"))
        status, _, err = run("fly")
        self.assertEqual(status, 64)
        self.assertIn("usage:", err)
        self.assertEqual(run("bench", "deep")[0], 64)
        self.assertEqual(run("bench", "5", "/none", "5")[0], 64)
        self.assertEqual(run("selftest", "/none", "5")[0], 64)
        status, _, err = run("selftest", "/none")
        self.assertEqual(status, 1)
        self.assertIn("/none", err)


class Bench(unittest.TestCase):
    def test_signature_is_the_one_written_down(self):
        with open(BENCH_FILE, encoding="ascii") as f:
            wanted = f.read().strip()
        done = subprocess.run([PROGRAM, "bench"], capture_output=True, text=True, timeout=900)
        words = done.stdout.split()
        self.assertEqual(words[1::2], ["nodes", "nps"])
        self.assertEqual(words[0], wanted, f"{os.path.basename(BENCH_FILE)} says otherwise")


if __name__ == "__main__":
    PROGRAM, BENCH_FILE = sys.argv[1:3]
    unittest.main(argv=sys.argv[:1] + sys.argv[3:])
