# SPDX-License-Identifier: GPL-3.0-or-later
"""What others wrote does not act on the terminal of who runs a command."""
import asyncio
import json
import os
import sqlite3
import unittest

from .harness import DaemonTest

HOSTILE = "x\x1b]52;c;cm0gLXJm\x07\u009b31m\u202ey"
ACTS = ("\x1b", "\x07", "\u009b", "\u202e")


class TerminalTest(DaemonTest):
    async def answers(self, answer: dict) -> None:
        """Somebody else listens where the daemon's socket should be."""
        async def on_client(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            await reader.readline()
            # Not as JSON has it: the bytes themselves.
            writer.write(json.dumps(answer, ensure_ascii=False).replace("\\u001b", "\x1b").encode() + b"\n")
            writer.close()
        server = await asyncio.start_unix_server(on_client, self.socket)
        self.addAsyncCleanup(server.wait_closed)
        self.addCleanup(server.close)

    async def asyncSetUp(self):
        await super().asyncSetUp()
        self.socket = os.path.join(self.directory, "here.sock")
        self.path = self.write_config(status={"socket": self.socket})

    async def says_nothing_hostile(self, *words: str) -> str:
        _, output = await self.command(*words, "--config", self.path)
        for act in ACTS:
            self.assertNotIn(act, output, words)
        return output

    async def test_answers_of_the_socket_are_made_printable(self):
        player = {"name": HOSTILE, "title": HOSTILE, "rating": 1500}
        game = {"id": HOSTILE, "us": HOSTILE, "white": player, "black": player, "phase": "over", "plies": 1,
                "result": HOSTILE, "status": HOSTILE, "speed": HOSTILE, "last": HOSTILE, "fen": HOSTILE,
                "eval": {"cp": 3, "depth": 5, "pv": [HOSTILE]}, "moves": [{"san": HOSTILE, "clock_ms": 1000}]}
        texts = {key: HOSTILE for key in ("id", "name", "opponent", "url", "account", "result", "status", "to",
                                          "from", "file")}
        await self.answers({
            **texts, **game, "limits": {HOSTILE: 5}, "games": [game], "recent": [game],
            "waiting": [{"player": HOSTILE, "game": HOSTILE, "waiting_s": 1}],
            "tournaments": [{"id": HOSTILE, "name": HOSTILE, "state": HOSTILE}],
            "scheduled": [{"number": 1, "challenge": HOSTILE, "playing": HOSTILE, "games": 1}],
            "archive": {"state": HOSTILE, "why": HOSTILE}, "matchmaking": {"doing": HOSTILE},
            "problems": [], "changes": [HOSTILE]})
        for words in (("status",), ("status", "--json"), ("watch", HOSTILE), ("abort",), ("resign", "latest"),
                      ("draw",), ("tournament", "join", "AbCd1234"), ("tournament", "leave", "AbCd1234"),
                      ("challenge", "maia1", "3+2"), ("log-level", "debug"), ("reload",)):
            with self.subTest(words):
                output = await self.says_nothing_hostile(*words)
                self.assertIn("\\u202e", output)

    async def test_refusals_are_made_printable(self):
        await self.answers({"error": HOSTILE})
        for words in (("status",), ("say", "latest", "hello"), ("challenge", "maia1", "3+2"), ("drain",), ("resume",)):
            with self.subTest(words):
                self.assertIn("\\u202e", await self.says_nothing_hostile(*words))

    async def test_messages_about_the_archive_are_made_printable(self):
        archive = os.path.join(self.directory, "games.sqlite")
        with sqlite3.connect(archive) as base:
            base.execute("CREATE TABLE t(x)")
            base.execute("PRAGMA writable_schema=ON")
            base.execute("UPDATE sqlite_schema SET name=?, sql='CREATE nonsense'", (HOSTILE,))
        base.close()
        self.path = self.write_config(archive={"file": archive})
        for words in (("games",), ("stats",), ("pgn",), ("why", "AbCd1234"), ("analyse",)):
            with self.subTest(words):
                self.assertIn("\\u202e", await self.says_nothing_hostile(*words))


if __name__ == "__main__":
    unittest.main()
