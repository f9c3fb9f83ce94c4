"""Every plot of the gallery as it is drawn: titles, texts, legends."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from matplotlib.collections import PolyCollection

import rocwise as rw
from rocwise.plotting import compose
from rocwise.plotting.matplotlib_backend.figure import draw_figure
from rocwise.plotting.matplotlib_backend.layout import FOOTER_MARK
from rocwise.plotting.spec import Band, Label, Points
from unit.plotting.drawn_results import MAKE, OTHER, S, Y, layers

LONG = {
    "logistic regression with all variables": S,
    "random forest of five hundred trees": OTHER,
    "a very long name of a gradient boosting model 2024": S + OTHER,
}


@pytest.mark.parametrize("name", MAKE)
def test_axis_titles_have_one_line_inside_the_figure(name):
    figure = draw_figure(compose(MAKE[name]()))
    (ax, *_) = figure.axes
    for title in filter(lambda label: label.get_text(), (ax.xaxis.label, ax.yaxis.label)):
        assert "\n" not in title.get_text()
        box = title.get_window_extent()
        assert np.all(box.min >= -0.5), title
        assert np.all(box.max <= figure.bbox.max + 0.5), title
    texts = [] if compose(MAKE[name]()).table else ax.texts
    assert not [text for text in texts if hasattr(text, FOOTER_MARK)], "no caption"


@pytest.mark.parametrize("width", ["column", "page"])
@pytest.mark.parametrize("made", ["rows", "pairs", "points"])
def test_name_bar_and_number_of_a_row_are_at_one_height_or_the_name_is_above(made, width):
    result = {
        "rows": lambda: {name: rw.auc(Y, scores) for name, scores in LONG.items()},
        "pairs": lambda: rw.compare(Y, LONG),
        "points": lambda: rw.at(Y, S, threshold=[0.0, 1.0]),
    }[made]()
    spec = compose(result)
    figure = draw_figure(spec, width=width)
    (ax,) = figure.axes
    heights = {tick.text: tick.position for tick in spec.right_ticks}
    written = {text.get_text(): text for text in ax.texts}
    for number, height in heights.items():
        box = written[number].get_window_extent()
        row = ax.transData.transform((0, height))[1]
        assert (box.y0 + box.y1) / 2 == pytest.approx(row, abs=3)
        assert box.x0 >= ax.get_window_extent().x1
        assert box.x1 <= figure.bbox.x1
    rows = [ax.transData.transform((0, each.position))[1] for each in spec.y.ticks]
    above = [text for text in ax.texts if text.get_text() not in heights]
    names = above or ax.get_yticklabels()
    assert len(names) == len(rows)
    if (made, width) == ("points", "column"):
        assert names[0].get_text() == "sensitivity\nat 0"
    for name, row in zip(names, rows, strict=True):
        box = name.get_window_extent()
        if above:
            assert box.y0 > row + 2
            assert made != "rows" or box.y0 < row + 12, "nearest to its own interval"
        else:
            assert (box.y0 + box.y1) / 2 == pytest.approx(row, abs=3)
            assert box.x1 < ax.get_window_extent().x0
        assert box.x0 >= 0
        assert box.x1 <= figure.bbox.x1


def test_texts_of_ticks_and_labels_stay_apart_in_any_resolution():
    spec = compose(rw.compare(Y, {"new marker": S, "other": OTHER}))
    figure = draw_figure(replace(spec, x=replace(spec.x, limits=(-0.195, -0.002))))
    (ax,) = figure.axes
    boxes = [text.get_window_extent() for text in ax.get_xticklabels() if text.get_text()]
    assert len(boxes) > 1
    assert all(b.x0 - a.x1 > 0.3 * b.height for a, b in pairwise(boxes))
    figure = draw_figure(compose(rw.roc(Y, S), band="pointwise", point="youden"))
    (ax,) = figure.axes
    for dpi in (72, 100, 150, 300):
        figure.set_dpi(dpi)
        figure.canvas.draw()
        inside = ax.get_window_extent()
        for text in ax.texts:
            box = text.get_window_extent()
            assert inside.x0 <= box.x0 <= box.x1 <= inside.x1


def test_bands_of_one_kind_have_one_gray_entry_and_others_their_names():
    curves = {name: rw.roc(Y, scores) for name, scores in LONG.items()}
    labels = [band.label for band in layers(compose(curves, band="pointwise"), Band)]
    assert labels == [None, None, None, "95% pointwise band"]
    first, second, third = LONG
    kinds = {first: "pointwise", second: "joint-regions", third: "pointwise"}
    named = [band.label for band in layers(compose(curves, band=kinds), Band)]
    assert named == [
        f"{first}, 95% pointwise band",
        f"{second}, 95% joint-regions band",
        f"{third}, 95% pointwise band",
    ]
    shown = draw_figure(compose(curves, band="pointwise")).axes[0].get_legend()
    texts = [text.get_text() for text in shown.get_texts()]
    assert sum("band" in text for text in texts) == 1


def test_all_equally_good_thresholds_are_marked():
    y, s = [0, 1, 0, 1], [1, 2, 3, 4]
    point = rw.threshold(y, s, rule="youden")
    assert point.equals.tolist() == [4, 2]
    for spec in (compose(point), compose(rw.roc(y, s), point="youden")):
        marks = [(mark.x[0], mark.y[0]) for mark in layers(spec, Points)]
        assert marks == [(0, 0.5), (0.5, 1)]
        texts = [label.text.split("\n")[0] for label in layers(spec, Label)]
        assert texts == ["≥ 4", "≥ 2"]


def test_the_two_classes_of_a_histogram_differ_in_gray():
    figure = draw_figure(compose(rw.threshold(Y, S, rule="youden"), view="scores"))
    legend = figure.axes[0].get_legend()
    assert [text.get_text() for text in legend.get_texts()] == ["negatives", "positives"]
    plain, hatched = (handle.get_hatch() for handle in legend.legend_handles)
    assert (plain, bool(hatched)) == (None, True)
    areas = [a for a in figure.axes[0].collections if isinstance(a, PolyCollection)]
    assert [bool(area.get_hatch()) for area in areas] == [False, True]


def test_entries_of_curves_are_broken_all_or_none():
    named = {"short": rw.roc(Y, S), "a model of a longer name": rw.roc(Y, OTHER)}
    legend = draw_figure(compose(named, auc=True)).axes[0].get_legend()
    assert [text.get_text().count("\n") for text in legend.get_texts()] == [1, 1]
    alone = draw_figure(compose({"short": rw.roc(Y, S)}, auc=True)).axes[0].get_legend()
    assert "\n" not in alone.get_texts()[0].get_text()


def test_partial_areas_have_the_words_of_the_axes():
    (ml,) = layers(compose(rw.roc(Y, S), shade=0.2), Band)
    (clinical,) = layers(compose(rw.roc(Y, S), shade=0.2, axis="clinical"), Band)
    assert ml.label.startswith("Partial AUC over FPR 0 to 0.2: ")
    assert clinical.label.startswith("Partial AUC over specificity 0.8 to 1: ")
    area = rw.auc(Y, S, tpr_range=(0.5, 1.0))
    (upper,) = layers(compose(area, axis="clinical"), Band)
    assert upper.label.startswith("Partial AUC over sensitivity 0.5 to 1: ")


def test_labels_of_several_curves_have_one_line_and_those_of_one_curve_its_rates():
    alone = layers(compose(rw.roc(Y, S), point="youden"), Label)
    several = layers(compose({"a": rw.roc(Y, S), "b": rw.roc(Y, OTHER)}, point="youden"), Label)
    assert all("sens." in label.text for label in alone)
    assert not any("\n" in label.text for label in several)
