"""What answers about ordered classes have in common."""

from __future__ import annotations

from typing import Literal, get_args

from rocwise.results import Result

Ties = Literal["credit", "strict"]
TIES: tuple[str, ...] = get_args(Ties)
LARGER = "a higher class"  # what larger scores mean here, in place of "positive"


class OrderedResult(Result):
    """An answer about ordered classes."""

    def __repr__(self) -> str:
        return "; ".join([self._sentence(), *self.origin.remarks(LARGER)])
