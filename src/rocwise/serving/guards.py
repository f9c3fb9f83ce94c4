"""Who may ask: this machine's own browser, with the token, from the studio's own page.

A page of another site can make a browser send requests here, or, by a name that resolves to
127.0.0.1, even read the answers. Host, Origin and token are therefore checked before anything is
read.
"""

from __future__ import annotations

import hmac
from http.cookies import CookieError, SimpleCookie
from urllib.parse import parse_qs

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

HOSTS = ("127.0.0.1", "localhost")
SAFE_HEADERS = {
    "content-security-policy": (
        "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; "
        "img-src 'self' data: blob:; connect-src 'self'; base-uri 'none'; form-action 'none'; "
        "frame-ancestors 'none'"
    ),
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-resource-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cache-control": "no-store",
}


class Guard:
    """Refuses what does not come from the studio's own page, and what is too large."""

    def __init__(self, app: ASGIApp, *, token: str, port: int, largest: int) -> None:
        self.app = app
        self.token = token
        self.cookie: str = cookie_name(port)
        self.origins: set[str] = {f"http://{host}:{port}" for host in HOSTS}
        self.hosts: set[str] = {f"{host}:{port}" for host in HOSTS}
        self.largest = largest

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer with the refusal, or let the request pass."""
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        refusal = self.refusal(scope) if scope["type"] == "http" else (403, "Not here.")
        if refusal is not None:
            code, sentence = refusal
            headers = SAFE_HEADERS | {"connection": "close"}  # what was to be sent is not read
            await PlainTextResponse(sentence, code, headers)(scope, receive, send)
            return
        await self.app(scope, receive, _with_headers(send))

    def refusal(self, scope: Scope) -> tuple[int, str] | None:
        """Why the request is refused, or None."""
        headers = Headers(scope=scope)
        if headers.get("host") not in self.hosts:
            return 403, "Ask for 127.0.0.1, not for another name."
        origin = headers.get("origin")
        if origin is not None and origin not in self.origins:
            return 403, "Other pages may not use the studio."
        if headers.get("sec-fetch-site") in ("cross-site", "same-site") and scope["path"] != "/":
            return 403, "Other pages may not use the studio."
        if not self._knows_token(scope, headers):
            return 403, "Open the address that `rocwise studio` printed: it carries the token."
        length = headers.get("content-length", "0")
        if not (length.isascii() and length.isdigit()) or int(length) > self.largest:
            return 413, too_large(self.largest)
        return None

    def _knows_token(self, scope: Scope, headers: Headers) -> bool:
        """The token may come in the address, in a header, or in the cookie that the page set."""
        query = parse_qs(scope["query_string"].decode("latin-1"))
        given = [*query.get("token", []), headers.get("x-rocwise-token", "")]
        given.append(_cookies(headers.get("cookie", "")).get(self.cookie, ""))
        return any(hmac.compare_digest(each.encode(), self.token.encode()) for each in given)


def cookie_name(port: int) -> str:
    """Cookies belong to a host, whatever the port; two studios must not share one."""
    return f"rocwise-{port}"


def too_large(largest: int) -> str:
    """The refusal of a file, with what to do instead."""
    return (
        f"The file is too large: the studio takes up to {largest / 1e6:,.0f} MB. Keep only the "
        "columns with the label and the scores, or start `rocwise studio FILE`, which reads the "
        "file where it lies."
    )


def _cookies(header: str) -> dict[str, str]:
    try:
        return {name: morsel.value for name, morsel in SimpleCookie(header).items()}
    except CookieError:
        return {}


def _with_headers(send: Send) -> Send:
    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in SAFE_HEADERS.items():
                headers.setdefault(name, value)
        await send(message)

    return sending
