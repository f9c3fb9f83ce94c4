"""ROC analysis: how good a model is, whether A beats B, and where to set the threshold.

Sort once, ask everything: `tally` counts positives and negatives at every distinct score, and
every other function is a question asked of that tally, or directly of `y_true, y_score`.
Names are loaded when first used, so `import rocwise` costs little more than `import numpy`.
"""

from typing import TYPE_CHECKING, Any

from rocwise import about

if TYPE_CHECKING:  # the same names as below, for type checkers and editors
    from rocwise import estimators as estimators
    from rocwise.binary.bounds import auc_bounds as auc_bounds
    from rocwise.binary.contours import auc_contours as auc_contours
    from rocwise.binary.crossval import cv_interval as cv_interval
    from rocwise.binary.dual_lines import cost_lines as cost_lines
    from rocwise.binary.dual_lines import roc_points as roc_points
    from rocwise.binary.families import fit_distribution as fit_distribution
    from rocwise.binary.isometrics import isometric as isometric
    from rocwise.binary.isometrics import isometric_fan as isometric_fan
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
    from rocwise.class_questions import class_cost as class_cost
    from rocwise.class_questions import class_weights as class_weights
    from rocwise.class_questions import class_weights_under as class_weights_under
    from rocwise.class_questions import compare_multiclass as compare_multiclass
    from rocwise.class_questions import hum as hum
    from rocwise.class_questions import metaclass as metaclass
    from rocwise.class_questions import multiclass_auc as multiclass_auc
    from rocwise.class_questions import multiclass_roc as multiclass_roc
    from rocwise.errors import ConflictError as ConflictError
    from rocwise.errors import DirectionWarning as DirectionWarning
    from rocwise.errors import InputError as InputError
    from rocwise.errors import MidOutOfRangeWarning as MidOutOfRangeWarning
    from rocwise.errors import MissingPackageError as MissingPackageError
    from rocwise.errors import MisuseWarning as MisuseWarning
    from rocwise.errors import RocwiseWarning as RocwiseWarning
    from rocwise.errors import SmallSampleWarning as SmallSampleWarning
    from rocwise.errors import UnattainableError as UnattainableError
    from rocwise.folds import cross_validated_auc as cross_validated_auc
    from rocwise.inputs import pair as pair
    from rocwise.inputs import pair_frame as pair_frame
    from rocwise.inputs import tally as tally
    from rocwise.inputs import tally_frame as tally_frame
    from rocwise.methods import Costs as Costs
    from rocwise.multiclass.cost_uncertainty import sample_costs as sample_costs
    from rocwise.multiclass.genetic import Evolution as Evolution
    from rocwise.ordinal_questions import compare_ordinal as compare_ordinal
    from rocwise.ordinal_questions import ordinal_auc as ordinal_auc
    from rocwise.ordinal_questions import ordinal_thresholds as ordinal_thresholds
    from rocwise.ordinal_questions import roc_surface as roc_surface
    from rocwise.ordinal_questions import test_ordinal as test_ordinal
    from rocwise.ordinal_questions import vus_best_order as vus_best_order
    from rocwise.pairs import Pairs as Pairs
    from rocwise.questions import abstain as abstain
    from rocwise.questions import abstain_within as abstain_within
    from rocwise.questions import abstention_surface as abstention_surface
    from rocwise.questions import abstention_uncertainty as abstention_uncertainty
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
    from rocwise.questions import guaranteed_threshold as guaranteed_threshold
    from rocwise.questions import h_measure as h_measure
    from rocwise.questions import hull as hull
    from rocwise.questions import nroc as nroc
    from rocwise.questions import precision_recall as precision_recall
    from rocwise.questions import probabilistic_auc as probabilistic_auc
    from rocwise.questions import rank_features as rank_features
    from rocwise.questions import reliable as reliable
    from rocwise.questions import roc as roc
    from rocwise.questions import rule_without_labels as rule_without_labels
    from rocwise.questions import scored_auc as scored_auc
    from rocwise.questions import scored_roc as scored_roc
    from rocwise.questions import smooth_roc as smooth_roc
    from rocwise.questions import soft_auc as soft_auc
    from rocwise.questions import step_area as step_area
    from rocwise.questions import test_auc as test_auc
    from rocwise.questions import threshold as threshold
    from rocwise.questions import threshold_by_group as threshold_by_group
    from rocwise.questions import threshold_regions as threshold_regions
    from rocwise.questions import threshold_uncertainty as threshold_uncertainty
    from rocwise.questions import threshold_without_labels as threshold_without_labels
    from rocwise.questions import thresholds as thresholds
    from rocwise.regression.dominance import rec_order as rec_order
    from rocwise.regression.error_bands import rec_band as rec_band
    from rocwise.regression.tolerances import rec_accuracy as rec_accuracy
    from rocwise.regression_questions import compare_rec as compare_rec
    from rocwise.regression_questions import rec as rec
    from rocwise.regression_questions import rroc as rroc
    from rocwise.results import Interval as Interval
    from rocwise.tallies import Tally as Tally

__version__ = about.VERSION

_NAMES_BY_HOME = {
    "binary.bounds": "auc_bounds",
    "binary.contours": "auc_contours",
    "binary.crossval": "cv_interval",
    "binary.dual_lines": "cost_lines roc_points",
    "binary.families": "fit_distribution",
    "binary.isometrics": "isometric isometric_fan",
    "binary.power": "detectable_auc power sample_size significance_level",
    "binary.power_curves": "power_curve",
    "binary.predicted": "predict_roc",
    "binary.rate_regions": "proportion_interval",
    "binary.signals": "signal_detection signal_detection_counts",
    "binary.tango": "tango_interval",
    "class_questions": "class_cost class_weights class_weights_under compare_multiclass hum "
    "metaclass multiclass_auc multiclass_roc",
    "errors": "ConflictError DirectionWarning InputError MidOutOfRangeWarning "
    "MissingPackageError MisuseWarning RocwiseWarning SmallSampleWarning UnattainableError",
    "folds": "cross_validated_auc",
    "inputs": "pair pair_frame tally tally_frame",
    "methods": "Costs",
    "ordinal_questions": "compare_ordinal ordinal_auc ordinal_thresholds roc_surface "
    "test_ordinal vus_best_order",
    "multiclass.cost_uncertainty": "sample_costs",
    "multiclass.genetic": "Evolution",
    "pairs": "Pairs",
    "questions": "abstain abstain_within abstention_surface abstention_uncertainty auc "
    "auc_covariance auc_intervals auc_variance average_roc band binormal bootstrap brier "
    "compare compare_costs compare_decisions confident_segment cost_band cost_curve "
    "decision_band decision_curve det guaranteed_threshold h_measure hull nroc precision_recall "
    "probabilistic_auc rank_features reliable roc rule_without_labels scored_auc scored_roc "
    "smooth_roc soft_auc step_area test_auc threshold threshold_by_group threshold_regions "
    "threshold_uncertainty threshold_without_labels thresholds",
    "regression.dominance": "rec_order",
    "regression.error_bands": "rec_band",
    "regression.tolerances": "rec_accuracy",
    "regression_questions": "compare_rec rec rroc",
    "results": "Interval",
    "tallies": "Tally",
}
_HOME_OF = {name: home for home, names in _NAMES_BY_HOME.items() for name in names.split()}
_MODULES = ("estimators",)  # not imported at the start, yet reached as rocwise.estimators

__all__ = sorted(_HOME_OF)


def __getattr__(name: str) -> Any:
    from importlib import import_module

    if name in _MODULES:
        return import_module(f"rocwise.{name}")
    if name not in _HOME_OF:
        raise AttributeError(f"module 'rocwise' has no attribute {name!r}")
    value = getattr(import_module(f"rocwise.{_HOME_OF[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
