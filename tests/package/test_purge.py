# SPDX-License-Identifier: GPL-3.0-or-later
"""config/debian/postrm in folders of the test's own: what a purge removes, and what it never touches."""
import os
import pathlib
import subprocess
import tempfile
import unittest

from e2e import etc

POSTRM = pathlib.Path(__file__).resolve().parents[2] / "config/debian/postrm"
LAY = 'mount --bind "$0/etc" /etc && mount --bind "$0/var" /var && exec sh -e "$1" "$2"'
OURS = ("etc/castled/castled.conf", "etc/castled/alba.conf", "etc/castled/token", "etc/castled/alba.token",
        "var/lib/private/castled/games.sqlite", "var/lib/private/castled/games.sqlite-wal",
        "var/lib/private/castled-alba/games.sqlite", "var/lib/castled-old/token",
        "etc/systemd/system/multi-user.target.wants/castled@alba.service")
LINKS = {"var/lib/castled": "private/castled", "var/lib/castled-alba": "private/castled-alba",
         "var/lib/castled-berta": "private/castled-berta"}
OPERATORS = ("etc/castled/books/book.bin", "etc/castled/ca.pem", "var/lib/castled-books/book.bin",
             "var/lib/castled-syzygy/KQvK.rtbw", "var/lib/private/castled-berta/book.bin", "etc/passwd")


@unittest.skipUnless(etc.is_possible(), "no namespaces for users here")
class PurgeTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="castled-purge-")
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        for path in OURS + OPERATORS:
            (self.root / path).parent.mkdir(parents=True, exist_ok=True)
            (self.root / path).write_text(path)
        for link, target in LINKS.items():
            (self.root / link).symlink_to(target)

    def postrm(self, action: str) -> None:
        subprocess.run([*etc.ENTER, "sh", "-euc", LAY, self.root, POSTRM, action], check=True)

    def left(self) -> set[str]:
        return {os.path.relpath(path, self.root) for path in self.root.rglob("*") if not path.is_dir()}

    def test_a_purge_removes_what_is_castleds_and_nothing_else(self):
        self.postrm("purge")
        self.assertEqual(self.left(), set(OPERATORS))
        for folder in ("var/lib/private/castled", "var/lib/private/castled-alba", "var/lib/castled-old"):
            self.assertFalse((self.root / folder).exists(), folder)
        for link in ("var/lib/castled", "var/lib/castled-alba"):
            self.assertFalse((self.root / link).is_symlink(), link)
        self.assertTrue((self.root / "var/lib/castled-berta").is_symlink())
        self.postrm("purge")  # of a package that is purged already

    def test_a_removal_leaves_everything(self):
        before = self.left()
        self.postrm("remove")
        self.assertEqual(self.left(), before)


if __name__ == "__main__":
    unittest.main()
