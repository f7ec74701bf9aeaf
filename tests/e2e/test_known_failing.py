# SPDX-License-Identifier: GPL-3.0-or-later
"""The list of tests that fail today names tests that exist, and is gone once it is empty."""
import importlib
import unittest

from .known_failing import known_failing


class KnownFailingTest(unittest.TestCase):
    def test_each_line_names_a_test_and_says_what_is_wrong(self):
        entries = known_failing()
        self.assertNotEqual(entries, {}, "nothing fails any more: see known_failing.py")
        for name, why in entries.items():
            with self.subTest(name):
                module, case, test = name.split(".")
                found = getattr(importlib.import_module(f"e2e.{module}"), case)
                self.assertTrue(hasattr(found, test))
                self.assertGreater(len(why), 10)


if __name__ == "__main__":
    unittest.main()
