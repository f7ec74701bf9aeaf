# SPDX-License-Identifier: GPL-3.0-or-later
"""A tarball of castled that holds words in place of programs, for tests of what is made of tarballs."""
import io
import pathlib
import tarfile

FILES = {"": "", "/bin/castled": "castled", "/bin/castled-uci": "castled-uci", "/share/doc/castled/LICENSE": "GPL",
         "/share/doc/castled/libraries": "curl 7.88.1-10\nopenssl 3.0.19-1~deb12u2\n"}


def make(folder: pathlib.Path, machine: str, version: str = "1.2.3") -> str:
    """Returns its path."""
    name = f"castled-{version}-linux-{machine}"
    path = folder / f"{name}.tar.gz"
    with tarfile.open(path, "w:gz") as archive:
        for inside, text in FILES.items():
            entry = tarfile.TarInfo(name + inside)
            content = f"{text} {machine}".encode() if inside.startswith("/bin") else text.encode()
            entry.size, entry.mtime = len(content), 1000
            entry.type = tarfile.REGTYPE if inside else tarfile.DIRTYPE
            archive.addfile(entry, io.BytesIO(content))
    return str(path)
