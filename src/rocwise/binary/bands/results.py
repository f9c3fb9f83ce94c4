"""The answer of `band`: two edges, what they promise, and which curves lie between them."""

from __future__ import annotations

from typing import Any, Literal, get_args

import numpy as np

from rocwise import checks, printing
from rocwise.arrays import Floats
from rocwise.binary.bands.polylines import NEAR, Polyline, Sides, heights
from rocwise.binary.curves.empirical import RocCurve
from rocwise.binary.distributions.binormal_fits import BinormalFit
from rocwise.errors import InputError, shown
from rocwise.results import Result, result

BandKind = Literal[
    "fixed-width",
    "joint-regions",
    "working-hotelling",
    "pointwise",
    "pointwise-binormal",
    "simultaneous",
    "future",
]
KINDS: tuple[BandKind, ...] = get_args(BandKind)
PROMISES: dict[BandKind, str] = {
    "fixed-width": "fixed-width band (bootstrap)",
    "joint-regions": "simultaneous joint regions (Kolmogorov)",
    "working-hotelling": "Working-Hotelling band on the binormal fit",
    "pointwise": "pointwise intervals (vertical bootstrap)",
    "pointwise-binormal": "pointwise intervals of the binormal fit",
    "simultaneous": "studentised bootstrap band of variable width",
    "future": "fixed-width band calibrated on pairs of resamples",
}

FEWEST_CASES = 10  # below, bands were counted to hold too seldom: docs/explanation/containment.md


@result
class Band(Result):
    """Two edges around an ROC curve.

    `lower` and `upper` are the edges over `fpr`; a rate that stands there twice is a jump.
    `curve_fpr` and `curve_tpr` are the vertices of the observed curve; `dx` and `dy` say how far
    a band of fixed width reaches along the axes.
    """

    fpr: Floats
    lower: Floats
    upper: Floats
    kind: BandKind
    level: float
    area: float
    future: bool
    n_pos: float
    n_neg: float
    curve_fpr: Floats
    curve_tpr: Floats
    dx: float | None = None
    dy: float | None = None
    n_resamples: int | None = None
    seed: int | None = None

    @property
    def simultaneous(self) -> bool:
        """Whether the level is for the whole curve at once, not for each FPR alone."""
        return not self.kind.startswith("pointwise")

    @property
    def width(self) -> float | None:
        """Distance from the curve to either edge, for bands of fixed width."""
        if self.dx is None or self.dy is None:
            return None
        return float(np.hypot(self.dx, self.dy))

    @property
    def auc(self) -> float:
        """The area under the observed curve."""
        return float(np.trapezoid(self.curve_tpr, self.curve_fpr))

    def promise(self) -> str:
        """What the band is and what it is a band for."""
        target = "the curve of a new sample" if self.future else "the true curve"
        each = "" if self.simultaneous else ", at each FPR alone"
        level = printing.percent(self.level)
        return f"{level} {PROMISES[self.kind]} for {target}{each}"

    def _sentence(self) -> str:
        size = self.n_pos + self.n_neg
        few = "; with so few cases it holds less often than it says" if self.few_cases else ""
        return (
            f"{self.promise()}; area {printing.rate(self.area, size)}; "
            f"{printing.classes(self.n_pos, self.n_neg)}{few}"
        )

    @property
    def few_cases(self) -> bool:
        """Whether a class has fewer cases than bands by the bootstrap need to hold their level."""
        by_bootstrap = self.n_resamples is not None and self.simultaneous
        return by_bootstrap and min(self.n_pos, self.n_neg) < FEWEST_CASES

    def _columns(self) -> dict[str, Any]:
        return {"fpr": self.fpr, "lower": self.lower, "upper": self.upper}

    def at(self, fpr: Any) -> tuple[Floats, Floats]:
        """Lower and upper edge at these false positive rates.

        Parameters
        ----------
        fpr : float or array
            Rates from 0 to 1. Where an edge jumps, the band includes both sides.

        Returns
        -------
        (lower, upper) : arrays of the shape of `fpr`
        """
        places = checks.rates(fpr, "fpr")
        below, above = self._sides(np.atleast_1d(places).ravel())
        return below.left.reshape(places.shape), above.right.reshape(places.shape)

    def contains(self, curve: RocCurve | tuple[Any, Any], *, min_fpr: float = 0.0) -> bool:
        """Whether every point of a curve, vertical segments included, lies in the band.

        Parameters
        ----------
        curve : RocCurve, or (fpr, tpr)
            The curve, straight between its points.
        min_fpr : float, default 0
            Look at the part with at least this FPR only.
        """
        line = _as_polyline(curve)
        places = np.unique(np.concatenate([line.x, self.fpr]))
        start = max(checks.rate(min_fpr, "min_fpr"), float(line.x[0]))
        places = places[(places >= start) & (places <= line.x[-1])]
        own, (below, above) = heights(line, places), self._sides(places)
        return bool(
            np.all(own.left <= above.left + NEAR)
            and np.all(own.right <= above.right + NEAR)
            and np.all(own.left >= below.left - NEAR)
            and np.all(own.right >= below.right - NEAR)
        )

    def _sides(self, places: Floats) -> tuple[Sides, Sides]:
        """The lower and the upper edge, just left and just right of each place."""
        return (
            heights(Polyline(self.fpr, self.lower), places),
            heights(Polyline(self.fpr, self.upper), places),
        )


@result
class BinormalBand(Band):
    """A band around a fitted binormal curve: `multiplier` standard errors on the probit scale."""

    fit: BinormalFit
    multiplier: float

    def _sides(self, places: Floats) -> tuple[Sides, Sides]:
        lower, upper = self.fit.limits(places, self.multiplier)
        return Sides(lower, lower), Sides(upper, upper)


def _as_polyline(curve: RocCurve | tuple[Any, Any]) -> Polyline:
    """The vertices of a curve, refused when it turns back or leaves the unit square."""
    given = (curve.fpr, curve.tpr) if isinstance(curve, RocCurve) else curve
    try:
        fpr, tpr = (np.asarray(column, dtype=np.float64) for column in given)
    except (TypeError, ValueError):
        raise InputError(
            f"`curve` must be a RocCurve or a pair (fpr, tpr); got {shown(curve)}."
        ) from None
    if fpr.ndim != 1 or fpr.shape != tpr.shape or not len(fpr):
        raise InputError(
            f"`curve` needs one TPR for each FPR; their shapes are {fpr.shape} and {tpr.shape}."
        )
    for name, column in (("FPR", fpr), ("TPR", tpr)):
        bad = ~((column >= 0) & (column <= 1))
        bad[1:] |= np.diff(column) < 0
        if bad.any():
            row = int(np.flatnonzero(bad)[0])
            raise InputError(
                f"`curve` must have rates from 0 to 1 that never fall; its {name} is "
                f"{column[row]:g} at row {row}."
            )
    return Polyline(fpr, tpr)
