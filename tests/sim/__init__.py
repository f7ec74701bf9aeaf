# SPDX-License-Identifier: GPL-3.0-or-later
"""A simulated Lichess: the part of lichess.org that a BOT account meets, on loopback.

Reading path: judge (the rules, asked of Stockfish) -> game (one game, its clocks and ends)
-> challenges, streams, play, accounts, arenas, limits (the calls) -> routes ->
server (what ties them together) -> http1 (the wire) -> faults (what goes wrong on order).
Everything runs on one asyncio loop; no lock is held across a request.
"""
