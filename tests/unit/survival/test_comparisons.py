"""Comparison of scores of censored outcomes: published values, influence values, laws, errors."""

import numpy as np
import pytest
from scipy.special import chdtrc, logit, stdtr, stdtrit

import rocwise as rw
from oracles.survival_loops import DATA, SECOND, drawn_rows
from rocwise.survival import areas
from rocwise.survival.influence import covariance_of

pytestmark = pytest.mark.filterwarnings("ignore::rocwise.errors.MisuseWarning")


def two_scores(n, seed, **more):
    rows = drawn_rows(n, seed, **more)
    second = rows.pop("score") + np.random.default_rng(seed + 1).normal(size=n)
    first = drawn_rows(n, seed, **more)["score"]
    return rw.survival.follow_up(**rows, scores={"first": first, "second": second})


def of_a():
    columns = DATA["A"]["time"], DATA["A"]["event"]
    return rw.survival.follow_up(*columns, {"a": DATA["A"]["score"], "b": SECOND["A"]})


def test_published_values():
    found = rw.survival.compare(of_a(), [4.5, 6.5], rng=1)
    np.testing.assert_allclose(found.difference, [-0.1217948718, 0.0665760870], atol=1e-9)
    expected = [[0.0409199255, 0.0230087009], [0.0230087009, 0.0328561064]]
    np.testing.assert_allclose(found.covariance, expected, atol=1e-9)
    np.testing.assert_allclose(found.standard_error**2, np.diag(expected), atol=1e-9)
    np.testing.assert_allclose(found.statistic, [-0.6020902376, 0.3672909415], atol=1e-9)
    assert found.joint_statistic == pytest.approx(1.2782935040, abs=1e-9)
    assert found.joint_df == 2
    assert found.seed == 1


def test_p_values_of_pbc(data_folder):
    import pandas as pd

    frame = pd.read_csv(data_folder / "pbc312.csv")
    frame["minus"] = -frame["albumin"]
    columns = {"time": "time", "event": "status", "cause": 1, "scores": ["bili", "minus"]}
    found = rw.survival.compare(frame, [1095, 1825, 2920], **columns, n_resamples=100_000, rng=1)
    np.testing.assert_allclose(found.p_value, [0.009455, 0.004007, 0.171874], atol=5e-7)  # timeROC
    np.testing.assert_allclose(found.adjusted_p_value, [0.0258, 0.01116, 0.384], atol=3e-3)


def test_few_rows_have_students_t():
    f = of_a()
    mass = f.horizon(4.5).mass[f.horizon(4.5).case]  # three cases, six controls of equal mass
    df = mass.sum() ** 2 / (mass**2).sum() - 1
    found = rw.survival.compare(f, [4.5], rng=1, band=True)
    assert found.p_value == pytest.approx(2 * stdtr(df, -np.abs(found.statistic)), rel=1e-12)
    reach = stdtrit(df, 0.975) * found.standard_error
    assert found.high - found.difference == pytest.approx(reach, rel=1e-12)
    assert found.band_high == pytest.approx(found.high, rel=1e-12)
    assert found.joint_p_value == pytest.approx(found.p_value[0], rel=1e-12)
    area = rw.survival.auc(f, 4.5, band=True, rng=1)["a"]
    scale = area.value * (1 - area.value)
    reach = stdtrit(df, 0.975) * area.standard_error / scale
    assert logit(area.high) - logit(area.value) == pytest.approx(reach, rel=1e-12)
    assert area.band_low == pytest.approx(area.low, rel=1e-12)
    both = rw.survival.compare(f, [4.5, 6.5], rng=1)
    assert (both.adjusted_p_value >= both.p_value).all()
    assert both.joint_p_value > chdtrc(2, both.joint_statistic)


@pytest.mark.parametrize("t", [1.5, 8.5, 9.5])  # one case, two controls, one control
def test_limits_of_differences_are_differences_of_areas(t):
    found = rw.survival.compare(of_a(), [t, 5.5], band=True, rng=1)
    for low, high in ((found.low, found.high), (found.band_low, found.band_high)):
        assert (low >= -1).all()
        assert (high <= 1).all()
        assert (low <= found.difference).all()
        assert (found.difference <= high).all()
    assert (found.p_value > 0.05).all()


def test_the_difference_has_the_variance_of_its_influence_values():
    f = two_scores(150, 3)
    found = rw.survival.compare(f, [0.3, 0.6, 0.9], rng=2, band=True)
    U = np.stack(
        [
            areas.cumulative_area(f, "first", t).U - areas.cumulative_area(f, "second", t).U
            for t in (0.3, 0.6, 0.9)
        ]
    )
    np.testing.assert_allclose(found.covariance, covariance_of(f, U), atol=1e-14)
    assert found.difference == pytest.approx(
        rw.survival.auc(f, [0.3, 0.6, 0.9])["first"].value
        - rw.survival.auc(f, [0.3, 0.6, 0.9])["second"].value
    )
    assert (found.band_low < found.low).all()
    assert (found.adjusted_p_value >= found.p_value).all()
    assert (found.adjusted_p_value <= np.minimum(1, 3 * found.p_value) + 0.01).all()


@pytest.mark.parametrize("measure", ["integrated-auc", "concordance", "brier", "ipa"])
def test_other_measures_are_differences_of_their_functions(measure):
    rows = drawn_rows(120, 5)
    risks = {k: np.exp(v) / (1 + np.exp(v)) for k, v in (("a", rows["score"]),)}
    risks["b"] = np.round(np.random.default_rng(1).random(120), 2)
    f = rw.survival.follow_up(rows["time"], rows["event"], risks)
    options = {"tau": 0.9} if measure == "concordance" else {"times": 0.8}
    found = rw.survival.compare(f, measure=measure, rng=1, **options)
    own = {
        "integrated-auc": lambda: {
            k: v.integrated.value for k, v in rw.survival.auc(f, 0.8, integrate=0.8).items()
        },
        "concordance": lambda: {k: v.value for k, v in rw.survival.concordance(f, tau=0.9).items()},
        "brier": lambda: {k: v.value[0] for k, v in rw.survival.brier(f, 0.8).items()},
        "ipa": lambda: {k: v.ipa[0] for k, v in rw.survival.brier(f, 0.8).items()},
    }[measure]()
    assert found.difference[0] == pytest.approx(own["a"] - own["b"], abs=1e-14)
    assert found.low[0] < found.difference[0] < found.high[0]
    swapped = rw.survival.follow_up(rows["time"], rows["event"], dict(reversed(risks.items())))
    other = rw.survival.compare(swapped, measure=measure, rng=1, **options)
    assert other.statistic[0] == pytest.approx(-found.statistic[0])
    assert other.joint_p_value == pytest.approx(found.p_value[0])


def test_weight_two_is_the_row_twice():
    rows = drawn_rows(60, 7)
    weights = np.random.default_rng(3).integers(1, 3, 60)
    second = np.random.default_rng(4).normal(size=60)
    twice = np.repeat(np.arange(60), weights)

    def compared(which, **more):
        scores = {"a": rows["score"][which], "b": second[which]}
        f = rw.survival.follow_up(rows["time"][which], rows["event"][which], scores, **more)
        return rw.survival.compare(f, [0.4, 0.7], rng=1)

    one, other = compared(np.arange(60), sample_weight=weights), compared(twice, groups=twice)
    np.testing.assert_allclose(one.difference, other.difference, atol=1e-12)
    np.testing.assert_allclose(one.covariance, other.covariance, atol=1e-12)


def test_more_than_two_scores():
    f = two_scores(100, 9)
    third = {name: f.scores(name) for name in f.names} | {"third": np.arange(100) % 13}
    f = rw.survival.follow_up(f.time, (f.status == 1) * 1, third)
    found = rw.survival.compare(f, [0.4, 0.8], rng=1)
    assert found.difference is None
    assert len(found.pairwise["first"]) == 6
    assert (found.pairwise["p_adjusted"] >= found.pairwise["p_value"]).all()
    assert found.joint_df == 4
    two = rw.survival.follow_up(f.time, (f.status == 1) * 1, {k: third[k] for k in f.names[:2]})
    pair = rw.survival.compare(two, [0.4, 0.8], rng=1)
    np.testing.assert_allclose(found.pairwise["difference"][:2], pair.difference)
    np.testing.assert_allclose(found.pairwise["p_value"][:2], pair.p_value)
    again = rw.survival.compare(f, [0.4, 0.8], rng=1)
    assert again == found


def test_equal_and_opposite_scores():
    scores = {"a": -np.arange(10), "b": np.arange(10)}
    f = rw.survival.follow_up(DATA["A"]["time"], DATA["A"]["event"], scores)
    found = rw.survival.compare(f, 5, rng=1)
    assert found.difference[0] == 1.0
    assert 0 < found.p_value[0] < 0.05
    assert found.low[0] < 0.5
    f = rw.survival.follow_up(
        DATA["A"]["time"], DATA["A"]["event"], {"a": SECOND["A"], "b": SECOND["A"]}
    )
    found = rw.survival.compare(f, [4.5, 6.5], rng=1)
    assert found.p_value.tolist() == [1.0, 1.0]
    assert found.joint_p_value == 1.0


def test_alternatives():
    f = two_scores(150, 11)
    two_sided = rw.survival.compare(f, 0.5, rng=1)
    greater = rw.survival.compare(f, 0.5, alternative="greater", rng=1)
    assert greater.p_value[0] == pytest.approx(two_sided.p_value[0] / 2)
    wide = rw.survival.compare(f, 0.5, alternative="non-inferior", margin=0.3, rng=1)
    assert wide.p_value[0] < greater.p_value[0]
    with pytest.raises(rw.InputError, match="needs `margin`"):
        rw.survival.compare(f, 0.5, alternative="equivalent")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"measure": "auprc"}, "must be one of"),
        ({"measure": "concordance", "times": 4}, "`times` does not go with 'concordance'"),
        ({"times": 4, "tau": 3}, "`tau` does not go with"),
        ({"times": 4, "window": 1}, "`window` does not go with"),
        ({"times": 4, "kind": "uno"}, "'cumulative', 'incident'"),
        ({"times": 4, "kind": "incident", "controls": "all"}, "controls='all' goes with"),
        ({"times": 4, "kind": "incident", "censoring_by": [0, 1] * 5}, "`censoring_by` goes with"),
        ({"times": 11}, "no row was followed beyond"),
    ],
)
def test_errors(options, message):
    with pytest.raises(rw.InputError, match=message):
        rw.survival.compare(of_a(), **options)
    three = dict.fromkeys("abc", DATA["A"]["score"])
    with pytest.raises(rw.InputError, match="`band` goes with two scores; got 3"):
        rw.survival.compare(*(DATA["A"][k] for k in ("time", "event")), three, 4, band=True)
    single = rw.survival.follow_up(**DATA["A"])
    with pytest.raises(rw.InputError, match="at least two scores; got 1"):
        rw.survival.compare(single, 4)


def test_few_rows_are_warned_of():
    with pytest.warns(rw.RocwiseWarning, match="only 3 cases at t = 4.5"):
        rw.survival.compare(of_a(), 4.5)


def test_a_difference_without_variance_is_not_left_out_of_the_joint_test():
    rng = np.random.default_rng(0)
    times = rng.exponential(5, 120)
    scores = {"noisy": -times + 7 * rng.normal(size=120), "ideal": -times, "constant": 0 * times}
    f = rw.survival.follow_up(times, np.ones(120), scores)
    several = rw.survival.compare(f, times=[3.0])
    assert several.joint_p_value == several.pairwise["p_adjusted"].min() < 0.001
    assert several.joint_df is None
    f = rw.survival.follow_up(times, np.ones(120), {k: scores[k] for k in ("ideal", "constant")})
    two = rw.survival.compare(f, times=[3.0], alternative="greater")
    assert 0 < two.joint_p_value == pytest.approx(2 * two.p_value[0], rel=1e-9)
