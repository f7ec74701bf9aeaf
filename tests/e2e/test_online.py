# SPDX-License-Identifier: GPL-3.0-or-later
"""Moves from the web: who is asked, what is played, and what slow or broken services cost."""
import asyncio
import contextlib
import os
import struct
import time
import unittest

from sim import board
from sim.online import Online, chessdb, cloud, explorer, tablebase
from sim.opponent import Idle, Scripted
from sim.server import Simulator

from .harness import SLOWNESS, TOKEN, DaemonTest

AFTER_H4_A5 = "rnbqkbnr/1ppppppp/8/p7/7P/8/PPPPPPP1/RNBQKBNR w KQkq - 0 2"
QUEEN = "8/8/8/3k4/8/8/4Q3/K7 w - - 0 1"
EIGHT = "4k3/ppp5/8/8/8/8/PPP5/4K3 w - - 0 1"
EVERYBODY = "cloud, explorer, chessdb, tablebase"
DEADLINE_MS = 5000  # beyond what any answer takes


class OnlineTest(DaemonTest):
    async def asyncSetUp(self):
        await super().asyncSetUp()
        self.web = Online(self.sim)

    def settings(self, sources: str, **keys) -> dict:
        urls = {f"{name}_url": self.url for name in ("explorer", "cloud", "chessdb", "tablebase")}
        return {"services": sources, "deadline": DEADLINE_MS, **urls, **keys}

    async def first_move(self, game) -> str:
        await game.plies(1, 20 * SLOWNESS)
        return game.moves[0]

    async def white(self, player=None, **wanted):
        """A game in which the daemon has the first move, with time to wait for answers."""
        return await self.game(player or Idle(), colour="black", limit=600, **wanted)

    async def test_a_move_of_each_service_is_played(self):
        self.web.say("cloud", board.START, cloud(("h2h4 a7a5", 24), depth=30))
        self.web.say("explorer", board.START, explorer(("a2a4", 9, 9, 9), ("e2e4", 3, 3, 3)))
        self.web.say("chessdb", board.START, chessdb(("b2b4", 7, 2), ("e2e4", 90, 1)))
        self.web.say("tablebase", QUEEN, tablebase(("a1a2", "loss", -3), ("e2e5", "draw", 0)))
        await self.start(engine={"nodes": 0, "movetime": 60000}, online=self.settings("tablebase"),
                         **{f"rule {name}": {"when.opponent": name, "online.services": name}
                            for name in ("cloud", "explorer", "chessdb")})
        for name, move in (("cloud", "h2h4"), ("explorer", "a2a4"), ("chessdb", "b2b4"),
                           ("tablebase", "a1a2")):
            with self.subTest(name):
                wanted = {"fen": QUEEN} if name == "tablebase" else {}
                game = await self.white(name=name, **wanted)
                self.assertEqual(await self.first_move(game), move)
                await self.log_says(rf"move id={game.id} .*uci={move} .*source={name}")
                game.finish("aborted")
        self.assertTrue(all(self.web.asked(name) for name in ("cloud", "explorer", "chessdb")))

    async def test_variants_are_asked_for_by_their_names(self):
        self.web.say("explorer", board.START, explorer(("e2e4", 99, 9, 9)))
        self.web.say("explorer", board.START, explorer(("g1h3", 99, 9, 9)), variant="atomic")
        self.web.say("cloud", board.START.replace("KQkq", "-"), cloud(("e2e3 b7b6", 24), depth=30), variant="antichess")
        self.web.say("tablebase", QUEEN, tablebase(("a1a2", "loss", -3), ("e2e1", "draw", 0)), variant="atomic")
        await self.start(challenge={"variants": "atomic, antichess"}, engine={"nodes": 0, "movetime": 60000},
                         online=self.settings("tablebase, explorer, cloud, chessdb", explorer_games="lichess"))
        for variant, fen, move in (("atomic", None, "g1h3"), ("antichess", None, "e2e3"), ("atomic", QUEEN, "a1a2")):
            with self.subTest(variant, fen=fen):
                game = await self.white(variant=variant, fen=fen)
                self.assertEqual(await self.first_move(game), move)
                game.finish("aborted")
        self.assertEqual(self.web.asked("chessdb"), [])

    async def test_of_eight_men_the_tablebase_may_know_something(self):
        self.web.say("tablebase", EIGHT, tablebase(("a2a3", "maybe-loss", None),
                                                   ("e1d1", "unknown", None)))
        await self.start(engine={"nodes": 0, "movetime": 60000},
                         online=self.settings("tablebase"))
        self.assertEqual(await self.first_move(await self.white(fen=EIGHT)), "a2a3")

    async def test_where_it_knows_nothing_of_eight_men_it_is_asked_on(self):
        await self.start(online=self.settings("tablebase", max_misses=1), engine={"ponder": "no"})
        game = await self.white(Scripted("e8e7"), fen=EIGHT)
        await game.plies(3, 20 * SLOWNESS)
        fens = [r.query["fen"].replace("_", " ").split()
                for r in self.web.asked("tablebase")]
        self.assertTrue({"1", "2"} <= {fen[5] for fen in fens}, fens)

    async def test_tables_that_suggest_leave_the_choice_to_the_engine(self):
        """The queen's loss is the shortest of the wins that are told of; the engine by itself would
        take neither."""
        self.web.say("tablebase", QUEEN, tablebase(("e2e4", "loss", -1), ("e2e1", "loss", -9),
                                                   ("e2e3", "draw", 0)))
        await self.start(engine={"nodes": 0, "movetime": int(2000 * SLOWNESS)},
                         online=self.settings("tablebase", tables="suggest"),
                         **{"rule best": {"when.opponent": "best", "online.tables": "best"}})
        game = await self.white(fen=QUEEN)
        self.assertEqual(await self.first_move(game), "e2e1")
        await self.log_says(rf"move id={game.id} .*uci=e2e1 .*source=engine")
        self.assertEqual(await self.first_move(await self.white(name="best", fen=QUEEN)), "e2e4")

    async def test_what_the_engine_has_found_already_must_stand_before_the_tables(self):
        self.web.say("tablebase", QUEEN, tablebase(("e2e4", "loss", -1), ("e2e1", "loss", -9),
                                                   ("e2e3", "draw", 0)))
        self.sim.faults.order("tablebase", delay_before_s=1)
        await self.start(engine={"nodes": 0, "depth": 1},
                         online=self.settings("tablebase", tables="suggest"))
        game = await self.white(fen=QUEEN)
        self.assertEqual(await self.first_move(game), "e2e4")
        await self.log_says(rf"move id={game.id} .*uci=e2e4 .*source=tablebase")

    async def test_they_are_asked_in_order_until_one_knows_a_move(self):
        self.web.say("cloud", board.START, cloud(("h2h4", 24), depth=29))
        self.web.say("explorer", board.START, explorer(("a2a4", 19, 0, 0)))
        self.web.say("chessdb", board.START, chessdb(("b2b4", 7, 2)))
        await self.start(online=self.settings(EVERYBODY))
        self.assertEqual(await self.first_move(await self.white()), "b2b4")
        self.assertEqual([r.family for r in self.web.asked()], ["cloud", "explorer", "chessdb"])

    async def test_a_players_games_come_as_a_stream_that_is_left(self):
        self.web.say("explorer", board.START, explorer(("a2a4", 30, 9, 9)))
        await self.start(online=self.settings("explorer", explorer_games="player"))
        self.assertEqual(await self.first_move(await self.white()), "a2a4")
        query = self.web.asked()[0].query
        self.assertEqual((query["player"], query["color"]), ("castled-bot", "white"))

    async def test_the_opponents_own_games_tell_what_they_are_weak_against(self):
        self.web.say("explorer", board.START, explorer(("a2a4", 30, 9, 90), ("b2b4", 30, 9, 9)))
        await self.start(online=self.settings("explorer", explorer_games="opponent", explorer_choice="score"))
        self.assertEqual(await self.first_move(await self.white(name="Weak_Bot")), "b2b4")
        query = self.web.asked()[0].query
        self.assertEqual((query["player"], query["color"]), ("weak_bot", "black"))

    async def test_services_may_come_before_the_books(self):
        path = os.path.join(self.directory, "start.bin")
        with open(path, "wb") as file:  # 1.h4, by the format's key of the start position
            file.write(struct.pack(">QHHI", 0x463b96181691fc9c, 7 | 3 << 3 | 7 << 6 | 1 << 9, 1, 0))
        self.web.say("cloud", board.START, cloud(("a2a4 a7a5", 24), depth=30))
        await self.start(book={"files": path}, online=self.settings("cloud", before_book="yes"),
                         **{"rule alone": {"when.opponent": "berta", "online.services": ""}})
        self.assertEqual(await self.first_move(await self.white()), "a2a4")
        self.assertEqual(await self.first_move(await self.white(name="Berta")), "h2h4")

    async def test_nobody_is_asked_without_being_named(self):
        self.web.say("cloud", board.START, cloud(("h2h4", 24)))
        await self.start(online=self.settings(""))
        await self.first_move(await self.white())
        self.assertEqual(self.web.asked(), [])

    async def test_a_slow_service_costs_its_deadline_while_the_engine_thinks(self):
        """One after the other they would take twice as long."""
        self.sim.faults.order("cloud", delay_before_s=60)
        await self.start(engine={"nodes": 0, "movetime": 3000},
                         online=self.settings("cloud", deadline=3000))
        game = await self.white()
        began = time.monotonic()
        await self.first_move(game)
        self.assertTrue(2.5 < time.monotonic() - began < 5.5)
        await self.log_says(r"uci=.* source=engine")

    async def test_after_its_deadline_a_slow_service_makes_room_for_the_next(self):
        self.web.say("chessdb", board.START, chessdb(("b2b4", 7, 2)))
        self.sim.faults.order("cloud", delay_before_s=60)
        await self.start(engine={"nodes": 0, "movetime": 60000},
                         online=self.settings("cloud, chessdb", cloud_deadline=500,
                                              deadline=14000))
        self.assertEqual(await self.first_move(await self.white()), "b2b4")
        self.assertEqual({r.family for r in self.web.asked()}, {"cloud", "chessdb"})

    async def test_who_needs_more_clock_than_there_is_is_not_asked(self):
        self.web.say("cloud", board.START, cloud(("h2h4", 24)))
        self.web.say("chessdb", board.START, chessdb(("b2b4", 7, 2)))
        await self.start(online=self.settings("cloud, chessdb", cloud_min_clock=601),
                         **{"rule any clock": {"when.opponent": "patient",
                                               "online.cloud_min_clock": "auto"}})
        self.assertEqual(await self.first_move(await self.white()), "b2b4")
        self.assertEqual(await self.first_move(await self.white(name="patient")), "h2h4")

    async def test_a_service_that_misses_is_left_for_the_rest_of_the_game(self):
        await self.start(online=self.settings("cloud, chessdb", max_misses=2), engine={"ponder": "no"})
        self.web.say("chessdb", board.START, chessdb(("b2b4", 7, 2)))
        game = await self.white(Scripted("a7a6 b7b6 c7c6 d7d6"))
        await game.plies(7, 40 * SLOWNESS)
        await self.log_says(f"service-skipped id={game.id} source=cloud misses=2")
        await self.log_says(f"service-skipped id={game.id} source=chessdb misses=2")
        asked = len(self.web.asked())
        await game.plies(9, 20 * SLOWNESS)
        self.assertEqual(len(self.web.asked()), asked)
        game.finish("aborted")
        await self.first_move(await self.white())  # another game
        self.assertGreater(len(self.web.asked()), asked)

    async def test_nonsense_is_not_played(self):
        await self.start(online=self.settings(EVERYBODY, max_misses=100))
        bodies = (b"", b"<html>", b"[" * 9999, b'{"pvs":[{"moves":"e2e5","cp":1}],"depth":99}',
                  b'{"moves":[{"uci":"e2e5","white":99}]}', b'{"moves":null,"pvs":7,"status":"ok"}',
                  b'{"status":"ok","moves":[{"uci":"e8e1","score":1,"rank":2}]}', b"\xff" * 99999)
        for body in bodies:
            with self.subTest(body[:50]):
                for service in ("cloud", "explorer", "chessdb"):
                    self.sim.faults.order(service, status=200, body=body)
                game = await self.white()
                await self.first_move(game)
                await self.log_says(rf"move id={game.id} .*source=engine")
                game.finish("aborted")
        for fault in ({"status": 502}, {"reset": True}, {"status": 200, "body": b"x" * (2 << 20)}):
            with self.subTest(fault=list(fault)):
                self.sim.faults.order("cloud", **fault)
                game = await self.white()
                await self.first_move(game)
                game.finish("aborted")

    async def test_answers_without_end_delay_no_move(self):
        """Head, length of a chunk, or body: each service is hung up on, and the engine plays."""
        beginnings = (b"HTTP/1.1 200 OK\r\nX: ", b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5;x=",
                      b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n{\"pvs\":[")
        served = []

        async def endless(call):
            served.append(call.request.path)
            writer = call.connection.writer
            writer.write(beginnings[len(served) % len(beginnings)])
            with contextlib.suppress(OSError):
                while not writer.transport.is_closing():
                    writer.write(b"7," * 8192)
                    await writer.drain()
                    await asyncio.sleep(0.001)
            call.connection.reusable = False
        for path in ("/api/cloud-eval", "/masters", "/lichess", "/cdb.php", "/standard"):
            self.sim.add_route("GET", path, "endless", endless)
        await self.start(online=self.settings(EVERYBODY, max_misses=100, deadline=2000), log={"level": "info"})
        game = await self.white(Scripted("a7a6 b7b6 c7c6"))
        other = await self.white(name="Berta")
        for plies in (1, 3, 5, 7):
            await game.plies(plies, 8 * SLOWNESS)
        await other.plies(1, 8 * SLOWNESS)
        self.assertGreaterEqual(len(served), 3)
        self.assertLess(self.daemon.memory_kib("Rss"), 80 << 10)

    async def test_a_429_stops_a_service_for_all_games_and_no_other(self):
        self.web.say("cloud", board.START, cloud(("h2h4", 24)))
        self.web.say("chessdb", board.START, chessdb(("b2b4", 7, 2)))
        self.sim.faults.order("cloud", status=429, html=True)
        await self.start(online=self.settings("cloud, chessdb"))
        for _ in range(3):
            game = await self.white()
            self.assertEqual(await self.first_move(game), "b2b4")
            game.finish("aborted")
        await self.log_says("service-paused source=cloud status=429 retry_in_ms=60000")
        self.assertEqual(len(self.web.asked("cloud")), 1)
        self.sim.faults.order("chessdb", status=200, body=b'{"status":"rate limit exceeded"}')
        for _ in range(2):
            game = await self.white()
            await self.first_move(game)
            await self.log_says(rf"move id={game.id} .*source=engine")
            game.finish("aborted")
        self.assertEqual(len(self.web.asked("chessdb")), 4)

    async def test_the_cloud_rests_with_the_account_whose_server_it_shares(self):
        self.web.say("cloud", board.START, cloud(("h2h4", 24)))
        self.web.say("chessdb", board.START, chessdb(("b2b4", 7, 2)))
        self.sim.faults.order("playing", status=429, body=b'{"error":"Too many requests.",'
                              b'"ratelimit":{"key":"playing","seconds":60}}')
        await self.start(online=self.settings("cloud, chessdb"))
        await self.log_says("rate-limited family=other")
        self.assertEqual(await self.first_move(await self.white()), "b2b4")
        self.assertEqual(self.web.asked("cloud"), [])

    async def test_games_wait_for_each_other(self):
        """Nobody is asked two questions at a time."""
        self.web.say("cloud", board.START, cloud(("h2h4", 24)))
        self.sim.faults.order("cloud", delay_before_s=0.3, times=3)
        await self.start(online=self.settings("cloud"), engine={"ponder": "no"})
        games = [await self.white(name=f"player{i}") for i in range(3)]
        for game in games:
            self.assertEqual(await self.first_move(game), "h2h4")
        arrivals = [r.arrived for r in self.web.asked("cloud")]
        for earlier, later in zip(arrivals, arrivals[1:3]):
            self.assertGreater(later - earlier, 0.29)

    async def test_the_expected_reply_is_asked_about_in_the_opponents_time(self):
        self.web.say("cloud", board.START, cloud(("h2h4 a7a5", 24)))
        self.web.say("cloud", AFTER_H4_A5, cloud(("b2b4 a5b4", 20)))
        await self.start(online=self.settings("cloud"), engine={"nodes": 0, "movetime": 60000})
        game = await self.white()
        self.assertEqual(await self.first_move(game), "h2h4")
        await self.sim.until(lambda: len(self.web.asked("cloud")) == 2, 20 * SLOWNESS)
        await self.log_says("asked .*source=cloud outcome=found .*for=later")
        await game.move("a7a5")
        await game.plies(3, 20 * SLOWNESS)
        self.assertEqual(game.moves[2], "b2b4")
        fens = [r.query["fen"] for r in self.web.asked("cloud")]
        self.assertEqual(len([fen for fen in fens if fen.startswith(AFTER_H4_A5[:40])]), 1)

    async def test_after_their_move_our_engine_thinks_on_in_the_opponents_time(self):
        """On the reply that the cloud expects: when it comes, the next move is ready."""
        think_s = 4
        self.web.say("cloud", board.START, cloud(("h2h4 a7a5", 24)))
        await self.start(engine={"nodes": 0, "movetime": think_s * 1000},
                         online=self.settings("cloud", max_misses=1))
        game = await self.white()
        self.assertEqual(await self.first_move(game), "h2h4")
        await asyncio.sleep(think_s + 0.5)
        began = time.monotonic()
        await game.move("a7a5")
        await game.plies(3, 20 * SLOWNESS)
        self.assertLess(time.monotonic() - began, think_s / 2)
        await self.log_says(rf"move id={game.id} ply=3 .*source=engine")

    async def test_so_is_the_reply_that_our_engine_expects(self):
        await self.start(online=self.settings("cloud"), engine={"ponder": "no"})
        game = await self.white()
        await self.first_move(game)
        await self.log_says("asked .*source=cloud outcome=nothing .*for=now")
        await self.log_says("asked .*source=cloud outcome=nothing .*for=later", 20)
        fens = [r.query["fen"].split() for r in self.web.asked("cloud")]
        self.assertEqual([(fen[1], fen[5]) for fen in fens], [("w", "1"), ("w", "2")])

    async def test_the_token_goes_to_our_own_explorer_alone(self):
        """Whoever else is asked, and whatever the explorer is said to be."""
        foreign = Simulator(self.directory, judge=self.sim.judge, certificate_files=(
            self.sim.ca_file, self.sim.certificate_file, self.sim.key_file))
        foreign.add_token(TOKEN, self.bot)
        elsewhere = Online(foreign)
        await foreign.start()
        self.addAsyncCleanup(foreign.stop)
        await self.start(online=self.settings(EVERYBODY))
        game = await self.white()
        await self.first_move(game)
        tokens = {r.family: r.headers.get("authorization") for r in self.web.asked()}
        self.assertEqual(tokens, {"cloud": None, "explorer": f"Bearer {TOKEN}", "chessdb": None})
        game.finish("aborted")
        await self.stop_daemon()
        await self.start(online={**self.settings(EVERYBODY), **{
            f"{name}_url": foreign.url for name in ("explorer", "cloud", "chessdb", "tablebase")}})
        await self.first_move(await self.white())
        self.assertEqual({r.family for r in elsewhere.asked()}, {"cloud", "explorer", "chessdb"})
        self.assertEqual([r for r in foreign.requests if "authorization" in r.headers], [])
        await self.log_says("service-paused source=explorer status=401")

    async def test_a_cloud_evaluation_is_asked_for_with_no_more_lines_than_are_needed(self):
        """With more lines the server picks a shallower one, if it has none as deep."""
        self.web.say("cloud", board.START, cloud(("h2h4", 24), depth=50))
        self.web.say("cloud", board.START, cloud(*((move, 24) for move in (
            "a2a4", "b2b4", "c2c4", "d2d4", "e2e4")), depth=12))
        await self.start(engine={"nodes": 0, "movetime": 60000},
                         online=self.settings("cloud", min_depth=20))
        self.assertEqual(await self.first_move(await self.white()), "h2h4")


if __name__ == "__main__":
    unittest.main()
