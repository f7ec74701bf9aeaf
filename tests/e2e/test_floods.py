# SPDX-License-Identifier: GPL-3.0-or-later
"""Neighbours that send more than anybody can want: the games move, and a SIGTERM is heard."""
import asyncio
import contextlib
import json
import os
import time
import unittest

from sim.daemon import free_port
from sim.floods import add_endless_list, nested_codings, pieces_of
from sim.frames import FrameInjector
from sim.opponent import Idle

from .harness import EX_OK, HTTP2, SLOWNESS, STOP_S, TOKEN, DaemonTest, has_http2_proxy

FLOOD_S = 6
MOVE_S = 1.5
LOG_BYTES = 100_000


class FloodedTest(DaemonTest):
    """What the tests of all floods share."""

    async def a_game(self, **sections):
        await self.start(**sections)
        game = await self.game(Idle(), limit=600)
        await self.turn(game)
        return game

    async def turn(self, game):
        """The opponent's move, and our answer in time."""
        count = len(game.moves)
        await game.move(sorted(game.position.legal)[0])
        await game.plies(count + 2, MOVE_S * SLOWNESS)

    async def moves_and_stops(self, game, flood):
        """While the flood lasts moves are made in time, and a SIGTERM is served."""
        flooding = asyncio.ensure_future(flood)
        try:
            await asyncio.sleep(0.5)
            for _ in range(4):
                await self.turn(game)
                await asyncio.sleep(0.3)
            began = time.monotonic()
            status, _ = await self.daemon.stop()
            self.assertEqual(status, 0)
            self.assertLess(time.monotonic() - began, STOP_S * SLOWNESS)
        finally:
            flooding.cancel()
            with contextlib.suppress(asyncio.CancelledError, OSError):
                await flooding


class FloodTest(FloodedTest):
    async def on_the_event_stream(self, line):
        game = await self.a_game(log={"level": "info"})
        stream = await self.event_stream()
        await self.moves_and_stops(game, stream.pour(pieces_of(line), 4 * FLOOD_S))

    async def test_newlines_on_the_event_stream(self):
        await self.on_the_event_stream(b"\n")

    async def test_unknown_events(self):
        await self.on_the_event_stream(b'{"type":"x"}\n')

    async def test_declined_challenges(self):
        challenge = (await self.challenge(Idle(), name="Berta", limit=15)).json()
        line = json.dumps({"type": "challengeDeclined", "challenge": challenge})
        await self.on_the_event_stream(line.encode() + b"\n")

    async def test_newlines_on_the_stream_of_another_game(self):
        game = await self.a_game(log={"level": "info"})
        other = await self.game(Idle(), name="Berta", limit=600)
        stream = await self.stream(other)
        await self.moves_and_stops(game, stream.pour(pieces_of(b"\n"), 4 * FLOOD_S))

    @unittest.skipIf(HTTP2, "nghttpx would swallow it, and be the one that is busy")
    async def test_an_endless_chunk_extension_of_a_lists_server(self):
        flooded = add_endless_list(self.sim, "/list.txt")
        game = await self.a_game(log={"level": "info"},
                                 challenge={"block_list": self.url + "/list.txt"})
        await asyncio.wait_for(flooded.wait(), 10 * SLOWNESS)
        await self.moves_and_stops(game, asyncio.sleep(60))

    async def test_broken_lines_fill_no_log(self):
        game = await self.a_game(log={"level": "info"})
        stream = await self.event_stream()
        before = len(self.daemon.log())
        data = pieces_of(b"{\n")
        for _ in range((6 << 20) // len(data)):
            if not stream.is_open:  # cut off: a flood's end too
                break
            await stream.pour(data, 0.001)
        await asyncio.sleep(1)
        await self.turn(game)
        self.assertLess(len(self.daemon.log()) - before, LOG_BYTES)

    async def test_trickling_clients_keep_nobody_from_the_status_page(self):
        port = free_port()
        await self.start(status={"http": port})
        writers = []
        for _ in range(16):
            _, writer = await asyncio.open_connection("127.0.0.1", port)
            self.addCleanup(writer.close)
            writers.append(writer)

        async def trickle():
            text = b"GET / HTTP/1.1\r\nHost: localhost\r\nX: " + b"x" * 1000
            for byte in text:
                for writer in writers:
                    with contextlib.suppress(OSError):
                        writer.write(bytes((byte,)))
                await asyncio.sleep(1)
        trickling = asyncio.ensure_future(trickle())
        try:
            deadline = time.monotonic() + 15 * SLOWNESS
            while not await self._page_answers(port):
                self.assertLess(time.monotonic(), deadline, "the page answers nobody")
                await asyncio.sleep(1)
        finally:
            trickling.cancel()

    async def _page_answers(self, port):
        try:
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
        except OSError:
            return False
        try:
            writer.write(b"GET /metrics HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
            answer = await asyncio.wait_for(reader.read(12), 2)
            return answer == b"HTTP/1.1 200"
        except (asyncio.TimeoutError, OSError):
            return False
        finally:
            writer.close()

    async def test_no_proxy_sees_the_token_on_its_way_to_loopback(self):
        met = []

        async def proxy(reader, writer):
            met.append(await reader.read(4096))
            writer.close()
        servers = [await asyncio.start_server(proxy, "127.0.0.1", 0) for _ in range(2)]
        ports = [server.sockets[0].getsockname()[1] for server in servers]
        self.addCleanup(lambda: [server.close() for server in servers])
        path = self.write_config(account={"url": f"http://127.0.0.1:{ports[0]}", "ca_file": None})
        os.environ["http_proxy"] = f"http://127.0.0.1:{ports[1]}"
        self.addCleanup(os.environ.pop, "http_proxy")
        status, output = await self.command("check", "--config", path)
        self.assertNotEqual(status, EX_OK, output)
        with_token = [text for text in met if TOKEN.encode() in text]
        self.assertTrue(met, "nobody was asked")
        self.assertEqual([text for text in with_token if text.startswith(b"GET http://")
                          or text.startswith(b"POST http://")], [])

    def environment(self, token=TOKEN):
        proxy = {name: os.environ[name] for name in ("http_proxy",) if name in os.environ}
        return {**super().environment(token), **proxy}


@unittest.skipIf(HTTP2, "HTTP/2 has no transfer codings")
class CodingTest(FloodedTest):
    """Transfer codings that nobody asked for: 3 KiB on the wire, and no end to it decoded."""

    async def a_list(self, layers):
        is_playing = asyncio.Event()

        async def answer(call):
            await is_playing.wait()
            call.connection.writer.write(nested_codings(layers))
            await call.connection.reader.read(1)
            call.connection.reusable = False
        self.sim.add_route("GET", "/list.txt", "list", answer)
        game = await self.a_game(log={"level": "info"},
                                 challenge={"block_list": self.url + "/list.txt"})
        await self.sim.until(lambda: self.sim.count("list") > 0, 10 * SLOWNESS, "the list's fetch")
        is_playing.set()
        await self.moves_and_stops(game, asyncio.sleep(60))

    async def a_stream(self, family, layers):
        game = await self.a_game(log={"level": "info"})
        other = await self.game(Idle(), name="Berta", limit=600)
        await self.stream(other)
        opened = self.sim.count(family)
        self.sim.faults.order(family, raw=nested_codings(layers), times=100)
        self.sim.strike("close", other if family == "game_stream" else None)
        await self.sim.until(lambda: self.sim.count(family) > opened, 10 * SLOWNESS, family)
        await self.moves_and_stops(game, asyncio.sleep(60))

    async def test_three_layers_in_a_list(self):
        await self.a_list(3)

    async def test_four_layers_in_a_list(self):
        await self.a_list(4)

    async def test_three_layers_on_the_event_stream(self):
        await self.a_stream("event_stream", 3)

    async def test_four_layers_on_the_event_stream(self):
        await self.a_stream("event_stream", 4)

    async def test_three_layers_on_a_games_stream(self):
        await self.a_stream("game_stream", 3)

    async def test_four_layers_on_a_games_stream(self):
        await self.a_stream("game_stream", 4)


class FrameFloodTest(FloodedTest):
    """HTTP/2's own frames, which no stream of ours gets to see."""

    async def open(self, **options):
        if not has_http2_proxy():
            self.skipTest("nghttpx is not installed")
        await super().open(http2=True, **options)
        self.frames = await FrameInjector.start(self.url, self.sim.certificate_file,
                                                self.sim.key_file)
        self.addAsyncCleanup(self.frames.close)

    async def a_game(self, **sections):
        return await super().a_game(account={"url": self.frames.url}, log={"level": "info"},
                                    **sections)

    async def flooded_by(self, kind):
        game = await self.a_game()
        await self.moves_and_stops(game, self.frames.pour(kind, 4 * FLOOD_S))

    async def test_the_connection_is_cut_off_and_the_game_goes_on(self):
        game = await self.a_game()
        await self.frames.pour("PING", 10 * FLOOD_S)  # over when the connection is
        await self.turn(game)
        await self.log_says("the server sends more than we can take")
        await self.online()

    async def test_pings(self):
        await self.flooded_by("PING")

    async def test_priorities(self):
        await self.flooded_by("PRIORITY")

    async def test_settings(self):
        await self.flooded_by("SETTINGS")

    async def test_frames_of_an_unknown_kind(self):
        await self.flooded_by("unknown")


if __name__ == "__main__":
    unittest.main()
