"""The names that this package offers beside those of `rocwise`, listed once."""
# fmt: off

from .areas.pooled import micro_auc as micro_auc
from .areas.pooled import multiclass_brier as multiclass_brier
from .areas.pooled import partial_class_areas as partial_class_areas
from .operating_points.cost_uncertainty import class_weights_under as class_weights_under
from .operating_points.cost_uncertainty import sample_costs as sample_costs
from .operating_points.genetic import Evolution as Evolution
from .operating_points.rule_costs import class_cost as class_cost

__all__: list[str]
