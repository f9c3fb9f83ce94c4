"""Wins and losses against naive Bayes, by three tests."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import stats

Floats = NDArray[np.float64]
LEVEL = 0.05
TEST_TO_TRAINING = 1 / 9  # rows in a fold of ten
SAME = 1e-12


@dataclass(frozen=True)
class Score:
    """Of one method against another, over data sets: wins, losses, significant ones, p."""

    wins: int
    losses: int
    student: tuple[int, int]
    corrected: tuple[int, int]
    p_wilcoxon: float


def p_of_folds(difference: Floats, *, corrected: bool) -> float:
    """Two-sided p of Student's t over folds, or of the corrected resampled t.

    Folds share training rows, so that their differences vary together; Nadeau and Bengio's
    correction adds the ratio of test rows to training rows to 1 / k.
    """
    k = len(difference)
    spread = float(difference.var(ddof=1))
    if spread <= SAME**2:
        return 1.0 if abs(difference.mean()) <= SAME else 0.0
    share = 1 / k + (TEST_TO_TRAINING if corrected else 0.0)
    t = float(difference.mean()) / np.sqrt(share * spread)
    return float(2 * stats.t.sf(abs(t), k - 1))


def score(differences: Sequence[Floats]) -> Score:
    """`differences` has the folds of each data set; below 0 is a win."""
    means = np.array([each.mean() for each in differences])
    by_test = []
    for corrected in (False, True):
        sure = np.array([p_of_folds(each, corrected=corrected) < LEVEL for each in differences])
        by_test.append((int((sure & (means < 0)).sum()), int((sure & (means > 0)).sum())))
    moved = means[np.abs(means) > SAME]
    p = float(stats.wilcoxon(moved).pvalue) if len(moved) > 1 else 1.0
    return Score(int((means < -SAME).sum()), int((means > SAME).sum()), *by_test, p)
