# SPDX-License-Identifier: GPL-3.0-or-later
"""`castled upgrade`: from an account to a BOT account, and never by mistake."""
import asyncio
import os
import pty
import unittest

from .harness import (EX_OK, EX_REFUSED, EX_UNREACHABLE, EX_USAGE, PROGRAM, SLOWNESS, TOKEN,
                      DaemonTest)


class UpgradeTest(DaemonTest):
    async def asyncSetUp(self):
        await super().asyncSetUp()
        self.bot.title = None
        self.path = self.write_config()

    async def upgrade(self, *words: str, **options) -> tuple[int, str]:
        status, output = await self.command("upgrade", *words, "--config", self.path, **options)
        self.assertNotIn(TOKEN, output)
        return status, output

    async def upgrade_on_a_terminal(self, typed: str) -> tuple[int, str]:
        """Answers the question with `typed`."""
        ours, theirs = pty.openpty()
        process = await asyncio.create_subprocess_exec(
            PROGRAM, "upgrade", "--config", self.path, env=self.environment(), stdin=theirs,
            stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT)
        os.close(theirs)
        try:
            asked = await asyncio.wait_for(process.stdout.readuntil(b"Type yes: "), 20 * SLOWNESS)
            self.assertEqual(self.sim.count("upgrade"), 0)
            os.write(ours, typed.encode())
            output, _ = await asyncio.wait_for(process.communicate(), 20 * SLOWNESS)
        finally:
            os.close(ours)
        return process.returncode, (asked + output).decode()

    async def test_on_a_terminal_it_names_the_account_and_asks(self):
        status, output = await self.upgrade_on_a_terminal("yes\n")
        self.assertEqual(status, EX_OK, output)
        self.assertRegex(output, "Castled-Bot on https://127.0.0.1:")
        self.assertIn("Castled-Bot is a BOT account now", output)
        self.assertEqual(self.bot.title, "BOT")

    async def test_anything_but_yes_changes_nothing(self):
        for typed in ("no\n", "y\n", "yes please\n", "\n", "\x04"):
            with self.subTest(typed):
                status, output = await self.upgrade_on_a_terminal(typed)
                self.assertEqual(status, 1, output)
                self.assertIn("nothing was changed", output)
        self.assertEqual(self.sim.count("upgrade"), 0)

    async def test_without_a_terminal_it_wants_to_be_told(self):
        status, output = await self.upgrade()
        self.assertEqual(status, EX_USAGE)
        self.assertIn("--yes", output)
        self.assertEqual(len(self.sim.requests), 0)
        status, output = await self.upgrade("--yes")
        self.assertEqual(status, EX_OK, output)
        self.assertEqual(self.bot.title, "BOT")
        await self.start()  # and it plays

    async def test_a_bot_stays_one(self):
        self.bot.title = "BOT"
        status, output = await self.upgrade("--yes")
        self.assertEqual(status, EX_OK)
        self.assertIn("is a BOT account already", output)
        self.assertEqual(self.sim.count("upgrade"), 0)

    async def test_an_account_that_has_played_is_left_alone(self):
        self.bot.games_played = 7
        status, output = await self.upgrade("--yes")
        self.assertEqual(status, EX_REFUSED)
        self.assertRegex(output, "has played 7 games.*make a new account")
        self.assertEqual(self.sim.count("upgrade"), 0)

    async def test_the_token_must_be_one_that_may_play(self):
        self.sim.tokens[TOKEN].scopes = ("challenge:read",)
        status, output = await self.upgrade("--yes")
        self.assertEqual(status, EX_REFUSED)
        self.assertIn("bot:play", output)
        status, output = await self.upgrade("--yes", token="lip_wrong")
        self.assertEqual(status, EX_REFUSED)
        self.assertIn("does not accept the token", output)
        self.assertEqual(self.sim.count("upgrade"), 0)

    async def test_what_became_of_it_is_read_from_the_account(self):
        for fault, exit_status, words in (
                ({"status": 400, "body": b'{"error":"You already have games played."}'},
                 EX_REFUSED, "You already have games played"),
                ({"status": 502, "applied": False}, EX_REFUSED, ""),
                ({"status": 502, "applied": True}, EX_OK, "is a BOT account now")):
            with self.subTest(fault):
                self.sim.faults.order("upgrade", **fault)
                status, output = await self.upgrade("--yes")
                self.assertEqual(status, exit_status, output)
                self.assertIn(words, output)

    async def test_a_server_that_is_away_is_said(self):
        await self.sim.down()
        status, output = await self.upgrade("--yes")
        self.assertEqual(status, EX_UNREACHABLE)
        self.assertRegex(output, "cannot be reached|answers 502")  # there may be a proxy


if __name__ == "__main__":
    unittest.main()
