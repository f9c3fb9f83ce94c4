"""The parts of the page for models of the time to an event."""

from collections.abc import Mapping
from contextlib import nullcontext, suppress
from functools import partial
from typing import Any

import numpy as np

import rocwise as rw
from rocwise.arrays import Floats
from rocwise.plotting import compose
from rocwise.reporting.payload import (
    Omitted,
    Settings,
    plain_comparison,
    section,
    table,
    unless_invalid,
)
from rocwise.results import Interval, results_by_name

MOST_TIMES = 9  # of the slider, where none were given
PER = 1000  # rows of the expected counts
CONTROLS = "Controls have no event of any cause by the time."
OF_TABLE = (
    "Controls of ROC curves have no event of any cause by the time; the table also counts rows with"
    " a competing event among the non-cases."
)
SEVERAL_TIMES = (
    "predicted risks are those by one time; a page of one time shows the calibration of scores from"
    " 0 to 1."
)


def survival_parts(
    f: Any, times: Any, settings: Settings, omitted: Omitted
) -> tuple[str, dict[str, tuple[float, Any]], dict[str, Any] | None, list[dict[str, Any]]]:
    """Quantity, value of each model at the main time, the comparison there, and the sections."""
    given: dict[str, Any] = {"level": settings.level}
    over = _over_time(f, times, settings)
    chosen = _chosen(next(iter(over.values())).times) if times is None else times
    horizons = np.sort(np.atleast_1d(np.asarray(chosen, np.float64)))
    areas = results_by_name(f, rw.survival.auc(f, horizons, **given))
    k = len(horizons) // 2
    values = {
        name: (each.value[k], Interval(each.low[k], each.high[k], settings.level, each.method))
        for name, each in areas.items()
    }
    index = partial(rw.survival.concordance, f, level=settings.level)
    indices = unless_invalid(index, "concordance", "", omitted)
    drawn = (
        [section("concordance", plots=[compose(results_by_name(f, indices))])] if indices else []
    )
    some = next(iter(areas.values()))
    compared, differences = _compared(f, horizons, k, settings, omitted)
    words = CONTROLS if f.n_competing else ""
    sections = [
        section("auc-over-time", text=words, plots=[compose(over)], tables=[_area_table(areas)]),
        *differences,
        _at_times(f, horizons, settings, omitted),
        *drawn,
        section("follow-up", tables=[_follow_up_table(some)]),
    ]
    return f"AUC (t = {horizons[k]:g})", values, compared, sections


def _over_time(f: Any, times: Any, settings: Settings) -> dict[str, Any]:
    """The AUC at event times with a band; in small samples at those of the page."""
    compute = partial(rw.survival.auc, f, band=True, rng=settings.seed, level=settings.level)
    with nullcontext() if times is None else suppress(rw.InputError):
        return results_by_name(f, compute())
    return results_by_name(f, compute(times))


def _compared(
    f: Any, times: Floats, k: int, settings: Settings, omitted: Omitted
) -> tuple[dict[str, Any] | None, list[dict[str, Any]]]:
    """The differences at the main time, and a section with those of all times."""
    if len(f.names) < 2:
        return None, []
    given: dict[str, Any] = {"level": settings.level, "rng": settings.seed}

    def compare(at: Any) -> Any:
        return unless_invalid(
            lambda: rw.survival.compare(f, at, **given), "comparison", "", omitted
        )

    main, every = compare(times[k]), compare(times)
    if main is None or every is None:
        return None, []
    columns, several = main._columns(), main.pairwise is not None
    pairs = {"first": f.names[:1], "second": f.names[1:]}
    p = "p_adjusted" if several else "p_value"
    names = ("first", "second", "difference", "low", "high", p, "statistic")
    rows = list(zip(*((pairs | columns)[name] for name in names), strict=True))
    joint = {"statistic": main.joint_statistic, "df": main.joint_df, "p": main.joint_p_value}
    compared = plain_comparison(main, rows, joint if several else None, False)
    return compared, [section("comparison", plots=[compose(every)])]


def _chosen(times: Floats) -> Floats:
    """Some of the times at which the AUC is known, without the ends."""
    places = np.linspace(0, len(times) - 1, MOST_TIMES + 2).round().astype(int)
    return np.asarray(times[np.unique(places[1:-1])])


def _area_table(areas: Mapping[str, Any]) -> dict[str, Any]:
    fields = {"time": "times", "AUC": "value", "low": "low", "high": "high"}
    columns = {
        key: np.concatenate([getattr(each, field) for each in areas.values()])
        for key, field in fields.items()
    }
    names = np.repeat(list(areas), [len(each.times) for each in areas.values()])
    return table({"model": names, **columns})


def _at_times(f: Any, times: Floats, settings: Settings, omitted: Omitted) -> dict[str, Any]:
    """ROC curves and expected counts at each time, one of which is shown; at one, calibration."""
    plots = [compose(results_by_name(f, rw.survival.roc(f, t))) for t in times.tolist()]
    tables = [_counts(f, t, settings) for t in times.tolist()]
    if _are_risks(f) and len(times) > 1:
        omitted.append({"section": "calibration", "model": "", "why": SEVERAL_TIMES})
    elif _are_risks(f):
        compute = partial(_calibration, f, times, settings)
        if found := unless_invalid(compute, "calibration", "", omitted):
            plots.append(found[0])
            tables.append(found[1])
    words = OF_TABLE if f.n_competing else ""
    own = section("at-a-time", text=words, plots=plots, tables=tables)
    return own | {"steps": [f"{t:g}" for t in times]}


def _are_risks(f: Any) -> bool:
    """Whether all scores may be predicted risks."""
    scores = [np.asarray(f.scores(name)) for name in f.names]
    return all(each.dtype.kind == "f" and 0 <= each.min() <= each.max() <= 1 for each in scores)


def _calibration(f: Any, time: Floats, settings: Settings) -> tuple[Any, dict[str, Any]]:
    """The plot of calibration by a time, and a table with the Brier score and IPA."""
    calibrated = results_by_name(f, rw.survival.calibration(f, time, bins=8, level=settings.level))
    scores = results_by_name(f, rw.survival.brier(f, time)).values()
    columns = {
        "model": list(calibrated),
        "observed / expected": [each.ratio for each in calibrated.values()],
        "slope": [each.slope for each in calibrated.values()],
        "ICI": [each.ici for each in calibrated.values()],
        "Brier score": [each.value[0] for each in scores],
        "IPA": [each.ipa[0] for each in scores],
    }
    return compose(calibrated), table(columns)


def _counts(f: Any, t: float, settings: Settings) -> dict[str, Any]:
    """Rates at the threshold with the largest Youden index, and expected counts of 1,000 rows."""
    rates = {each.lower(): each for each in ("sensitivity", "specificity", "PPV", "NPV")}
    counts = ("TP", "FP", "FN", "TN")
    columns: dict[str, list[Any]] = {
        name: [] for name in ("model", "threshold", *rates.values(), *counts)
    }
    for name in f.names:
        tally = f.tally(t, name)
        threshold = rw.threshold(tally, rule="youden").threshold
        found = rw.survival.at(
            f, t, threshold=threshold, controls=_controls(f), level=settings.level
        )
        point = results_by_name(f, found)[name].columns
        incidence, alarms = f.incidence(t), float(point["alarms"][0])
        hits = incidence * float(point["sensitivity"][0])
        expected = [hits, alarms - hits, incidence - hits, 1 - incidence - alarms + hits]
        columns["model"].append(name)
        columns["threshold"].append(threshold)
        for rate, title in rates.items():
            value, low, high = (point[f"{rate}{end}"][0] for end in ("", "_low", "_high"))
            limits = "" if low is np.ma.masked else f" ({low:.2f} to {high:.2f})"
            columns[title].append(None if value is np.ma.masked else f"{value:.2f}{limits}")
        for count, value in zip(counts, expected, strict=True):
            columns[count].append(round(PER * value))
    return table(columns, f"t = {t:g}; TP, FP, FN, TN per {PER:,}")


def _controls(f: Any) -> Any:
    return "all" if f.n_competing else "survivors"


def _follow_up_table(area: Any) -> dict[str, Any]:
    return table(
        {
            "time": area.times,
            "at risk": area.n_controls,
            "cases": area.n_cases,
            "censored": area.n_censored,
            "incidence": area.incidence,
            "survival": area.survival,
            "followed": area.followed,
        }
    )
