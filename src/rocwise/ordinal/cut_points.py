"""Where to cut a score into ordered classes so that the expected cost is least."""

from typing import Any, Unpack

import numpy as np

from rocwise import printing
from rocwise.arrays import Array, Floats, Integers, Places
from rocwise.costs import class_priors, cost_matrix
from rocwise.data.rankings import Ranking
from rocwise.errors import InputError, listed, shown
from rocwise.inputs.coercion import RankingOptions, as_ranking, options_shown
from rocwise.ordinal.measures import OrderedResult
from rocwise.results import result

NEVER = "never"


@result
class OrdinalThresholds(OrderedResult):
    """Thresholds between ordered classes, with their expected cost."""

    thresholds: Array
    cost: float
    labels: tuple[Any, ...]
    confusion: Integers
    costs: Floats
    prior: Floats
    printed: tuple[str, ...]

    def predict(self, y_score: Any) -> Array:
        """The class of each score: the highest one whose threshold the score reaches."""
        try:
            scores = np.asarray(y_score)
        except ValueError:
            scores = np.asarray("no numbers")
        if scores.ndim != 1 or scores.dtype.kind not in "biuf":
            raise InputError(f"`y_score` must be one column of numbers; got {shown(y_score, 60)}.")
        if np.isnan(scores).any():
            place = int(np.isnan(scores).argmax())
            raise InputError(f"`y_score` has a missing value at row {place}.")
        reached = [
            scores <= cut if self.origin.direction == "lower" else scores >= cut
            for cut in self.thresholds
        ]
        # cuts rise from class to class, so the cuts reached are the number of the class
        called: Array = np.asarray(self.labels)[np.sum(reached, axis=0)]
        return called

    @property
    def rates(self) -> Floats:
        """Proportion of each class (row) predicted as each class (column)."""
        return np.asarray(self.confusion / self.confusion.sum(axis=1, keepdims=True))

    def _sentence(self) -> str:
        sign = "<=" if self.origin.direction == "lower" else ">="
        parts = [
            f"{listed([label])} {cut if cut == NEVER else f'from score {sign} {cut}'}"
            for label, cut in zip(self.labels[1:], self.printed, strict=True)
        ]
        n = float(self.confusion.sum()) if self.origin.n_rows is None else self.origin.n_rows
        rows = printing.count(n)
        return f"{', '.join(parts)}: expected cost {self.cost:.4g} per case; {rows} rows"

    def _columns(self) -> dict[str, Any]:
        return {"label": [str(label) for label in self.labels[1:]], "threshold": self.thresholds}


@options_shown(RankingOptions)
def thresholds(
    y_true: Any,
    y_score: Any = None,
    *,
    costs: Any = None,
    prior: Any = None,
    **given: Unpack[RankingOptions],
) -> OrdinalThresholds:
    """Find the thresholds between ordered classes with the least expected cost.

    The optimum over all thresholds is found by dynamic programming, in time proportional to rows
    times classes.

    Parameters
    ----------
    costs : array-like of shape (r, r), optional
        ``costs[true, predicted]``, classes in ascending order, zero diagonal; by default the number
        of classes between the two.
    prior : array-like of shape (r,), optional
        Class probabilities in the target population; by default the proportions in the data.

    Returns
    -------
    OrdinalThresholds
        Result with `thresholds`, the lowest score of each class from the second on (inf for a class
        that is never predicted); `cost`, expected per case; `confusion`; and the method
        ``predict(y_score)``.

    See Also
    --------
    threshold : Optimal threshold by a criterion.
    ordinal.auc : Volume under the ROC surface and other ordinal AUCs.
    ordinal.surface : ROC surface of three ordered classes.

    Examples
    --------
    >>> import rocwise as rw
    >>> rule = rw.ordinal.thresholds([1, 1, 2, 2, 3, 3], [1, 2, 3, 5, 4, 6])
    >>> rule.thresholds.tolist(), round(rule.cost, 4)
    ([3.0, 4.0], 0.1667)
    >>> ax = rule.plot()
    """
    ranking = as_ranking(y_true, y_score, **given)
    r = ranking.n_classes
    steps = np.abs(np.subtract.outer(np.arange(r), np.arange(r))).astype(np.float64)
    matrix = steps if costs is None else cost_matrix(costs, r)
    priors = class_priors(prior, ranking.sizes)
    # Rows that share a score are counted first: adding the costs of many rows one by one would
    # round so much that equal cut points would differ by the order of rows.
    by_score = (ranking.proportions * priors) @ matrix
    cumulated = np.concatenate([np.zeros((1, r)), np.cumsum(by_score, axis=0)]).T
    ends = _best_ends(cumulated)
    bounds = [0, *ends, ranking.n_distinct]
    confusion = np.diff(np.stack([below[bounds] for below in ranking.below]), axis=1)
    rates = confusion / ranking.sizes[:, None]
    return OrdinalThresholds(
        thresholds=_thresholds(ranking, np.array(ends)),
        cost=float((priors[:, None] * rates * matrix).sum()),
        labels=ranking.labels,
        confusion=confusion,
        costs=matrix,
        prior=priors,
        printed=tuple(_printed(ranking, end) for end in ends),
        origin=ranking.origin,
    )


def _best_ends(cumulated: Floats) -> list[int]:
    """For each class but the last, how many of the lowest scores are called it or lower.

    Line k, column g of `cumulated` is the cost C_k[g] of calling the g lowest scores class k.
    best[g]: least cost of the g lowest scores with classes up to k. Class k takes the scores from
    some place to g, so best_k[g] = C_k[g] + min over g' <= g of (best_{k-1}[g'] - C_k[g']): one
    running minimum per class.
    """
    scale = max(float(cumulated[:, -1].max()), 1e-300)
    best, gains = cumulated[0], []
    for line in cumulated[1:]:
        # rounded, so that of equal costs the lowest cut is taken whatever the order of sums
        gains.append(np.round((best - line) / scale, 12))
        best = np.minimum.accumulate(gains[-1]) * scale + line
    ends, place = [], cumulated.shape[1] - 1
    for gain in reversed(gains):
        place = int(gain[: place + 1].argmin())
        ends.append(place)
    return ends[::-1]


def _thresholds(ranking: Ranking, ends: Places) -> Array:
    """The scores of cuts; infinity, or minus infinity, for one that no score reaches."""
    last = ranking.n_distinct - 1
    found = ranking.distinct_at(np.minimum(ends, last))
    if ends.max() <= last:  # integers too long for floats stay as they are
        return found
    found = np.append(found, -np.inf if ranking.column.origin.direction == "lower" else np.inf)
    return found[np.where(ends <= last, np.arange(len(ends)), len(ends))]


def _printed(ranking: Ranking, end: int) -> str:
    """A cut in as few digits as still divide the rows in the same way."""
    if end == ranking.n_distinct:
        return NEVER
    direction = ranking.column.origin.direction
    below = np.inf if direction == "lower" else -np.inf
    *lower, score = ranking.distinct_at(np.arange(max(0, end - 1), end + 1)).tolist()
    return printing.rounded_threshold(
        score, lower[0] if lower else below, direction=direction, dtype=np.float64
    )
