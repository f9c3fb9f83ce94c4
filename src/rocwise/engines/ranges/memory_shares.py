"""How a limit of memory is shared out: to DuckDB, to sorted runs, to what threads are working on.

Measured, not proved: a test reads the peak of a process (tests/unit/engines/test_memory_limit.py).
"""

from __future__ import annotations

from rocwise.kernels.threads import thread_limit

BYTES_PER_ROW = 64  # of labels, scores, copies of them and their sorted classes in memory
STARTED = 100_000_000  # bytes that the interpreter and its packages take by themselves
LEAST_OF_DUCKDB = 25_000_000  # without which it reads no row group
BYTES_PER_CELL = 120  # of a slice that a thread reads and sorts: a quarter of what is spare
BYTES_PER_SORTED = 500  # of a range that a thread merges: about a sixth
BYTES_PER_MEETING = 500  # of a row, and of each model, where placements of models meet
BYTES_PER_COUNT = 200  # of a distinct row while DuckDB counts, and on its way here


def spare(memory: int) -> int:
    """What of a limit is left when the interpreter has started; at least the half of it.

    >>> spare(500_000_000), spare(100_000_000)
    (400000000, 50000000)
    """
    return max(memory // 2, memory - STARTED)


def of_duckdb(memory: int) -> int:
    """Bytes that DuckDB may hold."""
    return max(LEAST_OF_DUCKDB, spare(memory) // 4)


def of_runs(memory: int, kinds: int = 1) -> int:
    """Bytes for the sorted runs of one of several kinds."""
    return spare(memory) // (2 * kinds)


def slice_rows(memory: int, n_columns: int) -> int:
    """Rows that one thread reads and sorts."""
    return spare(memory) // (BYTES_PER_CELL * thread_limit() * max(2, n_columns))


def range_rows(memory: int) -> int:
    """Rows of a range, which one thread merges."""
    return max(2**16, min(2**21, spare(memory) // (BYTES_PER_SORTED * thread_limit())))


def block_rows(memory: int, n_models: int) -> int:
    """Rows of a block in which the placements by several models meet.

    >>> block_rows(250_000_000, 2), block_rows(2_000_000_000, 2)
    (100000, 1048576)
    """
    return max(2**14, min(2**20, spare(memory) // (BYTES_PER_MEETING * (1 + n_models))))


def counted_rows(memory: int) -> int:
    """Distinct rows that may come here with their counts."""
    return spare(memory) // BYTES_PER_COUNT


def advice(n_rows: int) -> str:
    """What to pass for so many rows to be read into memory.

    >>> advice(100_000_000)
    "pass memory_limit='7GB', about what they take in memory"
    """
    gigabytes = -(-n_rows * BYTES_PER_ROW // 10**9)
    return f"pass memory_limit='{gigabytes}GB', about what they take in memory"
