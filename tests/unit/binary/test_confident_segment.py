"""The confident segment: printed values, pixel counts, and Tango's interval itself."""

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy.stats import binomtest

import rocwise as rw
from oracles.spec_samples import SAMPLES, tally_of


@pytest.mark.parametrize(
    ("name", "level", "points", "numbers"),
    [
        ("T", 0.95,
         [(4, 1), (3, 1), (3, 2), (3, 3), (2, 3), (2, 4), (2, 5), (1, 5), (1, 6)],
         (0.14, 0.51, 0.09, 0.56, -0.04, 0.09333333333)),
        ("A", 0.95,
         [(3, 0), (2, 0), (1, 0), (1, 1), (0, 1), (0, 2), (0, 3)],
         (0.6666666667, 0.9166666667, 0.6666666667, 0.9166666667, 0, 0.2448979592)),
        ("C", 0.8,
         [(5, 2), (5, 3), (5, 4), (4, 4), (3, 4), (3, 5), (2, 5)],
         (0.1416666667, 0.1916666667, 0.01666666667, 0.3166666667, 0, 0.07792207792)),
    ],
)  # fmt: skip
def test_printed_segments(name, level, points, numbers):
    found = rw.confident_segment(tally_of(SAMPLES[name]), level=level)
    assert list(zip(found.b.tolist(), found.c.tolist(), strict=True)) == points
    measured = (
        found.tp_area, found.fp_area, found.overlap, found.cauc, found.mean_difference,
        found.mean_absolute_difference,
    )  # fmt: skip
    assert measured == pytest.approx(numbers, abs=1e-9)


def samples():
    return st.tuples(
        st.lists(st.integers(0, 8), min_size=1, max_size=15),
        st.lists(st.integers(1, 9), min_size=1, max_size=15),
    )


@given(samples(), st.sampled_from([0.5, 0.8, 0.95]))
def test_points_are_those_whose_interval_holds_zero(sample, level):
    data = tally_of(sample)
    found = rw.confident_segment(data, level=level)
    chosen = []
    n = data.n_pos + data.n_neg
    for k, (f, t) in enumerate(zip(found.curve_fpr, found.curve_tpr, strict=True)):
        b, c = round(data.n_pos * (1 - t)), round(data.n_neg * f)
        interval = rw.inference.tango_interval(b, c, n, level=level)
        if interval.low <= 1e-12 and interval.high >= -1e-12:
            chosen.append(k)
    assert np.all(np.diff(chosen) == 1)
    assert found.curve_thresholds[chosen].tolist() == found.thresholds.tolist()


@given(samples())
def test_area_is_the_union_of_two_strips(sample):
    """Counted on a grid of points of the unit square."""
    found = rw.confident_segment(tally_of(sample), level=0.8)
    if len(found.fpr) < 2:
        assert found.cauc == 0
        return
    x, y = np.meshgrid(*[(np.arange(200) + 0.5) / 200] * 2)
    below = (x > found.fpr[0]) & (x < found.fpr[-1]) & (y < np.interp(x, found.fpr, found.tpr))
    line = found.tpr + 1e-9 * np.arange(len(found.tpr))
    right = (y > found.tpr[0]) & (y < found.tpr[-1]) & (x > np.interp(y, line, found.fpr))
    assert found.cauc == pytest.approx((below | right).mean(), abs=0.02)


def test_a_wholly_confident_curve_has_its_auc():
    data = tally_of(SAMPLES["C"])
    found = rw.confident_segment(data, level=0.9999999)
    assert len(found.fpr) == len(found.curve_fpr)
    assert found.cauc == pytest.approx(rw.auc(data).value)


def test_exact_test_keeps_the_points_that_scipy_does_not_reject():
    data = tally_of(SAMPLES["C"])
    found = rw.confident_segment(data, level=0.8, test="mcnemar-exact")
    whole = rw.confident_segment(data, level=0.9999999)
    pairs = list(zip(whole.b.tolist(), whole.c.tolist(), strict=True))
    kept = [
        (b, c) for b, c in pairs if b + c == 0 or binomtest(b, b + c).pvalue > 0.2 * (1 + 1e-12)
    ]
    assert list(zip(found.b.tolist(), found.c.tolist(), strict=True)) == kept
    assert 0 < len(kept) < len(pairs)
    with pytest.raises(rw.InputError, match="`margin` needs test='tango'"):
        rw.confident_segment(data, test="mcnemar-exact", margin=0.1)


@given(samples(), st.sampled_from([0.05, 0.2, 0.7]))
def test_margin_keeps_the_points_whose_interval_meets_it(sample, margin):
    data = tally_of(sample)
    found = rw.confident_segment(data, level=0.9, margin=margin)
    _, low, high = found.intervals()
    distances = np.minimum(abs(low - margin), abs(high + margin))
    assume(distances.min() > 1e-9)
    meets = (low <= margin) & (high >= -margin)
    assert found.thresholds.tolist() == found.curve_thresholds[meets].tolist()


def test_empty_segment_gives_none():
    y = np.repeat([0, 1], [200, 2000])
    found = rw.confident_segment(y, np.zeros(2200), level=0.5)
    assert len(found.fpr) == 0
    assert (found.mean_difference, found.mean_absolute_difference, found.cauc) == (None, None, 0)
    assert "no threshold is confident" in repr(found)
