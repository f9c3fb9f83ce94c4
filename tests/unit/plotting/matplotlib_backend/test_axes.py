"""Plots on matplotlib axes: theme, layout, and good manners towards the user's settings."""

import sys

import matplotlib
import numpy as np
import pytest
from matplotlib import pyplot
from matplotlib.colors import to_hex

import rocwise as rw
from rocwise.plotting import plot
from rocwise.plotting.matplotlib_backend.figure import draw_figure
from rocwise.plotting.spec import Axis, PlotSpec
from rocwise.plotting.theme import COLORS
from unit.plotting.scored_cases import DISTINCT_SCORES, LABELS, TIED_SCORES


def simulated(shift, n=150, seed=0):
    rng = np.random.default_rng(seed)
    labels = np.arange(n) % 2
    return labels, rng.normal(size=n) + shift * labels


@pytest.fixture(name="curve")
def a_curve():
    return rw.roc(*simulated(1.2))


FUNCTIONS = {
    "roc": lambda shift: rw.roc(*simulated(shift)),
    "hull": lambda shift: rw.hull(*simulated(shift)),
    "precision_recall": lambda shift: rw.precision_recall(*simulated(shift)),
    "det": lambda shift: rw.det(*simulated(shift)),
    "thresholds": lambda shift: rw.thresholds(*simulated(shift)),
    "auc": lambda shift: rw.auc(*simulated(shift)),
}


def test_settings_come_back_even_after_an_error(curve, settings_of_the_user):
    with pytest.raises(rw.InputError, match="`color` must be a color"):
        plot(curve, color="no such colour")
    assert dict(matplotlib.rcParams) == settings_of_the_user
    assert pyplot.get_fignums() == []


@pytest.mark.parametrize("function", FUNCTIONS)
@pytest.mark.parametrize("width", ["column", "page", "slide"])
def test_nothing_is_cut_off(function, width):
    ax = plot(FUNCTIONS[function](0.8), width=width, title="A title", name="A model of some name")
    figure = ax.figure
    figure.canvas.draw()
    outer, inner = figure.bbox, figure.get_tightbbox().transformed(figure.dpi_scale_trans)
    assert outer.x0 - 1 <= inner.x0 < inner.x1 <= outer.x1 + 1
    assert outer.y0 - 1 <= inner.y0 < inner.y1 <= outer.y1 + 1
    largest = {"column": 85, "page": 180, "slide": 254}[width]
    square = ax.get_box_aspect() == 1
    assert figure.get_figwidth() * 25.4 <= largest + 1e-6
    assert square or figure.get_figwidth() * 25.4 == pytest.approx(largest)
    for blank in (outer.height - inner.height, outer.width - inner.width):
        assert blank / figure.dpi * 25.4 < 6, "millimetres of empty paper"


@pytest.mark.parametrize("shifts", [[1.2], [1.2, 0.8, 0.3], [0.0, 0.1], [2.5, 0.2, 0.4, 0.6, 1.0]])
@pytest.mark.parametrize("function", ["roc", "precision_recall", "det", "thresholds"])
@pytest.mark.filterwarnings("ignore::rocwise.errors.DirectionWarning")
def test_the_legend_covers_no_curve(function, shifts):
    models = {f"model number {k}": FUNCTIONS[function](s) for k, s in enumerate(shifts)}
    ax = plot(models)
    ax.figure.canvas.draw()
    box = ax.get_legend().get_window_extent()
    for line in ax.lines:
        if line.get_color() in COLORS:
            points = ax.transData.transform(_dense(line))
            inside = np.all((points > box.min + 1) & (points < box.max - 1), axis=1)
            assert not inside.any(), line.get_label()


def _dense(line):
    """Many points along the drawn line, so that no piece of it slips through the box."""
    x, y = line.get_xydata().T
    at = np.linspace(0, len(x) - 1, 40 * len(x))
    return np.column_stack((np.interp(at, np.arange(len(x)), x), np.interp(at, range(len(y)), y)))


@pytest.mark.parametrize("function", ["roc", "hull", "precision_recall", "det"])
def test_curves_of_two_rates_are_drawn_in_a_square(function):
    ax = plot(FUNCTIONS[function](0.8), name="m")
    ax.figure.canvas.draw()
    box = ax.get_window_extent()
    assert box.width == pytest.approx(box.height, rel=0.002)


def test_the_theme(curve):
    ax = plot({"a": curve, "b": curve})
    assert ax.get_xlim() == ax.get_ylim() == (-0.015, 1.015)
    assert [name for name, spine in ax.spines.items() if not spine.get_visible()] == [
        "right",
        "top",
    ]
    chance, first, second = ax.lines
    assert (first.get_linewidth(), to_hex(first.get_color()).upper()) == (1.4, COLORS[0])
    assert first.get_linestyle() == "-"
    assert second.get_linestyle() == chance.get_linestyle() == "--"
    assert ax.xaxis.label.get_fontsize() == ax.get_xticklabels()[0].get_fontsize() == 8
    assert len(chance.get_xdata()) == 2


def test_a_probit_axis_puts_rates_at_their_deviates():
    ax = plot(rw.det(*simulated(0.8)))
    middle, upper, top = ax.transData.transform(
        [(0.5, 0.5), (0.8413447461, 0.5), (0.97724987, 0.5)]
    )
    assert top[0] - upper[0] == pytest.approx(upper[0] - middle[0], rel=1e-6)
    texts = [label.get_text() for label in ax.get_xticklabels()]
    assert {"5", "20", "50", "80", "95"} <= set(texts)


def test_your_axes_are_used_and_keep_their_font(curve):
    with matplotlib.rc_context({"font.size": 16, "font.family": "serif"}):
        figure, ax = pyplot.subplots(figsize=(5, 5))
        size = figure.get_size_inches().tolist()
        assert plot(curve, ax=ax) is ax
        assert curve.plot(ax=ax) is ax
        assert ax.xaxis.label.get_fontsize() == 16
        assert ax.get_legend().get_texts()[0].get_fontname() == "DejaVu Serif"
        assert figure.get_size_inches().tolist() == size
    assert pyplot.get_fignums() == [figure.number]


def test_a_second_model_on_the_same_axes_takes_the_next_colour():
    figure, ax = pyplot.subplots(layout="constrained")
    ax.plot([0, 1], [1, 0], label="own line")
    for name, scores in (("one", DISTINCT_SCORES), ("two", TIED_SCORES), ("three", TIED_SCORES)):
        rw.roc(LABELS, scores).plot(ax=ax, name=name)
    colors = [to_hex(line.get_color()).upper() for line in ax.lines]
    assert [color for color in colors if color in COLORS] == list(COLORS[:3])
    diagonals = [line for line in ax.lines if list(line.get_ydata()) == [0, 1]]
    assert len(diagonals) == 1
    entries = [text.get_text() for text in ax.get_legend().get_texts()]
    assert [entry.split(",")[0] for entry in entries] == ["own line", "one", "two", "three"]
    assert figure.axes == [ax]


@pytest.mark.parametrize("name", ["_hidden", "$x", r"$\frac$", "</svg><b>", "a\nb", "50% & #1"])
def test_names_are_taken_literally(curve, name):
    ax = plot({name: curve, "other": curve})
    ax.figure.canvas.draw()
    first, second = ax.get_legend().get_texts()
    assert first.get_text().startswith(f"{name}, AUC")
    assert second.get_text().startswith("other, AUC")
    assert not first.get_parse_math()


def test_forest_rows_have_names_left_and_numbers_right():
    areas = {"first": rw.auc(*simulated(0.5)), "second": rw.auc(*simulated(1.0))}
    ax = plot(areas)
    ax.figure.canvas.draw()
    names = {label.get_text(): label.get_window_extent() for label in ax.get_yticklabels()}
    numbers = [text for text in ax.texts if " to " in text.get_text()]
    assert list(names) == ["first", "second"]
    assert names["first"].y0 > names["second"].y1
    for text, name in zip(numbers, names, strict=True):
        box = text.get_window_extent()
        assert box.x0 > ax.get_window_extent().x1
        assert box.y0 < (names[name].y0 + names[name].y1) / 2 < box.y1


def test_long_names_of_rows_are_above_intervals_and_numbers():
    names = ["World Federation of Neurological Surgeons grade at admission, first", "a" * 60]
    ax = plot({name: rw.auc(*simulated(0.5)) for name in names})
    ax.figure.canvas.draw()
    boxes = [(text.get_text(), text.get_bbox_patch().get_window_extent()) for text in ax.texts]
    numbers = [box for text, box in boxes if " to " in text]
    others = [box for text, box in boxes if " to " not in text]
    assert len(numbers) == len(others) == 2
    assert not any(one.overlaps(other) for one in numbers for other in others)


def test_legends_of_panels_break_no_word_and_cover_nothing(curve):
    panels = {name: rw.roc(*simulated(0.4)) for name in ("wfns", "s100b", "ndka")}
    axes = plot(panels, subplots=True, auc=True, band=True, point="youden")
    axes[0].figure.canvas.draw()
    paper = axes[0].figure.bbox
    for ax in axes:
        legend = ax.get_legend()
        texts = " ".join(text.get_text() for text in legend.get_texts())
        assert texts.endswith("95% simultaneous band")
        box = legend.get_window_extent()
        assert box.y1 < ax.xaxis.label.get_window_extent().y0
        assert paper.x0 <= box.x0 < box.x1 <= paper.x1
        assert paper.y0 <= box.y0


def test_wrong_axes_width_and_backend_raise(curve):
    with pytest.raises(rw.InputError, match="`ax` must be matplotlib axes"):
        plot(curve, ax="axes")
    with pytest.raises(rw.InputError, match="`width` must be one of 'column', 'page', 'slide'"):
        plot(curve, width="wide")
    with pytest.raises(rw.InputError, match="`width` must be one of"):
        draw_figure(PlotSpec((), Axis("x", (0, 1)), Axis("y", (0, 1))), width="wide")
    with pytest.raises(rw.InputError, match="`backend` must be one of 'matplotlib', 'none'"):
        plot(curve, backend="plotly")


def test_without_matplotlib_the_error_names_the_package(curve, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(rw.errors.MissingPackageError, match=r"pip install 'rocwise\[plot\]'"):
        plot(curve)
