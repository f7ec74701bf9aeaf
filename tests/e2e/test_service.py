# SPDX-License-Identifier: GPL-3.0-or-later
"""The daemon as a service: what it tells systemd, and a configuration that changes under it."""
import asyncio
import contextlib
import json
import os
import re
import signal
import socket
import sqlite3
import time
import unittest
from typing import Optional

from sim.daemon import Daemon
from sim.opponent import Scripted

from .harness import EX_OK, EX_UNREACHABLE, PROGRAM, ROOT, SLOWNESS, TOKEN, DaemonTest
from .matrix import shim


class Manager:
    """The service manager's end of $NOTIFY_SOCKET."""

    def __init__(self, path: str):
        self.path = path
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._socket.bind(path)
        self._socket.setblocking(False)
        self.messages: list[str] = []
        asyncio.get_running_loop().add_reader(self._socket, self._read)

    def _read(self) -> None:
        self.messages.append(self._socket.recv(4096).decode())

    def heard(self, text: str) -> int:
        return sum(text in message for message in self.messages)

    def forget(self) -> None:
        self.messages.clear()

    async def close(self) -> None:
        asyncio.get_running_loop().remove_reader(self._socket)
        self._socket.close()


class ServiceTest(DaemonTest):
    async def asyncSetUp(self):
        await super().asyncSetUp()
        self.manager = Manager(os.path.join(self.directory, "notify"))
        self.addAsyncCleanup(self.manager.close)

    def environment(self, token: Optional[str] = TOKEN) -> dict[str, str]:
        return {**super().environment(token), "NOTIFY_SOCKET": self.manager.path,
                "WATCHDOG_USEC": "900000"}

    async def hears(self, text: str, timeout: float = 5) -> None:
        await self.sim.until(lambda: self.manager.heard(text) > 0, timeout * SLOWNESS, text)

    async def reload(self, outcome: str, **sections) -> None:
        self.write_config(**sections)
        self.daemon.signal(signal.SIGHUP)
        await self.log_says(outcome)

    async def test_a_socket_that_moves_or_goes_does_not_keep_systemd_from_reloading(self):
        await self.start()
        for socket_path in (os.path.join(self.directory, "elsewhere.sock"), "off"):
            config = self.write_config(status={"socket": socket_path})
            code, output = await self.run_program(PROGRAM, "reload", "--config", config)
            self.assertEqual(code, EX_UNREACHABLE, output)
            before = self.daemon.log().count(" reloaded file=")
            code, output = await self.run_program(
                "env", f"MAINPID={self.daemon.pid}", PROGRAM, "reload", "--config", config)
            self.assertEqual(code, EX_OK, output)
            self.assertIn("was told by SIGHUP", output)
            await self.sim.until(lambda: self.daemon.log().count(" reloaded file=") > before,
                                 30 * SLOWNESS, "the reload")

    async def test_a_storm_of_signals_reloads_once_a_second_and_the_last_file(self):
        await self.start()
        began = asyncio.get_running_loop().time()
        while asyncio.get_running_loop().time() < began + 2:
            self.daemon.signal(signal.SIGHUP)
            await asyncio.sleep(0.01)
        self.write_config(games={"concurrency": 3})
        self.daemon.signal(signal.SIGHUP)
        await self.log_says("config changed .*games.concurrency")
        self.assertLessEqual(self.daemon.log().count("config reloaded"), 2 + 3 * SLOWNESS)

    async def test_a_refused_account_is_never_ready(self):
        await self.start(wait=False, token="lip_wrong")
        await self.daemon.wait(10 * SLOWNESS)
        self.assertFalse(self.manager.heard("READY=1"))

    async def test_ready_is_who_waits_for_the_server(self):
        """`systemctl start` must not wait for it too, nor the machine's boot."""
        await self.sim.down()
        await self.start(wait=False)
        await self.hears("STATUS=signing on to ")
        await self.hears("READY=1")
        await self.hears("WATCHDOG=1")
        await self.sim.start()
        await self.online()
        await self.hears("STATUS=online as castled-bot, 0 games")
        game = await self.game(Scripted("e2e4"))
        await game.plies(2, 10)
        await self.hears("STATUS=online as castled-bot, 1 game")
        await self.stop_daemon()
        await self.hears("STOPPING=1")
        self.assertEqual(self.manager.heard("READY=1"), 1)

    @unittest.skipUnless(shim(), "nothing can be preloaded into it")
    async def test_a_second_signal_ends_a_stop_that_hangs(self):
        archive = os.path.join(self.directory, "games.sqlite")
        await self.start(archive={"file": archive},
                         process={"variables": {"LD_PRELOAD": shim(), "SHIM_SYNC_MS": "3000"}})
        game = await self.game(Scripted("e2e4"))
        await game.plies(2, 10)
        game.resign("white")
        await self.log_says("game over")
        self.daemon.signal(signal.SIGTERM)
        await self.log_says("daemon stopping")
        begun = time.monotonic()
        self.daemon.signal(signal.SIGINT)
        self.assertEqual(await self.daemon.wait(10), -signal.SIGINT)
        self.assertLess(time.monotonic() - begun, 1 * SLOWNESS)

    async def test_the_watchdog_is_fed_while_the_stream_is_reopened(self):
        await self.start()
        await self.hears("WATCHDOG=1")
        await self.sim.down()
        await self.hears("STATUS=offline as castled-bot, 0 games")
        for _ in range(3):
            self.manager.forget()
            await self.hears("WATCHDOG=1")
        self.daemon.signal(signal.SIGSTOP)
        self.manager.forget()
        await self.quiet(1.5)
        self.assertFalse(self.manager.heard("WATCHDOG=1"))
        self.daemon.signal(signal.SIGCONT)
        await self.hears("WATCHDOG=1")

    async def test_restarts_open_no_more_event_streams_than_the_server_allows(self):
        opens = [f"{int((time.time() - 500 + n) * 1000)}" for n in range(25)]
        await self.start()
        await self.stop_daemon()
        path = os.path.join(self.directory, "castled", "games.sqlite")
        with contextlib.closing(sqlite3.connect(path)) as archive, archive:
            archive.execute("update fact set value = ? where key = 'opens/event-stream'",
                            (" ".join(opens),))
            self.assertEqual(archive.total_changes, 1)
        before = self.sim.count("event_stream")
        self.manager.forget()
        await self.start(wait=False)
        await self.log_says(r"lost why=.limits of an earlier life. retry_in_ms=\d{5}")
        await self.hears("READY=1")  # what waits for minutes holds up neither systemctl nor a boot
        await self.quiet(0.5)
        self.assertEqual(self.sim.count("event_stream"), before)

    async def test_a_changed_configuration_holds_from_now_on(self):
        await self.start(games={"concurrency": 1})
        first = await self.game(Scripted("e2e4"), limit=600)
        await first.plies(2, 10)
        waiting = await self.challenge(Scripted("d2d4"), name="Berta")
        await self.log_says(f"waits id={waiting.id}")
        await self.reload("reloaded", games={"concurrency": 2},
                          challenge={"speeds": "rapid, bullet"}, engine={"hash": 16})
        await self.hears("RELOADING=1\nMONOTONIC_USEC=")
        second = await waiting.started(10 * SLOWNESS)  # there is a slot for it now
        await second.plies(2, 10)
        await self.log_says(r"changed key=games.concurrency from=1 to=2")
        await self.log_says(r"changed key=challenge.speeds ")
        await self.log_says(r"needs-restart key=engine.hash now=8 in_file=16")
        self.assertTrue(first.is_running)
        refused = await self.challenge(Scripted("d2d4"), name="Cilli", limit=300)
        await self.sim.until(lambda: not refused.is_open, 5 * SLOWNESS)
        self.assertEqual(refused.status, "declined")
        self.assertEqual(self.manager.heard("READY=1"), 2)

    async def test_a_wrong_configuration_is_told_and_the_old_one_kept(self):
        await self.start(games={"concurrency": 1})
        await self.reload("not-reloaded", games={"concurrency": 0, "concurency": 2})
        await self.log_says(r"error problem=.*castled.conf:\d+: .*concurrency = 0")
        await self.log_says(r"error problem=.*castled.conf:\d+: .*concurency")
        game = await self.game(Scripted("e2e4"))
        await game.plies(2, 10)

    async def test_what_the_container_image_sets_is_enough(self):
        """Its variables and its configuration, in a folder of ours, and a secret named "token"."""
        with open(os.path.join(ROOT, "config", "Dockerfile"), encoding="utf-8") as file:
            recipe = file.read()
        (line,) = re.findall("(?m)^ENV (.*)$", recipe)
        self.assertIn("\nCOPY config/container.conf /etc/castled/castled.conf\n", recipe)
        self.assertIn('\nENTRYPOINT ["castled"]\nCMD ["run", "--drain"]\n', recipe)
        self.assertIn(' CMD ["castled", "status", "--health"]\n', recipe)
        self.assertRegex(recipe, r"(?m)^USER \d+:\d+$")
        variables = {name: self.directory + path
                     for name, path in (pair.split("=") for pair in line.split())}
        for folder in variables.values():
            os.makedirs(folder)
        with open(os.path.join(variables["CREDENTIALS_DIRECTORY"], "token"), "w") as secret:
            secret.write(TOKEN)
        with open(os.path.join(ROOT, "config", "container.conf"), encoding="utf-8") as file:
            config = file.read().replace("[account]\n", f"[account]\nurl = {self.url}\nca_file = {self.sim.ca_file}\n")
        self.assertIn("\ntoken_file = /var/lib/castled/token\n", config)
        path = os.path.join(self.directory, "castled.conf")
        with open(path, "w", encoding="utf-8") as file:
            file.write(config)
        clean = {name: value for name, value in self.environment(None).items()
                 if name != "HOME" and not name.startswith("XDG_")}
        clean.update(variables)
        self.daemon = await Daemon.start(PROGRAM, path, os.path.join(self.directory, "run1.log"),
                                         clean)
        await self.log_says("info stream open")
        async def health() -> int:
            process = await asyncio.create_subprocess_exec(
                PROGRAM, "status", "--health", "--config", path, env=clean, stderr=asyncio.subprocess.DEVNULL)
            return await process.wait()
        self.assertEqual(await health(), EX_OK)
        await self.sim.down()
        await self.log_says("stream (lost|stream-ended|ended)")
        self.assertEqual(await health(), EX_UNREACHABLE)
        await self.sim.start()
        await self.online()
        await self.stop_daemon()
        self.assertTrue(os.path.exists(f"{variables['STATE_DIRECTORY']}/games.sqlite"))

    async def test_a_level_of_the_log_can_be_changed_at_once(self):
        await self.start(log={"level": "error"})
        await self.reload("^", log={"level": "info"})
        await self.hears("RELOADING=1")  # else the two signals may be one
        await self.reload("reloaded", log={"level": "info"})

    async def test_a_game_can_be_picked_out_of_a_log_in_json(self):
        await self.start(log={"format": "json"})
        game = await self.game(Scripted("e2e4 d2d4"))
        await game.plies(4, 20 * SLOWNESS)
        await self.log_says('"event":"move",.*"ply":4')
        await self.stop_daemon()
        lines = [json.loads(line) for line in self.daemon.log().splitlines()]
        self.assertIn(("stream", "open"), {(line["component"], line["event"]) for line in lines})
        moves = [line["uci"] for line in lines
                 if line["event"] == "move" and line.get("game") == game.id]
        self.assertEqual(moves, [game.wire_move(1), game.wire_move(3)])
        self.assertEqual(len({line["level"] for line in lines} - {"debug", "info", "warning"}), 0)

    async def test_the_journal_gets_what_would_be_lines_as_entries_with_fields(self):
        # The journal listens where only root may; without it the log says so and goes on as text.
        await self.start(log={"format": "journal"})
        if os.access("/run/systemd/journal/socket", os.W_OK):
            self.assertEqual(self.daemon.log(), "")
        else:
            await self.log_says("warning log no-journal why=.*/run/systemd/journal/socket")
            await self.log_says("info stream open")

    async def test_a_late_head_of_an_idle_stream_is_no_delay(self):
        if not self.http2:  # there the simulator's proxy holds the head back
            self.sim.faults.order("event_stream", delay_before_s=6)
        began = time.monotonic()
        await self.start(wait=False)
        await self.hears("READY=1", 3)
        self.assertLess(time.monotonic() - began, 3 * SLOWNESS)
        await self.hears("STATUS=online as castled-bot, 0 games")
        await self.online()
        game = await self.game(Scripted("e2e4"))
        await game.plies(2, 10)

    async def test_a_stream_that_is_refused_late_is_opened_again(self):
        self.sim.faults.order("event_stream", status=502, delay_before_s=2)
        await self.start(wait=False)
        await self.hears("READY=1", 3)
        await self.log_says("stream lost end=.*status=502")
        await self.online()
        game = await self.game(Scripted("e2e4"))
        await game.plies(2, 10)


if __name__ == "__main__":
    unittest.main()
