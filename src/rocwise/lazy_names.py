"""Public names of a package, listed once in its `__init__.pyi` and loaded when first used."""

from collections.abc import Callable, Mapping
from typing import Any

# ours, and names of it in scikit-learn, pROC, cutpointr, yardstick, ROCR, dcurves and others
OURS_AND_PEERS = {
    "auc(y_true, y_score).value": "roc_auc_score",
    "auc(y_true, y_score)": "roc_auc",
    "roc(y_true, y_score)": "roc_curve",
    "roc(y_true, y_score).plot()": "RocCurveDisplay plot_roc ggroc",
    "precision_recall(y_true, y_score)": "precision_recall_curve pr_curve",
    "precision_recall(y_true, y_score).plot()": "PrecisionRecallDisplay",
    "average_precision(y_true, y_score)": "average_precision_score pr_auc",
    "det(y_true, y_score)": "det_curve",
    "brier(y_true, y_score)": "brier_score brier_score_loss",
    "calibration(y_true, y_score)": "calibration_curve",
    "calibration(y_true, y_score).plot()": "CalibrationDisplay",
    "calibration(y_true, y_score).log_loss": "log_loss",
    "calibration(y_true, y_score).ece": "ece",
    "at(y_true, y_score, threshold=...)": "confusion_matrix classification_report accuracy_score "
    "recall_score precision_score f1_score sens spec ppv npv ci_thresholds ci_coords",
    "thresholds(y_true, y_score).balanced_accuracy": "balanced_accuracy_score",
    "threshold(y_true, y_score, rule='youden')": "j_index cutpointr cutpoint optimal_cutpoints "
    "youden",
    "threshold(y_true, y_score, rule='mcc')": "mcc matthews_corrcoef",
    "threshold(y_true, y_score, rule='kappa')": "cohen_kappa_score",
    "cross_validated_auc(y_true, y_score, folds)": "cross_val_score cvAUC",
    "test_auc(y_true, y_score, method='exact')": "permutation_test_score",
    "estimators.ThresholdClassifier(model)": "TunedThresholdClassifierCV FixedThresholdClassifier",
    "at(y_true, y_score, specificity=...)": "coords ci_se",
    "auc(y_true, y_score).interval": "ci ci_auc",
    "at(y_true, y_score, sensitivity=...)": "ci_sp",
    "compare(y_true, {'a': ..., 'b': ...})": "roc_test delong delong_test delong_roc_test",
    "auc_variance(y_true, y_score, method='delong')": "delong_roc_variance var",
    "auc_covariance(y_true, {'a': ..., 'b': ...})": "cov",
    "power(...) and rocwise.sample_size(...)": "power_roc_test",
    "smooth_roc(y_true, y_score)": "smooth",
    "auc(y_true, y_score, max_fpr=...)": "partial_auc pauc",
    "lift(y_true, y_score).gain": "gain_curve",
    "lift(y_true, y_score)": "lift_curve",
    "tally(y_true, y_score)": "prediction",
    "thresholds(y_true, y_score)": "performance",
    "decision_curve(y_true, y_score)": "dca net_benefit",
    "test_auc(y_true, y_score, method='wilcoxon')": "mannwhitneyu wilcoxon",
    "multiclass.auc(y_true, y_score)": "hand_till multiclass_roc_auc",
    "h_measure(y_true, y_score)": "HMeasure",
    "lift(y_true, y_score).ks": "ks_statistic",
    "equal_error_rate(y_true, y_score)": "eer",
    "binary.reclassification(y_true, {'a': ..., 'b': ...})": "net_reclassification nri idi",
    "ordinal.auc(y_true, y_score)": "vus concordance_index",
    "ordinal.null_test(y_true, y_score)": "test_ordinal",
    "hull(y_true, y_score)": "convex_hull",
}
PEERS = {name: ours for ours, names in OURS_AND_PEERS.items() for name in names.split()}


def attach(
    package: str, file: str
) -> tuple[Callable[[str], Any], Callable[[], list[str]], list[str]]:
    """`__getattr__`, `__dir__` and `__all__` of a package from the lines of its `__init__.pyi`."""
    with open(file.removesuffix("c") + "i", encoding="utf-8") as stub:  # __init__.pyi
        home_of = {words[3]: words[1] for words in map(str.split, stub) if words[:1] == ["from"]}
    names = sorted(home_of)

    def load(name: str) -> Any:
        """Load a public name at its first use."""
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
