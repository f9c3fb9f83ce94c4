"""Areas of many groups in one step: the numbers of the question asked group by group."""

import time

import numpy as np
import pytest

import rocwise as rw
from rocwise.data.summed_rows import GroupSums
from rocwise.engines.out_of_core.range_sums import FIELDS, sums_by_group
from rocwise.inference.equal_groups import ComparableGroups
from rocwise.inputs.out_of_core import _group_tallies
from rocwise.results import GroupAnswers, Origin


def answers_of(groups, mask, scores, **asked):
    """What `by=` answers beyond memory."""
    names, columns = sums_by_group(groups, mask, scores)
    sums = GroupSums(names, dict(zip(FIELDS, columns, strict=True)))
    parts = _group_tallies(sums, "group", Origin())
    answers = parts.mapped(lambda part: rw.auc(part, **asked))
    answers.set_columns(rw.auc(parts[names[0]]).columns_of_groups, asked)
    return ComparableGroups(column="group", answers=answers)


def rows(sizes, rng, shift=0.7):
    groups = np.repeat(np.arange(len(sizes)), sizes)
    mask = (rng.random(len(groups)) < 0.4).astype(np.uint8)
    first = np.concatenate([[0], np.cumsum(sizes)[:-1]])
    mask[first], mask[first + 1] = 1, 0  # both classes in each
    return groups, mask, np.round(rng.normal(size=len(groups)) + shift * mask, 1) + 0.0


@pytest.mark.filterwarnings("ignore::rocwise.errors.DirectionWarning")
@pytest.mark.parametrize("asked", [{}, {"method": "delong"}, {"method": "wilson", "level": 0.8}])
def test_columns_are_those_of_the_groups_one_by_one(asked):
    rng = np.random.default_rng(6)
    groups, mask, scores = rows(np.append(rng.integers(2, 60, 400), [5000, 900]), rng)
    scores[groups == 7] = mask[groups == 7]  # separated
    scores[groups == 8] = 1.0  # all tied
    answers = answers_of(groups, mask, scores, **asked)
    found, expected = answers._columns(), GroupAnswers._columns(answers)
    assert list(found) == list(expected)
    for name, column in expected.items():
        assert found[name].dtype == column.dtype, name
        if name in ("low", "high"):  # scipy's quantiles of many and of one differ in the last bit
            np.testing.assert_allclose(found[name], column, rtol=1e-13, atol=1e-15)
        else:
            assert found[name].tolist() == column.tolist(), name
    assert {"hoeffding" in method.lower() for method in found["method"]} == {True, False}


def test_what_is_asked_otherwise_is_asked_of_each_group():
    rng = np.random.default_rng(1)
    answers = answers_of(*rows([30, 40], rng), method="logit")
    assert answers.answers.columns() is None
    assert answers.to_frame()["method"].tolist() == ["logit DeLong", "logit DeLong"]


def test_an_area_below_one_half_is_told():
    rng = np.random.default_rng(2)
    with pytest.warns(match="below 0.5"):
        answers_of(*rows([90, 80], rng, shift=-2.0)).to_frame()


@pytest.mark.filterwarnings("ignore::rocwise.errors.DirectionWarning")
def test_fifty_thousand_groups_take_a_moment():
    """A million are twenty times as many; one by one they would take minutes."""
    rng = np.random.default_rng(3)
    answers = answers_of(*rows(np.full(50_000, 20), rng))
    start = time.process_time()
    assert len(answers.to_frame()["value"]) == 50_000
    assert time.process_time() - start < 5
