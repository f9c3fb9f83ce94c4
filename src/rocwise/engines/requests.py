"""What is asked of an engine whose rows stay where they are, and what it answers.

Such an engine counts and sums; nothing of it grows with the number of rows. It cleans nothing:
it tells which labels there are (`Survey`), is told which of them are positive (`Asked`), and
leaves out the rows whose label or score is missing.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

from rocwise.arrays import Counts
from rocwise.data.amounts.smooth_steps import SmoothPlan
from rocwise.data.mergeable.exact_sums import ClusterSums, GroupSums, PairSums
from rocwise.data.mergeable.range_states import BINS, RangeState
from rocwise.engines.counted_rows import CountedRows


@dataclass(frozen=True, slots=True, eq=False)
class Survey:
    """What one look at all rows tells of a column of labels and columns of scores.

    Attributes
    ----------
    labels : CountedRows
        The distinct labels, uncleaned, one of them None where labels are missing; with counts.
        At most `MOST_LABELS`, so that refusals can list them.
    unscored : ndarray of int64
        Rows of each label of which a score is missing (NULL or nan).
    unscored_by : dict
        For each column of scores how many rows lack it.
    kinds : dict
        For each column of scores the numpy type that it would have in memory: "float64",
        "float32", "int64", "bool", or "object" for decimals and integers beyond 64 bits.
    ends : dict
        For each column of scores its least and its largest value; None where all are missing.
    distinct : dict
        For each column of scores about how many distinct values it has.
    """

    labels: CountedRows
    unscored: Counts
    unscored_by: dict[str, int]
    kinds: dict[str, str]
    ends: dict[str, tuple[Any, Any] | None]
    distinct: dict[str, int]

    @property
    def n_rows(self) -> int:
        """All rows, also those in which something is missing."""
        assert self.labels.counts is not None
        return int(self.labels.counts.sum())


@dataclass(frozen=True, slots=True)
class Asked:
    """Which rows of a source are meant, and how.

    Attributes
    ----------
    label : str
        Column of labels.
    positive, negative : object
        The two labels, as `Survey.labels` holds them. Rows with neither are left out: they miss
        their label, `inputs` has refused all others.
    scores : tuple of str
        Columns of scores; rows that lack one of them, or any column of `complete`, are left out.
    higher : bool
        Whether higher scores mean positive; else scores are negated on the way (0 - score).
    bins : int
        Bins of the answer.
    n_rows : int
        Rows that are meant, as the survey counted them.
    complete : tuple of str
        Further columns that must not be missing: clusters, groups.
    smooth : SmoothPlan, optional
        Asks `range_state` for the steps of the smooth curve too; its midpoint is still to find.
    """

    label: str
    positive: Any
    negative: Any
    scores: tuple[str, ...]
    higher: bool = True
    bins: int = BINS
    n_rows: int = 0
    complete: tuple[str, ...] = ()
    smooth: SmoothPlan | None = None


MOST_LABELS = 1000


class LargeSource(Protocol):
    """Rows of any number. `memory` is in bytes, an aim for everything the engine holds here."""

    @property
    def library(self) -> str | None:
        """Library of the frame, in whose kind answers come; None for files."""

    @property
    def read_by(self) -> str | None:
        """How the rows were read, where not by the engine that they came with."""

    def in_memory(self, n_rows: int) -> str:
        """How a user can have so many rows in memory, as the end of a refusal."""

    def survey(self, label: str, scores: list[str]) -> Survey:
        """Look at all rows once."""

    def few(self, wanted: list[str]) -> bool:
        """Whether a sample says, before all rows are looked at, that few of them are distinct."""

    def counted(self, wanted: list[str], weight: str | None) -> CountedRows | None:
        """Distinct rows with their counts; None if there are too many of them to come here."""

    def range_state(self, asked: Asked) -> RangeState:
        """Placement sums and bins of one column of scores, the same whatever the ranges were."""

    def group_sums(self, asked: Asked, by: str) -> GroupSums:
        """Placement sums within each group of rows; `by` is a column without missing values."""

    def pair_sums(self, asked: Asked) -> PairSums:
        """Sums of products of the placements that all columns of scores give to each row."""

    def cluster_sums(self, asked: Asked, clusters: str) -> ClusterSums:
        """Sums over clusters of what the placements in each add up to."""
