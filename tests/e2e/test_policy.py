# SPDX-License-Identifier: GPL-3.0-or-later
"""Rules: what they change for a challenge and for its game, and how they are explained."""
import json
import os
import unittest

from sim.opponent import Engine, Idle, Scripted

from .harness import EX_CONFIG, EX_OK, EX_USAGE, DaemonTest

CHALLENGE = {"type": "challenge", "challenge": {
    "id": "Qw8rTy2u", "status": "created",
    "challenger": {"id": "alba", "name": "Alba", "title": "FM", "rating": 1400},
    "destUser": {"id": "castled-bot", "name": "castled-bot"},
    "variant": {"key": "standard"}, "rated": True, "speed": "blitz",
    "timeControl": {"type": "clock", "limit": 180, "increment": 2, "show": "3+2"},
    "color": "white", "finalColor": "white"}}


class RulesTest(DaemonTest):
    async def test_a_rule_decides_on_a_challenge(self):
        self.sim.add_account("OtherBot", title="BOT", rating=2000)
        await self.start(**{"rule bots": {"when.kind": "bot", "challenge.modes": "casual"}})
        challenge = await self.challenge(Idle(), name="OtherBot", rated=True)
        self.assertEqual(await challenge.declined(5), "casual")
        await self.game(Scripted("e2e4"), rated=True)

    async def test_a_rule_changes_the_game_that_comes_of_it(self):
        await self.start(**{"rule weak": {"when.opponent": "Berta", "engine.nodes": 0,
                                          "engine.depth": 1}})
        game = await self.game(Engine(nodes=300), name="Berta")
        await game.plies(4, 10)
        await self.log_says(f"rules id={game.id} names=weak")
        await self.log_says(f"move id={game.id} ply=4 .*depth=1 ")

    async def test_a_game_that_is_resumed_gets_the_same_rules(self):
        rule = {"rule weak": {"when.opponent": "Berta", "engine.depth": 1}}
        await self.start()
        game = await self.game(Scripted(["e2e4", "d2d4", "g1f3", "b1c3"]), name="Berta", limit=600)
        await game.plies(2, 10)
        await self.stop_daemon()
        await self.start(**rule)
        await game.plies(6, 10)
        await self.log_says(f"rules id={game.id} names=weak")


    async def test_takebacks_may_depend_on_the_opponent(self):
        self.bot.allows_takebacks = True
        await self.start(games={"takebacks": 0},
                         **{"rule friends": {"when.opponent": "Berta", "games.takebacks": 1}})
        for name, answer in (("Berta", "yes"), ("Alba", "no")):
            game = await self.game(Scripted("h2h3 a2a3"), name=name)
            await game.plies(4, 10)
            game.takeback("white", True)
            await self.sim.until(lambda: any(f"{game.id}/takeback/{answer}" in path
                                             for path in self.posts("takeback")), 5)
            game.finish("aborted")


class ExplainTest(DaemonTest):
    def put(self, name, value):
        path = os.path.join(self.directory, name)
        with open(path, "w", encoding="utf-8") as file:
            file.write(value if isinstance(value, str) else json.dumps(value, indent=1))
        return path

    async def test_explain_names_rules_changes_verdict_and_reason(self):
        config = self.put("rules.conf",
                          "[rule beginners]\nwhen.rating = ..1500\nengine.nodes = 500\n"
                          "challenge.modes = casual\n\n"
                          "[rule bots]\nwhen.kind = bot\nchallenge.accept = no\n")
        event = self.put("event.json", CHALLENGE)
        status, output = await self.command("explain", event, "--config", config, token=None)
        self.assertEqual(status, EX_OK, output)
        self.assertEqual(output.splitlines(), [
            "challenge Qw8rTy2u: standard, blitz 3+2, rated, from FM Alba (1400), "
            "our colour is black",
            f"{config}:1: [rule beginners] holds:",
            "    engine.nodes = 500",
            "    challenge.modes = casual",
            f"{config}:6: [rule bots] does not hold:",
            "    when.kind = bot",
            "declined: no rated games",
            "the challenger reads: casual"])
        bare = self.put("bare.json", {**CHALLENGE["challenge"], "rated": False})
        status, output = await self.command("explain", bare, "--config", config, token=None)
        self.assertEqual(status, EX_OK, output)
        self.assertIn("accepted", output)

    async def test_explain_does_not_know_the_account_and_says_so(self):
        config = self.put("c.conf", "[challenge]\nmin_games = 20\n")
        status, output = await self.command("explain", self.put("event.json", CHALLENGE),
                                            "--config", config, token=None)
        self.assertEqual(status, EX_OK, output)
        self.assertEqual(output.splitlines()[-2:], [
            "accepted, when there is a free slot",
            "provided that the account has 20 games and 0 days: castled would ask Lichess"])

    async def test_explain_says_what_is_wrong_with_its_input(self):
        config = self.put("c.conf", "")
        for name, value in (("not.json", "{"), ("other.json", {"type": "gameStart"}),
                            ("line.json", {"type": "chatLine", "text": "hi"})):
            with self.subTest(name):
                path = self.put(name, value)
                status, output = await self.command("explain", path, "--config", config)
                self.assertEqual(status, EX_USAGE, output)
                self.assertIn(path, output)
        for words in ((), ("/nonexistent",), ("a", "b")):
            status, output = await self.command("explain", *words, "--config", config)
            self.assertEqual(status, EX_USAGE, output)
        status, output = await self.command("explain", "-", "--config", config)
        self.assertEqual(status, EX_USAGE, output)  # standard input is empty

    async def test_explain_needs_a_right_configuration(self):
        config = self.put("bad.conf", "[rule r]\nwhen.sped = blitz\n")
        status, output = await self.command("explain", self.put("e", CHALLENGE), "--config", config)
        self.assertEqual(status, EX_CONFIG)
        self.assertIn("bad.conf:2:", output)

if __name__ == "__main__":
    unittest.main()
