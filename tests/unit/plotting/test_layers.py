"""The plain data of a plot."""

import dataclasses
import json

import numpy as np
import pytest

import rocwise as rw
from rocwise.plotting import compose
from rocwise.plotting.spec import Axis, Band, Cells, Label, Line, Mesh, Points, Whiskers
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
def test_arrays_of_different_lengths_raise(make):
    with pytest.raises(rw.InputError, match="must have one length"):
        make()


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
    result = MAKE[name]()
    for options in ({}, *OPTIONS.get(name, [])):
        check_plain(compose(result, **options))
        check_plain(compose({"model": result}, title="Title", caption=False, **options))
