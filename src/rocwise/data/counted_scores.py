"""What sorted classes, or a finished table, are counted into: the columns of a tally."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from rocwise import kernels
from rocwise.arrays import Amounts, Array
from rocwise.data.immutable import Immutable, made_once
from rocwise.data.score_columns import Squares, cumulated, in_user_units, steps_of, total_of
from rocwise.errors import InputError
from rocwise.plain_values import read_only
from rocwise.results import Origin

FEW_SCORES = 2**16  # whose counts are kept once they were asked for


class CountedScores(Immutable):
    """Distinct scores and their counts, each column made when it is asked for, and kept.

    Examples
    --------
    >>> import rocwise as rw
    >>> counted = rw.tally([0, 0, 1, 1], [0.1, 0.4, 0.4, 0.8])
    >>> counted.tp.tolist(), counted.fp.tolist()
    ([1, 2, 2], [0, 1, 2])
    """

    origin: Origin
    squares: Squares | None
    _classes_later: Callable[[], tuple[Array, Array]]
    _given_table: tuple[Array, Amounts, Amounts] | None
    _values: Array | None
    _sums: kernels.PlacementSums | None

    @made_once
    def _sorted_classes(self) -> tuple[Array, Array] | None:
        """Ascending scores of negatives and of positives, where rows were given and not a table.

        All but `from_many` have set them.
        """
        classes = self._classes_later()
        self._set(_classes_later=lambda: classes)  # lets go of the rows that they were made of
        return classes

    def __len__(self) -> int:
        return len(self.scores)

    @made_once
    def _curve(self) -> tuple[Array, Amounts, Amounts]:
        """Scores, true positives and false positives at each: what rows are merged into."""
        if self._given_table is not None:
            scores, pos, neg = self._given_table
            return scores, *cumulated(pos, neg)
        assert self._sorted_classes is not None
        scores, tp, fp = kernels.curve_counts(*self._sorted_classes, numbers=True)
        scores = in_user_units(scores, self.direction, self._values)
        return read_only(scores), read_only(tp), read_only(fp)

    @property
    def has_columns(self) -> bool:
        """Whether the columns are there already."""
        return "_curve" in self.__dict__ or self._given_table is not None

    @property
    def scores(self) -> Array:
        """Distinct scores, most positive first."""
        return self._curve[0] if self._given_table is None else self._given_table[0]

    @made_once
    def pos(self) -> Amounts:
        """Positives at each score."""
        return steps_of(self.tp) if self._given_table is None else self._given_table[1]

    @made_once
    def neg(self) -> Amounts:
        """Negatives at each score."""
        return steps_of(self.fp) if self._given_table is None else self._given_table[2]

    def narrow_counts(self) -> tuple[Amounts, Amounts]:
        """`pos` and `neg`, for whoever needs them once: of many rows not kept, and half as wide.

        >>> import rocwise as rw
        >>> [each.tolist() for each in rw.tally([0, 1, 1], [1.0, 2.0, 3.0]).narrow_counts()]
        [[1, 1, 0], [0, 0, 1]]
        """
        kept = self._given_table is not None or {"pos", "neg"} <= self.__dict__.keys()
        if kept or len(self) <= FEW_SCORES or self.n_pos + self.n_neg >= 2**31:
            return self.pos, self.neg
        return steps_of(self.tp, np.int32), steps_of(self.fp, np.int32)

    @made_once
    def n_pos(self) -> float:
        """Number of positives, or their total weight."""
        if self._sorted_classes is not None:
            return len(self._sorted_classes[1])
        return total_of(self.tp)

    @made_once
    def n_neg(self) -> float:
        """Number of negatives, or their total weight."""
        if self._sorted_classes is not None:
            return len(self._sorted_classes[0])
        return total_of(self.fp)

    @property
    def tp(self) -> Amounts:
        """Positives at or beyond each score."""
        return self._curve[1]

    @property
    def fp(self) -> Amounts:
        """Negatives at or beyond each score."""
        return self._curve[2]

    @property
    def weighted(self) -> bool:
        """Whether rows carry weights."""
        return self.squares is not None

    @property
    def direction(self) -> str:
        """Which scores mean positive: "higher" or "lower"."""
        return self.origin.direction

    @property
    def oriented_classes(self) -> tuple[Array, Array] | None:
        """Ascending scores of negatives and of positives, negated if lower means positive.

        None where they are not at hand or stand for others.
        """
        return self._sorted_classes if self._values is None else None

    @made_once
    def placement_sums(self) -> kernels.PlacementSums:
        """Exact integer sums from which the area and its variances follow (unweighted only)."""
        if self.weighted:
            raise InputError(
                "`Tally.placement_sums` counts pairs in whole numbers and has no weighted version: "
                "ask rw.auc, which takes weights; or, where weights are numbers of equal rows, "
                "repeat the rows with np.repeat."
            )
        if self._sums is not None:
            return self._sums
        if self._sorted_classes is not None:
            return kernels.merge_sums(*self._sorted_classes, numbers=True)
        return kernels.table_sums(self.pos, self.neg)

    def curve_counts(self) -> tuple[Array, Amounts, Amounts]:
        """Scores, true positives and false positives at each."""
        return self._curve

    def curve_rates(self) -> tuple[Array, Array, Array, int] | None:
        """Thresholds, TPR, FPR from the origin on, and twice U, in one pass over the classes.

        None where there is no such pass: a table was given, or scores stand for others.
        """
        if self._sorted_classes is None or self._values is not None:
            return None
        thresholds, tpr, fpr, doubled = kernels.curve_rates(*self._sorted_classes, numbers=True)
        return in_user_units(thresholds, self.direction, self._values), tpr, fpr, doubled
