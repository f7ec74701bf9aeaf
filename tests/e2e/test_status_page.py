# SPDX-License-Identifier: GPL-3.0-or-later
"""[status] page: what a browser and Prometheus see of a daemon that plays, and what hostile requests get."""
import asyncio
import json
import os
import re
import socket
import time
import unittest

from sim.daemon import free_port
from sim.opponent import Engine, Idle, Scripted

from .harness import EX_CONFIG, EX_OK, ROOT, SANITIZED, SLOWNESS, TOKEN, DaemonTest

HOSTILE_REQUESTS = (
    b"\r\n\r\n", b"\0" * 100 + b"\r\n\r\n", b"GET\r\n\r\n", b"GET / FTP/9\r\n\r\n", b"\xff" * 50000,
    b"GET / HTTP/1.1\r\nHost: localh",
    b"GET /" + b"a" * 20000 + b" HTTP/1.1\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost: localhost\r\nX: " + b"x" * 100000 + b"\r\n\r\n",
    b"GET / HTTP/1.1\r\n" + b"A: b\r\n" * 5000 + b"\r\n",
    b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99999999999\r\n\r\n" + b"x" * 100000,
    b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: -1\r\n\r\n",
    b"PUT / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
)


class StatusPageTest(DaemonTest):
    async def open_page(self, **sections) -> None:
        self.port = free_port()
        await self.start(status={"http": self.port}, **sections)
        await self.log_says("page listening")

    async def raw(self, request: bytes, timeout: float = 15) -> bytes:
        """All that comes back."""
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
        try:
            writer.write(request)
            return await asyncio.wait_for(reader.read(), timeout * SLOWNESS)
        finally:
            writer.close()

    async def get(self, path: str, method: str = "GET",
                  host: str = "localhost") -> tuple[int, dict[str, str], str]:
        answer = await self.raw(f"{method} {path} HTTP/1.1\r\nHost: {host}\r\n"
                                "Connection: close\r\n\r\n".encode())
        head, _, body = answer.partition(b"\r\n\r\n")
        first, *lines = head.decode().split("\r\n")
        headers = dict(line.lower().split(": ", 1) for line in lines)
        return int(first.split()[1]), headers, body.decode()

    async def read(self, path: str) -> dict:
        status, headers, text = await self.get(path)
        self.assertEqual((status, headers["content-type"]), (200, "application/json"), text)
        return json.loads(text)

    async def metrics(self) -> dict[str, float]:
        status, headers, text = await self.get("/metrics")
        self.assertEqual(status, 200)
        self.assertIn("text/plain; version=0.0.4", headers["content-type"])
        values = {}
        for line in text.splitlines():
            if not line.startswith("#"):
                name, value = line.rsplit(" ", 1)
                self.assertRegex(name, r'^[a-z_]+(\{[a-z]+="[^"]*"(,[a-z]+="[^"]*")*\})?$')
                self.assertNotIn(name, values)
                values[name] = float(value)
        return values

    async def test_arenas_and_games_without_a_clock_are_told(self):
        arena = self.sim.add_arena(starts_in=3600)
        await self.open_page(tournaments={"join": arena.id},
                             challenge={"speeds": "bullet, correspondence"},
                             games={"correspondence": 7, "correspondence_poll": 1})
        game = await self.game(Scripted("e2e4"), days=2, limit=None)
        await self.log_says(f"joined arena={arena.id}")
        await game.plies(2, 20 * SLOWNESS)
        status = await self.read("/status.json")
        self.assertEqual((status["slots_used"], status["correspondence_used"]), (0, 1))
        self.assertEqual([(one["id"], one["state"]) for one in status["tournaments"]], [(arena.id, "in")])
        self.assertEqual((status["games"][0]["speed"], status["games"][0]["days_per_turn"]), ("correspondence", 2))
        metrics = await self.metrics()
        self.assertEqual(metrics["castled_tournaments"], 1)
        self.assertEqual(metrics["castled_correspondence_slots_used"], 1)

    async def test_a_game_is_seen_and_counted(self):
        await self.open_page()
        game = await self.game(Engine(nodes=300), limit=180)
        await game.plies(8, 30 * SLOWNESS)
        status, headers, text = await self.get("/")
        self.assertEqual(status, 200)
        self.assertIn("default-src 'none'", headers["content-security-policy"])
        self.assertEqual(headers["cache-control"], "no-store")
        self.assertNotRegex(text, "(?i)(src|href)=.?//|@import|url\\(|<script>|style=|<style| on[a-z]+=")
        told = (await self.read("/status.json"))["games"][0]
        self.assertEqual((told["id"], told["white"]["name"], told["white"]["rating"]), (game.id, "Alba", 1500))
        values = await self.metrics()
        self.assertEqual(values["castled_games"], 1)
        self.assertEqual(values["castled_online"], 1)
        moves = values["castled_move_echo_seconds_count"]
        self.assertGreaterEqual(moves, 3)
        self.assertEqual(values['castled_move_echo_seconds_bucket{le="+Inf"}'], moves)
        self.assertGreaterEqual(values['castled_requests_total{kind="move"}'], moves)
        self.assertGreater(values["castled_move_echo_seconds_sum"], 0)
        self.assertGreater(values["process_resident_memory_bytes"], 4 << 20)
        self.assertEqual(values['castled_streams_opened_total{stream="event"}'], 1)
        game.resign("white")
        await self.over(game)
        values = await self.metrics()
        self.assertEqual(values['castled_games_finished_total{result="won"}'], 1)
        self.assertEqual(values["castled_games"], 0)
        while not values['castled_archive_results{opponent="human",result="won"}']:
            await asyncio.sleep(0.1)  # until the game is written
            values = await self.metrics()
        self.assertEqual(values['castled_archive_results{opponent="human",result="won"}'], 1)
        self.assertEqual(values['castled_archive_results{opponent="bot",result="won"}'], 0)
        self.assertEqual(values['castled_performance_rating{opponent="human"}'], 2300)
        over = (await self.read("/status.json"))["recent"][0]
        self.assertEqual((over["result"], over["status"]), ("0-1", "resign"))

    async def test_alert_rules_and_dashboard_use_what_is_exported(self):
        used = set()
        for path in ("prometheus/castled.rules.yml", "prometheus/castled.rules.test.yml", "grafana/castled.json"):
            with open(os.path.join(ROOT, "config", path), encoding="utf-8") as file:
                used |= set(re.findall(r"\b(?:castled|process)_[a-z_]+\b", file.read()))
        self.assertGreater(len(used), 15)
        self.sim.tokens[TOKEN].expires = int((time.time() + 100 * 86400) * 1000)
        await self.open_page()
        game = await self.game(Scripted("e2e4"), limit=180)
        await game.plies(2, 20 * SLOWNESS)
        game.resign("white")
        await self.over(game)
        missing = used  # the token's life is asked for after 10 s
        while missing and time.monotonic() < game.ended_at + 30 * SLOWNESS:
            await asyncio.sleep(0.2)
            missing = used - {name.split("{")[0] for name in await self.metrics()}
        self.assertEqual(missing, set())

    async def test_each_page_is_one_document_that_leads_to_its_json(self):
        await self.open_page()
        game = await self.game(Scripted("e2e4"), limit=180, colour="white")
        await game.plies(2, 20 * SLOWNESS)
        for path, leads_to in (("/", "/status.json"), ("/games", "/games.json"), ("/stats", "/stats.json"),
                               (f"/game/{game.id}", f"/json/{game.id}"), (f"/overlay/{game.id}", f"/json/{game.id}"),
                               ("/overlay/latest", "/status.json")):
            with self.subTest(path):
                status, _, text = await self.get(path)
                self.assertEqual(status, 200)
                sentence = re.search("<noscript><p>(.*?)</p></noscript>", text).group(1)
                self.assertEqual(re.findall('href="([^"]*)"', sentence), [leads_to])
                await self.read(leads_to)
                self.assertNotIn("Alba", text)  # nothing that is shown stands in it
                for asset in re.findall('(?:href|src)="(/js/[^"]*|/page.css|/icon.svg)"', text):
                    self.assertEqual((await self.get(asset))[0], 200, asset)
        for path in ("/game/no-such", "/json/x", "/overlay/.", "/game/" + "x" * 500, "/js/none.js", "/js/page.css",
                     "/js/" + "x" * 50 + ".js", "/pgn/none"):
            self.assertEqual((await self.get(path))[0], 404, path)

    async def test_a_page_asks_for_all_modules_that_it_imports(self):
        await self.open_page()

        async def imports(name: str, found: set) -> set:
            _, _, text = await self.get(f"/js/{name}")
            for other in re.findall(r'^(?:import|  from) .*?"\./(\w+\.js)"', text, re.M):
                if other not in found:
                    await imports(other, found | {other})
                    found |= {other} | await imports(other, found | {other})
            return found

        for path, entries in (("/", ("page.js", "state.js")), ("/game/abc", ("page.js", "moves.js")),
                              ("/stats", ("page.js", "lists.js")), ("/overlay/latest", ("page.js",))):
            with self.subTest(path):
                asked = set(re.findall('href="/js/([^"]*)"', (await self.get(path))[2])) | {"page.js"}
                wanted = set(entries)
                for entry in entries:
                    wanted |= await imports(entry, set())
                self.assertEqual(asked, wanted)

    async def test_a_finished_game_is_a_file_and_knows_its_neighbours(self):
        await self.open_page()
        games = []
        for opening in ("e2e4 g1f3", "d2d4 c2c4", "c2c4 g2g3"):
            game = await self.game(Scripted(opening), limit=180, colour="white")
            await game.plies(4, 20 * SLOWNESS)
            game.resign("white")
            await self.over(game)
            games.append(game.id)
            for _ in range(300):  # until it is written down
                if (await self.read("/games.json"))["games"][:1] and \
                        (await self.read("/games.json"))["games"][0]["id"] == game.id:
                    break
                await asyncio.sleep(0.1)
        status, headers, pgn = await self.get(f"/pgn/{games[0]}")
        self.assertEqual((status, headers["content-type"]), (200, "application/vnd.chess-pgn"))
        self.assertIn('[White "Alba"]', pgn)
        self.assertRegex(pgn, r"1\. e4 ")
        middle = await self.read(f"/json/{games[1]}")
        self.assertEqual((middle["earlier"], middle["later"]), (games[0], games[2]))
        self.assertNotIn("later", await self.read(f"/json/{games[2]}"))
        self.assertRegex(middle["opening"], "^[A-E][0-9][0-9] ")
        self.assertLess(0, middle["began_unix_s"])
        family = middle["opening"][4:].split(":")[0]
        listed = await self.read("/games.json?opening=" + family.replace(" ", "%20"))
        self.assertIn(games[1], [game["id"] for game in listed["games"]])
        self.assertNotIn(games[0], [game["id"] for game in listed["games"]])
        self.assertEqual((await self.read("/games.json?variant=atomic"))["games"], [])

    async def test_events_tell_of_every_move(self):
        await self.open_page()
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
        writer.write(b"GET /events HTTP/1.0\r\n\r\n")
        game = await self.game(Engine(nodes=300, delay=0.02), limit=180)
        moves, shown, event = [], {}, b""
        while shown.get("phase") != "over":
            line = await asyncio.wait_for(reader.readline(), 60 * SLOWNESS)
            self.assertTrue(line, "the stream has ended")
            if line.startswith(b"event: "):
                event = line
            if event == b"event: game\n" and line.startswith(b"data: {"):
                shown = json.loads(line[6:])
                self.assertLessEqual(shown.get("from", 0), len(moves))
                moves[shown.get("from", 0):] = shown.get("moves", [])
        writer.close()
        self.assertEqual([move["uci"] for move in moves], game.moves)
        self.assertEqual(shown["fen"].split()[0], game.position.fen.split()[0])
        self.assertEqual(shown["result"], {"white": "1-0", "black": "0-1", None: "1/2-1/2"}[game.winner])
        self.assertEqual(shown["moves"][-1]["san"] if shown["moves"] else moves[-1]["san"], moves[-1]["san"])
        whole = json.loads((await self.get(f"/json/{game.id}"))[2])
        self.assertEqual(whole["moves"], moves)
        thought = [move for move in moves if "depth" in move]
        self.assertGreater(len(thought), len(moves) // 3)

    async def test_a_viewer_that_does_not_read_is_dropped_and_stops_no_game(self):
        await self.open_page()
        lazy = []
        for _ in range(8):
            reader, writer = await asyncio.open_connection("127.0.0.1", self.port, limit=1)
            writer.transport.pause_reading()
            writer.write(b"GET /events HTTP/1.0\r\n\r\n")
            lazy.append(writer)
        game = await self.game(Engine(nodes=300), limit=180)
        await self.over(game, 60 * SLOWNESS)
        for writer in lazy:
            writer.close()
        await self.is_shown_again(10 * SLOWNESS)

    async def test_status_json_is_what_the_command_prints(self):
        await self.open_page()
        await self.log_says("archive books-read")  # and so the results are known
        status, headers, text = await self.get("/status.json")
        self.assertEqual((status, headers["content-type"]), (200, "application/json"))
        command_status, output = await self.command(
            "status", "--json", "--config", f"{self.directory}/castled.conf")
        self.assertEqual(command_status, EX_OK, output)

        def shape(value):
            return {k: shape(v) for k, v in value.items()} if isinstance(value, dict) else type(value)
        self.assertEqual(shape(json.loads(text)), shape(json.loads(output)))
        self.assertNotIn(TOKEN, text)

    async def test_what_goes_wrong_is_counted(self):
        await self.open_page()
        self.sim.faults.order("decline", status=429)
        await self.challenge(Idle(), days=2, limit=None)  # declined: correspondence
        await self.log_says("rate-limited")
        (await self.event_stream()).reset()
        await self.sim.until(lambda: self.sim.count("event_stream") == 2, 30 * SLOWNESS)
        await self.log_says("(?s)stream open.*stream open")
        values = await self.metrics()
        self.assertEqual(values['castled_rate_limited_total{family="challenge"}'], 1)
        self.assertGreater(values['castled_rate_limit_seconds{family="challenge"}'], 30)
        self.assertEqual(values['castled_streams_lost_total{stream="event"}'], 1)
        self.assertGreater((await self.read("/status.json"))["limits"]["challenge"], 30)

    async def test_it_can_only_be_looked_at(self):
        await self.open_page()
        for method, path, host, expected in (
                ("POST", "/", "localhost", 405), ("DELETE", "/", "localhost", 405),
                ("OPTIONS", "/", "localhost", 405), ("DANCE", "/", "localhost", 405),
                ("GET", "/nothing", "localhost", 404), ("GET", "/../etc/passwd", "localhost", 404),
                ("GET", "/%2e%2e/", "localhost", 404), ("GET", "//", "localhost", 404),
                ("GET", "/?x=y", "localhost", 200), ("GET", "/", "127.0.0.1:80", 200),
                ("GET", "/", "evil.example", 403), ("GET", "/status.json", "localhost.evil", 403)):
            with self.subTest((method, path, host)):
                status, headers, _ = await self.get(path, method, host)
                self.assertEqual(status, expected)
                self.assertIn("content-security-policy", headers)
        status, _, body = await self.get("/", "HEAD")
        self.assertEqual((status, body), (200, ""))

    async def refused(self, request: bytes) -> None:
        """It gets no page, and no answer that does not end."""
        try:
            self.assertNotIn(b"noscript", await self.raw(request))
        except OSError:
            pass  # hung up on in the middle of it

    async def is_shown_again(self, timeout: float) -> None:
        """Once those who were too many have gone."""
        deadline = time.monotonic() + timeout
        answer = b""
        while b" 200 OK" not in answer:
            self.assertLess(time.monotonic(), deadline)
            try:
                answer = await self.raw(b"HEAD / HTTP/1.0\r\n\r\n")
            except OSError:
                await asyncio.sleep(0.05)

    async def test_hostile_requests_are_refused_and_cost_nothing(self):
        await self.open_page()
        before = self.daemon.memory_kib("Rss")
        await asyncio.gather(*(self.refused(request) for request in HOSTILE_REQUESTS))
        if not SANITIZED:
            self.assertLess(self.daemon.memory_kib("Rss") - before, 2048)
        idle = [await asyncio.open_connection("127.0.0.1", self.port) for _ in range(200)]
        for _, writer in idle:
            writer.write(b"GET / HTTP/1.1\r\nHo")
        game = await self.game(Engine(nodes=300), limit=180)  # it plays all the same
        await game.plies(4, 30 * SLOWNESS)
        for _, writer in idle:
            writer.close()
        await self.is_shown_again(10 * SLOWNESS)

    async def test_a_port_that_is_taken_stops_no_game(self):
        with socket.socket() as taken:
            taken.bind(("127.0.0.1", 0))
            taken.listen()
            await self.start(status={"http": taken.getsockname()[1]})
            await self.log_says("error page off at=.*Address already in use")
            game = await self.game(Engine(nodes=300))
            await game.plies(4, 30 * SLOWNESS)

    async def test_a_page_that_others_can_reach_is_warned_of(self):
        self.port = free_port()
        await self.start(status={"http": f"0.0.0.0:{self.port}"})
        await self.log_says("warning page listening .*other machines can see it")
        self.assertEqual((await self.get("/", host="anything"))[0], 200)

    async def test_an_address_that_is_none_is_a_mistake_with_its_line(self):
        for value in ("yes", "0", "65536", "localhost:80", ":80", "1.2.3:80", "::1:80", "[::1:80"):
            with self.subTest(value):
                path = self.write_config("bad.conf", status={"http": value})
                status, output = await self.command("check", "--config", path)
                self.assertEqual(status, EX_CONFIG, output)
                self.assertRegex(output, rf"bad\.conf:\d+: http = {re.escape(value)}: ")


if __name__ == "__main__":
    unittest.main()
