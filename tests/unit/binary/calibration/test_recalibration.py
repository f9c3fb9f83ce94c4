"""The fit of slope and intercept: where there is none, it is told and not tried."""

import numpy as np
import pytest

from rocwise.binary.calibration import recalibration
from rocwise.binary.calibration.recalibration import _well_conditioned, recalibrated


@pytest.mark.parametrize("unit", [1e-300, 1e-160, 1.0, 1e160, 1e300])
def test_the_unit_of_the_weights_does_not_decide_whether_there_is_a_fit(unit):
    rng = np.random.default_rng(3)
    for spread in 10.0 ** np.arange(-9, 1):
        rows = np.stack([np.ones(5), 1 + spread * rng.normal(size=5)])
        information = rows @ rows.T / 10
        expected = np.linalg.cond(information) <= 1e14
        assert _well_conditioned(unit * information) == expected


def test_no_information_is_no_fit():
    assert not _well_conditioned(np.zeros((2, 2)))
    assert not _well_conditioned(np.zeros((1, 1)))


@pytest.mark.parametrize("share", [0.5, 0.004])
def test_some_rows_tell_where_to_begin_and_not_where_to_end(share, monkeypatch):
    """With few positives those rows may have none, or be separated: then they tell nothing."""
    rng = np.random.default_rng(8)
    scores = np.sort(rng.random(3000))[::-1] * 0.9 + 0.05
    pos = (rng.random(3000) < 2 * share * scores).astype(np.int64)
    alone = recalibrated(scores, pos, 1 - pos, 0.95)
    monkeypatch.setattr(recalibration, "MANY", 1000)
    monkeypatch.setattr(recalibration, "SOME", 100)
    begun_near = recalibrated(scores, pos, 1 - pos, 0.95)
    ours, others = (
        [fit.slope, fit.intercept, fit.in_the_large, *fit.slope_interval, *fit.intercept_interval]
        for fit in (begun_near, alone)
    )
    assert ours == pytest.approx(others, rel=1e-12, abs=1e-12)


def test_a_start_too_far_out_is_left(monkeypatch):
    climbed, starts = recalibration._climbed, []

    def far_out(start, free, x, *amounts):
        starts.append(start.tolist())
        if len(x) < 3000:
            return [-9000.0, float(start[1])], np.ones(2)
        return climbed(start, free, x, *amounts)

    rng = np.random.default_rng(9)
    scores = np.sort(rng.random(3000))[::-1] * 0.9 + 0.05
    pos = (rng.random(3000) < scores).astype(np.int64)
    expected = recalibrated(scores, pos, 1 - pos, 0.95)
    monkeypatch.setattr(recalibration, "MANY", 1000)
    monkeypatch.setattr(recalibration, "_climbed", far_out)
    monkeypatch.setattr(recalibration, "SOME", 100)
    assert recalibrated(scores, pos, 1 - pos, 0.95) == expected
    assert starts[:3] == [[0.0, 0.0], [-9000.0, 0.0], [0.0, 0.0]]
