"""Partial areas: the specification's values, the choice of the part, McClish's scale."""

import numpy as np
import pytest

import rocwise as rw
from oracles.spec_samples import SAMPLES, tally_of
from rocwise.binary.partial_area import WHOLE, Part, chosen_part, partial_area, partial_influence


@pytest.mark.parametrize(
    ("sample", "part", "raw", "scaled"),
    [
        ("A", {"fpr_range": (0.2, 0.7)}, 0.4833333333, 0.9696969697),
        ("B", {"fpr_range": (0.2, 0.7)}, 0.378125, 0.7784090909),
        ("C", {"fpr_range": (0, 0.1)}, 0.02333333333, 0.5964912281),
        ("C", {"max_fpr": 0.1}, 0.02333333333, 0.5964912281),
        ("A", {"tpr_range": (0.3, 0.9)}, 0.5416666667, 0.9189814815),
        ("B", {"tpr_range": (0.3, 0.9)}, 0.423, 0.7541666667),
    ],
)
def test_values_of_the_specification(sample, part, raw, scaled):
    tally = tally_of(SAMPLES[sample])
    assert rw.auc(tally, **part).value == pytest.approx(raw, abs=1e-9)
    assert rw.auc(tally, **part, standardize=True).value == pytest.approx(scaled, abs=1e-9)


@pytest.mark.parametrize("axis", ["fpr", "tpr"])
def test_mcclish_scale_is_half_on_the_diagonal_and_one_at_best(axis):
    part = Part(axis, 0.2, 0.5)
    diagonal = np.array([0.0, 1.0])
    assert part.standardized(partial_area(diagonal, diagonal, part)) == pytest.approx(0.5)
    best = np.array([0.0, 0.0, 1.0]), np.array([0.0, 1.0, 1.0])
    assert part.standardized(partial_area(*best, part)) == pytest.approx(1.0)
    assert Part("fpr", 0.5, 1.0).standardized(0.0) == -1.0  # not clipped


def test_standardising_scales_error_and_interval_alike():
    tally = tally_of(SAMPLES["C"])
    raw, scaled = (rw.auc(tally, max_fpr=0.3, standardize=flag) for flag in (False, True))
    part = Part("fpr", 0.0, 0.3)
    assert scaled.interval.low == pytest.approx(part.standardized(raw.interval.low))
    assert scaled.interval.high == pytest.approx(part.standardized(raw.interval.high))
    slope = part.standardized(1.0) - part.standardized(0.0)
    assert scaled.standard_error == pytest.approx(slope * raw.standard_error)


def test_vertical_steps_at_the_end_of_a_range_count_nothing():
    y, s = [1, 0, 1, 0], [4, 3, 2, 1]  # steps up at FPR 0 and at FPR 1/2
    assert rw.auc(y, s, fpr_range=(0, 0.5)).value == 0.25
    assert rw.auc(y, s, fpr_range=(0.5, 1)).value == 0.5


def test_the_part_is_named_in_the_sentence():
    tally = tally_of(SAMPLES["C"])
    assert repr(rw.auc(tally, max_fpr=0.1)).startswith("partial AUC over FPR 0 to 0.1 0.023 (95 %")
    assert repr(rw.auc(tally, tpr_range=(0.8, 1), standardize=True)).startswith(
        "standardised partial AUC over TPR 0.8 to 1 0.58 (95 %"
    )


@pytest.mark.parametrize(
    ("options", "part"),
    [
        ((None, None, None), WHOLE),
        ((1, None, None), WHOLE),
        ((0.25, None, None), Part("fpr", 0.0, 0.25)),
        ((None, (0.1, 0.2), None), Part("fpr", 0.1, 0.2)),
        ((None, None, [0.1, 1]), Part("tpr", 0.1, 1.0)),
    ],
)
def test_the_options_choose_a_part(options, part):
    assert chosen_part(*options) == part


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"max_fpr": 0.1, "fpr_range": (0, 0.1)}, "give only one of `max_fpr`, `fpr_range` and"),
        ({"max_fpr": 0}, "`max_fpr` must be above 0; got 0."),
        ({"max_fpr": 1.5}, "`max_fpr` must lie between 0 and 1; got 1.5."),
        ({"max_fpr": "0.1"}, "`max_fpr` must be a number; got '0.1'."),
        ({"fpr_range": (0.5, 0.5)}, "`fpr_range` must have low < high; got (0.5, 0.5)."),
        ({"tpr_range": (0.9, 0.1)}, "`tpr_range` must have low < high; got (0.9, 0.1)."),
        ({"tpr_range": 0.9}, "`tpr_range` must be a pair (low, high) of rates; got 0.9."),
    ],
)
def test_parts_that_make_no_sense(options, message):
    with pytest.raises(rw.InputError) as caught:
        rw.auc([0, 1], [0, 1], **options)
    assert message in str(caught.value)


def test_influence_without_spread_is_exactly_0():
    flat = np.array([0.0, 1.0])
    for part in (Part("fpr", 0.0, 0.2197603387789578), Part("tpr", 0.1, 0.7), WHOLE):
        positives, negatives = partial_influence(flat, flat, part)
        assert (positives.tolist(), negatives.tolist()) == ([0.0], [0.0])
