"""Columns of text and parquet files, small and large, with the same results."""

import gzip
import os
import sys

import numpy as np
import pandas as pd
import pytest

import rocwise as rw
from rocwise.engines import sources
from rocwise.engines.text_files import typed

ROWS = "ill,risk,name\n0,0.1,a\n0,0.4,b\n1,0.35,c\n1,0.8,d\n"


@pytest.fixture(params=["csv module", "DuckDB"])
def text_file(request, tmp_path, monkeypatch):
    """Writes text to a file that is read by each of the readers."""
    if request.param == "DuckDB":
        pytest.importorskip("duckdb")
        monkeypatch.setattr(sources, "SMALL_FILE_BYTES", -1)

    def write(text, name="scores.csv", encoding="utf-8"):
        path = tmp_path / name
        path.write_bytes(text.encode(encoding))
        return path

    return write


def scores(path, **options):
    return rw.tally(path, **{"label": "ill", "score": "risk"} | options)


def table(tally):
    return tally.scores.tolist(), tally.pos.tolist(), tally.neg.tolist()


EXPECTED = table(rw.tally([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]))


def test_a_csv_file(text_file):
    tally = scores(text_file(ROWS))
    assert table(tally) == EXPECTED
    assert (tally.origin.frame, tally.origin.name) == (None, "risk")


def test_windows_line_ends_marks_and_quotes(text_file):
    text = '\ufeffill,"risk",name\r\n0,0.1,"a, or\n b"\r\n0,"0.4",b\r\n1,0.35,c\r\n1,0.8,"d"\r\n'
    assert table(scores(text_file(text))) == EXPECTED


@pytest.mark.parametrize(
    ("labels", "pos_label"),
    [
        ("no no yes yes", "yes"),
        ("n n y y", "y"),
        ("f f t t", "t"),
        ("false false true true", None),
        ("False False True True", None),
        ("0 0 1 1", None),
        ("-1 -1 1 1", None),
        ("0.0 0.0 1.0 1.0", None),
        ("2 2 5 5", 5),
        ("2020-01-01 2020-01-01 2021-01-01 2021-01-01", "2021-01-01"),
        ("001 001 x x", "x"),
    ],
)
def test_labels_are_read_identically(text_file, labels, pos_label):
    numbers = ("0.1", "0.4", "0.35", "0.8")
    lines = [f"{label},{risk}" for label, risk in zip(labels.split(), numbers, strict=True)]
    path = text_file("\n".join(["ill,risk", *lines, ""]))
    assert table(scores(path, pos_label=pos_label)) == EXPECTED


@pytest.mark.parametrize("column", ["ill", "risk"])
def test_empty_cells_are_missing(text_file, column):
    cells = {"ill": "1", "risk": "0.5"} | {column: ""}
    path = text_file(ROWS + f"{cells['ill']},{cells['risk']},e\n")
    with pytest.raises(rw.InputError, match=rf"`{column}` has 1 missing value \(first at row 6\)"):
        scores(path)
    tally = scores(path, missing="drop")
    assert table(tally) == EXPECTED
    assert tally.n_dropped == 1


@pytest.mark.parametrize("gap", ["", "9007199254740999"])
def test_large_integers_are_distinguished(text_file, gap):
    numbers = [2**53 + 1, 2**53, 2**53 + 3, gap]
    lines = [f"{i % 2},{number}" for i, number in enumerate(numbers)]
    tally = scores(text_file("\n".join(["ill,risk", *lines, ""])), missing="drop")
    assert tally.scores.tolist() == sorted((int(n) for n in numbers if n != ""), reverse=True)


# what the files of one pattern hold of a column: all cells of it decide together
PIECES = {
    "whole, fractions": (["1", "2"], ["0.5", "3"]),
    "whole, fractions with gaps": (["1", "2"], ["0.5", "NA"]),
    "whole with gaps, fractions": (["1", ""], ["0.5", "3"]),
    "whole with gaps, whole": (["1", ""], ["2", "3"]),
    "nothing, whole": (["", "NA"], ["2", "3"]),
    "nothing, fractions": (["", "NA"], ["0.5", "3"]),
    "nothing, words": (["", "NA"], ["a", "3"]),
    "long whole, whole": (["9007199254740993", "1"], ["2", "3"]),
    "long whole, fractions": (["9007199254740993", "1"], ["0.5", "3"]),
    "whole, words": (["01", "2"], ["a", "3"]),
    "fractions, words": (["0.50", "2"], ["a", "3"]),
    "flags, whole": (["true", "false"], ["1", "0"]),
    "infinite, fractions": (["inf", "1"], ["0.5", "3"]),
}


@pytest.mark.parametrize("order", [1, -1])
@pytest.mark.parametrize("pieces", PIECES.values(), ids=PIECES)
def test_a_column_of_several_files_is_that_of_one(text_file, tmp_path, pieces, order):
    for number, cells in enumerate(pieces[::order]):
        text_file("\n".join(["ill,risk", *(f"1,{cell}" for cell in cells), ""]), f"{number}.csv")
    (found, _) = sources.columns_of(tmp_path / "?.csv", ["risk"])
    expected = typed([cell for cells in pieces[::order] for cell in cells])
    assert spelled(found["risk"]) == spelled(expected)


def spelled(column):
    """Values with their types; how a missing one is marked is up to the reader."""
    return [None if v is None or v != v else repr(v) for v in column.tolist()]


@pytest.mark.parametrize("word", ["1_000", "-", "0x10", "?"])
def test_words_are_no_numbers(text_file, word):
    path = text_file(ROWS + f"1,{word},e\n")
    with pytest.raises(rw.InputError, match="`risk` must contain numbers; got text") as caught:
        scores(path)
    assert "at row 6" in str(caught.value)
    assert f"first {word!r}" in str(caught.value)


def test_a_header_alone_has_no_rows(text_file):
    with pytest.raises(rw.InputError, match="`ill` is empty"):
        scores(text_file("ill,risk\n"))


def test_a_quote_that_the_header_leaves_open(text_file):
    with pytest.raises(rw.InputError, match="is empty"):
        scores(text_file('ill,risk,a"b,"c\n0,1,2,3\n1,2,3,4\n'))


def test_columns_that_are_not_there_are_named(text_file):
    with pytest.raises(rw.InputError) as caught:
        scores(text_file(ROWS), score="p")
    assert str(caught.value) == "no column is called 'p'; the columns are 'ill', 'risk', 'name'."


def test_small_files_are_read_without_duckdb(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "duckdb", None)
    path = tmp_path / "scores.csv"
    path.write_text(ROWS)
    assert table(scores(path)) == EXPECTED
    with gzip.open(tmp_path / "scores.csv.gz", "wt") as lines:
        lines.write(ROWS)
    assert table(scores(tmp_path / "scores.csv.gz")) == EXPECTED
    monkeypatch.setattr(sources, "SMALL_FILE_BYTES", -1)  # nothing else reads large ones then
    assert table(scores(path)) == EXPECTED
    for ending in ("parquet", "csv.zst"):
        (tmp_path / f"scores.{ending}").write_bytes(b"")
        with pytest.raises(rw.errors.MissingPackageError, match=r"pip install 'rocwise\[files\]'"):
            scores(tmp_path / f"scores.{ending}")


def test_compressed_files_and_globs(tmp_path):
    pytest.importorskip("duckdb")
    lines = ROWS.splitlines(keepends=True)
    with gzip.open(tmp_path / "all.csv.gz", "wt") as whole:
        whole.write(ROWS)
    for number, part in enumerate((lines[1:3], lines[3:])):
        (tmp_path / f"part{number}.csv").write_text("".join([lines[0], *part]))
    assert table(scores(tmp_path / "all.csv.gz")) == EXPECTED
    assert table(scores(tmp_path / "part*.csv")) == EXPECTED
    assert table(scores(str(tmp_path / "part?.csv"))) == EXPECTED
    assert table(scores(tmp_path / "part[01].csv")) == EXPECTED


@pytest.mark.parametrize("folder", [os.fspath, os.fsencode])
def test_entries_of_a_folder_are_paths(tmp_path, folder):
    (tmp_path / "scores.csv").write_text(ROWS)
    (entry,) = os.scandir(folder(tmp_path))
    assert table(scores(entry)) == EXPECTED


@pytest.mark.parametrize("ending", ["parquet", "pq"])
def test_parquet_files(tmp_path, ending):
    pytest.importorskip("duckdb")
    frame = pd.DataFrame(
        {"ill": ["n", "n", "y", "y", None], "risk": np.array([0.1, 0.4, 0.35, 0.8, 0.9], "float32")}
    )
    frame.to_parquet(tmp_path / f"scores.{ending}")
    tally = scores(tmp_path / f"scores.{ending}", pos_label="y", missing="drop")
    assert tally.scores.dtype == np.float32
    assert tally.n_dropped == 1
    assert tally.pos.tolist() == EXPECTED[1]


def test_nulls_of_parquet_files_are_missing(tmp_path):
    pytest.importorskip("duckdb")
    frame = pd.DataFrame({"ill": [0, 1, 1, 0], "risk": pd.array([5, None, 7, 6], "Int32")})
    frame.to_parquet(tmp_path / "scores.parquet")
    with pytest.raises(rw.InputError, match=r"`risk` has 1 missing value \(first at row 1\)"):
        scores(tmp_path / "scores.parquet")
    assert scores(tmp_path / "scores.parquet", missing="drop").scores.tolist() == [7.0, 6.0, 5.0]


@pytest.mark.parametrize("name", ["broken.parquet", "broken.csv.gz"])
def test_broken_files_are_named(tmp_path, name):
    pytest.importorskip("duckdb")
    (tmp_path / name).write_bytes(b"this is neither")
    with pytest.raises(rw.InputError, match=f"{name} cannot be read: "):
        scores(tmp_path / name)


def test_a_number_that_turns_into_a_word_late_is_named(tmp_path):
    pytest.importorskip("duckdb")
    path = tmp_path / "late.csv.gz"
    with gzip.open(path, "wt") as lines:
        lines.write("ill,risk\n" + "".join(f"{i % 2},{i}.5\n" for i in range(25000)) + "1,oops\n")
    with pytest.raises(rw.InputError, match=r"got text \(first 'oops' at row 25002\)"):
        scores(path)


@pytest.mark.parametrize("word", ["NA", "NaN", "nan", "null", "n/a", "N/A", "#N/A", "#NV", "NULL"])
def test_words_for_a_missing_cell(tmp_path, word):
    path = tmp_path / "scores.csv"
    path.write_text(f"y,s\nill,1\n{word},2\nwell,{word}\nwell,0\nill,3\n")
    with pytest.raises(rw.InputError, match="1 missing value"):
        rw.tally(path, label="y", score="s", pos_label="ill")
    kept = rw.tally(path, label="y", score="s", pos_label="ill", missing="drop")
    assert (kept.n_pos, kept.n_neg, kept.n_dropped) == (2, 1, 2)


def test_rows_of_a_large_file_keep_their_order(tmp_path):
    """Which DuckDB reads in parts of 122,880 rows: forecasts and rows in errors depend on it."""
    n = 1_000_000
    path = tmp_path / "series.csv"
    path.write_text("y,s\n" + "".join(f"{k % 2},{k}\n" for k in range(n)))
    columns, _ = sources.columns_of(path, ["y", "s"])
    assert np.array_equal(columns["s"], np.arange(n))
