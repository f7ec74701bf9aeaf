# SPDX-License-Identifier: GPL-3.0-or-later
"""Networks of people's moves: here one of random weights."""
import os
import subprocess
import unittest

from .harness import PROGRAM, DaemonTest

MAKE_POLICY = os.environ.get("CASTLED_MAKE_POLICY") or os.path.join(os.path.dirname(PROGRAM), "make_policy")


class HumanTest(DaemonTest):
    def network(self) -> str:
        path = os.path.join(self.directory, "people.pb.gz")
        subprocess.run([MAKE_POLICY, path], check=True)
        return path

    async def test_a_file_is_described_or_refused_in_one_line(self):
        status, output = await self.command("human", "--check", self.network())
        self.assertEqual(status, 0, output)
        self.assertRegex(output, r"people.pb.gz: .* 1 blocks of 8 filters\n")
        self.assertRegex(output, r"time: \d+\.\d\d ms for a position on one core, with \S+ .*\d+ positions\)")
        text = os.path.join(self.directory, "text")
        with open(text, "w", encoding="ascii") as file:
            file.write("no network")
        for path in (text, "/nonexistent", self.directory):
            status, output = await self.command("human", "--check", path)
            self.assertEqual((status, output.count("\n")), (1, 1), output)
            self.assertIn(f"castled: human: {path}: ", output)
        for words in ((), ("--check",), ("--chekc", text)):
            status, output = await self.command("human", *words)
            self.assertEqual(status, 64, output)


if __name__ == "__main__":
    unittest.main()
