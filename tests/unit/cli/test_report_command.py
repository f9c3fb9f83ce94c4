"""``rocwise report``."""

import json
import re

import numpy as np
import pytest

import rocwise as rw
from unit.cli.command_runs import write_csv

WORDS = ("--label", "ill", "--score", "a", "--score", "b", "--resamples", "20")


def payload(path):
    found = re.search(r'id="rocwise-data">(.*?)</script>', path.read_text(encoding="utf-8"))
    assert found is not None
    return json.loads(found[1])


def test_writes_the_page_of_the_library(run, scores, tmp_path):
    path = tmp_path / "out.html"
    outcome = run("report", scores.path, *WORDS, "-o", path, "--title", "A title")
    assert (outcome.code, outcome.err) == (0, "")
    assert re.fullmatch(rf"wrote {re.escape(str(path))} \(\d+ kB\)\n", outcome.out)
    pairs = rw.pair(scores.ill, {"a": scores.a, "b": scores.b})
    expected = rw.report(pairs, path=None, title="A title", n_resamples=20).payload
    assert payload(path) == json.loads(json.dumps(expected))


def test_where_the_page_starts(run, scores, tmp_path):
    path = tmp_path / "out.html"
    more = ("--cost-fn", "20", "--prevalence", "0.02", "--min-cell", "5", "--language", "zh")
    more += ("--method", "delong")
    assert run("report", scores.path, *WORDS, "-o", path, *more).code == 0
    made = payload(path)
    assert {model["auc"]["method"] for model in made["models"]} == {"DeLong"}
    assert (made["state"]["cost_ratio"], made["state"]["prevalence"]) == (20, 0.02)
    assert (made["settings"]["min_cell"], made["language"]) == (5, "zh")


@pytest.mark.parametrize("task", ["multiclass", "ordinal", "regression"])
def test_other_tasks(run, tmp_path, task):
    rng = np.random.default_rng(0)
    y = np.arange(60) % 3
    score = np.eye(3)[y] if task == "multiclass" else y[:, None] * np.ones(3)
    columns = [y, *(rng.random((60, 3)) + score).T]
    table = write_csv(tmp_path / "t.csv", ["y", "p0", "p1", "p2"], *columns)
    words = [word for name in ("p0", "p1", "p2") for word in ("--score", name)]
    path = tmp_path / "out.html"
    outcome = run("report", table, "--task", task, "--label", "y", *words, "-o", path)
    assert (outcome.code, outcome.err) == (0, "")
    assert payload(path)["task"] == task


def test_order_of_classes_is_that_of_the_option(run, tmp_path):
    stage = [name for name in ("mild", "ill", "healthy") for _ in range(4)]
    marker = [5, 6, 4, 7, 9, 8, 6.5, 10, 1, 2, 3, 4.5]
    table = write_csv(tmp_path / "t.csv", ["stage", "marker"], stage, marker)
    words = ("report", table, "--task", "ordinal", "--label", "stage", "--score", "marker")
    path = tmp_path / "out.html"
    order = ("healthy", "mild", "ill")
    assert run(*words, "-o", path, "--order", *order).code == 0
    made = payload(path)["summary"]
    assert made["classes"] == list(order)
    assert made["models"][0]["value"] == rw.ordinal.auc(stage, marker, order=order).value
    failed = run(*words)
    assert failed.code == 2
    assert "column 'stage' contains 'healthy', 'ill', 'mild'" in failed.err
    assert "Pass --order" in failed.err


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("--order", "0", "1"), "--order goes with --task ordinal"),
        (("-o", "no/such/folder.html"), "--output is in a folder that does not exist"),
        (("--min-cell", "0"), "--min-cell must be an integer"),
        (("--cost-fp", "-1"), "--cost-fp and --cost-fn must not"),
        (("--task", "triage"), "--task"),
    ],
)
def test_errors_name_the_option(run, scores, words, sentence):
    outcome = run("report", scores.path, *WORDS, *words)
    assert outcome.code != 0
    assert sentence in outcome.err
    assert "Traceback" not in outcome.err
