# SPDX-License-Identifier: GPL-3.0-or-later
"""What contributors and their forge find: workflow and forms are well-formed and name what exists; scripts/check looks
at what changed."""
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

try:
    import yaml
except ImportError:
    yaml = None

TOP = pathlib.Path(__file__).resolve().parents[2]
FORGE = TOP / ".github"


def read(path):
    return path.read_text(encoding="utf-8")


@unittest.skipUnless(yaml, "there is no python3-yaml")
class Forge(unittest.TestCase):
    def test_the_workflow_runs_stages_that_there_are(self):
        matrix = yaml.safe_load(read(FORGE / "workflows/ci.yml"))["jobs"]["test"]["strategy"]["matrix"]
        stages = set(matrix["stage"]) | {entry["stage"] for entry in matrix["include"]}
        known = set(re.findall(r"(?m)^stage_(\w+)\(\)", read(TOP / "scripts/test")))
        self.assertEqual(stages - known, set())
        self.assertGreaterEqual(stages, {"release", "clang", "asan", "tsan", "portable", "fuzz", "install"})

    def test_each_step_of_the_workflow_runs_or_uses_something(self):
        for name, job in yaml.safe_load(read(FORGE / "workflows/ci.yml"))["jobs"].items():
            for step in job["steps"]:
                self.assertEqual(len({"run", "uses"} & set(step)), 1, (name, step))

    def test_forms_have_what_a_forge_wants_and_ask_for_the_report(self):
        for file in (FORGE / "ISSUE_TEMPLATE").glob("*.yml"):
            form = yaml.safe_load(read(file))
            self.assertGreaterEqual(set(form), {"name", "description", "body"}, file)
            fields = {field["id"]: field for field in form["body"] if field["type"] != "markdown"}
            self.assertIn("castled report", fields["report"]["attributes"]["description"], file)
            for field in fields.values():
                self.assertIn(field["type"], ("textarea", "input", "dropdown", "checkboxes"))
                self.assertTrue(field["attributes"]["label"])


class Revision(unittest.TestCase):
    """What scripts/cmake/revision.cmake makes of a folder."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)

    def revision(self):
        script = self.root / "ask.cmake"
        script.write_text(f'include({TOP}/scripts/cmake/revision.cmake)\ncastled_revision({self.root} r)\n'
                          'message(STATUS "[${r}]")\n', encoding="utf-8")
        done = subprocess.run(["cmake", "-P", script], capture_output=True, text=True, check=True)
        return re.search(r"\[(.*)\]", done.stdout)[1]

    def git(self, *words):
        return subprocess.run(["git", "-c", "user.name=a", "-c", "user.email=a@b", *words], cwd=self.root, check=True,
                              capture_output=True, text=True).stdout.strip()

    @unittest.skipUnless(shutil.which("git"), "there is no git")
    def test_of_a_clone_it_is_the_commit_and_whether_files_differ(self):
        self.git("init", "--quiet")
        self.assertEqual(self.revision(), "")
        file = self.root / "file"
        file.write_text("1\n", encoding="utf-8")
        self.git("add", "file")
        self.git("commit", "--quiet", "--message=a")
        self.git("tag", "--annotate", "--message=a", "v0.1.0")
        commit = self.git("rev-parse", "--short", "HEAD")
        self.assertEqual(self.revision(), f"+{commit}")
        file.write_text("2\n", encoding="utf-8")
        self.assertEqual(self.revision(), f"+{commit}-dirty")

    def test_of_an_archive_it_is_what_git_wrote_into_it(self):
        for written, revision in (("1234abc\n", "+1234abc"), (read(TOP / ".git_archival.txt"), ""), ("", "")):
            (self.root / ".git_archival.txt").write_text(written, encoding="utf-8")
            self.assertEqual(self.revision(), revision)

    def test_of_anything_else_it_is_nothing(self):
        self.assertEqual(self.revision(), "")


class History(unittest.TestCase):
    def test_ignored_revisions_are_whole_hashes(self):
        lines = [line for line in read(TOP / ".git-blame-ignore-revs").splitlines() if not line.startswith("#")]
        self.assertTrue(lines)
        for line in lines:
            self.assertRegex(line, r"^[0-9a-f]{40}$")


def has_formatter():
    """Is it the one whose layout the sources have? See format.py."""
    return shutil.which("clang-format") and "version 14." in subprocess.run(
        ["clang-format", "--version"], capture_output=True, text=True, check=True).stdout


@unittest.skipUnless(has_formatter() and shutil.which("git"), "no clang-format 14, or no git")
class Check(unittest.TestCase):
    """scripts/check in a repository of its own."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.top = pathlib.Path(folder.name)
        for path in ("scripts/check", "scripts/README.md", ".clang-format", ".githooks/pre-commit"):
            (self.top / path).parent.mkdir(exist_ok=True)
            shutil.copy(TOP / path, self.top / path)
        shutil.copytree(TOP / "tests/checks", self.top / "tests/checks")
        (self.top / "README.md").write_text("# castled\n", encoding="utf-8")
        (self.top / "scripts/README.md").write_text("| `check` | checks |\n", encoding="utf-8")
        (self.top / "tests/COMPARISON.md").write_text(
            "| what | castled |\n|---|---|\n| a | – |\n\n| wish | where | shown by |\n|---|---|---|\n", encoding="utf-8")
        self.write("engine/old.c", "int  badly_written;\n")
        self.git("init", "--quiet", "--initial-branch=main")
        self.commit()

    def write(self, path, text):
        file = self.top / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("/* SPDX-License-Identifier: GPL-3.0-or-later */\n" + text, encoding="utf-8")

    def git(self, *words):
        return subprocess.run(["git", "-c", "user.name=a", "-c", "user.email=a@b", *words], cwd=self.top, check=False,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)

    def commit(self, *more):
        self.git("add", "--all")
        return self.git(*more, "commit", "--quiet", "--message=a")

    def said(self, *words):
        return subprocess.run([self.top / "scripts/check", *words], capture_output=True, text=True, check=False).stdout

    def test_a_changed_file_is_looked_at(self):
        self.write("engine/new.c", "int  a;\n")
        self.assertIn("engine/new.c: run clang-format", self.said())
        self.git("switch", "--quiet", "--create", "branch")
        self.commit()
        self.assertIn("engine/new.c: run clang-format", self.said())

    def test_an_unchanged_file_is_looked_at_when_asked(self):
        self.assertNotIn("engine/old.c", self.said())
        self.assertIn("engine/old.c: run clang-format", self.said("--all"))

    def test_a_banned_call_is_found_anywhere(self):
        self.write("engine/new.c", "int a(void)\n{\n    return atoi(\"1\");\n}\n")
        self.assertIn("atoi", self.said())

    def test_the_hook_refuses_a_commit(self):
        self.write("engine/new.c", "int  a;\n")
        refused = self.commit("-c", "core.hooksPath=.githooks")
        self.assertNotEqual(refused.returncode, 0)
        self.assertIn("engine/new.c: run clang-format", refused.stdout)

    def test_a_base_that_is_no_revision_is_refused(self):
        done = subprocess.run([self.top / "scripts/check", "--base", "nothing"], capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 1)
        self.assertIn("nothing is no revision", done.stderr)


if __name__ == "__main__":
    unittest.main()
