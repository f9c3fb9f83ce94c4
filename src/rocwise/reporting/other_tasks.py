"""The parts of the page for multiclass, ordinal, regression and survival models."""

from collections.abc import Mapping
from functools import partial
from operator import attrgetter
from typing import Any

import rocwise as rw
from rocwise.plotting import compose
from rocwise.references import OF_TASKS, texts_of
from rocwise.reporting.data_forms import OtherData
from rocwise.reporting.methods import sources_of_methods
from rocwise.reporting.payload import (
    Omitted,
    Settings,
    by_model,
    differences,
    model_table,
    section,
    table,
    unless_invalid,
)
from rocwise.reporting.survival_task import survival_parts
from rocwise.results import json_safe


def summary(
    quantity: str,
    values: Mapping[str, tuple[float, Any]],
    comparison: dict[str, Any] | None,
    *,
    lower_is_better: bool = False,
    **facts: Any,
) -> dict[str, Any]:
    """The quantity with an interval for each model, and the differences."""
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
    make = {
        "multiclass": _multiclass,
        "ordinal": _ordinal,
        "regression": _regression,
        "survival": _survival,
    }[found.task]
    omitted: Omitted = []
    totals, sections = make(found, settings, omitted)
    lost = len(found.y_true) - totals["n"]
    methods = [model["method"] for model in totals["models"]]
    sources = sources_of_methods(methods, totals["comparison"])
    return {
        "summary": totals,
        "settings": {"level": settings.level, "seed": settings.seed},
        "state": {"theme": "auto"},
        "sections": sections,
        "notes": [{"code": "dropped", "n": lost}] if lost else [],
        "omitted": omitted,
        "methods": {"references": texts_of(["rocwise", *OF_TASKS[found.task], *sources])},
    }


def _multiclass(found: OtherData, settings: Settings, omitted: Omitted) -> Parts:
    areas = _each(found, rw.multiclass.auc, **settings.intervals)
    compared, plots = _compared(rw.multiclass.compare, found, settings, omitted)
    first = next(iter(areas.values()))
    curves = _each(found, rw.multiclass.roc, "one-vs-rest", omitted)
    facts: dict[str, Any] = {"n": sum(first.sizes), "classes": list(first.names)}
    tables = [table(area, name) for name, area in areas.items()]
    return summary(first.quantity, _with_intervals(areas), compared, **facts), [
        *plots,
        *_drawn("class-areas", areas, tables),
        *_drawn("one-vs-rest", curves),
    ]


def _ordinal(found: OtherData, settings: Settings, omitted: Omitted) -> Parts:
    areas = _each(found, rw.ordinal.auc, **settings.intervals)
    compared, plots = _compared(rw.ordinal.compare, found, settings, omitted)
    first = next(iter(areas.values()))
    surfaces = _each(found, rw.ordinal.surface, "roc-surface", omitted)
    cuts = _each(found, rw.ordinal.thresholds, "cut-points", omitted)
    classes = [str(each) for each in first.labels]
    facts: dict[str, Any] = {"n": sum(first.sizes), "classes": classes, "chance": first.chance}
    return summary(first.quantity, _with_intervals(areas), compared, **facts), [
        section("volumes", plots=[compose(areas)]),
        *plots,
        *_drawn("roc-surface", surfaces),
        *_drawn("cut-points", cuts, [_cut_table(cuts)]),
    ]


def _regression(found: OtherData, settings: Settings, omitted: Omitted) -> Parts:
    if settings.method != "auto":
        raise rw.InputError("`method` selects intervals of areas; task 'regression' has none.")
    curves = _each(found, rw.regression.rec)
    compared, plots = _compared(rw.regression.compare, found, settings, omitted)
    limits = by_model(
        lambda curve: curve.aoc_interval(level=settings.level), "AOC", curves, omitted
    )
    bands = by_model(
        lambda curve: rw.regression.band(curve, level=settings.level), "rec-band", curves, omitted
    )
    values = {name: (curve.aoc, limits.get(name)) for name, curve in curves.items()}
    shifts = _each(found, rw.regression.rroc)
    n = next(iter(curves.values())).n
    return summary("AOC", values, compared, lower_is_better=True, n=n), [
        section("rec", plots=[compose(curves)]),
        *([section("rec-band", plots=[compose(bands)])] if bands else []),
        *plots,
        section("rroc", plots=[compose(shifts)], tables=[model_table(shifts, SHIFT_COLUMNS)]),
    ]


def _survival(found: OtherData, settings: Settings, omitted: Omitted) -> Parts:
    f, times = found.y_true, found.options["times"]
    quantity, values, compared, sections = survival_parts(f, times, settings, omitted)
    return summary(quantity, values, compared, n=len(f)), sections


SHIFT_COLUMNS = {
    "overestimation": attrgetter("over_now"),
    "underestimation": attrgetter("under_now"),
    "bias": attrgetter("bias"),
    "error variance": attrgetter("error_variance"),
}


def _each(
    found: OtherData, compute: Any, part: str = "", omitted: Omitted | None = None, **more: Any
) -> dict[str, Any]:
    """The result for each model; with `omitted` only where it is defined."""
    of_model = partial(compute, found.y_true, **more, **found.options)
    if omitted is None:
        return {name: of_model(values) for name, values in found.models.items()}
    return by_model(of_model, part, found.models, omitted)


def _with_intervals(areas: Mapping[str, Any]) -> dict[str, tuple[float, Any]]:
    return {name: (area.value, area.interval) for name, area in areas.items()}


def _drawn(
    name: str, results: Mapping[str, Any], tables: list[dict[str, Any]] | None = None
) -> list[dict[str, Any]]:
    """A section with one plot for each model; none where there is nothing to draw."""
    plots = [compose(result, title=model) for model, result in results.items()]
    return [section(name, plots=plots, tables=tables)] if results else []


def _cut_table(cuts: Mapping[str, Any]) -> dict[str, Any]:
    """From which score on each class is called."""
    rows = [
        (model, str(label), printed, cut.cost)
        for model, cut in cuts.items()
        for label, printed in zip(cut.labels[1:], cut.printed, strict=True)
    ]
    names = ("model", "class", "from score", "cost per case")
    return table(dict(zip(names, zip(*rows, strict=True), strict=True)) if rows else {})


def _compared(
    compare: Any, found: OtherData, settings: Settings, omitted: Omitted
) -> tuple[dict[str, Any] | None, list[dict[str, Any]]]:
    """The differences where there are several models, and a section that draws them."""
    if len(found.models) < 2:
        return None, []
    options = {"level": settings.level, "rng": settings.seed, **found.options}
    compute = partial(compare, found.y_true, found.models, **options)
    comparison = unless_invalid(compute, "comparison", "", omitted)
    if comparison is None:
        return None, []
    plain = differences(comparison)
    if all(
        row["low"] is None for row in plain["rows"]
    ):  # points alone have less information than the table
        return plain, []
    return plain, [section("comparison", plots=[compose(comparison)])]
