"""The public names, listed once: read by type checkers and editors, and by `__init__.py`."""
# fmt: off
# ruff: noqa: I001

from . import errors as errors
from . import estimators as estimators
from . import inference as inference
from . import multiclass as multiclass
from . import ordinal as ordinal
from . import readers as readers
from . import regression as regression
from . import statistics as statistics
from .binary.abstention_surface import abstention_surface as abstention_surface
from .binary.abstention import abstain as abstain
from .binary.auc import auc_covariance as auc_covariance
from .binary.auc import auc as auc
from .binary.auc import step_area as step_area
from .binary.auc import auc_intervals as auc_intervals
from .binary.scored_auc import brier as brier
from .binary.scored_auc import probabilistic_auc as probabilistic_auc
from .binary.scored_auc import scored_auc as scored_auc
from .binary.scored_auc import soft_auc as soft_auc
from .binary.auc_tests import test_auc as test_auc
from .binary.auc import auc_variance as auc_variance
from .binary.roc_averages import average_roc as average_roc
from .binary.bands import band as band
from .binary.confident_segment import confident_segment as confident_segment
from .binary.calibration import calibration as calibration
from .binary.compare import compare as compare
from .binary.cost_curves import cost_curve as cost_curve
from .binary.cost_curves import h_measure as h_measure
from .binary.decision_curves import decision_curve as decision_curve
from .binary.compare_curves import compare_curves as compare_curves
from .binary.cross_validation import cross_validated_auc as cross_validated_auc
from .binary.roc import det as det
from .binary.roc import hull as hull
from .binary.roc import roc as roc
from .binary.roc import lift as lift
from .binary.smooth_roc import smooth_roc as smooth_roc
from .binary.binormal import binormal as binormal
from .binary.distributions import fit_distribution as fit_distribution
from .binary.feature_ranking import rank_features as rank_features
from .binary.predicted_roc import predict_roc as predict_roc
from .binary.isometrics import isometric as isometric
from .binary.reliable import reliable as reliable
from .binary.planning import power as power
from .binary.planning import sample_size as sample_size
from .binary.compare_at import compare_at as compare_at
from .binary.operating_points import equal_error_rate as equal_error_rate
from .binary.operating_points import at as at
from .binary.precision_recall import average_precision as average_precision
from .binary.precision_recall import precision_recall as precision_recall
from .binary.reported_points import auc_bounds as auc_bounds
from .binary.reported_points import auc_contours as auc_contours
from .binary.reported_points import signal_detection as signal_detection
from .binary.bootstrap import bootstrap as bootstrap
from .binary.summary import summary as summary
from .binary.guarantees import guaranteed_threshold as guaranteed_threshold
from .binary.threshold import threshold as threshold
from .binary.thresholds_table import thresholds as thresholds
from .binary.unlabeled import nroc as nroc
from .binary.unlabeled import threshold_without_labels as threshold_without_labels
from .costs import Costs as Costs
from .errors import InputError as InputError
from .errors import RocwiseWarning as RocwiseWarning
from .inputs.tally_sketch import TallySketch as TallySketch
from .inputs.two_classes import pair as pair
from .inputs.two_classes import tally as tally
from .progress import partial_answers as partial_answers
from .kernels.threads import threads as threads
from .data.pairs import Pairs as Pairs
from .data.tally import Tally as Tally
from .reporting.pages import report as report
from .results import Interval as Interval
from .serving.servers import studio as studio

__version__: str
__all__: list[str]
