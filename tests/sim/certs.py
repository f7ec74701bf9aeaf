# SPDX-License-Identifier: GPL-3.0-or-later
"""Throw-away certificates for loopback, made by the `openssl` program."""
from __future__ import annotations

import datetime
import os
import ssl
import subprocess

_KEY = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes")
_AGE = datetime.timedelta(days=7)   # as on a server in use: they outlast a clock that jumps back
_DATE = "%Y%m%d%H%M%SZ"

# What `openssl ca` wants to be told; no other command of OpenSSL 3.0 dates a certificate back.
_AUTHORITY = """
[ca]
default_ca = here
[here]
database = {directory}/ca.index
new_certs_dir = {directory}
rand_serial = yes
default_md = sha256
policy = any
[any]
commonName = supplied
[authority]
basicConstraints = critical, CA:TRUE
keyUsage = critical, keyCertSign, cRLSign
subjectKeyIdentifier = hash
[server]
basicConstraints = CA:FALSE
keyUsage = critical, digitalSignature
subjectKeyIdentifier = hash
authorityKeyIdentifier = keyid
extendedKeyUsage = serverAuth
subjectAltName = {names}
"""


def _openssl(*arguments: str) -> None:
    subprocess.run(("openssl",) + arguments, check=True, stdin=subprocess.DEVNULL,
                   stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, timeout=60)


def make(directory: str, names: str = "DNS:localhost,DNS:lichess.test,IP:127.0.0.1,IP:::1",
         days: int = 30) -> tuple[str, str, str]:
    """Makes an authority and a server certificate, a week old; returns the paths (ca, certificate, key).

    With negative `days` the certificate has expired.
    """
    path = {name: os.path.join(directory, name) for name in
            ("ca.pem", "ca.key", "ca.csr", "ca.cnf", "ca.index", "server.pem", "server.key", "server.csr")}
    with open(path["ca.cnf"], "w", encoding="ascii") as settings:
        settings.write(_AUTHORITY.format(directory=directory, names=names))
    with open(path["ca.index"], "w", encoding="ascii"):
        pass
    now = datetime.datetime.now(datetime.timezone.utc)

    def sign(who: str, until: datetime.timedelta, *how: str) -> None:
        _openssl("ca", "-batch", "-notext", "-config", path["ca.cnf"], "-keyfile", path["ca.key"],
                 "-startdate", (now - _AGE).strftime(_DATE), "-enddate", (now + until).strftime(_DATE),
                 "-in", path[f"{who}.csr"], "-out", path[f"{who}.pem"], *how)

    _openssl("req", "-new", *_KEY, "-subj", "/CN=Throw-away test authority",
             "-keyout", path["ca.key"], "-out", path["ca.csr"])
    sign("ca", datetime.timedelta(days=30), "-selfsign", "-extensions", "authority")
    _openssl("req", "-new", *_KEY, "-subj", "/CN=localhost",
             "-keyout", path["server.key"], "-out", path["server.csr"])
    sign("server", datetime.timedelta(days=days), "-cert", path["ca.pem"], "-extensions", "server")
    return path["ca.pem"], path["server.pem"], path["server.key"]


def server_context(certificate: str, key: str) -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    context.set_alpn_protocols(["http/1.1"])
    return context
