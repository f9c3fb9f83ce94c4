"""The estimators, listed once: read by type checkers and editors, and by `__init__.py`."""
# fmt: off

from .abstaining_classifier import AbstainingClassifier as AbstainingClassifier
from .class_weight_classifier import ClassWeightClassifier as ClassWeightClassifier
from .displays import AbstentionDisplay as AbstentionDisplay
from .displays import CostDisplay as CostDisplay
from .displays import RecDisplay as RecDisplay
from .displays import RocDisplay as RocDisplay
from .filter_regressor import FilterRegressor as FilterRegressor
from .metaclass_classifier import MetaClassClassifier as MetaClassClassifier
from .mimetic_classifier import MimeticClassifier as MimeticClassifier
from .model_tree import ModelTreeRegressor as ModelTreeRegressor
from .named_scorers import scorer as scorer
from .named_scorers import scorers as scorers
from .probability_tree import ProbabilityEstimatingTree as ProbabilityEstimatingTree
from .reliable_classifier import ReliableClassifier as ReliableClassifier
from .stacked_filters import StackedFilterRegressor as StackedFilterRegressor
from .threshold_classifier import ThresholdClassifier as ThresholdClassifier

__all__: list[str]
