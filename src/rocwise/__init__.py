"""ROC analysis: how good a model is, whether A beats B, and where to set the threshold.

Sort once, ask everything: `tally` counts positives and negatives at every distinct score, and
every other function is a question asked of that tally, or directly of `y_true, y_score`.
Names are loaded when first used, so `import rocwise` costs little more than `import numpy`.
"""

from typing import TYPE_CHECKING, Any

from rocwise import about

if TYPE_CHECKING:  # the same names as below, for type checkers and editors
    from rocwise.binary.bounds import auc_bounds as auc_bounds
    from rocwise.binary.contours import auc_contours as auc_contours
    from rocwise.binary.crossval import cv_interval as cv_interval
    from rocwise.binary.families import fit_distribution as fit_distribution
    from rocwise.binary.power import detectable_auc as detectable_auc
    from rocwise.binary.power import power as power
    from rocwise.binary.power import sample_size as sample_size
    from rocwise.binary.power import significance_level as significance_level
    from rocwise.binary.power_curves import power_curve as power_curve
    from rocwise.binary.predicted import predict_roc as predict_roc
    from rocwise.binary.rate_regions import proportion_interval as proportion_interval
    from rocwise.binary.signals import signal_detection as signal_detection
    from rocwise.binary.signals import signal_detection_counts as signal_detection_counts
    from rocwise.binary.tango import tango_interval as tango_interval
    from rocwise.errors import DirectionWarning as DirectionWarning
    from rocwise.errors import InputError as InputError
    from rocwise.errors import MidOutOfRangeWarning as MidOutOfRangeWarning
    from rocwise.errors import MissingPackageError as MissingPackageError
    from rocwise.errors import MisuseWarning as MisuseWarning
    from rocwise.errors import RocwiseWarning as RocwiseWarning
    from rocwise.errors import SmallSampleWarning as SmallSampleWarning
    from rocwise.folds import cross_validated_auc as cross_validated_auc
    from rocwise.inputs import pair as pair
    from rocwise.inputs import pair_frame as pair_frame
    from rocwise.inputs import tally as tally
    from rocwise.inputs import tally_frame as tally_frame
    from rocwise.methods import Costs as Costs
    from rocwise.pairs import Pairs as Pairs
    from rocwise.questions import auc as auc
    from rocwise.questions import auc_covariance as auc_covariance
    from rocwise.questions import auc_intervals as auc_intervals
    from rocwise.questions import auc_variance as auc_variance
    from rocwise.questions import average_roc as average_roc
    from rocwise.questions import band as band
    from rocwise.questions import binormal as binormal
    from rocwise.questions import bootstrap as bootstrap
    from rocwise.questions import brier as brier
    from rocwise.questions import compare as compare
    from rocwise.questions import compare_costs as compare_costs
    from rocwise.questions import compare_decisions as compare_decisions
    from rocwise.questions import confident_segment as confident_segment
    from rocwise.questions import cost_band as cost_band
    from rocwise.questions import cost_curve as cost_curve
    from rocwise.questions import decision_band as decision_band
    from rocwise.questions import decision_curve as decision_curve
    from rocwise.questions import det as det
    from rocwise.questions import h_measure as h_measure
    from rocwise.questions import hull as hull
    from rocwise.questions import precision_recall as precision_recall
    from rocwise.questions import probabilistic_auc as probabilistic_auc
    from rocwise.questions import rank_features as rank_features
    from rocwise.questions import roc as roc
    from rocwise.questions import scored_auc as scored_auc
    from rocwise.questions import scored_roc as scored_roc
    from rocwise.questions import smooth_roc as smooth_roc
    from rocwise.questions import soft_auc as soft_auc
    from rocwise.questions import step_area as step_area
    from rocwise.questions import test_auc as test_auc
    from rocwise.questions import threshold_regions as threshold_regions
    from rocwise.questions import thresholds as thresholds
    from rocwise.results import Interval as Interval
    from rocwise.tallies import Tally as Tally

__version__ = about.VERSION

_NAMES_BY_HOME = {
    "binary.bounds": "auc_bounds",
    "binary.contours": "auc_contours",
    "binary.crossval": "cv_interval",
    "binary.families": "fit_distribution",
    "binary.power": "detectable_auc power sample_size significance_level",
    "binary.power_curves": "power_curve",
    "binary.predicted": "predict_roc",
    "binary.rate_regions": "proportion_interval",
    "binary.signals": "signal_detection signal_detection_counts",
    "binary.tango": "tango_interval",
    "errors": "DirectionWarning InputError MidOutOfRangeWarning MissingPackageError "
    "MisuseWarning RocwiseWarning SmallSampleWarning",
    "folds": "cross_validated_auc",
    "inputs": "pair pair_frame tally tally_frame",
    "methods": "Costs",
    "pairs": "Pairs",
    "questions": "auc auc_covariance auc_intervals auc_variance average_roc band binormal "
    "bootstrap brier compare compare_costs compare_decisions confident_segment cost_band "
    "cost_curve decision_band decision_curve det h_measure hull precision_recall "
    "probabilistic_auc rank_features roc scored_auc scored_roc smooth_roc soft_auc step_area "
    "test_auc threshold_regions thresholds",
    "results": "Interval",
    "tallies": "Tally",
}
_HOME_OF = {name: home for home, names in _NAMES_BY_HOME.items() for name in names.split()}

__all__ = sorted(_HOME_OF)


def __getattr__(name: str) -> Any:
    if name not in _HOME_OF:
        raise AttributeError(f"module 'rocwise' has no attribute {name!r}")
    from importlib import import_module

    value = getattr(import_module(f"rocwise.{_HOME_OF[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
