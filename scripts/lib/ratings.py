# SPDX-License-Identifier: GPL-3.0-or-later
"""Ratings of players from the matches between them: the likeliest under the logistic model (Bradley and Terry,
"Rank Analysis of Incomplete Block Designs", 1952), a draw as half a game won. Some players' ratings are known."""
import math
import random
from typing import NamedTuple

ELO = math.log(10) / 400  # logits a point
SWEEPS, LONGEST_STEP = 300, 100  # points


class Match(NamedTuple):
    """Games of `first`, a player's name."""
    first: str
    second: str
    wins: int
    draws: int
    losses: int

    @property
    def games(self):
        return self.wins + self.draws + self.losses


def likeliest(matches, known):
    """{player: rating} of all who played, those in `known` unchanged. Each must be tied to a known one by matches."""
    average = sum(known.values()) / len(known)
    ratings = {name: known.get(name, average) for match in matches for name in match[:2]}
    # Half a game drawn is added to each match, so that a player who won all has a rating.
    sides = {name: [(m.second, m.wins + m.draws / 2 + 0.25, m.games + 0.5) for m in matches if m.first == name] +
                   [(m.first, m.losses + m.draws / 2 + 0.25, m.games + 0.5) for m in matches if m.second == name]
             for name in ratings if name not in known}
    for _ in range(SWEEPS):
        for name, played in sides.items():
            slope = curvature = 0
            for opponent, points, games in played:
                expected = 1 / (1 + math.exp(-ELO * (ratings[name] - ratings[opponent])))
                slope += points - games * expected
                curvature += games * expected * (1 - expected)
            ratings[name] += max(-LONGEST_STEP, min(LONGEST_STEP, slope / curvature / ELO))
    return ratings


def errors(matches, known, seed=1, samples=100):
    """{player: error for 95 %} of the ratings not known: twice their deviation when games are drawn from the
    matches again."""
    draw = random.Random(seed)

    def again(match):
        results = draw.choices((0, 1, 2), weights=match[2:], k=match.games)
        return Match(match.first, match.second, *(results.count(i) for i in range(3)))

    found = [likeliest([again(match) for match in matches], known) for _ in range(samples)]
    ours = [name for name in found[0] if name not in known]
    means = {name: sum(ratings[name] for ratings in found) / samples for name in ours}
    return {name: 2 * math.sqrt(sum((ratings[name] - means[name]) ** 2 for ratings in found) / (samples - 1)) for name in ours}
