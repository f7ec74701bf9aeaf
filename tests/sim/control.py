# SPDX-License-Identifier: GPL-3.0-or-later
"""The simulator's own commands over HTTP, for people and for programs that are not Python:

    curl --cacert ca.pem https://127.0.0.1:PORT/sim
    curl --cacert ca.pem https://127.0.0.1:PORT/sim/challenge -d '{"limit": 60, "skill": 3}'
    curl --cacert ca.pem https://127.0.0.1:PORT/sim/fault -d '{"family": "move", "status": 502}'
    curl --cacert ca.pem https://127.0.0.1:PORT/sim/strike -d '{"what": "silence", "game": "ID"}'
    curl --cacert ca.pem https://127.0.0.1:PORT/sim/down -d '{"seconds": 30}'

The challenge takes the keywords of Simulator.challenge() and, for the opponent, `moves` (a script),
`nodes`, `skill`, `movetime_ms` or `random`; the fault takes the fields of Fault. A strike is one of
STREAM_FAULTS, on the game's streams or (without `game`) on the event streams.
"""
from __future__ import annotations

import asyncio
import json
from typing import Any

from . import pgn
from .http1 import Response, json_response
from .opponent import Engine, Idle, Random, Scripted
from .routes import Call
from .server import Simulator


def opponent_of(wanted: dict[str, Any]) -> Idle:
    """Takes the words that describe an opponent out of `wanted`."""
    moves, seed = wanted.pop("moves", None), wanted.pop("random", None)
    limits = {name: wanted.pop(name) for name in ("skill", "nodes", "movetime_ms", "delay")
              if name in wanted}
    if seed is not None:
        return Random(seed)
    engine = Engine(**limits) if limits or moves is None else Idle()
    return Scripted(moves, engine) if moves is not None else engine


async def _state(call: Call) -> Response:
    sim = call.sim
    return json_response({
        "games": [{"id": g.id, "variant": g.variant, "plies": len(g.moves), "status": g.status,
                   "result": pgn.result(g), "white": g.seats["white"].account.name,
                   "black": g.seats["black"].account.name} for g in sim.games.values()],
        "challenges": {c.id: c.status for c in sim.challenges.values()},
        "requests": len(sim.requests), "failures": sim.failures})


async def _challenge(call: Call) -> Response:
    wanted = json.loads(call.request.body or b"{}")
    player = opponent_of(wanted)
    dest = call.sim.account(wanted.pop("dest", next(iter(call.sim.tokens.values())).account.name))
    challenge = await call.sim.challenge(dest, wanted.pop("challenger", "alba"), player=player,
                                         **wanted)
    return json_response(challenge.json())


async def _fault(call: Call) -> Response:
    fault = json.loads(call.request.body or b"{}")
    call.sim.faults.order(fault.pop("family", ""), **fault)
    return json_response({"ok": True})


async def _strike(call: Call) -> Response:
    wanted = json.loads(call.request.body or b"{}")
    game = call.sim.games[wanted["game"]] if "game" in wanted else None
    call.sim.strike(wanted["what"], game)
    return json_response({"ok": True})


async def _down(call: Call) -> Response:
    seconds = json.loads(call.request.body or b"{}").get("seconds", 1)

    async def away() -> None:
        await call.sim.down()
        await asyncio.sleep(seconds)
        await call.sim.start()
    response = json_response({"ok": True})
    response.after = lambda: call.sim.run(away())
    return response


def install(sim: Simulator) -> None:
    sim.add_route("GET", "/sim", "control", _state)
    sim.add_route("POST", "/sim/challenge", "control", _challenge)
    sim.add_route("POST", "/sim/fault", "control", _fault)
    sim.add_route("POST", "/sim/strike", "control", _strike)
    sim.add_route("POST", "/sim/down", "control", _down)
