"""The same tally from every engine, to the last bit, whatever the columns hold."""

from decimal import Decimal

import numpy as np
import pyarrow as pa
import pytest

import rocwise as rw
from engine_list import cases

# deprecated calls of DuckDB by ibis
pytestmark = pytest.mark.filterwarnings("ignore:fetch_arrow_table:DeprecationWarning")
RNG = np.random.default_rng(11)
N = 230
CODES = RNG.integers(0, 40, N)
LABELS = (CODES + RNG.normal(0, 20, N) > 20).astype(int)
GAPS = np.where(RNG.random(N) < 0.1, None, CODES)


def gaps(value, kind):
    return pa.array([None if cell is None else value(cell) for cell in GAPS], kind)


SCORES = {
    "distinct": pa.array(RNG.normal(size=N) + LABELS),
    "ties": pa.array(np.round(CODES * 0.1, 1)),
    "float32": pa.array((CODES * 0.1).astype(np.float32)),
    "missing": gaps(lambda cell: cell / 8, pa.float64()),
    "nan": pa.array([np.nan if cell is None else cell / 8 for cell in GAPS]),
    "both zeros": pa.array([[-0.0, 0.0, 1.5, -1.5][code % 4] for code in CODES]),
    "infinities": pa.array([[np.inf, -np.inf, 0.5, 1.5][code % 4] for code in CODES]),
    "all tied": pa.array(np.zeros(N)),
    "int16": pa.array(CODES, pa.int16()),
    "int64": pa.array(CODES * 10**9),
    "booleans": pa.array(CODES > 19),
    "decimals": pa.array([Decimal(int(code)) / 8 for code in CODES], pa.decimal128(10, 3)),
    "tiny and huge": pa.array([5e-324 * code if code < 20 else 1e300 * code for code in CODES]),
}
LABEL_KINDS = {
    "0/1": (pa.array(LABELS), None),
    "booleans": (pa.array(LABELS.astype(bool)), None),
    "text": (pa.array(["ill" if label else "well" for label in LABELS]), "ill"),
    "-1/1": (pa.array(2.0 * LABELS - 1), None),
    "int8": (pa.array(LABELS.astype(np.int8)), None),
    "decimals": (pa.array([Decimal(int(label)) for label in LABELS], pa.decimal128(4, 2)), 1),
    "missing": (pa.array([None if i % 50 == 0 else int(v) for i, v in enumerate(LABELS)]), None),
    "nan": (pa.array([np.nan if i % 50 == 0 else float(v) for i, v in enumerate(LABELS)]), None),
}
NEEDS_TYPES = {"float32", "both zeros", "decimals"}  # text has less information


def bits(tally):
    columns = [np.asarray(column) for column in (tally.scores, tally.pos, tally.neg)]
    described = [(column.dtype, column.tobytes()) for column in columns]
    return described, tally.n_pos, tally.n_neg, tally.n_dropped, tally.placement_sums


def compared(engine, table, folder, **options):
    named = {"label": "ill", "score": "risk", "missing": "drop"} | options
    return rw.tally(engine.source(table, folder), **named), rw.tally(table, **named)


SOME = ("distinct", "ties", "nan", "infinities", "decimals", "text", "booleans")


def is_tested(engine, kind):
    """Engines that are not `whole` are converted to one that is, which is tested."""
    return engine.whole or kind in SOME


@pytest.mark.parametrize(("engine", "kind"), cases(SCORES, is_tested), indirect=["engine"])
def test_scores_of_every_kind(engine, forced, tmp_path, kind):
    table = pa.table({"ill": LABELS, "risk": SCORES[kind]})
    if not engine.typed and kind in NEEDS_TYPES:
        table = table.set_column(1, "risk", SCORES[kind].cast(pa.float64()))
    for direction, counting in (("higher", False), ("lower", False), ("higher", True)):
        if engine.large:
            forced(counting=counting)
        found, expected = compared(engine, table, tmp_path, direction=direction)
        assert bits(found)[1:] == bits(expected)[1:]
        assert np.array_equal(found.scores, expected.scores)
        assert found.n_pos + found.n_neg + found.n_dropped == N
        if engine.typed:  # numbers in text are all of one kind
            assert bits(found) == bits(expected)


@pytest.mark.parametrize(("engine", "kind"), cases(LABEL_KINDS, is_tested), indirect=["engine"])
def test_labels_of_every_kind(engine, forced, tmp_path, kind):
    if engine.large:
        forced()
    labels, pos_label = LABEL_KINDS[kind]
    table = pa.table({"ill": labels, "risk": SCORES["missing"]})
    found, expected = compared(engine, table, tmp_path, pos_label=pos_label)
    assert bits(found) == bits(expected)


@pytest.mark.parametrize("kind", ["whole", "quarters", "with gaps"])
def test_weights(engine, forced, tmp_path, kind):
    if engine.large:
        forced(counting=True)
    weights = {
        "whole": pa.array(CODES % 3 + 1),
        "quarters": pa.array((CODES % 5) / 4),
        "with gaps": gaps(lambda cell: float(cell % 3), pa.float64()),
    }[kind]
    table = pa.table({"ill": LABELS, "risk": SCORES["ties"], "w": weights})
    found, expected = compared(engine, table, tmp_path, sample_weight="w")
    assert found.pos.tobytes() == expected.pos.tobytes()
    assert found.squares.neg.tobytes() == expected.squares.neg.tobytes()
    assert rw.auc(found).to_dict()["value"] == rw.auc(expected).to_dict()["value"]


@pytest.mark.parametrize("resolution", [2, 30])
def test_bins_are_those_of_the_rows_in_memory(engine, forced, tmp_path, resolution):
    if engine.large:
        forced()
    table = pa.table({"ill": LABELS, "risk": SCORES["distinct"]})
    found, expected = compared(engine, table, tmp_path, resolution=resolution)
    assert bits(found) == bits(expected)
    assert found.error_bound == expected.error_bound > 0
    assert rw.auc(found).value == rw.auc(expected).value


INVALID = {
    "missing scores": ({"ill": LABELS, "risk": SCORES["missing"]}, {"missing": "raise"}, "missing"),
    "one class": ({"ill": np.ones(N, int), "risk": SCORES["ties"]}, {}, "no negative example"),
    "three classes": ({"ill": CODES % 3, "risk": SCORES["ties"]}, {}, "must have two classes"),
    "no such column": ({"ill": LABELS, "rusk": SCORES["ties"]}, {}, "no column is called 'risk'"),
    "text": ({"ill": LABELS, "risk": pa.array(["a", "b"] * 115)}, {}, "must contain"),
    "other labels": (
        {"ill": LABELS + 1, "risk": SCORES["ties"]},
        {},
        "is required for the labels",
    ),
    "pos_label": ({"ill": LABELS, "risk": SCORES["ties"]}, {"pos_label": 7}, "does not occur"),
    "nothing left": (
        {"ill": LABELS, "risk": pa.array([None] * N, pa.float64())},
        {},
        "nothing is left",
    ),
}


@pytest.mark.parametrize("case", INVALID)
def test_errors(engine, forced, tmp_path, case):
    if engine.large:
        forced()
    columns, options, words = INVALID[case]
    source = engine.source(pa.table(columns), tmp_path)
    with pytest.raises(rw.InputError, match=words):
        rw.tally(source, **{"label": "ill", "score": "risk", "missing": "drop"} | options)


def test_no_rows(engine, forced, tmp_path):
    if engine.large:
        forced()
    source = engine.source(pa.table({"ill": LABELS[:0], "risk": CODES[:0] * 0.5}), tmp_path)
    with pytest.raises(rw.InputError, match="is empty"):
        rw.tally(source, label="ill", score="risk")
