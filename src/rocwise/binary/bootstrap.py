"""The bootstrap of two classes: replicates of a statistic for one tally or several models.

Replicate b depends on (seed, b) alone, so the number of threads, the size of the chunks and an
interruption change nothing in the replicates that were made.
"""

import math
from collections.abc import Callable
from dataclasses import field
from typing import Any, Literal, Unpack, get_args

import numpy as np

from rocwise import checks, kernels, printing
from rocwise.arrays import Array, Counts, Floats
from rocwise.binary import statistics
from rocwise.binary.roc import score_text, with_threshold_texts
from rocwise.binary.unit_scores import scores_of_model
from rocwise.data.pairs import Pairs
from rocwise.data.tally import Tally, independent_units, numbered
from rocwise.errors import InputError
from rocwise.inference.intervals import (
    LIMIT_NAMES,
    bca_limits,
    deviation,
    hoeffding_interval,
    newcombe_interval,
    rounding_of,
)
from rocwise.inference.resampling import (
    ROWS_PER_CELL,
    drawn_words,
    in_chunks,
    percentile_limits,
    sampled_rows,
)
from rocwise.inputs.coercion import TallyOptions, as_tally, by_group
from rocwise.kernels import resample
from rocwise.progress import Report
from rocwise.results import ASIDE, Interval, Number, Resampled, result

BootstrapMethod = Literal["percentile", "bca", "bootstrap-t"]
MOST_BLOCKS = 200  # of rows left out together, where there are more distinct scores
INNER = 50  # resamples of a resample, for its standard error


@result
class BootstrapResult(Number, Resampled):
    """Statistic of the ROC curve with its bootstrap distribution and interval."""

    statistic: str
    value: float
    standard_error: float
    interval: Interval
    replicates: Floats
    threshold_text: str | None = field(default=None, metadata=ASIDE)

    def _sentence(self) -> str:
        # three decimals, or four digits where these would show nothing, or too much
        value, *ends = (
            f"{each:.3f}" if each == 0 or 0.0005 <= abs(each) < 1000 else f"{each:.4g}"
            for each in (self.value, *self.interval)
        )
        limits = getattr(self.interval, "ends", " to ".join(ends))
        return (
            f"{self.statistic} {self.threshold_text or value} "
            f"({printing.percent(self.interval.level)} CI {limits}, {self.interval.method})"
            f"{self._draw_words()}"
        )

    def _columns(self) -> dict[str, Any]:
        return {"replicate": np.arange(len(self.replicates)), "value": self.replicates}


@by_group
def bootstrap(
    data: Any = None,
    y_score: Any = None,
    *,
    statistic: statistics.StatisticName | statistics.AnyStatistic | Callable[..., float] = "auc",
    method: BootstrapMethod = "percentile",
    n_resamples: int = 2000,
    level: float = 0.95,
    rng: Any = None,
    progress: bool | Report | None = None,
    **given: Unpack[TallyOptions],
) -> BootstrapResult:
    """Compute a bootstrap confidence interval for a statistic of the ROC curve.

    Parameters
    ----------
    statistic : str, object or callable, default "auc"
        One of {"auc", "smooth-auc", "youden-threshold", "average-precision",
        "precision-recall-area", "equal-error-rate"}; an object of `rw.statistics`, such as
        ``rw.statistics.SensitivityAt(specificity=0.9)``; or a function of the arrays
        (fpr, tpr, thresholds) of one curve.
    method : {"percentile", "bca", "bootstrap-t"}, default "percentile"
        Percentile interval, BCa interval [1]_, or bootstrap-t interval by nested resampling, which
        takes about 50 times as long.
    n_resamples : int, default 2000
        Number of stratified resamples: each has as many positives and negatives as the data. Rows
        with weights are drawn with equal probability and keep their weight.
    level : float, default 0.95
        Confidence level.
    rng : int, numpy.random.Generator or None, optional
        Seed or random generator; None draws a seed, which the result reports.
    progress : bool or callable, optional
        Whether to show progress, or a function that receives the completed fraction. By default
        a line is shown in a terminal.

    Returns
    -------
    BootstrapResult
        Result with `value`, `standard_error`, `interval`, `replicates` and `seed`.

    Raises
    ------
    InputError
        If a class has a single case or cluster.

    See Also
    --------
    auc : AUC with a confidence interval.
    compare : Test and interval for the difference of AUCs.
    statistics.SensitivityAt : Sensitivity at a given specificity.
    statistics.PartialArea : Partial AUC.
    partial_results : Keep the resamples made before Ctrl-C.

    Notes
    -----
    Where all resamples are equal the interval is Newcombe's (AUC) or Hoeffding's bound (proportions
    and partial AUC) for the number of cases in the smaller class.

    References
    ----------
    .. [1] B. Efron, "Better bootstrap confidence intervals", J. Am. Stat. Assoc. 82, 1987.
           doi:10.1080/01621459.1987.10478410

    Examples
    --------
    >>> import rocwise as rw
    >>> t = rw.tally([0, 0, 0, 0, 1, 1, 1], [1, 2, 3, 5, 4, 6, 7])
    >>> result = rw.bootstrap(t, statistic="auc", n_resamples=200, rng=1)
    >>> result
    AUC 0.917 (95% CI 0.500 to 1.000, bootstrap percentile); 200 resamples, seed 1
    >>> ax = result.plot()
    """
    tally = as_tally("bootstrap", data, y_score, given)
    chosen = statistics.named_statistic(statistic)
    checks.one_of(method, "method", get_args(BootstrapMethod))
    level = checks.level(level)
    n_resamples = checks.draws(n_resamples, rng, progress)
    seed = checks.seed(rng)
    class_units(tally, "`bootstrap`")
    value = statistics.evaluated(tally, chosen)
    values = replicates(tally, chosen, n_resamples, seed, progress)
    check_finite(values, value, chosen)
    interval, text = _interval(tally, chosen, value, values, level, method, seed), None
    if isinstance(chosen, statistics.YoudenThreshold):
        interval, text = with_threshold_texts(interval, tally), score_text(tally, value)
    return BootstrapResult(
        statistic=chosen.name,
        value=value,
        standard_error=deviation(values) if len(values) > 1 else 0.0,
        interval=interval,
        replicates=values,
        seed=seed,
        n_resamples=len(values),
        threshold_text=text,
        origin=tally.origin,
    )


def check_finite(values: Floats, value: float, statistic: statistics.AnyStatistic) -> None:
    """Raise for a statistic that is not finite on the data or on some of the resamples."""
    if not np.isfinite(value):
        raise InputError(
            f"`statistic` {statistic.name} of the data is {value!r}, not a finite number."
        )
    wrong = int(np.count_nonzero(~np.isfinite(values)))
    if wrong:
        raise InputError(
            f"`statistic` {statistic.name} is nan or infinite in {wrong:,} of {values.size:,} "
            "resamples, which then have no percentiles. Make it a finite number for every curve."
        )


def _interval(
    data: Tally,
    statistic: statistics.AnyStatistic,
    value: float,
    values: Floats,
    level: float,
    method: str,
    seed: int,
) -> Interval:
    """By the method; for resamples that are all equal, limits that need no variance."""
    equal = float(np.ptp(values)) < 1e-12  # up to rounding
    if equal and (found := _interval_without_variance(data, statistic, value, level)) is not None:
        return found
    if method != "percentile":
        if data.rows is not None:  # not of independent rows of equal weight
            what = "clusters" if data.clustered else "weights"
            raise InputError(
                f"method={method!r} has no version with {what}; use method='percentile'."
            )
        formula = statistics.of_counts(data, statistic)
        if method == "bca":
            limits = bca_limits(values, value, acceleration_of(data, formula, value, seed), level)
            return Interval(*limits, level, LIMIT_NAMES["bca"])
        bounded = getattr(statistic, "is_proportion", False)
        limits = _bootstrap_t_limits(
            data, formula, value, values, level, seed, is_proportion=bounded
        )
        return Interval(*limits, level, method)
    return percentile_interval(data, values, level)


def _interval_without_variance(
    data: Tally, statistic: statistics.AnyStatistic, value: float, level: float
) -> Interval | None:
    """Newcombe's limits of an area; Hoeffding's bound of proportions and partial areas."""
    if statistic == statistics.Area() or isinstance(statistic, statistics.SmoothArea):
        return newcombe_interval(value, *data.effective_sizes, level)
    largest = 1.0 if getattr(statistic, "is_proportion", False) else None
    if isinstance(statistic, (statistics.Area, statistics.PartialArea)):
        largest = 1.0 if getattr(statistic, "standardize", False) else statistic.part.width
    if largest is None:
        return None
    return bounded_interval(data, value, (0.0, largest), level)


def bounded_interval(
    data: Tally, value: float, bounds: tuple[float, float], level: float
) -> Interval:
    """Hoeffding's bound of a mean between bounds, for the cases of the smaller class."""
    least, span = bounds[0], bounds[1] - bounds[0]
    proportion = min(max((value - least) / span, 0.0), 1.0)
    low, high = hoeffding_interval(proportion, min(data.effective_sizes), level)
    return Interval(least + span * low, least + span * high, level, LIMIT_NAMES["hoeffding"])


def percentile_interval(data: Tally, values: Floats, level: float) -> Interval:
    """The interval between the percentiles of resampled values."""
    words = resampling_words(data, LIMIT_NAMES["bootstrap"])
    return Interval(*percentile_limits(values, level), level, words)


def resampling_words(data: Tally, method: str) -> str:
    """The method, with what was drawn where that were not simply rows."""
    return method + drawn_words(data.weighted or None, data.clustered or None)


def class_units(data: Tally, what: str) -> tuple[int, int]:
    """Sampling units of positives and of negatives; an error for one, which shows no variance."""
    units = int(data.n_pos), int(data.n_neg)
    if data.rows is not None:
        rows, codes = data.rows, data.rows.positive.view(np.uint8)
        n_neg, n_pos = independent_units(codes, 2, None, rows.clusters, rows.counts).tolist()
        units = int(n_pos), int(n_neg)
    if min(units) < 2:
        kind = "clusters with cases" if data.clustered else "cases"
        raise InputError(
            f"{what} needs at least two {kind} of each class, because resamples of one show no "
            f"variance; got {printing.classes(*units)}."
        )
    return units


def sampling(data: Tally, *, stratified: bool = True) -> tuple[resample.Units, resample.RankedRows]:
    """Sampling units of the data, and its rows from the highest score down."""
    if data.rows is None:
        units, ranked = resample.units_of_counts(data.pos, data.neg)
        if not stratified:
            first = np.arange(units.size) < int(units.strata[0])
            units = resample.Units(np.array([units.size]), np.stack([first, ~first]), units.counts)
        return units, ranked
    rows, counts, weights = data.rows, data.rows.counts, data.rows.weights
    if counts is not None and rows.clusters is not None:  # identical rows are drawn together
        weights = counts.astype(np.float64) if weights is None else counts * weights
        counts = None
    units, of_rows = sampled_rows(
        ~rows.positive, rows.clusters, counts=counts, stratified=stratified
    )
    ends = np.zeros(len(rows), np.uint8)
    ends[np.append(rows.starts[1:], len(rows)) - 1] = 1
    return units, resample.ranked_rows(rows.positive, ends, of_rows, weights)


def replicates(
    data: Tally,
    statistic: statistics.AnyStatistic,
    n_resamples: int,
    seed: int,
    progress: bool | Report | None = None,
) -> Floats:
    """The statistic of stratified resamples."""
    formula, reader = statistics.of_counts(data, statistic), statistics.reader_of(data, statistic)
    title = f"bootstrap of {statistic.name}"
    return resampled(data, formula, reader, n_resamples, seed, title, progress)


def resampled(
    data: Tally,
    formula: resample.Formula,
    reader: resample.Reader | None,
    n_resamples: int,
    seed: int,
    title: str,
    progress: bool | Report | None = None,
    *,
    stratified: bool = True,
    with_left_out: bool = False,
    more: Callable[[int, int], Floats] | None = None,
) -> Floats:
    """A function of resampled counts; `more` draws further columns of the same replicates."""
    units, rows = sampling(data, stratified=stratified)
    model = resample.Model(rows, formula, reader)

    def draw(first: int, last: int) -> Floats:
        found = resample.resample(units, [model], seed, first, last, with_left_out=with_left_out)
        return found[:, 0] if more is None else np.column_stack([found[:, 0], more(first, last)])

    cells = 1 + len(rows.codes) // ROWS_PER_CELL + (reader.width if reader is not None else 0)
    return in_chunks(draw, n_resamples, cells, progress, title)


def smaller_class(function: str, *samples: Tally) -> float:
    """Effective number of cases, or clusters, of the smallest class; it must be above one."""
    smaller = min(min(each.effective_sizes) for each in samples)
    if smaller > 1 + 1e-9:
        return smaller
    clustered = any(each.clustered for each in samples)
    needed = "two clusters with rows" if clustered else "two cases"
    raise InputError(
        f"`{function}` needs {needed} of each class, since the variance of one "
        "is undefined; got one (with weights, by their effective number). Collect more cases."
    )


def paired_bootstrap(
    pairs: Pairs,
    statistic: statistics.AnyStatistic,
    n_resamples: int,
    seed: int,
    progress: bool | Report | None,
) -> tuple[Floats, Floats]:
    """Estimates of all models and the covariance matrix of their resampled values."""
    each = 8 * len(pairs.names)
    n_resamples = checks.size(n_resamples, "n_resamples", at_least=2, bytes_each=each)
    estimates = np.empty(len(pairs.names))
    for model, name in enumerate(pairs.names):
        with scores_of_model(pairs, name):
            estimates[model] = statistics.evaluated(pairs.tally(name), statistic)
    values = paired_replicates(pairs, statistic, n_resamples, seed, progress)
    check_finite(values, float(estimates.sum()), statistic)
    return estimates, np.atleast_2d(np.cov(values.T))


def paired_replicates(
    pairs: Pairs,
    statistic: statistics.AnyStatistic,
    n_resamples: int,
    seed: int,
    progress: bool | Report | None = None,
) -> Floats:
    """The statistic of every model on the same resampled rows or clusters: (n_resamples, k)."""
    if pairs.weights is not None and not pairs.weights.all():
        pairs = pairs.rows(np.flatnonzero(pairs.weights))
    units, of_rows = sampled_rows(pairs.mask == 0, numbered(pairs.groups))
    models = [model_of(pairs, name, statistic, of_rows) for name in pairs.names]

    def draw(first: int, last: int) -> Floats:
        return resample.resample(units, models, seed, first, last)

    cells = 1 + len(pairs) * len(models) // ROWS_PER_CELL
    label = f"paired bootstrap of {statistic.name}"
    return in_chunks(draw, n_resamples, cells, progress, label)


def model_of(
    pairs: Pairs, name: str, statistic: statistics.AnyStatistic, of_rows: Array
) -> resample.Model:
    """One model: its rows from the highest score down, and the statistic."""
    scores, data = pairs.scores(name), pairs.tally(name)
    order = kernels.argsort(scores)[::-1]
    ranked = scores[order]
    ends = np.append(ranked[1:] != ranked[:-1], True)
    weights = None if pairs.weights is None else pairs.weights[order]
    rows = resample.ranked_rows(pairs.mask[order] == 1, ends, of_rows[order], weights)
    return resample.Model(
        rows, statistics.of_counts(data, statistic), statistics.reader_of(data, statistic)
    )


def unpaired_bootstrap(
    samples: tuple[Tally, Tally],
    statistic: statistics.AnyStatistic,
    n_resamples: int,
    seed: int,
    progress: bool | Report | None,
) -> tuple[list[float], list[float]]:
    """Estimates of two independent samples and the variances of their resampled values."""
    n_resamples = checks.size(n_resamples, "n_resamples", at_least=2)
    estimates = [statistics.evaluated(sample, statistic) for sample in samples]
    variances = []
    for number, sample in enumerate(samples):
        own_seed = (seed + number) % 2**63  # two samples must not share their draws
        values = replicates(sample, statistic, n_resamples, own_seed, progress)
        variances.append(float(values.var(ddof=1)))
    return estimates, variances


CELLS_LEFT_OUT = 2_000_000  # counts in memory at once


def jackknife_variance(data: Tally, statistic: statistics.AnyStatistic) -> float:
    """The one-sample jackknife: without each case, or each cluster with all its rows (F2.2)."""
    values, times = values_without(data, statistic)
    n, middle = int(times.sum()), float(np.average(values, weights=times))
    return (n - 1) / n * float(np.dot(times, (values - middle) ** 2))


def values_without(data: Tally, statistic: statistics.AnyStatistic) -> tuple[Floats, Counts]:
    """Values without one case, and how many such cases there are; or without each cluster.

    Cases are those of each class and score that there are, positives first.
    """
    formula, size = statistics.of_counts(data, statistic), len(data.pos)
    rows = data.rows if data.clustered else None
    if rows is None or rows.clusters is None:
        label, place = np.nonzero(np.stack([data.pos, data.neg]))
        unit = np.arange(len(label))
        times = np.concatenate([own[own > 0] for own in (data.pos, data.neg)])
        row_counts = np.ones(len(label), np.int64)
    else:
        unit, label = rows.clusters, 1 - rows.positive.astype(np.int64)
        place = np.searchsorted(rows.starts, np.arange(len(rows)), side="right") - 1
        times = np.ones(int(unit.max()) + 1, np.int64)
        row_counts = np.ones(len(rows), np.int64) if rows.counts is None else rows.counts
    order = np.argsort(unit, kind="stable")
    step = max(1, CELLS_LEFT_OUT // size)

    def without(first: int, last: int) -> Floats:
        found = np.empty(last - first)
        for start in range(first, last, step):
            stop = min(start + step, last)
            own = order[slice(*np.searchsorted(unit[order], (start, stop)))]
            counts = np.repeat(np.stack([data.pos, data.neg])[:, None], stop - start, axis=1)
            np.subtract.at(counts, (label[own], unit[own] - start, place[own]), row_counts[own])
            if not counts.any(axis=2).all():
                raise InputError(
                    "the jackknife needs both classes without any one cluster; one cluster has all "
                    "cases of a class. Use method='delong'."
                )
            found[start - first : stop - first] = formula(*counts)
        return found

    values = in_chunks(without, len(times), size, None, f"jackknife of {statistic.name}")
    if len(values) < len(times):
        raise KeyboardInterrupt  # a part of them is no jackknife
    return values, times


def acceleration_of(data: Tally, formula: resample.Formula, value: float, seed: int) -> float:
    """BCa's acceleration from the influence of every case, or of blocks, of both classes."""
    influences = []
    for label, counts in ((1, data.pos), (0, data.neg)):
        size = int(counts.sum())
        left_out, times = _left_out(counts, np.random.default_rng([seed, label]))
        rest = counts[None, :] - left_out
        other = np.broadcast_to(data.neg if label else data.pos, rest.shape)
        found = formula(rest, other) if label else formula(other, rest)
        moved = (size - left_out.sum(axis=1)) * (value - found) / size
        influences.append((times, moved - np.dot(times, moved) / times.sum()))
    largest = max(float(np.abs(moved).max()) for _, moved in influences)
    if largest == 0:
        return 0.0
    exponent = math.frexp(largest)[1]  # the unit makes no difference, but cubes might overflow
    scaled = [(times, np.ldexp(moved, -exponent)) for times, moved in influences]
    cubes, squares = (sum(np.dot(times, moved**k) for times, moved in scaled) for k in (3, 2))
    return float(cubes / (6 * squares**1.5))


def _left_out(counts: Counts, rng: np.random.Generator) -> tuple[Counts, Counts]:
    """Rows of counts to leave out, and how many such rows each represents."""
    present = np.flatnonzero(counts)
    size = int(counts.sum())
    if size < 2:
        return np.zeros((1, len(counts)), np.int64), np.ones(1, np.int64)
    if len(present) <= MOST_BLOCKS:
        rows = np.zeros((len(present), len(counts)), np.int64)
        rows[np.arange(len(present)), present] = 1
        return rows, counts[present]
    rows = np.zeros((MOST_BLOCKS, len(counts)), np.int64)
    cases = np.repeat(present, counts[present])
    np.add.at(rows, (rng.permutation(size) % MOST_BLOCKS, cases), 1)
    return rows, np.ones(MOST_BLOCKS, np.int64)


def _bootstrap_t_limits(
    data: Tally,
    formula: resample.Formula,
    value: float,
    values: Floats,
    level: float,
    seed: int,
    *,
    is_proportion: bool,
) -> tuple[float, float]:
    """Limits by (resampled value - value) / its own error, of proportions as arcsines of roots."""

    def turn(values: Floats) -> Floats:
        return np.arcsin(np.sqrt(np.clip(values, 0.0, 1.0))) if is_proportion else values

    ratios, constant = np.empty(len(values)), 0
    rounding = rounding_of(values)
    turned = turn(values)
    centre = float(turn(np.array([value]))[0])
    units, rows = sampling(data)
    for draw in range(len(values)):
        pos, neg = resample.counts_of(rows, resample.multiplicities(units, seed, draw, draw + 1))
        own = int(np.random.SeedSequence([seed, draw]).generate_state(1, np.uint64)[0] >> 1)
        present = np.flatnonzero(pos[0] + neg[0])  # scores that are missing have no rows
        units_again, rows_again = resample.units_of_counts(pos[0, present], neg[0, present])
        again = np.zeros((2, INNER, pos.shape[1]))
        again[:, :, present] = resample.counts_of(
            rows_again, resample.multiplicities(units_again, own, 0, INNER)
        )
        inner = formula(*again)
        # compared before they are turned: near 1 the arcsine makes 1e-8 of a rounding error
        is_constant = not np.ptp(inner) > rounding
        constant += is_constant
        ratios[draw] = 0.0 if is_constant else (turned[draw] - centre) / deviation(turn(inner))
    tail = (1 - level) / 2
    if constant > tail * len(values):  # undefined ratios would decide the limits
        raise InputError(
            f"method='bootstrap-t' is undefined here: {constant:,} of {len(values):,} resamples "
            "have no variance of their own. Use method='percentile'."
        )
    low, high = np.quantile(ratios, [tail, 1 - tail], method="inverted_cdf")
    error = deviation(turned)
    limits = np.array([centre - high * error, centre - low * error])
    if is_proportion:
        limits = np.sin(np.clip(limits, 0.0, np.pi / 2)) ** 2
    return float(limits[0]), float(limits[1])
