"""Partial areas: the specification's values, the choice of the part, McClish's scale."""

import numpy as np
import pytest

import rocwise as rw
from oracles.spec_samples import SAMPLES, tally_of
from rocwise.binary.influence import area_influence
from rocwise.binary.partial_area import Part, partial_area


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


def test_vertical_steps_at_the_end_of_a_range_count_nothing():
    y, s = [1, 0, 1, 0], [4, 3, 2, 1]  # steps up at FPR 0 and at FPR 1/2
    assert rw.auc(y, s, fpr_range=(0, 0.5)).value == 0.25
    assert rw.auc(y, s, fpr_range=(0.5, 1)).value == 0.5


def test_the_part_is_named_in_the_sentence():
    tally = tally_of(SAMPLES["C"])
    assert repr(rw.auc(tally, max_fpr=0.1)).startswith("partial AUC over FPR 0 to 0.1 0.023 (95%")
    assert repr(rw.auc(tally, tpr_range=(0.8, 1), standardize=True)).startswith(
        "standardized partial AUC over TPR 0.8 to 1 0.58 (95%"
    )


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


PARTS = [
    Part("fpr", 0.0, 0.2),
    Part("fpr", 0.3, 0.7),
    Part("fpr", 0.25, 1.0),
    Part("fpr", 0.1, 0.1 + 2**-40),
    Part("tpr", 0.0, 0.3),
    Part("tpr", 0.4, 1.0),
    Part("tpr", 0.37, 0.61),
]


def squared_influences(data, part):
    """The area, and sums of squared influence values of positives and of negatives."""
    area, positives, negatives = area_influence(data, part)
    return area, data.pos @ positives**2, data.neg @ negatives**2


@pytest.mark.parametrize("end", [0.3, 0.1 + 0.2, 0.3 + 4e-13, 0.3 - 4e-13])
def test_an_end_that_rounding_keeps_from_a_vertex_is_at_it(end):
    data = rw.tally([0, 0, 0, 1, 1, 0, 0, 0, 0, 0, 0, 0], np.arange(12, 0, -1))
    at_vertex = squared_influences(data, Part("fpr", 0.0, 0.3))
    found = squared_influences(data, Part("fpr", 0.0, end))
    assert found[1:] == pytest.approx(at_vertex[1:], abs=1e-11)
    assert found[2] == pytest.approx(2.1, abs=1e-11)  # 3 at 0.7 below, 7 at 0.3 above


@pytest.mark.parametrize("part", PARTS, ids=str)
def test_no_variance_is_exactly_0(part):
    tied = squared_influences(rw.tally([0, 1, 0, 1, 1], np.ones(5)), part)
    assert tied[1:] == (0.0, 0.0)
    perfect = squared_influences(rw.tally([0, 0, 0, 1, 1], np.arange(5)), part)
    assert perfect == (pytest.approx(part.width), 0.0, 0.0)


@pytest.mark.parametrize("cases", [3, 7, 10, 11, 49, 88])
def test_an_end_at_a_rate_of_the_curve_is_at_it_though_floats_are_rounded(cases):
    y = np.r_[0, 1, 1, np.zeros(cases - 1, int)]
    s = -np.arange(len(y))
    assert rw.auc(y, s, max_fpr=1 / cases).value == 0
    assert rw.auc(1 - y, -s, tpr_range=(1 - 1 / cases, 1)).value <= 1e-15
