# SPDX-License-Identifier: GPL-3.0-or-later
"""Games that end by agreement or resignation; data/scenarios has the simpler ones, and claims."""
import os
import sqlite3
import unittest

from sim.online import Online, tablebase
from sim.opponent import Idle, Random, Scripted

from .harness import SLOWNESS, DaemonTest

# Locked for good, and level.
LOCKED = "4k3/8/p1p1p1p1/P1P1P1P1/8/8/8/4K3 w - - 0 60"
# White has a queen, or a rook, against a king.
QUEEN = "8/8/8/4k3/8/8/8/K2Q4 w - - 0 60"
ROOK = "8/8/8/4k3/8/8/8/K2R4 w - - 0 60"
NEVER = 100  # as many moves in a row


def constant_table(magic: str, piece: int, *values: int) -> bytes:
    """A Syzygy table of king and piece against king that says the same of each position."""
    men = bytes([1, 0, 0x66, piece << 4 | piece, 0xEE, 0])
    return (bytes.fromhex(magic) + men + b"".join(bytes([0x80, v]) for v in values)).ljust(80, b"\0")


class OffersTest(DaemonTest):
    def tables(self) -> str:
        """A folder of tables: a queen wins in 10 plies, and a rook (which is not so) draws."""
        wdl, dtz = "71e8235d", "d7660ca5"
        for name, table in (("KQvK.rtbw", constant_table(wdl, 5, 4, 0)),
                            ("KQvK.rtbz", constant_table(dtz, 5, 10)),
                            ("KRvK.rtbw", constant_table(wdl, 4, 2, 2)),
                            ("KRvK.rtbz", constant_table(dtz, 4, 10))):
            with open(os.path.join(self.directory, name), "wb") as file:
                file.write(table)
        return self.directory

    async def test_what_the_tables_call_lost_is_resigned_at_once(self):
        await self.start(resign={"enabled": "yes", "moves": NEVER},
                         engine={"syzygy": self.tables()})
        game = await self.game(Scripted("d1d2"), limit=600, colour="white", fen=QUEEN)
        self.assertEqual(await self.over(game), ("resign", "white"))
        self.assertEqual(len(game.moves), 2)
        await self.log_says(f"resigns id={game.id} ply=2 tablebase=loss")

    async def test_what_the_tables_call_a_draw_is_offered_at_once(self):
        await self.start(draw={"moves": NEVER}, engine={"syzygy": self.tables()})
        game = await self.game(Scripted("d1h1 h1h8"), limit=600, colour="white", fen=ROOK)
        await game.until(lambda g: g.seats["black"].offers_draw, 20 * SLOWNESS)
        self.assertEqual(len(game.moves), 4)  # before, the server would not have heard it
        game.finish("draw")

    async def test_a_draw_offered_to_who_cannot_win_ends_the_game(self):
        await self.start(draw={"moves": NEVER}, engine={"syzygy": self.tables()})
        game = await self.game(Random(3), limit=600, colour="black", fen=ROOK)
        self.assertEqual(await self.over(game), ("insufficientMaterialClaim", None))
        self.assertEqual(len(game.moves), 2)

    async def test_what_tables_on_the_web_say_counts_as_well(self):
        web = Online(self.sim)
        web.say("tablebase", "8/8/8/8/8/1k6/7r/K7 w - - 1 61", tablebase(("a1b1", "win", 9)))
        web.say("tablebase", "7r/8/8/8/8/8/P1k5/K7 w - - 1 61",
                tablebase(("a2a3", "draw", 0), ("a2a4", "draw", 0)))
        await self.start(resign={"enabled": "yes", "moves": NEVER},
                         draw={"moves": NEVER, "offer": "no"},
                         online={"services": "tablebase", "tablebase_url": self.url,
                                 "deadline": 5000})
        game = await self.game(Scripted("g2h2"), limit=600, colour="black",
                               fen="8/8/8/8/8/1k6/6r1/K7 b - - 0 60")
        self.assertEqual(await self.over(game), ("resign", "black"))
        game = await self.game(Scripted("d2c2"), limit=600, colour="black",
                               fen="7r/8/8/8/8/8/P2k4/K7 b - - 0 60")
        await game.plies(2, 20 * SLOWNESS)
        game.draw("black", True)
        self.assertEqual(await self.over(game), ("draw", None))

    def kept(self) -> list[str]:
        """What is written down about how games may end."""
        path = os.path.join(self.directory, "castled", "games.sqlite")
        with sqlite3.connect(f"file:{path}?mode=ro", uri=True) as archive:
            rows = archive.execute("SELECT value FROM fact WHERE key LIKE 'outlook/%'")
            return [value for value, in rows]

    async def test_level_moves_are_counted_on_after_a_kill(self):
        settings = {"draw": {"moves": 4, "from_move": 1, "max_eval": 300}, "engine": {"nodes": 200}}
        await self.start(**settings)
        game = await self.game(Idle(), limit=600, colour="white", fen=LOCKED)
        for ply, move in enumerate(("e1d2", "d2e2", "e2f2")):
            await game.move(move)
            await game.plies(2 * ply + 2, 20 * SLOWNESS)
        await self.sim.until(lambda: self.kept() == ["6 3 0 0"], 30 * SLOWNESS)
        await self.daemon.kill()
        await self.sim.until(lambda: not self.bot.is_online, 30 * SLOWNESS)
        await self.start(**settings)
        self.assertFalse(game.seats["black"].offers_draw)
        await game.move("f2e2")
        await game.plies(8, 20 * SLOWNESS)
        self.assertTrue(game.seats["black"].offers_draw)
        game.draw("white", True)
        self.assertEqual(await self.over(game), ("draw", None))
        await self.sim.until(lambda: self.kept() == [], 30 * SLOWNESS)

    async def test_no_draw_is_offered_to_an_opponent_whose_flag_is_about_to_fall(self):
        """The flag would then make it a draw, and an offer cannot be withdrawn."""
        await self.start(draw={"moves": 2, "from_move": 1, "max_eval": 300}, engine={"nodes": 200})
        game = await self.game(Idle(), limit=600, colour="white", fen=LOCKED)
        for number, move in enumerate("e1d1 d1c1 c1b1 b1a1 a1a2 a2b2 b2c2 c2d2".split()):
            game.seats["white"].left_s = 9 - number / 2
            await game.move(move)
            await game.plies(2 * number + 2, 30 * SLOWNESS)
            if not game.is_running:
                break
            self.assertFalse(game.seats["black"].offers_draw, f"after {game.moves}")


if __name__ == "__main__":
    unittest.main()
