"""ROC analysis: how good a model is, whether A beats B, and where to set the threshold.

Sort once, ask everything: `tally` counts positives and negatives at every distinct score, and
every other function is a question asked of that tally, or directly of `y_true, y_score`.
Names are loaded when first used, so `import rocwise` costs little more than `import numpy`.
"""

from typing import Any

from rocwise import about

__version__ = about.VERSION

_NAMES_BY_HOME = {
    "binary.reported_points.area_bounds": "auc_bounds",
    "binary.reported_points.contours": "auc_contours",
    "binary.cross_validation.fold_intervals": "cv_interval",
    "binary.costs.duality": "cost_lines roc_points",
    "binary.distributions.families": "fit_distribution",
    "binary.isometrics.lines": "isometric isometric_fan",
    "binary.planning.study_plans": "detectable_auc power sample_size significance_level",
    "binary.planning.power_curves": "power_curve",
    "binary.distributions.predicted_curves": "predict_roc",
    "inference.proportions": "proportion_interval",
    "binary.reported_points.detection_indices": "signal_detection signal_detection_counts",
    "inference.tango": "tango_interval",
    "class_questions": "class_cost class_weights class_weights_under compare_multiclass hum "
    "metaclass multiclass_auc multiclass_roc",
    "errors": "ConflictError DirectionWarning InputError MidOutOfRangeWarning "
    "MissingPackageError MisuseWarning RocwiseWarning SmallSampleWarning UnattainableError",
    "binary.cross_validation.areas": "cross_validated_auc",
    "inputs": "pair pair_frame tally tally_frame",
    "costs": "Costs",
    "ordinal_questions": "compare_ordinal ordinal_auc ordinal_thresholds roc_surface "
    "test_ordinal vus_best_order",
    "multiclass.operating_points.cost_uncertainty": "sample_costs",
    "multiclass.operating_points.genetic": "Evolution",
    "primitives.pairs": "Pairs",
    "questions": "abstain abstain_within abstention_surface abstention_uncertainty auc "
    "auc_covariance auc_intervals auc_variance average_roc band binormal bootstrap brier "
    "compare compare_costs compare_decisions confident_segment cost_band cost_curve "
    "decision_band decision_curve det guaranteed_threshold h_measure hull nroc precision_recall "
    "probabilistic_auc rank_features reliable roc rule_without_labels scored_auc scored_roc "
    "smooth_roc soft_auc step_area test_auc threshold threshold_by_group threshold_regions "
    "threshold_uncertainty threshold_without_labels thresholds",
    "regression.rec_curves.dominance": "rec_order",
    "regression.rec_curves.bands": "rec_band",
    "regression.rec_curves.tolerances": "rec_accuracy",
    "regression_questions": "compare_rec rec rroc",
    "results": "Interval",
    "primitives.tallies": "Tally",
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
