"""Influence values of partial areas and of rates at a rate, against derivatives and resamples."""

import numpy as np
import pytest

import rocwise as rw
from rocwise.binary.influence import REACH, rate_influence
from rocwise.binary.statistics import heights_at


def models(n_neg, n_pos, seed=0, digits=9):
    rng = np.random.default_rng(seed)
    y = np.repeat([0, 1], [n_neg, n_pos])
    shared = rng.normal(size=len(y)) + 1.5 * y
    return y, {k: np.round(shared + rng.normal(size=len(y)), digits) for k in ("a", "b")}


def rates(pos, neg):
    return (np.append(0, np.cumsum(part)) / part.sum() for part in (neg, pos))


def height(pos, neg, at, mirrored):
    fpr, tpr = rates(pos, neg)
    if mirrored:
        fpr, tpr = 1 - tpr[::-1], 1 - fpr[::-1]
    return float(heights_at(fpr[None, :], tpr[None, :], at)[0])


@pytest.mark.parametrize("mirrored", [False, True])
@pytest.mark.parametrize("at", [0.18, 0.41])
def test_influences_are_derivatives_where_scores_are_tied(at, mirrored):
    """On ten levels the height is smooth in the weights, with the slope of its own segment."""
    y, both = models(3000, 2000, digits=0)
    data = rw.tally(y, both["a"])
    pos, neg = data.pos.astype(float), data.neg.astype(float)
    found = rate_influence(data, at, mirrored=mirrored)
    fpr, tpr = rates(pos, neg)
    across = 1 - tpr[::-1] if mirrored else fpr
    reach = REACH * np.sqrt(at * (1 - at) / (data.n_pos if mirrored else data.n_neg))
    segment = np.searchsorted(across, [at - reach, at + reach])
    assert segment[0] == segment[1]  # else the slope is a mean of several
    for moved, counts in zip(found, (pos, neg), strict=True):
        assert counts @ moved == pytest.approx(0, abs=1e-12)
        for place in range(len(data)):
            values = []
            for step in (1e-3, -1e-3):
                counts[place] += step
                values.append(height(pos, neg, at, mirrored))
                counts[place] -= step
            expected = counts.sum() * (values[0] - values[1]) / 2e-3
            assert moved[place] == pytest.approx(expected, abs=1e-8 * counts.sum())


@pytest.mark.parametrize("sizes", [(4000, 1500), (1500, 4000)])
@pytest.mark.parametrize("requested", [{"at_specificity": 0.8}, {"at_sensitivity": 0.7}])
@pytest.mark.parametrize("digits", [9, 1])
def test_standard_errors_are_those_of_the_bootstrap(sizes, requested, digits):
    y, both = models(*sizes, seed=2, digits=digits)
    drawn = rw.compare(y, both, method="bootstrap", rng=1, n_resamples=1500, **requested)
    found = rw.compare(y, both, method="influence", **requested)
    assert found.estimates == drawn.estimates
    assert found.standard_error == pytest.approx(drawn.standard_error, rel=0.12)
    tallies = [rw.tally(y, each) for each in both.values()]
    drawn = rw.compare(*tallies, method="bootstrap", rng=1, n_resamples=1500, **requested)
    found = rw.compare(*tallies, method="influence", **requested)
    assert found.standard_error == pytest.approx(drawn.standard_error, rel=0.12)
    assert found.method == "unpaired influence functions"


def test_the_default_asks_for_many_cases_around_the_point():
    few, many = models(5000, 900), models(10_000, 1000)
    for data, options, method in (
        (few, {"at_specificity": 0.8}, "bootstrap"),
        (many, {"at_specificity": 0.9}, "influence functions"),
        (many, {"at_specificity": 0.95}, "bootstrap"),
        (many, {"at_specificity": 1.0}, "bootstrap"),
        (many, {"at_sensitivity": 0.9}, "bootstrap"),
        (many, {"at_specificity": 0.1}, "bootstrap"),  # nearly all positives are called
        (
            many,
            {"at_specificity": 0.9, "groups": np.arange(11_000) // 2},
            "cluster-robust bootstrap",
        ),
    ):
        given = {"n_resamples": 10, "rng": 1} | options
        words = method.replace("bootstrap", "bootstrap, t distribution")
        assert rw.compare(*data, **given).method == f"paired {words}"
    with pytest.raises(rw.InputError, match=r"0\.9 of rows without weights and groups"):
        rw.compare(
            *many, at_specificity=0.9, method="influence", sample_weight=np.full(11_000, 2.0)
        )


@pytest.mark.filterwarnings("ignore::rocwise.errors.MidOutOfRangeWarning")
@pytest.mark.parametrize("requested", [{"at_specificity": 0.5}, {"statistic": "smooth-auc"}])
def test_one_case_of_a_class_has_no_variance(requested):
    one, two = (
        rw.tally([0, 0, 0, 1], [0.1, 0.4, 0.7, 0.6]),
        rw.tally([0, 0, 1, 1], [0.1, 0.6, 0.5, 0.9]),
    )
    with pytest.raises(rw.InputError, match="needs at least two positives; got 1"):
        rw.compare(one, two, method="influence", **requested)
    models = {"a": [0.1, 0.4, 0.7, 0.6], "b": [0.2, 0.1, 0.3, 0.9]}
    with pytest.raises(rw.InputError, match="needs at least two positives; got 1"):
        rw.compare([0, 0, 0, 1], models, method="influence", **requested)
