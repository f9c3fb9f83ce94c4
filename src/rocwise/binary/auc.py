"""The area under the ROC curve: whole or in part, with its variance, interval and covariance."""

import math
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from typing import Any, ClassVar, Literal, Unpack, get_args

import numpy as np
from numpy.typing import NDArray

from rocwise import checks, printing
from rocwise.arrays import Array, Floats
from rocwise.binary import influence
from rocwise.binary.bootstrap import jackknife_variance, percentile_interval, replicates
from rocwise.binary.partial_area import WHOLE, Part, chosen_part
from rocwise.binary.roc import DataResult, whole_area
from rocwise.binary.statistics import Area
from rocwise.data.pairs import Pairs
from rocwise.data.tally import Tally, check_unweighted
from rocwise.errors import InputError, warn_below_half
from rocwise.inference import intervals
from rocwise.inference.comparison import ComparableGroups
from rocwise.inference.effective_sizes import WILSON, SizedArea
from rocwise.inference.variance import VarianceByClass
from rocwise.inputs import coercion
from rocwise.kernels.ranks import PlacementSums
from rocwise.results import Estimate, GroupResults, Interval, Resampled, result

StepTies = Literal["simultaneous", "optimistic", "pessimistic"]
Variance = Literal["delong", "jackknife", "exact-bootstrap", "unbiased", "hanley-mcneil"]
PairedVariance = Literal["delong", "jackknife", "exact-bootstrap", "unbiased"]
OneMethod = Literal[
    "delong",
    "wilson",
    "logit",
    "bootstrap",
    "bca",
    "hanley-mcneil",
    "jackknife",
    "exact-bootstrap",
    "unbiased",
    "score",
    "hoeffding",
]
AreaMethod = Literal["auto", OneMethod]
METHODS: tuple[OneMethod, ...] = get_args(OneMethod)
METHOD_NAMES = {
    "delong": "DeLong",
    "wilson": WILSON,
    "hanley-mcneil": "Hanley-McNeil",
    "jackknife": "jackknife",
    "exact-bootstrap": "exact bootstrap",
    "unbiased": "unbiased variance",
    **intervals.LIMIT_NAMES,
}
OF_PARTS = ("delong", "wilson", "logit", "bootstrap", "bca", "jackknife")
OF_WEIGHTED_ROWS = ("delong", "wilson", "logit", "score", "bootstrap")
BY_RESAMPLING = ("bootstrap", "bca")
BY_INFLUENCE = ("auto", "delong", "wilson", "logit", "score", "hoeffding")


@result
class Auc(Estimate, DataResult):
    """AUC or partial AUC with standard error and confidence interval."""

    group_results: ClassVar[type[GroupResults[Any]] | None] = ComparableGroups
    n_pos: float
    n_neg: float
    part: Part = WHOLE
    standardized: bool = False

    def _metric(self) -> str:
        return "auc" if self.part.is_whole else "partial_auc"

    @property
    def as_share(self) -> SizedArea:
        """The area of its part's width, with its effective size: what groups are compared by."""
        data, part = self._known_data(), self.part
        sizes = data.effective_sizes
        variance = VarianceByClass(0.0, (), sizes)  # with one case in a class the largest there is
        if min(sizes) > 1.0:
            variance = influence.area_variance_by_class(data, part)
        own = _relative(variance, part)
        proportion = influence.area_of(data, part) / part.width
        return own._replace(cases=max(own.smallest, 1.0)).as_share(proportion)

    def _method_words(self) -> list[str]:
        words = super()._method_words() + ([] if self.part.is_whole else ["partial AUC"])
        return [*words, "DeLong"] if "effective" in self.method else words

    def _sentence(self) -> str:
        name = "AUC" if self.part.is_whole else f"partial AUC over {self.part}"
        if self.standardized:
            name = f"standardized {name}"
        more = 0 if self.part.is_whole or self.standardized else 1
        found = printing.estimate(self.value, self.interval, self.n_pos + self.n_neg, more)
        return f"{name} {found}; {printing.classes(self.n_pos, self.n_neg)}"


@coercion.by_group
def auc(
    data: Any = None,
    y_score: Any = None,
    *,
    max_fpr: float | None = None,
    fpr_range: tuple[float, float] | None = None,
    tpr_range: tuple[float, float] | None = None,
    standardize: bool = False,
    method: AreaMethod = "auto",
    level: float = 0.95,
    n_resamples: int = 2000,
    rng: Any = None,
    **given: Unpack[coercion.TallyOptions],
) -> Auc:
    """Compute the area under the ROC curve (AUC) with a confidence interval.

    Also partial areas, over a range of false or true positive rates.

    Parameters
    ----------
    max_fpr : float, optional
        Restrict the area to false positive rates from 0 to this value.
    fpr_range : (float, float), optional
        Restrict the area to this range of false positive rates (area under the curve).
    tpr_range : (float, float), optional
        Restrict the area to this range of true positive rates (area to the right of the curve).
    standardize : bool, default False
        Rescale a partial area to 0.5 on the diagonal and 1 for the perfect curve [1]_.
    method : str, default "auto"
        Method of the confidence interval, one of

        - "auto": the same as "wilson";
        - "wilson": Wilson score interval [2]_ with an effective sample size, from DeLong's
          variance and, with few discordant cases, its upper bound [3]_;
        - "delong": Wald interval with DeLong's variance [4]_, as in pROC;
        - "logit": the same on the logit scale;
        - "hanley-mcneil", "jackknife", "exact-bootstrap", "unbiased": Wald intervals with
          these variances, see `auc_variance`;
        - "score": score interval with Newcombe's variance [5]_;
        - "bootstrap", "bca": percentile and BCa intervals of stratified resamples;
        - "hoeffding": distribution-free, conservative.
    level : float, default 0.95
        Confidence level.
    n_resamples : int, default 2000
        Number of resamples of "bootstrap" and "bca".
    rng : int, numpy.random.Generator or None, optional
        Seed or random generator; None draws a seed, which the result reports.

    Returns
    -------
    Auc
        Result with `value`, `standard_error`, `interval`, `n_pos` and `n_neg`.

    See Also
    --------
    roc : Empirical ROC curve.
    auc_intervals : Every interval for the AUC, side by side.
    compare : Test and interval for the difference of AUCs.
    test_auc : Test of one AUC against a null value.
    cross_validated_auc : Cross-validated AUC with a confidence interval.

    Notes
    -----
    With few cases or an AUC near 1, the coverage of "delong", "hanley-mcneil", "jackknife",
    "exact-bootstrap", "unbiased" and "bootstrap" is far below the level; that of "logit", "bca"
    and "score" less so. With a single case in a class "hoeffding" is used, and "score" where
    another method has no variance (AUC 0 or 1): see `interval.method`.

    References
    ----------
    .. [1] D. K. McClish, "Analyzing a portion of the ROC curve", Med. Decis. Making 9, 1989.
           doi:10.1177/0272989X8900900307
    .. [2] E. B. Wilson, "Probable inference, the law of succession, and statistical inference", J.
           Am. Stat. Assoc. 22, 1927. doi:10.1080/01621459.1927.10502953
    .. [3] Z. W. Birnbaum and O. M. Klose, "Bounds for the variance of the Mann-Whitney statistic",
           Ann. Math. Stat. 28, 1957. doi:10.1214/aoms/1177706794
    .. [4] E. R. DeLong, D. M. DeLong and D. L. Clarke-Pearson, "Comparing the areas under two or
           more correlated receiver operating characteristic curves", Biometrics 44, 1988.
           doi:10.2307/2531595
    .. [5] R. G. Newcombe, "Confidence intervals for an effect size measure based on the
           Mann-Whitney statistic. Part 2", Stat. Med. 25, 2006. doi:10.1002/sim.2324

    Examples
    --------
    >>> import rocwise as rw
    >>> y_true, y_score = [0, 0, 0, 0, 1, 1, 1], [1, 2, 3, 5, 4, 6, 7]
    >>> rw.auc(y_true, y_score)
    AUC 0.92 (95% CI 0.39 to 1.00, Wilson (effective n)); 3 positives, 4 negatives
    >>> partial = rw.auc(y_true, y_score, max_fpr=0.5, standardize=True, method="bootstrap", rng=1)
    >>> round(partial.value, 3)
    0.889
    """
    rows = coercion.as_tally("auc", data, y_score, given)
    part = chosen_part(max_fpr, fpr_range, tpr_range)
    level = checks.level(level)
    n_resamples = checks.draws(n_resamples, rng)
    standardize = checks.flag(standardize, "standardize")
    value = influence.area_of(rows, part)
    drawn: Any = {}

    def resampled() -> Floats:
        drawn.update(seed=checks.seed(rng), n_resamples=n_resamples)
        return replicates(rows, Area(part), **drawn)

    standard_error, interval = area_interval(
        rows, part, value, method=method, level=level, resampled=resampled
    )
    if part.is_whole and interval.high < 0.5:
        warn_below_half(value, rows.direction)
    if standardize:
        slope = part.standardized(1.0) - part.standardized(0.0)
        standard_error = standard_error and standard_error * slope
        low, high = part.standardized(interval.low), part.standardized(interval.high)
        interval, value = replace(interval, low=low, high=high), part.standardized(value)
    return Auc(
        value=value,
        standard_error=standard_error,
        interval=interval,
        part=part,
        standardized=standardize,
        data=rows,
        **drawn,
        **rows.result_fields,
    )


@result
class StepArea(DataResult):
    """AUC in unit steps (Komarek): `value` = `area` / `perfect_area`."""

    value: float
    area: float
    perfect_area: float
    ties: str

    def _sentence(self) -> str:
        return (
            f"step area {self.value:.3f}: {printing.count(self.area)} of "
            f"{printing.count(self.perfect_area)} squares, ties {self.ties}"
        )


@coercion.by_group
def step_area(
    data: Any = None,
    y_score: Any = None,
    *,
    ties: StepTies = "simultaneous",
    **given: Unpack[coercion.TallyOptions],
) -> StepArea:
    """Compute the AUC in unit steps (Komarek).

    The area counts one square for each pair of a positive and a negative in the right order, and is
    divided by the area of a perfect ranking.

    Parameters
    ----------
    data : array-like, Tally, Pairs, DataFrame or path
        Labels, with `y_score`; or a `Tally`; or a data frame or the path of a file, with
        `label` and `score`. Weights are not supported.
    y_score : array-like, optional
        Scores, one per label.
    ties : {"simultaneous", "optimistic", "pessimistic"}, default "simultaneous"
        Whether a tied pair counts one half, one or zero.

    Returns
    -------
    StepArea
        Result with `value`, `area` and `perfect_area`.

    See Also
    --------
    auc : AUC with a confidence interval.
    scored_auc : Score-based AUC (sAUC).

    Examples
    --------
    >>> import rocwise as rw
    >>> rw.step_area([1, 1, 0, 1, 0, 1], [6, 5, 4, 3, 2, 1])
    step area 0.625: 5 of 8 squares, ties simultaneous
    """
    # (F1.4, F1.5)
    tally = coercion.as_tally("step_area", data, y_score, given)
    checks.one_of(ties, "ties", get_args(StepTies))
    check_unweighted(
        tally,
        "step_area",
        why="it counts squares of single cases",
        instead="`auc` takes weights, and is the same area where tied pairs count one half",
        clusters=False,
    )
    sums = tally.placement_sums
    doubled = {
        "simultaneous": sums.sum_u,
        "optimistic": sums.sum_u + sums.ties,
        "pessimistic": sums.sum_u - sums.ties,
    }[ties]
    perfect = sums.n_pos * sums.n_neg
    return StepArea(
        value=doubled / (2 * perfect),
        area=doubled / 2,
        perfect_area=perfect,
        ties=ties,
        data=tally,
        origin=tally.origin,
    )


@coercion.by_group
def auc_variance(
    data: Any = None,
    y_score: Any = None,
    *,
    method: Variance,
    **given: Unpack[coercion.TallyOptions],
) -> float:
    """Estimate the variance of the AUC.

    Parameters
    ----------
    method : {"delong", "jackknife", "exact-bootstrap", "unbiased", "hanley-mcneil"}
        DeLong's variance [1]_, the two-sample jackknife of each class; the jackknife that leaves
        out one case of either class; the limit of infinitely many stratified bootstrap samples
        [2]_; the unbiased variance [3]_; or Hanley and McNeil's, which depends on the AUC and the
        class sizes alone [4]_.

    Returns
    -------
    float
        The variance. With clusters "delong" and the jackknife, which leaves out whole clusters.

    See Also
    --------
    auc : AUC with a confidence interval.
    auc_covariance : Covariance matrix of the AUCs of paired models.
    auc_intervals : Every interval for the AUC, side by side.

    References
    ----------
    .. [1] E. R. DeLong, D. M. DeLong and D. L. Clarke-Pearson, "Comparing the areas under two or
           more correlated receiver operating characteristic curves", Biometrics 44, 1988.
           doi:10.2307/2531595
    .. [2] A. I. Bandos, H. E. Rockette and D. Gur, "Resampling methods for the area under the ROC
           curve", ROCML workshop, 2006.
    .. [3] D. Bamber, "The area above the ordinal dominance graph and the area below the receiver
           operating characteristic graph", J. Math. Psychol. 12, 1975.
           doi:10.1016/0022-2496(75)90001-2
    .. [4] J. A. Hanley and B. J. McNeil, "The meaning and use of the area under a receiver
           operating characteristic (ROC) curve", Radiology 143, 1982.
           doi:10.1148/radiology.143.1.7063747

    Examples
    --------
    >>> import rocwise as rw
    >>> t = rw.tally([0, 0, 0, 0, 1, 1, 1], [1, 2, 3, 5, 4, 6, 7])
    >>> round(rw.auc_variance(t, method="delong"), 6)
    0.013889
    >>> round(rw.auc_variance(t, method="hanley-mcneil"), 6)
    0.016479
    """
    # (F2.1 to F2.5)
    tally = coercion.as_tally("auc_variance", data, y_score, given)
    checks.one_of(method, "method", get_args(Variance))
    return area_variance(tally, method)


@coercion.options_shown(coercion.PairOptions)
def auc_covariance(
    data: Any = None,
    scores: Any = None,
    *,
    method: PairedVariance = "delong",
    **given: Unpack[coercion.PairOptions],
) -> Floats:
    """Estimate the covariance matrix of the AUCs of models scored on the same rows.

    Parameters
    ----------
    method : {"delong", "jackknife", "exact-bootstrap", "unbiased"}, default "delong"
        Estimator, as in `auc_variance`. Weights and groups need "delong" [1]_.

    Returns
    -------
    ndarray of shape (k, k)
        Covariances, in the order of the models.

    See Also
    --------
    auc_variance : Variance of the AUC.
    compare : Test and interval for the difference of AUCs.
    pair : Several models' scores on the same rows.

    References
    ----------
    .. [1] E. R. DeLong, D. M. DeLong and D. L. Clarke-Pearson, "Comparing the areas under two or
           more correlated receiver operating characteristic curves", Biometrics 44, 1988.
           doi:10.2307/2531595

    Examples
    --------
    >>> import rocwise as rw
    >>> pairs = rw.pair([0, 0, 0, 1, 1, 1], {"a": [1, 2, 3, 2, 4, 5], "b": [2, 1, 4, 3, 5, 6]})
    >>> rw.auc_covariance(pairs).round(4)
    array([[0.037 , 0.0278],
           [0.0278, 0.0247]])
    """
    return areas_and_covariance(coercion.as_pairs("auc_covariance", data, scores, given), method)[1]


@result
class AucIntervals(Resampled):
    """AUC with the interval of every method, and the recommended method."""

    frame_fields: ClassVar[tuple[str, ...]] = ("method", "standard_error", "low", "high", "used")
    value: float
    method: NDArray[np.str_]
    standard_error: Array
    low: Floats
    high: Floats
    used: NDArray[np.str_]
    level: float
    recommended: str
    advice: str

    def _sentence(self) -> str:
        lines = [self._heading()]
        for name, low, high in zip(self.method, self.low, self.high, strict=True):
            mark = "*" if name == self.recommended else " "
            lines.append(f"{mark} {name:<16} {low:.3f} to {high:.3f}")
        return "\n".join([*lines, self.advice])

    def _heading(self) -> str:
        level = printing.percent(self.level)
        return f"AUC {self.value:.3f}, {level} intervals{self._draw_words()}"

    def _notes(self) -> str:
        return f"{self._heading()}\n{self.advice}"


@coercion.by_group
def auc_intervals(
    data: Any = None,
    y_score: Any = None,
    *,
    level: float = 0.95,
    n_resamples: int = 2000,
    rng: Any = None,
    **given: Unpack[coercion.TallyOptions],
) -> AucIntervals:
    """Compute every confidence interval for the AUC, with a recommendation.

    Choose the method before looking at the intervals; `auc` computes one of them.

    Parameters
    ----------
    level : float, default 0.95
        Confidence level.
    n_resamples : int, default 2000
        Number of resamples of the two bootstrap methods.
    rng : int, numpy.random.Generator or None, optional
        Seed or random generator; None draws a seed, which the result reports.

    Returns
    -------
    AucIntervals
        Result with the arrays `method`, `standard_error`, `low`, `high` and `used` (the method
        that was used instead, where one is undefined), and with `recommended` and `advice`.

    See Also
    --------
    auc : AUC with a confidence interval.
    auc_variance : Variance of the AUC.

    Examples
    --------
    >>> import rocwise as rw
    >>> intervals = rw.auc_intervals([0, 0, 0, 0, 1, 1, 1], [1, 2, 3, 5, 4, 6, 7], rng=1)
    >>> dict(zip(intervals.method[:2].tolist(), intervals.low[:2].round(3).tolist()))
    {'delong': 0.686, 'wilson': 0.388}
    >>> intervals.recommended
    'wilson'
    >>> ax = intervals.plot()
    """
    tally = coercion.as_tally("auc_intervals", data, y_score, given)
    level = checks.level(level)
    n_resamples = checks.draws(n_resamples, rng)
    seed = checks.seed(rng)
    value = whole_area(tally)
    drawn = cache(lambda: replicates(tally, Area(), n_resamples, seed))
    rows = []
    for method in METHODS if tally.rows is None else OF_WEIGHTED_ROWS:
        try:
            error, interval = area_interval(
                tally, WHOLE, value, method=method, level=level, resampled=drawn
            )
        except InputError:  # BCa with every resample on one side of the estimate
            continue
        rows.append((method, error, interval.low, interval.high, interval.method))
    names, errors, lows, highs, used = zip(*rows, strict=True)
    recommended, advice = advise(tally)
    return AucIntervals(
        value=value,
        method=np.array(names),
        standard_error=np.array(errors),
        low=np.array(lows),
        high=np.array(highs),
        used=np.array(used),
        level=level,
        recommended=recommended,
        advice=advice,
        seed=seed,
        n_resamples=n_resamples,
        origin=tally.origin,
    )


def advise(data: Tally) -> tuple[str, str]:
    """The method that is the default for these data, and why."""
    if min(data.effective_sizes) <= 1.0:
        return "hoeffding", (
            "Recommended: Hoeffding bound, as the variance of a class with one case is undefined."
        )
    return "wilson", (
        f"Recommended: {WILSON}, whose coverage in simulations is close to the level or above, "
        "also with few cases and near an AUC of 1."
    )


def area_variance(tally: Tally, method: str) -> float:
    """The variance of an area by any `Variance`; with weights by DeLong's alone."""
    _check_rows(tally, method, ("delong",))
    if method == "jackknife" and tally.clustered:
        return jackknife_variance(tally, Area())
    if method != "delong":
        return variance_from_sums(tally.placement_sums, method)
    if not tally.clustered:
        influence.require_two_cases(*tally.effective_sizes, method)
    return influence.area_variance_by_class(tally, WHOLE).variance


def _check_rows(data: Tally | Pairs, method: str, able: tuple[str, ...]) -> None:
    """Raise for a method that takes rows for independent and equal; `able` are the others."""
    whole_clusters = method == "jackknife" and isinstance(data, Tally)  # leaves them out
    clustered = data.clustered and not whole_clusters
    if (data.weighted or clustered) and method not in able:
        what = "groups" if clustered else "weights"
        raise InputError(
            f"{what} are not supported by method={method!r}; "
            "use method='delong', whose influence functions take them."
        )


def variance_from_sums(sums: PlacementSums, method: str) -> float:
    """The variance of an area by any `Variance`, from the integer sums of a tally."""
    N, M = sums.n_neg, sums.n_pos
    if method == "hanley-mcneil":  # F2.5, from the area alone; exact for exponential scores
        A = sums.sum_u / (2 * N * M)
        Q1, Q2 = A / (2 - A), 2 * A * A / (1 + A)
        return (A * (1 - A) + (M - 1) * (Q1 - A * A) + (N - 1) * (Q2 - A * A)) / (N * M)
    if method != "exact-bootstrap":
        influence.require_two_cases(M, N, method)
    return float(_variance_formula(N, M, *sums_of_squares(sums), method))


def sums_of_squares(sums: PlacementSums) -> tuple[float, float, float]:
    """SN, SM: squared deviations of row and column means of psi; R: of the residuals (F2.3)."""
    N, M = sums.n_neg, sums.n_pos
    A = sums.sum_u / (2 * N * M)
    SN = (N * sums.sum_v2 - sums.sum_v**2) / (4 * M * M * N)
    SM = (M * sums.sum_u2 - sums.sum_u**2) / (4 * N * N * M)
    return SN, SM, N * M * A * (1 - A) - sums.ties / 4 - M * SN - N * SM


def _variance_formula(N: int, M: int, SN: Any, SM: Any, R: Any, method: str) -> Any:
    """F2.1 to F2.4, for one area or for the matrices of several."""
    if method == "exact-bootstrap":
        return SN / N**2 + SM / M**2 + R / (N * M) ** 2  # F2.3
    if method == "jackknife":
        return (SN / (N - 1) ** 2 + SM / (M - 1) ** 2) * (N + M - 1) / (N + M)  # F2.2
    delong = SN / (N * (N - 1)) + SM / (M * (M - 1))  # F2.1
    return delong if method == "delong" else delong - R / (N * M * (N - 1) * (M - 1))  # F2.4


def areas_and_covariance(pairs: Pairs, method: str) -> tuple[Floats, Floats]:
    """Areas of all models and their covariance matrix, by any `PairedVariance`."""
    checks.one_of(method, "method", get_args(PairedVariance))
    if method == "delong":
        areas, matrices = influence.auc_covariance_by_class(pairs)
        return areas, matrices.total
    _check_rows(pairs, method, ())
    N, M = pairs.n_neg, pairs.n_pos
    if method != "exact-bootstrap":
        influence.require_two_cases(M, N, method)
    areas, SM, SN = influence.sums_of_products(pairs)
    R = None
    if method != "jackknife":  # F2.3 and F2.4: what is left of the products of kernels
        products = influence.kernel_products(pairs.mask, pairs.placements)
        R = products - (N * M * areas)[:, None] * areas - M * SN - N * SM
    return areas, np.asarray(_variance_formula(N, M, SN, SM, R, method))


def area_interval(
    data: Tally,
    part: Part,
    value: float,
    *,
    method: str,
    level: float,
    resampled: Callable[[], Floats] | None = None,
    variance: VarianceByClass | None = None,
) -> tuple[float | None, Interval]:
    """Standard error (None where undefined) and interval of an area; `resampled` draws areas."""
    _check_method(data, part, method)
    sizes, width = data.effective_sizes, part.width
    alone = min(sizes) <= 1.0
    if method in BY_RESAMPLING and not alone:
        assert resampled is not None
        return _bootstrap_interval(data, part, value, resampled(), method, level)
    by_units = method == "jackknife" and (data.clustered or not part.is_whole)
    if by_units:
        variance = None
    elif variance is None and (data.clustered or (not alone and method in BY_INFLUENCE)):
        variance = influence.area_variance_by_class(data, part)
    if by_units and not alone:
        error: float | None = math.sqrt(jackknife_variance(data, Area(part)))
    else:
        error = _error(data, method, variance)
    if method == "hoeffding" or (alone and method != "score"):
        found = intervals.hoeffding_interval(value / width, max(1.0, min(sizes)), level)
    elif method != "score" and variance is not None:
        found = _relative(variance, part).interval(value / width, level, method)[1]
    elif method == "score" or not error:
        found = intervals.newcombe_interval(value / width, *sizes, level)
    else:
        name, of_part = METHOD_NAMES[method], error / width
        found = intervals.wald_interval(value / width, of_part, level, name, (0.0, 1.0))
    if data.clustered and method not in BY_RESAMPLING:
        found = replace(found, method=f"cluster-robust {found.method}")
    return error, _of_width(found, width)


def _of_width(proportion: Interval, width: float) -> Interval:
    """The interval of an area from that of the proportion of its largest value."""
    if width == 1.0:
        return proportion
    return replace(proportion, low=proportion.low * width, high=proportion.high * width)


def _check_method(data: Tally, part: Part, method: str) -> None:
    checks.one_of(method, "method", ("auto", *METHODS))
    if method == "auto":
        return
    if not part.is_whole and method not in OF_PARTS:
        raise InputError(
            f"method={method!r} is defined for the full AUC only; "
            f"for a partial AUC use one of {', '.join(map(repr, OF_PARTS))}."
        )
    _check_rows(data, method, OF_WEIGHTED_ROWS)


def _relative(variance: VarianceByClass, part: Part) -> VarianceByClass:
    """The variance of the proportion of a part's width that lies under the curve."""
    if part.is_whole:
        return variance
    scale, (n_pos, n_neg) = part.width**2, variance.sizes
    expected = (n_pos, n_neg * part.width) if part.axis == "fpr" else (n_pos * part.width, n_neg)
    parts = tuple(own / scale for own in variance.parts)
    heaviest = tuple((unseen / scale, size) for unseen, size in variance.heaviest)
    found = variance._replace(variance=variance.variance / scale, parts=parts, heaviest=heaviest)
    return found._replace(cases=min(expected))


def _error(data: Tally, method: str, known: VarianceByClass | None) -> float | None:
    """The standard error of a method; None with one case in a class, which shows none."""
    if known is not None:
        variance = known.variance
    elif min(data.effective_sizes) <= 1.0 and method != "hanley-mcneil":
        return None
    else:
        variance = variance_from_sums(data.placement_sums, method)
    return math.sqrt(max(variance, 0.0))


def _bootstrap_interval(
    data: Tally, part: Part, value: float, values: Floats, method: str, level: float
) -> tuple[float, Interval]:
    """Percentile or BCa interval; the score interval where all resamples agree."""
    error = float(values.std(ddof=1)) if len(values) > 1 else 0.0
    if values.min() == values.max():
        found = intervals.newcombe_interval(value / part.width, *data.effective_sizes, level)
        return error, _of_width(found, part.width)
    if method == "bootstrap":
        return error, percentile_interval(data, values, level)
    limits = intervals.bca_limits(values, value, acceleration(data, part), level)
    return error, Interval(*limits, level, METHOD_NAMES[method])


def acceleration(data: Tally, part: Part) -> float:
    """BCa's acceleration from the influence of every case, both classes (F4.5)."""
    _, v, u = influence.area_influence(data, part)
    N, M = data.n_neg, data.n_pos
    squares = float(np.dot(data.neg, u * u)) / N**2 + float(np.dot(data.pos, v * v)) / M**2
    cubes = float(np.dot(data.neg, u * u * u)) / N**3 + float(np.dot(data.pos, v * v * v)) / M**3
    return cubes / (6 * squares**1.5) if squares > 0 else 0.0
