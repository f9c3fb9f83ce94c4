"""Follow-up of censored rows: masses, Kaplan-Meier estimates, tallies, forms of data, errors."""

import pickle

import numpy as np
import pandas as pd
import pytest

import rocwise as rw
from oracles.survival_loops import DATA, drawn_rows, uncensored
from rocwise.data.follow_ups import FollowUp


def follow(rows, **more):
    return rw.survival.follow_up(**{**rows, **more})


def in_order_of_data(f, column):
    found = np.empty(len(f))
    found[f.order] = column
    return found


def test_published_masses():
    f = follow(DATA["A"])
    expected = [0.1, 0, 0.1125, 0.1125, 0, 0.135, 0.135, 0.135, 0.135, 0.135]
    np.testing.assert_allclose(f.horizon(6.5).mass, expected, atol=1e-12)
    f = follow(DATA["B"])
    expected = [0.08333333333, 0, 0.09166666667, 0.09166666667, 0, 0.1047619048, 0]
    expected += [0.1257142857] * 5
    np.testing.assert_allclose(in_order_of_data(f, f.horizon(5).mass), expected, atol=1e-10)
    f = follow(DATA["C"])
    found = f.incidence(7), f.survival(7)
    np.testing.assert_allclose(found, [0.3796296296, 0.3333333333], atol=1e-10)
    f = follow(DATA["D"])
    expected = [0.875, 0.765625, 0.765625, 0.546875, 0.4375, 0.328125]
    np.testing.assert_allclose([f.survival(t) for t in range(3, 9)], expected, atol=1e-12)


@pytest.mark.parametrize("form", ["plain", "competing", "entry", "weights"])
def test_masses_sum_to_1_and_are_probabilities(form):
    rows = drawn_rows(70, 1, competing=form == "competing", entry=form == "entry")
    weights = np.random.default_rng(1).random(70) + 0.1 if form == "weights" else None
    f = follow(rows, sample_weight=weights)
    for t in (0.2, 0.5, 1.1):
        h = f.horizon(t)
        masses = f.a * h.mass
        assert masses.sum() == pytest.approx(1, abs=1e-12)
        assert masses[h.survivor].sum() == pytest.approx(f.survival(t), abs=1e-12)
        assert masses[h.case].sum() == pytest.approx(f.incidence(t), abs=1e-12)
        if form != "entry":  # 1 / G
            columns = f.time.tolist(), (f.status > 0).tolist(), f.a.tolist()
            G = uncensored(*columns, t, left=False)
            assert f.followed(t) == pytest.approx(G, abs=1e-12)
            expected = 1 / (f.total * G)
            np.testing.assert_allclose(h.mass[h.survivor], expected, atol=1e-12)


def test_survival_is_that_of_scipy():
    from scipy.stats import CensoredData, ecdf

    rows = drawn_rows(80, 3)
    f = follow(rows)
    died = rows["event"] == 1
    data = CensoredData(uncensored=rows["time"][died], right=rows["time"][~died])
    known = ecdf(data).sf
    for t in (0.3, 0.9, 2.0):
        assert f.survival(t) == pytest.approx(float(known.evaluate(t)), abs=1e-12)


def test_a_tally_goes_into_functions_of_two_classes():
    f = follow(drawn_rows(100, 5))
    tally = f.tally(0.5)
    assert rw.auc(tally).value == pytest.approx(rw.survival.auc(f, 0.5).value[0], abs=1e-12)
    assert tally.n_pos == pytest.approx(f.incidence(0.5))
    assert rw.threshold(tally, rule="youden").threshold in f.scores("score")
    curve = rw.decision_curve(follow(DATA["A"]).tally(6.5))
    places = np.searchsorted(curve.thresholds, [0.3, 0.5])
    np.testing.assert_allclose(curve.net_benefit[places], [0.3442857143, 0.2125], atol=1e-9)
    np.testing.assert_allclose(curve.treat_all[places], [0.2285714286, -0.08], atol=1e-9)
    competing = follow(drawn_rows(100, 5, competing=True))
    assert competing.tally(0.5).n_pos + competing.tally(0.5).n_neg == pytest.approx(1)
    assert competing.tally(0.5, controls="survivors").n_neg < competing.tally(0.5).n_neg


def test_forms_of_data(tmp_path):
    rows = drawn_rows(40, 7, competing=True)
    frame = pd.DataFrame({"t": rows["time"], "d": rows["event"], "a": rows["score"]})
    frame["b"] = np.arange(40)
    path = tmp_path / "rows.csv"
    frame.to_csv(path, index=False)
    named = {"time": "t", "event": "d", "cause": 1}
    several = rw.survival.follow_up(frame, **named, scores=["a", "b"])
    assert several.names == ("a", "b")
    for f in (
        follow(rows),
        rw.survival.follow_up(rows["time"], rows["event"], rows["score"], cause=1),
        rw.survival.follow_up(frame, **named, score="a"),
        rw.survival.follow_up(str(path), **named, score="a"),
        rw.survival.follow_up(rows["time"], rows["event"], {"a": rows["score"]}, cause=1),
    ):
        np.testing.assert_array_equal(f.time, several.time)
        np.testing.assert_array_equal(f.status, several.status)
        np.testing.assert_allclose(f.scores(f.names[0]), several.scores("a"))
    assert (f.n, f.n_events, f.n_competing, f.n_censored) == (
        40,
        *((rows["event"] == k).sum() for k in (1, 2, 0)),
    )
    words = np.array(["alive", "died", "moved"])[rows["event"]]
    other = rw.survival.follow_up(
        rows["time"], words, rows["score"], cause="died", censored="alive"
    )
    np.testing.assert_array_equal(other.status, f.status)
    table = rw.survival.follow_up(rows["time"], rows["event"], frame[["a", "b"]], cause=1)
    assert table.names == ("a", "b")


def test_names_of_columns_are_no_roles():
    rows = drawn_rows(20, 7)
    frame = pd.DataFrame({"t": rows["time"], "d": rows["event"]})
    frame["groups"], frame["sample_weight"] = np.arange(20) // 2, rows["score"] + 9
    named = {"time": "t", "event": "d", "scores": ["groups", "sample_weight"]}
    f = rw.survival.follow_up(frame, **named)
    assert (f.clusters, f.weights) == (None, None)
    f = rw.survival.follow_up(frame, **named, groups="groups", sample_weight="t")
    np.testing.assert_array_equal(f.clusters, f.scores("groups"))
    np.testing.assert_array_equal(f.weights, f.time)


def test_missing_rows_and_rows_without_weight():
    rows = drawn_rows(30, 9)
    rows["time"][3], rows["score"][5] = np.nan, np.nan
    with pytest.raises(rw.InputError, match="missing='drop'"):
        follow(rows)
    f = follow(rows, missing="drop")
    assert (f.n, f.origin.n_dropped) == (28, 2)
    assert "2 rows with missing values left out" in repr(f)
    rows = drawn_rows(30, 9)
    weights = np.ones(30)
    weights[:4] = 0
    assert follow(rows, sample_weight=weights).n == 26


def test_a_follow_up_is_pickled_and_cannot_be_changed():
    f = follow(drawn_rows(20, 11, entry=True))
    again = pickle.loads(pickle.dumps(f))
    np.testing.assert_array_equal(again.horizon(0.5).mass, f.horizon(0.5).mass)
    with pytest.raises(AttributeError):
        f.time = 3
    with pytest.raises(ValueError, match="read-only"):
        f.time[0] = 3
    assert isinstance(f, FollowUp)
    frame = f.to_frame()
    np.testing.assert_allclose(frame["survival"][-1], f.survival(f.time[-1]))


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"time": [1, 2, 3, 4, -1]}, "`time` is -1 at row 4; times must be finite and 0 or more"),
        ({"time": [1, 2, np.inf, 4, 5]}, "`time` is inf at row 2"),
        ({"time": np.arange(5).astype("M8[D]")}, "contains dates; subtract the start"),
        ({"time": ["1", "2", "3", "4", "x"]}, "must contain numbers"),
        ({"time": [1, 2, 3]}, "must describe the same rows"),
        (
            {"event": ["yes", "no", "no", "yes", "no"]},
            r"values 'no', 'yes'; pass the event",
        ),
        ({"event": [1, 2, 2, 1, 1]}, r"values 1, 2; pass the event"),
        ({"event": [1, 0, 1, 1, 0], "cause": 3}, "`cause` 3 is not in `event`: 0, 1"),
        ({"event": [1, 0, 1, 1, 0], "cause": 0}, "they must differ"),
        ({"entry": [0, 0, 0, 4, 0]}, "`entry` is 4 at row 3, whose `time` is 4"),
        ({"sample_weight": [1, 1, -1, 1, 1]}, "negative"),
        ({"sample_weight": [0, 0, 0, 0, 0]}, "0 for every row"),
        ({"groups": [1, 1, 1]}, "must describe the same rows"),
        ({"groups": [1, 1, 1, 1, 1]}, "one cluster"),
        ({"score": None, "scores": {}}, "`scores` is empty"),
        ({"direction": "up"}, "'higher', 'lower'"),
    ],
)
def test_errors(changes, message):
    rows = {"time": [1, 2, 3, 4, 5], "event": [1, 0, 1, 1, 0], "score": [5, 3, 4, 2, 1]}
    with pytest.raises(rw.InputError, match=message):
        rw.survival.follow_up(**{**rows, **changes})


def test_codes_of_competing_events_are_confirmed():
    rows = {"time": [1, 2, 3, 4, 5], "event": [1, 0, 2, 1, 0], "score": [5, 3, 4, 2, 1]}
    with pytest.warns(rw.RocwiseWarning, match="Pass cause=1 to confirm"):
        found = rw.survival.follow_up(**rows)
    assert found.n_competing == 1
    assert rw.survival.follow_up(**rows, cause=1).n_competing == 1
    assert rw.survival.follow_up(**rows, cause=2).n_events == 1
    rows["event"] = [1, 2, 2, 1, 2]
    with pytest.warns(rw.RocwiseWarning, match="2 is taken as censored"):
        assert rw.survival.follow_up(**rows, cause=1).n_censored == 3
    assert rw.survival.follow_up(**rows, cause=1, censored=0).n_competing == 3


def test_errors_at_a_horizon():
    none = rw.survival.follow_up([1, 2, 3], [0, 0, 0], [1, 2, 3])
    with pytest.raises(rw.InputError, match="no event of the cause among 3 rows"):
        none.tally(2)
    f = follow(DATA["A"])
    with pytest.raises(rw.InputError, match=r"no event by t = 0\.5: the first is at 1"):
        f.tally(0.5)
    with pytest.raises(rw.InputError, match="no row was followed beyond t = 10"):
        f.tally(10)
    early = rw.survival.follow_up(
        [1, 3, 4, 5, 6], [1, 1, 0, 1, 0], np.arange(5), entry=[0, 2, 2, 2, 2]
    )
    late = rw.survival.follow_up([1, 2, 9, 9], [1, 0, 1, 0], np.arange(4), entry=[0, 0, 5, 5])
    with pytest.raises(rw.InputError, match=r"no row was followed beyond t = 3 .longest 2."):
        late.tally(3)
    with pytest.raises(rw.InputError, match="all rows at risk at t = 1 had their event"):
        early.tally(3.5)
    for call, wrong in ((f.tally, np.nan), (f.survival, np.nan), (f.followed, "a")):
        with pytest.raises(rw.InputError, match="must be a"):
            call(wrong)
    with pytest.raises(rw.InputError, match="'survivors', 'all'; got 'every'"):
        f.tally(4.5, controls="every")
    with pytest.raises(rw.InputError, match="not among the scores: 'score'"):
        f.tally(4, "risk")
    with pytest.raises(rw.InputError, match="does not go with `entry`"):
        rw.survival.auc(early, 3.5, censoring_by=[0, 0, 1, 1, 1])


@pytest.mark.parametrize(
    "name",
    ["follow_up", "auc", "roc", "at", "compare", "concordance", "brier", "calibration"],
)
def test_docstrings_describe_the_direction_by_the_event(name):
    described = getattr(rw.survival, name).__doc__.partition("\ndirection :")[2]
    assert described.splitlines()[1].strip().startswith("Which scores mean an earlier event")


def test_results_print_what_lower_scores_mean():
    rows = {"time": np.arange(1, 41), "event": np.arange(40) % 2, "score": np.arange(40) % 13 / 13}
    f = follow(rows, direction="lower")
    two = {"a": rows["score"], "b": rows["score"] ** 2 + np.arange(40) % 3}
    pair = rw.survival.follow_up(rows["time"], rows["event"], two, direction="lower")
    for found in (
        rw.survival.auc(f, 20),
        rw.survival.roc(f, 20),
        rw.survival.at(f, 20, threshold=0.5),
        rw.survival.brier(f, 20),
        rw.survival.calibration(f, 20, bins=2),
        rw.survival.concordance(f),
        rw.survival.compare(pair, 20),
    ):
        assert "lower scores mean an earlier event" in " ".join(repr(found).split())
