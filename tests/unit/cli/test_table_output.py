"""Tables for other programs, and the commands `at`, `calibration` and `pr`."""

import csv
import io

import numpy as np
import pytest

import rocwise as rw
from unit.cli.command_runs import members

ONE = ("--label", "ill", "--score", "a")
BOTH = (*ONE, "--score", "b")


def rows_of(text):
    return list(csv.DictReader(io.StringIO(text)))


def test_csv_has_every_digit_and_a_column_of_models(run, scores):
    outcome = run("auc", scores.path, *BOTH, "--csv")
    assert outcome.code == 0
    rows = rows_of(outcome.out)
    assert [row["model"] for row in rows] == ["a", "b"]
    assert float(rows[0]["value"]) == rw.auc(scores.ill, scores.a).value
    alone = rows_of(run("auc", scores.path, *ONE, "--csv").out)
    assert alone == rows[:1]


@pytest.mark.parametrize("command", ["thresholds", "roc"])
def test_long_csv_is_that_of_the_result(run, tmp_path, command):
    rng = np.random.default_rng(3)
    ill, score = np.arange(3000) % 2, np.round(rng.normal(size=3000), 4) * 1e-4
    path = tmp_path / "long.csv"
    path.write_text("\n".join(["ill,a", *map("{},{!r}".format, ill, score.tolist())]))
    result = getattr(rw, command)(ill, score)
    header, *rows = result.to_csv().splitlines()
    written = run(command, path, *ONE, "--csv").out.splitlines()
    assert written == [f"model,{header}", *(f"a,{row}" for row in rows)]


def test_markdown_and_latex(run, scores):
    lines = run("auc", scores.path, *BOTH, "--markdown").out.splitlines()
    assert lines[0].startswith("| model | value |")
    assert len(lines) == 4
    latex = run("auc", scores.path, *BOTH, "--latex").out
    assert latex.startswith("\\begin{tabular}")
    assert latex.count("\\\\") == 3


@pytest.mark.parametrize(
    "words",
    [
        ("roc", *BOTH),
        ("thresholds", *BOTH),
        ("compare", *BOTH),
        ("threshold", *ONE, "--rule", "youden"),
        ("costs", *BOTH),
        ("band", *ONE, "--kind", "pointwise", "--resamples", "20"),
        ("at", *BOTH, "--threshold", "0.4", "0.5"),
        ("pr", *BOTH),
    ],
)
@pytest.mark.filterwarnings("ignore::rocwise.errors.DirectionWarning")
def test_every_command_writes_every_table(run, scores, words):
    command, *rest = words
    for form in ("--csv", "--markdown", "--latex"):
        outcome = run(command, scores.path, *rest, form)
        assert outcome.code == 0, outcome.err
        assert outcome.out.strip()
    assert rows_of(run(command, scores.path, *rest, "--csv").out)


def test_one_form_at_a_time(run, scores):
    outcome = run("auc", scores.path, *ONE, "--csv", "--json")
    assert outcome.code == 2
    assert "not allowed with" in outcome.err


def test_points_are_those_of_the_library(run, scores):
    words = ("--specificity", "0.8", "--seed", "3", "--resamples", "50")
    found = members(run("at", scores.path, *ONE, *words, "--json").out)
    expected = rw.at(scores.ill, scores.a, specificity=0.8, rng=3, n_resamples=50)
    assert found["columns"]["ppv_low"] == expected.ppv_low.tolist()
    text = run("at", scores.path, *BOTH, *words).out
    assert "at specificity 0.8, threshold" in text
    assert f"{expected.sensitivity[0]:.3f}" in text


def test_points_need_one_axis(run, scores):
    outcome = run("at", scores.path, *ONE)
    assert outcome.code == 2
    assert "--threshold" in outcome.err
    outcome = run("at", scores.path, *ONE, "--sensitivity", "2")
    assert outcome.code == 2
    assert "--sensitivity must lie between 0 and 1" in outcome.err


def test_average_precisions(run, scores):
    text = run("pr", scores.path, *BOTH).out
    for values in (scores.a, scores.b):
        result = rw.average_precision(scores.ill, values)
        digits = 2 if len(values) < 100 else 3
        assert f"{result.value:.{digits}f}" in text
    assert "An uninformative model has" in text


def test_calibration(run, scores, tmp_path):
    rng = np.random.default_rng(1)
    p = rng.random(60)
    lines = [f"{int(u < q)},{q!r}" for u, q in zip(rng.random(60), p.tolist(), strict=True)]
    path = tmp_path / "risk.csv"
    path.write_text("\n".join(["ill,risk", *lines]))
    words = ("calibration", path, "--label", "ill", "--score", "risk", "--bins", "3")
    text = run(*words).out
    assert "slope" in text
    assert "Brier score" in text
    found = members(run(*words, "--json").out)
    assert len(found["predicted"]) == 3
    assert len(rows_of(run(*words, "--csv").out)) == 3
