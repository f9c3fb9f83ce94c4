"""Tables from the counts, put between the marks of a page; the words around them are kept."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence

from .counting import Count, by_setting
from .families import FAMILIES
from .questions import Family

MARKED = re.compile(r"(<!-- (summary|table): ([a-z ]+) -->\n).*?(<!-- end -->)", re.DOTALL)


def written(text: str, counts: Sequence[Count]) -> str:
    """The page with every marked table made anew from the counts."""
    families = {family.name: family for family in FAMILIES}
    makers: dict[str, Callable[[Family, list[Count]], str]] = {
        "summary": summary,
        "table": full_table,
    }

    def table(found: re.Match[str]) -> str:
        opening, what, name, closing = found.groups()
        if name not in families:
            return found[0]  # a table of another study on the same page
        own = [one for one in counts if one.family == name]
        return f"{opening}\n{makers[what](families[name], own)}\n\n{closing}"

    return MARKED.sub(table, text)


def full_table(family: Family, counts: list[Count]) -> str:
    """One row per setting: percentages with their standard errors."""
    methods = [question.method for question in family.questions]
    spreads = len({one.spread for one in counts}) > 1
    ties = len({one.ties for one in counts}) > 1
    heads = ["positives", "negatives", "true AUC"]
    heads += ["spread"] * spreads + ["ties"] * ties
    rows = []
    for (tied, spread, *_), found in by_setting(counts):
        some = next(iter(found.values()))
        row = [str(some.n_pos), str(some.n_neg), f"{some.truth:.3f}"]
        row += [f"{spread:g}"] * spreads + ["yes" if tied else "no"] * ties
        rows.append(row + [_cell(found.get(method)) for method in methods])
    return markdown([*heads, *(f"`{method}`" for method in methods)], rows)


def _cell(one: Count | None) -> str:
    if one is None:
        return "–"
    if not one.answered:
        return "refused"
    refused = one.replicates - one.answered
    note = f" ({refused} refused)" if refused else ""
    return f"{100 * one.share:.1f} ± {100 * one.error:.1f}{note}"


def summary(family: Family, counts: list[Count]) -> str:
    """One row per method, one column per size of the smaller class: lowest to highest share."""
    sizes = sorted({min(one.n_pos, one.n_neg) for one in counts})
    rows = []
    for question in family.questions:
        own = [one for one in counts if one.method == question.method]
        cells = [_range(one for one in own if min(one.n_pos, one.n_neg) == size) for size in sizes]
        widths = [one.mean_width for one in own if one.mean_width is not None]
        width = [f"{sum(widths) / len(widths):.3f}"] if widths else []
        rows.append([f"`{question.method}`", *cells, *width])
    heads = ["smaller class:", *map(str, sizes)]
    return markdown(heads + ["mean width"] * (family.kind == "coverage"), rows)


def _range(counts: Iterable[Count]) -> str:
    shares = sorted(100 * one.share for one in counts if one.answered)
    return f"{shares[0]:.1f} to {shares[-1]:.1f}" if shares else "–"


def markdown(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table in Markdown."""
    lines = [heads, ["---"] * len(heads), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)
