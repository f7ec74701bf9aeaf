# SPDX-License-Identifier: GPL-3.0-or-later
"""What the operator orders in a running game: abort, resign, draw, say."""
import asyncio
import os
import unittest

from sim.opponent import Engine, Idle, Scripted

from .harness import EX_OK, EX_UNREACHABLE, EX_USAGE, SLOWNESS, DaemonTest

EX_FAULT = 1


class OrdersTest(DaemonTest):
    async def castled(self, *words: str) -> tuple[int, str]:
        config = os.path.join(self.directory, "castled.conf")
        return await self.command(*words, "--config", config, token=None)

    async def refused(self, *words: str) -> str:
        status, output = await self.castled(*words)
        self.assertEqual(status, EX_FAULT, output)
        return output

    async def test_a_resigned_game_is_over_when_the_command_ends(self):
        await self.start()
        game = await self.game(Scripted("e2e4"), limit=600, colour="white")
        await game.plies(2, 20 * SLOWNESS)
        status, output = await self.castled("resign", game.id)
        self.assertEqual((status, output),
                         (EX_OK, f"{game.id} against Alba is over: 1-0 resign\n"))
        self.assertEqual((game.status, game.winner), ("resign", "white"))
        self.assertIn("no game is being played", await self.refused("resign", game.id))

    async def test_a_game_is_aborted_until_both_have_moved(self):
        await self.start()
        game = await self.game(Idle(), limit=600, colour="white")
        await self.log_says(f"joined id={game.id}|game started id={game.id}")
        status, output = await self.castled("abort")
        self.assertEqual((status, output),
                         (EX_OK, f"{game.id} against Alba is over: * aborted\n"))
        game = await self.game(Scripted("e2e4"), limit=600, colour="white")
        await game.plies(2, 20 * SLOWNESS)
        self.assertIn("too late to abort", await self.refused("abort", game.id))
        self.assertTrue(game.is_running)

    async def test_a_draw_is_offered_with_the_next_move_and_may_be_accepted(self):
        await self.start(draw={"offer": "no", "accept": "no"})
        game = await self.game(Scripted(["e2e4", 1.0, "d2d4"]), limit=600, colour="white")
        await game.plies(2, 20 * SLOWNESS)
        status, output = await self.castled("draw", game.id[:5])
        self.assertEqual((status, output), (
            EX_OK, f"{game.id} against Alba: our next move offers a draw, or accepts one\n"))
        await game.until(lambda g: g.seats["black"].offers_draw, 20 * SLOWNESS)
        game.draw("white", True)
        self.assertEqual(await self.over(game), ("draw", None))

    async def test_what_is_said_stands_in_the_players_chat(self):
        await self.start(chat={"enabled": "no"})
        game = await self.game(Scripted("e2e4"), limit=600, colour="white")
        await game.plies(2, 20 * SLOWNESS)
        status, output = await self.castled("say", "latest", "Grüße,", "and  good luck!")
        self.assertEqual((status, output), (EX_OK, "said\n"))
        await self.log_says("chat shown .*room=player .*text=\"Grüße, and  good luck!\"")
        self.assertIn("141 characters", await self.refused("say", game.id, "ü" * 141))
        self.assertEqual((await self.castled("say", game.id, "ü" * 140))[0], EX_OK)
        self.assertIn("printable", await self.refused("say", game.id, "a\x1b[31m"))

    async def test_a_server_that_limits_chat_is_not_pressed(self):
        self.sim.faults.order("chat", status=429)
        await self.start(chat={"enabled": "no"})
        game = await self.game(Scripted("e2e4"), limit=600, colour="white")
        await game.plies(2, 20 * SLOWNESS)
        self.assertIn("not said", await self.refused("say", game.id, "hi"))
        before = len(self.posts("chat"))
        self.assertRegex(await self.refused("say", game.id, "hi"), r"limits chat for \d+ s more")
        self.assertEqual(len(self.posts("chat")), before)

    async def test_a_refused_order_says_what_the_server_said(self):
        self.sim.faults.order("resign", status=400, body=b'{"error":"Not this time"}')
        await self.start()
        game = await self.game(Scripted("e2e4"), limit=600, colour="white")
        await game.plies(2, 20 * SLOWNESS)
        self.assertIn("Not this time", await self.refused("resign", game.id))
        self.assertTrue(game.is_running)
        self.assertEqual((await self.castled("resign"))[0], EX_OK)

    async def test_an_order_that_is_taken_and_not_done_is_not_awaited_for_ever(self):
        self.sim.faults.order("resign", status=200, body=b'{"ok":true}')
        await self.start()
        game = await self.game(Scripted("e2e4"), limit=600, colour="white")
        await game.plies(2, 20 * SLOWNESS)
        self.assertIn("has accepted it, but does not show it yet",
                      await self.refused("resign", game.id))
        self.assertTrue(game.is_running)
        self.assertEqual((await self.castled("resign"))[0], EX_OK)

    async def test_the_game_is_named_by_id_prefix_or_latest(self):
        await self.start(games={"concurrency": 2})
        self.assertIn("no game is being played", await self.refused("resign"))
        games = []
        for name in ("Alba", "Berta"):
            games.append(await self.game(Scripted("e2e4"), name=name, limit=600, colour="white"))
            await games[-1].plies(2, 20 * SLOWNESS)
            await asyncio.sleep(0.01)  # the server counts milliseconds
        self.assertRegex(await self.refused("resign"), r"\w{8} and \w{8} are both being played")
        self.assertIn("nosuchid: no such game is being played",
                      await self.refused("resign", "nosuchid"))
        status, output = await self.castled("resign", "latest")
        self.assertEqual(status, EX_OK, output)
        self.assertIn(f"{games[1].id} against Berta is over", output)
        self.assertTrue(games[0].is_running)
        self.assertIn("the game is over", await self.refused("resign", games[1].id))

    async def test_wrong_words_and_no_daemon_are_said(self):
        self.write_config()
        for words in (("resign", "a", "b"), ("draw", "a", "b"), ("say",), ("say", "latest")):
            status, output = await self.castled(*words)
            self.assertEqual(status, EX_USAGE, output)
        for words in (("abort",), ("resign",), ("draw",), ("say", "latest", "hi")):
            status, output = await self.castled(*words)
            self.assertEqual(status, EX_UNREACHABLE, output)
            self.assertIn("no daemon answers", output)

    async def test_other_games_are_played_on_while_an_order_waits(self):
        self.sim.faults.order("resign", delay_before_s=2.0)
        await self.start(games={"concurrency": 2})
        game = await self.game(Scripted("e2e4"), limit=600, colour="white")
        other = await self.game(Engine(nodes=50, delay=0.05), name="Berta", limit=600)
        await game.plies(2, 20 * SLOWNESS)
        order = asyncio.create_task(self.castled("resign", game.id))
        await other.plies(len(other.moves) + 4, 20 * SLOWNESS)
        self.assertEqual((await order)[0], EX_OK)


if __name__ == "__main__":
    unittest.main()
