# SPDX-License-Identifier: GPL-3.0-or-later
"""Accounts, tokens, and who is let in."""
import asyncio
import json
import unittest

from sim.case import SimulatorTest
from sim.opponent import Idle


class AccountTest(SimulatorTest):
    async def test_token_test_names_owner_and_scopes(self):
        answer = await self.new_client(None).request(
            "POST", "/api/token/test", body=b"lip_good,lip_bad")
        self.assertEqual(answer.json["lip_bad"], None)
        self.assertEqual(answer.json["lip_good"]["userId"], "castled-bot")
        self.assertIn("bot:play", answer.json["lip_good"]["scopes"].split(","))

    async def test_tokens_scopes_agents_and_titles_are_checked(self):
        human = self.sim.add_account("human")
        self.sim.add_token("lip_human", human)
        self.sim.add_token("lip_narrow", self.bot, ("challenge:read", "team:write"))
        stream = "/api/bot/game/stream/abcdefgh"
        for token, agent, path, status, text in (
                (None, "x", "/api/account", 401, "Missing authorization header"),
                ("lip_bad", "x", "/api/account", 401, "No such token"),
                ("lip_good", "user:other", "/api/account", 401,
                 "The user in the user-agent doesn't match the token bearer"),
                ("lip_good", "as: other", "/api/account", 401, "doesn't match"),
                ("lip_good", "user:CASTLED-bot", "/api/account", 200, "BOT"),
                ("lip_good", "x/1.2 user:other", "/api/account", 200, "BOT"),
                ("lip_good", "user:ab", "/api/account", 200, "BOT"),
                ("lip_narrow", "x", stream, 403, "Missing scope: bot:play"),
                ("lip_human", "x", stream, 400, "only be used with a Bot account"),
                ("lip_good", "x", stream, 404, "No such game"),
                ("lip_good", "x", "/nowhere", 404, "Not found")):
            with self.subTest(f"{token} {agent} {path}"):
                answer = await self.new_client(token, agent).get(path)
                self.assertEqual(answer.status, status)
                self.assertIn(text, answer.body.decode())
                if status == 403:
                    self.assertEqual(answer.headers["x-oauth-scopes"],
                                     "challenge:read,team:write")
                    self.assertEqual(answer.headers["x-accepted-oauth-scopes"], "bot:play")

    async def test_playing_lists_the_games_in_progress(self):
        game = await self.game(colour="black", player=Idle())
        answer = await self.client.get("/api/account/playing?nb=50")
        self.assertEqual([g["gameId"] for g in answer.json["nowPlaying"]], [game.id])
        self.assertEqual(answer.json["nbMyTurn"], 1)

    async def test_a_bot_gives_no_takebacks_unless_its_owner_changes_that(self):
        self.assertFalse(self.sim.add_account("other", title="BOT").allows_takebacks)
        self.assertTrue(self.sim.add_account("human").allows_takebacks)
        self.sim.add_token("lip_new", self.sim.account("human"))
        answer = await self.new_client("lip_new").post("/api/bot/account/upgrade")
        self.assertEqual(answer.json, {"ok": True})
        self.assertFalse(self.sim.account("human").allows_takebacks)

    async def test_online_bots_are_those_with_a_bio_by_play_time_and_cut(self):
        for name, hours in (("short", 1), ("long", 9), ("longer", 50)):
            self.sim.add_account(name, title="BOT", is_present=True, human_play_s=3600 * hours)
        self.sim.add_account("silent", title="BOT", is_present=True, bio="", human_play_s=10**6)
        self.sim.add_account("marked", title="BOT", is_present=True, is_marked=True)
        self.sim.add_account("away", title="BOT")
        self.bot.bio = ""
        await self.online()
        answer = await self.new_client(None).get("/api/bot/online?nb=2")
        self.assertEqual([json.loads(line)["id"] for line in answer.body.splitlines()],
                         ["longer", "long"])
        answer = await self.new_client(None).get("/api/bot/online")
        self.assertNotIn(b"castled-bot", answer.body)
        (status,) = (await self.client.get("/api/users/status?ids=castled-bot")).json
        self.assertTrue(status["online"])  # though not in the list

    async def test_the_account_is_shown_30_times_in_5_minutes(self):
        self.sim.limits.account_looks, self.sim.limits.account_looks_window_s = 2, 0.5
        for status in (200, 200, 429):
            answer = await self.client.get("/api/account")
            self.assertEqual(answer.status, status)
        self.assertEqual(answer.json["ratelimit"]["seconds"], 1)
        await asyncio.sleep(0.5)
        self.assertEqual((await self.client.get("/api/account")).status, 200)

    async def test_flags_that_are_false_are_left_out_or_sent_as_a_test_orders(self):
        challenge = await self.sim.challenge(self.bot, "alba")
        game = await self.game(player=Idle())
        for said in (False, True):
            self.sim.says_false = said
            for where, key in ((challenge.json()["destUser"], "online"),
                               (challenge.json()["challenger"], "provisional"),
                               (game.state(), "wdraw"), (game.state(), "btakeback"),
                               (self.sim.add_arena(bots_allowed=False).json(None), "botsAllowed")):
                with self.subTest(f"{key} {said}"):
                    self.assertEqual(where.get(key, "absent"), False if said else "absent")

    async def test_rare_fields_come_where_a_test_wants_them(self):
        challenge = await self.sim.challenge(self.bot, "alba")
        self.assertNotIn("flair", challenge.json()["challenger"])
        self.sim.says_rare = True
        user = challenge.json()["challenger"]
        self.assertEqual((user["patron"], user["lag"]), (True, 4))
        self.assertIn("verdicts", self.sim.add_arena().json(None))
        first, _ = await self.first_lines("/api/stream/event", 2)
        self.assertEqual(first["type"], "challenge")
        self.assertTrue((await self.client.get("/api/account")).json["patron"])


if __name__ == "__main__":
    unittest.main()
