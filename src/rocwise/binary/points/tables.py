"""`at`: every measure at given points, with intervals, as one table."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Any, Literal, Unpack, cast

import numpy as np

from rocwise import checks, printing
from rocwise.arrays import Array, Floats, Places
from rocwise.binary.points.joined_scores import with_joined_scores
from rocwise.binary.points.measures import Limits, Measured, OwnMetric, fixed_limits
from rocwise.binary.points.places import (
    BETWEEN,
    Asked,
    Axis,
    Points,
    asked_points,
    found_points,
    in_shares,
)
from rocwise.binary.points.resampled import PointMeasures, percentiles, rate_limits
from rocwise.binary.resampling.draws import resampling_words
from rocwise.binary.resampling.replicates import replicates
from rocwise.binary.roc import text_among
from rocwise.binary.threshold_rules import Cells, beyond, cells_of
from rocwise.costs import Costs, checked_costs
from rocwise.data.tally import Tally
from rocwise.errors import InputError
from rocwise.inference.effective_sizes import WILSON
from rocwise.inference.proportions import METHODS as OF_PROPORTIONS
from rocwise.inference.proportions import ProportionMethod
from rocwise.inputs.coercion import TallyOptions, as_tally, by_group
from rocwise.results import ASIDE, Interval, Result, result
from rocwise.tables import with_thresholds_as_text

PointMethod = Literal["auto", ProportionMethod, "bootstrap"]
METHODS = ("auto", *OF_PROPORTIONS, "bootstrap")
FREE_RATE = {"specificity": "sensitivity", "fpr": "sensitivity", "sensitivity": "specificity"}


@result
class PointsTable(Result):
    """Counts, and every measure with its limits, at each point asked for.

    The columns are attributes too: `table.ppv`, `table.ppv_low`. `threshold` and counts are those
    of the curve's own points; between two of them (`interpolate`) the threshold is masked and
    counts are fractions. Measures are masked where they are undefined. `methods` says how each
    measure's limits were made, `method` how those of a share.
    """

    axis: str
    asked: Floats
    columns: dict[str, Array]
    level: float
    method: str
    methods: dict[str, str]
    prevalence: float
    n_pos: float
    n_neg: float
    data: Tally = field(metadata=ASIDE)

    def __getattr__(self, name: str) -> Any:
        columns = self.__dict__.get("columns", {})
        if name in columns:
            return columns[name]
        raise AttributeError(f"the table has no column {name!r}; it has {', '.join(columns)}.")

    def __len__(self) -> int:
        return len(self.asked)

    def interval(self, measure: str, row: int = 0) -> Interval:
        """The interval of one measure in one row."""
        checks.one_of(measure, "measure", tuple(self.methods))
        row = checks.whole(row, "row", at_least=0, at_most=len(self) - 1)
        low, high = (self.columns[f"{measure}_{end}"][row] for end in ("low", "high"))
        return Interval(low, high, self.level, self.methods[measure])

    def _sentence(self) -> str:
        return "\n".join(self._row_words(row) for row in range(len(self)))

    def _row_words(self, row: int) -> str:
        size = self.n_pos + self.n_neg
        shown = []
        for name in ("sensitivity", "specificity", "ppv", "npv"):
            value, low, high = (self.columns[f"{name}{end}"][row] for end in ("", "_low", "_high"))
            if value is np.ma.masked:
                continue
            words = name.upper() if len(name) == 3 else name
            ends = f"{printing.rate(low, size)} to {printing.rate(high, size)}"
            shown.append(f"{words} {printing.rate(value, size)} ({ends})")
        level = printing.percent(self.level)
        at = f"{self.axis} {self.asked_text(row)}"
        return f"at {at}: {', '.join(shown)}; {level} CI, {self.method}"

    def asked_text(self, row: int) -> str:
        """What was asked for in a row, as it is printed."""
        asked = float(self.asked[self._checked(row)])
        return text_among(self.data, asked) if self.axis == "threshold" else f"{asked:.6g}"

    def threshold_text(self, row: int) -> str:
        """The threshold of a row in the fewest digits that recount; "-" where two are mixed."""
        value = self.columns["threshold"][self._checked(row)]
        return "-" if value is np.ma.masked else text_among(self.data, float(value))

    def _checked(self, row: int) -> int:
        return checks.whole(row, "row", at_least=0, at_most=len(self.asked) - 1)

    def _columns(self) -> Mapping[str, Any]:
        return {"asked": self.asked, **self.columns}

    def _columns_to_read(self) -> Mapping[str, Any]:
        """One column for each measure: the value with its limits."""
        found: dict[str, Any] = {self.axis: self.asked}
        for name, column in self.columns.items():
            if name.endswith(("_low", "_high")) or name == self.axis:
                continue
            ends = [self.columns.get(f"{name}{end}") for end in ("_low", "_high")]
            found[name] = column if ends[0] is None else _with_limits(column, *ends)
        return with_thresholds_as_text(found, self)


def _with_limits(values: Any, low: Any, high: Any) -> list[str]:
    rows = zip(values.tolist(), low.tolist(), high.tolist(), strict=True)
    return ["" if v is None else f"{v:.3f} ({a:.3f} to {b:.3f})" for v, a, b in rows]


@by_group
def at(
    data: Any = None,
    y_score: Any = None,
    *,
    threshold: Any = None,
    sensitivity: Any = None,
    specificity: Any = None,
    fpr: Any = None,
    alarms: Any = None,
    prevalence: float | None = None,
    costs: Costs | None = None,
    metrics: Mapping[str, OwnMetric] | None = None,
    interpolate: bool = False,
    method: PointMethod = "auto",
    level: float = 0.95,
    n_resamples: int = 2000,
    rng: Any = None,
    **given: Unpack[TallyOptions],
) -> PointsTable:
    """Every measure, with its interval, at thresholds or at points of the curve.

    Parameters
    ----------
    data, y_score
        A tally; or labels and scores; or a frame or path with `label=` and `score=`.
    threshold, sensitivity, specificity, fpr, alarms : float or sequence, exactly one of them
        Where: at these thresholds; or where the best threshold reaches at least this sensitivity
        or specificity, or has at most this FPR, or alarms (a share below 1, else a number).
    prevalence : float, optional
        Share of positives that PPV, NPV, accuracy, F1 and cost are for.
    costs : Costs, optional
        Adds `expected_cost` per case.
    metrics : dict of name to function, optional
        Further measures of arrays (tp, fp, fn, tn); their intervals are by the bootstrap.
    interpolate : bool, default False
        Exactly the rate asked for, by mixing two thresholds of the curve.
    method : str, default "auto"
        A method of `proportion_interval` takes thresholds as fixed beforehand, "bootstrap" finds
        the points anew in every resample. "auto": "wilson" for `threshold`, else "bootstrap", but
        Wilson's limits with an effective size for the rate that is left free at a given other one.
    level, n_resamples, rng
        Confidence level; number and seed of the resamples.
    **given
        More about rows, a frame or a file (`label`, `score`, `by`, ...): see `tally`.

    Returns
    -------
    PointsTable

    Examples
    --------
    >>> import rocwise as rw
    >>> y, s = [0, 0, 0, 0, 1, 0, 1, 1], [1, 2, 3, 4, 5, 6, 7, 8]
    >>> table = rw.at(y, s, threshold=[4, 6])
    >>> table.sensitivity.round(3).tolist(), table.ppv.round(3).tolist()
    ([1.0, 0.667], [0.6, 0.667])
    """
    tally = as_tally("at", data, y_score, given)
    axes: dict[Axis, Any] = {
        "threshold": threshold,
        "sensitivity": sensitivity,
        "specificity": specificity,
        "fpr": fpr,
        "alarms": alarms,
    }
    asked = asked_points(axes, interpolate, "at")
    share = None if prevalence is None else checks.share(prevalence)
    measured = Measured(None if costs is None else checked_costs(costs), checked_metrics(metrics))
    checks.one_of(method, "method", METHODS)
    drawn, cells = asked.axis != "threshold", len(asked.values) * len(measured.names)
    level = checks.level(level)
    n_resamples = checks.draws(n_resamples, rng, at_least=1 + drawn, cells=cells)
    free = FREE_RATE.get(asked.axis) if method == "auto" else None
    if method == "auto":
        by_count = asked.axis == "threshold" and not tally.clustered
        method = "wilson" if by_count else "bootstrap"
    if tally.clustered and method != "bootstrap":
        raise InputError(
            f"method={method!r} takes rows for independent; with clusters use 'bootstrap'."
        )
    plan = PointMeasures(in_shares(asked, tally.n_pos + tally.n_neg), measured, share)
    return _table(tally, asked, plan, cast(str, method), level, n_resamples, rng, free)


def checked_metrics(metrics: Any) -> Mapping[str, OwnMetric]:
    """Names and functions of the user's own measures."""
    if metrics is None:
        return {}
    if not isinstance(metrics, Mapping) or not all(map(callable, metrics.values())):
        raise InputError(
            "`metrics` must be a dict of name to function of (tp, fp, fn, tn), for example "
            "{'critical success': lambda tp, fp, fn, tn: tp / (tp + fp + fn)}."
        )
    return metrics


def _table(
    data: Tally,
    asked: Asked,
    plan: PointMeasures,
    method: str,
    level: float,
    n_resamples: int,
    rng: Any,
    free: str | None,
) -> PointsTable:
    share = data.n_pos / (data.n_pos + data.n_neg) if plan.prevalence is None else plan.prevalence
    points = found_points(data, plan.asked, share)
    counts = _counts(data, points)
    cells = cells_of(counts["tp"], counts["fp"], data.n_pos, data.n_neg, plan.prevalence)
    names, values = plan.measured.names, plan.measured.values(cells)
    of_free = None if free is None else values[names.index(free)]
    limits = _limits(data, plan, cells, method, level, n_resamples, rng, of_free)
    columns: dict[str, Array] = {"threshold": _thresholds(data, asked, points.place), **counts}
    columns |= _with_ends(names, values, limits)
    drawn = resampling_words(data, "bootstrap percentile")
    words = drawn if method == "bootstrap" else method
    return PointsTable(
        axis=asked.axis,
        asked=asked.values,
        columns=columns,
        level=level,
        method=words if free is None else f"{words}, {free} by {WILSON}",
        methods=_methods(plan, method, words, counted=plan.prevalence is None and not data.weighted)
        | ({} if free is None else {free: WILSON}),
        prevalence=float(share),
        n_pos=data.n_pos,
        n_neg=data.n_neg,
        data=data,
        origin=data.origin,
    )


def _with_ends(
    names: tuple[str, ...], values: Floats, limits: Mapping[str, Limits]
) -> dict[str, Array]:
    """Columns of every measure and both its limits, which hold the value itself."""
    low, high = (np.array([limits[name][end] for name in names]) for end in (0, 1))
    with np.errstate(invalid="ignore"):
        low, high = np.fmin(low, values), np.fmax(high, values)
    for table in (values, low, high):
        table.setflags(write=False)  # and with it all columns
    found: dict[str, Array] = {}
    undefined = np.isnan(values)
    some = bool(undefined.any())
    for row, name in enumerate(names):
        for ending, table in (("", values), ("_low", low), ("_high", high)):
            column = table[row]
            found[f"{name}{ending}"] = _masked(column, undefined[row]) if some else column
    return found


def _methods(plan: PointMeasures, method: str, words: str, *, counted: bool) -> dict[str, str]:
    """How the limits of every measure were made."""
    names = dict.fromkeys(plan.measured.names, words)
    if method == "bootstrap":
        return names
    names |= dict.fromkeys(plan.measured.own, "bootstrap percentile")
    names |= {"lr_positive": "log", "lr_negative": "log"}
    if "expected_cost" in names:
        names["expected_cost"] = f"{words}, both rates added"
    if not counted:
        names |= dict.fromkeys(("ppv", "npv"), "logit (Mercaldo)")
        names |= dict.fromkeys(("accuracy", "f1"), f"{words}, both rates added")
    return names


def _counts(data: Tally, points: Points) -> dict[str, Array]:
    """The four cells: those of the tally, or mixtures of two of its rows."""
    tp, fp = points.tpr * data.n_pos, points.fpr * data.n_neg
    own = points.place != BETWEEN
    if own.all() and not data.weighted:
        before = np.maximum(points.place, 0) - 1
        tp, fp = (np.where(before < 0, 0, sums[before]) for sums in (data.tp, data.fp))
    fn, tn = np.maximum(data.n_pos - tp, 0), np.maximum(data.n_neg - fp, 0)
    return {"tp": tp, "fp": fp, "fn": fn, "tn": tn}


def _thresholds(data: Tally, asked: Asked, places: Places) -> Array:
    if asked.axis == "threshold":
        return asked.values
    scores = np.concatenate([[beyond(data)], np.asarray(data.scores, np.float64)])
    return _masked(scores[np.maximum(places, 0)], places == BETWEEN)


def _masked(column: Array, undefined: Array) -> Array:
    if not undefined.any():
        return column
    masked: Array = np.ma.masked_array(np.where(undefined, 0.0, column), mask=undefined)
    return masked


def _limits(
    data: Tally,
    plan: PointMeasures,
    cells: Cells,
    method: str,
    level: float,
    n_resamples: int,
    rng: Any,
    free_values: Floats | None,
) -> dict[str, Limits]:
    """Limits of every measure: at fixed thresholds, by resamples, or what the latter leave open."""
    own, drawn = plan.measured.own, method == "bootstrap"
    counted = plan.prevalence is None and not data.weighted
    fixed = fixed_limits(
        cells,
        data.effective_sizes,
        plan.measured.costs,
        level,
        "wilson" if drawn else method,
        counted=counted,
    )
    if not drawn and not own:
        return fixed
    drawn_from = with_joined_scores(data, plan)
    draws = replicates(drawn_from, plan, n_resamples=n_resamples, seed=checks.seed(rng))
    found = dict(
        zip(plan.measured.names, zip(*percentiles(draws, level), strict=True), strict=True)
    )
    if not drawn:
        return fixed | {name: found[name] for name in own}
    if free_values is not None:
        free = FREE_RATE[plan.asked.axis]
        of_free = draws[:, plan.measured.names.index(free)]
        found[free] = rate_limits(data, plan.asked, free_values, of_free, level)
    given = {"fpr": "specificity"}.get(plan.asked.axis, plan.asked.axis)  # no estimate, but asked
    return {
        name: limits if name == given else _or_fixed(limits, fixed.get(name))
        for name, limits in found.items()
    }


def _or_fixed(limits: Limits, fixed: Limits | None) -> Limits:
    """Resamples that all agree show no spread; there the limits of a fixed threshold stand in."""
    if fixed is None:
        return limits
    with np.errstate(invalid="ignore"):
        alike = ~(limits[1] - limits[0] > 0) & ~(np.isinf(limits[1]) & np.isfinite(limits[0]))
    return np.where(alike, fixed[0], limits[0]), np.where(alike, fixed[1], limits[1])
