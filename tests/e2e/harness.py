# SPDX-License-Identifier: GPL-3.0-or-later
"""What the end-to-end tests share: a simulator, a configuration, and the daemon's process.

The program under test is $CASTLED (ctest sets it), else build/bin/castled. When a test fails, the
daemon's log and the requests that the simulator saw are printed. With CASTLED_TEST_LOGS=FOLDER every
log is kept there.
"""
from __future__ import annotations

import asyncio
import os
import re
import shutil
import signal
import sys
import tempfile
import unittest
from typing import Any, Optional

from sim import daemon
from sim.challenges import Challenge
from sim.daemon import Daemon, free_port
from sim.game import Game
from sim.http1 import Stream
from sim.opponent import Idle
from sim.relay import Relay
from sim.server import Simulator

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PROGRAM = os.environ.get("CASTLED") or os.path.join(ROOT, "build", "bin", "castled")
# Sanitizers make the daemon several times slower; all bounds on time are stretched with this.
SLOWNESS = float(os.environ.get("CASTLED_TEST_SLOWNESS", "1"))
# A sanitizer's shadow memory is larger than any limit on ours.
SANITIZED = os.environ.get("CASTLED_TEST_SANITIZE", "") != ""
# With CASTLED_TEST_HTTP2=1 the daemon speaks HTTP/2, with nghttpx before the simulator.
HTTP2 = os.environ.get("CASTLED_TEST_HTTP2") == "1"
LOGS = os.environ.get("CASTLED_TEST_LOGS", "")
NGHTTPX = shutil.which("nghttpx") or "/usr/sbin/nghttpx"
TOKEN = "lip_" + "s3cr3t" * 4
# The answer to a challenge between bots one of which has played enough for the day.
DAY_LIMIT = b'{"error":"Too many requests","ratelimit":{"key":"bot.vsBot.day","seconds":40000}}'
EX_OK, EX_USAGE, EX_UNREACHABLE, EX_REFUSED, EX_CONFIG = 0, 64, 69, 77, 78
STOP_S = 2.0  # what a SIGTERM may take


def has_http2_proxy() -> bool:
    return os.path.exists(NGHTTPX)


class Stage(unittest.TestCase):
    """One simulator and at most one daemon at a time. A TestCase for its assertions only."""

    excused_refusals = "finished"  # of moves; a regular expression
    directory: str                 # for everything that is written; to be set before open()

    async def open(self, http2: bool = HTTP2, *, through: str = "", **options: Any) -> None:
        """`options` are the simulator's. Between it and castled there may be a Relay: `through` is
        "CONNECT" for a proxy that castled finds in its environment, "address" for one that has the
        server's address."""
        self.sim = Simulator(self.directory, **options)
        self.bot = self.sim.add_account("Castled-Bot", title="BOT", rating=2000)
        self.sim.add_token(TOKEN, self.bot)
        self.daemon: Optional[Daemon] = None
        self.proxy: Optional[asyncio.subprocess.Process] = None
        self._leaving: list[asyncio.subprocess.Process] = []  # proxies that serve old connections
        self.http2 = http2
        self._runs = 0
        await self.sim.start()
        self.url = self.sim.url
        if http2:
            self.url = f"https://127.0.0.1:{free_port()}"
            await self.start_proxy()
        self.relay: Optional[Relay] = None
        self.variables: dict[str, str] = {}  # of the daemon and of commands
        if through == "CONNECT":
            self.relay = await Relay.start()
            self.variables["https_proxy"] = self.relay.url
        elif through == "address":
            self.relay = await Relay.start(("127.0.0.1", int(self.url.rpartition(":")[2])))

    @property
    def address(self) -> str:
        """Of the server, for castled."""
        is_behind = self.relay is not None and not self.variables
        return f"https://127.0.0.1:{self.relay.port}" if is_behind else self.url

    async def close(self) -> None:
        """Ends with a SIGTERM, and looks at what was left behind."""
        try:
            await self._stop_daemon()
        finally:
            for proxy in self._leaving + [self.proxy] * (self.proxy is not None):
                if proxy.returncode is None:
                    proxy.kill()
                    await proxy.wait()
            if self.relay is not None:
                await self.relay.close()
            await self.sim.stop()
            self._keep_logs()

    def _keep_logs(self) -> None:
        if not LOGS:
            return
        for name in os.listdir(self.directory):
            if name.endswith(".log"):
                kept = f"{os.path.basename(self.directory)}-{self._runs}-{name}"
                shutil.copy(os.path.join(self.directory, name), os.path.join(LOGS, kept))

    def what_happened(self) -> str:
        lines = ["--- requests"]
        lines += [f"{r.arrived:.3f} {r.method} {r.path} -> {r.status} {r.error}"
                  for r in self.sim.requests[-60:]]
        for name in sorted(os.listdir(self.directory)):
            if name.endswith(".log"):
                lines.append(f"--- {name}")
                with open(os.path.join(self.directory, name), errors="replace") as log:
                    lines += [line.rstrip("\n") for line in log.readlines()[-120:]]
        return "\n".join(lines)

    async def start_proxy(self) -> None:
        """nghttpx in front of the simulator, on the port of `url`."""
        port = self.url.rpartition(":")[2]
        with open(os.path.join(self.directory, "nghttpx.log"), "ab") as log:
            self.proxy = await asyncio.create_subprocess_exec(
                NGHTTPX, "--conf=/dev/null", f"--frontend=127.0.0.1,{port}",
                f"--backend=127.0.0.1,{self.sim.url.rpartition(':')[2]};;tls;proto=http/1.1",
                "--insecure", "--workers=1", "--backend-read-timeout=1h", "--no-ocsp",
                "--backend-max-backoff=1s",
                self.sim.key_file, self.sim.certificate_file, stdout=log, stderr=log)
        while not await self._proxy_listens():
            self.assertIsNone(self.proxy.returncode, "the proxy has gone")
            await asyncio.sleep(0.05)

    async def _proxy_listens(self) -> bool:
        try:
            _, writer = await asyncio.open_connection("127.0.0.1", int(self.url.rpartition(":")[2]))
        except OSError:
            return False
        writer.close()
        return True

    async def goaway(self) -> None:
        """The proxy takes no more requests on its connections (GOAWAY), a new one takes its place;
        what streams on the old connections goes on."""
        leaving, self.proxy = self.proxy, None
        self._leaving.append(leaving)
        leaving.send_signal(signal.SIGQUIT)
        await self._wait_for_port()
        await self.start_proxy()

    async def stop_proxy(self) -> None:
        """All its connections are reset."""
        self.proxy.kill()
        await self.proxy.wait()
        self.proxy = None
        await self._wait_for_port()

    async def _wait_for_port(self) -> None:
        """Its worker, a process of its own, listens a little longer than the process that we know."""
        for _ in range(500):
            if not await self._proxy_listens():
                return
            await asyncio.sleep(0.02)
        self.fail("a proxy that was stopped still listens after 10 s")

    async def _stop_daemon(self) -> None:
        if self.daemon is not None and self.daemon.is_running:
            try:
                await self.stop_daemon()
            finally:
                await self.daemon.kill()
        self.assertEqual(self.sim.failures, [])
        self._no_move_was_wrong()
        if self.http2:
            for request in self.sim.requests:
                if request.headers.get("user-agent", "").startswith("castled"):
                    self.assertEqual(request.headers.get("via"), "2 nghttpx")
        if self.daemon is not None:
            self.assertNotIn(TOKEN, self.daemon.log())
            self.assertNotRegex(self.daemon.log(), "Sanitizer|runtime error:|castled: fault")

    def _no_move_was_wrong(self) -> None:
        """Refused moves are only those that came too late, or once more after a lost answer."""
        seen = set()
        for request in self.sim.requests:
            if request.family == "move" and request.status == 400 and request.path not in seen:
                game = self.sim.games.get(request.path.split("/")[4])
                # The end and a move may pass each other on their ways.
                if game is None or game.is_running or request.arrived < game.ended_at - SLOWNESS:
                    self.assertRegex(request.error, self.excused_refusals, request.path)
            seen.add(request.path)

    # Configuration and process

    def write_config(self, name: str = "castled.conf", **sections: dict[str, Any]) -> str:
        """A configuration for the simulator; keyword arguments are sections over the defaults."""
        config: dict[str, dict[str, Any]] = {
            "account": {"url": self.address, "ca_file": self.sim.ca_file},
            "engine": {"threads": 1, "hash": 8, "nodes": 2000, "move_overhead": 50},
            "games": {"concurrency": 4}, "log": {"level": "debug"}}
        for section, keys in sections.items():
            config.setdefault(section, {}).update(keys)
        path = os.path.join(self.directory, name)
        daemon.write_config(path, config)
        return path

    def environment(self, token: Optional[str] = TOKEN) -> dict[str, str]:
        keep = {name: value for name, value in os.environ.items()
                if name in ("PATH", "LANG", "TZ", "HOME") or name.endswith("SAN_OPTIONS")}
        keep.update(self.variables)
        keep["XDG_STATE_HOME"] = keep["XDG_CONFIG_HOME"] = self.directory
        if token is not None:
            keep["CASTLED_TOKEN"] = token
        return keep

    async def start(self, *, token: Optional[str] = TOKEN, wait: bool = True,
                    process: Optional[dict[str, Any]] = None,
                    **sections: dict[str, Any]) -> Daemon:
        """Starts `castled run`; with `wait`, until its event stream is open.

        `process` are keywords of Daemon.start().
        """
        path = self.write_config(**sections)
        self._runs += 1
        log_path = os.path.join(self.directory, f"run{self._runs}.log")
        self.daemon = await Daemon.start(PROGRAM, path, log_path, self.environment(token),
                                         **(process or {}))
        if wait:
            await self.online()
        return self.daemon

    async def online(self, timeout: float = 30) -> None:
        await self.sim.until(lambda: self.bot.is_online or not self.daemon.is_running,
                             timeout * SLOWNESS, "the daemon's event stream")
        self.assertTrue(self.daemon.is_running, "the daemon has gone")

    async def stop_daemon(self) -> None:
        status, seconds = await self.daemon.stop()
        self.assertEqual(status, 0)
        self.assertLess(seconds, STOP_S * SLOWNESS)
        await self.sim.until(lambda: not self.bot.is_online, 30)

    async def command(self, *arguments: str, token: Optional[str] = TOKEN,
                      timeout: float = 60) -> tuple[int, str]:
        """Runs `castled ARGUMENTS`; returns exit status and all that it wrote."""
        return await self.run_program(PROGRAM, *arguments, token=token, timeout=timeout)

    async def run_program(self, *words: str, token: Optional[str] = TOKEN, timeout: float = 60,
                          cwd: Optional[str] = None) -> tuple[int, str]:
        """The same with the whole command line, in another folder if one is named."""
        process = await asyncio.create_subprocess_exec(
            *words, env=self.environment(token), cwd=cwd, stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT)
        try:
            output, _ = await asyncio.wait_for(process.communicate(), timeout * SLOWNESS)
        except asyncio.TimeoutError:
            process.kill()
            raise
        return process.returncode, output.decode()

    # Games

    async def challenge(self, player: Optional[Idle] = None, name: str = "Alba",
                        **wanted: Any) -> Challenge:
        return await self.sim.challenge(self.bot, name, player=player, **wanted)

    async def game(self, player: Optional[Idle] = None, **wanted: Any) -> Game:
        """A game that the daemon has accepted."""
        challenge = await self.challenge(player, **wanted)
        return await challenge.started(30 * SLOWNESS)

    async def over(self, game: Game, timeout: float = 60) -> tuple[str, Optional[str]]:
        """How the game ended, and that the daemon let go of it."""
        await game.until(lambda g: not g.is_running, timeout * SLOWNESS)
        colour = game.colour_of(self.bot)
        await self.sim.until(lambda: not game.streams(colour), 30 * SLOWNESS,
                             "the game stream's end")
        return game.status, game.winner

    async def stream(self, game: Game, timeout: float = 30) -> Stream:
        """The daemon's stream of the game, once it is open."""
        colour = game.colour_of(self.bot)
        await self.sim.until(lambda: game.streams(colour), timeout * SLOWNESS, "the game's stream")
        return game.streams(colour)[-1]

    async def event_stream(self) -> Stream:
        await self.online()
        return next(s for _, s in self.bot.event_streams if s.is_open)

    async def log_says(self, pattern: str, timeout: float = 30) -> None:
        await self.sim.until(lambda: re.search(pattern, self.daemon.log()) is not None,
                             timeout * SLOWNESS, f"/{pattern}/ in the log")

    async def quiet(self, seconds: float) -> int:
        """Lets time pass; returns how many requests came in."""
        before = len(self.sim.requests)
        await asyncio.sleep(seconds)
        return len(self.sim.requests) - before

    def posts(self, family: str) -> list[str]:
        return [r.path for r in self.sim.requests if r.family == family]

    def each_move_was_made_once(self, game: Game) -> None:
        """No move was posted again after it had been answered with a 200."""
        done = [r.path for r in self.sim.requests if r.family == "move" and r.status == 200
                and f"/{game.id}/" in r.path]
        ours = [ply for ply, position in enumerate(game.positions[:-1])
                if position.turn == game.colour_of(self.bot)]
        self.assertLessEqual(len(done), len(ours))


class DaemonTest(Stage, unittest.IsolatedAsyncioTestCase):
    """A stage for each test."""

    def run(self, result=None):
        with tempfile.TemporaryDirectory(prefix="castled-e2e-") as self.directory:
            before = len(result.failures) + len(result.errors)
            super().run(result)
            if len(result.failures) + len(result.errors) > before:
                print(f"\n{self.id()}:\n{self.what_happened()}", file=sys.stderr)
        return result

    async def asyncSetUp(self):
        asyncio.get_running_loop().set_debug(False)  # unittest's default is slow
        await asyncio.sleep(0)
        await self.open()
        self.addAsyncCleanup(self.close)


def mirrored(fen: str) -> str:
    """The same position with the colours changed over."""
    placement, turn, rights, en_passant, *counters = fen.split()
    rows = [row.swapcase() for row in reversed(placement.split("/"))]
    return " ".join(["/".join(rows), "b" if turn == "w" else "w", rights.swapcase(),
                     en_passant.translate(str.maketrans("36", "63")), *counters])


def mirrored_move(move: str) -> str:
    return move.translate(str.maketrans("12345678", "87654321"))
