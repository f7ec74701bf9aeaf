# SPDX-License-Identifier: GPL-3.0-or-later
"""The operator is told what can't wait, by a command and at a web address."""
import asyncio
import json
import os
import sys

from sim.opponent import Random

from .harness import EX_CONFIG, ROOT, SLOWNESS, TOKEN, DaemonTest

FAKE_ENGINE = os.path.join(ROOT, "tests", "engines", "fake_engine.py")


class Receiver:
    """A web server that keeps what is POSTed."""

    def __init__(self):
        self.alerts, self.heads = [], []

    async def open(self):
        self._server = await asyncio.start_server(self._take, "127.0.0.1", 0)
        self.url = f"http://127.0.0.1:{self._server.sockets[0].getsockname()[1]}/hook/s3cr3tpath"

    async def close(self):
        self._server.close()
        await self._server.wait_closed()

    async def _take(self, reader, writer):
        head = (await reader.readuntil(b"\r\n\r\n")).decode()
        length = next(int(line.split(":")[1]) for line in head.splitlines()
                      if line.lower().startswith("content-length:"))
        self.heads.append(head)
        self.alerts.append(json.loads(await reader.readexactly(length)))
        writer.write(b"HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n")
        await writer.drain()
        writer.close()

    def of(self, kind):
        return [alert for alert in self.alerts if alert["event"] == kind]


class AlertsTest(DaemonTest):
    async def asyncSetUp(self):
        await super().asyncSetUp()
        self.receiver = Receiver()
        await self.receiver.open()
        self.addAsyncCleanup(self.receiver.close)

    async def alert(self, kind, count=1, timeout=15):
        await self.sim.until(lambda: len(self.receiver.of(kind)) >= count, timeout * SLOWNESS,
                             f"{count} alerts of {kind}")
        return self.receiver.of(kind)[count - 1]

    async def lose(self):
        """A game that the server lets us resign."""
        game = await self.game(Random(1))
        await game.plies(4, 30 * SLOWNESS)
        game.resign(game.colour_of(self.bot))
        await self.over(game)
        return game

    async def test_a_game_lost_by_a_fault_is_told_by_both_ways_and_repeats_are_held_back(self):
        out = os.path.join(self.directory, "alert.json")
        await self.start(notify={"url": self.receiver.url,
                                 "command": f'sh -c "cat >> {out}; env >> {out}.env"'})
        game = await self.lose()
        alert = await self.alert("game")
        self.assertIn(game.id, alert["text"])
        self.assertIn("not by castled", alert["text"])
        self.assertEqual((alert["account"], alert["count"]), ("castled-bot", 1))
        self.assertIn("Content-Type: application/json", self.receiver.heads[0])
        self.assertNotIn(TOKEN, "".join(self.receiver.heads))
        await self.lose()
        await self.log_says("alert delivered way=command")
        with open(out, encoding="utf-8") as lines:
            self.assertEqual([json.loads(line) for line in lines], [alert])
        with open(out + ".env", encoding="utf-8") as lines:
            self.assertNotIn("CASTLED_TOKEN", lines.read())
        self.assertEqual(len(self.receiver.of("game")), 1)
        self.assertNotIn("s3cr3tpath", self.daemon.log())

    async def test_our_own_resignation_is_none_and_kinds_can_be_left_out(self):
        await self.start(notify={"url": self.receiver.url, "events": "offline"})
        await self.lose()
        self.assertEqual(self.receiver.alerts, [])

    async def test_an_archive_that_cannot_be_written_is_told(self):
        path = os.path.join(self.directory, "folder.sqlite")
        os.mkdir(path)
        await self.start(archive={"file": path}, notify={"url": self.receiver.url})
        self.assertIn("not a file", (await self.alert("archive"))["text"])

    async def test_an_engine_that_crashes_is_told(self):
        command = f"{sys.executable} {FAKE_ENGINE} --fault quit"
        await self.start(notify={"url": self.receiver.url},
                         **{"engine.external": {"command": command}})
        self.assertIn("engine external has failed", (await self.alert("engine"))["text"])

    async def test_a_server_that_is_away_is_told_and_its_return_too(self):
        await self.start(notify={"url": self.receiver.url, "offline_after": 1})
        await self.lose()  # by now no connection is half made, which the server would not close
        await self.sim.down()
        self.assertIn("offline for 1 minutes", (await self.alert("offline", 1, 120))["text"])
        await self.sim.start()
        self.assertIn("online again", (await self.alert("offline", 2, 60))["text"])

    async def test_check_tries_the_ways_and_says_what_is_wrong_with_them(self):
        config = self.write_config(notify={"url": self.receiver.url, "command": "cat"})
        _, output = await self.command("check", "--notify", "--config", config)
        self.assertRegex(output, r"ok +notify command +took the alert")
        self.assertRegex(output, r"ok +notify url +took the alert")
        self.assertEqual([alert["event"] for alert in self.receiver.alerts], ["trial"])
        config = self.write_config(notify={"url": self.receiver.url, "command": "no-such-program"})
        status, output = await self.command("check", "--config", config)
        self.assertEqual(status, EX_CONFIG, output)
        self.assertRegex(output, r"notify command +no-such-program")
        self.assertNotIn("s3cr3tpath", output)
        config = self.write_config(notify={"url": "http://example.com/x"})
        status, output = await self.command("check", "--config", config)
        self.assertEqual(status, EX_CONFIG, output)
