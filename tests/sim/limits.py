# SPDX-License-Identifier: GPL-3.0-or-later
"""The numbers that the real server goes by: what it allows, and how long each thing lasts.

A test may change any of them: sim.limits.challenge_unseen_s = 0.5
"""
from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Optional

from .answers import TOO_MANY, error, limited
from .http1 import Response

if TYPE_CHECKING:
    from .accounts import Account
    from .routes import Call


@dataclass
class Limits:
    """Seconds, and counts."""
    minute_s: float = 60
    hour_s: float = 3600
    day_s: float = 86400
    # Streams
    stream_opens: int = 30                # of the event stream, per token
    stream_opens_window_s: float = 600
    account_looks: int = 30               # GET /api/account, per user
    account_looks_window_s: float = 300
    # Challenges
    challenge_unseen_s: float = 20        # a real-time challenge is offline once unseen for so long
    challenge_kept_s: float = 10800       # one that is over, or offline, is deleted then
    challenge_anonymous_s: float = 2      # before one by somebody without an account is told of
    rematch_kept_s: float = 3600          # an offer of one stands for so long
    challenge_keepalive_s: float = 50     # between the empty lines of keepAliveStream
    challenges_a_minute: int = 25         # credits of a challenger: a human costs 5, a bot 1
    challenges_a_day: int = 200
    bot_games_a_day: int = 100            # between bots, for each of the two
    ai_games_a_day: int = 50
    # Games
    ai_hold_s: float = 0.5                # before each of our moves against Lichess's AI
    claim_hold_s: float = 0.5             # before the answer to a claim
    takeback_pause_s: float = 10          # times n squared after the n-th decline
    restart_grace_s: float = 120          # a flag that falls then aborts the game
    # Arenas
    joins_an_hour: int = 8                # credits; a first join costs 2
    joins_a_day: int = 30
    join_calls: int = 30
    join_calls_window_s: float = 600
    arena_pause_s: float = 10             # after a withdrawal from a running arena
    no_starts_to_playban: int = 3
    playban_minutes: int = 10
    no_start_grace_s: float = 600         # after a restart none is counted


class Window:
    """Counts what was spent in a window that begins with the first thing counted."""

    def __init__(self) -> None:
        self._began, self._spent = 0.0, 0

    def left_s(self, length_s: float, most: int) -> float:
        """How long nothing more may be spent; 0: it may."""
        left_s = self._began + length_s - time.monotonic()
        return left_s if left_s > 0 and self._spent >= most else 0.0

    def spend(self, amount: int, length_s: float) -> None:
        now = time.monotonic()
        if now >= self._began + length_s:
            self._began, self._spent = now, 0
        self._spent += amount


class Credits:
    """Several windows over the same things."""

    def __init__(self) -> None:
        self._windows: list[Window] = []

    def spend(self, amount: int, *limits: tuple[float, int]) -> float:
        """Spends of each limit (seconds, most) in turn; returns the seconds to wait for the first
        one that has nothing left. Those before it are charged all the same."""
        self._windows += [Window() for _ in limits[len(self._windows):]]
        for window, (length_s, most) in zip(self._windows, limits):
            left_s = window.left_s(length_s, most)
            if left_s:
                return left_s
            window.spend(amount, length_s)
        return 0.0

    def forget(self) -> None:
        """As if all windows were over."""
        self._windows.clear()


def bot_games_spent(call: Call, us: Account, other: Account) -> Optional[Response]:
    """The answer where one of two bots has played all that a day allows: our fault, or not."""
    if us.title == other.title == "BOT":
        for account, status in ((us, 429), (other, 400)):
            if account.bot_games >= call.sim.limits.bot_games_a_day:
                return limited(call.request, status, "bot.vsBot.day", 3600)
    return None


def challenges_spent(call: Call, dest: Account) -> Optional[Response]:
    """The answer to one who creates more challenges than the credits allow: it says neither which
    limit it was nor how long it lasts."""
    limits = call.sim.limits
    wait_s = call.account.challenge_credits.spend(
        1 if dest.title == "BOT" else 5,
        (limits.minute_s, limits.challenges_a_minute), (limits.day_s, limits.challenges_a_day))
    return error(call.request, 429, TOO_MANY) if wait_s else None
