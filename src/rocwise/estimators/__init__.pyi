"""The estimators, listed once: read by type checkers and editors, and by `__init__.py`."""
# fmt: off

from .decision_rules import AbstainingClassifier as AbstainingClassifier
from .decision_rules import ReliableClassifier as ReliableClassifier
from .decision_rules import ThresholdClassifier as ThresholdClassifier
from .displays import AbstentionDisplay as AbstentionDisplay
from .displays import CostDisplay as CostDisplay
from .displays import RecDisplay as RecDisplay
from .displays import RocDisplay as RocDisplay
from .mimetic import MimeticClassifier as MimeticClassifier
from .named_scorers import scorer as scorer
from .named_scorers import scorers as scorers
from .named_scorers import survival_auc_scorer as survival_auc_scorer
from .probability_tree import ProbabilityEstimatingTree as ProbabilityEstimatingTree
from .regressors import FilterRegressor as FilterRegressor
from .regressors import ModelTreeRegressor as ModelTreeRegressor
from .regressors import NaiveBayesRegressor as NaiveBayesRegressor
from .regressors import StackedFilterRegressor as StackedFilterRegressor
from .several_classes import ClassWeightClassifier as ClassWeightClassifier
from .several_classes import MetaClassClassifier as MetaClassClassifier

__all__: list[str]
