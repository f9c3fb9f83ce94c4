"""What engines whose rows stay where they are report and are given, and the budget of memory.

Such an engine, `ParquetRows` or `SparkSource`, returns counts and sums; nothing grows with the
number of rows. It cleans nothing: it reports which labels there are (`Survey`), is given the
positive one (`Request`), and leaves out rows whose label or score is missing.
"""

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from rocwise.arrays import Counts
from rocwise.data.range_states import BINS
from rocwise.data.smooth_steps import SmoothPlan
from rocwise.engines.counted_rows import CountedRows
from rocwise.kernels.threads import thread_limit

if TYPE_CHECKING:
    from rocwise.engines.out_of_core.parquet_rows import ParquetRows
    from rocwise.engines.spark import SparkSource

    LargeSource: TypeAlias = ParquetRows | SparkSource

MOST_LABELS = 1000
DECIMAL = re.compile(r"decimal\((\d+),\d+\)", re.IGNORECASE)
DIGITS_OF_FLOATS = 15
# The budget is measured: a test reads the peak of a process (test_memory_limit.py).
BYTES_PER_ROW = 64  # labels, scores, copies of them and their sorted classes in memory
BYTES_PER_KEY = 90  # more, for a column of clusters or groups
BYTES_PER_TEXT = 100  # more, if it is text
INTERPRETER = 100_000_000  # bytes of Python and its packages
LEAST_OF_DUCKDB = 64_000_000  # without which it reads no row group
BYTES_PER_CELL = 120  # of a slice that a thread reads and sorts: a quarter of the budget
BYTES_PER_SORTED = 500  # of a range that a thread merges: about a sixth
BYTES_PER_BIN = 200  # of a table of a group: about an eighth while tables are joined
LEAST_BINS = 256  # of a curve that is worth to be drawn
BYTES_PER_COUNT = 200  # of a distinct row while DuckDB counts and fetches it


@dataclass(frozen=True, slots=True, eq=False)
class Survey:
    """A column of labels and columns of scores, from one pass over all rows."""

    labels: CountedRows  # distinct labels, uncleaned, at most `MOST_LABELS`, with counts
    unscored: Counts  # rows of each label with a missing score (NULL or nan)
    unscored_by: dict[str, int]  # for each column of scores the number of missing ones
    kinds: dict[str, str]  # type of each column of scores in memory; "object": beyond 64 bits
    ends: dict[str, tuple[Any, Any] | None]  # minimum and maximum; None: all are missing
    distinct: dict[str, int]  # for each column of scores about how many distinct values it has

    @property
    def n_rows(self) -> int:
        """All rows, also those with missing values."""
        assert self.labels.counts is not None
        return int(self.labels.counts.sum())


def survey_of(
    found: list[tuple[Any, ...]],
    label: str,
    labels: Any,
    kinds: dict[str, str],
    distinct: dict[str, int],
) -> Survey:
    """The survey from one row for each label: rows, unscored ones, and of scores the range."""
    counts, unscored = (np.array([row[k] for row in found], np.int64) for k in (1, 2))
    parts = {name: [row[3 + 3 * k : 6 + 3 * k] for row in found] for k, name in enumerate(kinds)}
    present = {name: [p for p in own if p[1] is not None] for name, own in parts.items()}
    return Survey(
        labels=CountedRows({label: labels}, counts, None),
        unscored=unscored,
        unscored_by={name: sum(part[0] for part in own) for name, own in parts.items()},
        kinds=kinds,
        ends={
            name: (min(part[1] for part in own), max(part[2] for part in own)) if own else None
            for name, own in present.items()
        },
        distinct={name: min(number, int(counts.sum())) for name, number in distinct.items()},
    )


def numpy_kind(kind: str, kinds: dict[str, str]) -> str:
    """The numpy type of a column in memory; decimals that floats represent are floats."""
    digits = DECIMAL.fullmatch(kind)
    if digits and int(digits[1]) <= DIGITS_OF_FLOATS:
        return "float64"
    return kinds.get(kind, "object")


@dataclass(frozen=True, slots=True)
class Request:
    """The rows of a source to sum, and how."""

    label: str  # column of labels
    positive: Any  # the two labels, as in `Survey.labels`; rows with others are left out
    negative: Any
    scores: tuple[str, ...]  # columns of scores
    higher: bool = True  # whether higher scores mean positive; else scores are negated (0 - score)
    bins: int = BINS  # bins of the result
    n_rows: int = 0  # complete rows according to the survey
    complete: tuple[str, ...] = ()  # further columns that no row may lack: clusters, groups
    smooth: SmoothPlan | None = None  # plan of the smooth curve; its midpoint is not yet known

    def of_model(self, name: str) -> "Request":
        """The request for one model, over the rows that have the scores of all."""
        others = tuple(other for other in self.scores if other != name)
        return replace(self, scores=(name,), complete=(*self.complete, *others))


def spare(memory: int) -> int:
    """The limit less the interpreter; at least half of it."""
    return max(memory // 2, memory - INTERPRETER)


def duckdb_bytes(memory: int) -> int:
    """Memory of DuckDB."""
    return max(LEAST_OF_DUCKDB, spare(memory) // 4)


def run_bytes(memory: int, kinds: int = 1) -> int:
    """Memory of the sorted runs of one of several kinds."""
    others = duckdb_bytes(memory) + spare(memory) // 4
    return max(spare(memory) // 8, spare(memory) - others) // kinds


def slice_rows(memory: int, n_columns: int) -> int:
    """Rows that one thread reads and sorts."""
    return spare(memory) // (BYTES_PER_CELL * thread_limit() * max(2, n_columns))


def range_rows(memory: int) -> int:
    """Rows of a range, which one thread merges."""
    return max(2**16, min(2**21, spare(memory) // (BYTES_PER_SORTED * thread_limit())))


def most_counted(memory: int) -> int:
    """Distinct rows that may be fetched with their counts."""
    return spare(memory) // BYTES_PER_COUNT


def group_bins(memory: int, n_groups: int) -> int:
    """Bins of the scores of each of so many groups; 0 if there is no room for a useful number."""
    bins = spare(memory) // (BYTES_PER_BIN * max(1, n_groups))
    return min(BINS, bins) if bins >= LEAST_BINS else 0


def memory_advice(n_rows: int) -> str:
    """The memory limit with which so many rows are read into memory."""
    gigabytes = -(-n_rows * (BYTES_PER_ROW + BYTES_PER_KEY + BYTES_PER_TEXT) // 10**9)
    return f"pass memory_limit='{gigabytes}GB', so that they are read into memory"
