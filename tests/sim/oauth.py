# SPDX-License-Identifier: GPL-3.0-or-later
"""The owner's side of a login: OAuth 2's authorization code with PKCE, as Lichess does it.

    oauth = Oauth(sim, account)
    oauth.consents = False            # the owner says no
    page = await oauth.browse(url)    # what a browser does with the URL that it is given

A code is good once and for a short while; the exchange wants the challenge's verifier and the very
same client and redirect.
"""
from __future__ import annotations

import base64
import hashlib
import secrets
import time
import urllib.parse
from dataclasses import dataclass
from typing import Optional

from .client import Client
from .http1 import Response, json_response
from .accounts import Account
from .routes import Call
from .server import Simulator

CODE_LIFE_S = 120
LOOPBACK = ("localhost", "127.0.0.1", "::1")


@dataclass
class _Code:
    asked: dict[str, str]  # the query of /oauth
    until: float


class Oauth:
    def __init__(self, sim: Simulator, account: Account):
        self.sim, self.account = sim, account
        self.consents = True
        self.follows = True  # a browser goes where it is sent
        self.expires_in: Optional[int] = 31536000
        self.asked: list[dict[str, str]] = []  # each query of /oauth
        self._codes: dict[str, _Code] = {}
        sim.add_route("GET", "/oauth", "oauth", self._ask)
        sim.add_route("POST", "/api/token", "token", self._exchange)

    async def _ask(self, call: Call) -> Response:
        asked = call.request.query
        self.asked.append(asked)
        target = urllib.parse.urlsplit(asked.get("redirect_uri", ""))
        if not asked.get("client_id") or not (
                target.scheme == "https" or target.scheme == "http" and target.hostname in LOOPBACK):
            return Response(400, b"<html>Bad authorization request</html>", "text/html")
        answer = {}
        if asked.get("response_type") != "code":
            answer = {"error": "unsupported_response_type"}
        elif asked.get("code_challenge_method") != "S256":
            answer = {"error": "unauthorized_client"}
        elif not asked.get("code_challenge") or "state" not in asked:
            answer = {"error": "invalid_request"}
        elif not self.consents:
            answer = {"error": "access_denied", "error_description": "user cancelled authorization"}
        else:
            code = "liu_" + secrets.token_hex(16)
            self._codes[code] = _Code(asked, time.monotonic() + CODE_LIFE_S)
            answer = {"code": code}
        if "state" in asked:
            answer["state"] = asked["state"]
        return Response(303, headers={"Location": target._replace(
            query=urllib.parse.urlencode(answer)).geturl()})

    async def _exchange(self, call: Call) -> Response:
        form = call.request.form()
        if form.get("grant_type") != "authorization_code":
            return _refusal("unsupported_grant_type", "only authorization_code is supported")
        code = self._codes.pop(form.get("code", ""), None)
        if code is None or code.until < time.monotonic():
            return _refusal("invalid_grant", "authorization code invalid or expired")
        hashed = hashlib.sha256(form.get("code_verifier", "").encode()).digest()
        if len(form.get("code_verifier", "")) < 43 or \
                base64.urlsafe_b64encode(hashed).rstrip(b"=").decode() != code.asked["code_challenge"]:
            return _refusal("invalid_grant", "hash of code_verifier does not match code_challenge")
        for name in ("redirect_uri", "client_id"):
            if form.get(name) != code.asked[name]:
                return _refusal("invalid_grant", f"{name} does not match")
        token = self.sim.add_token("lio_" + secrets.token_hex(20), self.account,
                                   tuple(code.asked.get("scope", "").split()))
        answer = {"token_type": "Bearer", "access_token": token.text}
        if self.expires_in is not None:
            answer["expires_in"] = self.expires_in
        return json_response(answer)

    async def browse(self, url: str) -> tuple[int, str]:
        """Opens the page, and goes where it leads; the answer of whoever waits there. One that does
        not follow returns the address instead."""
        answer = await Client(self.sim.url, self.sim.ca_file, None).get(_path(url))
        if answer.status != 303:
            return answer.status, answer.body.decode()
        if not self.follows:
            return answer.status, answer.headers["location"]
        return await fetch(answer.headers["location"])


async def fetch(url: str) -> tuple[int, str]:
    """A page on loopback, without TLS."""
    answer = await Client(url, None, None).get(_path(url))
    return answer.status, answer.body.decode()


def _path(url: str) -> str:
    return urllib.parse.urlsplit(url)._replace(scheme="", netloc="").geturl()


def _refusal(error: str, description: str) -> Response:
    return json_response({"error": error, "error_description": description}, 400)
