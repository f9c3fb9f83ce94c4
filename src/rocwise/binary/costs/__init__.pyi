"""The names that this package offers; read also by `__init__.py`."""
# fmt: off

from .duality import cost_lines as cost_lines
from .duality import roc_points as roc_points
from .risk_categories import reclassification as reclassification

__all__: list[str]
