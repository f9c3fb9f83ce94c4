"""The names that this package offers beside those of `rocwise`, listed once."""
# fmt: off

from .operating_points import class_cost as class_cost
from .pooled import micro_auc as micro_auc
from .pooled import multiclass_brier as multiclass_brier
from .pooled import partial_class_areas as partial_class_areas
from .random_searches import Evolution as Evolution
from .weights import class_weights_under as class_weights_under
from .weights import sample_costs as sample_costs

__all__: list[str]
