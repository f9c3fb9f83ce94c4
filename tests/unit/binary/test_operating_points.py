"""Every measure at points, with its limits."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import expit, logit
from scipy.stats import norm

import rocwise as rw
from rocwise.inference import proportion_interval
from rocwise.inference.effective_sizes import sized_area

RNG = np.random.default_rng(7)
Y = (RNG.random(200) < 0.4).astype(int)
S = np.round(Y + RNG.normal(size=200), 1)
T = rw.tally(Y, S)
T_PAIRS = rw.pair(Y, {"a": S, "b": S + RNG.normal(size=200)})
USUAL = ("sensitivity", "specificity", "ppv", "npv", "accuracy", "f1", "lr_positive", "lr_negative")
cases = st.lists(st.tuples(st.booleans(), st.integers(0, 8)), min_size=4, max_size=40).filter(
    lambda rows: 0 < sum(y for y, _ in rows) < len(rows)
)

OWN_POINTS = {"method": "wilson", "interpolate": False}
ANY_DIRECTION = pytest.mark.filterwarnings("ignore::rocwise.errors.DirectionWarning")


def columns(rows):
    return np.array([y for y, _ in rows], int), np.array([s for _, s in rows], float)


@given(cases, st.integers(-1, 9))
def test_thresholds_recount(rows, cut):
    y, s = columns(rows)
    table = rw.at(y, s, threshold=cut)
    called = s >= cut
    assert table.tp[0] == (called & (y == 1)).sum()
    assert table.fp[0] == (called & (y == 0)).sum()
    assert table.fn[0] == (~called & (y == 1)).sum()
    assert table.tn[0] == (~called & (y == 0)).sum()
    for name in USUAL:
        value, low, high = (getattr(table, f"{name}{end}")[0] for end in ("", "_low", "_high"))
        if value is not np.ma.masked:
            assert low <= value <= high
            assert low < high


@ANY_DIRECTION
@given(cases, st.sampled_from([0.0, 0.25, 0.5, 0.8, 0.9, 1.0]))
def test_points_are_those_of_the_rules(rows, rate):
    y, s = columns(rows)
    tally = rw.tally(y, s)
    for axis, rule in (("sensitivity", "min-sensitivity"), ("specificity", "min-specificity")):
        point = rw.threshold(tally, rule=rule, constraint=rate)
        table = rw.at(tally, **OWN_POINTS, **{axis: rate})
        assert (table.tp[0], table.fp[0]) == (point.tp, point.fp)
        assert table.threshold[0] == point.threshold
    table = rw.at(tally, **OWN_POINTS, fpr=1 - rate)
    assert table.fp[0] == rw.at(tally, **OWN_POINTS, specificity=rate).fp[0]
    point = rw.threshold(tally, rule="max-alarms", constraint=3)
    assert rw.at(tally, **OWN_POINTS, alarms=3).threshold[0] == point.threshold


@ANY_DIRECTION
@given(cases, st.floats(0, 1))
def test_interpolation_has_exactly_the_rate_and_lies_on_the_curve(rows, rate):
    y, s = columns(rows)
    curve = rw.roc(y, s)
    by_fpr = rw.at(y, s, fpr=rate, method="wilson")
    assert 1 - by_fpr.specificity[0] == pytest.approx(rate, abs=1e-9)
    heights = rw.statistics.SensitivityAt(1 - rate).of_curves(
        curve.fpr[None, :], curve.tpr[None, :], curve.thresholds
    )
    assert by_fpr.sensitivity[0] == pytest.approx(heights[0], abs=1e-9)
    by_tpr = rw.at(y, s, sensitivity=rate, method="wilson")
    assert by_tpr.sensitivity[0] == pytest.approx(rate, abs=1e-9)
    widths = rw.statistics.SpecificityAt(rate).of_curves(
        curve.fpr[None, :], curve.tpr[None, :], curve.thresholds
    )
    assert by_tpr.specificity[0] == pytest.approx(widths[0], abs=1e-9)


def test_a_point_between_two_has_no_threshold():
    table = rw.at([0, 0, 1, 1], [1, 2, 2, 3], sensitivity=[0.5, 0.75], rng=1)
    assert table.threshold.tolist() == [3.0, None]
    assert table.tp.tolist() == [1.0, 1.5]
    assert table.fp.tolist() == [0.0, 0.5]


def test_proportions_have_wilson_limits():
    table = rw.at(T, threshold=0.6)
    tp, fp, fn, tn = (int(getattr(table, cell)[0]) for cell in ("tp", "fp", "fn", "tn"))
    for name, k, n in (
        ("sensitivity", tp, tp + fn),
        ("specificity", tn, tn + fp),
        ("ppv", tp, tp + fp),
        ("npv", tn, tn + fn),
        ("accuracy", tp + tn, 200),
    ):
        for method in ("wilson", "clopper-pearson", "jeffreys"):
            found = rw.at(T, threshold=0.6, method=method)
            expected = proportion_interval(k, n, method=method)
            assert tuple(found.interval(name)) == pytest.approx(tuple(expected)), (name, method)
    low, high = proportion_interval(tp, tp + fp + fn)
    assert tuple(table.interval("f1")) == pytest.approx(
        (2 * low / (1 + low), 2 * high / (1 + high))
    )


def test_predictive_values_at_a_prevalence_are_mercaldos():
    # the example of Mercaldo, Lau and Zhou (2007): 240 of 418 cases, 288 of 375 controls
    y = np.repeat([1, 1, 0, 0], [240, 178, 87, 288])
    s = np.repeat([1, 0, 1, 0], [240, 178, 87, 288])
    table = rw.at(y, s, threshold=1, prevalence=0.03)
    se, sp, p = 240 / 418, 288 / 375, 0.03
    ppv = se * p / (se * p + (1 - sp) * (1 - p))
    npv = sp * (1 - p) / (sp * (1 - p) + (1 - se) * p)
    assert table.ppv[0] == pytest.approx(ppv)
    assert table.npv[0] == pytest.approx(npv)
    error = math.sqrt((1 - se) / (se * 418) + sp / ((1 - sp) * 375))
    for side, limit in ((-1, table.ppv_low[0]), (1, table.ppv_high[0])):
        logit = math.log(ppv / (1 - ppv)) + side * 1.959964 * error
        assert limit == pytest.approx(1 / (1 + math.exp(-logit)), rel=1e-6)
    error = math.sqrt(se / ((1 - se) * 418) + (1 - sp) / (sp * 375))
    for side, limit in ((-1, table.npv_low[0]), (1, table.npv_high[0])):
        logit = math.log(npv / (1 - npv)) + side * 1.959964 * error
        assert limit == pytest.approx(1 / (1 + math.exp(-logit)), rel=1e-6)


def test_likelihood_ratios_by_the_log_method():
    # Simel, Samsa and Matchar (1991): 36 of 44 ill and 1 of 46 well have the sign
    y = np.repeat([1, 1, 0, 0], [36, 8, 1, 45])
    s = np.repeat([1, 0, 1, 0], [36, 8, 1, 45])
    table = rw.at(y, s, threshold=1)
    ratio = (36 / 44) / (1 / 46)
    reach = 1.959964 * math.sqrt((1 - 36 / 44) / 36 + (1 - 1 / 46) / 1)
    assert table.lr_positive[0] == pytest.approx(ratio)
    assert table.lr_positive_low[0] == pytest.approx(ratio * math.exp(-reach), rel=1e-6)
    assert table.lr_positive_high[0] == pytest.approx(ratio * math.exp(reach), rel=1e-6)


def test_empty_cells_have_limits_too():
    table = rw.at([0, 0, 0, 1, 1], [1, 2, 3, 4, 5], threshold=[0, 4, 9], prevalence=0.1)
    assert table.lr_positive.tolist() == [1.0, math.inf, None]
    assert table.lr_positive_high[1] == math.inf
    assert 0 < table.lr_positive_low[1] < math.inf
    assert table.ppv.tolist() == [pytest.approx(0.1), 1.0, None]
    assert 0 < table.ppv_low[1] < 1 == table.ppv_high[1]
    assert table.npv.tolist() == [None, 1.0, pytest.approx(0.9)]
    everyone = table.to_dict()["columns"]["ppv"]
    assert everyone[2] is None


def test_costs_and_accuracy_at_a_prevalence_are_sums_of_two_rates():
    costs = rw.Costs(fp=1, fn=10, tp=-2)
    table = rw.at(T, threshold=0.6, prevalence=0.1, costs=costs)
    se, sp = table.sensitivity[0], table.specificity[0]
    assert table.expected_cost[0] == pytest.approx(0.1 * (10 * (1 - se) - 2 * se) + 0.9 * (1 - sp))
    assert table.accuracy[0] == pytest.approx(0.1 * se + 0.9 * sp)
    down = math.hypot(
        1.2 * (table.sensitivity_high[0] - se), 0.9 * (table.specificity_high[0] - sp)
    )
    assert table.expected_cost_low[0] == pytest.approx(table.expected_cost[0] - down)
    chosen = rw.threshold(T, rule="cost", costs=costs, prevalence=0.1)
    again = rw.at(T, threshold=chosen.threshold, prevalence=0.1, costs=costs)
    assert again.expected_cost[0] == pytest.approx(chosen.expected_cost)


def test_limits_at_a_rate_recompute_the_threshold():
    table = rw.at(T, specificity=[0.8, 0.9], method="bootstrap", n_resamples=500, rng=3)
    for row, rate in enumerate((0.8, 0.9)):
        drawn = rw.bootstrap(T, statistic=rw.statistics.SensitivityAt(rate), n_resamples=500, rng=3)
        assert table.sensitivity[row] == pytest.approx(drawn.value)
        assert tuple(table.interval("sensitivity", row)) == pytest.approx(
            tuple(drawn.interval), abs=0.02
        )
    fixed = rw.at(T, threshold=rw.at(T, specificity=0.9, **OWN_POINTS).threshold[0])
    width = np.ptp(tuple(table.interval("sensitivity", 1)))
    assert width > np.ptp(tuple(fixed.interval("sensitivity")))  # the threshold is uncertain too


def test_resamples_that_agree_leave_the_fixed_limits():
    table = rw.at([0] * 20 + [1] * 20, range(40), specificity=0.9, rng=1, method="bootstrap")
    assert table.sensitivity[0] == 1
    assert tuple(table.interval("sensitivity")) == pytest.approx(tuple(proportion_interval(20, 20)))


@pytest.mark.parametrize("axis", ["specificity", "fpr", "sensitivity"])
def test_the_free_rate_has_limits_for_few_cases(axis):
    rate = 0.1 if axis == "fpr" else 0.9
    table = rw.at(T, **{axis: rate}, n_resamples=400, rng=3)
    free = "specificity" if axis == "sensitivity" else "sensitivity"
    at = {"sensitivity": rw.statistics.SpecificityAt}.get(axis, rw.statistics.SensitivityAt)
    drawn = rw.bootstrap(T, statistic=at(0.9), n_resamples=400, rng=3)
    n_pos, n_neg = T.n_pos, T.n_neg
    cases, others = (n_neg, n_pos) if axis == "sensitivity" else (n_pos, n_neg)
    size = min(cases, 5 * 0.1 * others)
    variance = drawn.standard_error**2
    expected = sized_area(drawn.value, variance, [(variance, size)], size).limits(0.025)
    found = table.interval(free)
    assert tuple(found) == pytest.approx(expected, abs=0.02)
    assert found.method == "Wilson (effective n)"
    assert "Wilson (effective n)" in repr(table)
    compared = rw.compare(T_PAIRS, **{f"at_{'specificity' if axis == 'fpr' else axis}": 0.9}, rng=3)
    assert tuple(compared.intervals["a"]) == pytest.approx(expected, abs=0.03)


@pytest.mark.parametrize("axis", ["specificity", "fpr", "sensitivity"])
@pytest.mark.parametrize("prevalence", [None, 0.1])
def test_at_a_rate_every_measure_has_the_limits_that_the_free_rate_gives_it(axis, prevalence):
    rate = 0.1 if axis == "fpr" else 0.9
    costs = rw.Costs(fp=1, fn=10)
    table = rw.at(T, **{axis: rate}, prevalence=prevalence, costs=costs, n_resamples=200, rng=3)
    free, fixed = ("specificity", "sensitivity")[:: 1 if axis == "sensitivity" else -1]
    own = T.n_pos / (T.n_pos + T.n_neg)

    def measures(value, p):
        se, sp = (0.9, value) if axis == "sensitivity" else (value, 0.9)
        tp, fp, fn, tn = p * se, (1 - p) * (1 - sp), p * (1 - se), (1 - p) * sp
        return {
            "lr_positive": se / (1 - sp),
            "lr_negative": (1 - se) / sp,
            "ppv": tp / (tp + fp),
            "npv": tn / (tn + fn),
            "accuracy": tp + tn,
            "f1": 2 * tp / (2 * tp + fp + fn),
            "expected_cost": fp + 10 * fn,
        }

    value = getattr(table, free)[0]
    by_rate = [measures(end, prevalence or own) for end in table.interval(free)]
    total = T.n_pos + T.n_neg
    by_prevalence = [measures(value, p) for p in proportion_interval(T.n_pos, total)]
    for name, center in measures(value, prevalence or own).items():
        ends = sorted(end[name] for end in by_rate)
        if prevalence is None and not name.startswith("lr"):
            scale, back = (logit, expit) if name != "expected_cost" else (float, float)
            more = sorted(end[name] for end in by_prevalence)
            low, high = np.hypot(
                *([scale(end) - scale(center) for end in each] for each in (ends, more))
            )
            ends = [back(scale(center) - low), back(scale(center) + high)]
        assert tuple(table.interval(name)) == pytest.approx(ends)
    assert table.interval(fixed) is None
    assert table.to_dict()["columns"][f"{fixed}_low"] == [None]
    assert f"{fixed} 0.900, " in f"{table}, "
    word = "FPR" if axis == "fpr" else axis
    assert table.estimand == f"point of the ROC curve with exactly this {word}"
    assert table.estimand in str(table)


def test_a_measure_that_the_fixed_rate_settles_has_no_interval():
    table = rw.at(T, specificity=1.0, rng=1, n_resamples=50)
    assert table.ppv[0] == 1
    assert table.interval("ppv") is None
    assert table.interval("npv").high > table.npv[0]


def test_intervals_at_a_specificity_cover():
    rng, n, covered = np.random.default_rng(5), 300, 0
    y = np.repeat([1, 0], [10, 30])
    truth = norm.cdf(norm.ppf(0.95) * math.sqrt(2) - norm.ppf(0.9))
    ppv = 10 * truth / (10 * truth + 30 * 0.1)
    for k in range(n):
        s = rng.normal(size=40) + y * norm.ppf(0.95) * math.sqrt(2)
        covered += ppv in rw.at(y, s, specificity=0.9, n_resamples=100, rng=k).interval("ppv")
    assert covered / n > 0.95 - 3 * math.sqrt(0.95 * 0.05 / n)


def test_metrics_of_ones_own():
    own = {"csi": lambda tp, fp, fn, tn: tp / (tp + fp + fn)}
    table = rw.at(T, threshold=[0.5, 1.0], metrics=own, n_resamples=300, rng=1)
    tp, fp, fn = table.tp, table.fp, table.fn
    assert table.csi.tolist() == pytest.approx((tp / (tp + fp + fn)).tolist())
    assert (table.csi_low < table.csi).all()
    assert table.ppv_low.tolist() == rw.at(T, threshold=[0.5, 1.0]).ppv_low.tolist()
    with pytest.raises(rw.InputError, match="`metrics` must be a dict"):
        rw.at(T, threshold=1, metrics=["csi"])


def test_what_no_resample_changes_has_no_limits_of_its_own():
    one = rw.tally(Y, S, groups=np.zeros(200, int))
    own = {"csi": lambda tp, fp, fn, tn: tp / (tp + fp + fn)}
    with pytest.warns(rw.errors.MisuseWarning, match="the rows form 1 cluster: with fewer than 20"):
        table = rw.at(one, threshold=0.5, metrics=own, rng=1, n_resamples=50)
    assert table.interval("csi") is None
    for name in ("sensitivity", "specificity", "ppv", "npv", "accuracy"):
        assert np.ptp(tuple(table.interval(name))) > 0.5  # one cluster has little information


def coverage_of_clusters(k, n_samples=150):
    """How often the interval of the sensitivity contains norm.cdf(0.5 / sqrt(2))."""
    groups, y = np.repeat(np.arange(k), 8), np.arange(8 * k) % 2
    expected, inside = norm.cdf(0.5 / np.sqrt(2)), 0
    for seed in range(n_samples):
        rng = np.random.default_rng([k, seed])
        scores = y - 0.5 + rng.normal(size=k)[groups] + rng.normal(size=8 * k)
        found = rw.at(y, scores, threshold=0, groups=groups, rng=seed, n_resamples=300)
        inside += expected in found.interval("sensitivity")
    return inside / n_samples


@pytest.mark.filterwarnings("ignore::rocwise.errors.MisuseWarning")
def test_resamples_of_few_clusters_cover_too_seldom():
    assert coverage_of_clusters(5) < 0.88 < coverage_of_clusters(30)


def test_predictive_values_of_clusters_cover_where_the_prevalence_is_estimated():
    """Clusters of one class, of either with probability 1/2: the PPV is norm.cdf(0.5 / sqrt(2))."""
    expected, inside, known = norm.cdf(0.5 / np.sqrt(2)), 0, 0
    for seed in range(150):
        rng = np.random.default_rng([7, seed])
        groups = np.repeat(np.arange(40), 5)
        y = rng.permuted(rng.random(40) < 0.5)[groups].astype(int)
        scores = y - 0.5 + rng.normal(size=40)[groups] + rng.normal(size=200)
        given = {"threshold": 0, "groups": groups, "rng": seed, "n_resamples": 200}
        inside += expected in rw.at(y, scores, **given).interval("ppv")
        known += expected in rw.at(y, scores, prevalence=y.mean(), **given).interval("ppv")
    assert known / 150 < 0.85 < 0.88 < inside / 150


def test_resamples_have_the_prevalence_of_their_own_rows():
    whole = {"rest": lambda tp, fp, fn, tn: np.abs(tp - np.round(tp)) + np.abs(fp - np.round(fp))}
    size = {"n": lambda tp, fp, fn, tn: tp + fp + fn + tn, "pos": lambda tp, fp, fn, tn: tp + fn}
    many_ties = rw.tally(Y, np.round(S))
    for tally in (rw.tally(Y, S, groups=np.arange(200) // 2), many_ties, T):
        found = rw.at(tally, threshold=0.5, method="bootstrap", metrics=whole | size, rng=0)
        assert found.interval("rest") is found.interval("n") is None  # all resamples agree
        assert np.ptp(tuple(found.interval("pos"))) == pytest.approx(
            2 * 1.96 * np.sqrt(200 * Y.mean() * (1 - Y.mean())), rel=0.45
        )


def test_weights_have_the_intervals_of_their_effective_rows():
    cuts = [-9, -0.5, 0.5, 1, 9]
    plain = rw.at(Y, S, threshold=cuts)
    constant = rw.at(Y, S, threshold=cuts, sample_weight=np.full(200, 7.3))
    for name in USUAL:
        for end in ("_low", "_high"):
            assert np.ma.allclose(constant.columns[name + end], plain.columns[name + end])
    weights = np.where(Y == 1, 1.0, 5.0)  # the variance of a ratio of sums, row by row
    found = rw.at(Y, S, threshold=0.5, sample_weight=weights)
    called = S >= 0.5
    for name, hits, rows in (
        ("ppv", Y == 1, called),
        ("npv", Y == 0, ~called),
        ("accuracy", called == Y, np.ones(200, bool)),
        ("f1", (Y == 1) & called, (Y == 1) | called),
    ):
        w, hit = weights[rows], hits[rows]
        p = np.average(hit, weights=w)
        n = p * (1 - p) / (np.sum((w * (hit - p)) ** 2) / w.sum() ** 2)
        step, z = 3.8414588 / n, 1.9599640  # Wilson's score interval
        reach = z * np.sqrt(p * (1 - p) / n + step / (4 * n))
        low, high = ((p + step / 2 + sign * reach) / (1 + step) for sign in (-1, 1))
        if name == "f1":
            low, high = 2 * low / (1 + low), 2 * high / (1 + high)
        assert tuple(found.interval(name)) == pytest.approx((low, high), rel=1e-6)


def test_clusters_are_drawn_whole():
    twice = rw.tally(np.repeat(Y, 2), np.repeat(S, 2), groups=np.repeat(np.arange(200), 2))
    clustered = rw.at(twice, threshold=0.5, rng=1)
    plain = rw.at(T, threshold=0.5, method="bootstrap", rng=1)
    assert clustered.sensitivity[0] == plain.sensitivity[0]
    assert tuple(clustered.interval("sensitivity")) == pytest.approx(
        tuple(plain.interval("sensitivity")), abs=0.03
    )
    with pytest.raises(rw.InputError, match="with clusters use 'bootstrap'"):
        rw.at(twice, threshold=0.5, method="wilson")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({}, "needs exactly one of .* got none"),
        ({"threshold": 1, "fpr": 0.1}, "got 'threshold', 'fpr'"),
        ({"sensitivity": 1.2}, "`sensitivity` must lie between 0 and 1; got 1.2"),
        ({"sensitivity": []}, "`sensitivity` is empty"),
        ({"threshold": "high"}, "`threshold` must be a number or a sequence"),
        ({"threshold": [0.5, None]}, "`threshold` must be a number; got None"),
        ({"alarms": -1}, "`alarms` must not be negative"),
        ({"threshold": 1, "prevalence": 0}, "`prevalence` must lie strictly between"),
        ({"threshold": 1, "method": "exact"}, "`method` must be one of"),
    ],
)
def test_errors(options, message):
    with pytest.raises(rw.InputError, match=message):
        rw.at(T, **options)


@pytest.mark.parametrize("row", [None, 1e300, 1, -1, 2**53 + 1])
def test_rows_that_are_not_there(row):
    table = rw.at(T, threshold=0.5)
    for text in (table.requested_text, table.threshold_text):
        with pytest.raises(rw.InputError, match="`row` must be"):
            text(row)


@pytest.mark.parametrize("direction", ["higher", "lower"])
def test_a_result_with_a_threshold_is_accepted_in_place_of_it(direction):
    rng = np.random.default_rng(4)
    y = np.repeat([0, 1], 30)
    t = rw.tally(y, rng.normal(size=60) + (y if direction == "higher" else -y), direction=direction)
    point = rw.threshold(t, rule="youden")
    assert rw.at(t, threshold=point) == rw.at(t, threshold=point.threshold)
    assert rw.at(t, threshold=[point, 0.5]) == rw.at(t, threshold=[point.threshold, 0.5])
    assert rw.at(t, threshold=point).sensitivity[0] == point.sensitivity
    pairs = rw.pair(y, {"a": rng.normal(size=60)})
    for function in (rw.summary, rw.at):
        found = function(pairs, threshold=point).to_csv()
        assert found == function(pairs, threshold=point.threshold).to_csv()
