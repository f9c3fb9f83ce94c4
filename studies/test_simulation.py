"""Studies keep their records, can be resumed, and their tables are made of the records."""

from __future__ import annotations

import math

import numpy as np
import pytest

import rocwise as rw

from . import simulation
from .__main__ import NAMES, main, study
from .coverage import ENTRIES
from .coverage_entries import Entry, simulated
from .simulation import TABLES, Cell, Counts, Proportion, Study, markdown, proportions, write_table

README = (simulation.COUNTS.parent / "README.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", NAMES)
def test_tables_are_made_of_the_records(name, tmp_path):
    one = study(name)
    assert one.name == name
    assert f"| `{name}` |" in README
    for part in one.parts:
        cells = list(dict.fromkeys(each.cell for each in one.records[part.name]))
        assert cells == [str(task) for task in part.tasks(False)]
    for title, table in one.tables(one.records).items():
        path = write_table(tmp_path, title, table)
        assert path.read_text("utf-8") == (TABLES / path.name).read_text("utf-8"), path.name


@pytest.mark.parametrize("name", NAMES)
def test_cells_have_unique_names(name):
    for part in study(name).parts:
        for quick in (False, True):
            names = [str(task) for task in part.tasks(quick)]
            assert len(set(names)) == len(names) > 0


@pytest.mark.parametrize("name", ["regression", "weights_and_clusters"])
def test_a_quick_run_prints_tables_and_writes_no_file(name, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(simulation, "COUNTS", tmp_path)
    assert main([name, "--quick", "--processes", "1"]) == 0
    assert capsys.readouterr().out.count("| --- |") >= 1
    assert not list(tmp_path.iterdir())


def test_a_run_is_resumed_and_writes_tables(tmp_path, monkeypatch):
    monkeypatch.setattr(simulation, "COUNTS", tmp_path / "counts")
    monkeypatch.setattr(simulation, "TABLES", tmp_path)
    called = []

    def simulate(n, samples):
        called.append(n)
        return Counts({f"n = {n}": (samples, samples // 2)})

    def tables(records):
        return {"all halves": markdown(["n"], [[one.percent] for one in records["halves"]])}

    def small(settings):
        return Study(
            "small", (proportions("halves", settings, simulate, samples=100, few=2),), tables
        )

    for settings in ([(1,), (2,)], [(1,), (3,), (2,)]):
        monkeypatch.setattr("studies.__main__.study", lambda _, each=settings: small(each))
        assert main(["regression", "--processes", "1"]) == 0
    assert called == [1, 2, 3]
    records = small([(1,), (3,), (2,)]).records["halves"]
    assert [one.quantity for one in records] == ["n = 1", "n = 3", "n = 2"]
    assert records[0] == Proportion(str(Cell((1,), 100)), "n = 1", 100, 50)
    lines = (tmp_path / "all-halves.csv").read_text(encoding="utf-8").splitlines()
    assert lines == ["n", *["50.0 ± 5.0"] * 3]


def coin(rng):
    drawn = rng.random()
    if drawn > 0.9:
        raise rw.InputError("`y` is too short.")
    return {"heads": drawn < 0.45, "tails": drawn >= 0.45}


def test_samples_with_errors_are_left_out():
    heads, tails = simulated(Entry("coin", "coverage", "fair", 10, coin))
    assert heads.errors == tails.errors == 1000 - heads.count - tails.count > 0
    valid = 1000 - heads.errors
    assert heads.percent == pytest.approx(100 * heads.count / valid, abs=0.006)
    error = 100 * math.sqrt(heads.count * tails.count / valid**3)
    assert heads.standard_error == pytest.approx(error, abs=0.02)
    (none,) = simulated(Entry("coin", "coverage", "none", 10, lambda _: coin(High())))
    assert none.errors == 1000
    assert math.isnan(none.percent)


class High:
    def random(self):
        return 1.0


def test_the_page_of_defaults_has_the_samples_of_the_code():
    records = study("coverage").records["defaults"]
    assert {one.cell: one.samples for one in records} == {str(one): one.samples for one in ENTRIES}


def test_every_default_can_be_simulated():
    first = {one.default: one for one in reversed(ENTRIES) if one.smallest <= 50}
    for entry in first.values():
        assert simulated(Entry(*list(vars(entry).values())[:5], samples=1))[0].errors == 0, entry


@pytest.mark.parametrize(
    ("name", "part", "number"),
    [
        ("several_classes", "held_out", 7),
        ("regression", "errors", 8),
        ("comparisons", "folds", 0),
        ("weights_and_clusters", "weights", 0),
    ],
)
def test_a_cell_can_be_repeated(name, part, number):
    """The same counts again; costs to the last digit."""
    one = next(each for each in study(name).parts if each.name == part)
    task = one.tasks(False)[number]
    kept = [each for each in study(name).records[part] if each.cell == str(task)]
    found = one.simulate(task)
    for first, second in zip(kept, found, strict=True):
        assert vars(first) == vars(second)


def test_the_same_number_is_the_same_sample():
    from .bands import coverage

    for curve in ("true", "future"):
        first, second = (list(coverage(curve, 1.5, 25, 3)) for _ in range(2))
        assert first == second
        assert np.isfinite([area for _, _, area in first]).all()
