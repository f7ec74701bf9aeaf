# SPDX-License-Identifier: GPL-3.0-or-later
"""Connections: through a proxy, and kept by a server that closes them all the same."""
import asyncio
import socket
import statistics
import time
import unittest

from sim.opponent import Engine, Idle

from .faults import every_row
from .harness import EX_OK, HTTP2, SLOWNESS, DaemonTest
from .matrix import play_all

# Of the matrix: an answer that is lost, one that is late, a stream that breaks, a dead connection.
THROUGH_PROXY = ("move: connection reset, not made", "move: connection reset, but made",
                 "move: never answered, not made", "accept: connection reset, but accepted",
                 "game stream: reset", "event stream: closed in good order", "away for 5 s")


class ProxyTest(DaemonTest):
    async def asyncSetUp(self):
        asyncio.get_running_loop().set_debug(False)
        await asyncio.sleep(0)
        await self.open(through="CONNECT")
        self.addAsyncCleanup(self.close)

    async def test_a_game_is_played_through_a_proxy(self):
        await self.start()
        game = await self.game(Idle(), limit=180)
        for _ in range(3):
            plies = len(game.moves)
            await game.move(sorted(game.position.legal)[0])
            await game.plies(plies + 2, 2 * SLOWNESS)
        self.assertTrue(self.relay.connects)
        self.assertEqual(set(self.relay.connects), {self.url.partition("//")[2]})

    async def test_no_proxy_is_asked_for_what_it_is_not_for(self):
        self.variables["no_proxy"] = "127.0.0.1"
        await self.start()
        await self.game(Engine(nodes=50), limit=180)
        self.assertEqual(self.relay.connects, [])

    async def test_check_tells_which_proxy_is_used_and_no_password(self):
        self.variables["https_proxy"] = f"http://berta:s3same@127.0.0.1:{self.relay.port}/"
        status, output = await self.command("check", "--config", self.write_config())
        self.assertEqual(status, EX_OK, output)
        self.assertIn(f"http://127.0.0.1:{self.relay.port}", output)
        self.assertNotIn("s3same", output)


class ProxyRowsTest(unittest.TestCase):
    def test_faults_are_survived_behind_a_proxy(self):
        rows = [row for row in every_row() if row.name in THROUGH_PROXY]
        self.assertEqual(len(rows), len(THROUGH_PROXY))
        results = asyncio.run(play_all(rows, "HTTP/2" if HTTP2 else "HTTP/1.1", len(rows),
                                       through="CONNECT"))
        for result in results:
            with self.subTest(result.row.name):
                self.assertEqual(result.wrong, [], result.story)


@unittest.skipIf(HTTP2, "nghttpx speaks for the server")
class WireTest(DaemonTest):
    """What else the wire may be like."""

    async def test_a_refusal_in_chunks_is_read_and_its_connection_used_again(self):
        self.sim.faults.order("accept", status=409, chunked=True,
                              body=b'{"error":"The challenge has been accepted elsewhere"}')
        await self.start()
        await self.challenge(Idle(), name="Alba")
        await self.log_says("not-accepted .*status=409 why=.*accepted elsewhere")
        await self.game(Idle(), name="Berta", limit=180)
        accepts = {r.connection for r in self.sim.requests if r.family == "accept"}
        self.assertEqual(len(accepts), 1)

    async def test_an_unknown_type_of_event_is_logged_once(self):
        await self.start()
        stream = await self.event_stream()
        for _ in range(3):
            stream.send({"type": "ping"})
            stream.send({"type": "pong"})
        await self.game(Idle(), limit=180)
        for name in ("ping", "pong"):
            self.assertEqual(self.daemon.log().count(f"unknown-event type={name}"), 1)


@unittest.skipIf(HTTP2, "nghttpx listens on IPv4")
class Ipv6Test(DaemonTest):
    async def asyncSetUp(self):
        asyncio.get_running_loop().set_debug(False)
        await asyncio.sleep(0)
        with socket.socket(socket.AF_INET6) as probe:
            try:
                probe.bind(("::1", 0))
            except OSError:
                self.skipTest("no IPv6 here")
        await self.open(host="::1")
        self.addAsyncCleanup(self.close)

    async def test_a_server_that_has_ipv6_only(self):
        await self.start()
        game = await self.game(Engine(nodes=50), limit=180)
        await game.plies(6, 10 * SLOWNESS)


@unittest.skipIf(HTTP2, "nghttpx keeps its connections")
class KeptTest(DaemonTest):
    """The server closes connections that it had promised to keep."""

    async def moves(self, number=5):
        """How long an answer usually takes, in seconds: a busy machine may delay one or two."""
        await self.start()
        game = await self.game(Idle(), limit=180)
        took = []
        for _ in range(number):
            plies = len(game.moves)
            await game.move(sorted(game.position.legal)[0])
            began = time.monotonic()
            await game.plies(plies + 2, 5 * SLOWNESS)
            took.append(time.monotonic() - began)
        self.each_move_was_made_once(game)
        return statistics.median(took)

    async def test_as_the_next_request_comes_and_no_move_waits(self):
        self.sim.keep_alive.at_next_request = True
        self.assertLess(await self.moves(), 0.2 * SLOWNESS)
        self.assertGreater(self.sim.unanswered, 3)

    async def test_after_a_request_and_no_move_waits(self):
        self.sim.keep_alive.after_requests = 1
        self.assertLess(await self.moves(), 0.2 * SLOWNESS)

    async def test_after_a_streams_end(self):
        self.sim.keep_alive.after_stream = True
        await self.start()
        for name in ("Alba", "Berta"):
            game = await self.game(Idle(), name=name, limit=180)
            await game.move("e2e4")
            await game.plies(2, 5 * SLOWNESS)
            game.resign("white")
            await self.over(game)


if __name__ == "__main__":
    unittest.main()
