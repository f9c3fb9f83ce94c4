"""FROC curves: marks of readers on lesions; areas and sensitivities, and their comparison."""

import math
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Literal, get_args

import numpy as np

from rocwise import checks, printing
from rocwise.arrays import Floats
from rocwise.binary.influence import placement_influence
from rocwise.data.readings import Marks
from rocwise.errors import InputError, ends_traceback, shown
from rocwise.inference.proportions import wilson_limits
from rocwise.inference.resampling import in_chunks, percentile_limits, sampled_rows
from rocwise.inference.significance import ALTERNATIVES, Alternative
from rocwise.inputs.reader_studies import as_marks
from rocwise.inputs.rows import Direction
from rocwise.kernels.resample import multiplicities
from rocwise.progress import Report
from rocwise.readers.cells import Cells
from rocwise.readers.comparison import Analysis, ReaderComparison, chosen_sides
from rocwise.readers.mean_of_readers import NOISE, Effect
from rocwise.results import Estimate, Interval, Table, result

Figure = Literal["wafroc", "afroc", "inferred", "sensitivity"]
QUANTITIES: dict[str, str] = {
    "wafroc": "wAFROC area",
    "afroc": "AFROC area",
    "inferred": "inferred ROC area",
    "sensitivity": "mean sensitivity",
}
BAND_POINTS = 101
LUNA16 = (1 / 8, 1 / 4, 1 / 2, 1, 2, 4, 8)


@result
class FrocCurve(Estimate):
    """FROC curve of one reader or model, with its figure of merit.

    Attributes
    ----------
    nlf, llf, thresholds : ndarray
        False marks per case (non-lesion localization fraction), proportion of lesions marked, and
        the score from which on marks count; the curve ends at its last point.
    value, standard_error, interval
        Figure of merit `quantity` with its confidence interval.
    at : Table
        `false_positives, sensitivity, low, high` at given false marks per case.
    band : Table
        `false_positives, low, high`: pointwise limits along the curve.
    mean_sensitivity, mean_sensitivity_interval
        Mean of these sensitivities with its confidence interval.
    n_pos, n_neg, n_lesions : int
        Cases with and without lesions; lesions.
    """

    frame_fields: ClassVar[tuple[str, ...]] = ("nlf", "llf", "thresholds")
    nlf: Floats
    llf: Floats
    thresholds: Floats
    at: Table
    band: Table
    mean_sensitivity: float
    mean_sensitivity_interval: Interval
    n_pos: int
    n_neg: int
    n_lesions: int
    quantity: str

    def _sentence(self) -> str:
        sizes = f"{self.n_lesions:,} lesions in {printing.classes(self.n_pos, self.n_neg)}"
        low, high = (f"{each:.3f}" for each in self.interval)
        more = ""
        if self.quantity != QUANTITIES["sensitivity"]:
            more = f"; mean sensitivity {self.mean_sensitivity:.3f}"
        return (
            f"{self.quantity} {self.value:.3f} ({printing.percent(self.level)} CI {low} to {high}) "
            f"from {sizes}{more} ({self.interval.method}{self._draw_words()})"
        )


@dataclass(frozen=True)
class Sensitivities:
    """Sensitivities at false marks per case, and resamples of the cases or their clusters."""

    at: Floats
    n_resamples: int
    seed: int
    progress: bool | Report | None

    def of(self, curve: tuple[Floats, Floats]) -> Floats:
        """Of a curve; points beyond its end have the sensitivity of its end."""
        return np.interp(self.at, *curve)

    def drawn(self, data: Marks) -> Floats:
        """Of all cells in resamples of cases or clusters: (resamples, cells, points)."""
        units, of_cases = sampled_rows(data.truth, data.clusters)

        def draw(first: int, last: int) -> Floats:
            times = multiplicities(units, self.seed, first, last)[:, of_cases]
            cells = (data.curves_of(k, times) for k in range(len(data.found)))
            return np.stack([[self.of(curve) for curve in curves] for curves in cells], axis=1)

        size = sum(len(each.case) for each in data.found) + len(data.cases)
        return in_chunks(draw, self.n_resamples, size, self.progress, "bootstrap of sensitivities")


@ends_traceback
def froc(
    marks: Any,
    cases: Any,
    *,
    case: Any,
    score: Any,
    lesion: Any,
    lesions: Any,
    weights: Any = None,
    reader: Any = None,
    modality: Any = None,
    groups: Any = None,
    figure: Figure = "wafroc",
    at: Any = LUNA16,
    modalities: Any = None,
    ai: Any = None,
    readers: Effect = "random",
    covariance: Literal["delong", "jackknife"] = "delong",
    level: float = 0.95,
    alternative: Alternative = "two-sided",
    margin: float | None = None,
    direction: Direction = "higher",
    n_resamples: int = 2000,
    rng: Any = None,
    progress: bool | Report | None = None,
) -> FrocCurve | ReaderComparison:
    """Free-response ROC (FROC) analysis of marks on lesions.

    Areas under the (weighted) alternative FROC curve compare the score of each lesion with the
    highest false mark of each case without lesions: a two-sample U-statistic [1]_, for which
    DeLong's variance and the analyses of `readers.compare` apply. Every reader is taken to have
    read all `cases` in every modality in which the reader set marks.

    Parameters
    ----------
    marks : DataFrame, dict of arrays or path
        One row for each mark.
    cases : DataFrame, dict of arrays or path
        One row for each case, those without marks too.
    case : str
        Column of the case, in both tables.
    score : str
        Column of the score of each mark.
    lesion : str
        Column of the lesion that a mark is on; empty or 0 for a false mark. Of several marks on one
        lesion the highest counts.
    lesions : str
        Column of `cases`: number of lesions, 0 for a case without.
    weights : str, optional
        Column of `marks`: weight of the lesion in its case, where the weights of all lesions of a
        case sum to 1; by default they are equal. For figure="wafroc".
    reader, modality : str, optional
        Columns of reader and modality. With either of them the result is a comparison.
    groups : str, optional
        Column of `cases`: patient of each case, for cases that are not independent.
    figure : {"wafroc", "afroc", "inferred", "sensitivity"}, default "wafroc"
        Figure of merit: area under the AFROC curve with the lesions of each case weighted, or
        with equal weights of all lesions; area under the ROC curve of the highest mark of each
        case; or mean sensitivity at `at`.
    at : float or sequence of float, default (1/8, 1/4, 1/2, 1, 2, 4, 8)
        False marks per case at which sensitivities are computed.
    modalities : list of str, optional
        Which modalities, in which order; by default all in the order of their first rows.
    ai : str, optional
        Reader that is a standalone model: compared with the mean of the others.
    readers : {"random", "fixed"}, default "random"
        Whether the result is about other readers, too. Cases are random.
    covariance : {"delong", "jackknife"}, default "delong"
        How covariances due to cases are estimated; sensitivities have those of the bootstrap.
    level : float, default 0.95
        Confidence level.
    alternative : {"two-sided", "greater", "less", "non-inferior", "equivalent"}
        Alternative hypothesis for first minus second.
    margin : float, optional
        Margin of non-inferiority or equivalence.
    direction : {"higher", "lower"}, default "higher"
        Which scores are more suspicious.
    n_resamples : int, default 2000
        Number of bootstrap resamples of cases, for sensitivities.
    rng : int, numpy.random.Generator or None, default None
        Seed or random generator.
    progress : bool or callable, optional
        Progress bar of the bootstrap; by default for long work in a terminal.

    Returns
    -------
    FrocCurve or ReaderComparison
        Curve with `nlf`, `llf`, `value`, `interval` and `at`; or with `reader` or `modality` the
        comparison, as of `readers.compare`.

    See Also
    --------
    readers.compare : Reader studies with one score for each case.
    roc : Empirical ROC curve.

    References
    ----------
    .. [1] D. P. Chakraborty, "Observer Performance Methods for Diagnostic Imaging", CRC Press,
           2017. doi:10.1201/9781351228190

    Examples
    --------
    >>> import rocwise as rw
    >>> from rocwise.datasets import marked_lesions
    >>> study = marked_lesions(n_readers=1, separation=(1.0,))
    >>> columns = {"case": "case", "score": "score", "lesion": "lesion", "lesions": "lesions"}
    >>> curve = rw.froc(study.marks, study.cases, **columns, rng=1)
    >>> round(curve.value, 3), curve.n_lesions
    (0.726, 112)
    """
    level = checks.level(level)
    checks.one_of(figure, "figure", get_args(Figure))
    checks.one_of(readers, "readers", get_args(Effect))
    checks.one_of(alternative, "alternative", ALTERNATIVES)
    checks.one_of(covariance, "covariance", ("delong", "jackknife"))
    if weights is not None and figure != "wafroc":
        raise InputError(f"`weights` are those of figure='wafroc'; got figure={figure!r}.")
    points = np.atleast_1d(checks.numbers(at, "at", most=1))
    if not len(points) or points[0] <= 0 or not (np.diff(points) > 0).all():
        raise InputError(f"`at` must be positive numbers that rise; got {shown(at)}.")
    n_resamples = checks.draws(n_resamples, rng, progress, at_least=2)
    columns = {"case": case, "score": score, "lesion": lesion, "lesions": lesions}
    columns |= {"weights": weights, "reader": reader, "modality": modality, "groups": groups}
    data = as_marks(marks, cases, columns, direction=direction)
    _check(data, figure, covariance)
    if reader is None:
        others = {"modality": modality, "modalities": modalities, "ai": ai, "margin": margin}
        others["alternative"] = None if alternative == "two-sided" else alternative
        for name, given in others.items():
            if given is not None:
                raise InputError(f"`{name}` needs `reader`, the column of the reader of each mark.")
    seed = checks.seed(rng) if reader is None or figure == "sensitivity" else 0
    sensitivities = Sensitivities(points, n_resamples, seed, progress)
    if reader is None:
        return _curve(data, figure, covariance, sensitivities, level)
    chosen, sides, model = chosen_sides(data, modalities, ai)
    cells = _cells(chosen, figure, covariance, sensitivities)
    return Analysis(
        cells, sides, model, readers, "random", "or", level, alternative, margin
    ).result()


def _check(data: Marks, figure: str, covariance: str) -> None:
    n_pos, n_neg = np.count_nonzero(data.truth), np.count_nonzero(~data.truth)
    if n_pos < 2:
        raise InputError(f"`cases` has {n_pos} with lesions; at least 2 are needed.")
    if n_neg < 2 and figure != "sensitivity":
        raise InputError(
            f"`cases` has {n_neg} without lesions; areas need at least 2. Without them use "
            "figure='sensitivity'."
        )
    if data.clusters is not None and covariance != "delong":
        raise InputError(f"`groups` needs covariance='delong'; got {covariance!r}.")


def _influence(data: Marks, k: int, figure: str) -> tuple[float, Floats]:
    """The area of a cell, and the placement values of cases less the area."""
    own, truth = data.found[k], data.truth
    highest = np.full(len(truth), -np.inf)
    np.maximum.at(highest, own.case, own.scores)
    if figure == "inferred":
        return placement_influence(truth.view(np.uint8), highest)
    total = np.where(truth, 1.0 if figure == "wafroc" else data.lesions, 0.0)  # of each case
    hits, case = own.hit, np.append(np.arange(len(truth)), own.case[own.hit])
    weights = own.weights[hits] if figure == "wafroc" else np.ones(np.count_nonzero(hits))
    unmarked = total - np.bincount(own.case[hits], weights, len(truth))
    # rows are the cases without lesions, and those with their unmarked and their marked lesions
    y = np.append(truth, np.ones(len(weights), np.bool_)).view(np.uint8)
    scores = np.append(np.where(truth, -np.inf, highest), own.scores[hits])
    w = np.append(np.where(truth, unmarked, 1.0), weights)
    value, moved = placement_influence(y, scores, w)
    moved *= np.where(y, w * np.count_nonzero(truth) / total.sum(), 1.0)
    return value, np.asarray(np.bincount(case, moved, len(truth)), np.float64)


def _cells(data: Marks, figure: str, covariance: str, points: Sensitivities) -> Cells:
    """The figure of merit of every cell and the covariance matrix due to cases."""
    cells, quantity = range(len(data.found)), QUANTITIES[figure]
    if figure == "sensitivity":
        own = np.array([points.of(data.curve_of(k)).mean() for k in cells])
        drawn = points.drawn(data).mean(axis=2)
        return Cells.of_draws(drawn, points.seed, data=data, values=own, quantity=quantity)
    values, rows = zip(*(_influence(data, k, figure) for k in cells), strict=True)
    truth, moved = data.truth, np.stack(rows)
    if figure == "afroc" and covariance == "jackknife":  # without a case its lesions are missing
        n_pos, lesions = np.count_nonzero(truth), data.lesions[truth]
        moved[:, truth] *= (n_pos - 1) / n_pos * lesions.sum() / (lesions.sum() - lesions)
        left = np.where(truth, n_pos, len(truth) - n_pos) - 1
        moved -= (moved / left).mean(axis=1, keepdims=True) * left
    known: Any = {"data": data, "values": np.array(values), "quantity": quantity}
    return Cells.of_influences(moved, method=covariance, **known)


def _curve(
    data: Marks, figure: str, covariance: str, points: Sensitivities, level: float
) -> FrocCurve:
    """The curve of all marks, which are those of one reader."""
    nlf, llf = data.curve_of(0)
    grid, n = np.linspace(0.0, nlf[-1], BAND_POINTS), len(points.at)
    every = replace(points, at=np.append(points.at, grid))
    own, drawn = every.of((nlf, llf)), every.drawn(data)[:, 0]
    own, drawn = np.append(own, own[:n].mean()), np.c_[drawn, drawn[:, :n].mean(axis=1)]
    low, high = percentile_limits(drawn, level)
    constant = np.ptp(drawn, axis=0) == 0.0
    wilson = wilson_limits(own, float(np.count_nonzero(data.truth)), level)
    low, high = np.where(constant, wilson[0], low), np.where(constant, wilson[1], high)
    units = "cases" if data.clusters is None else "clusters"
    limits = float(low[-1]), float(high[-1])
    interval = Interval(*limits, level, f"percentile bootstrap of {units}")
    value, error, merit = float(own[-1]), float(drawn[:, -1].std(ddof=1)), interval
    if figure != "sensitivity":
        cells = _cells(data, figure, covariance, points)
        assert cells.variances is not None
        value, variance = float(cells.values[0]), float(cells.covariance[0, 0])
        clustered = data.clusters is not None
        _, merit = cells.variances[0].interval(value, level, clustered=clustered)
        error = math.sqrt(variance) if variance > NOISE else 0.0
    sign = -1.0 if data.origin.direction == "lower" else 1.0
    (n_pos, n_neg), marks = data.sizes()[0].tolist(), data.found[0]
    return FrocCurve(
        nlf=nlf,
        llf=llf,
        thresholds=sign * np.append(np.inf, marks.scores[marks.steps]),
        value=value,
        standard_error=error,
        interval=merit,
        at=Table(false_positives=points.at, sensitivity=own[:n], low=low[:n], high=high[:n]),
        band=Table(false_positives=grid, low=low[n:-1], high=high[n:-1]),
        mean_sensitivity=float(own[-1]),
        mean_sensitivity_interval=interval,
        n_pos=n_pos,
        n_neg=n_neg,
        n_lesions=int(data.lesions.sum()),
        quantity=QUANTITIES[figure],
        seed=points.seed,
        n_resamples=points.n_resamples,
        origin=data.origin,
    )
