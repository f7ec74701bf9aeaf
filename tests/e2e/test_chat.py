# SPDX-License-Identifier: GPL-3.0-or-later
"""What is said in a game's chat, and that it costs no move."""
import asyncio
import re
import unittest

from sim.opponent import Engine, Idle, Scripted

from .harness import DaemonTest

HELLO = {"hello": "Hello {opponent}, I am {me}.", "hello_spectators": "Welcome.",
         "goodbye": "Thank you, {opponent}!"}


class ChatTest(DaemonTest):
    def said(self, game, room="player"):
        return [text for game_id, r, _, text in self.sim.chats if game_id == game.id and r == room]

    async def says(self, game, text, room="player"):
        await self.sim.until(lambda: text in self.said(game, room), 5, f"{text!r} in the chat")

    async def test_a_game_has_its_greeting_and_its_farewell(self):
        await self.start(chat=HELLO)
        game = await self.game(Scripted("e2e4"))
        await self.says(game, "Hello Alba, I am Castled-Bot.")
        await self.says(game, "Welcome.", "spectator")
        await game.plies(2, 10)
        game.resign("white")
        await self.says(game, "Thank you, Alba!")
        self.assertEqual(len(self.said(game)), 2)

    async def test_a_greeting_tells_the_level_and_the_performance(self):
        await self.start(engine={"elo": 1500, "nodes": 500},
                         chat={"hello": "I play at {level}. Against people: {performance}."})
        game = await self.game(Scripted("e2e4"))
        await self.says(game, "I play at 1500. Against people: not known yet.")
        await game.plies(2, 20)
        game.resign("white")
        await self.over(game)
        await asyncio.sleep(1)  # the archive writes and reads a moment later
        game = await self.game(Scripted("e2e4"))
        await self.sim.until(lambda: self.said(game), 5)
        self.assertRegex(self.said(game)[0], r"^I play at 1500\. Against people: \d+ in 1 game\.$")

    async def test_a_game_that_was_never_played_has_no_farewell(self):
        await self.start(chat={"goodbye": "Bye."})
        game = await self.game(Idle())
        await self.stream(game)
        game.finish("aborted")
        await self.over(game)
        await self.quiet(0.5)
        self.assertEqual(self.said(game), [])

    async def test_a_game_is_greeted_once_even_after_a_restart(self):
        await self.start(chat=HELLO)
        game = await self.game(Idle())
        await self.says(game, "Hello Alba, I am Castled-Bot.")
        await self.stop_daemon()
        await self.start(chat=HELLO)  # no move was made yet
        await self.stream(game)
        await self.quiet(1)
        await game.move("e2e4")
        await game.plies(2, 10)
        await self.stop_daemon()
        await self.start(chat=HELLO)
        await game.move("d2d4")
        await game.plies(4, 10)
        self.assertEqual(self.said(game), ["Hello Alba, I am Castled-Bot."])

    async def test_questions_are_answered_in_their_room(self):
        await self.start(chat={"reply": "rules: Be nice on my {cpu} with {ram}."})
        game = await self.game(Scripted("e2e4 d2d4"))
        await game.plies(4, 10)
        game.chat("player", "Alba", "!rules")
        await self.sim.until(lambda: self.said(game), 5)
        self.assertRegex(self.said(game)[0], r"^Be nice on my [^{]+ with \d+ [GM]iB\.$")
        await asyncio.sleep(2.1)
        game.chat("spectator", "Berta", "!eval")
        await self.sim.until(lambda: self.said(game, "spectator"), 5)
        self.assertRegex(self.said(game, "spectator")[0], r"^[+-]\d+\.\d\d at depth \d+$")

    async def test_who_asks_is_told_what_the_bot_takes(self):
        await self.start(engine={"nodes": 500}, games={"takebacks": 2},
                         challenge={"variants": "standard"})
        game = await self.game(Scripted("e2e4"))
        await game.plies(2, 10)
        for said, answer in (("!variants", "I play standard."),
                             ("!takeback", "Takebacks that I grant in a game: 2; so far: 0."),
                             ("!help draw", "!draw: when I offer and accept draws")):
            game.chat("player", "Alba", said)
            await self.says(game, answer)
            await asyncio.sleep(2.1)
        game.chat("player", "Alba", "!name")
        await self.sim.until(lambda: re.match(r"Castled-Bot running castled \(castled \d[^ ]*\)$",
                                              self.said(game, "player")[-1]), 5, "our name")

    async def test_who_waits_is_told_the_place_and_the_time(self):
        await self.start(games={"concurrency": 1})
        game = await self.game(Scripted("e2e4"), limit=300)
        await game.plies(2, 10)
        for name in ("Berta", "Carla"):
            await self.log_says(f"waits id={(await self.challenge(Idle(), name=name)).id}")
        game.chat("spectator", "Carla", "!queue")
        await self.says(game, "You are number 2 of 2 in the queue. Your turn comes in about "
                              "10 minutes.", "spectator")

    async def test_who_is_muted_is_never_answered(self):
        await self.start(chat={"mute": "Mallory, berta"})
        game = await self.game(Scripted("e2e4"))
        await game.plies(2, 10)
        for name in ("Mallory", "Berta"):
            game.chat("spectator", name, "!ping")
        game.chat("player", "Alba", "!ping")
        await self.sim.until(lambda: self.said(game), 5)
        self.assertEqual(self.said(game, "spectator"), [])

    async def test_a_flood_of_questions_gets_few_answers(self):
        await self.start()
        game = await self.game(Scripted("e2e4"))
        await game.plies(2, 10)
        for _ in range(30):
            game.chat("player", "Alba", "!ping")
        await self.quiet(1)
        self.assertEqual(len(self.said(game)), 1)

    def asks(self, game, text):
        """Alba writes when the game is over: no stream of it is open any more."""
        self.sim.chats.append((game.id, "player", "Alba", text))

    def answers(self, game):
        return [text for game_id, _, user, text in self.sim.chats
                if game_id == game.id and user == "castled-bot"]

    def looks(self):
        return [r for r in self.sim.requests if r.family == "chat" and r.method == "GET"]

    async def finished(self, **wanted):
        game = await self.game(Scripted("f2f3 g2g4 a2a3"), **wanted)
        await game.plies(4, 10)
        if game.is_running:
            game.resign("white")
        await self.over(game)
        return game

    async def test_after_the_game_the_opponent_may_ask_once_for_its_turning_points(self):
        await self.start(engine={"nodes": 5000})
        game = await self.finished()
        self.asks(game, "good game")
        self.asks(game, "!analysis")
        await self.sim.until(lambda: self.answers(game), 10, "an answer after the game")
        await self.quiet(1)
        said = self.answers(game)
        self.assertLessEqual(len(said), 3)
        for line in said:
            self.assertRegex(line, r"^\d\.+ \S+ \((mine|yours)\): from \S+ to \S+ for me$"
                                   "|^There was no turning point|^I searched too little")
        looks = len(self.looks())
        self.asks(game, "!analysis")
        await self.quiet(4)
        self.assertEqual((len(self.looks()), self.answers(game)), (looks, said))

    async def test_the_chat_of_a_finished_game_is_looked_at_only_where_somebody_may_ask(self):
        self.sim.add_account("Berta", title="BOT", rating=1500)
        await self.start(engine={"nodes": 500})
        await self.finished(name="Berta")
        await self.quiet(4)
        self.assertEqual(self.looks(), [])
        await self.finished(name="Alba")
        await self.sim.until(self.looks, 10, "a look at the chat")
        await self.quiet(3)
        self.assertEqual(len(self.looks()), 1)
        await self.stop_daemon()
        await self.start(chat={"commands": "help, ping"}, engine={"nodes": 500})
        await self.finished(name="Alba")
        await self.quiet(4)
        self.assertEqual(len(self.looks()), 1)

    async def test_a_chat_that_the_server_no_longer_has_is_looked_at_once(self):
        await self.start(engine={"nodes": 500})
        del self.sim.games[(await self.finished()).id]
        await self.sim.until(self.looks, 10, "a look at the chat")
        await self.quiet(13)
        self.assertEqual([r.status for r in self.looks()], [404])

    async def test_chat_that_is_refused_or_limited_holds_no_move_back(self):
        await self.start(chat=HELLO)
        self.sim.faults.order("chat", status=429, times=100)
        game = await self.game(Engine(nodes=300))
        for _ in range(3):
            game.chat("player", "Alba", "!help")
        await game.plies(8, 10)
        game.resign("white")
        await self.over(game)
        self.assertLessEqual(self.sim.count("chat"), 3)


if __name__ == "__main__":
    unittest.main()
