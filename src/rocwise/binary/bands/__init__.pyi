"""The public names of this package; read by type checkers and editors, and by `__init__.py`."""
# fmt: off

from .rate_regions import threshold_regions as threshold_regions

__all__: list[str]
