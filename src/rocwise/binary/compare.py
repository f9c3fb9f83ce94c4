"""Is A better than B? Tests and intervals for the difference of two or more curves."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from itertools import combinations
from typing import Any, Literal, Unpack, get_args

import numpy as np

from rocwise import checks
from rocwise.arrays import Array, Floats, Places
from rocwise.binary.auc import (
    PairedVariance,
    area_interval,
    area_variance,
    areas_and_covariance,
)
from rocwise.binary.bootstrap import paired_bootstrap, unpaired_bootstrap
from rocwise.binary.cross_validation import (
    CrossValidatedAuc,
    FoldAreas,
    areas_of,
    cross_validated,
    influence_covariance,
    mean_influences,
    warn_of_pooling,
)
from rocwise.binary.influence import (
    Influence,
    area_influence,
    area_of,
    area_variance_by_class,
    auc_covariance_by_class,
    pairs_covariance,
    rate_influence,
    row_influences,
    tally_variance,
)
from rocwise.binary.partial_area import WHOLE, Part, chosen_part
from rocwise.binary.permutation import (
    PermutationOutcome,
    TieRanking,
    Transform,
    permutation_outcome,
    venkatraman_paired,
    venkatraman_unpaired,
)
from rocwise.binary.precision_recall import precision_influence, precision_interval
from rocwise.binary.smooth_influence import midpoint_is_regular, smooth_area_influence
from rocwise.binary.statistics import (
    AnyStatistic,
    Area,
    AveragePrecision,
    SensitivityAt,
    SmoothArea,
    SpecificityAt,
    StatisticName,
    evaluated,
    named_statistic,
)
from rocwise.data.pairs import Pairs
from rocwise.data.summed_rows import SummedPairs
from rocwise.data.tally import Tally
from rocwise.errors import InputError, MisuseWarning, ScoreRangeError, listed, warn
from rocwise.inference.comparison import Comparison, Estimates, compared
from rocwise.inference.effective_sizes import WILSON, rate_at_rate, wilson_interval
from rocwise.inference.intervals import normal_quantile
from rocwise.inference.significance import Alternative, checked_margin, satterthwaite
from rocwise.inference.variance import CovarianceByClass, VarianceByClass
from rocwise.inputs.coercion import ComparisonOptions, as_pairs_or_samples, options_shown
from rocwise.inputs.folds import OutOfFoldScores, as_out_of_fold_models, folded_pairs
from rocwise.kernels.threads import run_tasks
from rocwise.progress import Report
from rocwise.results import Interval

Permutation = Literal[
    "permutation", "permutation-exact", "permutation-asymptotic", "permutation-monte-carlo"
]
ComparisonMethod = Literal[
    "auto", PairedVariance, "wilson", "influence", "bootstrap", Permutation, "venkatraman"
]
BY_DELONG = ("auto", "delong", "wilson")  # rest on DeLong's variances
BY_VARIANCE = {
    "delong": "DeLong",
    "wilson": WILSON,
    "jackknife": "jackknife",
    "exact-bootstrap": "exact bootstrap variance",
    "unbiased": "unbiased variance",
    "influence": "influence functions",
}
PERMUTATIONS: tuple[str, ...] = get_args(Permutation)
METHODS: tuple[str, ...] = get_args(ComparisonMethod)
PointRate = SensitivityAt | SpecificityAt
MANY_IN_PART = 1_000  # cases, from which influence functions compare partial areas by default
MANY_CASES_OF_CLASS = 1_000  # from which influence functions compare the smAUC by default
MANY_BEYOND = 1_000  # cases on either side of the given rate, and of the other class
MANY_ASIDE = 100  # cases on either side of the rate that is compared
COARSE = 0.5  # a model with less than this share of the other's distinct scores is coarse
FoldMethod = Literal["corrected-t", "influence"]
FOLD_METHODS: tuple[str, ...] = get_args(FoldMethod)
DESCRIBED = {
    "corrected-t": "corrected t over the differences of folds",
    "influence": "influence functions of the fold-wise AUCs",
}
POOLED = (
    "pooled over folds: takes the scores of all folds to be on one scale, and the models as given"
)


@options_shown(ComparisonOptions)
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
    statistic: StatisticName | AnyStatistic | Callable[..., float] | None = None,
    transform: Transform = "rank",
    ties: TieRanking = "random",
    n_resamples: int = 2000,
    rng: Any = None,
    progress: bool | Report | None = None,
    names: tuple[str, str] | None = None,
    folds: Any = None,
    **given: Unpack[ComparisonOptions],
) -> Comparison:
    """Compare models on the same rows (`Pairs`), or two models on different rows (two tallies).

    Parameters
    ----------
    data, other
        Pairs; y_true and a dict of scores; a frame or path with `label=` and `scores=`; or two
        tallies, of independent samples.
    method : str, optional
        By default "auto": whole areas by "delong" where the smaller class times 1 - AUC (or AUC)
        is 7 or more for every model (15 with a `margin`), else by "wilson", from the limits of
        both areas; parts, points and "smooth-auc" by "influence" from 1,000 cases there on, else
        by the "bootstrap". Others: "jackknife", "exact-bootstrap", "unbiased", "permutation" or
        with "-exact", "-asymptotic", "-monte-carlo", "venkatraman".
    level, alternative, margin
        Level of the two-sided interval; "two-sided", "greater", "less", or with `margin`
        "non-inferior" and "equivalent", all for first minus second.
    max_fpr, fpr_range, tpr_range, at_sensitivity, at_specificity : optional
        Compare partial areas, specificities at this sensitivity, or the other way round.
    statistic : optional
        Another number: "average-precision", an object of `rw.statistics`, "smooth-auc", ...
    transform, ties
        Scale on which "permutation" swaps scores: "rank", "none"; of ties: "random", "midrank".
    n_resamples, rng, progress, names
        As in `bootstrap`; what two tallies are called.
    folds : optional
        Of cross-validated models: the fold of each row, or the splits. `method` then is
        "corrected-t" (default), "influence", or "delong", which pools the folds.

    Returns
    -------
    Comparison

    Examples
    --------
    >>> import rocwise as rw
    >>> pairs = rw.pair([0, 0, 0, 1, 1, 1], {"a": [1, 2, 3, 2, 4, 5], "b": [2, 1, 4, 3, 5, 6]})
    >>> rw.compare(pairs).method
    'paired effective-size Wilson'
    """
    level = checks.level(level)
    part, point = (max_fpr, fpr_range, tpr_range), (at_sensitivity, at_specificity)
    if folds is not None and method != "delong":
        _check_options_of_folds(*part, *point, statistic)
        tested: dict[str, Any] = {"method": method, "alternative": alternative, "margin": margin}
        return compare_by_folds(data, other, folds, given=given, level=level, **tested)
    if folds is not None:
        warn_of_pooled_folds(data, other, folds, given)
    rows, second = as_pairs_or_samples("compare", data, other, given)
    n_resamples = checks.draws(n_resamples, rng, progress)
    checks.one_of(transform, "transform", get_args(Transform))
    checks.one_of(ties, "ties", get_args(TieRanking))
    called = _names(rows, second, names)
    plan = ComparisonPlan(
        rows,
        second,
        method=method,
        statistic=_statistic(part, point, statistic),
        alternative=alternative,
        margin=checked_margin(alternative, margin, len(called)),
        level=level,
        names=called,
    )
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
        seed=seed if plan.method == "bootstrap" else None,
        origin=rows.origin,
    )


def _check_options_of_folds(*options: Any) -> None:
    """Folds compare whole areas."""
    if any(option is not None for option in options):
        raise InputError(
            "`folds` compares whole areas; for parts, points and other statistics subtract the "
            "values of the folds and use rw.inference.cv_interval(differences, corrected=True)."
        )


class ComparisonPlan:
    """The data, the statistic and a method that can compare it; other combinations raise."""

    def __init__(
        self,
        data: Pairs | Tally,
        other: Tally | None,
        *,
        method: Any,
        statistic: AnyStatistic,
        alternative: str,
        margin: float | None,
        level: float,
        names: tuple[str, ...],
    ) -> None:
        self.data: Pairs | Tally = data
        self.other: Tally | None = other
        self.names: tuple[str, ...] = names
        self.statistic: AnyStatistic = statistic
        self.level: float = level
        self.alternative: str = alternative
        self.margin: float | None = margin
        self.paired: bool = isinstance(data, Pairs)
        self.clustered: bool = isinstance(data, Pairs) and data.groups is not None
        if method is None or (isinstance(method, str) and method == "auto"):
            method = "auto" if statistic == Area() else self._usual_method()
        self.method: str = checks.one_of(method, "method", METHODS)
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
    def part(self) -> Part:
        """The part of the area that is compared."""
        return self.statistic.part if isinstance(self.statistic, Area) else WHOLE

    def areas(self) -> dict[str, float]:
        """The compared area of every model."""
        return self.named(area_of(sample, self.part) for sample in self.samples)

    def named(self, values: Iterable[float]) -> dict[str, float]:
        """Numbers by the names of the models."""
        return dict(zip(self.names, map(float, values), strict=True))

    def described(self, method: str) -> str:
        """A method in words; what "auto" comes to is known when the data were looked at."""
        name = BY_VARIANCE.get(method, "bootstrap")
        robust = "cluster-robust " if self.clustered else ""
        return f"{'paired' if self.paired else 'unpaired'} {robust}{name}"

    def _usual_method(self) -> str:
        """Influence functions where they exist and, for parts and points, with many cases."""
        statistic = self.statistic
        if isinstance(statistic, Area):
            regular = all(_many_in_part(each.n_pos, each.n_neg, self.part) for each in self.sources)
        elif isinstance(statistic, (SmoothArea, PointRate)):
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
    if given is not None:
        return _two_names(given)
    first, second = data.origin.name or "first", other.origin.name or "second"
    return (first, second) if first != second else (f"{first} (1)", f"{second} (2)")


def _two_names(given: Any) -> tuple[str, str]:
    known = isinstance(given, Sequence) and not isinstance(given, str) and len(given) == 2
    if not known or given[0] == given[1] or not all(isinstance(each, str) for each in given):
        raise InputError(f"`names` must be two different texts; got {given!r:.60}.")
    return given[0], given[1]


def _statistic(part: tuple[Any, Any, Any], point: tuple[Any, Any], statistic: Any) -> AnyStatistic:
    given = sum(option is not None for option in (*part, *point, statistic))
    if given > 1:
        raise InputError(
            "give at most one of `max_fpr`, `fpr_range`, `tpr_range`, `at_sensitivity`, "
            "`at_specificity` and `statistic`."
        )
    if statistic is not None:
        return named_statistic(statistic)
    at_sensitivity, at_specificity = point
    if at_sensitivity is not None:
        return SpecificityAt(checks.rate(at_sensitivity, "at_sensitivity"))
    if at_specificity is not None:
        return SensitivityAt(checks.rate(at_specificity, "at_specificity"))
    return Area(chosen_part(*part))


def _is_regular(data: Tally, statistic: SmoothArea | PointRate) -> bool:
    """Whether influence functions compare the statistic by default: with many cases.

    Rates need many around the point. Scores on so few levels that the midpoint of the smAUC jumps
    from one to the next are left to the bootstrap.
    """
    if isinstance(statistic, SmoothArea):
        if min(data.n_pos, data.n_neg) < MANY_CASES_OF_CLASS:
            return False
        try:
            return midpoint_is_regular(data, statistic)
        except ScoreRangeError:
            return False  # raised again where the model is known
    n_given, n_compared = float(data.n_neg), float(data.n_pos)
    if isinstance(statistic, SpecificityAt):
        n_given, n_compared = n_compared, n_given
    at, _ = _rate_at(statistic)
    beyond = round(n_given * min(at, 1 - at), 6)  # 1 - 0.9 is a little less than 0.1
    if min(beyond, n_compared) < MANY_BEYOND:
        return False
    rate = evaluated(data, statistic)
    return n_compared * min(rate, 1 - rate) >= MANY_ASIDE


def _weighted_or_clustered(data: Pairs | Tally) -> bool:
    """Whether rows have weights or clusters, or are not in memory."""
    if isinstance(data, Pairs):
        many = isinstance(data, SummedPairs)
        return many or data.weights is not None or data.groups is not None
    return data.weighted or data.clustered


def _many_in_part(n_pos: float, n_neg: float, part: Part) -> bool:
    """Whether so many cases are within the part that their mean is as good as normal."""
    within, others = (n_neg, n_pos) if part.axis == "fpr" else (n_pos, n_neg)
    return within * (part.high - part.low) >= MANY_IN_PART and others >= MANY_IN_PART


def _has_influences(statistic: AnyStatistic) -> bool:
    if isinstance(statistic, AveragePrecision):
        return statistic.interpolation == "step"
    if isinstance(statistic, (SmoothArea, PointRate)):
        return True
    return isinstance(statistic, Area) and not statistic.part.is_whole


def _check_method(plan: ComparisonPlan) -> None:
    whole, n_models = plan.statistic == Area(), len(plan.names)
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
            f"method={plan.method!r} compares whole areas; to compare the {plan.statistic.name} "
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
    alike = plan.method == "influence" and isinstance(plan.statistic, (SmoothArea, PointRate))
    if alike and any(map(_weighted_or_clustered, plan.sources)):
        raise InputError(
            f"method='influence' compares the {plan.statistic.name} of rows without weights and "
            "groups; use method='bootstrap', which draws them whole."
        )
    weighted = any(
        each.weights is not None if isinstance(each, Pairs) else each.weighted
        for each in plan.sources
    )
    for present, name in ((weighted, "weights"), (plan.clustered, "groups")):
        if present and plan.method not in (*BY_DELONG, "influence", "bootstrap"):
            raise InputError(
                f"{name} are not supported by method={plan.method!r}; use method='delong', whose "
                "influence functions take them, or method='bootstrap', which draws them whole."
            )


def _estimates(
    plan: ComparisonPlan, n_resamples: int, seed: int, progress: bool | Report | None
) -> Estimates:
    """Estimates and their covariance matrix, by the method of the plan."""
    draws: tuple[Any, ...] = (plan.statistic, n_resamples, seed, progress)
    if isinstance(plan.data, Pairs):
        if plan.method != "bootstrap":
            return _paired(plan.data, plan)
        values, matrix = paired_bootstrap(plan.data, *draws)
        return Estimates(plan.named(values), matrix)
    if plan.method != "bootstrap":
        return _unpaired(plan)
    first, second = plan.samples
    both, variances = unpaired_bootstrap((first, second), *draws)
    return Estimates(plan.named(both), np.diag(variances))


def _paired(pairs: Pairs, plan: ComparisonPlan) -> Estimates:
    """Models on the same rows, by formula."""
    if plan.method == "influence":
        found = row_influences(pairs, lambda data: _influence(data, plan.statistic))
        matrices = pairs_covariance(pairs, found)
        df = _fewest_degrees(matrices)
        return Estimates(plan.named(found.values), matrices.total, df, by_class=matrices)
    if plan.method not in BY_DELONG:
        areas, matrix = areas_and_covariance(pairs, plan.method)
        return Estimates(plan.named(areas), matrix)
    areas, matrices = auc_covariance_by_class(pairs)
    return Estimates.on_same_rows(plan.named(areas), matrices)


def _unpaired(plan: ComparisonPlan) -> Estimates:
    """Independent samples, by formula; degrees of freedom are Welch's for all their subjects."""
    samples = plan.samples
    if plan.method == "influence":
        found = [_influence(each, plan.statistic) for each in samples]
        variances = list(map(tally_variance, samples, found))
        df = satterthwaite([one for each in variances for one in each.by_class()])
        matrix = np.diag([each.variance for each in variances])
        return Estimates(plan.named(each.value for each in found), matrix, df)
    method = "delong" if plan.method in BY_DELONG else plan.method
    own = [area_variance(sample, method) for sample in samples]
    sizes = [float(sum(sample.effective_sizes)) for sample in samples]
    df = satterthwaite(list(zip(own, sizes, strict=True)))
    by_class = None
    if method == "delong":
        by_class = [area_variance_by_class(sample, WHOLE) for sample in samples]
    return Estimates(plan.areas(), np.diag(own), df, by_class)


def _influence(data: Tally, statistic: AnyStatistic) -> Influence:
    """A statistic of one sample and its influence values."""
    if isinstance(statistic, AveragePrecision):
        return precision_influence(data, statistic.prevalence)
    if isinstance(statistic, SmoothArea):
        return smooth_area_influence(data, statistic)
    if isinstance(statistic, PointRate):
        at, mirrored = _rate_at(statistic)
        phi = rate_influence(data, at, mirrored=mirrored)
        return Influence(evaluated(data, statistic), *phi)
    assert isinstance(statistic, Area)
    return area_influence(data, statistic.part)


def _rate_at(statistic: PointRate) -> tuple[float, bool]:
    """The rate at which the curve is read, and whether it is read from its other end."""
    if isinstance(statistic, SensitivityAt):
        return 1.0 - statistic.specificity, False
    return 1.0 - statistic.sensitivity, True


def _fewest_degrees(matrices: CovarianceByClass) -> float | None:
    """Degrees of freedom of the difference of two models that has the fewest of all pairs."""
    k = len(matrices.total)
    found = []
    for a, b in combinations(range(k), 2):
        step = np.eye(k)[a] - np.eye(k)[b]
        parts = [
            (float(step @ part @ step), n)
            for part, n in zip(matrices.parts, matrices.sizes, strict=True)
        ]
        found.append(satterthwaite(parts))
    known = [df for df in found if df is not None]
    return min(known, default=None)


def _intervals(plan: ComparisonPlan, found: Estimates) -> dict[str, Interval]:
    """The interval of each model's own estimate."""
    variances = np.diag(found.covariance).tolist()
    found_of = zip(plan.samples, found.values.values(), variances, strict=True)
    if not isinstance(plan.statistic, Area):
        own = [_interval(plan, *each) for each in found_of]
        return dict(zip(plan.names, own, strict=True))
    known: Sequence[VarianceByClass | None] = [None] * len(plan.names)
    if found.by_class is not None and not plan.clustered:
        known = found.by_class.variances
    return _area_intervals(plan, known)


def _area_intervals(
    plan: ComparisonPlan, variances: Sequence[VarianceByClass | None] = (None, None)
) -> dict[str, Interval]:
    """The interval of the area of each model; variances by class where they are known."""
    options: Any = {"method": "auto", "level": plan.level}
    return {
        name: area_interval(sample, plan.part, value, variance=own, **options)[1]
        for (name, value), sample, own in zip(
            plan.areas().items(), plan.samples, variances, strict=True
        )
    }


def _interval(plan: ComparisonPlan, sample: Tally, value: float, variance: float) -> Interval:
    """The interval of a statistic that is no area."""
    description = plan.described(plan.method)
    if isinstance(plan.statistic, (SensitivityAt, SpecificityAt)):
        cases, others = sample.effective_sizes
        if isinstance(plan.statistic, SensitivityAt):
            rate = plan.statistic.specificity
        else:
            cases, others, rate = others, cases, plan.statistic.sensitivity
        return wilson_interval(rate_at_rate(value, variance, cases, others, rate), plan.level)
    if isinstance(plan.statistic, AveragePrecision):
        return precision_interval(sample, plan.statistic, value, variance, plan.level, description)
    reach = normal_quantile(plan.level) * variance**0.5
    return Interval(value - reach, value + reach, plan.level, description)


def compare_by_folds(
    data: Any,
    scores: Any,
    folds: Any,
    method: str | None,
    level: float,
    alternative: str,
    margin: float | None,
    given: Mapping[str, Any],
) -> Comparison:
    """Compare cross-validated models; see `compare`."""
    method = "corrected-t" if method in (None, "auto") else method
    chosen = checks.one_of(method, "method", FOLD_METHODS)
    models = _models(data, scores, folds, given)
    if len(models) < 2:
        raise InputError(f"`compare` needs at least two models; got {', '.join(models)}.")
    _check_same_folds(models)
    margin = checked_margin(alternative, margin, len(models))
    areas = {name: areas_of(rows) for name, rows in models.items()}
    found = {
        name: cross_validated(rows, areas[name], level, "corrected-t")
        for name, rows in models.items()
    }
    first = next(iter(models.values()))
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
    options = {name: value for name, value in given.items() if name not in ("y_true", "scores")}
    labels = given.get("y_true") if data is None else data
    return as_out_of_fold_models(
        labels,
        given.get("scores") if scores is None else scores,
        folds,
        X=None,
        pos_label=options.get("pos_label"),
        direction=options.get("direction", "higher"),
        missing=options.get("missing", "raise"),
        groups=options.get("groups"),
        sample_weight=options.get("sample_weight"),
    )


def _check_same_folds(models: Mapping[str, OutOfFoldScores]) -> None:
    """Only models of the same folds can be compared fold by fold."""
    (name, first), *others = models.items()
    for other, rows in others:
        if rows.folds.shape != first.folds.shape or (rows.folds != first.folds).any():
            raise InputError(f"`folds` of {name!r} and {other!r} differ; models need the same.")


def _fold_covariance(
    groups: Places | None,
    areas: Mapping[str, Sequence[FoldAreas]],
    found: Mapping[str, CrossValidatedAuc],
    method: str,
) -> tuple[Floats, float | None]:
    """Covariance matrix of the mean areas, and its degrees of freedom (None: normal).

    Nadeau and Bengio's corrected variance of the mean of J fold values is their sample variance
    times 1/J + f/(1 - f), where a fold tests the share f of the cases; the same factor for the
    covariances of models makes it that of the fold-wise differences.
    """
    if method == "influence":
        phi = np.stack([mean_influences(each) for each in areas.values()])
        return influence_covariance(phi, groups), None
    first = next(iter(found.values()))
    values = np.stack([own.fold_values for own in found.values()])
    share = 1 / first.n_folds
    factor = 1 / values.shape[1] + share / (1 - share)
    return np.cov(values) * factor, float(values.shape[1] - 1)


def _permutation_test(
    plan: ComparisonPlan,
    transform: Transform,
    ties: TieRanking,
    n_resamples: int,
    seed: int,
    progress: bool | Report | None,
) -> Comparison:
    """Of equal areas (Bandos, Rockette and Gur; F3.1 to F3.7) or curves (F3.8, F3.9)."""
    report = progress if callable(progress) else None
    options: dict[str, Any] = {"n_resamples": n_resamples, "seed": seed, "progress": report}
    if plan.method == "venkatraman":
        found, error = _venkatraman(plan, ties, options), None
        method = f"Venkatraman test of equal curves, {found.how}"
    else:
        how = plan.method.removeprefix("permutation").removeprefix("-") or "auto"
        assert isinstance(plan.data, Pairs)
        scores = (plan.data.scores(name) for name in plan.names)
        options |= {"how": how, "transform": transform, "alternative": plan.alternative}
        found = permutation_outcome(plan.data.mask, *scores, **options)
        error, method = math.sqrt(found.variance), f"{found.how} permutation test"
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
        origin=plan.data.origin,
    )


def _venkatraman(
    plan: ComparisonPlan, ties: TieRanking, options: dict[str, Any]
) -> PermutationOutcome:
    if not isinstance(plan.data, Pairs):
        classes = (scores for sample in plan.samples for scores in _class_scores(sample))
        return venkatraman_unpaired(*classes, ties=ties, **options)
    if ties == "midrank":
        _warn_of_coarse_marker([len(sample) for sample in plan.samples])
    scores = (plan.data.scores(name) for name in plan.names)
    return venkatraman_paired(plan.data.mask, *scores, ties=ties, **options)


def _warn_of_coarse_marker(n_distinct: list[int]) -> None:
    """Exchanged ranks of a coarse and a fine marker do not look like those of the data."""
    few, many = sorted(n_distinct)
    if few < COARSE * many:
        warn(
            f"one model has {few:,} distinct scores and the other {many:,}: with ties='midrank' "
            "the test then rejects equal curves too often or too seldom (0.5 to 11 % of the time "
            "at the 5 % level). Pass ties='random'.",
            MisuseWarning,
        )


def _class_scores(sample: Tally) -> tuple[Array, Array]:
    """Scores of the negatives and of the positives of a sample, from the highest down.

    Ranks that keep ties stand for them where there is a table alone.
    """
    classes = sample.oriented_classes
    if classes is not None:
        return classes[0][::-1], classes[1][::-1]
    ranks = np.arange(len(sample), 0, -1, dtype=np.float64)
    return np.repeat(ranks, sample.neg), np.repeat(ranks, sample.pos)
