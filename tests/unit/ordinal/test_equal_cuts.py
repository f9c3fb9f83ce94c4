"""Which of cuts into ordered classes that cost the same is taken."""

import numpy as np

import rocwise as rw


def test_rows_that_are_there_many_times_leave_equal_cuts_equal():
    y = np.array([0, 1, 0, 1, 2, 1, 2, 0, 1, 2, 1])
    f = np.array([2.0, 2.0, 3.0, 1.0, 3.0, 0.0, 2.0, 1.0, 0.0, 2.0, 1.0])
    many = rw.ordinal.thresholds(np.repeat(y, 100_000), np.repeat(f, 100_000))
    assert np.array_equal(many.thresholds, rw.ordinal.thresholds(y, f).thresholds)
