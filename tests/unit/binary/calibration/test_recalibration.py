"""The fit of slope and intercept: where there is none, it is told and not tried."""

import numpy as np
import pytest

from rocwise.binary.calibration.recalibration import _well_conditioned


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
