# SPDX-License-Identifier: GPL-3.0-or-later
"""Debian roots that a test works in, with or without a systemd of their own; made by unshare(1), which needs root.

They have the network of the host, for apt and for a server that a test runs on loopback.
"""
from __future__ import annotations

import asyncio
import os
import pathlib
import re
import shutil
import signal
import time
from typing import Any, Iterable, Optional

from .steps import Failure, check

BOOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "boot")
NAMESPACES = ("--mount", "--pid", "--uts", "--ipc", "--cgroup")
# What operators look for in the package.
CONTENT = ("etc/castled", "usr/bin/castled", "usr/bin/castled-uci", "lib/systemd/system/castled.service",
           "lib/systemd/system/castled@.service", "lib/systemd/system/castled.slice",
           "usr/share/bash-completion/completions/castled", "usr/share/zsh/vendor-completions/_castled",
           "usr/share/fish/vendor_completions.d/castled.fish", "usr/share/man/man1/castled.1.gz",
           "usr/share/man/man1/castled-uci.1.gz", "usr/share/man/man5/castled.conf.5.gz",
           "usr/share/doc/castled/changelog.gz", "usr/share/doc/castled/copyright",
           "usr/share/doc/castled/README.md", "usr/share/doc/castled/config/README.md",
           "usr/share/doc/castled/config/LOG.md", "usr/share/doc/castled/config/castled.conf.example",
           "usr/share/doc/castled/config/examples/bullet.conf", "usr/share/doc/castled/systemd/README.md",
           "usr/share/doc/castled/config/prometheus/castled.rules.yml",
           "usr/share/doc/castled/config/grafana/castled.json")
# Written by dpkg, apt, systemd and libc whatever is installed.
LEFT_ALONE = re.compile(r"var/(log|cache|lib/dpkg|lib/apt|lib/systemd|lib/private|tmp)(/|$)|etc/ld\.so\.cache$|"
                        r"etc/systemd/system$|usr/share/info/dir|(proc|sys|dev|run|tmp|root)(/|$)")


def version_of(package: str) -> str:
    """By the name of its file."""
    return os.path.basename(package).split("_")[1]


class Root:
    """A folder with a Linux, or next to nothing, whose programs run with mounts of their own and no systemd: as root, or
    as a user by number. With `own_processes` each command also has processes, IPC and names of its own, as in a
    container; its first process is the command."""

    ENTER = ('mkdir -p "$0/proc" "$0/dev"; mount -t proc proc "$0/proc"; mount --rbind /dev "$0/dev";'
             'exec env -i "$@"')
    VARIABLES = ("PATH=/usr/sbin:/usr/bin:/sbin:/bin", "HOME=/root", "LANG=C.UTF-8",
                 "DEBIAN_FRONTEND=noninteractive")

    def __init__(self, root: str, user: int = 0, own_processes: bool = False):
        self.root, self.user = pathlib.Path(root), user
        self._namespaces = ["--pid", "--ipc", "--uts", "--fork", "--kill-child"] if own_processes else []

    def _entered(self, variables: Iterable[str]) -> list[str]:
        """What to put before a command."""
        return ["unshare", "--mount", "--propagation=private", *self._namespaces, "sh", "-euc", self.ENTER,
                str(self.root), *variables, "/usr/sbin/chroot", f"--userspec={self.user}:{self.user}", str(self.root)]

    def send_term(self, process: asyncio.subprocess.Process) -> None:
        """SIGTERM for a command that was begun."""
        pid = process.pid
        if self._namespaces:
            pid = int(pathlib.Path(f"/proc/{pid}/task/{pid}/children").read_text())
        os.kill(pid, signal.SIGTERM)

    async def begin(self, *words: str, variables: Iterable[str] = (), **files: Any) -> asyncio.subprocess.Process:
        """Starts a command; `files` as of asyncio's create_subprocess_exec()."""
        return await asyncio.create_subprocess_exec(*self._entered((*self.VARIABLES, *variables)), *words,
                                                    stdin=asyncio.subprocess.DEVNULL, **files)

    async def tried(self, *words: str, variables: Iterable[str] = ()) -> tuple[int, str]:
        """Runs a command; its exit status, and what it wrote."""
        process = await self.begin(*words, variables=variables, stdout=asyncio.subprocess.PIPE,
                                   stderr=asyncio.subprocess.STDOUT)
        output, _ = await asyncio.wait_for(process.communicate(), 600)
        return process.returncode, output.decode(errors="replace")

    async def status(self, *words: str) -> int:
        """Runs a command; its exit status."""
        return (await self.tried(*words))[0]

    async def run(self, *words: str, variables: Iterable[str] = ()) -> str:
        """Runs a command that must succeed; what it wrote."""
        status, output = await self.tried(*words, variables=variables)
        if status != 0:
            raise Failure(f"{' '.join(words)}: exit status {status}\n{output}")
        return output

    def check_content(self) -> None:
        """What is installed has all that operators look for."""
        missing = [path for path in CONTENT if not (self.root / path).exists()]
        check(missing == [], f"the package lacks {' '.join(missing)}")


class Machine(Root):
    """A root whose systemd runs as its first process, with processes, cgroups and names of its own."""

    def __init__(self, root: str):
        super().__init__(root)
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

    def _entered(self, variables: Iterable[str]) -> list[str]:
        return ["nsenter", "--target", str(self.pid), "--mount", "--pid", "--uts", "--ipc", "--cgroup", "--",
                "env", "-i", *variables]

    async def install(self, package: str) -> None:
        """As the README says; apt brings what the package depends on."""
        shutil.copy(package, self.root / "root")
        await self.run("apt-get", "install", "--yes", "--no-install-recommends", f"/root/{os.path.basename(package)}")
        installed = await self.run("dpkg-query", "--show", "--showformat=${Version}", "castled")
        check(installed == version_of(package), f"version {installed} is installed")

    def files(self) -> set[str]:
        """All paths that a package may answer for."""
        found = set()
        for folder, folders, names in os.walk(self.root):
            place = os.path.relpath(folder, self.root)
            folders[:] = [name for name in folders if not LEFT_ALONE.match(os.path.normpath(f"{place}/{name}"))]
            found |= {path for path in (os.path.normpath(f"{place}/{name}") for name in names + folders)
                      if not LEFT_ALONE.match(path)}
        return found

    async def shown(self, unit: str, *names: str) -> dict[str, str]:
        """Properties of a unit, by systemctl show."""
        lines = (await self.run("systemctl", "show", unit, *(f"--property={name}" for name in names))).splitlines()
        return dict(line.split("=", 1) for line in lines)
