"""What the process that computes answers: files read or refused, questions asked."""

import gzip
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import rocwise as rw
from rocwise.serving.computing.worker import answer

from .conftest import table

Write = Callable[..., str]


def told(kind: str, **options: Any) -> dict[str, Any]:
    """The last message about a task."""
    said: list[dict[str, Any]] = []
    answer({"kind": kind, "options": options}, said.append)
    return said[-1]


def loaded(path: str, keep: Path, **choice: Any) -> dict[str, Any]:
    source = {"form": "file", "path": path, "name": "scores.csv"}
    wanted = {"label": "y", "scores": ["a", "b"]} | choice
    return told("load", source=source, choice=wanted, keep=str(keep))


@pytest.fixture
def kept(written: Write, tmp_path: Path) -> str:
    content, *_ = table()
    keep = tmp_path / "data.pickle"
    assert "result" in loaded(written(content), keep)
    return str(keep)


BAD_FILES = {
    "latin-1": ("ill,größe\n0,1\n".encode("latin-1"), "scores.csv", "not UTF-8"),
    "utf-16": ("y,a\n0,1\n".encode("utf-16"), "scores.csv", "UTF-16"),
    "garbage": (bytes(range(256)) * 40, "scores.csv", "not text"),
    "empty": (b"", "scores.csv", "empty"),
    "semicolons": (b"y;a\n0;1\n1;2\n", "scores.csv", "separated by ';'"),
    "spreadsheet": (b"PK\x03\x04", "scores.xlsx", "unknown ending"),
    "no gzip": (b"y,a\n0,1\n", "scores.csv.gz", "cannot be read"),
    "cut gzip": (gzip.compress(b"y,a\n0,1\n1,2\n")[:-9], "scores.csv.gz", "cannot be read"),
    "no parquet": (b"PAR1 and then nothing", "scores.parquet", "cannot be read"),
    "nul": (b"y,a\n0,\0\n", "scores.csv", "not text"),
}


@pytest.mark.parametrize("name", BAD_FILES)
def test_bad_files_are_refused_in_words(written: Write, name: str) -> None:
    content, file_name, words = BAD_FILES[name]
    path = written(content, file_name)
    said = told("inspect", path=path, name=file_name)
    if name == "nul" and "result" in said:  # Python 3.11 and later read it as text
        said = loaded(path, Path(path).with_name("k"), scores=["a"])
        words = "a"
    assert words in said["refused"]["text"]
    assert path not in said["refused"]["text"]


@pytest.mark.parametrize(
    ("content", "field", "words"),
    [
        (b"y,a,b\n1,0.5,1\n1,0.6,2\n", "label", "no negative"),
        (b"y,a,b\n0,low,1\n1,high,2\n", "scores", "must hold numbers"),
        (b"y,a,b\n0,,1\n1,0.5,2\n", "scores", "missing"),
        (b"y,a,b\n0,1,1\n1,2,2\n2,3,3\n", "label", "y"),
        (b"y,a,b\n0,1\n", "file", "row 0 has 2 cells"),
        (b"y,a\n0,1\n1,2\n", "scores", "no column is called 'b'"),
        (b"y,a,b\nno,1,1\nyes,2,2\n", "positive", "which class is positive"),
    ],
)
def test_bad_columns_are_refused_beside_their_field(
    written: Write, tmp_path: Path, content: bytes, field: str, words: str
) -> None:
    keep = tmp_path / "data.pickle"
    said = loaded(written(content), keep)["refused"]
    assert said["field"] == field
    assert words in said["text"]
    assert not keep.exists()


def test_what_is_loaded_has_the_numbers_of_the_library(
    kept: str, written: Write, tmp_path: Path
) -> None:
    content, y, scores = table()
    payload = loaded(written(content, "again.csv"), tmp_path / "more.pickle")["result"]["payload"]
    assert payload["mode"] == "studio"
    for model in payload["models"]:
        assert model["auc"]["value"] == rw.auc(y, scores[model["name"]]).value


def test_parquet_is_read_too(tmp_path: Path) -> None:
    pytest.importorskip("duckdb")
    pandas = pytest.importorskip("pandas")
    _, y, scores = table()
    path = tmp_path / "scores.parquet"
    pandas.DataFrame({"y": y, **scores}).to_parquet(path)
    found = told("inspect", path=str(path), name=path.name)["result"]
    assert found["guess"] == {"label": "y", "scores": ["a", "b"], "positive": "1", "error": None}
    assert "result" in loaded(str(path), tmp_path / "k.pickle")


def options(kept: str, **more: Any) -> dict[str, Any]:
    usual = {"data": kept, "resamples": 40, "seed": 3, "level": 0.9}
    return usual | {"band": "simultaneous", "prevalence": 0.2} | more


def test_bands_are_those_of_the_library(kept: str) -> None:
    _, y, scores = table()
    found = told("bands", **options(kept))["result"]
    band = rw.band(y, scores["a"], kind="simultaneous", level=0.9, n_resamples=40, rng=3)
    assert found["kind"] == "simultaneous"
    assert found["bands"]["a"]["area"] == pytest.approx(band.area, rel=1e-12)
    upper = found["bands"]["a"]["upper"]
    for x, height in zip(upper["x"], upper["y"], strict=True):  # every one a vertex of the band
        assert np.min(np.hypot(band.fpr - x, band.upper - height)) < 1e-4


def test_intervals_and_tests_are_those_of_the_library(kept: str) -> None:
    _, y, scores = table()
    columns = told("intervals", **options(kept))["result"]["section"]["tables"][0]["columns"]
    expected = rw.auc(y, scores["b"], method="bca", level=0.9, n_resamples=40, rng=3).interval
    assert [columns["low"][5], columns["high"][5]] == [expected.low, expected.high]
    for kind, method in (
        ("permutation", "permutation-monte-carlo"),
        ("venkatraman", "venkatraman"),
    ):
        section = told(kind, **options(kept))["result"]["section"]
        asked = rw.compare(y, scores, method=method, n_resamples=40, rng=3)
        assert section["tables"][0]["columns"]["p_value"] == [asked.p_value]


def test_a_test_needs_two_models(written: Write, tmp_path: Path) -> None:
    content, *_ = table()
    keep = tmp_path / "one.pickle"
    loaded(written(content), keep, scores=["a"])
    assert "two or more models" in told("permutation", **options(str(keep)))["refused"]["text"]


def test_the_surface_has_its_volume_and_an_interval_around_it(kept: str) -> None:
    _, y, scores = table()
    section = told("surface", **options(kept, resamples=60))["result"]["section"]
    columns = section["tables"][0]["columns"]
    expected = rw.abstention_surface(y, scores["a"], prevalence=0.2).volume
    assert columns["mean cost"][0] == pytest.approx(expected, rel=1e-12)
    assert columns["low"][0] < expected < columns["high"][0]
    assert [picture["title"] for picture in section["pictures"]] == ["a", "b"]


def test_wider_bands_are_held_more_often(kept: str) -> None:
    def share(level: float) -> float:
        said = told("containment", **options(kept, level=level, resamples=25))
        return said["result"]["section"]["tables"][0]["columns"]["share held"][0]

    assert share(0.3) < share(0.99)


def test_progress_rises_to_the_end(kept: str) -> None:
    from rocwise.serving.computing.tasks import TASKS

    heard: list[float] = []
    TASKS["surface"](options(kept), heard.append)
    assert heard == sorted(heard)
    assert heard[-1] == 1.0


def test_what_goes_wrong_inside_is_told(kept: str) -> None:
    assert "KeyError" in told("bands", data=kept)["failed"]
    assert "field" in told("bands", **options("/no/such/file"))["refused"]
