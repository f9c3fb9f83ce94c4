"""scikit-learn estimators that act on the answers: they decide, abstain, weigh and forecast.

Names are loaded when first used, so that one estimator does not import the others.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:  # the same names as below, for editors and type checkers
    from rocwise.estimators.abstaining_classifier import (
        AbstainingClassifier as AbstainingClassifier,
    )
    from rocwise.estimators.class_weight_classifier import (
        ClassWeightClassifier as ClassWeightClassifier,
    )
    from rocwise.estimators.filter_regressor import FilterRegressor as FilterRegressor
    from rocwise.estimators.metaclass_classifier import MetaClassClassifier as MetaClassClassifier
    from rocwise.estimators.mimetic_classifier import MimeticClassifier as MimeticClassifier
    from rocwise.estimators.model_tree import ModelTreeRegressor as ModelTreeRegressor
    from rocwise.estimators.probability_tree import (
        ProbabilityEstimatingTree as ProbabilityEstimatingTree,
    )
    from rocwise.estimators.reliable_classifier import ReliableClassifier as ReliableClassifier
    from rocwise.estimators.stacked_filters import StackedFilterRegressor as StackedFilterRegressor
    from rocwise.estimators.threshold_classifier import ThresholdClassifier as ThresholdClassifier

_HOME_OF: dict[str, str] = {
    "AbstainingClassifier": "abstaining_classifier",
    "ClassWeightClassifier": "class_weight_classifier",
    "FilterRegressor": "filter_regressor",
    "MetaClassClassifier": "metaclass_classifier",
    "MimeticClassifier": "mimetic_classifier",
    "ModelTreeRegressor": "model_tree",
    "ProbabilityEstimatingTree": "probability_tree",
    "ReliableClassifier": "reliable_classifier",
    "StackedFilterRegressor": "stacked_filters",
    "ThresholdClassifier": "threshold_classifier",
}

__all__ = sorted(_HOME_OF)


def __getattr__(name: str) -> Any:
    if name not in _HOME_OF:
        raise AttributeError(f"module 'rocwise.estimators' has no attribute {name!r}")
    from importlib import import_module
    from importlib.util import find_spec

    if find_spec("sklearn") is None:
        from rocwise.errors import missing_package

        raise missing_package("scikit-learn", "models", f"`{name}`")
    return getattr(import_module(f"rocwise.estimators.{_HOME_OF[name]}"), name)


def __dir__() -> list[str]:
    return __all__
