"""Studies count by cells: kept, resumed, and shown on their pages."""

from __future__ import annotations

import importlib
from pathlib import Path

import pytest

from . import study as one_way
from .kept_counts import mark_of
from .study import Cell, Hits, Study, filled, hits_part, run

NAMES = sorted(
    path.stem
    for path in Path(__file__).parent.glob("[a-z]*.py")
    if "STUDY = Study(" in path.read_text(encoding="utf-8") and not path.stem.startswith("test_")
)
# The pages of these were counted before counts were kept; the next run keeps them.
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
def test_pages_show_what_is_kept(name):
    one = study_of(name)
    if not one.folder.exists():
        assert name in NOT_KEPT
        return
    for part in one.parts:
        cells = list(dict.fromkeys(each.cell for each in one.kept[part.name]))
        assert cells == [str(task) for task in part.tasks(False)]
    for page, text in filled(one, one.kept).items():
        assert text == page.read_text(encoding="utf-8")


@pytest.mark.parametrize("name", NAMES)
def test_every_cell_has_a_name_of_its_own(name):
    for part in study_of(name).parts:
        for quick in (False, True):
            told = [str(task) for task in part.tasks(quick)]
            assert len(set(told)) == len(told) > 0


@pytest.mark.parametrize("name", sorted(NOT_KEPT))
def test_pages_have_marks_for_tables_to_come(name):
    one = study_of(name)
    texts = [page.read_text(encoding="utf-8") for page in one.pages]
    assert any(mark_of(name.replace("_", " ")).search(text) for text in texts)


@pytest.mark.parametrize("name", QUICK)
def test_a_quick_run_prints_its_tables_and_keeps_nothing(name, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(one_way, "COUNTS", tmp_path)
    assert run(study_of(name), ["--quick", "--processes", "1"]) == 0
    assert capsys.readouterr().out.count("| --- |") >= 1
    assert not list(tmp_path.iterdir())


def test_a_run_keeps_goes_on_and_writes_the_page(tmp_path, monkeypatch):
    monkeypatch.setattr(one_way, "COUNTS", tmp_path / "counts")
    page = tmp_path / "page.md"
    page.write_text("Before.\n\n<!-- table: halves -->\n<!-- end -->\n\nAfter.\n", encoding="utf-8")
    asked = []

    def ask(n, samples):
        asked.append(n)
        return {f"n = {n}": (samples, samples // 2)}

    def tables(records):
        return {"halves": "; ".join(f"{one.question}: {one.percent}" for one in records["halves"])}

    def study(places):
        return Study(
            "small", (hits_part("halves", places, ask, samples=100, few=2),), tables, (page,)
        )

    assert run(study([(1,), (2,)]), ["--processes", "1"]) == 0
    assert run(study([(1,), (3,), (2,)]), ["--processes", "1"]) == 0
    assert asked == [1, 2, 3]
    kept = study([(1,), (3,), (2,)]).kept["halves"]
    assert [one.question for one in kept] == ["n = 1", "n = 3", "n = 2"]
    assert kept[0] == Hits(str(Cell((1,), 100)), "n = 1", 100, 50)
    text = page.read_text(encoding="utf-8")
    assert "n = 1: 50.0 ± 5.0; n = 3: 50.0 ± 5.0" in text
    assert text.startswith("Before.")
    assert text.endswith("After.\n")


def test_a_table_without_a_mark_is_refused(tmp_path):
    page = tmp_path / "page.md"
    page.write_text("nothing", encoding="utf-8")
    with pytest.raises(ValueError, match="no page of small has marks for lost"):
        filled(Study("small", (), lambda _: {"lost": ""}, (page,)), {})
