"""The ROC surface of three ordered classes."""

from collections.abc import Callable, Mapping
from dataclasses import field
from functools import cached_property
from itertools import permutations
from typing import Any, Unpack

import numpy as np

from rocwise import checks, printing
from rocwise.arrays import Array, Floats, Places, Weights
from rocwise.data.rankings import Ranking
from rocwise.errors import InputError
from rocwise.inputs.coercion import RankingOptions, as_ranking, options_shown
from rocwise.ordinal.measures import TIES, OrderedResult, OrdinalMeasure, Ties
from rocwise.results import ASIDE, json_safe, read_only, result

MOST_CLASSES = 7


@result
class ClassOrder(OrderedResult):
    """Order of the classes with the largest volume; `orders` and `volumes` are of all."""

    value: float
    order: tuple[Any, ...]
    orders: Array
    volumes: Floats
    ties: str

    @property
    def chance(self) -> float:
        """The volume of one order by chance."""
        return 1 / len(self.volumes)

    def _sentence(self) -> str:
        order = " < ".join(str(label) for label in self.order)
        return (
            f"best order {order}: VUS {self.value:.3f}; "
            f"{printing.count(len(self.volumes))} orders, chosen on the same data"
        )

    def _columns(self) -> dict[str, Any]:
        return {
            "order": [" < ".join(map(str, order)) for order in self.orders.tolist()],
            "volume": self.volumes,
        }


@options_shown(RankingOptions)
def best_order(
    y_true: Any,
    y_score: Any = None,
    *,
    ties: Ties = "strict",
    **given: Unpack[RankingOptions],
) -> ClassOrder:
    """Find the order of nominal classes with the largest volume under the ROC surface.

    This is what the R package HUM reports for one marker. The maximum over all orders is
    optimistic: it exceeds 1/r! by far for a random score.

    Parameters
    ----------
    ties : {"strict", "credit"}, default "strict"
        Treatment of tied scores, as in `ordinal.auc`.

    Returns
    -------
    ClassOrder
        Result with `value`, `order` (labels from the lowest scores up), `orders` and `volumes`.

    See Also
    --------
    ordinal.auc : Volume under the ROC surface and other ordinal AUCs.
    multiclass.hum : Hypervolume under the manifold.

    Examples
    --------
    >>> import rocwise as rw
    >>> rw.ordinal.best_order(["b", "b", "a", "a", "c", "c"], [1, 2, 3, 4, 5, 6])
    best order b < a < c: VUS 1.000; 6 orders, chosen on the same data
    """
    ranking = as_ranking(y_true, y_score, any_order=True, **given)
    checks.one_of(ties, "ties", TIES)
    r = ranking.n_classes
    if r > MOST_CLASSES:
        raise InputError(
            f"`y_true` has {r} classes; all orders are tried for at most {MOST_CLASSES}."
        )
    orders = list(permutations(range(r)))
    volume = OrdinalMeasure("volume", ties)
    volumes = np.array([volume.value(_reordered(ranking, order)) for order in orders])
    best = int(volumes.argmax())
    names = [tuple(ranking.labels[k] for k in order) for order in orders]
    return ClassOrder(
        value=float(volumes[best]),
        order=names[best],
        orders=np.array(names),
        volumes=volumes,
        ties=ties,
        origin=ranking.origin,
    )


def _reordered(ranking: Ranking, order: tuple[int, ...]) -> Ranking:
    """The same rows with the classes in another order; the sort is kept."""
    rank = np.argsort(order).astype(np.uint8)
    labels = tuple(ranking.labels[k] for k in order)
    rows, ranked, starts = ranking.in_order
    in_order = (rows, rank[ranked], starts)
    return Ranking(
        rank[ranking.codes],
        ranking.column,
        labels,
        ranking.origin,
        in_order,
        weights=ranking.weights,
        clusters=ranking.clusters,
    )


COLUMNS = ("b1", "b2", "tpr1", "tpr2", "tpr3")
MOST_POINTS = 20_000_000  # pairs of cuts, up to which none is left out
CUTS_KEPT = 4_000  # of more; 8 million pairs


@result
class RocSurface(OrderedResult):
    """ROC surface: correct classification rates of three classes at every pair of cut points.

    A case is class 1 up to score `b1`, class 2 above it up to `b2`, class 3 above that. Where
    cuts were left out, `n_cuts_kept` of `n_cuts`, heights are never too high and at most
    `height_error` too low. Columns of all pairs are computed on access: there are millions.
    """

    volume: float
    labels: tuple[Any, ...]
    sizes: tuple[int, ...]
    n_cuts: int
    n_cuts_kept: int
    height_error: float
    _cuts: Floats = field(metadata=ASIDE)
    _first: Floats = field(metadata=ASIDE)
    _middle: Weights = field(metadata=ASIDE)
    _third: Floats = field(metadata=ASIDE)
    _middle_size: float = field(metadata=ASIDE)

    @cached_property
    def b1(self) -> Floats:
        """The lower cut point of each pair."""
        return _at_pairs(self.n_cuts_kept, lambda lower, _: self._cuts[lower])

    @cached_property
    def b2(self) -> Floats:
        """The upper cut point of each pair."""
        return _at_pairs(self.n_cuts_kept, lambda _, upper: self._cuts[upper])

    @cached_property
    def tpr1(self) -> Floats:
        """Correct classification rate of the lowest class."""
        return _at_pairs(self.n_cuts_kept, lambda lower, _: self._first[lower])

    @cached_property
    def tpr2(self) -> Floats:
        """Correct classification rate of the middle class."""
        return _at_pairs(self.n_cuts_kept, self._proportion_between)

    @cached_property
    def tpr3(self) -> Floats:
        """Correct classification rate of the highest class."""
        return _at_pairs(self.n_cuts_kept, lambda _, upper: self._third[upper])

    def _proportion_between(self, lower: Any, upper: Any) -> Floats:
        return np.asarray((self._middle[upper] - self._middle[lower]) / self._middle_size)

    def height(self, tpr1: Any, tpr3: Any) -> Floats:
        """The largest `tpr2` with `tpr1` and `tpr3` at least these values."""
        x, z = checks.rates(tpr1, "tpr1"), checks.rates(tpr3, "tpr3")
        try:
            np.broadcast_shapes(x.shape, z.shape)
        except ValueError:
            raise InputError(
                f"`tpr3` must have the shape of `tpr1`, {x.shape}; got {z.shape}."
            ) from None
        # rounding must not decide whether a rate is reached
        lower = np.searchsorted(self._first, x - 1e-12)
        upper = np.searchsorted(-self._third, 1e-12 - z, side="right") - 1
        inside = lower <= upper
        reached = self._proportion_between(lower * inside, upper * inside)
        return np.asarray(np.where(inside, reached, 0.0))

    def section(self, tpr3: float) -> tuple[Floats, Floats]:
        """The rising rates `tpr1` of the cuts, and the height there while `tpr3` is reached."""
        rates = np.unique(self._first)
        reached = np.minimum(rates, 1.0)  # sums of weights may pass their total by rounding
        return rates, self.height(reached, np.full(len(rates), checks.rate(tpr3, "tpr3")))

    def _sentence(self) -> str:
        n, n_pairs = sum(self.sizes), self.n_cuts_kept * (self.n_cuts_kept + 1) // 2
        kept = ""
        if self.n_cuts_kept < self.n_cuts:
            error = f"at most {printing.bound(self.height_error)} too low"
            heights = f"heights {error if self.height_error else 'are exact'}"
            cuts = f"{printing.count(self.n_cuts_kept)} of {printing.count(self.n_cuts)} cuts"
            kept = f"; {cuts} kept, {heights}"
        return (
            f"ROC surface of {', '.join(map(str, self.labels))}: volume "
            f"{printing.rate(self.volume, n)} (ties count nothing; chance 0.167); "
            f"{printing.count(n_pairs)} pairs of cuts, {printing.count(n)} rows{kept}"
        )

    def _columns(self) -> Mapping[str, Any]:
        return {name: getattr(self, name) for name in COLUMNS}

    def to_dict(self) -> dict[str, Any]:
        """The surface as plain JSON-safe values; the lowest cut, -inf, becomes None."""
        plain = super().to_dict()
        head = {name: plain.pop(name) for name in ("kind", "schema", "rocwise", "origin")}
        columns = {name: json_safe(column) for name, column in self._columns().items()}
        return head | columns | plain


@options_shown(RankingOptions)
def surface(
    y_true: Any,
    y_score: Any = None,
    **given: Unpack[RankingOptions],
) -> RocSurface:
    """Compute the ROC surface of three ordered classes, and the volume under it.

    Parameters
    ----------
    y_true : array-like
        Labels of three classes, as in `ordinal.auc`.
    y_score : array-like
        Scores that increase with the class.

    Returns
    -------
    RocSurface
        Result with the thresholds `b1` <= `b2`; `tpr1`, `tpr2` and `tpr3`, the correct
        classification rates of the lowest, middle and highest class; `volume`, the strict VUS [1]_;
        and the method ``height(tpr1, tpr3)``.

    See Also
    --------
    ordinal.auc : Volume under the ROC surface and other ordinal AUCs.
    ordinal.thresholds : Optimal thresholds between ordered classes.
    roc : Empirical ROC curve.

    Notes
    -----
    With more than 6,300 distinct scores, 4,000 thresholds at quantiles of the middle class are
    kept: heights are then too low by at most `height_error`, and the volume remains exact.

    References
    ----------
    .. [1] C. T. Nakas and C. T. Yiannoutsos, "Ordered multiple-class ROC analysis with continuous
           measurements", Stat. Med. 23, 2004. doi:10.1002/sim.1917

    Examples
    --------
    >>> import rocwise as rw
    >>> surface = rw.ordinal.surface([1, 1, 2, 2, 3, 3], [1, 3, 2, 4, 5, 6])
    >>> surface.volume, len(surface.b1)
    (0.75, 28)
    >>> ax = surface.plot()
    """
    ranking = as_ranking(y_true, y_score, **given)
    if ranking.n_classes != 3:
        raise InputError(
            f"`ordinal.surface` is for three classes; `y_true` has {ranking.n_classes}. "
            "ordinal.auc(measure='volume') takes any number."
        )
    if ranking.origin.direction == "lower":
        raise InputError("`ordinal.surface` cuts from below; pass -y_score in place of direction.")
    n_cuts = ranking.n_distinct + 1
    few = n_cuts * (n_cuts + 1) // 2 <= MOST_POINTS
    kept = np.arange(n_cuts) if few else telling_cuts(ranking)  # numbered from -inf up
    first, middle, third = (below[kept] for below in ranking.below)
    sizes = ranking.sizes.tolist()
    return RocSurface(
        _cuts=np.concatenate([[-np.inf], ranking.distinct_at(kept[1:] - 1).astype(np.float64)]),
        _first=first / sizes[0],
        _middle=middle,
        _third=(sizes[2] - third) / sizes[2],
        _middle_size=sizes[1],
        volume=OrdinalMeasure("volume", "strict").value(ranking),
        labels=ranking.labels,
        sizes=tuple(ranking.class_rows.tolist()),
        origin=ranking.origin,
        n_cuts=n_cuts,
        n_cuts_kept=len(kept),
        height_error=_height_error(ranking, kept),
    )


def telling_cuts(ranking: Ranking, most_cuts: int = CUTS_KEPT) -> Places:
    """No more than so many cuts from which all heights nearly follow: at scores of class 2."""
    scores = np.flatnonzero(ranking.has_class(1))
    pairs = (most_cuts - 2) // 2
    if len(scores) > pairs:
        below = ranking.below[1][scores + 1]
        wanted = (np.arange(pairs) + 0.5) / pairs * below[-1]
        scores = scores[np.searchsorted(below, wanted)]
    kept = np.zeros(ranking.n_distinct + 1, np.bool_)
    kept[[0, -1]] = kept[scores] = kept[scores + 1] = True
    return np.flatnonzero(kept)


def _at_pairs(n_kept: int, of_pairs: Callable[[int, slice], Any]) -> Floats:
    """A number of every pair of cuts, given what those of a lower cut and of all above it have."""
    made = np.empty(n_kept * (n_kept + 1) // 2)
    first = 0
    for lower in range(n_kept):
        last = first + n_kept - lower
        made[first:last] = of_pairs(lower, slice(lower, None))
        first = last
    return read_only(made)


def _height_error(ranking: Ranking, places: Places) -> float:
    """By how much the largest height falls short when only these cuts are kept."""
    n_cuts = ranking.n_distinct + 1
    if len(places) == n_cuts:
        return 0.0
    below = ranking.below[1] / ranking.sizes[1]
    lower_loss = np.repeat(below[places], np.diff(places, prepend=-1)) - below
    lower_loss[1:] *= ranking.has_class(0)
    upper_loss = below - np.repeat(below[places], np.diff(places, append=n_cuts))
    upper_loss[:-1] *= ranking.has_class(2)
    largest = np.maximum.accumulate(upper_loss[::-1])[::-1]  # from here on
    return float((lower_loss + largest).max())
