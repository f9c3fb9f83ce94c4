"""A way to run the command line in this process, and files to run it on."""

import json

import numpy as np
import pytest

from rocwise.cli import main
from unit.cli.command_runs import Outcome, Scores, errors, write_csv


@pytest.fixture
def run(capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")

    def run_words(*words):
        capsys.readouterr()
        code = main([str(word) for word in words])
        outcome = Outcome(code, *capsys.readouterr())
        if "--json" in words and outcome.out:
            assert list(errors(json.loads(outcome.out))) == []
        return outcome

    return run_words


@pytest.fixture
def scores(tmp_path):
    """300 cases with labels `ill`, a good score `a` and a rounded, tied score `b`."""
    rng = np.random.default_rng(11)
    ill = (rng.random(300) < 0.35).astype(int)
    a = rng.normal(size=300) + 1.3 * ill
    b = np.round(rng.normal(size=300) + 0.6 * ill, 1)
    return Scores(write_csv(tmp_path / "scores.csv", ["ill", "a", "b"], ill, a, b), ill, a, b)


@pytest.fixture
def table_of(tmp_path):
    """Writes a csv file from its lines."""

    def write(*lines, name="table.csv"):
        path = tmp_path / name
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")
        return path

    return write
