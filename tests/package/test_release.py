# SPDX-License-Identifier: GPL-3.0-or-later
"""What scripts/release writes beside programs, of tarballs that hold words."""
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

from . import fake_tarball

SCRIPTS = pathlib.Path(__file__).resolve().parents[2] / "scripts"


class ReleaseTest(unittest.TestCase):
    def test_the_bill_names_each_library_once_and_each_file_by_its_hash(self):
        with tempfile.TemporaryDirectory(prefix="castled-release-") as directory:
            tarballs = [fake_tarball.make(pathlib.Path(directory), machine) for machine in ("x86_64", "aarch64")]
            words = [sys.executable, str(SCRIPTS / "lib/bill-of-materials"), *tarballs]
            bill, again = (json.loads(subprocess.run(words, stdout=subprocess.PIPE, check=True).stdout) for _ in "12")
        self.assertEqual(bill, again)
        self.assertEqual((bill["bomFormat"], bill["metadata"]["component"]["version"]), ("CycloneDX", "1.2.3"))
        libraries = [(part["name"], part["version"]) for part in bill["components"] if part["type"] == "library"]
        self.assertEqual(libraries, [("curl", "7.88.1-10"), ("openssl", "3.0.19-1~deb12u2")])
        files = {part["name"]: part["hashes"][0]["content"] for part in bill["components"] if part["type"] == "file"}
        self.assertEqual(set(files), {f"castled-1.2.3-linux-{machine}.tar.gz" for machine in ("x86_64", "aarch64")})
        self.assertEqual(len(set(files.values())), 2)
        known = {part["bom-ref"] for part in bill["components"]}
        self.assertLessEqual(set(bill["dependencies"][0]["dependsOn"]), known)

    def test_it_refuses_a_folder_that_holds_something(self):
        with tempfile.TemporaryDirectory(prefix="castled-release-") as directory:
            pathlib.Path(directory, "old").touch()
            done = subprocess.run([str(SCRIPTS / "release"), directory], stdout=subprocess.PIPE,
                                  stderr=subprocess.STDOUT, check=False)
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stdout.decode(), "^scripts/release: .* is not empty\n$")


if __name__ == "__main__":
    unittest.main()
