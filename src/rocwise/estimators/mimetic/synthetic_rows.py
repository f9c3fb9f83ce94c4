"""Rows that never were, labelled by an oracle, with the class shares that were asked for."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from rocwise.arrays import Array, Flags, Floats, Places
from rocwise.errors import InputError, listed
from rocwise.estimators.mimetic.attributes import Attributes, Columns
from rocwise.progress import reporter

MAX_BATCHES = 200
# From columns to the probability of each of the two classes.
Oracle = Callable[[Columns], Floats]


class AbsentClassError(InputError, RuntimeError):
    """The oracle hardly ever predicts a class that the invented rows must contain."""


@dataclass(frozen=True, slots=True, eq=False)
class SyntheticRows:
    """SyntheticRows rows with the oracle's opinion of them.

    Attributes
    ----------
    columns : list of ndarray
        The rows, column by column.
    positive : ndarray of bool
        Whether the oracle says the second class, which it does where P(first) < 0.5.
    probability : ndarray
        The oracle's probability of the second class.
    n_batches : int
        How many times as many rows were drawn as were asked for.
    """

    columns: Columns
    positive: Flags
    probability: Floats
    n_batches: int

    def rows(self, chosen: Places) -> SyntheticRows:
        """Some of the rows."""
        columns = [column[chosen] for column in self.columns]
        return SyntheticRows(
            columns, self.positive[chosen], self.probability[chosen], self.n_batches
        )


def sample_rows(
    attributes: Attributes,
    oracle: Oracle,
    n_rows: int,
    share_of_first: float | None,
    classes: Array,
    rng: np.random.RandomState,
) -> SyntheticRows:
    """Rows drawn uniformly and labelled; with a share, rows are drawn until both quotas are full.

    Quotas are round(n_rows * share) rows of the first class, and the rest of the second.
    """
    if share_of_first is None:
        return _labelled(attributes, oracle, n_rows, rng)
    first = round(n_rows * share_of_first)
    wanted = np.array([first, n_rows - first])
    report = reporter(None, "inventing rows")
    kept: list[SyntheticRows] = []
    found = np.zeros(2, dtype=np.intp)
    for n_batches in range(1, MAX_BATCHES + 1):
        batch = _labelled(attributes, oracle, n_rows, rng)
        chosen = [
            np.flatnonzero(batch.positive == side)[: wanted[side] - found[side]] for side in (0, 1)
        ]
        kept.append(batch.rows(np.sort(np.concatenate(chosen))))
        found += [len(rows) for rows in chosen]
        if (found == wanted).all():
            return _joined(kept, n_batches)
        report(float(found.sum() / n_rows))
    short = int((wanted - found).argmax())
    raise AbsentClassError(
        f"the oracle predicts class {listed(classes[short : short + 1])} for {found[short]:,} of "
        f"{MAX_BATCHES * n_rows:,} invented rows, but {wanted[short]:,} are needed. Use a "
        "configuration that takes classes as they come (type c), or fewer `n_samples`."
    )


def _labelled(
    attributes: Attributes, oracle: Oracle, n_rows: int, rng: np.random.RandomState
) -> SyntheticRows:
    columns = attributes.sample(n_rows, rng)
    probabilities = oracle(columns)
    return SyntheticRows(columns, probabilities[:, 0] < 0.5, probabilities[:, 1], 1)


def _joined(kept: list[SyntheticRows], n_batches: int) -> SyntheticRows:
    """The rows kept of every batch, in the order in which they were drawn."""
    return SyntheticRows(
        [np.concatenate(parts) for parts in zip(*(part.columns for part in kept), strict=True)],
        np.concatenate([part.positive for part in kept]),
        np.concatenate([part.probability for part in kept]),
        n_batches,
    )
