# SPDX-License-Identifier: GPL-3.0-or-later
"""An engine of the operator's that dies, hangs or talks nonsense in the middle of a search."""
from __future__ import annotations

import os

from sim.judge import engine_path

from .harness import ROOT
from .matrix import FaultStage, Table

table = Table("External engine, in mid-search")

FAKE = os.path.join(ROOT, "tests", "engines", "fake_engine.py")
LIMIT_S = 60
SEARCHES = 3  # of the process that goes wrong, in the last of them

# Fault of the fake engine, as users read it. One that says nothing has its time to think.
FAULTS = (
    ("crash", "exits", 10),
    ("kill", "is killed", 10),
    ("stop", "is stopped (SIGSTOP)", 20),
    ("hang", "hangs", 20),
    ("garbage", "writes garbage and no move", 20),
    ("illegal", "plays an illegal move", 10),
)


def _add_fault(fault: str, words: str, within_s: float) -> None:
    @table.row(words, within_s, variant="standard")  # of which alone the engine knows
    async def engine_fails(stage: FaultStage) -> None:
        command = f"{FAKE} --backend {engine_path()} --fault {fault} --at {SEARCHES}"
        await stage.start(**{"engine.external x": {"command": command, "nodes": 2000}})
        await stage.log_says("ready engine=x", 30)
        game = await stage.new_game(limit=LIMIT_S)
        for _ in range(SEARCHES - 2):
            await stage.turn(game)
        assert "strike" not in stage.daemon.log()
        stage.struck()
        await stage.turn(game, within_s)
        stage.recovered()
        await stage.log_says(r"strike id=\w+ engine=x strikes=1")
        await stage.turn(game, within_s)


for _fault in FAULTS:
    _add_fault(*_fault)
