"""The tally: distinct scores with how many positives and negatives have each.

Sort once, ask everything: every curve, area, variance and threshold is one pass over this table.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import replace
from typing import Any, TypeVar

from rocwise import kernels, printing
from rocwise.arrays import Amounts, Array, Codes, Counts, Floats, Places
from rocwise.data.counted_scores import FEW_SCORES, CountedScores
from rocwise.data.immutable import made_once
from rocwise.data.score_columns import (
    ScoreColumn,
    Squares,
    classes_of_curve,
)
from rocwise.data.smooth_steps import SmoothSteps
from rocwise.data.summed_tables import table_of_counts, table_of_unlike_rows
from rocwise.data.table_checks import (
    checked_classes,
    checked_meanings,
    checked_origin,
    checked_table,
    refuse_nothing,
    refuse_other_kind,
)
from rocwise.data.tally_rows import TallyRows
from rocwise.plain_values import json_safe, locked
from rocwise.results import Drawable, Origin, as_frame

V = TypeVar("V")
OF_PLAIN_ARRAYS: dict[str, Any] = {  # copied as a whole: calls with few rows are short
    "_given_table": None,
    "_values": None,
    "_sums": None,
    "steps": None,
    "squares": None,
    "rows": None,
    "origin": Origin(),  # what there is to say of them: nothing
}


class Tally(Drawable, CountedScores):
    """Distinct scores, most positive first, with the positives and negatives that hold each.

    Built by `rocwise.tally`; the table itself is made only when asked for, since areas and their
    variances need no more than the two sorted classes.

    Attributes
    ----------
    scores : ndarray
        Distinct scores in the user's units, from the most positive one down.
    pos, neg : ndarray
        Amounts per score (int64), or sums of weights (float64) when weights were given.
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
    _memory: dict[Hashable, Any]

    def __init__(
        self,
        *,
        sorted_classes: tuple[Array, Array] | None = None,
        table: tuple[Array, Amounts, Amounts] | None = None,
        squares: Squares | None = None,
        rows: TallyRows | None = None,
        origin: Origin | None = None,
        values: Array | None = None,
        sums: kernels.PlacementSums | None = None,
        steps: SmoothSteps | None = None,
    ) -> None:
        refuse_nothing(sorted_classes, table)
        self.__dict__.update(
            _sorted_classes=locked(sorted_classes),
            _given_table=locked(table),
            _values=locked(values),
            _sums=sums,  # of the rows, where the table is coarser than they are
            steps=steps,  # of the smooth curve, likewise
            _memory={},
            squares=squares,
            rows=rows,
            origin=origin or Origin(),
        )

    def _made_of(self) -> dict[str, Any]:
        return {
            "sorted_classes": self._sorted_classes,
            "table": self._given_table,
            "squares": self.squares,
            "rows": self.rows,
            "origin": self.origin,
            "values": self._values,
            "sums": self._sums,
            "steps": self.steps,
        }

    @classmethod
    def from_rows(
        cls,
        mask: Codes,
        column: ScoreColumn,
        weights: Floats | None = None,
        counts: Counts | None = None,
        clusters: Places | None = None,
    ) -> Tally:
        """The one sort: from rows of labels (1 = positive), scores and, if any, weights.

        With `counts`, each row stands for that many; else for itself alone. Rows of one cluster
        are not independent.
        """
        if weights is not None or clusters is not None:
            return cls(**table_of_unlike_rows(mask, column, weights, counts, clusters))
        if counts is not None and int(counts.max()) > 1:
            return cls(**table_of_counts(mask, column, counts))
        neg, pos = kernels.sort_classes(mask, column.oriented)
        return cls(sorted_classes=(neg, pos), origin=column.origin, values=column.meanings)

    @classmethod
    def from_plain(cls, neg: Array, pos: Array, sums: kernels.PlacementSums | None) -> Tally:
        """From what `kernels.few_rows` found: all is checked and locked."""
        made = cls._of_plain(sums)
        made._set(_sorted_classes=(neg, pos), n_pos=len(pos), n_neg=len(neg))
        return made

    @classmethod
    def from_many(
        cls,
        classes: Callable[[], tuple[Array, Array]],
        sums: kernels.PlacementSums | None,
    ) -> Tally:
        """From what `kernels.many_rows` found: with sums, rows that are sorted when need be."""
        if sums is None:
            return cls.from_plain(*classes(), None)
        made = cls._of_plain(sums)
        made._set(_classes_later=classes, n_pos=sums.n_pos, n_neg=sums.n_neg)
        return made

    @classmethod
    def _of_plain(cls, sums: kernels.PlacementSums | None) -> Tally:
        """What tallies of plain arrays have in common; their classes are still to be set."""
        made = cls.__new__(cls)
        own = made.__dict__
        own.update(OF_PLAIN_ARRAYS)
        own["_memory"] = {}
        if sums is not None:
            own["placement_sums"] = sums
        return made

    @classmethod
    def from_sorted(
        cls,
        neg: Array,
        pos: Array,
        *,
        origin: Origin | None = None,
        values: Array | None = None,
    ) -> Tally:
        """From the ascending scores of each class, oriented so that higher means positive.

        `values` maps scores that are positions 0, 1, 2, ... to what they stand for.
        """
        classes = checked_classes(neg, pos)
        return cls(
            sorted_classes=classes,
            origin=checked_origin(origin),
            values=checked_meanings(values, classes),
        )

    @classmethod
    def from_counts(
        cls,
        scores: Array,
        pos: Amounts,
        neg: Amounts,
        *,
        squares: Squares | None = None,
        rows: TallyRows | None = None,
        origin: Origin | None = None,
    ) -> Tally:
        """From a finished table: distinct scores, most positive first, in the user's units."""
        origin = checked_origin(origin)
        refuse_other_kind(squares, Squares, "squares")
        refuse_other_kind(rows, TallyRows, "rows")
        table = checked_table(
            scores, pos, neg, direction=origin.direction, weighted=squares is not None
        )
        return cls(table=table, squares=squares, rows=rows, origin=origin)

    @property
    def clustered(self) -> bool:
        """Whether rows form clusters that are not independent inside."""
        return self.rows is not None and self.rows.clusters is not None

    @made_once
    def effective_sizes(self) -> tuple[float, float]:
        """Independent rows of equal weight that tell as much as the positives, the negatives."""
        if self.rows is None:
            return float(self.n_pos), float(self.n_neg)
        return self.rows.effective_sizes()

    @property
    def n_dropped(self) -> int:
        """Rows with missing values left out."""
        return self.origin.n_dropped

    @property
    def error_bound(self) -> float:
        """Largest possible error of the AUC caused by binning; 0 when nothing was binned."""
        return self.origin.error_bound

    def named(self, name: str | None) -> Tally:
        """The same tally under another name."""
        return self.with_origin(replace(self.origin, name=name))

    def with_origin(self, origin: Origin) -> Tally:
        """The same tally with more, or other, to say of where it came from."""
        return Tally(**self._made_of() | {"origin": origin})

    def with_rows(self, rows: TallyRows) -> Tally:
        """The same table with rows to draw from: each of them may stand for several."""
        return Tally(**self._made_of() | {"rows": rows})

    def for_once(self) -> Tally:
        """The same tally for one question: what is yet to be made for it is not kept by this one.

        >>> data = Tally.from_sorted([1.0, 2.0], [2.0, 3.0])
        >>> data.for_once().tp.tolist(), data.for_once() is data
        ([1, 2, 2], False)
        >>> data.tp.tolist(), data.for_once() is data
        ([1, 2, 2], True)
        """
        return self if self.has_columns else self.with_origin(self.origin)

    def merged(self) -> Tally:
        """The same tally with its columns, and of many rows without the sorted classes.

        For a question that looks at columns alone: rows that nobody else has sorted are let go,
        and put by class again only if they are asked for.

        >>> rising = [k / 2 for k in range(100_000)]
        >>> data = Tally.from_sorted(rising, rising)
        >>> merged = data.merged()
        >>> "_sorted_classes" in vars(merged), len(merged), merged.oriented_classes[1][:3].tolist()
        (False, 100000, [0.0, 0.5, 1.0])
        """
        few = self.n_pos + self.n_neg <= FEW_SCORES
        if few or self._given_table is not None or self._values is not None:
            return self
        scores, tp, fp = self._curve
        direction = self.direction
        made = Tally.__new__(Tally)
        made._set(**{name: kept for name, kept in vars(self).items() if name != "_sorted_classes"})
        made._set(_classes_later=lambda: classes_of_curve(scores, tp, fp, direction))
        return made

    def remembered(self, key: Hashable, make: Callable[[], V]) -> V:
        """What `make` gives, made once for this tally."""
        if key not in self._memory:
            self._memory[key] = make()
        found: V = self._memory[key]
        return found

    def threshold_text(self, index: int) -> str:
        """How threshold number `index` of the table is printed: the shortest that recounts."""
        return printing.threshold_text(
            self.scores, index, direction=self.direction, categories=self.origin.categories
        )

    def __repr__(self) -> str:
        unit = "weighted " if self.weighted else ""
        given = self._given_table is not None  # counting the scores of rows would take a merge
        size = f", {printing.count(len(self))} distinct scores" if given else ""
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
