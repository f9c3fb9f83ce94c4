"""`compare_at`: two models at the same thresholds, or at points with the same rate."""

from collections.abc import Mapping
from typing import Any, Unpack

import numpy as np

from rocwise import checks, printing
from rocwise.arrays import Array, Floats
from rocwise.binary.bootstrap import paired_replicates, resampling_words, smaller_class
from rocwise.binary.influence import score_positions
from rocwise.binary.operating_points import (
    USUAL,
    OwnMetric,
    PointMeasures,
    PointSpec,
    point_measures,
    point_spec,
    vertices_of_thresholds,
)
from rocwise.costs import Costs
from rocwise.data.pairs import Pairs
from rocwise.errors import InputError
from rocwise.inference.intervals import normal_quantile
from rocwise.inference.proportions import tango_limits, tango_statistic
from rocwise.inference.significance import Reference, sign_reach
from rocwise.inputs.coercion import PairOptions, as_pairs, options_shown
from rocwise.progress import Report
from rocwise.results import Resampled, Table, result


@result
class PointsComparison(Resampled):
    """Differences of two models, first minus second, for each measure at each point.

    `estimand` describes the points. `table` has a row for each point and measure: both
    values, `difference`, `low`, `high`, `p_value` (two-sided, not adjusted for their number) and
    `method`. The rate that is fixed, and a difference of measures that are undefined or infinite,
    are left out.
    """

    axis: str
    estimand: str
    names: tuple[str, ...]
    table: Table
    level: float
    n_pos: float
    n_neg: float

    def _columns(self) -> Mapping[str, Any]:
        return self.table

    def _sentence(self) -> str:
        rows = zip(*(self.table[name] for name in ("requested", "measure", *LIMITS)), strict=True)
        level = printing.percent(self.level)
        lines = [
            f"{self.axis} {requested:.6g}, {measure}: {value:.3f} ({level} CI {low:.3f} to "
            f"{high:.3f}), {printing.p_value(p)}"
            for requested, measure, value, low, high, p in rows
            if measure in ("sensitivity", "specificity", "ppv", "npv")
        ]
        return "\n".join([self._notes(), *lines])

    def _notes(self) -> str:
        of = "" if self.axis == "threshold" else f", {self.estimand}"
        return f"{' minus '.join(self.names)}{of}{self._draw_words()}"


PROPORTIONS = USUAL[:-2]
LIMITS = ("difference", "low", "high", "p_value")
COLUMNS = ("requested", "measure", *LIMITS, "method")
ROUNDING = 1e-12  # of the larger of two values, below which a difference is none


@options_shown(PairOptions)
def compare_at(
    data: Any = None,
    scores: Any = None,
    *,
    threshold: Any = None,
    sensitivity: Any = None,
    specificity: Any = None,
    fpr: Any = None,
    alarms: Any = None,
    prevalence: float | None = None,
    costs: Costs | None = None,
    metrics: Mapping[str, OwnMetric] | None = None,
    interpolate: bool = True,
    level: float = 0.95,
    n_resamples: int = 2000,
    rng: Any = None,
    progress: bool | Report | None = None,
    **given: Unpack[PairOptions],
) -> PointsComparison:
    """Compare two models on the same rows at thresholds or at points of their ROC curves.

    Every measure of `at` is compared: sensitivity, specificity, predictive values, likelihood
    ratios, accuracy, F1 and cost. Give exactly one of `threshold`, `sensitivity`, `specificity`,
    `fpr` and `alarms`.

    Parameters
    ----------
    threshold : float or sequence of float, optional
        Thresholds, the same for both models.
    sensitivity : float or sequence of float, optional
        Points of both curves with this sensitivity.
    specificity : float or sequence of float, optional
        Points of both curves with this specificity.
    fpr : float or sequence of float, optional
        Points of both curves with this false positive rate.
    alarms : float or sequence of float, optional
        Points with this number (below 1: this proportion) of positive predictions.
    prevalence : float, optional
        Prevalence in the target population; that of the data by default.
    costs : Costs, optional
        Also compare the expected cost per case.
    metrics : dict of str to callable, optional
        Further measures, functions of the arrays (tp, fp, fn, tn).
    interpolate : bool, default True
        Whether points may lie between two thresholds, as in `at`.
    level : float, default 0.95
        Confidence level.
    n_resamples : int, default 2000
        Number of bootstrap resamples.
    rng : int, numpy.random.Generator or None, optional
        Seed or random generator; None draws a seed, which the result reports.
    progress : bool or callable, optional
        Whether to show progress, or a function that receives the completed fraction. By default
        a line is shown in a terminal.

    Returns
    -------
    PointsComparison
        Result with `table`: one row per point and measure, with both values, `difference`, `low`,
        `high`, `p_value` and `method`.

    See Also
    --------
    at : Sensitivity, specificity, PPV and NPV at an operating point.
    compare : Test and interval for the difference of AUCs.
    inference.tango_interval : Interval for a difference of paired proportions.

    Notes
    -----
    At fixed thresholds sensitivities and specificities have Tango's interval [1]_ and McNemar's
    test. Everything else uses the paired bootstrap, which recomputes the points in each resample,
    and Student's t [2]_ with one degree of freedom fewer than the effective number of cases (or
    clusters) in the smaller class; where no resample differs, the exact sign test [3]_.

    References
    ----------
    .. [1] T. Tango, "Equivalence test and confidence interval for the difference in proportions
           for the paired-sample design", Stat. Med. 17, 1998, 891-908.
    .. [2] B. Efron and R. J. Tibshirani, An Introduction to the Bootstrap, Chapman & Hall, 1993.
    .. [3] W. J. Dixon and A. M. Mood, "The statistical sign test", J. Am. Stat. Assoc. 41, 1946,
           557-566.

    Examples
    --------
    >>> import rocwise as rw
    >>> y_true = [0, 0, 0, 0, 1, 1, 1, 1]
    >>> scores = {"a": [1, 2, 3, 5, 4, 6, 7, 8], "b": [1, 3, 2, 6, 5, 4, 7, 8]}
    >>> result = rw.compare_at(y_true, scores, threshold=4, rng=1)
    >>> result.table["measure"][:2].tolist(), result.table["difference"][:2].tolist()
    (['sensitivity', 'specificity'], [0.0, 0.0])
    >>> ax = result.plot()
    """
    pairs = as_pairs("compare_at", data, scores, given)
    if len(pairs.names) != 2:
        raise InputError(
            f"`compare_at` compares two models; got {len(pairs.names)}. Pass two of them, e.g. "
            "pairs.select([first, second])."
        )
    for name in pairs.names:
        if name in COLUMNS:
            raise InputError(
                f"a model cannot be called {name!r}, which is a column of the table: rename it, "
                "e.g. with pairs.renamed."
            )
    axes = (threshold, sensitivity, specificity, fpr, alarms)
    spec = point_spec("compare_at", axes, interpolate)
    tallies = [pairs.tally(name) for name in pairs.names]
    first = tallies[0]
    smaller = smaller_class("compare_at", first)
    plan = point_measures(spec, first, prevalence, costs, metrics)
    level = checks.level(level)
    cells = 2 * len(spec.values) * len(plan.names)
    n_resamples = checks.draws(n_resamples, rng, progress, at_least=2, cells=cells)
    seed = checks.seed(rng)
    values = np.concatenate([plan.of_counts(t)(t.pos[None, :], t.neg[None, :]) for t in tallies])
    draws = paired_replicates(pairs, plan, n_resamples, seed, progress)
    found = _differences(pairs, spec, plan, values, draws, smaller, level)
    return PointsComparison(
        axis=spec.axis,
        estimand=spec.estimand,
        names=pairs.names,
        table=found,
        level=level,
        n_pos=first.n_pos,
        n_neg=first.n_neg,
        seed=seed,
        n_resamples=n_resamples,
        origin=pairs.origin,
    )


def _differences(
    pairs: Pairs,
    spec: PointSpec,
    plan: PointMeasures,
    values: Floats,
    draws: Floats,
    smaller: float,
    level: float,
) -> Table:
    """Rows of all points and measures whose difference is a number."""
    difference, error = _estimated(values, draws)
    words = resampling_words(pairs.tally(pairs.names[0]), "paired bootstrap")
    method = np.where(error > 0, f"{words}, t distribution", "sign test").astype(object)
    most = np.array([1.0 if name in PROPORTIONS else np.inf for name in plan.names])[:, None]
    reach, p = _by_t(difference, error, smaller, level, most)
    low, high = np.maximum(difference - reach, -most), np.minimum(difference + reach, most)
    if spec.axis == "threshold" and not (pairs.weighted or pairs.clustered):
        for row, label in ((0, 1), (1, 0)):  # sensitivity among positives, specificity
            low[row], high[row], p[row] = _paired_proportions(pairs, spec, label, level)
            method[row] = "Tango, McNemar"
    names, points = plan.names, spec.values
    fixed = np.array([name == spec.given for name in names])
    kept = (np.isfinite(difference) & ~fixed[:, None]).T.ravel()
    columns: dict[str, Array] = {
        "requested": np.repeat(points, len(names)),
        "measure": np.tile(np.array(names), len(points)),
        pairs.names[0]: values[0].T.ravel(),
        pairs.names[1]: values[1].T.ravel(),
        "difference": difference.T.ravel(),
        "low": low.T.ravel(),
        "high": high.T.ravel(),
        "p_value": p.T.ravel(),
        "method": method.T.ravel().astype(str),
    }
    return Table({name: column[kept] for name, column in columns.items()})


def _estimated(values: Floats, draws: Floats) -> tuple[Floats, Floats]:
    """Differences and their standard errors, both 0 where they are rounding."""
    with np.errstate(invalid="ignore"):  # infinite ratios have no difference
        difference = values[0] - values[1]
        differences = draws[:, 0] - draws[:, 1]
    differences = np.where(np.isfinite(differences), differences, np.nan)
    differences[:, np.isnan(differences).sum(axis=0) > len(differences) - 2] = (
        0.0  # hardly ever defined
    )
    noise, error = ROUNDING * np.abs(values).max(axis=0), np.nanstd(differences, axis=0, ddof=1)
    with np.errstate(invalid="ignore"):
        difference = np.where(np.abs(difference) > noise, difference, 0.0 * difference)
    return difference, np.where(error > noise, error, 0.0)


def _by_t(
    difference: Floats, error: Floats, smaller: float, level: float, most: Floats
) -> tuple[Floats, Floats]:
    """How far limits reach, and p values: Student's, or without error those of the sign test."""
    from scipy.special import stdtr

    none = error == 0
    with np.errstate(divide="ignore", invalid="ignore"):
        p = 2 * stdtr(smaller - 1, -np.abs(difference / error))
    by_signs = np.where(difference == 0, 1.0, min(1.0, 2 * 0.5**smaller))
    reach = np.where(none, sign_reach(difference, smaller, (1 - level) / 2, most), 0.0)
    return reach + Reference(smaller - 1).quantile(level) * error, np.where(none, by_signs, p)


def _paired_proportions(
    pairs: Pairs, spec: PointSpec, label: int, level: float
) -> tuple[Floats, Floats, Floats]:
    """Limits and p values of the difference of two proportions of the same cases."""
    from scipy.special import ndtr

    right = []
    for name in pairs.names:
        places = vertices_of_thresholds(pairs.tally(name), spec)
        position = score_positions(pairs, name)[pairs.mask == label]
        called = position < places[:, None]
        right.append(called if label else ~called)
    n = float(len(position))
    b, c = ((one & ~other).sum(axis=1).astype(float) for one, other in (right, right[::-1]))
    low, high = tango_limits(b, c, n, normal_quantile(level))
    return low, high, np.asarray(2 * ndtr(-np.abs(tango_statistic(b, c, n, 0.0))))
