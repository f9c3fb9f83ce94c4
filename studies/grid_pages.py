"""Tables of the study of intervals over many kinds of scores."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from .kept_counts import with_table

METHODS = ("delong", "logit", "logit_t", "score", "wilson", "auto")
WORDS = {"logit_t": "logit, t of Brunner and Munzel"}
LEAST = 0.92


def written(text: str, cells: Sequence[Any]) -> str:
    """The page with its tables made anew."""
    text = with_table(text, _mark("by size"), by_size(cells))
    text = with_table(text, _mark("by scores"), by_scores(cells))
    return with_table(text, _mark("below"), below(cells))


def candidates_table(counts: Sequence[Any]) -> str:
    """The table of the other candidates."""
    sizes = sorted({one.n_pos for one in counts})
    groups = [[one for one in counts if one.n_pos == size] for size in sizes]
    names = {
        "likelihood": "empirical likelihood",
        "bootstrap_t": "bootstrap-t, logit scale",
        "auto": "`auto`",
    }
    rows = [
        [words, *(_range(shares(group, name)) for group in groups)] for name, words in names.items()
    ]
    return _table(["positives:", *map(str, sizes)], rows)


def _mark(name: str) -> re.Pattern[str]:
    return re.compile(rf"(<!-- grid: {name} -->\n).*?(<!-- end -->)", re.DOTALL)


def shares(cells: Iterable[Any], method: str) -> np.ndarray[Any, Any]:
    """Coverage in percent, one number per setting."""
    return np.array([100 * getattr(one, method) / one.samples for one in cells])


def by_size(cells: Sequence[Any]) -> str:
    """Lowest, median and highest coverage, by the size of the smaller class."""
    sizes = sorted({one.smaller for one in cells})
    groups = [[one for one in cells if one.smaller == size] for size in sizes]
    rows = [
        [f"`{WORDS.get(m, m)}`", *(_range(shares(group, m)) for group in groups)] for m in METHODS
    ]
    return _table(["smaller class:", *map(str, sizes)], rows)


def by_scores(cells: Sequence[Any]) -> str:
    """Lowest and median coverage of "auto" by kind of scores and spread of the positives."""
    spreads = sorted({one.spread for one in cells})
    kinds = list(dict.fromkeys(one.scores for one in cells))
    rows = []
    for kind in kinds:
        groups = [
            [one for one in cells if (one.scores, one.spread) == (kind, spread)]
            for spread in spreads
        ]
        rows.append([kind, *(_range(shares(group, "auto")) for group in groups)])
    return _table(["positives spread:", *(f"{spread:g} times" for spread in spreads)], rows)


def below(cells: Sequence[Any]) -> str:
    """How many settings lie below 92 and between 94 and 97 percent."""
    few = [one for one in cells if one.smaller < 5]
    more = [one for one in cells if one.smaller >= 5]
    rows = []
    for method in METHODS:
        row = [f"`{WORDS.get(method, method)}`"]
        for group in (few, more):
            values = shares(group, method)
            row += [
                f"{100 * np.mean(values < 100 * LEAST):.1f}",
                f"{100 * np.mean((values >= 94) & (values <= 97)):.0f}",
                f"{values.min():.1f}",
                f"{np.median(values):.1f}",
            ]
        rows.append(row)
    names = ["% of settings below 92", "% from 94 to 97", "lowest", "median"]
    header = [
        "method",
        *(f"2 to 4 cases: {names[0]}", *names[1:]),
        *(f"5 or more: {names[0]}", *names[1:]),
    ]
    return _table(header, rows)


def _range(values: np.ndarray[Any, Any]) -> str:
    return f"{values.min():.0f} / {np.median(values):.0f} / {values.max():.0f}"


def _table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [f"| {' | '.join(header)} |", f"|{' --- |' * len(header)}"]
    return "\n".join([*lines, *(f"| {' | '.join(row)} |" for row in rows)])
