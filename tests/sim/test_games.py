# SPDX-License-Identifier: GPL-3.0-or-later
"""Games: moves, clocks, offers, ends."""
import asyncio
import time
import unittest

from sim.case import SimulatorTest
from sim.opponent import Engine, Idle, Scripted


class GameTest(SimulatorTest):
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

    async def test_an_absent_opponent_lets_us_claim_at_zero(self):
        game = await self.game(player=Idle())
        path = f"/api/bot/game/{game.id}/claim-victory"
        self.assertEqual((await self.client.post(path)).status, 400)
        await game.leave("white", 2, step_s=1)
        self.assertEqual((await self.client.post(path)).status, 200)
        self.assertEqual((game.status, game.winner), ("timeout", "black"))

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

    async def test_arena_games_tell_when_the_first_move_is_due_and_challenge_games_never(self):
        self.assertNotIn("expiration", (await self.game(player=Idle())).state())
        arena = self.sim.add_arena(first_move_s=0.5)
        arena.join(self.bot, {})
        game = await arena.pair(self.bot, Idle())
        await asyncio.sleep(0.2)
        expiration = game.state()["expiration"]
        self.assertEqual(expiration["millisToMove"], 500)
        self.assertAlmostEqual(expiration["idleMillis"], 200, delta=150)
        await game.move("e2e4")
        self.assertLess(game.state()["expiration"]["idleMillis"], 150)
        await game.move("e7e5")
        self.assertNotIn("expiration", game.state())

    async def test_whose_first_move_is_late_in_an_arena_loses_without_a_start(self):
        arena = self.sim.add_arena(first_move_s=0.3)
        arena.join(self.bot, {})
        for moves, winner in (("", "black"), ("e2e4", "white")):
            game = await arena.pair(self.bot, Scripted(moves))
            self.assertEqual(await asyncio.wait_for(game.over, 3), ("noStart", winner))

    async def test_a_flag_that_falls_under_the_winners_own_offer_is_a_draw(self):
        for offers, end in (("black", ("draw", None)), ("white", ("outoftime", "black")),
                            ("", ("outoftime", "black"))):
            with self.subTest(offers):
                game = await self.game(limit=0, increment=1, player=Idle())
                for move in ("e2e4", "e7e5"):
                    await game.move(move)
                stream = self.client.lines(f"/api/bot/game/stream/{game.id}")
                await stream.__anext__()
                if offers:
                    game.draw(offers, True)
                self.assertEqual(await asyncio.wait_for(game.over, 6), end)
                said = [line["text"] async for line in stream if line and "text" in line]
                self.assertEqual("Draw offer accepted" in said, end[0] == "draw")

    async def test_a_flag_falls_for_nobody_who_cannot_mate(self):
        game = await self.game(limit=0, increment=1, fen="4k2r/8/8/8/8/8/8/4K3 b k - 0 1",
                               player=Idle())
        for move in ("h8h7", "e1e2"):
            await game.move(move)
        self.assertEqual(await asyncio.wait_for(game.over, 6), ("outoftime", None))

    async def test_a_move_after_our_flag_is_answered_with_200_and_not_made(self):
        game = await self.game(limit=0, increment=1, colour="black", player=Scripted("e7e5"))
        await game.move("e2e4")
        await game.plies(2, 2)
        game.seats["white"].left_s = -0.1  # the server has not looked yet
        answer = await self.client.post(f"/api/bot/game/{game.id}/move/d2d4")
        self.assertEqual((answer.status, answer.json), (200, {"ok": True}))
        self.assertEqual(await asyncio.wait_for(game.over, 1), ("outoftime", "black"))
        self.assertEqual(len(game.moves), 2)

    async def test_resigning_early_aborts_unless_a_rule_forbids_it(self):
        game = await self.game(player=Idle())
        await self.client.post(f"/api/bot/game/{game.id}/resign")
        self.assertEqual(game.status, "aborted")
        game = await self.game(player=Idle(), rules=("noAbort",))
        await self.refused("POST", f"/api/bot/game/{game.id}/resign", 400,
                           "This game cannot be resigned")
        await self.refused("POST", f"/api/bot/game/{game.id}/abort", 400,
                           "This game can no longer be aborted")
        self.assertTrue(game.is_running)

    async def proposed(self):
        """A game in which white proposes to take back a move that black has answered."""
        self.bot.allows_takebacks = True
        game = await self.game(player=Scripted("e2e4 d2d4"))
        lines = self.client.lines(f"/api/bot/game/stream/{game.id}")
        self.assertEqual((await lines.__anext__())["type"], "gameFull")
        self.addAsyncCleanup(lines.aclose)
        await game.plies(1, 2)
        await self.client.post(f"/api/bot/game/{game.id}/move/e7e5")
        await game.plies(3, 2)
        game.takeback("white", True)
        return game, lines

    async def test_a_move_declines_the_takeback_that_the_other_side_proposes(self):
        game, lines = await self.proposed()
        await self.client.post(f"/api/bot/game/{game.id}/move/d7d5")
        game.finish("aborted")
        states = [(line["moves"].count(" "), line.get("wtakeback")) async for line in lines
                  if line and line["type"] == "gameState"]
        self.assertEqual(states[-4:], [(2, True), (3, True), (3, None), (3, None)])

    async def test_ones_own_proposal_stands_until_the_other_side_answers_or_moves(self):
        game, _ = await self.proposed()
        await self.client.post(f"/api/bot/game/{game.id}/takeback/no")
        self.assertFalse(game.state().get("wtakeback", False))
        self.sim.limits.takeback_pause_s = 0
        game, _ = await self.proposed()
        await self.client.post(f"/api/bot/game/{game.id}/move/d7d5")
        game.takeback("white", True)
        self.assertTrue(game.state()["wtakeback"])
        await game.move("c2c4")
        self.assertTrue(game.state()["wtakeback"])

    async def test_a_yes_that_nobody_asked_for_proposes_and_waits_out_a_pause(self):
        self.sim.limits.takeback_pause_s = 0.5
        game, _ = await self.proposed()
        await self.client.post(f"/api/bot/game/{game.id}/move/d7d5")
        path = f"/api/bot/game/{game.id}/takeback/yes"
        for wait_s, proposes in ((0, None), (0.6, True)):
            await asyncio.sleep(wait_s)
            self.assertEqual((await self.client.post(path)).json, {"ok": True})
            self.assertEqual(game.state().get("btakeback"), proposes)
        game.takeback("white", False)  # the second decline: a pause of four times that
        await asyncio.sleep(0.6)
        await self.client.post(path)
        self.assertIsNone(game.state().get("btakeback"))

    async def test_a_bots_preference_lets_nobody_take_back(self):
        game = await self.game(player=Scripted("e2e4 d2d4"))
        await game.plies(1, 2)
        await self.client.post(f"/api/bot/game/{game.id}/move/e7e5")
        await game.plies(3, 2)
        game.takeback("white", True)
        self.assertNotIn("wtakeback", game.state())

    async def gone_lines(self, game, moments):
        """What the bot is told of an opponent who is away, while `moments` pass."""
        for move in ("e2e4", "e7e5"):
            await game.move(move)
        told = []

        async def listen():
            async for line in self.client.lines(f"/api/bot/game/stream/{game.id}"):
                if line and line["type"] == "opponentGone":
                    told.append(line.get("claimWinInSeconds", line["gone"]))
        listening = asyncio.ensure_future(listen())
        await self.sim.until(lambda: game.streams("black"), 2)
        await moments()
        await asyncio.sleep(0.3)
        listening.cancel()
        return told

    async def test_a_return_is_told_only_after_the_countdown_has_reached_0(self):
        game = await self.game(player=Idle())

        async def early():
            self.sim.run(game.leave("white", 2, step_s=1))
            await asyncio.sleep(0.5)
            game.come_back("white")
            await asyncio.sleep(2)
        self.assertEqual(await self.gone_lines(game, early), [2])
        game = await self.game(player=Idle())

        async def late():
            await game.leave("white", 1, step_s=1)
            game.come_back("white")
        self.assertEqual(await self.gone_lines(game, late), [1, 0, False])
        await self.refused("POST", f"/api/bot/game/{game.id}/claim-victory", 400,
                           "You cannot claim the win on this game")

    async def test_a_return_while_we_are_disconnected_is_never_told(self):
        game = await self.game(player=Idle())

        async def meanwhile():
            await game.leave("white", 1, step_s=1)
            self.sim.strike("close", game)
            game.come_back("white")
        self.assertEqual(await self.gone_lines(game, meanwhile), [1, 0])
        lines = await self.first_lines(f"/api/bot/game/stream/{game.id}", 2)
        self.assertEqual((lines[0]["type"], lines[1]), ("gameFull", None))
        await self.refused("POST", f"/api/bot/game/{game.id}/claim-victory", 400,
                           "You cannot claim the win on this game")

    async def test_against_lichess_itself_each_of_our_moves_is_held_on_our_clock(self):
        self.sim.ai_player = lambda: Scripted("e7e5 b8c6")
        answer = await self.client.post("/api/challenge/ai", **{
            "level": "3", "clock.limit": "60", "clock.increment": "0", "color": "white"})
        self.assertEqual((answer.status, answer.json["source"]), (201, "ai"))
        game = self.sim.games[answer.json["id"]]
        self.assertEqual(game.full()["black"], {"aiLevel": 3})
        self.assertEqual(game.summary("white")["opponent"],
                         {"id": None, "username": "Stockfish level 3", "ai": 3})
        began = time.monotonic()
        for move in ("e2e4", "g1f3"):
            await game.until(lambda g: g.turn == "white", 2)
            await self.client.post(f"/api/bot/game/{game.id}/move/{move}")
        self.assertGreater(time.monotonic() - began, 1.0)
        self.assertLess(game.left_s("white"), 59.6)  # of the second; before it no clock runs
        await self.refused("POST", "/api/challenge/ai", 400,
                           {"level": ["Invalid value"]}, level="9")

    async def test_the_end_of_a_rated_game_tells_what_it_did_to_the_ratings(self):
        game = await self.game(player=Idle(), rated=True)
        for move in ("e2e4", "e7e5"):
            await game.move(move)
        self.assertNotIn("ratingDiff", game.summary("black"))
        game.resign("white")
        told = game.summary("black")
        self.assertGreater(told["ratingDiff"], 0)
        self.assertEqual(told["opponent"]["ratingDiff"], -told["ratingDiff"])


if __name__ == "__main__":
    unittest.main()
