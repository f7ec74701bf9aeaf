# SPDX-License-Identifier: GPL-3.0-or-later
"""The real daemon against the simulated Lichess, from outside: wire, log, exit status."""
