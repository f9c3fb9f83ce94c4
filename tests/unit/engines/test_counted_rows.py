"""Equal rows counted where they are stored: the same tally, to the last bit, as from the rows."""

from decimal import Decimal

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import rocwise as rw
from rocwise.engines import counted_rows, duckdb_access
from rocwise.inputs import rows as clean_rows

duckdb = pytest.importorskip("duckdb")
RNG = np.random.default_rng(7)
N = 400
CODES = RNG.integers(0, 12, N)
LABELS = (CODES + RNG.normal(0, 6, N) > 6).astype(int)
CELLS = np.where(RNG.random(N) < 0.1, None, CODES)


def nullable(values, kind):
    return pa.array([None if cell is None else values[cell] for cell in CELLS], kind)


NUMBERS = [0.1 * code for code in range(12)]
SCORES = {
    "floats with ties": pa.array([NUMBERS[code] for code in CODES]),
    "float32": pa.array([NUMBERS[code] for code in CODES], pa.float32()),
    "nulls": nullable(NUMBERS, pa.float64()),
    "nan": pa.array([np.nan if cell is None else NUMBERS[cell] for cell in CELLS]),
    "both zeros": pa.array([-0.0 if row % 2 else 0.0 for row in range(N - 2)] + [1.0, -1.0]),
    "infinities": pa.array([[np.inf, -np.inf, 0.5][code % 3] for code in CODES]),
    "int16": pa.array(CODES, pa.int16()),
    "int64 above 2**53": pa.array([2**53 + int(code) for code in CODES]),
    "int64 with nulls": nullable([2**53 + code for code in range(12)], pa.int64()),
    "uint64": pa.array([2**63 + int(code) for code in CODES], pa.uint64()),
    "decimals": pa.array([Decimal(int(code)) / 8 for code in CODES], pa.decimal128(10, 3)),
    "booleans": pa.array(CODES > 5),
}


def force(monkeypatch, pays):
    """Let the engines count, or not, whatever the sample is."""
    monkeypatch.setattr(duckdb_access, "counting_pays", lambda *_: pays)


@pytest.fixture
def by_rows_and_counted(tmp_path, monkeypatch):
    """The tally of a table as DuckDB makes it from the rows, and from their counts."""

    def tallies(table, **options):
        path = tmp_path / "table.parquet"
        pq.write_table(table, path)
        results = []
        for pays in (False, True):
            force(monkeypatch, pays)
            named = {"label": "ill", "score": "risk", "missing": "drop"} | options
            results.append(rw.tally(path, **named))
        return results

    return tallies


def bits(tally):
    columns = [tally.scores, tally.pos, tally.neg]
    columns += [tally.squares.pos, tally.squares.neg] if tally.weighted else []
    described = [(column.dtype, column.tobytes()) for column in map(np.asarray, columns)]
    return described, tally.n_pos, tally.n_neg, tally.n_dropped


@pytest.mark.parametrize("direction", ["higher", "lower"])
@pytest.mark.parametrize("kind", SCORES)
def test_scores_of_every_kind(by_rows_and_counted, kind, direction):
    table = pa.table({"ill": LABELS, "risk": SCORES[kind]})
    rows, counted = by_rows_and_counted(table, direction=direction)
    assert bits(counted) == bits(rows)
    assert counted.n_pos + counted.n_neg + counted.n_dropped == N


def test_weights_whose_sums_depend_on_their_order_stay_rows(tmp_path):
    path = tmp_path / "table.parquet"
    columns = {"ill": LABELS, "risk": SCORES["floats with ties"], "w": CODES % 5 / 10}
    pq.write_table(pa.table(columns), path)
    assert counted_rows(path, ["ill", "risk", "w"], "w").counts is None
    assert counted_rows(path, ["ill", "risk"]).counts is not None


@pytest.mark.parametrize(("limit", "where"), [(0, ""), (N, " (first at row {})")])
def test_missing_values_are_counted_and_the_first_is_looked_for(
    tmp_path, monkeypatch, limit, where
):
    monkeypatch.setattr(clean_rows, "MOST_ROWS_TO_LOOK_THROUGH", limit)
    path = tmp_path / "table.parquet"
    pq.write_table(pa.table({"ill": LABELS, "risk": SCORES["nulls"]}), path)
    n_missing = sum(cell is None for cell in CELLS)
    where = where.format(CELLS.tolist().index(None))
    with pytest.raises(rw.InputError) as caught:
        rw.tally(path, label="ill", score="risk")
    assert str(caught.value) == (
        f"`risk` has {n_missing} missing values{where}. "
        "Pass missing='drop' to leave those rows out."
    )


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ({"ill": [1] * N, "risk": CODES}, "all 400 labels are 1"),
        ({"ill": LABELS, "risk": ["a"] * N}, r"got text \(first 'a' at row 0\)\."),
        (
            {"ill": LABELS, "risk": CODES, "w": -np.ones(N)},
            r"400 negative values \(first -1 at row 0\)",
        ),
        (
            {"ill": LABELS, "risk": CODES, "w": ["x"] * N},
            r"must contain numbers.*\(first 'x' at row 0\)",
        ),
    ],
)
def test_errors_contain_counts(tmp_path, columns, message):
    path = tmp_path / "table.parquet"
    pq.write_table(pa.table(columns), path)
    weight = "w" if "w" in columns else None
    with pytest.raises(rw.InputError, match=message):
        rw.tally(path, label="ill", score="risk", sample_weight=weight)


def test_the_error_of_a_group_without_a_class_has_its_number_of_rows(tmp_path):
    table = pa.table({"ill": LABELS, "risk": CODES, "site": np.where(LABELS, "a", "b")})
    pq.write_table(table, tmp_path / "table.parquet")
    size = int(LABELS.sum())
    with pytest.raises(rw.InputError, match=rf"'a': no negative example among {size} rows"):
        rw.auc(tmp_path / "table.parquet", label="ill", score="risk", by="site")


@pytest.mark.parametrize("counts", [[1, 1, 1, 1], [2, 1, 3, 1]])
def test_binned_after_counting(tmp_path, counts):
    labels, scores = [0, 1, 0, 1], [0.1, 0.2, 0.3, 0.4]
    table = pa.table({"ill": np.repeat(labels, counts), "risk": np.repeat(scores, counts)})
    pq.write_table(table, tmp_path / "table.parquet")
    named = {"label": "ill", "score": "risk", "resolution": 2}
    file, frame = (
        rw.tally(tmp_path / "table.parquet", **named),
        rw.tally(table, **named),
    )
    assert bits(file) == bits(frame)
    assert file.error_bound == frame.error_bound
