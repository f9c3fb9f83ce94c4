"""Thresholds of subgroups."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rocwise as rw
from rocwise.binary import threshold_groups
from rocwise.errors import MisuseWarning

RNG = np.random.default_rng(8)
Y = RNG.integers(0, 2, 300)
GROUP = RNG.choice(["a", "b", "c"], 300)
S = np.round(RNG.normal(size=300) + Y + (GROUP == "b"), 1)


@pytest.mark.parametrize("direction", ["higher", "lower"])
def test_each_group_is_the_result_of_its_rows(direction):
    s = S if direction == "higher" else -S
    result = rw.threshold(Y, s, by=GROUP, rule="youden", direction=direction)
    assert result.groups == ("a", "b", "c")
    pooled = rw.threshold(Y, s, rule="youden", direction=direction)
    assert result.pooled.threshold == pooled.threshold
    for k, name in enumerate(result.groups):
        rows = name == GROUP
        alone = rw.threshold(Y[rows], s[rows], rule="youden", direction=direction)
        assert result.thresholds[k] == alone.threshold == result[name].threshold
        assert (result.tpr[k], result.fpr[k], result.value[k]) == (
            alone.tpr,
            alone.fpr,
            alone.value,
        )
        sign = 1 if direction == "higher" else -1
        called = sign * s[rows] >= sign * pooled.threshold
        assert result.pooled_tpr[k] == pytest.approx(called[Y[rows] == 1].mean(), rel=1e-12)
        assert result.pooled_fpr[k] == pytest.approx(called[Y[rows] == 0].mean(), rel=1e-12)


@pytest.mark.filterwarnings("ignore::rocwise.errors.DirectionWarning")
def test_none_positive_in_all_groups():
    costs = rw.Costs(fp=1000, fn=1)
    y, s = [1, 0, 1, 0], [1, 2, 1, 2]
    result = rw.threshold(y, s, by=[1, 1, 2, 2], costs=costs)
    assert np.isinf(result.thresholds).all()
    assert result.pooled_tpr.tolist() == [0, 0]


def test_a_group_of_one_class():
    with pytest.warns(MisuseWarning, match="'b': no positive example among 1 row"):
        found = rw.threshold([0, 1, 0], [1, 2, 3], by=["a", "a", "b"], rule="youden")
    assert found.thresholds[0] == 2
    assert found.thresholds[1] is np.ma.masked


def test_a_limit_that_one_group_cannot_reach():
    y, s, g = [0, 1, 0, 1], [1, 2, 2, 2], ["a", "a", "b", "b"]
    with pytest.warns(MisuseWarning, match="'b': no threshold reaches"):
        found = rw.threshold(y, s, by=g, rule="min-precision", constraint=0.6)
    assert "no threshold reaches" in found["b"].reason


def test_lengths_must_agree():
    with pytest.raises(rw.InputError, match="same rows"):
        rw.threshold([0, 1], [1, 2], by=["a"], rule="youden")


def test_a_rule_of_ones_own_sees_each_group_alone():
    def most_above_the_mean(tp, fp, fn, tn):
        return tp - tp.mean() - fp

    result = rw.threshold(Y, S, by=GROUP, rule=most_above_the_mean)
    for k, name in enumerate(result.groups):
        rows = name == GROUP
        alone = rw.threshold(Y[rows], S[rows], rule=most_above_the_mean)
        assert (result.thresholds[k], result.value[k]) == (alone.threshold, alone.value)


def tally_of(rows):
    return rw.tally([0, 1, *(y for y, _ in rows)], [2.5, 1.5, *(float(s) for _, s in rows)])


def brute_force(groups, limit):
    """The most positives that any thresholds find within the limit."""
    ways = [[(0, 0), *zip(g.tp.tolist(), (g.tp + g.fp).tolist(), strict=True)] for g in groups]
    return max(
        sum(hits for hits, _ in way)
        for way in product(*ways)
        if sum(alarms for _, alarms in way) <= limit
    )


small = st.lists(st.tuples(st.integers(0, 1), st.integers(0, 4)), min_size=1, max_size=6)


@pytest.mark.parametrize("cells", [threshold_groups.MOST_CELLS, 0])
@given(st.lists(small, min_size=1, max_size=3), st.integers(0, 12))
def test_shared_alarms_against_every_combination(cells, rows, limit):
    groups = [tally_of(each) for each in rows]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(threshold_groups, "MOST_CELLS", cells)  # 0: too many to try them all
        places, most_hits = threshold_groups.shared_alarms(groups, limit)
    called = list(zip(groups, places, strict=True))
    hits = sum(group.tp[place - 1] for group, place in called if place)
    alarms = sum(group.tp[place - 1] + group.fp[place - 1] for group, place in called if place)
    assert alarms <= limit
    best = brute_force(groups, limit)
    assert hits <= best <= most_hits + 1e-9
    assert hits == best or cells == 0


def sample(seed, n=120):
    rng = np.random.default_rng(seed)
    y, group = rng.integers(0, 2, n), rng.integers(0, 3, n).astype(str)
    return y, rng.normal(size=n) + y * (1 + group.astype(int)), group


@pytest.mark.parametrize("seed", range(10))
def test_a_shared_limit_holds_in_all_and_finds_more_than_one_threshold(seed):
    y, score, group = sample(seed)
    shared = {"rule": "max-alarms", "constraint": 30, "limit": "all"}
    result = rw.threshold(y, score, by=group, **shared)
    assert result.limit == "all"
    assert result.alarms.sum() <= 30
    hits = sum(result[name].tp for name in result)
    best = brute_force([rw.tally(y[group == g], score[group == g]) for g in result.groups], 30)
    assert hits == best == result.most_hits
    assert hits >= result.pooled.tp
    for name in result.groups:  # the printed thresholds recount
        rows = group == name
        text = result[name].threshold_text
        called = score[rows] >= (np.inf if text == "above every score" else float(text))
        assert called.sum() == result[name].tp + result[name].fp
