"""Confidence bands around a REC curve, for the whole curve at once."""

import math
from dataclasses import field
from functools import partial
from typing import Any, ClassVar, Literal, get_args

import numpy as np

from rocwise import checks, printing
from rocwise.arrays import Floats
from rocwise.errors import InputError, count_of, shown
from rocwise.inference.resampling import in_chunks
from rocwise.kernels.resample import Units, multiplicities
from rocwise.progress import Report
from rocwise.regression.rec_curves import RecCurve, checked_curve, checked_tolerances
from rocwise.results import ASIDE, Resampled, result

BandKind = Literal["dkw", "bootstrap"]
SUSPICIOUS = 3.0  # standard errors of an autocorrelation beyond which a warning is given


@result
class RecBand(Resampled):
    """Confidence band of fixed width around a REC curve, truncated at 0 and 1.

    `lower` and `upper` apply from each `tolerance` to the next. Left of the first one the curve is
    0 and the band reaches up to `half_width`.
    """

    frame_fields: ClassVar[tuple[str, ...]] = ("tolerance", "accuracy", "lower", "upper")
    tolerance: Floats
    accuracy: Floats
    lower: Floats
    upper: Floats
    kind: str
    level: float
    half_width: float
    n: int
    loss: str
    block: int
    autocorrelation: float | None
    curve: RecCurve = field(metadata=ASIDE)

    def _method_words(self) -> list[str]:
        return [self.kind]

    def description(self) -> str:
        """What the band is and what it takes for granted."""
        how = {"dkw": "DKW band", "bootstrap": "bootstrap band"}[self.kind]
        blocks = f" in blocks of {self.block}" if self.block > 1 else ""
        rows = "a stationary series" if self.block > 1 else "independent errors"
        return f"{printing.percent(self.level)} {how}{blocks} for the whole curve, for {rows}"

    def doubt(self) -> str | None:
        """A remark when the losses look serially dependent and the band ignores it."""
        r = self.autocorrelation
        if self.block > 1 or r is None or abs(r) <= SUSPICIOUS / math.sqrt(self.n):
            return None
        return f"successive losses are correlated ({r:.2f}), so this band may be too narrow"

    def warning(self) -> str | None:
        """The doubt, and what to do about it."""
        doubt = self.doubt()
        if doubt is None:
            return None
        return f"{doubt}: use kind='bootstrap' and a `block` as long as the dependence lasts"

    def at(self, tolerance: Any) -> tuple[Floats, Floats]:
        """Lower and upper edge at these tolerances."""
        places = checks.numbers(tolerance, "tolerance", infinite=True, nan=True)
        shape = places.shape
        accuracy = self.curve.share_at(checked_tolerances(places.ravel()))
        low, high = _edges(accuracy, self.half_width)
        return low.reshape(shape), high.reshape(shape)

    def contains(self, curve: RecCurve) -> bool:
        """Whether another curve of the same loss lies within the band at every tolerance."""
        checked_curve(curve, "curve")
        if curve.loss != self.loss:
            raise InputError(f"`curve` is of {curve.loss} errors, the band of {self.loss} ones.")
        places = np.concatenate([[0.0], self.tolerance, curve.tolerance])
        low, high = self.at(places)
        accuracies = curve.share_at(places)
        return bool(np.all(accuracies >= low - 1e-12) and np.all(accuracies <= high + 1e-12))

    def _sentence(self) -> str:
        warning = self.warning()
        tail = f"; {warning}" if warning else ""
        return f"{self.description()}; ± {self.half_width:.3g}; {count_of(self.n, 'case')}{tail}"

    def to_dict(self) -> dict[str, Any]:
        """The result as plain JSON-safe values, with its coverage as text."""
        return super().to_dict() | {"description": self.description(), "warning": self.warning()}


def band(
    curve: RecCurve,
    *,
    kind: BandKind = "dkw",
    level: float = 0.95,
    block: int = 1,
    n_resamples: int = 2000,
    rng: Any = None,
    progress: bool | Report | None = None,
) -> RecBand:
    """Compute a simultaneous confidence band of a REC curve.

    Parameters
    ----------
    curve : RecCurve
        Result of `rec`.
    kind : {"dkw", "bootstrap"}, default "dkw"
        Dvoretzky-Kiefer-Wolfowitz band with half width sqrt(log(2 / (1 - level)) / (2 n)) [1]_,
        which is conservative for independent errors; or quantile of the largest distance of
        bootstrap curves.
    level : float, default 0.95
        Simultaneous confidence level.
    block : int, default 1
        For "bootstrap" of a time series: rows per block.
    n_resamples : int, default 2000
        Number of bootstrap resamples.
    rng : int, numpy.random.Generator or None, optional
        Seed or random generator; None draws a seed, which the result reports.
    progress : bool or callable, optional
        Whether to show progress, or a function that receives the completed fraction. By default
        a line is shown in a terminal.

    Returns
    -------
    RecBand
        Result with `tolerance`, `lower`, `upper` and `half_width`.

    See Also
    --------
    regression.rec : REC curve.
    regression.compare : Comparison of regression models.
    band : Confidence band of the ROC curve.

    References
    ----------
    .. [1] P. Massart, "The tight constant in the Dvoretzky-Kiefer-Wolfowitz inequality", Ann.
           Probab. 18, 1990. doi:10.1214/aop/1176990746

    Examples
    --------
    >>> import rocwise as rw
    >>> curve = rw.regression.rec([1, 2, 3, 4, 5, 6], [1.2, 1.7, 3.1, 4.8, 4.6, 6.0])
    >>> band = rw.regression.band(curve)
    >>> round(band.half_width, 3)
    0.554
    >>> ax = band.plot()
    """
    checked_curve(curve, "curve")
    checks.one_of(kind, "kind", get_args(BandKind))
    level = checks.level(level)
    block = checks.whole(block, "block")
    n_resamples = checks.draws(n_resamples, rng, progress, at_least=100)
    if kind == "dkw" and block > 1:
        raise InputError("`block` is for kind='bootstrap'; the dkw band is for independent errors.")
    if kind == "dkw" and curve.weights is not None:
        raise InputError(
            "kind='dkw' is proven for rows of equal weight; use kind='bootstrap', which draws rows "
            "with their weights."
        )
    if block > 1 and block > curve.n // 2:
        raise InputError(
            f"`block` must leave at least two blocks in the {curve.n} rows; got {shown(block)}."
        )
    seed = None
    if kind == "dkw":
        width = math.sqrt(math.log(2 / (1 - level)) / (2 * curve.n))  # (C6)
    else:
        seed = checks.seed(rng)
        largest = in_chunks(
            partial(_largest_distances, curve, block, seed, np.random.default_rng(seed)),
            n_resamples,
            curve.n,
            progress,
            "REC band",
        )
        place = min(len(largest), math.ceil(level * (len(largest) + 1))) - 1
        # resampled curves step at observed errors only, so their distances are whole steps of
        # 1 / n; the distance from the true curve may be up to one step more
        width = float(np.sort(largest)[place]) + float(curve._row_weights().max())
    low, high = _edges(curve.accuracy, width)
    return RecBand(
        tolerance=curve.tolerance,
        accuracy=curve.accuracy,
        lower=low,
        upper=high,
        kind=kind,
        level=level,
        half_width=width,
        n=curve.n,
        loss=curve.loss,
        block=block,
        autocorrelation=autocorrelation(curve.losses),
        curve=curve,
        n_resamples=None if seed is None else n_resamples,
        seed=seed,
        origin=curve.origin,
    )


def _edges(accuracy: Floats, width: float) -> tuple[Floats, Floats]:
    return np.clip(accuracy - width, 0.0, 1.0), np.clip(accuracy + width, 0.0, 1.0)


def _largest_distances(
    curve: RecCurve, block: int, seed: int, generator: np.random.Generator, start: int, stop: int
) -> Floats:
    """Of some resampled curves the largest vertical distance from the curve.

    Blocks of rows, or single rows with weights, are drawn as they are; rows without weights in
    ascending order of their losses.
    """
    if curve.weights is None and block == 1:
        drawn = multiplicities(Units(np.array([curve.n])), seed, start, stop)
        ends = np.rint(curve.accuracy * curve.n).astype(np.int64)  # rows within each tolerance
        sums = np.cumsum(drawn, axis=1, dtype=np.int64)[:, ends - 1]
        return np.asarray(np.abs(sums / curve.n - curve.accuracy).max(axis=1))
    count, n_cells = stop - start, len(curve.tolerance)
    cells = np.searchsorted(curve.tolerance, curve.losses, side="right") - 1
    heads = generator.integers(0, curve.n, size=(count, math.ceil(curve.n / block), 1))
    rows = ((heads + np.arange(block)) % curve.n).reshape(count, -1)
    bins = cells[rows] + n_cells * np.arange(count)[:, None]
    weights = None if curve.weights is None else curve.weights[rows].ravel()
    sums = np.bincount(bins.ravel(), weights, minlength=count * n_cells).reshape(count, -1)
    accuracies = np.cumsum(sums, axis=1) / sums.sum(axis=1, keepdims=True)
    return np.asarray(np.abs(accuracies - curve.accuracy).max(axis=1))


def autocorrelation(losses: Floats) -> float | None:
    """Correlation of each loss with the one before; None where all are equal."""
    if len(losses) < 3:
        return None
    top = float(np.abs(losses).max())
    if top == 0.0:
        return None
    centered = losses / top - float(np.mean(losses / top))
    squares = float(centered @ centered)
    return None if squares <= 1e-24 * len(losses) else float(centered[1:] @ centered[:-1]) / squares
