"""What every command does with its results."""

import json
import re
from argparse import Namespace

import pytest

import rocwise as rw
from rocwise.cli.output import Output, run_and_print
from rocwise.errors import InputError

CURVE = rw.roc([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])


def never(results):
    raise AssertionError("made although it was not requested")


def returning(results):
    return lambda options: results


def wanted(*, as_json=False, plot=None):
    path = None if plot is None else str(plot)
    plot = {"plot": path, "plot_title": None, "plot_width": None}
    return Namespace(json=as_json, command="roc", require=None, score=["a"], **plot)


def test_a_heading_and_the_table(capsys):
    run_and_print(
        wanted(), returning(Output({"a": CURVE}, lambda results: "table", heading="file"))
    )
    run_and_print(wanted(), returning(Output({"a": CURVE}, lambda results: "alone")))
    assert capsys.readouterr().out == "file\n\ntable\nalone\n"


def test_json_makes_no_table(capsys):
    results = Output({"a": CURVE}, never, of_each={"a": {"more": 1}}, of_all={"subplots": 2})
    run_and_print(wanted(as_json=True), returning(results))
    found = json.loads(capsys.readouterr().out)
    assert (found["kind"], found["command"], found["subplots"]) == ("Output", "roc", 2)
    assert (found["results"]["a"]["kind"], found["results"]["a"]["more"]) == ("RocCurve", 1)


def test_the_plot_of_the_results_or_another(tmp_path):
    pytest.importorskip("matplotlib")
    own, other = tmp_path / "own.svg", tmp_path / "other.svg"
    run_and_print(wanted(plot=own), returning(Output({"mine": CURVE}, str)))
    drawn = Output({"mine": CURVE}, str, plot=lambda: ({"other": CURVE}, {"title": "Title"}))
    run_and_print(wanted(plot=other), returning(drawn))
    assert "mine" in own.read_text(encoding="utf-8")
    text = other.read_text(encoding="utf-8")
    assert "Title" in text
    assert "mine" not in text


def test_an_invalid_path_raises_before_the_computation(tmp_path):
    def work(options):
        raise AssertionError("requested before the path was looked at")

    with pytest.raises(InputError, match="must end in one of"):
        run_and_print(wanted(plot=tmp_path / "x.gif"), work)


def test_the_width_and_the_title_of_a_plot(run, tmp_path):
    pytest.importorskip("matplotlib")
    words = ("bounds", "--fpr", 0.2, "--tpr", 0.8)
    sizes = []
    for width in ("column", "page"):
        path = tmp_path / f"{width}.svg"
        done = run(
            *words, "--plot", path, "--plot-width", width, "--plot-title", "Reported <point>"
        )
        assert (done.code, done.err) == (0, f"wrote {path}\n")
        text = path.read_text(encoding="utf-8")
        assert "Reported &lt;point&gt;" in text
        sizes.append(float(re.search(r'width="([\d.]+)pt"', text)[1]))
    assert sizes[1] > 1.5 * sizes[0]


@pytest.mark.parametrize("words", [("--plot-title", "x"), ("--plot-width", "page")])
def test_plot_options_without_a_plot_raise(run, words):
    done = run("bounds", "--fpr", 0.2, "--tpr", 0.8, *words)
    assert (done.code, done.out) == (2, "")
    assert done.err == f"error: {words[0]} is about the plot; add --plot PATH.\n"


ONE = ("--label", "ill", "--score", "a")
BOTH = (*ONE, "--score", "b")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("roc", *BOTH), "FPR"),
        (("compare", *BOTH), "against b"),
        (("thresholds", *ONE), "convex hull"),
        (("threshold", *BOTH, "--rule", "youden"), "b: positive when"),
        (("reliable", *ONE, "--positive", 0.9, "--negative", 0.95), "positive if"),
        (("segment", *BOTH, "--view", "plane"), "Tango"),
        (("segment", *BOTH, "--view", "intervals"), "Tango"),
        (("band", *BOTH, "--kind", "future", "--resamples", 50), "b: area"),
    ],
)
@pytest.mark.parametrize(("ending", "start"), [("svg", b"<?xml"), ("png", b"\x89PNG")])
def test_plots_of_commands(run, scores, tmp_path, words, message, ending, start):
    pytest.importorskip("matplotlib")
    path = tmp_path / f"plot.{ending}"
    command, *options = words
    code, out, err = run(command, scores.path, *options, "--plot", path)
    assert (code, err) == (0, f"wrote {path}\n")
    assert message in out
    assert path.read_bytes().startswith(start)
