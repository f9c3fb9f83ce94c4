"""For questions that have no weighted version."""

from __future__ import annotations

from rocwise.errors import InputError
from rocwise.primitives.tallies import Tally


def refuse_weights(data: Tally, question: str, instead: str | None = None) -> None:
    """For questions whose answers are defined, or proven right, for unweighted rows only.

    `instead` names what to ask of weighted rows; without it rows may be repeated.
    """
    if data.weighted:
        remedy = instead or (
            "where weights are numbers of equal rows, repeat the rows with np.repeat"
        )
        raise InputError(f"`{question}` has no weighted version: {remedy}.")
