"""The tally: distinct scores with the number of positives and negatives at each.

All statistics of one model are computed from this table, and those of weighted or clustered rows
from the rows behind it.
"""

from __future__ import annotations

import zlib
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from rocwise import kernels, printing
from rocwise.arrays import Array, Codes, Counts, Flags, Floats, Integers, Places, Weights
from rocwise.data.smooth_steps import SmoothSteps
from rocwise.errors import InputError, shown
from rocwise.immutable import Immutable, cached_property, json_safe, locked, read_only
from rocwise.results import Drawable, Origin, as_frame

Classes = tuple[Array, Array]
MOST_CASES = 2**53  # beyond it proportions of cases would be rounded
LARGEST_EXACT_INTEGER = 2**53


@dataclass(frozen=True, slots=True)
class ScoreColumn:
    """Scores ready to be sorted: floats without nan, oriented so that higher means positive."""

    oriented: Array  # float32 or float64 in row order; negated when lower scores mean positive
    meanings: Array | None  # the values where `oriented` contains positions 0, 1, 2, ...
    origin: Origin  # direction, categories, name

    def of(self, oriented: Array) -> ScoreColumn:
        """Other scores of the same kind: some of the rows, or a copy of all."""
        return ScoreColumn(oriented, self.meanings, self.origin)


class Squares(Immutable):
    """Sums of squared weights per distinct score, which variances of weighted data need."""

    pos: Floats
    neg: Floats

    def __init__(self, pos: Floats, neg: Floats) -> None:
        self._set(pos=read_only(pos), neg=read_only(neg))

    @cached_property
    def totals(self) -> tuple[float, float]:
        """Their sums over all scores."""
        return float(self.pos.sum()), float(self.neg.sum())


def effective_number(total: float, squared: float) -> float:
    """Kish's effective number of rows, from the sums of their weights and of the squares."""
    number = float(total * total / squared)
    return number if number > 1.0 + 1e-9 else 1.0  # rounding


@dataclass(frozen=True, slots=True, eq=False)
class TallyRows:
    """Rows with weights or in clusters, most positive first; resampling needs them."""

    positive: Flags  # whether each row is positive
    starts: Places  # first row of each distinct score
    weights: Floats | None = None  # weight of each row, above 0; None: 1 each
    counts: Counts | None = None  # how many rows of the user's data each stands for; None: one each
    clusters: Places | None = None  # from 0 in the order of their first rows
    n_clusters: int | None = field(init=False, repr=False)  # None without clusters

    def __post_init__(self) -> None:
        for name in ("positive", "starts", "weights", "counts", "clusters"):
            array = getattr(self, name)
            if array is not None:
                object.__setattr__(self, name, read_only(array))
        number = None if self.clusters is None else int(self.clusters.max()) + 1
        object.__setattr__(self, "n_clusters", number)

    def __len__(self) -> int:
        return len(self.positive)

    @property
    def n_rows(self) -> int:
        """Rows of the user's data."""
        return len(self) if self.counts is None else int(self.counts.sum())

    def effective_sizes(self) -> tuple[float, float]:
        """Effective sample sizes of positives and negatives: Kish's, and at most their clusters."""
        codes = self.positive.view(np.uint8)
        neg, pos = independent_units(codes, 2, self.weights, self.clusters, self.counts)
        return float(pos), float(neg)

    def joined(self, firsts: Places) -> TallyRows:
        """The same rows when distinct scores are joined, each join starting at one of `firsts`."""
        return replace(self, starts=self.starts[firsts])


def independent_units(
    codes: Codes,
    n_classes: int,
    weights: Floats | None,
    clusters: Places | None,
    counts: Counts | None = None,
) -> Floats:
    """Kish's (sum w)^2 / sum w^2 of each class, and no more than it has clusters."""
    found = np.bincount(codes, counts, n_classes).astype(np.float64)
    if weights is not None:
        total = weights if counts is None else counts * weights
        squares = np.bincount(codes, total * weights, n_classes)
        found = np.bincount(codes, total, n_classes) ** 2 / squares
    if clusters is not None:
        found = np.minimum(found, clusters_by_class(codes, n_classes, clusters))
    return np.asarray(found)


def clusters_by_class(codes: Codes, n_classes: int, clusters: Places) -> Integers:
    """How many clusters have rows of each class."""
    own = (clusters[codes == k] for k in range(n_classes))
    return np.array([kernels.n_distinct(each) for each in own])


class Tally(Drawable, Immutable):
    """Distinct scores, most positive first, with the positives and negatives at each.

    Built by `rocwise.tally`. The AUC and its variance need the sorted classes alone, so that the
    table of rows without weights is computed on first use.

    Attributes
    ----------
    scores : ndarray
        Distinct scores in the user's units, from the most positive one down.
    pos, neg : ndarray
        Counts per score (int64), or sums of weights (float64) when weights were given.
    n_pos, n_neg : int or float
        Totals of `pos` and `neg`.
    squares : Squares or None
        Sums of squared weights; None when unweighted.
    rows : TallyRows or None
        The rows themselves, where they have weights or form clusters.
    origin : Origin
        Direction, rows left out, error bound of binning, kind of frame.

    Examples
    --------
    >>> import rocwise as rw
    >>> t = rw.tally([0, 0, 1, 1], [0.1, 0.4, 0.4, 0.8])
    >>> t.scores.tolist(), t.pos.tolist(), t.neg.tolist()
    ([0.8, 0.4, 0.1], [1, 1, 0], [0, 1, 1])
    """

    squares: Squares | None
    rows: TallyRows | None
    origin: Origin
    steps: SmoothSteps | None
    _table: tuple[Array, Weights, Weights] | None
    _classes: Classes | kernels.SortedSample | None
    _meanings: Array | None
    _sums: kernels.PlacementSums | None
    _order: int | None

    def __init__(
        self,
        *,
        table: tuple[Array, Weights, Weights] | None = None,
        classes: Classes | kernels.SortedSample | None = None,
        meanings: Array | None = None,
        squares: Squares | None = None,
        rows: TallyRows | None = None,
        origin: Origin | None = None,
        sums: kernels.PlacementSums | None = None,
        steps: SmoothSteps | None = None,
        order: int | None = None,
    ) -> None:
        """Scores, pos and neg; or ascending negatives and positives, or both sorted together."""
        if table is None and classes is None and sums is None:
            raise InputError(
                "`Tally` needs data: rw.tally(y_true, y_score) makes one of rows, "
                "Tally.from_counts of a finished table, Tally.from_sorted of sorted classes."
            )
        self._set(
            _table=locked(table),
            _classes=locked(classes),
            _meanings=locked(meanings),
            _sums=sums,
            _order=order,
            steps=steps,
            squares=squares,
            rows=rows,
            origin=origin or Origin(),
        )

    @classmethod
    def from_rows(
        cls,
        mask: Codes,
        column: ScoreColumn,
        weights: Floats | None = None,
        counts: Counts | None = None,
        clusters: Places | None = None,
    ) -> Tally:
        """From rows of labels (1 = positive), scores and, if any, weights, counts and clusters.

        With `counts`, each row represents that many.
        """
        unequal = counts is not None and int(counts.max()) > 1
        if weights is not None or clusters is not None or unequal:
            table = _table_of_rows(mask, column, weights, counts, clusters)
            return cls(order=None if unequal else order_of_classes(mask), **table)
        sample = kernels.sort_sample(mask, column.oriented)
        classes = kernels.sort_by_class(mask, column.oriented) if sample is None else sample
        order = order_of_classes(mask)
        return cls(classes=classes, meanings=column.meanings, origin=column.origin, order=order)

    @classmethod
    def from_sorted(
        cls,
        neg: Array,
        pos: Array,
        *,
        origin: Origin | None = None,
    ) -> Tally:
        """From the ascending scores of each class, oriented so that higher means positive."""
        classes = _checked_class(neg, "neg"), _checked_class(pos, "pos")
        _check_type(origin, Origin, "origin", "an Origin")
        return cls(classes=classes, origin=origin)

    @classmethod
    def from_counts(
        cls,
        scores: Array,
        pos: Weights,
        neg: Weights,
        *,
        squares: Squares | None = None,
        rows: TallyRows | None = None,
        origin: Origin | None = None,
    ) -> Tally:
        """From a finished table: distinct scores, most positive first, in the user's units."""
        _check_type(origin, Origin, "origin", "an Origin")
        _check_type(squares, Squares, "squares")
        _check_type(rows, TallyRows, "rows")
        column = _numbers(scores, "scores")
        class_sums = [
            _checked_weights(values, name, len(column), squares is not None)
            for values, name in ((pos, "pos"), (neg, "neg"))
        ]
        origin = origin or Origin()
        _check_order(column, "scores", falling=origin.direction == "higher", distinct=True)
        table = column, class_sums[0], class_sums[1]
        return cls(table=table, squares=squares, rows=rows, origin=origin)

    def __len__(self) -> int:
        return len(self.scores)

    @cached_property
    def _sorted_classes(self) -> Classes | None:
        """Ascending oriented scores of negatives and of positives; None of a given table."""
        if isinstance(self._classes, kernels.SortedSample):
            neg, pos = kernels.classes_of(self._classes)
            return read_only(neg), read_only(pos)
        return self._classes

    @cached_property
    def _curve(self) -> tuple[Array, Weights, Weights]:
        if self._table is not None:
            scores, *class_sums = self._table
            tp, fp = (read_only(np.cumsum(column)) for column in class_sums)
            return scores, tp, fp
        assert self._classes is not None
        if isinstance(self._classes, kernels.SortedSample):
            scores, tp, fp = kernels.sample_curve(self._classes)
        else:
            scores, tp, fp = kernels.merge_curves(*self._classes)
        scores = in_user_units(scores, self.direction, self._meanings)
        return read_only(scores), read_only(tp), read_only(fp)

    def curve_counts(self) -> tuple[Array, Weights, Weights]:
        """Scores, and the true and false positives at each as a threshold."""
        return self._curve

    @property
    def scores(self) -> Array:
        """Distinct scores, most positive first."""
        return self._curve[0] if self._table is None else self._table[0]

    @property
    def tp(self) -> Weights:
        """Positives at or beyond each score."""
        return self._curve[1]

    @property
    def fp(self) -> Weights:
        """Negatives at or beyond each score."""
        return self._curve[2]

    @cached_property
    def pos(self) -> Weights:
        """Positives at each score."""
        return steps_of(self.tp) if self._table is None else self._table[1]

    @cached_property
    def neg(self) -> Weights:
        """Negatives at each score."""
        return steps_of(self.fp) if self._table is None else self._table[2]

    @cached_property
    def n_pos(self) -> float:
        """Number of positives, or their total weight."""
        return self._totals[0]

    @cached_property
    def n_neg(self) -> float:
        """Number of negatives, or their total weight."""
        return self._totals[1]

    @property
    def _totals(self) -> tuple[float, float]:
        if self._table is not None:  # the last sums, so that rates end at exactly 1
            return self.tp[-1].item(), self.fp[-1].item()
        if self._sums is not None:
            return self._sums.n_pos, self._sums.n_neg
        if isinstance(self._classes, kernels.SortedSample):
            return self._classes.n_pos, len(self._classes.keys) - self._classes.n_pos
        neg, pos = self._classes or ((), ())
        return len(pos), len(neg)

    @property
    def result_fields(self) -> dict[str, Any]:
        """Fields of a result about the tally: the sizes of its classes and the origin."""
        return {"n_pos": self.n_pos, "n_neg": self.n_neg, "origin": self.origin}

    @property
    def weighted(self) -> bool:
        """Whether rows have weights."""
        return self.squares is not None

    @property
    def clustered(self) -> bool:
        """Whether rows form clusters that are not independent inside."""
        return self.rows is not None and self.rows.clusters is not None

    @cached_property
    def effective_sizes(self) -> tuple[float, float]:
        """Effective sample size of the positives and of the negatives."""
        if self.rows is not None and self.clustered:
            return self.rows.effective_sizes()
        if self.squares is None:
            return float(self.n_pos), float(self.n_neg)
        squared_pos, squared_neg = self.squares.totals
        return effective_number(self.n_pos, squared_pos), effective_number(self.n_neg, squared_neg)

    @property
    def direction(self) -> str:
        """Which scores mean positive: "higher" or "lower"."""
        return self.origin.direction

    @property
    def n_dropped(self) -> int:
        """Rows with missing values left out."""
        return self.origin.n_dropped

    @property
    def error_bound(self) -> float:
        """Largest possible error of the AUC caused by binning; 0 when nothing was binned."""
        return self.origin.error_bound

    @property
    def oriented_classes(self) -> Classes | None:
        """Ascending scores of negatives and of positives, negated if lower means positive.

        None of a given table, and where scores are positions of others.
        """
        return self._sorted_classes if self.has_classes else None

    @property
    def has_classes(self) -> bool:
        """Whether `oriented_classes` are known."""
        return self._classes is not None and self._meanings is None

    @cached_property
    def placement_sums(self) -> kernels.PlacementSums:
        """Exact integer sums from which the AUC and its variances follow (unweighted only)."""
        if self.weighted:
            raise InputError(
                "`Tally.placement_sums` counts pairs in whole numbers and has no weighted version: "
                "use rw.auc, which takes weights; or, where weights are numbers of equal rows, "
                "repeat the rows with np.repeat."
            )
        if self._sums is not None:
            return self._sums
        if isinstance(self._classes, kernels.SortedSample):
            return kernels.sample_sums(self._classes)
        if self._classes is not None:
            return kernels.placement_sums(*self._classes)
        return kernels.table_sums(self.pos, self.neg)

    @cached_property
    def weighted_area(self) -> float:
        """The AUC of weighted rows."""
        concordant = float((self.pos * (self.n_neg - self.fp + self.neg / 2)).sum())
        return min(max(concordant / (self.n_pos * self.n_neg), 0.0), 1.0)

    def seems_paired_with(self, other: Tally) -> bool:
        """Whether the classes of the rows come in the same order, which is no chance."""
        return self._order is not None and self._order == other._order

    def named(self, name: str | None) -> Tally:
        """The same tally under another name."""
        return self.with_origin(replace(self.origin, name=name))

    def with_origin(self, origin: Origin) -> Tally:
        """The same tally with other metadata."""
        return self._with(origin=origin)

    def threshold_text(self, index: int) -> str:
        """Threshold number `index` of the table as text: the shortest with the same counts."""
        return printing.threshold_text(
            self.scores, index, direction=self.direction, categories=self.origin.categories
        )

    def __repr__(self) -> str:
        unit = "weighted " if self.weighted else ""
        # counting the scores of rows would take a merge
        size = "" if self._table is None else f", {printing.count(len(self))} distinct scores"
        head = f"Tally: {unit}{printing.classes(self.n_pos, self.n_neg)}{size}"
        return "; ".join([head, *self.origin.remarks()])

    def to_frame(self) -> Any:
        """The table as the user's own kind of frame, or a dict of columns."""
        columns = {"score": self.scores, "pos": self.pos, "neg": self.neg}
        return as_frame(columns, self.origin.frame)

    def to_dict(self) -> dict[str, Any]:
        """The table as plain JSON-safe values."""
        columns = {"scores": self.scores, "pos": self.pos, "neg": self.neg}
        return {"kind": "Tally", "origin": json_safe(self.origin), **json_safe(columns)}


def order_of_classes(mask: Codes) -> int | None:
    """A checksum of the classes of the rows in their order; None if they are sorted by class."""
    changes = np.count_nonzero(mask[1:] != mask[:-1])
    return zlib.crc32(mask.tobytes()) if changes > 1 else None


def _table_of_rows(
    mask: Codes,
    column: ScoreColumn,
    weights: Floats | None,
    counts: Counts | None,
    clusters: Places | None,
) -> dict[str, Any]:
    """Arguments of the tally of rows with weights, counts or clusters; rows of weight 0 go."""
    scores = column.oriented
    about: list[Any] = [weights, counts, clusters]
    if weights is not None and weights.min() == 0:
        kept = weights > 0
        mask, scores = mask[kept], scores[kept]
        about = [None if each is None else each[kept] for each in about]
    order, codes, ascending = kernels.sort_rows(mask, scores)
    falling, positive = order[::-1], codes[::-1] != 0
    weights, counts, clusters = (None if each is None else each[falling] for each in about)
    scores = ascending[::-1].astype(scores.dtype, copy=False)
    starts = np.flatnonzero(np.concatenate([[True], scores[1:] != scores[:-1]]))
    columns = [*_summed(positive, starts, _product(weights, counts))]
    if weights is not None:
        columns += _summed(positive, starts, _product(weights * weights, counts))
    origin, rows = column.origin, None
    if weights is not None or clusters is not None:
        rows = TallyRows(positive, starts, weights, counts, numbered(clusters))
        n_rows = None if weights is None else rows.n_rows
        origin = replace(origin, n_rows=n_rows, n_clusters=rows.n_clusters)
    return {
        "table": (in_user_units(scores[starts], origin.direction, column.meanings), *columns[:2]),
        "squares": None if weights is None else Squares(*columns[2:]),
        "rows": rows,
        "origin": origin,
    }


def _product(weights: Weights | None, counts: Counts | None) -> Weights | None:
    if weights is None or counts is None:
        return counts if weights is None else weights
    return np.asarray(counts * weights)


def _summed(positive: Flags, starts: Places, class_sums: Weights | None) -> tuple[Weights, Weights]:
    """Sums over the positives and over the negatives at each score; by default of rows."""
    each = np.ones(len(positive), np.int64) if class_sums is None else class_sums
    pos = each * positive
    neg = each - pos
    if len(starts) == len(positive):  # all scores differ
        return pos, neg
    return np.add.reduceat(pos, starts), np.add.reduceat(neg, starts)


def numbered(clusters: Array | None) -> Places | None:
    """Clusters numbered from 0 in the order of their first rows."""
    if clusters is None:
        return None
    codes = kernels.distinct(clusters)[1]
    first = np.empty(int(codes.max()) + 1, np.intp)
    first[codes[::-1]] = np.arange(len(codes) - 1, -1, -1)  # of equal codes the last one stays
    return np.asarray(kernels.distinct(first)[1][codes])


def in_user_units(scores: Array, direction: str, meanings: Array | None) -> Array:
    """Scores as they were given, from oriented ones or positions."""
    if direction == "lower":
        scores = 0 - scores  # not `-scores`: zero must not come back as -0.0
    return scores if meanings is None else meanings[scores.astype(np.intp)]


def steps_of(sums: Weights) -> Weights:
    """What was cumulated to these sums, read-only."""
    return read_only(np.diff(sums, prepend=sums.dtype.type(0)))


def float_scores(scores: Array, argument: str = "y_score") -> Floats:
    """Scores as float64; an error where two distinct ones would become equal."""
    floats = np.asarray(scores, dtype=np.float64)
    if _may_merge(scores) and len(np.unique(floats)) < len(np.unique(scores)):
        raise InputError(
            f"`{argument}` contains integers above 2**53 that floating-point numbers do not "
            "represent exactly, and thresholds are such numbers. Subtract one number from all of "
            "them, or pass their ranks, e.g. scipy.stats.rankdata(...)."
        )
    return floats


def _may_merge(scores: Any) -> bool:
    """Whether the type has more digits than float64, and the values need them."""
    values = np.asarray(scores)
    if not values.size or values.dtype.itemsize < 8 or values.dtype.kind not in "iufO":
        return False
    if values.dtype.kind == "f":
        return values.dtype.itemsize > 8
    return max(abs(int(values.min())), abs(int(values.max()))) > LARGEST_EXACT_INTEGER


def check_float_thresholds(tally: Tally) -> None:
    """An error for a tally whose thresholds, as floats, would not give the same counts."""
    if not tally.has_classes:
        float_scores(tally.scores)


def check_unweighted(
    data: Tally, function: str, *, why: str, instead: str, clusters: bool = True
) -> None:
    """An error for functions that are defined for equal rows, and for independent ones, only."""
    if data.weighted:
        raise InputError(f"`{function}` has no weighted version, since {why}: {instead}.")
    if clusters and data.clustered:
        raise InputError(f"`{function}` has no version with clusters, since {why}: {instead}.")


def _numbers(values: Any, argument: str) -> Array:
    try:
        array = np.array(values)
    except (TypeError, ValueError, RecursionError):
        array = np.array("no numbers")
    if array.ndim != 1 or array.dtype.kind not in "iuf" or not len(array):
        raise InputError(f"`{argument}` must be a list of numbers; got {shown(values, 60)}.")
    return array


def _checked_class(given: Any, argument: str) -> Array:
    values = _numbers(given, argument)
    _check_order(values, argument, falling=False, distinct=False)
    return values if values.dtype.kind == "f" else values.astype(np.float64)


def _checked_weights(values: Any, argument: str, size: int, weighted: bool) -> Weights:
    """Counts as int64, or sums of weights as they are; none negative, not all of them 0."""
    array = _numbers(values, argument)
    if not np.isfinite(array).all() or (array < 0).any():
        raise InputError(f"`{argument}` must contain finite counts or weights of at least 0.")
    if array.dtype.kind == "f" and not weighted and (array != np.floor(array)).any():
        wrong = float(array[array != np.floor(array)][0])
        raise InputError(
            f"`{argument}` must contain integers; got {wrong:g}. Sums of weights need "
            "`squares`, the sums of their squares; `tally(..., sample_weight=...)` makes both."
        )
    total = float(array.sum(dtype=np.float64))
    if total == 0:
        raise InputError(f"`{argument}` is 0 everywhere, so that ROC is undefined.")
    if not weighted and total > MOST_CASES:
        raise InputError(f"`{argument}` counts {total:.3g} cases; at most 2**53 can be counted.")
    if len(array) != size:
        raise InputError(
            f"`{argument}` has {len(array):,} entries for {size:,} `scores`; each score needs one."
        )
    return array if weighted else array.astype(np.int64)


def _check_order(values: Array, argument: str, *, falling: bool, distinct: bool) -> None:
    if values.dtype.kind == "f" and np.isnan(values).any():
        raise InputError(f"`{argument}` contains nan at place {int(np.isnan(values).argmax())}.")
    before, after = (values[1:], values[:-1]) if falling else (values[:-1], values[1:])
    ordered = before < after if distinct else before <= after
    if not ordered.all():
        place = int(ordered.argmin()) + 1
        how = ("fall" if falling else "rise") + (" strictly" if distinct else "")
        raise InputError(
            f"`{argument}` must {how}; got {shown(values[place])} after "
            f"{shown(values[place - 1])} at place {place}."
        )


def _check_type(given: Any, kind: type[Any], argument: str, name: str | None = None) -> None:
    if given is not None and not isinstance(given, kind):
        name = name or kind.__name__
        raise InputError(f"`{argument}` must be {name}; got {shown(given, 60)}.")
