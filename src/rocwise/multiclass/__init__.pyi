"""Public names, listed once: read by type checkers and editors, and by `__init__.py`."""
# fmt: off

from .class_areas import auc as auc
from .class_areas import compare as compare
from .class_trees import metaclass as metaclass
from .curves import roc as roc
from .hypervolumes import hum as hum
from .operating_points import class_cost as class_cost
from .pooled import micro_auc as micro_auc
from .pooled import multiclass_brier as multiclass_brier
from .pooled import partial_class_areas as partial_class_areas
from .weight_searches import Evolution as Evolution
from .weights import class_weights as class_weights
from .weights import class_weights_under as class_weights_under
from .weights import sample_costs as sample_costs

__all__: list[str]
