# SPDX-License-Identifier: GPL-3.0-or-later
"""`castled login`: a token by the owner's consent in a browser, seen by nobody."""
import asyncio
import os
import re
import signal
import socket
import stat
import struct
import unittest
from urllib.parse import parse_qsl, urlsplit

from sim.oauth import Oauth, fetch

from . import etc
from .harness import (EX_CONFIG, EX_OK, EX_REFUSED, EX_UNREACHABLE, EX_USAGE, PROGRAM, SLOWNESS,
                      DaemonTest)

EX_OUTPUT_LOST = 1


class LoginTest(DaemonTest):
    async def asyncSetUp(self):
        await super().asyncSetUp()
        self.oauth = Oauth(self.sim, self.bot)
        self.path = self.write_config()
        self.place = os.path.join(self.directory, "castled", "token")

    async def begin(self, *words: str, token=None, command=()) -> None:
        """Starts the command, and reads the URL that it wants opened into self.page."""
        self.process = await asyncio.create_subprocess_exec(
            *(command or (PROGRAM, "login", "--config", self.path)), *words, env=self.environment(token),
            stdin=asyncio.subprocess.DEVNULL, stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT)
        self.addAsyncCleanup(self._end)
        said = await asyncio.wait_for(self.process.stdout.readuntil(b"consent"), 20 * SLOWNESS)
        self.said = said.decode()
        self.page = re.search(r"^  (https://\S+/oauth\?\S+)$", self.said, re.MULTILINE).group(1)
        self.asked = dict(parse_qsl(urlsplit(self.page).query))
        self.back = self.asked["redirect_uri"]

    async def _end(self) -> None:
        if self.process.returncode is None:
            self.process.kill()
            await self.process.wait()

    async def finish(self) -> tuple[int, str]:
        output, _ = await asyncio.wait_for(self.process.communicate(), 20 * SLOWNESS)
        self.said += output.decode()
        for token in self.sim.tokens:
            self.assertNotIn(token, self.said)
        return self.process.returncode, self.said

    async def refused(self, expected_status: int, words: str) -> None:
        status, said = await self.finish()
        self.assertEqual(status, expected_status, said)
        self.assertIn(words, said)
        self.assertFalse(os.path.exists(self.place))

    async def test_consent_ends_in_a_file_that_castled_plays_with(self):
        await self.begin()
        shown = await self.oauth.browse(self.page)
        self.assertEqual(shown[0], 200)
        self.assertIn("Thank you", shown[1])
        status, said = await self.finish()
        self.assertEqual(status, EX_OK, said)
        self.assertIn(f"token_file = {self.place}", said)
        self.assertIn(self.path, said)
        self.assertIn("Castled-Bot, a BOT account", said)
        self.assertRegex(said, r"good until \d{4}-\d\d-\d\d")
        self.assertEqual(stat.S_IMODE(os.stat(self.place).st_mode), 0o600)
        with open(self.place, encoding="ascii") as file:
            token = file.read().strip()
        self.assertEqual(self.sim.tokens[token].scopes,
                         ("bot:play", "challenge:read", "tournament:write"))
        self.assertEqual(os.listdir(os.path.dirname(self.place)), ["token"])
        await self.start(token=None, account={"token_file": self.place})

    async def test_the_question_is_what_the_server_wants(self):
        await self.begin()
        self.assertEqual(self.asked["response_type"], "code")
        self.assertEqual(self.asked["code_challenge_method"], "S256")
        self.assertRegex(self.back, r"^http://127\.0\.0\.1:\d+/callback$")
        self.assertEqual(len(self.asked["code_challenge"]), 43)
        self.assertGreaterEqual(len(self.asked["state"]), 43)
        first = dict(self.asked)
        await self._end()
        await self.begin()
        for name in ("code_challenge", "state"):
            self.assertNotEqual(self.asked[name], first[name])

    async def test_the_configured_file_is_renewed(self):
        place = os.path.join(self.directory, "secret")
        with open(place, "w", encoding="ascii") as file:
            file.write("lip_old")
        os.chmod(place, 0o600)
        self.path = self.write_config(account={"token_file": place})
        await self.begin()
        await self.oauth.browse(self.page)
        status, said = await self.finish()
        self.assertEqual(status, EX_OK, said)
        self.assertNotIn("token_file =", said)  # it stands there already
        with open(place, encoding="ascii") as file:
            self.assertIn(file.read().strip(), self.sim.tokens)

    async def test_an_account_that_is_no_bot_is_told_what_comes_next(self):
        self.bot.title = None
        for games, words in ((0, "castled upgrade"), (3, "cannot become a BOT account")):
            self.bot.games_played = games
            await self.begin("--token-file", os.path.join(self.directory, "other"))
            await self.oauth.browse(self.page)
            status, said = await self.finish()
            self.assertEqual(status, EX_OK, said)
            self.assertIn(words, said)

    async def test_no_consent_is_no_token(self):
        self.oauth.consents = False
        await self.begin()
        self.assertEqual((await self.oauth.browse(self.page))[0], 200)
        await self.refused(EX_REFUSED, "user cancelled authorization")
        self.assertEqual(self.sim.count("token"), 0)

    async def test_strangers_are_sent_away_and_the_answer_still_comes(self):
        await self.begin()
        state = self.asked["state"]
        for path in ("", "?code=liu_x", f"?code=liu_x&state={state[:-1]}", "?code=liu_x&state=",
                     f"?state={state}", f"?code=a%00b&state={state}",
                     f"?code=a&code=b&state={state}",
                     f"?code=a&state={state}&state={state}", f"/more?code=a&state={state}",
                     f"?code={'x' * 600}&state={state}", "?error=access_denied&state=wrong"):
            with self.subTest(path):
                self.assertEqual((await fetch(self.back + path))[0], 404)
        for path, status in (("?" + "x" * 40000, (414, 431)),
                             (f"?code=a&state={state}" + "&x" * 20, (400,))):
            self.assertIn((await fetch(self.back + path))[0], status)
        self.assertEqual(self.sim.count("token"), 0)
        await self.oauth.browse(self.page)
        status, said = await self.finish()
        self.assertEqual(status, EX_OK, said)

    async def test_who_only_holds_connections_open_is_in_nobodys_way(self):
        await self.begin()
        port = int(urlsplit(self.back).port)
        idle = [await asyncio.open_connection("127.0.0.1", port) for _ in range(7)]
        idle[0][1].write(b"GET /callback?code=x HTTP/1.1\r\nHost: ")
        idle[1][1].write(bytes(range(256)))
        await self.oauth.browse(self.page)
        status, said = await self.finish()
        self.assertEqual(status, EX_OK, said)
        for _, writer in idle:
            writer.close()

    async def test_a_browser_and_a_terminal_that_hang_up_cost_no_token(self):
        await self.begin()
        self.sim.faults.order("token", delay_after_s=0.5)
        self.oauth.follows = False
        _, target = await self.oauth.browse(self.page)
        back = urlsplit(target)
        _, writer = await asyncio.open_connection("127.0.0.1", back.port)
        writer.write(f"GET {back.path}?{back.query} HTTP/1.1\r\nHost: {back.netloc}\r\n\r\n".encode())
        writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER,
                                                   struct.pack("ii", 1, 0))
        self.process._transport.get_pipe_transport(1).close()  # as with `castled login | head`
        await self.sim.until(lambda: self.sim.count("token"), 30 * SLOWNESS, "the code's exchange")
        writer.close()
        self.assertEqual(await asyncio.wait_for(self.process.wait(), 20 * SLOWNESS),
                         EX_OUTPUT_LOST)
        with open(self.place, encoding="ascii") as file:
            self.assertIn(file.read().strip(), self.sim.tokens)

    async def test_a_code_that_the_server_does_not_take_is_said(self):
        await self.begin()
        await fetch(f"{self.back}?code=liu_forged&state={self.asked['state']}")
        await self.refused(EX_REFUSED, "invalid_grant")

    async def test_a_server_that_goes_away_is_said(self):
        await self.begin()
        await self.sim.down()
        await fetch(f"{self.back}?code=liu_x&state={self.asked['state']}")
        await self.refused(EX_UNREACHABLE, "castled: login: ")

    async def test_nobody_coming_back_is_no_hanging(self):
        await self.begin("--timeout", "1")
        await self.refused(EX_UNREACHABLE, "no answer came from the browser in time")

    async def test_ctrl_c_leaves_nothing_behind(self):
        await self.begin()
        self.process.send_signal(signal.SIGINT)
        status, _ = await self.finish()
        self.assertEqual(status, -signal.SIGINT)
        self.assertEqual(os.listdir(os.path.dirname(self.place)), [])

    async def test_a_place_that_cannot_be_written_is_said_first(self):
        status, output = await self.command("login", "--config", self.path, "--token-file",
                                            os.path.join(self.directory, "none", "token"))
        self.assertEqual(status, EX_CONFIG, output)
        self.assertIn("cannot be written", output)
        status, output = await self.command("login", "--config", self.path, "--token-file", self.directory)
        self.assertEqual(status, EX_CONFIG, output)
        self.assertIn(f"{self.directory}: is a folder", output)
        status, output = await self.command("login", "--config", self.path, "--port")
        self.assertIn("--port takes PORT", output)
        for words in (("--port", "70000"), ("--port",), ("--timeout", "0"), ("--pasted", "x"),
                      ("--token-file",)):
            with self.subTest(words):
                status, output = await self.command("login", "--config", self.path, *words)
                self.assertEqual(status, EX_USAGE, output)

    async def test_the_variable_that_goes_before_the_file_is_told_of(self):
        await self.begin("--port", str(await self.free_port()), token="lip_other")
        await self.oauth.browse(self.page)
        status, said = await self.finish()
        self.assertEqual(status, EX_OK, said)
        self.assertIn("CASTLED_TOKEN is set", said)

    def lay_etc(self, **files: str) -> str:
        """An /etc/castled with these configurations for the simulator, and the first bot's token."""
        self.machine = os.path.join(self.directory, "machine")
        folder = etc.make(self.machine)
        for name, account in files.items():
            with open(os.path.join(folder, f"{name}.conf"), "w", encoding="ascii") as file:
                file.write(f"[account]\nurl = {self.url}\nca_file = {self.sim.ca_file}\n{account}\n")
        with open(os.path.join(folder, "token"), "w", encoding="ascii") as file:
            file.write("lip_first\n")
        return folder

    @unittest.skipUnless(etc.is_possible(), "no namespaces for users here")
    async def test_an_instance_gets_a_token_of_its_own(self):
        folder = self.lay_etc(berta="", castled="", told="token_file = /etc/castled/told.token")
        for words, name in ((("--instance", "berta"), "berta.token"),
                            (("--config", "/etc/castled/told.conf"), "told.token"),
                            ((), "token")):
            await self.begin(command=etc.entered(self.machine, PROGRAM, *words, "login"))
            await self.oauth.browse(self.page)
            status, said = await self.finish()
            self.assertEqual(status, EX_OK, said)
            self.assertIn(f"/etc/castled/{name}", said)
            with open(os.path.join(folder, name), encoding="ascii") as file:
                self.assertIn(file.read().strip(), self.sim.tokens)
            with open(os.path.join(folder, "token"), encoding="ascii") as file:
                self.assertEqual(file.read() == "lip_first\n", name != "token")

    @unittest.skipUnless(etc.is_possible(), "no namespaces for users here")
    async def test_no_instance_takes_the_token_of_another(self):
        folder = self.lay_etc(berta="token_file = /etc/castled/token", castled="")
        for words, owner in ((("--instance", "berta", "login"), "castled"),
                             (("login", "--token-file", "/etc/castled/berta.token"), "castled@berta")):
            status, output = await self.run_program(*etc.entered(self.machine, PROGRAM, *words))
            self.assertEqual(status, EX_CONFIG, output)
            self.assertIn(f"is the token of {owner}.service", output)
        with open(os.path.join(folder, "token"), encoding="ascii") as file:
            self.assertEqual(file.read(), "lip_first\n")

    @staticmethod
    async def free_port() -> int:
        server = await asyncio.start_server(lambda _reader, _writer: None, "127.0.0.1", 0)
        port = server.sockets[0].getsockname()[1]
        server.close()
        await server.wait_closed()
        return port


if __name__ == "__main__":
    unittest.main()
