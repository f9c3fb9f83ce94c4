"""Is A better than B? Tests and intervals for the difference of two or more curves."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocwise import checks, printing
from rocwise.binary.comparison_plans import Plan, plan_comparison
from rocwise.binary.decisions import Decision, Reference, decide, holm
from rocwise.binary.paired_resampling import paired_bootstrap, unpaired_bootstrap
from rocwise.binary.paired_variances import areas_and_covariance
from rocwise.binary.permutation import permutation_outcome
from rocwise.binary.variances import auc_variance
from rocwise.binary.venkatraman import venkatraman_paired, venkatraman_unpaired
from rocwise.errors import InputError
from rocwise.pairs import Pairs
from rocwise.progress import Report
from rocwise.results import Interval, Result, Table
from rocwise.tallies import Tally

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class Comparison(Result):
    """Two or more models compared: estimates, difference with interval, statistic and p value.

    For more than two models `statistic`, `df` and `p_value` are of the joint test that all are
    equal, and `pairwise` has one row per pair with Holm-adjusted p values.
    """

    estimates: dict[str, float]
    difference: float | None
    standard_error: float | None
    interval: Interval | None
    statistic: float
    p_value: float
    method: str
    alternative: str = "two-sided"
    quantity: str = "AUC"
    df: float | None = None
    margin: float | None = None
    pairwise: Table | None = None
    seed: int | None = None

    def _sentence(self) -> str:
        shown = [f"{name} {value:.3f}" for name, value in self.estimates.items()]
        p = printing.p_value(self.p_value)
        if self.difference is None:
            return f"{self.quantity} of {', '.join(shown)}; all equal: {p} ({self.method})"
        interval = ""
        if self.interval is not None:
            level = printing.percent(self.interval.level)
            interval = f" ({level} CI {self.interval.low:.3f} to {self.interval.high:.3f})"
        claim = "" if self.alternative == "two-sided" else f" for {self._claim()}"
        return (
            f"{self.quantity} {shown[0]} against {shown[1]}: difference {self.difference:.3f}"
            f"{interval}, {p}{claim} ({self.method})"
        )

    def _claim(self) -> str:
        margin = "" if self.margin is None else f" within {self.margin:g}"
        return f"'{self.alternative}'{margin}"

    def _columns(self) -> dict[str, Any]:
        if self.pairwise is not None:
            return dict(self.pairwise)
        first, second = self.estimates
        return {
            "first": [first],
            "second": [second],
            "difference": [self.difference],
            "standard_error": [self.standard_error],
            "low": [self.interval.low if self.interval else None],
            "high": [self.interval.high if self.interval else None],
            "statistic": [self.statistic],
            "p_value": [self.p_value],
        }


def compare(
    data: Pairs | Tally,
    other: Tally | None = None,
    *,
    method: str | None = None,
    level: float = 0.95,
    alternative: str = "two-sided",
    margin: float | None = None,
    max_fpr: float | None = None,
    fpr_range: tuple[float, float] | None = None,
    tpr_range: tuple[float, float] | None = None,
    at_sensitivity: float | None = None,
    at_specificity: float | None = None,
    transform: str = "rank",
    ties: str = "random",
    n_resamples: int = 2000,
    rng: Any = None,
    progress: bool | Report | None = None,
) -> Comparison:
    """Compare models on the same rows (`Pairs`), or two models on different rows (two tallies).

    Parameters
    ----------
    data : Pairs or Tally
        Several models on the same rows; or the first of two independent samples.
    other : Tally, optional
        The second independent sample.
    method : str, optional
        "delong" (the default for whole areas), "jackknife", "exact-bootstrap", "unbiased",
        "bootstrap" (the default for parts and points), "permutation" (exact when affordable),
        "permutation-asymptotic", "permutation-monte-carlo", or "venkatraman" (whole curves).
    level, alternative, margin
        Level of the two-sided interval; "two-sided", "greater", "less", or with `margin`
        "non-inferior" and "equivalent", all for first minus second.
    max_fpr, fpr_range, tpr_range : optional
        Compare partial areas.
    at_sensitivity, at_specificity : float, optional
        Compare specificities at this sensitivity, or sensitivities at this specificity.
    transform : {"rank", "none"}
        Scale on which "permutation" swaps scores.
    ties : {"random", "midrank"}
        How "venkatraman" ranks ties.
    n_resamples, rng, progress
        Of the resampling methods.

    Returns
    -------
    Comparison

    Examples
    --------
    >>> import rocwise as rw
    >>> pairs = rw.pair([0, 0, 0, 1, 1, 1], {"a": [1, 2, 3, 2, 4, 5], "b": [2, 1, 4, 3, 5, 6]})
    >>> rw.compare(pairs).method
    'paired DeLong'
    """
    checks.fraction(level, "level")
    plan = plan_comparison(
        data,
        other,
        method=method,
        alternative=alternative,
        margin=margin,
        part=(max_fpr, fpr_range, tpr_range),
        point=(at_sensitivity, at_specificity),
        level=level,
    )
    seed = checks.seed(rng)
    if plan.method == "venkatraman":
        return _venkatraman(data, other, plan, ties, n_resamples, seed, progress)
    if plan.method.startswith("permutation"):
        assert isinstance(data, Pairs)
        return _permutation(data, plan, transform, n_resamples, seed, progress)
    estimates, covariance, df = _moments(data, other, plan, n_resamples, seed, progress)
    answer = (
        _joint(estimates, covariance, plan)
        if len(estimates) > 2
        else _two(estimates, covariance, plan, Reference(df))
    )
    used_seed = seed if plan.method == "bootstrap" else None
    return replace(answer, seed=used_seed, origin=data.origin)


def _moments(
    data: Pairs | Tally,
    other: Tally | None,
    plan: Plan,
    n_resamples: int,
    seed: int,
    progress: bool | Report | None,
) -> tuple[dict[str, float], Floats, float | None]:
    """Estimates by name, their covariance matrix, and degrees of freedom (None: normal)."""
    if isinstance(data, Pairs):
        if plan.method == "bootstrap":
            values, matrix = paired_bootstrap(data, plan.statistic, n_resamples, seed, progress)
        else:
            values, matrix = areas_and_covariance(data, plan.method)
        return dict(zip(data.names, map(float, values), strict=True)), matrix, None
    assert other is not None
    if plan.method == "bootstrap":
        found = unpaired_bootstrap((data, other), plan.statistic, n_resamples, seed, progress)
        return dict(zip(plan.names, found[0], strict=True)), np.diag(found[1]), None
    variances = [auc_variance(sample, method=plan.method) for sample in (data, other)]
    areas = [plan.area(sample) for sample in (data, other)]
    sizes = [float(sample.n_pos + sample.n_neg) for sample in (data, other)]
    return dict(zip(plan.names, areas, strict=True)), np.diag(variances), _welch(variances, sizes)


def _welch(variances: list[float], sizes: list[float]) -> float | None:
    """Degrees of freedom of the unpaired test; n counts all subjects of a sample."""
    spread = sum(v * v / (n - 1) for v, n in zip(variances, sizes, strict=True))
    return sum(variances) ** 2 / spread if spread > 0 else None


def _two(
    estimates: dict[str, float], covariance: Floats, plan: Plan, reference: Reference
) -> Comparison:
    """One difference referred to its standard error (section 2.3)."""
    first, second = estimates.values()
    difference = first - second
    error = _error(covariance, 0, 1, plan.method)
    found = decide(
        difference,
        error,
        alternative=plan.alternative,
        margin=plan.margin,
        level=plan.level,
        reference=reference,
    )
    return _answer(estimates, plan, difference, error, found, reference.df)


def _answer(
    estimates: dict[str, float],
    plan: Plan,
    difference: float,
    error: float,
    found: Decision,
    df: float | None,
) -> Comparison:
    return Comparison(
        estimates=estimates,
        difference=difference,
        standard_error=error,
        interval=Interval(found.low, found.high, plan.level, plan.description),
        statistic=found.statistic,
        p_value=found.p_value,
        method=plan.description,
        alternative=plan.alternative,
        quantity=plan.statistic.name,
        df=df,
        margin=plan.margin,
    )


def _error(covariance: Floats, a: int, b: int, method: str) -> float:
    """Standard error of the difference of two estimates."""
    variance = float(covariance[a, a] + covariance[b, b] - 2 * covariance[a, b])
    scale = float(covariance[a, a] + covariance[b, b])
    if variance < -1e-12 * scale:
        raise InputError(
            f"method={method!r} estimates a negative variance ({variance:.3g}) for this "
            "difference, so it gives no test and no interval; use method='delong'."
        )
    return math.sqrt(variance) if variance > 1e-14 * scale else 0.0


def _joint(estimates: dict[str, float], covariance: Floats, plan: Plan) -> Comparison:
    """All equal? Chi-square of successive differences (F3.10), and every pair with Holm's p."""
    theta = np.array(list(estimates.values()))
    L = np.eye(len(theta))[:-1] - np.eye(len(theta))[1:]
    statistic, df, p = _quadratic_test(L @ theta, L @ covariance @ L.T)
    return Comparison(
        estimates=estimates,
        difference=None,
        standard_error=None,
        interval=None,
        statistic=statistic,
        p_value=p,
        df=df,
        method=plan.description,
        quantity=plan.statistic.name,
        pairwise=_pairwise(estimates, covariance, plan),
    )


def _quadratic_test(differences: Floats, spread: Floats) -> tuple[float, float, float]:
    """Chi-square, degrees of freedom (the rank) and upper tail; singular spreads are allowed."""
    from scipy.special import chdtrc

    inverse = np.linalg.pinv(spread, rcond=1e-12, hermitian=True)
    rank = int(np.linalg.matrix_rank(spread, tol=1e-12 * max(np.abs(spread).max(), 1e-300)))
    if rank == 0:
        equal = bool(np.all(np.abs(differences) < 1e-15))
        return (0.0, 0.0, 1.0) if equal else (math.inf, 0.0, 0.0)
    statistic = float(differences @ inverse @ differences)
    return statistic, float(rank), float(chdtrc(rank, statistic))


def _pairwise(estimates: dict[str, float], covariance: Floats, plan: Plan) -> Table:
    names, values = list(estimates), list(estimates.values())
    rows: list[tuple[str, str, float, float, Decision]] = []
    for a in range(len(names)):
        for b in range(a + 1, len(names)):
            difference, error = values[a] - values[b], _error(covariance, a, b, plan.method)
            found = decide(
                difference,
                error,
                alternative="two-sided",
                margin=None,
                level=plan.level,
                reference=Reference(),
            )
            rows.append((names[a], names[b], difference, error, found))
    first, second, difference_, error_, decisions = zip(*rows, strict=True)
    return Table(
        first=np.array(first),
        second=np.array(second),
        difference=np.array(difference_),
        standard_error=np.array(error_),
        low=np.array([found.low for found in decisions]),
        high=np.array([found.high for found in decisions]),
        statistic=np.array([found.statistic for found in decisions]),
        p_value=np.array([found.p_value for found in decisions]),
        p_adjusted=np.array(holm([found.p_value for found in decisions])),
    )


def _permutation(
    pairs: Pairs,
    plan: Plan,
    transform: str,
    n_resamples: int,
    seed: int,
    progress: bool | Report | None,
) -> Comparison:
    """The permutation test of Bandos, Rockette and Gur (section 3.1)."""
    how = {
        "permutation": "auto",
        "permutation-exact": "exact",
        "permutation-asymptotic": "asymptotic",
        "permutation-monte-carlo": "monte-carlo",
    }[plan.method]
    first, second = pairs.names
    outcome = permutation_outcome(
        pairs.mask,
        pairs.scores(first),
        pairs.scores(second),
        how=how,
        transform=checks.one_of(transform, "transform", ("rank", "none")),
        alternative=plan.alternative,
        n_resamples=n_resamples,
        seed=seed,
        progress=progress if callable(progress) else None,
    )
    estimates = {name: plan.area(pairs.tally(name)) for name in pairs.names}
    return Comparison(
        estimates=estimates,
        difference=estimates[first] - estimates[second],
        standard_error=math.sqrt(outcome.variance),
        interval=None,
        statistic=outcome.z,
        p_value=outcome.p_value,
        method=f"{outcome.how} permutation test",
        alternative=plan.alternative,
        seed=seed if outcome.how.lower().startswith("monte") else None,
        origin=pairs.origin,
    )


def _venkatraman(
    data: Pairs | Tally,
    other: Tally | None,
    plan: Plan,
    ties: str,
    n_resamples: int,
    seed: int,
    progress: bool | Report | None,
) -> Comparison:
    """Are the two curves the same everywhere? (section 3.2)."""
    checks.one_of(ties, "ties", ("random", "midrank"))
    report = progress if callable(progress) else None
    options: dict[str, Any] = {"n_resamples": n_resamples, "seed": seed, "progress": report}
    if isinstance(data, Pairs):
        first, second = (data.scores(name) for name in data.names)
        outcome = venkatraman_paired(data.mask, first, second, ties=ties, **options)
        estimates = {name: plan.area(data.tally(name)) for name in data.names}
    else:
        assert other is not None
        classes = [*_class_scores(data), *_class_scores(other)]
        outcome = venkatraman_unpaired(*classes, ties=ties, **options)
        areas = [plan.area(sample) for sample in (data, other)]
        estimates = dict(zip(plan.names, areas, strict=True))
    one, two = estimates.values()
    return Comparison(
        estimates=estimates,
        difference=one - two,
        standard_error=None,
        interval=None,
        statistic=outcome.statistic,
        p_value=outcome.p_value,
        method=f"Venkatraman test of equal curves, {outcome.how}",
        seed=seed,
        origin=data.origin,
    )


def _class_scores(sample: Tally) -> tuple[Floats, Floats]:
    """Scores of the negatives and of the positives of a sample, as ranks that keep ties."""
    ranks = np.arange(len(sample), 0, -1, dtype=np.float64)
    return np.repeat(ranks, sample.neg), np.repeat(ranks, sample.pos)
