# SPDX-License-Identifier: GPL-3.0-or-later
"""The token goes to the configured server over TLS, and nowhere else; what strangers write stays text.

Holds I19 of bot/README.md.
"""
import asyncio
import glob
import os
import re
import resource
import signal
import ssl
import sys
import unittest

from sim import daemon
from sim.opponent import Engine

from .harness import PROGRAM, SANITIZED, SLOWNESS, TOKEN, DaemonTest

CORE_TEST = "import os, signal; os.kill(os.getpid(), signal.SIGABRT)"


class Server:
    """A TLS server that notes what comes and answers everything alike."""

    def __init__(self, answer: bytes):
        self.answer = answer
        self.heard = b""
        self.url = ""

    async def start(self, test: DaemonTest, context: ssl.SSLContext) -> "Server":
        server = await asyncio.start_server(self._serve, "127.0.0.1", 0, ssl=context)
        self.url = f"https://127.0.0.1:{server.sockets[0].getsockname()[1]}"
        test.addCleanup(server.close)
        return self

    async def _serve(self, reader, writer):
        try:
            while b"\r\n\r\n" not in self.heard[-4:]:
                data = await reader.read(65536)
                if not data:
                    return
                self.heard += data
            writer.write(self.answer)
            await writer.drain()
        except OSError:
            pass
        finally:
            writer.close()


def allow_cores():
    resource.setrlimit(resource.RLIMIT_CORE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))


class SecretsTest(DaemonTest):
    def server_context(self) -> ssl.SSLContext:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(os.path.join(self.directory, "server.pem"),
                                os.path.join(self.directory, "server.key"))
        return context

    def assert_no_token(self, where: str, text) -> None:
        token = TOKEN.encode() if isinstance(text, bytes) else TOKEN
        self.assertNotIn(token, text, where)

    async def test_the_token_is_in_no_file_and_in_no_list_of_processes(self):
        await self.start()
        game = await self.game(Engine(nodes=300))
        await game.plies(6, 20)
        process = f"/proc/{self.daemon._process.pid}"
        for name in ("cmdline", "environ"):
            try:
                with open(f"{process}/{name}", "rb") as file:
                    self.assert_no_token(name, file.read())
            except PermissionError:
                self.assertEqual(name, "environ")  # root's alone
        await self.stop_daemon()
        for folder, _, names in os.walk(self.directory):
            for name in names:
                with open(os.path.join(folder, name), "rb") as file:
                    self.assert_no_token(name, file.read())

    @unittest.skipIf(SANITIZED, "a sanitizer keeps copies of its own")
    async def test_memory_holds_the_token_as_a_header_only(self):
        await self.start()
        game = await self.game(Engine(nodes=300))
        await game.plies(4, 20)
        process = f"/proc/{self.daemon._process.pid}"
        copies = 0
        if os.geteuid() != 0:
            self.assertRaises(PermissionError, open, f"{process}/mem", "rb")
            return
        with open(f"{process}/maps", encoding="ascii") as maps, open(f"{process}/mem", "rb", 0) as memory:
            for line in maps:
                begin, end, rights = re.match(r"([0-9a-f]+)-([0-9a-f]+) (\S+)", line).groups()
                if "r" not in rights or "w" not in rights:
                    continue
                memory.seek(int(begin, 16))
                try:
                    data = memory.read(int(end, 16) - int(begin, 16))
                except OSError:
                    continue
                for found in re.finditer(re.escape(TOKEN.encode()), data):
                    copies += 1
                    # libcurl's freed copies may be there still, their first 16 bytes
                    # ("Authorization: B") overwritten by the heap's own links.
                    self.assertTrue(data[:found.start()].endswith(b"earer "), line)
        self.assertGreaterEqual(copies, 1)

    async def test_a_crash_leaves_no_core_dump(self):
        allowed = resource.getrlimit(resource.RLIMIT_CORE)[1]
        if allowed == 0:
            self.skipTest("no core dumps here at all")
        cores = os.path.join(self.directory, "cores")
        os.mkdir(cores)
        control = await asyncio.create_subprocess_exec(sys.executable, "-c", CORE_TEST, cwd=cores,
                                                       preexec_fn=allow_cores)
        await control.wait()
        if not os.listdir(cores):
            self.skipTest("core dumps go elsewhere here")
        for name in os.listdir(cores):
            os.unlink(os.path.join(cores, name))
        path = self.write_config()
        with open(os.path.join(self.directory, "run1.log"), "wb") as log:
            process = await asyncio.create_subprocess_exec(
                PROGRAM, "run", "--config", path, cwd=cores, env=self.environment(),
                stdin=asyncio.subprocess.DEVNULL, stdout=log, stderr=log, preexec_fn=allow_cores)
        await self.sim.until(lambda: self.bot.is_online, 30 * SLOWNESS)
        process.send_signal(signal.SIGABRT)
        self.assertEqual(await asyncio.wait_for(process.wait(), 20), -signal.SIGABRT)
        self.assertEqual(os.listdir(cores), [])

    async def test_a_redirect_gets_nothing(self):
        elsewhere = await Server(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}").start(
            self, self.server_context())
        for status in (301, 302, 303, 307, 308):
            redirecting = await Server(
                f"HTTP/1.1 {status} Moved\r\nLocation: {elsewhere.url}/api/account\r\n"
                "Content-Length: 0\r\n\r\n".encode()).start(self, self.server_context())
            path = self.write_config(account={"url": redirecting.url})
            code, output = await self.command("check", "--config", path)
            self.assertNotEqual(code, 0, output)
            self.assertIn(f"Authorization: Bearer {TOKEN}".encode(), redirecting.heard)
        self.assertEqual(elsewhere.heard, b"")

    async def test_a_redirect_in_mid_game_gets_nothing(self):
        elsewhere = await Server(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}").start(
            self, self.server_context())
        await self.start()
        self.sim.faults.order("move", skip=1, status=307,
                              headers={"Location": f"{elsewhere.url}/api/x"})
        game = await self.game(Engine(nodes=300))
        await game.plies(8, 30 * SLOWNESS)
        self.assertEqual(elsewhere.heard, b"")

    async def test_tls_older_than_1_2_is_refused(self):
        context = self.server_context()
        try:
            context.set_ciphers("ALL:@SECLEVEL=0")
            context.minimum_version = ssl.TLSVersion.TLSv1
            context.maximum_version = ssl.TLSVersion.TLSv1_1
        except (ssl.SSLError, ValueError):
            self.skipTest("this OpenSSL does not offer TLS 1.1 either")
        old = await Server(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}").start(self, context)
        path = self.write_config(account={"url": old.url})
        code, output = await self.command("check", "--config", path)
        self.assertEqual(code, 69, output)
        self.assertRegex(output, "(?i)tls|ssl")
        self.assertEqual(old.heard, b"")

    async def test_a_token_in_the_wrong_place_is_not_shown(self):
        for section, key in (("account", "token"), ("account", "token_file"), ("account", "url"),
                             ("engine", "threads"), ("challenge", "allow"), ("log", "level")):
            path = self.write_config(**{section: {key: TOKEN}})
            code, output = await self.command("check", "--config", path)
            self.assertEqual(code, 78)
            self.assert_no_token(key, output)
            self.assertIn("a token stands here", output)

    async def test_a_refused_token_is_not_shown(self):
        del self.sim.tokens[TOKEN]
        path = self.write_config()
        code, output = await self.command("check", "--config", path)
        self.assertEqual(code, 77)
        self.assert_no_token("check", output)
        await self.start(wait=False)
        self.assertEqual(await self.daemon.wait(20), 77)
        self.assert_no_token("log", self.daemon.log())

    async def test_names_and_chat_of_strangers_stay_text(self):
        await self.start()
        game = await self.game(Engine(nodes=300))
        hostile = "\x1b]0;owned\x07\r\n2026-01-01 00:00:00.000 info daemon stopped status=0\u202e\u2066\x9b"
        game.chat("player", "Alba", hostile)
        game.chat("spectator", hostile, "hello")
        await game.plies(4, 20)
        await self.stop_daemon()
        log = self.daemon.log()
        self.assertIsNone(re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]", log))
        self.assertNotRegex(log, r"(?m)^2026-01-01 00:00:00")

    async def test_a_hostile_name_stays_text_on_the_terminal(self):
        await self.start()
        game = await self.game(Engine(nodes=300), name="Al\x1b[2Jba\u202e\x9b")
        await game.plies(4, 20)
        path = os.path.join(self.directory, "castled.conf")
        shown = []
        for words in (["status"], ["games"]):
            code, output = await self.command(*words, "--config", path)
            self.assertEqual(code, 0, output)
            shown.append(output)
            if words == ["status"]:
                game.resign("white")
                await self.log_says("game over")
                await self.stop_daemon()  # which has the game written
        for output in shown:
            self.assertIn("Al\\u001b[2Jba\\u202e", output)
            self.assertIsNone(re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e]", output))

    # The support bundle

    extra: dict[str, str] = {}  # in the environment

    async def report(self, *arguments: str, stdin: bytes = b"", **sections) -> str:
        """Runs `castled report` in an empty folder; returns what it wrote."""
        folder = os.path.join(self.directory, "report")
        os.makedirs(folder, exist_ok=True)
        for old in os.listdir(folder):
            os.unlink(os.path.join(folder, old))
        path = self.write_config(**sections)
        process = await asyncio.create_subprocess_exec(
            PROGRAM, "report", "--config", path, *arguments, cwd=folder,
            env=dict(self.environment(), HOME=self.directory, **self.extra), stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT)
        output, _ = await asyncio.wait_for(process.communicate(stdin), 20 * SLOWNESS)
        self.assertEqual(process.returncode, 0, output)
        self.assert_no_token("output", output)
        [name] = os.listdir(folder)
        self.assertIn(name.encode(), output)
        file = os.path.join(folder, name)
        self.assertEqual(os.stat(file).st_mode & 0o777, 0o600)
        with open(file, encoding="utf-8") as report:
            text = report.read()
        self.assert_no_token("report", text)
        self.assertNotIn(self.directory, text)
        return text

    async def test_a_report_says_what_helps(self):
        text = await self.report(games={"concurrency": 7}, challenge={
            "block": "mallory, ivan", "block_list": "https://lists.example/private"},
            **{"engine.external mallory": {"command": "/bin/true", "nodes": 5, "option.Hash": 16}})
        for what in (r"(?m)^castled  \d", r"(?m)^libmicrohttpd \d", r"(?m)^libpq    \d{5}", r"(?m)^systemd  (runs|none)$",
                     r"(?m)^external engine 1, 1 options, sets: command nodes$", r"(?m)^build    \w", r"(?m)^libcurl  \S+ OpenSSL", r"(?m)^sqlite   3",
                     r"(?m)^kernel   Linux", r"(?m)^memory   \d+ MiB", r"(?m)^open files +\d",
                     r"(?m)^games\.concurrency = 7$", r"(?m)^challenge\.block = \(set, not shown\)$",
                     r"(?m)^account\.ca_file = \(set, not shown\)$", r"(?m)^file castled\.conf$",
                     r"(?m)^ok +server +https://127\.0\.0\.1:\d+ answered",
                     r"(?m)^ok +account +Castled-Bot is a BOT account"):
            self.assertRegex(text, what)
        self.assertNotRegex(text, "mallory|ivan|ca\\.pem|lists\\.example")

    @unittest.skipIf(os.geteuid() != 0, "only root gives files away")
    async def test_a_report_belongs_to_who_called_by_sudo(self):
        self.extra = {"SUDO_UID": "12345", "SUDO_GID": "12346"}
        await self.report()
        [name] = os.listdir(os.path.join(self.directory, "report"))
        facts = os.stat(os.path.join(self.directory, "report", name))
        self.assertEqual((facts.st_uid, facts.st_gid), (12345, 12346))

    async def test_a_report_holds_the_end_of_a_log_without_secrets(self):
        lines = "".join(f"line {n}\n" for n in range(400))
        log = (lines + f"Authorization: Bearer {TOKEN}\nlip_anotherToken99 at {self.directory}/x\n"
               "\x1b[2Jcleared\n").encode()
        text = await self.report("--log", "-", stdin=log)
        self.assertNotIn("line 102\n", text)
        self.assertIn("line 103\n", text)
        self.assertIn(f"Authorization: Bearer {'*' * len(TOKEN)}\n"
                      "****************** at ~/x\n\\u001b[2Jcleared\n", text)
        path = os.path.join(self.directory, "castled.log")
        with open(path, "wb") as file:
            file.write(b"only line, no newline")
        self.assertIn("only line, no newline\n", await self.report("--log", path))
        os.unlink(path)
        self.assertIn("~/castled.log: cannot be read: No such file", await self.report("--log", path))

    async def test_a_report_of_a_broken_installation_is_written_all_the_same(self):
        text = await self.report(games={"concurrency": 99, "lip_abcdefgh": 1})
        self.assertRegex(text, r"(?m)^castled\.conf:\d+: concurrency = 99: not within 1\.\.64$")
        self.assertNotIn("lip_abcdefgh", text)
        text = await self.report(account={"url": "https://127.0.0.1:1"})
        self.assertRegex(text, r"(?m)^FAIL +server")
        self.sim.tokens.clear()
        self.assertRegex(await self.report(), r"(?m)^FAIL +account")

    async def test_a_report_takes_a_log_and_nothing_else(self):
        for words in (["x"], ["--log"], ["--log", "a", "b"]):
            code, output = await self.run_program(PROGRAM, "report", *words, cwd=self.directory)
            self.assertEqual(code, 64, output)
        self.assertEqual(glob.glob(os.path.join(self.directory, "castled-report-*")), [])


if __name__ == "__main__":
    unittest.main()
