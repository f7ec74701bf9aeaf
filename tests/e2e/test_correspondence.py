# SPDX-License-Identifier: GPL-3.0-or-later
"""Games of days: they rest without a stream, and are played one at a time when it is our turn, while
no game with a clock searches."""
import unittest

from sim.opponent import Random, Scripted

from .harness import SLOWNESS, DaemonTest

DAYS = {"speeds": "bullet, blitz, rapid, classical, correspondence"}
QUICK = {"correspondence_poll": 1, "correspondence_linger": 0}


class CorrespondenceTest(DaemonTest):
    async def begin(self, games=None, **sections):
        await self.start(challenge=DAYS, games={**QUICK, **(games or {})}, **sections)

    async def slow_game(self, player=None, **wanted):
        wanted.setdefault("days", 2)
        return await self.game(player, limit=None, **wanted)

    def streams(self, game) -> list:
        return game.streams(game.colour_of(self.bot))

    async def rests(self, game, plies: int) -> None:
        await game.plies(plies, 20 * SLOWNESS)
        await self.sim.until(lambda: not self.streams(game), 30 * SLOWNESS, "no stream")

    async def test_a_game_of_days_is_played_move_by_move_without_a_stream_between(self):
        await self.begin()
        game = await self.slow_game()
        await self.sim.until(lambda: self.sim.count("playing") > 2, 30 * SLOWNESS)
        self.assertEqual(self.sim.count("game_stream"), 0)  # it is not our turn
        await game.move("e2e4")
        await self.rests(game, 2)
        await game.move("d2d4")
        await self.rests(game, 4)
        self.assertEqual(self.sim.count("game_stream"), 2)
        game.resign("white")
        self.assertEqual(await self.over(game), ("resign", "black"))
        await self.log_says(f"over id={game.id} result=0-1 for_us=win reason=resign plies=4")

    async def test_a_quick_answer_needs_no_new_stream(self):
        await self.begin(games={"correspondence_linger": 60})
        game = await self.slow_game(Random(3))
        await game.plies(8, 20 * SLOWNESS)
        self.assertEqual(self.sim.count("game_stream"), 1)

    async def test_games_of_days_take_no_slot_of_the_others(self):
        await self.begin(games={"concurrency": 1, "correspondence": 2})
        slow = [await self.slow_game() for _ in range(2)]
        waits = await self.challenge(name="Berta", limit=None, days=3)
        fast = await self.game(Scripted("e2e4"), limit=600)
        await fast.plies(2, 30 * SLOWNESS)
        self.assertEqual(waits.status, "created")
        slow[0].finish("draw")
        await waits.started(10 * SLOWNESS)

    async def test_the_next_deadline_comes_first_one_at_a_time(self):
        await self.begin(engine={"nodes": 0, "movetime": 2000})
        games = [await self.slow_game(days=days) for days in (5, 3, 1)]
        await games[0].move("e2e4")
        await self.stream(games[0])
        for game in games[1:]:  # they wait until the first is answered
            await game.move("e2e4")
        for game in games:
            await game.plies(2, 20 * SLOWNESS)
        order = sorted(games, key=lambda game: game.announced_at[1])
        self.assertEqual([game.time_control.days for game in order], [5, 1, 3])
        for earlier, later in zip(order, order[1:]):
            self.assertGreater(later.announced_at[1] - earlier.announced_at[1], 1.5)

    async def test_games_with_a_clock_come_first(self):
        await self.begin(engine={"nodes": 0, "movetime": 3000})
        fast = await self.game(Scripted("e2e4"), limit=600)
        await self.stream(fast)
        slow = await self.slow_game(Scripted("e2e4"))
        await fast.plies(2, 30 * SLOWNESS)
        self.assertEqual(len(slow.moves), 1)
        await slow.plies(2, 20 * SLOWNESS)

    async def test_what_was_found_is_played_when_a_game_with_a_clock_needs_the_cores(self):
        await self.begin(games={"correspondence_movetime": 60}, engine={"nodes": 0})
        slow = await self.slow_game(Scripted("e2e4"))
        await self.stream(slow)
        await self.quiet(1.5 * SLOWNESS)  # it thinks
        self.assertEqual(len(slow.moves), 1)
        fast = await self.game(Scripted("e2e4"), limit=30)
        await slow.plies(2, 5 * SLOWNESS)
        await fast.plies(2, 20 * SLOWNESS)

    async def test_near_its_deadline_a_game_waits_for_nobody_and_thinks_for_less(self):
        self.sim.day_s = 15
        await self.begin(games={"correspondence_movetime": 60}, engine={"nodes": 0})
        fast = await self.game(Scripted("e2e4"), limit=10800)
        await self.stream(fast)
        slow = await self.slow_game(Scripted("e2e4"), days=1)
        await slow.plies(2, 20)
        self.assertTrue(slow.is_running)
        self.assertEqual(len(fast.moves), 1)

    async def test_games_of_days_go_on_after_a_restart(self):
        await self.begin()
        ours, theirs = [await self.slow_game() for _ in range(2)]
        for game in (ours, theirs):
            await game.move("e2e4")
            await self.rests(game, 2)
        await self.stop_daemon()
        await ours.move("d2d4")
        before = self.sim.count("game_stream")
        await self.begin()
        await self.rests(ours, 4)
        self.assertEqual(self.sim.count("game_stream"), before + 1)
        await theirs.move("d2d4")
        await self.rests(theirs, 4)

    async def test_an_end_that_was_not_told_is_found_out(self):
        await self.begin()
        game = await self.slow_game()
        await game.move("e2e4")
        await self.rests(game, 2)
        self.sim.game_finished = lambda game: None
        game.resign("white")
        await self.log_says(f"over id={game.id} .*reason=resign", 20)

    async def test_a_drain_leaves_games_of_days_for_the_next_start(self):
        await self.begin()
        game = await self.slow_game()
        status, output = await self.command("drain", "--config", f"{self.directory}/castled.conf")
        self.assertEqual(status, 0, output)
        await self.sim.until(lambda: not self.daemon.is_running, 20 * SLOWNESS, "the end")
        self.assertTrue(game.is_running)

    async def test_the_days_that_are_wanted_are_accepted(self):
        await self.start(challenge={**DAYS, "min_days": 2, "max_days": 5})
        for days, reason in ((1, "tooFast"), (7, "tooSlow"), (None, "tooSlow")):
            challenge = await self.challenge(limit=None, days=days)
            self.assertEqual(await challenge.declined(10 * SLOWNESS), reason)
        await self.slow_game(days=5)


if __name__ == "__main__":
    unittest.main()
