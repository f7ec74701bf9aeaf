# SPDX-License-Identifier: GPL-3.0-or-later
"""A bot of the simulated Lichess, whose castled is the package's, the tarball's or the image's; and its games."""
from __future__ import annotations

import asyncio
import pathlib
import re
import shutil
from typing import Any, Iterable, Optional

from sim.accounts import Account
from sim.daemon import write_config
from sim.game import Game
from sim.oauth import Oauth
from sim.opponent import Random
from sim.server import Simulator

from .machine import Root
from .steps import check

ENGINE = {"threads": 1, "hash": 16, "nodes": 2000}


class Waiting(Random):
    """Makes a few random moves, then none until `may_go_on` is set."""

    MOVES = 3

    def __init__(self) -> None:
        super().__init__()
        self.may_go_on = asyncio.Event()

    async def choose(self, game: Game) -> Optional[str]:
        if len(game.moves) >= 2 * self.MOVES:
            await self.may_go_on.wait()
        return await super().choose(game)


class Bot:
    def __init__(self, sim: Simulator, machine: Root, name: str):
        self.sim, self.machine, self.name = sim, machine, name
        self.token = f"lip_{name}"
        self.account: Account = sim.add_account(name, title="BOT", rating=2000)
        sim.add_token(self.token, self.account)

    def configure_for(self, home: str, sections: dict[str, dict[str, Any]]) -> None:
        """As a user does in a home folder: the root's certificates are enough, and $CASTLED_TOKEN."""
        folder = self.machine.root / home[1:] / ".config/castled"
        folder.mkdir(parents=True, exist_ok=True)
        write_config(str(folder / "castled.conf"), {"account": {"url": self.sim.url}, "engine": ENGINE, **sections})

    async def plays(self, *command: str, opponent: str, log: pathlib.Path, variables: Iterable[str] = (),
                    timeout_s: float = 120, health: Iterable[str] = ()) -> None:
        """`command` begins with the path of castled. It plays a game to mate, which is in the archive; SIGTERM ends it
        with status 0. `variables` are the environment that all its commands need,
        `health` another health check than castled's."""
        with log.open("wb") as output:
            process = await self.machine.begin(*command, variables=variables, stdout=output, stderr=output)
        try:
            await self.wins(await self.game(opponent, Random()), timeout_s)
            check("online" in await self.machine.run(command[0], "status", variables=variables),
                  "castled status does not say online")
            await self.machine.run(*(health or (command[0], "status", "--health")), variables=variables)
            self.machine.send_term(process)
            status = await asyncio.wait_for(process.wait(), 20)
            check(status == 0, f"it ended with {status}")
        finally:
            if process.returncode is None:
                process.kill()
                await process.wait()
        await self.has_archived(opponent, command[0], variables)

    async def drains(self, *command: str, opponent: str, log: pathlib.Path, variables: Iterable[str] = ()) -> None:
        """SIGTERM comes in mid-game: it accepts no other one, plays to mate, and ends with status 0."""
        player = Waiting()
        with log.open("wb") as output:
            process = await self.machine.begin(*command, variables=variables, stdout=output, stderr=output)
        try:
            game = await self.game(opponent, player)
            await game.plies(2 * Waiting.MOVES, 60)
            self.machine.send_term(process)
            late = await self.sim.challenge(self.account, f"late-{opponent}", limit=600, player=Random())
            reason = await late.declined(20)
            check(reason == "later", f"a challenge after SIGTERM was declined by {reason}")
            check(process.returncode is None, "it has left its game")
            player.may_go_on.set()
            await self.wins(game, 600)
            status = await asyncio.wait_for(process.wait(), 60)
            check(status == 0, f"it ended with {status}")
        finally:
            if process.returncode is None:
                process.kill()
                await process.wait()
        await self.has_archived(opponent, command[0], variables)

    def configure(self) -> None:
        """As its operator does, by hand."""
        folder = self.machine.root / "etc/castled"
        folder.mkdir(exist_ok=True)
        shutil.copy(self.sim.ca_file, folder / "ca.pem")
        token = folder / ("token" if self.name == "castled" else f"{self.name}.token")
        token.touch(mode=0o600)
        token.write_text(self.token + "\n")
        write_config(str(folder / f"{self.name}.conf"), {
            "account": {"url": self.sim.url, "ca_file": "/etc/castled/ca.pem",
                        "token_file": f"/etc/castled/{token.name}"},
            "engine": ENGINE})

    async def set_up(self) -> None:
        """As the operator of one of several bots does, on a machine where nothing of it is: by the commands of
        systemd/README.md, with their defaults. Only the server is another."""
        command = ("castled", "--instance", self.name)
        await self.machine.run(*command, "init")
        config = self.machine.root / f"etc/castled/{self.name}.conf"
        shutil.copy(self.sim.ca_file, config.parent / "ca.pem")
        config.write_text(config.read_text()
                          .replace("[account]\n", f"[account]\nurl = {self.sim.url}\nca_file = /etc/castled/ca.pem\n")
                          .replace("[engine]\n", "[engine]\nthreads = 1\nhash = 16\nnodes = 2000\n"))
        login = await self.machine.begin(*command, "login", stdout=asyncio.subprocess.PIPE)
        said = await asyncio.wait_for(login.stdout.readuntil(b"consent"), 30)
        await Oauth(self.sim, self.account).browse(re.search(r"https://\S+/oauth\?\S+", said.decode())[0])
        rest, _ = await asyncio.wait_for(login.communicate(), 30)
        check(login.returncode == 0 and f"/etc/castled/{self.name}.token" in rest.decode(),
              f"castled login:\n{rest.decode()}")
        for words in (("upgrade", "--yes"), ("check",)):
            await self.machine.run(*command, *words)

    async def game(self, opponent: str, player: Random) -> Game:
        await self.sim.until(lambda: self.account.is_online, 30, f"{self.name} is online")
        challenge = await self.sim.challenge(self.account, opponent, limit=600, colour="black", player=player)
        return await challenge.started(20)

    async def wins(self, game: Game, timeout_s: float = 120) -> None:
        """Every other end would be a fault: the opponent's moves are random."""
        await game.until(lambda g: not g.is_running, timeout_s)
        check(game.status == "mate" and game.winner == game.colour_of(self.account),
              f"the game ended by {game.status}, won by {game.winner}")

    async def has_archived(self, opponent: str, castled: str = "castled", variables: Iterable[str] = ()) -> None:
        """One game against them, which ended by mate."""
        games = await self.machine.run(castled, "pgn", "--opponent", opponent, variables=variables)
        check(games.count("[Event ") == 1 and "#" in games, f"castled pgn --opponent {opponent}:\n{games}")
