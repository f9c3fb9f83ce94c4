"""Columns of weights, clusters and folds: every command agrees with the library."""

import json

import numpy as np
import pytest

import rocwise as rw
from unit.cli.command_runs import members, write_csv

RNG = np.random.default_rng(6)
N = 120
PATIENT = np.repeat(np.arange(N // 3), 3)
ILL = RNG.integers(0, 2, N)
A, B = (RNG.uniform(0, 0.6, (2, N)) + 0.3 * ILL).round(3)
WEIGHT = RNG.uniform(0.5, 3, N).round(2)
FOLD = PATIENT % 4
STAGE = np.clip(ILL + RNG.integers(0, 2, N), 0, 2)
COLUMNS = {"ill": ILL, "a": A, "b": B, "w": WEIGHT, "patient": PATIENT, "fold": FOLD, "s": STAGE}
ROWS = ("--weight", "w", "--group", "patient")
BOTH = ("--label", "ill", "--score", "a", "--score", "b")
ONE = ("--label", "ill", "--score", "a")
GIVEN = {"sample_weight": WEIGHT, "groups": PATIENT}
TALLY = rw.tally(ILL, A, **GIVEN)
PAIRS = rw.pair(ILL, {"a": A, "b": B}, **GIVEN)
DRAWN = ("--resamples", "60", "--seed", "1")


@pytest.fixture
def json_of(run, tmp_path):
    path = write_csv(tmp_path / "rows.csv", list(COLUMNS), *COLUMNS.values())

    def call(command, *options):
        code, out, err = run(command, path, *options, "--json")
        assert (code, err) == (0, "")
        return members(out)

    return call


def plain(result):
    return json.loads(json.dumps(result.to_dict()))


def test_areas(json_of):
    found = json_of("auc", *ONE, *ROWS)
    assert found["interval"] == plain(rw.auc(TALLY))["interval"]
    part = json_of("auc", *ONE, *ROWS, "--max-fpr", "0.3")
    assert part["standard_error"] == rw.auc(TALLY, max_fpr=0.3).standard_error


def test_areas_of_folds(json_of):
    expected = rw.cross_validated_auc(ILL, {"a": A, "b": B}, FOLD, **GIVEN)
    found = json_of("auc", *BOTH, *ROWS, "--folds", "fold")
    assert found["a"]["intervals"] == plain(expected["a"])["intervals"]
    found = json_of("auc", *BOTH, *ROWS, "--folds", "fold", "--method", "influence")
    assert found["b"]["interval"] == plain(expected["b"])["intervals"]["influence"]


@pytest.mark.parametrize("method", ["corrected-t", "influence", "delong"])
@pytest.mark.filterwarnings("ignore::rocwise.errors.MisuseWarning")
def test_models_compared_over_folds(json_of, method):
    expected = rw.compare(PAIRS, folds=FOLD, method=method)
    found = json_of("compare", *BOTH, *ROWS, "--folds", "fold", "--method", method)
    assert (found["p_value"], found["method"]) == (expected.p_value, expected.method)


def test_what_is_drawn(json_of):
    drawn = {"n_resamples": 60, "rng": 1}
    found = json_of("band", *ONE, *ROWS, *DRAWN)
    assert found["lower"] == plain(rw.band(TALLY, **drawn))["lower"]
    costs = ("--cost-fp", "1", "--cost-fn", "2")
    found = json_of("abstain", *ONE, *ROWS, *costs, "--cost-abstain", "0.3", "--intervals", *DRAWN)
    window = rw.abstain(TALLY, costs=rw.Costs(fp=1, fn=2, abstain=0.3))
    assert found["uncertainty"]["lower"] == plain(window.uncertainty(**drawn))["lower"]
    found = json_of("threshold", *ONE, *ROWS, "--rule", "youden", "--bootstrap", *DRAWN)
    chosen = rw.threshold(TALLY, rule="youden").uncertainty(**drawn)
    assert found["interval"] == plain(chosen)["interval"]
    assert any("sample_weight=weight, groups=group" in line for line in found["python"])
    found = json_of("at", *ONE, *ROWS, "--specificity", "0.8", *DRAWN)
    assert found["columns"] == plain(rw.at(TALLY, specificity=0.8, **drawn))["columns"]
    found = json_of("pr", *ONE, *ROWS, *DRAWN)
    assert found["interval"] == plain(rw.average_precision(TALLY, **drawn))["interval"]
    found = json_of("costs", *BOTH, *ROWS, *DRAWN)
    differences = rw.compare_curves(PAIRS, curve="cost", **drawn)
    assert found["differences"][0]["lower"] == plain(differences)["lower"]


def test_classes(json_of):
    found = json_of("ordinal", "--label", "s", "--score", "a", "--score", "b", *ROWS, "--cuts")
    assert found["a"]["interval"] == plain(rw.ordinal.auc(STAGE, A, **GIVEN))["interval"]
    test = rw.ordinal.null_test(STAGE, A, **GIVEN)
    assert (found["a"]["test"]["p_value"], found["a"]["test"]["method"]) == (
        test.p_value,
        test.method,
    )
    cuts = rw.ordinal.thresholds(STAGE, A, sample_weight=WEIGHT)
    assert found["a"]["cuts"]["cost"] == cuts.cost
    both = rw.ordinal.compare(STAGE, {"a": A, "b": B}, **GIVEN)
    assert (found["comparison"]["p_value"], found["comparison"]["method"]) == (
        both.p_value,
        both.method,
    )
    columns = ("--score", "a", "--score", "b", "--score", "w")
    found = json_of(
        "multiclass", "--label", "s", *columns, "--group", "patient", "--weight", "fold"
    )
    table = np.column_stack([A, B, WEIGHT])
    expected = rw.multiclass.auc(STAGE, table, groups=PATIENT, sample_weight=FOLD)
    assert found["interval"] == plain(expected)["interval"]


def test_forecasts(json_of, run, tmp_path):
    found = json_of("rec", "--target", "ill", "--prediction", "a", "--weight", "w")
    assert found["aoc"] == rw.regression.rec(ILL, A, sample_weight=WEIGHT).aoc
    path = write_csv(tmp_path / "again.csv", list(COLUMNS), *COLUMNS.values())
    two = ("--prediction", "a", "--prediction", "b", "--weight", "w")
    assert "one --prediction at a time" in run("rec", path, "--target", "ill", *two).err


@pytest.mark.parametrize(
    ("command", "options", "message"),
    [
        ("auc", ("--folds", "fold", "--method", "delong"), "corrected-t, influence, t"),
        ("auc", ("--folds", "fold", "--max-fpr", "0.2"), "--folds is about the full AUC"),
        ("auc", ("--folds", "nowhere"), "no column is called 'nowhere'"),
        ("threshold", ("--rule", "youden", "--group", "patient"), "goes with --bootstrap"),
        ("auc", ("--group", "patient", "--method", "bca"), "are not supported by --method bca"),
    ],
)
def test_errors(run, tmp_path, command, options, message):
    path = write_csv(tmp_path / "rows.csv", list(COLUMNS), *COLUMNS.values())
    code, out, err = run(command, path, *ONE, *options)
    assert (code, out) == (2, "")
    assert message in err


def test_thresholds_of_subgroups_with_weights(json_of):
    found = json_of("threshold", *ONE, "--rule", "youden", "--by", "fold", "--weight", "w")
    expected = rw.threshold(ILL, A, by=FOLD, rule="youden", sample_weight=WEIGHT)
    assert found["thresholds"] == expected.thresholds.tolist()
    with pytest.raises(rw.InputError, match="divides a number of cases"):
        rw.threshold(
            ILL, A, by=FOLD, rule="max-alarms", constraint=9, limit="all", sample_weight=WEIGHT
        )


def test_at_prints_the_point_and_the_resamples_as_python_does(run, tmp_path):
    path = write_csv(tmp_path / "rows.csv", list(COLUMNS), *COLUMNS.values())
    printed = " ".join(run("at", path, *ONE, "--specificity", "0.8", *DRAWN).out.split())
    table = rw.at(ILL, A, specificity=0.8, n_resamples=60, rng=1)
    assert f"at specificity 0.8, {table.estimand} (95% CI: " in printed
    for words in ("60 resamples, seed 1", table.estimand):
        assert words in printed
        assert words in repr(table)
