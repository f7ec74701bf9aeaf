# SPDX-License-Identifier: GPL-3.0-or-later
"""The simulator, met through the wire by a small client."""
import asyncio
import ssl
import tempfile
import time
import unittest

from sim import control, faults
from sim.client import Client
from sim.opponent import Engine, Idle, Random, Scripted
from sim.server import Simulator


class SimulatorTest(unittest.IsolatedAsyncioTestCase):
    async def asyncSetUp(self):
        asyncio.get_running_loop().set_debug(False)  # unittest's default is slow
        await asyncio.sleep(0)
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.sim = Simulator(directory.name, keepalive_s=0.2)
        self.bot = self.sim.add_account("Castled-Bot", title="BOT", rating=2000)
        self.sim.add_token("lip_good", self.bot)
        await self.sim.start()
        self.addAsyncCleanup(self.sim.stop)
        self.client = self.new_client()

    def new_client(self, token="lip_good", agent="test"):
        return Client(self.sim.url, self.sim.ca_file, token, agent)

    async def play(self, game_id, moves):
        """Posts the moves as they come due and returns the game stream's lines."""
        lines = []
        moves = list(moves)
        async for line in self.client.lines(f"/api/bot/game/stream/{game_id}"):
            if line is None:
                continue
            lines.append(line)
            game = self.sim.games[game_id]
            if game.is_running and game.turn == game.colour_of(self.bot) and moves \
                    and line["type"] in ("gameFull", "gameState"):
                answer = await self.client.post(f"/api/bot/game/{game_id}/move/{moves.pop(0)}")
                self.assertEqual(answer.status, 200, answer.body)
        return lines

    async def game(self, **wanted):
        """A game that the bot has accepted without a word on the wire."""
        challenge = await self.sim.challenge(self.bot, "alba", **wanted)
        challenge.accept()()
        return await challenge.started(1)

    async def test_token_test_names_owner_and_scopes(self):
        answer = await self.new_client(None).request(
            "POST", "/api/token/test", body=b"lip_good,lip_bad")
        self.assertEqual(answer.json["lip_bad"], None)
        self.assertEqual(answer.json["lip_good"]["userId"], "castled-bot")
        self.assertIn("bot:play", answer.json["lip_good"]["scopes"].split(","))

    async def test_tokens_scopes_agents_and_titles_are_checked(self):
        human = self.sim.add_account("human")
        self.sim.add_token("lip_human", human)
        self.sim.add_token("lip_narrow", self.bot, ("challenge:read",))
        stream = "/api/bot/game/stream/abcdefgh"
        for token, agent, path, status, text in (
                (None, "x", "/api/account", 401, "Missing authorization header"),
                ("lip_bad", "x", "/api/account", 401, "No such token"),
                ("lip_good", "x user:other", "/api/account", 401, "names another user"),
                ("lip_good", "x user:CASTLED-bot", "/api/account", 200, "BOT"),
                ("lip_narrow", "x", stream, 403, "Missing scope: bot:play"),
                ("lip_human", "x", stream, 400, "only be used with a Bot account"),
                ("lip_good", "x", stream, 404, "No such game"),
                ("lip_good", "x", "/nowhere", 404, "Not found")):
            with self.subTest(f"{token} {agent} {path}"):
                answer = await self.new_client(token, agent).get(path)
                self.assertEqual(answer.status, status)
                self.assertIn(text, answer.body.decode())
                if status == 403:
                    self.assertEqual(answer.headers["x-oauth-scopes"], "challenge:read")
                    self.assertEqual(answer.headers["x-accepted-oauth-scopes"], "bot:play")

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

    async def next_event(self, events):
        while (event := await events.__anext__()) is None:
            pass
        return event

    async def test_illegal_moves_are_refused_as_lichess_does(self):
        game = await self.game(colour="black", player=Idle())
        for move, text in (("e2e5", "Piece on e2 cannot move to e5"),
                           ("e9e5", "Invalid UCI: e9e5"), ("0000", "Invalid UCI: 0000"),
                           ("e1g1", "Piece on e1 cannot move to g1"), ("e4e5", "No piece on e4")):
            answer = await self.client.post(f"/api/bot/game/{game.id}/move/{move}")
            self.assertEqual((answer.status, answer.json["error"]), (400, text))
        await self.client.post(f"/api/bot/game/{game.id}/move/e2e4")
        answer = await self.client.post(f"/api/bot/game/{game.id}/move/e2e4")
        self.assertIn("Not your turn", answer.json["error"])

    async def test_both_castling_forms_are_read_and_the_ordered_one_is_written(self):
        for castling, posted in (("king-to-target", "e1h1"), ("king-takes-rook", "e1g1")):
            self.sim.castling = castling
            game = await self.game(colour="black",
                                   player=Scripted("e7e5 g8f6 f8e7 e8h8"))
            lines = await asyncio.gather(
                self.play(game.id, ["e2e4", "g1f3", "f1e2", posted, "d2d3"]),
                self.abort_at(game, 9))
            expected = "e1g1" if castling == "king-to-target" else "e1h1"
            moves = lines[0][-1]["moves"].split()
            self.assertEqual(moves[6], expected)
            self.assertEqual(moves[7], expected.replace("1", "8"))

    async def abort_at(self, game, plies):
        await game.plies(plies, 10)
        game.finish("aborted")

    async def test_chess960_wants_king_takes_rook(self):
        fen = "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1"
        game = await self.game(variant="chess960", fen=fen, colour="black")
        answer = await self.client.post(f"/api/bot/game/{game.id}/move/e1g1")
        self.assertEqual(answer.status, 400)
        answer = await self.client.post(f"/api/bot/game/{game.id}/move/e1h1")
        self.assertEqual(answer.status, 200)
        self.assertEqual(game.full()["initialFen"], fen)

    async def test_every_rule_ends_the_game(self):
        for name, fen, moves, status, winner in (
                ("stalemate", "7k/8/5K2/8/8/8/8/6Q1 w - - 0 1", "g1g6", "stalemate", None),
                ("mate", "7k/8/5K2/8/8/8/8/6Q1 w - - 0 1", "g1g7", "mate", "white"),
                ("dead", "7k/8/8/8/8/8/1p6/K7 w - - 0 1", "a1b2", "draw", None),
                ("fifty", "7k/8/8/8/8/8/1R6/K7 w - - 99 80", "a1b1", "draw", None),
                ("threefold", None, "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8", "draw", None)):
            with self.subTest(name):
                game = await self.game(fen=fen, player=Idle())
                for move in moves.split():
                    await game.move(move)
                self.assertEqual((game.status, game.winner), (status, winner))

    async def test_threefold_shows_the_move_first_and_the_draw_at_once(self):
        game = await self.game(player=Scripted("g1f3 f3g1 g1f3 f3g1"))
        lines = await self.play(game.id, ["g8f6", "f6g8", "g8f6", "f6g8"])
        self.assertEqual([line["status"] for line in lines[-2:]], ["started", "draw"])
        self.assertEqual(lines[-1]["moves"], lines[-2]["moves"])

    async def test_clocks_start_after_both_first_moves_and_the_flag_falls(self):
        game = await self.game(limit=0, increment=1, colour="black", player=Scripted("e7e5"))
        self.assertEqual(game.state()["wtime"], 3000)
        await asyncio.sleep(0.05)
        await self.client.post(f"/api/bot/game/{game.id}/move/e2e4")
        await game.plies(2, 5)
        self.assertAlmostEqual(game.left_s("white"), 3.0, delta=0.02)
        self.assertEqual(await asyncio.wait_for(game.over, 4), ("outoftime", "black"))

    async def test_increment_is_added_and_thinking_time_taken(self):
        game = await self.game(limit=60, increment=2, colour="black", player=Scripted("e7e5"))
        began = time.monotonic()
        await self.client.post(f"/api/bot/game/{game.id}/move/e2e4")
        await game.plies(2, 5)
        await asyncio.sleep(0.3)
        await self.client.post(f"/api/bot/game/{game.id}/move/g1f3")
        most_s = time.monotonic() - began  # a busy machine may have slept for longer
        self.assertLessEqual(game.left_s("white"), 61.7)
        self.assertGreaterEqual(game.left_s("white"), 61.9 - most_s)

    async def test_a_takeback_removes_two_plies_and_announces_it(self):
        self.bot.allows_takebacks = True
        game = await self.game(player=Scripted("e2e4 d2d4 c2c4"))
        reader = asyncio.ensure_future(self.play(game.id, ["e7e5", "d7d5", "c7c5"]))
        await game.plies(6, 5)
        game.takeback("white", True)
        answer = await self.client.post(f"/api/bot/game/{game.id}/takeback/yes")
        self.assertEqual(answer.status, 200)
        game.finish("aborted")
        lines = await reader
        counts = [len(line["moves"].split()) for line in lines if line["type"] == "gameState"]
        self.assertIn((6, 4), list(zip(counts, counts[1:])))
        self.assertTrue(any(line.get("wtakeback") for line in lines))

    async def test_draw_offers_stand_until_the_opponent_moves(self):
        game = await self.game(player=Scripted("e2e4 d2d4"))
        await game.plies(1, 5)
        await self.client.post(f"/api/bot/game/{game.id}/move/e7e5")
        await game.plies(3, 5)
        await self.client.post(f"/api/bot/game/{game.id}/draw/yes")
        self.assertTrue(game.state()["bdraw"])
        game.draw("white", True)
        self.assertEqual((game.status, game.winner), ("draw", None))

    async def test_a_draw_offer_is_heard_after_two_plies_and_twenty_after_the_last(self):
        moves = "e2e4 d2d4 g1f3 b1c3 f1e2 c1e3 h2h3 a2a3 d1d2 e1g1 a1d1 f1e1 g1h1".split()
        replies = "e7e5 d7d6 g8f6 b8c6 f8e7 c8e6 h7h6 a7a6 d8d7 e8g8 a8d8 f8e8 g8h8".split()
        game = await self.game(player=Scripted(moves))
        heard = []
        for number, reply in enumerate(replies):
            await game.plies(2 * number + 1, 5)
            await self.client.post(f"/api/bot/game/{game.id}/move/{reply}?offeringDraw=true")
            if game.seats["black"].offered_draw_at == 2 * number + 1:
                heard.append(2 * number + 1)
        self.assertEqual(heard, [3, 25])

    async def test_a_draw_offered_to_a_bare_king_ends_the_game(self):
        game = await self.game(player=Scripted("e1d1"), fen="4k2r/8/8/8/8/8/8/4K3 w - - 0 1")
        await game.plies(1, 5)
        await self.client.post(f"/api/bot/game/{game.id}/move/h8h7?offeringDraw=true")
        self.assertTrue(game.is_running)  # it is too early to be heard
        await game.move("d1e1")
        await self.client.post(f"/api/bot/game/{game.id}/move/h7h8?offeringDraw=true")
        self.assertEqual((game.status, len(game.moves)), ("insufficientMaterialClaim", 3))

    async def test_abort_only_before_the_second_ply_and_resign_after(self):
        game = await self.game(player=Idle())
        answer = await self.client.post(f"/api/bot/game/{game.id}/abort")
        self.assertEqual((answer.status, game.status), (200, "aborted"))
        game = await self.game(player=Scripted("e2e4"))
        await game.plies(1, 5)
        await self.client.post(f"/api/bot/game/{game.id}/move/e7e5")
        answer = await self.client.post(f"/api/bot/game/{game.id}/abort")
        self.assertEqual(answer.json["error"], "This game can no longer be aborted")
        await self.client.post(f"/api/bot/game/{game.id}/resign")
        self.assertEqual((game.status, game.winner), ("resign", "white"))

    async def test_chat_is_echoed_and_too_long_chat_refused(self):
        game = await self.game(player=Idle())
        path = f"/api/bot/game/{game.id}/chat"
        self.assertEqual((await self.client.post(path, room="player", text="hi")).status, 200)
        answer = await self.client.post(path, room="player", text="x" * 141)
        self.assertEqual((answer.status, answer.json["text"]), (400, ["Maximum length is 140"]))
        self.assertEqual(self.sim.chats, [(game.id, "player", "castled-bot", "hi")])

    async def test_declines_carry_the_reason_in_lower_case(self):
        challenge = await self.sim.challenge(self.bot, "alba")
        await self.client.post(f"/api/challenge/{challenge.id}/decline", reason="tooFast")
        self.assertEqual(await challenge.declined(1), "tooFast")
        self.assertEqual(challenge.json()["declineReasonKey"], "toofast")
        answer = await self.client.post(f"/api/challenge/{challenge.id}/accept")
        self.assertEqual(answer.status, 400)

    async def test_an_expired_challenge_is_no_longer_announced(self):
        self.sim.challenge_life_s = 0.1
        challenge = await self.sim.challenge(self.bot, "alba")
        await self.sim.until(lambda: challenge.status == "offline", 2)
        self.assertEqual((await self.first_lines("/api/stream/event", 1)), [None])
        answer = await self.client.post(f"/api/challenge/{challenge.id}/accept")
        self.assertEqual(answer.status, 200)

    async def first_lines(self, path, count):
        lines = []
        events = self.client.lines(path)
        async for line in events:
            lines.append(line)
            if len(lines) == count:
                break
        await events.aclose()
        return lines

    async def test_opening_the_event_stream_resends_games_and_challenges(self):
        game = await self.game(player=Idle())
        challenge = await self.sim.challenge(self.bot, "alba")
        lines = await self.first_lines("/api/stream/event", 3)
        self.assertEqual(lines[0]["game"]["id"], game.id)
        self.assertEqual(lines[1]["challenge"]["id"], challenge.id)
        self.assertNotIn("compat", lines[1])
        self.assertIsNone(lines[2])

    async def test_a_second_event_stream_closes_the_first(self):
        async def whole():
            return [line async for line in self.client.lines("/api/stream/event")]
        first = asyncio.ensure_future(whole())
        await self.sim.until(lambda: self.sim.count("event_stream") == 1, 5)
        second = asyncio.ensure_future(whole())
        self.assertEqual(await asyncio.wait_for(first, 5), [])
        second.cancel()

    async def test_the_31st_open_of_the_event_stream_is_429(self):
        self.sim.stream_opens_limit = 2
        for _ in range(2):
            await self.first_lines("/api/stream/event", 1)
        answer = await self.client.get("/api/stream/event")
        self.assertEqual(answer.status, 429)
        self.assertTrue(answer.json["error"].startswith("Please don't poll this endpoint"))

    async def test_playing_lists_the_games_in_progress(self):
        game = await self.game(colour="black", player=Idle())
        answer = await self.client.get("/api/account/playing?nb=50")
        self.assertEqual([g["gameId"] for g in answer.json["nowPlaying"]], [game.id])
        self.assertEqual(answer.json["nbMyTurn"], 1)

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
        self.sim.challenges_a_minute = 7
        self.sim.add_account("rival", title="BOT", answer="ignore")
        self.sim.add_account("human", answer="ignore")
        form = {"clock.limit": "60"}
        for name, status in (("rival", 200), ("human", 200), ("rival", 200), ("rival", 429)):
            answer = await self.client.post(f"/api/challenge/{name}", **form)
            self.assertEqual(answer.status, status)
        self.assertIn("ratelimit", answer.json)
        self.bot.bot_games = 100
        answer = await self.client.post("/api/challenge/rival", **form)
        self.assertEqual((answer.status, answer.json["ratelimit"]["key"]), (429, "bot.vsBot.day"))

    async def test_a_rematch_changes_the_colours_over(self):
        game = await self.game(player=Idle())
        game.finish("draw")
        challenge = await self.sim.rematch(game)
        self.assertEqual(challenge.json()["rematchOf"], game.id)
        await self.client.post(f"/api/challenge/{challenge.id}/accept")
        again = await challenge.started(1)
        self.assertEqual(again.colour_of(self.bot), "white")

    async def test_a_game_of_days_has_a_deadline_for_each_move(self):
        self.sim.day_s = 1.5
        game = await self.game(limit=None, days=2, colour="black", player=Idle())
        (told,) = (await self.client.get("/api/account/playing")).json["nowPlaying"]
        self.assertEqual(told["speed"], "correspondence")
        self.assertLess(told["secondsLeft"], 3)
        self.assertEqual(game.full()["daysPerTurn"], 2)
        await self.client.post(f"/api/bot/game/{game.id}/move/e2e4")
        self.assertEqual(game.state()["wtime"], 3000)
        self.assertEqual(await asyncio.wait_for(game.over, 20), ("outoftime", "white"))

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
        self.assertEqual((await self.client.post(path + "/withdraw")).status, 403)
        self.sim.tokens["lip_good"].scopes += ("tournament:write",)
        self.assertEqual((await self.client.post(path + "/withdraw")).status, 200)
        self.assertTrue((await self.client.get(path)).json["me"]["withdraw"])
        arena.finish()
        self.assertTrue((await self.client.get(path)).json["isFinished"])

    async def test_an_absent_opponent_lets_us_claim_at_zero(self):
        game = await self.game(player=Idle())
        path = f"/api/bot/game/{game.id}/claim-victory"
        self.assertEqual((await self.client.post(path)).status, 400)
        await game.leave("white", 2, step_s=1)
        self.assertEqual((await self.client.post(path)).status, 200)
        self.assertEqual((game.status, game.winner), ("timeout", "black"))

    async def test_lag_delays_requests_and_lines_alike(self):
        self.sim.lag = lambda: 0.1
        game = await self.game(colour="black", player=Scripted("e7e5"))
        began = time.monotonic()
        answer = await self.client.post(f"/api/bot/game/{game.id}/move/e2e4")
        self.assertGreaterEqual(time.monotonic() - began, 0.2)
        self.assertEqual(answer.status, 200)
        lines = await self.first_lines(f"/api/bot/game/stream/{game.id}", 1)
        self.assertEqual(lines[0]["state"]["moves"], "e2e4 e7e5")

    async def test_lines_may_come_in_single_bytes(self):
        self.sim.stream_split = 1
        game = await self.game(player=Idle())
        lines = await self.first_lines(f"/api/bot/game/stream/{game.id}", 1)
        self.assertEqual(lines[0]["type"], "gameFull")

    async def test_faults_happen_as_ordered_and_only_as_often(self):
        game = await self.game(colour="black", player=Idle())
        path = f"/api/bot/game/{game.id}/move/"
        self.sim.faults.order("move", status=429, html=True)
        answer = await self.client.post(path + "e2e4")
        self.assertEqual((answer.status, answer.headers["content-type"]), (429, "text/html"))
        self.sim.faults.order("move", reset=True)
        with self.assertRaises((ConnectionError, asyncio.IncompleteReadError)):
            await self.client.post(path + "e2e4")
        self.assertEqual(game.moves, [])
        self.sim.faults.order("move", status=502, applied=True)
        answer = await self.client.post(path + "e2e4")
        self.assertEqual((answer.status, game.moves), (502, ["e2e4"]))
        self.sim.faults.order("account", delay_after_s=0.2)
        began = time.monotonic()
        await self.client.get("/api/account")
        self.assertGreater(time.monotonic() - began, 0.2)

    async def test_a_stream_can_break_between_a_move_and_its_echo(self):
        game = await self.game(colour="black", player=Idle())
        stream = self.client.lines(f"/api/bot/game/stream/{game.id}")
        self.assertEqual((await stream.__anext__())["type"], "gameFull")
        self.sim.faults.order("move", stream="reset")
        answer = await self.client.post(f"/api/bot/game/{game.id}/move/e2e4")
        self.assertEqual((answer.status, game.moves), (200, ["e2e4"]))
        with self.assertRaises((ConnectionError, asyncio.IncompleteReadError, ValueError)):
            while await stream.__anext__() is None:
                pass
        self.assertEqual(self.sim.requests[-1].ply, 1)

    async def test_every_fault_of_a_stream_can_be_struck(self):
        for what in faults.STREAM_FAULTS:
            with self.subTest(what):
                game = await self.game(player=Idle())
                stream = self.client.lines(f"/api/bot/game/stream/{game.id}")
                await stream.__anext__()
                self.sim.strike(what, game)
                await asyncio.sleep(0.01)
                stays = what not in ("reset", "close", "cut", "half a line")
                self.assertEqual([s.is_open for s in game.streams("black")], [True] * stays)
                await stream.aclose()

    async def test_strikes_and_outages_can_be_ordered_over_http(self):
        control.install(self.sim)
        stranger = self.new_client(None)
        stream = self.client.lines("/api/stream/event")
        await stream.__anext__()
        await stranger.request("POST", "/sim/strike", body=b'{"what": "close"}')
        self.assertFalse(self.bot.is_online)
        await stranger.request("POST", "/sim/down", body=b'{"seconds": 0.3}')
        await asyncio.sleep(0.1)
        with self.assertRaises(OSError):
            await self.client.get("/api/account")
        await asyncio.sleep(0.5)
        self.assertEqual((await self.client.get("/api/account")).status, 200)

    async def test_the_server_may_come_back_with_another_certificate(self):
        await self.sim.down()
        await self.sim.start(certificate={"days": -1})
        with self.assertRaises(ssl.SSLError):
            await self.client.get("/api/account")
        await self.sim.down()
        await self.sim.start()
        self.assertEqual((await self.client.get("/api/account")).status, 200)

    async def test_challenges_and_faults_can_be_ordered_over_http(self):
        control.install(self.sim)
        stranger = self.new_client(None)
        answer = await stranger.request("POST", "/sim/challenge",
                                        body=b'{"limit": 30, "moves": "f2f3 g2g4"}')
        game_id = answer.json["id"]
        await self.client.post(f"/api/challenge/{game_id}/accept")
        await self.play(game_id, ["e7e5", "d8h4"])
        answer = await stranger.get("/sim")
        self.assertEqual(answer.json["games"][0]["result"], "0-1")
        await stranger.request("POST", "/sim/fault", body=b'{"family": "account", "status": 503}')
        self.assertEqual((await self.client.get("/api/account")).status, 503)

    async def test_a_game_between_engines_comes_to_an_end(self):
        game = await self.game(fen="4k3/8/8/8/8/8/8/QQ2K3 w - - 0 1",
                               player=Engine(nodes=5000))
        stream = self.client.lines(f"/api/bot/game/stream/{game.id}")
        async for line in stream:
            if line and game.is_running and game.turn == "black":
                await self.client.post(
                    f"/api/bot/game/{game.id}/move/{sorted(game.position.legal)[0]}")
        self.assertEqual((game.status, game.winner), ("mate", "white"))
        self.assertEqual(self.sim.failures, [])

    async def test_the_server_goes_away_and_comes_back_with_its_games(self):
        game = await self.game(player=Idle())
        await self.sim.down()
        with self.assertRaises(OSError):
            await self.client.get("/api/account")
        await self.sim.start()
        answer = await self.client.get("/api/account/playing")
        self.assertEqual(answer.json["nowPlaying"][0]["gameId"], game.id)


if __name__ == "__main__":
    unittest.main()
