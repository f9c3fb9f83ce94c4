"""ROC curves at horizons, and sensitivity, specificity and predictive values at a threshold."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Unpack, get_args

import numpy as np

from rocwise import checks, printing
from rocwise.arrays import Array, Flags, Floats, Places, masked_nan
from rocwise.binary.operating_points import PointSpec, RateColumns, point_spec
from rocwise.binary.roc import RocCurve
from rocwise.data.follow_ups import Controls, FollowUp, Horizon
from rocwise.data.tally import in_user_units
from rocwise.inference.intervals import LIMIT_NAMES
from rocwise.inputs.follow_ups import FollowUpOptions, as_follow_up, scored
from rocwise.inputs.options import options_shown
from rocwise.progress import Report
from rocwise.results import ModelResults, Resampled, SeveralResults, result
from rocwise.survival.areas import warn_of_horizons
from rocwise.survival.influence import (
    ROUNDING,
    CensoredResult,
    by_score,
    checked_times,
    effective_rows,
    resampled_limits,
    standard_error,
    unit_interval,
)

MEASURES = ("sensitivity", "specificity", "ppv", "npv", "alarms")


@result
class SurvivalCurve(CensoredResult, RocCurve):
    """ROC curve at a horizon; `n_pos` and `n_neg` are the masses of cases and controls.

    Attributes
    ----------
    time : float
        The horizon.
    controls : str
        "survivors" or "all".
    """

    time: float
    controls: str = "survivors"

    def _sentence(self) -> str:
        points = printing.counted(len(self.fpr), "point")
        return f"ROC curve by t = {self.time:g} with {points}, AUC {self.auc:.3f}"


@options_shown(FollowUpOptions)
def roc(
    data: Any = None,
    *columns: Any,
    times: Any = None,
    controls: Controls = "survivors",
    **given: Unpack[FollowUpOptions],
) -> Any:
    """Compute cumulative/dynamic ROC curves of censored outcomes at horizons.

    Parameters
    ----------
    times : float or array-like
        One horizon, or several.
    controls : {"survivors", "all"}, default "survivors"
        With competing events: rows without any event by the horizon, or also those with a
        competing event.

    Returns
    -------
    SurvivalCurve, SeveralResults or ModelResults
        Curve with `fpr`, `tpr`, `thresholds` and `auc`; one for each horizon if `times` is a
        sequence, and for each score if there are several.

    See Also
    --------
    rocwise.survival.auc : AUC at horizons, with intervals.
    rocwise.survival.at : Rates at a threshold, with intervals.
    rocwise.roc : ROC curve of two classes without censoring.

    References
    ----------
    P. Blanche, J.-F. Dartigues and H. Jacqmin-Gadda, "Review and comparison of ROC curve estimators
    for a time-dependent outcome with marker-dependent censoring", Biom. J. 55, 2013.
    doi:10.1002/bimj.201200045

    Examples
    --------
    >>> import rocwise as rw
    >>> f = rw.survival.follow_up([1, 2, 3, 4, 5], [1, 0, 1, 1, 0], [0.9, 0.4, 0.8, 0.3, 0.35])
    >>> curve = rw.survival.roc(f, 3.5)
    >>> curve.tpr.round(3), curve.auc
    (array([0.   , 0.429, 1.   , 1.   , 1.   , 1.   ]), 1.0)
    >>> round(rw.survival.roc(f, [3.5, 4.5])[4.5].auc, 3)
    0.636
    """
    f, times = as_follow_up("roc", data, columns, given, times=times)
    checks.one_of(controls, "controls", get_args(Controls))
    horizons = checked_times(times, "roc")

    def of_score(name: str) -> Any:
        curves = {t: _curve(f, name, t, controls) for t in horizons.tolist()}
        single = np.ndim(times) == 0
        return curves[horizons[0]] if single else SeveralResults(column="time", results=curves)

    return by_score(f, of_score)


def _curve(f: FollowUp, name: str, t: float, controls: Controls) -> SurvivalCurve:
    """The curve at a horizon, with a point for every distinct score (F8.4)."""
    h = f.horizon(t)
    h.check(controls)
    cases, others = map(_upto, h.at_scores(name, controls))
    tally = f.tally(t, name, controls=controls)
    thresholds = _thresholds(f, name)
    return SurvivalCurve(
        fpr=others / others[-1],
        tpr=cases / cases[-1],
        thresholds=thresholds,
        observed_scores=thresholds[1:],
        auc=tally.weighted_area,
        n_pos=float(cases[-1]),
        n_neg=float(others[-1]),
        time=t,
        controls=controls,
        data=tally,
        origin=replace(f.origin, name=name),
    )


def _upto(masses: Floats) -> Floats:
    """Sums of values of distinct scores, ascending, at or above each score, from none on."""
    return np.append(0.0, np.cumsum(masses[::-1]))


@result
class SurvivalPoints(RateColumns, CensoredResult, Resampled):
    """Rates at thresholds and horizons, one row for each; the columns are attributes too.

    Attributes
    ----------
    axis : str
        "threshold", "sensitivity" or "specificity": what was given.
    columns : dict of str to ndarray
        `times`, the given value, `threshold`; and `sensitivity`, `specificity`, `ppv`, `npv`,
        `alarms` (probability of a score at or above the threshold), each also with
        `_standard_error`, `_low` and `_high`; masked where a rate is undefined or given.
    controls : str
        "survivors" or "all".
    level : float
        Confidence level.
    method : str
        Method of the intervals.
    """

    axis: str
    columns: dict[str, Array]
    controls: str
    level: float
    method: str

    def __len__(self) -> int:
        return len(self.columns["times"])

    def _columns(self) -> Mapping[str, Any]:
        return self.columns

    def _columns_to_read(self) -> Mapping[str, Any]:
        return self._columns_with_limits()

    def _sentence(self) -> str:
        lines = []
        for k in range(len(self)):
            at = f"by t = {self.times[k]:g} at threshold {self.threshold[k]:.6g}"
            if self.axis != "threshold":
                at += f" ({self.axis} at least {self.columns['requested'][k]:g})"
            lines.append(f"{at}: {self._rate_words(k, 0)}")
        return "\n".join(lines) + f"; {self._method_line()}"

    def _method_line(self) -> str:
        return f"{printing.percent(self.level)} CI, {self.method}{self._draw_words()}"

    def _notes(self) -> str:
        return "; ".join([self._method_line(), *self.origin.remarks(self._larger)])


@scored(FollowUpOptions, SurvivalPoints)
def at(
    data: Any = None,
    *columns: Any,
    times: Any = None,
    threshold: Any = None,
    sensitivity: Any = None,
    specificity: Any = None,
    controls: Controls = "survivors",
    level: float = 0.95,
    n_resamples: int = 2000,
    rng: Any = None,
    progress: bool | Report | None = None,
    **given: Unpack[FollowUpOptions],
) -> SurvivalPoints | ModelResults[SurvivalPoints]:
    """Compute sensitivity, specificity and predictive values at horizons.

    Parameters
    ----------
    times : float or array-like
        One horizon, or several.
    threshold : float or array-like, optional
        Thresholds; rows with scores at or above are predicted to have the event.
    sensitivity, specificity : float or array-like, optional
        Instead of a threshold, the least sensitivity, or specificity, of the best threshold; its
        intervals are percentiles of resamples.
    controls : {"survivors", "all"}, default "survivors"
        With competing events: rows without any event by the horizon, or also those with a
        competing event.
    level : float, default 0.95
        Confidence level.
    n_resamples : int, default 2000
        Number of resamples, with `sensitivity` or `specificity`.
    rng : int, numpy.random.Generator or None, optional
        Seed or random generator; None draws a seed, which the result reports.
    progress : bool or callable, optional
        Whether to show the progress of resamples, or a function of the fraction done.

    Returns
    -------
    SurvivalPoints or ModelResults
        Table with one row for each horizon and value; one table for each score if there are
        several.

    See Also
    --------
    rocwise.survival.roc : ROC curves at horizons.
    rocwise.at : Measures of two classes without censoring.
    rocwise.threshold : Choose a threshold; takes ``follow_up(...).tally(time)``.

    Notes
    -----
    Predictive values are for the incidence by the horizon. With competing events and controls
    "survivors", PPV and the probabilities of a competing event and of no event among those above
    the threshold add up to 1.

    References
    ----------
    P. Blanche, J.-F. Dartigues and H. Jacqmin-Gadda, "Estimating and comparing time-dependent areas
    under receiver operating characteristic curves for censored event times with competing risks",
    Stat. Med. 32, 2013. doi:10.1002/sim.5958

    Examples
    --------
    >>> import numpy as np, rocwise as rw
    >>> rng = np.random.default_rng(1)
    >>> score = rng.random(300)
    >>> time, end = rng.exponential(0.5 / score), rng.exponential(1, 300)
    >>> f = rw.survival.follow_up(np.minimum(time, end), time <= end, score)
    >>> found = rw.survival.at(f, 0.5, threshold=0.5)
    >>> found.sensitivity.round(3), found.sensitivity_low.round(3)
    (array([0.714]), array([0.608]))
    """
    f, times = as_follow_up("at", data, columns, given, times=times)
    checks.one_of(controls, "controls", get_args(Controls))
    level = checks.level(level)
    n_resamples = checks.draws(n_resamples, rng, progress, at_least=2)
    spec = point_spec("at", (threshold, sensitivity, specificity), False)
    horizons = checked_times(times, "at")
    warn_of_horizons(f, horizons, controls)
    drawn: dict[str, Any] = {}
    if spec.axis != "threshold":
        drawn = {"seed": checks.seed(rng), "n_resamples": n_resamples}
    return by_score(
        f, lambda name: _table(f, name, horizons, spec, controls, level, drawn, progress)
    )


def _table(
    f: FollowUp,
    name: str,
    times: Floats,
    spec: PointSpec,
    controls: Controls,
    level: float,
    drawn: dict[str, Any],
    progress: bool | Report | None,
) -> SurvivalPoints:
    """The rates of one score at all horizons and values, with their limits."""

    def points(own: FollowUp) -> list[Floats]:
        found = [_points(own, name, own.horizon(t), spec, controls) for t in times.tolist()]
        return [np.concatenate(each) for each in zip(*found, strict=True)]

    values, places = points(f)
    rows, places = np.repeat(times, len(spec.values)), places.astype(np.intp)
    requested = np.tile(spec.values, len(times))
    known = [
        _limits(f, name, f.horizon(t), int(place), controls, level)
        for t, place in zip(rows.tolist(), places, strict=True)
    ]
    errors, low, high = (np.array([[each[k] for each in row] for row in known]) for k in range(3))
    methods = np.array([[each[3] for each in row] for row in known], object)
    if drawn:
        errors, low, high, wide = resampled_limits(
            f,
            times,
            controls,
            lambda own: points(own)[0],
            (errors, low, high),
            level,
            progress=progress,
            **drawn,
        )
        methods[wide] = LIMIT_NAMES["bootstrap"]
        given = MEASURES.index(spec.axis)
        errors[:, given], low[:, given], high[:, given] = np.nan, np.nan, np.nan
        methods[:, given] = LIMIT_NAMES["bootstrap"]
    columns: dict[str, Any] = {"times": rows, "threshold": requested}
    if drawn:
        columns = {"times": rows, "requested": requested, "threshold": _thresholds(f, name)[places]}
    for j, measure in enumerate(MEASURES):
        parts = (values, errors, low, high)
        for end, each in zip(("", "_standard_error", "_low", "_high"), parts, strict=True):
            columns[measure + end] = masked_nan(each[:, j])
    return SurvivalPoints(
        axis=spec.axis,
        columns=columns,
        controls=controls,
        level=level,
        method=", ".join(sorted({*methods.ravel()} - {""})),
        origin=replace(f.origin, name=name),
        **drawn,
    )


def _thresholds(f: FollowUp, name: str) -> Floats:
    """Threshold of each number of distinct scores at or above; infinite for none."""
    column = f.column(name)
    beyond = -np.inf if column.origin.direction == "lower" else np.inf
    scores = in_user_units(f.ranked(name)[0], column.origin.direction, column.meanings)
    return np.append(beyond, scores[::-1])


def _points(
    f: FollowUp, name: str, h: Horizon, spec: PointSpec, controls: Controls
) -> tuple[Floats, Places]:
    """Rates, nan where undefined, and distinct scores at or above, at points of a horizon."""
    all_rows: Any = np.bincount(f.rank(name), f.weighted(h.mass), f.n_scores(name))
    cases, others, every = sums = [*map(_upto, (*h.at_scores(name, controls), all_rows))]
    tpr, fpr = cases / cases[-1], others / others[-1]
    places = np.zeros(0, np.intp)
    if spec.axis == "threshold":
        scores = _thresholds(f, name)[:0:-1]
        wanted = spec.values
        if f.column(name).origin.direction == "lower":
            scores, wanted = -scores, -wanted
        places = f.n_scores(name) - np.searchsorted(scores, wanted, "left")
    places = spec.on(tpr[None], fpr[None], places, float(cases[-1])).place[0]
    c, v, e = (each[places] for each in sums)
    with np.errstate(divide="ignore", invalid="ignore"):
        rates = [tpr[places], 1 - fpr[places], c / e, (others[-1] - v) / (every[-1] - e), e]
    rates[2] = np.where(e > 0, rates[2], np.nan)
    rates[3] = np.where(every[-1] - e > 1e-12, rates[3], np.nan)
    return np.stack(rates, axis=1), places


def _limits(
    f: FollowUp, name: str, h: Horizon, place: int, controls: Controls, level: float
) -> list[tuple[float, float, float, str]]:
    """Standard error, limits and method of each rate at a threshold, by influence (F8.11)."""
    alarm = f.rank(name) >= f.n_scores(name) - place
    others = h.controls(controls)
    every = np.ones(len(f), np.bool_)
    parts: list[tuple[Flags, Flags]] = [
        (h.case & alarm, h.case),
        (others & ~alarm, others),
        (h.case & alarm, alarm),
        (others & ~alarm, ~alarm),
        (alarm, every),
    ]
    return [_ratio(f, h, *each, level) for each in parts]


def _ratio(
    f: FollowUp, h: Horizon, among: Flags, of: Flags, level: float
) -> tuple[float, float, float, str]:
    """Standard error and interval of a ratio of masses; nan where nothing is divided by."""
    masses = np.where(of, f.a * h.mass, 0.0)
    D = float(masses.sum())
    if D <= 0.0:
        return np.nan, np.nan, np.nan, ""
    value = min(max(float(masses[among].sum()) / D, 0.0), 1.0)
    error = standard_error(f, h.influence(np.where(of, h.mass * (among - value) / D, 0.0)))
    size = max(effective_rows(f, masses), 1 + ROUNDING)
    if value < 1e-12 or value > 1 - 1e-12:
        value, error = round(value), 0.0
    found = unit_interval(value, error, (size, size), level)
    return error, found.low, found.high, found.method
