# SPDX-License-Identifier: GPL-3.0-or-later
"""Servers and accounts that will not have us: said plainly, and without hammering."""
import asyncio
import os
import unittest

from sim.server import Simulator

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

    async def test_no_token_at_all_is_said(self):
        await self.start(wait=False, token=None)
        self.assertIn(await self.daemon.wait(10 * SLOWNESS), (EX_REFUSED, EX_CONFIG))
        self.assertRegex(self.daemon.log(), "CASTLED_TOKEN")
        self.assertEqual(len(self.sim.requests), 0)

    async def test_a_certificate_that_proves_nothing_is_refused(self):
        for name, certificate, own_authority in (
                ("expired", {"days": -1}, True), ("for another host", {"names": "DNS:a.org"}, True),
                ("foreign", {}, False)):
            with self.subTest(name):
                directory = os.path.join(self.directory, name)
                os.mkdir(directory)
                stranger = Simulator(directory, certificate=certificate)
                await stranger.start()
                ca_file = stranger.ca_file if own_authority else self.sim.ca_file
                await self.start(wait=False, account={"url": stranger.url, "ca_file": ca_file})
                await self.log_says("(?i)certificate")
                self.assertEqual(len(stranger.requests), 0)
                await self.stop_daemon()
                await stranger.stop()

    async def test_a_server_whose_name_is_not_known_is_awaited(self):
        await self.start(wait=False, account={"url": "https://nowhere.invalid"})
        await asyncio.sleep(1)
        self.assertTrue(self.daemon.is_running)

    async def test_a_second_client_on_the_token_is_told(self):
        await self.start()
        for _ in range(4):
            (await self.event_stream()).end()
            opens = self.sim.count("event_stream")
            await self.sim.until(lambda: self.sim.count("event_stream") > opens, 30)
            await self.online()
        self.assertRegex(self.daemon.log(), "(?i)(second|another|other) (client|program)")

if __name__ == "__main__":
    unittest.main()
