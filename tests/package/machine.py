# SPDX-License-Identifier: GPL-3.0-or-later
"""A Debian root with a systemd of its own that runs as its first process, made by unshare(1); needs root.

It has its own mounts, processes, cgroups, names; and the network of the host, for apt and for a server
that a test runs on loopback.
"""
from __future__ import annotations

import asyncio
import os
import pathlib
import time
from typing import Optional

BOOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "boot")
NAMESPACES = ("--mount", "--pid", "--uts", "--ipc", "--cgroup")


class Failure(Exception):
    """The machine, or the package in it, did not do what it should; the text says what."""


class Machine:
    def __init__(self, root: str):
        self.root = pathlib.Path(root)
        self._cgroup = self._cgroups() / f"castled-{os.getpid()}"
        self._outer: Optional[asyncio.subprocess.Process] = None
        self.pid = 0  # of its systemd, as the host counts

    @staticmethod
    def _cgroups() -> pathlib.Path:
        """Where the host has the unified hierarchy."""
        for line in pathlib.Path("/proc/mounts").read_text().splitlines():
            _, place, kind, *_ = line.split()
            if kind == "cgroup2":
                return pathlib.Path(place)
        raise Failure("the host has no cgroup2 mounted")

    def controllers(self) -> list[str]:
        """Of resources that its systemd can limit."""
        return (self._cgroup / "cgroup.controllers").read_text().split()

    async def start(self) -> None:
        self._cgroup.mkdir()
        def enter() -> None:
            (self._cgroup / "cgroup.procs").write_text(str(os.getpid()))
        self._outer = await asyncio.create_subprocess_exec(
            "unshare", *NAMESPACES, "--propagation=private", "--fork", "--kill-child", BOOT, str(self.root),
            stdin=asyncio.subprocess.DEVNULL, stdout=asyncio.subprocess.DEVNULL, preexec_fn=enter)
        children = pathlib.Path(f"/proc/{self._outer.pid}/task/{self._outer.pid}/children")
        ends = time.monotonic() + 60
        while self._outer.returncode is None and time.monotonic() < ends:
            await asyncio.sleep(0.1)
            try:
                self.pid = int(children.read_text() or 0)
                if self.pid and pathlib.Path(f"/proc/{self.pid}/comm").read_text() == "systemd\n" and \
                        await self.status("systemctl", "is-system-running", "--wait") == 0:
                    return
            except OSError:
                pass
        raise Failure("its systemd does not come up")

    async def stop(self) -> None:
        """At once, like a machine whose power goes."""
        if self._outer is not None and self._outer.returncode is None:
            self._outer.kill()
            await self._outer.wait()
        for _ in range(50):  # its processes end with its first one, but not in the same moment
            try:
                for folder, _, _ in os.walk(self._cgroup, topdown=False):
                    os.rmdir(folder)
                return
            except OSError:
                await asyncio.sleep(0.1)

    async def _run(self, *words: str) -> tuple[int, str]:
        process = await asyncio.create_subprocess_exec(
            "nsenter", "--target", str(self.pid), "--mount", "--pid", "--uts", "--ipc", "--cgroup", "--",
            "env", "-i", "PATH=/usr/sbin:/usr/bin:/sbin:/bin", "HOME=/root", "LANG=C.UTF-8",
            "DEBIAN_FRONTEND=noninteractive", *words, stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT)
        output, _ = await asyncio.wait_for(process.communicate(), 600)
        return process.returncode, output.decode(errors="replace")

    async def status(self, *words: str) -> int:
        """Runs a command as root; its exit status."""
        return (await self._run(*words))[0]

    async def run(self, *words: str) -> str:
        """Runs a command as root that must succeed; what it wrote."""
        status, output = await self._run(*words)
        if status != 0:
            raise Failure(f"{' '.join(words)}: exit status {status}\n{output}")
        return output

    async def shown(self, unit: str, *names: str) -> dict[str, str]:
        """Properties of a unit, by systemctl show."""
        lines = (await self.run("systemctl", "show", unit, *(f"--property={name}" for name in names))).splitlines()
        return dict(line.split("=", 1) for line in lines)
