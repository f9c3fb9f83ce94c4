"""Comparison of two or more ROC curves: tests and intervals of differences."""

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from itertools import combinations
from typing import Any, Literal, Unpack, get_args

import numpy as np

from rocwise import checks
from rocwise.arrays import Array
from rocwise.binary import auc, influence, permutation, statistics
from rocwise.binary.bootstrap import paired_bootstrap, smaller_class, unpaired_bootstrap
from rocwise.binary.cross_validation import FoldMethod, compare_by_folds, warn_of_pooled_folds
from rocwise.binary.partial_area import WHOLE, Part, chosen_part
from rocwise.binary.precision_recall import precision_influence, precision_interval
from rocwise.binary.smooth_roc import midpoint_is_regular, smooth_area_influence
from rocwise.data.pairs import Pairs
from rocwise.data.summed_rows import SummedPairs
from rocwise.data.tally import Tally
from rocwise.errors import InputError, MisuseWarning, ScoreRangeError, listed, warn
from rocwise.inference.comparison import Comparison, Estimates, compared
from rocwise.inference.effective_sizes import rate_at_rate, wilson_interval
from rocwise.inference.intervals import normal_quantile
from rocwise.inference.significance import Alternative, checked_margin, satterthwaite
from rocwise.inference.variance import CovarianceByClass, VarianceByClass
from rocwise.inputs.coercion import ComparisonOptions, as_pairs_or_samples, compared_by_group
from rocwise.kernels.threads import run_tasks
from rocwise.progress import Report
from rocwise.results import Interval, Origin

Permutation = Literal[
    "permutation", "permutation-exact", "permutation-asymptotic", "permutation-monte-carlo"
]
ComparisonMethod = Literal[
    "auto", auc.PairedVariance, "wilson", "influence", "bootstrap", Permutation, "venkatraman"
]
BY_DELONG = ("auto", "delong", "wilson")  # rest on DeLong's variances
METHOD_NAMES = auc.METHOD_NAMES | {
    "auto": "DeLong, t distribution",
    "exact-bootstrap": "exact bootstrap variance",
    "influence": "influence functions",
    "bootstrap": "bootstrap",
}
PERMUTATIONS: tuple[str, ...] = get_args(Permutation)
PointRate = statistics.SensitivityAt | statistics.SpecificityAt
MANY_IN_PART = 1_000  # cases, from which influence functions compare partial areas by default
MANY_CASES_OF_CLASS = 1_000  # from which influence functions compare the smAUC by default
MANY_BEYOND = 1_000  # cases on either side of the given rate, and of the other class
MANY_ASIDE = 100  # cases on either side of the rate that is compared
COARSE = 0.5  # a model with less than this proportion of the other's distinct scores is coarse
POOLED = "pooled over folds: assumes scores of all folds on one scale, and fixed models"


@compared_by_group
def compare(
    data: Any = None,
    other: Any = None,
    *,
    method: ComparisonMethod | FoldMethod | None = None,
    level: float = 0.95,
    alternative: Alternative = "two-sided",
    margin: float | None = None,
    max_fpr: float | None = None,
    fpr_range: tuple[float, float] | None = None,
    tpr_range: tuple[float, float] | None = None,
    at_sensitivity: float | None = None,
    at_specificity: float | None = None,
    statistic: statistics.StatisticName
    | statistics.AnyStatistic
    | Callable[..., float]
    | None = None,
    transform: permutation.Transform = "rank",
    ties: permutation.TieRanking = "random",
    n_resamples: int = 2000,
    rng: Any = None,
    progress: bool | Report | None = None,
    names: tuple[str, str] | None = None,
    folds: Any = None,
    **given: Unpack[ComparisonOptions],
) -> Comparison:
    """Compare the AUCs of two or more models, on the same rows or on independent samples.

    Also compares partial areas, points of the curves, and any other statistic.

    Parameters
    ----------
    data : array-like, Pairs, Tally, DataFrame or path
        Labels, with a dict of scores as `other`; or `Pairs`; or a data frame or path, with `label`
        and `scores`; or the tally (or `TallySketch`) of the first of two independent samples.
    other : dict of str to array-like, array-like or Tally, optional
        Scores of each model, or the tally (or `TallySketch`) of the second sample.
    method : str, optional
        Method of test and interval, one of

        - "auto" (default): see Notes;
        - "delong": paired DeLong test [1]_ with Student's t; "jackknife", "exact-bootstrap" and
          "unbiased" are the same with other variances;
        - "wilson": from the Wilson limits of both AUCs [2]_;
        - "influence": influence functions; "bootstrap": Student's t with the bootstrap standard
          error [3]_;
        - "permutation": exact for small samples, else asymptotic [4]_, and of whole clusters
          with `groups`; forced by "permutation-exact", "permutation-asymptotic",
          "permutation-monte-carlo";
        - "venkatraman": permutation test for equal curves [5]_ [6]_;
        - "corrected-t", "influence", "delong": with `folds`.
    level : float, default 0.95
        Confidence level of the two-sided interval.
    alternative : str, default "two-sided"
        One of {"two-sided", "greater", "less", "non-inferior", "equivalent"}, about the
        difference, first minus second. The last two need `margin`.
    margin : float, optional
        Largest difference that counts as equal, for non-inferiority and equivalence tests.
    max_fpr : float, optional
        Restrict the area to false positive rates from 0 to this value.
    fpr_range : (float, float), optional
        Restrict the area to this range of false positive rates (area under the curve).
    tpr_range : (float, float), optional
        Restrict the area to this range of true positive rates (area to the right of the curve).
    at_sensitivity : float, optional
        Compare specificities where both ROC curves have this sensitivity.
    at_specificity : float, optional
        Compare sensitivities where both ROC curves have this specificity.
    statistic : str, object or callable, optional
        Statistic to compare in place of the AUC, as in `bootstrap`.
    transform : {"rank", "none"}, default "rank"
        Scale on which "permutation" exchanges the scores of the two models.
    ties : {"random", "midrank"}, default "random"
        Ranking of tied scores in "venkatraman": the mean over 200 random orders, or midranks.
    n_resamples : int, default 2000
        Number of bootstrap resamples.
    rng : int, numpy.random.Generator or None, optional
        Seed or random generator; None draws a seed, which the result reports.
    progress : bool or callable, optional
        Whether to show progress, or a function that receives the completed fraction. By default
        a line is shown in a terminal.
    names : (str, str), optional
        Names of two independent samples.
    folds : array-like or list of (train, test), optional
        For cross-validated models: fold of each row, or the splits. `method` is then "corrected-t"
        (default), "influence", or "delong", which pools the folds.

    Returns
    -------
    Comparison
        Result with `estimates`, `difference` (first minus second), `standard_error`, `interval`,
        `statistic`, `p_value` and `method`; for more than two models the joint test, and the table
        `pairwise` with Holm's adjusted p values.

    See Also
    --------
    auc : AUC with a confidence interval.
    compare_at : Comparison of two models at an operating point.
    compare_curves : Difference of two cost curves or decision curves.
    sample_size : Sample size for a test of AUCs.
    multiclass.compare : Comparison of multiclass AUCs.
    regression.compare : Comparison of regression models.

    Notes
    -----
    The default is DeLong's test with Satterthwaite's degrees of freedom for AUCs on the same rows;
    "wilson" for independent samples and with a `margin`, where p < 1 - level exactly if the
    interval excludes the null value. Partial areas, points and "smooth-auc" use "influence" with at
    least 1,000 relevant cases, else "bootstrap" with one degree of freedom fewer than cases in the
    smaller class, or the sign test of these cases where all resamples are equal.

    References
    ----------
    .. [1] E. R. DeLong, D. M. DeLong and D. L. Clarke-Pearson, "Comparing the areas under two or
           more correlated receiver operating characteristic curves", Biometrics 44, 1988.
           doi:10.2307/2531595
    .. [2] R. G. Newcombe, "Interval estimation for the difference between independent
           proportions", Stat. Med. 17, 1998, 873-890.
    .. [3] B. Efron and R. J. Tibshirani, An Introduction to the Bootstrap, Chapman & Hall, 1993.
    .. [4] A. I. Bandos, H. E. Rockette and D. Gur, "A permutation test sensitive to differences in
           areas for comparing ROC curves from a paired design", Stat. Med. 24, 2005.
           doi:10.1002/sim.2149
    .. [5] E. S. Venkatraman and C. B. Begg, "A distribution-free procedure for comparing receiver
           operating characteristic curves from a paired experiment", Biometrika 83, 1996.
           doi:10.1093/biomet/83.4.835
    .. [6] E. S. Venkatraman, "A permutation test to compare receiver operating characteristic
           curves", Biometrics 56, 2000. doi:10.1111/j.0006-341X.2000.01134.x

    Examples
    --------
    >>> import rocwise as rw
    >>> y_true = [0, 0, 0, 1, 1, 1]
    >>> result = rw.compare(y_true, {"a": [1, 2, 3, 2, 4, 5], "b": [2, 1, 4, 3, 5, 6]})
    >>> round(result.difference, 4), round(result.p_value, 4), result.method
    (-0.0556, 0.5305, 'paired DeLong, t distribution')
    >>> ax = result.plot()
    """
    level = checks.level(level)
    part, point = (max_fpr, fpr_range, tpr_range), (at_sensitivity, at_specificity)
    if folds is not None and method != "delong":
        no_areas = any(option is not None for option in (*part, *point, statistic))
        tested: dict[str, Any] = {"method": method, "alternative": alternative, "margin": margin}
        return compare_by_folds(
            data, other, folds, no_areas=no_areas, given=given, level=level, **tested
        )
    if folds is not None:
        warn_of_pooled_folds(data, other, folds, given)
    rows, second = as_pairs_or_samples("compare", data, other, given)
    n_resamples = checks.draws(n_resamples, rng, progress)
    checks.one_of(transform, "transform", get_args(permutation.Transform))
    checks.one_of(ties, "ties", get_args(permutation.TieRanking))
    called = _names(rows, second, names)
    chosen = chosen_statistic(part, point, statistic)
    margin = checked_margin(alternative, margin, len(called))
    plan = ComparisonPlan(rows, second, called, chosen, method, alternative, margin, level)
    seed = checks.seed(rng)
    if plan.method in (*PERMUTATIONS, "venkatraman"):
        return _permutation_test(plan, transform, ties, n_resamples, seed, progress)
    found = _estimates(plan, n_resamples, seed, progress)
    pooled = "" if folds is None else f", {POOLED}"
    return compared(
        found,
        quantity=plan.statistic.name,
        method=plan.method,
        described=lambda used: plan.described(used) + pooled,
        level=level,
        alternative=alternative,
        margin=plan.margin,
        clustered=plan.clustered,
        intervals=_intervals(plan, found) if found.variances is None else None,
        drawn={"seed": seed, "n_resamples": n_resamples} if plan.method == "bootstrap" else None,
        origin=_origin(rows, plan.other),
        estimand=getattr(plan.statistic, "estimand", None),
        sizes=plan.sizes,
    )


def _origin(data: Pairs | Tally, other: Tally | None) -> Origin:
    """Where the rows came from; two samples have the clusters of both."""
    if other is None or None in (data.origin.n_clusters, other.origin.n_clusters):
        return data.origin
    n_clusters = sum(each.origin.n_clusters or 0 for each in (data, other))
    return replace(data.origin, n_clusters=n_clusters)


@dataclass(eq=False)
class ComparisonPlan:
    """The data, the statistic and a method that can compare it; other combinations raise."""

    data: Pairs | Tally
    other: Tally | None
    names: tuple[str, ...]
    statistic: statistics.AnyStatistic
    method: Any
    alternative: str
    margin: float | None
    level: float

    def __post_init__(self) -> None:
        self.paired: bool = isinstance(self.data, Pairs)
        self.clustered: bool = self.paired and self.data.clustered
        if self.method is None or (isinstance(self.method, str) and self.method == "auto"):
            self.method = "auto" if self.whole else self._usual_method()
        checks.one_of(self.method, "method", get_args(ComparisonMethod))
        _check_method(self)
        _check_data(self)

    @cached_property
    def samples(self) -> list[Tally]:
        """The tally of every model."""
        if not isinstance(self.data, Pairs):
            return [self.data] if self.other is None else [self.data, self.other]
        return run_tasks(self.data.tally, [(name,) for name in self.names], len(self.data))

    @property
    def sources(self) -> list[Pairs | Tally]:
        """Pairs of all models, or the two independent samples."""
        return [self.data] if self.other is None else [self.data, self.other]

    @property
    def sizes(self) -> dict[str, Any]:
        """The sizes of the classes, of independent samples by their names."""
        if self.other is None:
            return {"n_pos": self.data.n_pos, "n_neg": self.data.n_neg}
        return {
            name: self.named(getattr(s, name) for s in self.sources) for name in ("n_pos", "n_neg")
        }

    @property
    def whole(self) -> bool:
        """Whether whole areas are compared."""
        return bool(self.statistic == statistics.Area())

    @property
    def part(self) -> Part:
        """The part of the area that is compared."""
        return self.statistic.part if isinstance(self.statistic, statistics.Area) else WHOLE

    @property
    def largest(self) -> float:
        """The largest possible difference."""
        if isinstance(self.statistic, statistics.Area):
            return self.part.width
        return 1.0 if getattr(self.statistic, "is_proportion", False) else math.inf

    def areas(self) -> dict[str, float]:
        """The compared area of every model."""
        return self.named(influence.area_of(sample, self.part) for sample in self.samples)

    def named(self, values: Iterable[float]) -> dict[str, float]:
        """Numbers by the names of the models."""
        return dict(zip(self.names, map(float, values), strict=True))

    def described(self, method: str) -> str:
        """A method in words; what "auto" comes to is known when the data were looked at."""
        of_samples = not self.paired and any(sample.clustered for sample in self.samples)
        robust = "cluster-robust " if self.clustered or of_samples else ""
        by_t = ", t distribution" if method == "bootstrap" and not self.whole else ""
        return f"{'paired' if self.paired else 'unpaired'} {robust}{METHOD_NAMES[method]}{by_t}"

    def _usual_method(self) -> str:
        """Influence functions where they exist and, for parts and points, with many cases."""
        statistic = self.statistic
        if isinstance(statistic, statistics.Area):
            axis, width = self.part.axis, self.part.width
            pos, neg = (1.0, width) if axis == "fpr" else (width, 1.0)
            cases = [(each.n_pos * pos, each.n_neg * neg) for each in self.sources]
            regular = min(map(min, cases)) >= MANY_IN_PART
        elif isinstance(statistic, (statistics.SmoothArea, PointRate)):
            regular = not any(map(_weighted_or_clustered, self.sources)) and all(
                _is_regular(sample, statistic) for sample in self.samples
            )
        else:
            regular = _has_influences(statistic)
        return "influence" if regular else "bootstrap"


def _names(data: Pairs | Tally, other: Tally | None, given: Any) -> tuple[str, ...]:
    if isinstance(data, Pairs):
        if given is not None:
            raise InputError("`names` is for two tallies; models on the same rows have names.")
        if len(data.names) < 2:
            raise InputError(f"`compare` needs at least two models; got {listed(data.names)}.")
        return data.names
    assert other is not None
    if given is None:
        first, second = data.origin.name or "first", other.origin.name or "second"
        return (first, second) if first != second else (f"{first} (1)", f"{second} (2)")
    known = isinstance(given, Sequence) and not isinstance(given, str) and len(given) == 2
    if not known or given[0] == given[1] or not all(isinstance(each, str) for each in given):
        raise InputError(f"`names` must be two different texts; got {given!r:.60}.")
    return given[0], given[1]


def chosen_statistic(
    part: tuple[Any, Any, Any], point: tuple[Any, Any], statistic: Any
) -> statistics.AnyStatistic:
    """The statistic that the options of parts, points or `statistic` name."""
    given = sum(option is not None for option in (*part, *point, statistic))
    if given > 1:
        raise InputError(
            "give at most one of `max_fpr`, `fpr_range`, `tpr_range`, `at_sensitivity`, "
            "`at_specificity` and `statistic`."
        )
    if statistic is not None:
        return statistics.named_statistic(statistic)
    at_sensitivity, at_specificity = point
    if at_sensitivity is not None:
        return statistics.SpecificityAt(checks.rate(at_sensitivity, "at_sensitivity"))
    if at_specificity is not None:
        return statistics.SensitivityAt(checks.rate(at_specificity, "at_specificity"))
    return statistics.Area(chosen_part(*part))


def _is_regular(data: Tally, statistic: statistics.SmoothArea | PointRate) -> bool:
    """Whether influence functions compare the statistic by default: with many cases near it."""
    if isinstance(statistic, statistics.SmoothArea):
        if min(data.n_pos, data.n_neg) < MANY_CASES_OF_CLASS:
            return False
        try:
            return midpoint_is_regular(data, statistic.midpoint, rescale=statistic.rescale)
        except ScoreRangeError:
            return False  # raised again where the model is known
    n_given, n_compared = float(data.n_neg), float(data.n_pos)
    at, mirrored = _rate_at(statistic)
    if mirrored:
        n_given, n_compared = n_compared, n_given
    beyond = round(n_given * min(at, 1 - at), 6)  # 1 - 0.9 is a little less than 0.1
    if min(beyond, n_compared) < MANY_BEYOND:
        return False
    rate = statistics.evaluated(data, statistic)
    return n_compared * min(rate, 1 - rate) >= MANY_ASIDE


def _weighted_or_clustered(data: Pairs | Tally) -> bool:
    """Whether rows have weights or clusters, or are not in memory."""
    return data.weighted or data.clustered or isinstance(data, SummedPairs)


def _has_influences(statistic: statistics.AnyStatistic) -> bool:
    if isinstance(statistic, statistics.AveragePrecision):
        return statistic.interpolation == "step"
    if isinstance(statistic, (statistics.SmoothArea, PointRate)):
        return True
    return isinstance(statistic, statistics.Area) and not statistic.part.is_whole


def _check_method(plan: ComparisonPlan) -> None:
    whole, n_models = plan.whole, len(plan.names)
    if plan.method == "influence":
        if not _has_influences(plan.statistic):
            raise InputError(
                "method='influence' compares average precisions, partial areas, points and the "
                f"smAUC; to compare the {plan.statistic.name} use "
                f"method={'delong' if whole else 'bootstrap'!r}."
            )
        return
    if not whole and plan.method != "bootstrap":
        raise InputError(
            f"method={plan.method!r} compares full AUCs; to compare the {plan.statistic.name} "
            "use method='bootstrap', which takes any `statistic`."
        )
    if plan.method in PERMUTATIONS and not plan.paired:
        raise InputError(
            "method='permutation' swaps the two scores of each subject, so it needs a Pairs; "
            "for independent samples use method='delong'."
        )
    by_rank = plan.method in PERMUTATIONS or plan.method == "venkatraman"
    if by_rank and n_models > 2:
        raise InputError(
            f"method={plan.method!r} compares two models; got {n_models}. "
            "Use method='delong' for the joint test, or pairs.select([first, second])."
        )
    if plan.method == "venkatraman" and plan.alternative != "two-sided":
        raise InputError("method='venkatraman' has no direction; use alternative='two-sided'.")
    if plan.method in PERMUTATIONS and plan.margin is not None:
        raise InputError(
            f"alternative={plan.alternative!r} needs an interval, which method={plan.method!r} "
            "does not give; use method='delong'."
        )


def _check_data(plan: ComparisonPlan) -> None:
    unweighted_only = plan.method == "influence" and isinstance(
        plan.statistic, (statistics.SmoothArea, PointRate)
    )
    if unweighted_only and any(map(_weighted_or_clustered, plan.sources)):
        raise InputError(
            f"method='influence' compares the {plan.statistic.name} of rows without weights and "
            "groups; use method='bootstrap', which draws them whole."
        )
    weighted = any(each.weighted for each in plan.sources)
    takes_both = plan.method in (*BY_DELONG, "influence", "bootstrap")
    takes_groups = takes_both or plan.method in PERMUTATIONS
    for present, taken, name in (
        (weighted, takes_both, "weights"),
        (plan.clustered, takes_groups, "groups"),
    ):
        if present and not taken:
            raise InputError(
                f"{name} are not supported by method={plan.method!r}; use method='delong', whose "
                "influence functions take them, or method='bootstrap', which draws them whole."
            )


def _estimates(
    plan: ComparisonPlan, n_resamples: int, seed: int, progress: bool | Report | None
) -> Estimates:
    """Estimates and their covariance matrix, by the method of the plan."""
    draws: tuple[Any, ...] = (plan.statistic, n_resamples, seed, progress)
    if plan.method != "bootstrap":
        return _paired(plan.data, plan) if isinstance(plan.data, Pairs) else _unpaired(plan)
    own: Any = {}
    if not plan.whole:
        smaller = smaller_class("compare", *plan.samples)
        own = {"df": smaller - 1, "largest": plan.largest}
    if isinstance(plan.data, Pairs):
        values, matrix = paired_bootstrap(plan.data, *draws)
        if own:
            own["by_class"] = CovarianceByClass(matrix, (matrix,), (smaller,))  # for Hotelling's F
        return Estimates(plan.named(values), matrix, **own)
    first, second = plan.samples
    both, variances = unpaired_bootstrap((first, second), *draws)
    return Estimates(plan.named(both), np.diag(variances), **own)


def _paired(pairs: Pairs, plan: ComparisonPlan) -> Estimates:
    """Models on the same rows, by formula."""
    if plan.method == "influence":
        of_model = partial(_influence, statistic=plan.statistic)
        values, *phi = influence.row_influences(pairs, of_model)
        matrices = influence.pairs_covariance(pairs, *phi)
        df = _fewest_degrees(matrices) or min(matrices.sizes) - 1
        own: Any = {"df": df, "by_class": matrices, "largest": plan.largest}
        return Estimates(plan.named(values), matrices.total, **own)
    if plan.method not in BY_DELONG:
        areas, matrix = auc.areas_and_covariance(pairs, plan.method)
        return Estimates(plan.named(areas), matrix)
    areas, matrices = influence.auc_covariance_by_class(pairs)
    return Estimates.on_same_rows(plan.named(areas), matrices)


def _unpaired(plan: ComparisonPlan) -> Estimates:
    """Independent samples, by formula; degrees of freedom are Welch's for all their subjects."""
    df: float | None
    samples = plan.samples
    if plan.method == "influence":
        found = [_influence(each, plan.statistic) for each in samples]
        variances = list(map(influence.tally_variance, samples, found))
        parts = [one for each in variances for one in each.by_class()]
        df = satterthwaite(parts) or min(n for _, n in parts) - 1
        matrix = np.diag([each.variance for each in variances])
        values = plan.named(each.value for each in found)
        return Estimates(values, matrix, df, largest=plan.largest)
    method = "delong" if plan.method in BY_DELONG else plan.method
    own = [auc.area_variance(sample, method) for sample in samples]
    sizes = [float(sum(sample.effective_sizes)) for sample in samples]
    df = satterthwaite(list(zip(own, sizes, strict=True)))
    by_class = None
    if method == "delong":
        by_class = [influence.area_variance_by_class(sample, WHOLE) for sample in samples]
    return Estimates(plan.areas(), np.diag(own), df, by_class)


def _influence(data: Tally, statistic: statistics.AnyStatistic) -> influence.Influence:
    """A statistic of one sample and its influence values."""
    if isinstance(statistic, statistics.AveragePrecision):
        return precision_influence(data, statistic.prevalence)
    if isinstance(statistic, statistics.SmoothArea):
        return smooth_area_influence(data, statistic.midpoint, rescale=statistic.rescale)
    if isinstance(statistic, PointRate):
        at, mirrored = _rate_at(statistic)
        phi = influence.rate_influence(data, at, mirrored=mirrored)
        return influence.Influence(statistics.evaluated(data, statistic), *phi)
    assert isinstance(statistic, statistics.Area)
    return influence.area_influence(data, statistic.part)


def _rate_at(statistic: PointRate) -> tuple[float, bool]:
    """The rate at which the curve is read, and whether it is read from its other end."""
    if isinstance(statistic, statistics.SensitivityAt):
        return 1.0 - statistic.specificity, False
    return 1.0 - statistic.sensitivity, True


def _fewest_degrees(matrices: CovarianceByClass) -> float | None:
    """Degrees of freedom of the difference of two models that has the fewest of all pairs."""
    found = []
    for a, b in combinations(range(len(matrices.total)), 2):
        parts = [part[a, a] + part[b, b] - 2 * part[a, b] for part in matrices.parts]
        found.append(satterthwaite(list(zip(map(float, parts), matrices.sizes, strict=True))))
    return min((df for df in found if df is not None), default=None)


def _intervals(plan: ComparisonPlan, found: Estimates) -> dict[str, Interval]:
    """The interval of each model's own estimate."""
    if isinstance(plan.statistic, statistics.Area):
        if found.by_class is None or plan.clustered or plan.method == "bootstrap":
            return _area_intervals(plan)
        return _area_intervals(plan, found.by_class.variances)
    variances = np.diag(found.covariance).tolist()
    estimates = zip(plan.samples, found.values.values(), variances, strict=True)
    return {name: _interval(plan, *own) for name, own in zip(plan.names, estimates, strict=True)}


def _area_intervals(
    plan: ComparisonPlan, variances: Sequence[VarianceByClass] | None = None
) -> dict[str, Interval]:
    """The interval of the area of each model; variances by class where they are known."""
    own: Sequence[VarianceByClass | None] = variances or [None] * len(plan.names)
    options: Any = {"method": "auto", "level": plan.level}
    return {
        name: auc.area_interval(plan.samples[k], plan.part, value, variance=own[k], **options)[1]
        for k, (name, value) in enumerate(plan.areas().items())
    }


def _interval(plan: ComparisonPlan, sample: Tally, value: float, variance: float) -> Interval:
    """The interval of a statistic that is no area."""
    description = plan.described(plan.method)
    if isinstance(plan.statistic, PointRate):
        (cases, others), (at, mirrored) = sample.effective_sizes, _rate_at(plan.statistic)
        if mirrored:
            cases, others = others, cases
        return wilson_interval(rate_at_rate(value, variance, cases, others, 1.0 - at), plan.level)
    if isinstance(plan.statistic, statistics.AveragePrecision):
        return precision_interval(sample, plan.statistic, value, variance, plan.level, description)
    reach = normal_quantile(plan.level) * variance**0.5
    return Interval(value - reach, value + reach, plan.level, description)


def _permutation_test(
    plan: ComparisonPlan,
    transform: permutation.Transform,
    ties: permutation.TieRanking,
    n_resamples: int,
    seed: int,
    progress: bool | Report | None,
) -> Comparison:
    """Of equal areas (Bandos, Rockette and Gur; F3.1 to F3.7) or curves (F3.8, F3.9)."""
    report = progress if callable(progress) else None
    options: dict[str, Any] = {"n_resamples": n_resamples, "seed": seed, "progress": report}
    if plan.method == "venkatraman":
        found, error = _venkatraman(plan, ties, options), None
        ties_broken = f", mean of {found.breakings} tie-breakings" if found.breakings > 1 else ""
        method = f"Venkatraman test of equal curves, {found.how}{ties_broken}"
    else:
        how = plan.method.removeprefix("permutation").removeprefix("-") or "auto"
        assert isinstance(plan.data, Pairs)
        scores = (plan.data.scores(name) for name in plan.names)
        options |= {"how": how, "transform": transform, "alternative": plan.alternative}
        options["clusters"] = plan.data.groups
        found = permutation.permutation_outcome(plan.data.mask, *scores, **options)
        method = f"{found.how} permutation test{' of whole clusters' * plan.clustered}"
        error = math.sqrt(found.variance)
    estimates = plan.areas()
    first, second = estimates.values()
    return Comparison(
        estimates=estimates,
        intervals=_area_intervals(plan),
        level=plan.level,
        difference=first - second,
        standard_error=error,
        interval=None,
        statistic=found.statistic,
        p_value=found.p_value,
        method=method,
        alternative=plan.alternative,
        seed=seed if found.how == "monte-carlo" else None,
        n_resamples=n_resamples if found.how == "monte-carlo" else None,
        **plan.sizes,
        origin=plan.data.origin,
    )


def _venkatraman(
    plan: ComparisonPlan, ties: permutation.TieRanking, options: dict[str, Any]
) -> permutation.PermutationOutcome:
    if not isinstance(plan.data, Pairs):
        classes = (scores for sample in plan.samples for scores in _class_scores(sample))
        return permutation.venkatraman_unpaired(*classes, ties=ties, **options)
    few, many = sorted(len(sample) for sample in plan.samples)
    if ties == "midrank" and few < COARSE * many:  # exchanged ranks do not look like the data's
        warn(
            f"one model has {few:,} distinct scores and the other {many:,}: with ties='midrank' "
            "the test then rejects equal curves too often or too seldom (0.5 to 11% of the time "
            "at the 5% level). Pass ties='random'.",
            MisuseWarning,
        )
    scores = (plan.data.scores(name) for name in plan.names)
    return permutation.venkatraman_paired(plan.data.mask, *scores, ties=ties, **options)


def _class_scores(sample: Tally) -> tuple[Array, Array]:
    """Scores, or ranks, of the negatives and of the positives of a sample, highest first."""
    classes = sample.oriented_classes
    if classes is not None:
        return classes[0][::-1], classes[1][::-1]
    ranks = np.arange(len(sample), 0, -1, dtype=np.float64)
    return np.repeat(ranks, sample.neg), np.repeat(ranks, sample.pos)
