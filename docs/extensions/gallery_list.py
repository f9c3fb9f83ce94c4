"""Every kind of picture, once: the page of the gallery and the tests are made from this list.

A kind has the class of the result, a title, the lines that make a result of it (the last one is
the result itself), and the options of the further views that are shown.
"""

from dataclasses import dataclass, field
from typing import Any

DATA = """
import numpy as np
import rocwise as rw

rng = np.random.default_rng(7)
y = np.arange(240) % 2                                  # two classes, two models
score = (rng.normal(size=240) + 1.3 * y).round(1)
other = rng.normal(size=240) + 0.5 * y
risk = 1 / (1 + np.exp(0.6 - score))                    # probabilities
models = {"new": score, "old": other}
costs = rw.Costs(fp=0.5, fn=1, abstain=0.2)

label = np.arange(90) % 3                               # three classes, in order
confidence = rng.random((90, 3)) + 0.5 * np.eye(3)[label]
rank = rng.normal(size=90) + 1.2 * label

truth = np.cumsum(rng.normal(size=60))                  # a series and two forecasts of it
first, second = truth + rng.normal(size=60), truth + 1.5 * rng.normal(size=60)
"""

FILTER = """
from rocwise.regression.filters import KalmanFilter, fit_noise

level = KalmanFilter(
    [[1.0]], [[1.0]], process_noise=1.0, observation_noise=1.0,
    initial_mean=0.0, initial_covariance=10.0,
)
series = np.where(np.arange(60) == 20, np.nan, first)   # one value is missing
"""


@dataclass(frozen=True)
class Kind:
    """One kind of picture."""

    name: str
    title: str
    code: str
    views: tuple[dict[str, Any], ...] = ()
    imports: str = ""


@dataclass(frozen=True)
class Chapter:
    """Kinds that belong together, and data that only they need."""

    heading: str
    kinds: tuple[Kind, ...]
    data: str = field(default="")


CHAPTERS = (
    Chapter(
        "Curves",
        (
            Kind(
                "RocCurve",
                "ROC curve",
                "rw.roc(y, score)",
                (
                    {"auc": True, "band": True, "point": "youden", "axis": "clinical"},
                    {"threshold_labels": 3, "chance": False},
                    {"scale": "log"},
                ),
            ),
            Kind("RocHull", "ROC convex hull", "rw.hull(y, score)"),
            Kind(
                "PrecisionRecallCurve",
                "Precision and recall",
                "rw.precision_recall(y, score)",
                ({"threshold_labels": 3},),
            ),
            Kind(
                "PrecisionRecallBand",
                "Precision-recall band",
                "rw.precision_recall(y, score).band(n_resamples=100, rng=1)",
            ),
            Kind("DetCurve", "DET curve", "rw.det(y, score)", ({"threshold_labels": 3},)),
            Kind("EqualErrorResult", "Equal error rate", "rw.equal_error_rate(y, score, rng=1)"),
            Kind(
                "Lift",
                "Gain, lift, and the Kolmogorov-Smirnov distance",
                "rw.lift(y, score)",
                ({"view": "lift"}, {"view": "ks"}),
            ),
            Kind(
                "AdjustedRoc",
                "Covariate-adjusted ROC curve",
                "rw.adjusted_roc(y, score + other, {'other': other})",
            ),
            Kind("SmoothRoc", "Smooth ROC curve of probabilities", "rw.smooth_roc(y, risk)"),
            Kind(
                "ScoredRoc",
                "Scored ROC curve",
                "scored_roc(y, risk)",
                imports="from rocwise.binary import scored_roc",
            ),
            Kind("BinormalFit", "Binormal curve", "rw.binormal(y, score)"),
        ),
    ),
    Chapter(
        "AUC: intervals and tests",
        (
            Kind("Auc", "Area under the curve", "rw.auc(y, score)", ({"view": "row"},)),
            Kind(
                "AucIntervals", "AUC by all interval methods", "rw.auc_intervals(y, score, rng=1)"
            ),
            Kind("AucTest", "Test of the AUC", "rw.test_auc(y, score)"),
            Kind("Comparison", "Comparison of two models", "rw.compare(y, models)"),
            Kind("ModelSummary", "Summary of several models", "rw.summary(y, models)"),
            Kind("AveragePrecisionResult", "Average precision", "rw.average_precision(y, score)"),
            Kind("BootstrapResult", "Bootstrap", "rw.bootstrap(y, score, n_resamples=500, rng=1)"),
            Kind(
                "CrossValidatedAuc",
                "Cross-validated AUC",
                "rw.cross_validated_auc(y, score, folds=np.arange(240) // 2 % 5)",
            ),
            Kind(
                "Interval",
                "t interval of fold AUCs",
                "rw.inference.cv_interval([0.81, 0.84, 0.9])",
            ),
            Kind(
                "FeatureRanking",
                "Ranking of features",
                "rw.rank_features(np.column_stack([score, other]), y)",
            ),
            Kind("StepArea", "AUC with ties counted for or against", "rw.step_area(y, score)"),
        ),
    ),
    Chapter(
        "Bands and averages",
        (
            Kind("Band", "Simultaneous confidence band", 'rw.band(y, score, kind="joint-regions")'),
            Kind("BinormalBand", "Binormal band", 'rw.band(y, score, kind="working-hotelling")'),
            Kind(
                "RateRegions",
                "Confidence regions at thresholds",
                "threshold_regions(y, score, thresholds=[0.0, 1.0])",
                imports="from rocwise.binary import threshold_regions",
            ),
            Kind(
                "VerticalAverage",
                "Vertical average",
                "rw.average_roc([(y[k::5], score[k::5]) for k in range(5)])",
            ),
            Kind(
                "ThresholdAverage",
                "Threshold average",
                'rw.average_roc([(y[k::5], score[k::5]) for k in range(5)], how="threshold")',
            ),
            Kind(
                "ConfidentSegment",
                "Confident segment",
                "rw.confident_segment(y, score)",
                ({"view": "intervals"}, {"view": "plane"}),
            ),
        ),
    ),
    Chapter(
        "Thresholds",
        (
            Kind(
                "OperatingPoint",
                "Optimal threshold",
                'rw.threshold(y, score, rule="youden")',
                ({"view": "measure"}, {"view": "scores"}, {"view": "matrix"}),
            ),
            Kind(
                "ThresholdUncertainty",
                "Uncertainty of the threshold",
                'rw.threshold(y, score, rule="youden").uncertainty(n_resamples=100, rng=1)',
                ({"view": "scores"},),
            ),
            Kind(
                "MeasureCurve",
                "One measure over the threshold",
                'rw.threshold(y, score, rule="f1").measure_curve()',
            ),
            Kind(
                "ThresholdTable",
                "Several measures over the threshold",
                "rw.thresholds(y, score)",
                ({"metrics": ["lr_positive", "f1"]},),
            ),
            Kind(
                "PointsTable", "Performance at thresholds", "rw.at(y, score, threshold=[0.0, 1.0])"
            ),
            Kind(
                "PointsComparison",
                "Comparison at an operating point",
                "rw.compare_at(y, models, threshold=0.5, n_resamples=100, rng=1)",
            ),
            Kind(
                "GroupThresholds",
                "Thresholds by subgroup",
                "rw.threshold(\n"
                '    y, score, by=np.where(np.arange(240) % 3, "women", "men"), rule="youden"\n'
                ")",
            ),
            Kind(
                "GuaranteedThreshold",
                "Threshold with a guarantee",
                "rw.guaranteed_threshold(y, score, alpha=0.4)",
            ),
            Kind("NrocCurve", "Thresholds without labels", "rw.nroc(risk)"),
            Kind(
                "UnlabeledRule",
                "Threshold by quantiles without labels",
                "rule_without_labels(risk, costs=costs)",
                imports="from rocwise.binary import rule_without_labels",
            ),
        ),
    ),
    Chapter(
        "Probabilities, costs and benefit",
        (
            Kind("Calibration", "Calibration", "rw.calibration(y, risk)"),
            Kind("CostCurve", "Cost curve", "rw.cost_curve(y, score)"),
            Kind(
                "CostLines",
                "Cost lines of reported points",
                "cost_lines([0.0, 0.1, 1.0], [0.0, 0.6, 1.0])",
                imports="from rocwise.binary import cost_lines",
            ),
            Kind(
                "CurveBand",
                "Band of a cost curve",
                "rw.cost_curve(y, score).band(n_resamples=100, rng=1)",
            ),
            Kind(
                "CurveDifference",
                "Difference of two cost curves",
                'rw.compare_curves(y, models, curve="cost", n_resamples=100, rng=1)',
            ),
            Kind("DecisionCurve", "Decision curve", "rw.decision_curve(y, risk)"),
        ),
    ),
    Chapter(
        "Abstention and reliable classifiers",
        (
            Kind(
                "AbstentionWindow",
                "Reject region",
                "rw.abstain(y, score, costs=costs)",
            ),
            Kind(
                "AbstentionUncertainty",
                "Uncertainty of the reject region",
                "rw.abstain(y, score, costs=costs).uncertainty(n_resamples=100, rng=1)",
            ),
            Kind(
                "AbstentionSurface",
                "Cost surface of abstention",
                "rw.abstention_surface(y, score, grid=25)",
                (
                    {"kind": "3d"},
                    {"quantity": "lower"},
                    {"quantity": "rate", "at": (0.5, 0.2)},
                ),
            ),
            Kind(
                "AbstentionDifference",
                "Difference of two cost surfaces",
                "rw.abstention_surface(y, score, grid=25).difference(\n"
                "    rw.abstention_surface(y, other, grid=25)\n"
                ")",
                ({"kind": "3d"},),
            ),
            Kind(
                "IsometricFan",
                "Precision isometrics",
                'rw.isometric("precision+", [0.6, 0.8], skew=2)',
            ),
            Kind("Line", "F-measure isometric", 'rw.isometric("f+", 0.7, skew=2)'),
            Kind(
                "ReliableRule",
                "Target PPV and NPV",
                "rw.reliable(y, score, positive=0.9, negative=0.9)",
                ({"part": "before"}, {"part": "after"}),
            ),
        ),
    ),
    Chapter(
        "Planning, prediction and published points",
        (
            Kind("StudyPlan", "Sample size", "rw.sample_size(0.8, null=0.7)"),
            Kind("PowerCurve", "Power curve", "rw.sample_size(0.8, null=0.7).curve()"),
            Kind("PredictedRoc", "Predicted ROC curve", "rw.predict_roc((4, 3), (8, 2))"),
            Kind(
                "ClassDensities",
                "Densities of both classes",
                'rw.predict_roc((4, 3), (8, 2)).panels()["Densities"]',
            ),
            Kind(
                "FittedDistribution",
                "Fitted distribution",
                'rw.fit_distribution(np.exp(score), families="gamma")',
            ),
            Kind("SignalDetection", "Signal detection", "rw.signal_detection(0.1, 0.7)"),
            Kind(
                "AucBounds",
                "AUC bounds from reported points",
                "rw.auc_bounds([0.1, 0.4], [0.5, 0.85])",
            ),
            Kind("BoundContours", "AUC bounds over ROC space", 'rw.auc_contours("a")'),
        ),
    ),
    Chapter(
        "Several classes",
        (
            Kind("MulticlassAuc", "Multiclass AUC", "rw.multiclass.auc(label, confidence)"),
            Kind(
                "MulticlassRoc",
                "One-vs-rest ROC curves",
                "rw.multiclass.roc(label, confidence, bands=True, n_resamples=100, rng=1)",
            ),
            Kind(
                "Hum",
                "Hypervolume under the manifold",
                "rw.multiclass.hum(label, confidence, n_tuples=200, rng=1)",
            ),
            Kind(
                "ClassWeights",
                "Class weights",
                "rw.multiclass.class_weights(label, confidence)",
            ),
            Kind(
                "UncertainClassWeights",
                "Weights under uncertain costs",
                "class_weights_under(\n"
                "    label,\n"
                "    confidence,\n"
                "    cost_samples=sample_costs(1, 10, n_classes=3, n_samples=10, rng=0),\n"
                ")",
                imports="from rocwise.multiclass import class_weights_under, sample_costs",
            ),
            Kind("MetaClass", "Tree of classes", "rw.multiclass.metaclass(label, confidence)"),
        ),
    ),
    Chapter(
        "Ordered classes",
        (
            Kind("OrdinalAuc", "Ordinal AUC", "rw.ordinal.auc(label, rank)"),
            Kind("OrdinalTest", "Test of an ordinal AUC", "rw.ordinal.null_test(label, rank)"),
            Kind(
                "OrdinalThresholds",
                "Thresholds between ordered classes",
                "rw.ordinal.thresholds(label, rank)",
            ),
            Kind("ClassOrder", "Best order of the classes", "rw.ordinal.best_order(label, rank)"),
            Kind(
                "RocSurface",
                "ROC surface",
                "rw.ordinal.surface(label, rank)",
                ({"kind": "map"}, {"kind": "3d"}),
            ),
        ),
    ),
    Chapter(
        "Regression",
        (
            Kind("RecCurve", "REC curve", "rw.regression.rec(truth, first)"),
            Kind(
                "RecBand",
                "Band of a REC curve",
                "rw.regression.band(rw.regression.rec(truth, first))",
            ),
            Kind(
                "RecAccuracy",
                "Accuracy within a tolerance",
                "rw.regression.rec(truth, first).within([0.5, 1.0])",
            ),
            Kind(
                "RecOrder",
                "Dominance of REC curves",
                "rw.regression.rec(truth, first).order(rw.regression.rec(truth, second))",
            ),
            Kind(
                "RecComparison",
                "Comparison of regression models",
                'rw.regression.compare(truth, {"first": first, "second": second})',
            ),
            Kind("RrocCurve", "RROC curve", "rw.regression.rroc(truth, first)"),
        ),
    ),
    Chapter(
        "Filters of series",
        (
            Kind("FilterResult", "Filter", 'level.filter(series, missing="skip")'),
            Kind("SmoothedStates", "Smoother", 'level.smooth(series, missing="skip")'),
            Kind(
                "StateForecast",
                "Forecast",
                'level.forecast(level.filter(series, missing="skip"), steps=8)',
            ),
            Kind(
                "NoiseFit",
                "Likelihood of noise levels",
                'fit_noise(level, series, method="grid", missing="skip")',
            ),
            Kind(
                "TrainedNetwork",
                "Training of a network",
                "train_network(np.sin(np.arange(40) / 3), order=2, hidden=2, random_state=0)",
                imports="from rocwise.regression.network_training import train_network",
            ),
        ),
        FILTER,
    ),
    Chapter(
        "Censored outcomes",
        (
            Kind(
                "SurvivalAuc",
                "AUC over time",
                "rw.survival.auc(follow_up, [0.5, 1, 2, 3, 4, 5, 6], band=True, rng=1)",
            ),
            Kind("SurvivalCurve", "ROC curves by times", "rw.survival.roc(follow_up, [1, 3])[1.0]"),
            Kind(
                "SurvivalComparison",
                "Difference of AUCs over time",
                "rw.survival.compare(years, died, {'marker': marker, 'age': age}, [1, 2, 3, 4], "
                "band=True, rng=1)",
            ),
            Kind(
                "SurvivalPoints",
                "Rates at a threshold by times",
                "rw.survival.at(follow_up, [1, 3], threshold=0.5)",
            ),
            Kind(
                "SurvivalBrier",
                "Brier score over time",
                "rw.survival.brier(years, died, risk_by_3, times=[1, 2, 3, 4])",
            ),
            Kind("Concordance", "Concordance index", "rw.survival.concordance(follow_up)"),
            Kind(
                "SurvivalCalibration",
                "Calibration of risks by a time",
                "rw.survival.calibration(years, died, risk_by_3, times=3)",
            ),
        ),
        data="""
patients = 300                                          # followed for 1 to 8 years
marker, age = rng.normal(size=patients), rng.normal(60, 9, patients)
death = rng.exponential(4 * np.exp(-marker))            # in years
end = rng.uniform(1, 8, patients)
years, died = np.minimum(death, end), death <= end
risk_by_3 = 1 - np.exp(-3 / 4 * np.exp(marker))
follow_up = rw.survival.follow_up(years, died, {"marker": marker})
""",
    ),
    Chapter(
        "Reader studies",
        (
            Kind(
                "ReaderComparison",
                "Modalities of a reader study",
                "rw.readers.compare(study.y_true, study.y_score, **columns)",
                ({"view": "readers"}, {"view": "slopes"}),
            ),
            Kind(
                "ReaderPlan",
                "Power of a reader study",
                "rw.readers.plan(rw.readers.compare(study.y_true, study.y_score, **columns), "
                "difference=0.08, n_readers=10)",
            ),
            Kind(
                "FrocCurve",
                "FROC curve",
                'rw.froc(marked.marks, marked.cases, case="case", score="score", lesion="lesion", '
                'lesions="lesions", rng=1)',
            ),
        ),
        data="""
from rocwise.datasets import marked_lesions, reader_study

study = reader_study()
columns = {name: getattr(study, name) for name in ("case", "reader", "modality")}
marked = marked_lesions(n_readers=1, separation=(1.2,))
""",
    ),
)

KINDS = {kind.name: kind for chapter in CHAPTERS for kind in chapter.kinds}
