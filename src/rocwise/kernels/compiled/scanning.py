"""Single passes over the rows with the compiled loops, shared out among the threads."""

from typing import Any

import numpy as np

from rocwise.arrays import Array, Codes, Scores
from rocwise.kernels.compiled import _scanning
from rocwise.kernels.compiled._scanning import text_codes as text_codes
from rocwise.kernels.threads import pieces, run_parts, thread_limit

ROWS_PER_THREAD = 200_000  # fewer are read before a second thread has started


def first_nan(scores: Scores) -> int:
    """Compiled twin of `plain_sorting.first_nan`.

    Examples
    --------
    >>> first_nan(np.array([0.5, np.nan])), first_nan(np.array([0.5, np.inf]))
    (1, -1)
    """
    if scores.size < 2 * ROWS_PER_THREAD:
        return _scanning.first_nan(scores)

    def look(start: int, stop: int) -> int:
        return _after(start, _scanning.first_nan(scores[start:stop]))

    return _first(run_parts(look, _parts(scores.size)))


def holds_nan(first: Scores, second: Scores) -> bool:
    """Whether one of two columns holds nan; they are shared out as if they were one.

    Examples
    --------
    >>> holds_nan(np.array([0.5]), np.array([0.1, np.nan]))
    True
    """
    size = first.size + second.size
    if size < 2 * ROWS_PER_THREAD:
        return _scanning.first_nan(first) >= 0 or _scanning.first_nan(second) >= 0

    def look(start: int, stop: int) -> bool:
        own, other = (
            first[start:stop],
            second[max(0, start - first.size) : max(0, stop - first.size)],
        )
        return _scanning.first_nan(own) >= 0 or _scanning.first_nan(other) >= 0

    return any(run_parts(look, _parts(size)))


def match_labels(labels: Array, negative: Any, positive: Any) -> tuple[Codes, int, int]:
    """Compiled twin of `plain_sorting.match_labels`.

    Examples
    --------
    >>> mask, n_pos, first_bad = match_labels(np.array([-1, 1, 1]), -1, 1)
    >>> mask.tolist(), n_pos, first_bad
    ([0, 1, 1], 2, -1)
    """
    if labels.size < 2 * ROWS_PER_THREAD or thread_limit() == 1:
        return _scanning.match_labels(labels, negative, positive)
    mask = np.empty(labels.size, np.uint8)

    def match(start: int, stop: int) -> tuple[int, int]:
        part, n_pos, bad = _scanning.match_labels(labels[start:stop], negative, positive)
        mask[start:stop] = part
        return n_pos, _after(start, bad)

    found = run_parts(match, _parts(labels.size))
    return mask, sum(n_pos for n_pos, _ in found), _first([bad for _, bad in found])


def _parts(rows: int) -> list[tuple[int, int]]:
    return pieces(rows, min(thread_limit(), rows // ROWS_PER_THREAD))


def _after(start: int, row: int) -> int:
    """A row of a part as a row of all; -1 stays."""
    return row if row < 0 else start + row


def _first(rows: list[int]) -> int:
    return next((row for row in rows if row >= 0), -1)
