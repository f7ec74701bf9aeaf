#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The container's image, as an engine of containers takes it; scripts/image-test calls it.

Every blob is held against its digest. The layers of this machine's kind are unpacked into an empty root, and what the
configuration says runs there, as its user and as the first process: it plays to mate over TLS, its health check passes,
SIGTERM ends it, after the games that run.
"""
from __future__ import annotations

import argparse
import gzip
import hashlib
import io
import json
import os
import pathlib
import platform
import sys
import tarfile
from typing import Any

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

from package.bot import ENGINE, Bot  # noqa: E402
from package.machine import Root  # noqa: E402
from package.steps import check, main_of, step  # noqa: E402
from sim.daemon import write_config  # noqa: E402
from sim.server import Simulator  # noqa: E402

ARCHITECTURES = {"x86_64": "amd64", "aarch64": "arm64"}
AIM_MB = 25


class Image:
    """One architecture's image of an OCI archive."""

    def __init__(self, path: str, architecture: str):
        self.name = os.path.basename(path)
        with tarfile.open(path) as archive:
            self._files = {entry.name: archive.extractfile(entry).read() for entry in archive if entry.isfile()}
        check(json.loads(self._files["oci-layout"])["imageLayoutVersion"] == "1.0.0", "not an OCI layout")
        (index,) = json.loads(self._files["index.json"])["manifests"]
        self.tag: str = index["annotations"]["org.opencontainers.image.ref.name"]
        images = self._json(index)["manifests"]
        self.architectures = sorted(image["platform"]["architecture"] for image in images)
        (manifest,) = [self._json(image) for image in images if image["platform"]["architecture"] == architecture]
        description = self._json(manifest["config"])
        self.config: dict[str, Any] = description["config"]
        self.layers = [gzip.decompress(self._blob(layer)) for layer in manifest["layers"]]
        self.size = sum(layer["size"] for layer in manifest["layers"])
        told = ["sha256:" + hashlib.sha256(layer).hexdigest() for layer in self.layers]
        check(told == description["rootfs"]["diff_ids"], "the layers are not those of the configuration")

    def _blob(self, descriptor: dict[str, Any]) -> bytes:
        content = self._files["blobs/" + descriptor["digest"].replace(":", "/")]
        told = (len(content), "sha256:" + hashlib.sha256(content).hexdigest())
        check(told == (descriptor["size"], descriptor["digest"]), f"not its digest: {descriptor}")
        return content

    def _json(self, descriptor: dict[str, Any]) -> dict[str, Any]:
        return json.loads(self._blob(descriptor))

    def unpack(self, root: str) -> None:
        for layer in self.layers:
            with tarfile.open(fileobj=io.BytesIO(layer)) as entries:
                entries.extractall(root, numeric_owner=True)


def check_config(image: Image) -> int:
    """What its documents promise; the user's number."""
    user = image.config["User"].split(":")[0]
    check(int(user) > 0, f"it runs as {user}")
    (volume,) = image.config["Volumes"]
    check(f"STATE_DIRECTORY={volume}" in image.config["Env"], "the archive is not in the volume")
    check(image.size < AIM_MB * 10 ** 6, f"{image.size} bytes")
    return int(user)


async def run(wanted: argparse.Namespace, directory: str, sim: Simulator, log: pathlib.Path) -> None:
    machine = os.path.join(directory, "container")
    os.mkdir(machine)
    with step("its blobs are those that it tells of, and it is not root's"):
        image = Image(wanted.image, wanted.architecture)
        root = Root(machine, user=check_config(image), own_processes=True)
        image.unpack(machine)
        check((root.root / "etc/ssl/certs/ca-certificates.crt").stat().st_size > 1000, "it has no certificates")
    await sim.start()
    bot = Bot(sim, root, "castled")
    # What an operator mounts over it.
    write_config(str(root.root / "etc/castled/castled.conf"), {
        "account": {"url": sim.url, "ca_file": "/etc/castled/ca.pem"}, "engine": ENGINE})
    (root.root / "etc/castled/ca.pem").write_bytes(pathlib.Path(sim.ca_file).read_bytes())
    variables = [*image.config["Env"], f"CASTLED_TOKEN={bot.token}"]
    command = image.config["Entrypoint"]
    with step(f"{wanted.architecture} of {', '.join(image.architectures)}, {image.size / 1e6:.1f} MB: it plays to mate, "
              "is healthy, and ends by SIGTERM as the first process"):
        await root.run(*command, "check", variables=variables)
        health = image.config["Healthcheck"]["Test"]
        check(health[0] == "CMD" and await root.status(*health[1:]) != 0, "it is healthy before it runs")
        await bot.plays(*command, *image.config["Cmd"], opponent="Alfons", log=log, variables=variables,
                        timeout_s=600, health=health[1:])
    with step("SIGTERM in mid-game: it declines the next one, plays on to mate and ends"):
        await bot.drains(*command, *image.config["Cmd"], opponent="Berta", log=log, variables=variables)


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Plays with the image's castled.")
    parser.add_argument("image", help="an OCI archive")
    parser.add_argument("--architecture", default=ARCHITECTURES[platform.machine()], help="the kernel must run it")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main_of("tests/package/image.py", lambda *given: run(arguments(), *given)))
