"""Thresholds of subgroups."""

import json

import numpy as np
import pytest

import rocwise as rw

RNG = np.random.default_rng(8)
Y = RNG.integers(0, 2, 300)
GROUP = RNG.choice(["a", "b", "c"], 300)
S = np.round(RNG.normal(size=300) + Y + (GROUP == "b"), 1)


@pytest.mark.parametrize("direction", ["higher", "lower"])
def test_each_group_is_the_question_of_its_rows(direction):
    s = S if direction == "higher" else -S
    answer = rw.threshold_by_group(Y, s, GROUP, rule="youden", direction=direction)
    assert answer.groups == ("a", "b", "c")
    pooled = rw.threshold(Y, s, rule="youden", direction=direction)
    assert answer.pooled.threshold == pooled.threshold
    for k, name in enumerate(answer.groups):
        rows = name == GROUP
        alone = rw.threshold(Y[rows], s[rows], rule="youden", direction=direction)
        assert answer.thresholds[k] == alone.threshold == answer[name].threshold
        assert (answer.tpr[k], answer.fpr[k], answer.value[k]) == (
            alone.tpr,
            alone.fpr,
            alone.value,
        )
        sign = 1 if direction == "higher" else -1
        called = sign * s[rows] >= sign * pooled.threshold
        assert answer.pooled_tpr[k] == pytest.approx(called[Y[rows] == 1].mean(), rel=1e-12)
        assert answer.pooled_fpr[k] == pytest.approx(called[Y[rows] == 0].mean(), rel=1e-12)


@pytest.mark.filterwarnings("ignore::rocwise.errors.DirectionWarning")
def test_nobody_positive_in_all_groups():
    costs = rw.Costs(fp=1000, fn=1)
    y, s = [1, 0, 1, 0], [1, 2, 1, 2]
    answer = rw.threshold_by_group(y, s, [1, 1, 2, 2], costs=costs)
    assert np.isinf(answer.thresholds).all()
    assert answer.pooled_tpr.tolist() == [0, 0]


def test_table_and_document():
    answer = rw.threshold_by_group(Y, S, GROUP, costs=rw.Costs(fp=1, fn=2))
    table = answer.to_frame()
    assert table["group"].tolist() == ["a", "b", "c"]
    plain = json.loads(json.dumps(answer.to_dict(), allow_nan=False))
    assert plain["points"]["b"]["threshold"] == answer["b"].threshold
    assert "all together" in repr(answer)


def test_frames_and_missing_values():
    pd = pytest.importorskip("pandas")
    frame = pd.DataFrame({"y": Y, "s": S, "g": pd.Categorical(GROUP)})
    frame.loc[0, "s"] = np.nan
    answer = rw.threshold_by_group(frame.y, frame.s, frame.g, rule="youden", missing="drop")
    assert answer.groups == ("a", "b", "c")
    assert answer.origin.n_dropped == 1
    assert isinstance(answer.to_frame(), pd.DataFrame)
    with pytest.raises(rw.InputError, match="`y_score` has 1 missing value"):
        rw.threshold_by_group(frame.y, frame.s, frame.g, rule="youden")


def test_a_group_of_one_class():
    with pytest.raises(rw.InputError, match="a group 'b' without a positive example"):
        rw.threshold_by_group([0, 1, 0], [1, 2, 3], ["a", "a", "b"], rule="youden")


def test_a_limit_that_one_group_cannot_reach():
    y, s, g = [0, 1, 0, 1], [1, 2, 2, 2], ["a", "a", "b", "b"]
    with pytest.raises(rw.InputError, match="group 'b': no threshold reaches"):
        rw.threshold_by_group(y, s, g, rule="min-precision", constraint=0.6)


def test_lengths_must_agree():
    with pytest.raises(rw.InputError, match="same rows"):
        rw.threshold_by_group([0, 1], [1, 2], ["a"], rule="youden")


def test_scores_that_point_the_wrong_way_are_said_once():
    with pytest.warns(rw.errors.DirectionWarning) as said:
        rw.threshold_by_group([1] * 9 + [0] * 9, range(18), list("ab") * 9, rule="youden")
    assert [warning.filename for warning in said] == [__file__]


def test_a_frame_or_a_file_with_the_names_of_its_columns(tmp_path):
    pd = pytest.importorskip("pandas")
    frame = pd.DataFrame({"y": Y, "s": S, "g": GROUP})
    frame.to_csv(tmp_path / "scores.csv", index=False)
    expected = rw.threshold_by_group(Y, S, GROUP, rule="youden")
    for source in (frame, tmp_path / "scores.csv"):
        answer = rw.threshold_by_group(source, groups="g", label="y", score="s", rule="youden")
        assert answer.groups == expected.groups
        assert answer.thresholds.tolist() == expected.thresholds.tolist()
        assert answer.pooled.threshold == expected.pooled.threshold


@pytest.mark.parametrize(
    "given",
    [
        ((), {}),
        ((Y, S), {}),
        ((Y,), {"groups": GROUP}),
        ((rw.tally(Y, S),), {"groups": GROUP}),
        (({"y": Y, "s": S, "g": GROUP},), {"label": "y", "groups": "g"}),
        (({"y": Y, "s": S, "g": GROUP}, S), {"label": "y", "score": "s", "groups": "g"}),
    ],
)
def test_what_is_needed_is_said(given):
    data, named = given
    with pytest.raises(
        rw.InputError, match="`threshold_by_group` needs y_true, y_score and groups"
    ):
        rw.threshold_by_group(*data, **named, rule="youden")


RULES = {
    **{name: {} for name in ("youden", "ameans", "closest", "product", "equal", "maximin")},
    **{name: {} for name in ("minimax", "accuracy", "f1", "mcc", "kappa", "odds-ratio")},
    **{f"predictive-{name}": {} for name in ("sum", "product", "closest", "equal", "maximin")},
    "chi-square": {},
    "prevalence": {"constraint": 0.3},
    "cost": {"costs": rw.Costs(fp=1, fn=3, tp=-1)},
    "f-beta": {"beta": 2},
    **{f"min-{name}": {"constraint": 0.4} for name in ("sensitivity", "specificity")},
    "min-precision": {"constraint": 0.15},
    "min-npv": {"constraint": 0.5},
    "max-alarms": {"constraint": 20},
    "min-lr-positive": {"constraint": 1.0},
    "max-lr-negative": {"constraint": 1.0},
}
WEIGHT = np.where(RNG.random(300) < 0.1, 0.0, RNG.random(300))


@pytest.mark.filterwarnings("ignore::rocwise.errors.DirectionWarning")
@pytest.mark.parametrize("ties", ["strict", "mild", "middle"])
@pytest.mark.parametrize("rule", RULES)
def test_all_groups_at_once_are_each_group_alone_to_the_last_bit(rule, ties):
    weighted = {"sample_weight": WEIGHT, "direction": "lower", "prevalence": 0.2}
    for more in ({}, weighted if rule != "max-alarms" else {"direction": "lower"}):
        answer = rw.threshold_by_group(Y, S, GROUP, rule=rule, ties=ties, **RULES[rule], **more)
        points = [answer[name] for name in answer.groups]
        for name in ("tpr", "fpr", "value", "n_pos", "n_neg"):
            assert getattr(answer, name).tolist() == [getattr(point, name) for point in points]
        assert answer.thresholds.tolist() == [float(point.threshold) for point in points]


def test_a_rule_of_ones_own_sees_each_group_alone():
    def most_above_the_mean(tp, fp, fn, tn):
        return tp - tp.mean() - fp

    answer = rw.threshold_by_group(Y, S, GROUP, rule=most_above_the_mean)
    for k, name in enumerate(answer.groups):
        rows = name == GROUP
        alone = rw.threshold(Y[rows], S[rows], rule=most_above_the_mean)
        assert (answer.thresholds[k], answer.value[k]) == (alone.threshold, alone.value)


def test_a_hundred_groups_are_told_and_the_rest_counted():
    y, groups = np.tile([0, 1], 120), np.repeat(np.arange(120), 2)
    answer = rw.threshold_by_group(y, y, groups, rule="youden")
    assert "... and 20 more groups; to_frame() has all" in repr(answer)
    assert len(answer.to_frame()["group"]) == 120
