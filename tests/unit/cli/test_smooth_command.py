"""``rocwise smooth``."""

import numpy as np
import pytest

import rocwise as rw
from unit.cli.command_runs import members, write_csv

FEW = ("--resamples", "100", "--seed", "1")


@pytest.fixture
def movies(tmp_path):
    rng = np.random.default_rng(2)
    liked = np.r_[np.ones(30, int), np.zeros(40, int)]
    anna = np.clip(0.3 + 0.3 * liked + 0.2 * rng.normal(size=70), 0, 1)
    jan = np.clip(0.4 + 0.1 * liked + 0.2 * rng.normal(size=70), 0, 1)
    return write_csv(tmp_path / "movies.csv", ["liked", "anna", "jan"], liked, anna, jan)


def columns(path):
    table = np.genfromtxt(path, delimiter=",", names=True)
    return {name: table[name] for name in table.dtype.names}


def test_two_raters_are_measured_and_compared(run, movies):
    words = ("--label", "liked", "--score", "anna", "--score", "jan")
    code, out, err = run("smooth", movies, *words, *FEW)
    data = columns(movies)
    assert (code, err) == (0, "")
    for name in ("anna", "jan"):
        assert f"{rw.smooth_roc(data['liked'], data[name]).auc:.2f}" in out
    assert "smAUC anna" in out
    assert "paired bootstrap" in out


def test_json_and_plot(run, movies, tmp_path):
    pytest.importorskip("matplotlib")
    target = tmp_path / "smooth.svg"
    words = ("--label", "liked", "--score", "anna", "--midpoint", "0.4", "--json")
    code, out, _ = run("smooth", movies, *words, "--plot", target)
    data = columns(movies)
    document = members(out)
    assert code == 0
    assert document["midpoint"] == 0.4
    expected = rw.smooth_roc(data["liked"], data["anna"], midpoint=0.4)
    assert document["auc"] == pytest.approx(expected.auc, abs=1e-12)
    assert target.read_text(encoding="utf-8").startswith("<?xml")


def test_logits_raise_with_the_option(run, table_of):
    path = table_of("y,p", "0,-1", "0,3", "1,2", "1,4")
    code, _, err = run("smooth", path, "--label", "y", "--score", "p", *FEW)
    assert code == 2
    assert "from 0 to 1" in err
    assert "--rescale" in err
    assert run("smooth", path, "--label", "y", "--score", "p", "--rescale", *FEW).code == 0


def test_a_midpoint_out_of_range_warns_once(run, table_of):
    path = table_of("y,p", *2 * ("1,0.95", "0,0.9", "0,0.9", "0,0.8", "0,0.1"))
    code, _, err = run("smooth", path, "--label", "y", "--score", "p", *FEW)
    assert code == 0
    assert err.count("1.825") == 1
    assert "--midpoint calibrated" in err


def test_json_has_all_that_is_printed(run, movies):
    words = ("--label", "liked", "--score", "anna", "--score", "jan", *FEW)
    text = run("smooth", movies, *words).out
    document = members(run("smooth", movies, *words, "--json").out)
    for name in ("anna", "jan"):
        found = document[name]["bootstrap"]
        assert f"{found['interval']['low']:.2f} to {found['interval']['high']:.2f}" in text
        assert found["seed"] == 1
        assert "replicates" not in found
        assert f"{document[name]['midpoint']:.4g}" in text
    comparison = document["comparison"]
    assert f"{comparison['difference']:.3f}" in text
    assert comparison["interval"]["low"] < comparison["difference"] < comparison["interval"]["high"]
    assert 0 <= comparison["p_value"] <= 1


def test_a_model_called_comparison_keeps_its_name(run, movies):
    text = movies.read_text(encoding="utf-8").replace("jan", "comparison", 1)
    movies.write_text(text, encoding="utf-8")
    words = ("--label", "liked", "--score", "anna", "--score", "comparison", *FEW, "--json")
    document = members(run("smooth", movies, *words).out)
    assert list(document["results"]) == ["anna", "comparison"]
    assert document["results"]["comparison"]["kind"] == "SmoothRoc"


def test_the_error_names_the_column_and_the_row(run, table_of):
    path = table_of("y,p,q", "0,0.1,0.2", "0,0.3,4", "1,0.2,0.5", "1,0.4,0.3")
    code, _, err = run("smooth", path, "--label", "y", "--score", "p", "--score", "q", *FEW)
    assert code == 2
    assert "column 'q' has 1 value outside" in err
    assert "4 at row 3" in err
