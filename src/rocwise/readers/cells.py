"""An endpoint of every reader in every modality, and its covariance matrix due to cases."""

import inspect
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Literal, get_args

import numpy as np

from rocwise import checks
from rocwise.arrays import Array, Flags, Floats, Places, Weights
from rocwise.binary import statistics
from rocwise.binary.bootstrap import model_of
from rocwise.binary.compare import chosen_statistic
from rocwise.binary.influence import placement_influence, require_two_clusters
from rocwise.data.pairs import Pairs
from rocwise.data.readings import Readings
from rocwise.data.tally import ScoreColumn, Tally
from rocwise.errors import InputError, shown
from rocwise.inference.resampling import in_chunks, sampled_rows
from rocwise.inference.variance import VarianceByClass, covariance
from rocwise.kernels import n_distinct
from rocwise.kernels.resample import Formula, resample
from rocwise.progress import Report
from rocwise.readers.u_statistics import PairSums

Covariance = Literal["delong", "jackknife", "unbiased", "exact-bootstrap", "bootstrap"]
OF_AREAS = ("unbiased", "exact-bootstrap")
AREA = statistics.Area()


@dataclass(frozen=True, eq=False)
class Cells:
    """Estimates by cell, a reader in a modality, with their covariance matrix due to cases."""

    data: Any  # readings or marks
    values: Floats
    covariance: Floats  # (cells, cells)
    quantity: str
    method: str
    areas: bool = False  # whether these are AUCs
    bounded: bool = True  # whether the endpoint is a proportion
    parts: tuple[Floats, Floats] | None = None  # of positives and of negatives, if separate
    variances: Sequence[VarianceByClass] | None = None  # by DeLong, of whole areas
    seed: int | None = None
    n_resamples: int | None = None
    note: str | None = None

    @classmethod
    def of_influences(cls, moved: Floats, *, label: bool | None = None, **known: Any) -> "Cells":
        """From influence values (cells, cases), 0 where not read, of areas or one class's rates."""
        data, method = known["data"], known["method"]
        truth, clusters, sizes = data.truth, data.clusters, data.sizes()
        if clusters is not None:
            members = [n_distinct(clusters[own]) for own in (truth, ~truth)]
            require_two_clusters(
                *(2 if label is side else n for side, n in zip((False, True), members, strict=True))
            )
        n = np.maximum(np.where(truth, sizes[:, :1], sizes[:, 1:]), 2)  # of the case's class
        units = moved / (n if clusters is not None else np.sqrt(n * (n - 1)))
        total, parts = gram(units, truth, clusters)
        variances = None
        if label is None:
            if clusters is not None:
                sizes = np.minimum(sizes, members)
            diagonals = [np.diagonal(each).tolist() for each in (total, *parts)]
            each_cell = zip(*diagonals, sizes.astype(np.float64).tolist(), strict=True)
            variances = [VarianceByClass(v, tuple(own), tuple(size)) for v, *own, size in each_cell]
            if method == "jackknife":  # an area without a case is known from its placement value
                every = sizes.sum(axis=1)[:, None]
                total, parts = gram(moved / (n - 1) * np.sqrt((every - 1) / every), truth)
        return cls(covariance=total, parts=parts, variances=variances, **known)

    @classmethod
    def of_draws(cls, drawn: Floats, seed: int, **known: Any) -> "Cells":
        """From the values of resamples (resamples, cells)."""
        draws: dict[str, Any] = {"seed": seed, "n_resamples": len(drawn), "method": "bootstrap"}
        return cls(covariance=np.atleast_2d(np.cov(drawn.T)), **{**known, **draws})


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


@dataclass(frozen=True)
class RateAtThreshold:
    """Sensitivity or specificity of decisions at a threshold."""

    is_proportion: ClassVar[bool] = True
    label: bool  # the class that the rate counts
    threshold: float
    direction: str

    @property
    def name(self) -> str:
        """Name of the statistic."""
        return f"{'sensitivity' if self.label else 'specificity'} at threshold {self.threshold:g}"

    def hits(self, oriented: Floats) -> Flags:
        """Which scores are decided for the class; higher ones mean positive."""
        sign = -1.0 if self.direction == "lower" else 1.0
        return np.equal(oriented >= sign * self.threshold, self.label)

    def of_curves(self, fpr: Floats, tpr: Floats, thresholds: Array) -> Floats:
        """One rate per curve."""
        oriented = -thresholds if self.direction == "lower" else thresholds
        k = np.count_nonzero(self.hits(oriented[1:]) == self.label)
        return tpr[:, k] if self.label else 1.0 - fpr[:, k]


@dataclass(frozen=True)
class OfScores:
    """A user's function of (y_true, y_score)."""

    function: Callable[[Array, Floats], Any]
    name: str

    def of_counts(self, data: Tally) -> Formula:
        """A function of counts of positives and negatives at the scores."""
        y_true, scores = np.repeat([1, 0], len(data.scores)), np.tile(data.scores, 2)

        def values(pos: Weights, neg: Weights) -> Floats:
            rows = np.concatenate([pos, neg], axis=1).astype(np.int64)
            drawn = ((np.repeat(each, times) for each in (y_true, scores)) for times in rows)
            return np.array([float(self.function(*both)) for both in drawn])

        return values


def chosen_endpoint(
    options: tuple[Any, ...], threshold: Any, statistic: Any, direction: str
) -> Any:
    """The endpoint that the options name; `options` are those of parts and points."""
    of_threshold = isinstance(statistic, str) and statistic in ("sensitivity", "specificity")
    if of_threshold != (threshold is not None):
        if of_threshold:
            raise InputError(f"statistic={statistic!r} needs `threshold`, e.g. threshold=3.")
        raise InputError(
            "`threshold` needs statistic='sensitivity' or statistic='specificity'; got "
            f"statistic={shown(statistic)}."
        )
    if of_threshold:
        if any(option is not None for option in options):
            raise InputError("`threshold` does not go with parts and points of the curve.")
        value = checks.real(threshold, "threshold")
        return RateAtThreshold(statistic == "sensitivity", value, direction)
    chosen = chosen_statistic(options[:3], options[3:], statistic)
    own = isinstance(chosen, statistics.OwnStatistic) and _takes_scores(statistic)
    return OfScores(statistic, chosen.name) if own else chosen


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
    endpoint: Any,
    method: str,
    n_resamples: int,
    rng: Any,
    progress: bool | Report | None,
) -> Cells:
    """The endpoint of every cell and the covariance matrix by a method."""
    label = endpoint.label if isinstance(endpoint, RateAtThreshold) else None
    smooth = endpoint == AREA or label is not None  # with influence values
    if method == "auto":
        method = "delong" if smooth else "jackknife"
    _check(data, endpoint, method)
    bounded = isinstance(endpoint, statistics.PartialArea) or getattr(
        endpoint, "is_proportion", False
    )
    known: dict[str, Any] = {"data": data, "method": method, "quantity": endpoint.name}
    known |= {"note": _constant(data), "areas": endpoint == AREA, "bounded": bounded}
    cells = range(len(data.places))
    if method == "bootstrap":
        values = np.array([_value(data, k, endpoint, *data.of_cell(k)[1:]) for k in cells])
        seed = checks.seed(rng)
        drawn = _bootstrap(data, endpoint, n_resamples, seed, progress)
        return Cells.of_draws(drawn, seed, values=values, **known)
    if not smooth:
        found = _left_out(data, endpoint, progress)
        total, parts = gram(found[:, 1:], data.truth)
        return Cells(values=found[:, 0], covariance=total, parts=parts, **known)
    values, moved = np.empty(len(cells)), np.zeros(data.read.shape)
    for k in cells:
        rows, mask, scores = data.of_cell(k)
        if label is None:
            values[k], moved[k, rows] = placement_influence(mask, scores)
        else:
            own = mask == label
            hits = endpoint.hits(scores[own])
            values[k], moved[k, rows[own]] = hits.mean(), hits - hits.mean()
    result = Cells.of_influences(moved, values=values, label=label, **known)
    if method not in OF_AREAS:
        return result
    return replace(result, covariance=PairSums.of(data).covariance(method), parts=None)


def _constant(data: Readings) -> str | None:
    """Readers who gave one score to all cases, in words."""
    names = [data.name_of(k) for k, scores in enumerate(data.found) if np.ptp(scores) == 0]
    more = f" and {len(names) - 1} more" if len(names) > 1 else ""
    return f"{names[0]}{more} gave one score only" if names else None


def _check(data: Readings, endpoint: Any, method: str) -> None:
    """Errors for covariances of other endpoints, and for cells with fewer than two cases."""
    checks.one_of(method, "covariance", get_args(Covariance))
    label = endpoint.label if isinstance(endpoint, RateAtThreshold) else None
    if endpoint != AREA and (method in OF_AREAS or (method == "delong" and label is None)):
        also = " and for rates at a threshold" if method == "delong" else ""
        raise InputError(
            f"covariance={method!r} is for the full AUC{also}; use 'jackknife' or 'bootstrap'."
        )
    if method == "exact-bootstrap" and not data.read.all():
        raise InputError(
            "covariance='exact-bootstrap' needs every reading; some are missing here. Use 'delong'."
        )
    if data.clusters is not None and method != "delong":
        raise InputError(f"`groups` needs covariance='delong'; got {method!r}.")
    for own, name in zip(data.sizes().T, ("positive", "negative"), strict=True):
        if (own < 2).any() and label is not (name == "negative"):
            k = int((own < 2).argmax())
            raise InputError(
                f"{data.name_of(k)} read {own[k] or 'no'} {name}{'' if own[k] == 1 else 's'}; at "
                "least 2 are needed."
            )


def _value(data: Readings, k: int, endpoint: Any, mask: Array, scores: Floats) -> float:
    """The endpoint of some readings of a cell; an error names the cell where it is no number."""
    try:
        value = statistics.evaluated(data.tally(mask, scores), endpoint)
    except Exception as problem:
        raise InputError(
            f"`statistic` {endpoint.name} fails for {data.name_of(k)}: {problem}"
        ) from problem
    if not np.isfinite(value):
        raise InputError(
            f"`statistic` {endpoint.name} is {value!r} for {data.name_of(k)}, no finite number."
        )
    return value


def _left_out(data: Readings, endpoint: Any, progress: bool | Report | None) -> Floats:
    """The value of each cell, and columns whose products are the jackknife's covariances."""

    def without(first: int, last: int) -> Floats:
        found = np.zeros((last - first, 1 + len(data.truth)))
        for k in range(first, last):
            rows, mask, scores = data.of_cell(k)
            found[k - first, 0] = _value(data, k, endpoint, mask, scores)
            own, n = _values_without(data, k, endpoint), len(rows)
            found[k - first, 1 + rows] = (own - own.mean()) * np.sqrt((n - 1) / n)
        return found

    n, label = len(data.places), f"jackknife of {endpoint.name}"
    return in_chunks(without, n, 100 * len(data.truth), progress, label)


def _values_without(data: Readings, k: int, endpoint: Any) -> Floats:
    """The endpoint of a cell without each of its cases; equal cases are left out once."""
    rows, mask, scores = data.of_cell(k)
    _, cases, same = np.unique(
        np.stack([mask, scores]), axis=1, return_index=True, return_inverse=True
    )
    found = []
    for case in cases.tolist():
        try:
            rest = (np.delete(each, case) for each in (mask, scores))
            found.append(_value(data, k, endpoint, *rest))
        except InputError as problem:
            name = data.cases[rows[case]]
            raise InputError(f"{str(problem).rstrip('.')}, without case {name!r}.") from None
    return np.array(found)[same.ravel()]


def _bootstrap(
    data: Readings, endpoint: Any, n_resamples: int, seed: int, progress: bool | Report | None
) -> Floats:
    """The endpoint of every cell in stratified resamples of the cases, the same for all cells."""
    units, of_cases = sampled_rows(~data.truth)
    models = []
    for rows, mask, scores in map(data.of_cell, range(len(data.places))):
        pairs = Pairs(mask, {"": ScoreColumn(scores, None, data.origin)})
        models.append(model_of(pairs, "", endpoint, of_cases[rows]))

    def draw(first: int, last: int) -> Floats:
        try:
            return resample(units, models, seed, first, last)
        except Exception as problem:
            name = endpoint.name
            raise InputError(f"`statistic` {name} fails in resamples: {problem}") from problem

    label = f"bootstrap of {endpoint.name}"
    values = in_chunks(draw, n_resamples, 1 + data.read.size // 64, progress, label)
    if not np.isfinite(values).all():
        k = int(np.flatnonzero(~np.isfinite(values).all(axis=0))[0])
        raise InputError(
            f"covariance='bootstrap' draws resamples in which {endpoint.name} is undefined for "
            f"{data.name_of(k)}, which has read few cases; use another covariance."
        )
    return values
