"""Files that once changed a number, by their size, their ending or their name."""

import gzip
import os
import subprocess
import sys
import threading
import warnings
from decimal import Decimal

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import rocwise as rw
from rocwise.engines import duckdb_access, parquet_files, sources

duckdb = pytest.importorskip("duckdb")
NAMED = {"label": "y", "score": "a"}


@pytest.fixture
def hasty(monkeypatch):
    """Every text file counts as large."""
    monkeypatch.setattr(sources, "SMALL_FILE_BYTES", -1)


@pytest.fixture
def plainly_read(monkeypatch):
    """What the fast reader gave; None where it left the file to the standard library."""
    results = []
    real = sources.read_plain

    def noted(*given, **options):
        results.append(real(*given, **options))
        return results[-1]

    monkeypatch.setattr(sources, "read_plain", noted)
    return results


def written(path, text):
    data = text.encode()
    path.write_bytes(gzip.compress(data) if path.suffix == ".gz" else data)
    return path


LATE = "y,a\n" + "0,0\n" * 25_000 + "1,0.4\n0,0.1\n" * 12_500


@pytest.mark.parametrize("name", ["s.csv", "s.csv.gz", "s-*.csv"])
def test_scores_that_begin_whole_are_not_rounded(tmp_path, hasty, plainly_read, name):
    if "*" in name:
        head, tail = LATE[: len(LATE) // 2], LATE[len(LATE) // 2 :]
        cut = head.rindex("\n") + 1
        written(tmp_path / "s-1.csv", head[:cut])
        written(tmp_path / "s-2.csv", "y,a\n" + head[cut:] + tail)
    else:
        written(tmp_path / name, LATE)
    assert rw.auc(tmp_path / name, **NAMED).value == 1.0
    assert plainly_read[0] is not None


@pytest.mark.parametrize("cell", ["NA", "", "null"])
def test_a_cell_that_is_missing_late(tmp_path, hasty, plainly_read, cell):
    path = written(tmp_path / "s.csv.gz", LATE + f"1,{cell}\n")
    with pytest.raises(rw.InputError, match=r"`a` has 1 missing value \(first at row 50002\)"):
        rw.auc(path, **NAMED)
    assert rw.tally(path, missing="drop", **NAMED).n_dropped == 1
    assert None not in plainly_read


def test_labels_are_not_rounded_either(tmp_path, hasty):
    path = written(tmp_path / "s.csv", "y,a\n" + "0,1\n1,2\n" * 15_000 + "0.4,3\n1.4,4\n")
    with pytest.raises(rw.InputError, match="4 distinct labels"):
        rw.auc(path, **NAMED)


TABLE = pa.table({"y": [0, 1, 0, 1], "a": [1.0, 2.0, 3.0, 4.0]})
OTHER = pa.table({"y": [0, 1, 0, 1], "a": [4.0, 3.0, 2.0, 1.0]})


@pytest.mark.parametrize("ending", ["parquet", "csv", "csv.gz"])
@pytest.mark.parametrize("name", ["scores[1]", "n*", "who?", 'a b\'s "c" %41', "~"])
def test_names_are_literal(tmp_path, hasty, name, ending):
    for stem, table in ((name, TABLE), ("scores1", OTHER), ("nx", OTHER), ("whom", OTHER)):
        path = tmp_path / f"{stem}.{ending}"
        if ending == "parquet":
            pq.write_table(table, path)
        else:
            rows = zip(table["y"].to_pylist(), table["a"].to_pylist(), strict=True)
            written(path, "y,a\n" + "".join(f"{y},{a}\n" for y, a in rows))
    assert rw.auc(tmp_path / f"{name}.{ending}", **NAMED).value == 0.75


def test_columns_of_files_come_before_those_of_folders(tmp_path):
    (tmp_path / "a=7").mkdir()
    pq.write_table(TABLE, tmp_path / "a=7" / "s.parquet")
    assert rw.auc(tmp_path / "a=7" / "s.parquet", **NAMED).value == 0.75


def test_a_folder_whose_name_looks_like_a_pattern(tmp_path):
    folder = tmp_path / "data [1]"
    folder.mkdir()
    pq.write_table(TABLE, folder / "part-1.parquet")
    assert rw.auc(folder / "part-*.parquet", **NAMED).value == 0.75


@pytest.mark.parametrize("ending", ["csv", "csv.gz"])
@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("y,a,a\n0,1,2\n1,2,3\n", "more than one column is called 'a'"),
        ("a title,2024\n\ny,a\n0,1\n1,2\n", "Row 3 has the names: delete the rows above it"),
        ("y:a\n0:1\n1:2\n", "no column is called 'y'; the columns are 'y:a'"),
        ("y,a\n0,1\n1,2,\n", "row 3 has 3 cells but the header has 2"),
        ("y,a\n0,1\n1\n", "row 3 has 1 cells but the header has 2"),
        ("y,a\n0,1\n\n1\n", "row 4 has 1 cells but the header has 2"),
    ],
    ids=["twice", "two cells", "colons", "more cells", "fewer cells", "blank"],
)
@pytest.mark.parametrize("large", [False, True])
def test_the_same_errors_at_every_size(tmp_path, monkeypatch, text, message, ending, large):
    monkeypatch.setattr(sources, "SMALL_FILE_BYTES", -1 if large else 10**9)
    with pytest.raises(rw.InputError, match=message):
        rw.auc(written(tmp_path / f"s.{ending}", text), **NAMED)


@pytest.mark.parametrize("ending", ["csv", "csv.gz"])
@pytest.mark.parametrize("above", ["a title\n", "a title\n\nof two lines\n"])
@pytest.mark.parametrize("large", [False, True])
def test_titles_are_left_out_at_every_size(tmp_path, monkeypatch, above, ending, large):
    monkeypatch.setattr(sources, "SMALL_FILE_BYTES", -1 if large else 10**9)
    text = "y,a\n" + "0,1\n1,2\n1,0\n" * 40
    found = rw.auc(written(tmp_path / f"s.{ending}", above + text), **NAMED)
    plain = rw.auc(written(tmp_path / f"t.{ending}", text), **NAMED)
    assert (found.value, found.n_pos, found.n_neg) == (plain.value, plain.n_pos, plain.n_neg)
    assert "above the header left out" in found.origin.read_by
    assert plain.origin.read_by is None
    wrong = written(tmp_path / f"w.{ending}", f"{above}{text}1,x\n")
    row = above.count("\n") + 122
    with pytest.raises(rw.InputError, match=f"row {row}"):
        rw.auc(wrong, **NAMED)


@pytest.mark.parametrize("ending", ["parquet", "csv", "csv.gz"])
@pytest.mark.parametrize(("column", "area"), [("a", 0.75), ("A", 0.25)])
def test_columns_that_differ_in_case_only(tmp_path, hasty, ending, column, area):
    path = tmp_path / f"s.{ending}"
    if ending == "parquet":
        pq.write_table(TABLE.append_column("A", OTHER["a"]), path)
    else:
        written(path, "y,a,A\n0,1,4\n1,2,3\n0,3,2\n1,4,1\n")
    assert rw.tally(path, label="y", score=column).scores[0] == 4.0
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", rw.errors.DirectionWarning)
        assert rw.auc(path, label="y", score=column).value == area


def of_file(tmp_path, table, **options):
    pq.write_table(table, tmp_path / "s.parquet")
    return rw.tally(tmp_path / "s.parquet", **NAMED | options)


@pytest.mark.parametrize(
    "kind", [pa.decimal128(38, 5), pa.decimal128(38, 0), pa.decimal128(20, 0)], ids=str
)
def test_decimals_that_floats_would_merge(tmp_path, kind):
    numbers = pa.array([Decimal(2**60 + k) for k in range(40)]).cast(kind)
    table = pa.table({"y": [0, 1] * 20, "a": numbers})
    for call in (lambda: of_file(tmp_path, table), lambda: rw.tally(table, **NAMED)):
        with pytest.raises(rw.InputError, match="are equal in float64 but differ"):
            call()


def test_decimals_that_floats_distinguish(tmp_path):
    numbers = [Decimal("0.1"), Decimal("0.25"), Decimal("0.3"), Decimal("1.75")]
    table = pa.table({"y": [0, 1, 0, 1], "a": numbers})
    assert of_file(tmp_path, table).scores.tolist() == [1.75, 0.3, 0.25, 0.1]


@pytest.mark.parametrize("kind", ["decimal", "duration"])
def test_labels_and_scores_that_are_no_plain_numbers(tmp_path, kind):
    values = {
        "decimal": ("y", pa.array([Decimal(0), Decimal(1), Decimal(0), Decimal(1)])),
        "duration": ("a", pa.array([1, 2, 3, 4], pa.duration("ms"))),
    }
    name, column = values[kind]
    table = TABLE.set_column(TABLE.column_names.index(name), name, column)
    sentences = []
    for call in (lambda: of_file(tmp_path, table), lambda: rw.tally(table, **NAMED)):
        with pytest.raises(rw.InputError) as caught:
            call()
        sentences.append(str(caught.value).partition("(")[0].replace("[s]", "[ms]"))
    assert sentences[0] == sentences[1]


@pytest.mark.parametrize("size", [-1, 10**9])
def test_one_fraction_among_large_integers(tmp_path, monkeypatch, size):
    monkeypatch.setattr(sources, "SMALL_FILE_BYTES", size)
    text = f"y,a\n0,{2**53}\n1,{2**53 + 1}\n0,0.5\n1,1\n"
    with pytest.raises(rw.InputError, match="are equal in float64 but differ"):
        rw.auc(written(tmp_path / "s.csv", text), **NAMED)
    text = f"y,a\n0,{2**53 + 2}\n1,{2**53 + 4}\n0,0.5\n1,1\n"
    assert rw.auc(written(tmp_path / "t.csv", text), **NAMED).value == 0.75


@pytest.mark.parametrize("size", [-1, 10**9])
def test_numbers_beyond_all_floats_are_not_infinite(tmp_path, monkeypatch, size):
    monkeypatch.setattr(sources, "SMALL_FILE_BYTES", size)
    with pytest.raises(rw.InputError, match="too large for a float64"):
        rw.auc(written(tmp_path / "s.csv", "y,a\n0,1.5\n1,1e400\n"), **NAMED)
    infinite = written(tmp_path / "t.csv", "y,a\n0,1.5\n1,inf\n0,2.5\n")
    assert rw.auc(infinite, **NAMED).value == 1.0


@pytest.mark.parametrize("ending", ["parquet", "csv"])
def test_files_of_a_pattern_are_one_table(tmp_path, hasty, ending):
    parts = [{"a": [1, 3], "y": [0, 0]}, {"y": [1, 1], "a": [2.5, 4.0]}]
    for k, part in enumerate(parts):
        path = tmp_path / f"p{k}.{ending}"
        if ending == "parquet":
            pq.write_table(pa.table(part), path)
        else:
            names = list(part)
            lines = [",".join(map(str, row)) for row in zip(*part.values(), strict=True)]
            written(path, "\n".join([",".join(names), *lines, ""]))
    tally = rw.tally(tmp_path / f"p*.{ending}", **NAMED)
    assert tally.scores.tolist() == [4.0, 3.0, 2.5, 1.0]


def test_files_of_a_pattern_whose_types_do_not_go_together(tmp_path):
    pq.write_table(pa.table({"y": [0, 1], "a": [2**53 + 1, 2**53]}), tmp_path / "p0.parquet")
    pq.write_table(pa.table({"y": [0, 1], "a": [0.5, 1.5]}), tmp_path / "p1.parquet")
    with pytest.raises(rw.InputError, match=r"'a' is BIGINT in .* but DOUBLE in .*p1"):
        rw.tally(tmp_path / "p*.parquet", **NAMED)


def test_a_file_of_a_pattern_that_lacks_a_column_is_named(tmp_path):
    written(tmp_path / "p0.csv", "y,a\n0,1\n")
    written(tmp_path / "p1.csv", "y,b\n1,1\n")
    with pytest.raises(rw.InputError, match=r"p1\.csv: no column is called 'a'"):
        rw.tally(tmp_path / "p*.csv", **NAMED)


def test_only_wanted_columns_of_parquet_are_requested(tmp_path, monkeypatch):
    requested = []
    monkeypatch.setattr(
        parquet_files,
        "fetch_all",
        lambda c, q, *v: requested.append(q) or duckdb_access.fetch_all(c, q, *v),
    )
    of_file(tmp_path, TABLE.append_column("big", OTHER["a"]))
    assert requested
    assert not any("*" in query for query in requested)


@pytest.mark.parametrize(
    "address",
    [
        "http://h/x.csv?a=1.csv",
        "s3://b/*.parquet",
        "hf://d/x.csv",
        "az://c/[x].parquet",
        "file:///x.csv",
    ],
)
def test_addresses_raise(address):
    with pytest.raises(rw.InputError, match="is an address; only files of this machine are read"):
        rw.auc(address, **NAMED)


def test_duckdb_loads_no_code_and_opens_no_other_file(tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    pq.write_table(TABLE, tmp_path / "s.parquet")
    pq.write_table(TABLE, tmp_path / "other.parquet")
    with duckdb_access.connected([str(tmp_path / "s.parquet")], "reading") as connection:
        for query in ("install httpfs", "from read_csv('http://localhost:9/x.csv')"):
            with pytest.raises(duckdb.Error):
                connection.sql(query).fetchall()
        with pytest.raises(duckdb.Error):
            connection.sql(f"from read_parquet('{tmp_path}/other.parquet')").fetchall()
        settings = duckdb_access.fetch_all(
            connection,
            "select name, value from duckdb_settings() where name like 'auto%extensions'",
        )
        assert dict(settings) == {
            "autoinstall_known_extensions": "false",
            "autoload_known_extensions": "false",
        }
    assert rw.auc(tmp_path / "s.parquet", **NAMED).value == 0.75
    assert not (tmp_path / "home").exists()


def test_a_label_is_no_score(tmp_path):
    path = written(tmp_path / "s.csv", "y,a\n0,1\n1,2\n")
    for call in (
        lambda: rw.auc(path, label="y", score="y"),
        lambda: rw.auc(path, label="y", score="y", by="a"),
        lambda: rw.pair(path, label="y", scores=["a", "y"]),
    ):
        with pytest.raises(rw.InputError, match="both name the column 'y'"):
            call()


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="pipes with names")
def test_a_pipe_is_read_as_csv(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = threading.Thread(target=lambda: pipe.write_text("y,a\n0,1\n1,2\n"))
    writer.start()
    assert rw.auc(pipe, **NAMED).value == 1.0
    writer.join()


@pytest.mark.skipif(sys.platform == "win32", reason="a shell of a Unix system")
def test_process_substitution(tmp_path):
    path = written(tmp_path / "s.csv", "y,a\n0,1\n1,2\n")
    command = f"{sys.executable} -m rocwise auc <(cat {path}) --label y --score a --json"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, timeout=60)
    assert '"value": 1.0' in done.stdout, done.stderr


@pytest.mark.parametrize("name", ["scores.dat", "scores.doc", "scores"])
def test_other_endings_raise_with_a_way_out(tmp_path, name):
    path = written(tmp_path / name, "y,a\n0,1\n1,2\n")
    with pytest.raises(rw.InputError, match=r"unknown ending; known are .*standard input"):
        rw.auc(path, **NAMED)
    with open(path) as lines:
        assert rw.auc(lines, **NAMED).value == 1.0


@pytest.mark.parametrize("ending", ["parquet", "csv"])
def test_an_empty_folder_is_no_file(tmp_path, ending):
    (tmp_path / f"s.{ending}").mkdir()
    with pytest.raises(FileNotFoundError, match="folder without files that end in"):
        rw.auc(tmp_path / f"s.{ending}", **NAMED)
