"""Normal-deviate axes."""

from statistics import NormalDist

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rocwise.plotting.spec import (
    TICK_DISTANCE,
    normal_cdf,
    probit,
    probit_frame,
    probit_ticks,
)

NORMAL = NormalDist()


@given(st.floats(1e-12, 1 - 1e-12))
def test_deviates_are_those_of_the_normal_distribution(rate):
    deviate = float(probit(np.array([rate]))[0])
    assert deviate == pytest.approx(NORMAL.inv_cdf(rate), abs=1e-9)
    assert float(normal_cdf(np.array([deviate]))[0]) == pytest.approx(rate, rel=1e-9)


@given(st.lists(st.floats(0, 1), min_size=1, max_size=9))
def test_the_frame_holds_every_rate_but_the_infinite_ones(rates):
    low, high = probit_frame(np.array(rates))
    assert 0 <= low < 0.5 < high <= 1
    assert low + high == pytest.approx(1, abs=1e-15)
    assert all(low <= rate <= high for rate in rates if 0 < rate < 1)


@given(st.floats(1e-9, 0.45))
def test_ticks_are_inside_ordered_and_distinct(low):
    ticks = probit_ticks((low, 1 - low))
    places = [NORMAL.inv_cdf(tick.position) for tick in ticks]
    span = NORMAL.inv_cdf(1 - low) - NORMAL.inv_cdf(low)
    assert all(low <= tick.position <= 1 - low for tick in ticks)
    assert all(np.diff(places) > TICK_DISTANCE * span * (1 - 1e-9))
    assert [float(tick.text) / 100 for tick in ticks] == pytest.approx(
        [tick.position for tick in ticks], rel=1e-9
    )
    assert 0.5 in [tick.position for tick in ticks]
