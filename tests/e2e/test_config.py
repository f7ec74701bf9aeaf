# SPDX-License-Identifier: GPL-3.0-or-later
"""The configuration file, the command line, and `castled check`."""
import os
import re
import time
import unittest

from .harness import EX_CONFIG, EX_OK, EX_REFUSED, EX_UNREACHABLE, EX_USAGE, TOKEN, DaemonTest


def path_in_a_file(directory: str) -> str:
    return os.path.join(directory, "castled.conf", "games.sqlite")


class ConfigurationTest(DaemonTest):
    async def test_an_instance_is_found_by_its_name(self):
        status, output = await self.command("--instance", "no.such_bot", "status")
        self.assertEqual(status, EX_CONFIG, output)
        self.assertIn("/etc/castled/no.such_bot.conf", output)
        for name in ("", "../x", "a/b", ".hidden", "a b", "a" * 65):
            status, output = await self.command("--instance", name, "status")
            self.assertEqual(status, EX_USAGE, output)
            self.assertIn("not letters, digits", output)
        status, output = await self.command("--instance")
        self.assertEqual(status, EX_USAGE, output)

    async def test_every_mistake_is_reported_with_its_line(self):
        path = os.path.join(self.directory, "bad.conf")
        with open(path, "w", encoding="ascii") as file:
            file.write("[account]\nurl = ftp://lichess.org\n\n[engine]\nthreds = 2\nhash = many\n"
                       "[games]\nconcurrency = 99\n[gmaes]\nconcurrency = 1\nno equals sign\n")
        for command in ("run", "check"):
            with self.subTest(command):
                status, output = await self.command(command, "--config", path)
                self.assertEqual(status, EX_CONFIG, output)
                for line in (2, 5, 6, 8):
                    self.assertRegex(output, rf"bad\.conf:{line}: ")
                self.assertRegex(output, r"bad\.conf:(9|10): .*gmaes")
                self.assertIn("threads", output)  # the nearest known key
                self.assertRegex(output, "concurrency = 99.*1")
        self.assertEqual(len(self.sim.requests), 0)

    async def test_help_and_version_are_found_by_who_guesses(self):
        for words in (("help",), ("--help",), ("-h",)):
            status, output = await self.command(*words)
            self.assertEqual(status, EX_OK, output)
            self.assertRegex(output, "(?s)^usage: castled .*Commands:.*Exit status: 0 fine, 1 not done, ")
        told = [await self.command(*words) for words in (("help", "drain"), ("drain", "--help"))]
        self.assertEqual(told[0], told[1])
        self.assertIn("usage: castled [--config FILE | --instance NAME] drain ", told[0][1])
        for word in ("--version", "-V", "version"):
            self.assertRegex((await self.command(word))[1], r"^castled \d+\.\d+\.\d+(\+[0-9a-f]+(-dirty)?)?\n"
                             r"build    \w.*\nkernels  (portable|sse41|avx2|avx512|neon)\nlibcurl  libcurl/")
        for words, meant in ((("statsu",), "; did you mean status?"), (("help", "reisgn"), "; did you mean resign?"),
                             (("dance",), "; see castled --help")):
            status, output = await self.command(*words)
            self.assertEqual(status, EX_USAGE, output)
            self.assertRegex(output, f"^castled: unknown command {words[-1]}{meant.replace('?', '[?]')}\n$")

    async def test_a_missing_file_is_named(self):
        status, output = await self.command("run", "--config", "/nonexistent/castled.conf")
        self.assertEqual(status, EX_CONFIG)
        self.assertIn("/nonexistent/castled.conf", output)

    async def test_check_says_who_we_are(self):
        path = self.write_config()
        status, output = await self.command("check", "--config", path)
        self.assertEqual(status, EX_OK, output)
        self.assertRegex(output, "(?i)castled-bot")
        self.assertRegex(output, r"ok +own engine +plays \w+ at depth \d+; \d+ thousand nodes per second")
        self.assertNotIn(TOKEN, output)
        self.assertEqual(self.sim.count("event_stream"), 0)

    async def test_check_opens_what_the_configuration_names(self):
        path = self.write_config(engine={"syzygy": self.directory}, book={"files": "/none.bin"},
                                 archive={"file": path_in_a_file(self.directory)})
        status, output = await self.command("check", "--config", path)
        self.assertEqual(status, EX_CONFIG, output)
        for what in ("book", "tables", "archive"):
            self.assertRegex(output, f"(?m)^FAIL +{what} +/")
        self.assertRegex(output, "(?m)^ok +account ")  # all of it in one go

    async def test_check_says_what_is_wrong_with_the_account(self):
        path = self.write_config()
        status, output = await self.command("check", "--config", path, token="lip_wrong")
        self.assertEqual(status, EX_REFUSED, output)
        self.assertRegex(output, "(?i)token")
        self.bot.title = None
        status, output = await self.command("check", "--config", path)
        self.assertEqual(status, EX_REFUSED, output)
        self.assertRegex(output, "BOT")
        self.sim.tokens[TOKEN].scopes = ()
        status, output = await self.command("check", "--config", path)
        self.assertEqual(status, EX_REFUSED, output)

    async def test_check_says_what_to_change_in_the_profile(self):
        for bio, takebacks, profile, preference in (("Plays chess.", 0, False, False),
                                                    ("", 0, True, False),
                                                    ("Plays chess.", 1, False, True)):
            self.bot.bio = bio
            path = self.write_config(games={"takebacks": takebacks})
            status, output = await self.command("check", "--config", path)
            self.assertEqual(status, EX_OK, output)
            lines = output.splitlines()
            for marks, page, expected in (("warn +profile", "profile", profile),
                                          ("ok +takebacks", "preferences/game-behavior", preference)):
                told = [line for line in lines if re.match(f"{marks} ", line)]
                self.assertEqual(len(told), int(expected), output)
                self.assertEqual(f"{self.url}/account/{page}" in output, expected, output)

    async def test_check_warns_of_a_mark(self):
        self.bot.is_marked = True
        status, output = await self.command("check", "--config", self.write_config())
        self.assertEqual(status, EX_OK, output)
        self.assertRegex(output, "(?m)^warn +account .*has marked the account Castled-Bot")

    async def test_check_says_how_long_the_token_is_good(self):
        path = self.write_config()
        for days, said in ((-9, "ok +token's life +not known: it is taken, though by our clock"),
                           (None, "ok +token's life +it does not expire by itself"),
                           (200, r"ok +token's life +good for 200 days, until \d{4}-\d\d-\d\d\n"),
                           (29, "warn +token's life +good for 29 days, .*; castled login gets")):
            self.sim.tokens[TOKEN].expires = days and int((time.time() + 86400 * days + 3600) * 1000)
            status, output = await self.command("check", "--config", path)
            self.assertEqual(status, EX_OK, output)
            self.assertRegex(output, f"(?m)^{said}")
            self.assertNotIn(TOKEN, output)
        self.sim.faults.order("token_test", status=502)
        status, output = await self.command("check", "--config", path)
        self.assertEqual(status, EX_OK, output)
        self.assertRegex(output, "(?m)^ok +token's life +not known: ")

    async def test_check_says_when_the_server_cannot_be_reached(self):
        path = self.write_config()
        await self.sim.down()
        status, output = await self.command("check", "--config", path)
        self.assertEqual(status, EX_UNREACHABLE, output)

    async def test_a_token_file_that_others_can_read_is_refused(self):
        secret = os.path.join(self.directory, "token")
        with open(secret, "w", encoding="ascii") as file:
            file.write(TOKEN + "\n")
        path = self.write_config(account={"token_file": secret})
        os.chmod(secret, 0o644)
        status, output = await self.command("check", "--config", path, token=None)
        self.assertNotEqual(status, EX_OK)
        self.assertIn(secret, output)
        self.assertNotIn(TOKEN, output)
        os.chmod(secret, 0o600)
        status, output = await self.command("check", "--config", path, token=None)
        self.assertEqual(status, EX_OK, output)

    async def test_wrong_usage_is_64(self):
        for arguments in (("dance",), ("run", "--no-such-option"), ("run", "--config"),
                          ("check", "one-word-too-many"), ("--no-such-option", "run")):
            with self.subTest(arguments):
                status, output = await self.command(*arguments)
                self.assertEqual(status, EX_USAGE, output)

    async def test_help_describes_all_commands_or_one(self):
        status, output = await self.command("--help")
        self.assertEqual(status, EX_OK, output)
        names = re.findall(r"(?m)^  ([a-z]+) +[a-z]", output)
        self.assertIn("challenge", names)
        for name in names:
            with self.subTest(name):
                status, output = await self.command(name, "--help")
                self.assertEqual(status, EX_OK, output)
                self.assertIn(f"usage: castled [--config FILE | --instance NAME] {name}", output)
                self.assertIn("\nExample: ", output)
        status, output = await self.command("dance", "--help")
        self.assertEqual(status, EX_USAGE, output)


if __name__ == "__main__":
    unittest.main()
