# SPDX-License-Identifier: GPL-3.0-or-later
"""`castled check` tells what the service will meet, as root runs it outside of the unit."""
import os
import shutil
import socket
import unittest

from . import etc
from .harness import EX_CONFIG, EX_OK, EX_UNREACHABLE, PROGRAM, TOKEN, DaemonTest


class CheckTest(DaemonTest):
    async def test_what_is_not_there_gets_one_line(self):
        status, output = await self.command("check", "--config", "/nonesuch.conf")
        self.assertEqual(status, EX_CONFIG, output)
        self.assertEqual(output.split(None, 2), [
            "FAIL", "configuration", "/nonesuch.conf: cannot open: No such file or directory\n"])

    async def test_a_server_that_is_down_is_said_once(self):
        path = self.write_config()
        await (self.stop_proxy() if self.http2 else self.sim.down())
        status, output = await self.command("check", "--config", path)
        self.assertEqual(status, EX_UNREACHABLE, output)
        self.assertEqual(output.count("FAIL"), 1, output)
        self.assertRegex(output, "(?m)^FAIL +server .* cannot be reached .*and the network$")

    async def test_certificates_come_from_the_file_of_the_variable(self):
        path = self.write_config(account={"ca_file": None})
        for file, mark, status in ((self.sim.ca_file, "ok  ", EX_OK), ("/nonesuch.pem", "FAIL", EX_UNREACHABLE)):
            self.variables["SSL_CERT_FILE"] = file
            came, output = await self.command("check", "--config", path)
            self.assertRegex(output, f"(?m)^{mark} +certificates +{file}")
            self.assertEqual(came, status, output)

    async def test_a_page_that_cannot_be_served_is_a_warning(self):
        with socket.create_server(("127.0.0.1", 0)) as other:
            port = other.getsockname()[1]
            path = self.write_config(status={"http": port})
            status, output = await self.command("check", "--config", path)
            self.assertEqual(status, EX_OK, output)
            self.assertRegex(output, f"(?m)^warn +page +{port}: Address already in use: .* without its page$")
        status, output = await self.command("check", "--config", path)
        self.assertRegex(output, f"(?m)^ok +page +{port}: free$")
        await self.start(status={"http": port})
        status, output = await self.command("check", "--config", path)
        self.assertRegex(output, f"(?m)^ok +page +{port}: the running daemon's$")


@unittest.skipUnless(etc.is_possible(), "no namespaces for users here")
class ServiceCheckTest(DaemonTest):
    async def asyncSetUp(self):
        await super().asyncSetUp()
        self.machine = os.path.join(self.directory, "machine")
        self.folder = etc.make(self.machine)
        shutil.copy(self.sim.ca_file, os.path.join(self.folder, "ca.pem"))
        os.chmod(os.path.join(self.folder, "ca.pem"), 0o644)
        self.lay("token", TOKEN, 0o600)

    def lay(self, name: str, text: str, mode: int = 0o644) -> None:
        path = os.path.join(self.folder, name)
        with open(path, "w", encoding="ascii") as file:
            file.write(text)
        os.chmod(path, mode)

    def configure(self, account: str = "token_file = /etc/castled/token", more: str = "", **how: int) -> None:
        self.lay("castled.conf", f"[account]\nurl = {self.url}\nca_file = /etc/castled/ca.pem\n{account}\n"
                                 f"[engine]\nthreads = 1\nhash = 8\n{more}\n", **how)

    async def check(self) -> tuple[int, str]:
        return await self.run_program(*etc.entered(self.machine, PROGRAM, "check"), token=None)

    async def test_what_the_unit_can_do_is_well(self):
        self.configure()
        status, output = await self.check()
        self.assertEqual(status, EX_OK, output)
        self.assertRegex(output, "(?m)^ok +service +castled$")

    async def test_what_the_unit_cannot_do_is_told(self):
        self.lay("mytoken", TOKEN, 0o600)
        for keys, said in (
                ({"account": "token_file = /etc/castled/mytoken"},
                 "castled.service takes the token from /etc/castled/token, whatever token_file says"),
                ({"mode": 0o600}, "castled.conf: the service's user may not read it: chmod o[+]r"),
                ({"more": "[book]\nfiles = /home/me/book.bin"}, "book /home/me/book.bin: .*no home folder"),
                ({"more": "[engine.external e]\ncommand = cat\noption.Weights = /root/net.pb"},
                 "Weights /root/net.pb: .*no home folder"),
                ({"more": "[book]\nfiles = /tmp/book.bin"}, "book /tmp/book.bin: .*a /tmp of its own"),
                ({"more": "[archive]\nfile = /srv/castled/games.sqlite"},
                 "archive /srv/castled/games.sqlite: castled.service writes only into /var/lib/castled and"),
                ({"more": "[status]\nhttp = 0.0.0.0:80"}, "castled.service may not use ports below 1024")):
            with self.subTest(said):
                self.configure(**keys)
                status, output = await self.check()
                self.assertEqual(status, EX_CONFIG, output)
                self.assertRegex(output, f"(?m)^FAIL +service +.*{said}")

    async def test_a_token_that_only_the_shell_has_is_told(self):
        self.configure(account="")
        os.unlink(os.path.join(self.folder, "token"))
        status, output = await self.run_program(*etc.entered(self.machine, PROGRAM, "check"))
        self.assertEqual(status, EX_CONFIG, output)
        self.assertRegex(output, "(?m)^FAIL +service +/etc/castled/token: .*is not there: castled login")

    async def test_where_the_unit_was_changed_it_is_a_warning(self):
        self.configure(account="token_file = /etc/castled/mytoken")
        self.lay("mytoken", TOKEN, 0o600)
        os.makedirs(os.path.join(self.machine, "etc", "systemd", "system", "castled.service.d"))
        status, output = await self.check()
        self.assertEqual(status, EX_OK, output)
        self.assertRegex(output, "(?m)^warn +service +castled.service takes the token from.*mend it[)]$")


if __name__ == "__main__":
    unittest.main()
