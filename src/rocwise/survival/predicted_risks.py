"""Brier score, its comparison with the null model, and calibration of risks predicted by a time.

The rows have their Kaplan-Meier masses at the horizon, so that the scores are those of a weighted
table of two classes; influence values have the additional term of the masses (F8.9).
"""

import math
from dataclasses import replace
from typing import Any, ClassVar, NamedTuple, Unpack

import numpy as np

from rocwise import checks, kernels, printing
from rocwise.arrays import Array, Floats, Places
from rocwise.binary.calibration import (
    Recalibration,
    binned,
    local_fit,
    logits,
    recalibrating_fits,
    recalibration_of,
)
from rocwise.data.follow_ups import FollowUp, Horizon
from rocwise.errors import InputError, count_of
from rocwise.inference.intervals import normal_quantile
from rocwise.inference.proportions import wilson_limits
from rocwise.inputs.follow_ups import FollowUpOptions, as_follow_up, scored
from rocwise.inputs.options import options_shown
from rocwise.results import Interval, ModelResults, SeveralResults, result
from rocwise.survival.areas import Area, warn_of_horizons
from rocwise.survival.influence import (
    CensoredResult,
    by_score,
    checked_times,
    effective_rows,
    standard_error,
)

FEWEST_TO_SMOOTH = 5  # distinct risks of a smooth calibration curve


@result
class SurvivalBrier(CensoredResult):
    """Brier score of predicted risks at one or several horizons.

    Attributes
    ----------
    times : ndarray
        Horizons in the order given.
    value, standard_error, low, high : ndarray
        Mean squared difference of risk and event by each horizon, with a Wald interval.
    null : ndarray
        Brier score of the incidence, the same risk for all rows.
    ipa, ipa_standard_error, ipa_low, ipa_high : ndarray
        Index of prediction accuracy 1 - value / null.
    incidence : ndarray
        Probability of the event by each horizon.
    """

    frame_fields: ClassVar[tuple[str, ...]] = (
        *("times", "value", "standard_error", "low", "high", "null"),
        *("ipa", "ipa_standard_error", "ipa_low", "ipa_high", "incidence"),
    )
    times: Floats
    value: Floats
    standard_error: Floats
    low: Floats
    high: Floats
    null: Floats
    ipa: Floats
    ipa_standard_error: Floats
    ipa_low: Floats
    ipa_high: Floats
    incidence: Floats
    n: int
    level: float
    method: str = "Wald, influence functions"

    def _sentence(self) -> str:
        level = printing.percent(self.level)
        return "\n".join(
            f"Brier score {self.value[k]:.3f} by t = {t:g} ({level} CI {self.low[k]:.3f} to "
            f"{self.high[k]:.3f}), null model {self.null[k]:.3f}; IPA {self.ipa[k]:.3f} "
            f"({self.ipa_low[k]:.3f} to {self.ipa_high[k]:.3f}); {count_of(self.n, 'row')}"
            for k, t in enumerate(self.times)
        )


@scored(FollowUpOptions, SurvivalBrier)
def brier(
    data: Any = None,
    *columns: Any,
    times: Any = None,
    level: float = 0.95,
    **given: Unpack[FollowUpOptions],
) -> SurvivalBrier | ModelResults[SurvivalBrier]:
    """Compute the Brier score of predicted risks with censoring, and the IPA.

    Parameters
    ----------
    times : float or array-like
        Horizons.
    level : float, default 0.95
        Confidence level.

    Returns
    -------
    SurvivalBrier or ModelResults
        Result with `value`, `standard_error`, `null` and `ipa`; one for each score if there are
        several.

    See Also
    --------
    rocwise.survival.calibration : Calibration of risks by a horizon.
    rocwise.survival.auc : Time-dependent AUC.
    rocwise.brier : Brier score without censoring.

    Notes
    -----
    Rows are weighted by the inverse probability of not being censored [1]_, in the form of the
    Aalen-Johansen masses, so that the null model is the estimated incidence. The index of
    prediction accuracy is 1 minus the ratio to the null model [2]_. Rows with a competing event
    before the horizon are without the event.

    References
    ----------
    .. [1] E. Graf, C. Schmoor, W. Sauerbrei and M. Schumacher, "Assessment and comparison of
           prognostic classification schemes for survival data", Stat. Med. 18, 1999.
           doi:10.1002/(SICI)1097-0258(19990915/30)18:17/18<2529::AID-SIM274>3.0.CO;2-5
    .. [2] M. W. Kattan and T. A. Gerds, "The index of prediction accuracy: an intuitive measure
           useful for evaluating risk prediction models", Diagn. Progn. Res. 2, 2018.
           doi:10.1186/s41512-018-0029-2

    Examples
    --------
    >>> import numpy as np, rocwise as rw
    >>> rng = np.random.default_rng(1)
    >>> risk = rng.random(400)
    >>> time, end = rng.exponential(-1 / np.log1p(-risk)), rng.exponential(3, 400)
    >>> found = rw.survival.brier(np.minimum(time, end), time <= end, risk, times=1)
    >>> found.value.round(3), found.ipa.round(3)
    (array([0.184]), array([0.263]))
    """
    f, times = as_follow_up("brier", data, columns, given, times=times)
    level, horizons = checks.level(level), checked_times(times, "brier")
    found = by_score(f, lambda name: _brier_of(f, name, horizons, level))
    warn_of_horizons(f, horizons, "all")
    return found


def risks_of(f: FollowUp, name: str) -> Floats:
    """The scores as predicted risks, from 0 to 1; 1 minus those of direction="lower"."""
    column = f.column(name)
    if column.origin.categories:
        raise InputError(f"the score {name!r} has categories; predicted risks are numbers.")
    values = np.asarray(f.scores(name), np.float64)
    wrong = ~((values >= 0) & (values <= 1))
    if wrong.any():
        rows = f.order[wrong]
        k = int(rows.argmin())
        raise InputError(
            f"the score {name!r} is {values[wrong][k]:g} at row {rows[k]}; predicted risks are "
            "probabilities of the event by the horizon, from 0 to 1."
        )
    return values if f.origin.direction == "higher" else 1.0 - values


class BrierInfluence(NamedTuple):
    """Brier score, IPA and incidence by a horizon, with influence values (F8.12)."""

    brier: Area
    ipa: Area
    incidence: float


def brier_influence(f: FollowUp, name: str, t: float) -> BrierInfluence:
    """The Brier score of one score by a horizon, and the IPA, with their influence values."""
    horizon = f.horizon(t)
    horizon.check("all")
    risk = risks_of(f, name)
    value, U = _mean_influence(horizon, (horizon.case - risk) ** 2)
    F, F_U = _mean_influence(horizon, horizon.case.astype(np.float64))
    null = F * (1 - F)
    if null <= 0.0:
        raise InputError(f"all rows have the event by t = {t:g}, so that there is no null model.")
    of_ipa = value * (1 - 2 * F) / null**2 * F_U - U / null
    unknown = (0.0, 0.0)
    return BrierInfluence(Area(value, U, unknown), Area(1 - value / null, of_ipa, unknown), F)


def _mean_influence(horizon: Horizon, masses: Floats) -> tuple[float, Floats]:
    """The sum of a m times the values, whose weights sum to 1, and its influence values."""
    value = float(np.dot(horizon.data.a * horizon.mass, masses))
    return value, horizon.influence(horizon.mass * (masses - value))


def _brier_of(f: FollowUp, name: str, times: Floats, level: float) -> SurvivalBrier:
    found = [brier_influence(f, name, float(t)) for t in times]
    z, F = normal_quantile(level), np.array([each.incidence for each in found])
    value, ipa = np.array([[each.brier.value, each.ipa.value] for each in found]).T
    error, ipa_error = np.array(
        [[standard_error(f, own.U) for own in (each.brier, each.ipa)] for each in found]
    ).T
    null, sure = F * (1 - F), error == 0.0
    low, high = np.maximum(value - z * error, 0.0), np.minimum(value + z * error, 1.0)
    ipa_low, ipa_high = ipa - z * ipa_error, np.minimum(ipa + z * ipa_error, 1.0)
    if sure.any():  # all squared errors are equal: as a proportion of so many rows
        sizes = np.array([_known_rows(f.horizon(float(t))) for t in times])
        limits = wilson_limits(value, sizes, level)
        low, high = np.where(sure, limits, (low, high))
        ends = 1 - high / null, 1 - low / null
        ipa_low, ipa_high = np.where(sure, ends, (ipa_low, ipa_high))
    return SurvivalBrier(
        times=times,
        value=value,
        standard_error=error,
        low=low,
        high=high,
        null=null,
        ipa=ipa,
        ipa_standard_error=ipa_error,
        ipa_low=ipa_low,
        ipa_high=ipa_high,
        incidence=F,
        n=len(f),
        level=level,
        origin=replace(f.origin, name=name),
    )


@result
class SurvivalCalibration(CensoredResult):
    """Calibration of risks predicted by a horizon, with censoring.

    Attributes
    ----------
    predicted, observed, low, high, count : ndarray
        Of each group of predicted risk: mean risk, incidence by the horizon (Aalen-Johansen) with
        its interval, and number of rows (or sum of weights).
    ratio, ratio_interval
        Observed / expected: incidence over the mean predicted risk.
    slope, intercept, in_the_large
        Of the logistic recalibration, and its intercept at slope 1, with intervals; None with risks
        of 0 or 1, equal risks, and where the classes are separated.
    ici, e50, e90 : float or None
        Mean, median and 90% quantile of the distance of a smooth calibration curve from the risks;
        None with fewer than 5 distinct risks.
    time : float
        The horizon.
    incidence, mean_risk : float
        Probability of the event by the horizon, and mean predicted risk.
    """

    frame_fields: ClassVar[tuple[str, ...]] = ("predicted", "observed", "low", "high", "count")
    predicted: Floats
    observed: Floats
    low: Floats
    high: Floats
    count: Array
    time: float
    ratio: float
    ratio_interval: Interval
    slope: float | None
    slope_interval: Interval | None
    intercept: float | None
    intercept_interval: Interval | None
    in_the_large: float | None
    in_the_large_interval: Interval | None
    ici: float | None
    e50: float | None
    e90: float | None
    incidence: float
    mean_risk: float
    n: int
    level: float

    def _sentence(self) -> str:
        level = printing.percent(self.level)
        low, high = self.ratio_interval
        parts = [
            f"calibration by t = {self.time:g}: observed / expected {self.ratio:.3f} ({level} CI "
            f"{low:.3f} to {high:.3f})"
        ]
        if self.slope is None or self.slope_interval is None or self.in_the_large is None:
            parts.append("no slope: risks of 0 or 1, equal risks, or separated classes")
        else:
            low, high = self.slope_interval
            parts.append(f"slope {self.slope:.2f} ({low:.2f} to {high:.2f})")
        if self.ici is not None:
            parts.append(f"ICI {self.ici:.3f}")
        return f"{', '.join(parts)}; {count_of(self.n, 'row')}"


@options_shown(FollowUpOptions)
def calibration(
    data: Any = None,
    *columns: Any,
    times: Any = None,
    bins: int = 10,
    level: float = 0.95,
    **given: Unpack[FollowUpOptions],
) -> Any:
    """Assess the calibration of risks predicted by a horizon, with censoring.

    Parameters
    ----------
    times : float or array-like
        Horizons.
    bins : int, default 10
        Number of groups of about equal size, by predicted risk; equal risks stay together.
    level : float, default 0.95
        Confidence level.

    Returns
    -------
    SurvivalCalibration
        Result with `predicted`, `observed`, `low`, `high`, `count`, `ratio`, `slope`, `intercept`,
        `in_the_large`, `ici`; one for each time and each score if there are several.

    See Also
    --------
    rocwise.survival.brier : Brier score and index of prediction accuracy.
    rocwise.calibration : Calibration without censoring.

    Notes
    -----
    The observed risk of a group is its Aalen-Johansen estimate, with an interval on the log(-log)
    scale. Slope and intercept are those of a logistic regression of the event by the horizon, rows
    weighted for censoring; standard errors are by the infinitesimal jackknife with the estimated
    distribution of censoring. `ici`, `e50` and `e90` are from a local linear regression [1]_.

    References
    ----------
    .. [1] P. C. Austin, F. E. Harrell and D. van Klaveren, "Graphical calibration curves and the
           integrated calibration index (ICI) for survival models", Stat. Med. 39, 2020.
           doi:10.1002/sim.8570

    Examples
    --------
    >>> import numpy as np, rocwise as rw
    >>> rng = np.random.default_rng(1)
    >>> risk = rng.random(400)
    >>> time, end = rng.exponential(-1 / np.log1p(-risk)), rng.exponential(3, 400)
    >>> found = rw.survival.calibration(np.minimum(time, end), time <= end, risk, times=1)
    >>> round(found.ratio, 3), round(found.slope, 3), found.observed[[0, -1]].round(3)
    (0.968, 0.848, array([0.062, 0.902]))
    """
    f, times = as_follow_up("calibration", data, columns, given, times=times)
    level, horizons = checks.level(level), checked_times(times, "calibration")
    bins = checks.whole(bins, "bins", at_most=checks.LARGEST_GRID)

    def of_score(name: str) -> Any:
        found = {t: _calibration_of(f, name, t, bins, level) for t in horizons.tolist()}
        if len(found) == 1:
            return found[horizons[0]]
        return SeveralResults(column="time", results=found, origin=f.origin)

    results = by_score(f, of_score)
    warn_of_horizons(f, horizons, "all")
    return results


def _calibration_of(
    f: FollowUp, name: str, t: float, bins: int, level: float
) -> SurvivalCalibration:
    horizon, risk = f.horizon(t), risks_of(f, name)
    horizon.check("all")
    return SurvivalCalibration(
        **_groups(f, risk, t, bins, level),
        time=t,
        **_ratio(horizon, risk, level),
        **_recalibration(horizon, risk, level),
        **_distances(horizon, risk, level),
        n=len(f),
        level=level,
        origin=replace(f.origin, name=name),
    )


def _groups(f: FollowUp, risk: Floats, t: float, bins: int, level: float) -> dict[str, Any]:
    """Mean risk and incidence with its limits in groups of predicted risk."""
    values, place = kernels.distinct(risk)
    weight = np.bincount(place, f.a)[::-1]
    blocks = binned(values[::-1], weight, np.zeros(len(values)), bins, "quantile")
    ends = np.searchsorted(np.cumsum(weight[::-1]), np.cumsum(blocks.cases) * (1 - 1e-12))
    of_row = np.searchsorted(ends, place)
    found = [_incidence_of(f, np.flatnonzero(of_row == k), t, level) for k in range(len(ends))]
    observed, low, high = np.array(found).T
    count = blocks.cases if f.weights is not None else np.rint(blocks.cases).astype(np.int64)
    return {
        "predicted": blocks.predicted,
        "observed": observed,
        "low": low,
        "high": high,
        "count": count,
    }


def _incidence_of(f: FollowUp, rows: Places, t: float, level: float) -> tuple[float, float, float]:
    """Incidence by t among some rows, with limits on the log(-log) scale."""
    own = f.part(rows)
    horizon = own.horizon(t)
    known = float(np.dot(own.a, horizon.mass))
    if known < 1.0 - 1e-9:
        raise InputError(
            f"no row in a group of {count_of(len(rows), 'row')} was followed beyond t = {t:g} "
            f"(longest {own.time[-1]:g}), so that its incidence is unknown; use fewer `bins` or an "
            "earlier time."
        )
    F, U = _mean_influence(horizon, horizon.case.astype(np.float64))
    F = min(max(F, 0.0), 1.0)
    error = standard_error(own, U) if len(own) > 1 else 0.0
    if error == 0.0 or not 0.0 < F < 1.0:
        low, high = wilson_limits(np.array([F]), _known_rows(horizon), level)
        return F, float(low[0]), float(high[0])
    reach = normal_quantile(level) * error / ((1 - F) * -math.log1p(-F))
    low, high = (1 - (1 - F) ** math.exp(sign * reach) for sign in (-1, 1))
    return F, low, high


def _known_rows(horizon: Horizon) -> float:
    """Effective number of rows whose outcome by the horizon is known."""
    return effective_rows(horizon.data, horizon.data.weighted(horizon.mass))


def _ratio(horizon: Horizon, risk: Floats, level: float) -> dict[str, Any]:
    """Observed over expected, with an interval on the log scale."""
    f = horizon.data
    F, F_U = _mean_influence(horizon, horizon.case.astype(np.float64))
    mean = float(np.dot(f.a, risk)) / f.total
    if mean == 0.0:
        raise InputError("all predicted risks are 0.")
    U = F_U / mean - F / mean**2 * (risk - mean) / f.total
    reach = math.exp(normal_quantile(level) * standard_error(f, U) * mean / F)
    interval = Interval(F / mean / reach, F / mean * reach, level, "log, influence functions")
    return {"ratio": F / mean, "ratio_interval": interval, "incidence": F, "mean_risk": mean}


def _recalibration(horizon: Horizon, risk: Floats, level: float) -> dict[str, Any]:
    """Slope and intercept of the logistic recalibration, and its intercept at slope 1 (F8.13)."""
    known = horizon.mass > 0
    masses = (horizon.data.a * horizon.mass)[known]
    values, place = kernels.distinct(risk[known])
    pos, neg = (np.bincount(place, masses * own[known]) for own in (horizon.case, ~horizon.case))
    fits = recalibrating_fits(values, pos, neg)
    if fits is None:
        return dict.fromkeys(Recalibration._fields)
    x = np.zeros(len(risk))
    x[known] = logits(risk[known])
    fits = [(at, _fit_errors(horizon, x, at, len(errors))) for at, errors in fits]
    method = "Wald, influence functions"
    return recalibration_of(fits, normal_quantile(level), level, method)._asdict()


def _fit_errors(horizon: Horizon, x: Floats, at: list[float], free: int) -> Floats:
    """Standard errors of the free ones of intercept and slope of a logistic regression."""
    f = horizon.data
    Z = np.stack([np.ones(len(x)), x])[:free]
    chance = 1.0 / (1.0 + np.exp(-np.clip(at[0] + at[1] * x, -700, 700)))
    phi = horizon.mass * (horizon.case - chance) * Z
    J = (f.a * horizon.mass * chance * (1 - chance) * Z) @ Z.T
    U = np.linalg.solve(J, np.stack([horizon.influence(own) for own in phi]))
    return np.array([standard_error(f, own) for own in U])


def _distances(horizon: Horizon, risk: Floats, level: float) -> dict[str, Any]:
    """Mean, median and 90% quantile of |smooth calibration curve - risk|, weights a m."""
    f, known = horizon.data, horizon.mass > 0
    masses = (f.a * horizon.mass)[known]
    values, place = kernels.distinct(risk[known])
    if len(values) < FEWEST_TO_SMOOTH:
        return dict.fromkeys(("ici", "e50", "e90"))
    pos = np.bincount(place, masses * horizon.case[known])
    total = np.bincount(place, masses)
    curve = local_fit(values[::-1], pos[::-1], (total - pos)[::-1], level)
    gaps = np.abs(np.interp(values, curve.predicted, curve.observed) - values)
    order = np.argsort(gaps)
    upto = np.cumsum(total[order]) / total.sum()
    at = np.minimum(np.searchsorted(upto, [0.5, 0.9]), len(gaps) - 1)
    e50, e90 = gaps[order][at].tolist()
    return {"ici": float(np.dot(total, gaps) / total.sum()), "e50": e50, "e90": e90}
