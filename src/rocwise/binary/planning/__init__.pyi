"""The public names of this package; read by type checkers and editors, and by `__init__.py`."""
# fmt: off

from .study_plans import detectable_auc as detectable_auc
from .study_plans import significance_level as significance_level

__all__: list[str]
