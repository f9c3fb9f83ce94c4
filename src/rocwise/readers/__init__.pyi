"""Public names, listed once: read by type checkers and editors, and by `__init__.py`."""
# fmt: off

from .comparison import compare as compare
from .study_plans import plan as plan

__all__: list[str]
