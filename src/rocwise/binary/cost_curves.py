"""Cost curves: the least expected cost over all class proportions and costs, and the H-measure."""

from dataclasses import field
from typing import Any, ClassVar, Unpack

import numpy as np
from numpy.typing import ArrayLike

from rocwise import checks, printing
from rocwise.arrays import Array, Floats
from rocwise.binary.curve_bands import CostBand, LeastCosts, band_fields
from rocwise.binary.roc import RocHull, curve_points, hull, hull_of
from rocwise.data.tally import Tally
from rocwise.errors import InputError, count_of
from rocwise.inputs.coercion import TallyOptions, as_tally, by_group
from rocwise.progress import Report
from rocwise.results import ASIDE, Result, result


@by_group
def cost_curve(
    data: Any = None,
    y_score: Any = None,
    **given: Unpack[TallyOptions],
) -> "CostCurve":
    """Compute the cost curve of Drummond and Holte.

    The horizontal axis is the probability cost PC = p FN / (p FN + (1 - p) FP), for the prevalence
    p and the costs FN and FP of the two errors. The vertical axis is the normalized expected cost
    at the best threshold: the minimum of FNR PC + FPR (1 - PC) [1]_.

    Returns
    -------
    CostCurve
        Result with `probability_cost` and `cost`, the vertices of the lower envelope, and with
        `fpr`, `tpr` and `thresholds`, the best threshold between them.

    See Also
    --------
    decision_curve : Decision curve (net benefit).
    h_measure : Hand's H-measure.
    hull : Convex hull of the ROC curve.
    compare_curves : Difference of two cost curves or decision curves.

    References
    ----------
    .. [1] C. Drummond and R. C. Holte, "Cost curves: an improved method for visualizing classifier
           performance", Mach. Learn. 65, 2006. doi:10.1007/s10994-006-8199-5

    Examples
    --------
    >>> import rocwise as rw
    >>> curve = rw.cost_curve([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    >>> curve.probability_cost.round(3).tolist(), curve.cost.round(3).tolist()
    ([0.0, 0.5, 1.0], [0.0, 0.25, 0.0])
    >>> ax = curve.plot()
    """
    # (5.10)
    tally = as_tally("cost_curve", data, y_score, given)
    roc_hull = hull(tally)
    dx, dy = np.diff(roc_hull.fpr), np.diff(roc_hull.tpr)
    turns = dx / (dx + dy)  # where the lines of neighboring hull vertices cross
    where = np.concatenate([[0.0], turns, [1.0]])
    width = np.diff(where)
    kept = width > 0  # a vertical edge crosses at 0, a horizontal one at 1: no range of their own
    best = np.flatnonzero(kept)
    vertices = np.append(where[:-1][kept], 1.0)
    line = np.append(best, best[-1])
    cost = (1 - roc_hull.tpr[line]) * vertices + roc_hull.fpr[line] * (1 - vertices)
    cost[0] = cost[-1] = 0.0
    return CostCurve(
        probability_cost=vertices,
        cost=cost,
        fpr=roc_hull.fpr[best],
        tpr=roc_hull.tpr[best],
        thresholds=roc_hull.thresholds[best],
        area=float(np.trapezoid(cost, vertices)),
        data=tally,
        **tally.result_fields,
    )


@result
class CostCurve(Result):
    """The lower envelope of the cost lines of all thresholds (Drummond and Holte).

    `cost[k]` is the least normalized expected cost at `probability_cost[k]`; between vertices k
    and k + 1 the threshold `thresholds[k]` with rates `fpr[k]`, `tpr[k]` is best, and its line
    runs from `fpr[k]` at 0 to `1 - tpr[k]` at 1. A vertex here is an edge of the ROC hull, and a
    line here is a vertex there: `lines()` gives those of all ROC points, `hull()` leads back.
    """

    frame_fields: ClassVar[tuple[str, ...]] = ("probability_cost", "cost")
    probability_cost: Floats
    cost: Floats
    fpr: Floats
    tpr: Floats
    thresholds: Array
    area: float
    n_pos: float
    n_neg: float
    data: Tally = field(metadata=ASIDE)

    def at(self, probability_cost: ArrayLike) -> Floats:
        """The least cost at any probability cost from 0 to 1."""
        return np.interp(
            checks.rates(probability_cost, "probability_cost"), self.probability_cost, self.cost
        )

    def lines(self) -> "CostLines":
        """The cost line of every ROC point, the trivial classifiers too; the curve is their least.

        They are the lines of all thresholds, "always negative" first and "always positive" last.
        """
        fpr, tpr, thresholds, _ = curve_points(self.data)
        return CostLines(
            fpr=fpr,
            tpr=tpr,
            at_zero=fpr,
            at_one=1 - tpr,
            thresholds=thresholds,
            origin=self.origin,
        )

    def hull(self) -> RocHull:
        """The ROC convex hull of the curve: each cost line is a vertex."""
        return hull_of(self.data)

    def band(
        self,
        *,
        grid: int = 101,
        level: float = 0.95,
        n_resamples: int = 1000,
        rng: Any = None,
        progress: bool | Report | None = None,
    ) -> CostBand:
        """Pointwise bootstrap limits of the curve.

        Parameters
        ----------
        grid : int, default 101
            Number of probability costs from 0 to 1.
        level : float, default 0.95
            Confidence level of the pointwise limits.
        n_resamples : int, default 1000
            Number of bootstrap resamples, in each of which the best threshold is recomputed.
        rng : int, numpy.random.Generator or None, optional
            Seed or random generator; None draws a seed, which the result reports.
        progress : bool or callable, optional
            Whether to show the progress of resamples, or a function of the fraction done.

        Returns
        -------
        CostBand
            With `probability_cost`, `cost`, `lower`, `upper`.

        Examples
        --------
        >>> import rocwise as rw
        >>> heart = rw.datasets.heart_disease()
        >>> band = rw.cost_curve(heart["disease"], heart["exercise"]).band(n_resamples=50, rng=1)
        >>> [limits[[25, 50]].round(3).tolist() for limits in (band.lower, band.upper)]
        [[0.14, 0.175], [0.178, 0.225]]
        """
        statistic = LeastCosts.on_grid(grid)
        fields = band_fields(
            self.data, statistic, level=level, n_resamples=n_resamples, rng=rng, progress=progress
        )
        return CostBand(probability_cost=statistic.x, cost=statistic.of(self.data), **fields)

    def trivial(self) -> Floats:
        """What the better of 'always positive' and 'always negative' costs at each vertex."""
        return np.minimum(self.probability_cost, 1 - self.probability_cost)

    def useful_range(self) -> tuple[float, float]:
        """Between these probability costs some threshold beats both trivial classifiers."""
        never_alarms = self.fpr[0] == 0 and self.tpr[0] == 0
        always_alarms = self.fpr[-1] == 1 and self.tpr[-1] == 1
        low = float(self.probability_cost[1]) if never_alarms else 0.0
        high = float(self.probability_cost[-2]) if always_alarms else 1.0
        return low, high

    def _sentence(self) -> str:
        low, high = self.useful_range()
        useful = (
            "no threshold beats the trivial classifiers"
            if low >= high
            else f"better than the trivial classifiers from {low:.3f} to {high:.3f}"
        )
        return (
            f"cost curve with {printing.count(len(self.cost))} vertices, area {self.area:.3f}; "
            f"{useful}; {printing.classes(self.n_pos, self.n_neg)}"
        )


@by_group
def h_measure(
    data: Any = None,
    y_score: Any = None,
    *,
    severity: float | None = None,
    **given: Unpack[TallyOptions],
) -> float:
    """Compute Hand's H-measure.

    The cost ratio c (false positives c, false negatives 1 - c) has the distribution
    Beta(2, 1 + 1/severity), with mode severity / (1 + severity). H is one minus the ratio of the
    expected minimal loss to that of the better trivial classifier [1]_ [2]_.

    Parameters
    ----------
    severity : float, optional
        Most probable ratio of the cost of a false positive to that of a false negative; by default
        n_pos / n_neg.

    Returns
    -------
    float
        H-measure: 0 for scores without information, 1 for a perfect ranking.

    See Also
    --------
    auc : AUC with a confidence interval.
    cost_curve : Cost curve.

    References
    ----------
    .. [1] D. J. Hand, "Measuring classifier performance: a coherent alternative to the area under
           the ROC curve", Mach. Learn. 77, 2009. doi:10.1007/s10994-009-5119-5
    .. [2] D. J. Hand and C. Anagnostopoulos, "A better Beta for the H measure of classification
           performance", Pattern Recognit. Lett. 40, 2014. doi:10.1016/j.patrec.2013.12.011

    Examples
    --------
    >>> import rocwise as rw
    >>> round(rw.h_measure([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]), 4)
    0.5
    """
    tally = as_tally("h_measure", data, y_score, given)
    ratio = float(tally.n_pos) / float(tally.n_neg)
    if severity is not None:
        # beyond these limits the distribution of costs is a single point
        ratio = checks.within(checks.positive(severity, "severity"), "severity", 1e-9, 1e9)
    shapes = 2.0, 1 + 1 / ratio
    roc_hull = hull_of(tally)
    # neither is 1 less the other: a class may weigh too little for that
    priors = tuple(float(n) / float(tally.n_pos + tally.n_neg) for n in (tally.n_neg, tally.n_pos))
    loss = _expected_loss(roc_hull.fpr, roc_hull.tpr, priors, shapes)
    ends = np.array([0.0, 1.0])
    return float(1 - loss / _expected_loss(ends, ends, priors, shapes))


def _expected_loss(
    fpr: Floats, tpr: Floats, priors: tuple[float, ...], shapes: tuple[float, float]
) -> float:
    """The mean of the least c q FPR + (1 - c) p FNR on the hull: priors q, p; c ~ Beta(shapes)."""
    from scipy.special import betainc

    a, b = shapes
    of_neg, of_pos = priors
    dx, dy = of_neg * np.diff(fpr), of_pos * np.diff(tpr)
    turns = np.concatenate([[1.0], dy / (dx + dy), [0.0]])  # falling along the hull
    mean = a / (a + b)
    of_false_alarms = -np.diff(betainc(a + 1, b, turns)) * mean
    of_misses = -np.diff(betainc(a, b + 1, turns)) * (1 - mean)
    return float(of_neg * (fpr @ of_false_alarms) + of_pos * ((1 - tpr) @ of_misses))


def cost_lines(fpr: ArrayLike, tpr: ArrayLike) -> "CostLines":
    """Compute the cost line of each ROC point, from (0, FPR) to (1, 1 - TPR).

    Parameters
    ----------
    fpr : float or sequence of float
        False positive rates; (0, 0) is the classifier that always predicts negative.
    tpr : float or sequence of float
        True positive rates; (1, 1) is the classifier that always predicts positive.

    Returns
    -------
    CostLines
        Result with `at_zero`, `at_one` and the method ``at(probability_cost)``.

    See Also
    --------
    cost_curve : Cost curve.
    binary.roc_points : ROC points of cost lines.

    Examples
    --------
    >>> from rocwise.binary import cost_lines
    >>> line = cost_lines(0.2, 0.7)
    >>> line.at_zero.tolist(), line.at_one.round(6).tolist(), line.at(0.5).round(6).tolist()
    ([0.2], [0.3], [0.25])
    >>> ax = line.plot()
    """
    alarms, hits = _rates(fpr, tpr, ("fpr", "tpr"))
    return CostLines(fpr=alarms, tpr=hits, at_zero=alarms, at_one=1 - hits)


@result
class CostLines(Result):
    """The cost lines of ROC points: line k runs from `at_zero[k]` to `at_one[k]`.

    `at_zero` is the cost at probability cost 0, which is `fpr`;
    `at_one` that at probability cost 1, 1 - `tpr`. `thresholds` is None for points that
    were given as rates.
    """

    fpr: Floats
    tpr: Floats
    at_zero: Floats
    at_one: Floats
    thresholds: Array | None = None

    def at(self, probability_cost: ArrayLike) -> Floats:
        """Costs at these probability costs: one row per line."""
        places = checks.rates(probability_cost, "probability_cost")
        return np.asarray(np.multiply.outer(self.at_zero, 1 - places)) + np.multiply.outer(
            self.at_one, places
        )

    def _sentence(self) -> str:
        return f"{count_of(len(self.fpr), 'cost line')}, one for each ROC point"


def roc_points(at_zero: ArrayLike, at_one: ArrayLike) -> tuple[Floats, Floats]:
    """Compute the ROC points of cost lines.

    Parameters
    ----------
    at_zero : float or sequence of float
        Cost of each line at probability cost 0.
    at_one : float or sequence of float
        Cost of each line at probability cost 1.

    Returns
    -------
    fpr : ndarray
        False positive rates.
    tpr : ndarray
        True positive rates.

    See Also
    --------
    binary.cost_lines : Cost lines of ROC points.
    cost_curve : Cost curve.

    Examples
    --------
    >>> from rocwise.binary import roc_points
    >>> fpr, tpr = roc_points(0.2, 0.3)
    >>> fpr.tolist(), tpr.tolist()
    ([0.2], [0.7])
    """
    start, end = _rates(at_zero, at_one, ("at_zero", "at_one"))
    return start, 1 - end


def _rates(first: ArrayLike, second: ArrayLike, names: tuple[str, str]) -> tuple[Floats, Floats]:
    one, other = (
        np.atleast_1d(checks.rates(values, name, most=1))
        for values, name in zip((first, second), names, strict=True)
    )
    if not len(one) and not len(other):
        raise InputError(f"`{names[0]}` and `{names[1]}` are empty; at least one is needed.")
    if len(one) != len(other):
        raise InputError(
            f"`{names[0]}` and `{names[1]}` must have one length; got "
            f"{printing.count(len(one))} and {printing.count(len(other))}."
        )
    return one, other
