"""A planned study whose variance and correlation come from a pilot, not from a formula."""

from __future__ import annotations

import math
from dataclasses import dataclass

from rocwise.binary.areas.influences import influences
from rocwise.data.pairs import Pairs
from rocwise.data.tally import Tally
from rocwise.errors import InputError


@dataclass(frozen=True, slots=True)
class PilotSpread:
    """Areas of a pilot, and the spread that each class gives to the area, or to the difference.

    With M positives and N negatives the variance is `of_positives` / M + `of_negatives` / N: that
    of DeLong, whose two parts shrink with the two classes.
    """

    areas: tuple[float, ...]
    of_positives: float
    of_negatives: float
    correlation: float | None
    n_pos: int
    n_neg: int

    def variance(self, kappa: float) -> float:
        """Number of positives times the variance, with `kappa` negatives per positive."""
        return self.of_positives + self.of_negatives / kappa


def pilot_spread(data: Tally | Pairs) -> PilotSpread:
    """Of one model, or of the difference of two on the same cases."""
    pairs = data if isinstance(data, Pairs) else _as_pairs(data)
    if len(pairs.names) > 2:
        raise InputError(
            f"`auc` as a pilot needs one or two models; got {len(pairs.names)}. Pass "
            "pairs.select([first, second])."
        )
    if pairs.weights is not None or pairs.groups is not None:
        raise InputError("`auc` as a pilot needs rows without weights and clusters.")
    M, N = pairs.n_pos, pairs.n_neg
    if min(M, N) < 2:
        raise InputError("`auc` as a pilot needs at least two cases in each class.")
    found = influences(pairs)
    # influences carry 1/M and 1/N; each class has its own n / (n - 1), as DeLong's variance has
    pos, neg = found.positives, found.negatives
    products = pos @ pos.T * M / (M - 1) + neg @ neg.T * N / (N - 1)
    correlation = None
    if len(pairs.names) == 2:
        scale = math.sqrt(products[0, 0] * products[1, 1])
        correlation = float(products[0, 1] / scale) if scale > 0 else 0.0
        pos, neg = pos[:1] - pos[1:], neg[:1] - neg[1:]
    spread = PilotSpread(
        tuple(map(float, found.areas)),
        M * M / (M - 1) * float((pos**2).sum()),
        N * N / (N - 1) * float((neg**2).sum()),
        correlation,
        M,
        N,
    )
    if spread.variance(1.0) <= 0 or not all(0 < area < 1 for area in spread.areas):
        raise InputError(
            "`auc` as a pilot shows no spread (an AUC of 0 or 1, or models that rank alike); give "
            "the areas you expect instead."
        )
    return spread


def _as_pairs(data: Tally) -> Pairs:
    import numpy as np

    from rocwise.data.score_columns import ScoreColumn

    if data.weighted or data.clustered:
        raise InputError("`auc` as a pilot needs rows without weights and clusters.")
    ranks = np.arange(len(data), 0, -1, dtype=np.float64)
    mask = np.repeat(np.array([1, 0], np.uint8), [int(data.n_pos), int(data.n_neg)])
    scores = np.concatenate([np.repeat(ranks, data.pos), np.repeat(ranks, data.neg)])
    return Pairs(mask, {"score": ScoreColumn(scores, None, data.origin)}, origin=data.origin)
