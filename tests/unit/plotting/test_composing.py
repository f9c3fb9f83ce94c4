"""Options, names and several results in one plot."""

import numpy as np
import pytest

import rocwise as rw
from rocwise.plotting import compose, plot, plot_of
from rocwise.plotting.registry import function_for
from rocwise.plotting.spec import Axis, Label, Line, PlotSpec
from rocwise.plotting.theme import COLORS, MUTED_COLOR
from unit.plotting.scored_cases import DISTINCT_SCORES, LABELS, TIED_SCORES


@pytest.fixture(name="curve")
def a_curve():
    return rw.roc(LABELS, DISTINCT_SCORES)


def looks_of_models(recording):
    return [stroke.look for stroke in recording.strokes if stroke.layer.label]


def test_models_differ_in_colour_and_in_dash(curve):
    looks = looks_of_models(plot(dict.fromkeys("abcde", curve), backend="none"))
    assert [look.color for look in looks] == list(COLORS[:5])
    assert len({look.dash for look in looks}) == 5


def test_the_chance_line_is_drawn_once_and_below(curve):
    lines = plot(dict.fromkeys("abc", curve), backend="none").layers(Line)
    assert [line.role for line in lines] == ["reference", "model", "model", "model"]


def test_more_than_five_models_leave_the_others_grey(curve):
    recording = plot(dict.fromkeys("abcdefgh", curve), backend="none")
    assert sorted(recording.legend) == sorted(
        [*(f"{name}, AUC {curve.auc:.2f}" for name in "abcde"), "3 others"]
    )
    grey = [stroke for stroke in recording.strokes if stroke.look.color == MUTED_COLOR]
    assert len(grey) == 3


def test_highlight_picks_the_coloured_ones(curve):
    recording = plot(dict.fromkeys("abc", curve), highlight=["c", "a"], backend="none")
    area = f"AUC {curve.auc:.2f}"
    assert sorted(recording.legend) == ["1 other", f"a, {area}", f"c, {area}"]
    assert {look.color for look in looks_of_models(recording)} == {*COLORS[:2], MUTED_COLOR}


def test_a_curve_and_its_hull_share_a_plot(curve):
    recording = plot({"m": curve, "its": rw.hull(LABELS, DISTINCT_SCORES)}, backend="none")
    assert recording.legend[0].startswith("m, AUC")
    assert recording.legend[1].startswith("its hull, AUC")


def test_plots_with_other_axes_do_not(curve):
    other = rw.precision_recall(LABELS, DISTINCT_SCORES)
    with pytest.raises(rw.InputError, match=r"'False positive rate'.*'Recall'.*Draw them apart"):
        compose({"a": curve, "b": other})


def test_captions_are_not_repeated():
    tied = rw.roc(LABELS, TIED_SCORES)
    assert len(compose({"a": tied, "b": tied}).caption) == 1
    assert not compose(tied).captioned
    assert compose(tied, caption=True).captioned


def test_title_and_name(curve):
    spec = compose(curve, title="Trial", name="m")
    assert spec.title == "Trial"
    assert spec.layers[-1].label == f"m, AUC {curve.auc:.2f}"
    assert compose(curve, name="").layers[-1].label == f"AUC {curve.auc:.2f}"


def test_the_name_of_the_data_is_the_default_name():
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"y": LABELS, "marker": DISTINCT_SCORES})
    curve = rw.roc(frame, label="y", score="marker")
    assert compose(curve).layers[-1].label.startswith("marker, AUC")
    assert compose(curve, name="own").layers[-1].label.startswith("own, AUC")


def test_colours(curve):
    assert compose(curve, color="red").layers[-1].color == "red"
    assert compose(curve, color="red").layers[0].color is None
    two = compose({"a": curve, "b": curve}, color={"b": "red"})
    assert [layer.color for layer in two.layers] == [None, None, "red"]


def test_a_dict_gives_each_model_its_own_option(curve):
    recording = plot({"a": curve, "b": curve}, threshold_labels={"b": [0.5]}, backend="none")
    (label,) = recording.layers(Label)
    assert (label.text, label.slot) == ("0.5", 1)


@pytest.mark.parametrize(
    ("results", "options", "message"),
    [
        ("one", {"colour": "red"}, "`colour` is not an option of this plot. Its options are: a"),
        ("one", {"metrics": "f1"}, "`metrics` is not an option"),
        ("one", {"highlight": ["a"]}, "`highlight` picks among several"),
        ("one", {"color": {"a": "red"}}, "`color` must be one color"),
        ("two", {"color": "red"}, "`color` must be {name: color}"),
        ("two", {"color": {"c": "red"}}, "`color` names 'c', which is not among the results: 'a'"),
        ("two", {"highlight": ["c"]}, "`highlight` names 'c'"),
        ("two", {"threshold_labels": {"c": 3}}, "`threshold_labels` names 'c'"),
        ("two", {"name": "c"}, "`name` is for one result"),
        ("none", {}, "`results` is empty"),
        ("number", {}, "keys of `results` must be names"),
        ("text", {}, "`results` has a str, for which there is no plot"),
    ],
)
def test_what_cannot_be_drawn_raises_a_message(curve, results, options, message):
    data = {
        "one": curve,
        "two": {"a": curve, "b": curve},
        "none": {},
        "number": {1: curve},
        "text": "curve",
    }[results]
    with pytest.raises(rw.InputError, match=message):
        compose(data, **options)


def test_a_new_result_gets_a_plot_by_the_name_of_its_class():
    class Slope:
        pass

    class Steeper(Slope):
        pass

    with pytest.raises(rw.InputError, match="has a Slope, for which there is no plot"):
        function_for(Slope())

    @plot_of("Slope")
    def slope_plot(result, *, name=None, rise=1.0):
        line = Line(np.array([0.0, 1.0]), np.array([0.0, rise]), label=name)
        return PlotSpec((line,), Axis("x", (0, 1)), Axis("y", (0, rise)))

    assert function_for(Steeper()) is slope_plot
    recording = plot({"a": Slope(), "b": Steeper()}, rise=3.0, backend="none")
    assert recording.legend == ["a", "b"]
    assert recording.spec.y.limits == (0, 3.0)
    with pytest.raises(rw.InputError, match=r"`fall` is not an option .* name, rise, title"):
        compose(Slope(), fall=2)
