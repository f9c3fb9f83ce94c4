"""Tests of the study of weighted and clustered rows: its truths, and its counts."""

import numpy as np
import pytest

import rocwise as rw

from . import unlike_rows


def test_the_truths_are_those_of_many_rows():
    rng = np.random.default_rng(1)
    many = unlike_rows.clustered(rng, 40_000, 2)
    area = rw.roc(many["y"], many["s"]).auc
    assert area == pytest.approx(unlike_rows.area_of_clusters(), abs=0.01)
    rows = unlike_rows.weighted(rng, 200_000)
    area = rw.roc(rows["y"], rows["s"], sample_weight=rows["weights"]).auc
    assert area == pytest.approx(unlike_rows.area_of_weights(), abs=0.005)


@pytest.mark.filterwarnings("ignore::rocwise.errors.RocwiseWarning")
def test_the_tables_are_printed(capsys):
    unlike_rows.main(2)
    lines = capsys.readouterr().out.splitlines()
    assert sum(line.startswith("| ") for line in lines) == 3 + 4 + 4 + 9
