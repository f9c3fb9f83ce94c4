"""Areas: the specification's values, the edges, the step area."""

import pytest

import rocwise as rw
from oracles.spec_samples import P1, P2, Q1, Q2, SAMPLES, tally_of


@pytest.mark.parametrize(
    ("sample", "area"),
    [
        (SAMPLES["A"], 0.9166666667),
        (SAMPLES["B"], 0.75),
        (SAMPLES["C"], 0.7083333333),
        (P1, 0.8571428571),
        (P2, 0.8125),
        (Q1, 0.8333333333),
        (Q2, 0.7083333333),
    ],
)
def test_areas_of_the_specification(sample, area):
    assert rw.auc(tally_of(sample)).value == pytest.approx(area, abs=1e-9)
    assert rw.roc(tally_of(sample)).auc == rw.auc(tally_of(sample)).value
    assert float(rw.auc(tally_of(sample))) == rw.auc(tally_of(sample)).value


@pytest.mark.parametrize(
    ("outcomes", "area", "perfect", "value"),
    [
        ("++-+-+", 5, 8, 0.625),
        ("-++-", 2, 4, 0.5),
        ("+--++", 2, 6, 0.3333333333),
    ],
)
def test_komareks_step_areas(outcomes, area, perfect, value):
    y = [sign == "+" for sign in outcomes]
    answer = rw.step_area(y, range(len(y), 0, -1))
    assert (answer.area, answer.perfect_area) == (area, perfect)
    assert answer.value == pytest.approx(value, abs=1e-9)


@pytest.mark.parametrize(
    ("ties", "value"), [("pessimistic", 0.65), ("simultaneous", 0.75), ("optimistic", 0.85)]
)
def test_ties_in_step_areas(ties, value):
    answer = rw.step_area(tally_of(SAMPLES["B"]), ties=ties)
    assert answer.value == pytest.approx(value, abs=1e-9)
    assert repr(answer).endswith(f"ties {ties}")


def test_step_areas_take_known_ties_and_no_weights():
    with pytest.raises(rw.InputError, match="`ties` must be one of 'simultaneous', 'optimistic'"):
        rw.step_area([0, 1], [0, 1], ties="random")
    with pytest.raises(
        rw.InputError, match="`step_area` has no weighted version, since it counts squares"
    ):
        rw.step_area([0, 1], [0, 1], sample_weight=[1, 1])


def test_the_sentence():
    assert repr(rw.auc(tally_of(SAMPLES["A"]))) == (
        "AUC 0.92 (95 % CI 0.41 to 1.00, effective-size Wilson); 3 positives, 4 negatives"
    )
    assert repr(rw.auc(tally_of(SAMPLES["A"]), method="delong")) == (
        "AUC 0.92 (95 % CI 0.69 to 1.00, DeLong); 3 positives, 4 negatives"
    )
    assert repr(rw.auc(tally_of(SAMPLES["C"]), level=0.9, method="logit")) == (
        "AUC 0.71 (90 % CI 0.49 to 0.86, logit DeLong); 10 positives, 12 negatives"
    )


def test_the_row_of_the_frame():
    frame = rw.auc(tally_of(SAMPLES["C"])).to_frame()
    names = ["value", "standard_error", "low", "high", "level", "method", "n_pos", "n_neg"]
    assert list(frame) == names
    assert frame["method"].tolist() == ["effective-size Wilson"]
    assert frame["n_neg"].tolist() == [12]


def test_weighted_areas_of_separated_classes_are_exactly_1():
    y, s, w = [1, 0, 1], [2, 0, 1], [313.70589544652586, 0.001, 199.0]
    assert rw.auc(y, s, sample_weight=w).value == 1.0
    assert rw.roc(y, s, sample_weight=w).auc == 1.0


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"level": 95}, "`level` must lie strictly between 0 and 1; got 95."),
        ({"level": "0.95"}, "`level` must be a number; got '0.95'."),
        ({"method": "wald"}, "`method` must be one of 'auto', 'delong'"),
    ],
)
def test_options_that_make_no_sense(options, message):
    with pytest.raises(rw.InputError) as caught:
        rw.auc([0, 1], [0, 1], **options)
    assert message in str(caught.value)
