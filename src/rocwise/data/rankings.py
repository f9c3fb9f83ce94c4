"""Ordered classes ranked by a score."""

from typing import Any

import numpy as np

from rocwise import kernels, printing
from rocwise.arrays import Array, Codes, Flags, Floats, Integers, Places, Scores, Weights
from rocwise.data.tally import ScoreColumn, clusters_by_class, in_user_units, independent_units
from rocwise.errors import InputError, listed
from rocwise.immutable import Immutable, cached_property
from rocwise.results import Origin, read_only


class Ranking(Immutable):
    """Rows of ordered classes with one score each."""

    codes: Codes  # class of each row, 0 for the lowest
    column: ScoreColumn
    scores: Scores  # oriented so that higher means a higher class
    labels: tuple[Any, ...]  # label of each class, lowest first
    origin: Origin
    sizes: Floats  # rows of each class, or the sums of their weights
    class_rows: Integers  # rows of each class
    weights: Floats | None  # weight of each row, above 0
    clusters: Places | None  # cluster of each row, from 0; rows of one are not independent
    _in_order: tuple[Integers, Codes, Codes] | None

    def __init__(
        self,
        codes: Codes,
        column: ScoreColumn,
        labels: tuple[Any, ...],
        origin: Origin | None = None,
        in_order: tuple[Integers, Codes, Codes] | None = None,
        *,
        weights: Floats | None = None,
        clusters: Places | None = None,
    ) -> None:
        """From checked rows; `in_order` where their sort is known already."""
        rows = np.bincount(codes, minlength=len(labels))
        sums = rows if weights is None else np.bincount(codes, weights, minlength=len(labels))
        self._set(
            codes=read_only(codes),
            column=column,
            scores=read_only(column.oriented),
            labels=labels,
            origin=origin or Origin(),
            _in_order=in_order,
            weights=None if weights is None else read_only(weights),
            clusters=None if clusters is None else read_only(clusters),
            sizes=read_only(sums.astype(np.float64)),
            class_rows=read_only(rows),
        )

    n_scores = 1

    @property
    def n_classes(self) -> int:
        """Number of classes."""
        return len(self.labels)

    def __len__(self) -> int:
        return len(self.codes)

    @cached_property
    def in_order(self) -> tuple[Integers, Codes, Codes]:
        """Rows by rising score, their classes, and 1 where a new score starts."""
        if self._in_order is not None:
            return self._in_order
        return rank_classes(self.codes, self.scores)

    @cached_property
    def group(self) -> Places:
        """Number of the distinct score, from the lowest, of each row in row order."""
        order, _, starts = self.in_order
        places = np.empty(len(self), np.intp)
        places[order] = np.cumsum(starts) - 1
        return places

    @cached_property
    def counts(self) -> Weights:
        """Rows of each class, or their weights, at each distinct score, lowest score first."""
        cells = self.group * self.n_classes + self.codes
        table = np.bincount(cells, self.weights, minlength=self.n_distinct * self.n_classes)
        return table.reshape(self.n_distinct, self.n_classes)

    @property
    def n_distinct(self) -> int:
        """Number of distinct scores."""
        return int(np.count_nonzero(self.in_order[2]))

    @cached_property
    def below(self) -> tuple[Weights, ...]:
        """For each class its rows, or their weights, up to -inf and up to each distinct score."""
        return tuple(np.append(0, np.cumsum(column)) for column in self.counts.T)

    def has_class(self, k: int) -> Flags:
        """At which distinct scores there are rows of a class."""
        return np.asarray(self.counts[:, k] > 0)

    @property
    def is_iid(self) -> bool:
        """Whether rows are independent and of equal weight."""
        return self.weights is None and self.clusters is None

    @property
    def has_variance(self) -> bool:
        """Whether every class has the two rows, or clusters, that a standard error needs."""
        return single_class(self.codes, self.n_classes, self.clusters) is None

    @cached_property
    def independent_units(self) -> Floats:
        """How many independent, equal rows of each class would be as informative, at most."""
        if self.is_iid:
            return self.sizes
        return independent_units(self.codes, self.n_classes, self.weights, self.clusters)

    @cached_property
    def proportions(self) -> Floats:
        """Proportion of each class at each distinct score."""
        return self.counts / self.sizes

    @cached_property
    def distinct(self) -> Array:
        """Distinct scores in the user's units, from the one of the lowest class."""
        return self.distinct_at(slice(None))

    def distinct_at(self, places: Places | slice) -> Array:
        """Those of these numbers, from 0 on."""
        order, _, starts = self.in_order
        first = np.flatnonzero(starts.view(np.bool_))
        return self.in_user_units(self.scores[order[first[places]]])

    def in_user_units(self, scores: Array) -> Array:
        """Undo the orientation and the ranking that the sort worked on."""
        return in_user_units(scores, self.column.origin.direction, self.column.meanings)

    @property
    def has_mixed_ties(self) -> bool:
        """Whether rows of different classes share a score."""
        return bool(((self.counts > 0).sum(axis=1) > 1).any())

    def sizes_in_words(self) -> str:
        """``3 of class 1, 4 of class 2``."""
        shown = [
            f"{printing.count(size)} of {listed([label])}"
            for label, size in zip(self.labels, self.class_rows.tolist(), strict=True)
        ]
        return ", ".join(shown)

    def check_two_rows(self, what: str) -> None:
        """An error for a class with one row, whose variance is undefined."""
        check_two_rows(self.codes, self.labels, self.clusters, what)


def rank_classes(codes: Codes, scores: Scores) -> tuple[Integers, Codes, Codes]:
    """Rows by rising score, their classes, and 1 where a new score starts."""
    order, ranked, rising = kernels.sort_rows(codes, scores)
    starts = np.ones(len(scores), np.uint8)
    starts[1:] = rising[1:] != rising[:-1]
    return order, ranked, starts


def check_two_rows(
    codes: Codes, labels: tuple[Any, ...], clusters: Places | None, what: str
) -> None:
    """An error for a class with one row or one cluster, whose variance is undefined."""
    single = single_class(codes, len(labels), clusters)
    kind = "row" if clusters is None else "cluster"
    if single is not None:
        raise InputError(
            f"{what} needs at least two {kind}s of every class; `y_true` has one {kind} of "
            f"class {listed([labels[single]])}."
        )


def single_class(codes: Codes, n_classes: int, clusters: Places | None) -> int | None:
    """The first class with one row, or with rows of one cluster only; None where none has."""
    if clusters is None:
        units = np.bincount(codes, minlength=n_classes)
    else:
        units = clusters_by_class(codes, n_classes, clusters)
    return int((units < 2).argmax()) if (units < 2).any() else None


def rows_of(codes: Codes, k: int) -> Places:
    """The rows of class k."""
    return np.flatnonzero(codes == k)


def placements(ranking: Ranking, ties: str) -> tuple[Floats, Floats]:
    """For each distinct score and class: proportion of the class below it, and above it."""
    proportions = ranking.proportions
    upto = np.cumsum(proportions, axis=0)
    half = 0.5 * proportions if ties == "credit" else 0.0
    below = upto - proportions + half
    above = upto[-1] - upto + half
    return below, above
