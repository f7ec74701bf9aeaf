# SPDX-License-Identifier: GPL-3.0-or-later
"""What the simulator writes has the fields, and the kinds of values, that the real server writes.

The oracle is not the simulator: the tables below are taken from the API's documentation, and
tests/data/events holds lines of each type, which the daemon's parser is tested with.
"""
import json
import os
import unittest

from sim.case import SimulatorTest
from sim.opponent import Idle

EXAMPLES = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "data", "events")
NUMBER, TEXT, NONE = (int, float), str, type(None)

# Fields that always come, and those that may.
USER = ({"id": TEXT, "name": TEXT},
        {"rating": NUMBER, "title": (TEXT, NONE), "flair": TEXT, "patron": bool,
         "patronColor": NUMBER, "provisional": bool, "online": bool, "lag": NUMBER})
VARIANT = ({"key": TEXT, "name": TEXT}, {"short": TEXT})
GAME = ({"fullId": TEXT, "gameId": TEXT, "id": TEXT, "fen": TEXT, "color": TEXT, "lastMove": TEXT,
         "source": TEXT, "status": ({"id": NUMBER, "name": TEXT}, {}), "variant": VARIANT,
         "speed": TEXT, "perf": TEXT, "rated": bool, "hasMoved": bool, "isMyTurn": bool,
         "opponent": ({"id": (TEXT, NONE), "username": TEXT},
                      {"rating": NUMBER, "ratingDiff": NUMBER, "ai": NUMBER}),
         "compat": ({"bot": bool, "board": bool}, {})},
        {"secondsLeft": NUMBER, "rating": NUMBER, "winner": TEXT, "ratingDiff": NUMBER,
         "tournamentId": TEXT, "swissId": TEXT})
CHALLENGE = ({"id": TEXT, "url": TEXT, "status": TEXT, "challenger": USER, "destUser": USER,
              "variant": VARIANT, "rated": bool, "speed": TEXT,
              "timeControl": ({"type": TEXT}, {"limit": NUMBER, "increment": NUMBER, "show": TEXT,
                                               "daysPerTurn": NUMBER}),
              "color": TEXT, "finalColor": TEXT, "perf": ({"icon": TEXT, "name": TEXT}, {})},
             {"direction": TEXT, "initialFen": TEXT, "rematchOf": TEXT, "rules": list,
              "declineReason": TEXT, "declineReasonKey": TEXT})
STATE = ({"type": TEXT, "moves": TEXT, "wtime": NUMBER, "btime": NUMBER, "winc": NUMBER,
          "binc": NUMBER, "status": TEXT},
         {"winner": TEXT, "wdraw": bool, "bdraw": bool, "wtakeback": bool, "btakeback": bool,
          "rematch": TEXT, "expiration": ({"idleMillis": NUMBER, "millisToMove": NUMBER}, {})})
PLAYER = ({}, {"id": TEXT, "name": TEXT, "title": (TEXT, NONE), "rating": NUMBER,
               "provisional": bool, "aiLevel": NUMBER})
FULL = ({"type": TEXT, "id": TEXT, "rated": bool, "createdAt": NUMBER, "variant": VARIANT,
         "speed": TEXT, "perf": ({"name": TEXT}, {}), "white": PLAYER, "black": PLAYER,
         "initialFen": TEXT, "state": STATE},
        {"clock": ({"initial": NUMBER, "increment": NUMBER}, {}), "daysPerTurn": NUMBER,
         "tournamentId": TEXT})
COMPAT = ({"bot": bool, "board": bool}, {})
LINES = {
    "gameStart": ({"type": TEXT, "game": GAME}, {}),
    "gameFinish": ({"type": TEXT, "game": GAME}, {}),
    "challenge": ({"type": TEXT, "challenge": CHALLENGE}, {"compat": COMPAT}),
    "challengeCanceled": ({"type": TEXT, "challenge": CHALLENGE}, {"compat": COMPAT}),
    "challengeDeclined": ({"type": TEXT, "challenge": CHALLENGE}, {}),
    "gameFull": FULL, "gameState": STATE,
    "chatLine": ({"type": TEXT, "room": TEXT, "username": TEXT, "text": TEXT}, {}),
    "opponentGone": ({"type": TEXT, "gone": bool}, {"claimWinInSeconds": NUMBER}),
}


def differences(value, shape, where=""):
    """What `value` lacks or has too much, and values of another kind, each in a line."""
    if not isinstance(shape, tuple) or not isinstance(shape[0], dict):
        return [] if isinstance(value, shape) else [f"{where} is {value!r}"]
    if not isinstance(value, dict):
        return [f"{where} is {value!r}"]
    always, may = shape
    found = [f"{where}.{name} is missing" for name in always if name not in value]
    for name, content in value.items():
        known = {**always, **may}
        found += differences(content, known[name], f"{where}.{name}") if name in known \
            else [f"{where}.{name} is unknown"]
    return found


class ShapeTest(SimulatorTest):
    def test_the_tables_know_the_fields_of_the_examples(self):
        seen = set()
        for name in ("event-stream.ndjson", "game-stream.ndjson"):
            with open(os.path.join(EXAMPLES, name), encoding="utf-8") as file:
                for line in map(json.loads, file):
                    if line["type"] not in LINES:
                        continue
                    seen.add(line["type"])
                    found = [d for d in differences(line, LINES[line["type"]]) if "unknown" in d]
                    self.assertEqual(found, [], line)
        self.assertEqual(seen, set(LINES))

    async def collected(self):
        """Lines of every type, as they come over the wire."""
        events = self.client.lines("/api/stream/event")
        self.addAsyncCleanup(events.aclose)
        await events.__anext__()
        for wanted in ({}, {"limit": None, "days": 2}, {"limit": None}, {"variant": "chess960"},
                       {"fen": "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1"}):
            challenge = await self.sim.challenge(self.bot, "alba", rated=not wanted, **wanted)
            challenge.accept()()
            game = challenge.game
            lines = self.client.lines(f"/api/bot/game/stream/{game.id}")
            yield await lines.__anext__()
            for _ in range(2):
                await game.move(sorted(game.position.legal)[0])
            game.draw("white", True)
            game.chat("player", "alba", "hi")
            game.opponent_gone("black", 8)
            game.finish("resign", "black")
            async for line in lines:
                if line:
                    yield line
        arena = self.sim.add_arena()
        arena.join(self.bot, {})
        game = await arena.pair(self.bot, Idle())
        yield game.full()
        game.finish("draw")
        (await self.sim.challenge(self.bot, "alba")).withdraw()
        (await self.sim.challenge(self.bot, "alba")).decline("later")
        for _ in range(5 * 3 + 2 + 2 * 2):
            yield await self.next_event(events)

    async def test_each_line_has_the_fields_of_the_documentation(self):
        seen = set()
        async for line in self.collected():
            seen.add(line["type"])
            self.assertEqual(differences(line, LINES[line["type"]], line["type"]), [], line)
        self.assertEqual(seen, set(LINES))


if __name__ == "__main__":
    unittest.main()
