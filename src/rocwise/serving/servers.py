"""`studio`: the page, served to this machine only; it results before numpy is imported."""

import html
import os
import pickle
import secrets
import signal
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, cast

from rocwise.errors import InputError, missing_package

if TYPE_CHECKING:
    from rocwise.inputs.coercion import PairOptions
    from rocwise.serving.sessions import Session

HOST = "127.0.0.1"  # never another: any client of the port could try tokens
REDIRECT = """\
<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="referrer" content="no-referrer">
<meta http-equiv="refresh" content="0; url={url}">
<title>rocwise studio</title>
</head>
<body><a href="{url}">rocwise studio</a></body>
</html>
"""
GRACE = 1  # seconds that open requests get when the studio ends


class Studio:
    """A studio that runs: its `url`, `open()`, `wait()` until Ctrl-C, and `stop()`.

    Also a context manager, which stops it at the end of the block.
    """

    def __init__(self, session: "Session", port: int) -> None:
        import uvicorn

        from rocwise.serving.app import app_of

        self._session = session
        self._socket = _bound(port)
        self.port: int = self._socket.getsockname()[1]
        self.token: str = secrets.token_urlsafe(24)
        app = app_of(session, token=self.token, port=self.port)
        config = uvicorn.Config(
            app,
            log_config=None,
            access_log=False,
            lifespan="off",
            ws="none",
            server_header=False,
            timeout_graceful_shutdown=GRACE,
        )
        self._server = uvicorn.Server(config)
        self._ended = threading.Event()
        threading.Thread(target=self._serve, daemon=True, name="rocwise-studio").start()
        session.start()

    def _serve(self) -> None:
        try:
            self._server.run([self._socket])
        finally:
            self._ended.set()

    @property
    def url(self) -> str:
        """The address; its fragment, which browsers send to no server, is the token."""
        return f"http://{HOST}:{self.port}/#{self.token}"

    def open(self) -> None:
        """Open the page in the browser, which finds the address in a file of this user.

        Other users of the machine see the command line of the browser.
        """
        import webbrowser

        path = self._session.folder / "open.html"
        path.touch(0o600)
        path.write_text(REDIRECT.format(url=self.url), encoding="utf-8")
        webbrowser.open(path.as_uri())

    def wait(self, ready: Callable[[], object] | None = None) -> None:
        """Serve until Ctrl-C, which stops the studio and is raised again.

        `ready` is called first, when signals that end the process are handled already.
        """
        try:
            with _signals_handled(signal.default_int_handler, "SIGTERM", "SIGHUP"):
                if ready is not None:
                    ready()
                while not self._ended.wait(0.5):  # an interrupted Thread.join breaks its lock
                    pass
        finally:
            with _signals_handled(signal.SIG_IGN, "SIGINT", "SIGTERM", "SIGHUP"):
                self.stop()

    def stop(self) -> None:
        """End the server and its processes, and remove what they kept."""
        self._server.should_exit = True
        self._ended.wait(GRACE + 4)
        self._socket.close()
        self._session.close()

    def __enter__(self) -> "Studio":
        return self

    def __exit__(self, *_problem: object) -> None:
        self.stop()

    def __repr__(self) -> str:
        return f"studio at {self.url}"

    def _repr_html_(self) -> str:
        address = html.escape(self.url, quote=True)
        return f'<a href="{address}" target="_blank" rel="noopener">Open the rocwise studio</a>'


def studio(
    data: Any = None,
    *,
    scores: Any = None,
    label: str | None = None,
    pos_label: Any = None,
    groups: Any = None,
    sample_weight: Any = None,
    direction: Literal["higher", "lower"] | None = None,
    missing: Literal["raise", "drop"] | None = None,
    task: Literal["binary", "multiclass", "ordinal", "regression", "survival"] | None = None,
    classes: Any = None,
    order: Any = None,
    time: str | None = None,
    sep: str | None = None,
    decimal: str | None = None,
    encoding: str | None = None,
    port: int = 0,
    open_browser: bool = True,
) -> Studio:
    """Serve the interactive report on this computer, for use in a browser.

    Parameters
    ----------
    data : array-like, Pairs, Tally, FollowUp, DataFrame or path, optional
        Data, as in `report`; the columns of a file can be selected on the page. By default the page
        starts empty.
    scores : dict of str to array-like, or list of str, optional
        Scores of each model, by its name; or the names of their columns.
    label : str, optional
        Name of the column of labels of a data frame or file.
    pos_label : scalar, optional
        Label of the positive class; required unless it is 1 or True.
    groups : array-like or str, optional
        Cluster of each row, or the name of its column.
    sample_weight : array-like or str, optional
        Weight of each row, or the name of its column.
    direction : {"higher", "lower"}, optional
        Which scores mean positive; by default "higher".
    missing : {"raise", "drop"}, optional
        What to do with rows with a missing value; by default "raise".
    task : {"binary", "multiclass", "ordinal", "regression", "survival"}, optional
        Kind of outcome; by default inferred from the label of a file, and "binary" for rows.
    classes : sequence, optional
        For several classes: labels in the order of the columns.
    order : sequence, optional
        For ordered classes: labels from the lowest up.
    time : str, optional
        For censored outcomes: name of the column of times; `label` is that of the events.
    sep : str, optional
        Delimiter of a text file; found by its first lines by default.
    decimal : {".", ","}, optional
        Decimal sign of a text file; found by its cells by default.
    encoding : str, optional
        Encoding of a text file; by default UTF-8, UTF-16 or Windows-1252, whichever it is.
    port : int, default 0
        Port on 127.0.0.1; 0 for any free one.
    open_browser : bool, default True
        Whether to open the page in the browser.

    Returns
    -------
    Studio
        Server that runs in the background, with `url`, ``open()`` in the browser, ``wait()`` until
        Ctrl-C, and ``stop()``.

    See Also
    --------
    report : Self-contained HTML report.

    Examples
    --------
    >>> import rocwise as rw
    >>> with rw.studio(open_browser=False) as studio:
    ...     print(studio.url.split("#")[0])  # doctest: +ELLIPSIS
    http://127.0.0.1:.../
    """
    _require_packages()
    from rocwise.serving.sessions import Session

    if type(open_browser) is not bool or type(port) is not int or port:  # checks bring numpy
        from rocwise import checks

        open_browser = checks.flag(open_browser, "open_browser")
        port = checks.whole(port, "port", at_least=0, at_most=65535)
    given = {"label": label, "pos_label": pos_label, "groups": groups, "direction": direction}
    given |= {"sample_weight": sample_weight, "missing": missing}
    given |= {"task": task, "classes": classes, "order": order, "time": time}
    described = {name: value for name, value in given.items() if value is not None}
    requested = {"sep": sep, "decimal": decimal, "encoding": encoding}
    text = {name: value for name, value in requested.items() if value is not None}
    session = Session()
    try:
        begin = _beginning(session, data, scores, described, text)
        running = Studio(session, port)
    except BaseException:
        session.close()
        raise
    begin()
    if open_browser:
        running.open()
    return running


@contextmanager
def _signals_handled(handler: Any, *signals: str) -> Iterator[None]:
    """Another handler of signals, so that the end of a terminal or of a machine removes data."""
    names = [name for name in signals if hasattr(signal, name)]
    if threading.current_thread() is not threading.main_thread():
        names = []  # handlers belong to the main thread
    before = {name: signal.getsignal(getattr(signal, name)) for name in names}
    for name in names:
        signal.signal(getattr(signal, name), handler)
    try:
        yield
    finally:
        for name, handler in before.items():
            signal.signal(getattr(signal, name), handler)


def _require_packages() -> None:
    from importlib.util import find_spec

    for package in ("starlette", "uvicorn"):
        if find_spec(package) is None:
            raise missing_package(package, "studio", "the studio")


def _beginning(
    session: "Session", data: Any, scores: Any, given: dict[str, Any], text: dict[str, str]
) -> Callable[[], object]:
    """What the studio does first, once it runs; errors are raised now."""
    from rocwise.serving.sessions import Source

    if text:
        from rocwise.inputs import text_file

        data = text_file(data, **text)
    if data is None:
        if scores is not None or given:
            raise InputError("`data` is missing: `scores` and options describe a file or rows.")
        return lambda: None
    if isinstance(data, (str, PathLike)):
        path = Path(data)
        if not path.is_file():
            raise InputError(f"`data` names no such file: {path}")
        source = Source("file", str(path.resolve()), path.name, size=path.stat().st_size)
        requested = {name: getattr(data, name, None) for name in ("sep", "decimal", "encoding")}
        source.text = {name: value for name, value in requested.items() if value is not None}
        choice = _choice(scores, given)
        return lambda: session.inspect(source, choice, load=True)
    from rocwise.reporting.data_forms import data_of

    labels = {name: given.pop(name, None) for name in ("classes", "order", "time")}
    task = given.pop("task", "binary")
    if task == "survival":
        labels["event"] = given.pop("label", None)
    found = data_of(task, data, scores, cast("PairOptions", given), labels)
    kept = session.folder / "given.pickle"
    kept.write_bytes(pickle.dumps(found))
    source = Source("kept", str(kept), "data from Python")
    return lambda: session.load(source, None)


def _choice(scores: Any, given: dict[str, Any]) -> dict[str, Any] | None:
    """Columns that were named; None where the page shall guess."""
    if "classes" in given:
        raise InputError("`classes` goes with rows; the classes of a file are those of its label.")
    if scores is None and "label" not in given:
        for name in given:
            raise InputError(f"`{name}` goes with `label` and `scores`: name the columns.")
        return None
    positive = given.get("pos_label")
    return {
        "label": given.get("label"),
        "scores": [scores] if isinstance(scores, str) else list(scores or []),
        "positive": None if positive is None else str(positive),
        "direction": given.get("direction", "higher"),
        "missing": given.get("missing", "raise"),
        "weight": given.get("sample_weight"),
        "group": given.get("groups"),
        "task": given.get("task"),
        "order": [str(label) for label in given.get("order") or ()],
        "time": given.get("time"),
    }


def _bound(port: int) -> socket.socket:
    """A socket that listens already, so that the address is known at once."""
    listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    if os.name == "posix":  # on Windows it would let another program listen there, too
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((HOST, port))
    except OSError as problem:
        listening.close()
        reason = (problem.strerror or str(problem)).lower()
        raise InputError(
            f"`port` {port} cannot be used: {reason}. Leave it out for one that is free."
        ) from None
    listening.listen(128)
    return listening
