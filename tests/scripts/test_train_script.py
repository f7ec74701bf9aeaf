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
        return self.train.arguments(["--positions", "1M", "--out", f"{self.folder}/run", *more])

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

    def test_the_teachers_network_takes_disk_until_it_is_there(self):
        self.assertEqual(self.plan(2)["records"][1], "79 MB")
        os.makedirs(f"{self.folder}/run")
        with open(f"{self.folder}/run/teacher.nnue", "w", encoding="utf-8"):
            pass
        self.assertEqual(self.plan(2)["records"][1], "32 MB")

    def test_the_plan_makes_nothing(self):
        told = subprocess.run([sys.executable, SCRIPT, "--positions", "1M", "--out", f"{self.folder}/run", "--plan",
                               "--match-pairs", "0"], capture_output=True, text=True, check=True).stdout
        self.assertIn("1.00 M of them still to be made", told)
        self.assertEqual(os.listdir(self.folder), [])

    def test_a_teacher_that_is_cut_off_leaves_no_network(self):
        teacher, args = f"{self.folder}/teacher", self.arguments("--teacher", f"{self.folder}/teacher")
        os.makedirs(args.out)
        for end in ("kill -9 $$", "exit 0"):
            with open(teacher, "w", encoding="utf-8") as file:
                file.write(f'#!/bin/sh\nread -r command path\necho half >"$path"\n{end}\n')
            os.chmod(teacher, 0o700)
            if end == "exit 0":
                self.train.export_network(args)
            else:
                self.assertRaises(subprocess.CalledProcessError, self.train.export_network, args)
            self.assertEqual(os.path.exists(f"{args.out}/teacher.nnue"), end == "exit 0")

    def test_settings_reach_the_trainer(self):
        steps = {}

        def run(step, command, output=None):
            steps[step] = command
            if output:
                with open(output, "w", encoding="utf-8"):
                    pass

        with unittest.mock.patch.multiple(self.train, run=run, plan=unittest.mock.DEFAULT, generate=unittest.mock.DEFAULT,
                                          export_network=lambda args: "teacher.nnue", is_older=lambda *paths: True), \
                unittest.mock.patch.object(self.train.subprocess, "run"):
            self.train.main(["--positions", "1M", "--out", self.folder, "--match-pairs", "0", "--from", "c3.nnue",
                             "--rate", "800", "--batch", "8192"])
        for option in ("--from=c3.nnue", "--rate=800", "--batch=8192", f"--notes={self.folder}/records.txt"):
            self.assertIn(option, steps["training"])

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
