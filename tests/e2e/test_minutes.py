# SPDX-License-Identifier: GPL-3.0-or-later
"""Periods that are set in minutes, of which one is the least. One test waits for all of them."""
import json
import os

from sim.opponent import Scripted

from .harness import SLOWNESS, DaemonTest


class MinutesTest(DaemonTest):
    async def lose(self) -> None:
        """A game that the server lets us resign."""
        game = await self.game(Scripted("e2e4"), colour="white")
        await game.plies(2, 30 * SLOWNESS)
        game.resign("black")
        await self.over(game)

    async def test_alerts_are_repeated_and_lists_read_again_after_a_minute(self):
        names, out = (os.path.join(self.directory, name) for name in ("names.txt", "alerts.json"))
        with open(names, "w", encoding="utf-8") as file:
            file.write("Mallory\n")
        await self.start(challenge={"block_list": names, "list_refresh": 1},
                         notify={"command": f'sh -c "cat >> {out}"', "repeat_after": 1})
        await self.log_says("lists read .*names=1 from=file")
        with open(names, "a", encoding="utf-8") as file:
            file.write("Ivan\n")
        for _ in range(3):
            await self.lose()
        self.assertEqual(self.daemon.log().count(" lists read "), 1)
        await self.log_says("lists read .*names=2 from=file", 75 * SLOWNESS)
        await self.log_says("alert sent .*count=2", 75 * SLOWNESS)
        await self.sim.until(lambda: self.daemon.log().count("alert delivered") == 2, 10, "the alerts")
        with open(out, encoding="utf-8") as lines:
            self.assertEqual([json.loads(line)["count"] for line in lines], [1, 2])
