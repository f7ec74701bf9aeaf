# SPDX-License-Identifier: GPL-3.0-or-later
"""FAULTS.md is written by scripts/faults, and has every row of the matrix."""
import unittest

from . import faults_page
from .faults import every_row
from .matrix import Result, Row

HERE, DATE = "2 cores of a machine", "2026-11"
MEASURED = f"{DATE}, {HERE}"


def row(name, group="Streams"):
    return Row(group, name, play=None, within_s=1)


class FaultsPage(unittest.TestCase):
    def page(self, old, rows, results, here=HERE, date=DATE):
        return faults_page.read(faults_page.renewed(old, rows, results, here, date))

    def test_the_page_has_every_row_and_no_other(self):
        self.assertEqual(list(faults_page.read(faults_page.PAGE.read_text(encoding="utf-8"))),
                         [(r.group, r.name) for r in every_row()],
                         "renew these rows with scripts/faults --write NAME")

    def test_a_row_has_the_median_and_the_worst_of_both_protocols(self):
        reset = row("reset")
        results = [Result(reset, "HTTP/1.1", recovery_s=s, requests=3) for s in (0.010, 0.020, 2.5)]
        results.append(Result(reset, "HTTP/2", recovery_s=0.5, requests=4, twice=1))
        self.assertEqual(self.page("", [reset], results), {
            ("Streams", "reset"): ["0", "1", "4", "20 ms, 2.5 s", "500 ms, 500 ms", "survived",
                                  MEASURED]})

    def test_failures_are_counted(self):
        reset = row("reset")
        results = [Result(reset, "HTTP/2", lost=1, wrong=["lost: a game"]), Result(reset, "HTTP/2")]
        self.assertEqual(self.page("", [reset], results)["Streams", "reset"][-2], "**1 of 2 failed**")

    def test_rows_that_were_not_played_keep_their_figures_date_and_machine(self):
        rows = [row("reset"), row("exits", "Engine")]
        old = faults_page.renewed("", rows, [Result(r, "HTTP/2", recovery_s=1.0) for r in rows], HERE, DATE)
        page = self.page(old, rows, [Result(rows[1], "HTTP/2", recovery_s=3.0)], here="another",
                         date="2027-01")
        self.assertEqual([cells[-1] for cells in page.values()], [MEASURED, "2027-01, another"])
        self.assertEqual([cells[4] for cells in page.values()], ["1.0 s, 1.0 s", "3.0 s, 3.0 s"])

    def test_rows_that_are_gone_are_dropped(self):
        rows = [row("reset"), row("cut")]
        old = faults_page.renewed("", rows, [Result(r, "HTTP/2", recovery_s=1.0) for r in rows], HERE, DATE)
        self.assertEqual(list(self.page(old, rows[1:], [])), [("Streams", "cut")])


if __name__ == "__main__":
    unittest.main()
