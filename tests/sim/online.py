# SPDX-License-Identifier: GPL-3.0-or-later
"""Services on the web that know moves: opening explorer, cloud evaluations, tablebase, chessdb.

    online = Online(sim)
    online.say("cloud", board.START, cloud(("e2e4 e7e5", 24), depth=40))
    sim.faults.order("cloud", delay_before_s=9)      # as for all families of requests

They lie on the simulator's own host, each a family of requests of its own name. A position that
nothing was said about is answered as the real service answers one that it does not know.
"""
from __future__ import annotations

from typing import Any, Optional

from .http1 import Request, Response, json_response
from .routes import Call
from .server import Simulator

SERVICES = ("explorer", "cloud", "tablebase", "chessdb")


def explorer(*moves: tuple[str, int, int, int]) -> dict[str, Any]:
    """Moves with the games that white won, that were drawn, and that black won."""
    return {"white": 1, "draws": 1, "black": 1, "topGames": [], "opening": None, "moves": [
        {"uci": uci, "san": "?", "white": white, "draws": draws, "black": black,
         "averageRating": 2400, "game": None, "opening": None}
        for uci, white, draws, black in moves]}


def cloud(*lines: tuple[str, int], depth: int = 40) -> dict[str, Any]:
    """Lines of moves with centipawns for white."""
    return {"fen": "", "knodes": 13683, "depth": depth,
            "pvs": [{"moves": moves, "cp": cp} for moves, cp in lines]}


def tablebase(*moves: tuple[str, str, Optional[int]]) -> dict[str, Any]:
    """Moves with what they are for the other side ("loss": we win) and the distance."""
    return {"category": "win", "dtz": 1, "dtm": None, "checkmate": False, "moves": [
        {"uci": uci, "san": "?", "category": category, "dtz": dtz, "precise_dtz": None,
         "zeroing": False, "checkmate": False} for uci, category, dtz in moves]}


def chessdb(*moves: tuple[str, int, int]) -> dict[str, Any]:
    """Moves with score and rank."""
    return {"status": "ok", "ply": 1, "moves": [
        {"uci": uci, "san": "?", "score": score, "rank": rank, "note": "!", "winrate": "50.00"}
        for uci, score, rank in moves]}


CHESS = ("standard", "chess960", "fromPosition")


def _key(service: str, fen: str, variant: str) -> tuple[str, str, str]:
    """The position without its counters."""
    return service, "chess" if variant in CHESS else variant, " ".join(fen.replace("_", " ").split()[:4])


class Online:
    def __init__(self, sim: Simulator):
        self.sim = sim
        self._said: dict[tuple[str, str, str], list[dict[str, Any]]] = {}
        sim.add_route("GET", "/api/cloud-eval", "cloud", self._cloud)
        for variant in ("standard", "atomic", "antichess"):
            sim.add_route("GET", f"/{variant}", "tablebase", self._tablebase)
        sim.add_route("GET", "/cdb.php", "chessdb", self._chessdb)
        for path in ("/masters", "/lichess"):
            sim.add_route("GET", path, "explorer", self._explorer)
        sim.add_route("GET", "/player", "explorer", self._player)

    def say(self, service: str, fen: str, answer: dict[str, Any], variant: str = "standard") -> None:
        """A position has one answer (the last); only of cloud evaluations several are stored."""
        stored = self._said.setdefault(_key(service, fen, variant), [])
        if service != "cloud":
            stored.clear()
        stored.append(answer)

    def asked(self, service: str = "") -> list[Request]:
        families = (service,) if service else SERVICES
        return [r for r in self.sim.requests if r.family in families]

    def _find(self, service: str, fen: str, variant: str = "standard") -> Optional[dict[str, Any]]:
        return self._said.get(_key(service, fen, variant), [None])[-1]

    async def _cloud(self, call: Call) -> Response:
        """The deepest evaluation that has the lines asked for, else the one with the most."""
        query = call.request.query
        stored = self._said.get(_key("cloud", query["fen"], query.get("variant", "standard")), [])
        if not stored:
            raise LookupError("No cloud evaluation available for that position")
        lines = min(5, max(1, int(query.get("multiPv", 1))))
        stored = sorted(stored, key=lambda said: -said["depth"])
        found = next((said for said in stored if len(said["pvs"]) >= lines), None) \
            or max(stored, key=lambda said: len(said["pvs"]))
        return json_response({**found, "pvs": found["pvs"][:lines]})

    async def _tablebase(self, call: Call) -> Response:
        said = self._find("tablebase", call.request.query["fen"], call.request.path.strip("/"))
        return json_response(said or {"category": "unknown", "moves": []})

    async def _chessdb(self, call: Call) -> Response:
        said = self._find("chessdb", call.request.query["board"])
        return json_response(said or {"status": "unknown"})

    def _may_explore(self, call: Call) -> bool:
        scheme, _, token = call.request.headers.get("authorization", "").partition(" ")
        return scheme == "Bearer" and token in self.sim.tokens

    def _known(self, call: Call) -> dict[str, Any]:
        query = call.request.query
        return self._find("explorer", query["fen"], query.get("variant", "standard")) or explorer()

    async def _explorer(self, call: Call) -> Response:
        if not self._may_explore(call):
            return Response(401, b"<html>401</html>", "text/html")
        return json_response(self._known(call))

    async def _player(self, call: Call) -> Optional[Response]:
        """Goes on for as long as the client listens, as where games are still being indexed."""
        if not self._may_explore(call):
            return Response(401, b"<html>401</html>", "text/html")
        stream = call.stream(call.sim.keepalive_s)
        stream.send_raw(b"\n")
        stream.send(self._known(call))
        stream.send({**self._known(call), "queuePosition": 1})
        await stream.wait()
        return None
