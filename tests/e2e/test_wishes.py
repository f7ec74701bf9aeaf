# SPDX-License-Identifier: GPL-3.0-or-later
"""What an opponent may wish for in the chat: a level, another game, a game at odds."""
import asyncio
import unittest
from urllib.parse import parse_qs

from sim.opponent import Idle, Scripted

from .harness import SLOWNESS, DaemonTest

QUEEN_ODDS = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNB1KBNR w KQkq - 0 1"


class WishTest(DaemonTest):
    AT_ONCE = {"engine": {"nodes": 500}, "pace": {"human": "no"}}  # people take their time at a level

    async def begun(self, **wanted):
        self.sim.add_account("Alba", rating=1500, is_present=True, player=Idle)
        await self.start(**self.AT_ONCE)
        return await self.game(Idle(), limit=600, **wanted)

    async def answer(self, game, asked, answer):
        game.chat("player", "Alba", asked)
        self.sim.chats.append((game.id, "player", "Alba", asked))  # as the chat's history shows it later
        await self.sim.until(lambda: (game.id, "player", "castled-bot", answer) in self.sim.chats, 5, answer)

    def wishes(self):
        """Whom we challenged, and to what."""
        return [(r.path.rpartition("/")[2], {k: v[0] for k, v in parse_qs(r.body.decode()).items()})
                for r in self.sim.requests if r.family == "create"]

    async def wished(self, count):
        await self.sim.until(lambda: len(self.wishes()) == count, 10 * SLOWNESS, "a challenge of ours")
        name, form = self.wishes()[-1]
        self.assertEqual(name, "alba")
        return form

    async def test_a_level_is_played_at_in_this_game_and_the_next(self):
        game = await self.begun()
        await self.stream(game)
        await self.answer(game, "!level 1480", "I play at 1480, in this game and in our casual games of the next 24 "
                          "hours.")
        await game.move("e2e4")
        await game.plies(2, 20 * SLOWNESS)
        await asyncio.sleep(2.5)  # castled answers once in two seconds
        await self.answer(game, "!level", "I play at 1480. !level 1500 asks for that rating, 600 to 2500, in casual "
                          "games.")
        game.finish("draw")
        await self.over(game)
        await self.stop_daemon()  # it holds over a restart
        await self.start(**self.AT_ONCE)
        game = await self.game(Scripted("e2e4"), limit=600)
        await game.plies(2, 20 * SLOWNESS)
        await self.answer(game, "!level", "I play at 1480. !level 1500 asks for that rating, 600 to 2500, in casual "
                          "games.")

    async def test_another_game_begins_when_this_one_is_over(self):
        game = await self.begun()
        await game.move("e2e4")
        await game.plies(2, 20 * SLOWNESS)
        await self.answer(game, "!again", "When this game is over I challenge you to another one.")
        self.assertEqual(self.wishes(), [])
        game.finish("draw")
        await self.over(game)
        form = await self.wished(1)
        self.assertEqual((form["color"], form["clock.limit"], form["rated"]), ("white", "600", "false"))
        await self.quiet(1)
        self.assertEqual(len(self.wishes()), 1)

    async def test_odds_may_be_asked_for_after_a_game_and_a_rematch_keeps_them(self):
        game = await self.begun()
        await game.move("e2e4")
        await game.plies(2, 20 * SLOWNESS)
        game.finish("draw")
        await self.over(game)
        self.sim.chats.append((game.id, "player", "Alba", "!odds queen"))
        form = await self.wished(1)
        self.assertEqual((form["color"], form["variant"], form["fen"]), ("white", "fromPosition", QUEEN_ODDS))
        await self.sim.until(lambda: len(self.sim.games) == 2, 10 * SLOWNESS, "the game at odds")
        game = list(self.sim.games.values())[-1]
        await game.plies(1, 20 * SLOWNESS)
        await game.move("e7e5")
        await game.plies(3, 20 * SLOWNESS)
        game.finish("draw")
        await self.over(game)
        rematch = await self.sim.rematch(game)
        self.assertEqual(await rematch.declined(10 * SLOWNESS), "generic")
        form = await self.wished(2)
        self.assertEqual((form["color"], form["fen"]), ("white", QUEEN_ODDS))

    async def test_who_may_not_play_is_not_challenged(self):
        self.sim.add_account("Alba", rating=1500, is_present=True, player=Idle)
        await self.start(engine={"nodes": 500}, challenge={"games_per_hour": 1})
        game = await self.game(Idle(), limit=600)
        await game.move("e2e4")
        await game.plies(2, 20 * SLOWNESS)
        game.finish("draw")
        await self.over(game)
        self.sim.chats.append((game.id, "player", "Alba", "!again"))
        line = "I can't challenge you now. Please challenge me, then you get your turn."
        await self.sim.until(lambda: (game.id, "player", "castled-bot", line) in self.sim.chats, 10 * SLOWNESS, line)
        self.assertEqual(self.wishes(), [])


if __name__ == "__main__":
    unittest.main()
