#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""A small HTTPS server on loopback that behaves as badly as a test asks for.

Usage: local_server.py [--http2]. Prints "PORT CA_FILE" when it is ready and lives until its standard input ends. The
certificate is made for this run. What a path does stands at its function. With --http2 Debian's nginx stands in front and
speaks HTTP/2; without an nginx the port is 0.
"""
import http.server
import json
import os
import pathlib
import shutil
import socket
import ssl
import struct
import subprocess
import sys
import tempfile
import threading
import time
import urllib.parse

KEEPALIVE_LINE = b"\n"


def make_certificates(folder):
    """A CA and a certificate for 127.0.0.1 signed by it."""
    def run(*args):
        subprocess.run(["openssl", *args], check=True, cwd=folder, capture_output=True)
    run("req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-keyout", "ca.key",
        "-out", "ca.pem", "-days", "2", "-subj", "/CN=castled test CA")
    run("req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-keyout", "server.key",
        "-out", "server.csr", "-subj", "/CN=127.0.0.1")
    (folder / "ext").write_text("subjectAltName=IP:127.0.0.1\n")
    run("x509", "-req", "-in", "server.csr", "-CA", "ca.pem", "-CAkey", "ca.key", "-CAcreateserial", "-days", "2",
        "-extfile", "ext", "-out", "server.pem")


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def log_message(self, *args):
        pass

    def setup(self):
        super().setup()
        self.asked = 0  # on this connection
        self.server.note_connection()

    def body(self):
        return self.rfile.read(int(self.headers.get("Content-Length") or 0))

    def answer(self, status, body, content_type="application/json", **headers):
        self.send_response(status)
        self.send_header("Content-Type", content_type)
        self.send_header("Content-Length", str(len(body)))
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        self.wfile.write(body)

    def start_stream(self):
        self.send_response(200)
        self.send_header("Content-Type", "application/x-ndjson")
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()

    def chunk(self, data):
        self.wfile.write(b"%x\r\n%s\r\n" % (len(data), data))
        self.wfile.flush()

    def end_stream(self):
        self.wfile.write(b"0\r\n\r\n")

    def reset(self):
        """Closes with a TCP reset."""
        self.close_connection = True
        raw = self.connection
        raw.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        socket.socket(fileno=raw.detach()).close()

    def do_GET(self):
        self.route()

    def do_POST(self):
        self.route()

    def route(self):
        url = urllib.parse.urlsplit(self.path)
        query = dict(urllib.parse.parse_qsl(url.query))
        name = "path_" + url.path.strip("/").replace("/", "_").replace("-", "_")
        action = getattr(self, name, None)
        self.asked += 1
        if url.path.startswith("/api/"):
            self.path_echo(query)
        elif action is None:
            self.answer(404, b'{"error":"Not found"}')
        else:
            action(query)

    def path_echo(self, _):
        """Says what came in."""
        body = self.body()
        said = {"method": self.command, "path": self.path, "body": body.decode(), "client": self.client_address[1],
                "headers": {k.lower(): v for k, v in self.headers.items()}}
        self.answer(200, json.dumps(said).encode(), X_OAuth_Scopes="bot:play,challenge:read")

    def path_connections(self, _):
        """How many connections there were so far."""
        self.answer(200, str(self.server.connections).encode())

    def path_status(self, query):
        """?code=N&retry=S with a JSON error."""
        self.body()
        headers = {"Retry_After": query["retry"]} if "retry" in query else {}
        self.answer(int(query["code"]), b'{"error":"as you like"}', **headers)

    def path_alert(self, _):
        """Takes JSON without a token only."""
        body = self.body()
        is_fine = self.headers.get("Content-Type") == "application/json" and not self.headers.get("Authorization")
        self.answer(204 if is_fine and isinstance(json.loads(body), dict) else 400, b"")

    def path_html(self, query):
        """?code=N with a page of HTML, as a proxy in front would send it."""
        self.body()
        self.answer(int(query["code"]), b"<html><head><title>Too many</title></head></html>", "text/html")

    def path_large(self, query):
        """?len=N bytes."""
        self.answer(200, b"x" * int(query["len"]), "text/plain")

    def path_redirect(self, _):
        self.body()
        self.answer(302, b"", Location=f"https://127.0.0.1:{self.server.server_port}/stolen")

    def path_stolen(self, _):
        self.server.stolen = True
        self.answer(200, b"thanks")

    def path_was_stolen(self, _):
        self.answer(200, b"yes" if self.server.stolen else b"no")

    def path_hang(self, _):
        """Never answers."""
        self.body()
        time.sleep(30)

    def path_drop(self, _):
        """Takes the request and closes without a word."""
        self.body()
        self.server.dropped += 1
        self.reset()

    def path_drop_kept(self, query):
        """The same, but the first request of a connection is answered."""
        if self.asked > 1:
            self.path_drop(query)
        else:
            self.path_echo(query)

    def path_dropped(self, _):
        """How many requests were dropped so."""
        self.answer(200, str(self.server.dropped).encode())

    def path_drop_idle(self, _):
        """Answers, then closes the connection that was promised to stay."""
        self.answer(200, b"last")
        self.reset()

    def path_coded(self, query):
        """?as=CODINGS for the transfer of an empty object in one chunk."""
        self.send_response(200)
        self.send_header("Transfer-Encoding", query["as"])
        self.end_headers()
        self.wfile.write(b"2\r\n{}\r\n0\r\n\r\n")

    def path_tagged(self, query):
        """?as=ETAG"""
        self.answer(200, b"{}", ETag=query["as"])

    def path_early_hints(self, _):
        """An informational response before the real one."""
        self.wfile.write(b"HTTP/1.1 103 Early Hints\r\nContent-Type: text/early\r\n\r\n")
        self.answer(200, b"{}")

    def path_stream_bytes(self, _):
        """Lines and keep-alives, each byte a chunk of its own."""
        self.start_stream()
        for byte in b'{"type":"one"}\n\n{"type":"two"}\r\n{"type":"three"}':
            self.chunk(bytes([byte]))
        self.end_stream()

    def path_stream_burst(self, query):
        """?lines=N in one piece."""
        self.start_stream()
        self.chunk(b"".join(b'{"type":"line","n":%d}\n' % i for i in range(int(query["lines"]))))
        self.end_stream()

    def path_stream_stall(self, _):
        """One line, then silence on an open connection."""
        self.start_stream()
        self.chunk(b'{"type":"one"}\n')
        time.sleep(30)

    def path_stream_mute(self, _):
        """Not even headers."""
        time.sleep(30)

    def path_stream_keepalive(self, query):
        """?beats=N keep-alives, one each ?ms=M, then the end."""
        self.start_stream()
        for _ in range(int(query["beats"])):
            self.chunk(KEEPALIVE_LINE)
            time.sleep(int(query["ms"]) / 1000)
        self.end_stream()

    def path_stream_reset(self, _):
        self.start_stream()
        self.chunk(b'{"type":"one"}\n')
        time.sleep(0.05)
        self.reset()

    def path_stream_flood(self, _):
        """Keep-alives without an end, as fast as they go."""
        self.start_stream()
        ends = time.monotonic() + 30
        try:
            while time.monotonic() < ends:
                self.chunk(b"\n" * 16384)
        except OSError:
            pass  # the client hung up, as it should

    def path_stream_long(self, _):
        """A line of 2 MiB among others."""
        self.start_stream()
        self.chunk(b'{"type":"one"}\n{"type":"')
        for _ in range(32):
            self.chunk(b"x" * 65536)
        self.chunk(b'"}\n{"type":"two"}\nno json\n')
        self.end_stream()


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, folder):
        super().__init__(("127.0.0.1", 0), Handler)
        self.connections = 0
        self.dropped = 0
        self.stolen = False
        self.lock = threading.Lock()
        self.tls = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        self.tls.load_cert_chain(folder / "server.pem", folder / "server.key")

    def note_connection(self):
        with self.lock:
            self.connections += 1

    def get_request(self):
        raw, address = super().get_request()
        return self.tls.wrap_socket(raw, server_side=True, do_handshake_on_connect=False), address

    def handle_error(self, request, client_address):
        pass


NGINX = """
daemon off; pid {folder}/nginx.pid; error_log {folder}/nginx.log; worker_processes 1; master_process off;
events {{ worker_connections 512; }}
http {{
    access_log off; keepalive_requests {requests};
    client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy; fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi; scgi_temp_path {folder}/scgi;
    upstream behind {{ server 127.0.0.1:{behind}; keepalive 32; }}
    server {{
        listen 127.0.0.1:{port} ssl http2; ssl_certificate server.pem; ssl_certificate_key server.key;
        location / {{
            proxy_pass https://behind; proxy_http_version 1.1; proxy_set_header Connection "";
            proxy_buffering off; proxy_read_timeout 600s;
        }}
    }}
}}
"""
# nginx sends GOAWAY after this many requests on a connection.
REQUESTS_A_CONNECTION = 60


def start_nginx(folder, behind):
    """The front's process and port, or (None, 0)."""
    program = shutil.which("nginx", path=os.environ.get("PATH", "") + ":/usr/sbin")
    if not program:
        return None, 0
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    (folder / "nginx.conf").write_text(
        NGINX.format(folder=folder, behind=behind, port=port, requests=REQUESTS_A_CONNECTION))
    child = subprocess.Popen([program, "-p", folder, "-c", folder / "nginx.conf"], stderr=subprocess.DEVNULL)
    for _ in range(200):
        try:
            socket.create_connection(("127.0.0.1", port)).close()
            return child, port
        except OSError:
            time.sleep(0.05)
    child.kill()
    return None, 0


def main():
    folder = pathlib.Path(tempfile.mkdtemp(prefix="castled-test-"))
    try:
        make_certificates(folder)
        server = Server(folder)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        front, port = None, server.server_port
        if "--http2" in sys.argv:
            front, port = start_nginx(folder, server.server_port)
        print(port, folder / "ca.pem", flush=True)
        sys.stdin.read()
        if front:
            front.kill()
            front.wait()
    finally:
        shutil.rmtree(folder)
    os._exit(0)


if __name__ == "__main__":
    main()
