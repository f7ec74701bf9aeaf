# SPDX-License-Identifier: GPL-3.0-or-later
"""Arena tournaments: joined by configuration, by hand and from a team's list, played, left, lost. One walk of each
kind; what else may happen is in tests/bot/pairing/test_arenas.c and test_team_arenas.c."""
import json
import os
import signal
import time
import unittest
from urllib.parse import parse_qs

from sim.opponent import Idle, Random, Scripted

from .harness import EX_OK, EX_USAGE, SLOWNESS, TOKEN, DaemonTest


class TournamentTest(DaemonTest):
    async def castled(self, *words: str) -> tuple[int, str]:
        config = os.path.join(self.directory, "castled.conf")
        return await self.command(*words, "--config", config, token=None)

    def joins(self) -> list[dict[str, str]]:
        return [{k: v[0] for k, v in parse_qs(r.body.decode()).items()}
                for r in self.sim.requests if r.family == "join"]

    async def is_in(self, arena) -> None:
        await self.sim.until(lambda: arena.members, 30 * SLOWNESS, "a member")

    async def paired(self, arena, count: int = 1):
        await self.sim.until(lambda: len(arena.games) >= count, 20 * SLOWNESS, f"{count} games")
        return arena.games[count - 1]

    async def test_an_arena_of_the_configuration_is_joined_and_played_to_its_end(self):
        arena = self.sim.add_arena([Scripted("e2e4"), Scripted("d2d4")], starts_in=2,
                                   password="sesame", team="bots")
        await self.start(tournaments={
            "join": f"https://lichess.org/tournament/{arena.id} password=sesame team=bots"})
        for number in (1, 2):
            game = await self.paired(arena, number)
            await game.plies(2, 20 * SLOWNESS)
            game.resign("white")
            self.assertEqual(await self.over(game), ("resign", "black"))
        self.assertEqual(self.joins()[0],
                         {"pairMeAsap": "true", "password": "sesame", "team": "bots"})
        arena.finish()
        game = await arena.pair(self.bot, Scripted("e2e4"))  # the last one may come late
        await game.plies(2, 20 * SLOWNESS)
        game.resign("white")
        await self.log_says(f"tournament left arena={arena.id} .*why=\"?it is over", 20)
        self.assertNotIn("sesame", self.daemon.log())

    async def test_while_pairings_may_come_no_other_game_begins(self):
        arena = self.sim.add_arena([Idle()])
        running = None
        await self.start(games={"concurrency": 1})
        running = await self.game(limit=600)
        waits = await self.challenge(limit=600)
        await self.log_says("challenge waits")
        status, output = await self.castled("tournament", "join", arena.id)
        self.assertEqual((status, output), (EX_OK, f"joined: {arena.name}\n"))
        self.assertEqual(await waits.declined(10 * SLOWNESS), "later")
        later = await self.challenge(limit=600)
        self.assertEqual(await later.declined(10 * SLOWNESS), "later")
        status, output = await self.castled("challenge", "alba", "3+2")
        self.assertIn("in a tournament", output)
        game = await self.paired(arena)  # played although there is no slot for it
        await self.stream(game)
        self.assertTrue(running.is_running)
        running.finish("draw")
        status, output = await self.castled("status", "--json")
        (shown,) = json.loads(output)["tournaments"]
        self.assertEqual((shown["id"], shown["state"]), (arena.id, "in"))
        arena.finish()
        game.finish("draw")
        await self.log_says(f"tournament left arena={arena.id}", 20)
        after = await self.challenge(limit=600)
        await after.started(10 * SLOWNESS)

    async def test_an_arena_is_left_by_hand_and_not_joined_again(self):
        self.sim.tokens[TOKEN].scopes += ("tournament:write",)
        arena, never = self.sim.add_arena(starts_in=300), self.sim.add_arena(starts_in=300)
        wanted = {"join": arena.id}
        await self.start(tournaments=wanted)
        await self.is_in(arena)
        status, output = await self.castled("tournament", "leave", never.id)
        self.assertEqual((status, output), (EX_OK, f"left: {never.id}, which castled had not joined\n"))
        status, output = await self.castled("tournament", "leave", arena.id)
        self.assertEqual((status, output), (EX_OK, f"left: {arena.name}\n"))
        self.assertTrue(arena.members[self.bot.id].withdrawn)
        await self.stop_daemon()
        joins = len(self.joins())
        await self.start(tournaments=wanted)
        await self.quiet(1)
        self.assertEqual(len(self.joins()), joins)

    async def test_an_arena_is_remembered_over_a_restart(self):
        arena = self.sim.add_arena(password="sesame", team="bots")
        await self.start()
        status, output = await self.castled("tournament", "join", arena.id, "--team", "bots",
                                            "--password", "sesame")
        self.assertEqual(status, EX_OK, output)
        await self.stop_daemon()
        looks = self.sim.count("tournament")
        arena.opponents.append(Scripted("e2e4"))
        await self.start()
        game = await self.paired(arena)
        await game.plies(2, 20 * SLOWNESS)
        self.assertGreater(self.sim.count("tournament"), looks)

    async def test_what_refuses_us_is_told(self):
        self.sim.says_false = True
        await self.start()
        closed = self.sim.add_arena(bots_allowed=False)
        secret = self.sim.add_arena(password="sesame")
        over = self.sim.add_arena(starts_in=-9, lasts=1)
        for arena, why in ((closed.id, "no bots are admitted"), (secret.id, "Wrong entry code"),
                           (over.id, "it is over"), ("nowhere1", "there is no such tournament")):
            status, output = await self.castled("tournament", "join", arena)
            self.assertNotEqual(status, EX_OK, output)
            self.assertIn(why, output)
        self.assertEqual(len(self.joins()), 1)
        status, output = await self.castled("tournament", "join", secret.id, "--password", "sesame")
        self.assertEqual(status, EX_OK, output)

    async def test_a_missing_scope_is_told_once_and_nothing_else_suffers(self):
        arenas = [self.sim.add_arena(scopes=("tournament:write",)) for _ in range(2)]
        await self.start()
        for arena in arenas:
            status, output = await self.castled("tournament", "join", arena.id)
            self.assertNotEqual(status, EX_OK)
            self.assertIn("Missing scope: tournament:write", output)
        self.assertEqual(self.daemon.log().count("scope-missing"), 1)
        self.assertIn("challenge:read and tournament:write", self.daemon.log())
        await self.game(Random(1), limit=60)

    async def test_a_first_move_that_comes_too_late_is_understood(self):
        arena = self.sim.add_arena([Scripted("e2e4")], first_move_s=2)
        arena.tells_members = False
        self.sim.faults.order("move", times=9, status=502, applied=False)
        await self.start(tournaments={"join": arena.id})
        game = await self.paired(arena)
        await game.until(lambda g: not g.is_running, 20 * SLOWNESS)
        self.assertEqual((game.status, game.winner), ("noStart", "white"))
        await self.log_says("why=\"?thrown out, as our first move came too late", 20)

    async def test_the_first_move_comes_before_it_expires(self):
        arena = self.sim.add_arena([Scripted("e2e4")], first_move_s=3, limit=600)
        await self.start(tournaments={"join": arena.id}, engine={"nodes": 0, "movetime": 60000})
        game = await self.paired(arena)
        await game.until(lambda g: len(g.moves) == 2 or not g.is_running, 20 * SLOWNESS)
        self.assertTrue(game.is_running, game.status)

    async def test_an_opponent_who_never_begins_loses_and_we_stay_in(self):
        arena = self.sim.add_arena([Idle()], first_move_s=1)
        await self.start(tournaments={"join": arena.id})
        game = await self.paired(arena)
        self.assertEqual(await self.over(game), ("noStart", "black"))
        await self.log_says(f"over id={game.id} result=0-1 for_us=win reason=noStart")
        arena.opponents.append(Scripted("e2e4"))
        again = await self.paired(arena, 2)
        await again.plies(2, 20 * SLOWNESS)
        self.assertFalse(self.posts("abort") + self.posts("resign"))

    async def test_a_game_of_an_arena_that_somebody_else_joined_is_played_like_any(self):
        arena = self.sim.add_arena()
        await self.start()
        arena.join(self.bot, {})
        game = await arena.pair(self.bot, Scripted("d2d4"))
        await game.plies(2, 20 * SLOWNESS)
        self.assertEqual(json.loads((await self.castled("status", "--json"))[1])["tournaments"], [])

    async def test_wrong_words_are_usage_errors(self):
        self.write_config()
        for words in ((), ("join",), ("enter", "AbCd1234"), ("join", "Ab/Cd"),
                      ("join", "AbCd1234", "--password"), ("join", "AbCd1234", "sesame")):
            status, output = await self.castled("tournament", *words)
            self.assertEqual(status, EX_USAGE, output)

    async def test_hostile_answers_about_arenas_cost_no_game(self):
        great = b"9" * 400
        bodies = (b"", b"[" * 99999, b"x" * (4 << 20),
                  b'{"id":"' + b"a" * 99999 + b'","fullName":7,"clock":[],"isFinished":"no"}',
                  b'{"botsAllowed":true,"secondsToStart":-1e999,"secondsToFinish":' + great + b"}",
                  b'{"fullName":"\\u001b[2J","botsAllowed":true,"startsAt":"9999999-99-99T99:99:99Z"}')
        lines = b"".join(b'{"id":"%d","clock":null,"startsAt":-1}\n' % n for n in range(20000))
        await self.start(games={"concurrency": 2})
        game = await self.game(Idle(), limit=600)
        for family, answers in (("tournament", bodies), ("join", bodies[1:4]),
                                ("team_arenas", (*bodies[:4], lines))):
            for body in answers:
                with self.subTest(family, body=body[:60]):
                    self.sim.faults.order(family, status=200, body=body)
                    if family == "team_arenas":
                        looked = self.looked()
                        await self.reload_with(teams=f"team{len(body)}")
                        await self.sim.until(lambda: self.looked() > looked, 30 * SLOWNESS)
                    else:
                        arena = self.sim.add_arena(starts_in=3600)
                        await self.castled("tournament", "join", arena.id)
                    if not game.is_running:  # moves without a plan get mated
                        self.assertEqual((game.status, game.winner), ("mate", "black"))
                        game = await self.game(Idle(), limit=600)
                    count = len(game.moves)
                    await game.move(sorted(game.position.legal)[0])
                    await game.plies(count + 2, 30 * SLOWNESS)
                    self.sim.faults.clear()
        self.assertTrue(self.daemon.is_running)
        self.assertNotIn("\x1b", self.daemon.log())

    async def test_a_ban_for_minutes_is_waited_for(self):
        arena = self.sim.add_arena()
        self.bot.playban_until = time.monotonic() + 60
        await self.start(tournaments={"join": arena.id})
        await self.sim.until(self.joins, 20 * SLOWNESS, "a join")
        await self.quiet(1)
        status, output = await self.castled("status", "--json")
        self.assertEqual([t["id"] for t in json.loads(output)["tournaments"]], [arena.id], output)

    def looked(self) -> int:
        return self.sim.count("team_arenas")

    async def test_an_arena_of_a_team_is_joined_without_being_named(self):
        arena = self.sim.add_arena([Scripted("e2e4")], team="bots", starts_in=2)
        await self.start(tournaments={"teams": "https://lichess.org/team/bots"})
        game = await self.paired(arena)
        await game.plies(2, 20 * SLOWNESS)
        self.assertEqual(self.joins()[0], {"pairMeAsap": "true", "team": "bots"})
        status, output = await self.castled("status", "--json")
        self.assertEqual([t["state"] for t in json.loads(output)["tournaments"]], ["in"])

    async def reload_with(self, **keys) -> None:
        self.write_config(tournaments=keys)
        self.daemon.signal(signal.SIGHUP)


if __name__ == "__main__":
    unittest.main()
