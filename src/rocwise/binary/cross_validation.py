"""The AUC by cross-validation: per fold, pooled, and three intervals side by side."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Literal, NamedTuple, cast, get_args

import numpy as np

from rocwise import checks, kernels, printing
from rocwise.arrays import Codes, Floats, Places
from rocwise.binary.auc import sums_of_squares
from rocwise.binary.influence import placement_influence
from rocwise.data.pairs import Pairs
from rocwise.data.tally import independent_units
from rocwise.errors import InputError, MisuseWarning, count_of, ends_traceback, listed, warn
from rocwise.inference.comparison import Comparison, Estimates, compared
from rocwise.inference.intervals import (
    REPEATED_AS_INDEPENDENT,
    fold_interval,
    newcombe_interval,
    wald_interval,
    within_unit,
)
from rocwise.inference.resampling import mixed_clusters
from rocwise.inference.significance import checked_margin
from rocwise.inference.variance import CovarianceByClass
from rocwise.inputs.coercion import Direction, Missing
from rocwise.inputs.folds import ONE_MODEL, OutOfFoldScores, as_out_of_fold_models, folded_pairs
from rocwise.results import Interval, ModelResults, Number, Result, result

Method = Literal["corrected-t", "influence", "t"]
FoldMethod = Literal["corrected-t", "influence"]
DESCRIBED = {
    "corrected-t": "corrected t over the differences of folds",
    "influence": "influence functions of the fold-wise AUCs",
}
CLEAR_GAP = 4.0  # standard deviations beyond which pooled and averaged AUC differ clearly
LARGE_GAP = 1.0  # standard errors of the AUC beyond which such a difference matters


@result
class CrossValidatedAuc(Number, Result):
    """Mean AUC of the folds with its intervals, and the pooled AUC."""

    value: float
    pooled: float
    interval: Interval
    intervals: dict[str, Interval]
    standard_error: float
    fold_values: Floats
    n_pos: float
    n_neg: float
    n_folds: int
    n_repeats: int
    method: Method

    def _metric(self) -> str:
        return "auc"

    def _sentence(self) -> str:
        n = self.n_pos + self.n_neg
        repeats = f" x {self.n_repeats} repeats" if self.n_repeats > 1 else ""
        return (
            f"cross-validated AUC {printing.estimate(self.value, self.interval, n)}; "
            f"{count_of(self.n_folds, 'fold')}{repeats}, "
            f"{printing.classes(self.n_pos, self.n_neg)}; pooled {printing.rate(self.pooled, n)}"
        )

    def _columns(self) -> dict[str, Any]:
        rows = self.intervals
        return {
            "method": list(rows),
            "value": [self.value] * len(rows),
            "low": [interval.low for interval in rows.values()],
            "high": [interval.high for interval in rows.values()],
            "level": [interval.level for interval in rows.values()],
        }


@ends_traceback
def cross_validated_auc(
    y_true: Any,
    y_score: Any = None,
    folds: Any = None,
    *,
    X: Any = None,
    level: float = 0.95,
    method: Method = "corrected-t",
    pos_label: Any = None,
    direction: Direction = "higher",
    missing: Missing = "raise",
    groups: Any = None,
    sample_weight: Any = None,
) -> CrossValidatedAuc:
    """Compute the cross-validated AUC with a confidence interval.

    Parameters
    ----------
    y_true : array-like or Pairs
        Labels, as in `tally`; or pairs.
    y_score : array-like or dict, optional
        Out-of-fold scores, as from scikit-learn's `cross_val_predict`, with one column per repeat
        of repeated cross-validation; the dict that `cross_validate` returns with
        ``return_estimator=True, return_indices=True``; or a dict of either, by the names of models.
    folds : array-like or list of (train, test), optional
        Fold of each row (one column per repeat), or the splits, as from ``cv.split(X, y)``.
    X : array-like, optional
        Features, if `y_score` is the dict of `cross_validate`.
    level : float, default 0.95
        Confidence level.
    method : {"corrected-t", "influence", "t"}, default "corrected-t"
        Method of `interval`: Nadeau and Bengio's corrected t interval [1]_, influence functions
        [2]_, or Student's t, which assumes independent folds.
    pos_label : scalar, optional
        Label of the positive class; required unless it is 1 or True.
    direction : {"higher", "lower"}, default "higher"
        Which scores mean positive.
    missing : {"raise", "drop"}, default "raise"
        What to do with rows with a missing value.
    groups : array-like, optional
        Cluster of each row, none of which may be split between folds. Standard error and
        "influence" interval are then cluster-robust.
    sample_weight : array-like, optional
        Weight of each row.

    Returns
    -------
    CrossValidatedAuc
        Result with `value` (mean over folds), `interval`, `intervals` (one per method), `pooled`,
        `fold_values` and `standard_error`. For several models, one such result per name.

    See Also
    --------
    auc : AUC with a confidence interval.
    compare : Test and interval for the difference of AUCs.
    inference.cv_interval : Interval for the mean over cross-validation folds.
    average_roc : Average of several ROC curves.

    References
    ----------
    .. [1] C. Nadeau and Y. Bengio, "Inference for the generalization error", Mach. Learn. 52,
           2003. doi:10.1023/A:1024068626366
    .. [2] E. LeDell, M. Petersen and M. van der Laan, "Computationally efficient confidence
           intervals for cross-validated area under the ROC curve estimates", Electron. J. Stat. 9,
           2015. doi:10.1214/15-EJS1035

    Examples
    --------
    >>> import rocwise as rw
    >>> y_true, folds = [0, 0, 1, 1, 0, 0, 1, 1], [0, 0, 0, 0, 1, 1, 1, 1]
    >>> result = rw.cross_validated_auc(y_true, [1, 3, 2, 4, 1, 2, 3, 4], folds)
    >>> result.value, result.fold_values.tolist()
    (0.875, [0.75, 1.0])
    >>> ax = result.plot()
    """
    level = checks.level(level)
    checks.one_of(method, "method", get_args(Method))
    described = {"pos_label": pos_label, "groups": groups, "sample_weight": sample_weight}
    if isinstance(y_true, Pairs):
        for name, value in ({"y_score": y_score, "X": X} | described).items():
            if value is not None:
                raise InputError(f"`{name}` does not go with pairs; pass it to `pair`.")
        models = folded_pairs(y_true, None, folds, {})
    else:
        models = as_out_of_fold_models(
            *(y_true, y_score, folds), X=X, direction=direction, missing=missing, **described
        )
    areas = {name: areas_of(rows) for name, rows in models.items()}
    found = {
        name: cross_validated(rows, areas[name], level, method) for name, rows in models.items()
    }
    for name, rows in models.items():
        warn_of_pooling(rows, areas[name])
    if ONE_MODEL in found:
        return found[ONE_MODEL]
    origin = next(iter(models.values())).origin_of_rows()
    return cast(CrossValidatedAuc, ModelResults(results=found, origin=origin))


def cross_validated(
    rows: OutOfFoldScores, areas: "FoldAreas", level: float, method: Method
) -> CrossValidatedAuc:
    """The result for one model, given its areas."""
    values = np.concatenate(areas.values)
    value = float(values.mean())
    error = math.sqrt(float(influence_covariance(areas.influences[None, :], rows.groups)[0, 0]))
    units = independent_units(1 - rows.mask, 2, rows.weights, rows.groups).tolist()
    sizes = float(units[0]), float(units[1])
    n_folds, n_repeats = len(areas.values[0]), len(areas.values)
    for repeat, own in enumerate(areas.values):
        if len(own) != n_folds:
            raise InputError(
                f"`folds` has {n_folds} folds in repeat 0 but {len(own)} in repeat {repeat}; "
                "all repeats must have the same number."
            )
    found = _intervals(values, error, sizes, level, n_folds)
    if method == "t" and n_repeats > 1:
        remedy = "method='corrected-t' or 'influence'"
        warn(REPEATED_AS_INDEPENDENT.format(repeats=n_repeats, remedy=remedy), MisuseWarning)
    n_neg, n_pos = np.bincount(rows.mask, rows.weights).tolist()  # or their weights
    pooled = [placement_influence(rows.mask, each, rows.weights)[0] for each in rows.scores]
    return CrossValidatedAuc(
        value=value,
        pooled=float(np.mean(pooled)),
        interval=found[method],
        intervals=found,
        standard_error=error,
        fold_values=values,
        n_pos=n_pos,
        n_neg=n_neg,
        n_folds=n_folds,
        n_repeats=n_repeats,
        method=method,
        origin=rows.origin,
    )


def _intervals(
    values: Floats, error: float, sizes: tuple[float, float], level: float, n_folds: int
) -> dict[str, Interval]:
    """By every method; Newcombe's where folds show no variance, as when all separate fully."""
    value = float(values.mean())
    score = replace(newcombe_interval(value, *sizes, level), mean=value)
    found = dict.fromkeys(("corrected-t", "influence", "t"), score)
    if values.min() < values.max():
        for name, test_fraction in (("corrected-t", 1 / n_folds), ("t", None)):
            found[name] = within_unit(fold_interval(values, level, test_fraction), value)
    if error > 0.0:
        wald = wald_interval(value, error, level, "influence function", (-math.inf, math.inf))
        found["influence"] = within_unit(replace(wald, mean=value), value)
    return found


def warn_of_pooling(rows: OutOfFoldScores, areas: "FoldAreas | None" = None) -> None:
    """Warn when scores of different folds, with these areas, are not on one scale."""
    if areas is None or rows.weights is not None:
        rows = replace(rows, weights=None)
        areas = areas_of(rows)
    error = math.sqrt(float(np.dot(areas.influences, areas.influences)))
    found = [pooled_area(rows.mask, *own) for own in zip(rows.scores, rows.folds, strict=True)]
    pooled, chance = np.mean(found, axis=0).tolist()
    gap = pooled - float(np.mean([each.mean() for each in areas.values]))
    if abs(gap) <= max(CLEAR_GAP * chance, LARGE_GAP * error):
        return
    whose = f"of {rows.origin.name} " if rows.origin.name else ""
    warn(
        f"the pooled AUC {whose}is {pooled:.3f}, but the folds' AUCs average {pooled - gap:.3f}: "
        "scores of different folds are not on one scale (each fold has its own model), so that "
        "pairs from different folds mean little. Use the average, and do not pool the scores.",
        MisuseWarning,
    )


class FoldAreas(NamedTuple):
    """AUCs of the folds of every repeat, and how much every row moves their mean."""

    values: list[Floats]
    influences: Floats


def areas_of(rows: OutOfFoldScores) -> FoldAreas:
    """The areas of one model in every repeat of cross-validation."""
    check_groups_in_folds(rows)
    found = [
        _fold_areas(rows.mask, scores, folds, names, rows.weights)
        for scores, folds, names in zip(rows.scores, rows.folds, rows.fold_names, strict=True)
    ]
    return FoldAreas([own for own, _ in found], np.mean([phi for _, phi in found], axis=0))


def influence_covariance(phi: Floats, groups: Places | None) -> Floats:
    """Covariance matrix of estimates from influences; those of a group of rows are added first."""
    if groups is None:
        return np.asarray(np.dot(phi, phi.T))
    n_groups = int(groups.max()) + 1
    sums = np.stack([np.bincount(groups, row, minlength=n_groups) for row in phi])
    return np.asarray(n_groups / (n_groups - 1) * np.dot(sums, sums.T))


def check_groups_in_folds(rows: OutOfFoldScores) -> None:
    """Raise for a group that is trained on and tested by the same model."""
    if rows.groups is None:
        return
    if kernels.n_distinct(rows.groups) < 2:
        raise InputError("`groups` must name at least two groups; got one.")
    for folds, names in zip(rows.folds, rows.fold_names, strict=True):
        if mixed_clusters(rows.groups, folds):
            both = np.unique(np.stack([rows.groups, folds]), axis=1)
            place = int((both[0, 1:] == both[0, :-1]).argmax())
            row = int((rows.groups == both[0, place]).argmax())
            where = listed([names[fold] for fold in both[1, place : place + 2]])
            raise InputError(
                f"`groups`: the group of row {row} is in the folds {where}, so that a model was "
                "tested on a group it had seen. Make the folds with GroupKFold or "
                "StratifiedGroupKFold."
            )


def _fold_areas(
    mask: Codes, scores: Floats, folds: Places, names: Sequence[str], weights: Floats | None
) -> tuple[Floats, Floats]:
    """AUC of every fold, and influences after LeDell, Petersen & van der Laan (2015).

    Their variance is mean_v mean_{i in v} IC_i^2 / n, where IC_i is the proportion of the other
    class (in the fold) on the right side of case i, less the fold's AUC, over that of its own
    class in all data. The squares of the influences returned add up to it.
    """
    K = len(names)
    if K < 2:
        raise InputError("`folds` must name at least two folds; got one.")
    w = np.ones(len(mask)) if weights is None else weights
    total = float(w.sum())
    of_class = np.bincount(mask, w) / total
    values, influences = np.empty(K), np.empty(len(mask))
    for v in range(K):
        rows = np.flatnonzero(folds == v)
        n_pos = int(np.count_nonzero(mask[rows]))
        if n_pos in (0, len(rows)):
            raise InputError(
                f"`folds`: fold {names[v]} has no {'negative' if n_pos else 'positive'} case "
                f"({printing.classes(n_pos, len(rows) - n_pos)}), so its AUC is undefined. Make "
                "the folds stratified, so that each has both classes."
            )
        own = None if weights is None else weights[rows]
        values[v], phi = placement_influence(mask[rows], scores[rows], own)
        scale = math.sqrt(total * K * float(w[rows].sum()))
        influences[rows] = w[rows] * phi / of_class[mask[rows]] / scale
    return values, influences


def pooled_area(mask: Codes, scores: Floats, folds: Places) -> tuple[float, float]:
    """The AUC of all scores, and the standard deviation of the mean AUC of random folds."""
    sums = kernels.placement_sums(*kernels.sort_by_class(mask, scores))
    SN, SM, R = sums_of_squares(sums)
    n, m = (np.bincount(folds[mask == label]) for label in (0, 1))
    variance = permutation_variance(SM, SN, max(R, 0.0), m, n)
    return sums.sum_u / (2 * sums.n_pos * sums.n_neg), math.sqrt(variance)


def permutation_variance(SM: float, SN: float, R: float, m: Places, n: Places) -> float:
    """Variance of the mean of the folds' AUCs when cases are assigned to folds at random.

    The mean is sum_ij c_ij psi_ij with c_ij = 1/(K m_v n_v) for pairs within fold v; each part of
    psi (sums of squares SM, SN, R) adds its own sum of squares times that of the weights.
    """
    K, M, N = len(m), int(m.sum()), int(n.sum())
    of_rows, of_columns = (1 / (K * K * m)).sum(), (1 / (K * K * n)).sum()
    inside = (1 / (K * K * m * n)).sum() - of_rows / N - of_columns / M + 1 / (M * N)
    return float(
        SM * (of_rows - 1 / M) / (M - 1)
        + SN * (of_columns - 1 / N) / (N - 1)
        + R * inside / ((M - 1) * (N - 1))
    )


def compare_by_folds(
    data: Any,
    scores: Any,
    folds: Any,
    *,
    no_areas: bool,
    method: str | None,
    level: float,
    alternative: str,
    margin: float | None,
    given: Mapping[str, Any],
) -> Comparison:
    """Compare cross-validated models; see `compare`."""
    if no_areas:
        raise InputError(
            "`folds` compares full AUCs; for partial AUCs and other statistics subtract the "
            "values of the folds and use rw.inference.cv_interval(differences, corrected=True)."
        )
    method = "corrected-t" if method in (None, "auto") else method
    chosen = checks.one_of(method, "method", get_args(FoldMethod))
    models = _models(data, scores, folds, given)
    if len(models) < 2:
        raise InputError(f"`compare` needs at least two models; got {', '.join(models)}.")
    (name, first), *others = models.items()
    for other, rows in others:
        if rows.folds.shape != first.folds.shape or (rows.folds != first.folds).any():
            raise InputError(f"`folds` of {name!r} and {other!r} differ; models need the same.")
    margin = checked_margin(alternative, margin, len(models))
    areas = {name: areas_of(rows) for name, rows in models.items()}
    found = {
        name: cross_validated(rows, areas[name], level, "corrected-t")
        for name, rows in models.items()
    }
    covariance, df = _fold_covariance(first.groups, areas, found, chosen)
    robust = chosen == "influence" and first.groups is not None
    # few folds give no matrix for a joint test: several models are tested by their pairs
    few = CovarianceByClass(covariance, (covariance,), (0.0,)) if df is not None else None
    values = {name: own.value for name, own in found.items()}
    return compared(
        Estimates(values, covariance, df, by_class=few),
        quantity="cross-validated AUC",
        method=chosen,
        described=lambda used: f"{'cluster-robust ' if robust else ''}{DESCRIBED[used]}",
        level=level,
        alternative=alternative,
        margin=margin,
        intervals={name: own.intervals[chosen] for name, own in found.items()},
        origin=first.origin_of_rows(),
    )


def warn_of_pooled_folds(data: Any, scores: Any, folds: Any, given: Mapping[str, Any]) -> None:
    """Before scores of all folds are compared together: warn where they have no common scale."""
    for rows in _models(data, scores, folds, given).values():
        warn_of_pooling(rows)


def _models(
    data: Any, scores: Any, folds: Any, given: Mapping[str, Any]
) -> dict[str, OutOfFoldScores]:
    """The out-of-fold scores of every model, whatever form the data have."""
    if isinstance(data, Pairs) or "label" in given:
        return folded_pairs(data, scores, folds, given)
    described: dict[str, Any] = {"pos_label": None, "direction": "higher", "missing": "raise"}
    known = (*described, "groups", "sample_weight")
    described |= {name: value for name, value in given.items() if name in known}
    return as_out_of_fold_models(
        given.get("y_true") if data is None else data,
        given.get("scores") if scores is None else scores,
        folds,
        X=None,
        **described,
    )


def _fold_covariance(
    groups: Places | None,
    areas: Mapping[str, FoldAreas],
    found: Mapping[str, CrossValidatedAuc],
    method: str,
) -> tuple[Floats, float | None]:
    """Covariance matrix of the mean areas, and its degrees of freedom (None: normal).

    Nadeau and Bengio's variance of the mean of J fold values is their sample variance times
    1/J + f/(1 - f), where a fold tests the proportion f of the cases.
    """
    if method == "influence":
        phi = np.stack([each.influences for each in areas.values()])
        return influence_covariance(phi, groups), None
    first = next(iter(found.values()))
    values = np.stack([own.fold_values for own in found.values()])
    fraction = 1 / first.n_folds
    factor = 1 / values.shape[1] + fraction / (1 - fraction)
    return np.cov(values) * factor, float(values.shape[1] - 1)
