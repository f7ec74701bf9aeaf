# SPDX-License-Identifier: GPL-3.0-or-later
"""The scripts that set a machine up, on a machine that stand-ins pretend: what they ask of dpkg and apt."""
import os
import pathlib
import re
import shutil
import stat
import subprocess
import tempfile
import unittest

TOP = pathlib.Path(__file__).resolve().parents[2]
INSTALL_DEPS = TOP / "scripts/install-deps"
TOOLS = ("bash", "cat", "dirname", "env", "id", "mktemp", "rm", "sed", "tr")


class InstallDeps(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        for tool in TOOLS:  # nothing else is in the PATH, sudo above all
            (self.folder / tool).symlink_to(shutil.which(tool))
        self.stand_in("id", "echo 0")
        self.stand_in("dpkg", "echo amd64")
        self.stand_in("dpkg-query", "")
        self.stand_in("apt-get", f'echo "$@" >>{self.folder}/asked')

    def stand_in(self, name, command):
        path = self.folder / name
        path.unlink(missing_ok=True)
        path.write_text(f"#!/bin/sh\n{command}\n", encoding="utf-8")
        path.chmod(stat.S_IRWXU)

    def installed(self, *groups):
        """What apt is asked for."""
        done = subprocess.run([INSTALL_DEPS, *groups], env={"PATH": str(self.folder), "TMPDIR": str(self.folder)},
                              capture_output=True, text=True, check=False)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        asked = self.folder / "asked"
        lines = asked.read_text(encoding="utf-8").splitlines() if asked.exists() else []
        asked.unlink(missing_ok=True)
        return [word for line in lines if line.startswith("install") for word in line.split()[1:] if word[0] != "-"]

    def groups(self):
        """As its error lists them."""
        done = subprocess.run([INSTALL_DEPS, "none"], capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 64)
        return re.search(r"there are: (.*)", done.stderr)[1].split()

    def test_groups_together_are_what_each_is_alone(self):
        alone = {group: self.installed(group) for group in self.groups()}
        for group, packages in alone.items():
            self.assertGreater(len(packages), 0, group)
        self.assertEqual(self.installed(*alone), [name for packages in alone.values() for name in packages])
        self.assertEqual(self.installed(*reversed(alone)),
                         [name for packages in reversed(alone.values()) for name in packages])

    def test_without_arguments_everything_quick_is_installed(self):
        self.assertEqual(self.installed(), self.installed("build", "play", "check", "package", "lint"))

    def test_what_is_there_is_not_installed_again(self):
        first, *others = self.installed("build")
        self.stand_in("dpkg-query", f"echo installed amd64 {first}")
        self.assertEqual(self.installed("build"), others)
        self.stand_in("dpkg-query", f"echo installed arm64 {first}")
        self.assertEqual(self.installed("build"), [first, *others])
        self.stand_in("dpkg-query", "\n".join(f"echo installed all {name}" for name in [first, *others]))
        self.assertEqual(self.installed("build"), [])


class ContinuousIntegration(unittest.TestCase):
    """.ci/run with a stand-in for scripts/fresh, which cannot make a root (69), fails in it (1) or succeeds (0)."""

    def run_with(self, trixie, ours):
        """Exit status, what ran, and what was said."""
        with tempfile.TemporaryDirectory() as folder:
            top = pathlib.Path(folder)
            for name, command in (("fresh", f'[ "${{1:-}}" = --on ] && exit {trixie} || exit {ours}'), ("test", "")):
                script = top / "scripts" / name
                script.parent.mkdir(exist_ok=True)
                script.write_text(f'#!/bin/sh\necho {name} "$@" >>ran\n{command}\n', encoding="utf-8")
                script.chmod(stat.S_IRWXU)
            (top / ".ci").mkdir()
            shutil.copy(TOP / ".ci/run", top / ".ci")
            done = subprocess.run(["bash", ".ci/run"], cwd=top, stdin=subprocess.DEVNULL, capture_output=True,
                                  text=True, check=False)
            ran = [line.split()[0] for line in (top / "ran").read_text(encoding="utf-8").splitlines()]
            return done.returncode, ran, done.stdout

    def test_what_fails_in_a_fresh_root_fails(self):
        self.assertEqual(self.run_with(0, 0), (0, ["fresh", "fresh"], ""))
        self.assertEqual(self.run_with(1, 0), (1, ["fresh"], ""))
        self.assertEqual(self.run_with(0, 1), (1, ["fresh", "fresh"], ""))

    def test_without_a_fresh_root_the_tests_run_here_and_it_is_said(self):
        status, ran, said = self.run_with(69, 69)
        self.assertEqual((status, ran), (0, ["fresh", "fresh", "test"]))
        self.assertIn("NOT ON A FRESH MACHINE", said)
        status, ran, said = self.run_with(69, 0)
        self.assertEqual((status, ran), (0, ["fresh", "fresh"]))
        self.assertIn("DEBIAN 13 IS LEFT OUT", said)


@unittest.skipUnless(os.uname().machine == "x86_64", "a compiler for 32 bits is at hand on x86-64 only")
class Configuration(unittest.TestCase):
    def check_refused(self, sentence, *how):
        with tempfile.TemporaryDirectory() as folder:
            # Without a C library of that kind nothing can be linked.
            done = subprocess.run(["cmake", "-G", "Ninja", "-S", TOP, "-B", folder,
                                   "-D", "CMAKE_TRY_COMPILE_TARGET_TYPE=STATIC_LIBRARY", *how],
                                  capture_output=True, text=True, check=False)
        self.assertNotEqual(done.returncode, 0)
        self.assertIn(sentence, " ".join(done.stderr.split()))

    def test_a_32_bit_target_is_refused_in_a_sentence(self):
        self.check_refused("castled needs a 64-bit target", "-D", "CMAKE_C_FLAGS=-m32")

    @unittest.skipUnless(shutil.which("clang"), "there is no clang")
    def test_a_big_endian_target_is_refused_in_a_sentence(self):
        self.check_refused("castled needs a little-endian target", "-D", "CMAKE_C_COMPILER=clang",
                           "-D", "CMAKE_C_COMPILER_TARGET=s390x-linux-gnu")


@unittest.skipUnless(shutil.which("ninja") and shutil.which("pkg-config"), "there is no ninja, or no pkg-config")
class PlainBuild(unittest.TestCase):
    def programs(self, *options):
        """What `cmake --build` links after a first configuration with these options."""
        with tempfile.TemporaryDirectory() as folder:
            done = subprocess.run(["cmake", "-G", "Ninja", "-S", TOP, "-B", folder, *options], capture_output=True, text=True,
                                  check=False)
            self.assertEqual(done.returncode, 0, done.stderr)
            commands = subprocess.run(["ninja", "-C", folder, "-t", "commands", "all"], capture_output=True, text=True,
                                      check=True).stdout
            return set(re.findall(r" -o bin/(\S+)", commands))

    def test_it_makes_what_users_run_and_needs_neither_cmocka_nor_python(self):
        with tempfile.TemporaryDirectory() as folder:
            stand_in = pathlib.Path(folder, "pkg-config")
            stand_in.write_text(f'#!/bin/sh\ncase "$*" in *cmocka*) exit 1 ;; esac\nexec {shutil.which("pkg-config")} "$@"\n',
                                encoding="utf-8")
            stand_in.chmod(stat.S_IRWXU)
            programs = self.programs("-D", "CMAKE_DISABLE_FIND_PACKAGE_Python3=ON", "-D", f"PKG_CONFIG_EXECUTABLE={stand_in}")
        self.assertEqual(programs, {"castled", "castled-uci", "gen_attacks", "gen_eco"})

    def test_that_of_developers_makes_the_tests_and_every_program(self):
        programs = self.programs("-D", "BUILD_TESTING=ON")
        self.assertGreaterEqual(programs, {"castled", "test_game", "castled-train", "castled-datagen", "duel"})


if __name__ == "__main__":
    unittest.main()
