"""How well one score ranks ordered classes: the measure and its interval."""

from __future__ import annotations

import dataclasses
import math
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from rocwise import checks, printing
from rocwise.about import VERSION
from rocwise.binary.intervals import hoeffding_limits, logit_interval, wald_interval
from rocwise.binary.resampling import percentile_limits
from rocwise.errors import InputError
from rocwise.ordinal.quantities import Quantity, quantity
from rocwise.ordinal.rankings import OrderedResult, Ranking
from rocwise.ordinal.resamples import resampled
from rocwise.ordinal.variances import subset_variance
from rocwise.progress import Report
from rocwise.results import Interval, json_safe

METHODS = {
    "delong": "DeLong",
    "logit": "logit DeLong",
    "plug-in": "plug-in variance",
    "unbiased": "unbiased variance",
    "bootstrap": "bootstrap percentile",
}


@dataclass(frozen=True, slots=True)
class Plan:
    """How standard error and interval are to be made, once somebody asks for them."""

    method: str
    level: float
    n_resamples: int
    seed: int | None
    progress: bool | Report | None = None


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class OrdinalAuc(OrderedResult):
    """A measure of ordered classes; standard error and interval are computed when asked for."""

    value: float
    measure: str
    ties: str
    chance: float
    labels: tuple[Any, ...]
    sizes: tuple[int, ...]
    method: str
    level: float
    seed: int | None = None
    _ranking: Ranking = field(repr=False)
    _plan: Plan = field(repr=False)

    def __float__(self) -> float:
        return self.value

    @cached_property
    def _error_and_interval(self) -> tuple[float, Interval]:
        return error_and_interval(
            self._ranking, Quantity(self.measure, self.ties), self.value, self._plan
        )

    @property
    def standard_error(self) -> float:
        """Standard error; refused when a class has one row."""
        return self._error_and_interval[0]

    @property
    def interval(self) -> Interval:
        """Confidence interval; refused when a class has one row."""
        return self._error_and_interval[1]

    @property
    def has_interval(self) -> bool:
        """Whether every class has the two rows that a standard error needs."""
        return min(self.sizes) > 1

    def _sentence(self) -> str:
        name = Quantity(self.measure, self.ties).name
        n = sum(self.sizes)
        spread = "no interval: a class has one row"
        if self.has_interval:
            spread = (
                f"{printing.percent(self.level)} CI {printing.rate(self.interval.low, n)} to "
                f"{printing.rate(self.interval.high, n)}, {self.interval.method}"
            )
        strict = ", ties count nothing" if self.ties == "strict" else ""
        return (
            f"{name} {printing.rate(self.value, n)} ({spread}{strict}); chance {self.chance:.3g}; "
            f"{self._classes()}, {printing.count(n)} rows"
        )

    def _classes(self) -> str:
        """How many classes; any but rising numbers are listed, for their order may be wrong."""
        if any(isinstance(label, str) for label in self.labels) or list(self.labels) != sorted(
            self.labels
        ):
            return f"classes {' < '.join(map(str, self.labels))}"
        return f"{len(self.labels)} classes"

    def _columns(self) -> dict[str, Any]:
        known = self.has_interval
        return {
            "measure": [self.measure],
            "value": [self.value],
            "standard_error": [self.standard_error if known else None],
            "low": [self.interval.low if known else None],
            "high": [self.interval.high if known else None],
            "level": [self.level],
            "method": [self.interval.method if known else None],
            "ties": [self.ties],
            "chance": [self.chance],
        }

    def to_dict(self) -> dict[str, Any]:
        """Plain JSON-safe values; standard error and interval are null where undefined."""
        shown = [f.name for f in dataclasses.fields(self) if not f.name.startswith("_")]
        plain = {name: json_safe(getattr(self, name)) for name in shown}
        known = self.has_interval
        plain["standard_error"] = self.standard_error if known else None
        plain["interval"] = self.interval.to_dict() if known else None
        return {"kind": type(self).__name__, "rocwise": VERSION, **plain}


def ordinal_auc(
    ranking: Ranking,
    *,
    measure: str = "volume",
    ties: str = "credit",
    level: float = 0.95,
    method: str = "delong",
    n_resamples: int = 2000,
    rng: Any = None,
    progress: bool | Report | None = None,
) -> OrdinalAuc:
    """How well one score ranks cases of ordered classes.

    Parameters
    ----------
    y_true, y_score : array-like
        Labels, in the order in which they sort or that `classes` gives, and one score per row.
    measure : {"volume", "consecutive", "pairwise", "pairs"}
        "volume": chance that one case of each class is ranked in order (VUS). "consecutive":
        mean AUC of the cuts between classes. "pairwise": mean AUC of all pairs of classes.
        "pairs": share of all pairs of cases of different classes in order.
    ties : {"credit", "strict"}
        A run of t tied cases earns 1/t! (two: one half), or nothing.
    level : float, default 0.95
        Confidence level.
    method : {"delong", "logit", "plug-in", "unbiased", "bootstrap"}
        How standard error and interval are made; "plug-in" and "unbiased" are for the volume.
        They are made when first asked for.
    n_resamples, rng, progress
        Of the bootstrap.
    classes, decimals, direction, missing
        The labels from the lowest up; rounding of scores before they are compared; "higher" or
        "lower" scores mean a higher class; "raise" or "drop" rows that miss something.

    Returns
    -------
    OrdinalAuc
        With `value`, `standard_error`, `interval`, `chance`. A class with one case has a value,
        but standard error and interval are refused.

    Examples
    --------
    >>> import rocwise as rw
    >>> y, f = [1, 1, 2, 2, 2, 3, 3, 3, 3, 1], [1, 3, 2, 5, 4, 6, 2.5, 7, 8, 5.5]
    >>> rw.ordinal_auc(y, f)
    VUS 0.44 (95 % CI 0.00 to 0.98, DeLong); chance 0.167; 3 classes, 10 rows
    """
    wanted = quantity(measure, ties)
    checks.fraction(level, "level")
    checks.one_of(method, "method", tuple(METHODS))
    if method in ("plug-in", "unbiased") and measure != "volume":
        raise InputError(
            f"method={method!r} is for measure='volume'; for measure={measure!r} use "
            "method='delong' or method='bootstrap'."
        )
    seed = checks.seed(rng) if method == "bootstrap" else None
    return OrdinalAuc(
        value=wanted.value(ranking),
        measure=measure,
        ties=ties,
        chance=wanted.chance(ranking.n_classes),
        labels=ranking.labels,
        sizes=tuple(int(size) for size in ranking.sizes),
        method=method,
        level=level,
        seed=seed,
        origin=ranking.origin,
        _ranking=ranking,
        _plan=Plan(method, level, n_resamples, seed, progress),
    )


def error_and_interval(
    ranking: Ranking, wanted: Quantity, value: float, plan: Plan
) -> tuple[float, Interval]:
    """Standard error and interval of a measure by the planned method.

    Where the sample shows no spread (all chains in order), Hoeffding's bound stands in: a measure
    is an average of means of as many independent chains as the smallest class has rows.
    """
    ranking.refuse_single_rows("the standard error")
    level, method = plan.level, plan.method
    if method == "bootstrap":
        assert plan.seed is not None
        draws = resampled(
            [ranking], wanted, n_resamples=plan.n_resamples, seed=plan.seed, progress=plan.progress
        )[:, 0]
        error = float(draws.std(ddof=1))
        if error > 0:
            return error, Interval(*percentile_limits(draws, level), level, METHODS[method])
    elif method in ("plug-in", "unbiased"):
        variance = subset_variance(ranking, wanted.ties, method)
        if variance < -1e-15:
            raise InputError(
                f"method={method!r} estimates a negative variance ({variance:.3g}) here, so it "
                "gives no standard error; use method='delong'."
            )
        error = math.sqrt(max(variance, 0.0))
    else:
        error = math.sqrt(float(wanted.covariance([ranking])[0, 0]))
    if error < 1e-12:  # rounding of shares is no spread
        low, high = hoeffding_limits(value, float(ranking.sizes.min()), level)
        return 0.0, Interval(low, high, level, "Hoeffding bound")
    if method == "logit" and 0.0 < value < 1.0:
        return error, logit_interval(value, error, level)
    return error, wald_interval(value, error, level, METHODS[method], (0.0, 1.0))
