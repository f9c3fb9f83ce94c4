"""Names that write files, start servers or are contexts, called so that nothing is left behind."""

import contextlib
import os
import tempfile
import webbrowser
from collections.abc import Callable, Iterator
from typing import Any


def tidy_caller(name: str, value: Callable[..., Any]) -> Callable[..., Any] | None:
    """What calls a name with side effects; None for the others."""
    wanted = {
        "rocwise.report": _reported,
        "rocwise.studio": _served,
        "rocwise.partial_results": _entered,
        "rocwise.plotting.save": _written,
        "rocwise.plotting.plot": _drawn,
    }.get(name, _drawn if name.endswith("Display.from_predictions") else None)
    return None if wanted is None else lambda **options: wanted(value, **options)


def _reported(value: Callable[..., Any], **options: Any) -> Any:
    """The numbers of a page; the page itself goes to a folder that is removed."""
    with _elsewhere():
        return value(**options).payload


def _served(value: Callable[..., Any], **options: Any) -> None:
    """A studio that is stopped at once; no browser is opened."""
    opened, webbrowser.open = webbrowser.open, lambda *_args, **_named: True
    try:
        with _elsewhere(), value(**options):
            pass
    finally:
        webbrowser.open = opened


def _entered(value: Callable[..., Any], **options: Any) -> bool:
    with value(**options) as stopped:
        return bool(stopped)


def _written(value: Callable[..., Any], **options: Any) -> None:
    with _elsewhere(), _closed_figures():
        value(**options)


def _drawn(value: Callable[..., Any], **options: Any) -> None:
    with _closed_figures():
        value(**options)


@contextlib.contextmanager
def _elsewhere() -> Iterator[None]:
    """In an empty folder, so that a path that is taken harms nothing."""
    before = os.getcwd()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        try:
            yield
        finally:
            os.chdir(before)


@contextlib.contextmanager
def _closed_figures() -> Iterator[None]:
    from matplotlib import pyplot

    try:
        yield
    finally:
        pyplot.close("all")
