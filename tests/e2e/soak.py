# SPDX-License-Identifier: GPL-3.0-or-later
"""Random combinations of faults, seed by seed: no game lost by us, no wrong move, no storm.

    cd tests && CASTLED=../build/bin/castled python3 -m e2e.soak --seeds 1000 --first 1

The same seed orders the same faults; when they strike depends on the machine.
"""
from __future__ import annotations

import argparse
import asyncio
import random
import sys
import time
import unittest

from sim.opponent import Random

from .harness import SLOWNESS, DaemonTest

FAULTS_S = 4.0                  # how long faults strike, for each seed
REQUESTS_A_SECOND = 40          # beside moves, with four games and a fault every tenth of a second


class SoakTest(DaemonTest):
    seed = 0

    async def strike(self, chance: random.Random) -> None:
        """One fault, on whatever there is."""
        streams = [s for game in self.sim.games.values() if game.is_running
                   for s in game.streams(game.colour_of(self.bot))]
        streams += [s for _, s in self.bot.event_streams if s.is_open]
        stream = chance.choice(streams) if streams else None
        order = self.sim.faults.order
        kind = chance.randrange(12)
        if kind < 4 and stream is not None:
            (stream.reset, stream.end, stream.drop, lambda: stream.send_raw(b'{"type":"ga'))[kind]()
            if kind == 3:
                stream.reset()
        elif kind == 4 and stream is not None:
            stream.send_raw(chance.choice((b"nonsense\n", b"{}\n", b'{"type":"gameState"}\n',
                                           b'{"type":"gameState","moves":7}\n', b"\xff\n")))
        elif kind == 5 and stream is not None:
            stream.split = chance.choice((0, 1, 3, 50))
        elif kind < 9:
            order("move", **chance.choice((
                {"status": 502}, {"status": 502, "applied": True}, {"reset": True},
                {"reset": True, "applied": True}, {"hang": True, "applied": True},
                {"delay_before_s": 1.0}, {"delay_after_s": 1.0}, {"status": 503, "times": 2})))
        elif kind == 9:
            order(chance.choice(("game_stream", "event_stream", "playing")), status=502)
        elif kind == 10:
            for game in self.sim.games.values():
                self.sim.send_event(self.bot, {"type": "gameStart",
                                               "game": game.summary(game.colour_of(self.bot))})
        elif chance.random() < 0.1:
            await self.daemon.kill()
            await self.start()

    async def test_random_faults(self):
        chance = random.Random(self.seed)
        await self.start(engine={"nodes": 300})
        games = [await self.game(Random(self.seed * 10 + n, delay=0.06), name=f"player{n}",
                                 limit=180, colour=("white", "black")[n % 2]) for n in range(4)]
        began = time.monotonic()
        while time.monotonic() - began < FAULTS_S and any(game.is_running for game in games):
            await self.strike(chance)
            await asyncio.sleep(chance.uniform(0.02, 0.3))
        self.sim.faults.clear()
        for game in games:
            await self.over(game, 120)
            ours = game.colour_of(self.bot)
            self.assertIn((game.status, game.winner), (("mate", ours), ("draw", None),
                                                       ("stalemate", None)), f"seed {self.seed}")
        took = time.monotonic() - began
        print(f"seed {self.seed}: {took:.1f} s, {self.sim.count('game_stream')} game streams, "
              f"{self.sim.count('event_stream')} event streams, {self.sim.count('move')} moves "
              f"posted for {sum((len(g.moves) + 1) // 2 for g in games)} plies of ours")
        others = sum(r.family != "move" for r in self.sim.requests)
        self.assertLess(others / took, REQUESTS_A_SECOND * SLOWNESS)


def main() -> int:
    parser = argparse.ArgumentParser(description="Random faults, seed by seed.")
    parser.add_argument("--seeds", type=int, default=100)
    parser.add_argument("--first", type=int, default=1)
    wanted = parser.parse_args()
    failed = 0
    for seed in range(wanted.first, wanted.first + wanted.seeds):
        test = SoakTest("test_random_faults")
        test.seed = seed
        result = unittest.TextTestRunner(verbosity=0, stream=sys.stdout).run(test)
        failed += not result.wasSuccessful()
        print(f"seed {seed}: {'survived' if result.wasSuccessful() else 'FAILED'}, "
              f"{failed} failed so far", flush=True)
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
