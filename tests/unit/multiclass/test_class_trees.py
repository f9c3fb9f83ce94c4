"""Trees of groups of classes: worked examples, splits, thresholds by trying all."""

import json

import numpy as np
import pytest

import rocwise as rw
from oracles.weighted_classes import A1, A2, A3, drawn, losses
from rocwise.multiclass import class_cost, class_weights, metaclass
from rocwise.multiclass.class_trees import groups


def grown(data, **options):
    return metaclass(data.y, data.F, costs=data.C, **options)


def described(tree):
    return [
        (set(s.left_classes), set(s.right_classes), round(s.threshold, 10))
        for s in tree.root.splits()
    ]


def test_first_example():
    tree = grown(A1)
    assert described(tree) == [({0, 1}, {2}, 2.6666666667), ({1}, {0}, 0.4428571429)]
    assert tree.predict(A1.F).tolist() == [0, 1, 1, 1, 1, 2, 2, 2]
    assert tree.cost == pytest.approx(0.125)
    assert tree.cost < class_weights(A1.y, A1.F, costs=A1.C).cost  # another family of rules


def test_second_example_distinguishes_the_averages():
    tree = grown(A2)
    assert described(tree) == [({1}, {0, 2}, 0.4820910973), ({2}, {0}, 1.3611111111)]
    assert tree.predict(A2.F).tolist() == [1, 1, 0, 1, 2, 2, 1, 1]
    pair = grown(A2, average="pair")
    assert described(pair)[0] == ({1}, {0, 2}, 0.2733516484)
    assert pair.predict(A2.F).tolist() == [1, 1, 1, 1, 2, 1, 1, 1]


def test_third_example():
    tree = grown(A3)
    assert described(tree) == [
        ({2, 3}, {0, 1}, 1.25),
        ({3}, {2}, 1.0238095238),
        ({0}, {1}, 0.7083333333),
    ]
    assert tree.predict(A3.F).tolist() == [0, 0, 1, 1, 2, 2, 3, 0, 3]
    assert len(tree.to_frame()["threshold"]) == 3


def test_groups_of_the_nursery_data():
    sizes = np.array([4320, 2, 328, 4266, 4044], dtype=float)
    left, right = groups((0, 1, 2, 3, 4), sizes)
    sums = sorted((sizes[list(left)].sum(), sizes[list(right)].sum()))
    assert sums == [4650, 8310]


def test_groups_without_rows_are_not_empty():
    assert groups((0, 1, 2), np.zeros(3)) == ((0, 1), (2,))
    assert groups((0, 1), np.array([0.0, 5.0])) == ((1,), (0,))


def test_depth_can_reach_the_number_of_classes():
    """The split balances rows, not classes: with counts 1, 2, 4, 8 the tree is a chain."""
    y = np.repeat(np.arange(4), [1, 2, 4, 8])
    F = np.random.default_rng(0).random((15, 4))
    splits = list(metaclass(y, F).root.splits())
    assert [len(s.left_classes) + len(s.right_classes) for s in splits] == [4, 3, 2]


@pytest.mark.parametrize("average", ["class", "pair"])
@pytest.mark.parametrize("kind", ["generic", "ties", "zeros"])
@pytest.mark.parametrize("seed", range(4))
@pytest.mark.filterwarnings("ignore::rocwise.errors.MisuseWarning")
def test_every_threshold_is_the_best(average, kind, seed):
    """All candidates are tried, row by row."""
    data = drawn(25, 4, seed, kind)
    sizes = np.bincount(data.y)
    for split in grown(data, average=average).root.splits():
        left, right = list(split.left_classes), list(split.right_classes)
        mine = np.isin(data.y, left + right)
        is_left = np.isin(data.y[mine], left)
        above, below = (np.asarray(data.F)[mine][:, side].sum(axis=1) for side in (left, right))
        with np.errstate(divide="ignore", invalid="ignore"):
            values = np.where((above == 0) & (below == 0), 1.0, above / below)
        row_weights = (sizes / sizes.sum() / sizes)[data.y[mine]]

        def penalty(row, own_left, left=left, right=right, mine=mine):
            own, wrong = (left, right) if own_left else (right, left)
            classes = own if average == "pair" else [data.y[mine][row]]
            return np.mean([[data.C[j, k] for k in wrong] for j in classes])

        missed = row_weights * [penalty(i, own) for i, own in enumerate(is_left)]

        def total(theta, missed=missed, is_left=is_left, values=values):
            return missed[(values >= theta) != is_left].sum()

        finite = np.unique(values[np.isfinite(values)].round(12))
        tried = [0.0, *((finite[:-1] + finite[1:]) / 2), finite[-1] + 1 if len(finite) else 1.0]
        best = min(total(theta) for theta in tried)
        assert total(split.threshold) == pytest.approx(best, abs=1e-12)
        cheap = [theta for theta in tried if total(theta) < best + 1e-12]
        assert split.threshold == pytest.approx(min(cheap), abs=1e-9)


def test_a_large_class_cannot_be_lost():
    """Where one class has 95% of the rows, sending all to its side is always a candidate."""
    rng = np.random.default_rng(0)
    y = np.r_[np.zeros(190, int), np.repeat([1, 2], 5)]
    F = rng.random((200, 3))
    C = rng.integers(1, 11, (3, 3)).astype(float)
    np.fill_diagonal(C, 0)
    assert metaclass(y, F, costs=C).cost <= 0.05 * 10 + 1e-12


def test_cost_is_that_of_predict_and_weights_repeat_rows():
    data = drawn(40, 5, 1)
    twice = np.random.default_rng(0).integers(1, 3, 40)
    rows = np.repeat(np.arange(40), twice)
    weighted = grown(data, sample_weight=twice)
    repeated = metaclass(data.y[rows], data.F[rows], costs=data.C)
    assert described(weighted) == described(repeated)
    a = losses(data.y, data.C, weights=twice)
    assert weighted.cost == pytest.approx(a[np.arange(40), weighted.predict(data.F)].sum())
    assert class_cost(
        data.y, data.F, rule=weighted, costs=data.C, sample_weight=twice
    ) == pytest.approx(weighted.cost)


def test_two_classes_are_one_exact_threshold():
    data = drawn(30, 2, 0)
    tree = grown(data)
    assert len(list(tree.root.splits())) == 1
    assert tree.cost == pytest.approx(class_weights(data.y, data.F, costs=data.C).cost)


def test_wording():
    tree = grown(A1)
    assert repr(tree) == (
        "Tree of 2 splits (0, 1 | 2 first): expected cost 0.125; 0.375 with the largest confidence"
    )
    assert json.loads(json.dumps(tree.to_dict()))["root"]["left"]["left_classes"] == [1]
    with pytest.raises(ValueError, match="'class', 'pair'"):
        grown(A1, average="median")


def test_rows_without_confidence_have_the_ratio_one():
    F = [[0.7, 0.2, 0.1], [0.2, 0.5, 0.3], [0.3, 0.3, 0.4], [0.1, 0.8, 0.1], [0, 0, 0]]
    with pytest.warns(rw.errors.MisuseWarning, match="1 row .*row 4.*ratio 1 at every split"):
        tree = metaclass([0, 1, 2, 1, 1], F)
    with pytest.warns(rw.errors.MisuseWarning, match="ratio 1 at every split"):
        assert tree.predict(F)[4] == 1  # not class 0, as with weights
