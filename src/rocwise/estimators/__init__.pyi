"""The estimators, listed once: read by type checkers and editors, and by `__init__.py`."""
# fmt: off

from .abstaining_classifier import AbstainingClassifier as AbstainingClassifier
from .class_weight_classifier import ClassWeightClassifier as ClassWeightClassifier
from .filter_regressor import FilterRegressor as FilterRegressor
from .metaclass_classifier import MetaClassClassifier as MetaClassClassifier
from .mimetic_classifier import MimeticClassifier as MimeticClassifier
from .model_tree import ModelTreeRegressor as ModelTreeRegressor
from .probability_tree import ProbabilityEstimatingTree as ProbabilityEstimatingTree
from .reliable_classifier import ReliableClassifier as ReliableClassifier
from .stacked_filters import StackedFilterRegressor as StackedFilterRegressor
from .threshold_classifier import ThresholdClassifier as ThresholdClassifier

__all__: list[str]
