"""Forms of data that cannot be changed once they are made."""

from __future__ import annotations

from typing import Any, NoReturn


class Immutable:
    """Attributes are set once, when the object is made; what is computed later is kept as well."""

    def _set(self, **attributes: Any) -> None:
        """Set attributes; for `__init__` alone."""
        for name, value in attributes.items():
            object.__setattr__(self, name, value)

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
