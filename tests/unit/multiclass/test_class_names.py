"""Names of classes travel: labels of any kind in, the same labels out, in tables and plots."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest

import rocwise as rw
from rocwise.multiclass import class_cost, class_weights_under, sample_costs

KINDS = ("elm", "oak", "ash")
COSTS = [[0, 1, 4], [2, 0, 3], [7, 1, 0]]


def sample(n=90, seed=0):
    rng = np.random.default_rng(seed)
    codes = np.concatenate([[0, 0, 1, 1, 2, 2], rng.integers(0, 3, n - 6)])
    scores = rng.dirichlet([1, 1, 1], n)
    scores[np.arange(n), codes] += 0.3
    return codes, scores / scores.sum(axis=1, keepdims=True)


def results(y, scores, **named):
    """Every function for several classes."""
    draws = sample_costs(1, 5, n_classes=3, n_samples=5, rng=1)
    two = {"a": scores, "b": scores}
    return {
        "auc": rw.multiclass.auc(y, scores, **named),
        "roc": rw.multiclass.roc(y, scores, **named),
        "hum": rw.multiclass.hum(y, scores, n_tuples=500, rng=1, **named),
        "weights": rw.multiclass.class_weights(y, scores, costs=COSTS, **named),
        "under": class_weights_under(y, scores, cost_samples=draws, **named),
        "tree": rw.multiclass.metaclass(y, scores, **named),
        "compare": rw.multiclass.compare(y, two, **named),
        "cost": class_cost(y, scores, costs=COSTS, **named),
    }


def numbers(found):
    """The results without the names."""
    return [
        found["auc"].value,
        found["auc"].per_class.tolist(),
        [area.value for area in found["roc"].areas.values()],
        found["hum"].value,
        found["weights"].weights.tolist(),
        found["weights"].cost,
        found["under"].weights.tolist(),
        found["tree"].cost,
        list(found["compare"].estimates.values()),
        found["cost"],
    ]


@pytest.mark.parametrize("labels", [KINDS, (1, 2, 3), (3, 1, 2), (-1.5, 0.0, 7.0), ("2", "0", "1")])
def test_labels_of_any_kind_give_the_same_numbers(labels):
    codes, scores = sample()
    y = np.array(labels, dtype=object)[codes]
    if len({type(label) for label in labels}) == 1:
        y = np.array(labels)[codes]
    found = results(y, scores, classes=labels)
    assert numbers(found) == numbers(results(codes, scores))
    texts = tuple(str(int(x)) if isinstance(x, float) and x == int(x) else str(x) for x in labels)
    for name in ("auc", "hum", "weights", "under", "tree"):
        assert found[name].names == texts
    for name in ("weights", "under", "tree"):
        called = found[name].predict_columns(scores)
        assert found[name].predict(scores).tolist() == [labels[k] for k in called]


@pytest.mark.parametrize("library", [pd.DataFrame, pl.DataFrame, dict])
def test_columns_of_a_frame_name_the_classes(library):
    codes, scores = sample()
    frame = library({name: scores[:, k] for k, name in enumerate(KINDS)})
    y = np.array(KINDS)[codes]
    found = results(y, frame)
    assert numbers(found) == numbers(results(codes, scores))
    assert list(found["roc"].curves) == list(KINDS)
    assert set(found["weights"].predict(scores)) <= set(KINDS)
    by_number = rw.multiclass.class_weights(codes, frame, costs=COSTS)
    assert by_number.names == KINDS
    assert by_number.predict(scores).dtype.kind == "i"  # labels went in as numbers


@given(st.permutations(range(3)))
def test_the_order_of_the_columns_does_not_matter(order):
    codes, scores = sample()
    y = np.array(KINDS)[codes]
    moved, names = scores[:, order], [KINDS[k] for k in order]
    one, other = (rw.multiclass.auc(y, s, classes=c) for s, c in ((scores, KINDS), (moved, names)))
    assert one.value == pytest.approx(other.value, rel=1e-14)
    table = dict(zip(other.names, other.per_class, strict=True))
    assert [table[name] for name in KINDS] == pytest.approx(one.per_class.tolist(), rel=1e-14)


def test_every_class_has_its_interval():
    codes, scores = sample()
    found = rw.multiclass.auc(np.array(KINDS)[codes], scores, classes=KINDS, average="ovr")
    limits = found.per_class_intervals()
    for k, name in enumerate(KINDS):
        alone = rw.auc(codes == k, scores[:, k])  # the function for two classes
        assert found.per_class[k] == pytest.approx(alone.value, rel=1e-14)
        assert limits[name] == alone.interval
    table = found.per_class_table()
    assert table["class"].tolist() == list(KINDS)
    assert (table["low"] < table["auc"]).all()
    assert (table["auc"] < table["high"]).all()


def test_class_recalls_have_wilson_limits():
    codes, scores = sample()
    found = rw.multiclass.class_weights(np.array(KINDS)[codes], scores, classes=KINDS, costs=COSTS)
    frame = found._columns()
    assert frame["class"].tolist() == list(KINDS)
    assert frame["weight"].tolist() == found.weights.tolist()
    for k in range(3):
        rows = codes == k
        right = int((found.predict_columns(scores)[rows] == k).sum())
        limits = binomtest(right, int(rows.sum())).proportion_ci(method="wilson")
        assert frame["right_low"][k] == pytest.approx(limits.low)
        assert frame["right_high"][k] == pytest.approx(limits.high)


def test_errors():
    codes, scores = sample()
    y = np.array(KINDS)[codes]
    with pytest.raises(rw.InputError, match=r"pass classes=\[\.\.\.\]"):
        rw.multiclass.auc(y, scores)
    with pytest.raises(rw.InputError, match=r"does not name \(first 'elm' at row 0\).*'eml'\?"):
        rw.multiclass.auc(y, scores, classes=["eml", "oak", "ash"])
    with pytest.raises(rw.InputError, match="names 2 classes, but `y_score` has 3 columns"):
        rw.multiclass.auc(y, scores, classes=["elm", "oak"])
    with pytest.raises(rw.InputError, match="'elm' twice"):
        rw.multiclass.auc(y, scores, classes=["elm", "elm", "oak"])
    with pytest.raises(rw.InputError, match="`classes` must be a list of labels"):
        rw.multiclass.auc(y, scores, classes="elm")
    with pytest.raises(rw.InputError, match="no row of class 'ash'"):
        rw.multiclass.auc(y[y != "ash"], scores[y != "ash"], classes=KINDS)
