"""The ROC curve that assumed distributions of the two classes predict."""

import math
from collections.abc import Sequence
from dataclasses import field
from itertools import pairwise
from typing import Any, ClassVar, Literal, TypeGuard, get_args

import numpy as np

from rocwise import checks
from rocwise.arrays import Floats
from rocwise.binary.densities import Density, GaussianMixture, ScipyDensity, density_of, widths_of
from rocwise.errors import InputError, ends_traceback
from rocwise.inputs.coercion import Direction
from rocwise.results import ASIDE, Number, Result, result

DirectionOrAuto = Literal["higher", "lower", "auto"]
ACCURACY = 1e-9


@ends_traceback
def predict_roc(
    negative: Any,
    positive: Any,
    *,
    bandwidth: Sequence[float | None] | None = None,
    direction: DirectionOrAuto = "higher",
    weight: float = 0.5,
) -> "PredictedRoc":
    """Compute the ROC curve, AUC and best threshold of two given distributions.

    Parameters
    ----------
    negative : tuple, distribution or array-like
        Negative class: (mean, standard deviation) of a normal distribution, a frozen distribution
        of scipy, a result of `fit_distribution`, or a sample, for a Gaussian kernel density
        estimate.
    positive : tuple, distribution or array-like
        Positive class, likewise.
    bandwidth : (float, float), optional
        Bandwidths of the kernels (negative, positive); by default Silverman's rule.
    direction : {"higher", "lower", "auto"}, default "higher"
        Which scores mean positive; "auto" selects the one with an AUC of at least 0.5.
    weight : float, default 0.5
        Weight of the sensitivity in Ameans; that of the specificity is ``1 - weight``.

    Returns
    -------
    PredictedRoc
        Result with `fpr`, `tpr`, `thresholds`, `auc`, `ameans` (weighted mean of sensitivity and
        specificity), `best_threshold`, `max_ameans`, `crossings`, `direction`, and `binormal`,
        the pair (a, b) that `sample_size` accepts.

    See Also
    --------
    fit_distribution : Maximum likelihood fit of a distribution.
    binormal : Maximum likelihood fit of the binormal ROC curve.
    smooth_roc : Smooth ROC curve (smROC).
    sample_size : Sample size for a test of AUCs.

    Notes
    -----
    After Timotius [1]_; the best threshold for a negative class with the larger variance is
    corrected.

    References
    ----------
    .. [1] I. K. Timotius, "Predicting receiver operating characteristic curve, area under curve,
           and arithmetic means of accuracies based on the distribution of data samples", 2014.

    Examples
    --------
    >>> import rocwise as rw
    >>> predicted = rw.predict_roc((4, 3), (8, 2))
    >>> round(predicted.auc, 4), round(predicted.best_threshold, 4)
    (0.8664, 5.8261)
    >>> ax = predicted.plot()
    """
    # (2.1 to 2.13)
    checks.one_of(direction, "direction", get_args(DirectionOrAuto))
    weight = checks.rate(weight, "weight")
    widths = widths_of(bandwidth)
    classes = (
        density_of(negative, widths[0], "negative"),
        density_of(positive, widths[1], "positive"),
    )
    area = predicted_area(*classes)
    if direction == "auto":
        direction = "higher" if area >= 0.5 else "lower"
    return _curve(classes, area, direction, weight)


@result
class PredictedRoc(Number, Result):
    """ROC curve of two distributions, with its best threshold.

    A case is predicted positive when its score lies beyond the threshold; `ameans` is the mean of
    sensitivity and specificity at each threshold, with `weight` for the sensitivity; `crossings`
    are where the densities, times these weights, cross.
    """

    frame_fields: ClassVar[tuple[str, ...]] = ("fpr", "tpr", "thresholds", "ameans")
    fpr: Floats
    tpr: Floats
    thresholds: Floats
    ameans: Floats
    auc: float
    best_threshold: float
    max_ameans: float
    crossings: Floats
    direction: Direction
    weight: float
    negative: str
    positive: str
    binormal: tuple[float, float] | None = None
    classes: tuple[Density, Density] | None = field(default=None, metadata=ASIDE)

    def densities(self, n_points: int = 401) -> tuple[Floats, Floats, Floats]:
        """Scores, and the densities of negatives and of positives there."""
        if self.classes is None:
            raise InputError("this curve does not contain its distributions.")
        ends = np.concatenate([each.grid()[[0, -1]] for each in self.classes])
        scores = np.linspace(ends.min(), ends.max(), checks.size(n_points, "n_points", at_least=2))
        negative, positive = (each.pdf(scores) for each in self.classes)
        return scores, negative, positive

    def panels(self) -> dict[str, Any]:
        """The densities and the curve that they predict."""
        return {"Densities": ClassDensities(curve=self), "Predicted curve": self}

    def __float__(self) -> float:
        return self.auc

    @property
    def best_point(self) -> tuple[float, float]:
        """False and true positive rate where the mean of sensitivity and specificity is largest."""
        best = int(np.argmax(self.ameans))
        return float(self.fpr[best]), float(self.tpr[best])

    def _sentence(self) -> str:
        sign = ">" if self.direction == "higher" else "<"
        mean = "mean" if self.weight == 0.5 else f"mean (weights {self.weight:g}, "
        mean += "" if self.weight == 0.5 else f"{1 - self.weight:g})"
        best = (
            f"best threshold score {sign} {self.best_threshold:.4g} with {mean} of sensitivity and "
            f"specificity {self.max_ameans:.3f}"
            if math.isfinite(self.best_threshold)
            else "no threshold beats chance in this direction"
        )
        return f"predicted AUC {self.auc:.3f}; {best}; {self.negative} against {self.positive}"


@result
class ClassDensities(Result):
    """Distributions of both classes and the best threshold."""

    curve: PredictedRoc

    def _sentence(self) -> str:
        return f"densities of {self.curve.negative} and {self.curve.positive}"


def _curve(
    classes: tuple[Density, Density], area: float, direction: Direction, weight: float
) -> PredictedRoc:
    """Where lower scores mean positive, the curve of the exchanged classes, reflected."""
    lower = direction == "lower"
    pair, above = (classes[::-1], 1 - weight) if lower else (classes, weight)
    crossings, best, ameans = _best(*pair, above)
    inner = np.unique(np.concatenate([*(each.grid() for each in classes), crossings]))[::-1]
    along = [_between(0.0, np.maximum.accumulate(each.sf(inner)), 1.0) for each in classes]
    means = ameans_at(*pair, inner, above)
    along += [_between(np.inf, inner, -np.inf), _between(1 - above, means, above)]
    if lower:
        along = [1 - along[0], 1 - along[1], *along[2:]]
        best = best if math.isfinite(best) else -best
    fpr, tpr, thresholds, means = (column[::-1] if lower else column for column in along)
    return PredictedRoc(
        fpr=fpr,
        tpr=tpr,
        thresholds=thresholds,
        ameans=means,
        auc=1 - area if lower else area,
        best_threshold=best,
        max_ameans=ameans,
        crossings=np.sort(crossings),
        direction=direction,
        weight=weight,
        negative=classes[0].description(),
        positive=classes[1].description(),
        binormal=_binormal(*classes, sign=-1 if lower else 1),
        classes=classes,
    )


def _between(first: float, inner: Floats, last: float) -> Floats:
    return np.concatenate([[first], inner, [last]])


def _best(negative: Density, positive: Density, weight: float) -> tuple[Floats, float, float]:
    """Crossings of the densities, the best threshold and its Ameans; exact for normal ones."""
    if _is_normal(negative) and _is_normal(positive) and weight == 0.5:
        return normal_crossings(negative, positive), *best_of_normals(negative, positive)
    crossings = all_crossings(negative, positive, weight)
    return crossings, *best_of(negative, positive, crossings, weight)


def _is_normal(density: Density) -> TypeGuard[GaussianMixture]:
    return isinstance(density, GaussianMixture) and len(density.centers) == 1


def _binormal(negative: Density, positive: Density, sign: int) -> tuple[float, float] | None:
    if not (_is_normal(negative) and _is_normal(positive)):
        return None
    difference = sign * float(positive.centers[0] - negative.centers[0])
    return difference / positive.width, negative.width / positive.width


def predicted_area(negative: Density, positive: Density) -> float:
    """The area: a closed form for Gaussians and kernels (2.5, 2.13), else quadrature (2.3)."""
    if isinstance(negative, GaussianMixture) and isinstance(positive, GaussianMixture):
        # the mean of Phi over all pairs of centers: a mixture of the joint width
        width = math.hypot(negative.width, positive.width)
        joint = GaussianMixture(negative.centers, width, negative.name)
        return min(float(joint.cdf(positive.centers).mean()), 1.0)
    if isinstance(positive, ScipyDensity):
        return _integral(positive, negative.cdf, negative)
    assert isinstance(negative, ScipyDensity)
    return _integral(negative, positive.sf, positive)


def _integral(over: ScipyDensity, function: Any, other: Density) -> float:
    """The mean of a function over a distribution: an integral over its quantiles, cut at turns."""
    from scipy.integrate import quad

    places = other.grid()
    steps = over.cdf(places[:: max(1, len(places) // 16)])
    cuts = np.unique(np.concatenate([[0.0, 1.0], np.linspace(0, 1, 9), steps]))
    cuts = cuts[np.append(True, np.diff(cuts) > 1e-14)]
    total = error = 0.0
    for low, high in pairwise(cuts.tolist()):
        part, part_error = quad(
            lambda q: float(function(np.asarray(over.ppf(np.asarray(q))))),
            low,
            high,
            epsabs=1e-12,
            epsrel=1e-11,
            limit=200,
        )
        total, error = total + part, error + part_error
    if error > ACCURACY:
        raise InputError(
            f"the AUC of these distributions could only be integrated to {error:.1g}; "
            "pass samples of them instead."
        )
    return float(min(max(total, 0.0), 1.0))


def ameans_at(
    negative: Density, positive: Density, thresholds: Floats, weight: float = 0.5
) -> Floats:
    """The mean of sensitivity, with its weight, and specificity at each threshold (2.2)."""
    return (1 - weight) * negative.cdf(thresholds) + weight * positive.sf(thresholds)


def best_of(
    negative: Density, positive: Density, crossings: Floats, weight: float = 0.5
) -> tuple[float, float]:
    """The crossing with the largest Ameans, the lowest one among equals; infinity at chance."""
    chance = max(weight, 1 - weight)
    ameans = ameans_at(negative, positive, crossings, weight)
    best = float(ameans.max(initial=chance))
    if best <= chance:
        return (math.inf if weight <= 0.5 else -math.inf), chance
    return float(crossings[np.flatnonzero(ameans >= best - 1e-15)[0]]), best


def best_of_normals(negative: GaussianMixture, positive: GaussianMixture) -> tuple[float, float]:
    """The best threshold in closed form, also where its gain over chance rounds to nothing."""
    crossings = normal_crossings(negative, positive)
    if negative.width == positive.width and positive.centers[0] <= negative.centers[0]:
        return math.inf, 0.5
    ameans = float(ameans_at(negative, positive, crossings[:1])[0])
    if ameans < 0.5 - 1e-12:  # floats are too coarse to hold the crossing
        return math.inf, 0.5
    return float(crossings[0]), max(ameans, 0.5)


def normal_crossings(negative: GaussianMixture, positive: GaussianMixture) -> Floats:
    """Both roots of f_N = f_P, the best threshold first (2.6 to 2.12), without cancellation."""
    narrow, wide = sorted((negative, positive), key=lambda density: density.width)
    start = float(narrow.centers[0])
    distance = float(wide.centers[0]) - start
    if narrow.width == wide.width:
        return np.array([] if distance == 0 else [start + distance / 2])
    unit = max(wide.width, abs(distance))
    d, s_0, s_1 = distance / unit, narrow.width / unit, wide.width / unit
    log_ratio = math.log1p((wide.width - narrow.width) / narrow.width)
    root = math.sqrt(d * d + 2 * (s_1 - s_0) * (s_1 + s_0) * log_ratio)
    reach = abs(d) * s_0 + s_1 * root
    far = narrow.width / (wide.width - narrow.width) * (reach / (s_1 + s_0))
    near = s_0 * (d * d + 2 * s_1 * s_1 * log_ratio) / reach
    lower, upper = (-far, near) if d > 0 else (-near, far)
    best_first = [upper, lower] if narrow is negative else [lower, upper]
    found = start + unit * np.array(best_first)
    return np.asarray(found[np.isfinite(found)])


def all_crossings(negative: Density, positive: Density, weight: float = 0.5) -> Floats:
    """Every score where the weighted f_N - f_P changes its sign, on a fine grid and refined."""
    grid = np.unique(np.concatenate([negative.grid(), positive.grid()]))
    signs = _sign(negative, positive, grid, weight)
    known = np.flatnonzero(signs)
    change = np.flatnonzero(signs[known[1:]] != signs[known[:-1]])
    left = known[change]
    low, high = grid[left], grid[left + 1]
    before = signs[left]
    while True:  # halve every bracket at once until the floats are used up
        middle = low / 2 + high / 2
        open_ = (low < middle) & (middle < high)
        if not open_.any():
            return np.unique(high)
        stays = _sign(negative, positive, middle, weight) == before
        low = np.where(open_ & stays, middle, low)
        high = np.where(open_ & ~stays, middle, high)


def _sign(negative: Density, positive: Density, t: Floats, weight: float) -> Floats:
    below, above = (1 - weight) * negative.pdf(t), weight * positive.pdf(t)
    return np.asarray(np.where(below > above, 1.0, np.where(below < above, -1.0, 0.0)))
