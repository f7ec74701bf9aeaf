# SPDX-License-Identifier: GPL-3.0-or-later
"""Whole games: from a challenge to every kind of end."""
import asyncio
import re
import unittest

from sim.challenges import new_ai_game
from sim.game import TimeControl
from sim.opponent import Engine, Idle, Random, Scripted

from .harness import SLOWNESS, DaemonTest


class GameTest(DaemonTest):
    async def wins(self, colour):
        await self.start()
        game = await self.game(Random(7), colour="black" if colour == "white" else "white",
                               limit=180)
        self.assertEqual(await self.over(game, 60), ("mate", colour))
        self.each_move_was_made_once(game)
        await self.log_says(game.id)

    async def test_a_game_is_won_by_mate_with_white(self):
        await self.wins("white")

    async def test_a_game_is_won_by_mate_with_black(self):
        await self.wins("black")

    async def test_castling_is_understood_as_the_kings_way(self):
        self.sim.castling = "king-to-target"
        await self.start()
        game = await self.game(Scripted("g1f3 g2g3 f1g2 e1g1", Random(3)), limit=180)
        await self.over(game, 60)
        self.assertIn("e1h1", game.moves)
        self.assertEqual(game.status, "mate")

    async def test_a_stronger_opponent_mates(self):
        await self.start(engine={"nodes": 0, "depth": 1})
        game = await self.game(Engine(nodes=20000), limit=300)
        self.assertEqual(await self.over(game, 90), ("mate", "white"))

    async def test_a_dead_draw_ends_the_game_and_frees_its_place(self):
        await self.start(games={"concurrency": 1})
        game = await self.game(Idle(), fen="7k/8/8/8/8/8/1p6/K7 w - - 0 1", colour="black")
        self.assertEqual(await self.over(game), ("draw", None))
        again = await self.game(Scripted("e2e4", Idle()))
        await again.plies(2, 5)

    async def test_a_threefold_draw_is_taken_as_the_end(self):
        await self.start()
        # White gives perpetual check, and each reply is forced.
        game = await self.game(Scripted("h5e8 e8h5 h5e8 e8h5 h5e8"),
                               fen="6k1/6p1/8/7Q/8/8/ppp4K/8 w - - 0 1")
        self.assertEqual(await self.over(game), ("draw", None))
        self.assertEqual(len(game.moves), 8)

    async def test_draws_are_worth_less_against_the_weaker(self):
        for name, rating in (("Weak", 1900), ("Feeble", 900), ("Strong", 2700)):
            self.sim.add_account(name, rating=rating)
        await self.start(**{"rule kind": {"when.opponent": "Feeble", "engine.contempt": 7}})
        for name, contempt in (("Weak", 10), ("Feeble", 7), ("Strong", 0)):
            game = await self.game(Scripted("e2e4"), name=name)
            await game.plies(2, 10)
            await self.log_says(f"search id={game.id} .* contempt={contempt}\n")

    async def test_the_opponent_resigns(self):
        await self.start()
        game = await self.game(Scripted("h2h3 a2a3 g1f3"))
        await game.plies(6, 10)
        game.resign("white")
        self.assertEqual(await self.over(game), ("resign", "black"))

    async def test_the_opponents_flag_falls(self):
        await self.start()
        game = await self.game(Scripted("e2e4 d2d4"), limit=0, increment=1)
        self.assertEqual(await self.over(game, 15), ("outoftime", "black"))

    async def test_the_game_stream_may_end_after_the_gameFinish(self):
        self.sim.finish_event_first = True
        self.sim.final_state_twice = True
        await self.start()
        game = await self.game(Scripted("f2f3 g2g4"))
        await game.plies(3, 10)
        game.resign("white")
        await self.over(game)
        again = await self.game(Scripted("e2e4"))
        await again.plies(2, 5)

    async def test_four_games_are_played_at_once(self):
        await self.start(engine={"nodes": 1000})
        games = await asyncio.gather(*(
            self.game(Random(seed), name=f"player{seed}", limit=180,
                      colour=("white", "black")[seed % 2]) for seed in range(4)))
        outcomes = await asyncio.gather(*(self.over(game, 90) for game in games))
        for game, (status, winner) in zip(games, outcomes):
            self.assertEqual((status, winner), ("mate", game.colour_of(self.bot)))
            self.each_move_was_made_once(game)

    async def test_challenges_beyond_the_concurrency_wait_for_a_place(self):
        await self.start(games={"concurrency": 1})
        first = await self.game(Scripted("e2e4"), name="first")
        await first.plies(2, 10)
        second = await self.challenge(Scripted("d2d4"), name="second")
        await asyncio.sleep(0.5)
        self.assertEqual(second.status, "created")
        first.resign("white")
        game = await second.started(10)
        await game.plies(2, 10)

    async def test_gameStart_may_come_before_the_accepts_answer(self):
        self.sim.game_start_first = True
        self.sim.echo_first = False
        await self.start()
        game = await self.game(Scripted("h2h3 a2a3 g1f3"))
        await game.plies(6, 10)
        self.assertEqual(self.sim.count("move"), 3)

    async def test_weaker_play_against_some_looks_at_little(self):
        await self.start(engine={"nodes": 0}, **{
            "rule beginners": {"when.opponent": "alba", "engine.elo": 800, "pace.human": "no"}})
        game = await self.game(Random(1), limit=600)
        await game.until(lambda g: len(g.moves) >= 12 or not g.is_running, 30)  # it may mate
        looked_at = [int(nodes) for nodes in re.findall(r" nodes=(\d+)", self.daemon.log())]
        self.assertGreaterEqual(len(looked_at), min(5, len(game.moves) // 2))
        self.assertLess(max(looked_at), 3000)

    async def test_short_clocks_are_not_run_out(self):
        await self.start(engine={"nodes": 0, "move_overhead": 100})
        games = await asyncio.gather(*(
            self.game(Random(seed), name=f"player{seed}", limit=0, increment=1, colour="black",
                      fen="3k4/8/8/8/8/8/8/Q3K2R w - - 0 1") for seed in (1, 2)))
        for game in games:
            self.assertEqual(await self.over(game, 90), ("mate", "white"))

    async def test_a_clock_that_is_not_told_is_the_one_known_before(self):
        await self.start(engine={"nodes": 0})
        game = await self.game(Idle(), limit=60)
        for move in ("e2e4", "d2d4"):
            await game.move(move)
            await game.plies(len(game.moves) + 1, 30 * SLOWNESS)
        self.sim.tells_clocks = False
        before_s = game.left_s("black")
        await game.move("g1f3")
        await game.plies(6, 30 * SLOWNESS)
        self.assertGreater(before_s - game.left_s("black"), 0.2)  # a search, not a reflex

    async def test_the_half_second_of_lichesss_own_ai_is_not_learnt_as_lag(self):
        await self.start(engine={"move_overhead": "auto", "nodes": 1})
        game = await new_ai_game(self.sim, self.bot, 3, TimeControl(600, 0),
                                 player=Scripted("e7e5 d7d6 g8f6 f8e7", Idle()))
        self.sim.begin(game)
        await game.plies(8, 30 * SLOWNESS)
        took = [int(ms) for ms in re.findall(r"confirmed id=.* after_ms=(\d+)", self.daemon.log())]
        self.assertGreaterEqual(min(took), 400, "the simulator did not hold the moves")
        other = await self.game(Scripted("e2e4"), limit=600)
        await other.plies(2, 30 * SLOWNESS)
        lag_ms = int(re.search(f"search id={other.id} .* lag_ms=(\\d+)", self.daemon.log()).group(1))
        self.assertLess(lag_ms, 300)


if __name__ == "__main__":
    unittest.main()
