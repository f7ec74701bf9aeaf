# SPDX-License-Identifier: GPL-3.0-or-later
"""`castled run` as a child process, for tests, the demo and the benchmark."""
from __future__ import annotations

import asyncio
import os
import re
import resource
import signal
import socket
import time
from typing import Any, Optional

LOOK_S = 0.05  # between two looks whether the process has ended


def free_port() -> int:
    """A port of 127.0.0.1 that nobody listens on."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return free.getsockname()[1]


def inherited() -> dict[str, str]:
    """Our environment, without what castled would take for its settings."""
    return {name: value for name, value in os.environ.items() if not name.startswith("CASTLED_")}


def write_config(path: str, sections: dict[str, dict[str, Any]]) -> None:
    """An INI file; keys whose value is None are left out."""
    with open(path, "w", encoding="utf-8") as file:
        for section, keys in sections.items():
            file.write(f"[{section}]\n")
            file.writelines(f"{key} = {value}\n" for key, value in keys.items()
                            if value is not None)


class Daemon:
    def __init__(self, process: asyncio.subprocess.Process, log_path: str):
        self._process = process
        self._log_path = log_path

    @classmethod
    async def start(cls, program: str, config_path: str, log_path: str,
                    environment: dict[str, str], *, variables: Optional[dict[str, str]] = None,
                    address_space_mib: int = 0, descriptors: int = 0, output: str = "",
                    words: tuple[str, ...] = ()) -> "Daemon":
        """`variables` are added to the environment; `output` takes what would go to the log; the
        address space may be limited, and descriptors softly; `words` follow the command. Without `config_path` there is no file."""
        def limit() -> None:
            if descriptors:
                _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
                resource.setrlimit(resource.RLIMIT_NOFILE, (descriptors, most))
            if address_space_mib:
                size = address_space_mib << 20
                resource.setrlimit(resource.RLIMIT_AS, (size, size))
        with open(log_path, "wb") as log, open(output or os.devnull, "wb") as elsewhere:
            sink = elsewhere if output else log
            process = await asyncio.create_subprocess_exec(
                program, "run", *words, *(("--config", config_path) if config_path else ()), env={**environment, **(variables or {})},
                stdin=asyncio.subprocess.DEVNULL, stdout=sink, stderr=sink,
                preexec_fn=limit if address_space_mib or descriptors else None)
        return cls(process, log_path)

    @property
    def status(self) -> Optional[int]:
        """The exit status (negative for a signal); None while it runs."""
        return self._process.returncode

    @property
    def is_running(self) -> bool:
        return self._process.returncode is None

    def signal(self, number: int) -> None:
        self._process.send_signal(number)

    async def wait(self, timeout: float) -> int:
        return await asyncio.wait_for(self._process.wait(), timeout)

    async def stop(self) -> tuple[int, float]:
        """SIGTERM; returns the exit status and the seconds that it took, without those in which
        the machine let nobody run, not even us."""
        looked = time.monotonic()
        ends, took = looked + 20, 0.0
        self.signal(signal.SIGTERM)
        exited = asyncio.ensure_future(self._process.wait())
        while not exited.done() and looked < ends:
            await asyncio.wait({exited}, timeout=LOOK_S)
            before, looked = looked, time.monotonic()
            took += min(looked - before, 2 * LOOK_S)
        return await asyncio.wait_for(exited, 0.1), took

    async def kill(self) -> None:
        if self.is_running:
            self._process.kill()
            await self._process.wait()

    def log(self) -> str:
        with open(self._log_path, encoding="utf-8", errors="replace") as file:
            return file.read()

    @property
    def pid(self) -> int:
        return self._process.pid

    def memory_kib(self, kind: str) -> int:
        """Rss or Pss, as the kernel counts them now."""
        with open(f"/proc/{self._process.pid}/smaps_rollup", encoding="ascii") as file:
            return int(re.search(rf"^{kind}:\s+(\d+)", file.read(), re.MULTILINE).group(1))

    def limit_descriptors(self, soft: int) -> int:
        """Sets the soft limit of the running process; returns what it was."""
        was, most = resource.prlimit(self._process.pid, resource.RLIMIT_NOFILE)
        resource.prlimit(self._process.pid, resource.RLIMIT_NOFILE, (soft, most))
        return was

    def descriptors(self) -> int:
        return len(os.listdir(f"/proc/{self._process.pid}/fd"))

    def threads(self) -> int:
        return len(os.listdir(f"/proc/{self._process.pid}/task"))

    def cpu_s(self) -> float:
        """User and system time so far."""
        with open(f"/proc/{self._process.pid}/stat", encoding="ascii") as file:
            fields = file.read().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
