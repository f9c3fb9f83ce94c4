"""Average precision: value, standard error, interval, extremes, comparisons."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from sklearn.metrics import average_precision_score

import rocwise as rw
from rocwise.binary.precision_recall import least_area, precision_influence

RNG = np.random.default_rng(11)
Y = (RNG.random(300) < 0.25).astype(int)
NOISE = RNG.normal(size=300)
S = np.round(Y + NOISE, 1)
OTHER = np.round(0.7 * Y + 0.7 * NOISE + 0.7 * RNG.normal(size=300), 1)
cases = st.lists(st.tuples(st.booleans(), st.integers(0, 6)), min_size=4, max_size=40).filter(
    lambda rows: 2 <= sum(y for y, _ in rows) <= len(rows) - 2
)


def columns(rows):
    return np.array([y for y, _ in rows], int), np.array([s for _, s in rows], float)


@given(cases)
def test_the_value_is_that_of_scikit_learn(rows):
    y, s = columns(rows)
    result = rw.average_precision(y, s)
    assert result.value == pytest.approx(average_precision_score(y, s), rel=1e-12)
    assert result.interval.low <= result.value <= result.interval.high
    assert 0 < result.interval.low < result.interval.high <= 1


def test_worked_example():
    # from the top: 1, 1, 0, 1: precisions 1, 1, 3/4 at the three positives
    y, s = [0, 1, 0, 1, 1], [1, 2, 3, 4, 5]
    assert rw.average_precision(y, s).value == pytest.approx((1 + 1 + 3 / 4) / 3)
    # tied cases enter together: two positives and one negative at the top score
    assert rw.average_precision([0, 1, 1, 0], [2, 2, 2, 1]).value == pytest.approx(2 / 3)


def perturbed(tally, label, place, step):
    """The average precision when a share `step` of a class moves to one score."""
    by_class = {1: tally.pos / tally.n_pos, 0: tally.neg / tally.n_neg}
    one = np.eye(len(tally))[place]
    by_class[label] = (1 - step) * by_class[label] + step * one
    tpr, fpr = np.cumsum(by_class[1]), np.cumsum(by_class[0])
    odds = tally.n_neg / tally.n_pos
    return float(by_class[1] @ (tpr / (tpr + odds * fpr)))


def test_influences_are_the_slopes_of_the_value():
    tally = rw.tally(Y, S)
    found = precision_influence(tally)
    step = 1e-5
    for place in range(0, len(tally), 7):
        for label, influence in ((1, found.positives), (0, found.negatives)):
            sides = [perturbed(tally, label, place, side * step) for side in (1, -1)]
            slope = (sides[0] - sides[1]) / (2 * step)
            assert influence[place] == pytest.approx(slope, rel=1e-3, abs=1e-5)
    assert tally.pos @ found.positives == pytest.approx(0, abs=1e-10)
    assert tally.neg @ found.negatives == pytest.approx(0, abs=1e-10)


def test_the_standard_error_agrees_with_the_bootstrap():
    result = rw.average_precision(Y, S)
    drawn = rw.average_precision(Y, S, method="bootstrap", n_resamples=4000, rng=1)
    assert result.standard_error == pytest.approx(drawn.standard_error, rel=0.06)
    assert drawn.value == result.value
    assert drawn.interval.method == "bootstrap percentile"


def test_a_cohort_adds_the_chance_of_the_prevalence():
    fixed, chance = rw.average_precision(Y, S), rw.average_precision(Y, S, cohort=True)
    step, prevalence = 1e-5, Y.mean()
    slope = (
        rw.average_precision(Y, S, prevalence=prevalence + step).value
        - rw.average_precision(Y, S, prevalence=prevalence - step).value
    ) / (2 * step)
    added = slope**2 * prevalence * (1 - prevalence) / len(Y)
    assert chance.standard_error**2 - fixed.standard_error**2 == pytest.approx(added, rel=1e-6)


def test_another_prevalence_is_that_many_copies():
    ten = rw.average_precision(
        np.r_[Y, np.repeat(0, 9 * (Y == 0).sum())], np.r_[S, np.repeat(S[Y == 0], 9)]
    )
    prevalence = Y.sum() / (Y.sum() + 10 * (Y == 0).sum())
    assert rw.average_precision(Y, S, prevalence=prevalence).value == pytest.approx(ten.value)


def test_the_area_that_mixes_thresholds():
    tally = rw.tally(Y, S)
    tp, fp = np.r_[0, tally.tp], np.r_[0, tally.fp]
    middle = (np.arange(4000) + 0.5) / 4000
    area = 0.0
    for k in np.flatnonzero(np.diff(tp)):
        t, f = (c[k] + middle * (c[k + 1] - c[k]) for c in (tp, fp))
        area += float((t / (t + f)).mean()) * (tp[k + 1] - tp[k]) / tally.n_pos
    found = rw.average_precision(Y, S, interpolation="davis-goadrich", n_resamples=20, rng=1)
    assert found.value == pytest.approx(area, rel=1e-6)
    assert "precision-recall area" in repr(found)
    assert found.value == rw.bootstrap(tally, statistic="precision-recall-area", rng=1).value


@pytest.mark.parametrize(
    ("y", "s", "method"),
    [
        ([0, 0, 0, 1, 1], [1, 2, 3, 4, 5], "separation bound"),
        ([0, 0, 0, 1], [1, 2, 4, 3], "all attainable values"),
        ([0, 1, 1, 1], [3, 2, 4, 5], "all attainable values"),
        ([0, 0, 0, 1], [1, 2, 3, 4], "separation bound"),
    ],
)
def test_where_the_sample_has_no_variance(y, s, method):
    result = rw.average_precision(y, s)
    assert result.interval.method == method
    assert result.standard_error is None
    assert 0 < result.interval.low < result.interval.high == 1


def test_the_least_area_is_that_of_the_worst_order():
    n = 2000
    worst = rw.average_precision(
        np.r_[np.zeros(n), np.ones(n)], np.r_[np.ones(n), np.arange(n) / n - 1]
    )
    assert worst.value == pytest.approx(least_area(1.0), abs=1e-3)
    assert least_area(1.0) == pytest.approx(1 - math.log(2))


def test_all_ties_are_chance():
    result = rw.average_precision(Y, np.zeros(300))
    assert result.value == result.chance == pytest.approx(Y.mean())


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"prevalence": 1.5}, "`prevalence` must lie strictly between 0 and 1"),
        ({"method": "wald"}, "`method` must be one of"),
        ({"cohort": True, "prevalence": 0.1}, "leave `prevalence` out"),
        ({"interpolation": "linear"}, "`interpolation` must be one of"),
        ({"interpolation": "davis-goadrich", "method": "logit"}, "use method='bootstrap'"),
        ({"cohort": True, "method": "bootstrap"}, "keeps the numbers of both classes"),
    ],
)
def test_errors(options, message):
    with pytest.raises(rw.InputError, match=message):
        rw.average_precision(Y, S, **options)


PAIRS = rw.pair(Y, {"a": S, "b": OTHER})


def test_comparison_agrees_with_the_bootstrap():
    found = rw.compare(PAIRS, statistic="average-precision")
    drawn = rw.compare(PAIRS, statistic="average-precision", method="bootstrap", rng=1)
    assert found.method == "paired influence functions"
    assert found.estimates["a"] == rw.average_precision(Y, S).value
    assert found.difference == drawn.difference
    assert found.standard_error == pytest.approx(drawn.standard_error, rel=0.06)


def test_weights_and_clusters_of_a_comparison():
    weights = RNG.integers(1, 4, 300)
    weighted = rw.compare(
        Y, {"a": S, "b": OTHER}, sample_weight=weights, statistic="average-precision"
    )
    repeated = {name: np.repeat(s, weights) for name, s in (("a", S), ("b", OTHER))}
    twice = rw.compare(np.repeat(Y, weights), repeated, statistic="average-precision")
    assert weighted.difference == pytest.approx(twice.difference, rel=1e-12)
    assert weighted.standard_error > twice.standard_error  # rows, not cases, were sampled
    doubled = {"a": np.repeat(S, 2), "b": np.repeat(OTHER, 2)}
    clustered = rw.compare(
        np.repeat(Y, 2), doubled, groups=np.repeat(np.arange(300), 2), statistic="average-precision"
    )
    plain = rw.compare(PAIRS, statistic="average-precision")
    assert clustered.standard_error == pytest.approx(plain.standard_error, rel=0.01)


def test_unpaired_variances_add():
    first, second = rw.tally(Y, S), rw.tally(Y[::-1], OTHER[::-1])
    found = rw.compare(first, second, statistic="average-precision")
    errors = [rw.average_precision(t).standard_error for t in (first, second)]
    assert found.standard_error == pytest.approx(math.hypot(*errors), rel=1e-12)


def test_influence_functions_raise_where_there_are_none():
    with pytest.raises(
        rw.InputError,
        match=r"compares average precisions, partial areas, .* use method='delong'",
    ):
        rw.compare(PAIRS, method="influence")
    with pytest.raises(rw.InputError, match="use method='bootstrap'"):
        rw.compare(PAIRS, statistic="precision-recall-area", method="influence")


def test_precision_at_a_recall():
    found = rw.bootstrap(PAIRS.tally("a"), statistic=rw.statistics.PrecisionAt(0.5), rng=1)
    table = rw.thresholds(Y, S)
    first = int(np.argmax(table.sensitivity >= 0.5))
    assert found.value == table.ppv[first]
    assert found.interval.low < found.value < found.interval.high


@pytest.mark.parametrize("weighted", [False, True])
def test_separated_classes_have_the_area_one_however_their_proportions_are_rounded(weighted):
    rng = np.random.default_rng(13)
    for n_pos in range(2, 130):
        y = np.repeat([1, 0], [n_pos, 5])
        weights = rng.uniform(0.1, 1.0, len(y)) if weighted else None
        found = rw.average_precision(y, -np.arange(len(y)), sample_weight=weights)
        assert (found.value, found.standard_error) == (1.0, None)
        assert found.interval.method == "separation bound"


def test_limits_are_those_of_students_t():
    rng = np.random.default_rng(11)
    y = np.repeat([1, 0], [12, 30])
    s = y + rng.normal(size=42)
    found = rw.average_precision(y, s)
    # degrees of freedom from the variances that leaving out one class at a time would show
    influences = precision_influence(rw.tally(y, s))
    order = np.argsort(-s)
    of = dict(zip((1, 0), (influences.positives, influences.negatives), strict=True))
    parts = [of[label][y[order] == label].var(ddof=1) / (y == label).sum() for label in (1, 0)]
    df = sum(parts) ** 2 / (parts[0] ** 2 / 11 + parts[1] ** 2 / 29)
    reach = stats.t.ppf(0.975, df) * found.standard_error / (found.value * (1 - found.value))
    centre = np.log(found.value / (1 - found.value))
    assert found.interval.high == pytest.approx(1 / (1 + np.exp(-centre - reach)))
    assert found.standard_error == pytest.approx(np.sqrt(sum(parts)))


def test_a_comparison_is_referred_to_students_t():
    rng = np.random.default_rng(12)
    y = np.repeat([1, 0], [8, 20])
    models = {"a": y + rng.normal(size=28), "b": y + rng.normal(size=28)}
    found = rw.compare(y, models, statistic="average-precision")
    z = found.difference / found.standard_error
    assert found.p_value > 2 * stats.norm.sf(abs(z))
    assert found.p_value == pytest.approx(2 * stats.t.sf(abs(z), found.df))
    assert 7 <= found.df <= 26
    for name, interval in found.intervals.items():
        assert interval == rw.average_precision(y, models[name]).interval
    several = rw.compare(y, {**models, "c": rng.normal(size=28)}, statistic="average-precision")
    assert several.method.endswith("Hotelling's F")


RNG_OF_BANDS = np.random.default_rng(5)
Y_OF_BANDS = (RNG_OF_BANDS.random(200) < 0.4).astype(int)
S_OF_BANDS = np.round(Y_OF_BANDS + RNG_OF_BANDS.normal(size=200), 1)
CURVE = rw.precision_recall(Y_OF_BANDS, S_OF_BANDS)


def test_the_observed_precision_is_that_of_the_steps():
    band = CURVE.band(n_resamples=50, rng=1)
    assert band.recall[-1] == 1
    for recall, precision in zip(band.recall, band.precision, strict=True):
        place = int(np.argmax(CURVE.recall >= recall - 1e-12))
        assert precision == pytest.approx(CURVE.precision[place])
    mean = float(band.precision.mean())  # one recall for each positive: the area of the steps
    assert mean == pytest.approx(CURVE.average_precision, rel=1e-12)


def test_the_whole_band_is_that_of_the_roc_curve():
    """At each recall: the precisions of all FPR at which the band of the ROC curve holds it."""
    found = CURVE.band(n_resamples=100, rng=1)
    roc = rw.band(Y_OF_BANDS, S_OF_BANDS, n_resamples=100, rng=1)
    assert found.seed == roc.seed
    fpr = np.unique(np.concatenate([np.linspace(0, 1, 20001), roc.fpr]))
    lower, upper = roc.at(fpr)
    odds = found.n_neg / found.n_pos
    for recall, low, high in zip(found.recall, found.lower, found.upper, strict=True):
        inside = fpr[(lower <= recall + 1e-12) & (recall <= upper + 1e-12)]
        assert low == pytest.approx(recall / (recall + odds * inside.max()), abs=1e-3)
        assert high == pytest.approx(recall / (recall + odds * inside.min()), abs=1e-3)
    assert found.lower[-1] == pytest.approx(found.prevalence)  # at a threshold below all


def test_limits_at_one_recall_worked_by_hand():
    """Positives 1..10, negatives between them: recall 1/2 of ten positives and ten negatives."""
    y = np.repeat([1, 0], 10)
    s = np.concatenate([np.arange(10, 0, -1), np.arange(10, 0, -1) - 1.5])
    band = rw.precision_recall(y, s).band(kind="pointwise")
    # the fifth positive, 6, is below the negatives 8.5, 7.5, 6.5: FPR 0.3, Wilson 0.1078 to 0.6032
    # 0.5 -+ 1.96 sqrt(0.25 / 10) is 0.19 and 0.81: after one positive FPR 0, after nine 0.7
    up, down = np.hypot(0.6032 - 0.3, 0.7 - 0.3), np.hypot(0.3 - 0.1078, 0.3)
    assert band.lower[4] == pytest.approx(0.5 / (0.5 + 0.3 + up), abs=1e-4)
    assert band.upper[4] == pytest.approx(0.5 / (0.5 + max(0.3 - down, 0)), abs=1e-4)
    assert band.precision[4] == pytest.approx(5 / 8)
    assert band.seed is None


@pytest.mark.parametrize("kind", ["simultaneous", "pointwise"])
def test_separated_classes_have_a_band_too(kind):
    separated = [0] * 20 + [1] * 20, range(40)
    band = rw.precision_recall(*separated).band(kind=kind, n_resamples=50, rng=1)
    assert (band.upper == 1).all()
    assert (band.lower < 1).all()


def test_clusters_are_drawn_whole():
    clustered = rw.precision_recall(rw.tally(Y_OF_BANDS, S_OF_BANDS, groups=np.arange(200) // 2))
    band = clustered.band(n_resamples=50, rng=1)
    assert (band.lower <= band.upper).all()
    with pytest.raises(rw.InputError, match="with clusters use kind='simultaneous'"):
        clustered.band(kind="pointwise")


def test_errors_of_bands():
    with pytest.raises(rw.InputError, match="`kind` must be one of"):
        CURVE.band(kind="fixed-width")
    with pytest.raises(rw.InputError, match="at least two cases in each class"):
        rw.precision_recall([0, 0, 1], [1, 2, 3]).band()
