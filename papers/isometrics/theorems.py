"""The theorems as checks on random samples, from counts alone."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

import rocwise as rw

ROUNDING = 1e-9
SMALL_M = 0.1  # of the m-estimate, as a share of the cases


@dataclass(frozen=True)
class Window:
    """A sample, two corners of its hull, and what is left when the cases between are left out."""

    tpr: np.ndarray  # of the hull's corners
    fpr: np.ndarray
    a: int
    b: int
    skew: float  # negatives per positive
    label: np.ndarray
    score: np.ndarray
    upper: float
    lower: float

    @property
    def upr(self) -> float:
        """Share of the positives left undecided."""
        return float(self.tpr[self.b] - self.tpr[self.a])

    @property
    def unr(self) -> float:
        """Share of the negatives left undecided."""
        return float(self.fpr[self.b] - self.fpr[self.a])

    @property
    def skew_after(self) -> float:
        """Negatives per positive among the decided."""
        return self.skew * (1 - self.unr) / (1 - self.upr)

    @property
    def point_after(self) -> tuple[float, float]:
        """Where both corners come to lie: false positive and true positive rate."""
        return float(self.fpr[self.a] / (1 - self.unr)), float(self.tpr[self.a] / (1 - self.upr))


def windows(rng: np.random.Generator, samples: int) -> Iterator[Window]:
    """Samples of random size and difficulty, each with two inner corners of its hull."""
    while samples:
        size = int(rng.integers(30, 200))
        label = (rng.random(size) < rng.uniform(0.2, 0.8)).astype(int)
        score = np.round(rng.normal(rng.uniform(0.3, 2) * label), 1)
        if not 0 < label.sum() < size:
            continue
        hull = rw.hull(label, score)
        inner = len(hull.fpr) - 2
        if inner < 2:
            continue
        a, b = sorted(1 + rng.choice(inner, 2, replace=False))
        samples -= 1
        yield Window(
            *(np.asarray(hull.tpr), np.asarray(hull.fpr), int(a), int(b)),
            *(float((label == 0).sum() / label.sum()), label, score),
            *(float(hull.thresholds[a]), float(hull.thresholds[b])),
        )


def judged(one: Window) -> dict[str, bool]:
    """Whether each theorem holds for one window."""
    return {
        "2: rates after leaving out": rates_after(one),
        "3: the hull stays concave": concave_after(one),
        "4: precisions stay": precisions(one),
        "5: accuracy between the precisions": accuracy(one),
        "6: F-measures do not fall": f_measures(one),
        "7 and 8: m-estimates": m_estimates(one),
    }


def rates_after(one: Window) -> bool:
    """(4.7), (4.9): the same as counting again without the undecided cases."""
    kept = (one.score >= one.upper) | (one.score < one.lower)
    positive, negative = one.label[kept] == 1, one.label[kept] == 0
    called = one.score[kept] >= one.upper
    fpr, tpr = one.point_after
    counted = (called[negative].mean(), called[positive].mean(), negative.sum() / positive.sum())
    return bool(np.allclose(counted, (fpr, tpr, one.skew_after), atol=ROUNDING))


def concave_after(one: Window) -> bool:
    """Slopes fall along the corners that stay."""
    fpr = [
        *(one.fpr[: one.a + 1] / (1 - one.unr)),
        *(1 - (1 - one.fpr[one.b + 1 :]) / (1 - one.unr)),
    ]
    tpr = [
        *(one.tpr[: one.a + 1] / (1 - one.upr)),
        *(1 - (1 - one.tpr[one.b + 1 :]) / (1 - one.upr)),
    ]
    across, up = np.diff(fpr), np.diff(tpr)
    return bool(np.all(across[1:] * up[:-1] - across[:-1] * up[1:] >= -ROUNDING))


def precision(fpr: float, tpr: float, skew: float) -> tuple[float, float]:
    """Of the positive and of the negative class (4.2)."""
    return tpr / (tpr + skew * fpr), (1 - fpr) / (1 - fpr + (1 - tpr) / skew)


def precisions(one: Window) -> bool:
    """Theorem 4: equality."""
    positive, negative = precision(*one.point_after, one.skew_after)
    before = (
        precision(one.fpr[one.a], one.tpr[one.a], one.skew)[0],
        precision(one.fpr[one.b], one.tpr[one.b], one.skew)[1],
    )
    return bool(np.allclose((positive, negative), before, atol=ROUNDING))


def accuracy(one: Window) -> bool:
    """Theorem 5."""
    (fpr, tpr), skew = one.point_after, one.skew_after
    value = (tpr + skew * (1 - fpr)) / (1 + skew)
    low, high = sorted(precision(fpr, tpr, skew))
    return low - ROUNDING <= value <= high + ROUNDING


def f_measures(one: Window) -> bool:
    """Theorem 6 with equal weights."""
    (fpr, tpr), skew = one.point_after, one.skew_after
    before = 2 * one.tpr[one.a] / (1 + one.tpr[one.a] + one.skew * one.fpr[one.a])
    after = 2 * tpr / (1 + tpr + skew * fpr)
    clear, missed = 1 - one.fpr[one.b], 1 - one.tpr[one.b]
    before_negative = 2 * clear / (1 + clear + missed / one.skew)
    after_negative = 2 * (1 - fpr) / (1 + (1 - fpr) + (1 - tpr) / skew)
    return bool(after >= before - ROUNDING and after_negative >= before_negative - ROUNDING)


def m_estimates(one: Window) -> bool:
    """Theorems 7 and 8: the class that loses the smaller share does not fall, m being constant."""
    return m_gains(one, "number")[0 if one.upr <= one.unr else 1] >= -ROUNDING


def m_gains(one: Window, constant: str) -> tuple[float, float]:
    """Change of the m-estimates of positives and negatives; m constant in number or proportion."""
    (fpr, tpr), skew = one.point_after, one.skew_after
    m = SMALL_M
    if constant == "number":
        m *= (1 + one.skew) / ((1 - one.upr) + one.skew * (1 - one.unr))
    before = estimate(one.tpr[one.a], one.skew * one.fpr[one.a], 1 + one.skew, SMALL_M)
    after = estimate(tpr, skew * fpr, 1 + skew, m)
    right, wrong = 1 - one.fpr[one.b], (1 - one.tpr[one.b]) / one.skew
    before_negative = estimate(right, wrong, (1 + one.skew) / one.skew, SMALL_M)
    after_negative = estimate(1 - fpr, (1 - tpr) / skew, (1 + skew) / skew, m)
    return float(after - before), float(after_negative - before_negative)


def estimate(right: float, wrong: float, whole: float, m: float) -> float:
    """The m-estimate of a precision (4.4)."""
    return (right + m) / (right + wrong + m * whole)
