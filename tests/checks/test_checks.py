# SPDX-License-Identifier: GPL-3.0-or-later
"""The checks themselves find what they are there to find."""
import pathlib
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).parent
LICENCE = "/* SPDX-License-Identifier: GPL-3.0-or-later */\n"


def run(check, files, *arguments):
    """Exit status and output of a check over a tree of {path: text}."""
    with tempfile.TemporaryDirectory() as root:
        for path, text in files.items():
            file = pathlib.Path(root, path)
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding="utf-8")
        done = subprocess.run([sys.executable, HERE / check, *arguments, root], capture_output=True, text=True)
        return done.returncode, done.stdout


class Layers(unittest.TestCase):
    def check(self, path, header, ok):
        status, out = run("layers.py", {path: f'#include "{header}"\n'})
        self.assertEqual(status, 0 if ok else 1, out)

    def test_search_may_use_core(self):
        self.check("engine/search/a.c", "engine/core/move.h", True)

    def test_core_may_not_use_search(self):
        self.check("engine/core/a.c", "engine/search/engine.h", False)

    def test_engine_may_not_use_bot(self):
        self.check("engine/uci/a.c", "bot/config/config.h", False)

    def test_bot_may_use_the_front_door_only(self):
        self.check("bot/game/a.c", "engine/search/engine.h", True)
        self.check("bot/game/a.c", "engine/search/tt.h", False)

    def test_pure_modules_see_no_loop(self):
        self.check("bot/game/game.c", "uv.h", False)
        self.check("bot/game/session.c", "uv.h", True)

    def test_only_the_top_sees_the_daemon(self):
        self.check("bot/cmd_run.c", "bot/daemon.h", True)
        self.check("bot/game/session.c", "bot/daemon.h", False)


class Banned(unittest.TestCase):
    def test_calls_are_found_with_their_line(self):
        status, out = run("banned.py", {"engine/a.c": LICENCE + "void f(void);\nint x = atoi(s);\n"})
        self.assertEqual(status, 1)
        self.assertIn("engine/a.c:3: atoi()", out)

    def test_comments_and_texts_do_not_count(self):
        status, out = run("banned.py", {"bot/a.c": LICENCE + '/* atoi(x) */ char *s = "rand()"; my_atoi(x);\n'})
        self.assertEqual(status, 0, out)

    def test_a_missing_licence_line_is_found(self):
        self.assertEqual(run("banned.py", {"bot/a.c": "int x;\n"})[0], 1)


class Globals(unittest.TestCase):
    def check(self, source):
        with tempfile.TemporaryDirectory() as folder:
            c = pathlib.Path(folder, "a.c")
            c.write_text(source, encoding="utf-8")
            subprocess.run(["cc", "-fPIC", "-c", c, "-o", f"{folder}/a.o"], check=True)
            subprocess.run(["ar", "rc", f"{folder}/liba.a", f"{folder}/a.o"], check=True)
            return subprocess.run([sys.executable, HERE / "globals.py", "readelf", f"{folder}/liba.a"],
                                  capture_output=True, text=True).returncode

    def test_constants_are_fine(self):
        self.assertEqual(self.check('const int a[3] = {1}; const char *const t[] = {"x"}; int f(void) { return a[0]; }'), 0)

    def test_a_static_local_is_found(self):
        self.assertEqual(self.check("int f(void) { static int n; return n++; }"), 1)

    def test_a_thread_local_is_found(self):
        self.assertEqual(self.check("_Thread_local int n; int f(void) { return n++; }"), 1)


if __name__ == "__main__":
    unittest.main()
