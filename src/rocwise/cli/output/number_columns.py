"""Long columns of numbers as text: a table of characters per column, no Python for single cells.

Tables of all thresholds have a line for every distinct score. What these functions write is what
`rocwise.printing` and `text_tables` write cell by cell; cells that need care are left to them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from rocwise import kernels, printing
from rocwise.cli.output.text_tables import GAP, column_of

MANY = 1_000  # lines; below, cells are written one by one
LARGEST_RATE = 2.0  # of those that are looked up
BLANK, COMMA, NEWLINE = (ord(sign) for sign in " ,\n")
Signs = Any  # characters of a column, uint8 (width, lines): those of one place lie together


def joined(titles: Sequence[str], columns: Sequence[Signs]) -> str:
    """The lines of a table: titles above their columns, nothing blank at the ends of lines."""
    n = columns[0].shape[1]
    heads = [title.rjust(len(column)) for title, column in zip(titles, columns, strict=True)]
    gap = np.full((len(GAP), n), BLANK, np.uint8)
    parts = [part for column in columns for part in (column, gap)][:-1]
    signs = np.concatenate([*parts, np.full((1, n), NEWLINE, np.uint8)])
    lines = np.ascontiguousarray(signs.T)
    if bool((signs[-2] == BLANK).any()):
        written = np.logical_or.accumulate(lines[:, ::-1] > BLANK, axis=1)[:, ::-1]
        lines = lines[written | (lines == NEWLINE)]
    body = lines.tobytes().decode("ascii")[:-1]
    return f"{GAP.join(heads).rstrip()}\n{body}"


def of_texts(texts: Sequence[str], width: int, side: str = "r") -> Signs:
    """Texts of plain signs, padded to a width."""
    padded = [text.ljust(width) if side == "l" else text.rjust(width) for text in texts]
    return (
        np.array(padded, f"S{max(width, 1)}")
        .view(np.uint8)
        .reshape(len(texts), max(width, 1))
        .T[:width]
    )


def of_cells(title: str, cells: Sequence[str], side: str) -> Signs:
    """Cells that are text already, padded as `text_tables` does."""
    padded = column_of([title, *cells], side)[1:]
    return of_texts(padded, len(padded[0]))


def of_marks(marks: Mapping[int, str], n: int) -> Signs:
    """A column of nothing but some words, at its left."""
    width = max(map(len, marks.values()), default=0)
    signs = np.full((width, n), BLANK, np.uint8)
    signs[:, list(marks)] = of_texts(list(marks.values()), width, "l")
    return signs


def widened(signs: Signs, title: str) -> Signs:
    """A column at least as wide as its title, its cells at the right."""
    missing = len(title) - len(signs)
    return signs if missing <= 0 else np.pad(signs, ((missing, 0), (0, 0)), constant_values=BLANK)


def of_rates(values: Any, n: float) -> Signs:
    """Rates as `printing.rate` writes them; "-" where they are undefined."""
    units = 100 if n < 100 else 1000
    absent, numbers = np.ma.getmaskarray(values), np.ma.getdata(values).astype(np.float64)
    odd = ~(np.abs(numbers) < LARGEST_RATE)
    scaled = np.where(odd | absent, 0.0, numbers) * units
    nearest = np.rint(scaled).astype(np.int64)
    odd |= np.abs(np.abs(scaled - np.trunc(scaled)) - 0.5) < 1e-6  # rounded with all digits
    odd |= (nearest == 0) & np.signbit(scaled)
    single = np.flatnonzero(odd & ~absent)
    least = int(nearest.min())
    known = [printing.rate(code / units, n) for code in range(least, int(nearest.max()) + 1)]
    texts = [printing.rate(value, n) for value in numbers[single].tolist()]
    width = max(map(len, [*known, *texts]))
    signs = of_texts(known, width)[:, nearest - least]
    signs[:, single] = of_texts(texts, width)
    signs[:, absent] = of_texts(["-"], width)
    return signs


def of_counts(values: Any) -> Signs | None:
    """Whole counts with separators, as `printing.count` writes them; None if some are not whole."""
    numbers = np.asarray(values)
    if np.ma.is_masked(values) or not (float(numbers.min()) >= 0 and float(numbers.max()) < 2**53):
        return None
    if numbers.dtype.kind == "f" and not bool((numbers == np.rint(numbers)).all()):
        return None
    whole = numbers.astype(np.int64)
    digits = kernels.aligned_decimals(whole, np.zeros_like(whole), 0)
    rows = []
    for k, row in enumerate(digits):
        left = len(digits) - k  # digits from here on
        rows.append(row)
        if left > 1 and left % 3 == 1:
            rows.append(np.where(row == BLANK, BLANK, COMMA).astype(np.uint8))
    return np.stack(rows)


def of_thresholds(
    scores: Any, rows: Any, *, direction: str, categories: Sequence[str], first: str | None = None
) -> Signs | None:
    """Thresholds below each other by their points; `first` is a word above them.

    None where they are not written as numbers with a point.
    """
    if categories or scores.dtype.kind != "f":
        return None
    places, sign = np.asarray(rows, np.intp), 1 if direction == "higher" else -1
    limits = printing.limits_of(scores, places, sign)
    single = scores.dtype == np.float32
    whole, decimals, found = kernels.digits_between(*limits, single=single)
    odd = np.flatnonzero(~found)
    texts = [printing.threshold_text(scores, int(row), direction=direction) for row in places[odd]]
    tails = [len(text) - text.find(".") if "." in text else 0 for text in texts]
    deepest = int(decimals.max())
    longest = max([deepest + 1 if deepest else 0, *tails])
    signs = kernels.aligned_decimals(sign * whole, decimals, longest)
    words = [text + " " * (longest - tail) for text, tail in zip(texts, tails, strict=True)]
    width = max([len(signs), *map(len, words), len(first or "")])
    signs = widened(signs, " " * width)
    signs[:, odd] = of_texts(words, width)
    above = [] if first is None else [of_texts([first], width)]
    return np.concatenate([*above, signs], axis=1)
