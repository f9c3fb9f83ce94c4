"""``rocwise rec``."""

import pytest

import rocwise as rw
from unit.cli.command_runs import members, write_csv
from unit.regression.forecast_vectors import C1, C2


@pytest.fixture
def path(tmp_path):
    return write_csv(tmp_path / "f.csv", ["y", "a", "b"], C1.y, C1.a, C1.b)


def test_one_model(run, path):
    done = run("rec", path, "--target", "y", "--prediction", "a")
    assert (done.code, done.err) == (0, "")
    assert done.out.splitlines() == [
        f"{path}: 6 cases;",  # the path is long
        "  AOC is the mean absolute error, with 95% CI",
        "",
        "model  n     aoc     low    high  median loss  largest loss",
        "a      6  0.3000  0.0845  1.4828       0.2000        0.8000",
    ]


def test_two_models(run, path):
    done = run("rec", path, "--target", "y", "--prediction", "a", "--prediction", "b")
    assert "a dominates b: at no tolerance is it worse." in done.out
    assert "difference -0.05, p = 0.812 (sign-flip test, exact)" in done.out


def test_proportions_bands_and_null_model(run, path, tmp_path):
    train = write_csv(tmp_path / "train.csv", ["y"], [2, 3, 7])
    words = ("--null", "mean", "--train", train, "--tolerance", "0.3", "--band", "dkw")
    out = run("rec", path, "--target", "y", "--prediction", "a", *words).out
    rows = [line.split() for line in out.splitlines()]
    assert ["a", "6", "0.3000", "0.0845", "1.4828", "0.2000", "0.8000", "0.2000"] in rows
    assert "null model (mean of the training targets): AOC 1.5\n" in out
    assert ["a", "0.300", "4", "0.667", "0.300", "0.903"] in rows
    assert "95% DKW band for the whole curve, for independent errors:\na ± 0.554" in out


@pytest.mark.parametrize(("null", "aoc"), [("3.5", 1.5), ("b", 0.35)])
def test_null_model_as_number_or_column(run, path, null, aoc):
    done = run("rec", path, "--target", "y", "--prediction", "a", "--null", null, "--json")
    assert members(done.out)["null_aoc"] == pytest.approx(aoc)


def test_json_holds_all_that_the_screen_shows(run, path):
    words = ("--target", "y", "--prediction", "a", "--prediction", "b", "--null", "3.5")
    more = ("--tolerance", "0.3", "--band", "bootstrap", "--seed", "1", "--loss", "squared")
    document = members(run("rec", path, *words, *more, "--json").out)
    curve = document["b"]
    assert curve["aoc"] == pytest.approx(C1.mean_square[1])
    assert {"relative_aoc", "median_loss", "largest_loss", "null"} <= set(curve)
    assert document["accuracy"]["a"]["accuracy"] == [5 / 6]
    band = rw.regression.band(
        rw.regression.rec(C1.y, C1.a, loss="squared"), kind="bootstrap", n_resamples=10_000, rng=1
    )
    assert document["bands"]["a"]["half_width"] == band.half_width
    assert document["orders"][0]["verdict"] == "first dominates"
    assert (
        document["comparison"]["p_value"]
        == rw.regression.compare(C1.y, C1.models, loss="squared").p_value
    )


def test_time_series(run, path):
    words = ("--target", "y", "--prediction", "a", "--prediction", "b", "--order", "time")
    out = run("rec", path, *words, "--horizon", "2").out
    assert "p = 0.767 (Diebold-Mariano test, HAC variance, horizon 2)" in " ".join(out.split())
    out = run("rec", path, *words, "--method", "block-bootstrap", "--seed", "1").out
    assert "bootstrap-t in blocks of 2" in " ".join(out.split())


def test_no_p_value_is_explained(run, tmp_path):
    path = write_csv(tmp_path / "g.csv", ["y", "a", "b"], C2.y, C2.a, C2.b)
    words = ("--target", "y", "--prediction", "a", "--prediction", "b", "--order", "time")
    out = run("rec", path, *words, "--method", "diebold-mariano", "--horizon", "2").out
    assert "no p value: the estimated long-run variance" in out
    assert "--method block-bootstrap" in out
    assert "p = " not in out


def test_rows_left_out(run, tmp_path):
    path = tmp_path / "gap.csv"
    path.write_text("y,a,b\n1,2,2\n,1,1\n3,5,4\n")
    words = ("--target", "y", "--prediction", "a", "--prediction", "b")
    assert "column 'y' has 1 missing value (first at row 3)" in run("rec", path, *words).err
    done = run("rec", path, *words, "--missing", "drop")
    assert (
        "2 cases; AOC is the mean absolute error, with 95% CI; 1 row with missing values"
        in " ".join(done.out.split())
    )
    assert done.err == "warning: 1 row with missing values left out.\n"
    done = run("rec", path, *words, "--missing", "drop", "--order", "time")
    assert (done.code, "no longer one step apart" in done.err) == (2, True)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--prediction", "a"), "--prediction a is given twice"),
        (("--prediction", "x"), "no column is called 'x'"),
        (("--null", "mean"), "needs --train"),
        (("--null", "x"), "no column is called 'x'"),
        (("--horizon", "2"), "add --order time"),
        (
            ("--prediction", "b", "--order", "time", "--method", "permutation"),
            "does not go with --method permutation",
        ),
        (("--tolerance", "-1"), "--tolerance must be finite and not negative"),
        (("--prediction", "b", "--method", "ks"), "--method must be one of"),
        (("--train", "nowhere.csv", "--null", "mean"), "nowhere.csv"),
        (("--train", "nowhere.csv"), "--train is for --null mean"),
        (("--block", "3"), "--block is for --method block-bootstrap"),
    ],
)
def test_errors(run, path, words, message):
    done = run("rec", path, "--target", "y", "--prediction", "a", *words)
    assert done.code == 2
    assert message in done.err
    assert "`" not in done.err.replace("`rocwise", "")


def test_part_of_the_area(run, path):
    words = ("--target", "y", "--prediction", "a", "--null", "b", "--up-to", "0.5")
    assert "AOC up to 0.5: a 0.25, null model 0.2667\n" in run("rec", path, *words).out
    document = members(run("rec", path, *words, "--json").out)
    assert document["up_to"] == 0.5
    assert document["aoc_up_to"] == pytest.approx({"a": 0.25})
    assert document["null_aoc_up_to"] == pytest.approx(0.8 / 3)


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (("--level", "3"), "--level must lie strictly between 0 and 1"),
        (
            ("--method", "permutation"),
            "--method compares models; give --prediction at least twice.",
        ),
        (("--resamples", "3"), "--resamples must be an integer of at least 100"),
        (("--up-to", "-1"), "--up-to must not be negative"),
        (("--order", "time", "--horizon", "0"), "--horizon must be an integer"),
    ],
)
def test_wrong_options_raise_for_one_model_too(run, path, words, expected):
    done = run("rec", path, "--target", "y", "--prediction", "a", *words)
    assert (done.code, done.out) == (2, "")
    assert expected in done.err
