"""Columns of files and of standard input, and the sentences when they will not do."""

import gzip
import io
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import rocwise as rw
from rocwise.cli.data import label_value

Table = Callable[..., Path]
COLUMNS = ("--label", "y", "--score", "p")


class Piped:
    """Standard input with these bytes."""

    def __init__(self, content):
        self.buffer = io.BytesIO(content)

    def isatty(self):
        return False


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"", "is empty: a header line with column names is needed."),
        (b"y,p\n", "column 'y' is empty; at least one positive and one negative are needed."),
        (bytes(range(128, 256)), "cannot be read as text"),
        (b"\x00\x01\x02" * 50, "no column is called 'y'"),
        (b"y,q\n0,1\n1,2\n", "no column is called 'p'; the columns are 'y', 'q'."),
        (b"y,p\n0,1\n1,2\n0,oops\n", "column 'p' must contain numbers; got text (first "),
        (b"y,p\n0,1\n1,\n0,3\n", "has 1 missing value (first at row 3). Pass --missing drop"),
        (b"y,p\n0,1\n1\n", "row 3 has 1 cells but the header has 2."),
        (b"y,p\n1,1\n1,2\n", "column 'y' has no negative example"),
        (b"y,p\nno,1\nyes,2\n", "Pass --pos-label no or --pos-label yes."),
        (b"y,p\n1,1\n2,2\n3,3\n", "name the positive one with --pos-label."),
    ],
    ids=[
        "empty", "header only", "binary", "zeros", "no such column", "text", "missing", "ragged",
        "one class", "which is positive", "three classes",
    ],
)  # fmt: skip
@pytest.mark.parametrize("from_stdin", [False, True], ids=["file", "stdin"])
def test_unusable_data_raises_one_sentence(
    run, tmp_path, monkeypatch, content, sentence, from_stdin
):
    path = tmp_path / "table.csv"
    path.write_bytes(content)
    monkeypatch.setattr(sys, "stdin", Piped(content))
    code, out, err = run("auc", "-" if from_stdin else path, *COLUMNS)
    assert (code, out) == (2, "")
    assert sentence in err
    assert err.startswith("error: ")
    assert err.count("\n") == 1


def test_no_such_file(run):
    assert run("auc", "nowhere.csv", *COLUMNS) == (2, "", "error: no such file: nowhere.csv\n")


def test_a_folder_is_not_a_file(run, tmp_path):
    (tmp_path / "folder.csv").mkdir()
    code, _, err = run("auc", tmp_path / "folder.csv", *COLUMNS)
    assert code == 2
    assert "folder.csv: is a folder without files that end in .csv, " in err


def test_unknown_ending(run):
    code, _, err = run("auc", "scores.xyz", *COLUMNS)
    assert code == 2
    assert err.startswith("error: FILE 'scores.xyz' has an unknown ending; known are .csv, ")


def test_same_result_from_file_and_stdin(run, scores, monkeypatch):
    words = ("--label", "ill", "--score", "a", "--json")
    from_file = run("auc", scores.path, *words)
    monkeypatch.setattr(sys, "stdin", Piped(b"\xef\xbb\xbf" + scores.path.read_bytes()))
    assert run("auc", "-", *words) == from_file
    assert from_file.code == 0


@pytest.mark.parametrize("words", [("auc",), ("auc", "--score", "b"), ("compare", "--score", "b")])
def test_groups_of_rows_of_stdin(run, tmp_path, monkeypatch, words):
    path = tmp_path / "t.csv"
    rows = [f"{k % 2},{k % 7},{k % 5},{k // 2 % 2},{k % 3},{k // 4}" for k in range(80)]
    path.write_text("\n".join(["y,a,b,site,day,patient", *rows]) + "\n")
    first, *more = words
    more += ["--label", "y", "--score", "a", "--by", "site", "--by", "day", "--group", "patient"]
    monkeypatch.setattr(sys, "stdin", Piped(path.read_bytes()))
    found = run(first, "-", *more, "--csv")
    assert found == run(first, path, *more, "--csv")
    assert (found.code, len(found.out.splitlines())) == (
        0,
        13 if words[1:] and first == "auc" else 7,
    )


def test_stdin_stays_open(run, scores, monkeypatch):
    piped = Piped(scores.path.read_bytes())
    monkeypatch.setattr(sys, "stdin", piped)
    assert run("auc", "-", "--label", "ill", "--score", "a").code == 0
    assert not piped.buffer.closed


def test_heading_names_the_source(run, scores, monkeypatch):
    monkeypatch.setattr(sys, "stdin", Piped(scores.path.read_bytes()))
    out = run("auc", "-", "--label", "ill", "--score", "a").out
    assert out.startswith("standard input: ")


def test_score_twice(run, scores):
    code, _, err = run("auc", scores.path, "--label", "ill", "--score", "a", "--score", "a")
    assert (code, err) == (
        2,
        "error: --score a is given twice; each model needs its own column.\n",
    )


@pytest.mark.parametrize(
    ("text", "labels", "value"),
    [
        ("2", np.array([1.0, 2.0]), 2.0),
        ("2.0", np.array([1, 2]), 2.0),
        ("two", np.array([1, 2]), "two"),
        ("2", np.array(["1", "2"]), "2"),
        ("YES", np.array(["YES", None], dtype=object), "YES"),
        ("true", np.array([True, False]), True),
        ("FALSE", np.array([None, True, False], dtype=object), False),
        ("0", np.array([True, False]), False),
        (None, np.array([1, 2]), None),
        ("x", np.array([None, None], dtype=object), "x"),
    ],
)
def test_label_becomes_what_the_column_holds(text, labels, value):
    found = label_value(text, labels)
    assert (found, type(found)) == (value, type(value))


@pytest.mark.parametrize("positive", ["yes", "no"])
def test_text_labels(run, table_of, positive):
    path = table_of("y,p", "no,1", "yes,2", "no,3", "yes,4", "yes,5")
    code, out, _ = run("auc", path, *COLUMNS, "--pos-label", positive)
    assert code == 0
    assert ("0.83" in out) == (positive == "yes")
    assert ("0.17" in out) == (positive == "no")


def test_label_that_does_not_occur(run, table_of):
    path = table_of("y,p", "no,1", "yes,2")
    code, _, err = run("auc", path, *COLUMNS, "--pos-label", "maybe")
    assert code == 2
    assert err.startswith("error: --pos-label 'maybe' does not occur in column 'y'")


def test_rows_left_out_are_counted_for_all_models(run, table_of):
    path = table_of("y,p,q", "0,1,1", "1,2,2", "0,,3", "1,4,", "0,5,5", "1,6,6")
    words = ("--label", "y", "--score", "p", "--score", "q", "--missing", "drop")
    code, out, err = run("auc", path, *words)
    assert code == 0
    assert err == "warning: 2 rows with missing values left out.\n"
    assert "2 positives, 2 negatives; 2 rows with missing values left out" in " ".join(out.split())


def test_weights_and_direction_are_passed_on(run, table_of):
    path = table_of("y,p,w", "0,3,1", "1,1,2", "0,2,3", "1,2.5,1", "0,0.5,1")
    code, out, _ = run("auc", path, *COLUMNS, "--weight", "w", "--direction", "lower", "--json")
    expected = rw.auc(
        [0, 1, 0, 1, 0],
        [3, 1, 2, 2.5, 0.5],
        sample_weight=[1, 2, 3, 1, 1],
        direction="lower",
    )
    assert code == 0
    assert f'"value": {expected.value!r}' in out
    out = run("auc", path, *COLUMNS, "--weight", "w", "--direction", "lower").out
    assert "weighted 3 positives, 5 negatives; weights of 5 rows; lower scores mean" in " ".join(
        out.split()
    )


def test_negative_weight_names_its_column(run, table_of):
    path = table_of("y,p,w", "0,3,1", "1,1,-2")
    code, _, err = run("auc", path, *COLUMNS, "--weight", "w")
    assert code == 2
    assert err.startswith("error: column 'w' has 1 negative value (first -2 at row 3)")


def test_parquet_and_compressed_files(run, scores, tmp_path):
    pandas = pytest.importorskip("pandas")
    pytest.importorskip("duckdb")
    pytest.importorskip("pyarrow")
    frame = pandas.read_csv(scores.path)
    frame.to_parquet(tmp_path / "scores.parquet")
    frame.to_csv(tmp_path / "scores.csv.gz", index=False)
    frame[:100].to_csv(tmp_path / "part-1.csv", index=False)
    frame[100:].to_csv(tmp_path / "part-2.csv", index=False)
    words = ("--label", "ill", "--score", "a", "--json")
    expected = run("auc", scores.path, *words).out
    for name in ("scores.parquet", "scores.csv.gz", "part-*.csv"):
        assert run("auc", tmp_path / name, *words).out == expected


@pytest.mark.parametrize("command", ["auc", "report", "ordinal"])
def test_an_absent_label_lists_the_columns_of_the_file(run, tmp_path, command):
    path = tmp_path / "table.csv"
    path.write_text("ill,marker\n0,1\n1,2\n")
    code, _, err = run(command, path)
    assert code == 2
    assert "required: --label, --score; the columns of" in err
    assert "are 'ill', 'marker'" in err
    assert "columns" not in run(command, tmp_path / "absent.csv")[2]


def test_gzip_on_standard_input(run, monkeypatch):
    packed = gzip.compress(b"y,a\n0,1\n1,2\n0,1.5\n1,3\n")
    for content, code in ((packed, 0), (packed[:-9], 2)):
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(content)))
        outcome = run("auc", "-", "--label", "y", "--score", "a")
        assert outcome.code == code
        assert ("standard input cannot be unpacked" in outcome.err) == (code == 2)


def test_two_files_are_a_pattern(run, tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("y,a\n0,1\n1,2\n")
    outcome = run("auc", path, path, "--label", "y", "--score", "a")
    assert "one file at a time: a pattern" in outcome.err
