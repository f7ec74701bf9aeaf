# SPDX-License-Identifier: GPL-3.0-or-later
"""Accounts that will not have us: said plainly, and without hammering."""
import unittest

from .harness import EX_CONFIG, EX_REFUSED, SLOWNESS, TOKEN, DaemonTest


class RefusalTest(DaemonTest):
    async def refused(self, text, **options):
        """`castled run` ends with 77, says `text`, and has not hammered."""
        await self.start(wait=False, **options)
        self.assertEqual(await self.daemon.wait(10 * SLOWNESS), EX_REFUSED)
        self.assertRegex(self.daemon.log(), f"(?i){text}")
        self.assertLessEqual(len(self.sim.requests), 3)
        self.assertEqual(self.sim.count("event_stream"), 0)

    async def test_a_wrong_token_ends_the_program_at_once(self):
        await self.refused("token", token="lip_wrong")

    async def test_an_account_that_is_no_bot_ends_the_program_at_once(self):
        self.bot.title = None
        await self.refused("BOT")

    async def test_a_token_without_scope_ends_the_program_at_once(self):
        self.sim.tokens[TOKEN].scopes = ("challenge:read",)
        await self.refused("bot:play")

    async def test_a_token_that_is_revoked_while_running_ends_the_program(self):
        await self.start()
        (await self.event_stream())
        token = self.sim.tokens.pop(TOKEN)
        self.assertIsNotNone(token)
        (await self.event_stream()).end()
        self.assertEqual(await self.daemon.wait(15 * SLOWNESS), EX_REFUSED)

    async def test_an_event_stream_that_is_refused_again_and_again_is_an_error_with_advice(self):
        self.sim.faults.order("event_stream", times=6, status=400, body=b'{"error":"No such header"}')
        await self.start(wait=False)
        await self.log_says("error stream refused status=400 why=\"No such header\" advice=", 60)
        await self.online(60)

    async def test_no_token_at_all_is_said(self):
        await self.start(wait=False, token=None)
        self.assertIn(await self.daemon.wait(10 * SLOWNESS), (EX_REFUSED, EX_CONFIG))
        self.assertRegex(self.daemon.log(), "CASTLED_TOKEN")
        self.assertEqual(len(self.sim.requests), 0)


if __name__ == "__main__":
    unittest.main()
