# SPDX-License-Identifier: GPL-3.0-or-later
"""scripts/image, with tarballs of words in place of programs."""
import io
import pathlib
import subprocess
import sys
import tarfile
import tempfile
import unittest

from . import fake_tarball
from .image import Image, check_config

SCRIPT = pathlib.Path(__file__).resolve().parents[2] / "scripts/image"


class ImageTest(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory(prefix="castled-image-")
        self.addCleanup(holder.cleanup)
        self.folder = pathlib.Path(holder.name)
        (self.folder / "ca.pem").write_text("certificates\n")
        self.tarballs = [fake_tarball.make(self.folder, machine) for machine in ("x86_64", "aarch64")]

    def make(self, folder: str) -> pathlib.Path:
        done = subprocess.run([sys.executable, str(SCRIPT), *self.tarballs, "--to", str(self.folder / folder),
                               "--certificates", str(self.folder / "ca.pem")], stdout=subprocess.PIPE, check=True)
        return pathlib.Path(done.stdout.decode().strip())

    def test_the_same_bytes_come_of_the_same_tarballs(self):
        first, second = self.make("a"), self.make("b")
        self.assertEqual(first.name, "castled-1.2.3-oci.tar")
        self.assertEqual(first.read_bytes(), second.read_bytes())

    def test_each_architecture_has_its_own_programs_and_the_user_its_volume(self):
        path = str(self.make("a"))
        for machine, architecture in (("x86_64", "amd64"), ("aarch64", "arm64")):
            image = Image(path, architecture)
            self.assertEqual(image.architectures, ["amd64", "arm64"])
            user = check_config(image)
            with tarfile.open(fileobj=io.BytesIO(image.layers[0])) as layer:
                found = {entry.name: entry for entry in layer}
                self.assertEqual(layer.extractfile("usr/local/bin/castled").read(), f"castled {machine}".encode())
            (volume,) = image.config["Volumes"]
            state = found[volume[1:]]
            self.assertEqual((state.uid, state.mode), (user, 0o700))
            self.assertEqual(found["usr/local/bin/castled"].mode, 0o755)


if __name__ == "__main__":
    unittest.main()
