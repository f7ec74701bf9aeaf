# SPDX-License-Identifier: GPL-3.0-or-later
"""An /etc/castled of a test's own, on a machine that seems to run systemd: mounts that only its programs see."""
from __future__ import annotations

import os
import shutil
import subprocess

# The folders are the test's; what else lies in /etc and /run is not there. Programs run as root of a user
# namespace, which gives them no right that the test's user lacks.
ENTER = ("unshare", "--user", "--map-root-user", "--mount", "--propagation=private", "--")
LAY = 'mount --bind "$0/etc" /etc && mount --bind "$0/run" /run && exec "$@"'


def is_possible() -> bool:
    """Some machines let only root make namespaces, or nobody."""
    return shutil.which("unshare") is not None and \
        subprocess.run([*ENTER, "mount", "-t", "tmpfs", "none", "/mnt"], stderr=subprocess.DEVNULL,
                       check=False).returncode == 0


def make(directory: str) -> str:
    """The folder that its programs will see as /etc/castled."""
    os.makedirs(os.path.join(directory, "run", "systemd", "system"))
    folder = os.path.join(directory, "etc", "castled")
    os.makedirs(folder)
    return folder


def entered(directory: str, *command: str) -> list[str]:
    """The command line that runs `command` as root with that /etc/castled."""
    return [*ENTER, "sh", "-euc", LAY, directory, *command]
