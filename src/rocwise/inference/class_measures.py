"""Measures of rows of several classes: intervals on access, resamples and comparisons."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from rocwise import checks, printing
from rocwise.arrays import Floats
from rocwise.inference import resampling
from rocwise.inference.comparison import Comparison, Estimates, compared
from rocwise.inference.effective_sizes import WILSON
from rocwise.inference.variance import CovarianceByClass, VarianceByClass, covariance_of_parts
from rocwise.kernels.threads import chosen_threads, limited_to
from rocwise.progress import Report
from rocwise.results import ASIDE, Interval, Number, Origin, Resampled, result

METHODS: dict[str, str] = {
    "auto": WILSON,
    "wilson": WILSON,
    "delong": "DeLong",
    "logit": "logit DeLong",
    "plug-in": "plug-in variance",
    "unbiased": "unbiased variance",
    "bootstrap": "bootstrap percentile",
}
COMPARE_METHODS: dict[str, str] = {
    "auto": "paired DeLong, t distribution",
    "delong": "paired DeLong",
    "wilson": f"paired {WILSON}",
    "plug-in": "paired plug-in variance",
    "unbiased": "paired unbiased variance",
    "bootstrap": "paired bootstrap",
}


@dataclass(frozen=True, slots=True)
class IntervalPlan:
    """How standard error and interval are computed on access."""

    method: str
    level: float
    n_resamples: int
    seed: int | None
    progress: bool | Report | None = None
    threads: int | None = field(default_factory=chosen_threads)  # as at the time of the call

    @property
    def drawn(self) -> dict[str, int]:
        """Seed and number of the resamples, where there are any."""
        return {} if self.seed is None else {"seed": self.seed, "n_resamples": self.n_resamples}


def interval_plan(
    method: str, level: float, n_resamples: int, rng: Any, progress: Any, n_models: int = 1
) -> IntervalPlan:
    """The plan of a method that was checked; the seed of a bootstrap is drawn here."""
    level = checks.level(level)
    n_resamples = checks.draws(n_resamples, rng, progress, at_least=2, cells=n_models)
    seed = checks.seed(rng) if method == "bootstrap" else None
    return IntervalPlan(method, level, n_resamples, seed, progress)


@dataclass(frozen=True)
class ClassMeasure:
    """A measure of rows of several classes: a `Ranking`, or the `ClassAreas` of a model."""

    names: ClassVar[dict[str, str]]
    kind: str

    @property
    def name(self) -> str:
        """Name of the measure."""
        return self.names[self.kind]

    def value(
        self, sample: Any, weights: Floats | None = None, sizes: Floats | None = None
    ) -> float:
        """The measure of a sample; of a resample by its weights and their sums over classes."""
        raise NotImplementedError

    def parts(self, sample: Any) -> Floats:
        """What each row contributes, in row order."""
        raise NotImplementedError

    def pair_weights(self, sizes: Floats) -> Floats | None:
        """The weights of the areas of pairs of classes whose average the measure is, if any."""
        raise NotImplementedError

    def covariance(self, samples: list[Any]) -> CovarianceByClass:
        """DeLong-style covariance matrix of the measure of several scores of the same rows."""
        first = samples[0]
        first.check_two_rows("the standard error")
        return covariance_of_parts(
            np.stack([self.parts(each) for each in samples]),
            first.codes,
            first.weights,
            first.clusters,
            averaged=self.pair_weights(first.sizes),
        )

    def variance(self, sample: Any, method: str) -> VarianceByClass:
        """The variance of the measure by a method; DeLong's."""
        return self.covariance([sample]).variance(0)

    def other_covariance(self, samples: list[Any], plan: IntervalPlan) -> Floats | None:
        """The covariance matrix by another method than DeLong's."""
        drawn = plan.method == "bootstrap"
        return np.cov(self._resampled(samples, plan), rowvar=False) if drawn else None

    def _resampled(self, samples: list[Any], plan: IntervalPlan) -> Floats:
        """The measure of every sample in stratified resamples, (resamples, samples)."""
        assert plan.seed is not None
        first = samples[0]
        codes, own, clusters = first.codes, first.weights, first.clusters

        def measured(times: Floats) -> list[float]:
            weights, sizes = times if own is None else times * own, first.sizes
            if own is not None or clusters is not None:  # these change the sizes of the classes
                sizes = np.bincount(codes, weights, len(sizes)).astype(np.float64)
            return [self.value(sample, weights, sizes) for sample in samples]

        return resampling.draws_of(
            measured,
            *resampling.sampled_rows(codes, clusters),
            n_resamples=plan.n_resamples,
            seed=plan.seed,
            cells=1 + len(codes) * first.n_scores * len(samples) // resampling.ROWS_PER_CELL,
            progress=plan.progress,
            title=f"bootstrap of {self.name}",
        )

    def error_and_interval(
        self, sample: Any, value: float, plan: IntervalPlan
    ) -> tuple[float, Interval]:
        """Standard error and interval; where the sample shows no variance, Hoeffding's bound."""
        sample.check_two_rows("the standard error")
        level, name = plan.level, METHODS[plan.method]
        if plan.method == "bootstrap":
            draws = self._resampled([sample], plan)[:, 0]
            error = float(draws.std(ddof=1))
            if error > 1e-12:  # less is rounding
                name += resampling.drawn_words(sample.weights, sample.clusters)
                return error, Interval(*resampling.percentile_limits(draws, level), level, name)
        clustered = sample.clusters is not None
        variance = self.variance(sample, plan.method)
        return variance.interval(value, level, plan.method, name, clustered=clustered)

    def compared(
        self,
        samples: Mapping[str, Any],
        plan: IntervalPlan,
        alternative: str,
        margin: float | None,
        origin: Origin,
    ) -> Comparison:
        """Several scores of the same rows compared by the measure."""
        several = list(samples.values())
        values = {name: self.value(each) for name, each in samples.items()}
        several[0].check_two_rows("a comparison")
        other = self.other_covariance(several, plan)
        clustered = several[0].clusters is not None
        robust = "paired cluster-robust " if clustered else "paired "
        return compared(
            Estimates.on_same_rows(values, self.covariance(several), other),
            method=plan.method,
            described=lambda used: COMPARE_METHODS[used].replace("paired ", robust, 1),
            clustered=clustered,
            quantity=self.name,
            level=plan.level,
            alternative=alternative,
            margin=margin,
            drawn=plan.drawn,
            origin=origin,
        )


@result
class DeferredEstimate(Number, Resampled):
    """A measure of several classes; standard error and interval are computed on access."""

    value: float
    method: str
    level: float
    _measure: ClassMeasure = field(metadata=ASIDE)
    _sample: Any = field(metadata=ASIDE)
    _plan: IntervalPlan = field(metadata=ASIDE)

    @property
    def quantity(self) -> str:
        """What the value is, in words: ``Hand-Till M``, ``VUS``."""
        return self._measure.name

    @cached_property
    def _error_and_interval(self) -> tuple[float, Interval]:
        with limited_to(self._plan.threads):
            made = self._measure.error_and_interval(self._sample, self.value, self._plan)
        self._note_interruption()
        return made

    @property
    def standard_error(self) -> float:
        """Standard error; an error when a class has one row."""
        return self._error_and_interval[0]

    @property
    def interval(self) -> Interval:
        """Confidence interval; an error when a class has one row."""
        return self._error_and_interval[1]

    @property
    def has_interval(self) -> bool:
        """Whether every class has the two rows that a standard error needs."""
        return bool(self._sample.has_variance)

    def _interval_words(self, n: int) -> str:
        """The interval of a measure of `n` rows, for a sentence."""
        if not self.has_interval:
            return "no interval: a class has one row"
        return (
            f"{printing.percent(self.level)} CI {printing.rate(self.interval.low, n)} to "
            f"{printing.rate(self.interval.high, n)}, {self.interval.method}"
        )

    def to_dict(self) -> dict[str, Any]:
        """Plain JSON-safe values; standard error and interval are null where undefined."""
        known = self.has_interval
        own = {  # first: it may note an interruption in `origin`
            "standard_error": self.standard_error if known else None,
            "interval": self.interval.to_dict() if known else None,
        }
        return super().to_dict() | own
