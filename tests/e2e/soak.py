# SPDX-License-Identifier: GPL-3.0-or-later
"""Hours of ordinary life: eight games at once, rounds of them, with matchmaking between the rounds.

    scripts/soak [--minutes 120] [--protocol HTTP/2] [--seed 1]

A round begins when nobody plays: matchmaking finds a game, challengers fill the other slots and keep
them filled while others wait in the queue, a proxy answers everything with 403 for a while, then all
games end. Every few rounds an arena follows. No flag of ours, no refused move, nobody who waits
forgotten; no slot, memory, descriptor or thread may leak. The daemon's wall clock leaps on after each
round, because matchmaking spends a day's games by the hour; the monotonic clock, and so each game's,
is left alone.
"""
from __future__ import annotations

import argparse
import asyncio
import collections
import json
import os
import random
import re
import statistics
import struct
import subprocess
import sys
import tempfile
import time
import traceback
from dataclasses import dataclass, field

from sim import board
from sim.faults import REFUSALS
from sim.game import Game
from sim.opponent import Engine, Idle, Unsteady

from .harness import ROOT, SLOWNESS, Stage
from .matrix import shim

SLOTS = 8
ROUND_S = 240
LEAP_S = 900               # of the wall clock, after a round
REFUSED_S = 5              # by the proxy, once in a round
WAITERS = 2                # in the queue while the slots are full
WAIT_MOST_S = 600
ARENA_ROUNDS, ARENA_S = 3, 60
ARENA_GAMES = 2
MATCHMAKING_S = 25         # for its game to begin; one that nobody answers is withdrawn after 20
WARM_UP_MINUTES = 10
CHECK_S, SAMPLE_S = 10, 2
ANSWER_S = 40               # to a challenge, which lives for 20
FORGOTTEN_S = 600          # a game that is over: its chat is looked at five times within four minutes, and each
                           # look may wait for 70 s until nothing else is to be sent
THINKS_S = 5.0             # an opponent, on average: what leaves room in a minute's requests
RSS_MIB, DESCRIPTORS, THREADS = 1.0, 2, 0  # what they may grow by after the warm-up
CLOCKS = ((60, 3), (90, 2), (120, 1), (180, 0))
VARIANTS = ("standard", "standard", "chess960", "fromPosition")
POSITION = "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3"
CONFIG = {
    "engine": {"threads": 1, "hash": 16, "nodes": 2000, "move_overhead": "auto"},
    "games": {"concurrency": SLOTS},
    "challenge": {"variants": "standard, chess960, fromPosition"},
    "matchmaking": {"play": "yes", "idle": 1, "rematch_cooldown": 0, "games_per_day": 100,
                    "clocks": "1+3, 1.5+2, 2+1, 3+0", "variants": "standard, chess960",
                    "modes": "casual, rated", "pairs": "yes"},
    "log": {"level": "info"},
}


@dataclass
class Minute:
    """All samples of it."""
    rss_mib: list[float] = field(default_factory=list)
    descriptors: list[int] = field(default_factory=list)
    threads: list[int] = field(default_factory=list)
    games: list[int] = field(default_factory=list)

    def median(self, name: str) -> float:
        return statistics.median(getattr(self, name) or [0])


@dataclass
class Tally:
    games: int = 0
    matchmade: int = 0
    moves: int = 0
    checks: int = 0                # of the slots, against the simulator's truth
    unanswered: int = 0            # challenges: others come first, or the minute's requests are spent
    waited_s: list[float] = field(default_factory=list)  # each who waited in the queue
    arena_games: int = 0
    refused: int = 0               # requests, by the proxy
    ends: collections.Counter = field(default_factory=collections.Counter)
    wrong: list[str] = field(default_factory=list)
    minutes: list[Minute] = field(default_factory=lambda: [Minute()])

    def line(self) -> str:
        now = self.minutes[-1]
        return (f"{len(self.minutes):>4} min  {self.games:>5} games ({self.matchmade} by matchmaking, "
                f"{max(now.games or [0])} at once)  {self.moves:>6} moves  {self.checks:>4} checks  "
                f"RSS {now.median('rss_mib'):.2f} MiB  {now.median('descriptors'):.0f} descriptors  "
                f"{now.median('threads'):.0f} threads  {self.unanswered} unanswered  "
                f"{len(self.waited_s)} waited, {max(self.waited_s or [0]):.0f} s at most  "
                f"{self.refused} times 403  {self.arena_games} in arenas  "
                f"{len(self.wrong)} wrong")


class Soak(Stage):
    """The stage with what a round needs."""

    def prepare(self, seed: int) -> None:
        self.tally, self.chance = Tally(), random.Random(seed)
        self.leapt_s = self.rounds = 0
        self.refused_at = -REFUSED_S * 2.0
        self.clock_file = os.path.join(self.directory, "clock")
        self._leap(0)
        limits = self.sim.limits
        limits.bot_games_a_day = limits.challenges_a_day = limits.challenges_a_minute = 10**6
        limits.account_looks = limits.joins_an_hour = limits.joins_a_day = 10**6
        answers = ("accept",) * 12 + ("later", "ignore", "tooFast")
        for number in range(30):
            self.sim.add_account(f"Machine{number}", title="BOT", is_present=True,
                                 rating=1500 + 30 * number, answer=answers[number % len(answers)],
                                 player=self.opponent)

    def opponent(self) -> Idle:
        """Mostly quick and weak ones; some that make longer games, and win some."""
        if self.chance.random() < 0.15:
            return Engine(skill=3, nodes=300, delay=THINKS_S / 2)
        return Unsteady(self.chance.randrange(1 << 30), THINKS_S)

    def running(self) -> set[str]:
        return {game.id for game in self.sim.games.values() if game.is_running}

    def _leap(self, seconds: int) -> None:
        self.leapt_s += seconds
        with open(self.clock_file, "wb") as file:
            file.write(struct.pack("q", self.leapt_s))

    # A round

    async def round(self, until: float) -> None:
        await self._matchmaking_begins(until)
        await asyncio.gather(*(self._fill_a_slot(number, until) for number in range(SLOTS)),
                             *(self._wait_in_the_queue(number, until) for number in range(WAITERS)),
                             self._refuse_everything(until))
        await self.sim.until(lambda: not self.running(), 600 * SLOWNESS, "the round's last game")
        await self._nothing_is_left()
        if self.rounds % ARENA_ROUNDS == 0:
            await self._arena()
        self.rounds += 1
        self._leap(LEAP_S)

    async def _matchmaking_begins(self, until: float) -> None:
        try:
            await self.sim.until(lambda: self.running() or time.monotonic() > until,
                                 MATCHMAKING_S * SLOWNESS)
            self.tally.matchmade += len(self.running())
        except AssertionError:
            pass  # nobody answered: the tally shows how often somebody did

    async def _fill_a_slot(self, number: int, until: float) -> None:
        if number > 0:
            await asyncio.sleep(number)
        for game in [g for g in self.sim.games.values() if g.is_running][:1 if number == 0 else 0]:
            await game.over
        while time.monotonic() < until:
            await self._one_challenge(f"Player{number}")

    async def _wait_in_the_queue(self, number: int, until: float) -> None:
        """Who keeps the page open is served, however long it takes; who closes it need not be."""
        await self.sim.until(lambda: len(self.running()) == SLOTS or time.monotonic() > until,
                             2 * ROUND_S * SLOWNESS)
        while time.monotonic() < until:
            leaves = self.chance.random() < 0.2
            name, began = f"{'Leaver' if leaves else 'Waiter'}{number}", time.monotonic()
            challenge = await self.challenge(self.opponent(), name, limit=120, increment=1)
            if leaves:
                await asyncio.sleep(self.chance.uniform(0, 10))
                challenge.leave()
                await asyncio.wait((challenge.settled,), timeout=ANSWER_S)
            else:
                await asyncio.wait((challenge.settled,), timeout=WAIT_MOST_S * SLOWNESS)
                self.tally.waited_s.append(time.monotonic() - began)
                if challenge.status != "accepted":
                    self.tally.wrong.append(f"{name} waited for {challenge.id}, which is "
                                            f"{challenge.status} ({challenge.reason})")
            if challenge.game is not None:
                await challenge.game.over
            elif challenge.is_open:
                challenge.withdraw()

    async def _refuse_everything(self, until: float) -> None:
        """A proxy's 403 in mid-round, and every stream breaks."""
        await asyncio.sleep(self.chance.uniform(0.3, 0.7) * max(0.0, until - time.monotonic()))
        self.refused_at = time.monotonic()
        self.sim.faults.order("", lasts_s=REFUSED_S, **REFUSALS["proxy 403"])
        for game in self.sim.games.values():
            if game.is_running:
                self.sim.strike("close", game)
        self.sim.strike("close")

    async def _arena(self) -> None:
        """One of a minute, joined by hand; a game that still runs at its end is played on."""
        arena = self.sim.add_arena([self.opponent() for _ in range(ARENA_GAMES)], limit=60, increment=1,
                                   starts_in=1, lasts=ARENA_S)
        status, output = await self.command("tournament", "join", arena.id, "--config",
                                            self.config_path, token=None, timeout=60)
        if status != 0:
            self.tally.wrong.append(f"arena {arena.id}: {output}")
        await self.sim.until(lambda: len(arena.games) >= ARENA_GAMES
                             and not any(game.is_running for game in arena.games)
                             or arena.is_finished, 600 * SLOWNESS, "the arena's games")
        arena.finish()
        await self.sim.until(lambda: not any(game.is_running for game in arena.games),
                             600 * SLOWNESS, "the arena's last game")
        self.tally.arena_games += len(arena.games)

    async def _one_challenge(self, name: str) -> None:
        kind, chance = self.chance.random(), self.chance
        limit, increment = chance.choice(CLOCKS)
        variant = chance.choice(VARIANTS) if kind >= 0.03 else "horde"
        challenge = await self.challenge(
            self.opponent() if kind >= 0.05 else Idle(), name, limit=limit, increment=increment,
            variant=variant, rated=chance.random() < 0.5 and variant != "fromPosition",
            fen=POSITION if variant == "fromPosition" else None,
            colour=chance.choice(("white", "black", "random")))
        if variant == "horde":
            await asyncio.wait((challenge.settled,), timeout=ANSWER_S * SLOWNESS)
            self.tally.unanswered += challenge.status != "declined"
            return
        if 0.05 <= kind < 0.08:  # players who change their mind
            await asyncio.sleep(chance.uniform(0, 0.02))
            if challenge.is_open:
                challenge.withdraw()
                return
        try:
            game = await challenge.started(ANSWER_S * SLOWNESS)
        except asyncio.TimeoutError:
            self.tally.unanswered += 1
            if challenge.is_open:
                challenge.withdraw()
                return
            game = challenge.game
        resigns = asyncio.create_task(self._resigns(game, name)) if 0.08 <= kind < 0.2 else None
        await game.over  # an idle one is aborted by us, or by its clock
        if resigns:
            resigns.cancel()

    async def _resigns(self, game: Game, name: str) -> None:
        """Also before the first move, which aborts."""
        await asyncio.sleep(self.chance.uniform(0, 60))
        if game.is_running:
            game.resign(game.colour_of(self.sim.account(name)))

    # What must hold

    async def _status(self) -> dict:
        status, output = await self.command("status", "--json", "--config", self.config_path,
                                            token=None, timeout=60)
        assert status == 0, output
        return json.loads(output)

    async def check_slots(self) -> None:
        """The daemon's games are those that run; they may change between two looks."""
        deadline = time.monotonic() + 15 * SLOWNESS
        while True:
            before = self.running()
            told = {game["id"] for game in (await self._status())["games"]}
            self.tally.checks += 1
            if before == told or self.running() == told:
                return
            if time.monotonic() > deadline:
                self.tally.wrong.append(f"slots: castled has {told}, running are {before}")
                return
            await asyncio.sleep(0.2)

    async def _nothing_is_left(self) -> None:
        """Before matchmaking has begun again, or with its game alone."""
        deadline = time.monotonic() + 15 * SLOWNESS
        while True:
            status = await self._status()
            left = {game["id"] for game in status["games"]} - self.running()
            if not left and not status["waiting"] and status["slots_used"] <= 1:
                return
            if time.monotonic() > deadline:
                self.tally.wrong.append(f"left after a round: {status}")
                return
            await asyncio.sleep(0.2)

    async def examine(self, age_s: float = FORGOTTEN_S) -> None:
        """Judges what has been over for so long, and forgets it."""
        tally, requests = self.tally, self.sim.requests
        for game in [game for game in self.sim.games.values() if not game.is_running
                     and game.ended_at <= time.monotonic() - age_s]:
            ours = game.colour_of(self.bot)
            end = "won" if game.winner == ours else "lost" if game.winner else "drawn"
            tally.games += 1
            tally.ends[f"{game.status}, {end}" if game.status != "aborted" else "aborted"] += 1
            if end == "lost" and game.status in ("outoftime", "timeout", "resign"):
                tally.wrong.append(f"game {game.id}: lost by {game.status} after {game.moves}")
            for seat in game.seats.values():
                await seat.player.close()
            del self.sim.games[game.id]
        answered = [request for request in requests if request.status]
        requests[:] = [request for request in requests if not request.status]
        for request in answered:
            tally.moves += request.ply > 0
            too_late = request.family == "move" and re.search("finished|already over", request.error)
            is_refused = request.status == 403 and \
                0 <= request.arrived - self.refused_at <= REFUSED_S + 1
            tally.refused += is_refused
            # An answer may pass a withdrawal on its way, and comes late after a refusal.
            if request.status >= 400 and not too_late and not is_refused \
                    and request.family not in ("accept", "decline"):
                tally.wrong.append(f"{request.method} {request.path}: {request.status} "
                                   f"{request.error}")
        tally.wrong += self.sim.failures
        self.sim.failures.clear()
        for challenge in [c for c in self.sim.challenges.values() if not c.is_open]:
            del self.sim.challenges[challenge.id]

    async def watch(self) -> None:
        """Samples, checks and tells, for ever."""
        began, checked = time.monotonic(), 0.0
        while True:
            now = time.monotonic()
            if now - began >= 60 * len(self.tally.minutes):
                known = len(self.tally.wrong)
                await self.examine()
                print("\n".join([self.tally.line(), *self.tally.wrong[known:]]), flush=True)
                self.tally.minutes.append(Minute())
            if now - checked >= CHECK_S:
                await self.check_slots()
                checked = now
            minute = self.tally.minutes[-1]
            minute.rss_mib.append(self.daemon.memory_kib("Rss") / 1024)
            minute.descriptors.append(self.daemon.descriptors())
            minute.threads.append(self.daemon.threads())
            minute.games.append(len(self.running()))
            await asyncio.sleep(SAMPLE_S)

    def judge(self) -> None:
        """What may not grow: the medians of the minutes after the warm-up over those of the warm-up.
        Each game that thinks beside another one has an engine and its thread for so long. Of
        descriptors the last minutes count: a machine that is busy for a moment has requests wait,
        and each has a connection of its own then; one that leaks never gives it back."""
        tally, minutes = self.tally, self.tally.minutes[:-1] or self.tally.minutes
        warm = min(WARM_UP_MINUTES, (len(minutes) + 1) // 2)
        for name, most in (("rss_mib", RSS_MIB), ("descriptors", DESCRIPTORS), ("threads", THREADS)):
            medians = [minute.median(name) for minute in minutes]
            before, after = max(medians[:warm]), medians[warm:] or [0]
            print(f"{name}: up to {before:.2f} in the first {warm} minutes, {min(after):.2f} to "
                  f"{max(after):.2f} in the {len(after)} after them")
            grown = max(after[-warm:] if name == "descriptors" else after) - before
            if grown > most:
                tally.wrong.append(f"{name} grew by {grown:.2f}, at most {most}")
        if tally.matchmade == 0:
            tally.wrong.append("no game by matchmaking")
        for what, count in (("who waited", len(tally.waited_s)), ("refused by a proxy", tally.refused),
                            ("game in an arena", tally.arena_games)):
            if count == 0:
                tally.wrong.append(f"none {what}")
        if max(max(minute.games or [0]) for minute in minutes) < SLOTS:
            tally.wrong.append(f"never {SLOTS} games at once")


async def live(stage: Soak, wanted: argparse.Namespace) -> None:
    stage.prepare(wanted.seed)
    stage.config_path = stage.write_config(**CONFIG)
    await stage.start(process={"variables": {"LD_PRELOAD": shim(),
                                             "SHIM_CLOCK_OFFSET": stage.clock_file}}, **CONFIG)
    end = time.monotonic() + 60 * wanted.minutes
    watch = asyncio.create_task(stage.watch())
    try:
        while time.monotonic() < end and not stage.tally.wrong:
            rounds = asyncio.create_task(stage.round(min(end, time.monotonic() + ROUND_S)))
            await asyncio.wait((rounds, watch), return_when=asyncio.FIRST_COMPLETED)
            if not rounds.done():
                rounds.cancel()
                watch.result()
            rounds.result()
    finally:
        watch.cancel()
        await asyncio.gather(watch, return_exceptions=True)


async def run(wanted: argparse.Namespace) -> bool:
    stage = Soak()
    with tempfile.TemporaryDirectory(prefix="castled-soak-") as stage.directory:
        await stage.open(wanted.protocol == "HTTP/2")
        try:
            try:
                await live(stage, wanted)
                await stage.examine(0)
            finally:
                await stage.close()
        except Exception as error:  # told with all else that went wrong
            stage.tally.wrong.append(f"{error!r}\n{traceback.format_exc()}")
        stage.judge()
        print(stage.tally.line())
        print("\n".join(f"{count:>6} {end}" for end, count in stage.tally.ends.most_common()))
        if stage.tally.wrong:
            print("\n".join(["FAILED:", *stage.tally.wrong[:20], stage.what_happened()]))
        else:
            print("clean: no flag, no refused move, no slot leaked, memory, descriptors and threads flat")
    return not stage.tally.wrong


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="scripts/soak", description="Hours of ordinary life.")
    parser.add_argument("--minutes", type=int, default=120)
    parser.add_argument("--protocol", choices=("HTTP/1.1", "HTTP/2"), default="HTTP/1.1")
    parser.add_argument("--seed", type=int, default=1)
    return parser.parse_args()


def main() -> int:
    wanted = arguments()
    commit = subprocess.run(["git", "-C", ROOT, "describe", "--always", "--dirty"],
                            capture_output=True, text=True, check=False).stdout.strip()
    print(f"castled {commit}, {wanted.minutes} minutes, {wanted.protocol}", flush=True)
    return 0 if asyncio.run(run(wanted)) else 1


if __name__ == "__main__":
    sys.exit(main())
