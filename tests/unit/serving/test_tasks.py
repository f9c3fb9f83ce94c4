"""Tasks of the computing process: files and their errors, results."""

import gzip
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import rocwise as rw
from excel_files import write_excel
from rocwise.serving.computing.worker import result
from rocwise.serving.model_names import key_of

from .conftest import table

Write = Callable[..., str]


def run_task(kind, **options):
    """The last message about a task."""
    outcome: list[dict[str, Any]] = []
    result({"kind": kind, "options": options}, outcome.append)
    return outcome[-1]


def loaded(path, keep, **choice):
    source = {"form": "file", "path": path, "name": "scores.csv"}
    wanted = {"label": "y", "scores": ["a", "b"]} | choice
    return run_task("load", source=source, choice=wanted, keep=str(keep))


@pytest.fixture
def kept(written, tmp_path):
    content, *_ = table()
    keep = tmp_path / "data.pickle"
    assert "result" in loaded(written(content), keep)
    return str(keep)


BAD_FILES = {
    "two encodings": ("ill,größe\n0,1\n".encode() + b"\xe4", "scores.csv", "not UTF-8"),
    "garbage": (bytes(range(256)) * 40, "scores.csv", "not text"),
    "empty": (b"", "scores.csv", "empty"),
    "spreadsheet": (b"PK\x03\x04", "scores.xlsx", "cannot be read"),
    "old spreadsheet": (b"\xd0\xcf", "scores.xls", "unknown ending"),
    "no gzip": (b"y,a\n0,1\n", "scores.csv.gz", "cannot be read"),
    "cut gzip": (gzip.compress(b"y,a\n0,1\n1,2\n")[:-9], "scores.csv.gz", "cannot be read"),
    "no parquet": (b"PAR1 and then nothing", "scores.parquet", "cannot be read"),
    "nul": (b"y,a\n0,\0\n", "scores.csv", "not text"),
}


@pytest.mark.parametrize("name", BAD_FILES)
def test_invalid_files_raise_a_message(written, name):
    content, file_name, words = BAD_FILES[name]
    path = written(content, file_name)
    outcome = run_task("inspect", path=path, name=file_name)
    if name == "nul" and "result" in outcome:  # Python 3.11 and later read it as text
        outcome = loaded(path, Path(path).with_name("k"), scores=["a"])
        words = "a"
    assert words in outcome["invalid"]["text"]
    assert path not in outcome["invalid"]["text"]


@pytest.mark.parametrize("kind", ["csv.gz", "csv.zst", "parquet"])
def test_what_unpacks_to_too_much_is_rejected(tmp_path, monkeypatch, kind):
    duckdb = pytest.importorskip("duckdb")
    path, name = str(tmp_path / f"t.{kind}"), f"t.{kind}"
    form = "parquet" if kind == "parquet" else f"csv, header, compression {kind[4:].strip()}"
    form = form.replace("gz", "gzip").replace("zst", "zstd")
    rows = "select i % 2 as y, i % 7 as a from range(10_000) t(i)"
    duckdb.sql(f"copy ({rows}) to '{path}' (format {form})")
    assert Path(path).stat().st_size < 20_000

    def error_of(ours):
        seen = run_task("inspect", path=path, name=name, ours=ours)
        if "invalid" in seen:
            return seen["invalid"]["text"]
        source = {"form": "file", "path": path, "name": name, "ours": ours}
        choice = {"label": "y", "scores": ["a"]}
        outcome = run_task("load", source=source, choice=choice, keep=str(tmp_path / "keep"))
        return outcome.get("invalid", {}).get("text")

    assert error_of(ours=True) is None
    monkeypatch.setattr("rocwise.serving.computing.upload_limits.LARGEST_UNPACKED", 30_000)
    assert error_of(ours=False) is None
    assert error_of(ours=True).startswith(f"{name} is too large: the studio unpacks up to")


def test_equal_texts_that_are_stored_once(tmp_path, monkeypatch):
    """47 kB of Parquet were gigabytes of text."""
    pa, pq = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    words = pa.DictionaryArray.from_arrays(pa.array([0] * 1000, pa.int32()), ["word" * 200])
    nested = pa.array([["word" * 200]] * 1000)
    columns = {"y": [0, 1] * 500, "words": words, "nested": nested}
    pq.write_table(pa.table(columns), path := str(tmp_path / "t.parquet"))
    seen = run_task("inspect", path=path, name="t.parquet", ours=True)["result"]
    assert [column["name"] for column in seen["columns"]] == list(columns)
    monkeypatch.setattr("rocwise.serving.computing.upload_limits.LARGEST_UNPACKED", 30_000)
    outcome = run_task("inspect", path=path, name="t.parquet", ours=True)
    assert outcome["invalid"]["text"].startswith("t.parquet is too large")


def test_names_of_columns_that_no_page_can_show(written):
    path = written(b"y," + b"a" * 2000 + b"\n0,1\n1,2\n")
    outcome = run_task("inspect", path=path, name="scores.csv")
    assert "has 2,000 letters" in outcome["invalid"]["text"]


@pytest.mark.parametrize(
    ("content", "field", "words"),
    [
        (b"y,a,b\n1,0.5,1\n1,0.6,2\n", "label", "no negative"),
        (b"y,a,b\n0,low,1\n1,high,2\n", "scores", "must contain numbers"),
        (b"y,a,b\n0,,1\n1,0.5,2\n", "scores", "missing"),
        (b"y,a,b\n0,1,1\n1,2,2\n2,3,3\n", "label", "y"),
        (b"y,a,b\n0,1\n", "file", "row 2 has 2 cells"),
        (b"y,a\n0,1\n1,2\n", "scores", "no column is called 'b'"),
        (b"y,a,b\nno,1,1\nyes,2,2\n", "positive", "required for the labels"),
    ],
)
def test_invalid_columns_have_the_error_at_their_field(written, tmp_path, content, field, words):
    keep = tmp_path / "data.pickle"
    outcome = loaded(written(content), keep)["invalid"]
    assert outcome["field"] == field
    assert words in outcome["text"]
    assert not keep.exists()


def test_what_is_loaded_has_the_numbers_of_the_library(kept, written, tmp_path):
    content, y, scores = table()
    result = loaded(written(content, "again.csv"), tmp_path / "more.pickle")["result"]
    payload = result["payload"]
    assert payload["mode"] == "studio"
    assert result["names"] == ["a", "b"]
    for place, model in enumerate(payload["models"]):
        assert model["name"] == key_of(place)
        assert model["auc"]["value"] == rw.auc(y, scores["ab"[place]]).value


def several(n=90):
    """A csv file with three classes, and two columns for each."""
    rng = np.random.default_rng(2)
    y = np.array(["x", "y", "z"])[np.arange(n) % 3]
    columns = {f"{m}_{c}": (rng.random(n) + (y == c)).round(3) for m in "ab" for c in "xyz"}
    rows = zip(y.tolist(), *(column.tolist() for column in columns.values()), strict=True)
    lines = [",".join(["kind", *columns]), *(",".join(map(str, row)) for row in rows)]
    return "\n".join(lines).encode() + b"\n", y, columns


def test_several_classes_are_those_of_the_library(written, tmp_path):
    content, y, columns = several()
    path = written(content, "kinds.csv")
    guess = run_task("inspect", path=path, name="kinds.csv")["result"]["guess"]
    assert (guess["task"], guess["scores"]) == ("multiclass", list(columns))
    found = loaded(path, tmp_path / "k.pickle", **guess)["result"]
    assert found["names"] == ["a", "b"]
    table = np.column_stack([columns[f"b_{label}"] for label in "xyz"])
    expected = rw.multiclass.auc(y, table, classes=list("xyz")).value
    assert found["payload"]["summary"]["models"][1]["value"] == expected
    ordered = {"task": "ordinal", "order": ["z", "y", "x"], "scores": ["a_x"]}
    found = loaded(path, tmp_path / "o.pickle", label="kind", **ordered)["result"]["payload"]
    expected = rw.ordinal.auc(y, columns["a_x"], order=["z", "y", "x"]).value
    assert found["summary"]["models"][0]["value"] == expected


@pytest.mark.parametrize(
    ("choice", "field", "words"),
    [
        ({"task": "multiclass", "scores": ["a_x", "a_y"]}, "scores", "one column for each class"),
        ({"task": "ordinal", "scores": ["a_x"], "order": ["x", "y"]}, "order", "once"),
        ({"task": "regression", "scores": ["a_x"]}, "label", "numbers"),
    ],
)
def test_columns_that_do_not_fit_the_task_have_the_error_at_their_field(
    written, tmp_path, choice, field, words
):
    path = written(several()[0], "kinds.csv")
    outcome = loaded(path, tmp_path / "k.pickle", label="kind", **choice)["invalid"]
    assert outcome["field"] == field
    assert words in outcome["text"]


def options(kept, **more):
    usual = {"data": kept, "resamples": 40, "seed": 3, "level": 0.9}
    return usual | {"band": "simultaneous", "prevalence": 0.2} | more


def test_bands_are_those_of_the_library(kept):
    _, y, scores = table()
    found = run_task("bands", **options(kept))["result"]
    band = rw.band(y, scores["a"], kind="simultaneous", level=0.9, n_resamples=40, rng=3)
    assert found["kind"] == "simultaneous"
    assert found["bands"][key_of(0)]["area"] == pytest.approx(band.area, rel=1e-12)
    upper = found["bands"][key_of(0)]["upper"]
    for x, height in zip(upper["x"], upper["y"], strict=True):  # every one a vertex of the band
        assert np.min(np.hypot(band.fpr - x, band.upper - height)) < 1e-4


def test_intervals_and_tests_are_those_of_the_library(kept):
    _, y, scores = table()
    columns = run_task("intervals", **options(kept))["result"]["section"]["tables"][0]["columns"]
    expected = rw.auc(y, scores["b"], method="bca", level=0.9, n_resamples=40, rng=3).interval
    assert [columns["low"][5], columns["high"][5]] == [expected.low, expected.high]
    for kind, method in (
        ("permutation", "permutation-monte-carlo"),
        ("venkatraman", "venkatraman"),
    ):
        section = run_task(kind, **options(kept))["result"]["section"]
        requested = rw.compare(y, scores, method=method, n_resamples=40, rng=3)
        assert section["tables"][0]["columns"]["p_value"] == [requested.p_value]


def test_a_test_needs_two_models(written, tmp_path):
    content, *_ = table()
    keep = tmp_path / "one.pickle"
    loaded(written(content), keep, scores=["a"])
    assert "two or more models" in run_task("permutation", **options(str(keep)))["invalid"]["text"]


def test_the_surface_has_its_volume_and_an_interval_around_it(kept):
    _, y, scores = table()
    section = run_task("surface", **options(kept, resamples=60))["result"]["section"]
    columns = section["tables"][0]["columns"]
    expected = rw.abstention_surface(y, scores["a"], prevalence=0.2).volume
    assert columns["mean cost"][0] == pytest.approx(expected, rel=1e-12)
    assert columns["low"][0] < expected < columns["high"][0]
    assert [plot["title"] for plot in section["plots"]] == [key_of(0), key_of(1)]


def test_a_result_that_is_not_json_is_reported(monkeypatch):
    from rocwise.serving.computing.tasks import TASKS

    sent: list[Any] = []

    def send(message):
        json.dumps(message, allow_nan=False)
        sent.append(message)

    monkeypatch.setitem(TASKS, "surface", lambda _options, _report: {"value": float("nan")})
    result({"kind": "surface", "options": {}}, send)
    assert [list(message) for message in sent] == [["failed"]]
    assert "not JSON compliant" in sent[0]["failed"]


def test_internal_errors_are_reported(kept):
    assert "KeyError" in run_task("bands", data=kept)["failed"]
    assert "field" in run_task("bands", **options("/no/such/file"))["invalid"]


def test_a_file_of_a_spreadsheet_is_shown_as_one_with_commas(written, tmp_path):
    """Detection and numbers on the page are those of the library."""
    pytest.importorskip("python_calamine")
    rng = np.random.default_rng(3)
    y = rng.permutation(np.repeat([0, 1], 30))
    marker = np.round(rng.normal(size=60) + y, 2).tolist()
    rows = list(zip(np.where(y == 1, "krank", "gesund").tolist(), marker, strict=True))
    plain = "".join(f"{label},{value}\n" for label, value in rows)
    comma = "".join(f"{label};{str(value).replace('.', ',')}\n" for label, value in rows)
    excel = tmp_path / "sheet.xlsx"
    write_excel(excel, {"Daten": [["Befund", "Größe"], *rows]})
    files = {
        "plain.csv": f"Befund,Größe\n{plain}".encode(),
        "comma.csv": f"# LIMS\nBefund;Größe\n{comma}".encode("cp1252"),
        "sheet.xlsx": excel.read_bytes(),
    }
    shown = {}
    for name, content in files.items():
        path = written(content, name)
        found = run_task("inspect", path=path, name=name)["result"]
        assert [column["name"] for column in found["columns"]] == ["Befund", "Größe"]
        wanted = {"label": "Befund", "scores": ["Größe"], "positive": "krank"}
        source = {"form": "file", "path": path, "name": name}
        keep = str(tmp_path / "k")
        result = run_task("load", source=source, choice=wanted, keep=keep)["result"]
        shown[name] = result["payload"]["models"][0]
        notes = {note["code"]: note for note in result["payload"]["notes"]}
        of_library = rw.auc(path, label="Befund", score="Größe", pos_label="krank")
        assert shown[name]["auc"]["low"] == of_library.low
        how = of_library.origin.read_by
        assert notes.get("read-as", {}).get("how") == (how and how.removeprefix("read with "))
    assert shown["plain.csv"]["auc"] == shown["comma.csv"]["auc"] == shown["sheet.xlsx"]["auc"]
