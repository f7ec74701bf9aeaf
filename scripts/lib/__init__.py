# SPDX-License-Identifier: GPL-3.0-or-later
"""What several of the engine's scripts need. A script imports it from beside itself: `from lib import uci`."""
