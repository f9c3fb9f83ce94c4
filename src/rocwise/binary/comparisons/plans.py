"""What a comparison is asked to do: valid combinations only, and the right one by name."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, get_args

from rocwise import checks
from rocwise.binary.areas.covariances import PairedVariance
from rocwise.binary.areas.empirical import area_of_part, whole_area
from rocwise.binary.comparisons.point_rates import PointRate, influences_hold_at
from rocwise.binary.comparisons.smooth_areas import has_unlike_rows, influences_hold
from rocwise.binary.curves.parts import WHOLE, Part, chosen_part
from rocwise.binary.resampling.curve_statistics import Area, SensitivityAt, SpecificityAt
from rocwise.binary.resampling.forms_of_statistics import AnyStatistic, named_statistic
from rocwise.binary.resampling.precision_statistics import AveragePrecision
from rocwise.binary.resampling.score_statistics import SmoothArea
from rocwise.data.pairs import Pairs
from rocwise.data.tally import Tally
from rocwise.errors import InputError, listed
from rocwise.inference.intervals.effective_sizes import WILSON
from rocwise.inference.significance import checked_margin

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
MANY_IN_PART = 1_000  # cases, from which influence functions compare partial areas by default


@dataclass(frozen=True, slots=True)
class ComparisonPlan:
    """A comparison that makes sense."""

    method: str
    statistic: AnyStatistic
    alternative: str
    margin: float | None
    level: float
    paired: bool
    n_models: int
    names: tuple[str, ...]
    clustered: bool = False
    exact: bool = False

    @property
    def description(self) -> str:
        """The method in words."""
        return self.described(self.method)

    def described(self, method: str) -> str:
        """A method in words; what "auto" comes to is known when the data were looked at."""
        name = BY_VARIANCE.get(method, "bootstrap")
        robust = "cluster-robust " if self.clustered else ""
        return f"{'paired' if self.paired else 'unpaired'} {robust}{name}"

    def area(self, sample: Tally) -> float:
        """The compared area of one sample."""
        part = self.statistic.part if isinstance(self.statistic, Area) else WHOLE
        return whole_area(sample) if part.is_whole else area_of_part(sample, part)


def plan_comparison(
    data: Pairs | Tally,
    other: Tally | None,
    *,
    method: str | None,
    alternative: str,
    margin: float | None,
    part: tuple[Any, Any, Any],
    point: tuple[Any, Any],
    level: float,
    statistic: Any = None,
    names: Any = None,
    exact: Any = False,
) -> ComparisonPlan:
    """Check the combination; refusals name what would work."""
    names = _names(data, other, names)
    compared = _statistic(part, point, statistic)
    whole = compared == Area()
    if method is None or (isinstance(method, str) and method == "auto"):
        method = "auto" if whole else _usual_method(compared, data, other)
    plan = ComparisonPlan(
        method=checks.one_of(method, "method", METHODS),
        statistic=compared,
        alternative=alternative,
        margin=checked_margin(alternative, margin, len(names)),
        level=level,
        paired=isinstance(data, Pairs),
        n_models=len(names),
        names=names,
        clustered=isinstance(data, Pairs) and data.groups is not None,
        exact=checks.flag(exact, "exact"),
    )
    _refuse_wrong_method(plan, whole)
    _refuse_wrong_data(plan, data, other)
    return plan


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


def _usual_method(statistic: AnyStatistic, data: Pairs | Tally, other: Tally | None) -> str:
    """Influence functions where they exist and, for parts, where there are many cases."""
    samples = [data] if other is None else [data, other]
    if isinstance(statistic, SmoothArea):
        hold = all(influences_hold(each, statistic) for each in samples)
        return "influence" if hold else "bootstrap"
    if isinstance(statistic, PointRate):
        hold = all(influences_hold_at(each, statistic) for each in samples)
        return "influence" if hold else "bootstrap"
    if isinstance(statistic, Area):
        many = all(_many_in_part(each.n_pos, each.n_neg, statistic.part) for each in samples)
        return "influence" if many else "bootstrap"
    return "influence" if _has_influences(statistic) else "bootstrap"


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


def _refuse_wrong_method(plan: ComparisonPlan, whole: bool) -> None:
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
    if by_rank and plan.n_models > 2:
        raise InputError(
            f"method={plan.method!r} compares two models; got {plan.n_models}. "
            "Use method='delong' for the joint test, or pairs.select([first, second])."
        )
    if plan.method == "venkatraman" and plan.alternative != "two-sided":
        raise InputError("method='venkatraman' has no direction; use alternative='two-sided'.")
    if plan.method in PERMUTATIONS and plan.margin is not None:
        raise InputError(
            f"alternative={plan.alternative!r} needs an interval, which method={plan.method!r} "
            "does not give; use method='delong'."
        )


def _refuse_wrong_data(plan: ComparisonPlan, data: Pairs | Tally, other: Tally | None) -> None:
    samples = [data] if other is None else [data, other]
    alike = plan.method == "influence" and isinstance(plan.statistic, (SmoothArea, PointRate))
    if alike and any(map(has_unlike_rows, samples)):
        raise InputError(
            f"method='influence' compares the {plan.statistic.name} of rows without weights and "
            "groups; use method='bootstrap', which draws them whole."
        )
    if isinstance(data, Pairs):
        weighted = data.weights is not None
    else:
        weighted = data.weighted or (other is not None and other.weighted)
    for present, name in ((weighted, "weights"), (plan.clustered, "groups")):
        if present and plan.method not in (*BY_DELONG, "influence", "bootstrap"):
            raise InputError(
                f"{name} are not supported by method={plan.method!r}; use method='delong', whose "
                "influence functions take them, or method='bootstrap', which draws them whole."
            )
