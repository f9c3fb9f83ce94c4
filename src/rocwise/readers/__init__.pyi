"""Public names, listed once: read by type checkers and editors, and by `__init__.py`."""
# fmt: off

from .comparison import compare as compare

__all__: list[str]
