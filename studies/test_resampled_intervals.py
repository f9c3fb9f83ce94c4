"""The study of bands, bootstrap intervals, NRI and IDI, in small."""

from __future__ import annotations

import numpy as np
import pytest

import rocwise as rw

from .resampled_intervals import (
    precision_bands,
    resampled,
    true_precision,
    true_reclassification,
    two_models,
)


def test_the_true_precision_is_that_of_a_large_sample() -> None:
    rng = np.random.default_rng(1)
    y = np.repeat([1, 0], [40_000, 160_000])
    curve = rw.precision_recall(y, rng.normal(size=200_000) + 1.5 * y)
    place = int(np.argmax(curve.recall >= 0.5))
    expected = true_precision(np.array([0.5]), 1.5, 0.2)[0]
    assert curve.precision[place] == pytest.approx(expected, abs=0.01)


def test_models_with_two_markers_are_calibrated() -> None:
    y, old, new = two_models(np.random.default_rng(2), 200_000, 0.75, 0.3)
    for p in (old, new):
        assert p.mean() == pytest.approx(y.mean(), abs=0.005)
    truth = true_reclassification(0.75, 0.3)
    assert truth["NRI"] == pytest.approx(
        np.sign(new - old)[y == 1].mean() - np.sign(new - old)[y == 0].mean(), abs=0.02
    )
    assert truth["IDI"] > 0


def test_rows_are_counts() -> None:
    for question, design, samples, hits in [
        *precision_bands(1.0, 20, 20, 2),
        *resampled(20, 20, "auc", "bca", 2),
    ]:
        assert question
        assert design
        assert 0 <= hits <= samples
