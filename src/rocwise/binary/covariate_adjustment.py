"""Covariate-adjusted ROC curve: cases against controls with the same covariates.

The placement value u of a case is the proportion of the controls with its covariates that score at
least as high (ties one half). The adjusted curve is the distribution function of the placement
values of the cases, its area the mean of 1 - u (Janes and Pepe 2009).
"""

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Literal, NamedTuple, TypedDict, Unpack, get_args

import numpy as np

from rocwise import checks, printing
from rocwise.arrays import Flags, Floats, Places
from rocwise.binary.influence import (
    area_variance_by_class,
    require_two_cases,
    require_two_clusters,
)
from rocwise.binary.partial_area import WHOLE, without_noise
from rocwise.binary.roc import DataResult, whole_area
from rocwise.errors import InputError
from rocwise.inference.variance import VarianceByClass, covariance
from rocwise.inputs.labels import positive_mask
from rocwise.inputs.options import options_shown
from rocwise.inputs.rows import (
    DIRECTIONS,
    Direction,
    Missing,
    ModelRows,
    clean_columns,
    frame_vectors,
    grouping_of,
    vectors_of,
)
from rocwise.inputs.scores import score_column
from rocwise.inputs.vectors import Vector, one_or_several
from rocwise.kernels import distinct, n_distinct
from rocwise.results import Interval, result

Model = Literal["linear", "strata"]
Residuals = Literal["empirical", "normal"]
REACH = 2.0  # standard errors of a coefficient, over which the slope of the area is taken
COLLINEAR = 1e-10  # of the length of a column, left by those before it
DIGITS = 44  # binary digits of residuals: scores tied in exact arithmetic are tied
ROUNDING = 1e-14  # of influence values


@result
class AdjustedRoc(DataResult):
    """Covariate-adjusted ROC curve, with the AUC that ignores the covariates.

    Attributes
    ----------
    auc, standard_error, interval
        Covariate-adjusted AUC: the probability that a positive scores above a negative with the
        same covariates.
    fpr, tpr : ndarray
        Vertices of the adjusted curve, a step function: at each FPR the thresholds depend on the
        covariates so that the FPR is the same for all their values.
    pooled_auc, pooled_standard_error, pooled_interval
        AUC of the same rows without covariates.
    covariates : tuple of str
        Names of the columns.
    model, residuals : str
        How covariates were adjusted for.
    n_pos, n_neg : float
        Positives and negatives.
    """

    auc: float
    standard_error: float
    interval: Interval
    fpr: Floats
    tpr: Floats
    pooled_auc: float
    pooled_standard_error: float
    pooled_interval: Interval
    covariates: tuple[str, ...]
    model: str
    residuals: str | None
    n_pos: float
    n_neg: float

    def _sentence(self) -> str:
        n = self.n_pos + self.n_neg
        names = ", ".join(self.covariates)
        return (
            f"AUC adjusted for {names} {printing.estimate(self.auc, self.interval, n)}; "
            f"without adjustment {printing.estimate(self.pooled_auc, self.pooled_interval, n)}; "
            f"{printing.classes(self.n_pos, self.n_neg)}"
        )


class AdjustmentOptions(TypedDict, total=False):
    """Options of rows of two classes with covariates."""

    pos_label: Any
    sample_weight: Any
    groups: Any
    direction: Direction
    missing: Missing


@options_shown(AdjustmentOptions)
def adjusted_roc(
    data: Any = None,
    y_score: Any = None,
    covariates: Any = None,
    *,
    model: Model = "linear",
    residuals: Residuals = "empirical",
    level: float = 0.95,
    label: str | None = None,
    score: str | None = None,
    **given: Unpack[AdjustmentOptions],
) -> AdjustedRoc:
    """Compute the covariate-adjusted ROC curve (AROC) with its AUC and confidence interval.

    Parameters
    ----------
    data : array-like, DataFrame or path
        Labels, with `y_score`; or a data frame or the path of a file, with `label` and `score`.
    y_score : array-like, optional
        Scores, one per label.
    covariates : array-like, dict of array-like, DataFrame, str or list of str
        Covariates: one or several columns of numbers or categories, or the names of columns.
    model : {"linear", "strata"}, default "linear"
        "linear" fits a linear model of the score to the negatives; categories are dummy-coded.
        "strata" compares rows with the same values of all covariates.
    residuals : {"empirical", "normal"}, default "empirical"
        Distribution of the residuals of the linear model; with "normal", weights are counts of
        rows.
    level : float, default 0.95
        Confidence level.
    label, score : str, optional
        Names of the columns of labels and scores of a data frame or file.

    Returns
    -------
    AdjustedRoc
        Result with `auc`, `interval`, `fpr`, `tpr`, `pooled_auc` and `pooled_interval`.

    See Also
    --------
    auc : AUC with a confidence interval, without covariates.
    roc : ROC curve.

    Notes
    -----
    The placement value of a positive is the proportion of negatives with the same covariates that
    score at least as high, and the adjusted curve is the distribution function of the placement
    values [1]_, [2]_. The variance is that of the influence values of both classes, which include
    the estimation of the linear model. An adjusted AUC compares rows with equal covariates, a
    pooled one rows as they are; if the score itself contains the covariates, adjustment removes
    their contribution.

    References
    ----------
    .. [1] H. Janes and M. S. Pepe, "Adjusting for covariate effects on classification accuracy
           using the covariate-adjusted receiver operating characteristic curve", Biometrika 96,
           2009. doi:10.1093/biomet/asp002
    .. [2] D. Faraggi, "Adjusting receiver operating characteristic curves and related indices for
           covariates", J. R. Stat. Soc. D 52, 2003. doi:10.1111/1467-9884.00350

    Examples
    --------
    >>> import rocwise as rw
    >>> age = [1, 2, 3, 4, 5, 6, 7, 8, 2, 4, 6, 8] + [2, 3, 4, 5, 6, 7, 8, 9]
    >>> score = [1.2, 2.9, 2.1, 4.4, 4.8, 6.9, 6.2, 8.1, 1.7, 3.6, 5.1, 7.7]
    >>> score += [3.9, 4.1, 4.2, 7.0, 6.5, 9.2, 8.0, 10.6]
    >>> result = rw.adjusted_roc([0] * 12 + [1] * 8, score, {"age": age})
    >>> round(result.auc, 4), round(result.pooled_auc, 4)
    (0.8958, 0.7188)
    >>> ax = result.plot()
    """
    checks.one_of(model, "model", get_args(Model))
    checks.one_of(residuals, "residuals", get_args(Residuals))
    level = checks.level(level)
    rows, design = _rows(data, y_score, covariates, label=label, score=score, **given)
    tally = rows.tally()
    if not design:
        raise InputError("`covariates` is empty; for a curve without covariates use roc().")
    if model == "linear" and rows.column.origin.categories:
        raise InputError(
            "model='linear' needs numeric scores, but these are ordered categories; use "
            "model='strata', which takes their order."
        )
    if model == "strata":
        adjusted = _by_strata(rows, design)
    elif residuals == "normal":
        adjusted = _by_normal_residuals(rows, design)
    else:
        adjusted = _by_empirical_residuals(rows, design)
    variance = _variance(rows, adjusted)
    error, interval = variance.interval(adjusted.area, level, clustered=tally.clustered)
    pooled = whole_area(tally)
    pooled_error, pooled_interval = area_variance_by_class(tally, WHOLE).interval(
        pooled, level, clustered=tally.clustered
    )
    fpr, tpr = _curve(adjusted, rows)
    return AdjustedRoc(
        auc=adjusted.area,
        standard_error=error,
        interval=interval,
        fpr=fpr,
        tpr=tpr,
        pooled_auc=pooled,
        pooled_standard_error=pooled_error,
        pooled_interval=pooled_interval,
        covariates=tuple(design),
        model=model,
        residuals=residuals if model == "linear" else None,
        data=tally,
        **tally.result_fields,
    )


def _rows(
    data: Any, y_score: Any, covariates: Any, **options: Any
) -> tuple[ModelRows, dict[str, Vector]]:
    """Clean rows, and the covariates by name."""
    given = {name: value for name, value in options.items() if value is not None}
    about: dict[str, Any] = {n: given[n] for n in ("sample_weight", "groups") if n in given}
    named: dict[str, Any] = {n: given[n] for n in ("label", "score") if n in given}
    if covariates is None:
        raise InputError("`adjusted_roc` needs `covariates`; for a curve without them use roc().")
    if data is None or len(named) != (2 if y_score is None else 0):
        raise InputError(
            "`adjusted_roc` needs y_true, y_score and covariates; or a frame or path with label=, "
            "score= and covariates=, the names of columns, and no `y_score`."
        )
    label, score = named.get("label", "y_true"), named.get("score", "y_score")
    if named:
        single = isinstance(covariates, str)
        names = [covariates] if single else checks.members(covariates, "covariates", "names")
        checks.column_names(**named, **about)
        checks.column_names(**{f"covariates[{k}]": name for k, name in enumerate(names)})
        design = {f"covariates[{name!r}]": name for name in names}
        roles = {"y_true": label, "y_score": score, **about, **design}
        found = frame_vectors(data, list(roles.values()))
        columns = {role: found[name] for role, name in roles.items()}
    else:
        several = one_or_several(covariates, "covariates", "covariate", "covariate {}".format)
        design = {role: name for role, (name, _) in several.items()}
        own = {role: values for role, (_, values) in several.items()}
        columns = vectors_of({"y_true": data, "y_score": y_score, **about, **own})
    direction = checks.one_of(given.get("direction", "higher"), "direction", DIRECTIONS)
    kept, weights, clusters, origin = clean_columns(columns, given.get("missing", "raise"))
    mask = positive_mask(kept["y_true"], given.get("pos_label"), label, kept["y_score"])
    origin = replace(origin, direction=direction)
    column = score_column(kept["y_score"], score, direction=direction, origin=origin)
    if column.meanings is not None:
        raise InputError(
            f"`{score}` must contain numbers; got categories or integers beyond 2**53."
        )
    column = replace(column, oriented=column.oriented.astype(np.float64))
    if not np.isfinite(column.oriented).all():
        row = int((~np.isfinite(column.oriented)).argmax())
        raise InputError(f"`{score}` is infinite{kept['y_score'].at(row)}; scores must be finite.")
    return (
        ModelRows(mask, column, weights, None, clusters),
        {name: kept[role] for role, name in design.items()},
    )


class Adjusted(NamedTuple):
    """The adjusted area, 1 - u of each positive row, and influence values of the negatives."""

    area: float
    placements: Floats
    negatives: Floats


def _classes(rows: ModelRows) -> tuple[Flags, Floats, float, float]:
    """Which rows are positive, the weight of each row, and those of both classes."""
    positive = rows.mask == 1
    weights = np.ones(len(positive)) if rows.weights is None else rows.weights
    return positive, weights, float(weights[positive].sum()), float(weights[~positive].sum())


def _by_strata(rows: ModelRows, covariates: Mapping[str, Vector]) -> Adjusted:
    """AUC within strata, averaged over the strata of the positives (F8.20)."""
    positive, weights, M, N = _classes(rows)
    strata = grouping_of(covariates, {name: name for name in covariates})
    codes = strata.codes
    of_pos, of_neg = (np.bincount(codes, weights * own) for own in (positive, ~positive))
    lacking = np.flatnonzero((of_pos > 0) & (of_neg == 0))
    if len(lacking):
        first = strata.names[codes[np.isin(codes, lacking).argmax()]]
        values = first if len(covariates) > 1 else (first,)
        where = ", ".join(f"{name} = {x}" for name, x in zip(covariates, values, strict=True))
        raise InputError(
            f"the stratum {where} has positives but no negative to compare them with; join "
            "strata, or use model='linear'."
        )
    placed = _placement_values(positive, np.asarray(rows.column.oriented), weights, codes)
    area = float(np.dot(weights[positive], placed[positive])) / M
    areas = np.bincount(codes, weights * positive * placed) / np.where(of_pos > 0, of_pos, 1.0)
    scale = np.divide(N * of_pos, M * of_neg, out=np.zeros(len(of_pos)), where=of_neg > 0)
    negatives = (scale[codes] * (placed - areas[codes]))[~positive]
    return Adjusted(area, placed[positive], negatives)


def _placement_values(positive: Flags, values: Floats, weights: Floats, codes: Places) -> Floats:
    """Of each row, the proportion of the other class in its stratum that it is concordant with."""
    scores, rank = distinct(values)
    cells, place = distinct(codes * len(scores) + rank)
    of_place = cells // len(scores)
    placed = []
    for other in (~positive, positive):
        sums = np.bincount(place, weights * other)
        total = np.bincount(of_place, sums)
        start = np.append(0.0, np.cumsum(total))[:-1]
        below = np.cumsum(sums) - sums / 2 - start[of_place]
        placed.append(below / np.where(total > 0, total, 1.0)[of_place])
    return np.asarray(np.where(positive, placed[0][place], 1.0 - placed[1][place]))


class LinearFit(NamedTuple):
    """A linear model fitted to the negatives, with influence values of its coefficients."""

    design: Floats  # (rows, coefficients), the intercept first
    residuals: Floats  # of all rows
    influence: Floats  # (negatives, coefficients), on the scale of one row
    errors: Floats  # standard errors of the coefficients


def _linear_fit(rows: ModelRows, covariates: Mapping[str, Vector]) -> LinearFit:
    """Weighted least squares of the score on (1, covariates) in the negatives (F8.21)."""
    positive, weights, _, total = _classes(rows)
    columns = _design(covariates)
    names, X = list(columns), np.stack(list(columns.values()), axis=1)
    own, w = ~positive, weights[~positive]
    center = w @ X[own] / total
    sd = np.sqrt(w @ (X[own] - center) ** 2 / total)
    _check_rank(X[own], center, sd, w, names)
    Z = np.column_stack([np.ones(len(X)), (X - center) / sd])
    scores = np.asarray(rows.column.oriented)
    roots = np.sqrt(w)
    bread = np.linalg.inv((Z[own] * w[:, None]).T @ Z[own])
    solved = np.linalg.lstsq(Z[own] * roots[:, None], scores[own] * roots, rcond=None)[0]
    residuals = scores - Z @ solved
    influence = total * (Z[own] * residuals[own][:, None]) @ bread
    errors = np.sqrt(((influence * w[:, None]) ** 2).sum(axis=0)) / total
    return LinearFit(Z, residuals, influence, errors)


def _design(covariates: Mapping[str, Vector]) -> dict[str, Floats]:
    """One column for each number and for each category but the first."""
    columns: dict[str, Floats] = {}
    for name, column in covariates.items():
        if column.values.dtype.kind in "biuf" and not column.categories:
            values = column.values.astype(np.float64)
            if not np.isfinite(values).all():
                where = column.at(int((~np.isfinite(values)).argmax()))
                raise InputError(f"the covariate {name!r} is infinite{where}.")
            columns[name] = values
        else:
            levels, codes = column.distinct()
            columns |= {f"{name} = {levels[k]}": 1.0 * (codes == k) for k in range(1, len(levels))}
    if not columns:
        raise InputError(f"the covariates {', '.join(covariates)} have one value each.")
    return columns


def _check_rank(X: Floats, center: Floats, sd: Floats, w: Floats, names: list[str]) -> None:
    """An error for a column that is constant in the negatives or a combination of others."""
    flat = sd <= COLLINEAR * np.abs(X).max(axis=0)
    if flat.any():
        raise InputError(
            f"the covariate {names[int(flat.argmax())]!r} does not vary in the negatives, so that "
            "its effect cannot be estimated; leave it out, or use model='strata'."
        )
    if len(X) < len(names) + 2:
        raise InputError(
            f"`covariates`: {len(names)} columns need at least {len(names) + 2} negatives; got "
            f"{len(X)}."
        )
    left = np.abs(np.diag(np.linalg.qr(np.sqrt(w)[:, None] * (X - center) / sd, mode="r")))
    if (left <= COLLINEAR * left.max()).any():
        raise InputError(
            f"the covariate {names[int(left.argmin())]!r} is a linear combination of those before "
            "it (in the negatives); leave it out."
        )


def _by_empirical_residuals(rows: ModelRows, covariates: Mapping[str, Vector]) -> Adjusted:
    """The area of the residuals; its slope in the coefficients is taken numerically.

    As the area of rows is a step function of a coefficient, the slope is that of the chord over
    `REACH` standard errors of the coefficient on both sides.
    """
    fit, (positive, weights, M, _) = _linear_fit(rows, covariates), _classes(rows)
    largest = float(np.abs(rows.column.oriented).max())
    unit = math.ldexp(1.0, math.frexp(largest)[1] - DIGITS)
    values = np.rint(fit.residuals / unit) * unit
    whole = np.zeros(len(values), np.intp)

    def area_of(moved: Floats) -> tuple[float, Floats]:
        placed = _placement_values(positive, moved, weights, whole)
        return float(np.dot(weights[positive], placed[positive])) / M, placed

    area, placed = area_of(values)
    slope = np.zeros(fit.design.shape[1])  # the intercept moves both classes
    for k in range(1, len(slope)):
        step = REACH * fit.errors[k]
        if step > 0:
            away = step * fit.design[:, k]
            slope[k] = (area_of(values - away)[0] - area_of(values + away)[0]) / (2 * step)
    negatives = placed[~positive] - area + fit.influence @ slope
    return Adjusted(area, placed[positive], negatives)


def _by_normal_residuals(rows: ModelRows, covariates: Mapping[str, Vector]) -> Adjusted:
    """Placement values by the normal distribution of the residuals of negatives (F8.21)."""
    from scipy.special import ndtr

    fit, (positive, weights, M, N) = _linear_fit(rows, covariates), _classes(rows)
    e, w = fit.residuals[~positive], weights[~positive]
    free = N - fit.design.shape[1]
    if free <= 0:
        raise InputError(
            f"`sample_weight` of the negatives sums to {N:g}; residuals='normal' takes weights as "
            f"counts of rows, more than {fit.design.shape[1]}."
        )
    squares = float(np.dot(w, e * e))
    if squares <= COLLINEAR**2 * float(np.dot(w, np.square(rows.column.oriented[~positive]))):
        raise InputError("the linear model fits all negatives exactly: they have no variance.")
    sigma = math.sqrt(squares / free)
    z, own = fit.residuals[positive] / sigma, weights[positive] / M
    placed = np.asarray(ndtr(z))
    area = float(np.dot(own, placed))
    density = own * np.exp(-z * z / 2) / math.sqrt(2 * math.pi)
    slope = -(density @ fit.design[positive]) / sigma
    of_sigma = (e * e * N / free - sigma**2) / (2 * sigma) * (-np.dot(density, z) / sigma)
    return Adjusted(area, placed, fit.influence @ slope + of_sigma)


def _variance(rows: ModelRows, adjusted: Adjusted) -> VarianceByClass:
    """Variance of the adjusted area by the influence values of both classes."""
    classes = [np.flatnonzero(rows.mask == label) for label in (1, 0)]
    clusters = None if rows.clusters is None else [rows.clusters[own] for own in classes]
    weights = None if rows.weights is None else [rows.weights[own] for own in classes]
    if clusters is not None:
        require_two_clusters(*map(n_distinct, clusters))
    else:
        require_two_cases(len(classes[0]), len(classes[1]), "influence")
    positives = adjusted.placements - adjusted.area
    phi = [without_noise(each, ROUNDING)[None, :] for each in (positives, adjusted.negatives)]
    return covariance(phi, weights, clusters).variance(0)


def _curve(adjusted: Adjusted, rows: ModelRows) -> tuple[Floats, Floats]:
    """Vertices of the distribution function of the placement values."""
    positive, weights, *_ = _classes(rows)
    u, place = np.unique(np.clip(1.0 - adjusted.placements, 0.0, 1.0), return_inverse=True)
    cumulative = np.cumsum(np.bincount(place, weights[positive]))
    tpr = np.append(0.0, cumulative / cumulative[-1])
    fpr, tpr = np.repeat(u, 2), np.repeat(tpr, 2)[:-1]
    start, end = ([] if u[0] == 0.0 else [0.0]), ([] if u[-1] == 1.0 else [1.0])
    return np.concatenate([start, fpr, end]), np.concatenate([tpr[1 - len(start) :], end])
