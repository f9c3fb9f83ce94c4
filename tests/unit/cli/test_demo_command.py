"""``rocwise demo`` on small stand-in data; the real data are in the end-to-end tests."""

import sys

import numpy as np
import pytest

import rocwise as rw
from rocwise import datasets


@pytest.fixture
def small(monkeypatch):
    y_true, good = datasets.binormal_example(30, 50, separation=2.0)
    _, noise = datasets.binormal_example(30, 50, separation=0.0, rng=5)
    cases = datasets.ScoredCases(y_true, {"weak": np.round(good + 3 * noise, 1), "strong": good})
    monkeypatch.setattr(datasets, "breast_cancer_scores", lambda: cases)
    return cases


def test_demo_is_about_the_better_model(run, small, tmp_path):
    pytest.importorskip("matplotlib")
    code, out, err = run("demo", "--output", tmp_path / "a" / "b")
    assert (code, err) == (0, "")
    assert "Thresholds of strong" in out
    assert str(rw.compare(rw.pair(small.y_true, small.scores))) in " ".join(out.split())
    assert {path.name for path in (tmp_path / "a" / "b").iterdir()} == {
        "scores.csv",
        "report.html",
        *(f"{name}.{ending}" for name in ("roc", "thresholds") for ending in ("svg", "png")),
    }


@pytest.mark.usefixtures("small")
def test_the_report_is_named_last(run, tmp_path):
    last = run("demo", "--output", tmp_path).out.splitlines()[-1]
    assert last.endswith(str(tmp_path / "report.html"))


@pytest.mark.usefixtures("small")
def test_without_matplotlib_the_numbers_remain(run, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    code, out, err = run("demo", "--output", tmp_path)
    assert code == 0
    assert err.startswith("warning: ")
    assert "pip install 'rocwise[plot]'" in err
    assert "roc.svg, .png" not in out
    assert {path.name for path in tmp_path.iterdir()} == {"scores.csv", "report.html"}


def test_without_scikit_learn_the_remedy_is_named(run, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "sklearn.datasets", None)
    code, _, err = run("demo", "--output", tmp_path)
    assert code == 1
    assert err.startswith("error: ")
    assert "pip install 'rocwise[models]'" in err


def test_a_file_in_the_place_of_the_folder(run, tmp_path):
    (tmp_path / "taken").write_text("")
    code, out, err = run("demo", "--output", tmp_path / "taken")
    assert (code, out) == (1, "")
    assert err == f"error: {tmp_path / 'taken'}: file exists\n"
