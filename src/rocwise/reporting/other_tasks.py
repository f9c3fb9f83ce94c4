"""The parts of the page for multiclass, ordinal and regression models."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

import rocwise as rw
from rocwise.plotting import compose
from rocwise.reporting.data_forms import OtherData
from rocwise.reporting.payload import (
    Omitted,
    Settings,
    by_model,
    differences,
    section,
    table,
    unless_invalid,
)
from rocwise.reporting.references import OF_TASKS
from rocwise.results import json_safe


def summary(
    quantity: str,
    values: Mapping[str, tuple[float, Any]],
    comparison: dict[str, Any] | None,
    *,
    lower_is_better: bool = False,
    **facts: Any,
) -> dict[str, Any]:
    """The quantity with an interval for each model, and the differences.

    >>> summary("VUS", {"a": (0.5, None)}, None, n=9)["models"]
    [{'name': 'a', 'value': 0.5, 'low': None, 'high': None, 'method': None}]
    """
    return {
        "quantity": quantity,
        "better": "lower" if lower_is_better else "higher",
        "models": [_model(name, *value) for name, value in values.items()],
        "comparison": comparison,
        **json_safe(facts),
    }


def _model(name: str, value: float, interval: Any) -> dict[str, Any]:
    low, high = (None, None) if interval is None else interval
    method = None if interval is None else interval.method
    return {"name": name, "value": float(value), "low": low, "high": high, "method": method}


Parts = tuple[dict[str, Any], list[dict[str, Any]]]  # the summary, and the sections


def other_payload(found: OtherData, settings: Settings) -> dict[str, Any]:
    """The members of the payload that depend on the data."""
    make = {"multiclass": _multiclass, "ordinal": _ordinal, "regression": _regression}[found.task]
    omitted: list[Omitted] = []
    said, sections = make(found.y_true, found.models, found.options, settings, omitted)
    lost = len(found.y_true) - said["n"]
    return {
        "hash": found.digest(),
        "summary": said,
        "settings": {"level": settings.level, "seed": settings.seed},
        "state": {"theme": "auto"},
        "sections": sections,
        "notes": [{"code": "dropped", "n": lost}] if lost else [],
        "omitted": [each._asdict() for each in omitted],
        "methods": {"references": list(OF_TASKS[found.task])},
    }


def _multiclass(
    y_true: Any,
    models: dict[str, Any],
    options: dict[str, Any],
    settings: Settings,
    omitted: list[Omitted],
) -> Parts:
    areas = {
        name: rw.multiclass.auc(y_true, values, level=settings.level, **options)
        for name, values in models.items()
    }
    compared, pictures = _compared(
        rw.multiclass.compare, y_true, models, options, settings, omitted
    )
    first = next(iter(areas.values()))
    values = {name: (area.value, area.interval) for name, area in areas.items()}
    roc = partial(rw.multiclass.roc, y_true, **options)
    curves = by_model(roc, "one-vs-rest", models, omitted)
    drawn = [compose(curve, title=name) for name, curve in curves.items()]
    return summary(
        first.quantity, values, compared, n=sum(first.sizes), classes=list(first.names)
    ), [
        *pictures,
        section(
            "class-areas",
            pictures=[compose(area, title=name) for name, area in areas.items()],
            tables=[table(area, name) for name, area in areas.items()],
        ),
        *([section("one-vs-rest", pictures=drawn)] if drawn else []),
    ]


def _ordinal(
    y_true: Any,
    models: dict[str, Any],
    options: dict[str, Any],
    settings: Settings,
    omitted: list[Omitted],
) -> Parts:
    areas = {
        name: rw.ordinal.auc(y_true, values, level=settings.level, **options)
        for name, values in models.items()
    }
    compared, pictures = _compared(rw.ordinal.compare, y_true, models, options, settings, omitted)
    first = next(iter(areas.values()))
    values = {name: (area.value, area.interval) for name, area in areas.items()}
    surface = partial(rw.ordinal.surface, y_true, **options)
    surfaces = by_model(surface, "roc-surface", models, omitted)
    thresholds = partial(rw.ordinal.thresholds, y_true, **options)
    cuts = by_model(thresholds, "cut-points", models, omitted)
    facts: dict[str, Any] = {
        "n": sum(first.sizes),
        "classes": [str(each) for each in first.labels],
        "chance": first.chance,
    }
    return summary(first.quantity, values, compared, **facts), [
        section("volumes", pictures=[compose(areas)]),
        *pictures,
        *_drawn("roc-surface", surfaces),
        *_drawn("cut-points", cuts, [_cut_table(cuts)]),
    ]


def _regression(
    y_true: Any,
    models: dict[str, Any],
    options: dict[str, Any],
    settings: Settings,
    omitted: list[Omitted],
) -> Parts:
    curves = {name: rw.regression.rec(y_true, values, **options) for name, values in models.items()}
    compared, pictures = _compared(
        rw.regression.compare, y_true, models, options, settings, omitted
    )
    limits = by_model(
        lambda curve: curve.aoc_interval(level=settings.level), "AOC", curves, omitted
    )
    bands = by_model(
        lambda curve: rw.regression.band(curve, level=settings.level), "rec-band", curves, omitted
    )
    values = {name: (curve.aoc, limits.get(name)) for name, curve in curves.items()}
    shifts = {
        name: rw.regression.rroc(y_true, forecast, **options) for name, forecast in models.items()
    }
    n = next(iter(curves.values())).n
    return summary("AOC", values, compared, lower_is_better=True, n=n), [
        section("rec", pictures=[compose(curves)]),
        *([section("rec-band", pictures=[compose(bands)])] if bands else []),
        *pictures,
        section("rroc", pictures=[compose(shifts)], tables=[_shift_table(shifts)]),
    ]


def _drawn(
    name: str, answers: Mapping[str, Any], tables: list[dict[str, Any]] | None = None
) -> list[dict[str, Any]]:
    """A section with one picture for each model; none where there is nothing to draw."""
    pictures = [compose(answer, title=model) for model, answer in answers.items()]
    return [section(name, pictures=pictures, tables=tables)] if answers else []


def _cut_table(cuts: Mapping[str, Any]) -> dict[str, Any]:
    """From which score on each class is called."""
    rows = [
        (model, str(label), printed, cut.cost)
        for model, cut in cuts.items()
        for label, printed in zip(cut.labels[1:], cut.printed, strict=True)
    ]
    names = ("model", "class", "from score", "cost per case")
    return table(dict(zip(names, zip(*rows, strict=True), strict=True)) if rows else {})


def _shift_table(shifts: Mapping[str, Any]) -> dict[str, Any]:
    columns: dict[str, list[Any]] = {"model": list(shifts)}
    names = {"overestimation": "over_now", "underestimation": "under_now"}
    names |= {"bias": "bias", "error variance": "error_variance"}
    for title, name in names.items():
        columns[title] = [getattr(shift, name) for shift in shifts.values()]
    return table(columns)


def _compared(
    question: Any,
    y_true: Any,
    models: dict[str, Any],
    options: dict[str, Any],
    settings: Settings,
    omitted: list[Omitted],
) -> tuple[dict[str, Any] | None, list[dict[str, Any]]]:
    """The differences where there are several models, and a section that draws them."""
    if len(models) < 2:
        return None, []
    answer = unless_invalid(
        lambda: question(y_true, models, level=settings.level, rng=settings.seed, **options),
        "comparison",
        "",
        omitted,
    )
    if answer is None:
        return None, []
    found = differences(answer)
    if all(row["low"] is None for row in found["rows"]):  # points alone say less than the table
        return found, []
    return found, [section("comparison", pictures=[compose(answer)])]
