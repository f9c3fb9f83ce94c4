"""The one bootstrap engine: curves resampled by drawing counts on the tally, never rows.

Replicate b depends on (seed, b) alone, so the number of threads, the size of the chunks and an
interruption change nothing in the replicates that were made.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field
from typing import Any, Unpack

import numpy as np

from rocwise import checks, kernels, printing
from rocwise.arrays import Floats
from rocwise.binary.resampling.binned import InBins, has_very_many_scores, in_bins, with_bins
from rocwise.binary.resampling.binned_precision import PrecisionInBins
from rocwise.binary.resampling.by_blocks import SCORES_PER_CELL, best_drawn, best_vertices
from rocwise.binary.resampling.curve_statistics import (
    Area,
    EqualErrorRate,
    SensitivityAt,
    SpecificityAt,
    YoudenThreshold,
)
from rocwise.binary.resampling.draws import cells_of_draw, drawn_units, resampling_words
from rocwise.binary.resampling.equal_rows import counted_rows, rows_read
from rocwise.binary.resampling.forms_of_statistics import (
    AnyStatistic,
    StatisticName,
    evaluated,
    formula_and_reader,
    named_statistic,
    of_counts,
    reader_of,
)
from rocwise.binary.resampling.interval_methods import (
    BOOTSTRAP_METHODS,
    BootstrapMethod,
    bca_of,
    bootstrap_t_of,
    refuse_unlike_rows,
)
from rocwise.binary.resampling.precision_statistics import AveragePrecision, PrecisionAt
from rocwise.binary.resampling.score_statistics import SmoothArea
from rocwise.binary.roc import of_thresholds, sums_from_zero, text_among
from rocwise.data.tally import Tally
from rocwise.data.tally_rows import TallyRows
from rocwise.errors import InputError
from rocwise.inference.chunked_draws import ROWS_PER_CELL, in_chunks, percentile_limits
from rocwise.inference.intervals import LIMIT_NAMES, deviation, newcombe_limits
from rocwise.inputs.coercion import TallyOptions, as_clustered_tally, by_group
from rocwise.kernels.resampling_tables import in_chunks as in_cached_chunks
from rocwise.progress import Report
from rocwise.results import ASIDE, Interval, Result, result

SHARES = (Area, AveragePrecision, PrecisionAt, EqualErrorRate, SensitivityAt, SpecificityAt)


@result
class BootstrapResult(Result):
    """A statistic of the curve with its bootstrap distribution."""

    statistic: str
    value: float
    standard_error: float
    interval: Interval
    replicates: Floats
    seed: int
    threshold_text: str | None = field(default=None, metadata=ASIDE)

    def _sentence(self) -> str:
        value = self.threshold_text or _in_words(self.value)
        ends = " to ".join(_in_words(end) for end in self.interval)
        ends = getattr(self.interval, "ends", ends)
        return (
            f"{self.statistic} {value} ({printing.percent(self.interval.level)} CI "
            f"{ends}, {self.interval.method}); "
            f"{printing.count(len(self.replicates))} resamples, seed {self.seed}"
        )

    def _columns(self) -> dict[str, Any]:
        return {"replicate": np.arange(len(self.replicates)), "value": self.replicates}


@by_group
def bootstrap(
    data: Any = None,
    y_score: Any = None,
    *,
    statistic: StatisticName | AnyStatistic | Callable[..., float] = "auc",
    method: BootstrapMethod = "percentile",
    n_resamples: int = 2000,
    level: float = 0.95,
    rng: Any = None,
    progress: bool | Report | None = None,
    groups: Any = None,
    exact: bool = False,
    **given: Unpack[TallyOptions],
) -> BootstrapResult:
    """Bootstrap interval of any number read off the ROC curve (F4.3).

    Parameters
    ----------
    data, y_score
        A tally; or labels and scores; or a frame or path with `label=` and `score=`.
    statistic : str, object or callable
        "auc", "smooth-auc", "youden-threshold", "average-precision", "precision-recall-area",
        "equal-error-rate"; an object of `rw.statistics`, such as
        `rw.statistics.SensitivityAt(specificity=0.9)`; or a function of (fpr, tpr, thresholds)
        of one curve.
    method : {"percentile", "bca", "bootstrap-t"}
        Quantiles of the resamples; those corrected for bias and skewness; or studentised by
        resamples of every resample, which takes some 50 times as long.
    n_resamples : int, default 2000
        Stratified resamples: as many positives and negatives as in the data. Rows with weights
        are drawn with equal probability and bring their weight.
    level, rng : float, optional
        Confidence level; seed or generator, of which the seed used is in the result.
    progress : optional
        False for silence, a function of the fraction done, or a line on the terminal.
    groups, exact : optional
        Cluster of each row, drawn whole; draw every row, also of more than 131,072 distinct scores,
        of which else most statistics draw bins (`interval.error_bound`), some draw blocks.
    **given
        More about rows, a frame or a file (`label`, `score`, `by`, ...): see `tally`.

    Returns
    -------
    BootstrapResult
        With `value`, `standard_error`, `interval`, `replicates`, `seed`.

    Examples
    --------
    >>> import rocwise as rw
    >>> t = rw.tally([0, 0, 0, 0, 1, 1, 1], [1, 2, 3, 5, 4, 6, 7])
    >>> answer = rw.bootstrap(t, statistic="auc", n_resamples=200, rng=1)
    >>> answer.interval.low < answer.value <= answer.interval.high
    True
    """
    tally = as_clustered_tally("bootstrap", data, y_score, groups, given)
    chosen = named_statistic(statistic)
    checks.one_of(method, "method", BOOTSTRAP_METHODS)
    level = checks.level(level)
    n_resamples = checks.draws(n_resamples, rng, progress)
    seed = checks.seed(rng)
    tally = tally.merged()
    value = evaluated(tally, chosen)
    bins = None if checks.flag(exact, "exact") else in_bins(tally, chosen)
    if bins is not None and bins.own is not None and method == "bootstrap-t":
        bins = None  # nobody has bounded what its bins do to resamples of resamples
    drawn, read = _in_or_without(bins, tally, chosen)
    values = replicates(
        drawn,
        read,
        n_resamples=n_resamples,
        seed=seed,
        progress=progress,
        exact=exact or method == "bootstrap-t",  # which draws the same rows again
    )
    centre = evaluated(drawn, chosen) if drawn is not tally and read is chosen else value
    refuse_undefined(values, value, chosen)
    interval, text = _interval(drawn, read, centre, values, level, method, seed), None
    error = deviation(values) if len(values) > 1 else 0.0
    if isinstance(chosen, YoudenThreshold):
        interval, text = of_thresholds(interval, tally), text_among(tally, value)
    if bins is not None:
        interval = with_bins(interval, bins, error, value - centre)
        values = values + (value - centre)
    return BootstrapResult(
        statistic=chosen.name,
        value=value,
        standard_error=error,
        interval=interval,
        replicates=values,
        seed=seed,
        threshold_text=text,
        origin=tally.origin,
    )


def _in_or_without(
    bins: InBins | None, data: Tally, statistic: AnyStatistic
) -> tuple[Tally, AnyStatistic]:
    """What to draw from and what to read: the bins and their own statistic, where they have one."""
    if bins is None:
        return data, statistic
    return bins.tally, statistic if bins.own is None else bins.own


def _in_words(value: float) -> str:
    """Three decimals, or four digits where these would show nothing, or too much."""
    usual = value == 0 or 0.0005 <= abs(value) < 1000
    return f"{value:.3f}" if usual else f"{value:.4g}"


def refuse_undefined(values: Floats, value: float, statistic: AnyStatistic) -> None:
    """Refuse a statistic that is no finite number of the data or of some of the resamples."""
    if not np.isfinite(value):
        raise InputError(
            f"`statistic` {statistic.name} of the data is {value!r}, no finite number."
        )
    wrong = int(np.count_nonzero(~np.isfinite(values)))
    if wrong:
        raise InputError(
            f"`statistic` {statistic.name} is nan or infinite in {wrong:,} of {values.size:,} "
            "resamples, which then have no percentiles. Make it a finite number for every curve."
        )


def _interval(
    data: Tally,
    statistic: AnyStatistic,
    value: float,
    values: Floats,
    level: float,
    method: str,
    seed: int,
) -> Interval:
    """By the method; for an area whose resamples all agree, limits that need no spread."""
    alike = float(np.ptp(values)) < 1e-12  # up to rounding
    if alike and (statistic == Area() or isinstance(statistic, SmoothArea)):
        limits = newcombe_limits(value, *data.effective_sizes, level)
        return Interval(*limits, level, LIMIT_NAMES["score"])
    if method != "percentile":
        refuse_unlike_rows(data, method)
        reading = of_counts(data, statistic)
        if method == "bca":
            limits = bca_of(data, reading, value, values, level, seed)
            return Interval(*limits, level, LIMIT_NAMES["bca"])
        share = isinstance(statistic, SHARES)
        limits = bootstrap_t_of(data, reading, value, values, level, seed, is_share=share)
        return Interval(*limits, level, method)
    words = resampling_words(data, LIMIT_NAMES["bootstrap"])
    return Interval(*percentile_limits(values, level), level, words)


def replicates(
    data: Tally,
    statistic: AnyStatistic,
    *,
    n_resamples: int,
    seed: int,
    progress: bool | Report | None = None,
    exact: bool = False,
) -> Floats:
    """The statistic of stratified resamples; an interruption keeps those that were made.

    Of very many scores those that look at the best vertices draw by blocks; with `exact` by rows.
    """
    few = exact or not has_very_many_scores(data)
    wanted = None if few else best_vertices(data, statistic)
    cells = 1 + len(data) // ROWS_PER_CELL
    if data.rows is not None:
        rows = counted_rows(data.rows)
        draw, cells = _amounts_drawn(data, rows, statistic, seed), cells_of_draw(data)
        if reader_of(data, statistic) is not None:
            cells = 1 + len(rows) // ROWS_PER_CELL
    elif wanted is not None:
        draw = best_drawn(data, wanted, seed)
        cells = 1 + wanted.width + len(data) // SCORES_PER_CELL
    elif statistic == Area():
        draw = _areas_drawn(data, seed)
    else:
        draw = _curves_drawn(data, statistic, seed)
        reader = reader_of(data, statistic)
        cells = cells_of_draw(data) if reader is None else cells + reader.width
    return in_chunks(draw, n_resamples, cells, progress, f"bootstrap of {statistic.name}")


def _areas_drawn(data: Tally, seed: int) -> Callable[[int, int], Floats]:
    scale = 2.0 * float(data.n_pos) * float(data.n_neg)

    counts = data.narrow_counts()

    def draw(first: int, last: int) -> Floats:
        doubled = kernels.resample_doubled_u(*counts, seed, first, last)
        return np.asarray(doubled / scale)

    return draw


def _curves_drawn(data: Tally, statistic: AnyStatistic, seed: int) -> Callable[[int, int], Floats]:
    formula, reader = formula_and_reader(data, statistic)
    counts = data.narrow_counts()

    def draw(first: int, last: int) -> Floats:
        return kernels.resample_readings(*counts, seed, first, last, formula, reader)

    if isinstance(statistic, PrecisionInBins):  # a formula of ours, which threads may share
        return lambda first, last: in_cached_chunks(draw, first, last, len(data))
    return draw


def _amounts_drawn(
    data: Tally, rows: TallyRows, statistic: AnyStatistic, seed: int
) -> Callable[[int, int], Floats]:
    """Rows with weights, or clusters: they are drawn first, then summed at each score.

    What compiled code reads is shared out among the threads, a few replicates at a time.
    """
    formula, reader = formula_and_reader(data, statistic)
    of_rows, times = drawn_units(rows, seed)
    held = np.stack([sums_from_zero(data.pos), sums_from_zero(data.neg)])
    read = rows_read(rows.signed(of_rows), held, formula, reader)

    def draw(first: int, last: int) -> Floats:
        return read(times(first, last))

    if reader is None:
        return draw
    width = 1 + len(rows) // 4  # smaller tables are given back to the system every time
    return lambda first, last: in_cached_chunks(draw, first, last, width)
