"""What others may use, listed once: read by type checkers and editors, and by `__init__.py`."""
# fmt: off

from .configurations import CONFIGURATIONS as CONFIGURATIONS
from .synthetic_rows import AbsentClassError as AbsentClassError

__all__: list[str]
