"""Plots in figures of the user: everything keeps to its axes, and plots add up."""

import numpy as np
import pytest
from matplotlib import pyplot
from matplotlib.colors import to_hex

import rocwise as rw
from rocwise.plotting.matplotlib_backend.layout import FOOTER_MARK
from rocwise.plotting.theme import COLORS
from unit.plotting.drawn_results import MAKE, OTHER, S, Y

GRIDS = [
    ["RocCurve", "AucIntervals", "AbstentionSurface", "ThresholdTable", "Band", "PointsTable"],
    [
        "CostCurve",
        "DecisionCurve",
        "MulticlassRoc",
        "MulticlassAuc",
        "FilterResult",
        "AbstentionWindow",
    ],
]


@pytest.mark.parametrize("kinds", GRIDS)
def test_a_constrained_grid_has_no_overlaps(kinds):
    figure, grid = pyplot.subplots(2, 3, figsize=(10, 6.6), layout="constrained")
    for kind, ax in zip(kinds, grid.ravel(), strict=True):
        MAKE[kind]().plot(ax=ax)
    figure.canvas.draw()
    boxes = [ax.get_tightbbox() for ax in grid.ravel()]
    for place, box in enumerate(boxes):
        assert np.all(box.min >= -1), kinds[place]
        assert np.all(box.max <= figure.bbox.max + 1), kinds[place]
        for other in range(place):
            overlap = np.minimum(box.max, boxes[other].max) - np.maximum(box.min, boxes[other].min)
            assert overlap.min() < 1.0, (kinds[place], kinds[other])
    inner = grid[0, 0].get_window_extent()
    assert inner.width > 0.16 * figure.bbox.width, "the axes keep most of their place"


@pytest.mark.parametrize("kinds", GRIDS)
def test_without_a_layout_legend_and_words_stay_on_the_axes(kinds):
    figure, grid = pyplot.subplots(2, 3, figsize=(10, 6.6))
    for kind, ax in zip(kinds, grid.ravel(), strict=True):
        MAKE[kind]().plot(ax=ax)
    figure.canvas.draw()
    for kind, ax in zip(kinds, grid.ravel(), strict=True):
        inside = ax.get_window_extent()
        legend = ax.get_legend()
        pieces = [text.get_window_extent() for text in ax.texts if text.get_text()]
        pieces += [] if legend is None else [legend.get_window_extent()]
        for box in pieces:
            assert np.all(box.min >= inside.min - 2), kind
            assert np.all(box.max <= inside.max + 2), kind


def test_a_caption_is_written_on_your_axes_only_on_request():
    _, (left, right) = pyplot.subplots(1, 2, layout="constrained")
    table = MAKE["Band"]()
    table.plot(ax=left)
    table.plot(ax=right, caption=True)
    found = [[text for text in ax.texts if hasattr(text, FOOTER_MARK)] for ax in (left, right)]
    assert [len(texts) for texts in found] == [0, 1]


def test_a_band_joins_its_curve_in_words_colour_and_legend():
    _, ax = pyplot.subplots()
    tally = rw.tally(Y, S)
    rw.roc(tally).plot(ax=ax, name="marker", axis="clinical")
    rw.band(tally, kind="joint-regions").plot(ax=ax, name="marker")
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("1 − specificity", "Sensitivity")
    curves = [line for line in ax.lines if len(line.get_xdata()) > 2]
    (area,) = ax.collections
    assert len(curves) == 1
    assert to_hex(area.get_facecolor()[0]).upper() == to_hex(curves[0].get_color()).upper()
    words = [text.get_text() for text in ax.get_legend().get_texts()]
    assert sum("marker" in entry for entry in words) == 1
    rw.roc(Y, OTHER).plot(ax=ax, name="other")
    drawn = [line for line in ax.lines if len(line.get_xdata()) > 2]
    assert [to_hex(line.get_color()).upper() for line in drawn] == list(COLORS[:2])


def test_words_and_limits_of_the_user_stay():
    _, ax = pyplot.subplots()
    rw.roc(Y, S).plot(ax=ax, name="a")
    ax.set_xlabel("mine")
    ax.set_xlim(0, 0.2)
    rw.roc(Y, OTHER).plot(ax=ax, name="b")
    assert (ax.get_xlabel(), ax.get_xlim()) == ("mine", (0, 0.2))


def test_a_plot_of_other_axes_raises_and_the_first_stays():
    _, ax = pyplot.subplots()
    rw.roc(Y, S).plot(ax=ax)
    n_lines = len(ax.lines)
    with pytest.raises(rw.InputError, match="cannot share one plot"):
        rw.precision_recall(Y, S).plot(ax=ax)
    assert len(ax.lines) == n_lines
    ax.clear()
    rw.precision_recall(Y, S).plot(ax=ax)
    assert ax.get_xlabel() == "Recall"


@pytest.mark.parametrize("width", ["column", "page", "slide"])
@pytest.mark.parametrize("kind", ["MulticlassRoc", "OrdinalThresholds", "AbstentionSurface"])
def test_a_figure_of_ours_holds_all_of_it(kind, width):
    ax = MAKE[kind]().plot(width=width)
    ax.figure.canvas.draw()
    box, outer = ax.figure.get_tightbbox(), ax.figure.get_size_inches()
    assert np.all(box.min >= -0.02)
    assert np.all(box.max <= outer + 0.02)
