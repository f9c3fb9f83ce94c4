"""The statistics that `bootstrap` and `compare` take, by their public names."""

import numpy as np
import pytest

import rocwise as rw

Y = [0, 0, 1, 0, 1, 0, 1, 1, 0, 1]
S = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.35, 0.9]
OTHER = [0.2, 0.1, 0.6, 0.3, 0.4, 0.5, 0.8, 0.7, 0.45, 0.65]
COSTS = rw.Costs(fp=1, fn=3)
OBJECTS = {
    "Area": rw.statistics.Area(),
    "AveragePrecision": rw.statistics.AveragePrecision(),
    "EqualErrorRate": rw.statistics.EqualErrorRate(),
    "LeastCost": rw.statistics.LeastCost(COSTS, prevalence=0.3),
    "PartialArea": rw.statistics.PartialArea(fpr_range=(0.2, 0.6)),
    "PrecisionAt": rw.statistics.PrecisionAt(recall=0.8),
    "SensitivityAt": rw.statistics.SensitivityAt(specificity=0.8),
    "SmoothArea": rw.statistics.SmoothArea(),
    "SpecificityAt": rw.statistics.SpecificityAt(sensitivity=0.8),
    "YoudenThreshold": rw.statistics.YoudenThreshold(),
}
PROTOCOLS = {"Statistic", "ScoreStatistic"}


def test_every_public_statistic_is_tried_here():
    assert set(rw.statistics.__all__) == OBJECTS.keys() | PROTOCOLS
    assert "statistics" in rw.__all__


@pytest.mark.parametrize("name", OBJECTS)
def test_bootstrap_and_compare_take_it(name):
    statistic = OBJECTS[name]
    result = rw.bootstrap(Y, S, statistic=statistic, n_resamples=40, rng=1)
    assert result.statistic == statistic.name
    compared = rw.compare(
        Y, {"a": S, "b": OTHER}, statistic=statistic, method="bootstrap", n_resamples=40, rng=1
    )
    assert compared.estimates["a"] == pytest.approx(result.value)
    assert compared.quantity == statistic.name


@pytest.mark.parametrize(
    "part", [{"max_fpr": 0.4}, {"fpr_range": (0.2, 0.6)}, {"tpr_range": (0.5, 0.9)}], ids=str
)
@pytest.mark.parametrize("standardize", [False, True])
def test_a_partial_area_is_that_of_auc(part, standardize):
    statistic = rw.statistics.PartialArea(**part, standardize=standardize)
    result = rw.bootstrap(Y, S, statistic=statistic, n_resamples=200, rng=3)
    expected = rw.auc(
        Y, S, **part, standardize=standardize, method="bootstrap", n_resamples=200, rng=3
    )
    assert result.value == pytest.approx(expected.value, abs=1e-12)
    assert tuple(result.interval) == pytest.approx(tuple(expected.interval), abs=1e-12)
    assert repr(expected).startswith(statistic.name)


def test_an_object_of_the_users_is_a_statistic():
    class LargestGap:
        name = "largest gap"

        def of_curves(self, fpr, tpr, thresholds):
            return (tpr - fpr).max(axis=1)

    result = rw.bootstrap(Y, S, statistic=LargestGap(), n_resamples=20, rng=1)
    curve = rw.roc(Y, S)
    assert result.value == pytest.approx(np.max(curve.tpr - curve.fpr))
    assert result.statistic == "largest gap"


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: rw.statistics.PartialArea(), "`PartialArea` needs the part"),
        (lambda: rw.statistics.PartialArea(max_fpr=0.1, tpr_range=(0, 0.5)), "only one of"),
        (lambda: rw.statistics.SensitivityAt(1.2), "`specificity` must lie between 0 and 1"),
        (lambda: rw.statistics.SpecificityAt(-0.1), "`sensitivity` must lie between 0 and 1"),
        (lambda: rw.statistics.LeastCost(5, prevalence=0.1), "Costs object"),
        (lambda: rw.statistics.LeastCost(COSTS, prevalence=2), "`prevalence`"),
        (lambda: rw.statistics.SmoothArea("middle"), "`midpoint`"),
    ],
)
def test_what_cannot_be_read_off_a_curve_raises(make, words):
    with pytest.raises(rw.InputError, match=words):
        make()


@pytest.mark.parametrize(
    ("statistic", "words"),
    [
        (rw.statistics.SensitivityAt, r"not the class SensitivityAt.*rw\.statistics"),
        (
            0.5,
            "'auc', 'smooth-auc', 'youden-threshold', 'average-precision', "
            r"'precision-recall-area', 'equal-error-rate', an object of rw\.statistics",
        ),
        ("pauc", "`statistic` must be one of 'auc'"),
    ],
)
def test_what_is_no_statistic_raises(statistic, words):
    with pytest.raises(rw.InputError, match=words):
        rw.bootstrap(Y, S, statistic=statistic)
