"""Forms of data and results cannot be changed, and do not share memory with the user's arrays."""

import copy
import dataclasses
import json
import pickle

import numpy as np
import pandas as pd
import pytest

import rocwise as rw
from call_forms import COSTS, ONE_MODEL, PAIRED, PATIENT, SITE, A, B, Y
from rocwise.inputs.coercion import as_ranking
from rocwise.inputs.several_classes import class_rows
from rocwise.results import Interval, ReadOnlyDict, Result, Table

WEIGHTS = np.linspace(0.5, 2, len(Y))
FORMS = {
    "tally": rw.tally(Y, A),
    "weighted tally": rw.tally(Y, A, sample_weight=WEIGHTS),
    "binned tally": rw.tally(Y, A, resolution=8),
    "tally of large integers": rw.tally(Y, 2**60 + np.arange(len(Y))),
    "pairs": rw.pair(Y, {"a": A, "b": B}, groups=PATIENT, sample_weight=WEIGHTS),
    "ranking": as_ranking(Y + (A > 0.5), A),
    "class rows": class_rows(Y, np.column_stack([1 - A, A])),
}
forms = pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)


def results():
    for name, options in ONE_MODEL.items():
        yield name, getattr(rw, name)(Y, A, **options)
    for name, options in PAIRED.items():
        yield name, getattr(rw, name)(Y, {"a": A, "b": B}, **options)
    models = {"a": A, "b": B, "c": 1 - A * B}
    yield "several models", rw.compare(Y, models)
    yield "groups", rw.auc(Y, A, by=SITE)
    yield "thresholds of groups", rw.threshold(Y, A, by=SITE, rule="cost", costs=COSTS)
    yield "average_roc", rw.average_roc([(Y, A), (Y, B)])
    yield "multiclass.roc", rw.multiclass.roc(Y, np.column_stack([1 - A, A]))
    yield "multiclass.auc", rw.multiclass.auc(Y, np.column_stack([1 - A, A]))
    yield "class_weights", rw.multiclass.class_weights(Y, np.column_stack([1 - A, A]))
    yield "ordinal.auc", rw.ordinal.auc(Y + (A > 0.5), A)
    yield "rec", rw.regression.rec(A, B)
    yield "compare_rec", rw.regression.compare(A, {"b": B, "c": B**2}, n_resamples=100, rng=1)
    yield "sample_size", rw.sample_size(0.8)
    yield "fit_distribution", rw.fit_distribution(A)


RESULTS = {name: result for name, result in results() if isinstance(result, Result)}
results = pytest.mark.parametrize("result", RESULTS.values(), ids=RESULTS)


def assert_read_only(array):
    with pytest.raises(ValueError, match="read-only"):
        array[...] = 0


@forms
def test_attributes_of_data_cannot_be_set(form):
    with pytest.raises((AttributeError, TypeError)):
        form.origin = None
    with pytest.raises((AttributeError, TypeError)):
        form.something = 1
    with pytest.raises((AttributeError, TypeError)):
        del form.origin


def arrays_of(form):
    kinds = {
        rw.Tally: lambda t: [t.scores, t.pos, t.neg, t.tp, t.fp, *(t.oriented_classes or ())],
        rw.Pairs: lambda p: [p.mask, p.groups, p.weights, p.scores("a"), p.placements],
    }
    found = kinds.get(type(form), lambda form: [form.labels, form.scores])(form)
    if isinstance(form, rw.Tally) and form.weighted:
        found += [form.squares.pos, form.squares.neg]
    return [array for array in found if isinstance(array, np.ndarray)]


@forms
def test_arrays_of_data_are_read_only(form):
    arrays = arrays_of(form)
    assert arrays
    for array in arrays:
        assert_read_only(array)


@pytest.mark.parametrize("kind", [kind for kind in FORMS if kind != "class rows"])
def test_data_stays_read_only_after_pickling(kind):
    again = pickle.loads(pickle.dumps(FORMS[kind]))
    assert again.origin == FORMS[kind].origin
    for array, before in zip(arrays_of(again), arrays_of(FORMS[kind]), strict=True):
        assert array.tolist() == before.tolist()
        assert_read_only(array)


def values_in(value):
    """Everything that a result holds, however deep."""
    yield value
    if isinstance(value, (Result, Interval)):
        parts = [getattr(value, item.name) for item in dataclasses.fields(value)]
    elif isinstance(value, dict):
        parts = list(value.values())
    else:
        parts = value if type(value) in (tuple, list) else []
    for part in parts:
        yield from values_in(part)


def assert_locked(result):
    for value in values_in(result):
        if isinstance(value, np.ndarray) and value.size:
            assert_read_only(value)
        assert not isinstance(value, list)
        if isinstance(value, dict):
            assert isinstance(value, ReadOnlyDict)


@results
def test_results_cannot_be_changed(result):
    for item in dataclasses.fields(result):
        with pytest.raises(AttributeError):
            setattr(result, item.name, None)
    with pytest.raises(AttributeError):
        result.something = 1
    assert_locked(result)


@results
def test_results_pickle_and_stay_as_they_are(result):
    for again in (pickle.loads(pickle.dumps(result)), copy.deepcopy(result), copy.copy(result)):
        assert again.to_dict() == result.to_dict()
        assert repr(again) == repr(result)
        assert_locked(again)


CHANGES = {
    "set": lambda d: d.__setitem__("a", 1),
    "delete": lambda d: d.__delitem__("a"),
    "update": lambda d: d.update(a=1),
    "pop": lambda d: d.pop("a"),
    "popitem": lambda d: d.popitem(),
    "clear": lambda d: d.clear(),
    "setdefault": lambda d: d.setdefault("z", 1),
    "join": lambda d: d.__ior__({"a": 1}),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_dicts_of_results_are_read_only(change):
    estimates = rw.compare(Y, {"a": A, "b": B}).estimates
    before = dict(estimates)
    with pytest.raises(TypeError, match="cannot be changed"):
        change(estimates)
    assert estimates == before


def test_dicts_of_results_are_dicts():
    estimates = rw.compare(Y, {"a": A, "b": B}).estimates
    assert json.loads(json.dumps(estimates)) == estimates
    assert repr(estimates) == repr(dict(estimates))
    changed = estimates | {"a": 0}
    assert changed["a"] == 0
    assert type(estimates.copy()) is dict


def test_tables_of_results_are_read_only():
    pairwise = rw.compare(Y, {"a": A, "b": B, "c": A * B}).pairwise
    assert type(pairwise) is Table
    with pytest.raises(TypeError, match="cannot be changed"):
        pairwise["p_value"] = 0
    assert_read_only(pairwise["p_value"])
    assert pd.DataFrame(pairwise).shape[0] == 3


def written_later(make, *arrays):
    """What `make` gives of fresh arrays, and the same after these were overwritten."""
    mine = [np.array(array) for array in arrays]
    made = make(*mine)
    for array in mine:
        assert array.flags.writeable
        array[:] = array[::-1].copy()
    return made, make(*[np.array(array) for array in arrays])


SHARED = {
    "tally": (lambda y, s: rw.tally(y, s), lambda t: rw.roc(t)),
    "tally of float32": (lambda y, s: rw.tally(y, s.astype("f4")), lambda t: rw.roc(t)),
    "booleans": (lambda y, s: rw.tally(y.view(bool), s), lambda t: rw.roc(t)),
    "declared labels": (lambda y, s: rw.tally(y, s, pos_label=1), lambda t: rw.roc(t)),
    "weights": (lambda y, s: rw.tally(y, s, sample_weight=s), lambda t: rw.roc(t)),
    "pairs": (lambda y, s: rw.pair(y, {"a": s, "b": s**2}), rw.compare),
    "pairs of a table": (
        lambda y, s: rw.pair(y, np.asfortranarray(np.column_stack([s, s**2]))),
        rw.compare,
    ),
    "pairs of booleans": (lambda y, s: rw.pair(y.view(bool), {"a": s, "b": s**2}), rw.compare),
    "clusters": (
        lambda y, s: rw.pair(y, {"a": s, "b": s**2}, groups=y, sample_weight=s),
        lambda p: (p.groups.tolist(), p.weights.tolist(), p.scores("a").tolist()),
    ),
    "frame": (
        lambda y, s: rw.pair(
            pd.DataFrame({"y": y, "a": s, "b": s**2}, copy=False), label="y", scores=["a", "b"]
        ),
        rw.compare,
    ),
    "ranking": (lambda y, s: as_ranking(y, s), lambda r: r.scores.tolist()),
    "class rows": (
        lambda y, s: class_rows(y, np.column_stack([1 - s, s]), sample_weight=s),
        lambda rows: (rows.labels.tolist(), rows.scores.tolist(), rows.weights.tolist()),
    ),
    "counts": (lambda y, s: rw.Tally.from_counts(-np.sort(-s), y + 1, y + 2), lambda t: rw.hull(t)),
    "sorted classes": (
        lambda y, s: (s[:60].sort(), s[60:].sort(), rw.Tally.from_sorted(s[:60], s[60:]))[2],
        lambda t: rw.auc(t).value,
    ),
}


@pytest.mark.parametrize(("make", "call"), SHARED.values(), ids=SHARED)
def test_later_writes_to_the_users_arrays_change_nothing(make, call):
    made, expected = written_later(make, Y.astype(np.int8), A + 1e-6 * np.arange(len(Y)))
    found, wanted = call(made), call(expected)
    if isinstance(found, Result):
        found, wanted = found.to_dict(), wanted.to_dict()
    assert found == wanted
