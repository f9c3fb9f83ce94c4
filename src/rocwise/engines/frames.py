"""Columns of any data frame that narwhals knows, eager or lazy."""

from __future__ import annotations

from typing import Any

from rocwise.errors import InputError, listed


def read_frame(frame: Any, wanted: list[str]) -> tuple[dict[str, Any], str]:
    """Narwhals series by name, and the name of the library that can build such a frame."""
    import narwhals as nw

    try:
        native = nw.from_native(frame)
        check_columns(wanted, native.collect_schema().names())
        chosen = native.select(nw.col(*wanted))
    except TypeError:
        raise InputError(
            f"`frame_or_path` must be a data frame or a path; got a {type(frame).__name__}."
        ) from None
    except nw.exceptions.NarwhalsError as problem:  # e.g. two columns of one name
        raise InputError(f"`frame_or_path` cannot be read: {problem}.") from None
    eager = chosen.collect() if isinstance(chosen, nw.LazyFrame) else chosen
    library = eager.implementation.value
    return {name: eager.get_column(name) for name in wanted}, library


def check_columns(wanted: list[str], present: list[str]) -> None:
    """Refuse names of columns that are not there, listing those that are."""
    for name in wanted:
        if name not in present:
            raise InputError(
                f"no column is called {name!r}; the columns are {listed(present, 12)}."
            )
