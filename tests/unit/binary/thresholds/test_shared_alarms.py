"""One limit of alarms for several groups, against every combination of thresholds."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rocwise as rw
from rocwise.binary import threshold_groups as shared_module
from rocwise.binary.threshold_groups import shared_alarms
from rocwise.cli.dispatch import main

small = st.lists(st.tuples(st.integers(0, 1), st.integers(0, 4)), min_size=1, max_size=6)


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


@pytest.mark.parametrize("cells", [shared_module.MOST_CELLS, 0])
@given(st.lists(small, min_size=1, max_size=3), st.integers(0, 12))
def test_hits_are_within_the_bound_and_the_limit(cells, rows, limit):
    groups = [tally_of(each) for each in rows]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(shared_module, "MOST_CELLS", cells)  # 0: too many to try them all
        found = shared_alarms(groups, limit)
    alarms = hits = 0
    for group, place in zip(groups, found.places, strict=True):
        alarms += 0 if place == 0 else group.tp[place - 1] + group.fp[place - 1]
        hits += 0 if place == 0 else group.tp[place - 1]
    assert alarms <= limit
    assert hits == found.hits
    best = brute_force(groups, limit)
    assert found.hits <= best <= found.most_hits + 1e-9


@given(st.lists(small, min_size=1, max_size=3), st.integers(0, 12))
def test_no_combination_of_thresholds_finds_more(rows, limit):
    groups = [tally_of(each) for each in rows]
    found = shared_alarms(groups, limit)
    assert found.hits == found.most_hits == brute_force(groups, limit)


def sample(seed, n=120):
    rng = np.random.default_rng(seed)
    y, group = rng.integers(0, 2, n), rng.integers(0, 3, n).astype(str)
    return y, rng.normal(size=n) + y * (1 + group.astype(int)), group


@pytest.mark.parametrize("seed", range(10))
def test_the_limit_of_all_holds_in_all_and_finds_more_than_one_threshold(seed):
    y, score, group = sample(seed)
    answer = rw.threshold_by_group(y, score, group, rule="max-alarms", constraint=30, limit="all")
    assert answer.limit == "all"
    assert answer.alarms.sum() <= 30
    hits = sum(point.tp for point in answer.points.values())
    best = brute_force([rw.tally(y[group == g], score[group == g]) for g in answer.groups], 30)
    assert hits == best == answer.most_hits
    assert hits >= answer.pooled.tp
    for name in answer.groups:  # the printed thresholds recount
        rows = group == name
        text = answer[name].threshold_text
        called = score[rows] >= (np.inf if text == "above every score" else float(text))
        assert called.sum() == answer[name].tp + answer[name].fp


def test_each_and_all_are_said_apart():
    y, score, group = sample(0)
    terms = {"rule": "max-alarms", "constraint": 30}
    each = rw.threshold_by_group(y, score, group, **terms)
    assert each.limit == "each"
    assert (each.alarms <= 30).all()
    total = int(each.alarms.sum())
    assert total > 30
    assert repr(each).endswith(
        f"at most 30 alarms in each group, which makes {total} alarms in all"
    )
    shared = rw.threshold_by_group(y, score, group, **terms, limit="all")
    assert "at most 30 alarms in all groups together: 30 alarms; " in repr(shared)
    share = rw.threshold_by_group(y, score, group, rule="max-alarms", constraint=0.25, limit="all")
    assert share.alarms.sum() <= 30
    assert rw.threshold_by_group(y, score, group, rule="youden").limit is None


def test_refusals():
    y, score, group = sample(0)
    with pytest.raises(rw.InputError, match="`limit` goes with rule='max-alarms'"):
        rw.threshold_by_group(y, score, group, rule="youden", limit="all")
    with pytest.raises(rw.InputError, match="`limit` must be one of 'each', 'all'"):
        rw.threshold_by_group(y, score, group, rule="max-alarms", constraint=3, limit="both")


def test_the_command_line_can_do_both(tmp_path, capsys):
    y, score, group = sample(0)
    path = tmp_path / "scores.csv"
    rows = [f"{a},{b},{c}" for a, b, c in zip(y, score, group, strict=True)]
    path.write_text("\n".join(["y,s,g", *rows, ""]))
    words = ["threshold", str(path), "--label", "y", "--score", "s", "--by", "g"]
    words += ["--rule", "max-alarms", "--constraint", "30"]
    assert main(words) == 0
    assert "at most 30 alarms in each group, which makes" in capsys.readouterr().out
    assert main([*words, "--limit", "all"]) == 0
    out = capsys.readouterr().out
    assert "at most 30 alarms in all groups together: 30 alarms" in out
    assert 'limit="all"' in out
