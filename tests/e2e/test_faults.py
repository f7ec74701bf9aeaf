# SPDX-License-Identifier: GPL-3.0-or-later
"""The matrix of faults as a test: every row within its bounds."""
import asyncio
import os
import unittest

from .faults import TABLES
from .harness import HTTP2, SANITIZED, SLOWNESS
from .matrix import play_all

# They wait more than they work.
AT_ONCE = 12 if SLOWNESS == 1 else 4
SLOW = os.environ.get("CASTLED_TEST_SLOW") == "1"  # the rows of minutes instead of the quick ones


class FaultTest(unittest.TestCase):
    def test_every_fault_is_survived(self):
        rows = [row for table in TABLES for row in table.rows if row.is_slow == SLOW]
        if SANITIZED:
            rows = [row for row in rows if row.name != "no memory for the hash"]
        results = asyncio.run(play_all(rows, "HTTP/2" if HTTP2 else "HTTP/1.1", AT_ONCE))
        self.assertGreaterEqual(len(results), 1)
        in_variants = [result for result in results if result.variants - {"standard"}]
        self.assertGreaterEqual(len(in_variants), len(results) // 8, "games of other variants")
        for result in results:
            with self.subTest(result.row.name):
                self.assertEqual(result.wrong, [], result.story)


if __name__ == "__main__":
    unittest.main()
