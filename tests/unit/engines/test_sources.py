"""Folders, patterns and lists of files, tables of pyarrow and DuckDB, and odd names of columns."""

import datetime

import numpy as np
import polars as pl
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.dataset as ds
import pyarrow.parquet as pq
import pytest

import rocwise as rw
from rocwise.engines import sources
from rocwise.engines.out_of_core import parquet_rows
from rocwise.inputs import out_of_core

duckdb = pytest.importorskip("duckdb")
RNG = np.random.default_rng(4)
N = 600
LABELS = RNG.integers(0, 2, N)
DAYS = [datetime.date(2026, 1, 1 + k % 3) for k in range(N)]
TABLE = pa.table(
    {
        "ill": LABELS,
        "risk": RNG.normal(size=N) + LABELS,
        "day": DAYS,
        "site": np.array(["no rth", "ea/st"])[RNG.integers(0, 2, N)],
        "hour": RNG.integers(0, 3, N),
    }
)
KNOWN = {"label": "ill", "score": "risk"}
KEYS = ds.partitioning(
    pa.schema([("day", pa.string()), ("site", pa.string()), ("hour", pa.int64())]), flavor="hive"
)


@pytest.fixture(params=["in memory", "counted", "in ranges"])
def size(request, monkeypatch):
    if request.param != "in memory":
        monkeypatch.setattr(sources, "BYTES_PER_ROW", 10**12)
        monkeypatch.setattr(sources, "BYTES_PER_LETTER", 10**12)
    if request.param == "in ranges":
        monkeypatch.setattr(sources, "few_in_frame", lambda *_: False)
        monkeypatch.setattr(parquet_rows.ParquetRows, "few", lambda *_: False)
        monkeypatch.setattr(out_of_core, "MOST_DISTINCT", -1)
    return request.param


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Files in folders like `day=2026-01-01/site=no%20rth/hour=0`, with files of bookkeeping."""
    found = tmp_path_factory.mktemp("tables") / "table"
    table = TABLE.set_column(2, "day", pa.array(map(str, DAYS)))
    ds.write_dataset(table, found, format="parquet", partitioning=KEYS)
    (found / "_SUCCESS").write_text("")
    (found / "_temporary").mkdir()
    (found / "_temporary" / "part.parquet").write_text("not a table")
    (found / ".part.parquet.crc").write_text("")
    return found


SOURCES = {
    "a folder": lambda folder: folder,
    "a pattern": lambda folder: f"{folder}/*/*/*/*.parquet",
    "a deep pattern": lambda folder: f"{folder}/day*/**/*.parquet",
    "a list of paths": lambda folder: sorted(folder.glob("day*/**/*.parquet")),
    "several folders": lambda folder: [str(each) for each in folder.glob("day=*")],
    "a dataset": lambda folder: ds.dataset(folder, partitioning="hive"),
    "a scanner": lambda folder: ds.dataset(folder, partitioning="hive").scanner(),
    "batches": lambda folder: ds.dataset(folder, partitioning="hive").scanner().to_reader(),
    "a batch": lambda folder: (
        ds.dataset(folder, partitioning="hive").to_table().combine_chunks().to_batches()[0]
    ),
    "a relation": lambda folder: duckdb.read_parquet(
        f"{folder}/day*/**/*.parquet", hive_partitioning=True
    ),
    "a query": lambda folder: duckdb.sql(f"from '{folder}/day*/**/*.parquet' where risk < 1e9"),
}


@pytest.mark.parametrize("kind", SOURCES)
def test_sources_of_several_files(folder, size, kind):
    expected = rw.auc(TABLE, by=["site"], **KNOWN)
    assert rw.auc(SOURCES[kind](folder), **KNOWN).value == rw.auc(TABLE, **KNOWN).value
    found = rw.auc(SOURCES[kind](folder), by="site", **KNOWN)
    assert found.groups == ("ea/st", "no rth")
    assert [found[site].interval for site in found] == [expected[site].interval for site in found]


@pytest.mark.parametrize("name", ["day", "hour", "site"])
def test_columns_in_the_names_of_folders(folder, size, name):
    """As dates, integers or text, like a column of the rows."""
    found, expected = (rw.auc(each, by=name, **KNOWN) for each in (folder, TABLE))
    assert list(map(str, found.groups)) == list(map(str, expected.groups))
    assert [each.value for each in found.values()] == [each.value for each in expected.values()]


def test_a_score_and_clusters_in_the_names_of_folders(folder, size):
    requested = {"label": "ill", "scores": ["risk", "hour"], "groups": "day"}
    found, expected = rw.compare(folder, **requested), rw.compare(TABLE, **requested)
    assert found.estimates == expected.estimates
    assert found.p_value == pytest.approx(expected.p_value, rel=1e-12)


def test_values_of_folders(tmp_path, size):
    """Missing ones, signs that are escaped, and a name that is in the file too."""
    parts = {"k=__HIVE_DEFAULT_PARTITION__": 0, "k=a%3Db": 1, "k=2026-01-01": 1, "risk=9": 0}
    for name, label in parts.items():
        (tmp_path / name).mkdir()
        rows = pa.table({"ill": [label, 1 - label, label], "risk": [0.1, 0.2, 0.3]})
        pq.write_table(rows, tmp_path / name / "part.parquet")
    with pytest.raises(rw.InputError, match=r"risk=9.part.parquet: no column is called 'k'"):
        rw.auc(tmp_path, by="k", **KNOWN)
    with pytest.raises(rw.InputError, match="`k` has 3 missing values"):
        rw.auc(str(tmp_path / "k=*" / "*.parquet"), by="k", **KNOWN)
    found = rw.auc(str(tmp_path / "k=*" / "*.parquet"), by="k", missing="drop", **KNOWN)
    assert found.groups == ("2026-01-01", "a=b")
    assert rw.auc(tmp_path / "risk=9", **KNOWN).value == 0.5


def test_folders_of_text(tmp_path):
    for name, k in (("a.csv", 0), ("b.csv", 1)):
        rows = zip(LABELS[k::2], TABLE["risk"].to_numpy()[k::2], strict=True)
        (tmp_path / name).write_text("ill,risk\n" + "".join(f"{y},{s}\n" for y, s in rows))
    assert rw.auc(tmp_path, **KNOWN).value == rw.auc(TABLE, **KNOWN).value


def test_links_of_folders(tmp_path):
    """Their files are read, and an error is raised where these are in the folder already."""
    kept, table = tmp_path / "kept", tmp_path / "table"
    for place, k in ((kept, 0), (table / "k=1", 1)):
        place.mkdir(parents=True)
        pq.write_table(TABLE.slice(k * N // 2, N // 2), place / "part.parquet")
    (table / "k=0").symlink_to(kept)
    assert rw.auc(table, by="k", **KNOWN).groups == (0, 1)
    assert rw.auc(table, **KNOWN).value == rw.auc(TABLE, **KNOWN).value
    for target in (kept, table):
        (table / "k=2").symlink_to(target)
        for name in (table, f"{table}/**/*.parquet"):
            with pytest.raises(rw.InputError, match=r"has '.*k=[12].*' twice"):
                rw.auc(name, **KNOWN)
        (table / "k=2").unlink()


@pytest.mark.parametrize("quote", ["", '"'])
def test_columns_in_the_names_of_folders_of_text(tmp_path, size, quote):
    """Read as cells, by the csv module (quotes) and by DuckDB."""
    for part in TABLE["site"].unique().to_pylist():
        (tmp_path / f"site={part.replace('/', '%2F')}").mkdir()
        rows = TABLE.filter(pc.equal(TABLE["site"], part)).select(["ill", "risk"]).to_pylist()
        text = "".join(f"{row['ill']},{quote}{row['risk']}{quote}\n" for row in rows)
        place = tmp_path / f"site={part.replace('/', '%2F')}" / "part.csv"
        place.write_text("ill,risk\n" + text)
    found, expected = (rw.auc(each, by="site", **KNOWN) for each in (tmp_path, TABLE))
    assert {name: each.value for name, each in found.items()} == {
        name: each.value for name, each in expected.items()
    }


def test_folders_that_cannot_be_read(tmp_path):
    with pytest.raises(FileNotFoundError, match="is a folder without files that end in"):
        rw.auc(tmp_path, **KNOWN)
    (tmp_path / "a.csv").write_text("ill,risk\n0,1\n1,2\n")
    with pytest.raises(rw.InputError, match=r"has .*a\.csv' twice"):
        rw.auc([tmp_path, tmp_path / "a.csv"], **KNOWN)
    with pytest.raises(rw.InputError, match=r"has .*a\.csv' twice"):
        rw.auc([f"{tmp_path}/a.csv", f"{tmp_path}/./a.csv"], **KNOWN)
    pq.write_table(TABLE, tmp_path / "a.parquet")
    with pytest.raises(rw.InputError, match=r"files of several kinds \(\.csv, \.parquet\)"):
        rw.auc(tmp_path, **KNOWN)
    (tmp_path / "_delta_log").mkdir()
    with pytest.raises(rw.InputError, match="is a table of Delta Lake"):
        rw.auc(tmp_path, **KNOWN)


def test_sources_that_are_something_else():
    for source, way in (
        (duckdb.connect(), r"pass a relation of it, such as connection\.sql"),
        ("select * from scores", r"is SQL; pass its relation, duckdb\.sql"),
        ([], "must be a data frame or a path; got a list"),
    ):
        with pytest.raises(rw.InputError, match=way):
            rw.auc(source, **KNOWN)


def test_tables_in_memory_of_ibis():
    ibis = pytest.importorskip("ibis")
    table = ibis.memtable(TABLE)
    assert rw.auc(table, **KNOWN).value == rw.auc(TABLE, **KNOWN).value
    found = rw.auc(table.filter(table.risk > 0), **KNOWN)
    assert found.value == rw.auc(TABLE.filter(TABLE["risk"].to_numpy() > 0), **KNOWN).value


NAMES = ["^a$", "^.*$", "*", "a\0b", "", "c0", "n", "a b", 'a"b', "A"]
MAKE = {
    "polars": lambda table, _: pl.DataFrame(table),
    "polars lazy": lambda table, _: pl.LazyFrame(table),
    "duckdb": lambda table, _: duckdb.from_arrow(pa.table(table)),
    "parquet": lambda table, folder: _written(table, folder),
}


def _written(table, folder):
    pq.write_table(pa.table(table), folder / "names.parquet")
    return folder / "names.parquet"


# DuckDB and Arrow have no names with NUL, and none that differ in case only
PAIRS = [
    (kind, name)
    for kind in MAKE
    for name in NAMES
    if kind.startswith("polars") or name not in ("", "a\0b", "A")
]


@pytest.mark.parametrize(("kind", "name"), PAIRS)
def test_odd_names_of_columns(size, tmp_path, kind, name):
    columns = {"ill": LABELS, "a": TABLE["risk"].to_numpy(), name: RNG.normal(size=N)}
    source = MAKE[kind](columns, tmp_path)
    found = rw.compare(source, label="ill", scores=["a", name])
    expected = rw.compare(LABELS, {key: columns[key] for key in ("a", name)})
    assert found.estimates == expected.estimates
    assert rw.auc(source, label="ill", score=name).value == found.estimates[name]


def test_a_name_that_duckdb_has_for_itself(tmp_path, monkeypatch):
    columns = {"ill": LABELS, "file_row_number": TABLE["risk"].to_numpy()}
    requested = {"label": "ill", "score": "file_row_number"}
    path = _written(columns, tmp_path)
    assert rw.auc(path, **requested).value == rw.auc(TABLE, **KNOWN).value
    monkeypatch.setattr(sources, "BYTES_PER_ROW", 10**12)
    with pytest.raises(rw.InputError, match=r"has a column file_row_number, .* Rename it"):
        rw.auc(path, **requested)


ODD_SCORES = {
    "text": (["x", None], "must contain numbers; got text"),
    "durations": (pa.array([5, 7], pa.duration("s")), "must contain real numbers"),
    "times": (pa.array([5, 7], pa.timestamp("s")), "must contain real numbers"),
}


@pytest.mark.parametrize("kind", ["polars lazy", "duckdb", "parquet"])
@pytest.mark.parametrize("scores", ODD_SCORES)
def test_types_are_checked_before_rows_are_read(tmp_path, monkeypatch, size, kind, scores):
    values, words = ODD_SCORES[scores]
    table = pa.table({"ill": [0, 1] * 500, "odd": pa.array(values).take(pa.array([0, 1] * 500))})
    source = MAKE[kind](pl.DataFrame(table) if kind.startswith("polars") else table, tmp_path)
    monkeypatch.setattr(sources, "SMALL_FILE_BYTES", 0)

    def read(*_args, **_options):
        raise AssertionError("rows are read")

    for name in ("large_source", "of_counts"):
        monkeypatch.setattr(out_of_core, name, read)
    for requested in ({"score": "odd"}, {"score": ["odd"]}, {"score": "odd", "by": "ill"}):
        with pytest.raises(rw.InputError, match=f"`odd` {words}"):
            rw.auc(source, label="ill", **requested)


@pytest.mark.parametrize("cell", ["1.189\u00a0", " nan", "-nan", "\uff11.5", "1_000", "abc"])
def test_the_odd_cell_of_text_is_named(tmp_path, size, cell):
    """Python reads some of them as numbers, and so do small files."""
    cells = [*map(str, TABLE["risk"].to_pylist()), cell]
    rows = zip([*LABELS, 1], cells, strict=True)
    (tmp_path / "odd.csv").write_text("ill,risk\n" + "".join(f"{y},{s}\n" for y, s in rows))
    if size == "in memory" and cell not in ("1_000", "abc"):
        assert rw.auc(tmp_path / "odd.csv", missing="drop", **KNOWN).n_pos >= LABELS.sum()
        return
    with pytest.raises(rw.InputError) as caught:
        rw.auc(tmp_path / "odd.csv", missing="drop", **KNOWN)
    assert f"got text (first {cell!r}" in str(caught.value)
