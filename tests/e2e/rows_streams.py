# SPDX-License-Identifier: GPL-3.0-or-later
"""Streams that end, break, stutter, fall silent and talk nonsense."""
from __future__ import annotations

import asyncio

from sim.opponent import Idle

from .harness import SLOWNESS
from .matrix import TURN_S, FaultStage, Table

table = Table("Streams")

SILENCE_S = 25  # two keep-alive periods and a second, and what a busy machine needs

# Strike, as users read it, seconds until all is well again.
STRIKES = (
    ("reset", "reset", 5),
    ("close", "closed in good order", 5),
    ("cut", "cut in mid-body", 5),
    ("half a line", "cut in mid-line", 5),
    ("silence", "open but silent", SILENCE_S),
    ("single bytes", "split at every byte", 15),
    ("one segment", "several lines in a segment", 5),
    ("long line", "a line of 1 MiB", 5),
    ("invalid JSON", "invalid JSON", 5),
    ("invalid UTF-8", "invalid UTF-8", 5),
    ("unknown types", "unknown types", 5),
    ("null fields", "null fields", 5),
    ("missing fields", "missing fields", 5),
)


def _add_strike(what: str, words: str, within_s: float) -> None:
    @table.row(f"game stream: {words}", within_s)
    async def on_game_stream(stage: FaultStage) -> None:
        await stage.start()
        game = await stage.new_game()
        await stage.stream(game)
        stage.struck()
        stage.sim.strike(what, game)
        await stage.turn(game, within_s)
        stage.recovered()
        await stage.stream(game)

    @table.row(f"event stream: {words}", within_s)
    async def on_event_stream(stage: FaultStage) -> None:
        await stage.start(games={"concurrency": 2})
        game = await stage.new_game()
        stage.struck()
        stage.sim.strike(what)
        challenge = await stage.challenge(Idle(), name="Berta", limit=180)
        await challenge.started(within_s * SLOWNESS)
        stage.recovered()
        await stage.online()
        await stage.sim.until(lambda: stage.sim.count("game_stream") > 1, within_s * SLOWNESS)
        await stage.turn(game)
        assert stage.sim.count("game_stream") == 2, "a game was begun twice"


for _strike in STRIKES:
    _add_strike(*_strike)


@table.row("event stream: forgotten by the server, but open", 30)
async def forgotten(stage: FaultStage) -> None:
    await stage.start(games={"concurrency": 2})
    game = await stage.new_game()
    stage.struck()
    stage.bot.lose_sight()
    challenge = await stage.challenge(Idle(), name="Berta", limit=180)
    await stage.turn(game)
    await challenge.started(30 * SLOWNESS)
    stage.recovered()
    await stage.turn(game)
    assert stage.sim.count("event_stream") == 2, "not opened again once"


@table.row("game stream: reset while we think", 5)
async def reset_while_we_think(stage: FaultStage) -> None:
    await stage.start(engine={"nodes": 0, "movetime": 800})
    game = await stage.new_game()
    await stage.opponent_moves(game)
    await asyncio.sleep(0.2)
    stage.struck()
    stage.sim.strike("reset", game)
    await stage.our_move(game, 5)
    stage.recovered()


@table.row("game stream: nothing but keep-alives for 20 s", 5)
async def only_keep_alives(stage: FaultStage) -> None:
    await stage.start()
    game = await stage.new_game()
    await asyncio.sleep(20)
    stage.struck()
    await stage.turn(game)
    stage.recovered()
    assert stage.sim.count("event_stream") == stage.sim.count("game_stream") == 1, "given up"


@table.row("all streams: in pieces of 7 and of 64 bytes", 20)
async def in_pieces(stage: FaultStage) -> None:
    await stage.start()
    stage.struck()
    for stage.sim.stream_split in (7, 64):
        game = await stage.new_game(name=f"player{stage.sim.stream_split}")
        await stage.turn(game)
        game.resign("white")
        await stage.over(game)
    stage.recovered()


@table.row("event stream: 502 twice when it is opened again", 15)
async def event_stream_fails(stage: FaultStage) -> None:
    await stage.start()
    game = await stage.new_game()
    stage.sim.faults.order("event_stream", status=502, times=2)
    stage.struck()
    stage.sim.strike("reset")
    challenge = await stage.challenge(Idle(), name="Berta", limit=180)
    await stage.turn(game)
    await challenge.started(15 * SLOWNESS)
    stage.recovered()


def _add_between_move_and_echo(what: str, words: str, within_s: float) -> None:
    @table.row(f"game stream: {words} between our move and its echo", within_s)
    async def between_move_and_echo(stage: FaultStage) -> None:
        await stage.start()
        game = await stage.new_game()
        stage.sim.faults.order("move", stream=what)
        stage.struck()
        await stage.turn(game)
        await stage.turn(game, within_s)
        stage.recovered()


_add_between_move_and_echo("reset", "reset", 5)
_add_between_move_and_echo("close", "closed", 5)
_add_between_move_and_echo("silence", "falls silent", SILENCE_S)


@table.row("game stream: lost together with a move's answer", 8, twice=1)
async def stream_and_answer_lost(stage: FaultStage) -> None:
    await stage.start()
    game = await stage.new_game()
    stage.sim.faults.order("move", stream="reset", reset=True, applied=True)
    stage.sim.faults.order("game_stream", status=502)
    stage.struck()
    await stage.turn(game)
    await stage.turn(game, 8)
    stage.recovered()


@table.row("game stream: reset 12 times in a row", 60, requests=80)
async def reset_again_and_again(stage: FaultStage) -> None:
    await stage.start()
    game = await stage.new_game()
    for _ in range(12):
        await stage.stream(game, 15)
        stage.struck()
        stage.sim.strike("reset", game)
    await stage.turn(game, 30)
    stage.recovered()


UNSEEN_S = 25  # fifteen seconds of silence, a second for what is on its way, and a new stream


@table.row("game stream: a first move that it never shows", UNSEEN_S)
async def first_move_unseen(stage: FaultStage) -> None:
    await stage.start()
    stage.sim.gap = stage.opponent_moves
    game = await stage.game(Idle(), limit=180, variant=stage.variant)
    await game.plies(1, TURN_S * SLOWNESS)
    stage.struck()
    await stage.our_move(game, UNSEEN_S)
    stage.recovered()


@table.row("game stream: a move that it never shows", UNSEEN_S)
async def move_unseen(stage: FaultStage) -> None:
    await stage.start()
    game = await stage.new_game()
    game.unshown = 1
    await stage.opponent_moves(game)
    stage.struck()
    await stage.our_move(game, UNSEEN_S)
    stage.recovered()


@table.row("game stream: a move while it is opened again", UNSEEN_S)
async def move_unseen_after_reopening(stage: FaultStage) -> None:
    await stage.start()
    game = await stage.new_game()
    stage.sim.gap = stage.opponent_moves
    plies = len(game.moves)
    stage.sim.strike("reset", game)
    await game.plies(plies + 1, TURN_S * SLOWNESS)
    stage.struck()
    await stage.our_move(game, UNSEEN_S)
    stage.recovered()


@table.row("game stream: a move ahead of an older gameFull", 5)
async def move_before_game_full(stage: FaultStage) -> None:
    await stage.start()
    stage.sim.gap, stage.sim.gap_is_shown = stage.opponent_moves, True
    game = await stage.game(Idle(), limit=180, variant=stage.variant)
    await game.plies(1, TURN_S * SLOWNESS)
    await stage.our_move(game, 5)
    plies = len(game.moves)
    stage.sim.gap = stage.opponent_moves
    stage.struck()
    stage.sim.strike("reset", game)
    await game.plies(plies + 1, TURN_S * SLOWNESS)
    await stage.our_move(game, 5)
    stage.recovered()
    await stage.turn(game)


@table.row("game stream: an older state after a newer one", 5)
async def old_state(stage: FaultStage) -> None:
    await stage.start(engine={"nodes": 0, "movetime": 500})
    game = await stage.new_game()
    old = game.state()
    stage.struck()
    await stage.opponent_moves(game)
    game.send(old)
    await stage.our_move(game, 5)
    stage.recovered()
    await stage.turn(game)


@table.row("duplicate gameStart", 5)
async def duplicate_game_start(stage: FaultStage) -> None:
    await stage.start()
    game = await stage.new_game()
    stage.struck()
    for _ in range(3):
        stage.sim.send_event(stage.bot, {"type": "gameStart", "game": game.summary("black")})
    await stage.turn(game)
    stage.recovered()
    assert stage.sim.count("game_stream") == 1, "the game was begun twice"


@table.row("gameStart for a finished game", 5)
async def game_start_of_a_finished_game(stage: FaultStage) -> None:
    await stage.start(games={"concurrency": 1})
    game = await stage.new_game()
    start = {"type": "gameStart", "game": game.summary("black")}
    game.resign("white")
    await stage.over(game)
    stage.struck()
    stage.sim.send_event(stage.bot, start)
    await stage.new_game(name="Berta")
    stage.recovered()
    assert stage.sim.count("game_stream") == 2, "the finished game was begun again"


@table.row("gameFinish before the last state", 5)
async def game_finish_first(stage: FaultStage) -> None:
    stage.sim.finish_event_first = stage.sim.final_state_twice = True
    await stage.start(games={"concurrency": 1})
    game = await stage.new_game()
    stage.struck()
    game.resign("white")
    await stage.over(game)
    await stage.new_game(name="Berta")
    stage.recovered()


@table.row("40 games when the stream opens, 32 told", 30, requests=200)
async def more_games_than_the_stream_tells(stage: FaultStage) -> None:
    games = []
    for number in range(40):
        challenge = await stage.challenge(Idle(), name=f"player{number}", limit=180)
        challenge.accept()()
        games.append(challenge.game)
        await stage.opponent_moves(challenge.game)
    stage.struck()
    await stage.start(engine={"nodes": 200})
    for game in games:
        await stage.our_move(game, 30)
    stage.recovered()
    for game in games[4:]:
        game.resign("white")


@table.row("a second client on the token", 60)
async def second_client(stage: FaultStage) -> None:
    await stage.start()
    game = await stage.new_game()
    stage.struck()
    for _ in range(4):
        opens = stage.sim.count("event_stream")
        stage.sim.strike("close")  # what the opening of the other one's stream does to ours
        await stage.sim.until(lambda: stage.sim.count("event_stream") > opens, 30, "a new stream")
        await stage.online()
        await stage.turn(game)
    await stage.log_says("(?i)another program")
    stage.recovered()
