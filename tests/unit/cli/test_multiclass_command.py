"""``rocwise multiclass``."""

import numpy as np
import pytest

import rocwise as rw
from unit.cli.command_runs import members, write_csv

SCORES = ("--score", "p0", "--score", "p1", "--score", "p2")
VERSUS = ("--versus", "q0", "--versus", "q1", "--versus", "q2")


@pytest.fixture
def models(tmp_path):
    rng = np.random.default_rng(3)
    y = rng.integers(0, 3, 120)
    F, G = (
        (z := rng.random((120, 3)) + lift * np.eye(3)[y]) / z.sum(axis=1, keepdims=True)
        for lift in (0.6, 0.2)
    )
    header = ["y", "p0", "p1", "p2", "q0", "q1", "q2"]
    return write_csv(tmp_path / "models.csv", header, y, *F.T, *G.T), y, F, G


def test_averages_pairs_comparison_and_operating_point(run, models):
    path, y, F, G = models
    costs = "0,1,4;2,0,3;7,1,0"
    code, out, err = run("multiclass", path, "--label", "y", *SCORES, *VERSUS, "--costs", costs)
    assert (code, err) == (0, "")
    for average in ("hand-till", "ovr", "ovr-weighted", "ovo-weighted"):
        result = rw.multiclass.auc(y, F, average=average)
        assert f"{result.value:.3f}  {result.interval.low:.3f} to" in out
    pairwise = rw.multiclass.auc(y, F).pairwise
    assert f"{pairwise[0, 1]:.3f}" in out
    compared = rw.multiclass.compare(y, {"a": F, "b": G})
    assert f"difference {compared.difference:.3f}" in out
    weights = rw.multiclass.class_weights(y, F, costs=[[0, 1, 4], [2, 0, 3], [7, 1, 0]])
    assert f"expected cost {weights.cost:.4g}" in " ".join(out.split())


def test_json_holds_all_that_the_screen_shows(run, models):
    path, y, F, G = models
    words = ("--label", "y", *SCORES, *VERSUS, "--average", "ovr", "--costs", "0,1,1;1,0,1;1,1,0")
    document = members(run("multiclass", path, *words, "--json").out)
    result = rw.multiclass.auc(y, F, average="ovr")
    assert document["averages"]["ovr"]["value"] == pytest.approx(result.value)
    assert document["value"] == document["averages"]["ovr"]["value"]
    assert document["averages"]["ovr"]["standard_error"] == pytest.approx(result.standard_error)
    assert document["averages"]["hand-till"]["pairwise"][0][0] is None
    expected = rw.multiclass.compare(y, {"a": F, "b": G}, average="ovr")
    assert document["comparison"]["p_value"] == pytest.approx(expected.p_value)
    assert len(document["operating_point"]["weights"]) == 3
    plain = members(run("multiclass", path, "--label", "y", *SCORES, "--json").out)
    assert plain["comparison"] is None
    assert plain["operating_point"] is None


def test_labels_by_name(run, table_of):
    path = table_of("kind,a,e,o", "ash,.7,.2,.1", "ash,.4,.3,.3", "elm,.3,.4,.3", "elm,.5,.3,.2",
                    "oak,.2,.3,.5", "oak,.3,.3,.4")  # fmt: skip
    start = ("multiclass", path, "--label", "kind", "--score", "a", "--score", "e", "--score", "o")
    code, out, _ = run(*start, "--classes", "ash", "elm", "oak")
    assert code == 0
    assert "2 of ash, 2 of elm, 2 of oak" in out
    code, _, err = run(*start)
    assert code == 2
    assert "column 'kind' contains 'ash', 'elm', 'oak'" in err
    code, _, err = run(*start, "--classes", "ash", "elm", "fir")
    assert code == 2
    assert "that --classes does not name (first 'oak' at row 6)" in err
    code, _, err = run(*start, "--classes", "ash", "elm")
    assert "names 2 labels, but there are 3 columns" in err


def test_bootstrap_and_plot(run, models, tmp_path):
    pytest.importorskip("matplotlib")
    path, *_ = models
    target = tmp_path / "curves.svg"
    words = ("--method", "bootstrap", "--resamples", "30", "--seed", "1", "--plot", target)
    code, out, err = run("multiclass", path, "--label", "y", *SCORES, *VERSUS, *words)
    assert code == 0
    assert "bootstrap percentile" in out
    assert "paired bootstrap" in out
    assert "wrote" in err
    assert "2 against the rest" in target.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--versus", "q0"), "--versus is given 1 times and --score 3 times"),
        (("--average", "micro", *VERSUS), "--average must be one of"),
        (("--costs", "0,1;1,0"), "costs"),
        (("--score", "p0"), "column p0 is named twice"),
    ],
)
def test_errors_name_options(run, models, words, message):
    path, *_ = models
    code, _, err = run("multiclass", path, "--label", "y", *SCORES, *words)
    assert code == 2
    assert message in err


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--label", "p0", "--score", "p1", "--score", "p2"), "for other labels pass --classes"),
        (("--label", "y", "--score", "p1"), "--score must have at least two columns"),
    ],
)
def test_errors_of_labels_name_no_python(run, models, words, message):
    code, out, err = run("multiclass", models[0], *words)
    assert (code, out) == (2, "")
    assert message in err
    assert "y_score" not in err
    assert "np." not in err
