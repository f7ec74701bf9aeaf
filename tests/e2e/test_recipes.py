# SPDX-License-Identifier: GPL-3.0-or-later
"""The recipes in config/recipes: castled takes their words, files and variables. None of their systems is at hand."""
import os
import pathlib
import re
import shutil
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


class Recipe(unittest.TestCase):
    def castled(self, *words: str, **variables: str) -> tuple[int, str]:
        with tempfile.TemporaryDirectory(prefix="castled-recipe-") as directory:
            environment = {"PATH": os.environ["PATH"], "HOME": directory, **variables}
            done = subprocess.run([PROGRAM, *words], env=environment, cwd=directory, timeout=60,
                                  stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
            return done.returncode, done.stdout.decode()


@unittest.skipUnless(yaml, "there is no python3-yaml")
class YamlTest(Recipe):
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


class PagesTest(Recipe):
    """For systems that are not at hand: what can be read and run here."""

    def blocks(self, page: str, kind: str) -> list[str]:
        found = re.findall(rf"(?ms)^```{kind}\n(.*?)^```$", (RECIPES / page).read_text(encoding="utf-8"))
        self.assertTrue(found, page)
        return found

    def test_castled_knows_the_commands_and_takes_the_configurations(self):
        for page in ("raspberry-pi.md", "wsl2.md"):
            commands = re.findall(r"(?m)^(?:sudo )?castled (\S+)", "\n".join(self.blocks(page, "sh")))
            self.assertIn("login", commands)
            for command in commands:
                self.assertEqual(self.castled(command, "--help")[0], EX_OK, command)
            for text in self.blocks(page, "ini"):
                with tempfile.NamedTemporaryFile("w", suffix=".conf") as file:
                    file.write(text)
                    file.flush()
                    code, output = self.castled("check", "--show", "--config", file.name)
                self.assertEqual(code, EX_OK, output)

    def test_the_pages_name_the_tarball_of_today(self):
        version = re.search(r"project\(castled VERSION (\S+)", (TOP / "CMakeLists.txt").read_text())[1]
        for page in ("raspberry-pi.md", "wsl2.md", "castled.nix"):
            named = re.findall(r"castled-([\d.]+)-linux-(?:x86_64|aarch64)", (RECIPES / page).read_text())
            self.assertEqual(set(named), {version}, page)
        self.assertIn(f"\npkgver={version}\n", (RECIPES / "PKGBUILD").read_text())

    def test_the_package_of_arch_takes_what_the_tarball_has(self):
        with tempfile.TemporaryDirectory(prefix="castled-recipe-") as directory:
            folder, package = pathlib.Path(directory), pathlib.Path(directory, "package")
            version = re.search(r"(?m)^pkgver=(\S+)", (RECIPES / "PKGBUILD").read_text())[1]
            source = folder / f"castled-{version}-linux-x86_64"
            for name in ("bin/castled", "bin/castled-uci", "share/man/man1/castled.1", "LICENSE"):
                (source / name).parent.mkdir(parents=True, exist_ok=True)
                (source / name).touch()
            (source / "systemd").mkdir()
            shutil.copytree(TOP / "systemd", source / "systemd/system", ignore=shutil.ignore_patterns("*.md"))
            package.mkdir()
            script = f"set -eu; CARCH=x86_64 pkgdir={package}; . {RECIPES}/PKGBUILD; (package); echo $pkgname ${{arch[*]}}"
            done = subprocess.run(["bash", "-c", script], cwd=folder, stdout=subprocess.PIPE, check=True)
            self.assertEqual(done.stdout.decode(), "castled-bin x86_64 aarch64\n")
            for name in ("bin/castled", "share/man/man1/castled.1", "share/licenses/castled-bin/LICENSE"):
                self.assertTrue((package / "usr" / name).is_file(), name)
            unit = (package / "usr/lib/systemd/system/castled.service").read_text()
            self.assertIn("ExecStart=/usr/bin/castled run", unit)

    def test_the_module_of_nixos_is_closed_and_finds_what_it_replaces(self):
        text = re.sub(r"(?m)#.*$", "", (RECIPES / "castled.nix").read_text())
        for opens, closes in ("{}", "()", "[]"):
            self.assertEqual(text.count(opens), text.count(closes), opens)
        self.assertEqual(text.count("''") % 2, 0)
        unit = (TOP / "systemd/castled.service").read_text()
        for replaced in re.findall(r"s\|(/[^|]+)\|", text):
            self.assertIn(replaced, unit)


if __name__ == "__main__":
    unittest.main()
