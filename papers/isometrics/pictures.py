"""Figures 1 to 7: lines of equal metric, and reliable classifiers between two of them."""

from __future__ import annotations

from pathlib import Path

import numpy as np

import rocwise as rw
from rocwise.plotting import save

VALUES = (0.1, 0.3, 0.5, 0.7, 0.9)
FANS = {
    "figure-1": ("precision+", {}),
    "figure-2": ("precision-", {}),
    "figure-3": ("f+", {}),
    "figure-4": ("m-", {"m": 0.1}),
}


def draw(folder: Path) -> None:
    """One file for each figure."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, (metric, more) in FANS.items():
        save(rw.isometric(metric, VALUES, skew=1.0, **more), folder / f"{name}.svg")
    for name, metric, positive, negative, m in (
        ("figure-5", "precision", 0.93, 0.87, 0.0),
        ("figure-6", "f", 0.72, 0.75, 0.0),
        ("figure-7", ("precision", "m"), 0.97, 0.55, 0.1),
    ):
        label, score = sample(0.3 if name == "figure-7" else 2.0 if name == "figure-6" else 1.0)
        rule = rw.reliable(
            label, score, positive=positive, negative=negative, metric=metric, m=m, rule="paper"
        )
        save(rule, folder / f"{name}.svg")


def sample(skew: float) -> tuple[np.ndarray, np.ndarray]:
    """Normal scores with so many negatives per positive; the paper does not give its curves."""
    rng = np.random.default_rng(7)
    positives = 400
    negatives = round(positives * skew)
    label = np.repeat([0, 1], [negatives, positives])
    return label, rng.normal(1.6 * label)
