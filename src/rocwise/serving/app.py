"""The web application of the studio: routes, guards, uploads."""

import hmac
import json
import re
from collections.abc import AsyncIterator, Mapping
from importlib.resources import files
from pathlib import Path
from typing import Any

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import MutableHeaders
from starlette.middleware import Middleware
from starlette.requests import ClientDisconnect, HTTPConnection, Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from rocwise.about import VERSION
from rocwise.serving.sessions import Session, Shown, Source

HOSTS = ("127.0.0.1", "localhost")
ASSETS = {"studio.js": "text/javascript", "studio.css": "text/css"}
PUBLIC = ("/", *(f"/assets/{name}" for name in ASSETS))  # without data
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
    """Rejects requests of other pages, and requests that are too large."""

    def __init__(self, app: ASGIApp, *, token: str, port: int, largest: int) -> None:
        self.app = app
        self.token = token
        self.origins: set[str] = {f"http://{host}:{port}" for host in HOSTS}
        self.hosts: set[str] = {f"{host}:{port}" for host in HOSTS}
        self.largest = largest

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Reject the request, or pass it on."""
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        rejection = self.rejection(scope) if scope["type"] == "http" else (403, "Not here.")
        if rejection is not None:
            code, text = rejection
            headers = SAFE_HEADERS | {"connection": "close"}  # the body is not read
            await PlainTextResponse(text, code, headers)(scope, receive, send)
            return
        await self.app(scope, receive, _with_headers(send))

    def rejection(self, scope: Scope) -> tuple[int, str] | None:
        """Status and reason of a rejection, or None."""
        request = HTTPConnection(scope)
        headers = request.headers
        if headers.get("host") not in self.hosts:
            return 403, "Use the address 127.0.0.1."
        origin = headers.get("origin")
        if origin is not None and origin not in self.origins:
            return 403, "Other pages may not use the studio."
        path = scope["path"]
        if headers.get("sec-fetch-site") in ("cross-site", "same-site") and path != "/":
            return 403, "Other pages may not use the studio."
        # a header is sent by the page alone, and to this port alone; a cookie goes to all ports
        given = headers.get("x-rocwise-token", "").encode()
        if not (path in PUBLIC or hmac.compare_digest(given, self.token.encode())):
            return 403, "Open the address that `rocwise studio` printed: it carries the token."
        length = headers.get("content-length", "0")
        if not (length.isascii() and length.isdigit()) or int(length) > self.largest:
            return 413, too_large(self.largest)
        return None


def too_large(largest: int) -> str:
    """The error for a large file."""
    return (
        f"The file is too large: the studio takes up to {largest / 1e6:,.0f} MB. Keep only the "
        "columns with the label and the scores, or start `rocwise studio FILE`, which reads the "
        "file in place."
    )


def _with_headers(send: Send) -> Send:
    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in SAFE_HEADERS.items():
                headers.setdefault(name, value)
        await send(message)

    return sending


ENDING = re.compile(r"(\.(?:csv|tsv|txt)(?:\.(?:gz|zst))?|\.xlsx|\.parquet|\.pq)$", re.IGNORECASE)
LONGEST_NAME = 120


def shown_name(given: str) -> str:
    """The last part of a file's name, without control characters."""
    last = re.split(r"[/\\]", given)[-1]
    plain = "".join(sign for sign in last if sign.isprintable()).strip()
    return plain[-LONGEST_NAME:] or "file"


async def received(pieces: AsyncIterator[bytes], target: Path, largest: int) -> int:
    """Write an upload and return its size; a file that is too large is removed."""
    size = 0
    try:
        with target.open("wb") as file:
            async for piece in pieces:
                size += len(piece)
                if size > largest:
                    break
                file.write(piece)
    except BaseException:
        target.unlink(missing_ok=True)
        raise
    if size > largest:
        target.unlink(missing_ok=True)
        raise RequestError("file", too_large(largest), 413)
    return size


LARGEST_FILE = 500_000_000
LARGEST_JSON = 2_000_000
KINDS = ("bands", "threshold", "intervals", "permutation", "venkatraman", "surface", "containment")
CHOICE_TEXTS = (
    *("label", "positive", "direction", "missing", "weight", "group", "task", "scores", "order"),
    *("time", "censored"),
)
VIEW_TYPES: dict[str, type[Any]] = {"state": dict, "pins": list, "tab": str, "language": str}
BANDS = ("simultaneous", "pointwise", "fixed-width", "working-hotelling", "joint-regions")
PAGE = """\
<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="generator" content="rocwise {version}">
<title>rocwise studio</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/assets/studio.css">
</head>
<body>
<div id="rocwise"></div>
<noscript>The studio needs JavaScript.</noscript>
<script src="/assets/studio.js" defer></script>
</body>
</html>
"""


class RequestError(Exception):
    """A request that cannot be met, with the field of the page that it is about."""

    def __init__(self, field: str, text: str, code: int = 422) -> None:
        super().__init__(text)
        self.field: str = field
        self.code: int = code


def app_of(session: Session, *, token: str, port: int, largest: int = LARGEST_FILE) -> Starlette:
    """The application of a session."""
    routes = [
        Route("/", _page, methods=["GET"]),
        Route("/assets/{name}", _asset, methods=["GET"]),
        Route("/api/session", _session, methods=["GET"]),
        Route("/api/file", _file, methods=["PUT", "POST"]),
        Route("/api/example", _example, methods=["POST"]),
        Route("/api/columns", _columns, methods=["POST"]),
        Route("/api/jobs", _start_job, methods=["POST"]),
        Route("/api/jobs/{number:int}", _job, methods=["GET", "DELETE"]),
        Route("/api/names", _names, methods=["PUT", "POST"]),
        Route("/api/view", _view, methods=["PUT", "POST"]),
        Route("/api/report", _report, methods=["POST"]),
        Route("/api/python", _python, methods=["POST"]),
    ]
    app = Starlette(
        routes=routes,
        middleware=[Middleware(Guard, token=token, port=port, largest=largest)],
        exception_handlers={RequestError: _error_response},
    )
    app.state.session, app.state.largest = session, largest
    return app


async def _error_response(_request: Request, problem: Exception) -> Response:
    assert isinstance(problem, RequestError)
    return JSONResponse({"error": {"field": problem.field, "text": str(problem)}}, problem.code)


def _of(request: Request) -> Session:
    session: Session = request.app.state.session
    return session


async def _page(_request: Request) -> Response:
    """The page, which finds the token in its address."""
    return Response(PAGE.format(version=VERSION), media_type="text/html")


async def _asset(request: Request) -> Response:
    """One of the two built files."""
    name = request.path_params["name"]
    if name not in ASSETS:
        return Response("There is no such file.", 404)
    content = files("rocwise.reporting").joinpath("assets", name).read_bytes()
    return Response(content, media_type=f"{ASSETS[name]}; charset=utf-8")


async def _session(request: Request) -> Response:
    about = {"largest": request.app.state.largest, "version": VERSION, "bands": BANDS}
    return JSONResponse(_of(request).plain() | about)


async def _names(request: Request) -> Response:
    """Rename a model."""
    session, sent = _of(request), await _sent(request)
    try:
        session.rename(sent.get("place"), str(sent.get("name") or ""))
    except ValueError as reason:
        raise RequestError("names", str(reason)) from None
    return await _session(request)


async def _file(request: Request) -> Response:
    """Upload a file and find its columns."""
    session = _of(request)
    name = shown_name(request.query_params.get("name", ""))
    ending = ENDING.search(name)
    own_name = f"file-{session.number()}{ending[0].lower() if ending else '.unknown'}"
    target = session.folder / own_name
    try:
        size = await received(request.stream(), target, request.app.state.largest)
    except ClientDisconnect:
        return Response(status_code=499)
    except OSError as reason:
        text = f"The file could not be stored: {(reason.strerror or str(reason)).lower()}."
        raise RequestError("file", text, 507) from None
    source = Source("file", str(target), name, ours=True, size=size)
    job = session.inspect(source)
    await run_in_threadpool(job.ended.wait)
    if job.error is not None or job.state != "done":
        target.unlink(missing_ok=True)
        problem = job.error or {"field": "file", "text": "The file was not read."}
        raise RequestError(problem["field"], problem["text"])
    return JSONResponse(session.plain())


async def _example(request: Request) -> Response:
    source = Source("example", "", "breast cancer (example)")
    return JSONResponse(_of(request).load(source, None).plain(), 202)


async def _columns(request: Request) -> Response:
    """Start to read the chosen columns."""
    session, choice = _of(request), await _sent(request)
    for name in CHOICE_TEXTS:
        value = choice.get(name)
        parts = value if isinstance(value, list) and name in ("scores", "order") else [value]
        if not all(isinstance(part, str | None) for part in parts):
            raise RequestError("columns", f"`{name}` must be text.", 400)
    if session.source is None or session.source.form != "file":
        raise RequestError("file", "Drop a file first.", 409)
    return JSONResponse(session.load(session.source, choice).plain(), 202)


async def _start_job(request: Request) -> Response:
    session, sent = _of(request), await _sent(request)
    payload = session.payload
    if payload is None:
        raise RequestError("file", "Drop a file first.", 409)
    if payload["task"] != "binary":
        raise RequestError("job", "This analysis is for two classes.")
    kind = sent.get("kind")
    if kind not in KINDS:
        raise RequestError("job", f"`kind` must be one of {', '.join(KINDS)}.")
    options = {
        "resamples": _whole(sent, "resamples", 1, 10_000_000),
        "seed": _whole(sent, "seed", 0, 2**32 - 1),
        "level": payload["settings"]["level"],
        "band": sent.get("band") if sent.get("band") in BANDS else BANDS[0],
        "prevalence": _fraction(sent, payload["cases"]["prevalence"]),
    }
    return JSONResponse(session.analyze(kind, options).plain(), 202)


def _whole(sent: Mapping[str, Any], name: str, low: int, high: int) -> int:
    value = sent.get(name)
    number = value if isinstance(value, int | float) and not isinstance(value, bool) else -1
    if not low <= number <= high or number != int(number):
        raise RequestError(name, f"Give an integer from {low:,} to {high:,}.")
    return int(number)


def _fraction(sent: Mapping[str, Any], otherwise: float) -> float:
    value = sent.get("prevalence")
    return float(value) if isinstance(value, int | float) and 0 < value < 1 else otherwise


async def _job(request: Request) -> Response:
    """The state of a job, or its cancellation."""
    session = _of(request)
    job = session.jobs.get(request.path_params["number"])
    if job is None:
        raise RequestError("job", "There is no such job.", 404)
    if request.method == "DELETE":
        session.cancel(job)
    return JSONResponse(session.named(job.plain()) | {"revision": session.revision})


async def _view(request: Request) -> Response:
    """Store the state of the page for when it is loaded again."""
    sent = await _sent(request)
    for name, kind in VIEW_TYPES.items():
        if not isinstance(sent.get(name, kind()), kind):
            raise RequestError("page", f"`{name}` must be a {kind.__name__}.", 400)
    _of(request).view = sent
    return Response(status_code=204)


async def _report(request: Request) -> Response:
    """The report in the present state, as a file."""
    from rocwise.serving.saved_reports import saved_page

    session, view = _of(request), await _sent(request)
    page = await run_in_threadpool(saved_page, _payload(session)[0], view)
    headers = {"content-disposition": 'attachment; filename="report.html"'}
    return Response(page, media_type="text/html", headers=headers)


async def _python(request: Request) -> Response:
    """The present state as Python."""
    from rocwise.serving.python_code import python_code
    from rocwise.serving.saved_reports import checked_state

    session, view = _of(request), await _sent(request)
    payload, shown = _payload(session)
    state = payload["state"] | await run_in_threadpool(checked_state, view.get("state"), payload)
    return JSONResponse({"code": python_code(shown, payload, state)})


def _payload(session: Session) -> tuple[dict[str, Any], Shown]:
    """What is shown, and where it came from."""
    found = session.shown()
    if found is None:
        raise RequestError("file", "Drop a file first.", 409)
    return found


async def _sent(request: Request) -> dict[str, Any]:
    """The JSON object in the body of a request."""
    body = bytearray()
    async for piece in request.stream():
        body += piece
        if len(body) > LARGEST_JSON:
            raise RequestError("page", "The request is too large.", 413)
    try:
        found = json.loads(bytes(body) or b"{}", parse_constant=int)  # no NaN or Infinity
        # nor a number beyond floats, nor text that is no Unicode
        json.dumps(found, ensure_ascii=False, allow_nan=False).encode()
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict):
        raise RequestError("page", "A JSON object was expected.", 400)
    return found
