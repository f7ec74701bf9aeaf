# SPDX-License-Identifier: GPL-3.0-or-later
"""What the server sent is kept, and played back it makes the same games again."""
import json
import os
import re
import stat
import unittest

from sim.opponent import Random, Scripted
from sim.playback import Playback

from .harness import EX_OK, EX_USAGE, SLOWNESS, TOKEN, DaemonTest


class RecordingTest(DaemonTest):
    @property
    def path(self) -> str:
        return os.path.join(self.directory, "first-day.ndjson")

    async def record(self, **sections) -> None:
        await self.start(process={"words": ("--record", self.path)}, **sections)

    def records(self) -> list[dict]:
        with open(self.path, encoding="utf-8") as file:
            return [json.loads(line) for line in file]

    async def games(self) -> list[str]:
        """Moves and results in the archive; which of two games is over first is not recorded."""
        config = os.path.join(self.directory, "castled.conf")
        status, output = await self.command("pgn", "--config", config)
        self.assertEqual(status, EX_OK, output)
        movetext = re.sub(r"\{[^}]*\}", "", output)  # clocks and thoughts
        movetext = re.sub(r"\[(?!White|Black|Result|Site).*\]\n", "", movetext)
        return sorted(" ".join(game.split()) for game in movetext.split("[Site "))

    async def archived(self, count: int) -> None:
        await self.sim.until(lambda: self.daemon.log().count("info game over ") >= count,
                             20 * SLOWNESS, f"{count} games over")

    async def test_a_recorded_game_is_played_back_with_the_same_result(self):
        await self.record(engine={"nodes": 0, "movetime": 200}, archive={"file": "first.sqlite"})
        games = [await self.game(Random(seed), name=f"player{seed}", limit=60) for seed in (1, 2)]
        for game in games:
            await game.plies(10, 30 * SLOWNESS)
            game.resign("white")
            self.assertEqual(await self.over(game), ("resign", "black"))
        await self.archived(2)
        await self.stop_daemon()
        first = await self.games()
        self.assertEqual(sum("1. " in game for game in first), 2, first)

        playback = Playback(self.sim, self.path)
        self.sim.add_token(TOKEN, playback.account)
        self.bot = playback.account
        # Sooner than what it is told that it moved: what it answers is posted, and changes nothing.
        await self.start(engine={"nodes": 100}, archive={"file": "second.sqlite"})
        await self.sim.until(lambda: playback.is_over, 60 * SLOWNESS, "the end of the recording")
        await self.archived(2)
        await self.stop_daemon()
        self.assertEqual(await self.games(), first)
        self.assertTrue([path for path in playback.posts if "/move/" in path])

    async def test_the_file_holds_lines_but_no_chat_and_no_secret(self):
        await self.record(chat={"hello": "Hello there"})
        self.assertEqual(stat.S_IMODE(os.stat(self.path).st_mode), 0o600)
        game = await self.game(Scripted("e2e4"))
        await game.plies(2, 30 * SLOWNESS)
        game.chat("player", "alba", "a secret between us")
        game.resign("white")
        await self.over(game)
        await self.stop_daemon()
        records = self.records()
        self.assertEqual(records[0]["line"]["username"], "Castled-Bot")
        kinds = [record["line"]["type"] for record in records[1:] if "line" in record]
        for kind in ("challenge", "gameStart", "gameFull", "gameState", "gameFinish"):
            self.assertIn(kind, kinds)
        self.assertNotIn("chatLine", kinds)
        times = [record["t_ms"] for record in records]
        self.assertEqual(times, sorted(times))
        with open(self.path, encoding="utf-8") as file:
            text = file.read()
        for secret in (TOKEN, "fullId", "a secret between us", "Hello there"):
            self.assertNotIn(secret, text)

    async def test_a_file_that_cannot_be_made_is_told_before_anything_else(self):
        with open(self.path, "w", encoding="utf-8") as file:
            file.write("an old one\n")
        config = self.write_config()
        for path, why in ((self.path, "is there already; name a file that is not"),
                          (os.path.join(self.directory, "no", "where"), "cannot make it")):
            status, output = await self.command("run", "--record", path, "--config", config)
            self.assertEqual(status, EX_USAGE, output)
            self.assertIn(why, output)
        for words in (("--record",), ("--records", "x"), ("--record", "x", "y")):
            status, output = await self.command("run", *words, "--config", config)
            self.assertEqual(status, EX_USAGE, output)
            self.assertIn("castled run --help", output)
        with open(self.path, encoding="utf-8") as file:
            self.assertEqual(file.read(), "an old one\n")
        self.assertEqual(self.sim.requests, [])


if __name__ == "__main__":
    unittest.main()
