"""With few cases: what a comparison is referred to, and the interval of each model."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rocwise import kernels
from rocwise.arrays import Array
from rocwise.binary.areas.intervals import area_interval
from rocwise.binary.areas.variances import effective_sizes
from rocwise.binary.comparisons.moments import Moments
from rocwise.binary.comparisons.plans import ComparisonPlan
from rocwise.binary.precision_recall.areas import precision_interval
from rocwise.binary.resampling.curve_statistics import Area, SensitivityAt, SpecificityAt
from rocwise.binary.resampling.precision_statistics import AveragePrecision
from rocwise.data.pairs import Pairs
from rocwise.data.tally import Tally
from rocwise.inference import comparisons as shared
from rocwise.inference.comparisons import MANY_CASES, FewCases
from rocwise.inference.intervals.effective_sizes import rate_at_rate, wilson_interval
from rocwise.inference.intervals.interval_limits import normal_quantile
from rocwise.kernels.placement_sums import PlacementSums
from rocwise.kernels.row_formulas import run_models
from rocwise.results import Interval


def settled_method(plan: ComparisonPlan, found: Moments) -> str:
    """What "auto" is for these data: DeLong's method where it holds for every model."""
    if plan.method != "auto":
        return plan.method
    assert found.spreads is not None
    return shared.settled_method(list(found.estimates.values()), found.spreads, plan.margin)


def few_cases(plan: ComparisonPlan, found: Moments, settled: str) -> FewCases:
    """What to refer the differences of the areas to, and the joint test of several models."""
    if plan.method == "influence" and plan.n_models > 2:
        return FewCases(by_class=found.by_class)
    if plan.method not in ("auto", "wilson"):
        return MANY_CASES
    assert found.spreads is not None
    values = list(found.estimates.values())
    return shared.few_cases(values, found.spreads, found.by_class, settled)


def estimate_intervals(
    data: Pairs | Tally, other: Tally | None, plan: ComparisonPlan, found: Moments | None
) -> dict[str, Interval]:
    """The interval of each model's own estimate: of areas as `auc` makes it."""
    if found is not None and found.spreads is not None:
        return shared.estimate_intervals(
            found.estimates, found.spreads, level=plan.level, clustered=plan.clustered
        )
    if other is not None:
        assert isinstance(data, Tally)
        return sample_intervals([data, other], plan, found)
    assert isinstance(data, Pairs)
    if found is not None and found.sums is not None:
        return sample_intervals(summed_tallies(data, found.sums), plan, found)
    return sample_intervals(tallies_of(data), plan, found)


def sample_intervals(
    samples: Sequence[Tally], plan: ComparisonPlan, found: Moments | None
) -> dict[str, Interval]:
    """The same, given the sample of each model."""
    named = dict(zip(plan.names, samples, strict=True))
    return {name: _interval(plan, sample, found, name) for name, sample in named.items()}


def tallies_of(pairs: Pairs) -> list[Tally]:
    """The tallies of all models, sorted side by side."""
    return run_models(pairs.tally, [(name,) for name in pairs.names], len(pairs))


def summed_tallies(pairs: Pairs, sums: Sequence[PlacementSums]) -> list[Tally]:
    """Tallies that know the sums of their placements, which areas need: nothing is sorted."""

    def later(name: str) -> Callable[[], tuple[Array, Array]]:
        return lambda: kernels.sort_classes(pairs.mask, pairs.scores(name))

    models = zip(pairs.names, sums, strict=True)
    return [Tally.from_many(later(name), known) for name, known in models]


def _interval(plan: ComparisonPlan, sample: Tally, found: Moments | None, name: str) -> Interval:
    place = -1 if found is None else list(found.estimates).index(name)
    if isinstance(plan.statistic, Area):
        by_rows = found is not None and plan.method == "influence"
        value = found.estimates[name] if found is not None and by_rows else plan.area(sample)
        part, spread = plan.statistic.part, None
        if found is not None and found.by_class is not None and not plan.clustered:
            spread = found.by_class.spread(place)
        return area_interval(sample, part, value, method="auto", level=plan.level, spread=spread)[1]
    assert found is not None
    value, variance = found.estimates[name], float(found.covariance[place, place])
    if isinstance(plan.statistic, (SensitivityAt, SpecificityAt)):
        cases, others = effective_sizes(sample)
        if isinstance(plan.statistic, SensitivityAt):
            rate = plan.statistic.specificity
        else:
            cases, others, rate = others, cases, plan.statistic.sensitivity
        return wilson_interval(rate_at_rate(value, variance, cases, others, rate), plan.level)
    if isinstance(plan.statistic, AveragePrecision):
        return precision_interval(
            sample, plan.statistic, value, variance, plan.level, plan.description
        )
    reach = normal_quantile(plan.level) * variance**0.5
    return Interval(value - reach, value + reach, plan.level, plan.description)
