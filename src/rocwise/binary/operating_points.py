"""Operating points: every measure at thresholds or rates, with its interval.

`equal_error_rate` is the point where both error rates are equal.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Literal, NamedTuple, Unpack, cast, get_args

import numpy as np

from rocwise import checks, printing
from rocwise.arrays import Array, Floats, Places, Weights
from rocwise.binary.bootstrap import replicates, resampled, resampling_words, sampling
from rocwise.binary.roc import cumulative_rates, roc_rates, score_text, vertices_at
from rocwise.binary.statistics import POINT_OF_CURVE, EqualErrorRate, evaluated
from rocwise.binary.threshold_rules import (
    MEASURES_OF_CELLS,
    Cells,
    beyond,
    cells_of,
    expected_cost,
    ratio,
)
from rocwise.costs import Costs, checked_costs
from rocwise.data.tally import Tally
from rocwise.errors import InputError, MisuseWarning, listed, shown, warn
from rocwise.inference.comparison import ComparableGroups
from rocwise.inference.effective_sizes import (
    WILSON,
    SizedArea,
    rate_at_rate,
    sized_area,
    wilson_interval,
)
from rocwise.inference.intervals import normal_quantile
from rocwise.inference.proportions import METHODS as OF_PROPORTIONS
from rocwise.inference.proportions import PROPORTION_NAMES, ProportionMethod, proportion_limits
from rocwise.inputs.coercion import TallyOptions, as_tally, by_group
from rocwise.kernels.resample import Formula, Reader, multiplicities
from rocwise.results import ASIDE, Estimate, GroupResults, Interval, Resampled, Result, result
from rocwise.tables import with_thresholds_as_text

Axis = Literal["threshold", "sensitivity", "specificity", "fpr", "alarms"]
AXES: tuple[Axis, ...] = get_args(Axis)
SLACK = 1e-12  # a rate this close to a limit meets it: 1 - 0.8 is not exactly 0.2
BETWEEN = -1
# The rate that is left free where the other one is fixed; also the name of its compiled reader.
FREE = {"specificity": "sensitivity", "fpr": "sensitivity", "sensitivity": "specificity"}
OF_PREVALENCE = {"ppv", "npv", "accuracy", "f1", "expected_cost"}


class Points(NamedTuple):
    """Rates of points, and their vertex of the curve, 0 the origin; -1 between two of them."""

    tpr: Floats
    fpr: Floats
    place: Places


@dataclass(frozen=True, slots=True, eq=False)
class PointSpec:
    """Which points are meant: one of five axes, the values along it, and whether to interpolate."""

    axis: Axis
    values: Floats
    interpolate: bool

    def on(self, tpr: Floats, fpr: Floats, places: Places, prior: float) -> Points:
        """The points on curves in rows; `places` are of thresholds, `prior` is the prevalence."""
        if self.axis == "threshold":
            return _at_places(tpr, fpr, np.broadcast_to(places, (len(tpr), len(places))))
        if self.axis == "sensitivity":
            return self._reaching(tpr, fpr)
        along = prior * tpr + (1 - prior) * fpr if self.axis == "alarms" else fpr
        limits = 1 - self.values if self.axis == "specificity" else self.values
        return self._within(along, limits[None, :], tpr, fpr)

    @property
    def given(self) -> str | None:
        """The measure that is fixed beforehand, and so no estimate."""
        return "specificity" if self.axis == "fpr" else self.axis if self.axis in FREE else None

    @property
    def estimand(self) -> str:
        """What the measures are of, in words."""
        name = "FPR" if self.axis == "fpr" else self.axis
        if self.axis == "threshold":
            return "this threshold"
        if self.interpolate:
            return POINT_OF_CURVE.format("so many alarms" if name == "alarms" else f"this {name}")
        if name == "alarms":
            return "best threshold with at most this number of positive predictions"
        return f"best threshold with at {'most' if name == 'FPR' else 'least'} this {name}"

    def in_numbers(self, data: Tally, prior: float) -> tuple[str, Floats]:
        """The same as a compiled reader of both rates, or of the free one, and its parameters."""
        limits = 1 - self.values if self.axis == "specificity" else self.values
        if self.interpolate:
            return FREE[self.axis], limits
        if self.axis == "threshold":
            return "vertices", vertices_of_thresholds(data, self).astype(np.float64)
        if self.axis == "sensitivity":
            return "reaching", limits - SLACK
        return "within", np.append(prior if self.axis == "alarms" else 0.0, limits + SLACK)

    def rates_read(self, read: Floats) -> tuple[Floats, Floats]:
        """TPR and FPR from what the reader read."""
        k = len(self.values)
        if not self.interpolate:
            return read[:, :k], read[:, k : 2 * k]
        if self.axis == "sensitivity":
            return np.broadcast_to(self.values, read.shape), 1 - read
        fixed = 1 - self.values if self.axis == "specificity" else self.values
        return read, np.broadcast_to(fixed, read.shape)

    def _reaching(self, tpr: Floats, fpr: Floats) -> Points:
        """The fewest false positives with this sensitivity, then the most true positives."""
        first = _places_in_rows(tpr, self.values[None, :] - SLACK, "left")
        if self.interpolate:
            before = np.maximum(first - 1, 0)
            return _mixed(before, first, tpr, self.values, tpr, fpr)
        alarms = np.take_along_axis(fpr, first, axis=1)
        return _at_places(tpr, fpr, _places_in_rows(fpr, alarms + SLACK, "right") - 1)

    def _within(self, along: Floats, limits: Floats, tpr: Floats, fpr: Floats) -> Points:
        """The most true positives within a constraint, then the fewest false positives."""
        last = np.maximum(_places_in_rows(along, limits + SLACK, "right") - 1, 0)
        if self.interpolate:
            after = np.minimum(last + 1, tpr.shape[1] - 1)
            return _mixed(last, after, along, limits, tpr, fpr)
        hits = np.take_along_axis(tpr, last, axis=1)
        return _at_places(tpr, fpr, _places_in_rows(tpr, hits - SLACK, "left"))


def _places_in_rows(rows: Floats, wanted: Floats, side: Literal["left", "right"]) -> Places:
    """`np.searchsorted` of the wanted values of every row."""
    wanted = np.broadcast_to(wanted, (len(rows), wanted.shape[1]))
    return np.array([np.searchsorted(r, w, side) for r, w in zip(rows, wanted, strict=True)])


def _at_places(tpr: Floats, fpr: Floats, places: Places) -> Points:
    hits, alarms = (np.take_along_axis(rate, places, axis=1) for rate in (tpr, fpr))
    return Points(hits, alarms, places)


def _mixed(
    before: Places, after: Places, along: Floats, wanted: Floats, tpr: Floats, fpr: Floats
) -> Points:
    """Points on the segments between two vertices, where `along` has the values wanted."""
    start = np.take_along_axis(along, before, axis=1)
    run = np.take_along_axis(along, after, axis=1) - start
    weight = np.divide(wanted - start, run, out=np.zeros_like(run), where=run > SLACK)
    weight = np.clip(weight, 0.0, 1.0)
    exact = np.where(weight > 1 - SLACK, after, np.where(weight < SLACK, before, BETWEEN))
    own = _at_places(tpr, fpr, np.maximum(exact, 0))
    ends = zip(_at_places(tpr, fpr, before), _at_places(tpr, fpr, after), own, strict=True)
    mixed = [np.where(exact == BETWEEN, a + weight * (b - a), c) for a, b, c in ends]
    return Points(mixed[0], mixed[1], exact)


def point_spec(function: str, values_of_axes: tuple[Any, ...], interpolate: Any) -> PointSpec:
    """The one axis that was given, with its values checked."""
    given = dict(zip(AXES, values_of_axes, strict=False))  # the first ones
    named = [axis for axis, values in given.items() if values is not None]
    if len(named) != 1:
        got = f"got {listed(named)}" if named else "got none"
        *some, last = (f"`{axis}`" for axis in given)
        raise InputError(f"`{function}` needs exactly one of {', '.join(some)} and {last}; {got}.")
    (axis,) = named
    values = np.array([_checked(axis, value) for value in _listed(given[axis], axis)])
    if not len(values):
        raise InputError(f"`{axis}` is empty; at least one value is needed.")
    return PointSpec(axis, values, checks.flag(interpolate, "interpolate") and axis != "threshold")


def _listed(values: Any, axis: str) -> list[Any]:
    if isinstance(values, (str, bytes, dict, set, frozenset)):
        raise InputError(f"`{axis}` must be a number or a sequence of them; got {shown(values)}.")
    try:
        return list(values)
    except TypeError:
        return [values]


def threshold_value(value: Any) -> float:
    """A threshold, or that of a result, as a float."""
    if isinstance(value, Result):
        value = getattr(value, "threshold", value)
    infinite = isinstance(value, (float, np.floating)) and np.isinf(value)
    return float(value) if infinite else checks.real(value, "threshold")


def _checked(axis: Axis, value: Any) -> float:
    if axis == "threshold":
        return threshold_value(value)
    if axis == "alarms":
        return checks.not_negative(value, axis)
    return checks.rate(value, axis)


def vertices_of_thresholds(data: Tally, spec: PointSpec) -> Places:
    """Number of distinct scores that are predicted positive at each requested threshold."""
    return vertices_at(data, spec.values if spec.axis == "threshold" else np.empty(0))


Limits = tuple[Floats, Floats]
OwnMetric = Callable[[Any, Any, Any, Any], Any]
USUAL = (
    "sensitivity",
    "specificity",
    "ppv",
    "npv",
    "accuracy",
    "f1",
    "lr_positive",
    "lr_negative",
)


def fixed_limits(
    cells: Cells,
    sizes: tuple[float, float],
    costs: Costs | None,
    level: float,
    method: str,
    *,
    counted: bool,
) -> dict[str, Limits]:
    """Limits at fixed thresholds of so many independent cases; `counted`: of these in all."""
    n_pos, n_neg = sizes
    prior = float(cells.prevalence)
    pos, neg = cells.n_pos / n_pos, cells.n_neg / n_neg  # weight of an effective case of a class

    def mean(of_pos: Floats, of_neg: Floats) -> Floats:
        found = ratio(pos * of_pos + neg * of_neg, of_pos + of_neg)
        return np.where(np.isnan(found), max(pos, neg), found)

    fractions: dict[str, tuple[Floats, Any]] = {
        "sensitivity": (cells.tpr * n_pos, n_pos),
        "specificity": (cells.tnr * n_neg, n_neg),
    }
    if counted:
        fractions |= {
            "ppv": _effective(cells.tp, cells.fp, pos, neg),
            "npv": _effective(cells.tn, cells.fn, neg, pos),
            "accuracy": _effective(
                cells.tp + cells.tn,
                cells.fn + cells.fp,
                mean(cells.tp, cells.tn),
                mean(cells.fn, cells.fp),
            ),
            "f1": _effective(cells.tp, cells.fn + cells.fp, pos, mean(cells.fn, cells.fp)),
        }
    found = {name: _proportion_limits(k, n, level, method) for name, (k, n) in fractions.items()}
    sensitivity, specificity = found["sensitivity"], found["specificity"]
    z = normal_quantile(level)
    if counted:
        found["f1"] = _f1_of(found["f1"])
    else:
        found["ppv"] = _predictive(cells.tpr, cells.tnr, prior, (n_pos, n_neg), z)
        found["npv"] = _predictive(cells.tnr, cells.tpr, 1 - prior, (n_neg, n_pos), z)
        found["accuracy"] = _sum_of_two(
            (prior, cells.tpr, sensitivity), (1 - prior, cells.tnr, specificity)
        )
        found["f1"] = _f1_of(_jaccard(cells, prior, sensitivity, specificity))
    tops, bottoms = np.array([cells.tpr, cells.fnr]), np.array([cells.fpr, cells.tnr])
    ratios = _likelihood_ratios(tops, bottoms, n_pos, n_neg, z)
    found["lr_positive"], found["lr_negative"] = zip(*ratios, strict=True)
    if costs is not None:
        gains = (prior * (costs.tp - costs.fn), (1 - prior) * (costs.tn - costs.fp))
        constant = prior * costs.fn + (1 - prior) * costs.fp
        low, high = _sum_of_two(
            (gains[0], cells.tpr, sensitivity), (gains[1], cells.tnr, specificity)
        )
        found["expected_cost"] = constant + low, constant + high
    return found


def _effective(hits: Floats, misses: Floats, worth_hit: Any, worth_miss: Any) -> Any:
    """Effective numbers of hits and of both, from sums of weights and the mean weights in each.

    p = A / (A + B) has the linearized variance (a A B^2 + b B A^2) / (A + B)^4, a and b being the
    mean weights in A and B: p (1 - p) / n with n = (A + B)^2 / (a B + b A).
    """
    both = hits + misses
    cases = ratio(both, worth_hit * misses + worth_miss * hits)
    return np.where(hits > 0, hits * cases, 0.0), np.where(both > 0, both * cases, 0.0)


def _proportion_limits(k: Floats, n: Any, level: float, method: str) -> Limits:
    """Confidence limits of the proportions k / n; 0 and 1 where n is 0."""
    some = np.broadcast_to(n > 0, k.shape)
    low, high = proportion_limits(np.where(some, k, 0.0), np.where(some, n, 1.0), level, method)
    return np.where(some, low, 0.0), np.where(some, high, 1.0)


def _predictive(
    hit: Floats, rejected: Floats, prior: float, sizes: tuple[float, float], z: float
) -> Limits:
    """Mercaldo's logit limits of the predictive value of a class with this prior."""
    (n1, n0), extra = sizes, z * z / 2
    empty = (np.minimum(hit, 1 - hit) == 0) | (np.minimum(rejected, 1 - rejected) == 0)
    x = np.where(empty, (hit * n1 + extra) / (n1 + 2 * extra), hit)
    y = np.where(empty, (rejected * n0 + extra) / (n0 + 2 * extra), rejected)
    m1, m0 = (np.where(empty, n + 2 * extra, n) for n in (n1, n0))
    centre = np.log(x * prior / ((1 - y) * (1 - prior)))
    reach = z * np.sqrt((1 - x) / (x * m1) + y / ((1 - y) * m0))
    low, high = (np.exp(-np.logaddexp(0.0, -end)) for end in (centre - reach, centre + reach))
    return low, high


def _sum_of_two(*terms: tuple[float, Floats, Limits]) -> Limits:
    """Limits of a weighted sum of independent rates from theirs, squared and added."""
    value = sum(weight * rate for weight, rate, _ in terms)
    down: Any = 0.0
    up: Any = 0.0
    for weight, rate, (low, high) in terms:
        one, other = weight * low, weight * high
        down = down + (weight * rate - np.minimum(one, other)) ** 2
        up = up + (np.maximum(one, other) - weight * rate) ** 2
    return np.asarray(value - np.sqrt(down)), np.asarray(value + np.sqrt(up))


def _jaccard(cells: Cells, prior: float, sensitivity: Limits, specificity: Limits) -> Limits:
    """Limits of J = p TPR / (p + (1 - p) FPR), those of both parts added on the log scale."""
    bottom = prior + (1 - prior) * cells.fpr
    least, most = (prior + (1 - prior) * (1 - limit) for limit in specificity[::-1])
    value = prior * cells.tpr / bottom
    with np.errstate(divide="ignore", invalid="ignore"):
        down = np.hypot(np.log(cells.tpr / sensitivity[0]), np.log(most / bottom))
        up = np.hypot(np.log(sensitivity[1] / cells.tpr), np.log(bottom / least))
        low = np.where(cells.tpr > 0, value * np.exp(-down), 0.0)
        high = np.where(cells.tpr > 0, value * np.exp(up), prior * sensitivity[1] / least)
    return low, np.minimum(high, 1.0)


def _f1_of(limits: Limits) -> Limits:
    low, high = (2 * limit / (1 + limit) for limit in limits)
    return low, high


def _likelihood_ratios(
    top: Floats, bottom: Floats, n_top: float, n_bottom: float, z: float
) -> Limits:
    """Log limits of ratios of two independent rates; from 0 or to infinity where one is 0."""
    cells = (top * n_top, (1 - top) * n_top, bottom * n_bottom, (1 - bottom) * n_bottom)
    half = np.where(np.minimum.reduce(cells) < 0.5, 0.5, 0.0)  # mixtures have parts of cases
    m1, m0 = n_top + 2 * half, n_bottom + 2 * half
    x, y = (cells[0] + half) / m1, (cells[2] + half) / m0
    reach = z * np.sqrt((1 - x) / (x * m1) + (1 - y) / (y * m0))
    centre = np.log(x / y)
    low, high = np.exp(centre - reach), np.exp(centre + reach)
    return np.where(top == 0, 0.0, low), np.where(bottom == 0, np.inf, high)


@dataclass(frozen=True, slots=True, eq=False)
class PointMeasures:
    """The usual measures, the cost and own metrics at points, of one curve or of resampled ones."""

    spec: PointSpec
    prevalence: float | None = None
    costs: Costs | None = None
    own: Mapping[str, OwnMetric] = field(default_factory=dict)

    @property
    def names(self) -> tuple[str, ...]:
        """The measures in order."""
        cost = () if self.costs is None else ("expected_cost",)
        return (*USUAL, *cost, *self.own)

    def of_cells(self, cells: Cells) -> Floats:
        """Every measure of every cell, measures first; nan where one is undefined."""
        found: list[Any] = [MEASURES_OF_CELLS[name](cells) for name in USUAL]
        if self.costs is not None:
            found.append(expected_cost(cells, self.costs))
        for metric in self.own.values():
            own = metric(cells.tp, cells.fp, cells.fn, cells.tn)
            found.append(np.broadcast_to(np.asarray(own, np.float64), cells.tp.shape))
        return np.array(found)

    @property
    def name(self) -> str:
        """Names of the statistics."""
        return f"measures at {self.spec.axis}"

    def of_counts(self, data: Tally) -> Formula:
        """Per row of counts the measures, as (rows, measures, points)."""
        places = vertices_of_thresholds(data, self.spec)
        prior = self.prevalence_of(data)

        def measures(pos: Weights, neg: Weights) -> Floats:
            tpr, fpr = cumulative_rates(pos), cumulative_rates(neg)
            found = self.spec.on(tpr, fpr, places, prior)
            return self.values_at(data, found.tpr, found.fpr)

        return measures

    def reader(self, data: Tally) -> Reader | None:
        """The same in compiled code; none for `alarms` between two thresholds."""
        spec, k = self.spec, len(self.spec.values)
        if spec.interpolate and spec.axis == "alarms":
            return None
        kind, numbers = spec.in_numbers(data, self.prevalence_of(data))

        def finished(read: Floats) -> Floats:
            return self.values_at(data, *spec.rates_read(read))

        return Reader(kind, numbers, width=k if spec.interpolate else 2 * k + 2, finished=finished)

    def prevalence_of(self, data: Tally) -> float:
        """The proportion of the positives."""
        own = float(data.n_pos / (data.n_pos + data.n_neg))
        return own if self.prevalence is None else self.prevalence

    def values_at(self, data: Tally, tpr: Floats, fpr: Floats, totals: Any = None) -> Floats:
        """The measures at rows of points, each with its totals: (rows, measures, points)."""
        n_pos, n_neg = totals or (data.n_pos, data.n_neg)
        cells = cells_of(tpr * n_pos, fpr * n_neg, n_pos, n_neg, self.prevalence)
        return np.moveaxis(self.of_cells(cells), 0, 1)


def percentiles(draws: Floats, level: float) -> Limits:
    """Draws as limits, never between two, as a likelihood ratio may be infinite; nan left out."""
    tail = (1 - level) / 2
    missing = np.isnan(draws).all(axis=0)
    filled = np.where(missing, 0.0, draws)
    low, high = np.nanquantile(filled, [tail, 1 - tail], axis=0, method="inverted_cdf")
    return np.where(missing, np.nan, low), np.where(missing, np.nan, high)


EFFECTIVE = " with Kish's effective sample size"  # of weighted rows
PRINTED = ("sensitivity", "specificity", "ppv", "npv")


def interval_words(methods: Mapping[str, str]) -> str:
    """The methods of the limits of measures: of all rates, or each with its measures."""
    by_method: dict[str, list[str]] = {}
    for name, method in methods.items():
        if method != "given":
            words = method.partition(", by the ")[0]
            by_method.setdefault(words, []).append(name.upper() if len(name) == 3 else name)
    if len(by_method) == 1:
        return f"rates by {next(iter(by_method))}"
    return ", ".join(
        f"{' and '.join(filter(None, [', '.join(names[:-1]), names[-1]]))} by {method}"
        for method, names in by_method.items()
    )


PointMethod = Literal["auto", ProportionMethod, "bootstrap"]
METHODS = ("auto", *OF_PROPORTIONS, "bootstrap")
FEWEST_CLUSTERS = 20


class RateColumns:
    """A result whose columns are attributes too, with limits of its rates."""

    __slots__ = ()
    columns: dict[str, Array]

    def __getattr__(self, name: str) -> Any:
        columns = self.__dict__.get("columns", {})
        if name in columns:
            return columns[name]
        raise AttributeError(f"the table has no column {name!r}; it has {', '.join(columns)}.")

    def _rate_words(self, row: int, n: float) -> str:
        """The rates of a row with their limits, with the digits that `n` cases support."""
        shown = []
        for name in PRINTED:
            value, low, high = (self.columns[f"{name}{end}"][row] for end in ("", "_low", "_high"))
            if value is np.ma.masked:
                continue
            words = f"{name.upper() if len(name) == 3 else name} {printing.rate(value, n)}"
            if low is not np.ma.masked:
                words += f" ({printing.rate(low, n)} to {printing.rate(high, n)})"
            shown.append(words)
        return ", ".join(shown)

    def _columns_with_limits(self, *others: str) -> dict[str, Any]:
        """One column for each measure, the value with its limits; without `others`."""
        found: dict[str, Any] = {}
        for name, column in self.columns.items():
            if name.endswith(("_low", "_high", "_standard_error")) or name in others:
                continue
            ends = [self.columns.get(f"{name}{end}") for end in ("_low", "_high")]
            found[name] = column if ends[0] is None else _with_limits(column, *ends)
        return found


@result
class PointsTable(RateColumns, Resampled):
    """Counts and measures with confidence limits at operating points.

    The columns are attributes too: `table.ppv`, `table.ppv_low`. `estimand` describes what is
    measured. Where the point lies between two thresholds, `threshold` is masked and counts are
    fractions. Measures are masked where they are undefined, and limits where a measure is fixed by
    the request. `methods` has the interval method of each measure, `method` that of proportions.
    """

    axis: str
    estimand: str
    requested: Floats
    columns: dict[str, Array]
    level: float
    method: str
    methods: dict[str, str]
    prevalence: float
    prevalence_given: bool = False
    n_pos: float
    n_neg: float
    data: Tally = field(metadata=ASIDE)

    def __len__(self) -> int:
        return len(self.requested)

    def interval(self, measure: str, row: int = 0) -> Interval | None:
        """The interval of one measure in one row; None where the request fixes the measure."""
        checks.one_of(measure, "measure", tuple(self.methods))
        low, high = (
            self.columns[f"{measure}_{end}"][self._checked(row)] for end in ("low", "high")
        )
        fixed = low is np.ma.masked
        return None if fixed else Interval(low, high, self.level, self.methods[measure])

    def _sentence(self) -> str:
        return "\n".join(self._row_words(row) for row in range(len(self)))

    def _row_words(self, row: int) -> str:
        rates = self._rate_words(row, self.n_pos + self.n_neg)
        return f"at {self.axis} {self.requested_text(row)}: {rates}; {self._limits_words()}"

    def _limits_words(self) -> str:
        """How the limits were made, and of what."""
        of = "" if self.axis == "threshold" else f"; {self.estimand}"
        if self.prevalence_given:
            of += f"; PPV and NPV for a prevalence of {printing.percent(self.prevalence)}"
        return f"{printing.percent(self.level)} CI{self.interval_words()}{of}"

    def _notes(self) -> str:
        unit = "weighted " if self.data.weighted else ""
        sizes = f"{unit}{printing.classes(self.n_pos, self.n_neg)}"
        return "; ".join([sizes, self._limits_words(), *self.origin.remarks()]) + self._draw_words()

    def _in_words(self) -> str:
        return ""  # which has some of the measures only

    def interval_words(self) -> str:
        """How the limits of the printed measures were made, after the word CI."""
        words = interval_words({name: self.methods[name] for name in PRINTED})
        return (
            f", {words.removeprefix('rates by ')}"
            if words.startswith("rates by ")
            else f": {words}"
        )

    def requested_text(self, row: int) -> str:
        """The requested value of a row, as it is printed."""
        requested = float(self.requested[self._checked(row)])
        return score_text(self.data, requested) if self.axis == "threshold" else f"{requested:.6g}"

    def threshold_text(self, row: int) -> str:
        """The threshold of a row in the fewest digits that recount; "-" where two are mixed."""
        value = self.columns["threshold"][self._checked(row)]
        return "-" if value is np.ma.masked else score_text(self.data, float(value))

    def _checked(self, row: int) -> int:
        return checks.whole(row, "row", at_least=0, at_most=len(self.requested) - 1)

    def _columns(self) -> Mapping[str, Any]:
        return {"requested": self.requested, **self.columns}

    def _columns_to_read(self) -> Mapping[str, Any]:
        """One column for each measure: the value with its limits."""
        found = {self.axis: self.requested} | self._columns_with_limits(self.axis)
        return with_thresholds_as_text(found, self)


def _with_limits(values: Any, low: Any, high: Any) -> list[str]:
    rows = zip(values.tolist(), low.tolist(), high.tolist(), strict=True)
    return [
        "" if v is None else f"{v:.3f}" if a is None else f"{v:.3f} ({a:.3f} to {b:.3f})"
        for v, a, b in rows
    ]


@by_group
def at(
    data: Any = None,
    y_score: Any = None,
    *,
    threshold: Any = None,
    sensitivity: Any = None,
    specificity: Any = None,
    fpr: Any = None,
    alarms: Any = None,
    prevalence: float | None = None,
    costs: Costs | None = None,
    metrics: Mapping[str, OwnMetric] | None = None,
    interpolate: bool = True,
    method: PointMethod = "auto",
    level: float = 0.95,
    n_resamples: int = 2000,
    rng: Any = None,
    **given: Unpack[TallyOptions],
) -> PointsTable:
    """Compute sensitivity, specificity, PPV, NPV and other measures at operating points.

    Give exactly one of `threshold`, `sensitivity`, `specificity`, `fpr` and `alarms`.

    Parameters
    ----------
    threshold : float, result of `threshold`, or sequence of them, optional
        Thresholds.
    sensitivity : float or sequence of float, optional
        Points of the ROC curve with this sensitivity.
    specificity : float or sequence of float, optional
        Points of the ROC curve with this specificity.
    fpr : float or sequence of float, optional
        Points of the ROC curve with this false positive rate.
    alarms : float or sequence of float, optional
        Points with this number (below 1: this proportion) of positive predictions.
    prevalence : float, optional
        Prevalence that PPV, NPV, accuracy, F1 and cost refer to. By default that of the data, which
        is an estimate: their intervals are wider than at the same prevalence if it is given.
    costs : Costs, optional
        Also compute `expected_cost`, per case.
    metrics : dict of str to callable, optional
        Further measures, functions of the arrays (tp, fp, fn, tn), with bootstrap intervals.
    interpolate : bool, default True
        Whether points may lie between two thresholds. If False, the best threshold of the sample
        with at least this sensitivity or specificity, or at most this FPR or number of positive
        predictions.
    method : str, default "auto"
        Interval method: one of `inference.proportion_interval`, for thresholds that are fixed in
        advance, or "bootstrap", which recomputes the points in each resample. "auto" is "wilson"
        for `threshold`, "bootstrap" for `alarms`, and see Notes for the other three.
    level : float, default 0.95
        Confidence level.
    n_resamples : int, default 2000
        Number of bootstrap resamples.
    rng : int, numpy.random.Generator or None, optional
        Seed or random generator; None draws a seed, which the result reports.

    Returns
    -------
    PointsTable
        Result with one row per point: `threshold`, `tp`, `fp`, `fn`, `tn`, `sensitivity`,
        `specificity`, `ppv`, `npv`, `accuracy`, `f1`, `lr_positive`, `lr_negative`, and limits such
        as `ppv_low` and `ppv_high`.

    See Also
    --------
    thresholds : Counts and metrics at every threshold.
    threshold : Optimal threshold by a criterion.
    compare_at : Comparison of two models at an operating point.
    roc : Empirical ROC curve.

    Notes
    -----
    At a given sensitivity, specificity or FPR that rate has no interval. The other rate has a
    Wilson score interval [1]_ with the effective sample size that corresponds to its bootstrap
    variance, and the intervals of the remaining measures are transformed from it. With `groups`
    intervals are percentiles of resamples of whole clusters; fewer than 20 clusters give a
    `MisuseWarning`, because the coverage is too low.

    References
    ----------
    .. [1] E. B. Wilson, "Probable inference, the law of succession, and statistical inference", J.
           Am. Stat. Assoc. 22, 1927. doi:10.1080/01621459.1927.10502953

    Examples
    --------
    >>> import rocwise as rw
    >>> y_true, y_score = [0, 0, 0, 0, 1, 0, 1, 1], [1, 2, 3, 4, 5, 6, 7, 8]
    >>> points = rw.at(y_true, y_score, threshold=[4, 6])
    >>> points.sensitivity.round(3).tolist(), points.ppv.round(3).tolist()
    ([1.0, 0.667], [0.6, 0.667])
    >>> ax = points.plot()
    """
    tally = as_tally("at", data, y_score, given)
    axes = (threshold, sensitivity, specificity, fpr, alarms)
    spec = point_spec("at", axes, interpolate)
    plan = point_measures(spec, tally, prevalence, costs, metrics)
    checks.one_of(method, "method", METHODS)
    drawn, cells = spec.axis != "threshold", len(spec.values) * len(plan.names)
    level = checks.level(level)
    n_resamples = checks.draws(n_resamples, rng, at_least=1 + drawn, cells=cells)
    free = FREE.get(spec.axis) if method == "auto" else None
    if method == "auto":
        by_count = spec.axis == "threshold" and not tally.clustered
        method = "wilson" if by_count else "bootstrap"
    if tally.clustered and method != "bootstrap":
        raise InputError(
            f"method={method!r} assumes independent rows; with clusters use 'bootstrap'."
        )
    n_clusters = tally.origin.n_clusters
    if n_clusters is not None and n_clusters < FEWEST_CLUSTERS:
        warn(
            f"the rows form {printing.counted(n_clusters, 'cluster')}: with fewer than "
            f"{FEWEST_CLUSTERS} the coverage of intervals from resamples of clusters is too low.",
            MisuseWarning,
        )
    return _table(tally, spec, plan, cast(str, method), level, n_resamples, rng, free)


def point_measures(
    spec: PointSpec, data: Tally, prevalence: Any, costs: Any, metrics: Any
) -> PointMeasures:
    """The measures to compute at points; `alarms` from 1 on become proportions."""
    prior = None if prevalence is None else checks.prevalence(prevalence)
    if metrics is not None and (
        not isinstance(metrics, Mapping) or not all(map(callable, metrics.values()))
    ):
        raise InputError(
            "`metrics` must be a dict of name to function of (tp, fp, fn, tn), for example "
            "{'critical success': lambda tp, fp, fn, tn: tp / (tp + fp + fn)}."
        )
    if spec.axis == "alarms":
        total = data.n_pos + data.n_neg
        spec = replace(spec, values=np.where(spec.values < 1, spec.values, spec.values / total))
    return PointMeasures(
        spec, prior, None if costs is None else checked_costs(costs), metrics or {}
    )


def _table(
    data: Tally,
    spec: PointSpec,
    plan: PointMeasures,
    method: str,
    level: float,
    n_resamples: int,
    rng: Any,
    free: str | None,
) -> PointsTable:
    drawn: Any = {}
    if free is not None or method == "bootstrap" or plan.own:
        drawn = {"seed": checks.seed(rng), "n_resamples": n_resamples}
    prior, vertices = plan.prevalence_of(data), vertices_of_thresholds(data, plan.spec)
    fpr, tpr = (rates[None, :] for rates in roc_rates(data))
    points = Points(*(values[0] for values in plan.spec.on(tpr, fpr, vertices, prior)))
    counts = _counts(data, points)
    cells = cells_of(counts["tp"], counts["fp"], data.n_pos, data.n_neg, plan.prevalence)
    names, values = plan.names, plan.of_cells(cells)
    limits = _limits(data, plan, cells, method, level, drawn, free)
    if spec.given is not None:
        limits[spec.given] = (np.full(len(spec.values), np.nan),) * 2
    columns: dict[str, Array] = {"threshold": _thresholds(data, spec, points.place), **counts}
    columns |= _with_ends(names, values, limits)
    words = f"{PROPORTION_NAMES.get(method, method)}{EFFECTIVE if data.weighted else ''}"
    if method == "bootstrap":
        words = resampling_words(data, "bootstrap percentile")
    methods = _methods(plan, method, words, counted=plan.prevalence is None)
    if free is not None:
        methods |= dict.fromkeys(set(names) - set(plan.own), f"{WILSON}, by the {free}")
        if plan.prevalence is None:
            methods |= dict.fromkeys(
                OF_PREVALENCE & set(names), f"{WILSON}, by the {free} and the prevalence (MOVER)"
            )
        methods[free] = WILSON
    if spec.given is not None:
        methods[spec.given] = "given"
    return PointsTable(
        axis=spec.axis,
        estimand=spec.estimand,
        requested=spec.values,
        columns=columns,
        level=level,
        method=words if free is None else WILSON,
        methods=methods,
        prevalence=prior,
        prevalence_given=plan.prevalence is not None,
        data=data,
        **drawn,
        **data.result_fields,
    )


def _with_ends(
    names: tuple[str, ...], values: Floats, limits: Mapping[str, Limits]
) -> dict[str, Array]:
    """Columns of every measure and both its limits, which hold the value itself, if there are."""
    low, high = (np.array([limits[name][end] for name in names]) for end in (0, 1))
    with np.errstate(invalid="ignore"):
        low, high = np.minimum(low, values), np.maximum(high, values)
    for table in (values, low, high):
        table.setflags(write=False)  # and with it all columns
    found: dict[str, Array] = {}
    for row, name in enumerate(names):
        for ending, table in (("", values), ("_low", low), ("_high", high)):
            found[f"{name}{ending}"] = _masked(table[row], np.isnan(table[row]))
    return found


def _methods(plan: PointMeasures, method: str, words: str, *, counted: bool) -> dict[str, str]:
    """How the limits of every measure were made."""
    names = dict.fromkeys(plan.names, words)
    if method == "bootstrap":
        return names
    names |= dict.fromkeys(plan.own, "bootstrap percentile")
    names |= dict.fromkeys(("lr_positive", "lr_negative"), "log (Simel)")
    if "expected_cost" in names:
        names["expected_cost"] = f"{words}, MOVER"
    if not counted:
        names |= dict.fromkeys(("ppv", "npv"), "logit (Mercaldo et al.)")
        names |= dict.fromkeys(("accuracy", "f1"), f"{words}, MOVER")
    return names


def _counts(data: Tally, points: Points) -> dict[str, Array]:
    """The four cells: those of the tally, or mixtures of two of its rows."""
    tp, fp = points.tpr * data.n_pos, points.fpr * data.n_neg
    own = points.place != BETWEEN
    if own.all() and not data.weighted:
        before = np.maximum(points.place, 0) - 1
        tp, fp = (np.where(before < 0, 0, sums[before]) for sums in (data.tp, data.fp))
    fn, tn = np.maximum(data.n_pos - tp, 0), np.maximum(data.n_neg - fp, 0)
    return {"tp": tp, "fp": fp, "fn": fn, "tn": tn}


def _thresholds(data: Tally, spec: PointSpec, places: Places) -> Array:
    if spec.axis == "threshold":
        return spec.values
    scores = np.concatenate([[beyond(data)], np.asarray(data.scores, np.float64)])
    return _masked(scores[np.maximum(places, 0)], places == BETWEEN)


def _masked(column: Array, undefined: Array) -> Array:
    if not undefined.any():
        return column
    masked: Array = np.ma.masked_array(np.where(undefined, 0.0, column), mask=undefined)
    return masked


def _limits(
    data: Tally,
    plan: PointMeasures,
    cells: Cells,
    method: str,
    level: float,
    drawn: dict[str, Any],
    free: str | None,
) -> dict[str, Limits]:
    """Limits of every measure: at fixed thresholds, by the free rate, or by resamples."""
    fixed: dict[str, Limits] = {}
    if free is None:
        usual = "wilson" if method == "bootstrap" else method
        counted = plan.prevalence is None and not data.clustered
        sizes = data.effective_sizes
        fixed = fixed_limits(cells, sizes, plan.costs, level, usual, counted=counted)
        if not drawn:
            return fixed
    draws = _draws(data, plan, **drawn)
    found = dict(zip(plan.names, zip(*percentiles(draws, level), strict=True), strict=True))
    if free is not None:
        ends = _limits_by_rate(data, plan, cells, draws[:, plan.names.index(free)], level)
        found |= {name: ends[name] for name in plan.names if name not in plan.own}
    elif method != "bootstrap":
        found |= fixed
    return {name: _unless_equal(limits, fixed.get(name)) for name, limits in found.items()}


def _draws(data: Tally, plan: PointMeasures, n_resamples: int, seed: int) -> Floats:
    """The measures of resamples; at thresholds their prevalence is the given one, or their own."""
    if plan.prevalence is not None or plan.spec.axis != "threshold":
        return replicates(data, plan, n_resamples=n_resamples, seed=seed)
    (units, rows), k = sampling(data, stratified=False), len(plan.spec.values)
    worth = np.abs(np.ones(len(rows.codes)) if rows.weights is None else rows.weights)
    classes = (rows.codes >= 0, rows.codes < 0)
    weights = np.column_stack([np.bincount(rows.units, worth * own, units.size) for own in classes])
    places, compiled = vertices_of_thresholds(data, plan.spec), plan.reader(data)

    def rates(pos: Weights, neg: Weights) -> Floats:
        tpr, fpr = cumulative_rates(pos), cumulative_rates(neg)
        return np.column_stack([tpr[:, places], fpr[:, places]])

    def totals(first: int, last: int) -> Floats:
        each = (multiplicities(units, seed, b, b + 1)[0] for b in range(first, last))
        return np.array([times @ weights for times in each])

    reader = compiled and compiled._replace(finished=lambda read: read[:, : 2 * k])
    title = f"bootstrap of {plan.name}"
    drawn = resampled(data, rates, reader, n_resamples, seed, title, stratified=False, more=totals)
    tpr, fpr, *sums = np.split(drawn, [k, 2 * k, 2 * k + 1], axis=1)
    return plan.values_at(data, tpr, fpr, sums)


def _limits_by_rate(
    data: Tally, plan: PointMeasures, cells: Cells, draws: Floats, level: float
) -> dict[str, Limits]:
    """Limits of every measure, all monotone, at a fixed rate by Wilson's of the free one."""
    of_negatives = plan.spec.axis == "sensitivity"
    values, (cases, others) = cells.tpr, data.effective_sizes
    if of_negatives:
        values, cases, others = cells.tnr, others, cases
    variances = draws.var(axis=0, ddof=1)
    rows = zip(values.tolist(), variances.tolist(), plan.spec.values.tolist(), strict=True)
    tail = (1 - level) / 2
    limits = [rate_at_rate(v, var, cases, others, at).limits(tail) for v, var, at in rows]
    ends = np.array(limits).T
    other = np.broadcast_to(cells.tpr if of_negatives else cells.fpr, ends.shape)
    both = plan.values_at(data, *((other, 1 - ends) if of_negatives else (ends, other)))
    found = dict(zip(plan.names, zip(np.fmin(*both), np.fmax(*both), strict=True), strict=True))
    if plan.prevalence is not None:
        return found
    return _with_prevalence(data, plan, cells, found, level)


def _with_prevalence(
    data: Tally, plan: PointMeasures, cells: Cells, limits: dict[str, Limits], level: float
) -> dict[str, Limits]:
    """Limits at a rate with those of the estimated prevalence (MOVER; of proportions by logits)."""
    totals = np.array([[data.n_pos], [data.n_neg]])
    k, n = _effective(*totals, *(totals[:, 0] / data.effective_sizes))
    ends = [
        replace(plan, prevalence=end.item()).values_at(data, cells.tpr[None], cells.fpr[None])[0]
        for end in _proportion_limits(k, n, level, "wilson")
    ]
    found = dict(limits)
    for row, name in enumerate(plan.names):
        if name in OF_PREVALENCE:
            both = np.array([limits[name], np.sort([end[row] for end in ends], axis=0)])
            value, proportion = plan.of_cells(cells)[row], name != "expected_cost"
            with np.errstate(divide="ignore", invalid="ignore"):
                if proportion:
                    both, value = (np.log(each / (1 - each)) for each in (both, value))
                down, up = np.hypot(*(both - value))
                own = np.array([value - down, value + up])
                if proportion:
                    own = np.exp(-np.logaddexp(0, -own))
            low, high = np.where(np.isnan(own), limits[name], own)  # 0 or 1 at every prevalence
            found[name] = low, high
    return found


def _unless_equal(limits: Limits, fixed: Limits | None) -> Limits:
    """Limits at a fixed threshold, or none, where both are equal: nothing shows a variance."""
    with np.errstate(invalid="ignore"):
        equal = ~(limits[1] - limits[0] > SLACK) & ~(np.isinf(limits[1]) & np.isfinite(limits[0]))
    low, high = fixed or (np.nan, np.nan)
    return np.where(equal, low, limits[0]), np.where(equal, high, limits[1])


@result
class EqualErrorResult(Estimate):
    """Equal error rate (FNR equal to FPR) with its confidence interval."""

    group_results: ClassVar[type[GroupResults[Any]] | None] = ComparableGroups
    frame_fields: ClassVar[tuple[str, ...]] = (
        *("value", "standard_error", "low", "high", "n_pos", "n_neg"),
    )
    n_pos: float
    n_neg: float
    as_share: SizedArea = field(metadata=ASIDE)

    def _metric(self) -> str:
        return "equal_error_rate"

    def _sentence(self) -> str:
        found = printing.estimate(self.value, self.interval, self.n_pos + self.n_neg)
        return f"equal error rate {found}; {printing.classes(self.n_pos, self.n_neg)}"


@by_group
def equal_error_rate(
    data: Any = None,
    y_score: Any = None,
    *,
    level: float = 0.95,
    n_resamples: int = 2000,
    rng: Any = None,
    **given: Unpack[TallyOptions],
) -> EqualErrorResult:
    """Compute the equal error rate (EER), where false positive and false negative rate are equal.

    Parameters
    ----------
    level : float, default 0.95
        Confidence level.
    n_resamples : int, default 2000
        Number of bootstrap resamples.
    rng : int, numpy.random.Generator or None, optional
        Seed or random generator; None draws a seed, which the result reports.

    Returns
    -------
    EqualErrorResult
        Result with `value`, `standard_error` and `interval`: a Wilson score interval [1]_ with the
        effective sample size that corresponds to the bootstrap variance.

    See Also
    --------
    det : Detection error trade-off curve.
    at : Sensitivity, specificity, PPV and NPV at an operating point.
    statistics.EqualErrorRate : Equal error rate.

    References
    ----------
    .. [1] E. B. Wilson, "Probable inference, the law of succession, and statistical inference", J.
           Am. Stat. Assoc. 22, 1927. doi:10.1080/01621459.1927.10502953

    Examples
    --------
    >>> import rocwise as rw
    >>> rw.equal_error_rate([0, 0, 0, 0, 1, 1, 1, 1], [1, 2, 3, 5, 4, 6, 7, 8], rng=1).value
    0.25
    """
    tally = as_tally("equal_error_rate", data, y_score, given)
    level, n_resamples = checks.level(level), checks.draws(n_resamples, rng, at_least=2)
    seed, statistic = checks.seed(rng), EqualErrorRate()
    value = evaluated(tally, statistic)
    draws = replicates(tally, statistic, n_resamples=n_resamples, seed=seed)
    smaller, variance = min(tally.effective_sizes), float(draws.var(ddof=1))
    as_share = sized_area(value, variance, [(variance, smaller)], smaller)
    return EqualErrorResult(
        value=value,
        standard_error=variance**0.5,
        interval=wilson_interval(as_share, level),
        seed=seed,
        n_resamples=n_resamples,
        as_share=as_share,
        **tally.result_fields,
    )
