"""Public names of a package, listed once in its `__init__.pyi` and loaded when first used."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

# names of scikit-learn, pROC, cutpointr, yardstick, ROCR, dcurves and others, and our equivalent
PEERS = {
    "roc_auc_score": "auc(y_true, y_score).value",
    "roc_auc": "auc(y_true, y_score)",
    "roc_curve": "roc(y_true, y_score)",
    "RocCurveDisplay": "roc(y_true, y_score).plot()",
    "plot_roc": "roc(y_true, y_score).plot()",
    "ggroc": "roc(y_true, y_score).plot()",
    "precision_recall_curve": "precision_recall(y_true, y_score)",
    "pr_curve": "precision_recall(y_true, y_score)",
    "PrecisionRecallDisplay": "precision_recall(y_true, y_score).plot()",
    "average_precision_score": "average_precision(y_true, y_score)",
    "pr_auc": "average_precision(y_true, y_score)",
    "det_curve": "det(y_true, y_score)",
    "brier_score": "brier(y_true, y_score)",
    "brier_score_loss": "brier(y_true, y_score)",
    "calibration_curve": "calibration(y_true, y_score)",
    "CalibrationDisplay": "calibration(y_true, y_score).plot()",
    "log_loss": "calibration(y_true, y_score).log_loss",
    "ece": "calibration(y_true, y_score).ece",
    "confusion_matrix": "at(y_true, y_score, threshold=...)",
    "classification_report": "at(y_true, y_score, threshold=...)",
    "accuracy_score": "at(y_true, y_score, threshold=...)",
    "recall_score": "at(y_true, y_score, threshold=...)",
    "precision_score": "at(y_true, y_score, threshold=...)",
    "f1_score": "at(y_true, y_score, threshold=...)",
    "balanced_accuracy_score": "thresholds(y_true, y_score).balanced_accuracy",
    "j_index": "threshold(y_true, y_score, rule='youden')",
    "sens": "at(y_true, y_score, threshold=...)",
    "spec": "at(y_true, y_score, threshold=...)",
    "ppv": "at(y_true, y_score, threshold=...)",
    "npv": "at(y_true, y_score, threshold=...)",
    "mcc": "threshold(y_true, y_score, rule='mcc')",
    "matthews_corrcoef": "threshold(y_true, y_score, rule='mcc')",
    "cohen_kappa_score": "threshold(y_true, y_score, rule='kappa')",
    "cross_val_score": "cross_validated_auc(y_true, y_score, folds)",
    "permutation_test_score": "test_auc(y_true, y_score, method='exact')",
    "TunedThresholdClassifierCV": "estimators.ThresholdClassifier(model)",
    "FixedThresholdClassifier": "estimators.ThresholdClassifier(model)",
    "coords": "at(y_true, y_score, specificity=...)",
    "ci": "auc(y_true, y_score).interval",
    "ci_auc": "auc(y_true, y_score).interval",
    "ci_se": "at(y_true, y_score, specificity=...)",
    "ci_sp": "at(y_true, y_score, sensitivity=...)",
    "ci_thresholds": "at(y_true, y_score, threshold=...)",
    "ci_coords": "at(y_true, y_score, threshold=...)",
    "roc_test": "compare(y_true, {'a': ..., 'b': ...})",
    "delong": "compare(y_true, {'a': ..., 'b': ...})",
    "delong_test": "compare(y_true, {'a': ..., 'b': ...})",
    "delong_roc_test": "compare(y_true, {'a': ..., 'b': ...})",
    "delong_roc_variance": "auc_variance(y_true, y_score, method='delong')",
    "var": "auc_variance(y_true, y_score, method='delong')",
    "cov": "auc_covariance(y_true, {'a': ..., 'b': ...})",
    "power_roc_test": "power(...) and rocwise.sample_size(...)",
    "smooth": "smooth_roc(y_true, y_score)",
    "partial_auc": "auc(y_true, y_score, max_fpr=...)",
    "pauc": "auc(y_true, y_score, max_fpr=...)",
    "cutpointr": "threshold(y_true, y_score, rule='youden')",
    "cutpoint": "threshold(y_true, y_score, rule='youden')",
    "optimal_cutpoints": "threshold(y_true, y_score, rule='youden')",
    "youden": "threshold(y_true, y_score, rule='youden')",
    "gain_curve": "lift(y_true, y_score).gain",
    "lift_curve": "lift(y_true, y_score)",
    "prediction": "tally(y_true, y_score)",
    "performance": "thresholds(y_true, y_score)",
    "dca": "decision_curve(y_true, y_score)",
    "net_benefit": "decision_curve(y_true, y_score)",
    "mannwhitneyu": "test_auc(y_true, y_score, method='wilcoxon')",
    "wilcoxon": "test_auc(y_true, y_score, method='wilcoxon')",
    "hand_till": "multiclass.auc(y_true, y_score)",
    "multiclass_roc_auc": "multiclass.auc(y_true, y_score)",
    "HMeasure": "h_measure(y_true, y_score)",
    "ks_statistic": "lift(y_true, y_score).ks",
    "eer": "equal_error_rate(y_true, y_score)",
    "cvAUC": "cross_validated_auc(y_true, y_score, folds)",
    "net_reclassification": "binary.reclassification(y_true, {'a': ..., 'b': ...})",
    "nri": "binary.reclassification(y_true, {'a': ..., 'b': ...})",
    "idi": "binary.reclassification(y_true, {'a': ..., 'b': ...})",
    "vus": "ordinal.auc(y_true, y_score)",
    "concordance_index": "ordinal.auc(y_true, y_score)",
    "test_ordinal": "ordinal.null_test(y_true, y_score)",
    "convex_hull": "hull(y_true, y_score)",
}


def attach(
    package: str, file: str
) -> tuple[Callable[[str], Any], Callable[[], list[str]], list[str]]:
    """`__getattr__`, `__dir__` and `__all__` of a package from its stub `__init__.pyi`.

    The stub holds one line for each name, such as
    ``from .binary.auc import auc as auc``; ``from . import x as x`` is a subpackage.
    """
    with open(file.removesuffix("c") + "i", encoding="utf-8") as stub:  # __init__.pyi
        home_of = {words[3]: words[1] for words in map(str.split, stub) if words[:1] == ["from"]}
    names = sorted(home_of)

    def load(name: str) -> Any:
        """Load a public name; Python asks only for those that are not there yet."""
        import sys
        from importlib import import_module

        home = home_of.get(name)
        if home is None:
            meant = _meant(name, home_of, package)
            raise AttributeError(f"module {package!r} has no attribute {name!r}{meant}")
        if home == ".":
            return import_module(f"{package}.{name}")
        value = getattr(import_module(home, package), name)
        setattr(sys.modules[package], name, value)
        return value

    return load, lambda: [*names, "__version__"] if package == "rocwise" else names, names


def _meant(name: str, ours: Mapping[str, str], package: str) -> str:
    """What a name that is not ours was probably meant to be, as the end of a sentence."""
    if name.startswith("_") or _is_module(name, package):  # Python asking for something of its own
        return ""
    if package == "rocwise" and name in PEERS:
        equivalent = PEERS[name]
        known = called(equivalent) in ours or equivalent.startswith("binary.")
        return f"; use rocwise.{equivalent}" if known else ""
    from rocwise.errors import nearest

    near = nearest(name, ours, cutoff=0.75)
    return f"; did you mean {package}.{near}?" if near else ""


def _is_module(name: str, package: str) -> bool:
    """Whether a package has such a module, which Python loads when no such attribute is found."""
    import sys
    from importlib.machinery import PathFinder

    path = getattr(sys.modules.get(package), "__path__", None)
    return path is not None and PathFinder.find_spec(f"{package}.{name}", path) is not None


def called(equivalent: str) -> str:
    """The public name that a call begins with."""
    return equivalent.partition("(")[0].partition(".")[0]
