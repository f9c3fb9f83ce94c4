"""Coverage of default intervals, size and power of default tests, with charts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import product
from typing import Any

from .coverage_entries import Count, Entry, simulated
from .coverage_intervals import INTERVALS
from .coverage_tests import TESTS
from .simulation import TABLES, Part, Records, Study

ENTRIES = (*INTERVALS, *TESTS)
SIZES = (
    (10, "#56B4E9", "fewer than 10"),
    (30, "#0072B2", "10 to 29"),
    (10**9, "#1B2A41", "30 or more"),
)
GREY, BAR = "#888888", 2  # color of the nominal level, standard errors of a bar
KINDS = {
    "coverage": (95, {"right": 100.5}, "Coverage of 95% intervals, %"),
    "size": (5, {"left": -0.4}, "Rejections of a true null hypothesis at 5%, %"),
}
SETTINGS = {
    "svg.fonttype": "none",
    "svg.hashsalt": "rocwise",
    "font.size": 8,
    "font.family": "sans-serif",
}


def tasks(quick: bool) -> list[Entry]:
    """All entries, or all with a few samples."""
    return [replace(one, samples=2) if quick else one for one in ENTRIES]


def draw(records: Records) -> None:
    """One chart for each kind, of defaults and of named methods."""
    from matplotlib import rc_context

    with rc_context(SETTINGS):
        for kind, by_name in product(("coverage", "size", "power"), (False, True)):
            own = [
                one
                for one in records["defaults"]
                if one.kind == kind
                and one.percent == one.percent
                and one.default.endswith("(method=)") == by_name
            ]
            if own:
                figure = powers(own) if kind == "power" else percentages(own, kind)
                path = TABLES.parent / f"coverage-{kind}{'-by-method' * by_name}.svg"
                figure.savefig(path, metadata={"Date": None})


def panel(n_rows: int) -> tuple[Any, Any]:
    """Figure and axes."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7.4, 0.19 * n_rows + 1.1), layout="constrained")
    ax = figure.subplots()
    ax.spines[["top", "right", "left"]].set_visible(False)
    ax.tick_params(length=0)
    ax.set_ylim(n_rows - 0.4, -0.6)
    return figure, ax


def percentages(counts: Sequence[Count], kind: str) -> Any:
    """A row for each default (and measure), a dot for each setting."""
    names = list(dict.fromkeys(map(title, counts)))
    nominal, limits, label_x = KINDS[kind]
    figure, ax = panel(len(names))
    ax.axvline(nominal, color=GREY, linewidth=0.8, dashes=(4, 3), zorder=1)
    for row, name in enumerate(names):
        own = [one for one in counts if title(one) == name]
        ax.axhline(row, color="#eeeeee", linewidth=0.6, zorder=0)
        for k, one in enumerate(own):
            y = row + 0.5 * ((k + 0.5) / len(own) - 0.5)
            x, bar = one.percent, BAR * one.standard_error
            color = next(color for most, color, _ in SIZES if one.smallest < most)
            ax.plot([x - bar, x + bar], [y, y], color=color, linewidth=0.7, alpha=0.6)
            ax.plot([x], [y], "o", color=color, markersize=2.8, markeredgewidth=0)
    ax.set_yticks(range(len(names)), names)
    ax.set_xlim(**limits)
    ax.set_xlabel(label_x)
    for _, color, label in SIZES:
        ax.plot([], [], "o", color=color, markersize=4, markeredgewidth=0, label=label)
    figure.legend(
        title="Cases (or clusters) of the smallest class",
        loc="outside upper right",
        ncols=3,
        frameon=False,
    )
    return figure


def title(one: Count) -> str:
    """A default and its measure."""
    return f"{one.default}: {one.measure}" if one.measure else one.default


def powers(counts: Sequence[Count]) -> Any:
    """A row for each setting: the default and DeLong's test, and planned power."""
    places = list(dict.fromkeys((one.default, one.setting) for one in counts))
    figure, ax = panel(len(places))
    marks = {"default": ("o", SIZES[1][1]), "DeLong": ("|", "#D55E00"), "": ("s", SIZES[2][1])}
    for row, place in enumerate(places):
        ax.axhline(row, color="#eeeeee", linewidth=0.6, zorder=0)
        for one in counts:
            if (one.default, one.setting) == place:
                mark, color = marks[one.measure]
                bar = BAR * one.standard_error
                ax.plot(
                    [one.percent - bar, one.percent + bar], [row, row], color=color, linewidth=0.7
                )
                ax.plot([one.percent], [row], mark, color=color, markersize=5)
    ax.axvline(80, color=GREY, linewidth=0.8, dashes=(4, 3), zorder=1)
    ax.set_yticks(range(len(places)), [": ".join(place) for place in places])
    ax.set_xlim(0, 101)
    ax.set_xlabel("Power at 5%, %")
    for name, label in (
        ("default", "compare"),
        ("DeLong", 'method="delong"'),
        ("", "planned for 80%"),
    ):
        mark, color = marks[name]
        ax.plot([], [], mark, color=color, markersize=5, linestyle="", label=label)
    figure.legend(loc="outside upper right", ncols=3, frameon=False)
    return figure


STUDY = Study("coverage", (Part("defaults", Count, tasks, simulated),), lambda _: {}, charts=draw)
