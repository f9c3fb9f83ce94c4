"""``rocwise costs``."""

import numpy as np
import pytest

import rocwise as rw
from unit.cli.command_runs import members, write_csv

FEW = ("--resamples", "50", "--seed", "1")


def test_the_table_reads_the_curve(run, scores):
    code, out, err = run("costs", scores.path, "--label", "ill", "--score", "a")
    curve = rw.cost_curve(scores.ill, scores.a)
    assert (code, err) == (0, "")
    rows = dict(line.split(None, 1) for line in out.splitlines() if line)
    assert rows["0.5"].split() == [f"{float(curve.at(0.5)):.3f}", "0.500"]
    assert rows["H-measure"].split()[0] == f"{rw.h_measure(scores.ill, scores.a):.3f}"


def test_two_models_are_compared(run, scores, tmp_path):
    pytest.importorskip("matplotlib")
    target = tmp_path / "costs.svg"
    words = ("--label", "ill", "--score", "a", "--score", "b", *FEW, "--plot", target)
    code, out, err = run("costs", scores.path, *words)
    assert (code, err) == (0, f"wrote {target}\n")
    assert "normalized expected cost of a minus b" in out
    assert "a is better" in out


def test_net_benefit(run, tmp_path):
    rng = np.random.default_rng(3)
    risk = np.round(rng.beta(2, 3, 120), 3)
    y = (rng.random(120) < risk).astype(int)
    path = write_csv(tmp_path / "risks.csv", ["y", "risk", "half"], y, risk, risk / 2)
    words = ("--label", "y", "--score", "risk", "--score", "half", "--net-benefit", *FEW)
    code, out, _ = run("costs", path, *words)
    curve = rw.decision_curve(y, risk, thresholds=[0.3])
    assert code == 0
    row = next(line for line in out.splitlines() if line.startswith("0.3 "))
    assert row.split()[1] == f"{curve.net_benefit[0]:.3f}"
    assert "net benefit of risk minus half" in out


def test_json_has_all_that_is_printed(run, scores):
    words = ("--label", "ill", "--score", "a", "--score", "b", *FEW)
    text = run("costs", scores.path, *words).out
    document = members(run("costs", scores.path, *words, "--json").out)
    for name, values in (("a", scores.a), ("b", scores.b)):
        found = document[name]
        assert found["h_measure"] == pytest.approx(rw.h_measure(scores.ill, values))
        curve = rw.cost_curve(scores.ill, values)
        np.testing.assert_allclose(found["at"]["cost"], curve.at(found["at"]["probability_cost"]))
        for cost in found["at"]["cost"]:
            assert f"{cost:.3f}" in text
    (difference,) = document["differences"]
    for low, high, name in difference["wins"]:
        assert f"{name} is better from {low:.3g} to {high:.3g}" in text
    assert difference["wins"]
    assert difference["seed"] == 1


def test_net_benefit_needs_risks(run, scores):
    code, _, err = run("costs", scores.path, "--label", "ill", "--score", "a", "--net-benefit")
    assert code == 2
    assert "column 'a'" in err
    assert "rescale" not in err


def test_options_without_use_raise(run, scores):
    words = ("costs", scores.path, "--label", "ill", "--score", "a")
    assert "--net-benefit only" in run(*words, "--prevalence", "0.1").err
    assert "H-measure" in run(*words, "--severity", "2", "--net-benefit").err


def test_severity(run, scores):
    words = ("--label", "ill", "--score", "a", "--severity", "0.1", "--json")
    document = members(run("costs", scores.path, *words).out)
    assert document["h_measure"] == pytest.approx(rw.h_measure(scores.ill, scores.a, severity=0.1))


def test_the_plot_of_one_model_has_its_lines(run, scores, tmp_path):
    pytest.importorskip("matplotlib")
    one, two = tmp_path / "one.svg", tmp_path / "two.svg"
    assert run("costs", scores.path, "--label", "ill", "--score", "a", "--plot", one).code == 0
    words = ("--label", "ill", "--score", "a", "--score", "b", *FEW)
    assert run("costs", scores.path, *words, "--plot", two).code == 0
    assert "#d6d6d6" in one.read_text(encoding="utf-8")
    assert "#d6d6d6" not in two.read_text(encoding="utf-8")
