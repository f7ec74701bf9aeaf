# SPDX-License-Identifier: GPL-3.0-or-later
"""The scripts that play matches, without a match: what they refuse, what they ask of the programs that
play, and what they make of the results."""
import importlib.machinery
import importlib.util
import json
import os
import re
import stat
import subprocess
import sys
import tempfile
import unittest

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(TOP, "scripts"))
from lib import people, ratings  # noqa: E402 -- of this tree

RESULT = ("Elo: 10.40 +/- 20.10, nElo: 14.00 +/- 30.00\n"
          "Games: 4, Wins: 2, Losses: 1, Draws: 1, Points: 2.5 (62.50 %)")
VARIANTS = ("chess", "crazyhouse", "antichess", "atomic", "horde", "kingofthehill", "racingkings", "3check")


class Scripts(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def run_script(self, name, *args):
        """From another folder than the tree's, with this one's programs first."""
        environment = dict(os.environ, PATH=f"{self.folder}:{os.environ['PATH']}")
        done = subprocess.run([os.path.join(TOP, "scripts", name), *args], cwd=self.folder, env=environment,
                              capture_output=True, text=True, check=False)
        return done.returncode, done.stdout, done.stderr

    def write(self, name, text):
        path = os.path.join(self.folder, name)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return path

    def stand_in(self, name, output):
        """A program that notes its arguments, a line each, and prints `output`."""
        path = self.write(name, f'#!/bin/sh\nprintf "%s\\n" "$@" >"$0.arguments"\ncat <<END\n{output}\nEND\n')
        os.chmod(path, stat.S_IRWXU)
        return path

    def arguments(self, name):
        with open(os.path.join(self.folder, name + ".arguments"), encoding="utf-8") as file:
            return file.read().splitlines()


class Ablate(Scripts):
    def test_every_feature_is_switched_off_by_parameters_that_there_are(self):
        with open(os.path.join(TOP, "engine/search/params.h"), encoding="utf-8") as file:
            ranges = {name: (int(low), int(high)) for name, low, high in
                      re.findall(r"X\((\w+), -?\d+, (-?\d+), (-?\d+)\)", file.read())}
        with open(os.path.join(TOP, "scripts/ablate"), encoding="utf-8") as file:
            features = dict(re.findall(r'^    "(.*)": "(.*)",$', file.read(), re.M))
        self.assertGreater(len(features), 30)
        listed = set()
        for variant in VARIANTS:
            status, out, err = self.run_script("ablate", "--list", "--variant", variant)
            self.assertEqual((status, err), (0, ""))
            listed |= set(out.splitlines())
        self.assertEqual(listed, set(features))
        for feature, parameters in features.items():
            for name, value in (word.split("=") for word in parameters.split()):
                self.assertIn(name, ranges, feature)
                low, high = ranges[name]
                self.assertTrue(low <= int(value) <= high, f"{feature}: {name}={value}")

    def test_unknown_features_are_refused_by_name(self):
        status, out, err = self.run_script("ablate", "--show", "null move", "fast moves")
        self.assertEqual((status, out), (1, ""))
        self.assertEqual(err, "scripts/ablate: no feature fast moves: --list names them\n")

    def test_a_variant_has_features_and_openings_of_its_own(self):
        status, chess, _ = self.run_script("ablate", "--list")
        self.assertEqual(status, 0)
        self.assertIn("null move", chess.splitlines())
        self.assertNotIn("wins by rule", chess.splitlines())
        status, _, err = self.run_script("ablate", "--show", "--variant", "racingkings", "null move")
        self.assertEqual((status, err), (1, "scripts/ablate: no feature null move: --list names them\n"))
        duel = self.stand_in("duel", "+6 =0 -4 pairs 0 1 2 2 0")
        status, out, _ = self.run_script("ablate", "--duel", duel, "--state", os.path.join(self.folder, "a.json"), "--variant", "racingkings",
                                         "--nodes", "500", "--games", "60", "--together", "1", "wins by rule")
        self.assertEqual(status, 0)
        self.assertIn("| wins by rule | ", out)
        arguments = self.arguments("duel")
        self.assertEqual(arguments[arguments.index("--variant") + 1], "racingkings")
        self.assertNotIn("--openings", arguments)
        self.assertIn("rule_wins=0", arguments)

    def test_state_is_shown_as_what_each_feature_brings(self):
        def turn(first, second, lead):
            return {"first": first, "second": second, "lead": lead, "games": 10}

        # Without null moves -0.2 points a game, without razoring -0.1.
        turns = [turn(["null move"], [], -0.2 + noise) for noise in (-0.1, 0.1)] * 5
        turns += [turn([], ["razoring"], 0.1 + noise) for noise in (-0.1, 0.1)] * 5
        turns += [turn(["null move"], ["razoring"], -0.1)]
        status, out, _ = self.run_script("ablate", "--show", "--state", self.write("state.json", json.dumps(turns)))
        self.assertEqual(status, 0)
        self.assertEqual([line for line in out.splitlines() if "|---" not in line],
                         ["| feature | Elo | games of 40000 nodes a move |",
                          "| razoring | +35 ± 21 | 110 |", "| null move | +70 ± 22 | 110 |"])
        few = self.write("few.json", json.dumps(turns[:1]))
        status, out, err = self.run_script("ablate", "--show", "--state", few)
        self.assertEqual((status, out), (1, ""))
        self.assertIn("too few to tell", err)


class Match(Scripts):
    def test_wrong_usage_gets_the_usage(self):
        for name, args in (("sprt", []), ("sprt", ["/bin/true"]), ("match", ["nodes=3"]), ("rate", ["--elo", "1500"])):
            status, out, err = self.run_script(name, *args)
            self.assertEqual((status, out), (2, ""))
            self.assertIn(f"usage: {name}", err)

    def test_what_is_missing_is_named(self):
        openings = self.write("o.epd", "")
        status, _, err = self.run_script("match", "--opponent", "no-such-engine", "--openings", openings)
        self.assertEqual((status, err), (1, "scripts/match: no program no-such-engine\n"))
        self.stand_in("fastchess", "")
        self.stand_in("stockfish", "")
        status, _, err = self.run_script("match", "--openings", "nowhere.epd")
        self.assertEqual((status, err), (1, "scripts/match: no openings in nowhere.epd\n"))
        status, _, err = self.run_script("sprt", "/bin/true", "no-such-revision", "--openings", openings)
        self.assertEqual((status, err), (1, "scripts/sprt: no-such-revision is neither a program nor a revision\n"))

    def test_the_opponent_has_nodes_or_our_clock(self):
        self.stand_in("fastchess", RESULT)
        self.stand_in("stockfish", "")
        openings = self.write("o.epd", "")
        for args, limit in ((["--nodes", "700"], "nodes=700"), (["--nodes", "0"], "tc=1+0.01")):
            status, out, _ = self.run_script("match", *args, "--tc", "1+0.01", "--option", "Skill Level=3",
                                             "--openings", openings)
            self.assertEqual((status, out), (0, RESULT + "\n"))
            asked = self.arguments("fastchess")
            for word in (f"cmd={self.folder}/stockfish", limit, "option.Skill Level=3", f"file={openings}"):
                self.assertIn(word, asked)

    def test_a_ladder_has_a_line_for_each_rung(self):
        self.stand_in("fastchess", RESULT)
        self.stand_in("stockfish", "")
        self.stand_in("toga2", "")
        status, out, _ = self.run_script("ladder", "--openings", self.write("o.epd", ""), "toga2")
        self.assertEqual(status, 0)
        lines = out.splitlines()
        self.assertEqual([line.split()[0] for line in lines], [f"stockfish-{n}" for n in (500, 1000, 2000, 5000, 10000)] + ["toga2"])
        self.assertEqual(lines[-1].split(None, 1)[1], "+2 =1 -1, 10 ± 20 Elo")

    def test_a_test_of_two_builds_is_as_asked_for(self):
        self.stand_in("fastchess", "LLR: 2.95")
        openings = self.write("o.epd", "")
        status, out, _ = self.run_script("sprt", "/bin/true", "/bin/false", "--nodes", "700", "--elo1", "3", "--games", "9",
                                         "--threads", "2", "--openings", openings)
        self.assertEqual((status, out), (0, "LLR: 2.95\n"))
        asked = self.arguments("fastchess")
        for word in ("nodes=700", "tc=inf", "elo0=0", "elo1=3", "option.Threads=2", f"file={openings}", "format=epd"):
            self.assertIn(word, asked)
        self.assertEqual(asked[asked.index("-rounds") + 1], "5")

    def test_a_rating_is_measured_by_the_result_against_stockfish(self):
        self.stand_in("fastchess", RESULT)
        self.stand_in("stockfish", "")
        openings = self.write("o.epd", "")
        status, out, _ = self.run_script("rate", "--ratings", "1500,2000", "--against", "1500", "--games", "4",
                                         "--openings", openings)
        self.assertEqual(status, 0)
        self.assertEqual(out.splitlines()[2:], ["| 1500 | 1500 | 4 | +2 =1 -1 | 1510 ± 20 |", "| 2000 | 1500 | 4 | +2 =1 -1 | 1510 ± 20 |"])
        asked = self.arguments("fastchess")  # of the second
        for word in ("option.UCI_Elo=2000", "option.UCI_Elo=1500", "depth=2", f"cmd={self.folder}/stockfish"):
            self.assertIn(word, asked)

    def test_play_like_a_persons_is_measured_by_neighbours_and_maia(self):
        self.stand_in("fastchess", RESULT)
        ask = ["rate-human", "--nets", "maia", "--ratings", "1700,1100", "--games", "4",
               "--openings", self.write("o.epd", ""), "--state", os.path.join(self.folder, "state")]
        status, out, err = self.run_script(*ask)
        self.assertEqual(status, 0)
        self.assertEqual(err.splitlines(), [f"{pair}: +2 =1 -1" for pair in (
            "1100 against 1700", "1700 against maia-1100", "1700 against maia-1500", "1700 against maia-1900")])
        self.assertEqual([row.split(" | ")[:2] for row in out.splitlines()[2:]], [["| 1100", "4"], ["| 1700", "16"]])
        asked = self.arguments("fastchess")  # of the last
        for word in ("option.UCI_Elo=1700", "option.HumanFile=built-in", "option.HumanFile=maia/maia-1900.pb.gz",
                     "option.HumanChoice=likeliest"):
            self.assertIn(word, asked)
        self.stand_in("fastchess", "plays no more")
        self.assertEqual(self.run_script(*ask), (0, out, ""))

    def test_ratings_without_a_network_in_reach_are_refused(self):
        self.stand_in("fastchess", RESULT)
        status, _, err = self.run_script("rate-human", "--nets", "maia", "--ratings", "800,900", "--openings", self.write("o.epd", ""))
        self.assertEqual(status, 2)
        self.assertIn("none of the ratings is within 350 points of a bot of Maia's", err)

    def test_a_match_that_fails_is_told(self):
        self.stand_in("fastchess", "no engine answered")
        self.stand_in("stockfish", "")
        status, _, err = self.run_script("rate", "--ratings", "1500", "--openings", self.write("o.epd", ""))
        self.assertEqual(status, 1)
        self.assertIn("no engine answered", err)


class Ratings(unittest.TestCase):
    def test_ratings_are_those_that_make_the_results_likeliest(self):
        # 10 to 1 is 400 points. The player in the middle is known.
        matches = [ratings.Match("low", "middle", 100, 0, 1000), ratings.Match("middle", "high", 50, 100, 950)]
        found = ratings.likeliest(matches, {"middle": 1500})
        self.assertEqual({name: round(rating) for name, rating in found.items()}, {"low": 1100, "middle": 1500, "high": 1900})

    def test_errors_shrink_with_the_games(self):
        few = ratings.errors([ratings.Match("a", "b", 20, 10, 20)], {"b": 1500})["a"]
        many = ratings.errors([ratings.Match("a", "b", 2000, 1000, 2000)], {"b": 1500})["a"]
        self.assertTrue(70 < few < 110, few)  # 1.96 * 4 * 400 / ln 10 * sqrt(0.2 / 50) = 86
        self.assertTrue(6 < many < 12, many)

    def test_who_won_all_games_has_a_rating(self):
        self.assertTrue(2000 < ratings.likeliest([ratings.Match("a", "b", 50, 0, 0)], {"b": 1500})["a"] < 2500)


class PeoplePage(unittest.TestCase):
    def setUp(self):
        sys.dont_write_bytecode = True
        loader = importlib.machinery.SourceFileLoader("people_page", os.path.join(TOP, "scripts/people-page"))
        self.page = importlib.util.module_from_spec(importlib.util.spec_from_loader("people_page", loader))
        loader.exec_module(self.page)

    def games(self, moves, ratings_of_white, count=20):
        return [people.Game((rating, 1500), moves.split(), None) for rating in ratings_of_white for _ in range(count)]

    def test_of_an_opening_the_longest_line_that_enough_people_reach_is_shown(self):
        sicilian = "e2e4 c7c5 g1f3 d7d6"
        games = self.games(f"{sicilian} d2d4 c5d4 f3d4", (1200, 1900)) + self.games(f"{sicilian} f1b5", (1200, 1900))
        games += self.games("d2d4 d7d5 c2c4 e7e6 b1c3", (1200,))  # nobody strong
        found = self.page.counted(games)
        self.assertEqual(self.page.chosen(found, 10), [tuple(f"{sicilian} d2d4 c5d4".split())])
        weak, strong = found[tuple(sicilian.split())]
        self.assertEqual((weak, strong), ({"d2d4": 20, "f1b5": 20}, {"d2d4": 20, "f1b5": 20}))

    def test_shares_are_of_all_moves_though_three_are_shown(self):
        counter = self.page.collections.Counter({"a": 5, "b": 3, "c": 1, "d": 1})
        self.assertEqual(self.page.shares(counter), "a 50 %, b 30 %, c 10 %")


class JudgeNetworks(Scripts):
    """An engine whose evaluation is the number of pawns, times what its network's file says. Its games go nowhere,
    but their moves are counted."""
    ENGINE = """import sys
scale, fen, moves = 1.0, "", 0
for line in sys.stdin:
    words = line.split()
    if words[:3] == ["setoption", "name", "EvalFile"]:
        with open(words[4], encoding="utf-8") as file:
            scale = float(file.read())
    elif words[:2] == ["position", "fen"]:
        fen, moves = words[2], len(words[9:])
    elif words[:1] == ["d"]:
        print(f"Fen: {fen} w - - 0 {moves + 1}")
    elif words[:1] == ["go"]:
        print("info depth 1 score cp 40\\nbestmove e1d1", flush=True)
        continue
    elif words[:1] == ["eval"] and "K" in fen:
        print(f"info string static evaluation {round(scale * (fen.count('P') - fen.count('p')))} cp for the side to move")
    elif words[:1] == ["quit"]:
        break
    print({"uci": "uciok", "isready": "readyok"}.get(words[0], ""), flush=True)
"""

    def judge(self, rows, *words):
        self.write("engine.py", self.ENGINE)
        if rows is not None:
            self.write("judged.txt", "".join(f"{row}\n" for row in rows))
        return self.run_script("judge-networks", "--engine", f"{sys.executable} engine.py", "--judged", "judged.txt",
                               "--positions", str(len(rows or ())), *words)

    def test_a_network_is_measured_by_its_own_centipawns(self):
        rows = [f"4k3/{'p' * black or 8}/8/8/8/8/{'P' * white or 8}/4K3 w - - 0 1;{100 * (white - black)}"
                for white, black in ((3, 0), (2, 0), (0, 1), (1, 1), (0, 2))]
        for name, scale in (("right", 50), ("large", 150), ("wrong", -50)):
            self.write(name, str(scale))
        status, out, err = self.judge(rows, "right", "large", "wrong")
        self.assertEqual((status, err), (0, ""))
        right, large, wrong = [[cell.strip() for cell in line.split("|")[1:-1]] for line in out.splitlines()[2:]]
        self.assertEqual(right, ["right", "0.00000", "+0.00000 ± 0.00000", "50"])
        self.assertEqual((large[1], large[3]), ("0.00000", "150"))
        self.assertGreater(float(wrong[1]), 0.05)

    def test_missing_positions_are_played_and_judged_once(self):
        self.write("openings.epd", "4k3/8/8/8/8/8/PP6/4K3 w - - bm Kd1;\n4k3/8/8/8/8/8/P7/4K3 w - -\n")
        self.write("network", "20")
        kept = "4k3/8/8/8/8/8/PPP5/4K3 w - - 0 1;60"
        rest = ["--openings", "openings.epd", "--judge", f"{sys.executable} engine.py"]
        for rows, count in (([kept], 30), (None, 30), (None, 40)):
            status, _, err = self.judge(rows, "--positions", str(count), *rest, "network")
            self.assertEqual((status, err), (0, ""))
            with open(os.path.join(self.folder, "judged.txt"), encoding="utf-8") as file:
                lines = file.read().splitlines()
            self.assertEqual((lines[0], len(lines), len(set(lines))), (kept, count, count))
        self.assertRegex(lines[1], r"^4k3/8/8/8/8/8/PP?[67]/4K3 w - - 0 8;40$")
        status, _, err = self.judge(None, "--positions", "100", *rest, "network")
        self.assertEqual((status, err), (1, "scripts/judge-networks: openings.epd: its openings are used up after 45 positions\n"))

    def test_a_position_without_evaluation_is_named(self):
        self.write("network", "1")
        status, _, err = self.judge(["8/8/8/8/8/8/8/8 w - - 0 1;5"], "network")
        self.assertEqual(status, 1)
        self.assertIn("8/8/8/8/8/8/8/8 w - - 0 1: ", err)

    def test_a_line_that_is_none_is_named(self):
        for line in ("8/8/8/8/8/8/8/8 w - - 0 1", "8/8/8/8/8/8/8/8 w - - 0 1;None"):
            self.write("network", "1")
            status, _, err = self.judge([line], "network")
            self.assertEqual((status, err), (1, 'scripts/judge-networks: judged.txt: a line is not "FEN;centipawns"\n'))


if __name__ == "__main__":
    unittest.main()
