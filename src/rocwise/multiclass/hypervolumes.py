"""HUM: whether a set with one case of each class is labeled right as a whole."""

import math
from typing import Any, Literal, Unpack, get_args

import numpy as np

from rocwise import checks, printing
from rocwise.arrays import Flags, Floats, Places
from rocwise.errors import InputError
from rocwise.inputs.coercion import ClassOptions, as_class_rows, options_shown
from rocwise.multiclass.curves import present_classes, with_weight
from rocwise.progress import Report, reporter
from rocwise.results import Interval, Number, Result, result

LabellingRule = Literal["sum", "product", "euclid"]
MOST_TUPLES = 10_000_000
MOST_DRAWN = 100_000_000  # their error is below 5e-5; more would take hours
CHUNK = 20_000  # tuples at a time
SMALLEST = 1e-300  # what a score of 0 counts as under rule="product"


@result
class Hum(Number, Result):
    """Proportion of sets with one case per class whose best labeling is the true one."""

    value: float
    standard_error: float
    rule: str
    n_tuples: int
    exact: bool
    chance: float
    sizes: tuple[int, ...]
    names: tuple[str, ...]
    seed: int | None = None

    @property
    def interval(self) -> Interval | None:
        """What the number of tuples drawn leaves open; None where all were counted."""
        reach = 1.96 * self.standard_error
        limits = self.value - reach, self.value + reach
        return None if self.exact else Interval(*limits, method="normal, of the draws")

    def _sentence(self) -> str:
        tuples = f"{printing.count(self.n_tuples)} tuples"
        how = f"all {tuples}" if self.exact else f"{tuples} drawn, error {self.standard_error:.2g}"
        return (
            f"HUM {self.value:.3f} ({how}); rule {self.rule!r}; chance {self.chance:.3g}; "
            f"{len(self.sizes)} classes"
        )


@options_shown(ClassOptions)
def hum(
    y_true: Any,
    y_score: Any = None,
    *,
    rule: LabellingRule = "sum",
    n_tuples: int | None = None,
    rng: Any = None,
    progress: bool | Report | None = None,
    **given: Unpack[ClassOptions],
) -> Hum:
    """Compute the hypervolume under the ROC manifold (HUM).

    HUM is the probability that, for one random case of each class, the true assignment of the m
    labels has the highest score of all m! assignments [1]_; t tied assignments count 1/t. Its value
    by chance is 1/m!.

    Parameters
    ----------
    y_true : array-like of shape (n,)
        Labels, as in `multiclass.auc`.
    y_score : array-like of shape (n, m)
        Class probabilities, or other finite scores of at least 0.
    rule : {"sum", "product", "euclid"}, default "sum"
        Score of an assignment: sum or product of the scores of the labels, or minus the sum of the
        distances to the corners of the labels.
    n_tuples : int, optional
        Number of random tuples, in place of all; needed if there are more than 10 million.
    rng : int, numpy.random.Generator or None, optional
        Seed or random generator of the tuples.
    progress : bool or callable, optional
        Whether to show progress, or a function that receives the completed fraction. By default
        a line is shown in a terminal.

    Returns
    -------
    Hum
        Result with `value` and `standard_error` (of the random tuples; 0 for all tuples).

    See Also
    --------
    multiclass.auc : AUC of several classes.
    ordinal.auc : Volume under the ROC surface and other ordinal AUCs.

    References
    ----------
    .. [1] S. Dreiseitl, L. Ohno-Machado and M. Binder, "Comparing three-class diagnostic tests by
           three-way ROC analysis", Med. Decis. Making 20, 2000. doi:10.1177/0272989X0002000309

    Examples
    --------
    >>> import rocwise as rw
    >>> y_score = [[0.7, 0.2, 0.1], [0.3, 0.5, 0.2], [0.3, 0.5, 0.2], [0.2, 0.3, 0.5]]
    >>> rw.multiclass.hum([0, 0, 1, 2], y_score)
    HUM 0.750 (all 2 tuples); rule 'sum'; chance 0.167; 3 classes
    """
    rows = as_class_rows(y_true, y_score, nonnegative=True, **given)
    checks.one_of(rule, "rule", get_args(LabellingRule))
    checks.generator(rng)
    checks.reported(progress)
    rows = with_weight(rows)
    present_classes(rows, ignore_absent=None)
    groups = [np.flatnonzero(rows.labels == k) for k in range(rows.n_classes)]
    table = _scores(rows.scores, rule)
    possible = math.prod(len(group) for group in groups)
    seed, counted = None, possible
    if n_tuples is None:
        if possible > MOST_TUPLES:
            raise InputError(
                f"there are {possible:,} tuples with one case of each class, more than "
                f"{MOST_TUPLES:,}. Pass n_tuples=, e.g. n_tuples=1_000_000, to draw some of them."
            )
    else:
        counted = checks.whole(n_tuples, "n_tuples", at_least=2, at_most=MOST_DRAWN)
        seed = checks.seed(rng)
    report = reporter(progress, "HUM")
    value, error = _mean_credit(table, groups, rows.weights, counted, seed, report)
    return Hum(
        value=value,
        standard_error=error,
        rule=rule,
        n_tuples=counted,
        exact=n_tuples is None,
        chance=1 / math.factorial(rows.n_classes),
        sizes=tuple(len(group) for group in groups),
        names=rows.class_names,
        seed=seed,
        origin=rows.origin,
    )


def _scores(scores: Floats, rule: str) -> Floats:
    """What each row adds to the score of a labeling that gives it each label."""
    if rule == "sum":
        return scores
    if rule == "product":
        return np.asarray(np.log(np.maximum(scores, SMALLEST)))
    with np.errstate(over="ignore"):
        squares = (scores**2).sum(axis=1, keepdims=True)
    if not np.isfinite(squares).all():
        raise InputError(
            f"`y_score` has scores up to {scores.max():.3g}, too large to be squared by "
            'rule="euclid", a distance from corners of the simplex: pass values up to 1.'
        )
    return np.asarray(-np.sqrt(np.maximum(squares - 2 * scores + 1, 0.0)))


def _mean_credit(
    table: Floats,
    groups: list[Places],
    weights: Floats | None,
    n_tuples: int,
    seed: int | None,
    report: Report,
) -> tuple[float, float]:
    """Mean credit of all tuples, or with a seed of random ones, and its standard error."""
    noise = 1e-12 * table.shape[1] * max(1.0, float(np.abs(table).max()))  # of sums of scores
    sums = np.zeros(3)
    for first in range(0, n_tuples, CHUNK):
        last = min(first + CHUNK, n_tuples)
        if seed is None:
            shape = tuple(len(group) for group in groups)
            places: Any = np.unravel_index(np.arange(first, last), shape)
        else:  # chunk b depends on (seed, b) alone
            rng = np.random.default_rng([seed, first // CHUNK])
            places = [_drawn_places(group, weights, last - first, rng) for group in groups]
        chosen = np.stack([group[p] for group, p in zip(groups, places, strict=True)])
        credits = tuple_credits(table, chosen, noise)
        mass = np.ones(len(credits))
        if weights is not None and seed is None:  # else they were drawn by their weights
            mass = np.prod(weights[chosen], axis=0)
        sums += (mass * credits).sum(), (mass * credits**2).sum(), mass.sum()
        report(last / n_tuples)
    mean = min(float(sums[0] / sums[2]), 1.0)
    if seed is None:
        return mean, 0.0
    variance = max(float(sums[1] - sums[0] * mean), 0.0) / (n_tuples - 1)
    return mean, math.sqrt(variance / n_tuples)


def _drawn_places(
    group: Places, weights: Floats | None, size: int, rng: np.random.Generator
) -> Places:
    """Random members of a group; by weight, where numbers below the sum of the weights fall."""
    if weights is None:
        return rng.integers(0, len(group), size)
    upto = np.cumsum(weights[group])
    found = np.searchsorted(upto, rng.random(size) * upto[-1], side="right")
    return np.asarray(np.minimum(found, len(upto) - 1))


def tuple_credits(table: Floats, chosen: Places, noise: float) -> Floats:
    """The credit of each tuple: 1 if its true labeling is best alone, 1/t if t tie, else 0.

    Another labeling is a set of cycles along which labels are passed on; the true one is best
    unless some cycle gains. Longest paths (Floyd and Warshall) find that without trying all m!
    labellings; those that tie take only steps on cycles without gain. `chosen` has the
    row of each class (line) in every tuple; a gain counts if it is larger than `noise`.
    """
    m = len(chosen)
    # gains[k, l]: what the case of class k gains by the label l, for all tuples in a row
    scores = np.take(table, chosen, axis=0).transpose(0, 2, 1)
    gains = scores - scores[np.arange(m), np.arange(m)][:, None]
    paths = gains
    for via in range(m):
        paths = np.maximum(paths, paths[:, via, None] + paths[None, via, :])
    own = np.arange(m)
    best = paths[own, own].max(axis=0) <= noise
    earned: Floats = best.astype(np.float64)
    tight = gains + paths.transpose(1, 0, 2) >= -noise
    tight[own, own] = False
    shared = np.flatnonzero(best & tight.any(axis=(0, 1)))
    if len(shared):
        tight[own, own] = True
        flat = tight[:, :, shared].reshape(m * m, -1)
        patterns, place = np.unique(flat, axis=1, return_inverse=True)
        counts = np.array([labellings(pattern.reshape(m, m)) for pattern in patterns.T])
        earned[shared] = 1.0 / counts[place.ravel()]
    return earned


def labellings(allowed: Flags) -> int:
    """In how many ways every case gets a label of its own that it may have."""
    # one case after the other; the key is the set of labels that are taken
    ways = {0: 1}
    for labels in allowed:
        reached: dict[int, int] = {}
        for taken, count in ways.items():
            for label in np.flatnonzero(labels).tolist():
                if not taken >> label & 1:
                    key = taken | 1 << label
                    reached[key] = reached.get(key, 0) + count
        ways = reached
    return ways[(1 << len(allowed)) - 1]
