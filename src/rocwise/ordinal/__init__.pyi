"""Public names, listed once: read by type checkers and editors, and by `__init__.py`."""
# fmt: off

from .cut_points import thresholds as thresholds
from .measures import auc as auc
from .measures import compare as compare
from .measures import null_test as null_test
from .surfaces import best_order as best_order
from .surfaces import surface as surface

__all__: list[str]
