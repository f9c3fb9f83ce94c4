"""Tests of the containment study: a known world, counts that add up, tables of those counts."""

import math

import numpy as np
import pytest
from scipy import stats

from . import containment, containment_pages
from .containment import Cell, main
from .containment_world import FUTURE_KINDS, THETAS, TRUE_KINDS, asked, sample, true_curve
from .kept_counts import read_records, write_table
from .study import TABLES

AREAS = [
    0.6226117867, 0.6614645152, 0.7339143879, 0.7975569733, 0.8942387853, 0.9521286974, 0.98134323,
]  # fmt: skip


@pytest.mark.parametrize(("theta", "area"), list(zip(THETAS, AREAS, strict=True)))
def test_area_of_the_world(theta, area):
    fpr, tpr = true_curve(theta)
    assert np.trapezoid(tpr, fpr) == pytest.approx(area, abs=1e-5)
    assert stats.norm.cdf(2 * theta / math.hypot(3.75, 3.0)) == pytest.approx(area, abs=1e-9)


def test_samples_come_from_the_world():
    data = sample(1.5, 40_000, np.random.default_rng(1))
    fpr, tpr = true_curve(1.5)
    found = np.concatenate([[0], data.tp / data.n_pos])
    places = np.concatenate([[0], data.fp / data.n_neg])
    assert np.abs(np.interp(places, fpr, tpr) - found).max() < 0.025
    assert data.n_pos == pytest.approx(20_000, abs=500)


def test_the_same_number_is_the_same_sample():
    for n_future, kinds in ((0, TRUE_KINDS), (2, FUTURE_KINDS)):
        first, second = (list(asked(kinds, 1.5, 25, 3, 50, n_future)) for _ in range(2))
        assert first == second
        assert set(kinds) <= {hit.kind for hit in first}


def test_runs_resume_and_add_up(tmp_path, capsys):
    path = tmp_path / "counts.csv"
    words = ["--counts", str(path), "--resamples", "30"]
    words += ["--future", "1", "--sizes", "25", "--thetas", "1.5", "--round", "2"]
    words += ["--processes", "1"]
    main([*words, "--bands", "2"])
    before = path.read_text()
    main([*words, "--bands", "4"])
    assert "2 of 2 tasks" in capsys.readouterr().err
    cells = read_records(path, Cell)
    assert {(cell.first, cell.asked) for cell in cells} == {(0, 2), (2, 2)}
    assert set(before.splitlines()) <= set(path.read_text().splitlines())
    again = path.read_text()
    main([*words, "--bands", "4"])
    assert path.read_text() == again
    total = containment_pages.pooled(cells)["joint-regions", 1.5, 25]
    assert total.asked == 4


def test_standard_error_is_never_nothing():
    cell = Cell("future", 1.0, 25, 0, 10, 10, 10.0, 10.0, 1.0)
    assert cell.share == 1
    assert cell.error == pytest.approx(math.sqrt(11 / 12 * 1 / 12 / 10))


def test_tables_are_the_counts():
    cells = [
        Cell("future", 1.0, 25, 0, 4, 4, 3.0, 3.0, 2.0),
        Cell("future", 1.0, 25, 4, 4, 3, 3.0, 3.0, 2.0),
    ]
    found = containment_pages.tables(cells)
    assert "| 25 | 0.857 ± " in found["bands future"]
    assert "8 (1 refused)" in found["bands future"]
    assert "| `future` | 0.857 ± " in found["bands summary"]


def test_tables_are_of_the_counts_that_are_kept(tmp_path):
    for name, table in containment_pages.tables(read_records(containment.COUNTS, Cell)).items():
        path = write_table(tmp_path, name, table)
        assert path.read_text("utf-8") == (TABLES / path.name).read_text("utf-8"), path.name
