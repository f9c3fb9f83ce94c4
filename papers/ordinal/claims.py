"""The statements of the paper, from simulated classes and random rankings."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import TYPE_CHECKING

import numpy as np
from scipy.stats import kruskal

import rocwise as rw
from papers.shared.claims import Claim
from papers.shared.paper import Expected, Records

if TYPE_CHECKING:
    from papers.ordinal.reproduce import Means, Ranking

CLASSES = (2, 3, 4, 5)
SMALL_GAP = 1e-12
MEASURES = ("volume", "consecutive", "pairwise", "pairs")


def claims(records: Records, _expected: Expected) -> list[Claim]:
    """In the order of the paper."""
    return [
        *of_definitions(),
        *of_distances(records["means"]),
        *of_rankings(records["rankings"]),
    ]


def of_definitions() -> list[Claim]:
    """Section 2: tuples, surface and weights, on small data with unequal classes."""
    rng = np.random.default_rng(2006)
    labels = np.repeat([0, 1, 2], (12, 7, 9))
    scores = rng.permutation(len(labels)) + 4.0 * labels
    groups = [scores[labels == k] for k in range(3)]
    counted = np.mean([a < b < c for a, b, c in product(*groups)])
    volume = rw.ordinal.surface(labels, scores).volume
    two = labels < 2
    pair_areas = {
        (low, high): rw.auc(labels[keep] == high, scores[keep]).value
        for low, high in ((0, 1), (0, 2), (1, 2))
        for keep in [np.isin(labels, (low, high))]
    }
    sizes = np.bincount(labels)
    shares = sizes / len(labels)
    pairs = rw.ordinal.auc(labels, scores, measure="pairs").value
    printed = sum(2 / 6 * shares[a] * shares[b] * own for (a, b), own in pair_areas.items())
    weights = sum(shares[a] * shares[b] for a, b in pair_areas)
    normalized = sum(shares[a] * shares[b] * own for (a, b), own in pair_areas.items()) / weights
    binary = rw.ordinal.auc(labels[two], scores[two], measure="volume").value
    return [
        Claim(
            "equation (8)",
            "OrdTuples is the AUC in case of two classes",
            "19 rows of two classes",
            f"{binary:.6f} and {pair_areas[0, 1]:.6f}",
            abs(binary - pair_areas[0, 1]) < SMALL_GAP,
        ),
        Claim(
            "Theorem 2.1",
            "OrdTuples is the volume under the ROC surface",
            "all tuples of 28 rows of three classes, and the surface",
            f"{counted:.6f} and {volume:.6f}",
            abs(counted - volume) < SMALL_GAP,
            conclusion=True,
        ),
        Claim(
            "section 2",
            "the volume takes time exponential in the number of classes",
            "`ordinal.auc` of 10,000 rows in five classes, 3.2e16 tuples",
            "computed in O(n log n + r n)",
            not large_volume_is_computed(),
        ),
        Claim(
            "equation (15)",
            "Pairs is the mean of pairwise areas weighted by the class probabilities",
            "28 rows of three unequal classes",
            f"(14) {pairs:.4f}, (15) as printed {printed:.4f}, divided by its weights "
            f"{normalized:.4f}",
            abs(pairs - normalized) < SMALL_GAP,
            erratum=abs(pairs - printed) > SMALL_GAP,
        ),
        of_trend_test(rng),
    ]


def of_trend_test(rng: np.random.Generator, samples: int = 400) -> Claim:
    """Section 2: the sum (12) of pairwise statistics as a test."""
    labels = np.repeat([0, 1, 2], 15)
    scores = rng.normal(0.35 * labels, size=(samples, 45))
    trend = sum(
        rw.ordinal.null_test(labels, own, measure="pairs", alternative="greater").p_value < 0.05
        for own in scores
    )
    ranks = kruskal(*(scores[:, labels == k] for k in range(3)), axis=1).pvalue
    return Claim(
        "section 2",
        "the test of Jonckheere and Terpstra has more power than that of Kruskal and Wallis",
        f"{samples} samples of three normal classes of 15, 0.35 apart, at 5%",
        f"{trend} and {int((ranks < 0.05).sum())} rejections",
        trend > int((ranks < 0.05).sum()),
    )


def large_volume_is_computed() -> bool:
    """Whether the volume of many rows and classes is found at all."""
    labels = np.repeat(np.arange(5), 2000)
    scores = np.random.default_rng(1).normal(labels)
    return 0 < rw.ordinal.auc(labels, scores, measure="volume").value < 1


def of_distances(means: Sequence[Means]) -> list[Claim]:
    """Figures 4 to 6."""
    # Far apart, one pair in thousands is out of order, and 20 runs cannot show how that varies
    near = sum(abs(one.mean - one.expected) <= 4 * one.error + 5e-4 for one in means)
    truth = {(one.measure, one.classes, one.shift): one.expected for one in means}
    shifts = sorted({one.shift for one in means})
    falls = {
        name: sum(
            all(truth[name, r, d] > truth[name, r + 1, d] for r in CLASSES[:-1])
            for d in shifts
            if d > 0
        )
        for name in ("volume", "consecutive", "pairwise")
    }
    averages = [one.expected for one in means if one.measure != "volume"]
    last = [truth["volume", r, max(shifts)] for r in CLASSES]
    gaps = {
        (r, d): truth["consecutive", r, d] - truth["pairwise", r, d]
        for r in CLASSES
        for d in shifts
    }
    rising = [all(gaps[r, d] < gaps[r + 1, d] for r in CLASSES[:-1]) for d in shifts if 0 < d <= 1]
    beyond = [all(gaps[r, d] < gaps[r + 1, d] for r in CLASSES[:-1]) for d in shifts if 2 <= d < 4]
    spread = {name: spread_of_classes(truth, name, shifts) for name in ("volume", "pairwise")}
    bent = [
        max(abs(truth["volume", r, d] - straight(truth, name, r, d, shifts[-1])) for d in shifts)
        for r in CLASSES[1:]
        for name in ("consecutive", "pairwise")
    ]
    largest = max(abs(gap) for gap in gaps.values())
    to_volume = max(
        truth["pairwise", r, d] - truth["volume", r, d] for r in CLASSES for d in shifts
    )
    return [
        Claim(
            "figures 4 to 6",
            "measures of normal classes, means of 20 runs",
            "the same simulation; agreement with integrals within four standard errors",
            f"{near} of {len(means)} means",
            near >= 0.99 * len(means),
        ),
        Claim(
            "figures 4 and 5",
            "the relation of VUS to Cons and to Ovo is nonlinear",
            "integrals; largest distance from a straight line, three to five classes",
            f"{min(bent):.2f} to {max(bent):.2f}",
            min(bent) > 0.05,
        ),
        Claim(
            "section 3",
            "Cons and Ovo behave quite similarly",
            "integrals; largest difference at one distance; below a fifth of that to VUS",
            f"{largest:.2f}, Ovo and VUS {to_volume:.2f}",
            largest <= to_volume / 5,
        ),
        Claim(
            "section 3",
            "VUS depends heavily on the number of classes, the averages do not",
            "largest difference between two and five classes at one distance",
            f"volume {spread['volume']:.2f}, pairwise {spread['pairwise']:.2f}; the volume falls "
            f"with the classes at {falls['volume']} of {len(shifts) - 1} distances",
            spread["volume"] > 3 * spread["pairwise"],
        ),
        Claim(
            "section 3",
            "the expected value of the averages is never below one half",
            "integrals",
            f"smallest {min(averages):.3f}",
            min(averages) >= 0.5 - 1e-9,
        ),
        Claim(
            "section 3",
            "VUS converges to one when the distance increases",
            f"integrals at distance {max(shifts):g}",
            f"{min(last):.4f} to {max(last):.4f}",
            min(last) > 0.995,
        ),
        Claim(
            "figure 6",
            "Cons and Ovo become more dissimilar when the number of classes increases",
            "difference of the integrals for two to five classes",
            f"at {sum(rising)} of {len(rising)} distances up to 1, at {sum(beyond)} of "
            f"{len(beyond)} from 2 on",
            all(rising) and all(beyond),
        ),
    ]


def straight(
    truth: dict[tuple[str, int, float], float], name: str, r: int, d: float, last: float
) -> float:
    """The volume on the line between the smallest and the largest distance of r classes."""
    x = [truth[name, r, each] for each in (0.0, d, last)]
    y = [truth["volume", r, each] for each in (0.0, last)]
    return y[0] + (y[1] - y[0]) * (x[1] - x[0]) / (x[2] - x[0])


def spread_of_classes(
    truth: dict[tuple[str, int, float], float], name: str, shifts: Sequence[float]
) -> float:
    """The largest difference between numbers of classes at one distance."""
    found = [[truth[name, r, d] for r in CLASSES] for d in shifts]
    return max(max(own) - min(own) for own in found)


def of_rankings(rankings: Sequence[Ranking]) -> list[Claim]:
    """Figure 7."""
    same = disagreement(rankings, "pairwise", "pairs")
    apart = {
        (a, b): disagreement(rankings, a, b)
        for a, b in (("volume", "consecutive"), ("volume", "pairwise"), ("consecutive", "pairwise"))
    }
    return [
        Claim(
            "figure 7",
            "with equal classes Ovo and Pairs are perfectly correlated",
            f"{len(rankings)} random rankings",
            f"correlation {correlation(rankings, 'pairwise', 'pairs'):.3f}",
            correlation(rankings, "pairwise", "pairs") > 1 - 1e-9,
        ),
        Claim(
            "figure 7",
            "for no pair of measures do all rankings have the same order",
            f"pairs of {len(rankings)} random rankings",
            f"ordered differently {min(apart.values()):.1%} to {max(apart.values()):.1%}; "
            f"Ovo and Pairs {same:.0%}",
            min(apart.values()) > 0,
            erratum=same == 0,
            conclusion=True,
        ),
    ]


def correlation(found: Sequence[Ranking], a: str, b: str) -> float:
    """Of two measures over the rankings."""
    return float(np.corrcoef([[getattr(one, name) for one in found] for name in (a, b)])[0, 1])


def disagreement(found: Sequence[Ranking], a: str, b: str) -> float:
    """Proportion of pairs of rankings that two measures order differently."""
    columns = [np.array([getattr(one, name) for one in found]) for name in (a, b)]
    first, second = np.triu_indices(len(found), 1)
    gaps = [np.round(column[first] - column[second], 12) for column in columns]
    return float(np.mean(gaps[0] * gaps[1] < 0))
