"""``rocwise bounds``."""

import pytest

from unit.cli.command_runs import members


def test_one_point(run):
    code, out, err = run("bounds", "--fpr", ".2", "--tpr", ".8")
    assert (code, err) == (0, "")
    assert out.startswith("AUC between 0.800 and 0.920 from one point")
    shown = dict(line.rsplit(None, 1) for line in out.splitlines()[3:])
    assert shown["criterion c"] == "0.0000"
    assert shown["A'"] == "0.8750"


def test_sensitivity_and_specificity(run):
    plain = run("bounds", "--fpr", "0.1", "--tpr", "0.6", "--json")
    named = run("bounds", "--specificity", "0.9", "--sensitivity", "0.6", "--json")
    assert members(plain.out) == members(named.out)
    assert members(plain.out)["lower"] == pytest.approx(0.75)


def test_several_points_and_a_plot(run, tmp_path):
    pytest.importorskip("matplotlib")
    target = tmp_path / "bounds.png"
    words = ("--fpr", "0.1", "0.35", "--tpr", "0.45", "0.8", "--plot", target)
    code, out, err = run("bounds", *words)
    assert (code, err) == (0, f"wrote {target}\n")
    assert "between 0.764 and 0.830 from 2 points" in out
    assert "index" not in out
    assert target.read_bytes().startswith(b"\x89PNG")


def test_errors(run):
    assert "--fpr" in run("bounds", "--tpr", "0.5").err
    wrong = run("bounds", "--fpr", "0.1", "0.2", "0.4", "--tpr", "0.4", "0.42", "0.9")
    assert wrong.code == 2
    assert "--policy hull" in wrong.err
    hulled = run("bounds", "--fpr", "0.1", "0.2", "--tpr", "0.4", "0.3", "--policy", "hull")
    assert hulled.code == 0


def test_json_has_the_indices(run):
    text = run("bounds", "--fpr", "0.15", "--tpr", "0.75").out
    found = members(run("bounds", "--fpr", "0.15", "--tpr", "0.75", "--json").out)
    indices = found["signal_detection"]
    for name in (
        "d_prime",
        "criterion",
        "beta",
        "a_prime",
        "a_double_prime",
        "b_double_prime",
        "a",
        "b",
    ):
        assert f"{indices[name]:.4f}" in text
    several = run("bounds", "--fpr", "0.1", "0.35", "--tpr", "0.45", "0.8", "--json")
    assert "signal_detection" not in members(several.out)


@pytest.mark.parametrize("flag", ["sensitivity", "tpr"])
def test_percentages_raise_with_the_fraction(run, flag):
    code, _, err = run("bounds", f"--{flag}", "80", "--specificity", "0.9")
    assert code == 2
    assert f"--{flag} must be a fraction from 0 to 1; got 80 (80% is typed 0.8)" in err
