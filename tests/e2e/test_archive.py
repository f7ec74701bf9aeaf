# SPDX-License-Identifier: GPL-3.0-or-later
"""Finished games are kept, come back as PGN, and survive whatever happens to the daemon."""
import asyncio
import csv
import glob
import json
import os
import re
import random
import shutil
import signal
import sqlite3
import struct
import unittest

from sim.opponent import Engine, Idle, Random, Scripted

from .harness import EX_OK, EX_UNREACHABLE, EX_USAGE, SLOWNESS, DaemonTest

PGN_EXTRACT = shutil.which("pgn-extract", path=os.environ["PATH"] + ":/usr/games")


class ArchiveTest(DaemonTest):
    @property
    def path(self) -> str:
        return os.path.join(self.directory, "castled", "games.sqlite")

    def rows(self, question: str) -> list:
        with sqlite3.connect(f"file:{self.path}?mode=ro", uri=True) as database:
            return database.execute(question).fetchall()

    async def kept(self, count: int, timeout: float = 5) -> None:
        def are_there() -> bool:
            try:
                return self.rows("SELECT count(*) FROM game")[0][0] >= count
            except sqlite3.OperationalError:
                return False
        await self.sim.until(are_there, timeout * SLOWNESS, f"{count} games in the archive")

    async def castled(self, *words: str) -> tuple[int, str]:
        config = os.path.join(self.directory, "castled.conf")
        return await self.command(*words, "--config", config)

    async def short_game(self, **wanted):
        game = await self.game(Random(1), **wanted)
        await game.plies(4, 30 * SLOWNESS)
        game.resign("white")
        await self.over(game)
        return game

    async def test_each_game_becomes_a_pgn_file_by_itself(self):
        folder = os.path.join(self.directory, "pgn")
        await self.start(archive={"pgn": folder})
        game = await self.short_game()
        await self.kept(1)
        await self.sim.until(lambda: glob.glob(os.path.join(folder, "*.pgn")), 30 * SLOWNESS, "the game's file")
        names = os.listdir(folder)
        self.assertRegex(names[0], rf"^\d{{4}}-\d\d-\d\d-{game.id}\.pgn$")
        with open(os.path.join(folder, names[0]), encoding="utf-8") as file:
            written = file.read()
        self.assertEqual((await self.castled("pgn"))[1].strip(), written.strip())
        self.assertEqual(len(names), 1)

    async def test_a_game_is_kept_with_moves_clocks_and_thoughts(self):
        await self.start()
        game = await self.game(Engine(nodes=50), limit=60, increment=1, rated=True)
        await game.plies(8, 20 * SLOWNESS)
        game.resign("white")
        await self.over(game)
        await self.kept(1)
        (uci, clocks, scores, depths, nodes, times, pvs), = self.rows(
            "SELECT uci, clocks_ms, scores, depths, nodes, times_ms, pvs FROM moves")
        self.assertEqual(uci.split(), game.moves)
        for ply, values in enumerate(zip(clocks.split(), scores.split(), depths.split(),
                                         nodes.split(), times.split())):
            clock, *thought = values
            self.assertLessEqual(int(clock), 70000)
            self.assertEqual("-" in thought, ply % 2 == 0, (ply, values))
        self.assertTrue(any(re.fullmatch(r"\w{4,5}(,\w{4,5})+", pv) for pv in pvs.split()[1::2]), pvs)
        self.assertEqual(set(pvs.split()[::2]), {"-"})
        self.assertRegex((await self.castled("pgn"))[1].replace("\n", " "), r"\[%clk [\d:]+\] pv \w\S+ \w\S+")
        (row,) = self.rows("SELECT id, variant, speed, rated, opponent_id, outcome, plies,"
                           " white_rating, our_colour FROM game")
        self.assertEqual(row, (game.id, "standard", "bullet", 1, "alba", "win", len(game.moves),
                               1500, "black"))

    async def test_games_and_pgn_tell_what_was_played(self):
        await self.start()
        games = [await self.short_game(name="Alba"), await self.short_game(name="Berta"),
                 await self.short_game(name="Alba", variant="chess960")]
        await self.kept(3)
        status, output = await self.castled("games")
        self.assertEqual(status, EX_OK, output)
        self.assertEqual([line.split()[0] for line in output.splitlines()],
                         [game.id for game in reversed(games)])
        status, output = await self.castled("games", "--opponent", "berta", "--json")
        self.assertEqual(json.loads(output)["id"], games[1].id)
        status, output = await self.castled("pgn", games[1].id)
        self.assertEqual(status, EX_OK, output)
        self.assertIn(f'[Site "{self.url}/{games[1].id}"]', output)
        self.assertIn("[%clk", output)
        status, output = await self.castled("pgn")
        self.assertEqual(output.count("[White "), 3)
        if PGN_EXTRACT is not None:
            await self.another_program_reads(output, games)

    async def another_program_reads(self, text: str, games: list) -> None:
        process = await asyncio.create_subprocess_exec(
            PGN_EXTRACT, "-Wuci", "-C", "-V", stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE)
        output, errors = await process.communicate(text.encode())
        self.assertIn(b"3 games matched out of 3.", errors)
        for game in games[:2]:
            self.assertIn(" ".join(game.moves[:4]).encode(), output)

    async def stats(self, *words: str) -> dict:
        """The lines of `castled stats --json`, by table and name."""
        status, output = await self.castled("stats", "--json", *words)
        self.assertEqual(status, EX_OK, output)
        lines = [json.loads(line) for line in output.splitlines()]
        return {(line["by"], line["name"]): line for line in lines}

    async def start_as_a_service(self) -> str:
        """The daemon has the variables of its unit, the commands have not. Returns its archive."""
        state = os.path.join(self.directory, "unit", "state")
        os.makedirs(state)
        await self.start(process={"variables": {"STATE_DIRECTORY": state}},
                         status={"socket": os.path.join(self.directory, "unit", "castled.sock")})
        return os.path.join(state, "games.sqlite")

    async def test_from_a_shell_the_running_services_archive_is_found(self):
        archive = await self.start_as_a_service()
        self.sim.add_account("Alba", is_present=True, player=Idle)
        game = await self.short_game(name="Alba")
        await self.log_says(f"game over id={game.id}")
        with sqlite3.connect(f"file:{archive}?mode=ro", uri=True) as database:
            await self.sim.until(lambda: database.execute("SELECT 1 FROM game").fetchone(),
                                 5 * SLOWNESS, "the game in the service's archive")
        self.assertFalse(os.path.exists(self.path))
        for words in ("games",), ("pgn",), ("stats",):
            status, output = await self.castled(*words)
            self.assertEqual(status, EX_OK, output)
            self.assertIn("Alba", output)
        status, output = await self.castled("check")
        self.assertEqual(status, EX_OK, output)
        self.assertIn(f"{archive} (the running daemon's)\n", output)
        status, output = await self.castled("challenge", "--again", "alba")
        self.assertEqual(status, EX_OK, output)
        self.assertIn("accepted: ", output)

    async def test_without_a_daemon_check_says_that_it_speaks_of_the_users_own(self):
        self.write_config()
        status, output = await self.castled("check")
        self.assertEqual(status, EX_OK, output)
        self.assertRegex(output, r"games\.sqlite \(this user's own\): not there yet")

    async def test_stats_tell_how_we_did(self):
        book = os.path.join(self.directory, "start.bin")
        with open(book, "wb") as file:  # after 1.e4: c5
            file.write(struct.pack(">QHHI", 0x823c9b50fd114196, 0o6242, 1, 0))
        await self.start(book={"files": book}, engine={"nodes": 1000})
        self.sim.add_account("Berta", title="BOT", rating=1500)
        for name, opening, loser in (("Alba", "e2e4 g1f3", "white"), ("Alba", "e2e4 b1c3", "black"),
                                     ("Berta", "d2d4 c2c4", "black")):
            game = await self.game(Scripted(opening), name=name)
            await game.plies(4, 30 * SLOWNESS)
            game.resign(loser)
            await self.over(game)
        await self.kept(3)
        told = await self.stats()
        everything = told["all", ""]
        self.assertEqual([everything[key] for key in ("games", "won", "drawn", "lost")], [3, 1, 0, 2])
        self.assertEqual(everything["book"]["games"], 2)
        self.assertEqual(everything["book"]["plies"], 2)
        self.assertEqual(told["opponent", "Alba"]["score"], 0.5)
        self.assertEqual(told["kind", "human"]["games"], 2)
        self.assertEqual(told["kind", "bot"]["lost"], 1)
        status, output = await self.castled("status", "--json")
        self.assertEqual(json.loads(output)["results"], {  # half the points, and none
            "human": {"won": 1, "drawn": 0, "lost": 1, "performance": 1500},
            "bot": {"won": 0, "drawn": 0, "lost": 1, "performance": 700}})
        status, output = await self.castled("status")
        self.assertRegex(output, r"(?m)^against  humans: 1 won, 0 drawn, 1 lost; performance 1500$")
        self.assertRegex(output, r"(?m)^against  bots: 0 won, 0 drawn, 1 lost; performance 700$")
        self.assertEqual(told["reason", "resign"]["lost"], 2)
        told = await self.stats("--by", "book")
        self.assertEqual(list(told), [("book", "1.e4 c5")])
        self.assertEqual(told["book", "1.e4 c5"]["book"]["evaluated"], 2)
        told = await self.stats("--by", "opening", "--lost", "--limit", "1")
        self.assertEqual(len(told), 1)
        told = await self.stats("--by", "opening", "--bots")
        self.assertRegex(list(told)[0][1], r"^[A-Z][^.]+$")  # no longer the moves themselves
        told = await self.stats("--by", "month")
        games = {name.split()[1]: line["games"] for (_, name), line in told.items()}
        self.assertEqual(games, {"human": 2, "bot": 1})
        await self.stats_tell_the_use_of_time()
        status, output = await self.castled("stats")
        self.assertEqual(status, EX_OK, output)
        self.assertRegex(output, r"(?m)^opponent +2 +1 +0 +1 +50\.0 % +1500  Alba$")
        self.assertRegex(output, r"(?m)^lost: 2 resign$")
        self.assertRegex(output, r"(?m)^book: followed in 2 games, to ply 2\.0 in the mean, then [+-]")
        self.assertLessEqual(len(output.splitlines()), 24)
        status, output = await self.castled("stats", "--by", "opponent", "--limit", "1")
        self.assertRegex(output, r"and 1 more: see --limit\n$")
        status, output = await self.castled("stats", "--speed", "rapid")
        self.assertEqual((status, output), (EX_OK, "no games\n"))

    async def stats_tell_the_use_of_time(self):
        line, = (await self.stats("--by", "time")).values()
        self.assertEqual(line["time"]["games"], 3)
        self.assertGreaterEqual(line["time"]["moves"], 3)
        self.assertLess(line["time"]["clock_share"], 0.2)
        status, output = await self.castled("stats", "--by", "time", "--format", "csv")
        self.assertEqual(status, EX_OK, output)
        row, = csv.DictReader(output.splitlines())
        self.assertEqual((row["name"], row["games"], row["book_games"]), (line["name"], "3", ""))
        self.assertAlmostEqual(float(row["move_s"]), line["time"]["move_s"], 3)
        status, output = await self.castled("stats", "--format", "csv")
        kinds = {row["name"]: row["games"] for row in csv.DictReader(output.splitlines())
                 if row["by"] == "kind"}
        self.assertEqual(kinds, {"human": "2", "bot": "1"})
        status, output = await self.castled("stats", "--by", "time")
        self.assertRegex(output, r"a move +clock +lag  time\n.* s +\d+ % +\d+ ms")

    async def test_why_tells_where_a_game_lost_points(self):
        await self.start()
        # After 1.f3 e5 2.g4 there is mate in one, whatever castled answers to 1.f3.
        game = await self.game(Scripted("f2f3 g2g4"), name="Alba", limit=60)
        await game.plies(4, 30 * SLOWNESS)
        if game.is_running:
            game.resign("white")
        await self.over(game)
        await self.kept(1)
        status, output = await self.castled("why", game.id, "--nodes", "2000")
        self.assertEqual(status, EX_OK, output)
        self.assertRegex(output, rf"(?m)^{game.id}  Alba \(1500\) - Castled-Bot \(2000\)  0-1 ")
        told = output.splitlines()[0]
        self.assertRegex(output, r"(?m)^White \|.*\|$")
        self.assertRegex(output, r"(?m)^(1\. f3|2\. g4)\?+ .* chess  they: \S+ was best; "
                                 r"\d+ % of 1500s play it")
        self.assertRegex(output, r"(?m)^Castled-Bot +\d+\.\d % ")
        status, output = await self.castled("pgn", game.id, "--analysis")
        self.assertEqual(status, EX_OK, output)
        self.assertRegex(output, r"(?s)(f3|g4) \$\d \{.*(Inaccuracy|Mistake|Blunder)\s\(chess\)\.")
        self.assertEqual((await self.castled("why", "latest", "--nodes", "2000"))[1].splitlines()[0], told)
        status, output = await self.castled("why", "abcdefgh")
        self.assertEqual(status, 1, output)
        self.assertIn("abcdefgh: no such game in the archive; castled games lists them", output)
        for words in ((), ("a", "b"), ("not/an/id",), (game.id, "--nodes"),
                      (game.id, "--nodes", "0"), (game.id, "--fast")):
            status, output = await self.castled("why", *words)
            self.assertEqual(status, EX_USAGE, output)

    async def test_no_cell_of_the_csv_is_a_formula(self):
        await self.start()
        await self.short_game()
        await self.kept(1)
        await self.stop_daemon()
        with sqlite3.connect(self.path) as archive:
            archive.execute("UPDATE game SET opponent_id = '=1+1', white = '=1+1', black = '=1+1'")
        status, output = await self.castled("stats", "--by", "opponent", "--format", "csv")
        self.assertEqual(status, EX_OK, output)
        row, = csv.DictReader(output.splitlines())
        self.assertEqual(row["name"], "'=1+1")

    async def test_stats_of_a_damaged_archive_say_so(self):
        await self.start()
        await self.short_game()
        await self.kept(1)
        await self.stop_daemon()
        with sqlite3.connect(self.path) as database:
            database.execute("DROP TABLE moves")
        status, output = await self.castled("stats")
        self.assertEqual(status, 1, output)
        self.assertIn("no such table", output)
        database.close()
        for name in os.listdir(os.path.dirname(self.path)):
            if name.startswith("games.sqlite"):  # the log of what was written last as well
                os.remove(os.path.join(os.path.dirname(self.path), name))
        with open(self.path, "wb") as file:
            file.write(b"no database any more")
        status, output = await self.castled("stats")
        self.assertEqual(status, EX_UNREACHABLE, output)
        self.assertIn("not a castled archive", output)

    async def test_words_that_mean_nothing_are_usage_errors(self):
        self.write_config()
        for words in (("games", "--since", "2026-02-30"), ("games", "--limit"), ("games", "x"),
                      ("pgn", "--variant", "checkers"), ("pgn", "not/an/id"), ("pgn", "--json"),
                      ("stats", "--by"), ("stats", "--by", "weather"), ("stats", "--format"),
                      ("stats", "--format", "xml"), ("stats", "x"),
                      ("stats", "--limit", "0")):
            status, output = await self.castled(*words)
            self.assertEqual(status, EX_USAGE, output)

    async def test_without_an_archive_the_commands_say_so(self):
        self.write_config()
        for words in ("games",), ("stats",), ("why", "abcdefgh"):
            status, output = await self.castled(*words)
            self.assertEqual(status, EX_UNREACHABLE, output)
            self.assertIn("there is no archive yet", output)
        self.write_config(archive={"file": "off"})
        status, output = await self.castled("pgn")
        self.assertEqual(status, EX_UNREACHABLE, output)
        self.assertIn("the archive is off", output)
        self.write_config(archive={"fiel": "x"})
        status, output = await self.castled("games")
        self.assertEqual(status, EX_UNREACHABLE, output)
        self.assertRegex(output, r'(?s)"fiel" in \[archive\].*going on without.*there is no archive yet')

    async def test_off_means_that_no_file_is_made(self):
        await self.start(archive={"file": "off"})
        await self.short_game()
        await self.stop_daemon()
        self.assertFalse(os.path.exists(self.path))

    async def test_an_archive_that_cannot_be_written_holds_no_game_up(self):
        await self.start(archive={"file": "/proc/castled/games.sqlite"})
        await self.short_game()
        await self.short_game()
        self.assertEqual(self.daemon.log().count("archive not-written"), 1)

    async def test_while_somebody_makes_an_archive_signals_are_heard_and_it_is_not_waited_for(self):
        os.makedirs(os.path.dirname(self.path))
        maker = sqlite3.connect(self.path, isolation_level=None)
        maker.execute("BEGIN EXCLUSIVE")
        try:
            await self.start(wait=False)
            await asyncio.sleep(0.5)
            self.daemon.signal(signal.SIGHUP)
            await self.stop_daemon()
            self.assertIn("daemon stopped", self.daemon.log())
            await self.start()  # and is online, without
            await self.log_says("archive not-written")
        finally:
            maker.close()
        await self.log_says("archive writable-again")
        await self.short_game()
        await self.kept(1)

    async def test_a_foreign_file_is_left_alone_and_holds_no_game_up(self):
        path = os.path.join(self.directory, "diary")
        with open(path, "w", encoding="ascii") as file:
            file.write("Dear diary, today I lost on time. " * 100)
        before = os.stat(path)
        await self.start(archive={"file": path})
        await self.short_game()
        self.assertIn("not a castled archive", self.daemon.log())
        await self.stop_daemon()
        self.assertEqual(os.stat(path).st_mtime_ns, before.st_mtime_ns)

    async def test_a_kill_in_mid_write_leaves_a_whole_archive(self):
        seeded = random.Random(7)
        kept = 0
        for _ in range(4):
            await self.start(games={"concurrency": 8})
            games = [await self.game(Random(1), name=f"player{n}") for n in range(6)]
            for game in games:
                await game.plies(3, 30 * SLOWNESS)
            for game in games:
                if game.is_running:  # or castled has mated already
                    game.resign("white")
            await asyncio.sleep(seeded.random() * 0.03)
            await self.daemon.kill()
            await self.sim.until(lambda: not self.bot.is_online, 5)
            with sqlite3.connect(self.path) as database:
                self.assertEqual(database.execute("PRAGMA integrity_check").fetchall(), [("ok",)])
                games_kept = database.execute("SELECT count(*) FROM game").fetchone()[0]
                moves_kept = database.execute("SELECT count(*) FROM moves").fetchone()[0]
            self.assertGreaterEqual(games_kept, kept)
            self.assertEqual(games_kept, moves_kept)
            kept = games_kept
        await self.start()
        await self.short_game()
        await self.kept(kept + 1)

    async def test_what_is_queued_at_the_end_is_written(self):
        await self.start(games={"concurrency": 8})
        games = [await self.game(Scripted("e2e4 d2d4"), name=f"player{n}") for n in range(5)]
        for game in games:
            await game.plies(3, 30 * SLOWNESS)
        for game in games:
            game.resign("white")
        await self.log_says("(?s)(game over.*){5}")
        await self.stop_daemon()
        self.assertEqual(self.rows("SELECT count(*) FROM game"), [(5,)])


if __name__ == "__main__":
    unittest.main()
