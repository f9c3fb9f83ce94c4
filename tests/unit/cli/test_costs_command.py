"""``rocwise costs``."""

import json
from pathlib import Path

import numpy as np
import pytest

import rocwise as rw
from unit.cli.command_runs import Run, Scores, write_csv

FEW = ("--resamples", "50", "--seed", "1")


def test_the_table_reads_the_curve(run: Run, scores: Scores) -> None:
    code, out, err = run("costs", scores.path, "--label", "ill", "--score", "a")
    curve = rw.cost_curve(scores.ill, scores.a)
    assert (code, err) == (0, "")
    rows = dict(line.split(None, 1) for line in out.splitlines() if line)
    assert rows["0.5"].split() == [f"{float(curve.at(0.5)):.3f}", "0.500"]
    assert rows["H-measure"].split()[0] == f"{rw.h_measure(scores.ill, scores.a):.3f}"


def test_two_models_are_compared(run: Run, scores: Scores, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    target = tmp_path / "costs.svg"
    words = ("--label", "ill", "--score", "a", "--score", "b", *FEW, "--plot", target)
    code, out, err = run("costs", scores.path, *words)
    assert (code, err) == (0, f"wrote {target}\n")
    assert "normalised expected cost of a minus b" in out
    assert "a wins" in out


def test_json(run: Run, scores: Scores) -> None:
    document = json.loads(run("costs", scores.path, "--label", "ill", "--score", "a", "--json").out)
    curve = rw.cost_curve(scores.ill, scores.a)
    np.testing.assert_allclose(document["cost"], curve.cost)


def test_net_benefit(run: Run, tmp_path: Path) -> None:
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
