"""A quick look at the published claims about mimetic models: those that hold on our problems."""

import numpy as np
import pytest

from rocwise.estimators.mimetic import CONFIGURATIONS
from studies.mimetic import PROBLEMS, averages, compare, main, table

COST_AWARE = [name for name in CONFIGURATIONS if not name.startswith("Mim0")]


@pytest.fixture(scope="module")
def dear_misses():
    """Mean cost and AUC on the balanced problem, a miss being ten times a false alarm."""
    found = {}
    for _, name, _, cost, area in compare(PROBLEMS[0], 0, list(CONFIGURATIONS), 1000, (10,)):
        found.setdefault(name, []).append((cost, area))
    return {name: np.mean(values, axis=0) for name, values in found.items()}


def test_all_19_configurations_that_know_the_costs_beat_those_that_do_not(dear_misses):
    assert len(COST_AWARE) == 19
    for name in COST_AWARE:
        data_type = "b" if name == "Mim3" else name[-1]
        assert dear_misses[name][0] < dear_misses[f"Mim0{data_type}"][0], name


def test_relabelling_beats_changing_the_class_shares(dear_misses):
    relabelled = [name for name in CONFIGURATIONS if name.startswith("Mim2")]
    for name in relabelled:
        assert dear_misses[name][0] < dear_misses["Mim3"][0], name


def test_scheme_1_ranks_better_than_scheme_2(dear_misses):
    for name in CONFIGURATIONS:
        if name.startswith("Mim1"):
            assert dear_misses[name][1] > dear_misses[name.replace("Mim1", "Mim2")][1], name


def test_the_command_prints_every_configuration(capsys, monkeypatch):
    monkeypatch.setattr("studies.mimetic.PROBLEMS", PROBLEMS[-1:])
    monkeypatch.setattr("studies.mimetic.CONFIGURATIONS", {"Mim0c": 0, "Mim2Ordc": 0})
    main(["--repeats", "1", "--rows", "100"])
    printed = capsys.readouterr().out
    assert "| Mim2Ordc |" in printed
    assert "cheapest at skew 10: Mim2Ordc, Mim0c" in printed


def test_the_command_compares_oracles(capsys, monkeypatch):
    monkeypatch.setattr("studies.mimetic.PROBLEMS", PROBLEMS[:1])
    main(["--repeats", "1", "--rows", "200", "--oracles"])
    head, _, line = capsys.readouterr().out.splitlines()
    assert head.count("Mim2Ordb") == 2
    assert line.startswith("| balanced | 0.")


def test_refusals_are_counted(monkeypatch):
    monkeypatch.setattr("studies.mimetic.compare", lambda *_: [("o", "Mim0b", 1, None, None)] * 2)
    assert averages(1, ["Mim0b"], 10) == {"Mim0b": {"refused": 2.0 * len(PROBLEMS)}}


def test_the_table_has_the_mean_of_the_skews():
    line = table({"Mim3": {1: 1.0, 2: 2.0, 3: 3.0, 5: 5.0, 10: 10.0, "auc": 0.75}}).splitlines()[2]
    assert line == "| Mim3 | 1.000 | 2.000 | 3.000 | 5.000 | 10.000 | 4.200 | 0.750 |"
