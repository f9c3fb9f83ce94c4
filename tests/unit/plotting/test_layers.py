"""The plain data of a picture."""

import numpy as np
import pytest

import rocwise as rw
from rocwise.plotting.layers import Axis, Band, Label, Line, Picture, Points, Whiskers
from rocwise.plotting.recording import record

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
    recording = record(Picture(layers, UNIT, UNIT, caption=("One.", "Two.")))
    assert [stroke.layer for stroke in recording.strokes] == list(layers)
    assert recording.legend == ["band", "dot"]
    assert recording.caption == "One. Two."
