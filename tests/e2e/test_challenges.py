# SPDX-License-Identifier: GPL-3.0-or-later
"""Which challenges are accepted, and with which reason the others are declined."""
import asyncio
import contextlib
import os
import sqlite3
import unittest

from sim.http1 import Response
from sim.opponent import Idle, Scripted

from .harness import DAY_LIMIT, SLOWNESS, DaemonTest


class ChallengeTest(DaemonTest):
    async def asyncSetUp(self):
        await super().asyncSetUp()
        self.sim.add_account("Weak", rating=900)
        self.sim.add_account("Strong", rating=2700)
        self.sim.add_account("OtherBot", title="BOT", rating=2000)

    async def declines(self, config, rows):
        """Rows are (expected reason, challenger, keywords of the challenge)."""
        await self.start(challenge=config)
        for expected, name, wanted in rows:
            with self.subTest(f"{config} {wanted} by {name}"):
                challenge = await self.challenge(Idle(), name=name, **wanted)
                self.assertEqual(await challenge.declined(5), expected)

    async def test_all_are_accepted_by_default(self):
        await self.start(games={"concurrency": 8})
        for name, wanted in (("Weak", {}), ("Strong", {"rated": True}), ("OtherBot", {}),
                             ("Alba", {"limit": 900, "increment": 10}),
                             ("Berta", {"variant": "chess960", "rated": True})):
            with self.subTest(name):
                game = await self.game(Scripted("e2e4"), name=name, **wanted)
                game.finish("aborted")

    async def test_people_without_an_account_are_played(self):
        await self.start(challenge={"games_per_opponent": 1})
        for challenge in [await self.challenge(Scripted("e2e4"), name="") for _ in range(2)]:
            game = await challenge.started(10 * SLOWNESS)
            await game.plies(2, 20 * SLOWNESS)

    async def test_variants_that_are_not_wanted_are_declined(self):
        await self.declines({"variants": "standard"},
                            [("standard", "Alba", {"variant": "chess960"})])
        await self.stop_daemon()
        await self.declines({"variants": "standard, chess960"},
                            [("variant", "Alba", {"variant": "atomic"}),
                             ("variant", "Alba", {"variant": "crazyhouse"})])

    async def test_speeds_are_declined_by_their_side(self):
        await self.declines({"speeds": "blitz, rapid"},
                            [("tooFast", "Alba", {"limit": 60}),
                             ("tooSlow", "Alba", {"limit": 3600, "increment": 30}),
                             ("tooSlow", "Alba", {"limit": None, "days": 2})])

    async def test_bases_and_increments_are_held_within_their_range(self):
        await self.declines({"min_base": 120, "max_base": 600, "min_increment": 1,
                             "max_increment": 5},
                            [("tooFast", "Alba", {"limit": 60, "increment": 2}),
                             ("tooSlow", "Alba", {"limit": 900, "increment": 2}),
                             ("tooFast", "Alba", {"limit": 180, "increment": 0}),
                             ("tooSlow", "Alba", {"limit": 180, "increment": 10})])

    async def test_casual_and_rated_are_asked_for(self):
        await self.declines({"modes": "rated"}, [("rated", "Alba", {"rated": False})])
        await self.stop_daemon()
        await self.declines({"modes": "casual"}, [("casual", "Alba", {"rated": True})])

    async def test_ratings_are_held_within_their_range(self):
        await self.declines({"min_rating": 1200, "max_rating": 2400},
                            [("generic", "Weak", {}), ("generic", "Strong", {})])

    async def test_blocked_players_are_declined(self):
        await self.declines({"block": "alba, berta"}, [("generic", "Alba", {}),
                                                       ("generic", "Berta", {})])

    async def test_only_allowed_players_are_accepted(self):
        await self.declines({"allow": "berta"}, [("generic", "Alba", {})])
        await self.game(Idle(), name="Berta")

    async def test_bots_and_humans_can_be_kept_apart(self):
        await self.declines({"opponents": "human"}, [("noBot", "OtherBot", {})])
        await self.stop_daemon()
        await self.declines({"opponents": "bot"}, [("onlyBot", "Alba", {})])

    async def test_no_challenge_is_accepted_when_none_are_wanted(self):
        await self.start(challenge={"accept": "no"})
        challenge = await self.challenge(Idle())
        self.assertIn(await challenge.declined(5), ("generic", "later"))

    async def test_our_own_challenge_is_not_answered(self):
        await self.start()
        self.sim.add_account("shy", answer="ignore")
        await self.sim.challenge(self.sim.account("shy"), "Castled-Bot")
        await asyncio.sleep(0.5)
        self.assertEqual(self.sim.count("accept") + self.sim.count("decline"), 0)

    async def test_a_challenge_that_is_withdrawn_while_it_waits_is_forgotten(self):
        await self.start(games={"concurrency": 1})
        first = await self.game(Scripted("e2e4"), name="first")
        await first.plies(2, 10)
        waiting = await self.challenge(Idle(), name="waiting")
        await asyncio.sleep(0.3)
        waiting.withdraw()
        first.resign("white")
        await asyncio.sleep(0.7)
        self.assertEqual(self.sim.count("accept"), 1)

    async def test_one_player_does_not_get_all_the_slots(self):
        await self.start(challenge={"games_per_opponent": 1}, games={"concurrency": 8})
        game = await self.game(Idle())
        for _ in range(3):
            late = await self.challenge(Idle())
            self.assertEqual(await late.declined(5), "later")
        game.finish("aborted")
        await self.log_says(f"over id={game.id}")
        await self.game(Idle())

    async def test_one_player_does_not_get_the_whole_hour(self):
        await self.start(challenge={"games_per_hour": 2})
        for _ in range(2):
            (await self.game(Idle())).finish("aborted")
        third = await self.challenge(Idle())
        self.assertEqual(await third.declined(5), "later")
        await self.game(Idle(), name="Berta")

    async def test_a_restart_does_not_give_one_player_another_hour(self):
        config = {"games_per_hour": 2}
        await self.start(challenge=config)
        (await self.game(Idle())).finish("aborted")
        running = await self.game(Scripted("e2e4 d2d4"))
        await running.plies(2, 10)
        await self.stop_daemon()
        await self.start(challenge=config)
        third = await self.challenge(Idle())
        self.assertEqual(await third.declined(5), "later")
        running.finish("aborted")
        await self.stop_daemon()
        await self.start(challenge={"games_per_hour": 3})  # the one resumed counts once
        await self.game(Idle())

    async def test_games_that_nobody_may_abort_are_declined(self):
        await self.start()
        challenge = await self.challenge(Idle(), rules=("noAbort",))
        self.assertEqual(await challenge.declined(5), "generic")

    async def test_ratings_far_from_ours_are_declined(self):
        await self.declines({"rating_difference": 600}, [("generic", "Weak", {}),
                                                         ("generic", "Strong", {})])
        await self.game(Idle())

    async def test_a_human_goes_before_bots_that_wait_and_has_his_slot(self):
        await self.start(games={"concurrency": 2}, challenge={"human_slots": 1})
        self.sim.add_account("FreshBot", title="BOT", rating=2000)
        bots = [await self.challenge(Idle(), name=name) for name in ("OtherBot", "FreshBot")]
        await bots[0].started(10)
        await self.log_says(f"waits id={bots[1].id}")
        first = await self.game(Idle(), name="Alba")
        second = await self.challenge(Idle(), name="Berta")
        await self.log_says(f"waits id={second.id}")
        bots[0].game.finish("aborted")
        await second.started(10)
        first.finish("aborted")
        await bots[1].started(10)

    async def test_a_bot_that_has_played_its_day_is_told_so_and_no_human_with_it(self):
        self.sim.add_account("FreshBot", title="BOT", rating=2000)
        self.sim.faults.order("accept", status=400, body=DAY_LIMIT)
        await self.start(games={"concurrency": 8})
        for _ in range(2):  # learnt, then known; and after a restart
            challenge = await self.challenge(Idle(), name="OtherBot")
            self.assertEqual(await challenge.declined(5), "later")
        await self.game(Idle(), name="FreshBot")
        await self.stop_daemon()
        await self.start(games={"concurrency": 8})
        challenge = await self.challenge(Idle(), name="OtherBot")
        self.assertEqual(await challenge.declined(5), "later")
        self.assertEqual(self.sim.count("accept"), 2)

    async def test_when_our_own_day_is_over_only_humans_are_played(self):
        self.sim.faults.order("accept", status=429, body=DAY_LIMIT)
        await self.start(games={"concurrency": 8})
        self.sim.add_account("FreshBot", title="BOT", rating=2000)
        for name in ("OtherBot", "FreshBot"):
            challenge = await self.challenge(Idle(), name=name)
            self.assertEqual(await challenge.declined(5), "later")
        self.assertEqual(self.sim.count("accept"), 1)
        await self.game(Idle(), name="Alba")

    async def test_a_page_in_place_of_the_servers_answer_is_no_refusal(self):
        """What a proxy in front says of an acceptance."""
        await self.start(games={"concurrency": 8})
        for status in (302, 404, 408, 421):
            self.sim.faults.order("accept", status=status, html=True)
            challenge = await self.challenge(Idle(), name=f"player{status}")
            await challenge.started(10 * SLOWNESS)
            await self.log_says(f"challenge accepted id={challenge.id} try=2")

    async def test_accounts_are_looked_at_once_each(self):
        self.sim.add_account("Newcomer", games_played=9)
        self.sim.add_account("Youngster", games_played=500, age_days=3)
        self.sim.add_account("Regular", games_played=500)
        await self.start(challenge={"min_games": 10, "min_account_days": 30},
                         games={"concurrency": 8})
        storm = [await self.challenge(Idle(), name="Newcomer") for _ in range(5)]
        # Each of the storm takes the place of the one before.
        for challenge in (storm[-1], await self.challenge(Idle(), name="Youngster")):
            self.assertEqual(await challenge.declined(5), "generic")
        for _ in range(2):
            await self.game(Idle(), name="Regular")
        self.assertEqual(self.posts("user"),
                         ["/api/user/newcomer", "/api/user/youngster", "/api/user/regular"])

    async def test_a_crowd_of_strangers_is_not_looked_at_one_by_one(self):
        await self.start(challenge={"min_games": 10}, games={"concurrency": 8})
        for number in range(60):
            await self.challenge(Idle(), name=f"Stranger{number}")
        await self.sim.until(lambda: self.daemon.log().count("challenge declined") == 60, 20 * SLOWNESS)
        self.assertLess(len(self.posts("user")), 40)
        self.assertIn('why="too many at once"', self.daemon.log())

    async def test_accounts_that_do_not_matter_are_not_looked_at(self):
        await self.start(challenge={"speeds": "bullet"},
                         **{"rule bots": {"when.kind": "bot", "challenge.min_games": 10}})
        challenge = await self.challenge(Idle(), name="OtherBot", limit=300)
        self.assertEqual(await challenge.declined(5), "tooSlow")  # without a look
        await self.game(Idle())
        self.assertEqual(self.posts("user"), [])
        challenge = await self.challenge(Idle(), name="OtherBot")
        self.assertEqual(await challenge.declined(5), "generic")

    async def test_an_account_that_cannot_be_looked_at_is_done_without(self):
        for row, fault in enumerate(({"status": 502}, {"status": 200, "body": b"<html>"},
                                     {"hang": True})):
            with self.subTest(fault):
                self.sim.faults.order("user", **fault)
                await self.start(challenge={"min_games": 10})
                await self.game(Idle(), name=f"Stranger{row}")
                self.assertIn("not-vetted", self.daemon.log())
                await self.stop_daemon()

    async def test_a_challenge_that_is_withdrawn_during_the_look_is_forgotten(self):
        self.sim.add_account("Regular", games_played=500)
        self.sim.faults.order("user", delay_before_s=1)
        await self.start(challenge={"min_games": 10})
        challenge = await self.challenge(Idle(), name="Regular")
        await self.sim.until(lambda: self.posts("user"), 5)
        challenge.withdraw()
        await self.log_says("profile told user=regular")
        await self.game(Idle(), name="Regular")
        self.assertEqual(self.sim.count("accept"), 1)

    def publish(self, path, names):
        """A list of users on the simulator; returns how it is served, to be changed at will."""
        served = {"names": names, "etag": '"1"', "status": 200, "asked": []}

        async def handler(call):
            served["asked"].append(call.request.headers)
            if served["status"] != 200:
                return Response(served["status"], b"<html>broken</html>", "text/html")
            if call.request.headers.get("if-none-match") == served["etag"]:
                return Response(304, b"", "text/plain", headers={"ETag": served["etag"]})
            return Response(200, "\n".join(served["names"]).encode(), "text/plain",
                            headers={"ETag": served["etag"]})
        self.sim.add_route("GET", path, "list", handler)
        return served

    async def test_lists_on_the_web_block_and_allow(self):
        self.publish("/block.txt", ["# cheaters", "Mallory"])
        self.publish("/allow.txt", ["Alba", "Mallory"])
        await self.start(challenge={"block_list": self.url + "/block.txt",
                                    "allow_list": self.url + "/allow.txt"})
        await self.log_says("lists read .*allow.txt names=2 from=web")
        await self.log_says("lists read .*block.txt names=1 from=web")
        for name in ("Mallory", "Berta"):
            challenge = await self.challenge(Idle(), name=name)
            self.assertEqual(await challenge.declined(5), "generic")
        await self.game(Idle(), name="Alba")

    def copies(self):
        path = os.path.join(self.directory, "castled", "games.sqlite")
        with contextlib.closing(sqlite3.connect(path)) as archive:
            return archive.execute("SELECT * FROM fact WHERE key LIKE 'list/%'").fetchall()

    async def test_a_list_that_cannot_be_had_is_taken_from_its_copy(self):
        served = self.publish("/block.txt", ["Mallory"])
        config = {"block_list": self.url + "/block.txt"}
        await self.start(challenge=config)
        await self.log_says("lists read .* from=web")
        await self.stop_daemon()
        copies = self.copies()
        self.assertEqual(len(copies), 1)
        await self.start(challenge=config)  # not changed since
        await self.log_says("lists unchanged")
        await self.stop_daemon()
        served["status"] = 503
        await self.start(challenge=config)
        await self.log_says("lists fetch-failed .*names=1 status=503")
        challenge = await self.challenge(Idle(), name="Mallory")
        self.assertEqual(await challenge.declined(5), "generic")
        self.assertEqual([h.get("if-none-match") for h in served["asked"]], [None, '"1"', '"1"'])
        await self.stop_daemon()
        self.assertEqual(self.copies(), copies)  # not written again for each answer
        for headers in served["asked"]:
            self.assertNotIn("authorization", headers)

    async def test_a_list_server_that_never_answers_holds_nobody_up(self):
        self.publish("/block.txt", [])
        self.sim.faults.order("list", hang=True, times=9)
        await self.start(challenge={"block_list": self.url + "/block.txt"})
        game = await self.game(Scripted("e2e4"))
        await game.plies(2, 10)

    async def test_challenges_that_were_open_at_the_start_are_answered(self):
        challenge = await self.challenge(Scripted("e2e4"))
        await self.start()
        game = await challenge.started(10)
        await game.plies(2, 10)


if __name__ == "__main__":
    unittest.main()
