"""Bands as a table: both edges at round places."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from rocwise import printing
from rocwise.cli.output.text_tables import aligned


def edge_table(
    title: str, place: str, height: str, places: Sequence[float], edges: Iterable[Any], size: float
) -> str:
    """The edges at each place, under a title; `size` cases stand behind them.

    Three edges are the height itself and the lower and the upper one.
    """
    rows = [
        [f"{at:g}", *(printing.rate(edge, size) for edge in pair)]
        for at, *pair in zip(places, *edges, strict=True)
    ]
    heads = [height, f"lower {height}", f"upper {height}"][-len(rows[0]) + 1 :]
    return f"{title}\n{aligned([place, *heads], rows, '.' + 'r' * len(heads))}"
