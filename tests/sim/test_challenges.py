# SPDX-License-Identifier: GPL-3.0-or-later
"""Challenges: made, answered, waited for."""
import asyncio
import unittest

from sim.case import SimulatorTest
from sim.opponent import Idle, Random, Scripted


class ChallengeTest(SimulatorTest):
    async def test_a_challenge_is_accepted_and_played_to_mate(self):
        events = self.client.lines("/api/stream/event")
        opened = asyncio.ensure_future(events.__anext__())
        await self.sim.until(lambda: self.sim.count("event_stream") == 1, 5)
        challenge = await self.sim.challenge(self.bot, "alba", colour="white",
                                             player=Scripted("f2f3 g2g4"))
        while (event := await opened) is None:
            opened = asyncio.ensure_future(events.__anext__())
        self.assertEqual(event["type"], "challenge")
        self.assertEqual(event["challenge"]["id"], challenge.id)
        self.assertEqual(event["challenge"]["finalColor"], "white")
        self.assertTrue(event["compat"]["bot"])
        answer = await self.client.post(f"/api/challenge/{challenge.id}/accept")
        self.assertEqual(answer.json, {"ok": True})
        start = await self.next_event(events)
        self.assertEqual((start["type"], start["game"]["gameId"], start["game"]["color"]),
                         ("gameStart", challenge.id, "black"))
        lines = await self.play(challenge.id, ["e7e5", "d8h4"])
        self.assertEqual(lines[0]["type"], "gameFull")
        self.assertEqual(lines[0]["initialFen"], "startpos")
        self.assertEqual(lines[-1]["status"], "mate")
        self.assertEqual(lines[-1]["winner"], "black")
        self.assertEqual(lines[-1]["moves"], "f2f3 e7e5 g2g4 d8h4")
        finish = await self.next_event(events)
        self.assertEqual(finish["type"], "gameFinish")
        self.assertEqual(finish["game"]["status"], {"id": 30, "name": "mate"})
        with open(self.sim.pgn_path(challenge.game), encoding="utf-8") as pgn:
            self.assertIn("Qh4# {[%clk 0:01:00]} 0-1", pgn.read().replace("\n", " "))
        await events.aclose()

    async def test_declines_carry_the_reason_in_lower_case(self):
        challenge = await self.sim.challenge(self.bot, "alba")
        await self.client.post(f"/api/challenge/{challenge.id}/decline", reason="tooFast")
        self.assertEqual(await challenge.declined(1), "tooFast")
        self.assertEqual(challenge.json()["declineReasonKey"], "toofast")

    async def listed(self):
        answer = await self.client.get("/api/challenge")
        return [challenge["id"] for challenge in answer.json["in"]]

    async def test_whoever_waits_on_the_page_can_be_accepted_at_any_time(self):
        self.sim.limits.challenge_unseen_s = 0.1
        challenge = await self.sim.challenge(self.bot, "alba", player=Scripted("e2e4"))
        await asyncio.sleep(0.5)
        self.assertEqual((challenge.status, await self.listed()), ("created", [challenge.id]))
        await self.client.post(f"/api/challenge/{challenge.id}/accept")
        await (await challenge.started(1)).plies(1, 2)

    async def test_of_an_owner_who_leaves_and_returns_nothing_is_told(self):
        self.sim.limits.challenge_unseen_s = 0.1
        challenge = await self.sim.challenge(self.bot, "alba")
        events = await self.online()
        challenge.leave()
        await self.sim.until(lambda: challenge.status == "offline", 2)
        await self.quiet(events)
        self.assertEqual(await self.listed(), [])
        self.assertEqual(await self.first_lines("/api/stream/event", 1), [None])
        shown = await self.client.get(f"/api/challenge/{challenge.id}/show")
        self.assertEqual((shown.json["status"], shown.json["direction"]), ("offline", "in"))
        events = await self.online()
        challenge.come_back()
        self.assertEqual((challenge.status, await self.listed()), ("created", [challenge.id]))
        await self.quiet(events)

    async def test_one_who_is_away_can_be_accepted_and_never_moves(self):
        self.sim.limits.challenge_unseen_s = 0.1
        challenge = await self.sim.challenge(self.bot, "alba", player=Scripted("e2e4"))
        challenge.leave()
        await self.sim.until(lambda: challenge.status == "offline", 2)
        answer = await self.client.post(f"/api/challenge/{challenge.id}/accept")
        self.assertEqual(answer.json, {"ok": True})
        game = await challenge.started(1)
        await asyncio.sleep(0.3)
        self.assertEqual(game.moves, [])
        challenge.come_back()
        await game.plies(1, 2)

    async def test_somebody_without_an_account_is_told_of_two_seconds_late(self):
        self.sim.limits.challenge_anonymous_s = 0.7
        events = await self.online()
        challenge, _ = [await self.sim.challenge(self.bot, "", player=Scripted("e2e4"))
                        for _ in range(2)]  # two people, of whom none replaces the other
        self.assertEqual(len(await self.listed()), 2)
        began = asyncio.get_running_loop().time()
        event = await self.next_event(events)
        self.assertGreater(asyncio.get_running_loop().time(), began + 0.3)
        self.assertEqual((event["challenge"]["id"], event["challenge"]["challenger"]),
                         (challenge.id, None))
        await self.client.post(f"/api/challenge/{challenge.id}/accept")
        game = await challenge.started(1)
        (full,) = await self.first_lines(f"/api/bot/game/stream/{game.id}", 1)
        self.assertEqual((full["white"], full["black"]["id"]), ({}, "castled-bot"))

    async def test_where_many_wait_those_with_a_clock_are_listed_first(self):
        slow = [await self.sim.challenge(self.bot, f"s{n}", limit=None, days=2) for n in range(3)]
        fast = [await self.sim.challenge(self.bot, f"f{n}") for n in range(2)]
        self.assertEqual(await self.listed(), [c.id for c in slow + fast])
        fast.append(await self.sim.challenge(self.bot, "f2"))
        self.assertEqual(await self.listed(), [c.id for c in fast + slow])
        lines = await self.first_lines("/api/stream/event", 6)
        self.assertEqual([line["challenge"]["id"] for line in lines], [c.id for c in fast + slow])

    async def test_the_offer_of_a_rematch_is_in_no_list_and_lapses(self):
        self.sim.limits.rematch_kept_s = 0.3
        game = await self.game()
        game.finish("draw")
        offer = await self.sim.rematch(game)
        self.assertEqual((await self.listed(), offer.status), ([], "created"))
        await self.sim.until(lambda: offer.status == "lapsed", 2)
        await self.refused("POST", f"/api/challenge/{offer.id}/accept", 404, "Not found")

    async def test_correspondence_challenges_never_go_offline(self):
        self.sim.limits.challenge_unseen_s = 0.1
        challenge = await self.sim.challenge(self.bot, "alba", limit=None, days=2)
        challenge.leave()
        await asyncio.sleep(0.3)
        self.assertEqual(challenge.status, "created")

    async def test_what_is_over_is_shown_for_a_while_and_then_deleted(self):
        challenge = await self.sim.challenge(self.bot, "alba")
        challenge.withdraw()
        shown = await self.client.get(f"/api/challenge/{challenge.id}/show")
        self.assertEqual(shown.json["status"], "canceled")
        self.sim.limits.challenge_kept_s = 0
        await self.refused("GET", f"/api/challenge/{challenge.id}/show", 404, "Not found")

    async def test_accepts_are_refused_with_the_texts_of_the_server(self):
        canceled, declined, accepted = [
            await self.sim.challenge(self.bot, name) for name in ("alba", "berta", "cleo")]
        canceled.withdraw()
        declined.decline("later")
        accepted.accept()()
        racing = await self.sim.challenge(self.bot, "dora")
        racing.accept()  # and not announced yet
        fast = await self.sim.challenge(self.bot, "emma", limit=15)
        stranger = await self.sim.challenge(self.sim.account("somebody"), "alba")
        for challenge, status, text in (
                (canceled.id, 400, "The challenge has been canceled."),
                (declined.id, 400, "The challenge has been declined."),
                (accepted.id, 404, "Not found"), ("nothing1", 404, "Not found"),
                (stranger.id, 404, "Not found"),
                (racing.id, 400, "The challenge has already been accepted"),
                (fast.id, 400, "Game incompatible with a BOT account")):
            await self.refused("POST", f"/api/challenge/{challenge}/accept", status, text)

    async def test_a_bot_that_has_played_its_day_is_told_whose_fault_it_is(self):
        rival = self.sim.add_account("rival", title="BOT")
        challenge = await self.sim.challenge(self.bot, "rival")
        for tired, status in ((rival, 400), (self.bot, 429)):
            tired.bot_games = 100
            answer = await self.client.post(f"/api/challenge/{challenge.id}/accept")
            self.assertEqual((answer.status, answer.json["ratelimit"]["key"]),
                             (status, "bot.vsBot.day"))
            tired.bot_games = 0

    async def test_a_second_challenge_takes_the_first_ones_place_in_silence(self):
        first = await self.sim.challenge(self.bot, "alba")
        events = await self.online()
        second = await self.sim.challenge(self.bot, "alba")
        self.assertEqual((await self.next_event(events))["challenge"]["id"], second.id)
        await self.quiet(events)
        await self.refused("POST", f"/api/challenge/{first.id}/accept", 400,
                           "The challenge has been canceled.")
        self.assertEqual(await self.listed(), [second.id])

    async def keep_alive(self, name):
        """The lines of a keepAliveStream, as they come."""
        form = {"clock.limit": "60", "clock.increment": "0", "keepAliveStream": "true"}
        lines = self.client.lines(f"/api/challenge/{name}", "POST", form)
        self.addAsyncCleanup(lines.aclose)
        return lines, await lines.__anext__()

    async def test_keep_alive_streams_outlive_the_20_s_and_end_with_what_became_of_it(self):
        self.sim.limits.challenge_unseen_s, self.sim.limits.challenge_keepalive_s = 0.1, 0.2
        for answer, end in (("accept", "accepted"), ("later", "declined"), ("ignore", "canceled")):
            with self.subTest(end):
                self.sim.add_account(end, answer=answer, answers_after_s=0.5)
                lines, first = await self.keep_alive(end)
                self.assertEqual((first["status"], first["direction"]), ("created", "out"))
                self.assertIsNone(await lines.__anext__())
                await asyncio.sleep(0.2)
                challenge = self.sim.challenges[first["id"]]
                self.assertEqual(challenge.status, "created")
                if answer == "ignore":
                    await self.client.post(f"/api/challenge/{first['id']}/cancel")
                rest = [line async for line in lines if line is not None]
                self.assertEqual(rest, [{"done": end}])

    async def test_hanging_up_cancels_nothing_but_lets_it_go_offline(self):
        self.sim.limits.challenge_unseen_s = 0.3
        self.sim.add_account("busy", answer="ignore")
        lines, first = await self.keep_alive("busy")
        challenge = self.sim.challenges[first["id"]]
        await lines.aclose()
        await self.sim.until(lambda: challenge.status == "offline", 2)
        answer = await self.client.post(f"/api/challenge/{first['id']}/cancel")
        self.assertEqual((answer.status, challenge.status), (200, "canceled"))

    async def test_without_a_stream_ours_goes_offline(self):
        self.sim.limits.challenge_unseen_s = 0.1
        self.sim.add_account("busy", answer="ignore")
        answer = await self.client.post("/api/challenge/busy", **{"clock.limit": "60"})
        challenge = self.sim.challenges[answer.json["id"]]
        await self.sim.until(lambda: challenge.status == "offline", 2)

    async def test_forms_are_refused_as_the_server_does(self):
        self.sim.add_account("human")
        self.sim.add_account("rival", title="BOT", answer="ignore")
        self.sim.add_account("closed", refuses="closed doesn't accept challenges.")
        clock = {"clock.limit": "60", "clock.increment": "0"}
        for name, form, key, text in (
                ("human", {**clock, "clock.limit": "100"}, "clock.limit", "Invalid value"),
                ("human", {**clock, "clock.limit": "150"}, "clock.limit", "Invalid value"),
                ("human", {**clock, "clock.limit": "10860"}, "clock.limit", "Invalid value"),
                ("human", {**clock, "clock.increment": "61"}, "clock.increment", "Invalid value"),
                ("human", {**clock, "clock.limit": "0"}, "global", "Invalid clock"),
                ("human", {**clock, "clock.limit": "15"}, "global", "Invalid speed"),
                ("human", {"days": "4"}, "days", "Invalid value"),
                ("human", {**clock, "variant": "duck"}, "variant", "Invalid value"),
                ("human", {**clock, "fen": "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "rated": "true"},
                 "global", "can't be rated")):
            with self.subTest(f"{form}"):
                answer = await self.client.post(f"/api/challenge/{name}", **form)
                self.assertEqual((answer.status, answer.json),
                                 (400, {"error": {key: [text]}, key: [text]}))
        for name, form, text in (("rival", {"rules": "noAbort"}, "Rules not applicable for bots"),
                                 ("closed", {}, "closed doesn't accept challenges."),
                                 ("nobody", {}, "No such user: nobody")):
            await self.refused("POST", f"/api/challenge/{name}", 400, text, **clock, **form)
        for base in ("15", "30", "45", "60", "90", "120", "10800"):
            answer = await self.client.post("/api/challenge/rival", **{
                "clock.limit": base, "clock.increment": "1"})
            self.assertEqual((base, answer.status), (base, 200))

    async def test_very_fast_variants_become_casual_without_a_word(self):
        self.sim.add_account("rival", title="BOT", answer="ignore")
        for base, variant, rated in (("0", "atomic", False), ("60", "atomic", True),
                                     ("0", "standard", True)):
            answer = await self.client.post("/api/challenge/rival", **{
                "clock.limit": base, "clock.increment": "1", "variant": variant, "rated": "true"})
            self.assertEqual((answer.status, answer.json["rated"]), (200, rated), variant)

    async def test_a_chess960_position_that_was_not_given_is_told_when_the_game_starts(self):
        challenge = await self.sim.challenge(self.bot, "alba", variant="chess960")
        self.assertNotIn("initialFen", challenge.json())
        challenge.accept()()
        game = await challenge.started(1)
        self.assertRegex(game.full()["initialFen"], r"^[rnbqk]{8}/p{8}/8/8/8/8/P{8}/[RNBQK]{8} w ")
        given = await self.sim.challenge(self.bot, "alba", variant="chess960",
                                         fen=game.full()["initialFen"])
        self.assertEqual(given.json()["initialFen"], game.full()["initialFen"])

    async def test_cancel_aborts_a_game_that_has_hardly_begun(self):
        for moves, status, end in (("e2e4", 200, "aborted"), ("e2e4 e7e5", 400, "started")):
            challenge = await self.sim.challenge(self.bot, "alba")
            challenge.accept()()
            for move in moves.split():
                await challenge.game.move(move)
            answer = await self.client.post(f"/api/challenge/{challenge.id}/cancel")
            self.assertEqual((answer.status, challenge.game.status), (status, end))
        self.assertEqual(answer.json["error"], "Missing opponentToken")

    async def test_a_rematch_offer_is_neither_listed_nor_resent_and_may_lapse(self):
        game = await self.game(player=Idle())
        game.finish("draw")
        events = await self.online()
        offer = await self.sim.rematch(game)
        self.assertEqual((await self.next_event(events))["challenge"]["rematchOf"], game.id)
        self.assertEqual(await self.listed(), [])
        self.assertEqual(await self.first_lines("/api/stream/event", 1), [None])
        offer.lapse()
        await self.refused("POST", f"/api/challenge/{offer.id}/accept", 404, "Not found")
        events = await self.online()
        offer = await self.sim.rematch(game)
        offer.withdraw()
        self.assertEqual([(await self.next_event(events))["type"] for _ in range(2)],
                         ["challenge", "challengeCanceled"])
        offer = await self.sim.rematch(game)
        offer.accept()()
        self.assertEqual(game.state()["rematch"], offer.id)

    async def test_a_challenge_of_ours_is_answered(self):
        self.sim.add_account("rival", title="BOT", player=lambda: Random(3))
        answer = await self.client.post("/api/challenge/rival", **{
            "clock.limit": "60", "clock.increment": "1", "color": "white"})
        self.assertEqual((answer.status, answer.json["direction"]), (200, "out"))
        game = await self.sim.challenges[answer.json["id"]].started(5)
        await self.client.post(f"/api/bot/game/{game.id}/move/e2e4")
        await game.plies(2, 5)
        self.sim.add_account("shy", answer="later")
        answer = await self.client.post("/api/challenge/shy", **{"clock.limit": "60"})
        self.assertEqual(await self.sim.challenges[answer.json["id"]].declined(5), "later")

    async def test_challenges_are_limited_as_on_lichess(self):
        self.sim.limits.challenges_a_minute = 7
        self.sim.add_account("rival", title="BOT", answer="ignore")
        self.sim.add_account("human", answer="ignore")
        form = {"clock.limit": "60"}
        for name, status in (("rival", 200), ("human", 200), ("rival", 200), ("rival", 429)):
            answer = await self.client.post(f"/api/challenge/{name}", **form)
            self.assertEqual(answer.status, status)
        # Neither which limit it was, nor for how long.
        self.assertEqual(answer.json, {"error": "Too many requests. Try again later."})
        self.assertNotIn("retry-after", answer.headers)
        self.bot.challenge_credits.forget()
        self.bot.bot_games = 100
        answer = await self.client.post("/api/challenge/rival", **form)
        self.assertEqual((answer.status, answer.json["ratelimit"]["key"]), (429, "bot.vsBot.day"))

    async def test_a_challenge_that_is_refused_costs_its_credits(self):
        self.sim.limits.challenges_a_minute = 6
        self.sim.add_account("human", refuses="does not want to")
        form = {"clock.limit": "60"}
        for _ in range(2):
            await self.refused("POST", "/api/challenge/human", 400, "does not want to", **form)
        await self.refused("POST", "/api/challenge/human", 429,
                           "Too many requests. Try again later.", **form)

    async def test_a_rematch_changes_the_colours_over(self):
        game = await self.game(player=Idle())
        game.finish("draw")
        challenge = await self.sim.rematch(game)
        self.assertEqual(challenge.json()["rematchOf"], game.id)
        await self.client.post(f"/api/challenge/{challenge.id}/accept")
        again = await challenge.started(1)
        self.assertEqual(again.colour_of(self.bot), "white")


if __name__ == "__main__":
    unittest.main()
