"""The plain data of a plot."""

import dataclasses
import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rocwise as rw
from rocwise.plotting import compose
from rocwise.plotting.recording import record
from rocwise.plotting.spec import Axis, Band, Cells, Label, Line, Mesh, PlotSpec, Points, Whiskers
from unit.plotting.drawn_results import MAKE, OPTIONS

UNIT = Axis("x", (0, 1))


def test_layers_hold_read_only_copies_of_the_shape_they_were_given():
    x = np.array([0, 1])
    line = Line(x, [0.5, 0.7])
    with pytest.raises(ValueError, match="read-only"):
        line.x[0] = 5
    x[0] = 0  # the caller's own array stays his
    assert line.y.dtype == np.float64


@pytest.mark.parametrize(
    "make",
    [
        lambda: Line([0, 1], [0]),
        lambda: Points([0], [0, 1]),
        lambda: Band([0, 1], [0, 1], [0]),
        lambda: Whiskers([0], [1, 2], [0]),
    ],
)
def test_arrays_of_different_lengths_are_refused(make):
    with pytest.raises(rw.InputError, match="must have one length"):
        make()


def test_every_kind_of_layer_is_painted_in_order():
    layers = (
        Band([0, 1], [0, 0], [1, 1], label="band"),
        Line([0, 1], [0, 1]),
        Points([0.5], [0.5], label="dot"),
        Whiskers([0.2], [0.4], [0.5]),
        Label(0.5, 0.5, "half"),
    )
    recording = record(PlotSpec(layers, UNIT, UNIT, caption=("One.", "Two.")))
    assert [stroke.layer for stroke in recording.strokes] == list(layers)
    assert recording.legend == ["band", "dot"]
    assert recording.caption == "One. Two."


KINDS = {kind.__name__.lower(): kind for kind in (Line, Band, Points, Whiskers, Label, Mesh)}


def check_plain(spec):
    """The dict of a plot is JSON without nan, and holds all there is to draw."""
    plain = json.loads(json.dumps(spec.to_dict(), allow_nan=False))
    assert (plain["kind"], plain["schema"]) == ("PlotSpec", 1)
    assert {item.name for item in dataclasses.fields(spec)} < plain.keys()
    assert tuple(plain["x"]["limits"]) == spec.x.limits
    assert plain["y"]["title"] == spec.y.title
    known = [
        part
        for layer in spec.layers
        for part in (layer.parts() if isinstance(layer, Cells) else [layer])
    ]
    for found, layer in zip(plain["layers"], known, strict=True):
        assert KINDS[found.pop("kind")] is type(layer)
        assert found.keys() == {item.name for item in dataclasses.fields(layer)}
        for name, value in found.items():
            given = getattr(layer, name)
            if isinstance(given, np.ndarray):
                np.testing.assert_array_equal(np.array(value, dtype=np.float64), given)
            else:
                assert value == (list(given) if isinstance(given, tuple) else given)


@pytest.mark.parametrize("name", MAKE)
def test_every_plot_is_plain_data(name):
    answer = MAKE[name]()
    for options in ({}, *OPTIONS.get(name, [])):
        check_plain(compose(answer, **options))
        check_plain(compose({"model": answer}, title="Title", caption=False, **options))


numbers = st.floats(-1e300, 1e300) | st.just(float("nan"))


@given(st.lists(st.tuples(numbers, numbers, numbers), min_size=1), st.text(), st.booleans())
def test_any_layers_are_plain_data(rows, text, muted):
    x, y, z = np.array(rows).T
    layers = (
        Line(x, y, label=text, muted=muted),
        Band(x, y, z, slot=3),
        Points(x, y, color="#123456"),
        Whiskers(x, y, z),
        Label(0.5, 1.0, text),
        Mesh([0.0, 1.0], [1.0], [[0.25, 0.5]], text, levels=(0.5,)),
    )
    check_plain(PlotSpec(layers, UNIT, UNIT, title=text, caption=(text,)))
