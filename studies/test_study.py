"""Studies count by cells: kept, resumed, and made into tables."""

from __future__ import annotations

import importlib
from pathlib import Path

import pytest

from . import study as one_way
from .kept_counts import write_table
from .study import TABLES, Cell, Hits, Study, hits_part, run, shares

NAMES = sorted(
    path.stem
    for path in Path(__file__).parent.glob("[a-z]*.py")
    if "STUDY = Study(" in path.read_text(encoding="utf-8") and not path.stem.startswith("test_")
)
# The tables of these were counted before counts were kept; the next run keeps them.
NOT_KEPT = {
    "coarse_markers",
    "partial_comparisons",
    "resampled_intervals",
}
QUICK = ["promises", "unlike_rows"]  # the others have cells in their own tests


def study_of(name: str) -> Study:
    found = importlib.import_module(f"studies.{name}").STUDY
    assert isinstance(found, Study)
    assert found.name == name
    return found


@pytest.mark.parametrize("name", NAMES)
def test_tables_are_made_of_what_is_kept(name, tmp_path):
    one = study_of(name)
    if not one.folder.exists():
        assert name in NOT_KEPT
        return
    for part in one.parts:
        cells = list(dict.fromkeys(each.cell for each in one.kept[part.name]))
        assert cells == [str(task) for task in part.tasks(False)]
    for title, table in one.tables(one.kept).items():
        path = write_table(tmp_path, title, table)
        assert path.read_text("utf-8") == (TABLES / path.name).read_text("utf-8"), path.name


@pytest.mark.parametrize("name", NAMES)
def test_every_cell_has_a_name_of_its_own(name):
    for part in study_of(name).parts:
        for quick in (False, True):
            told = [str(task) for task in part.tasks(quick)]
            assert len(set(told)) == len(told) > 0


@pytest.mark.parametrize("name", sorted(NOT_KEPT))
def test_what_was_counted_before_has_a_table(name):
    assert (TABLES / f"{name.replace('_', '-')}.csv").exists()


@pytest.mark.parametrize("name", QUICK)
def test_a_quick_run_prints_its_tables_and_keeps_nothing(name, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(one_way, "COUNTS", tmp_path)
    assert run(study_of(name), ["--quick", "--processes", "1"]) == 0
    assert capsys.readouterr().out.count("| --- |") >= 1
    assert not list(tmp_path.iterdir())


def test_a_run_keeps_goes_on_and_writes_tables(tmp_path, monkeypatch):
    monkeypatch.setattr(one_way, "COUNTS", tmp_path / "counts")
    monkeypatch.setattr(one_way, "TABLES", tmp_path)
    asked = []

    def ask(n, samples):
        asked.append(n)
        return {f"n = {n}": (samples, samples // 2)}

    def tables(records):
        return {"all halves": shares(["size", "hits"], records["halves"])}

    def study(places):
        return Study("small", (hits_part("halves", places, ask, samples=100, few=2),), tables)

    assert run(study([(1,), (2,)]), ["--processes", "1"]) == 0
    assert run(study([(1,), (3,), (2,)]), ["--processes", "1"]) == 0
    assert asked == [1, 2, 3]
    kept = study([(1,), (3,), (2,)]).kept["halves"]
    assert [one.question for one in kept] == ["n = 1", "n = 3", "n = 2"]
    assert kept[0] == Hits(str(Cell((1,), 100)), "n = 1", 100, 50)
    lines = (tmp_path / "all-halves.csv").read_text(encoding="utf-8").splitlines()
    assert lines[0] == "size,hits,standard error"
    assert lines[1:] == [f"n = {n},50.0%,5.0%" for n in (1, 3, 2)]
