"""The parts of the page for models of the time to an event."""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

import rocwise as rw
from rocwise.arrays import Floats
from rocwise.plotting import compose
from rocwise.reporting.payload import Omitted, Settings, by_model, section, table, unless_invalid
from rocwise.results import Interval, ModelAnswers

MOST_TIMES = 9  # of the slider, where none were given
PER = 1000  # rows of the expected counts


def survival_parts(
    f: Any, times: Any, settings: Settings, omitted: Omitted
) -> tuple[str, dict[str, tuple[float, Any]], list[dict[str, Any]]]:
    """Quantity, value and interval of each model at the main time, and the sections."""
    given: dict[str, Any] = {"level": settings.level}
    over = _by_name(f, rw.survival.auc(f, band=True, rng=settings.seed, **given))
    chosen = _chosen(next(iter(over.values())).times) if times is None else times
    horizons = np.sort(np.atleast_1d(np.asarray(chosen, np.float64)))
    areas = _by_name(f, rw.survival.auc(f, horizons, **given))
    k = len(horizons) // 2
    values = {
        name: (each.value[k], Interval(each.low[k], each.high[k], settings.level, each.method))
        for name, each in areas.items()
    }
    indices = by_model(_index_of(f, settings), "concordance", {n: n for n in areas}, omitted)
    drawn = [section("concordance", pictures=[compose(indices)])] if indices else []
    some = next(iter(areas.values()))
    return (
        f"AUC (t = {horizons[k]:g})",
        values,
        [
            section("auc-over-time", pictures=[compose(over)], tables=[_area_table(areas)]),
            _at_times(f, horizons, omitted),
            *drawn,
            section("follow-up", tables=[_follow_up_table(some)]),
        ],
    )


def _by_name(f: Any, found: Any) -> dict[str, Any]:
    return dict(found.answers) if isinstance(found, ModelAnswers) else {f.names[0]: found}


def _chosen(times: Floats) -> Floats:
    """Some of the times at which the AUC is known, without the ends."""
    places = np.linspace(0, len(times) - 1, MOST_TIMES + 2).round().astype(int)
    return np.asarray(times[np.unique(places[1:-1])])


def _index_of(f: Any, settings: Settings) -> Callable[[str], Any]:
    found: dict[str, Any] = {}

    def index(name: str) -> Any:
        if not found:
            found.update(_by_name(f, rw.survival.concordance(f, level=settings.level)))
        return found[name]

    return index


def _area_table(areas: Mapping[str, Any]) -> dict[str, Any]:
    columns: dict[str, list[Any]] = {"model": [], "time": [], "AUC": [], "low": [], "high": []}
    for name, each in areas.items():
        columns["model"] += [name] * len(each.times)
        for key, values in zip(
            ("time", "AUC", "low", "high"),
            (each.times, each.value, each.low, each.high),
            strict=True,
        ):
            columns[key] += values.tolist()
    return table(columns)


def _at_times(f: Any, times: Floats, omitted: Omitted) -> dict[str, Any]:
    """ROC curves, calibration and expected counts at each time, one of which is shown."""
    risks = _are_risks(f)
    pictures, tables = [], []
    for t in times.tolist():
        tallies = {name: f.tally(t, name) for name in f.names}
        pictures.append(compose({name: rw.roc(tally) for name, tally in tallies.items()}))
        if risks:
            pictures.append(_calibration(f, t, omitted))
        tables.append(_counts(tallies, t))
    own = section("at-a-time", pictures=[each for each in pictures if each], tables=tables)
    complete = len(own["pictures"]) == len(pictures)
    if not complete:  # the same pictures at each time
        own = section("at-a-time", pictures=pictures[::2], tables=tables)
    return own | {"steps": [f"{t:g}" for t in times]}


def _are_risks(f: Any) -> bool:
    """Whether all scores may be predicted risks."""
    scores = [np.asarray(f.scores(name)) for name in f.names]
    return all(each.dtype.kind == "f" and 0 <= each.min() <= each.max() <= 1 for each in scores)


def _calibration(f: Any, t: float, omitted: Omitted) -> Any:
    compute = lambda: rw.survival.calibration(f, t, bins=8)  # noqa: E731
    found = unless_invalid(compute, "calibration", "", omitted)
    return None if found is None else compose(_by_name(f, found))


def _counts(tallies: Mapping[str, rw.Tally], t: float) -> dict[str, Any]:
    """Rates at the threshold with the largest Youden index, and expected counts of 1,000 rows."""
    names = ("model", "threshold", "sensitivity", "specificity", "PPV", "NPV")
    counts = ("TP", "FP", "FN", "TN")
    columns: dict[str, list[Any]] = {name: [] for name in (*names, *counts)}
    for name, tally in tallies.items():
        found = rw.threshold(tally, rule="youden")
        point = rw.at(tally, threshold=found.threshold).columns
        rates = [point[key][0] for key in ("sensitivity", "specificity", "ppv", "npv")]
        share = tally.n_pos / (tally.n_pos + tally.n_neg)
        tpr, fpr = float(rates[0]), 1 - float(rates[1])
        own = [share * tpr, (1 - share) * fpr, share * (1 - tpr), (1 - share) * (1 - fpr)]
        rounded = [round(PER * each) for each in own]
        for key, value in zip(columns, [name, found.threshold, *rates, *rounded], strict=True):
            columns[key].append(value)
    return table(columns, f"t = {t:g}; TP, FP, FN, TN per {PER:,}")


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
