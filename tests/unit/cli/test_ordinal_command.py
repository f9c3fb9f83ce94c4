"""``rocwise ordinal``."""

import numpy as np
import pytest

import rocwise as rw
from unit.cli.command_runs import members, write_csv

ORDER = ("--order", "low", "mid", "high")


@pytest.fixture
def ratings(tmp_path):
    rng = np.random.default_rng(2)
    level = rng.integers(0, 3, 120)
    grade = np.array(["low", "mid", "high"])[level]
    a = level + rng.normal(size=120)
    b = (0.3 * level + rng.normal(size=120)).round(1)
    path = write_csv(tmp_path / "ratings.csv", ["grade", "a", "b"], grade, a, b)
    return path, {"grade": grade, "a": a, "b": b}


def test_two_scores_are_measured_compared_and_cut(run, ratings):
    path, data = ratings
    words = ("--label", "grade", *ORDER, "--score", "a", "--score", "b", "--cuts")
    code, out, err = run("ordinal", path, *words)
    assert (code, err) == (0, "")
    assert "classes low < mid < high" in out
    for name in ("a", "b"):
        result = rw.ordinal.auc(data["grade"], data[name], order=["low", "mid", "high"])
        assert f"{result.value:.3f}" in out
        assert f"{result.interval.low:.3f} to {result.interval.high:.3f}" in out
        cuts = rw.ordinal.thresholds(data["grade"], data[name], order=["low", "mid", "high"])
        assert f"'mid' from score >= {cuts.printed[0]}" in out
    assert "difference 0." in out
    assert "paired DeLong" in out


def test_json_holds_all_that_the_screen_shows(run, ratings):
    path, data = ratings
    words = ("--label", "grade", *ORDER, "--score", "a", "--score", "b", "--cuts", "--json")
    code, out, _ = run("ordinal", path, *words)
    document = members(out)
    scores = {name: data[name] for name in ("a", "b")}
    expected = rw.ordinal.compare(data["grade"], scores, order=["low", "mid", "high"])
    assert code == 0
    assert document["comparison"]["p_value"] == pytest.approx(expected.p_value)
    assert document["a"]["interval"]["method"] == "Wilson (effective n)"
    assert document["a"]["test"]["p_value"] < 0.001
    assert len(document["b"]["cuts"]["thresholds"]) == 2
    alone = members(run("ordinal", path, *words[:8], "--json").out)
    assert alone["value"] == document["a"]["value"]
    assert alone["cuts"] is None


def test_measures_ties_and_methods(run, ratings):
    path, data = ratings
    start = ("ordinal", path, "--label", "grade", *ORDER, "--score", "b")
    for measure in ("consecutive", "pairwise", "pairs"):
        result = rw.ordinal.auc(
            data["grade"], data["b"], order=["low", "mid", "high"], measure=measure, ties="strict"
        )
        out = run(*start, "--measure", measure, "--ties", "strict").out
        assert f"{result.value:.3f}" in out
        assert "ties count nothing" in out
    drawn = run(*start, "--method", "bootstrap", "--resamples", "50", "--seed", "1")
    assert "bootstrap percentile" in drawn.out
    costs = run(*start, "--costs", "0,1,1;1,0,1;1,1,0")
    assert "expected cost" in costs.out
    rounded = run(*start, "--decimals", "0", "--json")
    assert members(rounded.out)["value"] == pytest.approx(
        rw.ordinal.auc(data["grade"], data["b"].round(0), order=["low", "mid", "high"]).value
    )


def test_plots(run, ratings, tmp_path):
    pytest.importorskip("matplotlib")
    path, _ = ratings
    start = ("ordinal", path, "--label", "grade", *ORDER, "--score", "a")
    for more in ((), ("--score", "b")):
        target = tmp_path / f"plot{len(more)}.svg"
        code, _, err = run(*start, *more, "--plot", target)
        assert code == 0
        assert "wrote" in err
        assert target.read_text(encoding="utf-8").startswith("<?xml")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--order", "low", "mid", "hi"), "column 'grade' has 'high'"),
        ((*ORDER, "--costs", "0,1;1,0"), "--costs must be a 3 by 3 matrix"),
        ((*ORDER, "--costs", "cheap"), "--costs must be a square table"),
        ((*ORDER, "--measure", "vus"), "--measure must be one of"),
        ((*ORDER, "--score", "a"), "column a is named twice"),
        ((*ORDER, "--method", "unbiased", "--measure", "pairs"), "--method unbiased is for"),
    ],
)
def test_errors_name_options(run, ratings, words, message):
    path, _ = ratings
    code, _, err = run("ordinal", path, "--label", "grade", "--score", "a", *words)
    assert code == 2
    assert message in err


def test_a_score_without_a_test_against_chance_has_a_reason(run, ratings, tmp_path):
    path, _ = ratings
    words = ("--label", "grade", *ORDER, "--score", "a", "--score", "b", "--ties", "strict")
    lines = run("ordinal", path, *words).out.splitlines()
    assert next(line for line in lines if line.startswith("a  ")).endswith("p < 0.001")
    assert next(line for line in lines if line.startswith("b  ")).endswith("no test: tied scores")
    document = members(run("ordinal", path, *words, "--json").out)
    assert document["a"]["test"]["p_value"] < 0.001
    assert document["b"]["test"] is None
    many = np.repeat(np.arange(51), 2)
    wide = write_csv(tmp_path / "wide.csv", ["y", "s"], many, np.arange(102))
    code, out, _ = run("ordinal", wide, "--label", "y", "--score", "s")
    assert code == 0
    assert "no test: more than 50 classes" in out
