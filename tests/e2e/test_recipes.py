# SPDX-License-Identifier: GPL-3.0-or-later
"""The recipes in config/recipes: castled takes their words and variables. Neither GitHub nor Docker is at hand here."""
import os
import pathlib
import re
import subprocess
import tempfile
import unittest

from .harness import EX_OK, EX_REFUSED, PROGRAM

try:
    import yaml
except ImportError:
    yaml = None

TOP = pathlib.Path(__file__).resolve().parents[2]
RECIPES = TOP / "config/recipes"


def minutes(text: str) -> int:
    hours, rest = re.fullmatch(r"(?:(\d+)h)?(?:(\d+)m)?", text).groups()
    return 60 * int(hours or 0) + int(rest or 0)


@unittest.skipUnless(yaml, "there is no python3-yaml")
class RecipesTest(unittest.TestCase):
    def castled(self, *words: str, **variables: str) -> tuple[int, str]:
        with tempfile.TemporaryDirectory(prefix="castled-recipe-") as directory:
            environment = {"PATH": os.environ["PATH"], "HOME": directory, **variables}
            done = subprocess.run([PROGRAM, *words], env=environment, cwd=directory, timeout=60,
                                  stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
            return done.returncode, done.stdout.decode()

    def settings(self, environment: dict) -> dict[str, str]:
        """What castled would be given, without the token."""
        return {name: str(value) for name, value in environment.items() if name != "CASTLED_TOKEN"}

    def castled_takes(self, settings: dict[str, str]) -> None:
        self.assertTrue(settings)
        code, output = self.castled("check", "--show", **settings)
        self.assertEqual(code, EX_OK, output)
        self.assertEqual(output.count("; the environment"), len(settings), output)

    def test_the_workflow_ends_in_time_and_hands_its_archive_on(self):
        workflow = yaml.safe_load((RECIPES / "github-actions.yml").read_text(encoding="utf-8"))
        job = workflow["jobs"]["play"]
        steps = job["steps"]
        for step in steps:
            self.assertEqual(len({"run", "uses"} & set(step)), 1, step)
        (play,) = [step for step in steps if "castled run" in step.get("run", "")]
        self.castled_takes(self.settings(play["env"]))
        words = play["run"].split()
        self.assertEqual(words[:3], ["exec", "build/bin/castled", "run"])
        # The words are right: only a token is missing.
        code, output = self.castled(*words[2:], **self.settings(play["env"]))
        self.assertEqual(code, EX_REFUSED, output)
        plays = minutes(words[words.index("--for") + 1]) + minutes(words[words.index("--deadline") + 1])
        self.assertLessEqual(plays + 20, job["timeout-minutes"])
        self.assertLess(job["timeout-minutes"], 360)
        restore, save = [step for step in steps if step.get("uses", "").startswith("actions/cache/")]
        self.assertLess(steps.index(restore), steps.index(play))
        self.assertLess(steps.index(play), steps.index(save))
        self.assertEqual(save["if"], "always()")
        self.assertEqual(restore["with"]["key"], save["with"]["key"])
        self.assertTrue(save["with"]["key"].startswith(restore["with"]["restore-keys"]))
        for step in restore, save:
            self.assertEqual(step["with"]["path"], job["env"]["STATE_DIRECTORY"])
        self.assertFalse(workflow["concurrency"]["cancel-in-progress"])
        for script in re.findall(r"(?m)^ *- run: (scripts/\S+)", (RECIPES / "github-actions.yml").read_text()):
            self.assertTrue((TOP / script).exists(), script)

    def test_the_compose_file_fits_the_image(self):
        compose = yaml.safe_load((RECIPES / "compose.yml").read_text(encoding="utf-8"))
        service = compose["services"]["castled"]
        image = (RECIPES / service["build"]["context"]).resolve() / service["build"]["dockerfile"]
        (folder,) = re.findall(r"(?m)^VOLUME (\S+)$", image.read_text(encoding="utf-8"))
        (volume,) = service["volumes"]
        self.assertEqual(volume.partition(":"), ("castled", ":", folder))
        self.assertIn("castled", compose["volumes"])
        self.castled_takes(self.settings(service["environment"]))
        self.assertIsNone(service["environment"]["CASTLED_TOKEN"])
        (port,) = service["ports"]
        self.assertTrue(port.startswith("127.0.0.1:"))
        self.assertEqual(port.rpartition(":")[2], service["environment"]["CASTLED_STATUS_HTTP"].rpartition(":")[2])


if __name__ == "__main__":
    unittest.main()
