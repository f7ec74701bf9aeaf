# SPDX-License-Identifier: GPL-3.0-or-later
"""Engines that are not ours, and all that they can do to a game."""
import asyncio
import ctypes
import hashlib
import os
import re
import shutil
import signal
import sys
import unittest
import unittest.mock

from sim.judge import engine_path
from sim.opponent import Idle, Random, Scripted

from .harness import EX_CONFIG, EX_OK, NGHTTPX, PROGRAM, ROOT, SLOWNESS, TOKEN, DaemonTest

FAKE = os.path.join(ROOT, "tests", "engines", "fake_engine.py")
TABLES = os.path.join(ROOT, "..", "shared", "data", "syzygy")
DEADLY = ("crash", "kill", "stop", "hang", "deaf", "garbage", "flood", "endless")
WRONG = ("illegal", "null", "none", "nonsense", "bare")
# A killed engine's pipe may be seen to close before its parent has been told of the signal.
SIGNALLED = 'failed engine=(far|sf) why="(killed by SIGKILL|it closed its output)'
HARMLESS = ("mute", "unready", "quit", "twice", "complain")


# Runs castled where the first call of Landlock (444) is not known: by a filter of system calls.
WITHOUT_LANDLOCK = """#!{python}
import ctypes, os, struct, sys
steps = ctypes.create_string_buffer(struct.pack(
    "=" + 4 * "HBBI", 0x20, 0, 0, 0, 0x15, 0, 1, 444, 0x06, 0, 0, 0x50026, 0x06, 0, 0, 0x7fff0000))
program = ctypes.create_string_buffer(struct.pack("@HP", 4, ctypes.addressof(steps)))
prctl = ctypes.CDLL(None).prctl
assert prctl(38, 1, 0, 0, 0) == 0 and prctl(22, 2, program) == 0
os.execv("{program}", ["{program}"] + sys.argv[1:])
"""


# An engine that writes down what those who started it show of a token, and how.
NOSY = """#!/usr/bin/env python3
import os, re, sys
def look(pid, name):
    if name == "environ":
        with open(f"/proc/{{pid}}/environ", "rb") as file:
            return file.read()
    found = b""
    with open(f"/proc/{{pid}}/maps") as maps, open(f"/proc/{{pid}}/mem", "rb", 0) as memory:
        for begin, end in re.findall("(?m)^([0-9a-f]+)-([0-9a-f]+) rw", maps.read()):
            memory.seek(int(begin, 16))
            found += memory.read(int(end, 16) - int(begin, 16))
    return found
pid = os.getppid()
with open(sys.argv[1], "a") as log:
    while pid != int(sys.argv[2]):
        for name in "environ", "mem":
            try:
                log.write(name + (" told" if re.search(rb"lip_\\w+", look(pid, name)) else " empty") + "\\n")
            except OSError:
                log.write(name + " refused\\n")
        with open(f"/proc/{{pid}}/stat") as file:
            pid = int(file.read().rpartition(")")[2].split()[1])
os.execv("{fake}", ["{fake}", "e7e5"])
"""


# An engine that tries to slow castled down, and writes down how that went.
HANDICAP = """#!/usr/bin/env python3
import os, resource, sys, threading
with open(f"/proc/{{os.getppid()}}/stat") as file:
    castled = int(file.read().rpartition(")")[2].split()[1])
one = set(list(os.sched_getaffinity(0))[:1])
with open(sys.argv[1], "w") as log:
    for deed in ("os.setpriority(os.PRIO_PROCESS, castled, 19)", "os.sched_setaffinity(castled, one)",
                 "resource.prlimit(castled, resource.RLIMIT_NOFILE, (16, 16))",
                 "os.setpriority(os.PRIO_PROCESS, 0, 19)",
                 "os.sched_setaffinity(threading.get_native_id(), one)"):
        try:
            eval(deed)
            log.write("done\\n")
        except PermissionError:
            log.write("refused\\n")
os.execv("{fake}", ["{fake}", "e7e5"])
"""


def has_landlock() -> bool:
    """Whether the kernel tells a version of it (landlock_create_ruleset, on all architectures)."""
    return ctypes.CDLL(None, use_errno=True).syscall(444, None, 0, 1) > 0


def has_seccomp() -> bool:
    """Whether this process could install a filter (/proc tells it of kernels that can)."""
    with open("/proc/self/status", encoding="ascii") as file:
        return "Seccomp:" in file.read()


class ExternalTest(DaemonTest):
    def fake(self, name: str, *arguments: str) -> str:
        """A command line by which the process can be found."""
        return " ".join((FAKE, *arguments, "--log", os.path.join(self.directory, name + ".heard")))

    def processes(self) -> list[int]:
        """The fake engines of this test that live."""
        found = []
        for name in filter(str.isdigit, os.listdir("/proc")):
            try:
                with open(f"/proc/{name}/cmdline", "rb") as file:
                    words = file.read()
                if os.fsencode(self.directory) in words and int(name) != os.getpid() \
                        and not words.startswith(os.fsencode(NGHTTPX)):
                    found.append(int(name))
            except OSError:
                pass
        return [pid for pid in found if pid != self.daemon._process.pid]

    @staticmethod
    def engine_of(pid: int) -> int:
        """The engine that the process watches which the log names."""
        with open(f"/proc/{pid}/task/{pid}/children", encoding="ascii") as children:
            return int(children.read().split()[0])

    async def nothing_is_left(self) -> None:
        for _ in range(100):
            if not self.processes():
                return
            await asyncio.sleep(0.1 * SLOWNESS)
        self.fail(f"still there: {self.processes()}")

    async def survive(self, faults: tuple[str, ...], limit: int, come_up: str = "") -> None:
        """A game with each kind of engine, all at once: none is lost."""
        sections = {"games": {"concurrency": len(faults)}}
        for fault in faults:
            backend = engine_path()
            sections[f"engine.external x{fault}"] = {
                "command": self.fake(fault, "--backend", backend, "--fault", fault, "--at", "3"),
                "nodes": 2000}
            sections[f"rule {fault}"] = {"when.opponent": f"foe-{fault}", "engine.external": f"x{fault}"}
        await self.start(**sections)
        for name in come_up.split():
            await self.log_says(f"ready engine={name} ", 30)
        games = await asyncio.gather(*(
            self.game(Random(seed), name=f"foe-{fault}", limit=limit)
            for seed, fault in enumerate(faults)))
        outcomes = await asyncio.gather(*(self.over(game, 3 * limit) for game in games))
        for fault, game, outcome in zip(faults, games, outcomes):
            with self.subTest(fault):
                self.assertEqual(outcome, ("mate", "black"))
                self.each_move_was_made_once(game)
        await self.stop_daemon()
        await self.nothing_is_left()

    async def test_no_game_is_lost_to_an_engine_that_dies_or_hangs(self):
        await self.survive(DEADLY, 60, " ".join(f"x{fault}" for fault in DEADLY))
        for fault in DEADLY:
            with self.subTest(fault):
                self.assertRegex(self.daemon.log(), rf"strike id=\w+ engine=x{fault} strikes=1")

    async def test_no_game_is_lost_to_an_engine_that_plays_nonsense(self):
        await self.survive(WRONG, 60, " ".join(f"x{fault}" for fault in WRONG))
        for fault in WRONG:
            with self.subTest(fault):
                self.assertRegex(self.daemon.log(), rf"strike id=\w+ engine=x{fault} strikes=1")

    async def test_an_engine_that_does_not_come_up_costs_no_game(self):
        await self.survive(HARMLESS, 60, "xtwice xcomplain")
        self.assertRegex(self.daemon.log(), r"move=\S+ uci=.* source=xtwice")
        self.assertRegex(self.daemon.log(), r"debug engine stderr engine=xcomplain line=\S+a line")
        self.assertNotIn("\x1b", self.daemon.log())

    async def play_with_stockfish(self, **keys):
        await self.start(**{"engine.external sf": {"command": engine_path(), "nodes": 5000,
                                                   "option.Skill Level": 20, **keys}})
        await self.log_says("ready engine=sf", 30)  # else ours makes the first moves
        return await self.game(Random(2), limit=180, colour="black")

    def heard(self, name: str) -> str:
        with open(os.path.join(self.directory, name + ".heard"), encoding="utf-8") as file:
            return file.read()

    async def test_an_engine_is_told_whom_it_plays_where_and_of_tables(self):
        self.sim.add_account("Garry", title="GM", rating=2851)
        tables = os.path.join(self.directory, "tables")
        os.mkdir(tables)
        options = ("--backend", engine_path(), "--option", "UCI_Opponent")
        told = {"command": self.fake("told", *options), "nodes": 2000}
        await self.start(engine={"syzygy": tables}, **{
            "engine.external told": {**told, "directory": self.directory},
            "engine.external own": {**told, "command": self.fake("own", *options),
                                    "option.SyzygyPath": "<empty>"}})
        await self.log_says("ready engine=told", 30)
        await self.log_says("ready engine=own", 30)
        pid = int(re.findall(r"ready engine=told .*pid=(\d+)", self.daemon.log())[0])
        self.assertEqual(os.readlink(f"/proc/{self.engine_of(pid)}/cwd"),
                         os.path.realpath(self.directory))
        game = await self.game(Scripted("e2e4 d2d4"), name="Garry", limit=180)
        await game.plies(4, 30)
        self.assertIn(f"setoption name SyzygyPath value {tables}\n", self.heard("told"))
        self.assertIn("setoption name UCI_Opponent value GM 2851 human Garry\n",
                      self.heard("told"))
        self.assertEqual(self.heard("told").count("UCI_Opponent"), 1)
        self.assertNotIn(tables, self.heard("own"))

    # As ssh does: all words after the host are one line for a shell.
    SSH = "#!/bin/sh\nwhile [ \"$1\" != big ]; do shift; done; shift\nexec /bin/sh -c \"$*\"\n"

    async def play_over_ssh(self, command: str, **wanted):
        path = os.path.join(self.directory, "bin")
        os.makedirs(path, exist_ok=True)
        with open(os.path.join(path, "ssh"), "w", encoding="ascii") as file:
            file.write(self.SSH)
        os.chmod(file.name, 0o755)
        os.makedirs(os.path.join(self.directory, "my engine"), exist_ok=True)
        far = os.path.join(self.directory, "my engine", "far engine")
        if not os.path.islink(far):
            os.symlink(engine_path(), far)
        with unittest.mock.patch.dict(os.environ, PATH=path + ":" + os.environ["PATH"]):
            await self.start(**{"engine.external far": {
                "command": "ssh -T -o BatchMode=yes big " + command, "nodes": 3000}})
        await self.log_says("ready engine=far", 30)
        return await self.game(Random(2), limit=180, colour="black", **wanted)

    @unittest.skipUnless(os.path.isfile(os.path.join(TABLES, "KQvK.rtbw")), "there are no endgame tables here")
    async def test_an_engine_does_not_give_away_what_our_tables_hold(self):
        stalemates = self.fake("stalemates", "g6f7")
        await self.start(engine={"syzygy": TABLES, "tables": "suggest"},
                         **{"engine.external stalemates": {"command": stalemates, "nodes": 2000}},
                         **{"rule alone": {"when.opponent": "berta", "engine.tables": "no"}})
        await self.log_says("ready engine=stalemates", 30)
        won = "7k/8/5KQ1/8/8/8/8/8 w - - 0 1"
        game = await self.game(Idle(), colour="black", variant="fromPosition", fen=won)
        self.assertEqual(await self.over(game), ("mate", "white"))
        await self.log_says(r"move id=.* uci=g6g7 .*source=syzygy")
        game = await self.game(Idle(), colour="black", variant="fromPosition", fen=won, name="Berta")
        self.assertEqual(await self.over(game), ("stalemate", None))

    async def test_an_engine_is_played_over_ssh(self):
        game = await self.play_over_ssh(
            f"\"cd '{self.directory}/my engine' && exec './far engine'\"")
        self.assertEqual(await self.over(game, 90), ("mate", "white"))
        self.assertNotRegex(self.daemon.log(), "source=engine|strike")

    async def test_an_ssh_that_dies_in_mid_game_costs_no_game(self):
        game = await self.play_over_ssh(
            f"\"cd '{self.directory}/my engine' && exec './far engine'\"")
        for plies in (4, 8, 12, 16):
            await game.plies(plies, 30)
            pids = re.findall(r"ready engine=far .*pid=(\d+)", self.daemon.log())
            try:
                os.kill(self.engine_of(int(pids[-1])), signal.SIGKILL)
            except (OSError, IndexError):
                pass  # it is not back yet
        self.assertEqual(await self.over(game, 90), ("mate", "white"))
        self.assertRegex(self.daemon.log(), SIGNALLED)
        self.each_move_was_made_once(game)

    async def test_a_game_is_played_by_stockfish(self):
        game = await self.play_with_stockfish(ponder="yes")
        self.assertEqual(await self.over(game, 90), ("mate", "white"))
        self.each_move_was_made_once(game)
        self.assertRegex(self.daemon.log(), r'ready engine=sf program="Stockfish \d+')
        self.assertNotRegex(self.daemon.log(), "source=engine|strike")

    async def test_stockfish_is_replaced_when_somebody_kills_or_stops_it(self):
        game = await self.play_with_stockfish()
        for plies, number in ((4, signal.SIGKILL), (10, signal.SIGSTOP)):
            await game.plies(plies, 30)
            pids = re.findall(r"ready engine=sf .*pid=(\d+)", self.daemon.log())
            if game.is_running:
                os.kill(self.engine_of(int(pids[-1])), number)
            await self.sim.until(
                lambda: len(re.findall("ready engine=sf", self.daemon.log())) > len(pids)
                or not game.is_running, 30 * SLOWNESS)
        self.assertEqual(await self.over(game, 90), ("mate", "white"))
        self.assertRegex(self.daemon.log(), SIGNALLED)

    async def test_neither_an_engine_nor_its_daemons_outlive_castled(self):
        for number in (signal.SIGKILL, signal.SIGTERM):
            with self.subTest(number):
                await self.start(**{"engine.external": {
                    "command": self.fake("lasting", "--fault", "stop", "--children")}})
                await self.game(Scripted("e2e4"), limit=180)  # it stops itself at the first move
                await self.log_says("ready engine=external", 20)
                await self.sim.until(lambda: len(self.processes()) >= 3, 30 * SLOWNESS)
                self.daemon.signal(number)
                await self.daemon.wait(10 * SLOWNESS)
                await self.nothing_is_left()

    @unittest.skipUnless(has_landlock(), "this kernel has no Landlock")
    async def test_an_engine_reads_neither_the_token_nor_the_configuration(self):
        folder = os.path.join(self.directory, "secrets")
        os.mkdir(folder)
        token, net = os.path.join(folder, "token"), os.path.join(folder, "engine.net")
        for path, content in ((token, TOKEN), (net, "weights")):
            with open(path, "w", encoding="ascii", opener=lambda *a: os.open(*a, 0o600)) as file:
                file.write(content)
        config = os.path.join(self.directory, "castled.conf")
        command = f"{FAKE} --peek {token} --peek {config} --peek {net} e7e5"
        await self.start(token=None, account={"token_file": token}, **{
            "engine.external curious": {"command": command},
            "engine.external trusted": {"command": command, "sandbox": "no"}})
        await self.log_says("ready engine=curious ", 20)
        await self.log_says("ready engine=trusted ", 20)
        self.assertEqual(sorted(re.findall(r"engine=curious line=.(\w+) ", self.daemon.log())),
                         ["peeked", "refused", "refused"])
        self.assertRegex(self.daemon.log(), rf"engine=curious line=.peeked 7 bytes of {net}")
        self.assertEqual(re.findall(r"engine=trusted line=.(\w+) ", self.daemon.log()), ["peeked"] * 3)
        game = await self.game(Scripted("e2e4"), limit=180, colour="white")
        await game.plies(2, 20)
        self.assertRegex(self.daemon.log(), "uci=e7e5 .*source=curious")

    async def test_an_engine_cannot_resign_the_game(self):
        path = os.path.join(self.directory, "castled.sock")
        for sandbox in ("yes", "no"):
            with self.subTest(sandbox):
                await self.start(status={"socket": path}, **{"engine.external rebel": {
                    "command": f"{FAKE} --order {path} \"resign latest\" e7e5 d7d5", "sandbox": sandbox}})
                await self.log_says("ready engine=rebel ", 20)
                game = await self.game(Scripted("e2e4 d2d4"), limit=180, colour="white")
                await game.plies(4, 20)
                self.assertRegex(self.daemon.log(), "engine=rebel line=.ordered: .*takes no orders")
                self.assertRegex(self.daemon.log(), r"warning control refused pid=\d+")
                self.assertTrue(game.is_running)
                await self.stop_daemon()

    @unittest.skipUnless(has_seccomp(), "this kernel has no seccomp")
    async def test_an_engine_changes_its_own_priority_and_limits_only(self):
        script, seen = (os.path.join(self.directory, name) for name in ("handicap", "seen"))
        with open(script, "w", encoding="utf-8", opener=lambda *a: os.open(*a, 0o755)) as file:
            file.write(HANDICAP.format(fake=FAKE))
        await self.start(**{"engine.external rival": {"command": f"{script} {seen}"}})
        await self.log_says("ready engine=rival ", 20)
        with open(seen, encoding="ascii") as file:
            self.assertEqual(file.read().split(), ["refused"] * 3 + ["done"] * 2)

    async def test_on_a_kernel_without_landlock_engines_play_and_it_is_said(self):
        script = os.path.join(self.directory, "castled")
        with open(script, "w", encoding="utf-8", opener=lambda *a: os.open(*a, 0o700)) as file:
            file.write(WITHOUT_LANDLOCK.format(python=sys.executable, program=PROGRAM))
        with unittest.mock.patch("e2e.harness.PROGRAM", script):
            engines = {f"engine.external {name}": {"command": f"{FAKE} e7e5"} for name in ("one", "two")}
            await self.start(**engines)
            game = await self.game(Scripted("e2e4"), limit=180, colour="white")
            await game.plies(2, 20)
            self.assertEqual(self.daemon.log().count("no-sandbox"), 1)
            _, output = await self.command("check", "--config", self.write_config(**engines))
            self.assertEqual(output.count("no Landlock"), 1, output)

    def replace_engine(self, words: str) -> None:
        """As a build does that is careful: whole, or not at all."""
        path = os.path.join(self.directory, "engines", "far")  # not beside what is hidden from it
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path + ".tmp", "w", encoding="ascii", opener=lambda *a: os.open(*a, 0o755)) as file:
            file.write("#!/bin/sh\n" + words)
        os.rename(path + ".tmp", path)

    async def start_with_file(self, words: str, **keys):
        self.replace_engine(words)
        await self.start(**{"engine.external far": {
            "command": os.path.join(self.directory, "engines", "far"), "nodes": 1000, **keys}})
        await self.log_says("ready engine=far ", 30)

    async def test_an_engine_is_replaced_fifty_times_and_no_game_is_lost(self):
        def version(number: int) -> str:
            return f"# version {number}\nexec {engine_path()}\n"

        async def replace():
            for number in range(1, 51):
                self.replace_engine(version(number))
                await asyncio.sleep(0.25 if number % 10 else 4)

        await self.start_with_file(version(0))
        replacing = asyncio.create_task(replace())
        while not replacing.done():
            games = await asyncio.gather(*(self.game(Random(seed), name=f"player{seed}", limit=180)
                                           for seed in range(3)))
            for game in games:
                self.assertEqual((await self.over(game, 120))[0], "mate")
                self.assertEqual(game.winner, game.colour_of(self.bot))
                self.each_move_was_made_once(game)
        await replacing
        self.assertGreaterEqual(len(re.findall("new-version engine=far", self.daemon.log())), 3)
        self.assertEqual(re.findall(".* (?:strike|refused) .*", self.daemon.log()), [])

    async def test_a_changed_script_of_an_interpreter_is_a_new_version(self):
        script = os.path.join(self.directory, "engine.py")

        def write(moves: str) -> None:
            with open(script + ".tmp", "w", encoding="utf-8") as file:
                file.write(f"import os\nos.execv({FAKE!r}, {[FAKE, *moves.split()]!r})\n")
            os.rename(script + ".tmp", script)

        write("e7e5")
        sections = {"engine.external far": {"command": f"{sys.executable} {script}"}}
        await self.start(**sections)
        await self.log_says("ready engine=far ", 30)
        for reply, moves in (("e5", "e2e4 d7d5"), ("d5", "e7e5")):  # the first is for its trial
            game = await self.game(Scripted("e2e4", Idle()), limit=180, colour="white")
            await game.plies(2, 30)
            self.assertRegex(self.daemon.log(), rf"move id={game.id} ply=2 move={reply} .*source=far")
            if reply == "e5":
                write(moves)
                await self.log_says("new-version engine=far", 30)
            game.resign("white")
            await self.over(game)
        await self.stop_daemon()
        _, output = await self.command("stats", "--config", self.write_config(**sections), "--by", "engine")
        self.assertEqual(len(set(re.findall(r"far: .*\(([0-9a-f]{12})\)", output))), 2, output)

    async def test_what_an_engine_writes_itself_makes_no_version(self):
        log = os.path.join(self.directory, "engines", "log")
        self.replace_engine(f"echo started >> $1\nexec {FAKE} --cycle e2e4\n")
        with open(log, "w", encoding="ascii") as file:
            file.write("begun\n")
        os.chmod(log, 0o666)
        path = os.path.join(self.directory, "engines", "far")
        await self.start(**{"engine.external far": {"command": f"{path} {log}"}})
        await self.log_says("ready engine=far ", 30)
        self.replace_engine(f"echo changed >> $1\nexec {FAKE} --cycle e2e4\n")  # its trial writes, and that one's
        await self.log_says("left-out engine=far file=.*log", 60)
        await self.log_says("new-version engine=far", 30)
        await asyncio.sleep(3)
        versions = len(re.findall("new-version engine=far", self.daemon.log()))
        self.assertLessEqual(versions, 3)
        self.replace_engine(f"echo again >> $1\nexec {FAKE} --cycle d2d4\n")
        await self.sim.until(lambda: len(re.findall("new-version engine=far", self.daemon.log())) == versions + 1,
                             30, "the new version")

    async def test_a_game_ends_on_the_program_that_it_began_with(self):
        path = os.path.join(self.directory, "far")  # beside what is hidden from it: the old file has no rule of its own
        shutil.copy(engine_path(), path)
        await self.start(**{"engine.external far": {"command": path, "nodes": 1000}})
        await self.log_says("ready engine=far ", 30)
        opponent = Random(5, 3)  # the game lasts until the engine is killed
        game = await self.game(opponent, limit=180)
        await game.plies(2, 30)
        shutil.copy(FAKE, path + ".tmp")
        os.rename(path + ".tmp", path)
        await self.log_says("(new-version|refused) engine=far", 30)
        engine = self.engine_of(int(re.findall(r"ready engine=far .*pid=(\d+)", self.daemon.log())[0]))
        os.kill(engine, signal.SIGKILL)
        await self.log_says("(?s)failed engine=far .* ready engine=far program=(?!.?Fake)[^\n]*pid=", 30)
        again = self.engine_of(int(re.findall(r"ready engine=far .*pid=(\d+)", self.daemon.log())[-1]))
        self.assertEqual(os.readlink(f"/proc/{again}/exe"), path + " (deleted)")
        opponent.delay = 0
        self.assertEqual((await self.over(game, 120))[0], "mate")
        self.assertLessEqual(self.daemon.log().count(" strike "), 1)  # none where the engine was idle

    async def test_a_bad_version_is_refused_and_the_one_before_plays_on(self):
        await self.start_with_file(f"exec {FAKE} e7e5\n")
        for bad, why in (("exit 1\n", "(exit status 1|it closed its output)"), (f"exec {FAKE} --fault illegal\n", "no legal move"),
                         (f"exec {FAKE} --fault hang\n", "hangs")):
            with self.subTest(why):
                self.replace_engine(bad)
                await self.log_says(f"error engine refused engine=far .*why=.*{why}", 60)
                game = await self.game(Scripted("e2e4", Idle()), limit=180, colour="white")
                await game.plies(2, 30)
                self.assertRegex(self.daemon.log(), rf"move id={game.id} ply=2 move=e5 .*source=far")
                game.resign("white")
                await self.over(game)
        self.replace_engine(f"exec {FAKE} e2e4 d7d5\n")  # the first is for its trial
        await self.log_says("new-version engine=far", 30)
        game = await self.game(Scripted("e2e4", Idle()), limit=180, colour="white")
        await game.plies(2, 30)
        self.assertRegex(self.daemon.log(), rf"move id={game.id} ply=2 move=d5 .*source=far")

    async def test_a_changed_section_holds_from_the_next_game_on(self):
        await self.start(**{"engine.external far": {"command": f"{FAKE} --cycle e7e5 d7d5"}})
        await self.log_says("ready engine=far ", 30)
        first = await self.game(Scripted(["e2e4", 6, "g1f3"], Idle()), limit=180, colour="white")
        await first.plies(2, 30)
        self.write_config(**{"engine.external far": {"command": f"{FAKE} e2e4 g8f6 b8c6"}})
        status, output = await self.command("reload", "--config", os.path.join(self.directory, "castled.conf"))
        self.assertEqual(status, EX_OK, output)
        self.assertIn("engine far: changed", output)
        await self.log_says("new-version engine=far", 30)
        second = await self.game(Scripted("e2e4", Idle()), name="other", limit=180, colour="white")
        await second.plies(2, 30)
        self.assertRegex(self.daemon.log(), rf"move id={second.id} ply=2 move=Nf6 .*source=far")
        await first.plies(4, 30)
        self.assertRegex(self.daemon.log(), rf"move id={first.id} ply=4 move=d5 .*source=far")

    async def test_archive_and_pgn_name_the_engines_version(self):
        await self.start(**{"engine.external far": {"command": f"{FAKE} e7e5 d7d5", "option.Hash": "32"}})
        await self.log_says("ready engine=far ", 30)
        await self.quiet(2)  # by then its file has been read
        game = await self.game(Scripted("e2e4 d2d4", Idle()), limit=180, colour="white")
        await game.plies(4, 30)
        game.chat("player", "Alba", "!name")
        await self.log_says(r"said id=.* text=.*Castled-Bot running Fake 1 \(castled \d", 10)
        game.resign("white")
        await self.over(game)
        await self.stop_daemon()
        with open(FAKE, "rb") as file:
            digest = hashlib.sha256(file.read()).hexdigest()[:12]
        config = os.path.join(self.directory, "castled.conf")
        status, output = await self.command("pgn", "--config", config, game.id)
        self.assertIn(f'[BlackEngine "Fake 1 ({digest}) Hash=32"]', output)
        self.assertEqual(status, EX_OK)
        status, output = await self.command("stats", "--config", config, "--by", "engine")
        self.assertRegex(output, rf"1 +1 +0 +0 .* far: Fake 1 \({digest}\) Hash=32")
        status, output = await self.command("stats", "--config", config, "--compare", digest, "nonesuch")
        self.assertEqual(status, EX_OK, output)
        self.assertRegex(output, rf"(?s)against people.*1 +100.0 % +- +0 +0 +7.0 +{digest}.*unknown")

    async def test_a_folder_means_its_newest_program(self):
        folder = os.path.join(self.directory, "builds")
        os.mkdir(folder)

        def add(name: str, move: str) -> None:
            with open(os.path.join(folder, name), "w", encoding="ascii",
                      opener=lambda *a: os.open(*a, 0o755)) as file:
                file.write(f"#!/bin/sh\nexec {FAKE} {move}\n")

        add("one", "e7e5")
        await self.start(**{"engine.external far": {"command": folder}})
        await self.log_says("ready engine=far ", 30)
        add("three.part", "a7a6")
        add("two", "e2e4 d7d5")
        await self.log_says("new-version engine=far", 30)
        game = await self.game(Scripted("e2e4", Idle()), limit=180, colour="white")
        await game.plies(2, 30)
        self.assertRegex(self.daemon.log(), rf"move id={game.id} ply=2 move=d5 .*source=far")

    async def test_after_two_spoiled_games_the_previous_version_comes_back(self):
        await self.start(**{"engine.external far": {
            "command": f"{FAKE} --fault illegal", "previous": f"{FAKE} e2e4 e7e5"}})
        await self.log_says("ready engine=far ", 30)
        for _ in range(2):
            game = await self.game(Scripted(["h2h3", 2, "g2g3", 2, "a2a3", 2, "b2b3", 2], Random(1)), limit=180, colour="white")
            await self.log_says(f"given-up id={game.id}", 60)
            game.resign("white")
            await self.over(game)
        await self.log_says("fallback engine=far", 30)
        await self.log_says("new-version engine=far", 30)
        await self.stop_daemon()
        config = os.path.join(self.directory, "castled.conf")
        status, output = await self.command("stats", "--config", config, "--by", "engine")
        self.assertRegex(output, r"on time +strikes +engine\n +2 +2 +0 +0 .* 0 +6  far: Fake 1 \(")
        status, output = await self.command("stats", "--config", config, "--compare", "Fake", "nonesuch")
        self.assertRegex(output, r"against people\n.*on time +strikes +depth +version\n +2 .* 0 +6 +[\d.-]+ +Fake\n")
        status, output = await self.command("stats", "--config", config, "--by", "engine", "--format", "csv")
        self.assertRegex(output, r"(?m)^by,.*,on_time,strikes$[\s\S]*,0,6$")

    async def test_two_versions_share_the_games_and_one_can_be_chosen(self):
        async def engine_of(name: str) -> str:
            game = await self.game(Scripted("e2e4", Idle()), name=name, limit=180, colour="white")
            await game.plies(2, 30)
            game.resign("white")
            await self.over(game)
            return re.search(rf" move id={game.id} ply=2 .*source=(\w+)", self.daemon.log())[1]

        engines = {"engine.external new": {"command": f"{FAKE} --cycle e7e5", "share": 50},
                   "engine.external old": {"command": f"{FAKE} --cycle d7d5", "share": 50}}
        await self.start(**engines)
        for name in ("new", "old"):
            await self.log_says(f"ready engine={name} ", 30)
        for number in range(4):
            first = await engine_of(f"player{number}")
            drawn = re.findall(r" drawn id=(\w+) engine=(\w+) by=(\w+) ", self.daemon.log())
            self.assertEqual((drawn[-1][1], drawn[-1][0]), (first, drawn[-1][2]))
            self.assertEqual(await engine_of(f"player{number}"), first, "the second of a pair keeps its version")
        config = os.path.join(self.directory, "castled.conf")
        for chosen in ("old", "new"):
            status, output = await self.command("engine", "use", chosen, "--config", config)
            self.assertEqual((status, f"have the engine {chosen}" in output), (EX_OK, True), output)
            for number in range(2):
                self.assertEqual(await engine_of(f"{chosen}{number}"), chosen)
        engines["engine.external new"]["share"], engines["engine.external old"]["share"] = 10, 90
        self.write_config(**engines)
        self.assertEqual((await self.command("reload", "--config", config))[0], EX_OK)
        await self.quiet(2)
        self.assertNotIn(" new-version ", self.daemon.log())  # other shares make no other engine
        status, output = await self.command("engine", "use", "nonesuch", "--config", config)
        self.assertEqual((status, "no such engine" in output), (1, True), output)
        await self.stop_daemon()
        await self.start(**engines)
        for name in ("new", "old"):
            await self.log_says(f"ready engine={name} ", 30)
        self.assertEqual(await engine_of("later"), "new", "a restart forgets nothing")
        game = await self.game(Idle(), name="watched", limit=180, colour="white")
        await self.log_says(f" chosen id={game.id} ", 20)
        status, output = await self.command("status", "--config", config)
        self.assertRegex(output, rf"{game.id} .*  by new\n")
        game.resign("white")
        await self.over(game)
        status, output = await self.command("engine", "use", "all", "--config", config)
        self.assertEqual((status, "of the configuration" in output), (EX_OK, True), output)

    async def play_until_it_fails(self, fault: str):
        """A game with an engine that fails with our third move, and its transcript."""
        await self.start(**{"engine.external far": {
            "command": f"{FAKE} --fault {fault} --at 3 e7e5 d7d5 g8f6"}})
        await self.log_says("ready engine=far ", 30)
        game = await self.game(Scripted("e2e4 d2d4 g1f3 f1e2"), limit=180, colour="white")
        await game.plies(6, 30)
        await self.log_says("strike id=", 30)
        await self.quiet(1)  # what was said last is written a moment later
        return game

    async def test_a_fault_is_told_with_its_position_and_found_again(self):
        game = await self.play_until_it_fails("illegal")
        log = self.daemon.log()
        self.assertRegex(log, rf'strike id={game.id} engine=far strikes=1 why="it played an illegal move" '
                              r'ply=6 fen="rnbqkbnr/\S+ b KQkq - 1 3" go="go [^"]*wtime \d+ [^"]*" '
                              r'position="startpos moves e2e4 e7e5 d2d4 d7d5 g1f3"')
        self.assertRegex(log, rf'wrote id={game.id} engine=far to=stdout line="bestmove e1e5"')
        await self.stop_daemon()
        config = os.path.join(self.directory, "castled.conf")
        status, output = await self.command("engine-log", "--config", config, game.id)
        self.assertEqual(status, EX_OK, output)
        for line in ("# engine far", "> setoption name Hash value", "> position startpos moves e2e4",
                     "< bestmove e1e5", "# fault 6 it played an illegal move", "# end"):
            self.assertIn(line, output)
        status, output = await self.command("replay", "--config", config, game.id, "--times", "2")
        self.assertEqual(status, 1, output)
        self.assertRegex(output, r"(?s)1: ply 6: it plays an illegal move.*reproduced: 2 of 2")
        status, output = await self.command("replay", "--config", config, game.id, "--ply", "6",
                                            "--engine", f"{FAKE} b8c6")
        self.assertEqual(status, EX_OK, output)
        self.assertRegex(output, r"(?m)^not reproduced$")
        for words in (["--engine", "/nonesuch"], ["--engine", f"{FAKE} --fault quit"], ["--ply", "x"],
                      ["--ply", "5"]):
            status, output = await self.command("replay", "--config", config, game.id, *words)
            self.assertEqual(status, 125, output)

    async def test_a_report_of_a_game_holds_its_transcript_and_no_secret(self):
        game = await self.play_until_it_fails("crash")
        config, path = (os.path.join(self.directory, name) for name in ("castled.conf", "for-you.txt"))
        status, output = await self.command("report", "--config", config, game.id, "--output", path)
        self.assertEqual(status, EX_OK, output)
        await self.sim.until(lambda: os.path.getsize(path) > 0, 10)
        self.assertEqual(os.stat(path).st_mode & 0o777, 0o600)
        with open(path, encoding="utf-8") as file:
            report = file.read()
        self.assertIn("> position startpos moves e2e4 e7e5 d2d4 d7d5 g1f3", report)
        self.assertIn("# fault 6 exit status 3", report)
        self.assertNotIn(TOKEN, report)
        status, output = await self.command("report", "--config", config, "--output", path)
        self.assertEqual(status, 1, output)  # nothing is overwritten

    async def test_a_running_game_can_be_followed(self):
        await self.start(**{"engine.external far": {"command": f"{FAKE} e7e5 d7d5"}})
        await self.log_says("ready engine=far ", 30)
        game = await self.game(Scripted("e2e4 d2d4", Idle()), limit=180, colour="white")
        await game.plies(2, 30)
        follower = asyncio.create_task(self.command(
            "engine-log", "--config", os.path.join(self.directory, "castled.conf"), game.id, "--follow"))
        await game.plies(4, 30)
        await asyncio.sleep(1)
        self.assertFalse(follower.done())
        game.resign("white")
        status, output = await follower
        self.assertEqual(status, EX_OK, output)
        self.assertEqual(output.count("< bestmove e7e5"), 1, output)
        self.assertEqual(output.count("< bestmove d7d5"), 1, output)
        self.assertTrue(output.endswith("# end\n"), output)

    async def test_transcripts_can_be_turned_off(self):
        await self.start(**{"engine.external far": {"command": f"{FAKE} e7e5", "transcript": "0"}})
        await self.log_says("ready engine=far ", 30)
        game = await self.game(Scripted("e2e4", Idle()), limit=180, colour="white")
        await game.plies(2, 30)
        await self.stop_daemon()
        status, output = await self.command(
            "engine-log", "--config", os.path.join(self.directory, "castled.conf"), game.id)
        self.assertEqual(status, 69, output)
        self.assertIn("no external engine was asked", output)

    async def test_check_says_what_is_wrong_with_an_engine(self):
        for keys, expected in (
                ({"command": f"{FAKE} e2e4", "option.Style": "Risky"}, "ok +engine +e: Fake 1"),
                ({"command": "nonesuch-engine"}, "e: nonesuch-engine: not found along PATH"),
                ({"command": "/etc/passwd"}, "e: /etc/passwd: not executable"),
                ({"command": "sleep 100"}, "e: no uciok in 10 s"),
                ({"command": f"{FAKE} --fault quit"}, "e: it has ended: exit status 7"),
                ({"command": FAKE, "option.Stile": 1},
                 'it has no option "Stile"; did you mean "Style"'),
                ({"command": FAKE, "option.Hash": 100}, "option.Hash = 100: not within 1..64"),
                ({"command": FAKE, "option.UCI_Chess960": "on"}, "neither true nor false"),
                ({"command": FAKE, "variants": "horde"}, "does not play horde .*no option"),
                ({"command": engine_path("fairy-stockfish"), "variants": "horde, atomic"},
                 "does not play atomic .*UCI_Variant"),
                ({"command": engine_path("fairy-stockfish"), "variants": "horde, threeCheck"},
                 "ok +engine +e: Fairy-Stockfish")):
            with self.subTest(expected):
                path = self.write_config(**{"engine.external e": keys})
                status, output = await self.command("check", "--config", path, timeout=40)
                self.assertRegex(output, expected)
                self.assertEqual(status, EX_OK if expected.startswith("ok") else EX_CONFIG, output)

    async def test_check_starts_no_engine_before_the_token_is_out_of_its_reach(self):
        script, seen = (os.path.join(self.directory, name) for name in ("nosy", "seen"))
        with open(script, "w", encoding="utf-8", opener=lambda *a: os.open(*a, 0o755)) as file:
            file.write(NOSY.format(fake=FAKE))
        os.chmod(self.directory, 0o777)  # root's check starts it as nobody
        for sandbox in ("yes", "no") if has_landlock() else ("no",):
            with self.subTest(sandbox):
                path = self.write_config(**{"engine.external e": {
                    "command": f"{script} {seen}.{sandbox} {os.getpid()}", "sandbox": sandbox}})
                status, output = await self.command("check", "--config", path, timeout=40)
                self.assertEqual(status, EX_OK, output)
                with open(f"{seen}.{sandbox}", encoding="ascii") as file:
                    lines = file.read().splitlines()
                self.assertGreaterEqual(len(lines), 4, "castled, and who watches the engine")
                self.assertEqual([line for line in lines if "told" in line], [])

    @unittest.skipUnless(os.geteuid() == 0, "only root's check starts them as somebody else")
    async def test_check_starts_no_engine_as_root(self):
        script = os.path.join(self.directory, "who")
        with open(script, "w", encoding="utf-8", opener=lambda *a: os.open(*a, 0o755)) as file:
            file.write("#!/bin/sh\nread -r uci; echo id name user $(id -u) groups $(id -G); echo uciok\n"
                       "read -r isready; echo readyok; read -r quit\n")
        for sandbox in ("yes", "no"):
            path = self.write_config(**{"engine.external e": {
                "command": script, "sandbox": sandbox, "variants": "standard"}})
            os.chmod(self.directory, 0o755)
            status, output = await self.command("check", "--config", path)
            self.assertEqual(status, EX_OK, output)
            self.assertIn("e: user 65534 groups 65534\n", output)
            os.chmod(self.directory, 0o700)
            status, output = await self.command("check", "--config", path)
            self.assertEqual(status, EX_CONFIG, output)
            self.assertRegex(output, "FAIL +engine +e: it has ended: exit status 127: .*/who: Permission "
                                     "denied; .*as nobody")

    async def test_a_program_that_is_not_there_costs_no_game(self):
        await self.start(**{"engine.external": {"command": "/nonesuch/engine"}})
        game = await self.game(Random(5), limit=180)
        self.assertEqual(await self.over(game, 60), ("mate", "black"))
        self.assertRegex(self.daemon.log(), "why=\"/nonesuch/engine: not found\"")
        self.assertLess(self.daemon.log().count("nonesuch"), 60)


if __name__ == "__main__":
    unittest.main()
