"""Papers are run again, in small; finished cells are kept; absent data are told."""

from __future__ import annotations

from dataclasses import dataclass, replace

import pytest
from studies.simulation import AbsentDataError, run_part

from papers.__main__ import finding, main, whole
from papers.shared.data import data_file, entries
from papers.shared.pages import INDEX
from papers.shared.paper import FOLDER, NAMES, Part, paper

WITHOUT_DATA = {"resampling", "bands", "prediction", "bounds", "ordinal"}


@pytest.mark.parametrize("name", sorted(WITHOUT_DATA))
def test_runs_without_data(name, capsys):
    assert main([name, "--quick", "--processes", "1"]) == 0
    assert "Finding(" in capsys.readouterr().out


@pytest.mark.parametrize("name", sorted(set(NAMES) - WITHOUT_DATA))
def test_runs_on_data(name, data, capsys):
    assert main([name, "--quick", "--processes", "1"]) == 0
    assert "Finding(" in capsys.readouterr().out


def test_absent_data_are_told_and_nothing_is_invented(monkeypatch, tmp_path, capsys):
    monkeypatch.setenv("ROCWISE_DATA", str(tmp_path))
    assert main(["smroc", "--quick", "--processes", "1"]) == 0
    told = capsys.readouterr().out
    assert "no file prom.csv.gz" in told
    assert "Finding(" not in told


def test_pictures_without_data_do_not_end_the_run(monkeypatch, capsys):
    def draw(*_):
        raise AbsentDataError("data set x: no file x.csv.gz")

    monkeypatch.setattr("papers.__main__.run_parts", lambda *_, **__: {"areas": [1]})
    monkeypatch.setattr("papers.__main__.write_page", lambda *_: None)
    whole(replace(paper("scoring"), pictures=draw), 1)
    assert "pictures not renewed: data set x" in capsys.readouterr().out


def test_another_file_of_the_same_name_is_refused(monkeypatch, tmp_path):
    monkeypatch.setenv("ROCWISE_DATA", str(tmp_path))
    (tmp_path / "prom.csv.gz").write_bytes(b"other")
    with pytest.raises(Exception, match="differs from the one counted on"):
        data_file("prom")


@dataclass(frozen=True)
class Square:
    cell: str
    value: int


def test_a_run_that_was_stopped_goes_on(tmp_path):
    asked = []

    def count(task):
        asked.append(task)
        if task == 3 and asked.count(3) == 1:
            raise KeyboardInterrupt
        return [Square(str(task), task**2)]

    part = Part("squares", Square, lambda _: [1, 2, 3, 4], count)
    with pytest.raises(KeyboardInterrupt):
        run_part(part, tmp_path, quick=False, processes=1)
    found = run_part(part, tmp_path, quick=False, processes=1)
    assert asked == [1, 2, 3, 3, 4]
    assert [one.value for one in found] == [1, 4, 9, 16]
    assert run_part(part, tmp_path, quick=False, processes=1) == found
    assert len(asked) == 5


@pytest.mark.parametrize("name", NAMES)
def test_pages_show_what_is_kept(name):
    """The verdict on a page is that of the counts beside it."""
    one = paper(name)
    found = finding(one)
    if found is None:
        pytest.skip(f"{name} has not been counted")
    page = (FOLDER / name / "README.md").read_text(encoding="utf-8")
    assert found.sentence in page
    for index in INDEX:
        assert found.sentence in index.read_text(encoding="utf-8")


@pytest.mark.parametrize("name", NAMES)
def test_no_part_writes_over_the_times(name):
    names = [part.name for part in paper(name).parts]
    assert "finished" not in names
    assert len(set(names)) == len(names)


def test_every_data_set_has_a_checksum():
    assert all(len(entry.sha256) == 64 for entry in entries().values())
