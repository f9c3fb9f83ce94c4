"""Public names, listed once: read by type checkers and editors, and by `__init__.py`."""
# fmt: off

from . import filters as filters
from .comparisons import block_length as block_length
from .comparisons import compare as compare
from .rec_bands import band as band
from .rec_curves import rec as rec
from .rroc_curves import rroc as rroc

__all__: list[str]
