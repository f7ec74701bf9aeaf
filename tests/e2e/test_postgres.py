# SPDX-License-Identifier: GPL-3.0-or-later
"""[archive] database: games go to a PostgreSQL server that this test starts, and wait while it is away."""
import asyncio
import json
import os
import re
import sqlite3
import unittest

from sim.daemon import Daemon, free_port
from sim.opponent import Random

from support.postgres_server import PostgresServer, find_programs

from .harness import EX_CONFIG, EX_OK, PROGRAM, SLOWNESS, STOP_S, DaemonTest

PROGRAMS = find_programs()


@unittest.skipUnless(PROGRAMS or os.environ.get("CI"), "no PostgreSQL server here: apt-get install postgresql")
class PostgresTest(DaemonTest):
    @classmethod
    def setUpClass(cls):
        cls.server = PostgresServer(PROGRAMS)
        cls.addClassCleanup(cls.server.remove)

    async def asyncSetUp(self):
        await super().asyncSetUp()
        self.server.start()
        self.server.ask("DROP SCHEMA public CASCADE; CREATE SCHEMA public")

    async def play(self):
        game = await self.game(Random(1))
        await game.plies(4, 30 * SLOWNESS)
        game.resign("white")
        await self.over(game)
        return game

    def has(self, count):
        try:
            return self.server.ask("SELECT count(*) FROM game") == [str(count)]
        except RuntimeError:  # there is no table yet
            return False

    async def stored(self, count, timeout=60):
        await self.sim.until(lambda: self.has(count), timeout * SLOWNESS, f"{count} games on the server")

    async def castled(self, *words):
        return await self.command(*words, "--config", os.path.join(self.directory, "castled.conf"))

    async def test_games_go_to_the_server_and_commands_read_them_there(self):
        await self.start(archive={"database": self.server.address})
        games = [await self.play(), await self.play()]
        await self.stored(2)
        self.assertEqual(self.server.ask("SELECT DISTINCT account, outcome FROM game"), ["castled-bot|win"])
        status, output = await self.castled("games", "--json")
        self.assertEqual(status, EX_OK, output)
        self.assertEqual({json.loads(line)["id"] for line in output.splitlines()}, {game.id for game in games})
        status, output = await self.castled("pgn", games[0].id)
        self.assertEqual(status, EX_OK, output)
        self.assertIn(f'[Site "{self.url}/{games[0].id}"]', output)
        status, output = await self.castled("stats", "--by", "all")
        self.assertEqual(status, EX_OK, output)
        self.assertRegex(output, r"(?m)^ +2 +2 +0 ")  # games, of them won and drawn
        status, output = await self.castled("games", "--account", "nobody")
        self.assertNotIn(games[0].id, output)

    async def test_a_greeting_tells_the_performance_in_the_games_on_the_server(self):
        await self.start(archive={"database": self.server.address}, chat={"hello": "Against people: {performance}."})
        await self.play()
        await self.stored(1)
        await asyncio.sleep(1)  # the daemon reads them a moment later
        game = await self.game(Random(1))
        said = lambda: [text for game_id, _, _, text in self.sim.chats if game_id == game.id]
        await self.sim.until(said, 10 * SLOWNESS, "a greeting")
        self.assertRegex(said()[0], r"^Against people: \d+ in 1 game\.$")
        game.resign("white")
        await self.over(game)

    async def test_games_on_the_server_are_analysed_and_explained(self):
        await self.start(archive={"database": self.server.address})
        games = [await self.play(), await self.play()]
        await self.stored(2)
        for now in (2, 0):  # what is kept is not searched again
            status, output = await self.castled("analyse", "--nodes", "1000")
            self.assertEqual(status, EX_OK, output)
            self.assertRegex(output, rf"(?m)^{now} games analysed now$")
            self.assertRegex(output, r"(?m)^analysed: 2 of 2 games, accuracy ")
        self.server.ask("UPDATE analysis SET scores = '777' || substr(scores, position(' ' in scores)),"
                        " depths = '9' || substr(depths, position(' ' in depths)), best = 'a2a3'"
                        " || substr(best, position(' ' in best))")
        status, output = await self.castled("why", games[0].id, "--nodes", "1000")
        self.assertEqual(status, EX_OK, output)
        self.assertIn("+7.77", output)
        status, output = await self.castled("stats", "--by", "losses", "--json")
        self.assertEqual(status, EX_OK, output)
        self.assertEqual(json.loads(output)["losses"]["analysed"], 2)

    async def test_analysing_goes_on_after_a_connection_broke(self):
        await self.start(archive={"database": self.server.address})
        await self.play()
        await self.play()
        await self.stored(2)
        await self.stop_daemon()
        self.server.ask("""CREATE SEQUENCE tries; CREATE FUNCTION die() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
                           IF nextval('tries') < 3 THEN PERFORM pg_terminate_backend(pg_backend_pid()); END IF;
                           RETURN NEW; END $$;
                           CREATE TRIGGER die BEFORE INSERT ON analysis FOR EACH ROW EXECUTE FUNCTION die()""")
        status, output = await self.castled("analyse", "--nodes", "100")
        self.assertEqual(status, EX_OK, output)
        self.assertIn("waiting for the database", output)
        self.assertIn("2 games analysed now", output)

    async def test_without_the_server_games_go_on_and_are_stored_later(self):
        self.server.stop()
        await self.start(archive={"database": self.server.address})
        await self.play()
        await self.log_says("archive not-forwarded")
        status, output = await self.castled("status", "--json")
        archive = json.loads(output)["archive"]
        self.assertEqual((archive["state"], archive["waiting"]), ("failing", 1))
        await self.stop_daemon()  # what waits survives that
        self.server.start()
        await self.start(archive={"database": self.server.address})
        await self.stored(1)
        self.server.stop()
        await self.play()
        self.server.start()
        await self.stored(2)

    async def test_two_bots_share_an_archive(self):
        await self.start(archive={"database": self.server.address})
        other = self.sim.add_account("Berta-Bot", title="BOT", rating=1900)
        self.sim.add_token("lip_berta", other)
        folder = os.path.join(self.directory, "berta")
        os.mkdir(folder)
        second = await Daemon.start(
            PROGRAM, self.write_config("berta.conf", archive={"database": self.server.address}),
            os.path.join(self.directory, "berta.log"),
            {**self.environment("lip_berta"), "XDG_STATE_HOME": folder})
        await self.sim.until(lambda: other.is_online, 30 * SLOWNESS, "the second daemon")
        ours = await self.play()
        challenge = await self.sim.challenge(other, "Corvin", player=Random(1))
        theirs = await challenge.started(10 * SLOWNESS)
        await theirs.plies(4, 30 * SLOWNESS)
        theirs.resign("white")
        await self.stored(2)
        self.assertEqual(self.server.ask("SELECT account FROM game ORDER BY 1"), ["berta-bot", "castled-bot"])
        for words, seen in (((), {ours.id, theirs.id}), (("--account", "Berta-Bot"), {theirs.id})):
            status, output = await self.castled("games", *words)
            self.assertEqual(status, EX_OK, output)
            self.assertEqual({line.split()[0] for line in output.splitlines()}, seen)
        status, seconds = await second.stop()
        self.assertEqual(status, EX_OK)
        self.assertLess(seconds, STOP_S * SLOWNESS)

    async def test_the_page_shows_our_own_games_from_the_server(self):
        port = free_port()
        await self.start(archive={"database": self.server.address}, status={"http": port})
        game = await self.play()
        await self.stored(1)
        self.server.ask("UPDATE game SET id = 'another1', white_id = 'a', black_id = 'b'")
        await self.play()
        await self.stored(2)
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(b"GET /games.json HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        page = (await reader.read()).decode()
        writer.close()
        self.assertNotIn("another1", page)
        self.assertEqual(len(re.findall(r'"id": ?"', page)), 1, page)
        self.assertNotEqual(game.id, "another1")

    async def test_a_stop_waits_for_no_server_that_hangs(self):
        async def hang(reader, _):
            await reader.read()
        listener = await asyncio.start_unix_server(hang, os.path.join(self.directory, ".s.PGSQL.5432"))
        await self.start(archive={"database": f"postgresql:///castled?host={self.directory}"})
        await self.play()
        await self.stop_daemon()
        listener.close()
        with sqlite3.connect(os.path.join(self.directory, "castled", "games.sqlite")) as file:
            self.assertEqual(file.execute("SELECT count(*) FROM game").fetchone(), (1,))

    async def test_a_password_does_not_stand_in_the_configuration(self):
        config = self.write_config(archive={"database": "postgresql://me:s3cr3t@host/castled"})
        for words in ("check",), ("check", "--show"), ("run",):
            status, output = await self.command(*words, "--config", config)
            self.assertEqual(status, EX_CONFIG, output)
            self.assertNotIn("s3cr3t", output)
            self.assertIn("it belongs into ~/.pgpass", output)

    async def test_check_says_what_the_server_has(self):
        config = self.write_config(archive={"database": self.server.address})
        _, output = await self.castled("check")
        self.assertIn("there is no archive yet: `castled run` makes it", output)
        await self.start(archive={"database": self.server.address})
        await self.play()
        await self.stored(1)
        _, output = await self.castled("check")
        self.assertRegex(output, r"archive +postgresql:///castled\S*: PostgreSQL \d+.*, schema \d+, 1 games")
        self.server.stop()
        status, output = await self.command("check", "--config", config)
        self.assertEqual(status, EX_OK, output)  # games go on
        self.assertRegex(output, r"warn +archive +postgresql:///castled\S*: connection to server")
