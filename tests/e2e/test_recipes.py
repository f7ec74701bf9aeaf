# SPDX-License-Identifier: GPL-3.0-or-later
"""The recipes in config/recipes: castled takes their words, files and variables. None of their systems is at hand."""
import asyncio
import os
import pathlib
import re
import signal
import subprocess
import sys
import tarfile
import tempfile
import unittest

from checks.unit import of_one_bot
from package import fake_tarball
from package.image import Image
from sim.daemon import free_port
from sim.opponent import Random

from .harness import EX_OK, PROGRAM, SLOWNESS, TOKEN, DaemonTest

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
        plays = minutes(words[words.index("--for") + 1]) + minutes(words[words.index("--deadline") + 1])
        self.assertLessEqual(plays + 20, job["timeout-minutes"])
        self.assertLess(job["timeout-minutes"], 360)
        restore, save = [step for step in steps if step.get("uses", "").startswith("actions/cache/")]
        self.assertLess(steps.index(restore), steps.index(play))
        self.assertLess(steps.index(play), steps.index(save))
        self.assertEqual(save["if"], "always()")
        self.assertEqual(restore["with"]["key"], save["with"]["key"])
        self.assertTrue(save["with"]["key"].startswith(restore["with"]["restore-keys"]))
        self.assertEqual(restore["with"]["path"], save["with"]["path"])
        self.assertFalse(workflow["concurrency"]["cancel-in-progress"])

    def test_the_compose_file_fits_the_image(self):
        text = (RECIPES / "compose.yml").read_text(encoding="utf-8")
        compose = yaml.safe_load(text)
        service = compose["services"]["castled"]
        image = image_of()
        self.assertIn(f"docker load -i {image.name}\n", text)
        self.assertEqual(service["image"], image.tag)
        (volume,) = service["volumes"]
        self.assertEqual([volume.partition(":")[2]], list(image.config["Volumes"]))
        self.assertIn(volume.partition(":")[0], compose["volumes"])
        self.castled_takes(self.settings(service["environment"]))
        self.assertIsNone(service["environment"]["CASTLED_TOKEN"])
        (port,) = service["ports"]
        self.assertTrue(port.startswith("127.0.0.1:"))
        inner = port.rpartition(":")[2]
        self.assertEqual(inner, service["environment"]["CASTLED_STATUS_HTTP"].rpartition(":")[2])
        self.assertIn(f"{inner}/tcp", image.config["ExposedPorts"])


def image_of() -> Image:
    """As scripts/image makes it, of programs that are words."""
    with tempfile.TemporaryDirectory(prefix="castled-recipe-") as directory:
        folder = pathlib.Path(directory)
        (folder / "ca.pem").write_text("certificates\n")
        made = subprocess.run([sys.executable, TOP / "scripts/image", fake_tarball.make(folder, "x86_64", version()),
                               "--to", folder, "--certificates", folder / "ca.pem"], stdout=subprocess.PIPE, check=True)
        return Image(made.stdout.decode().strip(), "amd64")


def version() -> str:
    return re.search(r"project\(castled VERSION (\S+)", (TOP / "CMakeLists.txt").read_text())[1]


@unittest.skipUnless(yaml, "there is no python3-yaml")
class RunTest(DaemonTest):
    """What a recipe runs, on the simulated Lichess."""

    def settings(self) -> dict[str, str]:
        """The simulator's address and certificate, where theirs say nothing."""
        return {"PATH": os.environ["PATH"], "HOME": self.directory, "CASTLED_ACCOUNT_URL": self.address,
                "CASTLED_ACCOUNT_CA_FILE": self.sim.ca_file, "CASTLED_ENGINE_NODES": "2000", "CASTLED_ENGINE_HASH": "8"}

    async def plays(self, *words: str, environment: dict[str, str], state: pathlib.Path) -> None:
        """The command plays to mate, SIGTERM ends it with status 0, and the game is in the archive."""
        given = {name: str(value) for name, value in environment.items()}
        environment = {**self.settings(), **given, "CASTLED_TOKEN": TOKEN}
        with open(os.path.join(self.directory, "recipe.log"), "wb") as log:
            process = await asyncio.create_subprocess_exec(
                *words, cwd=self.directory, env=environment, stdin=asyncio.subprocess.DEVNULL, stdout=log, stderr=log)
        try:
            await self.sim.until(lambda: self.bot.is_online or process.returncode is not None, 30 * SLOWNESS)
            game = await self.game(Random(), limit=600)
            await game.until(lambda g: not g.is_running, 120 * SLOWNESS)
            self.assertEqual((game.status, game.winner), ("mate", game.colour_of(self.bot)))
        finally:
            if process.returncode is None:
                process.send_signal(signal.SIGTERM)
            status = await asyncio.wait_for(process.wait(), 20 * SLOWNESS)
        self.assertEqual(status, EX_OK)
        self.variables = {"STATE_DIRECTORY": str(state)}
        self.assertIn("#", (await self.command("pgn", "--opponent", "Alba"))[1])

    async def test_the_workflows_commands_play_by_the_tarball(self):
        workflow = yaml.safe_load((RECIPES / "github-actions.yml").read_text(encoding="utf-8"))
        name = f"castled-{version()}-linux-x86_64"
        with tarfile.open(os.path.join(self.directory, f"{name}.tar.gz"), "w:gz", compresslevel=1) as tarball:
            tarball.add(PROGRAM, f"{name}/bin/castled")
        for step in workflow["jobs"]["play"]["steps"]:
            if "run" not in step:
                continue
            words = ("bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"])  # as a job runs it
            if "castled run" not in step["run"]:
                subprocess.run(words, cwd=self.directory, check=True)
                continue
            await self.plays(*words, environment={**step["env"], "GITHUB_WORKSPACE": self.directory},
                             state=pathlib.Path(self.directory, "state"))

    async def test_the_images_command_plays_with_what_the_compose_file_sets(self):
        service = yaml.safe_load((RECIPES / "compose.yml").read_text(encoding="utf-8"))["services"]["castled"]
        config = image_of().config
        state = pathlib.Path(self.directory, "state")
        state.mkdir(mode=0o700)
        self.assertEqual(config["Entrypoint"], ["/usr/local/bin/castled"])
        environment = {**service["environment"], "STATE_DIRECTORY": state, "CASTLED_STATUS_HTTP": free_port()}
        await self.plays(PROGRAM, *config["Cmd"], environment=environment, state=state)


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
        for page in ("raspberry-pi.md", "wsl2.md", "castled.nix", "github-actions.yml"):
            named = re.findall(r"castled-([\d.]+)-linux-(?:x86_64|aarch64)", (RECIPES / page).read_text())
            self.assertEqual(set(named), {version()}, page)
        self.assertIn(f"\npkgver={version()}\n", (RECIPES / "PKGBUILD").read_text())

    def test_the_package_of_arch_takes_what_the_tarball_has(self):
        with tempfile.TemporaryDirectory(prefix="castled-recipe-") as directory:
            folder, package = pathlib.Path(directory), pathlib.Path(directory, "package")
            source = folder / f"castled-{version()}-linux-x86_64"
            for name in ("bin/castled", "bin/castled-uci", "share/man/man1/castled.1", "LICENSE"):
                (source / name).parent.mkdir(parents=True, exist_ok=True)
                (source / name).touch()
            (source / "systemd/system").mkdir(parents=True)
            (source / "systemd/system/castled.service").write_text(of_one_bot())
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
        unit = of_one_bot()
        for replaced in re.findall(r"s\|(/[^|]+)\|", text):
            self.assertIn(replaced, unit)


if __name__ == "__main__":
    unittest.main()
