import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import mannwhitneyu, norm

import rocwise as rw
from oracles.spec_samples import SAMPLES, tally_of
from rocwise.inference.intervals import newcombe_interval


@pytest.mark.parametrize("method", ["delong", "jackknife", "exact-bootstrap", "unbiased"])
def test_the_statistic_is_the_distance_in_standard_errors(method):
    tally = tally_of(SAMPLES["C"])
    result = rw.test_auc(tally, null=0.6, method=method)
    error = math.sqrt(rw.auc_variance(tally, method=method))
    assert result.statistic == pytest.approx((rw.auc(tally).value - 0.6) / error, abs=1e-12)
    assert result.p_value == pytest.approx(2 * norm.sf(abs(result.statistic)), abs=1e-12)
    assert result.p_value == pytest.approx(
        2
        * min(
            rw.test_auc(tally, null=0.6, method=method, alternative=a).p_value
            for a in ("greater", "less")
        ),
        abs=1e-12,
    )


@given(st.floats(0.05, 0.95), st.integers(2, 40), st.integers(2, 40), st.floats(0.8, 0.99))
def test_the_score_interval_holds_the_values_that_the_score_test_accepts(area, n_pos, n_neg, level):
    low, high = newcombe_interval(area, n_pos, n_neg, level)
    assert 0 <= low < area < high <= 1
    z = norm.ppf((1 + level) / 2)
    for edge in (low, high):
        if 0 < edge < 1:
            average = (n_pos + n_neg) / 2 - 1
            factor = 1 + average * (1 - edge) / (2 - edge) + average * edge / (1 + edge)
            variance = edge * (1 - edge) * factor / (n_pos * n_neg)
            assert abs(area - edge) == pytest.approx(z * math.sqrt(variance), rel=1e-6)


def test_logit_scale():
    tally = tally_of(SAMPLES["C"])
    A, error = rw.auc(tally).value, rw.auc(tally).standard_error
    result = rw.test_auc(tally, null=0.6, method="logit")
    expected = (math.log(A / (1 - A)) - math.log(0.6 / 0.4)) / (error / (A * (1 - A)))
    assert result.statistic == pytest.approx(expected, abs=1e-12)
    interval = rw.auc(tally, method="logit").interval
    edge = rw.test_auc(tally, null=interval.low, method="logit")
    assert edge.p_value == pytest.approx(0.05, abs=1e-9)


def test_separated_classes_are_tested_by_the_score():
    result = rw.test_auc([0, 0, 0, 1, 1], [1, 2, 3, 4, 5], method="delong")
    assert result.method == "Newcombe score"
    assert 0 < result.p_value < 1
    assert "score" in repr(result)


@pytest.mark.filterwarnings("ignore::rocwise.errors.DirectionWarning")
@given(st.integers(0, 10**6), st.integers(1, 12), st.integers(1, 30), st.booleans())
def test_the_test_rejects_what_lies_outside_the_interval(seed, n_pos, n_neg, ties):
    rng = np.random.default_rng(seed)
    y = np.repeat([1, 0], [n_pos, n_neg])
    s = rng.normal(size=len(y)) + rng.uniform(-1, 3) * y
    tally = rw.tally(y, np.round(s) if ties else s)
    for level in (0.8, 0.95):
        interval = rw.auc(tally, level=level).interval
        for null in (0.5, 0.7, 0.9):
            p = rw.test_auc(tally, null=null).p_value
            assert abs(p - (1 - level)) < 1e-9 or (p < 1 - level) == (null not in interval)


def test_size_of_the_default_test_of_chance():
    """Between 2.5 and 6.5%, up to three standard errors of 1,000 samples."""
    rng = np.random.default_rng(20)
    y = np.repeat([1, 0], [10, 30])
    rejected = sum(rw.test_auc(y, rng.normal(size=40)).p_value < 0.05 for _ in range(1000))
    assert 0.025 - 0.015 < rejected / 1000 < 0.065 + 0.015


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"null": 1.0}, "`null`"),
        ({"alternative": "x"}, "`alternative`"),
        ({"method": "x"}, "`method`"),
    ],
)
def test_wrong_options(options, words):
    with pytest.raises(rw.InputError, match=words):
        rw.test_auc([0, 1, 0, 1], [1, 2, 3, 4], **options)


def test_one_case_in_a_class_is_tested_by_hoeffdings_bound_which_agrees_with_the_interval():
    y, scores = [0] * 30 + [1], [*range(30), 40]
    result = rw.test_auc(y, scores)
    assert result.method == "Hoeffding bound"
    edge = rw.auc(y, scores).interval.low
    assert rw.test_auc(y, scores, null=edge).p_value == pytest.approx(0.05, abs=1e-9)
    assert rw.test_auc(y, scores, null=0.9, alternative="less").p_value == 1.0


small = st.lists(st.tuples(st.booleans(), st.integers(0, 4)), min_size=2, max_size=9).filter(
    lambda rows: 0 < sum(y for y, _ in rows) < len(rows)
)


def columns(rows):
    return np.array([y for y, _ in rows], int), np.array([s for _, s in rows], float)


def all_areas(s, n_pos):
    """The area of every choice of the positives, times twice the number of pairs."""
    for chosen in itertools.combinations(range(len(s)), n_pos):
        pos, neg = s[list(chosen)], np.delete(s, chosen)
        yield int(np.sign(pos[:, None] - neg[None, :]).sum())


@given(small)
def test_the_exact_distribution_is_that_of_all_choices(rows):
    y, s = columns(rows)
    areas = np.array(list(all_areas(s, int(y.sum()))))
    observed = int(np.sign(s[y == 1][:, None] - s[y == 0][None, :]).sum())
    expected = {
        "greater": np.mean(areas >= observed),
        "less": np.mean(areas <= observed),
        "two-sided": np.mean(np.abs(areas) >= abs(observed)),
    }
    for alternative, p in expected.items():
        found = rw.test_auc(y, s, method="exact", alternative=alternative)
        assert found.p_value == pytest.approx(p, rel=1e-9)
    if np.ptp(s):
        z = observed / areas.std()
        assert found.statistic == pytest.approx(z, rel=1e-9)


@given(small)
def test_wilcoxon_is_scipys(rows):
    y, s = columns(rows)
    if not np.ptp(s):
        assert rw.test_auc(y, s, method="wilcoxon").p_value == 1
        return
    for alternative in ("two-sided", "greater", "less"):
        other = mannwhitneyu(
            s[y == 1], s[y == 0], alternative=alternative, method="asymptotic", use_continuity=False
        )
        found = rw.test_auc(y, s, method="wilcoxon", alternative=alternative)
        assert found.p_value == pytest.approx(other.pvalue, rel=1e-9)


def test_the_suicide_data(data_folder):
    path = data_folder / "suicide.csv.gz"
    frame = rw.tally(path, label="target", score="dsi", pos_label="yes", missing="drop")
    found = rw.test_auc(frame, method="wilcoxon")
    assert round(found.statistic, 2) == 10.62
    assert found.p_value == pytest.approx(2 * norm.sf(found.statistic))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"null": 0.6}, "tests H0: AUC = 0.5; got null=0.6"),
        (
            {"sample_weight": [1, 2, 1, 1]},
            "has no weighted version, since it permutes rows .* use method='delong'",
        ),
    ],
)
def test_errors(options, message):
    for method in ("exact", "wilcoxon"):
        with pytest.raises(rw.InputError, match=message):
            rw.test_auc([0, 0, 1, 1], [1, 2, 3, 4], method=method, **options)


def test_too_much_work_raises_with_the_other_method():
    y = np.arange(2000) % 2
    with pytest.raises(rw.InputError, match="use method='wilcoxon'"):
        rw.test_auc(y, np.arange(2000.0), method="exact")


def test_one_case_in_a_class():
    assert rw.test_auc([0, 0, 0, 1], [1, 2, 3, 4], method="exact").p_value == pytest.approx(0.5)
