# SPDX-License-Identifier: GPL-3.0-or-later
"""Arenas: who may join, and what becomes of those who do."""
import asyncio
import datetime
import json
import time
import unittest

from sim.case import SimulatorTest
from sim.opponent import Idle, Scripted


class ArenaTest(SimulatorTest):
    async def test_an_arena_pairs_who_is_in_and_asks_for_it(self):
        arena = self.sim.add_arena([Idle()], password="sesame", first_move_s=60)
        path = f"/api/tournament/{arena.id}"
        self.assertEqual((await self.client.get("/api/tournament/nowhere")).status, 404)
        self.assertNotIn("me", (await self.client.get(path)).json)
        self.assertEqual((await self.client.post(path + "/join")).status, 400)
        answer = await self.client.post(path + "/join", password="sesame", pairMeAsap="true")
        self.assertEqual(answer.status, 200)
        self.assertFalse((await self.client.get(path)).json["me"]["withdraw"])
        await self.sim.until(lambda: arena.games, 5)
        self.assertEqual(arena.games[0].full()["tournamentId"], arena.id)
        self.assertEqual((await self.client.post(path + "/withdraw")).status, 200)
        self.assertTrue((await self.client.get(path)).json["me"]["withdraw"])
        arena.finish()
        self.assertTrue((await self.client.get(path)).json["isFinished"])

    async def test_a_team_lists_its_arenas_those_that_begin_last_first(self):
        now = self.sim.add_arena(team="bots", lasts=1800, limit=180, increment=2)
        later = self.sim.add_arena(team="bots", starts_in=60, variant="chess960", rated=False)
        self.sim.add_arena(team="others")
        answer = await self.client.get("/api/team/bots/arena?max=9")
        listed = [json.loads(line) for line in answer.body.splitlines()]
        self.assertEqual([arena["id"] for arena in listed], [later.id, now.id])
        self.assertEqual((listed[0]["variant"]["key"], listed[0]["rated"], listed[0]["status"]),
                         ("chess960", False, 10))
        self.assertEqual((listed[1]["clock"], listed[1]["minutes"], listed[1]["status"]),
                         ({"limit": 180, "increment": 2}, 30, 20))
        self.assertEqual(listed[1]["finishesAt"] - listed[1]["startsAt"], 1800 * 1000)
        self.assertNotIn("botsAllowed", listed[1])
        answer = await self.client.get("/api/team/bots/arena?max=1")
        self.assertEqual(len(answer.body.splitlines()), 1)
        self.assertEqual((await self.client.get("/api/team/nobody/arena")).status, 404)

    def path(self, word="join", **facts):
        return f"/api/tournament/{self.sim.add_arena(**facts).id}/{word}"

    async def test_bots_that_are_not_admitted_are_told_so_by_an_absence(self):
        arena = self.sim.add_arena(bots_allowed=False)
        self.assertNotIn("botsAllowed", (await self.client.get(f"/api/tournament/{arena.id}")).json)
        await self.refused("POST", f"/api/tournament/{arena.id}/join", 400,
                           "Tournament restrictions")

    async def test_the_page_has_the_start_as_a_moment(self):
        arena = self.sim.add_arena(starts_in=60)
        page = (await self.client.get(f"/api/tournament/{arena.id}")).json
        starts = datetime.datetime.fromisoformat(page["startsAt"].replace("Z", "+00:00"))
        self.assertAlmostEqual(starts.timestamp(), time.time() + 60, delta=5)

    async def test_the_fifth_first_join_within_the_hour_is_refused_and_a_later_one_is_not(self):
        self.sim.limits.hour_s = 1
        for _ in range(4):
            path = self.path()
            self.assertEqual((await self.client.post(path)).json, {"ok": True})
        await self.refused("POST", self.path(), 400, "You are joining too many tournaments")
        self.assertEqual((await self.client.post(path)).status, 200)  # for who is in it is free
        await asyncio.sleep(1.1)
        self.assertEqual((await self.client.post(self.path())).status, 200)

    async def test_a_join_that_is_refused_costs_its_credits(self):
        for _ in range(4):
            await self.refused("POST", self.path(password="sesame"), 400, "Wrong entry code")
        await self.refused("POST", self.path(), 400, "You are joining too many tournaments")

    async def test_there_are_30_credits_in_a_day(self):
        self.sim.limits.joins_an_hour = 10**6
        for _ in range(15):
            await self.client.post(self.path())
        await self.refused("POST", self.path(), 400, "You are joining too many tournaments")

    async def test_the_31st_call_within_10_minutes_is_429(self):
        path = self.path()
        for _ in range(30):
            self.assertEqual((await self.client.post(path)).status, 200)
        self.assertEqual((await self.client.post(path)).status, 429)

    async def test_whoever_withdraws_from_a_running_arena_has_to_pause(self):
        self.sim.limits.arena_pause_s = 0.5
        for starts_in, pauses in ((60, False), (0, True)):
            arena = self.sim.add_arena(starts_in=starts_in)
            path = f"/api/tournament/{arena.id}"
            await self.client.post(path + "/join")
            await self.client.post(path + "/withdraw")
            if pauses:
                await self.refused("POST", path + "/join", 400, "Your pause is not over yet")
                await asyncio.sleep(0.6)
            self.assertEqual((await self.client.post(path + "/join")).status, 200)

    async def test_join_and_withdraw_need_bot_play_alone(self):
        self.sim.add_token("lip_bot", self.bot, ("bot:play",))
        client = self.new_client("lip_bot")
        arena = self.sim.add_arena()
        for word in ("join", "withdraw"):
            answer = await client.post(f"/api/tournament/{arena.id}/{word}")
            self.assertEqual(answer.json, {"ok": True})
        arena.scopes = ("tournament:write",)
        answer = await client.post(f"/api/tournament/{arena.id}/withdraw")
        self.assertEqual(answer.json, {"error": "Missing scope: tournament:write"})

    async def test_what_refuses_a_join_is_said_in_the_words_of_the_server(self):
        over = self.path(lasts=0)
        for path, text in ((self.path(team="a-team"), "Missing team"),
                           (over, "This tournament no longer exists"),
                           (self.path(refuses="You are not allowed to join arenas"),
                            "You are not allowed to join arenas")):
            await self.refused("POST", path, 400, text)
        self.bot.is_marked = True
        await self.refused("POST", self.path(), 403, "The access to this resource is restricted.")

    async def test_games_that_never_start_lead_to_a_ban_and_aborted_ones_do_not(self):
        self.sim.limits.no_starts_to_playban, self.sim.limits.minute_s = 2, 0.1
        for _ in range(5):
            (await self.game(player=Idle())).abort("black")
        arena = self.sim.add_arena(first_move_s=0.1)
        path = f"/api/tournament/{arena.id}/join"
        for _ in range(2):
            self.assertEqual((await self.client.post(path)).status, 200)
            game = await arena.pair(self.bot, Scripted("e2e4"))
            self.assertEqual(await asyncio.wait_for(game.over, 2), ("noStart", "white"))
            self.assertTrue(arena.members[self.bot.id].withdrawn)
        answer = await self.client.post(path)
        self.assertEqual((answer.status, answer.json["minutes"]), (403, 10))
        self.assertRegex(answer.json["error"],
                         r"^Banned from playing for 10 minutes\. Reason: ")
        await asyncio.sleep(1.1)
        self.assertEqual((await self.client.post(path)).status, 200)

    async def test_after_a_deploy_games_that_never_start_are_not_counted(self):
        self.sim.limits.no_starts_to_playban = 1
        arena = self.sim.add_arena(first_move_s=0.1)
        arena.join(self.bot, {})
        await self.sim.deploy(0.05)
        game = await arena.pair(self.bot, Scripted("e2e4"))
        self.assertEqual(await asyncio.wait_for(game.over, 2), ("noStart", "white"))
        self.assertEqual(self.bot.playban_until, 0)

    async def test_first_moves_are_due_by_the_speed(self):
        for limit, variant, seconds in ((60, "standard", 16), (180, "standard", 21),
                                        (600, "standard", 25), (1800, "standard", 30),
                                        (60, "chess960", 20)):
            arena = self.sim.add_arena(limit=limit, variant=variant)
            self.assertEqual(arena.first_move_s, seconds)

    async def test_arena_games_know_no_abort_and_no_takeback(self):
        self.bot.allows_takebacks = True
        arena = self.sim.add_arena()
        arena.join(self.bot, {})
        game = await arena.pair(self.bot, Idle())
        await self.refused("POST", f"/api/bot/game/{game.id}/abort", 400,
                           "This game can no longer be aborted")
        for move in ("e2e4", "e7e5"):
            await game.move(move)
        game.takeback("white", True)
        self.assertNotIn("wtakeback", game.state())


if __name__ == "__main__":
    unittest.main()
