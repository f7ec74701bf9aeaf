# SPDX-License-Identifier: GPL-3.0-or-later
"""A headless Chromium, driven over its DevTools pipe: JSON messages that end with a NUL.

Debian's package `chromium` is enough; nothing else is needed.
"""
from __future__ import annotations

import asyncio
import base64
import json
import os
import shutil
import tempfile
from typing import Any, Optional

PROGRAM = shutil.which("chromium") or shutil.which("chromium-browser")


class Browser:
    def __init__(self, process: asyncio.subprocess.Process, reader: asyncio.StreamReader,
                 to_browser: int, directory: str):
        self._process, self._reader, self._to = process, reader, to_browser
        self._directory = directory
        self._number = 0
        self._waiting: dict[int, asyncio.Future] = {}
        self._session: Optional[str] = None
        self.complaints: list[str] = []  # of pages: errors, and what the policy forbade
        self._listener = asyncio.create_task(self._listen())

    @classmethod
    async def start(cls) -> "Browser":
        directory = tempfile.mkdtemp(prefix="castled-browser-")
        to_read, to_write = os.pipe()
        from_read, from_write = os.pipe()
        process = await asyncio.create_subprocess_exec(
            "bash", "-c", f'exec 3<&{to_read} 4>&{from_write} "$0" "$@"', PROGRAM,
            "--headless=new", "--no-sandbox", "--disable-gpu", "--remote-debugging-pipe",
            "--hide-scrollbars", "--no-first-run", "--disable-background-networking",
            f"--user-data-dir={directory}", "about:blank", pass_fds=(to_read, from_write),
            stdout=asyncio.subprocess.DEVNULL, stderr=asyncio.subprocess.DEVNULL)
        os.close(to_read)
        os.close(from_write)
        reader = asyncio.StreamReader(limit=64 << 20)
        await asyncio.get_running_loop().connect_read_pipe(
            lambda: asyncio.StreamReaderProtocol(reader), os.fdopen(from_read, "rb"))
        browser = cls(process, reader, to_write, directory)
        targets = await browser.send("Target.getTargets")
        target = next(t for t in targets["targetInfos"] if t["type"] == "page")
        attached = await browser.send("Target.attachToTarget", targetId=target["targetId"], flatten=True)
        browser._session = attached["sessionId"]
        for domain in ("Page", "Runtime", "Log"):
            await browser.send(f"{domain}.enable")
        return browser

    async def _listen(self) -> None:
        try:
            while True:
                message = json.loads((await self._reader.readuntil(b"\0"))[:-1])
                if "id" in message:
                    self._waiting.pop(message["id"]).set_result(message)
                elif message["method"] == "Log.entryAdded":
                    self.complaints.append(message["params"]["entry"]["text"])
                elif message["method"] == "Runtime.exceptionThrown":
                    self.complaints.append(json.dumps(message["params"]["exceptionDetails"]))
        except asyncio.IncompleteReadError:
            pass

    async def send(self, method: str, **params: Any) -> dict[str, Any]:
        self._number += 1
        message = {"id": self._number, "method": method, "params": params}
        if self._session:
            message["sessionId"] = self._session
        self._waiting[self._number] = future = asyncio.get_running_loop().create_future()
        os.write(self._to, json.dumps(message).encode() + b"\0")
        answer = await asyncio.wait_for(future, 30)
        if "error" in answer:
            raise RuntimeError(f"{method}: {answer['error']}")
        return answer.get("result", {})

    async def see(self, width: int, height: int, dark: bool = False, phone: bool = False) -> None:
        await self.send("Emulation.setDeviceMetricsOverride", width=width, height=height,
                        deviceScaleFactor=1, mobile=phone)
        await self.send("Emulation.setEmulatedMedia", features=[
            {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])

    async def scripts(self, are_on: bool) -> None:
        await self.send("Emulation.setScriptExecutionDisabled", value=not are_on)

    async def open(self, url: str) -> None:
        await self.send("Page.navigate", url=url)
        await self.until("document.readyState === 'complete'")

    async def ask(self, expression: str) -> Any:
        answer = await self.send("Runtime.evaluate", expression=expression, returnByValue=True,
                                 awaitPromise=True)
        if "exceptionDetails" in answer:
            raise RuntimeError(json.dumps(answer["exceptionDetails"]))
        return answer["result"].get("value")

    async def until(self, expression: str, timeout: float = 20) -> None:
        end = asyncio.get_running_loop().time() + timeout
        while not await self.is_true(expression):
            if asyncio.get_running_loop().time() > end:
                raise AssertionError(f"never true: {expression}")
            await asyncio.sleep(0.05)

    async def is_true(self, expression: str) -> bool:
        """Not while it goes to another page, either."""
        try:
            return await self.ask(f"Boolean({expression})")
        except RuntimeError as error:
            if "navigated" not in str(error):
                raise
            return False

    async def press(self, key: str) -> None:
        for kind in ("keyDown", "keyUp"):
            await self.send("Input.dispatchKeyEvent", type=kind, key=key, code=key)

    async def picture(self, path: str, transparent: bool = False, whole: bool = False) -> None:
        """Of what the window shows, or of the whole page however long it is."""
        what: dict[str, Any] = {}
        if whole:
            size = (await self.send("Page.getLayoutMetrics"))["cssContentSize"]
            what = {"captureBeyondViewport": True, "clip": {**size, "scale": 1}}
        if transparent:
            await self.send("Emulation.setDefaultBackgroundColorOverride",
                            color={"r": 0, "g": 0, "b": 0, "a": 0})
        shot = await self.send("Page.captureScreenshot", format="png", **what)
        with open(path, "wb") as file:
            file.write(base64.b64decode(shot["data"]))
        if transparent:
            await self.send("Emulation.setDefaultBackgroundColorOverride")

    async def close(self) -> None:
        self._listener.cancel()
        self._process.kill()
        await self._process.wait()
        os.close(self._to)
        shutil.rmtree(self._directory, ignore_errors=True)


# The placement field of the FEN that the board of a game shows.
SHOWN_PLACEMENT = """(id) => {
  const article = document.querySelector(`article[data-id="${id}"]`);
  const isFlipped = article.dataset.below === "black";
  const squares = Array(64).fill("");
  for (const use of article.querySelectorAll(".pieces use")) {
    const letter = use.getAttribute("href")[1];
    const at = Number(use.getAttribute("y")) * 8 + Number(use.getAttribute("x"));
    squares[isFlipped ? 63 - at : at] =
      use.getAttribute("class").startsWith("w") ? letter.toUpperCase() : letter;
  }
  const rows = [];
  for (let row = 0; row < 8; row++)
    rows.push(squares.slice(8 * row, 8 * row + 8).map((s) => s || " ").join("")
      .replace(/ +/g, (gap) => gap.length));
  return rows.join("/");
}"""
