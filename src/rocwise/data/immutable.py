"""Forms of data that cannot be changed once they are made."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, NoReturn, TypeVar, overload

from rocwise.plain_values import never_written

Value = TypeVar("Value")


class made_once(Generic[Value]):  # noqa: N801  # used like property
    """A property that is computed once and kept: `functools.cached_property` without its lock.

    Two threads may compute it both; the values are equal, and never change.
    """

    def __init__(self, make: Callable[[Any], Value]) -> None:
        self.make: Callable[[Any], Value] = make
        self.name: str = make.__name__
        self.__doc__ = make.__doc__

    @overload
    def __get__(self, instance: None, owner: type[Any]) -> made_once[Value]: ...
    @overload
    def __get__(self, instance: Any, owner: type[Any]) -> Value: ...
    def __get__(self, instance: Any, owner: type[Any]) -> Any:
        """The value; found in the object itself from the second time on."""
        if instance is None:
            return self
        found = instance.__dict__[self.name] = self.make(instance)
        return found


class Immutable:
    """Attributes are set once, when the object is made; what is computed later is kept as well."""

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        never_written(cls)

    def _set(self, **attributes: Any) -> None:
        """Set attributes; for `__init__` alone."""
        self.__dict__.update(attributes)

    def __setattr__(self, name: str, value: Any) -> NoReturn:
        raise AttributeError(f"a {type(self).__name__} cannot be changed; make a new one.")

    def _made_of(self) -> dict[str, Any]:
        """The arguments of `__init__` that make the same object again."""
        raise NotImplementedError

    def __reduce__(self) -> Any:
        return _remade, (type(self), self._made_of())

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError(f"a {type(self).__name__} cannot be changed; make a new one.")


def _remade(kind: type[Any], made_of: dict[str, Any]) -> Any:
    return kind(**made_of)
