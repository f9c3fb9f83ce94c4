"""Public functions for two classes that are not at the top level; read by `__init__.py`."""
# fmt: off

from .cost_curves import cost_lines as cost_lines
from .cost_curves import roc_points as roc_points
from .net_reclassification import reclassification as reclassification
from .planning import detectable_auc as detectable_auc
from .planning import significance_level as significance_level
from .unlabeled import rule_without_labels as rule_without_labels

__all__: list[str]
