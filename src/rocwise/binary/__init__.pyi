"""Public functions for two classes that are not at the top level; read by `__init__.py`."""
# fmt: off

from .bands import threshold_regions as threshold_regions
from .cost_curves import cost_lines as cost_lines
from .cost_curves import roc_points as roc_points
from .net_reclassification import reclassification as reclassification
from .planning import detectable_auc as detectable_auc
from .planning import significance_level as significance_level
from .scored_auc import scored_roc as scored_roc
from .unlabeled import rule_without_labels as rule_without_labels

__all__: list[str]
