#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""A PostgreSQL server of our own for tests: in a new folder, on a Unix socket only, gone afterwards.

Usage: postgres_server.py. Prints the address of its database when it is ready ("-" where this machine
has no server's programs) and lives until its standard input ends. postgres refuses to be root, so as
root it is run by nobody.
"""
import glob
import os
import pwd
import shutil
import signal
import subprocess
import sys
import tempfile

DATABASE = "castled"


def find_programs():
    """The folder of the newest version's programs, or None."""
    folders = glob.glob("/usr/lib/postgresql/*/bin") + glob.glob("/usr/local/pgsql/bin")
    fit = [folder for folder in folders if os.path.exists(os.path.join(folder, "initdb"))]
    return max(fit, default=None)


class PostgresServer:
    def __init__(self, programs):
        self._programs = programs
        self.folder = tempfile.mkdtemp(prefix="castled-pg-")
        self.address = f"postgresql:///{DATABASE}?host={self.folder}&user=castled"
        self._data = os.path.join(self.folder, "data")
        self._as = {}
        if os.geteuid() == 0:
            nobody = pwd.getpwnam("nobody")
            os.chown(self.folder, nobody.pw_uid, nobody.pw_gid)
            self._as = {"user": nobody.pw_uid, "group": nobody.pw_gid, "extra_groups": []}
        os.chmod(self.folder, 0o755)
        self._run("initdb", "-D", self._data, "-U", "castled", "-A", "trust", "--no-sync", "-E", "UTF8", "--locale=C")
        with open(os.path.join(self._data, "pg_hba.conf"), "w") as rules:
            rules.write("local all secrets scram-sha-256\nlocal all all trust\n")
        self.start()
        self._run("createdb", "-h", self.folder, "-U", "castled", DATABASE)

    def _run(self, program, *arguments):
        done = subprocess.run([os.path.join(self._programs, program), *arguments], cwd=self.folder, text=True,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, **self._as)
        if done.returncode != 0:
            raise RuntimeError(f"{program}: {done.stdout}")
        return done.stdout

    def start(self):
        """Nothing where it runs."""
        if os.path.exists(os.path.join(self._data, "postmaster.pid")):
            return
        self._run("pg_ctl", "-D", self._data, "-w", "-t", "120", "-l", os.path.join(self.folder, "log"), "-o",
                  f"-c listen_addresses='' -c unix_socket_directories='{self.folder}' -c fsync=off"
                  " -c shared_buffers=16MB -c max_connections=20", "start")

    def stop(self):
        self._run("pg_ctl", "-D", self._data, "-w", "-m", "fast", "stop")

    def ask(self, sql):
        """The rows, with | between columns."""
        return self._run("psql", "-h", self.folder, "-U", "castled", "-d", DATABASE, "-v", "ON_ERROR_STOP=1", "-Atc",
                         sql).splitlines()

    def remove(self):
        try:
            self.stop()
        except RuntimeError:
            pass  # it was stopped
        shutil.rmtree(self.folder, ignore_errors=True)


def main():
    programs = find_programs()
    if programs is None:
        print("-", flush=True)
        return
    server = PostgresServer(programs)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit())  # a test that is broken off leaves no server
    try:
        print(server.address, flush=True)
        sys.stdin.read()
    finally:
        server.remove()


if __name__ == "__main__":
    main()
