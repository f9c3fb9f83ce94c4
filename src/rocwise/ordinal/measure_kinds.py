"""Which number of a ranking is meant: its value, the parts of its rows, its level by chance."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np

from rocwise import checks
from rocwise.arrays import Floats
from rocwise.data.rankings import Ranking
from rocwise.inference.class_spreads import CovarianceByClass, spread_of_parts
from rocwise.kernels.row_formulas import run_models
from rocwise.ordinal.pair_areas import average_area, pair_weights, row_parts
from rocwise.ordinal.results import TIES
from rocwise.ordinal.variances import chance_variance
from rocwise.ordinal.volumes import volume, volume_parts

Measure = Literal["volume", "consecutive", "pairwise", "pairs"]
MEASURES: dict[str, str] = {
    "volume": "VUS",
    "consecutive": "mean AUC of consecutive cuts",
    "pairwise": "mean pairwise AUC",
    "pairs": "share of pairs in order",
}


@dataclass(frozen=True, slots=True)
class MeasureKind:
    """A measure of ordered classes and its rule for ties."""

    measure: str
    ties: str

    @property
    def name(self) -> str:
        """How answers call it."""
        return MEASURES[self.measure]

    def value(self, ranking: Ranking) -> float:
        """The measure of a ranking."""
        if self.measure == "volume":
            return volume(ranking, self.ties)
        return average_area(ranking, self.measure, self.ties)

    def parts(self, ranking: Ranking) -> Floats:
        """What each row contributes, in row order."""
        if self.measure == "volume":
            return volume_parts(ranking, self.ties)
        return row_parts(ranking, self.measure, self.ties)

    def covariance(self, rankings: list[Ranking]) -> CovarianceByClass:
        """DeLong-style covariance matrix of the measure of several scores of the same rows."""
        first = rankings[0]
        first.refuse_single_rows("the standard error")
        parts = np.stack(run_models(self.parts, [(each,) for each in rankings], len(first)))
        weights = None if self.measure == "volume" else pair_weights(self.measure, first.sizes)
        return spread_of_parts(
            parts, first.codes, first.sizes, first.weights, first.clusters, averaged=weights
        )

    def chance(self, n_classes: int) -> float:
        """Expected value when the score knows nothing of the classes."""
        return 1 / math.factorial(n_classes) if self.measure == "volume" else 0.5

    def chance_variance(self, sizes: Floats) -> float:
        """Variance of the measure when the score knows nothing of the classes."""
        if self.measure == "volume":
            return chance_variance("volume", sizes)
        return chance_variance(self.measure, sizes, pair_weights(self.measure, sizes))


def measure_kind(measure: str, ties: str) -> MeasureKind:
    """The measure by its name, checked."""
    return MeasureKind(
        checks.one_of(measure, "measure", get_args(Measure)), checks.one_of(ties, "ties", TIES)
    )
