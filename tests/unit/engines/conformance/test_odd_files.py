"""Unusual files: the same result, or the same error, at every size."""

import datetime

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import rocwise as rw
from engine_list import ENGINES

pytest.importorskip("duckdb")
RNG = np.random.default_rng(3)
N = 150
LABELS = RNG.integers(0, 2, N)
SCORES = np.round(RNG.normal(size=N) + LABELS, 2)
AREA = rw.auc(LABELS, SCORES).value
FIRST = datetime.datetime(2020, 1, 1)
DAYS = [FIRST + datetime.timedelta(days=int(label)) for label in LABELS]
SECOND = DAYS[int(np.argmax(LABELS))]


@pytest.fixture(params=["in memory", "counted", "in ranges"])
def size(request, forced):
    if request.param != "in memory":
        forced(counting=request.param == "counted")
    return request.param


TIMES = {
    "a time": (pa.timestamp("us"), SECOND),
    "a time of numpy": (pa.timestamp("us"), np.datetime64("2020-01-02")),
    "a date for times": (pa.timestamp("us"), SECOND.date()),
    "a date": (pa.date32(), SECOND.date()),
    "a time with a zone": (
        pa.timestamp("us", "America/New_York"),
        SECOND.replace(tzinfo=datetime.UTC),
    ),
    "the same time in another zone": (
        pa.timestamp("us", "UTC"),
        SECOND.replace(tzinfo=datetime.UTC).astimezone(
            datetime.timezone(datetime.timedelta(hours=9))
        ),
    ),
}


@pytest.mark.parametrize("kind", TIMES)
def test_labels_that_are_times(size, tmp_path, kind):
    stored, pos_label = TIMES[kind]
    table = pa.table({"y": pa.array(DAYS).cast(stored), "s": SCORES})
    pq.write_table(table, tmp_path / "a.parquet")
    requested = {"label": "y", "score": "s", "pos_label": pos_label}
    assert rw.auc(tmp_path / "a.parquet", **requested).value == AREA
    assert rw.auc(table, **requested).value == AREA


def test_labels_that_are_bytes(size, tmp_path):
    table = pa.table({"y": pa.array([b"ab"[k : k + 1] for k in LABELS]), "s": SCORES})
    pq.write_table(table, tmp_path / "a.parquet")
    assert rw.auc(tmp_path / "a.parquet", label="y", score="s", pos_label=b"b").value == AREA


def test_nested_values_on_spark():
    pytest.importorskip("pyspark")
    table = pa.table({"y": LABELS, "s": SCORES, "struct": [{"a": 1}] * N, "list": [[1]] * N})
    frame = ENGINES["spark"].source(table, None)
    for requested in ({"label": "struct"}, {"score": "list"}, {"by": "list"}, {"groups": "struct"}):
        (column,) = requested.values()
        with pytest.raises(rw.InputError, match=rf"`{column}` must contain one value in each row"):
            rw.auc(frame, **{"label": "y", "score": "s"} | requested)


@pytest.mark.parametrize("nested", [{"a": 1.0}, [1.0]])
@pytest.mark.parametrize("column", ["y", "s"])
def test_nested_values_raise_with_the_name(size, tmp_path, nested, column):
    columns = {"y": pa.array(LABELS), "s": pa.array(SCORES)} | {column: pa.array([nested] * N)}
    pq.write_table(pa.table(columns), tmp_path / "a.parquet")
    with pytest.raises(rw.InputError, match=rf"`{column}` must contain one value in each row"):
        rw.auc(tmp_path / "a.parquet", label="y", score="s")


def written(folder, rows, header="y,s"):
    path = folder / "a.csv"
    path.write_text("\n".join([header, *rows]))
    return path


@pytest.mark.parametrize("last", ["1", "1,2,3"])
def test_text_with_cells_too_many_or_too_few(size, tmp_path, last):
    rows = [f"{y},{s}" for y, s in zip(LABELS, SCORES, strict=True)]
    with pytest.raises(rw.InputError, match=f"row {N + 2} has {last.count(',') + 1} cells"):
        rw.auc(written(tmp_path, [*rows, last]), label="y", score="s")


@pytest.mark.parametrize("base", [2**60, 2**70])
def test_integers_in_text_that_no_float_holds(size, tmp_path, base):
    """They are distinguished, or raise an error; never rounded."""
    scores = [base + round(100 * s) for s in SCORES.tolist()]
    path = written(tmp_path, [f"{y},{s}" for y, s in zip(LABELS, scores, strict=True)])
    if size == "in ranges" or base > 2**64:
        with pytest.raises(
            rw.InputError,
            match=r"`s` contains numbers (of more digits|that are equal in float64 but differ)",
        ):
            rw.auc(path, label="y", score="s")
    else:
        assert rw.auc(path, label="y", score="s").value == AREA


@pytest.mark.parametrize("cell", ["1e400", f"{2**70}"])
def test_numbers_among_floats_that_no_float_holds(size, tmp_path, cell):
    rows = [f"{y},{s}" for y, s in zip(LABELS, SCORES, strict=True)]
    path = written(tmp_path, [*rows, f"1,{cell}"])
    if size == "in memory" and "e" not in cell:
        assert rw.auc(path, label="y", score="s").value > AREA
        return
    with pytest.raises(
        rw.InputError, match=r"`s` contains numbers (too large|beyond the range of float64)"
    ):
        rw.auc(path, label="y", score="s")


def test_clusters_in_text_with_long_numbers(size, tmp_path):
    """As those of hashes: a float would take several for one."""
    names = (2**62 + np.arange(N) % 7).tolist()
    rows = [f"{y},{s},{k}" for y, s, k in zip(LABELS, SCORES, names, strict=True)]
    found = rw.auc(written(tmp_path, rows, "y,s,k"), label="y", score="s", groups="k")
    assert found.origin.n_clusters == 7


@pytest.mark.parametrize("sign", [";", "\t", "|"])
@pytest.mark.parametrize("above", ["", "# 12.03.2024, LIMS\n\n"])
def test_text_with_other_signs_between_its_cells(size, tmp_path, sign, above):
    rows = [f"{y}{sign}{s}" for y, s in zip(LABELS, SCORES, strict=True)]
    found = rw.auc(written(tmp_path, rows, f"{above}y{sign}s"), label="y", score="s")
    assert found.interval == rw.auc(LABELS, SCORES).interval
    name = "tab" if sign == "\t" else repr(sign)
    assert f"read with delimiter {name}" in str(found)


@pytest.mark.parametrize("encoding", ["latin-1", "utf-16"])
def test_text_in_another_encoding(size, tmp_path, encoding):
    rows = "".join(f"{y},{s}\n" for y, s in zip(LABELS, SCORES, strict=True))
    path = tmp_path / "a.csv"
    path.write_text(f"krank,Größe\n{rows}", encoding=encoding)
    found = rw.auc(path, label="krank", score="Größe")
    assert found.interval == rw.auc(LABELS, SCORES).interval
    assert "read with encoding" in str(found)


def test_decimal_commas(size, tmp_path):
    rows = [f"{y};{str(s).replace('.', ',')}" for y, s in zip(LABELS, SCORES, strict=True)]
    for options in ({}, {"decimal": ","}):
        found = rw.auc(written(tmp_path, rows, "y;s"), label="y", score="s", **options)
        assert found.interval == rw.auc(LABELS, SCORES).interval
        assert "delimiter ';', decimal comma" in str(found)


def test_groups_called_by_dates_and_by_lists(size, tmp_path):
    names = [FIRST.date() + datetime.timedelta(days=k % 3) for k in range(N)]
    table = pa.table({"y": LABELS, "s": SCORES, "day": names, "list": [[k % 3] for k in range(N)]})
    pq.write_table(table, tmp_path / "a.parquet")
    for source in (tmp_path / "a.parquet", table):
        found = rw.auc(source, label="y", score="s", by="day")
        assert found.groups == tuple(sorted(set(names)))
        with pytest.raises(rw.InputError, match="`list` must contain one value in each row"):
            rw.auc(source, label="y", score="s", by="list")


def test_the_error_of_a_lazy_frame_names_what_was_passed(size):
    polars = pytest.importorskip("polars")
    frame = polars.DataFrame({"y": LABELS, "s": [[s] for s in SCORES]}).lazy()
    with pytest.raises(rw.InputError, match="`s` must") as caught:
        rw.auc(frame, label="y", score="s")
    assert "rocwise-" not in str(caught.value)
