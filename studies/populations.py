"""Where the data come from, and what is true of them.

Negatives are N(0, 1) and positives N(shift, spread**2), with the shift that gives the area asked
for. Ties come from rounding to whole numbers, about seven distinct scores, like a rating scale.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from statistics import NormalDist
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]
NORMAL = NormalDist()
CORRELATION = 0.5  # of two models' scores of one case, and of two cases of one cluster
CLUSTER_SIZE = 5
DIFFERENCE = 0.05  # of the areas in the studies of non-inferiority and equivalence


@dataclass(frozen=True)
class Setting:
    """Sizes of the classes, area before rounding, spread of the positives, rounded or not."""

    n_pos: int
    n_neg: int
    area: float
    ties: bool = False
    spread: float = 1.0

    @property
    def labels(self) -> Array:
        """Positives first."""
        return np.repeat([1, 0], [self.n_pos, self.n_neg])

    @property
    def truth(self) -> float:
        """The area of the population that the scores come from."""
        return self.truth_of(self.area)

    def truth_of(self, area: float) -> float:
        """What becomes of an area by rounding: P(positive above) + P(tie)/2 on the grid."""
        if not self.ties:
            return area
        shift = self.shift(area)
        reach = math.ceil(shift + 9 * max(1.0, self.spread))
        edges = np.arange(-reach - 1, reach + 1) + 0.5
        below = np.array([NORMAL.cdf(edge) for edge in edges])
        positives = np.diff([NORMAL.cdf((edge - shift) / self.spread) for edge in edges])
        return float(positives @ (below[:-1] + below[1:]) / 2)

    def shift(self, area: float) -> float:
        """Mean of the positives."""
        return math.sqrt(1 + self.spread**2) * NORMAL.inv_cdf(area)

    def scored(self, noise: Array, area: float | None = None) -> Array:
        """Scores of an area (by default that of the setting) from standard normal noise."""
        positive = self.labels == 1
        shift = self.shift(self.area if area is None else area)
        scores = np.where(positive, self.spread * noise + shift, noise)
        return np.round(scores) if self.ties else scores


def one_sample(setting: Setting, rng: np.random.Generator) -> Array:
    """Scores of one model."""
    return setting.scored(rng.normal(size=len(setting.labels)))


def correlated(
    setting: Setting, rng: np.random.Generator, areas: tuple[float, ...]
) -> dict[str, Array]:
    """Scores of several models on the same cases, any two of them equally correlated."""
    n = len(setting.labels)
    shared = math.sqrt(CORRELATION) * rng.normal(size=n)
    own = math.sqrt(1 - CORRELATION) * rng.normal(size=(len(areas), n))
    named = zip("abcdefgh", areas, own, strict=False)
    return {name: setting.scored(shared + noise, area) for name, area, noise in named}


def mixed_clusters(setting: Setting) -> Array:
    """The cluster of each case; every cluster has its share of either class, or nearly."""
    n = len(setting.labels)
    return np.asarray(np.arange(n) % (n // CLUSTER_SIZE))


def pure_clusters(setting: Setting) -> Array:
    """The cluster of each case; every cluster is of one class, or nearly."""
    return np.arange(len(setting.labels)) // CLUSTER_SIZE


def clustered_noise(groups: Array, rng: np.random.Generator) -> Array:
    """Standard normal noise that cases of one cluster share in part."""
    shared: Array = rng.normal(size=groups.max() + 1)[groups]
    own: Array = rng.normal(size=len(groups))
    return math.sqrt(CORRELATION) * shared + math.sqrt(1 - CORRELATION) * own


def clustered_truth(setting: Setting, groups: Array) -> float:
    """Expected area of clustered cases: pairs of one cluster differ by their own noise only."""
    positive = setting.labels == 1
    together = float(np.mean(groups[positive][:, None] == groups[~positive][None, :]))
    within = NORMAL.cdf(NORMAL.inv_cdf(setting.area) / math.sqrt(1 - CORRELATION))
    return together * within + (1 - together) * setting.area
