"""Values by name that are made when they are asked for, so that a million of them take no room."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, Generic, TypeVar

Value = TypeVar("Value")
Other = TypeVar("Other")


class MadeWhenAsked(Mapping[Any, Value], Generic[Value]):
    """A mapping that knows how to make the value of place k.

    Examples
    --------
    >>> squares = MadeWhenAsked(["a", "b"], lambda place: place**2)
    >>> squares["b"], dict(squares.mapped(str))
    (1, {'a': '0', 'b': '1'})
    """

    def __init__(
        self,
        names: Sequence[Any],
        make: Callable[[int], Value],
        sums: Mapping[str, Any] | None = None,
    ) -> None:
        self.names: Sequence[Any] = names
        self.make: Callable[[int], Value] = make
        self.sums = sums  # columns of what the values are made of
        self.columns: Callable[[], Mapping[str, Any] | None] = lambda: None

    @cached_property
    def _places(self) -> dict[Any, int]:
        return {name: place for place, name in enumerate(self.names)}

    def __getitem__(self, name: Any) -> Value:
        return self.make(self._places[name])

    def __contains__(self, name: object) -> bool:
        return name in self._places

    def __iter__(self) -> Iterator[Any]:
        return iter(self.names)

    def __len__(self) -> int:
        return len(self.names)

    def at_once(
        self, of_sums: Callable[..., Mapping[str, Any] | None] | None, asked: Mapping[str, Any]
    ) -> None:
        """Let `columns` make the columns of all answers from those of the sums, if that is known.

        `of_sums` is told the sums, how the answer at one place is found, and what else was asked.
        """
        if of_sums is not None and self.sums is not None:
            make: Callable[[int], Any] = self.make
            self.columns = lambda: of_sums(self.sums, lambda place: make(place)._columns(), **asked)

    def mapped(self, change: Callable[[Value], Other]) -> MadeWhenAsked[Other]:
        """The same names with what `change` makes of the values, when asked."""
        make = self.make
        return MadeWhenAsked(self.names, lambda place: change(make(place)), self.sums)
