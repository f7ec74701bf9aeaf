# SPDX-License-Identifier: GPL-3.0-or-later
"""castled init: a first configuration by questions and answers. castled check --show: what holds."""
import os
import pty
import re
import subprocess
import tempfile
import unittest

from . import etc
from .harness import EX_CONFIG, EX_OK, EX_USAGE, PROGRAM, TOKEN

EX_NOT_DONE = 1
ANSWERS = "\n".join(("", "1800", "4", "blitz, rapid", "casual", "human", "yes", "3+2, 10+5", "8080", ""))


class InitTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="castled-init-")
        self.addCleanup(folder.cleanup)
        self.directory = folder.name
        self.path = os.path.join(self.directory, "new", "castled.conf")

    def castled(self, *words: str, answers: str = "", path: str = "", **more: str) -> tuple[int, str]:
        environment = {"PATH": os.environ["PATH"], "HOME": self.directory, **more}
        done = subprocess.run([PROGRAM, *words, "--config", path or self.path], input=answers, text=True,
                              env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              timeout=60, check=False)
        return done.returncode, done.stdout

    def show(self, path: str = "", **more: str) -> str:
        status, output = self.castled("check", "--show", path=path, **more)
        self.assertEqual(status, EX_OK, output)
        return output

    def written(self) -> str:
        with open(self.path) as file:
            return file.read()

    def write(self, text: str) -> None:
        os.makedirs(os.path.dirname(self.path), exist_ok=True)
        with open(self.path, "w") as file:
            file.write(text)

    def test_answers_from_a_pipe_become_a_file_that_holds(self):
        status, output = self.castled("init", answers=ANSWERS)
        self.assertEqual(status, EX_OK, output)
        shown = self.show()
        for value in (f"token_file = {self.directory}/new/token", "elo = 1800", "concurrency = 4",
                      "speeds = blitz, rapid", "modes = casual", "opponents = human", "play = yes",
                      "clocks = 3+2, 10+5", "http = 8080"):
            self.assertRegex(shown, rf"(?m)^{re.escape(value)} +; {re.escape(self.path)}:\d+$")
        self.assertRegex(self.written(), r"(?m)^# .*\(0\.\.2800 or opponent.*\)\nelo = 1800$")
        self.assertEqual(os.stat(self.path).st_mode & 0o777, 0o644)
        for command in ("login", "upgrade", "check", "run"):
            self.assertIn(f"castled --config {self.path} {command} ", output)
        status, output = self.castled("check")  # without a token
        self.assertRegex(output, "(?m)^ok +configuration ")

    @unittest.skipUnless(etc.is_possible(), "no namespaces for users here")
    def test_a_unit_gets_the_files_that_it_looks_for(self):
        folder = etc.make(self.directory)
        for words, file, token, sudo in (((), "castled.conf", "token", ""),
                                         (("--instance", "be-rta"), "be-rta.conf", "be-rta.token", "sudo "),
                                         (("--config", "/etc/castled/c.conf"), "c.conf", "c.token", "sudo ")):
            command = etc.entered(self.directory, PROGRAM, *words, "init")
            environment = {"PATH": os.environ["PATH"], **({"SUDO_UID": "1000"} if sudo else {})}
            done = subprocess.run(command, input="", text=True, env=environment, stdout=subprocess.PIPE,
                                  stderr=subprocess.STDOUT, timeout=60, check=False)
            self.assertEqual(done.returncode, EX_OK, done.stdout)
            with open(os.path.join(folder, file)) as written:
                self.assertIn(f"\ntoken_file = /etc/castled/{token}\n", written.read())
            option = "" if file == "castled.conf" else f"--instance {file[:-5]} "
            unit = "castled" if file == "castled.conf" else f"castled@{file[:-5]}"
            for line in (f"castled {option}login ", f"castled {option}check ",
                         f"systemctl enable --now {unit} "):
                self.assertIn(f"\n  {sudo}{line}", done.stdout)
            self.assertNotIn("run", done.stdout)

    def test_without_answers_the_defaults_hold(self):
        self.assertEqual(self.castled("init", answers="")[0], EX_OK)
        shown = self.show()
        self.assertRegex(shown, r"(?m)^speeds = bullet, blitz, rapid, classical +; .*:\d+$")
        self.assertRegex(shown, r"(?m)^play = no +; .*:\d+$")
        self.assertNotIn("\nclocks", self.written())  # asked of those who seek only

    def test_an_engine_of_the_operators_is_asked_for_and_found(self):
        folder = os.path.join(self.directory, "bin")
        os.mkdir(folder)
        for name in "stockfish", "own":
            with open(os.path.join(folder, name), "w", opener=lambda *a: os.open(*a, 0o755)) as file:
                file.write("#!/bin/sh\n")
        here = {"PATH": folder}
        status, output = self.castled("init", answers="\n" * 8 + f"{folder}/own --uci\n", **here)
        self.assertEqual(status, EX_OK, output)
        self.assertIn(f"UCI engines on this machine: {folder}/stockfish", output)
        self.assertRegex(self.written(), rf"(?m)^\[engine.external mine\]\n# .*\ncommand = {folder}/own --uci$")
        os.remove(self.path)
        status, output = self.castled("init", answers="\n" * 8 + "/nonesuch\n", **here)
        self.assertEqual(status, EX_USAGE, output)
        self.assertIn("the engine's command: /nonesuch: not found", output)
        self.assertFalse(os.path.exists(self.path))
        status, output = self.castled("init", answers="\n1500\n", **here)  # who wants less plays without one
        self.assertEqual(status, EX_OK, output)
        self.assertNotIn("UCI engine", output)

    def test_a_wrong_answer_is_named_and_nothing_is_written(self):
        for answers, why in (("\n99999", "engine.elo = 99999: not within 0..2800"),
                             ("\n\n\nblits", 'did you mean "blitz"'),
                             ("/tmp/a ;b", "begins a comment"),
                             ("x" * 5000, "longer than"),
                             ("\n\n\n\n\n\nyes\n3+99", "3+99")):
            status, output = self.castled("init", answers=answers)
            self.assertEqual(status, EX_USAGE, output)
            self.assertIn(why, output)
            self.assertFalse(os.path.exists(self.path))

    def test_a_file_that_is_there_is_overwritten_only_with_consent(self):
        self.write("[games]\nconcurrency = 7\n")
        for answers in ("", "y\n", "no\n"):
            status, output = self.castled("init", answers=answers)
            self.assertEqual(status, EX_NOT_DONE, output)
            self.assertIn("stays as it was", output)
            self.assertEqual(self.written(), "[games]\nconcurrency = 7\n")
        self.assertEqual(self.castled("init", answers="yes\n")[0], EX_OK)
        self.assertIn("concurrency = 1\n", self.written())

    def on_a_terminal(self, typed: bytes) -> tuple[int, str]:
        """What `castled init` ends with and shows, when this is typed."""
        ours, theirs = pty.openpty()
        with subprocess.Popen([PROGRAM, "init", "--config", self.path], stdin=theirs, stdout=theirs,
                              stderr=theirs, env={"HOME": self.directory}) as process:
            os.close(theirs)
            os.write(ours, typed)
            shown = ""
            try:
                while part := os.read(ours, 4096):
                    shown += part.decode()
            except OSError:
                pass  # it has ended
            status = process.wait(30)
        os.close(ours)
        return status, shown

    def test_on_a_terminal_a_wrong_answer_is_asked_again(self):
        status, shown = self.on_a_terminal(b"\n9999\n1500\n\n\n\n\n\n\n")
        self.assertEqual(status, EX_OK, shown)
        self.assertIn("not within 0..2800", shown)
        self.assertIn("elo = 1500\n", self.written())

    def test_on_a_terminal_ctrl_d_is_no_yes(self):
        for typed in (b"\x04", b"\n1500\n\x04"):
            status, shown = self.on_a_terminal(typed)
            self.assertEqual(status, EX_NOT_DONE, shown)
            self.assertIn("nothing was written", shown)
            self.assertFalse(os.path.exists(self.path))

    def test_what_people_say_is_understood(self):
        answers = "\n".join(("", "0", "2", "blitz", "both", "both", "y", "3+2", "on", ""))
        status, output = self.castled("init", answers=answers)
        self.assertEqual(status, EX_OK, output)
        for line in ("modes = casual, rated", "opponents = human, bot", "play = yes", "http = 8080"):
            self.assertIn(f"\n{line}\n", self.written())

    def test_what_cannot_be_meant_is_asked_again(self):
        for answers, why in (("\n100", "engine.elo = 100: neither 0 nor within 600..2800"),
                             (self.directory, "is a folder"),
                             ("\n\n\n\n\n\nno\nperhaps", "neither off, nor PORT, nor IP:PORT")):
            status, output = self.castled("init", answers=answers)
            self.assertEqual(status, EX_USAGE, output)
            self.assertIn(why, output)

    @unittest.skipUnless(etc.is_possible(), "no namespaces for users here")
    def test_a_token_file_that_the_unit_does_not_read_is_refused(self):
        etc.make(self.directory)
        done = subprocess.run(etc.entered(self.directory, PROGRAM, "init"), input="/etc/castled/mytoken\n", text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=60, check=False)
        self.assertEqual(done.returncode, EX_USAGE, done.stdout)
        self.assertIn("castled.service takes the token from /etc/castled/token", done.stdout)

    def test_a_place_that_cannot_be_written_is_named(self):
        self.write("")
        status, output = self.castled("init", path=os.path.join(self.path, "below", "castled.conf"))
        self.assertEqual(status, EX_CONFIG, output)
        self.assertIn("below/castled.conf: cannot be written: Not a directory", output)

    def test_show_tells_where_each_value_comes_from(self):
        self.write(f"""[account]
token_file = {self.directory}/token
[challenge]
block = ann
block = bob
[tournaments]
join = AbCd1234 password=s3cret
[engine.external sf]
command = stockfish -x
option.Threads = 2
[matchmaking.fast]
clocks = 1+0
[rule beginners]
when.kind = human
when.rating = ..1400
engine.elo = 1400
""")
        shown = self.show(CASTLED_TOKEN=TOKEN, STATE_DIRECTORY="/var/lib/castled",
                          RUNTIME_DIRECTORY="/run/castled")
        self.assertNotIn(TOKEN, shown)
        self.assertNotIn("s3cret", shown)
        place = re.escape(self.path)
        for line in ("# The token: CASTLED_TOKEN", rf"token_file = {self.directory}/token +; {place}:2",
                     "url = https://lichess.org +; default", rf"block = ann, bob +; {place}:5",
                     rf"join = AbCd1234 password=\*\*\* +; {place}:7",
                     rf"command = stockfish -x +; {place}:9", rf"option.Threads = 2 +; {place}:10",
                     "ponder = no +; default", rf"clocks = 1\+0 +; {place}:12",
                     r"clocks = 3\+2, 5\+3 +; default; changed by \[matchmaking.fast\]",
                     r"elo = 0 +; default; changed by \[rule beginners\]",
                     rf"when.kind = human +; {place}:14", rf"when.rating = 0..1400 +; {place}:15",
                     rf"engine.elo = 1400 +; {place}:16", "#syzygy = +; default",
                     "file = games.sqlite +; default; here /var/lib/castled/games.sqlite",
                     "#socket = +; default; here /run/castled/castled.sock"):
            self.assertRegex(shown, f"(?m)^{line}$")

    def test_what_is_shown_can_be_read_again(self):
        self.write("[games]\nconcurrency = 3\n[rule a]\nwhen.rated = yes\nbook.use = no\n"
                   "[engine.external sf]\ncommand = stockfish\n")
        first = self.show()
        self.write(first)
        values = [re.sub(" +;.*", "", line) for line in first.splitlines()[2:]]
        self.assertEqual(values, [re.sub(" +;.*", "", line) for line in self.show().splitlines()[2:]])

    def test_show_of_a_file_with_mistakes_says_them(self):
        self.write("[games]\nconcurency = 3\n")
        status, output = self.castled("check", "--show")
        self.assertEqual(status, EX_CONFIG, output)
        self.assertIn("castled.conf:2: ", output)
        self.assertEqual(self.castled("check", "--shw")[0], EX_USAGE)


if __name__ == "__main__":
    unittest.main()
