"""A result of every class that has a picture, and the options with which it is drawn."""

import numpy as np

import rocwise as rw
from rocwise.binary.areas import scored_roc
from rocwise.binary.bands import threshold_regions
from rocwise.binary.costs import cost_lines
from rocwise.binary.thresholds import rule_without_labels
from rocwise.multiclass import class_weights_under, sample_costs
from rocwise.regression.filters import KalmanFilter, fit_noise
from rocwise.regression.network_training import train_network

RNG = np.random.default_rng(7)
Y = np.arange(60) % 2
S = RNG.normal(size=60).round(1) + Y
OTHER = RNG.normal(size=60) + 0.5 * Y
RISK = 1 / (1 + np.exp(-S))
COSTS = rw.Costs(fp=0.5, fn=1, abstain=0.2)
PAIRS = rw.pair(Y, {"a": S, "b": OTHER})
CLASSES = np.arange(45) % 3
CONFIDENCES = RNG.random((45, 3)) + 0.4 * np.eye(3)[CLASSES]
RANKS = RNG.normal(size=45) + CLASSES
FORECASTS = RNG.normal(size=(3, 20))
SERIES = RNG.normal(size=(30, 1))
SERIES[7] = np.nan
FOLLOWER = KalmanFilter(
    [[1.0]],
    [[1.0]],
    process_noise=[[0.1]],
    observation_noise=[[1.0]],
    initial_mean=[0.0],
    initial_covariance=[[1.0]],
)


def _segment():
    import warnings

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return rw.confident_segment(Y, S)


MAKE = {
    "AbstentionDifference": lambda: rw.abstention_surface(Y, S, grid=5).difference(
        rw.abstention_surface(Y, OTHER, grid=5)
    ),
    "AbstentionSurface": lambda: rw.abstention_surface(Y, S, grid=5),
    "AbstentionUncertainty": lambda: rw.abstain(Y, S, costs=COSTS).uncertainty(
        n_resamples=20, rng=1
    ),
    "Auc": lambda: rw.auc(Y, S),
    "AucBounds": lambda: rw.auc_bounds([0.1, 0.4], [0.5, 0.85]),
    "AucIntervals": lambda: rw.auc_intervals(Y, S, n_resamples=20, rng=1),
    "AucTest": lambda: rw.test_auc(Y, S),
    "Band": lambda: rw.band(Y, S, kind="joint-regions"),
    "BinormalBand": lambda: rw.band(Y, S, kind="working-hotelling"),
    "BinormalFit": lambda: rw.binormal(Y, S),
    "BootstrapResult": lambda: rw.bootstrap(Y, S, n_resamples=20, rng=1),
    "BoundContours": lambda: rw.auc_contours("a"),
    "ClassDensities": lambda: rw.predict_roc((4, 3), (8, 2)).panels()["Densities"],
    "ClassOrder": lambda: rw.vus_best_order(CLASSES, RANKS),
    "ClassWeights": lambda: rw.class_weights(CLASSES, CONFIDENCES),
    "Comparison": lambda: rw.compare(PAIRS),
    "ConfidentSegment": _segment,
    "CostCurve": lambda: rw.cost_curve(Y, S),
    "CostLines": lambda: cost_lines([0.0, 0.1, 1.0], [0.0, 0.6, 1.0]),
    "CrossValidatedAuc": lambda: rw.cross_validated_auc(Y, S, folds=np.arange(60) // 2 % 5),
    "CurveBand": lambda: rw.cost_curve(Y, S).band(n_resamples=20, rng=1),
    "CurveDifference": lambda: rw.compare_curves(PAIRS, curve="cost", n_resamples=20, rng=1),
    "DecisionCurve": lambda: rw.decision_curve(Y, RISK),
    "DetCurve": lambda: rw.det(Y, S),
    "FeatureRanking": lambda: rw.rank_features(np.column_stack([S, OTHER]), Y),
    "FilterResult": lambda: FOLLOWER.filter(SERIES, missing="skip"),
    "FittedDistribution": lambda: rw.fit_distribution(np.exp(S), families="gamma"),
    "GroupThresholds": lambda: rw.threshold_by_group(
        Y, S, np.where(np.arange(60) % 3, "x", "y"), rule="youden"
    ),
    "GuaranteedThreshold": lambda: rw.guaranteed_threshold(Y, S, alpha=0.4),
    "EqualErrorResult": lambda: rw.equal_error_rate(Y, S, n_resamples=20, rng=1),
    "AveragePrecisionResult": lambda: rw.average_precision(Y, S),
    "Calibration": lambda: rw.calibration(Y, RISK),
    "Hum": lambda: rw.hum(CLASSES, CONFIDENCES, n_tuples=50, rng=1),
    "Interval": lambda: rw.cv_interval([0.7, 0.8, 0.9]),
    "IsometricFan": lambda: rw.isometric("precision+", [0.6, 0.8], skew=2),
    "Line": lambda: rw.isometric("f+", 0.7, skew=2),
    "MeasureCurve": lambda: rw.threshold(Y, S, rule="f1").measure_curve(),
    "MetaClass": lambda: rw.metaclass(CLASSES, CONFIDENCES),
    "Lift": lambda: rw.lift(Y, S),
    "ModelSummary": lambda: rw.summary(Y, {"a": S, "b": RISK}),
    "MulticlassAuc": lambda: rw.multiclass_auc(CLASSES, CONFIDENCES),
    "MulticlassRoc": lambda: rw.multiclass_roc(
        CLASSES, CONFIDENCES, bands=True, n_resamples=20, rng=1
    ),
    "NoiseFit": lambda: fit_noise(FOLLOWER, SERIES, method="grid", missing="skip"),
    "NrocCurve": lambda: rw.nroc(RISK),
    "OperatingPoint": lambda: rw.threshold(Y, S, rule="youden"),
    "OrdinalAuc": lambda: rw.ordinal_auc(CLASSES, RANKS),
    "OrdinalTest": lambda: rw.ordinal_test(CLASSES, RANKS),
    "OrdinalThresholds": lambda: rw.ordinal_thresholds(CLASSES, RANKS),
    "PointsComparison": lambda: rw.compare_at(
        Y, {"a": S, "b": RISK}, threshold=0.5, n_resamples=20, rng=1
    ),
    "PointsTable": lambda: rw.at(Y, S, threshold=[0.0, 1.0]),
    "PowerCurve": lambda: rw.sample_size(0.8, null=0.7).curve(),
    "PrecisionRecallCurve": lambda: rw.precision_recall(Y, S),
    "PrecisionRecallBand": lambda: rw.precision_recall(Y, S).band(n_resamples=20, rng=1),
    "PredictedRoc": lambda: rw.predict_roc((4, 3), (8, 2)),
    "RateRegions": lambda: threshold_regions(Y, S, thresholds=[0.0, 1.0]),
    "RecAccuracy": lambda: rw.rec(*FORECASTS[:2]).within([0.5, 1.0]),
    "RecBand": lambda: rw.rec_band(rw.rec(*FORECASTS[:2])),
    "RecComparison": lambda: rw.compare_rec(FORECASTS[0], {"a": FORECASTS[1], "b": FORECASTS[2]}),
    "RecCurve": lambda: rw.rec(*FORECASTS[:2]),
    "RecOrder": lambda: rw.rec(*FORECASTS[:2]).order(rw.rec(*FORECASTS[[0, 2]])),
    "ReliableRule": lambda: rw.reliable(Y, S, positive=0.9, negative=0.9),
    "RocCurve": lambda: rw.roc(Y, S),
    "RocHull": lambda: rw.hull(Y, S),
    "RocSurface": lambda: rw.roc_surface(CLASSES, RANKS),
    "RrocCurve": lambda: rw.rroc(*FORECASTS[:2]),
    "ScoredRoc": lambda: scored_roc(Y, RISK),
    "SignalDetection": lambda: rw.signal_detection(0.1, 0.7),
    "SmoothRoc": lambda: rw.smooth_roc(Y, RISK),
    "SmoothedStates": lambda: FOLLOWER.smooth(SERIES, missing="skip"),
    "StateForecast": lambda: FOLLOWER.forecast(FOLLOWER.filter(SERIES, missing="skip"), steps=4),
    "StepArea": lambda: rw.step_area(Y, S),
    "StudyPlan": lambda: rw.sample_size(0.8, null=0.7),
    "ThresholdAverage": lambda: rw.average_roc([(Y, S), (Y, OTHER)], how="threshold"),
    "ThresholdTable": lambda: rw.thresholds(Y, S),
    "ThresholdUncertainty": lambda: rw.threshold(Y, S, rule="youden").uncertainty(
        n_resamples=20, rng=1
    ),
    "TrainedNetwork": lambda: train_network(
        np.sin(np.arange(40) / 3), order=2, hidden=2, random_state=0
    ),
    "UncertainClassWeights": lambda: class_weights_under(
        CLASSES, CONFIDENCES, cost_samples=sample_costs(1, 10, n_classes=3, n_samples=10, rng=0)
    ),
    "UnlabelledRule": lambda: rule_without_labels(RISK, costs=COSTS),
    "VerticalAverage": lambda: rw.average_roc([(Y, S), (Y, OTHER)]),
    "Window": lambda: rw.abstain(Y, S, costs=COSTS),
}
"""Name of a class that has a picture to a function that makes a result of it."""

OPTIONS = {
    "AbstentionDifference": [{"kind": "3d"}],
    "AbstentionSurface": [
        {"kind": "3d"},
        {"quantity": "lower"},
        {"quantity": "rate", "at": (0.5, 0.2)},
    ],
    "ConfidentSegment": [{"view": "intervals"}, {"view": "plane"}],
    "DetCurve": [{"threshold_labels": 3}],
    "OperatingPoint": [{"view": "measure"}, {"view": "scores"}, {"view": "matrix"}],
    "Auc": [{"view": "row"}],
    "Lift": [{"view": "lift"}, {"view": "ks"}],
    "ThresholdUncertainty": [{"view": "scores"}],
    "PrecisionRecallCurve": [{"threshold_labels": 3}],
    "ReliableRule": [{"part": "before"}, {"part": "after"}],
    "RocCurve": [{"threshold_labels": 3, "axis": "clinical", "chance": False}],
    "RocSurface": [{"kind": "map"}, {"kind": "3d"}],
    "ThresholdTable": [{"metrics": ["lr_positive", "f1"]}],
}
"""More ways in which results of a class are drawn, besides without any option."""
