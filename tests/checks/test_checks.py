# SPDX-License-Identifier: GPL-3.0-or-later
"""The checks themselves find what they are there to find."""
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

from hardening import faults
from unit import faults as unit_faults, of_one_bot

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


class Capabilities(unittest.TestCase):
    def check(self, claim, ok, wish="`test_book.c`"):
        table = ("# castled and others\n\n| what | castled | a | b |\n|---|---|---|---|\n"
                 f"| books | {claim} | yes | – |\n\n"
                 f"| wish | where | shown by |\n|---|---|---|\n| books | #1 | {wish} |\n")
        status, out = run("capabilities.py", {
            "tests/COMPARISON.md": table, "tests/engine/book/test_book.c": "", "tests/data/scenarios/book.ndjson": "", "tests/e2e/test_book.py": "",
            "tests/e2e/test_idle.py": "", "tests/fuzz/test_idle.c": "",
            "tests/e2e/CMakeLists.txt": "set(suites\n    book\n)\n", "tests/README.md": "| all? | `scripts/all` |\n",
            "scripts/all": "", "scripts/demo": ""})
        self.assertEqual(status, 0 if ok else 1, out)

    def test_a_claim_names_tests_that_run(self):
        for claim in ("yes: `test_book.c`", "yes: `data/scenarios/book.ndjson`", "partly: `e2e/test_book.py`, `test_book.c`", "–",
                      "yes: `scripts/all`"):
            self.check(claim, True)

    def test_a_claim_without_them_is_found(self):
        for claim in ("yes", "yes, of course", "yes: `data/scenarios/none.ndjson`", "yes: `test_none.c`", "yes: `test_idle.c`",
                      "yes: `book.c`", "yes: `test_book.c`, `e2e/test_idle.py`", "–: `test_book.c`",
                      "yes: `scripts/demo`", "yes: `scripts/none`"):
            self.check(claim, False)

    def test_a_wish_without_them_is_found(self):
        for wish in ("", "–", "`test_none.c`"):
            self.check("yes: `test_book.c`", False, wish)

    def test_a_table_that_is_gone_is_found(self):
        self.assertEqual(run("capabilities.py", {"tests/COMPARISON.md": "# castled\n"})[0], 1)


class Seeds(unittest.TestCase):
    def check(self, *names):
        status, out = run("seeds.py", {f"tests/fuzz/corpus/fen/{name}": "" for name in names})
        self.assertEqual(status, 1 if out else 0)
        return out

    def test_named_seeds_are_fine(self):
        self.assertEqual(self.check("en_passant", "chess960", "no-block", "threeCheck", "deeds"), "")

    def test_numbers_and_hashes_are_found(self):
        for name in ("0", "12", "0123456789abcdef", "deadbeef", "3_kings", "en passant"):
            self.assertIn(name, self.check("horde", name))

    def test_too_many_and_none_are_found(self):
        self.assertIn("11 seeds", self.check(*(f"seven_{n}s" for n in range(11))))
        self.assertIn("no seeds", self.check())


@unittest.skipUnless(shutil.which("systemd-analyze"), "no systemd here")
class Unit(unittest.TestCase):
    def faults(self, change=lambda text: text):
        with tempfile.TemporaryDirectory() as folder:
            unit = pathlib.Path(folder, "castled.service")
            unit.write_text(change(of_one_bot()))
            return "\n".join(unit_faults("systemd-analyze", str(unit)))

    def test_the_unit_passes(self):
        self.assertEqual(self.faults(), "")

    def test_a_limit_that_is_gone_is_found(self):
        for key in ("MemoryMax", "TasksMax", "IPAddressDeny", "OOMPolicy"):
            self.assertIn(f"no {key}", self.faults(lambda text: re.sub(rf"(?m)^{key}=.*\n", "", text)))

    def test_a_line_that_systemd_does_not_understand_is_found(self):
        self.assertIn("Unknown key", self.faults(lambda text: text.replace("LimitCORE", "LimitCOR")))

    def test_a_sandbox_that_is_open_is_found(self):
        self.assertIn("exposure", self.faults(lambda text: re.sub(r"(?m)^(Protect|Private)\w+=.*\n", "", text)))


class Pages(unittest.TestCase):
    GOOD = {"README.md": "# A\n[b](b/README.md#the-second-one), [web](https://lichess.org)\n",
            "b/README.md": "# B\n## The second one\n[up](../README.md)\n```\n[x](y)\n```\n",
            "scripts/README.md": "| `demo` | a game |\n", "scripts/demo": ""}

    def check(self, files, ok):
        status, out = run("pages.py", {**self.GOOD, **files})
        self.assertEqual(status, 0 if ok else 1, out)

    def test_pages_that_hold_together_pass(self):
        self.check({}, True)

    def test_links_to_nowhere_are_found(self):
        for link in ("[c](c.md)", "[b](b/README.md#third)", "[here](#nowhere)", "[b](b/none/README.md)"):
            self.check({"README.md": f"# A\n{link}\n"}, False)

    def test_a_readme_that_is_too_long_is_found(self):
        self.check({"README.md": "line\n" * 200}, True)
        self.check({"README.md": "line\n" * 201}, False)

    def test_faults_are_counted_as_their_table_does(self):
        page = "# A\n[2 faults](tests/e2e/FAULTS.md)\n"
        self.check({"README.md": page, "tests/e2e/FAULTS.md": "2 faults, each measured\n"}, True)
        self.check({"README.md": page, "tests/e2e/FAULTS.md": "3 faults, each measured\n"}, False)

    def test_invariants_that_are_cited_are_there(self):
        page = "- **I1** One loop.\n- **I2** Nobody waits.\n"
        for cited, ok in (("I1", True), ("I1 and I2", True), ("I1, I2 and I3", False), ("I3", False)):
            self.check({"bot/README.md": page, "tests/test_a.c": f"/* Holds {cited} of bot/README.md. */\n"}, ok)
        self.check({"bot/README.md": "- **I1** One loop.\n- **I3** Nobody waits.\n"}, False)

    def test_scripts_and_their_lines_match(self):
        self.check({"scripts/other": ""}, False)
        self.check({"scripts/README.md": "| `demo` | a game |\n| `gone` | nothing |\n"}, False)


class Layers(unittest.TestCase):
    FLOORS = {f"{folder}/CMakeLists.txt": f"castled_floor({folder.partition('/')[2]}\n    {sees}SOURCES\n        a.c\n)\n"
              for folder, sees in (("engine/core", ""), ("engine/search", "SEES core\n    "), ("engine/uci", "SEES search\n"),
                                   ("bot/game", "SEES core human\n        search\n    "), ("bot/daemon", "SEES game "),
                                   ("bot/cli", "SEES daemon\n"))}

    def check(self, path, header, ok):
        status, out = run("layers.py", {**self.FLOORS, path: f'#include "{header}"\n'})
        self.assertEqual(status, 0 if ok else 1, out)

    def test_search_may_use_core(self):
        self.check("engine/search/a.c", "engine/core/move.h", True)

    def test_core_may_not_use_search(self):
        self.check("engine/core/a.c", "engine/search/engine.h", False)

    def test_engine_may_not_use_bot(self):
        self.check("engine/uci/a.c", "bot/config/config.h", False)

    def test_a_folder_with_sources_is_a_floor(self):
        self.check("engine/magic/a.c", "engine/core/move.h", False)

    def test_circles_are_found(self):
        def headers(**edges):
            return {f"engine/core/{name}.h": "".join(f'#include "engine/core/{other}.h"\n' for other in others)
                    for name, others in edges.items()}
        for edges, ok in (({"a": "b", "b": "c", "c": ""}, True), ({"a": "bc", "b": "c", "c": ""}, True),
                          ({"a": "b", "b": "a"}, False), ({"a": "a"}, False),
                          ({"a": "b", "b": "c", "c": "b"}, False), ({"d": "ab", "a": "c", "c": "", "b": "d"}, False)):
            status, out = run("layers.py", {**self.FLOORS, **headers(**edges)})
            self.assertEqual(status, 0 if ok else 1, out)
        self.assertIn("engine/core/b.h includes engine/core/d.h includes engine/core/b.h: a circle", out)

    def test_bot_may_use_the_front_door_only(self):
        self.check("bot/game/a.c", "engine/search/engine.h", True)
        self.check("bot/game/a.c", "engine/human/policy_network.h", True)
        self.check("bot/game/a.c", "engine/human/wire.h", False)
        self.check("bot/game/a.c", "engine/search/tt.h", False)

    def test_what_claims_to_be_pure_sees_no_loop_and_reads_no_clock(self):
        pure = LICENCE + "/* a.h - a value. Pure. */\n"
        for text, ok in (("#include <stdint.h>\n", True), ("#include <uv.h>\n", False),
                         ("long f(void) { return time(0); }\n", False)):
            status, out = run("layers.py", {**self.FLOORS, "bot/game/a.h": pure, "bot/game/a.c": text})
            self.assertEqual(status, 0 if ok else 1, out)
        self.check("bot/game/session.c", "uv.h", True)

    def test_only_main_lies_directly_in_bot(self):
        self.check("bot/main.c", "bot/cli/command.h", True)
        self.check("bot/stray.c", "bot/cli/command.h", False)

    def test_only_the_top_sees_the_daemon(self):
        self.check("bot/cli/run.c", "bot/daemon/daemon.h", True)
        self.check("bot/game/session.c", "bot/daemon/daemon.h", False)


class Hardening(unittest.TestCase):
    GOOD = """
  Type:                              DYN (Position-Independent Executable file)
  Machine:                           Advanced Micro Devices X86-64
  LOAD           0x000000 0x0000000000000000 0x0000000000000000 0x0013a0 0x0013a0 R   0x1000
  LOAD           0x002000 0x0000000000002000 0x0000000000002000 0x0e2f01 0x0e2f01 R E 0x1000
  GNU_STACK      0x000000 0x0000000000000000 0x0000000000000000 0x000000 0x000000 RW  0x10
  GNU_RELRO      0x129d30 0x0000000000129d30 0x0000000000129d30 0x0012d0 0x0012d0 R   0x1
 0x000000000000001e (FLAGS)              BIND_NOW
 0x000000006ffffffb (FLAGS_1)            Flags: NOW PIE
    15: 0000000000000000     0 FUNC    GLOBAL DEFAULT  UND __stack_chk_fail@GLIBC_2.4 (4)
    16: 0000000000000000     0 FUNC    GLOBAL DEFAULT  UND __read_chk@GLIBC_2.4 (4)
      Properties: x86 feature: SHSTK
"""

    def test_each_thing_is_missed(self):
        self.assertEqual(faults(self.GOOD), [])
        for old, new, missing in (
                ("DYN (Pos", "EXEC (Ex", "a position-independent executable"),
                ("GNU_RELRO", "NOTE", "relocations that are read-only"),
                ("RW  0x10", "RWE 0x10", "a stack that is not executable"),
                ("R E 0x1000", "RWE 0x1000", "no segment both writable and executable"),
                ("__stack_chk_fail", "puts", "the stack protector"),
                ("__read_chk", "read", "FORTIFY"),
                ("SHSTK", "IBT", "a mark for shadow stacks")):
            self.assertEqual(faults(self.GOOD.replace(old, new)), [missing])


class LogEvents(unittest.TestCase):
    CALL = 'void f(Log *log) { log_info(log, "game", "moved", FIELDS(F("id", g()), F("ply", 1))); }\n'
    LATE = 'void f(Log *log) { log_error(log, "game", "late", FIELDS(F("id", g()))); }\n'
    LINE = "info game moved id=KSrHfEwR ply=12\n"

    def run_with(self, source, lines, *options):
        with tempfile.TemporaryDirectory() as name:
            root = pathlib.Path(name)
            for path, text in {"bot/game/a.c": source, "tests/checks/log_examples.txt": lines, "config/LOG.md": ""}.items():
                (root / path).parent.mkdir(parents=True, exist_ok=True)
                (root / path).write_text(text, encoding="utf-8")
            words = [sys.executable, str(HERE / "log_events.py"), name]
            subprocess.run(words + ["--write"], capture_output=True, check=False)
            (root / "logs").mkdir()
            (root / "logs/run1.log").write_text(f"2026-11-23 10:00:00.000+00:00 {self.LINE}", encoding="utf-8")
            if options:
                subprocess.run([*words, "--record", str(root / "logs")], capture_output=True, check=False)
                return (root / "tests/checks/log_examples.txt").read_text(encoding="utf-8")
            done = subprocess.run(words, capture_output=True, check=False, text=True)
            return done.returncode, done.stdout

    def test_each_event_has_an_example_and_each_example_its_event(self):
        self.assertEqual(self.run_with(self.CALL, self.LINE)[0], 0)
        self.assertEqual(self.run_with(self.CALL, "")[0], 1)
        self.assertEqual(self.run_with("", self.LINE)[0], 1)

    def test_an_example_has_the_keys_of_the_source(self):
        self.assertEqual(self.run_with(self.CALL, self.LINE.replace("ply", "plies"))[0], 1)

    def test_an_error_without_what_to_do_is_told(self):
        status, out = self.run_with(self.LATE, "error game late id=KSrHfEwR\n")
        self.assertEqual(status, 1)
        self.assertIn("what to do", out)
        self.assertEqual(self.run_with(self.LATE, "error game late id=KSrHfEwR\n    Nothing.\n")[0], 0)

    def test_examples_are_taken_from_logs(self):
        self.assertIn(self.LINE, self.run_with(self.CALL, "", "record"))


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


class Terminal(unittest.TestCase):
    def check(self, source):
        return run("terminal.py", {"bot/cli/a.c": LICENCE + "void f(void)\n{\n" + source + "}\n"})

    def test_text_of_others_is_found_with_its_line(self):
        for source in ('printf("%.*s", TEXT_ARGS(name));\n', 'fprintf(stderr, "%s (x)\\n",\n        err.text);\n',
                       'puts(json_object_to_json_string(x));\n', 'printf("%s", record->id);\n',
                       'printf("%s %s", shown(name).text, latest->why.text);\n',
                       'printf("%s", json_object_get_string(x));\n', 'fputs(where->err.text, stdout);\n'):
            with self.subTest(source):
                status, out = self.check(source)
                self.assertEqual(status, 1, out)
                self.assertIn("bot/cli/a.c:4: prints ", out)

    def test_what_is_shown_or_does_not_get_there_does_not_count(self):
        for source in ('printf("%s", shown(jsonread_text(said, "id")).text);\n',
                       'fprintf(stderr, "%s\\n", shown_error(&err).text);\n', 'puts("err.text");\n',
                       'buf_printf(&line, "%.*s", TEXT_ARGS(name));\n', 'error_set(err, 1, "%s", why.text);\n'):
            with self.subTest(source):
                status, out = self.check(source)
                self.assertEqual(status, 0, out)


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
