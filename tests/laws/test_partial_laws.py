"""What must contain for areas under part of a curve, and for the influence of each case on them."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st
from sklearn.metrics import roc_auc_score

import rocwise as rw
from oracles.recounts import polyline_area, rates
from oracles.scored_rows import few_values, mixed, plain_floats, rows, weighted_rows
from rocwise.binary.partial_area import Part, partial_area, partial_influence
from rocwise.binary.roc import roc_rates

pytestmark = pytest.mark.filterwarnings("ignore::rocwise.errors.DirectionWarning")
axes = st.sampled_from(["fpr", "tpr"])
eighths = st.integers(0, 8).map(lambda k: k / 8)
cut = st.floats(0, 1) | eighths


@st.composite
def parts(draw, ends=cut):
    low, high = sorted([draw(ends), draw(ends)])
    assume(high - low > 1e-6)
    return Part(draw(axes), low, high)


def area(y, s, part, **options):
    return rw.auc(y, s, **{f"{part.axis}_range": (part.low, part.high)}, **options)


@given(rows(mixed), parts(eighths))
def test_partial_areas_are_those_of_trapezoids(data, part):
    y, s = data
    exact = polyline_area(rates(y, s), part.axis, Fraction(part.low), Fraction(part.high))
    assert area(y, s, part).value == pytest.approx(float(exact), abs=1e-14)


@given(rows(mixed), axes, st.tuples(cut, cut, cut))
def test_adjacent_ranges_add_up(data, axis, ends):
    y, s = data
    low, middle, high = sorted(ends)
    assume(middle - low > 1e-9)
    assume(high - middle > 1e-9)
    left, right, both = (
        area(y, s, Part(axis, *limits)).value
        for limits in ((low, middle), (middle, high), (low, high))
    )
    assert left + right == pytest.approx(both, abs=1e-13)


@given(rows(mixed), axes)
def test_the_whole_range_is_the_area(data, axis):
    y, s = data
    fpr, tpr = roc_rates(rw.tally(y, s))
    assert partial_area(fpr, tpr, Part(axis, 0.0, 1.0)) == pytest.approx(
        rw.auc(y, s).value, abs=1e-14
    )
    assert area(y, s, Part(axis, 0.0, 1.0)).value == rw.auc(y, s).value


@given(rows(plain_floats), st.floats(0.01, 0.99))
def test_standardised_areas_are_those_of_scikit_learn(data, max_fpr):
    y, s = data
    theirs = roc_auc_score(y, s, max_fpr=max_fpr)
    ours = rw.auc(y, s, max_fpr=max_fpr, standardize=True).value
    assert ours == pytest.approx(theirs, abs=1e-10)


@given(rows(mixed), parts())
def test_swapping_the_classes_mirrors_the_ranges(data, part):
    y, s = data
    other = Part("tpr" if part.axis == "fpr" else "fpr", 1 - part.high, 1 - part.low)
    swapped = area([1 - label for label in y], [-v for v in s], other)
    assert swapped.value == pytest.approx(area(y, s, part).value, abs=1e-12)


@given(rows(mixed), parts(), st.sampled_from(["delong", "logit"]), st.booleans())
def test_intervals_of_parts_hold_the_estimate_and_have_a_width(data, part, method, standardize):
    y, s = data
    result = area(y, s, part, method=method, standardize=standardize)
    assert result.value in result.interval
    assert result.interval.high - result.interval.low > 1e-9 * (part.high - part.low)
    if not standardize:
        assert result.interval.low >= 0.0
        assert result.interval.high <= part.high - part.low + 1e-15


@given(weighted_rows(few_values), parts())
def test_influences_average_to_nothing(data, part):
    y, s, w = data
    tally = rw.tally(y, s, sample_weight=w)
    positives, negatives = partial_influence(*roc_rates(tally), part)
    assert float(tally.pos @ positives) / tally.n_pos == pytest.approx(0.0, abs=1e-12)
    assert float(tally.neg @ negatives) / tally.n_neg == pytest.approx(0.0, abs=1e-12)


@given(weighted_rows(few_values), axes, st.randoms())
def test_influence_is_the_slope_of_the_area_in_the_weight_of_a_case(data, axis, random):
    # adding weight h to one of the cases of total weight W moves the area by influence * h / W
    y, s, w = data
    low, high = sorted([random.uniform(0, 1), random.uniform(0, 1)])
    part = Part(axis, low, high)
    tally = rw.tally(y, s, sample_weight=w)
    vertices = np.concatenate(roc_rates(tally))
    assume(min(abs(vertices - low).min(), abs(vertices - high).min()) > 1e-4)  # no kink nearby
    positives, negatives = partial_influence(*roc_rates(tally), part)
    case = random.randrange(len(y))
    place = tally.scores.tolist().index(s[case])
    total = tally.n_pos if y[case] else tally.n_neg
    step = 1e-6 * total

    def moved(h):
        heavier = [x + h * (i == case) for i, x in enumerate(w)]
        other = rw.tally(y, s, sample_weight=heavier)
        return partial_area(*roc_rates(other), part)

    slope = (moved(step) - moved(-step)) / (2 * step) * total if w[case] > step else None
    assume(slope is not None)
    influence = (positives if y[case] else negatives)[place]
    assert influence == pytest.approx(slope, abs=1e-6)


@given(rows(few_values, each=2), axes)
def test_over_the_whole_range_the_variance_is_delongs(data, axis):
    y, s = data
    tally = rw.tally(y, s)
    positives, negatives = partial_influence(*roc_rates(tally), Part(axis, 0.0, 1.0))
    n_pos, n_neg = tally.n_pos, tally.n_neg
    variance = float(tally.pos @ positives**2) / (n_pos * (n_pos - 1)) + float(
        tally.neg @ negatives**2
    ) / (n_neg * (n_neg - 1))
    assert variance == pytest.approx(rw.auc_variance(tally, method="delong"), rel=1e-9, abs=1e-16)


@example(
    ([0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 1], [0, 1, 1, 1, 3, 3, 3, 3, 1, 0, 3, 2]),
    Part(axis="fpr", low=0.0, high=0.5),
    14.25760193271681,
)
@given(rows(few_values, each=2), parts(eighths), st.floats(0.01, 100))
def test_equal_weights_change_no_part(data, part, weight):
    y, s = data
    plain = area(y, s, part)
    weighted = area(y, s, part, sample_weight=[weight] * len(y))
    assert weighted.value == pytest.approx(plain.value, abs=1e-12)
    assert weighted.standard_error == pytest.approx(plain.standard_error, abs=1e-7)


@pytest.mark.parametrize("axis", ["fpr", "tpr"])
@pytest.mark.parametrize(("low", "high"), [(0.0, 0.2), (0.1, 0.45), (0.6, 0.95)])
def test_the_variance_of_a_part_is_that_of_repeated_samples(axis, low, high):
    rng = np.random.default_rng(20240607)
    n_neg, n_pos, n_samples = 150, 100, 1500
    y = np.repeat([0, 1], [n_neg, n_pos])
    part = Part(axis, low, high)
    results = [area(y, rng.normal(size=n_neg + n_pos) + 1.2 * y, part) for _ in range(n_samples)]
    estimated = np.mean([result.standard_error**2 for result in results])
    observed = np.var([result.value for result in results], ddof=1)
    # a variance of 1,500 nearly normal values is known to about sqrt(2/1500) = 3.7%
    assert estimated == pytest.approx(observed, rel=4 * math.sqrt(2 / n_samples))
