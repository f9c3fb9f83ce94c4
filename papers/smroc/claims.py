"""The paper's qualitative sentences as counts of data sets."""

from __future__ import annotations

import math
import warnings
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import fmean, stdev
from typing import TYPE_CHECKING

import numpy as np
from scipy.stats import ttest_1samp

import rocwise as rw
from papers.shared.claims import Claim, every, in_most
from papers.shared.paper import Expected, Records

if TYPE_CHECKING:
    from papers.smroc.reproduce import Run, Sizes

OZONE = ("oz8h", "oz1h")
SHOWN = "oz8h"  # of figure 6
BAYES, TREE = "naive Bayes", "tree"
LEVEL = 0.05
SAMPLES = 200


@dataclass(frozen=True)
class Mean:
    """Means and standard deviations over the runs of one learner on one data set."""

    data: str
    learner: str
    area: float
    area_spread: float
    smooth: float
    smooth_spread: float
    smooth_half: float
    midpoint: float


@dataclass(frozen=True)
class Difference:
    """Naive Bayes less tree, over paired runs: mean and spread, of the area and of smAUC."""

    data: str
    area: float
    area_spread: float
    smooth: float
    smooth_spread: float


@dataclass(frozen=True)
class Count:
    """In how many data sets a sentence holds; it is accepted if the sign test rejects chance."""

    name: str
    place: str
    statement: str
    found: Sequence[bool]
    all_needed: bool = False
    conclusion: bool = False

    @property
    def p_value(self) -> float:
        """Of the sign test, one-sided: as many or more if either were as likely."""
        n = len(self.found)
        return sum(math.comb(n, k) for k in range(sum(self.found), n + 1)) / 2**n

    @property
    def claim(self) -> Claim:
        """As a row of the table of statements."""
        accepted = all(self.found) if self.all_needed else self.p_value < LEVEL
        return Claim(
            f"{self.place} ({self.name})",
            self.statement,
            "both data sets" if self.all_needed else "data sets; sign test",
            f"{sum(self.found)} of {len(self.found)}"
            + ("" if self.all_needed else f", p = {self.p_value:.2g}"),
            accepted,
            conclusion=self.conclusion,
        )


def grouped(runs: Iterable[Run]) -> dict[tuple[str, str], list[Run]]:
    """Runs by data set and learner."""
    found: dict[tuple[str, str], list[Run]] = {}
    for one in runs:
        found.setdefault((one.data, one.learner), []).append(one)
    return found


def means(runs: Iterable[Run]) -> list[Mean]:
    """One line for each data set and learner."""
    return [
        Mean(
            *key,
            *(fmean(one.area for one in group), stdev(one.area for one in group)),
            *(fmean(one.smooth for one in group), stdev(one.smooth for one in group)),
            *(fmean(one.smooth_half for one in group), fmean(one.midpoint for one in group)),
        )
        for key, group in grouped(runs).items()
    ]


def differences(runs: Sequence[Run]) -> list[Difference]:
    """One line for each data set that both learners have."""
    groups = grouped(runs)
    found = []
    for data in dict.fromkeys(one.data for one in runs):
        if (data, BAYES) not in groups or (data, TREE) not in groups:
            continue
        pairs = list(zip(groups[data, BAYES], groups[data, TREE], strict=True))
        areas = [bayes.area - tree.area for bayes, tree in pairs]
        smooth = [bayes.smooth - tree.smooth for bayes, tree in pairs]
        found.append(Difference(data, fmean(areas), stdev(areas), fmean(smooth), stdev(smooth)))
    return found


def counts(runs: Sequence[Run]) -> list[Count]:
    """C1 to C6, and the exception with another midpoint, which the paper does not have."""
    lines = means(runs)
    trees = [one for one in lines if one.learner == TREE]
    bayes = [one for one in lines if one.learner == BAYES and one.data not in OZONE]
    ozone = [one for one in lines if one.learner == BAYES and one.data in OZONE]
    pairs = differences(runs)
    ahead = [one for one in pairs if one.smooth > 0]
    behind = [one for one in pairs if one.area < 0]
    return [
        Count(
            *("C1", "figure 4", "trees: the standard deviation of smAUC is not above that of AUC"),
            [one.smooth_spread <= one.area_spread for one in trees],
        ),
        Count(
            *("C2", "figure 4", "trees: the mean smAUC is the same or less for most data sets"),
            [one.smooth <= one.area for one in trees],
        ),
        Count(
            *("C3", "figure 5", "naive Bayes without ozone: the same of the standard deviation"),
            [one.smooth_spread <= one.area_spread for one in bayes],
        ),
        Count(
            *("C3", "figure 5", "naive Bayes without ozone: the same of the mean"),
            [one.smooth <= one.area for one in bayes],
        ),
        Count(
            *("C3", "figure 5", "naive Bayes on the ozone sets: smAUC higher (here: by 0.05)"),
            [one.smooth > one.area + 0.05 for one in ozone],
            all_needed=True,
        ),
        Count(
            *("C3", "figure 5", "there the standard deviation is much lower (here: by half)"),
            [one.smooth_spread < one.area_spread / 2 for one in ozone],
            all_needed=True,
        ),
        Count(
            *("C4", "figure 7", "where naive Bayes is ahead in smAUC, it is less ahead in AUC"),
            [one.smooth > one.area for one in ahead],
            conclusion=True,
        ),
        Count(
            *("C5", "figure 7", "there the standard deviation of the difference is not larger"),
            [one.smooth_spread <= one.area_spread for one in ahead],
            conclusion=True,
        ),
        Count(
            *("C6", "figure 7", "where the tree is ahead in AUC, it is ahead in smAUC"),
            [one.smooth < 0 for one in behind],
        ),
        Count(
            *(
                "C6",
                "figure 7",
                "there both standard deviations are similar (within a factor of 1.5)",
            ),
            [2 / 3 <= one.smooth_spread / one.area_spread <= 1.5 for one in behind],
        ),
    ]


def claims(records: Records, expected: Expected) -> list[Claim]:
    """In the order of the paper."""
    runs: Sequence[Run] = records["runs"]
    return [
        *of_formulas(),
        of_sizes(records["sizes"], expected),
        *(one.claim for one in counts(runs)),
        *of_both(runs),
    ]


def paired(one: Sizes, expected: Expected) -> list[tuple[int, int]]:
    """Published and own numbers of a line of Table 1."""
    own = (one.rows, one.positives, one.negatives, one.features)
    return list(zip(expected["table-1"][one.cell], own, strict=True))


def of_sizes(sizes: Sequence[Sizes], expected: Expected) -> Claim:
    """Table 1, without the features: papers count them differently."""
    right = [all(there == here for there, here in paired(one, expected)[:3]) for one in sizes]
    return in_most(
        "Table 1",
        "rows, positives and negatives of the data sets",
        "rows of the files (below)",
        right,
    )


def of_formulas() -> list[Claim]:
    """Equations (1), (5) and (6) and the limit of scores of 0 and 1, on random samples."""
    with warnings.catch_warnings():  # midpoints beyond the scores of some samples
        warnings.simplefilter("ignore", rw.errors.MidOutOfRangeWarning)
        return _of_formulas(np.random.default_rng(2011))


def _of_formulas(rng: np.random.Generator) -> list[Claim]:
    midpoints, areas, printed, limits = [], [], [], []
    for _ in range(SAMPLES):
        label = rng.permutation(np.repeat([0, 1], rng.integers(3, 20, 2)))
        score = rng.random(len(label)).round(1)
        n_pos, n_neg = label.sum(), (label == 0).sum()
        sums = score[label == 1].mean(), score[label == 0].mean()
        at = [sums[0] + sums[1] / c for c in (n_pos / len(label), n_pos / n_neg)]
        midpoints.append(np.isclose(at, score.sum() / n_pos))
        curve = rw.smooth_roc(label, score, midpoint=0.5)
        theta = np.where((score >= 0.5) == (label == 1), score, 1 - score)
        higher = score[:, None] > score
        equal = score[:, None] == score
        scale = theta.sum() * (1 - theta).sum()
        right = (theta[:, None] * (1 - theta) * (higher + equal / 2)).sum() / scale
        own = theta * (1 - theta) * (higher.sum(axis=1) + 0.5)
        areas.append(np.isclose(np.trapezoid(curve.y, curve.x), right))
        printed.append(np.isclose(own.sum() / scale, right))
        hard = (score >= 0.5).astype(float)
        reduced = rw.smooth_roc(label, hard, midpoint=0.5).auc
        area = (1 + hard[label == 1].mean() - hard[label == 0].mean()) / 2
        limits.append(np.isclose(reduced, area))
    ratio = np.array(midpoints).sum(axis=0)
    return [
        Claim(
            "equation (1)",
            "m+ + m-/c reduces to sum(S)/n+ with c = n+/n",
            f"{SAMPLES} random samples",
            f"with c = n+/n in {ratio[0]}, with c = n+/n- in {ratio[1]}",
            bool(ratio[1] == SAMPLES),
            erratum=bool(ratio[0] < SAMPLES),
        ),
        Claim(
            "equations (5), (6)",
            "smAUC as a double sum is the area under the curve",
            f"{SAMPLES} random samples with ties",
            f"as printed in {sum(printed)}; with 1 - Θ(xj) and half of all ties in {sum(areas)}",
            all(areas),
            erratum=not all(printed),
        ),
        every(
            "section 3",
            "for scores of zeros and ones smAUC is AUC",
            f"{SAMPLES} random samples",
            limits,
        ),
    ]


def of_both(runs: Sequence[Run]) -> list[Claim]:
    """Sentences on both learners: figure 6, and the t tests that the paper does not print."""
    lines = {(one.data, one.learner): one for one in means(runs)}
    shown = [lines[SHOWN, learner] for learner in (BAYES, TREE) if (SHOWN, learner) in lines]
    found = []
    if len(shown) == 2:
        gaps = [abs(shown[0].area - shown[1].area), abs(shown[0].smooth - shown[1].smooth)]
        found.append(
            Claim(
                "figure 6",
                "on oz8h both learners differ less in AUC than in smAUC",
                "means of the runs",
                f"{gaps[0]:.3f} and {gaps[1]:.3f}",
                gaps[0] < gaps[1],
            )
        )
        tree = shown[1]
        found.append(
            Claim(
                "figure 6",
                "on oz8h the trees have comparable areas in both spaces (here: within 0.02)",
                "means of the runs",
                f"{tree.area:.3f} and {tree.smooth:.3f}",
                abs(tree.area - tree.smooth) <= 0.02,
            )
        )
    less = [one.area_spread - one.smooth_spread for one in lines.values()]
    test = ttest_1samp(less, 0, alternative="greater")
    found.append(
        Claim(
            "section 5",
            "smAUC varies less than AUC, significantly by the paired t test (not printed)",
            f"standard deviations of {len(less)} data sets and learners",
            f"p = {test.pvalue:.2g}",
            bool(test.pvalue < LEVEL),
            conclusion=True,
        )
    )
    return found
