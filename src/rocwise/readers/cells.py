"""An endpoint of every reader in every modality, and its covariance matrix due to cases."""

import inspect
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal, get_args

import numpy as np

from rocwise import checks
from rocwise.arrays import Array, Counts, Flags, Floats, Places
from rocwise.binary import statistics
from rocwise.binary.bootstrap import model_of, values_without
from rocwise.binary.influence import placement_influence, require_two_clusters
from rocwise.data.pairs import Pairs
from rocwise.data.readings import Readings
from rocwise.data.tally import ScoreColumn, Tally
from rocwise.errors import InputError, shown
from rocwise.inference.resampling import in_chunks, sampled_rows
from rocwise.inference.variance import VarianceByClass, covariance
from rocwise.kernels import n_distinct
from rocwise.kernels.resample import multiplicities, resample
from rocwise.progress import Report
from rocwise.results import Origin

Covariance = Literal["delong", "jackknife", "unbiased", "exact-bootstrap", "bootstrap"]
COVARIANCES: dict[str, str] = {
    "delong": "DeLong",
    "jackknife": "jackknife",
    "unbiased": "unbiased",
    "exact-bootstrap": "exact bootstrap",
    "bootstrap": "bootstrap",
}
OF_AREAS = ("unbiased", "exact-bootstrap")
BLOCK = 2**22  # kernels in memory at once
COMMON = ("modalities", "readers", "places", "read", "truth", "origin")  # with `Readings`


@dataclass(frozen=True, eq=False)
class Cells:
    """Estimates by cell, a reader in a modality, with their covariance matrix due to cases."""

    modalities: tuple[str, ...]
    readers: tuple[str, ...]
    places: Places  # (cells, 2): modality and reader of each cell
    values: Floats
    covariance: Floats  # (cells, cells)
    parts: tuple[Floats, Floats] | None  # of positives and of negatives, where they are separate
    read: Flags  # (cells, cases)
    truth: Flags
    quantity: str
    method: str
    bounded: bool  # whether the endpoint is a proportion
    variances: Sequence[VarianceByClass] | None = None  # by DeLong, of whole areas
    seed: int | None = None
    n_resamples: int | None = None
    note: str | None = None
    origin: Origin = field(default_factory=Origin)

    def sizes(self, k: int) -> tuple[int, int]:
        """Positives and negatives that a cell has read."""
        n_pos = int(np.count_nonzero(self.read[k] & self.truth))
        return n_pos, int(np.count_nonzero(self.read[k])) - n_pos


@dataclass(frozen=True)
class Endpoint:
    """What is measured in each cell."""

    statistic: Any  # an object of rw.statistics, or the function of (y_true, y_score)
    name: str
    threshold: float | None = None  # of a proportion of one class
    of_positives: bool = True

    @property
    def whole(self) -> bool:
        """Whether this is the whole AUC."""
        return bool(self.statistic == statistics.Area())

    @property
    def bounded(self) -> bool:
        """Whether the values are proportions."""
        of_area = isinstance(self.statistic, (statistics.Area, statistics.PartialArea))
        is_proportion = getattr(self.statistic, "is_proportion", False)
        return self.threshold is not None or of_area or bool(is_proportion)


def chosen_endpoint(options: tuple[Any, ...], threshold: Any, statistic: Any) -> Endpoint:
    """The endpoint that the options name; `options` are those of parts and points."""
    from rocwise.binary.compare import chosen_statistic

    of_threshold = isinstance(statistic, str) and statistic in ("sensitivity", "specificity")
    if threshold is not None:
        if not of_threshold:
            raise InputError(
                "`threshold` needs statistic='sensitivity' or statistic='specificity'; got "
                f"statistic={shown(statistic)}."
            )
        if any(option is not None for option in options):
            raise InputError("`threshold` does not go with parts and points of the curve.")
        cut = checks.real(threshold, "threshold")
        name = f"{statistic} at threshold {cut:g}"
        return Endpoint(None, name, cut, statistic == "sensitivity")
    if of_threshold:
        raise InputError(f"statistic={statistic!r} needs `threshold`, e.g. threshold=3.")
    chosen = chosen_statistic(options[:3], options[3:], statistic)
    if isinstance(chosen, statistics.OwnStatistic) and _takes_scores(statistic):
        return Endpoint(statistic, chosen.name)
    return Endpoint(chosen, chosen.name)


def _takes_scores(function: Callable[..., Any]) -> bool:
    """Whether a function is one of (y_true, y_score), and not of (fpr, tpr, thresholds)."""
    try:
        given = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return True
    needed = [p for p in given if p.default is p.empty and p.kind <= p.POSITIONAL_OR_KEYWORD]
    return len(needed) < 3


def measured(
    data: Readings,
    endpoint: Endpoint,
    method: str,
    n_resamples: int,
    rng: Any,
    progress: bool | Report | None,
) -> Cells:
    """The endpoint of every cell and the covariance matrix by a method."""
    direct = endpoint.whole or endpoint.threshold is not None
    if method == "auto":
        method = "delong" if direct else "jackknife"
    checks.one_of(method, "covariance", get_args(Covariance))
    _check_method(data, endpoint, method)
    _check_sizes(data, endpoint)
    known: dict[str, Any] = {name: getattr(data, name) for name in COMMON}
    known |= {"quantity": endpoint.name, "bounded": endpoint.bounded, "note": _constant(data)}
    if direct:
        values, moved = _areas(data) if endpoint.whole else _rates(data, endpoint)
        found = of_influences(values, moved, method, data.clusters, whole=endpoint.whole, **known)
        if method in OF_AREAS:
            total = covariance_by_sums(PairSums.of_readings(data), method)
            found = replace(found, covariance=total, parts=None)
        if method != "bootstrap":
            return found
    elif method == "jackknife":
        values, moved = _left_out(data, endpoint, progress)
        total, parts = gram(moved, data.truth)
        return Cells(values=values, covariance=total, parts=parts, method=method, **known)
    else:
        values = np.array([_value(data, k, endpoint) for k in range(len(data.places))])
    seed = checks.seed(rng)
    drawn = _bootstrap(data, endpoint, n_resamples, seed, progress)
    return of_draws(values, drawn, seed, **known)


def of_draws(values: Floats, drawn: Floats, seed: int, **known: Any) -> Cells:
    """Cells with the covariance of resamples (resamples, cells)."""
    total = np.atleast_2d(np.cov(drawn.T))
    draws: dict[str, Any] = {"seed": seed, "n_resamples": len(drawn), "method": "bootstrap"}
    return Cells(values=values, covariance=total, parts=None, **draws, **known)


def of_influences(
    values: Floats,
    moved: Floats,
    method: str,
    clusters: Places | None,
    *,
    whole: bool = True,
    **known: Any,
) -> Cells:
    """Cells of influence values (cells, cases), 0 where not read; `whole`: of areas."""
    truth, read = known["truth"], known["read"]
    sizes = np.stack([np.count_nonzero(read & own, axis=1) for own in (truth, ~truth)], axis=1)
    total, parts = gram(_units(moved, truth, sizes, clusters), truth, clusters)
    variances = _variances(total, parts, sizes, truth, clusters) if whole else None
    if method == "jackknife" and whole:
        total, parts = gram(_left_out_units(moved, truth, sizes), truth)
    own: dict[str, Any] = {"covariance": total, "parts": parts, "variances": variances}
    return Cells(values=values, method=method, **own, **known)


def _constant(data: Readings) -> str | None:
    """Readers who gave one score to all cases, in words."""
    same = (np.ptp(data.of_cell(k)[2]) == 0 for k in range(len(data.places)))
    names = [data.name_of(k) for k, constant in enumerate(same) if constant]
    more = f" and {len(names) - 1} more" if len(names) > 1 else ""
    return f"{names[0]}{more} gave one score only" if names else None


def _check_method(data: Readings, endpoint: Endpoint, method: str) -> None:
    if method in OF_AREAS and not endpoint.whole:
        raise InputError(
            f"covariance={method!r} is for whole areas; use 'jackknife' or 'bootstrap'."
        )
    if method == "delong" and not endpoint.whole and endpoint.threshold is None:
        raise InputError(
            "covariance='delong' is for whole areas and for rates at a threshold; use "
            "'jackknife' or 'bootstrap'."
        )
    if method == "exact-bootstrap" and not data.read.all():
        raise InputError(
            "covariance='exact-bootstrap' needs every reading; some are missing here. Use 'delong'."
        )
    if data.clusters is not None and method != "delong":
        raise InputError(f"`groups` needs covariance='delong'; got {method!r}.")


def _check_sizes(data: Readings, endpoint: Endpoint) -> None:
    """An error for a cell with fewer than two cases of a class that it needs."""
    n_pos = np.count_nonzero(data.read & data.truth, axis=1)
    sizes = np.stack([n_pos, np.count_nonzero(data.read, axis=1) - n_pos], axis=1)
    needed = [True, True]
    if endpoint.threshold is not None:
        needed = [endpoint.of_positives, not endpoint.of_positives]
    for c, name in enumerate(("positive", "negative")):
        few = np.flatnonzero(sizes[:, c] < 2)
        if needed[c] and len(few):
            n = int(sizes[few[0], c])
            raise InputError(
                f"{data.name_of(int(few[0]))} read {n or 'no'} {name}{'' if n == 1 else 's'}; at "
                "least 2 are needed."
            )


def _areas(data: Readings) -> tuple[Floats, Floats]:
    """AUC of each cell, and the placement values less the AUC, 0 where not read."""
    values, moved = np.empty(len(data.places)), np.zeros(data.read.shape)
    for k in range(len(values)):
        rows, mask, scores = data.of_cell(k)
        values[k], moved[k, rows] = placement_influence(mask, scores)
    return values, moved


def _rates(data: Readings, endpoint: Endpoint) -> tuple[Floats, Floats]:
    """Proportion of a class that is classified correctly, and each case's deviation from it."""
    assert endpoint.threshold is not None
    cut = endpoint.threshold if data.origin.direction == "higher" else -endpoint.threshold
    own = data.read & (data.truth == endpoint.of_positives)
    hits = own & ((data.scores >= cut) == endpoint.of_positives)
    values = hits.sum(axis=1) / own.sum(axis=1)
    return values, np.where(own, hits - values[:, None], 0.0)


def _by_case(sizes: Counts, truth: Flags) -> Floats:
    """The size of the class of each case in each cell, (cells, cases)."""
    return np.asarray(np.where(truth, sizes[:, :1], sizes[:, 1:]))


def _units(moved: Floats, truth: Flags, sizes: Counts, clusters: Places | None) -> Floats:
    """Rows whose products are DeLong's covariances; with clusters the moves of each case."""
    n = np.maximum(_by_case(sizes, truth), 2)  # a class that the endpoint does not look at
    return moved / (n if clusters is not None else np.sqrt(n * (n - 1)))


def _left_out_units(moved: Floats, truth: Flags, sizes: Counts) -> Floats:
    """The same of the one-sample jackknife: an area without case k is known from placements."""
    n = sizes.sum(axis=1)[:, None]
    return np.asarray(moved / (_by_case(sizes, truth) - 1) * np.sqrt((n - 1) / n))


def gram(
    units: Floats, truth: Flags, clusters: Places | None = None
) -> tuple[Floats, tuple[Floats, Floats]]:
    """Products of rows summed over cases, and the parts of positives and negatives."""
    own = units[:, truth], units[:, ~truth]
    if clusters is None:
        parts = own[0] @ own[0].T, own[1] @ own[1].T
        return parts[0] + parts[1], parts
    members = clusters[truth], clusters[~truth]
    found = covariance([each * each.shape[1] for each in own], None, members)
    return found.total, (found.parts[0], found.parts[1])


def _variances(
    total: Floats,
    parts: tuple[Floats, Floats],
    sizes: Counts,
    truth: Flags,
    clusters: Places | None,
) -> list[VarianceByClass]:
    """The variance of each area with its parts, for the interval that `auc` has."""
    if clusters is not None:
        members = [n_distinct(clusters[own]) for own in (truth, ~truth)]
        require_two_clusters(*members)
        sizes = np.minimum(sizes, members)
    return [
        VarianceByClass(
            float(total[k, k]), tuple(float(p[k, k]) for p in parts), tuple(map(float, sizes[k]))
        )
        for k in range(len(total))
    ]


@dataclass(frozen=True, eq=False)
class PairSums:
    """Sums of products of the kernels of two cells, over pairs that each has read.

    `sums` and `counts` are (4, cells, cells): the same pair of cases, the same positive, the same
    negative, any two pairs.
    """

    sums: Floats
    counts: Floats

    @classmethod
    def of_readings(cls, data: Readings) -> "PairSums":
        """From readings of cells with two cases of each class."""
        values, moved = _areas(data)
        truth, read = data.truth, data.read
        M = np.count_nonzero(read & truth, axis=1).astype(np.float64)
        N = np.count_nonzero(read & ~truth, axis=1).astype(np.float64)
        wins = np.where(read, moved + values[:, None], 0.0)
        of_pos, of_neg = wins[:, truth] * N[:, None], wins[:, ~truth] * M[:, None]
        seen = read.astype(np.float64)
        m, n = seen[:, truth] @ seen[:, truth].T, seen[:, ~truth] @ seen[:, ~truth].T
        sums = [_same_pairs(data), of_pos @ of_pos.T, of_neg @ of_neg.T]
        sums.append(np.outer(values * N * M, values * N * M))
        counts = [m * n, m * np.outer(N, N), n * np.outer(M, M), np.outer(N * M, N * M)]
        return cls(np.stack(sums), np.stack(counts))

    def disjoint(self) -> tuple[Floats, Floats]:
        """The same of pairs that share nothing more."""
        (s1, s2, s3, s4), (n1, n2, n3, n4) = self.sums, self.counts
        return (
            np.stack([s1, s2 - s1, s3 - s1, s4 - s2 - s3 + s1]),
            np.stack([n1, n2 - n1, n3 - n1, n4 - n2 - n3 + n1]),
        )


def _same_pairs(data: Readings) -> Floats:
    """Sums of products of kernels over the pairs of cases that two cells have both read."""
    k, own, complete = len(data.places), data.truth, data.read.all()
    pos, neg = data.scores[:, None, own], data.scores[:, ~own, None]
    read_pos, read_neg = data.read[:, None, own], data.read[:, ~own, None]
    sums = np.zeros((k, k))
    step = max(1, BLOCK // (k * pos.shape[2]))
    for start in range(0, neg.shape[1], step):
        some = slice(start, start + step)
        doubled = (pos > neg[:, some]).astype(np.float32)  # sums of small integers are exact
        doubled += pos >= neg[:, some]
        if not complete:
            doubled *= read_pos & read_neg[:, some]
        flat = doubled.reshape(k, -1)
        sums += flat @ flat.T
    return sums / 4


def covariance_by_sums(sums: PairSums, method: str) -> Floats:
    """The unbiased covariance of areas, or that of infinitely many stratified resamples."""
    (s1, s2, s3, s4), (n1, n2, n3, n4) = sums.sums, sums.counts
    if method == "unbiased":
        shared, counted = sums.disjoint()
        apart = np.divide(shared[3], counted[3], out=np.zeros_like(s4), where=counted[3] > 0)
        return np.asarray(np.where(counted[3] > 0, s4 / n4 - apart, 0.0))
    N, M = n2[0, 0] / n1[0, 0], n3[0, 0] / n1[0, 0]
    mean = s1 + (N - 1) / N * s2 + (M - 1) / M * s3 + (N - 1) * (M - 1) / (N * M) * s4
    return np.asarray(mean / (N * M) ** 2 - s4 / n4)


def _tally(mask: Array, scores: Floats, origin: Origin) -> Tally:
    return Tally.from_rows(mask, ScoreColumn(scores, None, origin))


def _value(data: Readings, k: int, endpoint: Endpoint, without: Array | None = None) -> float:
    """The endpoint of a cell, without some of its cases."""
    _, mask, scores = data.of_cell(k)
    if without is not None:
        mask, scores = np.delete(mask, without), np.delete(scores, without)
    return _of_scores(data, endpoint, k, mask, scores)


def _of_scores(data: Readings, endpoint: Endpoint, k: int, mask: Array, scores: Floats) -> float:
    """The endpoint of given scores; an error names the cell where it is no number."""
    sign = -1.0 if data.origin.direction == "lower" else 1.0
    if endpoint.threshold is not None:
        own = scores[mask == endpoint.of_positives] >= sign * endpoint.threshold
        return float(np.mean(own == endpoint.of_positives))
    try:
        if isinstance(endpoint.statistic, (statistics.Statistic, statistics.ScoreStatistic)):
            found: Any = statistics.evaluated(_tally(mask, scores, data.origin), endpoint.statistic)
        else:
            found = endpoint.statistic(mask.astype(np.int64), sign * scores)
        value = float(found)
    except Exception as problem:
        raise InputError(
            f"`statistic` {endpoint.name} fails for {data.name_of(k)}: {problem}"
        ) from problem
    if not np.isfinite(value):
        raise InputError(
            f"`statistic` {endpoint.name} is {value!r} for {data.name_of(k)}, no finite number."
        )
    return value


def _left_out(
    data: Readings, endpoint: Endpoint, progress: bool | Report | None
) -> tuple[Floats, Floats]:
    """Values, and rows whose products are the covariances of the one-sample jackknife."""
    values = np.empty(len(data.places))
    moved = np.zeros(data.read.shape)

    def without(first: int, last: int) -> Floats:
        for k in range(first, last):
            rows = np.flatnonzero(data.read[k])
            values[k] = _value(data, k, endpoint)
            own, n = _values_without(data, k, endpoint), len(rows)
            moved[k, rows] = (own - own.mean()) * np.sqrt((n - 1) / n)
        return np.zeros(last - first)

    cells = 100 * data.read.shape[1]
    in_chunks(without, len(values), cells, progress, f"jackknife of {endpoint.name}")
    return values, moved


def _values_without(data: Readings, k: int, endpoint: Endpoint) -> Floats:
    """The endpoint of a cell without each of its cases; equal cases are left out once."""
    rows, mask, scores = data.of_cell(k)
    if not isinstance(endpoint.statistic, statistics.Statistic):
        found = np.empty(len(rows))
        for case in range(len(rows)):
            try:
                found[case] = _value(data, k, endpoint, np.array([case]))
            except InputError as problem:
                name = data.cases[rows[case]]
                raise InputError(f"{str(problem).rstrip('.')}, without case {name!r}.") from None
        return found
    tally = _tally(mask, scores, data.origin)
    values = np.zeros((2, len(tally.pos)))
    values[np.nonzero([tally.pos, tally.neg])] = values_without(tally, endpoint.statistic)[0]
    _, rank = np.unique(-scores, return_inverse=True)  # the most positive score first
    return np.asarray(values[1 - mask, rank])


def _bootstrap(
    data: Readings, endpoint: Endpoint, n_resamples: int, seed: int, progress: bool | Report | None
) -> Floats:
    """The endpoint of every cell in stratified resamples of the cases, the same for all cells."""
    units, of_cases = sampled_rows(~data.truth)
    cells = range(len(data.places))
    compiled = isinstance(endpoint.statistic, (statistics.Statistic, statistics.ScoreStatistic))
    models = []
    for k in cells if compiled else ():
        rows, mask, scores = data.of_cell(k)
        pairs = Pairs(mask, {"": ScoreColumn(scores, None, data.origin)})
        models.append(model_of(pairs, "", endpoint.statistic, of_cases[rows]))

    def draw(first: int, last: int) -> Floats:
        if compiled:
            return resample(units, models, seed, first, last)
        found = np.empty((last - first, len(cells)))
        for b in range(first, last):
            times = multiplicities(units, seed, b, b + 1)[0][of_cases]
            for k in cells:
                rows, mask, scores = data.of_cell(k)
                own = times[rows]
                drawn = np.repeat(mask, own), np.repeat(scores, own)
                found[b - first, k] = _of_scores(data, endpoint, k, *drawn)
        return found

    label = f"bootstrap of {endpoint.name}"
    values = in_chunks(draw, n_resamples, 1 + data.read.size // 64, progress, label)
    if not np.isfinite(values).all():
        k = int(np.flatnonzero(~np.isfinite(values).all(axis=0))[0])
        raise InputError(
            f"covariance='bootstrap' draws resamples in which {endpoint.name} is undefined for "
            f"{data.name_of(k)}, which has read few cases; use another covariance."
        )
    return values
