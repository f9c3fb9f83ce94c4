"""The results of `by=`: all groups in one plot, or side by side."""

import numpy as np
import pytest

import rocwise as rw
from rocwise.plotting import plot, save
from rocwise.plotting.spec import Line, Points, Whiskers
from unit.plotting.drawn_results import S, Y

GROUPS = np.array(["south", "north", "west"])[np.arange(60) // 2 % 3]


def test_curves_of_groups_share_a_square():
    result = rw.roc(Y, S, by=GROUPS)
    recording = result.plot(backend="none")
    assert [entry.split(",")[0] for entry in recording.legend] == ["north", "south", "west"]
    lines = [line for line in recording.layers(Line) if line.role == "model"]
    assert [line.slot for line in lines] == [0, 1, 2]
    for line, group in zip(lines, result.groups, strict=True):
        assert line.y.tolist() == result[group].tpr.tolist()


def test_areas_of_groups_are_rows_below_each_other():
    result = rw.auc(Y, S, by=GROUPS)
    recording = result.plot(backend="none")
    ticks = sorted(recording.spec.y.ticks, key=lambda tick: -tick.position)
    assert [tick.text for tick in ticks] == ["north", "south", "west"]
    assert recording.spec.rows == 3
    for row, (whiskers, group) in enumerate(
        zip(recording.layers(Whiskers), result.groups, strict=True)
    ):
        assert whiskers.y.tolist() == [2 - row]
        assert (whiskers.low[0], whiskers.high[0]) == tuple(result[group].interval)


def test_groups_of_several_models_are_printed_and_drawn_by_model():
    result = rw.auc(Y, {"a": S, "b": np.square(S)}, by=GROUPS)
    lines = str(result).splitlines()
    assert [line for line in lines if not line.startswith("  ")] == ["a:", "b:"]
    assert lines[1] == f"  group north: {result['a']['north']}"
    ticks = sorted(result.plot(backend="none").spec.y.ticks, key=lambda tick: -tick.position)
    names = [f"{name}, {group}" for name in "ab" for group in ("north", "south", "west")]
    assert [tick.text for tick in ticks] == names


def test_groups_that_are_numbers_are_named_by_them():
    result = rw.threshold(Y, S, rule="youden", by=np.arange(60) // 30)
    recording = result.plot(backend="none", view="measure")
    assert len(recording.layers(Points)) == 2
    assert recording.legend == ["0", "1"]
    assert result.plot(backend="none", color={"1": "#112233"}).strokes[-1].look.color == "#112233"


def test_groups_side_by_side(tmp_path):
    result = rw.roc(Y, S, by=GROUPS)
    recordings = result.plot(backend="none", subplots=True)
    assert [recording.spec.title for recording in recordings] == ["north", "south", "west"]
    assert save(result, tmp_path / "one.svg").stat().st_size > 1000
    assert save(result, tmp_path / "subplots.svg", subplots=True).stat().st_size > 1000
    with pytest.raises(rw.InputError, match=r"`title` is for one plot; got 'all'"):
        result.plot(backend="none", subplots=True, title="all")


def test_the_error_of_a_result_without_a_plot_names_its_class():
    result = rw.brier(Y, (S - S.min()) / np.ptp(S), by=GROUPS)
    with pytest.raises(rw.InputError, match="`results` has a float, for which there is no"):
        plot(result, backend="none")
