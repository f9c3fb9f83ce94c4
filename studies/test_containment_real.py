"""Tests of the containment study on real data: samples, shares, and the table made of them."""

import numpy as np
import pytest

from . import containment_models as models
from . import containment_real as real
from .containment_world import FUTURE_KINDS
from .kept_counts import read_records, write_records, write_table
from .study import TABLES


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
    task = real.Task("", 0, 100, bands=12, future=6, resamples=100)
    found = real.shares(*cases(), task)
    assert set(found) == set(FUTURE_KINDS)
    assert all(len(values) == 12 for values in found.values())
    assert all(0.7 <= np.mean(values) <= 1 for values in found.values())


def share(name, model, size, kind, value):
    return real.Share(name, 100, model, size, kind, 40, value, 0.03)


def test_table_averages_data_sets_and_models():
    found = [
        share(name, model, 25, kind, value)
        for kind in FUTURE_KINDS
        for name, model, value in [("a", "LR", 0.8), ("b", "LR", 0.9), ("a", "NB", 0.95)]
    ]
    text = real.table(100, found)
    cells = ["0.850 ± 0.021, 0.850 ± 0.021", "0.950 ± 0.030, 0.950 ± 0.030"]
    assert f"| 25 | {' | '.join(cells)} | 0.883 ± 0.017, 0.883 ± 0.017 |" in text


def test_shares_are_kept_and_the_page_is_made_of_them(tmp_path):
    found = [
        share("a", "LR", size, kind, 0.9) for size in (25, 100) for kind in sorted(FUTURE_KINDS)
    ]
    write_records(tmp_path / "real.csv", found, real.Share)
    assert read_records(tmp_path / "real.csv", real.Share) == found
    assert read_records(tmp_path / "none.csv", real.Share) == []


@pytest.mark.parametrize("trained_on", real.TRAINED_ON)
def test_tables_are_of_the_shares_that_are_kept(trained_on, tmp_path):
    found = read_records(real.COUNTS, real.Share)
    path = write_table(tmp_path, f"bands real {trained_on}", real.table(trained_on, found))
    assert path.read_text("utf-8") == (TABLES / path.name).read_text("utf-8")


@pytest.mark.parametrize("name", list(models.DATA_SETS))
def test_data_sets_can_be_read(name):
    if not (models.data_folder() / f"{models.FILES.get(name, name)}.csv.gz").is_file():
        pytest.skip(f"no data set {name} in {models.data_folder()}; set ROCWISE_DATA")
    if name == "intrusion":
        pytest.skip("494,021 rows take seconds to read; the study reads them")
    features, label = models.read(name)
    assert features.shape[0] == label.shape[0] >= 10_000
    assert np.all(np.isfinite(features))
    assert 0.02 < label.mean() < 0.6
