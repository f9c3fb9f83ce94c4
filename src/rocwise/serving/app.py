"""What can be asked of the studio over HTTP; every answer but the page is JSON or a file."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Mapping
from importlib.resources import files
from typing import Any

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.middleware import Middleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from rocwise.about import VERSION
from rocwise.serving.guards import Guard, cookie_name
from rocwise.serving.sessions import Session, Source
from rocwise.serving.uploads import TooLargeError, place_for, received, shown_name

LARGEST_FILE = 500_000_000
LARGEST_JSON = 2_000_000
ASSETS = {"studio.js": "text/javascript", "studio.css": "text/css"}
KINDS = ("bands", "intervals", "permutation", "venkatraman", "surface", "containment")
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
<noscript>The studio draws its pictures with JavaScript.</noscript>
<script src="/assets/studio.js" defer></script>
</body>
</html>
"""
Answer = Callable[[Request], Awaitable[Response]]


class RefusedError(Exception):
    """A request that cannot be met, with the field of the page that it is about."""

    def __init__(self, field: str, sentence: str, code: int = 422) -> None:
        super().__init__(sentence)
        self.field: str = field
        self.sentence: str = sentence
        self.code: int = code


def app_of(session: Session, *, token: str, port: int, largest: int = LARGEST_FILE) -> Starlette:
    """The application that answers for a session."""
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
        exception_handlers={RefusedError: _refused},
    )
    app.state.session, app.state.token, app.state.port = session, token, port
    app.state.largest = largest
    return app


async def _refused(_request: Request, reason: Exception) -> Response:
    assert isinstance(reason, RefusedError)
    error = {"field": reason.field, "text": reason.sentence}
    return JSONResponse({"error": error}, reason.code)


def _of(request: Request) -> Session:
    found: Session = request.app.state.session
    return found


async def _page(request: Request) -> Response:
    """The page; from here on the cookie stands for the token in the address."""
    answer = Response(PAGE.format(version=VERSION), media_type="text/html")
    state = request.app.state
    answer.set_cookie(
        cookie_name(state.port), state.token, httponly=True, samesite="strict", path="/"
    )
    return answer


async def _asset(request: Request) -> Response:
    """One of the two built files; no other name leads anywhere."""
    name = request.path_params["name"]
    if name not in ASSETS:
        return Response("There is no such file.", 404)
    content = files("rocwise.reporting").joinpath("assets", name).read_bytes()
    return Response(content, media_type=f"{ASSETS[name]}; charset=utf-8")


async def _session(request: Request) -> Response:
    about = {"largest": request.app.state.largest, "version": VERSION, "bands": BANDS}
    return JSONResponse(_of(request).plain() | about)


async def _names(request: Request) -> Response:
    """Call a model otherwise; everything that is shown has the new name at once."""
    session, sent = _of(request), await _sent(request)
    try:
        session.rename(sent.get("place"), str(sent.get("name") or ""))
    except ValueError as reason:
        raise RefusedError("names", str(reason)) from None
    return await _session(request)


async def _file(request: Request) -> Response:
    """Take a file in and say which columns it has."""
    session = _of(request)
    name = shown_name(request.query_params.get("name", ""))
    target = place_for(session.folder, session.number(), name)
    try:
        size = await received(request.stream(), target, request.app.state.largest)
    except TooLargeError as reason:
        raise RefusedError("file", str(reason), 413) from None
    except ClientDisconnect:
        return Response(status_code=499)
    except OSError as reason:
        text = f"The file could not be kept: {(reason.strerror or str(reason)).lower()}."
        raise RefusedError("file", text, 507) from None
    source = Source("file", str(target), name, ours=True, size=size)
    job = session.inspect(source)
    await run_in_threadpool(job.ended.wait)
    if job.refusal is not None or job.state != "done":
        target.unlink(missing_ok=True)
        problem = job.refusal or {"field": "file", "text": "The file was not read."}
        raise RefusedError(problem["field"], problem["text"])
    return JSONResponse(session.plain())


async def _example(request: Request) -> Response:
    source = Source("example", "", "breast cancer (example)")
    return JSONResponse(_of(request).load(source, None).plain(), 202)


async def _columns(request: Request) -> Response:
    """Begin to read the columns that were picked."""
    session, choice = _of(request), await _sent(request)
    if session.source is None or session.source.form != "file":
        raise RefusedError("file", "Drop a file first.", 409)
    return JSONResponse(session.load(session.source, choice).plain(), 202)


async def _start_job(request: Request) -> Response:
    session, sent = _of(request), await _sent(request)
    payload = session.payload
    if payload is None:
        raise RefusedError("file", "Drop a file first.", 409)
    if payload["task"] != "binary":
        raise RefusedError("job", "This work is for two classes.")
    kind = sent.get("kind")
    if kind not in KINDS:
        raise RefusedError("job", f"`kind` must be one of {', '.join(KINDS)}.")
    options = {
        "resamples": _whole(sent, "resamples", 1, 10_000_000),
        "seed": _whole(sent, "seed", 0, 2**32 - 1),
        "level": payload["settings"]["level"],
        "band": sent.get("band") if sent.get("band") in BANDS else BANDS[0],
        "prevalence": _share(sent, payload["cases"]["prevalence"]),
    }
    return JSONResponse(session.ask(kind, options).plain(), 202)


def _whole(sent: Mapping[str, Any], name: str, low: int, high: int) -> int:
    value = sent.get(name)
    number = value if isinstance(value, int | float) and not isinstance(value, bool) else -1
    if not low <= number <= high or number != int(number):
        raise RefusedError(name, f"Give a whole number from {low:,} to {high:,}.")
    return int(number)


def _share(sent: Mapping[str, Any], otherwise: float) -> float:
    value = sent.get("prevalence")
    return float(value) if isinstance(value, int | float) and 0 < value < 1 else otherwise


async def _job(request: Request) -> Response:
    """How far a job is, or its end."""
    session = _of(request)
    job = session.jobs.get(request.path_params["number"])
    if job is None:
        raise RefusedError("job", "There is no such job.", 404)
    if request.method == "DELETE":
        session.cancel(job)
    return JSONResponse(session.named(job.plain()) | {"revision": session.revision})


async def _view(request: Request) -> Response:
    """Keep where the reader is, for a page that is loaded again."""
    _of(request).view = await _sent(request)
    return Response(status_code=204)


async def _report(request: Request) -> Response:
    """The report in the present state, as a file."""
    from rocwise.serving.saved_reports import saved_page

    session, view = _of(request), await _sent(request)
    payload = session.shown_payload()
    if payload is None:
        raise RefusedError("file", "Drop a file first.", 409)
    page = await run_in_threadpool(saved_page, payload, view)
    headers = {"content-disposition": 'attachment; filename="report.html"'}
    return Response(page, media_type="text/html", headers=headers)


async def _python(request: Request) -> Response:
    """The present state as Python."""
    from rocwise.serving.python_code import Shown, python_code
    from rocwise.serving.saved_reports import checked_state

    session, view = _of(request), await _sent(request)
    shown = session.shown()
    if shown is None:
        raise RefusedError("file", "Drop a file first.", 409)
    source, payload, choice, names = shown
    data = Shown(source.form, source.name if source.ours else source.path, choice, names)
    state = payload["state"] | await run_in_threadpool(checked_state, view.get("state"), payload)
    return JSONResponse({"code": python_code(data, payload, state)})


def _no_number(name: str) -> None:
    raise ValueError(name)


async def _sent(request: Request) -> dict[str, Any]:
    """The JSON object that was sent, never more than a page can have to say."""
    body = bytearray()
    async for piece in request.stream():
        body += piece
        if len(body) > LARGEST_JSON:
            raise RefusedError("page", "That is more than a page has to say.", 413)
    try:
        found = json.loads(bytes(body) or b"{}", parse_constant=_no_number)
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict):
        raise RefusedError("page", "A JSON object was expected.", 400)
    return found
