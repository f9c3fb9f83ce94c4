"""The ROC surface of three ordered classes."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from rocwise import checks, printing
from rocwise.arrays import Floats, Places
from rocwise.errors import InputError
from rocwise.inputs.coercion import Direction, Missing, as_ranking
from rocwise.ordinal.results import OrderedResult
from rocwise.ordinal.volumes import volume
from rocwise.primitives.rankings import Ranking
from rocwise.results import result

MOST_POINTS = 20_000_000
MOST_DRAWN = 400  # cuts, more than a picture can show


@result
class RocSurface(OrderedResult):
    """What every pair of cuts gives: the share of each class that is called right.

    A case is class 1 up to score `b1`, class 2 above it up to `b2`, class 3 above that.
    """

    b1: Floats
    b2: Floats
    tpr1: Floats
    tpr2: Floats
    tpr3: Floats
    volume: float
    labels: tuple[Any, ...]
    sizes: tuple[int, ...]

    def height(self, tpr1: Any, tpr3: Any) -> Floats:
        """The largest `tpr2` that cuts reach while `tpr1` and `tpr3` are at least these."""
        x, z = checks.rates(tpr1, "tpr1"), checks.rates(tpr3, "tpr3")
        try:
            np.broadcast_shapes(x.shape, z.shape)
        except ValueError:
            raise InputError(
                f"`tpr3` must have the shape of `tpr1`, {x.shape}; got {z.shape}."
            ) from None
        table, first, third = self._staircase()
        # rounding of shares must not decide whether a rate is reached
        row = np.searchsorted(first, x - 1e-12)
        column = np.searchsorted(third, z - 1e-12)
        inside = (row < len(first)) & (column < len(third))
        found = table[np.minimum(row, len(first) - 1), np.minimum(column, len(third) - 1)]
        return np.asarray(np.where(inside, np.maximum(found, 0.0), 0.0))

    def section(self, tpr3: float) -> tuple[Floats, Floats]:
        """The rising rates `tpr1` of the cuts, and the height there while `tpr3` is reached."""
        rates = np.unique(self.tpr1)
        return rates, self.height(rates, np.full(len(rates), checks.rate(tpr3, "tpr3")))

    def _staircase(self) -> tuple[Floats, Floats, Floats]:
        """Heights over the rising distinct rates of classes 1 and 3."""
        first, row = np.unique(self.tpr1, return_inverse=True)
        third, column = np.unique(self.tpr3, return_inverse=True)
        table = np.full((len(first), len(third)), -1.0)
        np.maximum.at(table, (row, column), self.tpr2)
        for axis in (0, 1):  # at least this rate: the best from here on
            table = np.flip(np.maximum.accumulate(np.flip(table, axis), axis=axis), axis)
        return table, first, third

    def _sentence(self) -> str:
        n = sum(self.sizes)
        return (
            f"ROC surface of {', '.join(map(str, self.labels))}: volume "
            f"{printing.rate(self.volume, n)} (ties count nothing; chance 0.167); "
            f"{printing.count(len(self.b1))} pairs of cuts, {printing.count(n)} rows"
        )


def roc_surface(
    y_true: Any,
    y_score: Any = None,
    *,
    order: Any = None,
    decimals: int | None = None,
    direction: Direction = "higher",
    sample_weight: Any = None,
    missing: Missing = "raise",
) -> RocSurface:
    """Every pair of cuts of a score into three ordered classes, and the volume below.

    Parameters
    ----------
    y_true, y_score, order, decimals, sample_weight, missing
        The data, as in `ordinal_auc`; three classes.
    direction : {"higher"}
        Cuts are counted from below; for scores that fall with the class pass -y_score.

    Returns
    -------
    RocSurface
        `b1 <= b2` run over -inf and all distinct scores; `tpr1`, `tpr2`, `tpr3` are the shares of
        the lowest, middle and highest class called right. `volume` is the volume under the
        staircase that they span, the strict VUS. `height(tpr1, tpr3)` reads the surface.

    Examples
    --------
    >>> import rocwise as rw
    >>> surface = rw.roc_surface([1, 1, 2, 2, 3, 3], [1, 3, 2, 4, 5, 6])
    >>> surface.volume, len(surface.b1)
    (0.75, 28)
    """
    ranking = as_ranking(
        y_true,
        y_score,
        order=order,
        decimals=decimals,
        direction=direction,
        sample_weight=sample_weight,
        missing=missing,
    )
    _refuse_unfit(ranking)
    n_cuts = len(ranking.counts) + 1
    if n_cuts * (n_cuts + 1) / 2 > MOST_POINTS:
        raise InputError(
            f"`y_score` has {n_cuts - 1:,} distinct values, which make more than "
            f"{MOST_POINTS:,} pairs of cuts. Round the scores with decimals=, e.g. "
            f"decimals={_useful_decimals(ranking)}."
        )
    return _surface_at(ranking, np.arange(n_cuts))


def thinned_surface(ranking: Ranking, most_cuts: int = MOST_DRAWN) -> RocSurface:
    """The surface at no more than so many cuts, at equal shares of the rows, for a picture.

    The volume stays that of all cuts.
    """
    _refuse_unfit(ranking)
    rows = np.concatenate([[0], np.cumsum(ranking.counts.sum(axis=1))])
    shares = np.linspace(0, rows[-1], min(most_cuts, len(rows)))
    all_cuts = len(rows) <= most_cuts
    places = np.arange(len(rows)) if all_cuts else np.unique(np.searchsorted(rows, shares))
    return _surface_at(ranking, places)


def _refuse_unfit(ranking: Ranking) -> None:
    if ranking.n_classes != 3:
        raise InputError(
            f"`roc_surface` is for three classes; `y_true` has {ranking.n_classes}. "
            "ordinal_auc(measure='volume') takes any number."
        )
    if ranking.origin.direction == "lower":
        raise InputError("`roc_surface` cuts from below; pass -y_score in place of direction.")


def _surface_at(ranking: Ranking, places: Places) -> RocSurface:
    """The points of all pairs of these cuts, numbered from -inf up."""
    cuts = np.concatenate([[-np.inf], ranking.distinct.astype(np.float64)])[places]
    below = np.vstack([np.zeros(3, np.int64), np.cumsum(ranking.counts, axis=0)])[places]
    lower, upper = np.triu_indices(len(places))
    return RocSurface(
        b1=cuts[lower],
        b2=cuts[upper],
        tpr1=below[lower, 0] / ranking.sizes[0],
        tpr2=(below[upper, 1] - below[lower, 1]) / ranking.sizes[1],
        tpr3=(ranking.sizes[2] - below[upper, 2]) / ranking.sizes[2],
        volume=volume(ranking, "strict"),
        labels=ranking.labels,
        sizes=tuple(ranking.class_rows.tolist()),
        origin=ranking.origin,
    )


def _useful_decimals(ranking: Ranking) -> int:
    """Decimals that leave about a thousand distinct scores."""
    spread = float(np.ptp(ranking.scores))
    return max(0, math.ceil(3 - math.log10(spread))) if spread > 0 else 0
