# SPDX-License-Identifier: GPL-3.0-or-later
"""`[account] server = pychess`: games with a server that speaks almost like Lichess."""
import asyncio
import unittest

from sim.opponent import Engine, Idle, Scripted
from sim.pychess import Pychess

from .harness import DaemonTest


class PychessTest(DaemonTest):
    async def asyncSetUp(self):
        await super().asyncSetUp()
        self.sim.manners = Pychess(self.sim)

    async def start(self, **sections):
        sections.setdefault("account", {})["server"] = "pychess"
        return await super().start(**sections)

    async def test_without_the_key_the_event_stream_stays_shut(self):
        await super().start(wait=False)
        await self.sim.until(lambda: self.sim.count("event_stream") > 1, 20)
        self.assertFalse(self.bot.is_online)

    async def test_a_game_is_played_to_its_end(self):
        await self.start()
        game = await self.game(Engine(nodes=100), limit=120, increment=1)
        self.assertIn((await self.over(game))[0], ("mate", "stalemate", "draw"))
        await self.log_says(rf"game over id={game.id} ")
        self.assertEqual(self.sim.manners.refused_moves, 0)

    async def test_nothing_is_asked_for_that_pychess_lacks(self):
        await self.start(chat={"hello": "Hi"})
        game = await self.game(Scripted("f2f3 g2g4"))
        await self.over(game)
        await asyncio.sleep(21)  # until a look at the list of challenges, and at who is online, is due
        self.assertEqual([request.path for request in self.sim.requests if request.status == 404], [])

    async def test_a_mate_by_us_is_known_though_nobody_tells(self):
        await self.start()
        game = await self.game(Scripted("f2f3 g2g4"))
        self.assertEqual((await self.over(game)), ("mate", "black"))
        await self.log_says(rf"game over id={game.id} .*for_us=win reason=mate plies=4")

    async def test_castling_is_written_as_the_kings_way(self):
        await self.start(engine={"nodes": 1500})
        game = await self.game(Engine(nodes=50), variant="standard",
                               fen="r3k2r/pppqppbp/2npbnp1/8/8/2NPBNP1/PPPQPPBP/R3K2R w KQkq - 0 1")
        await game.plies(30, 60)
        game.resign("white")
        await self.over(game)
        self.assertEqual(self.sim.manners.refused_moves, 0)

    async def test_variants_and_chess960_go_by_its_names(self):
        await self.start(challenge={"variants": "standard, chess960, threeCheck, atomic, crazyhouse"})
        for variant in ("chess960", "threeCheck", "atomic", "crazyhouse"):
            game = await self.game(Engine(nodes=50), variant=variant)
            await game.plies(6, 30)
            if game.is_running:
                game.resign("white")
            await self.over(game)
        self.assertEqual(self.sim.manners.refused_moves, 0)

    async def test_a_game_goes_on_after_a_restart_of_castled(self):
        await self.start()
        game = await self.game(Scripted("e2e4 d2d4 b1c3 g1f3"), limit=300)
        await game.plies(4, 20)
        await self.stop_daemon()
        await self.start()
        await game.plies(8, 20)
        game.resign("white")
        await self.over(game)

    async def test_a_human_who_resigns_or_leaves_costs_no_slot(self):
        await self.start(games={"concurrency": 1})
        for moves in ("e2e4 d2d4", ""):
            game = await self.game(Scripted(moves) if moves else Idle())
            await game.plies(4 if moves else 0, 20)
            await self.stream(game)
            game.resign("white") if moves else game.finish("aborted")
            await self.over(game)
            await self.log_says(rf"game over id={game.id} .*for_us={'win' if moves else 'none'} reason=unknownFinish")

    async def test_check_names_what_pychess_lacks(self):
        path = self.write_config(account={"server": "pychess"}, matchmaking={"play": "yes"},
                                 resign={"enabled": "yes"}, chat={"hello": "Hi"})
        _, said = await self.command("check", "--config", path)
        for words in ("lets no bot challenge", "does not resign on PyChess", "chat.hello is never"):
            self.assertIn(words, said)


if __name__ == "__main__":
    unittest.main()
