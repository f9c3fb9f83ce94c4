"""``rocwise predict``."""

import pytest

import rocwise as rw
from unit.cli.command_runs import members

MOMENTS = ("--negative", "4", "3", "--positive", "8", "2")


def test_from_moments(run):
    code, out, err = run("predict", *MOMENTS)
    assert (code, err) == (0, "")
    assert "0.866" in out
    assert "> 5.826" in out
    assert "0.795" in out


def test_from_a_file(run, scores):
    words = ("--label", "ill", "--score", "a", "--json")
    document = members(run("predict", scores.path, *words).out)
    moments = [
        (scores.a[scores.ill == k].mean(), scores.a[scores.ill == k].std(ddof=1)) for k in (0, 1)
    ]
    assert document["auc"] == pytest.approx(rw.predict_roc(*moments).auc, abs=1e-9)
    kernel = members(run("predict", scores.path, *words, "--model", "kernel").out)
    classes = [scores.a[scores.ill == k] for k in (0, 1)]
    assert kernel["auc"] == pytest.approx(rw.predict_roc(*classes).auc, abs=1e-9)


def test_fitted_families_and_a_plot(run, scores, tmp_path):
    pytest.importorskip("matplotlib")
    target = tmp_path / "predicted.svg"
    words = ("--label", "ill", "--score", "a", "--score", "b", "--model", "fitted")
    code, out, _ = run("predict", scores.path, *words, "--plot", target)
    assert code == 0
    assert "against norm(" in out  # with its parameters
    assert target.exists()


@pytest.mark.parametrize(
    "words",
    [
        (),
        ("--negative", "4", "3"),
        ("scores.csv", "--label", "y"),
        ("scores.csv", "--label", "y", "--score", "p", "--negative", "1", "2"),
    ],
)
def test_half_given_inputs_raise(run, words):
    code, _, err = run("predict", *words)
    assert code == 2
    assert "--label and --score" in err


def test_a_wrong_standard_deviation_names_the_option(run):
    code, _, err = run("predict", "--negative", "4", "0", "--positive", "8", "2")
    assert code == 2
    assert "--negative" in err


def test_json_has_all_that_is_printed(run):
    text = run("predict", *MOMENTS).out
    found = members(run("predict", *MOMENTS, "--json").out)
    for name, digits in (("auc", 3), ("max_ameans", 3), ("best_threshold", 3)):
        assert f"{found[name]:.{digits}f}" in text
    assert found["negative"] in text
    assert found["positive"] in text


@pytest.mark.parametrize("model", ["normal", "kernel", "fitted"])
def test_columns_without_variance_raise_with_the_name(run, table_of, model):
    words = ("--label", "y", "--score", "p", "--model", model)
    endless = table_of("y,p", "0,1", "1,3", "0,2", "1,inf", name="endless.csv")
    assert "column 'p' must have finite numbers" in run("predict", endless, *words).err
    assert "inf at row 5" in run("predict", endless, *words).err
    constant = table_of("y,p", "0,1", "1,3", "0,2", "1,3", name="constant.csv")
    code, _, err = run("predict", constant, *words)
    assert code == 2
    assert "column 'p' of the positives is constant (3)" in err
    alone = table_of("y,p", "0,1", "0,2", "1,3", name="alone.csv")
    assert "column 'p' of the positives is one value (3)" in run("predict", alone, *words).err
