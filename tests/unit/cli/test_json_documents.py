"""--json: one shape for all commands and any number of models, as its schema describes."""

import json
import subprocess
import sys

import numpy as np
import pytest

import rocwise as rw
from unit.cli.command_runs import SCHEMA, errors, write_csv

ONE = ("--label", "y", "--score", "p")
TWO = (*ONE, "--score", "q")
COMMANDS = {
    "auc": (ONE, TWO, (*TWO, "--by", "site"), (*ONE, "--folds", "site"), (*ONE, "--all-methods")),
    "roc": (ONE, TWO),
    "pr": (ONE, TWO),
    "det": ((*ONE, "--resamples", "20"), (*TWO, "--resamples", "20")),
    "calibration": (ONE, TWO),
    "smooth": ((*ONE, "--resamples", "20"),),
    "band": ((*TWO, "--kind", "working-hotelling"),),
    "compare": (TWO, (*TWO, "--score", "r"), (*TWO, "--by", "site")),
    "threshold": ((*TWO, "--rule", "youden"),),
    "at": ((*ONE, "--threshold", "0.4"), (*TWO, "--sensitivity", "0.8", "--resamples", "20")),
    "thresholds": (ONE, TWO),
    "costs": (ONE, TWO),
    "abstain": ((*ONE, "--cost-fp", "1", "--cost-fn", "2", "--max-abstention", "0.2"),),
    "reliable": ((*ONE, "--positive", "0.6", "--negative", "0.6"),),
    "segment": (ONE,),
    "multiclass": (("--label", "grade", "--score", "p", "--score", "q", "--score", "r"),),
    "ordinal": (("--label", "grade", "--score", "p", "--score", "q"),),
    "rec": (("--target", "p", "--prediction", "q", "--prediction", "r", "--seed", "1"),),
}
NO_FILE = {
    "power": ("--auc", "0.8"),
    "bounds": ("--fpr", "0.1", "--tpr", "0.6"),
    "predict": ("--negative", "0", "1", "--positive", "1", "1.2"),
}


@pytest.fixture
def file(tmp_path):
    rng = np.random.default_rng(3)
    y = np.arange(120) % 2
    p, q, r = (np.round(np.clip(rng.beta(2, 3, 120) + k * y / 9, 0, 1), 4) for k in (3, 2, 1))
    site = np.where(np.arange(120) % 4 < 2, "north", "south")
    names = ["y", "p", "q", "r", "site", "grade"]
    return write_csv(tmp_path / "t.csv", names, y, p, q, r, site, np.arange(120) % 3)


CASES = [(name, words) for name, forms in COMMANDS.items() for words in forms]


@pytest.mark.parametrize(("command", "words"), CASES, ids=[" ".join((c, *w)) for c, w in CASES])
def test_every_command_agrees_with_the_schema(run, file, command, words):
    check(run(command, file, *words, "--json"), command)


@pytest.mark.parametrize("command", NO_FILE)
def test_so_are_commands_without_a_file(run, command):
    check(run(command, *NO_FILE[command], "--json"), command)


def check(outcome, command):
    assert outcome.code == 0, outcome.err
    document = json.loads(outcome.out)
    assert list(errors(document, SCHEMA)) == []
    assert document["command"] == command
    assert list(errors({**document, "results": {}}, SCHEMA))  # and the check can fail
    assert list(errors({**document, "warnings": [1]}, SCHEMA))


def test_the_shape_is_the_same_for_one_model_and_two(run, file):
    one, two = (json.loads(run("auc", file, *words, "--json").out) for words in (ONE, TWO))
    assert list(one) == list(two)
    assert one["results"]["p"] == two["results"]["p"]
    assert list(two["results"]) == ["p", "q"]


def test_warnings_are_inside(run, table_of):
    """Scores of positives are lower, and one is missing."""
    path = table_of("y,a,b", *(f"{k // 20},{40 - k},{k}" for k in range(40)), "1,,50")
    outcome = run("auc", path, "--label", "y", *["--score", "a", "--missing", "drop", "--json"])
    found = json.loads(outcome.out)["warnings"]
    assert [f"warning: {text}" for text in found] == outcome.err.splitlines()
    assert len(found) == 2
    clean = run("auc", path, "--label", "y", *["--score", "b", "--json"])
    assert json.loads(clean.out)["warnings"] == []  # those of another command are gone


def test_requirements(run, file):
    low = rw.auc(str(file), label="y", score="p").interval.low
    met = run("auc", file, *ONE, "--require", f"auc_low >= {low!r}", "--require", "n_pos > 59")
    assert (met.code, met.err) == (0, "")
    unmet = run("auc", file, *TWO, "--require", "auc >= 0.999", "--json")
    assert unmet.code == 3
    assert unmet.err.startswith("error: requirement 'auc >= 0.999' is not met by p: 0.")
    assert unmet.err.endswith("(and 1 more)\n")
    assert unmet.err.count("\n") == 1
    outcomes = json.loads(unmet.out)["requirements"]
    assert [(each["result"], each["met"]) for each in outcomes] == [("p", False), ("q", False)]
    groups = run("auc", file, *ONE, "--by", "site", "--require", "auc_low > 0.99")
    assert groups.code == 3
    assert "is not met by p, site north: 0." in groups.err


@pytest.mark.parametrize(("command", "words"), CASES, ids=[" ".join((c, *w)) for c, w in CASES])
def test_every_command_has_metrics(run, file, command, words):
    outcome = run(command, file, *words, "--require", "no such >= 0")
    assert outcome.code == 2
    assert "has no metric 'no such'; it has " in outcome.err


def test_an_undefined_group_meets_no_requirement(run, table_of):
    path = table_of("y,a,g", "0,1,u", "1,2,u", "0,1.5,u", "1,3,u", "0,1,v", "0,2,v")
    words = ("--label", "y", "--score", "a", "--by", "g", "--require", "auc >= 0.5")
    outcome = run("auc", path, *words)
    assert outcome.code == 3
    assert "is not met by a, g v: undefined\n" in outcome.err


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("acu >= 0.8", "did you mean 'auc'?"),
        ("auc 0.8", "--require must be a metric"),
        ("auc >= high", "--require must be a metric"),
        ("auc >= nan", "--require must be a metric"),
        ("auc >= 0.5 and auc < 1", "--require must be a metric"),
        ("auc >== 0.8", "--require must be a metric"),
        (">= 0.8", "--require must be a metric"),
    ],
)
def test_bad_requirements(run, file, text, words):
    outcome = run("auc", file, *ONE, "--require", text)
    assert (outcome.code, outcome.out) == (2, "")
    assert words in outcome.err


def test_the_schema_is_printed():
    words = [sys.executable, "-m", "rocwise", "--json-schema"]
    done = subprocess.run(words, capture_output=True, text=True, check=True)
    assert json.loads(done.stdout) == SCHEMA
