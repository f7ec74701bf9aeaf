#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Holds the systemd unit to what systemd says of it, and to the limits that it promises.

Usage: unit.py SYSTEMD_ANALYZE UNIT [SLICE]. Prints each fault, exits 1 if there is one. systemd rates
the exposure 1.2 of 10 at most; it understands every line; memory, tasks and addresses have limits. Of a
template one instance is looked at, which lies in the slice.
"""
import pathlib
import re
import subprocess
import sys
import tempfile

MOST_EXPOSED = 12  # tenths
LIMITS = {
    "MemoryMax": r"\d+(%|[KMG])",
    "TasksMax": r"\d+",
    "OOMPolicy": "continue",
    "IPAddressDeny": r".*\b169\.254\.0\.0/16\b.*",
    "SetCredential": r"token:\\x20",
    "ExecReload": r".*/castled reload --config \S+", # a minimal system has no kill(1)
    "SystemCallFilter": "landlock_create_ruleset landlock_add_rule landlock_restrict_self",
}


OF_INSTANCE = {
    "Slice": r"castled\.slice",
    "StateDirectory": "castled-%i",
    "RuntimeDirectory": "castled-%i",
    "LoadCredential": "token:/etc/castled/%i.token",
    "ExecStart": r".* --config /etc/castled/%i\.conf",
    "ExecReload": r".* --config /etc/castled/%i\.conf",
}


def of_one_bot():
    """castled.service as systemd/CMakeLists.txt writes it for /usr/local."""
    values = {"CMAKE_INSTALL_FULL_BINDIR": "/usr/local/bin", "unit_name": "castled", "unit_title": "castled",
              "unit_conf": "castled.conf", "unit_token": "token", "unit_folder": "castled", "unit_slice": ""}
    template = pathlib.Path(__file__).parents[2] / "systemd/castled.service.in"
    return re.sub(r"@(\w+)@", lambda name: values[name[1]], template.read_text(encoding="utf-8"))


def faults(analyze, unit, slice_unit=None):
    text = pathlib.Path(unit).read_text(encoding="utf-8")
    limits = LIMITS | OF_INSTANCE if slice_unit else LIMITS
    found = [f"no {key} like {value}" for key, value in limits.items()
             if not re.search(rf"(?m)^{key}={value}$", text)]
    with tempfile.TemporaryDirectory() as folder:
        name = "castled@alba.service" if slice_unit else "castled.service"
        copy = pathlib.Path(folder, name)  # its program may not be installed
        if slice_unit:
            beside = pathlib.Path(folder, pathlib.Path(slice_unit).name)
            beside.write_text(pathlib.Path(slice_unit).read_text(encoding="utf-8"), encoding="utf-8")
        copy.write_text(re.sub(r"(?m)^(Exec\w+)=.*", r"\1=/bin/true", text), encoding="utf-8")
        looked = [copy, beside] if slice_unit else [copy]
        said = subprocess.run([analyze, "verify", *looked], capture_output=True, text=True).stderr
        found += [line for line in said.splitlines() if any(str(path) in line for path in looked)]
        rated = subprocess.run([analyze, "security", "--offline=yes", f"--threshold={MOST_EXPOSED}",
                                "--no-pager", copy], capture_output=True, text=True)
    if rated.returncode != 0:
        found += [rated.stdout.strip().rpartition("\n")[2] or rated.stderr.strip()]
    return found


def main():
    found = faults(*sys.argv[1:])
    for fault in found:
        print(f"{sys.argv[2]}: {fault}")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
