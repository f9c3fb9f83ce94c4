"""Results."""

from __future__ import annotations

from rocwise.results import Origin, Result

TIES = ("credit", "strict")


def remarks(origin: Origin) -> list[str]:
    """What a reader must know about the data, in words for ordered classes."""
    return [text.replace("mean positive", "mean a higher class") for text in origin.remarks()]


class OrderedResult(Result):
    """An answer about ordered classes."""

    def remarks(self) -> list[str]:
        """What a reader must know about the data."""
        return remarks(self.origin)

    def __repr__(self) -> str:
        return "; ".join([self._sentence(), *self.remarks()])
