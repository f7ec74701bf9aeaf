# SPDX-License-Identifier: GPL-3.0-or-later
"""Throw-away certificates for loopback, made by the `openssl` program."""
from __future__ import annotations

import os
import ssl
import subprocess

_KEY = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes")


def _openssl(*arguments: str) -> None:
    subprocess.run(("openssl",) + arguments, check=True, stdin=subprocess.DEVNULL,
                   stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, timeout=60)


def make(directory: str, names: str = "DNS:localhost,IP:127.0.0.1,IP:::1",
         days: int = 30) -> tuple[str, str, str]:
    """Makes an authority and a server certificate; returns the paths (ca, certificate, key).

    With negative `days` the certificate has expired.
    """
    path = {name: os.path.join(directory, name) for name in
            ("ca.pem", "ca.key", "server.pem", "server.key", "server.csr", "server.ext")}
    with open(path["server.ext"], "w", encoding="ascii") as extensions:
        extensions.write(f"subjectAltName={names}\nbasicConstraints=CA:FALSE\n"
                         "extendedKeyUsage=serverAuth\n")
    _openssl("req", "-x509", *_KEY, "-days", "30", "-subj", "/CN=Throw-away test authority",
             "-keyout", path["ca.key"], "-out", path["ca.pem"])
    _openssl("req", "-new", *_KEY, "-subj", "/CN=localhost",
             "-keyout", path["server.key"], "-out", path["server.csr"])
    _openssl("x509", "-req", "-in", path["server.csr"], "-CA", path["ca.pem"],
             "-CAkey", path["ca.key"], "-CAcreateserial", "-days", str(days),
             "-extfile", path["server.ext"], "-out", path["server.pem"])
    return path["ca.pem"], path["server.pem"], path["server.key"]


def server_context(certificate: str, key: str) -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    context.set_alpn_protocols(["http/1.1"])
    return context
