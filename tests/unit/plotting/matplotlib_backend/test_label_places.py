"""Texts next to points hide no curve: they keep a distance, or have a thin rim."""

import numpy as np
import pytest
from matplotlib.patheffects import withStroke

import rocwise as rw
from rocwise.plotting import plot
from rocwise.plotting.matplotlib_backend.figure import draw
from rocwise.plotting.matplotlib_backend.layout import length_inside
from rocwise.plotting.spec import Axis, Label, Line, PlotSpec

UNIT = Axis("x", (0, 1))


def texts_of(ax):
    return [text for text in ax.texts if text.get_text()]


def length_under(text, ax):
    box = text.get_window_extent()
    edges = np.array([box.x0, box.y0, box.x1, box.y1])
    joined = [line for line in ax.lines if line.get_linestyle() != "None"]
    paths = [line.get_transform().transform(line.get_path().vertices) for line in joined]
    return sum(length_inside(path[:-1], path[1:], edges) for path in paths)


def rims(text):
    return [each for each in text.get_path_effects() if isinstance(each, withStroke)]


def test_threshold_labels_of_three_models_have_no_box_and_cover_no_curve():
    rng = np.random.default_rng(1)
    y = np.arange(400) % 2
    score = rng.normal(size=400) + 1.2 * y
    models = {name: score + 0.3 * k * rng.normal(size=400) for k, name in enumerate("abc")}
    ax = plot(
        {name: rw.roc(y, each) for name, each in models.items()},
        threshold_labels=4,
        chance=False,
    )
    ax.figure.canvas.draw()
    assert len(texts_of(ax)) == 12
    for text in texts_of(ax):
        assert text.get_bbox_patch() is None
        assert length_under(text, ax) == 0 or rims(text)
    assert sum(length_under(text, ax) > 0 for text in texts_of(ax)) <= 1


@pytest.mark.parametrize("side", ["below-right", "below-left", "above-left", "above-right"])
def test_a_text_that_would_cover_a_curve_goes_to_another_side(side):
    rise = {"right": 1, "left": -1}[side.split("-")[1]] * (1 if side.startswith("above") else -1)
    x = np.array([0.0, 1.0])
    across = Line(x, 0.5 + rise * (x - 0.5))  # straight through the text on that side
    ax = draw(PlotSpec((across, Label(0.5, 0.5, "0.1234", side)), UNIT, UNIT))
    (text,) = texts_of(ax)
    assert length_under(text, ax) == 0
    assert not rims(text)
