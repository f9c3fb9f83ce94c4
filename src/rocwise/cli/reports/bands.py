"""Bands as a table: both edges at round places."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from rocwise import printing
from rocwise.cli.text_tables import aligned


def edge_table(
    title: str, place: str, height: str, places: Sequence[float], edges: Iterable[Any], size: float
) -> str:
    """The lower and the upper edge at each place, under a title; `size` cases stand behind them."""
    rows = [
        [f"{at:g}", *(printing.rate(edge, size) for edge in pair)]
        for at, *pair in zip(places, *edges, strict=True)
    ]
    return f"{title}\n{aligned([place, f'lower {height}', f'upper {height}'], rows, '.rr')}"
