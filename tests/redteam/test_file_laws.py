"""The same table in files of every kind and size gives the same result, or the same error."""

import gzip
import io

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import rocwise as rw
from rocwise.engines import duckdb_access, sources

duckdb = pytest.importorskip("duckdb")

INTEGERS = st.integers(-3, 9) | st.sampled_from([2**53, 2**53 + 1, -(2**53) - 1, 2**63, 10**25])
FLOATS = st.floats(allow_nan=False).map(repr) | st.sampled_from(
    ["1e3", "+4", ".5", "7.", "1e400", "-inf", "Infinity", "1E-5", "0x10", "1_000", " 2", "2 "]
)
WORDS = st.sampled_from(
    ["", "NA", "nan", "NaN", "null", "NAN", "None", "true", "FALSE", "yes", "ill", "001", "é", "٣"]
)
CELLS = INTEGERS.map(str) | FLOATS | WORDS
LABELS = st.sampled_from(["01", "01", "-1 1", "no yes", "true false", "0.0 1.0", "0 1 NA", "1 2"])
ODD = st.text(st.characters(codec="utf-8", exclude_characters="\r\n"), max_size=4)
NAMES = st.sampled_from(["a", "A", "a b", 'the "a"', "a,b", "select", "é", "c0", "n", "rowid"])


@st.composite
def tables(draw, cells):
    """A header, rows of text, and the name of the score."""
    name = draw(NAMES)
    kinds = draw(LABELS)
    labels = st.sampled_from(kinds.split() if " " in kinds else list(kinds))
    cell = draw(st.sampled_from([INTEGERS.map(str), FLOATS, CELLS, cells, WORDS]))
    rows = draw(st.lists(st.tuples(labels, cell, cells), min_size=1, max_size=12))
    times = draw(st.sampled_from([1, 1, 3]))
    return ["y", name, "other"], [list(row) for row in rows] * times, name


def as_text(header, rows, end="\n", last=True, quotes=False):
    def cell(text):
        if quotes or any(sign in text for sign in ',"\r\n'):
            return '"' + text.replace('"', '""') + '"'
        return text

    lines = [",".join(map(cell, row)) for row in (header, *rows)]
    return end.join(lines) + (end if last else "")


def outcome(call):
    """The exact result, or the error message."""
    try:
        tally = call()
    except rw.InputError as problem:
        return str(problem)
    columns = (tally.scores, tally.pos, tally.neg)
    return [(column.dtype.str, column.tolist()) for column in columns], tally.n_dropped


def readings(folder, text, call):
    """The text read in every way that there is."""
    data = text.encode()
    plain, packed = folder / "t.csv", folder / "t.csv.gz"
    plain.write_bytes(data)
    packed.write_bytes(gzip.compress(data))
    found = {"open": outcome(lambda: call(io.StringIO(text, newline="")))}
    for size, counts in ((10**9, False), (-1, False), (-1, True)):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(sources, "SMALL_FILE_BYTES", size)
            patch.setattr(duckdb_access, "counting_pays", lambda *_, counts=counts: counts)
            for path in (plain, packed):
                found[f"{path.name} {size} {counts}"] = outcome(lambda path=path: call(path))
    with pa.CompressedOutputStream(str(folder / "t.csv.zst"), "zstd") as stream:
        stream.write(data)
    found["zst"] = outcome(lambda: call(folder / "t.csv.zst"))
    names = ("the text", str(plain), str(packed), str(folder / "t.csv.zst"))
    for name in sorted(names, key=len, reverse=True):
        found = {k: v.replace(name, "FILE") if isinstance(v, str) else v for k, v in found.items()}
    return found


def agree(found):
    first = found["open"]
    assert {how: result for how, result in found.items() if result != first} == {}


@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(table=tables(CELLS), pos_label=st.sampled_from([None, None, "yes", 2]), drop=st.booleans())
def test_well_formed_tables(tmp_path_factory, table, pos_label, drop):
    header, rows, name = table
    options = {"pos_label": pos_label, "missing": "drop" if drop else "raise"}

    def call(source):
        return rw.tally(source, label="y", score=name, **options)

    agree(readings(tmp_path_factory.mktemp("t"), as_text(header, rows), call))


@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    table=tables(ODD),
    end=st.sampled_from(["\n", "\r\n"]),
    last=st.booleans(),
    quotes=st.booleans(),
)
def test_tables_with_odd_cells_and_lines(tmp_path_factory, table, end, last, quotes):
    header, rows, name = table
    text = as_text(header, rows, end, last, quotes)

    def call(source):
        return rw.tally(source, label="y", score=name, missing="drop")

    agree(readings(tmp_path_factory.mktemp("t"), text, call))


@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    lines=st.lists(st.text(st.sampled_from('01.,"; \t#xé'), max_size=8), max_size=8),
    header=st.sampled_from(["y,a", 'y,"a"', "y,a,", "a,y,a", "y;a", "\ufeffy,a", "y, a"]),
)
def test_text_that_is_hardly_a_table(tmp_path_factory, lines, header):
    text = "\n".join([header, *lines, ""])

    def call(source):
        return rw.tally(source, label="y", score="a", missing="drop")

    found = readings(tmp_path_factory.mktemp("t"), text, call)
    if text.startswith("\ufeff"):
        found["open"] = found["zst"]  # a mark is taken off where bytes are read
    if "\n\n" in text:
        del found["zst"]  # DuckDB leaves blank lines out before rows are numbered
    agree(found)


@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    rows=st.lists(
        st.tuples(
            st.sampled_from([0, 1, None]),
            st.none() | st.floats() | st.sampled_from([0.0, -0.0, 1.0]),
        ),
        min_size=1,
        max_size=12,
    ),
    kind=st.sampled_from(
        [pa.float64(), pa.float32(), pa.int64(), pa.string(), pa.decimal128(38, 9)]
    ),
    n_parts=st.integers(1, 3),
)
def test_tables_with_types(tmp_path_factory, rows, kind, n_parts):
    labels, scores = zip(*rows, strict=True)
    numbers = [None if x is None or not -9e9 < x < 9e9 else round(x, 6) for x in scores]
    try:
        column = pa.array(numbers, pa.float64()).cast(kind, safe=False)
    except pa.ArrowInvalid:
        return
    table = pa.table({"y": pa.array(labels, pa.int64()), "a": column})
    folder = tmp_path_factory.mktemp("t")
    step = -(-len(rows) // n_parts)
    for part in range(n_parts):
        pq.write_table(table.slice(part * step, step), folder / f"p{part}.parquet")
    pq.write_table(table, folder / "whole.parquet")

    def call(source):
        return rw.tally(source, label="y", score="a", missing="drop")

    expected = outcome(lambda: call(table))
    for counts in (False, True):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(duckdb_access, "counting_pays", lambda *_, counts=counts: counts)
            assert outcome(lambda: call(folder / "whole.parquet")) == expected
            assert outcome(lambda: call(folder / "p*.parquet")) == expected
