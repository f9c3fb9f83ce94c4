"""Time-dependent AUC of censored outcomes: by horizons, at a time, and over a range of times."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, ClassVar, Literal, NamedTuple, Unpack, get_args

import numpy as np

from rocwise import checks, kernels, printing
from rocwise.arrays import Floats, Places
from rocwise.data.follow_ups import CENSORED, COMPETING, EVENT, Controls, FollowUp
from rocwise.errors import InputError, MisuseWarning, shown, warn, warn_below_half
from rocwise.inference.intervals import LIMIT_NAMES, logit_limits, normal_quantile
from rocwise.inputs.follow_ups import FollowUpOptions, as_follow_up, scored
from rocwise.progress import Report
from rocwise.results import Estimate, Interval, ModelResults, Resampled, result
from rocwise.survival.influence import (
    FEWEST,
    CensoredResult,
    by_score,
    checked_times,
    covariance_of,
    critical_value,
    effective_rows,
    reference_of,
    resampled_limits,
    standard_error,
    unit_interval,
)

Kind = Literal["cumulative", "incident"]
Method = Literal["logit", "wald", "bootstrap"]
DRAWS = {"bootstrap": 2_000, "band": 10_000}
MOST_TIMES = 100  # that are chosen
MOST_LINES = 20  # of a printed result
MOST_EXACT = 200  # event times whose AUCs the standard error of an integral is made of
SMALLEST_FOLLOWED = 0.1
HEAVIEST = 10.0  # times the mean weight of a case
ROUNDING = 1e-12


class Area(NamedTuple):
    """An AUC at one time, its influence values, and effective numbers of cases and controls."""

    value: float
    U: Floats
    sizes: tuple[float, float]
    counts: Mapping[str, float] = {}  # of an incident one: weights of cases and controls


@result
class IntegratedAuc(Estimate):
    """Mean of the cumulative/dynamic AUC over the event times of a range, weighted by incidence.

    Attributes
    ----------
    start, end : float
        The event times are after `start` and up to `end`.
    """

    frame_fields: ClassVar[tuple[str, ...]] = (
        *("value", "standard_error", "low", "high", "level", "method", "start", "end"),
    )
    start: float
    end: float
    quantity: ClassVar[str] = "integrated AUC"

    def _sentence(self) -> str:
        found = printing.estimate(self.value, self.interval)
        return f"integrated AUC {found} over times {self.start:g} to {self.end:g}"


@result
class SurvivalAuc(CensoredResult, Resampled):
    """AUC at one or several times, with intervals for each, and for all at once.

    Attributes
    ----------
    times : ndarray
        Horizons in the order given.
    value, standard_error, low, high : ndarray
        AUC by each horizon with its confidence interval.
    band_low, band_high : ndarray or None
        Simultaneous band over all horizons.
    critical : float or None
        Critical value of the band in standard errors.
    n_cases, n_controls, n_censored : ndarray
        Rows, or sums of weights, that are cases, controls and censored by each horizon.
    incidence, survival, followed : ndarray
        Probability of the event by each horizon (Aalen-Johansen), of no event of any cause, and of
        not being censored (Kaplan-Meier).
    integrated : IntegratedAuc or None
        AUC integrated over time.
    estimand : {"cumulative", "incident"}
        Which cases.
    controls, method : str
        Which controls, and the methods of the intervals.
    """

    frame_fields: ClassVar[tuple[str, ...]] = (
        *("times", "value", "standard_error", "low", "high"),
        *("n_cases", "n_controls", "n_censored", "incidence", "survival", "followed"),
    )
    times: Floats
    value: Floats
    standard_error: Floats | None = None
    low: Floats | None = None
    high: Floats | None = None
    band_low: Floats | None = None
    band_high: Floats | None = None
    critical: float | None = None
    n_cases: Floats
    n_controls: Floats
    n_censored: Floats
    incidence: Floats
    survival: Floats
    followed: Floats
    integrated: IntegratedAuc | None = None
    estimand: str = "cumulative"
    controls: str = "survivors"
    level: float = 0.95
    method: str = "logit"
    name: str = ""

    def __float__(self) -> float:
        if len(self.value) != 1:
            raise TypeError(f"an AUC at {len(self.value)} times is not one number.")
        return float(self.value[0])

    def _columns(self) -> Mapping[str, Any]:
        found = {k: v for k, v in super()._columns().items() if isinstance(v, np.ndarray)}
        if self.band_low is not None and self.band_high is not None:
            found |= {"band_low": self.band_low, "band_high": self.band_high}
        return found

    def _method_words(self) -> list[str]:
        words = super()._method_words() if "bootstrap" in self.method else []
        return [*words, f"{self.estimand}/dynamic"]

    def _sentence(self) -> str:
        when = "by" if self.estimand == "cumulative" else "at"
        against = "" if self.controls == "survivors" else " (competing events included)"
        lines = []
        for k, t in enumerate(self.times[:MOST_LINES]):
            n = self.n_cases[k] + self.n_controls[k]
            value, limits = printing.rate(self.value[k], n), ""
            if self.low is not None and self.high is not None:
                interval = Interval(self.low[k], self.high[k], self.level, self.method)
                limits = printing.estimate(self.value[k], interval, n).removeprefix(value)
            lines.append(
                f"AUC {value} {when} t = {t:g}{limits}; "
                f"{printing.counted(self.n_cases[k], 'case')}, "
                f"{printing.counted(self.n_controls[k], 'control')}{against}, "
                f"{printing.count(self.n_censored[k])} censored before"
            )
        if more := len(self.times) - len(lines):
            lines.append(f"... and {printing.counted(more, 'more time')}; to_frame() has all")
        if self.critical is None and self.n_resamples:
            lines[-1] += self._draw_words()
        return "\n".join([*lines, *self._over_all_times()])

    def _over_all_times(self) -> list[str]:
        found = [] if self.integrated is None else [self.integrated._sentence()]
        if self.critical is None:
            return found
        band = f"simultaneous band: {self.critical:.3f} standard errors{self._draw_words()}"
        return [band, *found]

    def _notes(self) -> str:
        drawn = self._draw_words() if self.critical is None else ""
        limits = f"{printing.percent(self.level)} CI: {self.method}{drawn}"
        return "\n".join([*([] if self.low is None else [limits]), *self._over_all_times()])


@scored(FollowUpOptions, SurvivalAuc)
def auc(
    data: Any = None,
    *columns: Any,
    times: Any = None,
    kind: Kind = "cumulative",
    controls: Controls = "survivors",
    window: float | None = None,
    method: Method | None = "logit",
    band: bool = False,
    integrate: Any = None,
    level: float = 0.95,
    n_resamples: int | None = None,
    rng: Any = None,
    progress: bool | Report | None = None,
    **given: Unpack[FollowUpOptions],
) -> SurvivalAuc | ModelResults[SurvivalAuc]:
    """Compute the time-dependent AUC of censored outcomes.

    Parameters
    ----------
    times : float or array-like, optional
        Horizons. By default the event times with at least 10 cases before and 10 rows followed
        beyond, or 100 quantiles of them.
    kind : {"cumulative", "incident"}, default "cumulative"
        Cases are rows with the event by the horizon, weighted for censoring [1]_ [2]_; or those
        with the event at it, in a window, against the rows then at risk [3]_.
    controls : {"survivors", "all"}, default "survivors"
        With competing events: rows without any event by the horizon, or also those with a
        competing event.
    window : float, optional
        Of kind "incident": events at most so far from the horizon are cases. By default the window
        has n**0.8 of n events.
    method : {"logit", "wald", "bootstrap"} or None, default "logit"
        Confidence intervals: normal on the logit scale, normal, or percentiles of resamples. None:
        values alone, by default at all event times, in O(n log n).
    band : bool, default False
        Whether to compute a simultaneous band over the horizons, on the logit scale.
    integrate : float or (float, float), optional
        Also integrate the AUC over the event times up to an end, or after a start and up to an end.
    level : float, default 0.95
        Confidence level.
    n_resamples : int, optional
        Number of resamples, by default 2,000, or of draws for the band, by default 10,000.
    rng : int, numpy.random.Generator or None, optional
        Seed or random generator; None draws a seed, which the result reports.
    progress : bool or callable, optional
        Whether to show the progress of resamples, or a function of the fraction done.

    Returns
    -------
    SurvivalAuc or ModelResults
        Result with `times`, `value`, `standard_error`, `low`, `high`; one for each score if there
        are several.

    See Also
    --------
    rocwise.survival.follow_up : Sort the rows once, for several functions.
    rocwise.survival.compare : Test of equal AUCs of several scores.
    rocwise.survival.roc : ROC curves at horizons.
    rocwise.auc : AUC of two classes without censoring.

    Notes
    -----
    Cases at t have X <= t, controls X > t; events come before censorings of the same time, and a
    case is weighted by 1 / G(X-). Standard errors are by the infinitesimal jackknife, with the
    estimated distribution of censoring. With fewer than 10 effective cases or controls, limits are
    those of Student's t. Without variance (AUC 0 or 1) the interval is a score interval, see
    `method` of the result.

    References
    ----------
    .. [1] H. Uno, T. Cai, L. Tian and L. J. Wei, "Evaluating prediction rules for t-year survivors
           with censored regression models", J. Am. Stat. Assoc. 102, 2007.
           doi:10.1198/016214507000000149
    .. [2] P. Blanche, J.-F. Dartigues and H. Jacqmin-Gadda, "Estimating and comparing
           time-dependent areas under receiver operating characteristic curves for censored event
           times with competing risks", Stat. Med. 32, 2013. doi:10.1002/sim.5958
    .. [3] P. Saha-Chaudhuri and P. J. Heagerty, "Non-parametric estimation of a time-dependent
           predictive accuracy curve", Biostatistics 14, 2013. doi:10.1093/biostatistics/kxs021

    Examples
    --------
    >>> import numpy as np, rocwise as rw
    >>> rng = np.random.default_rng(1)
    >>> score = rng.random(300)
    >>> time, end = rng.exponential(0.5 / score), rng.exponential(1, 300)
    >>> f = rw.survival.follow_up(np.minimum(time, end), time <= end, score)
    >>> found = rw.survival.auc(f, [0.25, 0.5])
    >>> found.value.round(3), found.low.round(3)
    (array([0.709, 0.725]), array([0.633, 0.649]))
    """
    f, times = as_follow_up("auc", data, columns, given, times=times)
    level = checks.level(level)
    checks.one_of(kind, "kind", get_args(Kind))
    checks.one_of(controls, "controls", get_args(Controls))
    if method is not None:
        checks.one_of(method, "method", get_args(Method))
    elif band or integrate is not None or kind == "incident":
        raise InputError("method=None goes with kind='cumulative', without a band or integral.")
    band = checks.flag(band, "band")
    if n_resamples is None:
        n_resamples = DRAWS["bootstrap" if method == "bootstrap" else "band"]
    n_resamples = checks.draws(n_resamples, rng, progress, at_least=2)
    over = None if integrate is None else integration_range(integrate)
    if kind == "incident":
        others = {"`integrate`": over is not None, "method='bootstrap'": method == "bootstrap"}
        check_incident(f, controls, **others)
        window = None if window is None else checks.not_negative(window, "window")
    elif window is not None:
        raise InputError("`window` goes with kind='incident'.")
    horizons = None if times is None else checked_times(times, "auc")
    if horizons is None and method is not None:
        horizons = chosen_times(f)
    drawn: dict[str, Any] = {}
    if band or method == "bootstrap":
        drawn = {"seed": checks.seed(rng), "n_resamples": n_resamples}
    how = _How(kind, controls, window, method or "none", band, level, over, drawn, progress)
    compute: Any = _alone if method is None or horizons is None else _measured

    def of_score(name: str) -> SurvivalAuc:
        own = {"name": name, "origin": replace(f.origin, name=name)}
        about: Any = {"estimand": kind, "controls": controls, "level": level, **own}
        return SurvivalAuc(**compute(f, name, horizons, how), **about)

    return by_score(f, of_score)


class _How(NamedTuple):
    """Options of an AUC, checked."""

    kind: str
    controls: Controls
    window: float | None
    method: str
    band: bool
    level: float
    over: tuple[float, float] | None
    drawn: dict[str, Any]
    progress: bool | Report | None


def integration_range(given: Any, argument: str = "integrate") -> tuple[float, float]:
    """The range of times of an integral, from one end or both."""
    ends = checks.numbers(given, argument, most=1)
    if ends.ndim == 0:
        return 0.0, checks.positive(given, argument)
    if len(ends) != 2:
        raise InputError(
            f"`{argument}` must be an end or a pair (start, end) of times; got {shown(given)}."
        )
    start, end = (float(each) for each in ends)
    checks.not_negative(start, argument)
    if start >= end:
        raise InputError(f"`{argument}` must have start < end; got ({start:g}, {end:g}).")
    return start, end


def check_incident(f: FollowUp, controls: str, **others: bool) -> None:
    """Raise for options that incident cases do not have; `others` are whether they were given."""
    wrong = {"controls='all'": controls != "survivors", "`censoring_by`": f.strata is not None}
    for name in (name for name, given in (wrong | others).items() if given):
        raise InputError(f"{name} goes with kind='cumulative'.")
    f.check_events()


def chosen_times(f: FollowUp) -> Floats:
    """Event times with enough cases before and controls after, or 100 quantiles of them."""
    f.check_events()
    rows = counts_at(f._with(weights=None), f.event_times, "survivors")
    enough = (rows["n_cases"] >= FEWEST) & (rows["n_controls"] >= FEWEST) & (f.event_times > 0)
    found = f.event_times[enough]
    if not len(found):
        raise InputError(
            f"no time has {FEWEST} events before and {FEWEST} rows followed beyond; pass `times`."
        )
    if len(found) > MOST_TIMES:
        found = np.unique(np.quantile(found, np.linspace(0, 1, MOST_TIMES), method="nearest"))
    return found


def _measured(f: FollowUp, name: str, times: Floats, how: _How) -> dict[str, Any]:
    """The AUCs of one score with their intervals."""
    found: list[Area] = []
    influences = np.empty((len(times), len(f))) if how.band else None
    errors = np.zeros(len(times))
    of_time = area_of_kind(f, name, how.kind, how.controls, how.window)
    for k, t in enumerate(times.tolist()):
        area = of_time(t)
        errors[k] = standard_error(f, area.U)
        if influences is not None:
            influences[k] = area.U
        found.append(area._replace(U=area.U[:0]))
    pairs = [
        unit_interval(a.value, e, a.sizes, how.level, how.method)
        for a, e in zip(found, errors.tolist(), strict=True)
    ]
    if f.n_scores(name) == 1:
        pairs = [Interval(0.5, 0.5, how.level, "all scores are equal")] * len(times)
    low, high = np.array([[each.low, each.high] for each in pairs]).T
    methods = np.array([each.method for each in pairs], object)
    if how.method == "bootstrap":
        errors, low, high, wide = resampled_limits(
            f,
            times,
            how.controls,
            lambda own: [
                _placements(*own.horizon(t).at_scores(name, how.controls))[0] for t in times
            ],
            (errors, low, high),
            how.level,
            progress=how.progress,
            **how.drawn,
        )
        methods[wide] = LIMIT_NAMES["bootstrap"]
    counts = counts_at(f, times, how.controls)
    counts |= {key: np.array([area.counts[key] for area in found]) for key in found[0].counts}
    warn_of_few(f, times, counts, weighted=how.kind == "cumulative")
    values = np.array([area.value for area in found])
    if (high < 0.5).any():
        direction = f.column(name).origin.direction
        worst = float(values[high.argmin()])
        warn_below_half(worst, direction, "an earlier event", "cases")
    return {
        "times": times,
        "value": values,
        **counts,
        **({} if influences is None else _band(f, influences, found, how)),
        "standard_error": errors,
        "low": low,
        "high": high,
        "integrated": None if how.over is None else _integrated(f, name, how),
        "method": "; ".join(dict.fromkeys(methods)),
        **how.drawn,
    }


def area_of_kind(
    f: FollowUp, name: str, kind: str, controls: Controls, window: float | None
) -> Callable[[float], Area]:
    """The function of a time that gives the AUC of a score."""
    if kind == "cumulative":
        return lambda t: cumulative_area(f, name, t, controls)
    later = _ranked_among_later(f, name)
    return lambda t: _incident_area(f, t, window, later)


def _band(f: FollowUp, influences: Floats, found: list[Area], how: _How) -> dict[str, Any]:
    """Simultaneous band on the logit scale; the pointwise interval where there is no variance."""
    covariances = covariance_of(f, influences)
    c = critical_value(covariances, how.level, how.drawn["n_resamples"], how.drawn["seed"])

    def limits(area: Area, error: float) -> tuple[float, float]:
        if error <= ROUNDING or not 0.0 < area.value < 1.0:
            known = unit_interval(area.value, 0.0, area.sizes, how.level)
            return known.low, known.high
        own = reference_of(min(area.sizes)).quantile(how.level) / normal_quantile(how.level)
        return logit_limits(area.value, c * own * error)

    errors = np.sqrt(np.maximum(np.diag(covariances), 0.0)).tolist()
    low, high = np.array([*map(limits, found, errors)]).T
    return {"band_low": low, "band_high": high, "critical": c}


def warn_of_horizons(f: FollowUp, times: Floats, controls: Controls) -> None:
    """Raise at horizons without cases or controls; warn if few rows carry the estimates."""
    for t in times.tolist():
        f.horizon(t).check(controls)
    warn_of_few(f, times, counts_at(f, times, controls))


def warn_of_few(
    f: FollowUp, times: Floats, counts: Mapping[str, Floats], *, weighted: bool = True
) -> None:
    """Warn of few cases or controls and, if `weighted`, of little follow-up or one heavy case."""
    per_row = len(f) / f.total
    for what in ("n_cases", "n_controls"):
        k = int(counts[what].argmin())
        if (few := float(counts[what][k]) * per_row) < FEWEST:
            warn(
                f"only {printing.counted(few, what[2:-1])} at t = {times[k]:g}; intervals and "
                f"tests need about {FEWEST}.",
                MisuseWarning,
            )
    if not weighted:
        return
    k = int(counts["followed"].argmin())
    if f.entry is None and (least := float(counts["followed"][k])) < SMALLEST_FOLLOWED:
        warn(
            f"the probability of not being censored by t = {times[k]:g} is {least:.3g}; few rows "
            "carry the weight of all.",
            MisuseWarning,
        )
    if f.entry is None and f.strata is None:
        return  # a mass is at most 1 / G of the mean
    own = [f.event_masses[: h.n_before][h.case[: h.n_before]] for h in map(f.horizon, times)]
    ratios = [float(each.max() / each.mean()) if len(each) else 0.0 for each in own]
    if max(ratios) > HEAVIEST:
        warn(
            f"one case at t = {times[int(np.argmax(ratios))]:g} has {max(ratios):.0f} times the "
            "mean weight of cases.",
            MisuseWarning,
        )


def counts_at(f: FollowUp, times: Floats, controls: Controls) -> dict[str, Floats]:
    """Weights of cases, controls and censored rows by each time, and probabilities."""
    order = np.argsort(times)
    rows = np.searchsorted(f.time, times[order], "right")
    place = np.searchsorted(f.times, times, "right")
    cell = 3 * np.repeat(np.arange(len(rows) + 1), np.diff(rows, prepend=0, append=len(f)))
    cell += f.status

    def upto(masses: Floats | None) -> Floats:
        sums = np.bincount(cell, masses, 3 * len(rows) + 3).reshape(-1, 3)
        found = np.empty((3, len(rows)))
        found[:, order] = np.cumsum(sums, axis=0)[:-1].T
        return found

    of_status = upto(f.weights)
    entered: Any = f.total
    if f.entry is not None:
        by_entry = np.argsort(f.entry)
        known = np.searchsorted(f.entry[by_entry], times, "right")
        entered = np.append(0.0, np.cumsum(f.a[by_entry]))[known]
    beyond = entered - of_status.sum(axis=0)
    survival = np.append(1.0, f.risk.after)[place]
    if f.entry is None and survival.min() > 0:
        followed = beyond / (f.total * survival)
    else:
        followed = np.append(1.0, f.censoring)[place]
    return {
        "n_cases": of_status[EVENT],
        "n_controls": beyond + of_status[COMPETING] if controls == "all" else beyond,
        "n_censored": of_status[CENSORED],
        "incidence": upto(f.weighted(f.event_masses))[EVENT],
        "survival": survival,
        "followed": followed,
    }


def cumulative_area(f: FollowUp, name: str, t: float, controls: Controls = "survivors") -> Area:
    """The cumulative/dynamic AUC (F8.5) with its influence values (F8.10)."""
    h = f.horizon(t)
    h.check(controls)
    rank, k, case = f.rank(name), h.n_before, h.case
    value, below, above = _placements(*h.at_scores(name, controls))
    direct = np.empty(len(f))
    direct[:k] = below[rank[:k]] * case[:k]
    direct[k:] = above[rank[k:]]
    if controls == "all":
        direct[:k] += above[rank[:k]] * h.competing[:k]
    direct *= h.mass
    masses = f.weighted(h.mass)
    sizes = effective_rows(f, masses * case), effective_rows(f, masses * h.controls(controls))
    return Area(value, h.influence(direct), sizes)


def _placements(cases: Floats, controls: Floats) -> tuple[float, Floats, Floats]:
    """An AUC from masses at each score, and its derivatives by those of cases and of controls."""
    above, below = np.cumsum(cases), np.cumsum(controls)
    w, v = above[-1], below[-1]
    below = (below - controls / 2) / v
    above = (w - above + cases / 2) / w
    value = _rounded(float((cases * below).sum() / w))
    return value, (below - value) / w, (above - value) / v


def _rounded(value: float) -> float:
    """An area without rounding errors of 0 and 1."""
    if value < ROUNDING:
        return 0.0
    return 1.0 if value > 1 - ROUNDING else value


class _Later(NamedTuple):
    """Of each row, what it has of the rows at risk after its event (F8.6)."""

    group: Places  # events before censorings of the same time; entries of rows after all rows
    rank: Places
    weights: Floats  # negative for entries
    fraction: Floats  # r_i: proportion of the rows still at risk with a lower score
    total: Floats  # their weight


def _ranked_among_later(f: FollowUp, name: str) -> _Later:
    """Each row's rank among the rows at risk after it (F8.6)."""
    group, rank, weights = 2 * f.group + (f.status == CENSORED), f.rank(name), f.a
    if f.entered is not None:  # at risk from the time after entry: not before
        group = np.append(group, np.maximum(2 * f.entered - 1, 0))
        rank, weights = np.append(rank, rank), np.append(weights, -weights)
    zeros = np.zeros(len(group))
    below = kernels.pair_sums(group, rank, weights, zeros).later
    after = np.append(np.cumsum(np.bincount(group, weights)[::-1])[::-1], 0.0)[group + 1]
    after = np.where(after > ROUNDING * f.total, after, 0.0)
    fraction = np.divide(below, after, out=np.zeros(len(group)), where=after > 0)
    return _Later(group, rank, weights, fraction, after)


def _incident_area(f: FollowUp, t: float, window: float | None, later: _Later) -> Area:
    """The incident/dynamic AUC by mean ranks (F8.6) with its influence values (F8.15)."""
    n = len(f)
    distance = np.abs(f.time - t)
    events = f.status == EVENT
    if window is None:
        among = np.sort(distance[events])
        window = float(among[int(np.ceil(len(among) ** 0.8)) - 1])
    cases = events & (distance <= window) & (later.total[:n] > 0)
    if not cases.any():
        raise InputError(
            f"no event within {window:g} of t = {t:g} with rows at risk after it; widen `window`."
        )
    K = np.where(cases, f.a, 0.0)
    SK = K.sum()
    fraction = later.fraction[:n]
    value = _rounded(float((K * fraction).sum() / SK))
    per_control = np.zeros(len(later.group))
    per_control[:n] = np.divide(K, later.total[:n], out=np.zeros(n), where=cases)
    sums = kernels.pair_sums(later.group, later.rank, np.zeros(len(later.group)), per_control)
    means = np.bincount(later.group[:n], per_control[:n] * fraction, int(later.group.max()) + 1)
    before = np.append(0.0, np.cumsum(means))[later.group]
    as_control = sums.earlier - before
    U = np.where(cases, (fraction - value) / SK, 0.0) + as_control[:n] / SK
    if len(as_control) > n:
        U -= as_control[n:] / SK
    first = f.time[cases].min()
    controls = (f.time > first) if f.entry is None else (f.time > first) & (f.entry < t + window)
    controls &= ~cases
    both = K, np.where(controls, f.a, 0.0)
    counts = {"n_cases": float(K.sum()), "n_controls": float(both[1].sum())}
    return Area(value, U, (effective_rows(f, K), effective_rows(f, both[1])), counts)


class Sweep(NamedTuple):
    """The cumulative/dynamic AUC at all times that have a case and a control, by one sweep."""

    times: Floats
    values: Floats
    steps: Floats  # dF_1: incidence at each time


def sweep(f: FollowUp, name: str, controls: Controls = "survivors") -> Sweep:
    """AUCs at all times in O(n log n): sums over pairs change as events come and rows leave."""
    n, size = len(f), len(f.times)
    masses = f.weighted(f.event_masses)
    E = np.where(f.status == EVENT, masses, 0.0)
    group, rank, at_exit = f.group, f.rank(name), f.a
    if f.entry is not None:  # rows that enter after u are no controls at u
        group = np.append(group, np.searchsorted(f.times, f.entry, "left"))
        rank, at_exit = np.append(rank, rank), np.append(at_exit, -at_exit)
        E = np.append(E, np.zeros(n))
    W = np.cumsum(np.bincount(group, E, size))
    N, V, known = np.zeros(size), np.zeros(size), W > 0
    for rows, part in [(slice(None), f)] if f.strata is None else f.parts:
        own = at_exit
        if f.strata is not None:
            own = np.zeros(n)
            own[rows] = f.a[rows]
        sums = kernels.pair_sums(group, rank, own, E)
        steps = E * sums.later - own * sums.earlier
        exits = np.bincount(group, own, size)
        beyond = np.append(np.cumsum(exits[:0:-1])[::-1], 0.0)
        place = np.searchsorted(part.times, f.times, "right")
        alive = np.append(1.0, part.risk.after)[place] * (part.total / f.total)
        mass = np.divide(alive, beyond, out=np.zeros(size), where=beyond > ROUNDING * f.total)
        N += np.cumsum(np.bincount(group, steps, size)) * mass
        V += beyond * mass
        known &= (mass > 0) | (alive == 0)
    if controls == "all":
        others = np.where(f.status == COMPETING, masses, 0.0)
        own = np.append(others, np.zeros(len(group) - n))
        at_rank = np.bincount(rank, own)
        every = (np.cumsum(at_rank) - at_rank / 2)[rank]
        sums = kernels.pair_sums(group, rank, own, E)
        steps = E * (every - sums.later) + own * sums.earlier
        N += np.cumsum(np.bincount(group, steps, size))
        V += np.cumsum(np.bincount(group, own, size))
    known &= V > ROUNDING
    values = np.clip(N[known] / (W[known] * V[known]), 0.0, 1.0)
    return Sweep(f.times[known], values, np.diff(W, prepend=0.0)[known])


def _alone(f: FollowUp, name: str, times: Floats | None, how: _How) -> dict[str, Any]:
    """The AUCs of one score without standard errors, by default at all event times."""
    if f.entry is not None and times is not None:  # rows may enter between the times of the sweep
        without = {"standard_error": None, "low": None, "high": None, "method": "none"}
        return _measured(f, name, times, how) | without
    found = sweep(f, name, how.controls)
    if times is None:
        times = found.times[found.steps > 0]
        if not len(times):
            f.check_events()
            f.horizon(float(f.event_times[0])).check(how.controls)
    place = np.searchsorted(found.times, times, "right") - 1
    latest = np.searchsorted(f.times, times, "right") - 1
    unknown = (place < 0) | (found.times[np.maximum(place, 0)] != f.times[np.maximum(latest, 0)])
    for t in times[unknown]:
        f.horizon(float(t)).check(how.controls)
    own = {"times": times, "value": found.values[place], "method": "none"}
    return counts_at(f, times, how.controls) | own


def integrated_area(
    f: FollowUp, name: str, over: tuple[float, float], controls: Controls = "survivors"
) -> Area:
    """The AUC integrated over event times (F8.7) with its influence values (F8.14).

    With more than 200 event times the influence values are made of the AUCs at 200 of them.
    """
    found = sweep(f, name, controls)
    some = (found.times > over[0]) & (found.times <= over[1]) & (found.steps > 0)
    times, values, steps = (each[some] for each in found)
    if not len(times):
        raise InputError(
            f"no event time from {over[0]:g} to {over[1]:g} has a control; widen `integrate`."
        )
    total = steps.sum()
    value = _rounded(float((values * steps).sum() / total))
    nodes, weights = times, np.asarray(steps)
    if len(times) > MOST_EXACT:
        fraction = (np.cumsum(steps) - steps / 2) / total
        part = np.minimum((fraction * MOST_EXACT).astype(np.intp), MOST_EXACT - 1)
        used, part = np.unique(part, return_inverse=True)
        middle = np.searchsorted(part, np.arange(len(used)), "left")
        middle = (middle + np.searchsorted(part, np.arange(len(used)), "right")) // 2
        nodes, weights = times[middle], np.bincount(part, steps).astype(np.float64)
    U, sizes = np.zeros(len(f)), (1.0, 1.0)
    for t, step in zip(nodes.tolist(), weights.tolist(), strict=True):
        area = cumulative_area(f, name, t, controls)
        U += step * area.U
        sizes = max(sizes, area.sizes, key=min)
    h = f.horizon(float(times[-1]))
    excess = np.zeros(len(f.times))
    excess[np.searchsorted(f.times, times)] = values - value
    extra = np.where(h.case, excess[f.group], 0.0)
    theta = float((f.a * h.mass * extra).sum())
    return Area(value, (U + h.influence(h.mass * (extra - theta))) / total, sizes, {})


def _integrated(f: FollowUp, name: str, how: _How) -> IntegratedAuc:
    assert how.over is not None
    area = integrated_area(f, name, how.over, how.controls)
    error = standard_error(f, area.U)
    method = "wald" if how.method == "wald" else "logit"
    interval = unit_interval(area.value, error, area.sizes, how.level, method)
    return IntegratedAuc(
        value=area.value,
        standard_error=error,
        interval=interval,
        start=how.over[0],
        end=how.over[1],
        origin=replace(f.origin, name=name),
    )
