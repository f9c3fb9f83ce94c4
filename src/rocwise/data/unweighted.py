"""For questions that have no version with weights or clusters."""

from __future__ import annotations

from rocwise.data.tally import Tally
from rocwise.errors import InputError


def refuse_weights(
    data: Tally, question: str, *, why: str, instead: str, clusters: bool = True
) -> None:
    """For questions whose answers are defined, or proven right, for equal rows only.

    `why` says what about them makes it so, and `instead` what to ask of other rows; `clusters`:
    whether rows must be independent too.
    """
    if data.weighted:
        raise InputError(f"`{question}` has no weighted version, since {why}: {instead}.")
    if clusters and data.clustered:
        raise InputError(f"`{question}` has no version with clusters, since {why}: {instead}.")
