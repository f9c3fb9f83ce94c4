"""`calibration`: predicted against observed shares, slope and intercept, proper scores."""

from __future__ import annotations

from typing import Any, Literal, Unpack, get_args

import numpy as np

from rocwise import checks, kernels, printing
from rocwise.arrays import Amounts, Floats
from rocwise.binary.calibration.binned_shares import (
    Shares,
    binned,
    expected_error,
    isotonic,
)
from rocwise.binary.calibration.local_regression import local_fit
from rocwise.binary.calibration.proper_scores import brier_parts, log_loss
from rocwise.binary.calibration.recalibration import Recalibration, recalibrated
from rocwise.binary.calibration.unlike_rows import CalibrationCurve, UnlikeRows
from rocwise.binary.roc import AboutData
from rocwise.binary.unit_scores import unit_scores
from rocwise.data.tally import Tally
from rocwise.inference.chunked_draws import ROWS_PER_CELL, in_chunks
from rocwise.inference.proportions import wilson_limits
from rocwise.inputs.coercion import TallyOptions, as_clustered_tally, by_group
from rocwise.results import Interval, result

Strategy = Literal["quantile", "uniform", "isotonic", "loess"]
STRATEGIES: tuple[str, ...] = get_args(Strategy)
DRAWS = 400  # resamples of the isotonic fit
METHODS = {
    "quantile": "wilson",
    "uniform": "wilson",
    "isotonic": "bootstrap percentile",
    "loess": "binomial variances",
}


@result
class Calibration(AboutData):
    """How far predicted probabilities agree with what happened.

    `predicted`, `observed` and its limits `low`, `high` are over `count` cases each. `slope` and
    `intercept` are those of the logistic recalibration, `in_the_large` is its intercept at slope 1;
    all are None with their intervals where there is no fit: scores of exactly 0 or 1, or classes
    that are separated. `ece` is the mean distance of observed from predicted.
    `brier` = `miscalibration` - `discrimination` + `uncertainty`.
    """

    predicted: Floats
    observed: Floats
    low: Floats
    high: Floats
    count: Amounts
    strategy: str
    level: float
    slope: float | None
    slope_interval: Interval | None
    intercept: float | None
    intercept_interval: Interval | None
    in_the_large: float | None
    in_the_large_interval: Interval | None
    ece: float
    brier: float
    miscalibration: float
    discrimination: float
    uncertainty: float
    log_loss: float
    n_pos: float
    n_neg: float

    def _columns(self) -> dict[str, Any]:
        names = ("predicted", "observed", "low", "high", "count")
        return {name: getattr(self, name) for name in names}

    def _sentence(self) -> str:
        if self.slope is None or self.slope_interval is None or self.intercept is None:
            line = "no slope: scores of 0 or 1, or separated classes"
        else:
            low, high = self.slope_interval
            level = printing.percent(self.level)
            line = (
                f"slope {self.slope:.2f} ({level} CI {low:.2f} to {high:.2f}), "
                f"intercept {self.intercept:.2f}"
            )
        return (
            f"calibration: {line}; expected calibration error {self.ece:.3f}, Brier score "
            f"{self.brier:.3f}, log loss {self.log_loss:.3f}; "
            f"{printing.classes(self.n_pos, self.n_neg)}"
        )


@by_group
def calibration(
    data: Any = None,
    y_score: Any = None,
    *,
    bins: int = 10,
    strategy: Strategy = "quantile",
    level: float = 0.95,
    n_resamples: int = DRAWS,
    rng: Any = None,
    groups: Any = None,
    **given: Unpack[TallyOptions],
) -> Calibration:
    """Whether predicted probabilities mean what they say: curve, slope, error and proper scores.

    Parameters
    ----------
    data, y_score
        A tally; or labels and scores; or a frame or path with `label=` and `score=`.
        Probabilities from 0 to 1.
    bins : int, default 10
        Number of bins of "quantile" and "uniform".
    strategy : {"quantile", "uniform", "isotonic", "loess"}
        Bins of about equal size (tied scores stay together) or of equal width, with Wilson's
        limits; the blocks of the isotonic fit, with bootstrap limits; or a local linear fit over
        the nearest three quarters of the cases, with the limits of its binomial variance.
    level : float, default 0.95
        Confidence level.
    n_resamples, rng
        Number and seed of the resamples of "isotonic", and of all limits with weights or
        clusters: rows are drawn with their weights, clusters whole.
    groups : optional
        Cluster of each row, or the name of its column.
    **given
        More about rows, a frame or a file (`label`, `score`, `by`, `pos_label`, `sample_weight`,
        `direction`, `missing`, `resolution`): see `tally`; `by` answers for every group of rows.

    Returns
    -------
    Calibration

    Examples
    --------
    >>> import rocwise as rw
    >>> y, p = [0, 0, 1, 0, 1, 1, 0, 1], [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8]
    >>> answer = rw.calibration(y, p, bins=2)
    >>> answer.predicted.round(3).tolist(), answer.observed.tolist(), round(answer.brier, 4)
    ([0.25, 0.65], [0.25, 0.75], 0.205)
    """
    tally = as_clustered_tally("calibration", data, y_score, groups, given)
    bins = checks.whole(bins, "bins", at_most=checks.LARGEST_GRID)
    checks.one_of(strategy, "strategy", STRATEGIES)
    level = checks.level(level)
    n_resamples = checks.draws(n_resamples, rng, at_least=2)
    tally = tally.merged()
    scores = unit_scores(tally, "calibration")
    counts = tally.narrow_counts()
    curve = _curve(tally, scores, counts, bins, strategy, level, n_resamples, rng)
    parts = brier_parts(scores, *counts, (tally.tp, tally.fp))
    fit = recalibrated(scores, *counts, level)
    if tally.rows is not None:
        drawn = UnlikeRows(tally, scores, level, n_resamples, checks.seed(rng))
        curve, fit = drawn.limits(curve, fit, bins, strategy)
    fitted: dict[str, Any] = dict.fromkeys(Recalibration._fields) if fit is None else fit._asdict()
    return Calibration(
        predicted=curve.predicted,
        observed=curve.observed,
        low=curve.low,
        high=curve.high,
        count=curve.count,
        strategy=strategy,
        level=level,
        **fitted,
        ece=curve.ece,
        brier=parts.value,
        miscalibration=parts.miscalibration,
        discrimination=parts.discrimination,
        uncertainty=parts.uncertainty,
        log_loss=log_loss(scores, *counts),
        n_pos=tally.n_pos,
        n_neg=tally.n_neg,
        data=tally,
        origin=tally.origin,
    )


def _curve(
    data: Tally,
    scores: Floats,
    counts: tuple[Amounts, Amounts],
    bins: int,
    strategy: str,
    level: float,
    n_resamples: int,
    rng: Any,
) -> CalibrationCurve:
    if strategy == "loess":
        fit = local_fit(scores, *counts, level)
        return CalibrationCurve(*fit[:5], ece=fit.mean_error)
    if strategy == "isotonic":
        shares = isotonic(scores, *counts)
        low, high = shares.observed, shares.observed
        if data.rows is None:
            seed = checks.seed(rng)
            low, high = _isotonic_limits(counts, scores, shares, level, n_resamples, seed)
    else:
        shares = binned(scores, *counts, bins, strategy)
        low, high = wilson_limits(shares.observed, shares.cases, level)
    return CalibrationCurve(*shares[:2], low, high, shares.cases, expected_error(shares))


def _isotonic_limits(
    counts: tuple[Amounts, Amounts],
    scores: Floats,
    shares: Shares,
    level: float,
    n_resamples: int,
    seed: int,
) -> tuple[Floats, Floats]:
    """Percentiles of the isotonic fit of resampled cases, both classes drawn together.

    The fit of a block is also that of Wilson's interval wherever that is wider: a block that every
    resample has alike, all positive say, is still a share of so many cases.
    """
    places = len(scores) - np.searchsorted(scores[::-1], shares.predicted, side="right")
    asked = np.minimum(places, len(scores) - 1)

    def fit(first: int, last: int) -> Floats:
        return kernels.resample_isotonic(*counts, seed, first, last, asked)

    cells = len(asked) + len(scores) // ROWS_PER_CELL
    fits = in_chunks(fit, n_resamples, cells, None, "calibration")
    tail = (1 - level) / 2
    low, high = np.quantile(fits, [tail, 1 - tail], axis=0)
    exact = wilson_limits(shares.observed, shares.cases, level)
    return np.minimum(low, exact[0]), np.maximum(high, exact[1])
