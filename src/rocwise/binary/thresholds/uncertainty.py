"""How sure a chosen threshold is: its bootstrap interval, and what it does out of the bag."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from rocwise import checks, kernels, printing
from rocwise.arrays import Array, Counts, Floats
from rocwise.binary.resampling.draws import drawn_times, drawn_units, resampling_words
from rocwise.binary.roc import ThresholdInterval, of_thresholds, sums_from_zero
from rocwise.binary.thresholds import confusion_cells as outcomes
from rocwise.binary.thresholds.choices import NOWHERE, candidate_thresholds, choose
from rocwise.binary.thresholds.confusion_cells import Cells, cells_of
from rocwise.binary.thresholds.rules import Rule, RuleTerms, rule_in_numbers
from rocwise.data.tally import Tally
from rocwise.data.tally_rows import TallyRows
from rocwise.errors import InputError
from rocwise.inference.chunked_draws import ROWS_PER_CELL, in_chunks
from rocwise.kernels.resampling_tables import in_chunks as in_cached_chunks
from rocwise.progress import Report
from rocwise.results import Interval, Result, result

if TYPE_CHECKING:
    from rocwise.binary.thresholds.operating_points import OperatingPoint

Measure = Callable[[Cells], Floats]


@result
class ThresholdUncertainty(Result):
    """A chosen threshold with its bootstrap interval, and its honest performance.

    Row k of the arrays is about `measures[k]`: its value on the data that chose the threshold
    (`in_sample`), the mean over resamples on the cases left out of them (`out_of_bag`, with
    percentiles `low` and `high`), and by how much the first looks better (`optimism`). What is
    undefined is masked. `n_failed` resamples had no threshold that met the limit.
    """

    point: OperatingPoint
    threshold: float
    interval: ThresholdInterval
    measures: Array
    in_sample: Floats
    out_of_bag: Floats
    optimism: Floats
    low: Floats
    high: Floats
    replicates: Floats
    n_failed: int
    seed: int

    def _sentence(self) -> str:
        drop = ", ".join(
            f"{name} {inside:.3f} in sample, {outside:.3f} out of bag"
            for name, inside, outside in zip(
                self.measures[:1], self.in_sample[:1], self.out_of_bag[:1], strict=True
            )
        )
        failed = f", {self.n_failed:,} of them without a threshold" if self.n_failed else ""
        return (
            f"{self.point.decision} ({printing.percent(self.interval.level)} CI of the threshold "
            f"{self.interval.ends}, {self.interval.method}); {drop}; "
            f"{printing.count(len(self.replicates) + self.n_failed)} resamples{failed}, "
            f"seed {self.seed}"
        )

    def _columns(self) -> dict[str, Any]:
        names = ("in_sample", "out_of_bag", "optimism", "low", "high")
        return {"measure": self.measures, **{name: getattr(self, name) for name in names}}


def resampled_threshold(
    point: OperatingPoint,
    rule: Rule,
    *,
    n_resamples: int,
    level: float,
    rng: Any,
    progress: bool | Report | None,
) -> ThresholdUncertainty:
    """The bootstrap of a point that the rule chose; see `OperatingPoint.uncertainty`."""
    data = point.data
    _refuse_too_few(data)
    level = checks.level(level)
    measures = _measures(rule, point.terms)
    n_resamples = checks.draws(n_resamples, rng, progress, at_least=2, cells=4 + 2 * len(measures))
    seed = checks.seed(rng)
    if data.rows is None:
        draw, cells = _cases_drawn(point, rule, measures, seed), 1 + len(data) // 32
    else:
        draw = _rows_drawn(point, data.rows, rule, measures, seed)
        by_rows = data.rows.counts is not None or point.terms.own is not None
        cells = 16 * len(data.rows) if by_rows else 1 + len(data.rows) // ROWS_PER_CELL
    drawn = in_chunks(draw, n_resamples, cells, progress, "bootstrap of the threshold")
    return _summary(point, rule, measures, drawn, level, seed)


def _refuse_too_few(data: Tally) -> None:
    """Nothing is left out of a resample where a class has one row, or one cluster has it all."""
    units = data.n_pos, data.n_neg
    if data.rows is not None:
        members = data.rows.clusters
        numbers = np.arange(len(data.rows)) if members is None else members
        own = (data.rows.positive, ~data.rows.positive)
        units = tuple(kernels.numbers_used(numbers[flags]) for flags in own)  # type: ignore[assignment]
    if min(units) < 2:
        what = "clusters with cases" if data.clustered else "cases"
        raise InputError(
            f"`uncertainty` needs at least two {what} of each class, or none is left out; "
            f"got {printing.classes(*units)}."
        )


def _measures(rule: Rule, terms: RuleTerms) -> dict[str, Measure]:
    """What to try out of the bag, the rule's own measure first."""
    known: dict[str, Measure] = {}
    if rule.name != "cost" and not rule.grows_with_n:
        known[rule.measure_name] = lambda cells: rule.measure(cells, terms)
    if terms.costs is not None:
        costs = terms.costs
        known["expected cost"] = lambda cells: outcomes.expected_cost(cells, costs)
    known["sensitivity"] = lambda cells: cells.tpr
    known["specificity"] = lambda cells: cells.tnr
    known["precision"] = outcomes.precision
    known["NPV"] = outcomes.npv
    known["accuracy"] = outcomes.accuracy
    return known


def _cases_drawn(
    point: OperatingPoint, rule: Rule, measures: dict[str, Measure], seed: int
) -> Callable[[int, int], Floats]:
    """Place of the threshold and the measures out of the bag, one row per resample.

    Cases, not counts at the scores, are drawn: which of several equal ones was left out matters.
    """
    data, terms = point.data, point.terms
    n_pos, n_neg = float(data.n_pos), float(data.n_neg)

    def chosen(hits: Floats, alarms: Floats) -> Counts:
        inside = cells_of(hits, alarms, n_pos, n_neg, terms.prevalence)
        return choose(inside, rule, terms, point.ties).place

    told = rule_in_numbers(rule, terms, point.ties)

    counts = data.narrow_counts()

    def draw(first: int, last: int) -> Floats:
        place, absent = kernels.resample_thresholds(*counts, seed, first, last, chosen, told)
        tp, fp, of_pos, of_neg = absent.T.astype(np.float64)
        n_pos_out, n_neg_out = (np.where(size > 0, size, np.nan) for size in (of_pos, of_neg))
        outside = cells_of(tp, fp, n_pos_out, n_neg_out, point.prevalence)
        return np.stack([place, *(measure(outside) for measure in measures.values())], axis=1)

    return draw


def _rows_drawn(
    point: OperatingPoint, rows: TallyRows, rule: Rule, measures: dict[str, Measure], seed: int
) -> Callable[[int, int], Floats]:
    """The same for rows with weights, or in clusters."""
    terms = point.terms

    def chosen(hits: Floats, alarms: Floats) -> Counts:
        inside = cells_of(hits, alarms, hits[:, -1:], alarms[:, -1:], terms.prevalence)
        return choose(inside, rule, terms, point.ties).place

    def tried(place: Counts, absent: Floats) -> Floats:
        tp, of_pos, fp, of_neg = absent.T
        n_pos, n_neg = (np.where(size > 0, size, np.nan) for size in (of_pos, of_neg))
        outside = cells_of(tp, fp, n_pos, n_neg, point.prevalence)
        return np.stack([place, *(measure(outside) for measure in measures.values())], axis=1)

    if rows.counts is not None:
        return _counted_rows_drawn(rows, chosen, tried, seed)
    of_rows, times = drawn_units(rows, seed)
    signed, told = rows.signed(of_rows), rule_in_numbers(rule, terms, point.ties)

    def draw(first: int, last: int) -> Floats:
        return tried(*kernels.choose_rows(signed, times(first, last), chosen, told))

    if told is None:
        return draw
    return lambda first, last: in_cached_chunks(draw, first, last, 1 + len(rows) // 4)


def _counted_rows_drawn(
    rows: TallyRows,
    chosen: Callable[[Floats, Floats], Counts],
    tried: Callable[[Counts, Floats], Floats],
    seed: int,
) -> Callable[[int, int], Floats]:
    """The same for rows that stand for several each, some of which may be left out."""
    times = drawn_times(rows, seed)

    def draw(first: int, last: int) -> Floats:
        drawn = times(first, last)
        place = chosen(*(sums_from_zero(part) for part in rows.amounts(drawn)))
        above = np.maximum(place, 0)[:, None]
        sums = [sums_from_zero(part) for part in rows.left_out(drawn)]
        left = [(np.take_along_axis(part, above, 1), part[:, -1:]) for part in sums]
        return tried(place, np.concatenate([*left[0], *left[1]], axis=1))

    return draw


def _summary(
    point: OperatingPoint,
    rule: Rule,
    measures: dict[str, Measure],
    drawn: Floats,
    level: float,
    seed: int,
) -> ThresholdUncertainty:
    data = point.data
    failed = drawn[:, 0] == NOWHERE
    if failed.all():
        raise InputError(
            "no resample has a threshold that meets `constraint`, so the threshold has no "
            "interval; choose a limit that is not at the edge of what the data reach."
        )
    scores = candidate_thresholds(data).astype(np.float64)
    replicates = scores[drawn[~failed, 0].astype(np.intp)]
    own = cells_of(point.tp, point.fp, data.n_pos, data.n_neg, point.prevalence)
    in_sample = _masked([float(measure(own)) for measure in measures.values()])
    columns = [column[~np.isnan(column)] for column in drawn[~failed, 1:].T]
    outside = _masked([float(column.mean()) if len(column) else np.nan for column in columns])
    smaller_is_better = [
        name == "expected cost" or (name == rule.measure_name and rule.smallest)
        for name in measures
    ]
    sign = np.where(smaller_is_better, -1.0, 1.0)
    tail = (1 - level) / 2
    limits = _quantile(replicates, tail), _quantile(replicates, 1 - tail)
    return ThresholdUncertainty(
        point=point,
        threshold=point.threshold,
        interval=of_thresholds(
            Interval(*limits, level, resampling_words(data, "bootstrap percentile")), data
        ),
        measures=np.array(list(measures)),
        in_sample=in_sample,
        out_of_bag=outside,
        optimism=sign * (in_sample - outside),
        low=_masked([_quantile(column, tail) for column in columns]),
        high=_masked([_quantile(column, 1 - tail) for column in columns]),
        replicates=replicates,
        n_failed=int(failed.sum()),
        seed=seed,
        origin=data.origin,
    )


def _masked(values: list[float]) -> Floats:
    """The numbers, masked where they are undefined."""
    array = np.array(values)
    masked: Floats = np.ma.masked_array(np.where(np.isnan(array), 0.0, array), np.isnan(array))
    return masked


def _quantile(values: Floats, share: float) -> float:
    """An observed value, outwards where the share falls between two: some may be infinite."""
    if not len(values):
        return float("nan")
    return float(np.quantile(values, share, method="lower" if share < 0.5 else "higher"))
