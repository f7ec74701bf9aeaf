# SPDX-License-Identifier: GPL-3.0-or-later
"""How much of each thing the server allows, and its answers beyond that."""
from __future__ import annotations

import time
from typing import TYPE_CHECKING, Optional

from .accounts import Account
from .answers import limited
from .http1 import Response

if TYPE_CHECKING:
    from .routes import Call


def over_the_limit(call: Call, dest: Account) -> Optional[Response]:
    """The answer to a challenge beyond the day's games between bots, or beyond the credits."""
    sim, me, now = call.sim, call.account, time.monotonic()
    if me.title == dest.title == "BOT":
        for account, status in ((me, 429), (dest, 400)):
            if account.bot_games >= sim.bot_games_a_day:
                return limited(call.request, status, "bot.vsBot.day", 3600)
    me.credits_spent = [(t, n) for t, n in me.credits_spent if now - t < 86400]
    me.credits_spent.append((now, 1 if dest.title == "BOT" else 5))
    for window, most in ((60, sim.challenges_a_minute), (86400, sim.challenges_a_day)):
        if sum(n for t, n in me.credits_spent if now - t < window) > most:
            return limited(call.request, 429, "challenge.create.user", window)
    return None
