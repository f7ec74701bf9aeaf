#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""What scripts/train promises before it does anything, and what it does with files of a run that was killed.

Usage: test_train_script.py SCRIPTS_TRAIN
"""
import contextlib
import importlib.machinery
import importlib.util
import io
import os
import subprocess
import sys
import tempfile
import unittest
import unittest.mock

SCRIPT = sys.argv.pop(1)
TAUGHT = ["--teacher", "teacher.so", "--network", "net.nnue"]


def load():
    loader = importlib.machinery.SourceFileLoader("train", SCRIPT)
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("train", loader))
    loader.exec_module(module)
    return module


class TrainScript(unittest.TestCase):
    def setUp(self):
        sys.dont_write_bytecode = True
        sys.path.insert(0, os.path.dirname(SCRIPT))
        self.addCleanup(sys.path.remove, os.path.dirname(SCRIPT))
        self.train = load()
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def arguments(self, *more):
        return self.train.arguments(["--positions", "1M", "--out", f"{self.folder}/run", *TAUGHT, *more])

    def plan(self, cores, *more, missing=1_000_000):
        """The plan's rows: name to (time, disk)."""
        text = io.StringIO()
        with contextlib.redirect_stdout(text):
            self.train.plan(self.arguments(*more), missing, cores)
        rows = [line.replace(",", "").split() for line in text.getvalue().splitlines()[1:]]
        return {row[0]: (" ".join(row[1:3]), " ".join(row[3:5])) for row in rows}

    def test_the_match_is_played_on_all_cores(self):
        many = ["--match-pairs", "100"]
        self.assertEqual(self.plan(1, *many)["match"][0], "2 min")
        self.assertEqual(self.plan(4, *many)["match"][0], "28 s")

    def test_games_take_whole_minutes_if_there_are_any(self):
        self.assertEqual(self.plan(64)["games"][0], "60 s")
        self.assertEqual(self.plan(64, missing=0)["games"][0], "0 s")

    def test_searches_take_their_time(self):
        self.assertEqual(self.plan(2)["records"], ("31 s", "32 MB"))
        self.assertEqual(self.plan(2, "--sidelines", "4")["records"][0], "6 s")

    def refused(self, *words):
        with contextlib.redirect_stderr(io.StringIO()) as err, self.assertRaises(SystemExit):
            self.train.arguments(["--positions", "1M", *words])
        return err.getvalue()

    def test_chess_has_a_teacher_and_variants_have_none(self):
        self.assertIn("scripts/teacher builds", self.refused())
        self.assertIn("scripts/teacher builds", self.refused("--teacher", "t.so"))
        self.assertIn("are of chess", self.refused("--variant", "atomic", "--searched", "8"))
        self.assertIn("either", self.refused(*TAUGHT, "--searched", "8", "--sidelines", "2"))

    def test_the_plan_makes_nothing(self):
        told = subprocess.run([sys.executable, SCRIPT, "--positions", "1M", "--out", f"{self.folder}/run", "--plan",
                               "--match-pairs", "0", *TAUGHT], capture_output=True, text=True, check=True).stdout
        self.assertIn("1.00 M of them still to be made", told)
        self.assertEqual(os.listdir(self.folder), [])

    def test_settings_reach_the_trainer(self):
        steps = {}

        def run(step, command, output=None):
            steps[step] = command
            if output:
                with open(output, "w", encoding="utf-8"):
                    pass

        with unittest.mock.patch.multiple(self.train, run=run, plan=unittest.mock.DEFAULT, generate=unittest.mock.DEFAULT,
                                          is_older=lambda *paths: True), \
                unittest.mock.patch.object(self.train.subprocess, "run"):
            self.train.main(["--positions", "1M", "--out", self.folder, "--match-pairs", "0", "--from", "c3.nnue", *TAUGHT,
                             "--rate", "800", "--batch", "8192"])
        for option in ("--from=c3.nnue", "--rate=800", "--batch=8192", f"--notes={self.folder}/records.txt"):
            self.assertIn(option, steps["training"])
        for option in ("--searched", f"{os.getcwd()}/teacher.so", "net.nnue"):
            self.assertIn(option, steps["records"])

    def variant_steps(self, *more):
        steps = []

        def run(step, command, output=None):
            steps.append((step, command))
            if output:
                with open(output, "w", encoding="utf-8"):
                    pass

        with unittest.mock.patch.multiple(self.train, run=run, plan=unittest.mock.DEFAULT, generate=unittest.mock.DEFAULT,
                                          is_older=lambda *paths: True), \
                unittest.mock.patch.object(self.train.subprocess, "run"):
            self.train.main(["--variant", "atomic", "--positions", "1M", "--out", self.folder, "--match-pairs", "0", *more])
        return steps

    def test_a_network_of_a_variant_goes_on_from_another_by_games_alone(self):
        steps = self.variant_steps("--from", "v1.nnue", "--rate", "2000")
        self.assertEqual([step for step, command in steps], ["records of net", "training of net"])
        self.assertNotIn("--sidelines", steps[0][1])
        self.assertIn("--from=v1.nnue", steps[1][1])
        self.assertIn("--rate=600", steps[1][1])
        with contextlib.redirect_stderr(io.StringIO()) as err, self.assertRaises(SystemExit):
            self.variant_steps("--from", "v1.nnue", "--sidelines", "4")
        self.assertIn("--sidelines", err.getvalue())

    def test_a_variant_learns_first_from_the_evaluation_and_then_from_games(self):
        steps = self.variant_steps("--k", "400")
        self.assertEqual([step for step, command in steps],
                         ["records of beginning", "training of beginning", "records of net", "training of net"])
        self.assertIn("static", steps[0][1])
        self.assertNotIn("static", steps[2][1])
        for step, option in ((1, "--lambda=0"), (3, "--lambda=40"), (3, f"--from={self.folder}/beginning.nnue"),
                             (3, "--variant=atomic"), (3, "--buckets=8")):
            self.assertIn(option, steps[step][1])


if __name__ == "__main__":
    unittest.main()
