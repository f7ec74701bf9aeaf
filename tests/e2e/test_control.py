# SPDX-License-Identifier: GPL-3.0-or-later
"""The operator's commands to a running daemon: status, drain, resume, reload, log-level."""
import asyncio
import contextlib
import fcntl
import json
import os
import pty
import signal
import socket
import struct
import termios
import time
import unittest

from sim import pgn
from sim.opponent import Engine, Idle, Random, Scripted

from .harness import EX_CONFIG, EX_OK, EX_UNREACHABLE, EX_USAGE, PROGRAM, SLOWNESS, TOKEN, DaemonTest


class ControlTest(DaemonTest):
    async def castled(self, *words: str, timeout: float = 20) -> tuple[int, str]:
        config = os.path.join(self.directory, "castled.conf")
        return await self.command(*words, "--config", config, token=None, timeout=timeout)

    async def status(self) -> dict:
        status, output = await self.castled("status", "--json")
        self.assertEqual(status, EX_OK, output)
        self.assertNotIn(TOKEN, output)
        return json.loads(output)

    async def test_status_tells_how_the_bot_is_doing(self):
        await self.start(games={"concurrency": 1})
        game = await self.game(Engine(nodes=50), limit=180, increment=2)
        await game.plies(5, 20 * SLOWNESS)
        await self.challenge(Idle(), name="waiting")
        await self.log_says("challenge waits")
        status = await self.status()
        self.assertEqual(status["account"], "castled-bot")
        self.assertTrue(status["online"])
        self.assertEqual(status["slots_used"], 1)
        self.assertEqual([w["player"] for w in status["waiting"]], ["waiting"])
        self.assertRegex(status["waiting"][0]["game"], r"^[\d.]+\+\d+ casual standard$")
        self.assertIn(status["waiting"][0]["waiting_s"], range(60))
        self.assertEqual(status["limits"], {})
        self.assertGreater(status["pacer"]["ranks"]["move"]["sent"], 1)
        self.assertGreater(status["pacer"]["last_minute"], 3)
        self.assertEqual(status["archive"]["state"], "fine")
        self.assertGreater(status["memory_kib"], 1000)
        (shown,) = status["games"]
        self.assertEqual(shown["id"], game.id)
        self.assertEqual(shown["white"]["name"], "Alba")
        self.assertEqual(shown["us"], "black")
        self.assertLessEqual(shown["clock_ms"]["black"], 190000)
        self.assertIn("eval", shown)
        code, text = await self.castled("status")
        self.assertEqual(code, EX_OK, text)
        for part in ("castled-bot", game.id, "Alba (1500)", "online for", "moves    ", "1 of 1 slots",
                     "archive  fine, 0 games written"):
            self.assertIn(part, text)
        self.assertRegex(text, r"theirs \d+:\d\d  for us [+-]\d")

    async def test_status_shows_no_rating_that_is_unknown_and_no_end_that_is(self):
        self.sim.add_account("Nobody", rating=None)
        await self.start()
        game = await self.game(Scripted("e2e4"), limit=600, colour="white", name="Nobody")
        await game.plies(2, 20 * SLOWNESS)
        _, text = await self.castled("status")
        self.assertRegex(text, f"(?m)^  {game.id}  Nobody  black  move 2 ")
        game.finish("unknownFinish")
        await self.log_says(f"game over id={game.id}|over .*id={game.id}")
        status = await self.status()
        self.assertEqual(status["games_finished"], {"won": 0, "lost": 0, "drawn": 0, "aborted": 0, "unknown": 1})
        self.assertIn("0 aborted, 1 of unknown end, since", (await self.castled("status"))[1])

    async def test_watch_prints_each_move_of_a_game_until_it_is_over(self):
        await self.start(engine={"nodes": 300})
        game = await self.game(Engine(nodes=300, delay=0.02), limit=180)
        code, text = await self.castled("watch", game.id, timeout=120)
        self.assertEqual(code, EX_OK, text)
        lines = [line for line in text.splitlines() if line.startswith(game.id)]
        self.assertEqual(len(lines), len(game.moves) + 1)
        self.assertEqual([pgn.san_move(game, ply) for ply in range(len(game.moves))],
                         [line.split()[2] for line in lines[:-1]])
        self.assertRegex(lines[-1], f"{pgn.result(game)} {game.status}$")
        self.assertRegex(text, r"[+-]\d+\.\d\d  depth \d+")
        for word, why in (("nosuchid", "no game is being played"), ("latest", "no game is being played"),
                          (game.id[:4], "no game is being played")):
            code, text = await self.castled("watch", word, timeout=30)
            self.assertEqual(code, 1, text)
            self.assertIn(why, text)

    async def test_watch_finds_a_game_by_its_beginning_or_as_the_latest(self):
        await self.start(games={"concurrency": 2})
        games = [await self.game(Scripted("e2e4"), name=name, limit=600, colour="white")
                 for name in ("Alba", "Berta")]
        for game, word in ((games[0], games[0].id[:5]), (games[1], "latest")):
            await game.plies(2, 20 * SLOWNESS)
            watch = asyncio.create_task(self.castled("watch", word))
            await asyncio.sleep(0.5)
            game.resign("white")
            code, text = await watch
            self.assertEqual(code, EX_OK, text)
            self.assertIn(f"{game.id}  0-1 resign", text)

    async def test_watch_says_why_it_ends_when_the_boards_have_gone(self):
        await self.start()
        ours, theirs, _, process = await self.watch_on_a_terminal()
        await self.boards(ours)
        await self.stop_daemon()
        last = await self.ends(process, ours)
        self.assertEqual(process.returncode, EX_UNREACHABLE)
        self.assertIn("no daemon answers", last.split("\x1b[?1049l")[1])
        os.close(ours)
        os.close(theirs)

    async def test_watch_leaves_lines_out_where_the_terminal_is_low(self):
        await self.start(engine={"nodes": 300})
        game = await self.game(Scripted("e2e4"), limit=180, colour="white")
        await game.plies(2, 20 * SLOWNESS)
        for rows, columns, parts in ((12, 40, ("Alba 1500", "8  ", "1  R", "Castled-Bot")),
                                     (9, 40, ("1 game; needs 28 columns, 11 lines",)),
                                     (24, 20, ("1 game; needs 28 col",))):
            ours, theirs, _, process = await self.watch_on_a_terminal(rows, columns)
            shown = await self.boards(ours, "1 game")
            frame = shown.rpartition("\x1b[H")[2]
            for part in parts:
                self.assertIn(part, frame)
            self.assertLess(frame.count("\n"), rows)
            os.write(ours, b"q")
            await self.ends(process, ours)
            os.close(ours)
            os.close(theirs)

    async def test_watch_shows_moves_where_the_terminal_is_wide(self):
        await self.start(games={"concurrency": 3}, engine={"nodes": 300})
        for name, columns in (("Alba", 60), ("Berta", 110)):
            game = await self.game(Scripted("e2e4"), limit=180, colour="white", name=name)
            await game.plies(2, 20 * SLOWNESS)
            for width, is_wide in ((columns, True), (columns - 20, False)):
                ours, theirs, _, process = await self.watch_on_a_terminal(24, width)
                frame = (await self.boards(ours, "q: quit")).rpartition("\x1b[H")[2]
                self.assertEqual("1.  e4 " in frame, is_wide, frame)
                self.assertIn("Alba", frame)
                os.write(ours, b"q")
                await self.ends(process, ours)
                os.close(ours)
                os.close(theirs)

    async def test_resign_asks_on_a_terminal_which_game_is_meant(self):
        await self.start()
        game = await self.game(Scripted("e2e4"), limit=600, colour="white")
        await game.plies(2, 20 * SLOWNESS)
        for answer, code in ((b"n\n", 1), (b"\x04", 1), (b"y\n", EX_OK)):
            self.assertTrue(game.is_running)
            ours, theirs, _, process = await self.on_a_terminal("resign")
            await self.boards(ours, f"resign {game.id} against Alba? [y/N]")
            os.write(ours, answer)
            await self.ends(process, ours)
            self.assertEqual(process.returncode, code)
            os.close(ours)
            os.close(theirs)
        self.assertEqual(await self.over(game), ("resign", "white"))

    async def test_watch_draws_boards_on_a_terminal_until_q_is_pressed(self):
        await self.start(engine={"nodes": 300})
        games = [await self.game(Scripted("e2e4"), name=name, limit=180, colour="white")
                 for name in ("Alba", "Berta")]
        for game in games:
            await game.plies(2, 20 * SLOWNESS)
        ours, theirs, before, process = await self.watch_on_a_terminal()
        shown = await self.boards(ours)
        self.assertIn("Alba 1500", shown)
        self.assertIn("Berta 1500", shown)
        self.assertRegex(shown, r"4  \.  \.  \.  P  \.")
        os.write(ours, b"fnp")
        os.write(ours, b"q")
        await self.ends(process, ours)
        self.assertEqual(process.returncode, EX_OK)
        self.assertEqual(termios.tcgetattr(theirs), before)
        os.close(ours)
        os.close(theirs)

    async def test_watch_gives_the_terminal_back_when_a_signal_ends_it(self):
        await self.start(engine={"nodes": 300})
        game = await self.game(Scripted("e2e4"), limit=180, colour="white")
        await game.plies(2, 20 * SLOWNESS)
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            with self.subTest(number.name):
                ours, theirs, before, process = await self.watch_on_a_terminal()
                await self.boards(ours)
                self.assertNotEqual(termios.tcgetattr(theirs), before)
                process.send_signal(number)
                last = await self.ends(process, ours)
                self.assertEqual(process.returncode, -number)
                self.assertEqual(termios.tcgetattr(theirs), before)
                self.assertTrue(last.endswith("\x1b[?25h\x1b[?1049l"), last[-80:])
                os.close(ours)
                os.close(theirs)

    async def watch_on_a_terminal(self, rows: int = 24, columns: int = 80
                                  ) -> tuple[int, int, list, asyncio.subprocess.Process]:
        return await self.on_a_terminal("watch", rows=rows, columns=columns)

    async def on_a_terminal(self, command: str, rows: int = 24, columns: int = 80
                            ) -> tuple[int, int, list, asyncio.subprocess.Process]:
        """Our end of the terminal, the program's, how it is set before, and the program."""
        ours, theirs = pty.openpty()
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        before = termios.tcgetattr(theirs)
        process = await asyncio.create_subprocess_exec(
            PROGRAM, command, "--config", os.path.join(self.directory, "castled.conf"), stdin=theirs,
            stdout=theirs, stderr=theirs, env={**self.environment(), "TERM": "xterm", "NO_COLOR": "1"})
        os.set_blocking(ours, False)
        return ours, theirs, before, process

    @staticmethod
    def read_terminal(ours: int) -> str:
        with contextlib.suppress(BlockingIOError):
            return os.read(ours, 1 << 16).decode(errors="replace")
        return ""

    async def boards(self, ours: int, until: str = "q: quit") -> str:
        """What the terminal shows once boards are there."""
        shown = ""
        while until not in shown:
            await asyncio.sleep(0.05)
            shown += self.read_terminal(ours)
        return shown

    async def ends(self, process: asyncio.subprocess.Process, ours: int) -> str:
        """What it writes until it has ended."""
        shown = ""
        while process.returncode is None:
            shown += self.read_terminal(ours)
            await asyncio.sleep(0.02)
        return shown + self.read_terminal(ours)

    async def test_watch_without_a_daemon_says_so(self):
        path = self.write_config()
        code, text = await self.command("watch", "--config", path)
        self.assertEqual(code, EX_UNREACHABLE, text)
        self.assertIn("no daemon answers", text)

    async def test_a_token_that_soon_expires_is_warned_of(self):
        self.sim.tokens[TOKEN].expires = int((time.time() + 86400 * 13 + 3600) * 1000)
        await self.start()
        await self.log_says("warning account token-expires days=13 why=\"good for 13 days, until ", 30)
        self.assertRegex((await self.castled("status"))[1], "(?m)^token +good for 13 days, until ")

    async def test_status_answers_in_a_blink(self):
        await self.start()
        took = []
        for _ in range(10):
            began = time.monotonic()
            await self.status()
            took.append(time.monotonic() - began)
        self.assertLess(min(took), 0.3 * SLOWNESS)  # the machine may be busy

    async def test_limits_are_shown(self):
        self.sim.faults.order("accept", status=429)
        await self.start()
        await self.challenge(Idle())
        await self.log_says("rate-limited")
        self.assertIn("challenge", (await self.status())["limits"])

    async def test_without_a_daemon_the_commands_say_so(self):
        self.write_config()
        for words in (("status",), ("status", "--json"), ("drain",)):
            status, output = await self.castled(*words)
            self.assertEqual(status, EX_UNREACHABLE, output)
            self.assertIn("no daemon answers", output)

    async def test_wrong_words_are_usage_errors(self):
        self.write_config()
        for words in (("status", "--xml"), ("drain", "now"), ("drain", "--deadline"),
                      ("drain", "--deadline", "soon"), ("drain", "--deadline", "0")):
            status, output = await self.castled(*words)
            self.assertEqual(status, EX_USAGE, output)

    async def test_a_drained_daemon_finishes_its_games_and_takes_no_more(self):
        await self.start(games={"concurrency": 1})
        game = await self.game(Engine(nodes=50, delay=0.05))
        await game.plies(3, 20 * SLOWNESS)
        waiting = await self.challenge(Idle(), name="waiting")
        await self.log_says("challenge waits")
        status, output = await self.castled("drain")
        self.assertEqual(status, EX_OK, output)
        self.assertIn("draining: 1 game to finish, then castled stops", output)
        self.assertEqual(await waiting.declined(5), "later")
        late = await self.challenge(Idle(), name="late")
        self.assertEqual(await late.declined(5), "later")
        self.assertTrue((await self.status())["draining"])
        await game.plies(len(game.moves) + 4, 20 * SLOWNESS)
        game.resign("white")
        self.assertEqual(await self.daemon.wait(5 * SLOWNESS), 0)
        self.assertFalse(os.path.exists(os.path.join(self.directory, "castled", "castled.sock")))

    async def test_a_drain_ends_at_its_deadline(self):
        await self.start()
        game = await self.game(Random(1, delay=0.3), limit=600)
        await game.plies(2, 20 * SLOWNESS)
        status, output = await self.castled("drain", "--deadline", "1")
        self.assertEqual(status, EX_OK, output)
        self.assertEqual(await self.daemon.wait(5 * SLOWNESS), 0)
        self.assertTrue(game.is_running)

    async def test_a_drained_daemon_can_be_told_to_go_on(self):
        await self.start(games={"concurrency": 1})
        self.assertIn("is not draining", (await self.castled("resume"))[1])
        game = await self.game(Random(1, delay=0.3), limit=600)
        self.assertEqual((await self.castled("drain"))[0], EX_OK)
        self.assertEqual(await (await self.challenge(Idle(), name="early")).declined(5), "later")
        status, output = await self.castled("resume")
        self.assertEqual((status, output), (EX_OK, "resumed: games begin again\n"))
        self.assertFalse((await self.status())["draining"])
        game.resign("white")
        await self.over(game)
        await (await self.challenge(Idle(), name="late")).started(10 * SLOWNESS)
        self.assertTrue(self.daemon.is_running)

    async def test_a_reload_says_what_has_changed_or_is_wrong(self):
        await self.start(games={"concurrency": 1})
        self.write_config(games={"concurrency": 2}, engine={"hash": 16})
        status, output = await self.castled("reload")
        self.assertEqual(status, EX_OK, output)
        self.assertRegex(output, "(?m)^games.concurrency = 2 \\(was 1\\)$")
        self.assertRegex(output, "(?m)^engine.hash = 16 from the next start on \\(now 8\\)$")
        self.assertRegex(output, r"(?m)^reloaded \S+/castled.conf$")
        self.assertEqual((await self.status())["slots"], 2)
        path = self.write_config(games={"concurrency": 2})
        status, output = await self.castled("reload")
        self.assertRegex(output, r"(?m)^reloaded \S+/castled.conf: no changes$")
        # The daemon's file is another one than the command's.
        with open(os.path.join(self.directory, "mine.conf"), "w") as mine:
            mine.write(f"[status]\nsocket = {self.directory}/castled/castled.sock\n")
        with open(path, "a") as file:
            file.write("[games]\nconcurency = 3\n")
        for config in (path, mine.name):
            status, output = await self.command("reload", "--config", config)
            self.assertEqual(status, EX_CONFIG, output)
            self.assertRegex(output, r"castled.conf:\d+: .*concurency")
            self.assertIn("nothing was reloaded", output)
        self.assertRegex((await self.command("status", "--config", mine.name))[1], "of 2 slots")

    async def test_a_typo_in_the_configuration_takes_no_command_to_the_daemon_away(self):
        await self.start(games={"concurrency": 1})
        with open(os.path.join(self.directory, "castled.conf"), "a", encoding="ascii") as file:
            file.write("[games]\nconcurency = 3\n")
        game = await self.game(Scripted("e2e4 d2d4"), limit=600)
        await game.plies(2, 20 * SLOWNESS)
        for words in (("status",), ("log-level", "debug"), ("say", "latest", "hi"),
                      ("draw",), ("games",), ("stats",), ("resign",), ("drain",)):
            status, output = await self.castled(*words)
            self.assertEqual(status, EX_OK, (words, output))
            self.assertRegex(output, r"castled.conf:\d+: .*concurency")
            self.assertIn("going on without", output)

    async def test_the_log_level_changes_until_the_next_reload(self):
        await self.start(log={"level": "info"})
        status, output = await self.castled("log-level", "debug")
        self.assertEqual(status, EX_OK, output)
        self.assertIn("log level debug, was info", output)
        game = await self.game(Scripted("e2e4"), limit=600, colour="white")
        await game.plies(2, 20 * SLOWNESS)
        await self.log_says("debug game ")
        await self.castled("reload")
        self.assertIn("was info", (await self.castled("log-level", "error"))[1])
        for words in ((), ("loud",), ("debug", "info")):
            self.assertEqual((await self.castled("log-level", *words))[0], EX_USAGE)

    async def test_hostile_clients_harm_no_game(self):
        await self.start()
        game = await self.game(Engine(nodes=50, delay=0.05))
        path = os.path.join(self.directory, "castled", "castled.sock")
        clients = []
        for number in range(60):
            client = socket.socket(socket.AF_UNIX)
            client.setblocking(False)
            client.connect(path)
            clients.append(client)
            try:
                client.send((b"status\n", b"x" * 5000, b"", b"\0\xff\n", b"dance\n")[number % 5])
            except OSError:
                pass  # hung up on, as deserved
            await asyncio.sleep(0.005)
        plies = len(game.moves)
        await game.plies(plies + 6, 30 * SLOWNESS)
        for client in clients:
            client.close()
        await asyncio.sleep(0.2)
        await self.status()

    async def test_a_killed_daemons_socket_is_taken_over(self):
        await self.start()
        await self.daemon.kill()
        await self.sim.until(lambda: not self.bot.is_online, 5)
        await self.start()
        await self.status()

    async def test_the_socket_can_be_off_or_elsewhere(self):
        path = os.path.join(self.directory, "here.sock")
        await self.start(status={"socket": path})
        await self.status()
        self.assertTrue(os.path.exists(path))
        await self.stop_daemon()
        await self.start(status={"socket": "off"})
        status, output = await self.castled("status")
        self.assertEqual(status, EX_UNREACHABLE, output)
        self.assertIn("the control socket is off", output)


if __name__ == "__main__":
    unittest.main()
