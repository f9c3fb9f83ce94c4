"""The ROC surface of three ordered classes."""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import numpy as np

from rocwise import checks, printing
from rocwise.arrays import Floats, Places
from rocwise.errors import InputError
from rocwise.inputs.coercion import Direction, Missing, as_ranking
from rocwise.kernels.long_arrays import far_apart, on_large_pages
from rocwise.kernels.row_formulas import parts_of_rows
from rocwise.kernels.threads import run_parts
from rocwise.ordinal.results import OrderedResult
from rocwise.ordinal.volumes import volume
from rocwise.primitives.rankings import Ranking
from rocwise.results import result

MOST_POINTS = 20_000_000  # pairs of cuts, up to which none is left out
MOST_EXACT = 100_000_000  # and that may be asked for: 4 GB
CUTS_KEPT = 4_000  # of more; 8 million pairs
MOST_DRAWN = 400  # cuts, more than a picture can show


@result
class RocSurface(OrderedResult):
    """What every pair of cuts gives: the share of each class that is called right.

    A case is class 1 up to score `b1`, class 2 above it up to `b2`, class 3 above that. Where
    cuts were left out, `n_cuts_kept` of `n_cuts`, heights are never too high and at most
    `height_error` too low.
    """

    b1: Floats
    b2: Floats
    tpr1: Floats
    tpr2: Floats
    tpr3: Floats
    volume: float
    labels: tuple[Any, ...]
    sizes: tuple[int, ...]
    n_cuts: int
    n_cuts_kept: int
    height_error: float

    def height(self, tpr1: Any, tpr3: Any) -> Floats:
        """The largest `tpr2` that cuts reach while `tpr1` and `tpr3` are at least these."""
        x, z = checks.rates(tpr1, "tpr1"), checks.rates(tpr3, "tpr3")
        try:
            np.broadcast_shapes(x.shape, z.shape)
        except ValueError:
            raise InputError(
                f"`tpr3` must have the shape of `tpr1`, {x.shape}; got {z.shape}."
            ) from None
        first, third = self._rates_of_cuts()
        # rounding of shares must not decide whether a rate is reached
        lower = np.searchsorted(first, x - 1e-12)
        upper = np.searchsorted(-third, 1e-12 - z, side="right") - 1
        inside = lower <= upper
        return np.asarray(np.where(inside, self.tpr2[self._place(lower, upper) * inside], 0.0))

    def section(self, tpr3: float) -> tuple[Floats, Floats]:
        """The rising rates `tpr1` of the cuts, and the height there while `tpr3` is reached."""
        rates = np.unique(self._rates_of_cuts()[0])
        return rates, self.height(rates, np.full(len(rates), checks.rate(tpr3, "tpr3")))

    def _rates_of_cuts(self) -> tuple[Floats, Floats]:
        """Rising rates of class 1 and falling rates of class 3 at the cuts that were kept."""
        cuts = np.arange(self.n_cuts_kept)
        return self.tpr1[self._place(cuts, cuts)], self.tpr3[: self.n_cuts_kept]

    def _place(self, lower: Places, upper: Places) -> Places:
        """Where the pair of these cuts is: all pairs of the first cut come first, and so on."""
        return np.asarray(lower * self.n_cuts_kept - lower * (lower + 1) // 2 + upper)

    def _sentence(self) -> str:
        n = sum(self.sizes)
        return (
            f"ROC surface of {', '.join(map(str, self.labels))}: volume "
            f"{printing.rate(self.volume, n)} (ties count nothing; chance 0.167); "
            f"{printing.count(len(self.b1))} pairs of cuts, {printing.count(n)} rows{self._kept()}"
        )

    def _kept(self) -> str:
        if self.n_cuts_kept == self.n_cuts:
            return ""
        error = printing.bound(self.height_error) if self.height_error else ""
        heights = f"heights at most {error} too low" if error else "heights are exact"
        kept, cuts = printing.count(self.n_cuts_kept), printing.count(self.n_cuts)
        return f"; {kept} of {cuts} cuts kept, {heights}"


def roc_surface(
    y_true: Any,
    y_score: Any = None,
    *,
    order: Any = None,
    decimals: int | None = None,
    direction: Direction = "higher",
    sample_weight: Any = None,
    missing: Missing = "raise",
    exact: bool = False,
) -> RocSurface:
    """Every pair of cuts of a score into three ordered classes, and the volume below.

    Parameters
    ----------
    y_true, y_score, order, decimals, sample_weight, missing
        The data, as in `ordinal_auc`; three classes.
    direction : {"higher"}
        Cuts are counted from below; for scores that fall with the class pass -y_score.
    exact : bool
        Whether to keep the cuts at all distinct scores, at most 14,000. Otherwise, from 6,300 on,
        4,000 cuts are kept at equal shares of the middle class, from which heights follow: none
        is too high, none more than `height_error` too low. The volume is exact anyhow.

    Returns
    -------
    RocSurface
        `b1 <= b2` run over -inf and the distinct scores; `tpr1`, `tpr2`, `tpr3` are the shares of
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
    n_points = n_cuts * (n_cuts + 1) // 2
    if checks.flag(exact, "exact") and n_points > MOST_EXACT:
        raise InputError(
            f"`y_score` has {n_cuts - 1:,} distinct values, which make {n_points:,} pairs of cuts; "
            f"`exact` keeps at most {MOST_EXACT:,}. Leave `exact` out, or round the scores with "
            f"decimals=, e.g. decimals={_useful_decimals(ranking)}."
        )
    all_cuts = exact or n_points <= MOST_POINTS
    return _surface_at(ranking, np.arange(n_cuts) if all_cuts else telling_cuts(ranking))


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


def telling_cuts(ranking: Ranking, most_cuts: int = CUTS_KEPT) -> Places:
    """No more than so many cuts, numbered from -inf up, from which all heights nearly follow.

    A height is the share of class 2 between two cuts. Of cuts with the same share of class 2 below
    them the highest is the best lower one and the lowest the best upper one: those just below and
    at a score of class 2. So these are kept, in pairs, at equal shares of class 2.
    """
    scores = np.flatnonzero(ranking.counts[:, 1])
    pairs = (most_cuts - 2) // 2
    if len(scores) > pairs:
        below = np.cumsum(ranking.counts[scores, 1])
        wanted = (np.arange(pairs) + 0.5) / pairs * below[-1]
        scores = scores[np.searchsorted(below, wanted)]
    return np.unique(np.concatenate([[0, len(ranking.counts)], scores, scores + 1]))


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
    n_kept = len(places)
    tpr1 = below[:, 0] / ranking.sizes[0]
    tpr3 = (ranking.sizes[2] - below[:, 2]) / ranking.sizes[2]
    middle = below[:, 1].copy()
    return RocSurface(
        b1=_at_pairs(n_kept, lambda lower, _: cuts[lower]),
        b2=_at_pairs(n_kept, lambda _, upper: cuts[upper]),
        tpr1=_at_pairs(n_kept, lambda lower, _: tpr1[lower]),
        tpr2=_at_pairs(
            n_kept, lambda lower, upper: (middle[upper] - middle[lower]) / ranking.sizes[1]
        ),
        tpr3=_at_pairs(n_kept, lambda _, upper: tpr3[upper]),
        volume=volume(ranking, "strict"),
        labels=ranking.labels,
        sizes=tuple(ranking.class_rows.tolist()),
        origin=ranking.origin,
        n_cuts=len(ranking.counts) + 1,
        n_cuts_kept=n_kept,
        height_error=_height_error(ranking, places),
    )


def _at_pairs(n_kept: int, of_pairs: Callable[[int, slice], Any]) -> Floats:
    """A number of every pair of cuts, given what those of a lower cut and of all above it have."""
    cuts = np.arange(n_kept + 1)
    starts = (cuts * n_kept - cuts * (cuts - 1) // 2).tolist()
    made = on_large_pages(starts[-1])

    def fill(first: int, last: int) -> None:
        for lower in range(first, last):
            made[starts[lower] : starts[lower + 1]] = of_pairs(lower, slice(lower, None))

    wanted = [start for start, _ in parts_of_rows(starts[-1])]
    firsts = np.searchsorted(starts, wanted).tolist()
    run_parts(fill, far_apart(pairwise([*firsts, n_kept])))
    return made


def _height_error(ranking: Ranking, places: Places) -> float:
    """By how much the largest height falls short when only these cuts are kept.

    The best lower cut is one at a score of class 1 (or the first of all), the best upper one just
    below a score of class 3 (or the last). In their stead stand the next cut kept above and below.
    """
    below = np.concatenate([[0], np.cumsum(ranking.counts[:, 1])]) / ranking.sizes[1]
    cuts = np.arange(len(below))
    above_it = places[np.searchsorted(places, cuts)]
    below_it = places[np.searchsorted(places, cuts, side="right") - 1]
    is_lower = np.concatenate([[True], ranking.counts[:, 0] > 0])
    is_upper = np.concatenate([ranking.counts[:, 2] > 0, [True]])
    lower_loss = np.where(is_lower, below[above_it] - below, 0.0)
    upper_loss = np.where(is_upper, below - below[below_it], 0.0)
    from_here_on = np.maximum.accumulate(upper_loss[::-1])[::-1]
    return float((lower_loss + from_here_on).max())


def _useful_decimals(ranking: Ranking) -> int:
    """Decimals that leave about a thousand distinct scores."""
    spread = float(np.ptp(ranking.scores))
    return max(0, math.ceil(3 - math.log10(spread))) if spread > 0 else 0
