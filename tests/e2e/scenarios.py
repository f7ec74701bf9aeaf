# SPDX-License-Identifier: GPL-3.0-or-later
"""Plays scenarios with the real daemon; ctest calls this, once for each file.

    cd tests && CASTLED=../build/bin/castled python3 -m e2e.scenarios data/scenarios/*.ndjson
"""
from __future__ import annotations

import asyncio
import json
import os
import sys
import tempfile

from sim.scenario import Scenario

from .harness import ROOT, SLOWNESS, TOKEN, Stage

ENGINE = os.path.join(ROOT, "tests", "engines", "fake_engine.py")
SLACK_S = 10  # of a request, on a busy machine


class Trial(Stage):
    async def play(self, path: str) -> None:
        scenario = Scenario(self.sim, path)
        self.bot = scenario.account
        self.sim.add_token(TOKEN, self.bot)
        answers = os.path.join(self.directory, "answers.json")
        with open(answers, "w", encoding="utf-8") as file:
            json.dump(scenario.answers(), file)
        engine = {"engine.external scenario": {"command": f"{ENGINE} --answers {answers}"}}
        await self.start(**scenario.config, **engine)
        await self.log_says("ready engine=scenario ")
        await scenario.play(SLACK_S * SLOWNESS)


async def survives(path: str) -> bool:
    with tempfile.TemporaryDirectory(prefix="castled-scenario-") as directory:
        os.chmod(directory, 0o755)  # root's castled runs the engine as nobody
        trial = Trial()
        trial.directory = directory
        await trial.open()
        try:
            try:
                await trial.play(path)
            finally:
                await trial.close()
        except Exception as wrong:  # of whatever kind: it is the answer
            print(f"{trial.what_happened()}\n{wrong}", file=sys.stderr)
            return False
    return True


async def main() -> int:
    return 0 if all([await survives(path) for path in sys.argv[1:]]) else 1


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))
