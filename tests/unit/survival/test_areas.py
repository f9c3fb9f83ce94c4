"""AUC of censored outcomes: published and brute-force values, influence values, invariances."""

import warnings

import numpy as np
import pytest

import rocwise as rw
from oracles.survival_loops import DATA, SECOND, drawn_rows, loop_auc
from rocwise.survival import areas
from rocwise.survival.influence import standard_error

pytestmark = pytest.mark.filterwarnings("ignore::rocwise.errors.MisuseWarning")


def follow(rows, **more):
    return rw.survival.follow_up(**{**rows, **more})


@pytest.mark.parametrize(
    ("name", "t", "controls", "value", "error"),
    [
        ("A", 4.5, "survivors", 0.7692307692, 0.2069831545),
        ("A", 6.5, "survivors", 0.8777173913, 0.1295628316),
        ("A", 8.5, "survivors", 0.9121093750, 0.1073737470),
        ("B", 3, "survivors", 0.8303571429, 0.1246094638),
        ("B", 5, "survivors", 0.8660256410, 0.1124071038),
        ("B", 6, "survivors", 0.8384418902, None),
        ("C", 5.5, "survivors", 0.9137931034, 0.0914822985),
        ("C", 5.5, "all", 0.8908773461, 0.1065800240),
        ("C", 7, "survivors", 0.8617886179, 0.1400612983),
        ("C", 7, "all", 0.7298871496, 0.1696309303),
        ("D", 6, "survivors", 0.9275862069, 0.0804610978),
    ],
)
def test_published_values(name, t, controls, value, error):
    found = rw.survival.auc(follow(DATA[name]), t, controls=controls)
    assert found.value == pytest.approx(value, abs=1e-9)
    assert error is None or found.standard_error == pytest.approx(error, abs=1e-9)


def test_published_influence_values():
    expected = [0.07100592, -0.00788955, 0.08086785, -0.14990138, -0.01824458, -0.01824458]
    expected += [0.03944773, -0.01824458, -0.01824458, 0.03944773]
    f = follow(DATA["A"])
    np.testing.assert_allclose(areas.cumulative_area(f, "score", 4.5).U, expected, atol=5e-9)
    expected = [0.05929306, 0.01662601, -0.00759191, 0.06672473, -0.03892847, -0.03520465]
    expected += [-0.01015313, -0.04468354, -0.08608317, 0.0514213, -0.02284153, 0.0514213]
    f = follow(DATA["C"])
    found = areas.cumulative_area(f, "score", 7, "all").U[np.argsort(f.order)]
    np.testing.assert_allclose(found, expected, atol=5e-9)


def test_published_values_of_other_kinds():
    f = follow(DATA["A"])
    found = rw.survival.auc(f, 6, kind="incident", window=2)
    assert found.value == pytest.approx(0.7777777778, abs=1e-9)
    assert found.standard_error == pytest.approx(0.1872314924, abs=1e-9)
    found = rw.survival.auc(f, [3, 4, 6], kind="incident", window=0)
    assert found.value == pytest.approx([1, 1 / 3, 1], abs=1e-12)
    found = rw.survival.auc(f, 6.5, integrate=8.5).integrated
    assert found.value == pytest.approx(0.9089218701, abs=1e-9)
    assert found.standard_error == pytest.approx(0.1182795649, abs=1e-9)
    found = rw.survival.auc(f, 6.5, censoring_by=np.array(SECOND["A"]) > 0.45)
    assert found.value == pytest.approx(0.8621839400, abs=1e-9)
    assert found.standard_error == pytest.approx(0.1376339763, abs=1e-9)


def test_all_rows_may_have_had_an_event():
    rows = {"time": [1, 2, 3, 4], "event": [1, 2, 1, 2], "score": [4, 3, 1, 2], "cause": 1}
    expected = loop_auc(rows["time"], rows["event"], rows["score"], 4, controls="all")
    found = rw.survival.auc(follow(rows, censored=0), 4, controls="all")
    assert found.value == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("controls", ["survivors", "all"])
@pytest.mark.parametrize("weighted", [False, True])
def test_values_are_those_of_double_loops(controls, weighted):
    rows = drawn_rows(60, 3, competing=True)
    weights = np.random.default_rng(1).random(60) + 0.2 if weighted else None
    f = follow(rows, sample_weight=weights)
    for t in (0.25, 0.5, 0.8):
        columns = [rows[name].tolist() for name in ("time", "event", "score")]
        expected = loop_auc(*columns, t, weights, controls)
        found = rw.survival.auc(f, t, controls=controls)
        assert found.value == pytest.approx(expected, abs=1e-12)


def numeric_influence(f, value):
    """Central differences of a function of a follow-up by the weight of each row."""
    found = np.empty(len(f))
    for k in range(len(f)):
        step = np.zeros(len(f))
        step[k] = 1e-5
        upper, lower = (value(f.reweighted(f.a + sign * step)) for sign in (1, -1))
        found[k] = (upper - lower) / 2e-5
    return found


STATISTICS = {
    "survivors": lambda f: areas.cumulative_area(f, "score", 0.6),
    "all": lambda f: areas.cumulative_area(f, "score", 0.6, "all"),
    "incident": lambda f: areas.area_of_kind(f, "score", "incident", "survivors", 0.3)(0.5),
    "integrated": lambda f: areas.integrated_area(f, "score", (0.2, 0.9)),
    "integrated all": lambda f: areas.integrated_area(f, "score", (0.0, 0.9), "all"),
}


@pytest.mark.parametrize("form", ["plain", "competing", "entry", "strata", "weights"])
@pytest.mark.parametrize("statistic", STATISTICS)
def test_influence_values_are_derivatives(form, statistic):
    if form == "strata" and statistic == "incident":
        return
    rows = drawn_rows(40, 5, competing=form == "competing", entry=form == "entry")
    rng = np.random.default_rng(2)
    f = follow(rows, sample_weight=rng.random(40) + 0.5 if form == "weights" else None)
    if form == "strata":
        f = f._with(strata=rng.integers(0, 2, 40), strata_names=("a", "b"))
    compute = STATISTICS[statistic]
    found = compute(f).U
    expected = numeric_influence(f, lambda other: compute(other).value)
    np.testing.assert_allclose(found, expected, atol=1e-8)
    assert abs((f.a * found).sum()) < 1e-12


def test_a_jackknife_agrees():
    rows = drawn_rows(300, 7)
    f = follow(rows)
    left_out = [
        areas.cumulative_area(f.reweighted((np.arange(300) != k) * 1.0), "score", 0.5).value
        for k in range(300)
    ]
    jackknife = np.sqrt(299 / 300 * ((left_out - np.mean(left_out)) ** 2).sum())
    assert rw.survival.auc(f, 0.5).standard_error == pytest.approx(jackknife, rel=0.02)


def test_without_censoring_it_is_the_auc_of_two_classes():
    rows = drawn_rows(200, 11)
    rows["event"] = np.ones(200, int)
    found = rw.survival.auc(follow(rows), 0.6)
    y = rows["time"] <= 0.6
    plain = rw.auc(y, rows["score"], method="logit")
    n, n_pos = 200, int(y.sum())
    assert found.value == pytest.approx(plain.value, abs=1e-12)
    tally = rw.tally(y, rows["score"])
    # n / (n - 1) (sum of squares) in place of DeLong's n_class - 1
    parts = rw.binary.influence.area_variance_by_class(tally, rw.binary.partial_area.WHOLE).parts
    of_class = parts[0] * (n_pos - 1) / n_pos + parts[1] * (n - n_pos - 1) / (n - n_pos)
    assert found.standard_error == pytest.approx(np.sqrt(of_class * n / (n - 1)), abs=1e-12)


def test_weight_two_is_the_row_twice():
    rows = drawn_rows(60, 13, competing=True)
    weights = np.random.default_rng(3).integers(1, 3, 60)
    twice = np.repeat(np.arange(60), weights)
    again = {k: v[twice] if k != "cause" else v for k, v in rows.items()}
    for options in ({}, {"controls": "all"}, {"integrate": 0.9}, {"kind": "incident"}):
        one = rw.survival.auc(follow(rows, sample_weight=weights), 0.5, **options)
        other = rw.survival.auc(follow(again, groups=twice), 0.5, **options)
        assert one.value == pytest.approx(other.value, abs=1e-12)
        assert one.standard_error == pytest.approx(other.standard_error, abs=1e-12)
        assert one.n_cases == other.n_cases
        if "integrate" in options:
            error = one.integrated.standard_error
            assert error == pytest.approx(other.integrated.standard_error, abs=1e-12)


def test_invariances():
    rows = drawn_rows(80, 17)
    found = rw.survival.auc(follow(rows), [0.3, 0.7])
    order = np.random.default_rng(1).permutation(80)
    shuffled = {k: v[order] if k != "cause" else v for k, v in rows.items()}
    others = {
        "order of rows": follow(shuffled),
        "monotone scores": follow(rows, score=np.exp(rows["score"])),
        "scale of weights": follow(rows, sample_weight=np.full(80, 3.0)),
        "entry before the start": follow(rows, entry=np.full(80, -np.inf)),
        "one stratum": follow(rows)._with(strata=np.zeros(80, np.intp)),
        "no competing event": follow(rows),
    }
    for name, f in others.items():
        controls = "all" if name == "no competing event" else "survivors"
        other = rw.survival.auc(f, [0.3, 0.7], controls=controls)
        np.testing.assert_allclose(other.value, found.value, atol=1e-12, err_msg=name)
        np.testing.assert_allclose(other.standard_error, found.standard_error, atol=1e-12)
    turned = rw.survival.auc(follow(rows, score=-rows["score"], direction="lower"), [0.3, 0.7])
    np.testing.assert_allclose(turned.value, found.value, atol=1e-12)
    unsorted = rw.survival.auc(follow(rows), [0.7, 0.3])
    np.testing.assert_allclose(unsorted.value, found.value[::-1])


def test_competing_events_are_not_censored():
    rows = drawn_rows(100, 19, competing=True)
    coded = follow(rows)
    recoded = follow(rows, event=np.where(rows["event"] == 2, 0, rows["event"]))
    one, other = (rw.survival.auc(f, 0.6).value[0] for f in (coded, recoded))
    assert abs(one - other) > 1e-3


@pytest.mark.parametrize("form", ["plain", "competing", "entry", "strata", "weights"])
@pytest.mark.parametrize("controls", ["survivors", "all"])
def test_the_sweep_has_the_auc_of_every_event_time(form, controls):
    rows = drawn_rows(50, 23, competing=form == "competing", entry=form == "entry")
    weights = np.random.default_rng(2).random(50) + 0.5
    f = follow(rows, sample_weight=weights if form == "weights" else None)
    if form == "strata":
        f = f._with(strata=np.arange(50) % 2)
    found = areas.sweep(f, "score", controls)
    some = found.times < 1.2
    expected = [areas.cumulative_area(f, "score", t, controls).value for t in found.times[some]]
    np.testing.assert_allclose(found.values[some], expected, atol=1e-12)
    steps = np.cumsum(found.steps)[some]
    np.testing.assert_allclose(steps, [f.incidence(t) for t in found.times[some]], atol=1e-12)


@pytest.mark.parametrize("form", ["plain", "competing", "entry", "weights"])
def test_values_alone_are_those_with_errors(form):
    rows = drawn_rows(60, 25, competing=form == "competing", entry=form == "entry")
    weights = np.random.default_rng(2).random(60) + 0.5 if form == "weights" else None
    f = follow(rows, sample_weight=weights)
    for controls in ("survivors", "all"):
        alone = rw.survival.auc(f, [0.9, 0.41], method=None, controls=controls)
        found = rw.survival.auc(f, [0.9, 0.41], controls=controls)
        assert alone.standard_error is None
        columns = ("value", "n_cases", "n_controls", "n_censored", "incidence", "survival")
        for name in (*columns, "followed"):
            expected = getattr(found, name)
            np.testing.assert_allclose(getattr(alone, name), expected, atol=1e-12, err_msg=name)
    every = rw.survival.auc(f, method=None)
    assert set(every.times) <= set(f.event_times)
    assert len(every.to_frame()["value"]) == len(every.times)
    assert "more times" in repr(every) or len(every.times) <= areas.MOST_LINES
    with pytest.raises(rw.InputError, match="followed beyond"):
        rw.survival.auc(f, 99, method=None)
    with pytest.raises(rw.InputError, match="without a band"):
        rw.survival.auc(f, 0.5, method=None, band=True)


def test_an_integral_over_many_event_times_has_nearly_the_exact_error(monkeypatch):
    f = follow(drawn_rows(400, 29, ties=False))
    approximate = areas.integrated_area(f, "score", (0.0, 1.0))
    monkeypatch.setattr(areas, "MOST_EXACT", 10_000)
    exact = areas.integrated_area(f, "score", (0.0, 1.0))
    assert approximate.value == exact.value
    errors = [standard_error(f, each.U) for each in (approximate, exact)]
    assert errors[0] == pytest.approx(errors[1], rel=0.002)


def test_the_bootstrap_agrees_with_influence_values():
    f = follow(drawn_rows(300, 31))
    plain = rw.survival.auc(f, [0.3, 0.7])
    resampled = {"method": "bootstrap", "rng": 1}
    drawn = rw.survival.auc(f, [0.3, 0.7], **resampled, n_resamples=600)
    np.testing.assert_allclose(drawn.standard_error, plain.standard_error, rtol=0.08)
    assert (drawn.seed, drawn.n_resamples) == (1, 600)
    few = [rw.survival.auc(f, [0.3, 0.7], **resampled, n_resamples=20) for _ in range(2)]
    assert few[0] == few[1]


def test_the_band_is_wider_than_intervals_and_narrower_than_bonferroni():
    f = follow(drawn_rows(300, 37))
    found = rw.survival.auc(f, np.linspace(0.2, 1, 12), band=True, rng=2)
    assert 1.96 < found.critical < 2.87
    assert (found.band_low < found.low).all()
    assert (found.band_high > found.high).all()
    alone = rw.survival.auc(f, 0.5, band=True, rng=2)
    np.testing.assert_allclose(alone.band_low, alone.low)


def test_extreme_scores():
    rows = {"time": np.arange(1, 41), "event": np.ones(40, int)}
    found = rw.survival.auc(follow(rows, score=-np.arange(40)), 20)
    assert found.value[0] == 1.0
    assert found.standard_error[0] == 0.0
    assert found.low[0] == pytest.approx(20 / (20 + 1.959964**2), abs=1e-6)
    assert found.method == "Wilson, no errors"
    found = rw.survival.auc(follow(rows, score=np.ones(40)), 20)
    assert found.value[0] == found.low[0] == found.high[0] == 0.5
    assert found.method == "all scores are equal"
    one = rw.survival.auc(follow(rows, score=np.arange(40) % 7), 1)
    assert one.low[0] < one.value[0] < one.high[0] or one.value[0] in (0, 1)
    assert one.high[0] - one.low[0] > 0.3


def test_warnings():
    f = follow(DATA["A"])
    with pytest.warns(rw.RocwiseWarning, match="only 3 cases at t = 4.5"):
        rw.survival.auc(f, 4.5)
    rows = drawn_rows(300, 41)
    mistaken = "below 0.5: higher scores .* an earlier event, but cases tend to have lower scores"
    with pytest.warns(rw.RocwiseWarning, match=mistaken):
        rw.survival.auc(follow(rows, score=-rows["score"]), 0.5)
    light = follow(rows, sample_weight=np.full(300, 0.01))  # their scale is irrelevant
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        rw.survival.auc(light, 0.5)
    late = {"time": np.arange(300), "event": (np.arange(300) < 40) * 1, "score": np.arange(300) % 9}
    late["event"][290] = 1
    with pytest.warns(rw.RocwiseWarning, match="not being censored by t = 289.5 is 0.0"):
        rw.survival.auc(follow(late), 289.5)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"times": 0.5}, "no event by t = 0.5: the first is at 1"),
        ({"times": 11}, "no row was followed beyond t = 11 .longest 10."),
        ({"times": [4, 4]}, "more than once"),
        ({"times": -1}, "above 0"),
        ({"times": np.inf}, "finite"),
        ({"times": []}, "empty"),
        ({"times": 4, "window": 1}, "incident"),
        ({"times": 4, "kind": "static"}, "'cumulative', 'incident'"),
        ({"times": 4, "kind": "incident", "controls": "all"}, "cumulative"),
        ({"times": 4, "kind": "incident", "window": -1}, "not be negative"),
        ({"times": 4.5, "kind": "incident", "window": 0.1}, "widen `window`"),
        ({"times": 4, "integrate": (5, 3)}, "start < end"),
        ({"times": 4, "censoring_by": [1, 2]}, "10 rows"),
        ({}, "pass `times`"),
        ({"times": 4, "event": [1] * 10}, "`event` describes rows"),
    ],
)
def test_errors(options, message):
    with pytest.raises(rw.InputError, match=message):
        rw.survival.auc(follow(DATA["A"]), **options)


def test_a_stratum_without_follow_up_is_an_error():
    f = follow(DATA["A"])
    none = follow(DATA["A"], event=np.zeros(10))
    for compute in (rw.survival.auc, rw.survival.concordance):
        with pytest.raises(rw.InputError, match="no event of the cause among 10 rows"):
            compute(none)
    with pytest.raises(rw.InputError, match="`roc` needs `times`"):
        rw.survival.roc(f)
    with pytest.raises(rw.InputError, match=r"no row of stratum '0'.* followed beyond t = 9"):
        rw.survival.auc(f, 9, censoring_by=[0] * 7 + [1] * 3)


def test_all_forms_of_data_give_the_same():
    import pandas as pd

    rows = drawn_rows(60, 43)
    frame = pd.DataFrame({"days": rows["time"], "died": rows["event"], "risk": rows["score"]})
    frame["other"] = -frame["risk"] + np.arange(60) % 7
    expected = rw.survival.auc(follow(rows), 0.5)
    columns = rows["time"], rows["event"], rows["score"]
    for found in (
        rw.survival.auc(*columns, 0.5),
        rw.survival.auc(*columns, times=[0.5]),
        rw.survival.auc(frame, 0.5, time="days", event="died", score="risk"),
        rw.survival.auc(frame, times=0.5, time="days", event="died", scores=["risk"]),
    ):
        np.testing.assert_array_equal(found.value, expected.value)
    several = rw.survival.auc(frame, 0.5, time="days", event="died", scores=["risk", "other"])
    assert several.names == ("risk", "other")
    assert several["risk"].value == expected.value
    assert isinstance(expected.to_frame(), rw.results.Table)
    assert isinstance(several.to_frame(), pd.DataFrame)
    assert float(expected) == expected.value[0]


def test_default_times_are_event_times_with_cases_and_controls():
    f = follow(drawn_rows(80, 47))
    found = rw.survival.auc(f)
    assert set(found.times) <= set(f.event_times)
    assert found.n_cases.min() >= 10
    assert found.n_controls.min() >= 10
    many = rw.survival.auc(follow(drawn_rows(400, 48, ties=False)))
    assert len(many.times) == 100


def test_pbc(data_folder):
    import pandas as pd

    frame = pd.read_csv(data_folder / "pbc312.csv")
    f = rw.survival.follow_up(
        frame, time="time", event="status", scores=["bili", "albumin"], cause=1
    )
    expected = {
        (1095, "survivors"): (0.8500197491, 0.0268399323),
        (1095, "all"): (0.8431715486, 0.0273418222),
        (1825, "survivors"): (0.8761103135, 0.0228728402),
        (1825, "all"): (0.8624609148, 0.0237036466),
    }
    for (t, controls), (value, error) in expected.items():
        found = rw.survival.auc(
            frame, t, time="time", event="status", score="bili", cause=1, controls=controls
        )
        assert found.value == pytest.approx(value, abs=1e-9)
        assert found.standard_error == pytest.approx(error, abs=1e-9)
    turned = rw.survival.auc(
        frame,
        1825,
        time="time",
        event="status",
        score="albumin",
        cause=1,
        direction="lower",
        controls="all",
    )
    assert turned.value == pytest.approx(0.7683340905, abs=1e-9)
    assert turned.standard_error == pytest.approx(0.0317266117, abs=1e-9)
    assert f.n_competing == 19
