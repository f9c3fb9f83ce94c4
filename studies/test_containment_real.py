"""Tests of the containment study on real data: samples, shares, and the table made of them."""

import argparse

import numpy as np
import pytest

from . import containment_real as real
from .containment_world import FUTURE_KINDS


def cases(n=2000):
    rng = np.random.default_rng(1)
    label = (rng.random(n) < 0.3).astype(np.int64)
    return label, rng.normal(size=n) + label


def test_samples_have_both_classes_and_the_size():
    label, score = cases()
    label[:] = 0
    label[:3] = 1
    data = real.drawn(label, score, 50, np.random.default_rng(2))
    assert data.n_pos + data.n_neg == 50
    assert data.n_pos >= 1


def test_shares_are_near_the_level():
    options = argparse.Namespace(bands=12, future=6, resamples=100)
    found = real.shares(*cases(), 100, options)
    assert set(found) == set(FUTURE_KINDS)
    assert all(0.7 <= share <= 1 for share in found.values())


def test_table_averages_data_sets_and_models():
    sums = {
        (letters, size, kind): [0.8, 0.9] if letters == "LR" else [0.95]
        for letters in ("LR", "NB")
        for size in real.SIZES
        for kind in FUTURE_KINDS
    }
    text = real.markdown(100, sums)
    assert "| 25 | 0.85, 0.85 | 0.95, 0.95 | 0.90, 0.90 |" in text


@pytest.mark.parametrize("name", ["letter", "covertype", "calhous", "adult"])
def test_data_sets_can_be_read(name):
    if not (real.data_folder() / f"{name}.csv.gz").is_file():
        pytest.skip(f"no data set {name} in {real.data_folder()}; name the folder in ROCWISE_DATA")
    features, label = real.read(name, real.data_sets()[name])
    assert features.shape[0] == label.shape[0] >= 15_000
    assert np.all(np.isfinite(features))
    assert 0.02 < label.mean() < 0.6
