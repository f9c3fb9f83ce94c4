"""Comparison of scores on the same censored rows, at one horizon and jointly over several."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from itertools import combinations
from typing import Any, Literal, NamedTuple, Unpack, get_args

import numpy as np

from rocwise import checks, printing
from rocwise.arrays import Floats
from rocwise.data.follow_ups import Controls, FollowUp
from rocwise.errors import InputError
from rocwise.inference.comparison import chi_square, leaves_out, smallest_adjusted
from rocwise.inference.effective_sizes import (
    NO_VARIANCE,
    decide_by_limits,
    difference_limits,
    sized_area,
)
from rocwise.inference.intervals import normal_quantile
from rocwise.inference.significance import (
    Alternative,
    Decision,
    Reference,
    checked_margin,
    decide,
    holm,
)
from rocwise.inputs.follow_ups import FollowUpOptions, as_follow_up
from rocwise.inputs.options import options_shown
from rocwise.results import Resampled, Table, result
from rocwise.survival.areas import (
    MOST_LINES,
    area_of_kind,
    check_incident,
    chosen_times,
    integrated_area,
    integration_range,
    warn_of_horizons,
)
from rocwise.survival.concordance_indices import concordance_influence
from rocwise.survival.influence import (
    ENOUGH,
    CensoredResult,
    checked_times,
    covariance_of,
    critical_value,
    maxima,
    reference_of,
)
from rocwise.survival.predicted_risks import brier_influence

Measure = Literal["auc", "integrated-auc", "concordance", "brier", "ipa"]
Kind = Literal["cumulative", "incident", "uno", "harrell"]
KINDS = {"auc": ("cumulative", "incident"), "concordance": ("uno", "harrell")}
QUANTITIES = {
    "auc": "AUC",
    "integrated-auc": "integrated AUC",
    "concordance": "concordance",
    "brier": "Brier score",
    "ipa": "IPA",
}
DRAWS = 10_000


@result
class SurvivalComparison(CensoredResult, Resampled):
    """Scores compared at one or several horizons: differences with intervals and p values.

    Of more than two scores there is one row for each pair in `pairwise`, and the columns of
    differences are None.

    Attributes
    ----------
    names : tuple of str
        The scores; differences are the first minus the second.
    times : ndarray or None
        Horizons; None for a concordance and an integrated AUC.
    estimates : dict of str to ndarray
        Estimates of each score.
    difference, standard_error, low, high : ndarray or None
        Difference with its confidence interval.
    statistic, p_value : ndarray or None
        Difference over its standard error, and its p value.
    adjusted_p_value : ndarray or None
        P value adjusted for several horizons: the probability of a largest statistic of this size.
    band_low, band_high : ndarray or None
        Simultaneous band of the difference over all horizons.
    critical : float or None
        Critical value of the band in standard errors.
    covariance : ndarray
        Covariance matrix of the differences: of all horizons; of more than two scores, those to
        the first.
    joint_statistic, joint_df, joint_p_value : float
        Chi-square test that all scores are equal at all horizons; where a difference shows no
        variance, the smallest p value by Holm's method, with `joint_df` None.
    pairwise : Table or None
        Of more than two scores: `first, second, time, difference, standard_error, low, high,
        statistic, p_value, p_adjusted` (Holm).
    measure, estimand, controls, alternative, method : str
        What is compared, and how.
    margin : float or None
        Largest difference that does not matter.
    """

    names: tuple[str, ...]
    times: Floats | None
    estimates: dict[str, Floats]
    difference: Floats | None = None
    standard_error: Floats | None = None
    low: Floats | None = None
    high: Floats | None = None
    statistic: Floats | None = None
    p_value: Floats | None = None
    adjusted_p_value: Floats | None = None
    band_low: Floats | None = None
    band_high: Floats | None = None
    critical: float | None = None
    covariance: Floats
    joint_statistic: float
    joint_df: float | None
    joint_p_value: float
    pairwise: Table | None = None
    measure: str
    estimand: str
    controls: str
    alternative: str = "two-sided"
    margin: float | None = None
    level: float = 0.95
    method: str = "influence functions"

    @property
    def quantity(self) -> str:
        """What is compared, in words."""
        return QUANTITIES[self.measure]

    def _columns(self) -> Mapping[str, Any]:
        if self.pairwise is not None:
            return dict(self.pairwise)
        first, second = self.names
        found: dict[str, Any] = {} if self.times is None else {"times": self.times}
        found |= {first: self.estimates[first], second: self.estimates[second]}
        for name in ("difference", "standard_error", "low", "high", "statistic", "p_value"):
            found[name] = getattr(self, name)
        for name in ("adjusted_p_value", "band_low", "band_high"):
            if getattr(self, name) is not None:
                found[name] = getattr(self, name)
        return found

    def _method_words(self) -> list[str]:
        return [] if self.pairwise is None else ["Holm"]

    def _sentence(self) -> str:
        words, several = self.quantity, self.times is not None and len(self.times) > 1
        joint = printing.p_value(self.joint_p_value)
        if self.pairwise is not None:
            over = f" at {len(self.times)} times" if several and self.times is not None else ""
            return f"{words} of {', '.join(self.names)}{over}: all equal, {joint} ({self.method})"
        lines = []
        assert self.difference is not None
        for k, d in enumerate(self.difference[:MOST_LINES]):
            of = " against ".join(f"{name} {self.estimates[name][k]:.3f}" for name in self.names)
            by = "at" if self.estimand == "incident" else "by"
            when = "" if self.times is None else f" {by} t = {self.times[k]:g}"
            lines.append(
                f"{words} {of}{when}: difference {d:.3f} ({printing.percent(self.level)} CI "
                f"{self.low[k]:.3f} to {self.high[k]:.3f}), "  # type: ignore[index]
                f"{printing.p_value(self.p_value[k])}"  # type: ignore[index]
            )
        if more := len(self.difference) - len(lines):
            lines.append(f"... and {printing.counted(more, 'more time')}; to_frame() has all")
        if several:
            lines.append(f"over {len(self.difference)} times jointly {joint}{self._draw_words()}")
        claim = "" if self.alternative == "two-sided" else f", alternative {self.alternative!r}"
        return "\n".join(lines) + f" ({self.method}{claim})"

    def _notes(self) -> str:
        return repr(self).splitlines()[-1]  # the others are the rows of the table


@options_shown(FollowUpOptions)
def compare(
    data: Any = None,
    *columns: Any,
    times: Any = None,
    measure: Measure = "auc",
    kind: Kind | None = None,
    controls: Controls = "survivors",
    window: float | None = None,
    tau: float | None = None,
    alternative: Alternative = "two-sided",
    margin: float | None = None,
    band: bool = False,
    level: float = 0.95,
    n_resamples: int = DRAWS,
    rng: Any = None,
    **given: Unpack[FollowUpOptions],
) -> SurvivalComparison:
    """Compare scores on the same rows with censoring, at one horizon and jointly over several.

    Parameters
    ----------
    times : float or array-like, optional
        Horizons; by default those of `auc`. Of an integrated AUC the end, or a pair (start, end);
        a concordance has none.
    measure : {"auc", "integrated-auc", "concordance", "brier", "ipa"}, default "auc"
        What is compared. For "brier" and "ipa" scores are predicted risks.
    kind : {"cumulative", "incident", "uno", "harrell"}, optional
        Kind of AUC, by default "cumulative", or of concordance, by default "uno".
    controls : {"survivors", "all"}, default "survivors"
        With competing events: rows without any event by the horizon, or also those with a
        competing event.
    window : float, optional
        Of kind "incident", as in `auc`.
    tau : float, optional
        Of a concordance, as in `concordance`.
    alternative : {"two-sided", "greater", "less", "non-inferior", "equivalent"}
        Alternative hypothesis about the first minus the second score, at each horizon. The joint
        test is two-sided.
    margin : float, optional
        Largest difference that does not matter, for "non-inferior" and "equivalent".
    band : bool, default False
        Whether to compute a simultaneous band of the difference.
    level : float, default 0.95
        Confidence level.
    n_resamples : int, default 10000
        Number of draws for adjusted p values and the band.
    rng : int, numpy.random.Generator or None, optional
        Seed or random generator; None draws a seed, which the result reports.

    Returns
    -------
    SurvivalComparison
        Result with `difference`, `standard_error`, `low`, `high`, `p_value` and the joint test.

    See Also
    --------
    rocwise.survival.auc : AUC at horizons.
    rocwise.compare : Comparison of two classes without censoring.

    Notes
    -----
    The influence values of both scores on the same rows give the variance of the difference [1]_.
    Where the smaller class has fewer than 30 effective rows, p values and limits are those of
    Student's t, and the joint test takes the normal statistics with these p values. P values
    adjusted for several horizons refer to the largest of correlated normal statistics.

    References
    ----------
    .. [1] P. Blanche, J.-F. Dartigues and H. Jacqmin-Gadda, "Estimating and comparing
           time-dependent areas under receiver operating characteristic curves for censored event
           times with competing risks", Stat. Med. 32, 2013. doi:10.1002/sim.5958

    Examples
    --------
    >>> import numpy as np, rocwise as rw
    >>> rng = np.random.default_rng(1)
    >>> a, b = rng.random((2, 300))
    >>> time, end = rng.exponential(1 / (2 * a + b)), rng.exponential(1, 300)
    >>> f = rw.survival.follow_up(np.minimum(time, end), time <= end, {"a": a, "b": b})
    >>> found = rw.survival.compare(f, [0.25, 0.5], rng=1)
    >>> found.difference.round(3), found.p_value.round(3), round(found.joint_p_value, 3)
    (array([0.083, 0.129]), array([0.125, 0.014]), 0.049)
    """
    f, times = as_follow_up("compare", data, columns, given, times=times)
    level, band = checks.level(level), checks.flag(band, "band")
    checks.one_of(measure, "measure", get_args(Measure))
    checks.one_of(controls, "controls", get_args(Controls))
    margin = checked_margin(alternative, margin, len(f.names))
    n_resamples = checks.draws(n_resamples, rng, at_least=2)
    if len(f.names) < 2:
        raise InputError(f"`compare` needs at least two scores; got {len(f.names)}.")
    kinds = KINDS.get(measure, ("cumulative",))
    estimand = checks.one_of(kinds[0] if kind is None else kind, "kind", kinds)
    unused = {"window": window} if estimand != "incident" else {}
    unused |= {"times": times} if measure == "concordance" else {"tau": tau}
    for name, value in unused.items():
        if value is not None:
            raise InputError(f"`{name}` does not go with {measure!r} of kind {estimand!r}.")
    if estimand == "incident":
        check_incident(f, controls)
    elif measure in ("brier", "ipa"):
        controls = "all"
    if band and len(f.names) > 2:
        raise InputError(f"`band` goes with two scores; got {len(f.names)}.")
    horizons, of_score = _measure(f, measure, times, estimand, controls, window, tau)
    found = {name: of_score(name) for name in f.names}
    options = _Options(alternative, margin, level, band, n_resamples, checks.seed(rng))
    several = len(found) > 2
    fields = _of_several(f, horizons, found, options) if several else _of_two(f, found, options)
    return SurvivalComparison(
        names=f.names,
        times=horizons,
        estimates={name: own.values for name, own in found.items()},
        measure=measure,
        estimand=estimand,
        controls=controls,
        alternative=alternative,
        margin=margin,
        level=level,
        origin=f.origin,
        **fields,
    )


class _Options(NamedTuple):
    """Options of a comparison, checked."""

    alternative: str
    margin: float | None
    level: float
    band: bool
    n_resamples: int
    seed: int


class _Scored(NamedTuple):
    """Estimates of one score at all horizons, with influence values (horizons, rows)."""

    values: Floats
    U: Floats
    sizes: Floats  # effective rows of the smaller class at each; 0 where unknown


def _measure(
    f: FollowUp,
    measure: str,
    times: Any,
    kind: str,
    controls: Controls,
    window: float | None,
    tau: float | None,
) -> tuple[Floats | None, Callable[[str], _Scored]]:
    """The horizons of a measure, and the function of a score that computes it."""
    horizons, over = None, (0.0, 0.0)
    if measure == "integrated-auc":
        over = integration_range(float(chosen_times(f)[-1]) if times is None else times, "times")
    elif measure != "concordance":
        horizons = chosen_times(f) if times is None else checked_times(times, "compare")
        if kind == "cumulative":
            warn_of_horizons(f, horizons, controls if measure == "auc" else "all")

    def of_score(name: str) -> _Scored:
        found: list[Any]
        if horizons is None:
            if measure == "concordance":
                found = [concordance_influence(f, name, kind, tau, "half", controls)]
            else:
                found = [integrated_area(f, name, over, controls)]
        elif measure == "auc":
            found = [*map(area_of_kind(f, name, kind, controls, window), horizons.tolist())]
        else:
            place = ("brier", "ipa").index(measure)
            found = [brier_influence(f, name, t)[place] for t in horizons.tolist()]
        values, U, sizes, *_ = zip(*found, strict=True)
        return _Scored(np.array(values), np.array(U), np.array([min(own) for own in sizes]))

    return horizons, of_score


def _decided(first: float, second: float, error: float, size: float, how: _Options) -> Decision:
    """Test and interval of a difference; by score limits without variance, or with one row."""
    tested: Any = {"alternative": how.alternative, "margin": how.margin, "level": how.level}
    d = first - second
    if size <= 0.0 or (d == 0.0 and how.margin is None) or (error > 0.0 and size > 1.0):
        found = decide(d, error, reference=_reference(size), **tested)
        if size <= 0.0:
            return found
        return replace(found, low=max(found.low, -1.0), high=min(found.high, 1.0))
    one, other = (sized_area(value, 0.0, [], max(size, 1.0)) for value in (first, second))
    return decide_by_limits(d, lambda tail: difference_limits(one, other, 0.0, tail), **tested)


def _reference(size: float) -> Reference:
    return reference_of(size, ENOUGH)


class _Joint(NamedTuple):
    """The chi-square test that all differences are 0, with their covariance and standard errors."""

    fields: dict[str, Any]
    errors: Floats
    moved: Floats  # differences with the normal statistics of their p values


def _jointly(f: FollowUp, differences: Floats, U: Floats, sizes: Floats) -> _Joint:
    covariance = covariance_of(f, U)
    covariance[np.abs(covariance) < NO_VARIANCE] = 0.0
    errors = np.sqrt(np.maximum(np.diag(covariance), 0.0))
    rows = zip(differences.tolist(), errors.tolist(), map(_reference, sizes), strict=True)
    moved = np.array([own.normal_equivalent(d / e) * e if e > 0 else d for d, e, own in rows])
    test, own = chi_square(differences, covariance), chi_square(moved, covariance)
    fields = {"covariance": covariance, "joint_statistic": test.statistic, "joint_df": test.df}
    return _Joint(fields | {"joint_p_value": own.p_value}, errors, moved)


def _by_smallest(p_values: list[float], statistics: list[float]) -> dict[str, Any]:
    """The joint test where the chi-square would leave out differences without variance."""
    test = smallest_adjusted(holm(p_values), statistics)
    found = {"joint_statistic": test.statistic, "joint_df": test.df}
    return found | {"joint_p_value": test.p_value}


def _of_two(f: FollowUp, found: dict[str, _Scored], how: _Options) -> dict[str, Any]:
    """Differences of two scores with intervals, tests and band."""
    first, second = found.values()
    d, sizes = first.values - second.values, np.minimum(first.sizes, second.sizes)
    fields, errors, moved = _jointly(f, d, first.U - second.U, sizes)
    columns = (each.tolist() for each in (first.values, second.values, errors, sizes))
    rows = list(zip(*columns, strict=True))
    decisions = [_decided(a, b, e, n, how) for a, b, e, n in rows]
    if leaves_out(fields["covariance"], d):
        both = how._replace(alternative="two-sided", margin=None)
        tests = [_decided(a, b, e, n, both) for a, b, e, n in rows]
        fields |= _by_smallest([t.p_value for t in tests], [t.statistic for t in tests])
    fields |= {"difference": d, "standard_error": errors}
    for name in ("statistic", "p_value", "low", "high"):
        fields[name] = np.array([getattr(each, name) for each in decisions])
    drawn = {"seed": how.seed, "n_resamples": how.n_resamples}
    if len(d) > 1 and how.alternative == "two-sided":
        most = maxima(fields["covariance"], how.n_resamples, how.seed)
        z = np.divide(moved, errors, out=fields["statistic"].copy(), where=errors > 0)
        beyond = np.searchsorted(np.sort(most), np.abs(z), "left")
        fields["adjusted_p_value"] = np.maximum(1 - beyond / len(most), fields["p_value"])
        fields |= drawn
    if how.band:
        c = critical_value(fields["covariance"], how.level, how.n_resamples, how.seed)
        wider = np.array([_reference(n).quantile(how.level) for n in sizes])
        reach = c * errors * wider / normal_quantile(how.level)
        most = np.where(sizes > 0, 1.0, np.inf)
        low, high = np.maximum(d - reach, -most), np.minimum(d + reach, most)
        fields |= {"critical": c, "band_low": low, "band_high": high, **drawn}
    return fields


def _of_several(
    f: FollowUp, times: Floats | None, found: dict[str, _Scored], how: _Options
) -> dict[str, Any]:
    """The joint test of more than two scores, and a table of all pairs."""
    scored = list(found.values())
    d = np.concatenate([scored[0].values - other.values for other in scored[1:]])
    U = np.concatenate([scored[0].U - other.U for other in scored[1:]])
    sizes = [np.minimum(scored[0].sizes, other.sizes) for other in scored[1:]]
    fields = _jointly(f, d, U, np.concatenate(sizes)).fields
    pairs = list(combinations(found, 2))
    owns = [_of_two(f, {a: found[a], b: found[b]}, how._replace(band=False)) for a, b in pairs]
    first, second = np.repeat(np.array(pairs), len(scored[0].values), axis=0).T
    table = {"first": first, "second": second}
    if times is not None:
        table["time"] = np.tile(times, len(pairs))
    for name in ("difference", "standard_error", "low", "high", "statistic", "p_value"):
        table[name] = np.concatenate([own[name] for own in owns])
    table["p_adjusted"] = np.array(holm(table["p_value"].tolist()))
    if leaves_out(fields["covariance"], d):
        fields |= _by_smallest(table["p_value"].tolist(), table["statistic"].tolist())
    return fields | {"pairwise": Table(table)}
