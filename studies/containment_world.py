"""The synthetic world of Macskassy, Provost and Rosset (2005), and what is asked of each band."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr, ndtri

import rocwise as rw

Floats = NDArray[np.float64]
THETAS = (0.75, 1.0, 1.5, 2.0, 3.0, 4.0, 5.0)
SIZES = (25, 100, 250, 1000, 2500, 10000)
LEVEL = 0.9
SEED = 20050807
TRUE_KINDS = (
    "fixed-width",
    "simultaneous",
    "working-hotelling",
    "joint-regions",
    "pointwise",
    "pointwise-binormal",
)
FUTURE_KINDS = ("fixed-width future", "future")
LEAST_RATES = (0.01, 0.05, 0.1)


@dataclass(frozen=True)
class Hit:
    """One band asked one question: the share of curves inside, and the area of the band."""

    kind: str
    share: float
    area: float


def true_curve(theta: float) -> tuple[Floats, Floats]:
    """The curve of the world at many thresholds (F6.16)."""
    inner = ndtr(np.linspace(-7.0, 7.0, 2801))
    fpr = np.concatenate([[0.0], inner, [1.0]])
    tpr = np.concatenate([[0.0], ndtr((2 * theta + 3 * ndtri(inner)) / 3.75), [1.0]])
    return fpr, tpr


def sample(theta: float, size: int, generator: np.random.Generator) -> rw.Tally:
    """Cases that are positive with probability one half; both classes are there (F6.17)."""
    while True:
        label = generator.random(size) < 0.5
        if 0 < label.sum() < size:
            break
    scores = generator.normal(size=size)
    return rw.tally(label, np.where(label, theta + 3.75 * scores, -theta + 3.0 * scores))


def band_of(data: rw.Tally, kind: str, n_resamples: int, seed: int) -> Any:
    """The band, or None where its method refuses the sample."""
    name, _, future = kind.partition(" ")
    try:
        return rw.band(
            data,
            kind=name,
            level=LEVEL,
            future=bool(future),
            n_resamples=n_resamples,
            rng=seed,
        )
    except rw.InputError:
        return None


def asked(
    kinds: Sequence[str], theta: float, size: int, number: int, n_resamples: int, n_future: int
) -> Iterator[Hit]:
    """Bands of one sample, asked for the true curve or, kinds for the future, for new ones.

    The same number gives the same sample.
    """
    generator = np.random.default_rng([SEED, round(100 * theta), size, number])
    data = sample(theta, size, generator)
    seed = int(generator.integers(2**62))
    for kind in kinds:
        if kind in TRUE_KINDS:
            yield from asked_for_truth(kind, data, theta, n_resamples, seed)
    coming = []
    if set(kinds) & set(FUTURE_KINDS):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", rw.errors.DirectionWarning)  # part of it
            coming = [rw.roc(sample(theta, size, generator)) for _ in range(n_future)]
    for kind in kinds:
        if kind in FUTURE_KINDS:
            band = band_of(data, kind, n_resamples, seed)
            if band is not None:
                inside = [band.contains(curve) for curve in coming]
                yield Hit(kind, float(np.mean(inside)), band.area)


def asked_for_truth(
    kind: str, data: rw.Tally, theta: float, n_resamples: int, seed: int
) -> Iterator[Hit]:
    """Whether a kind of band contains the true curve."""
    truth = true_curve(theta)
    band = band_of(data, kind, n_resamples, seed)
    if band is not None:
        yield Hit(kind, float(band.contains(truth)), band.area)
        if kind == "working-hotelling":
            for least in LEAST_RATES:
                inside = band.contains(truth, min_fpr=least)
                yield Hit(f"{kind} from {least:g}", float(inside), band.area)
