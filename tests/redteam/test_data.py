"""Findings of an attack on the data: values that changed, merged or never came to an end."""

import signal
import time

import numpy as np
import pandas as pd
import polars as pl
import pytest

import rocwise as rw
from rocwise import kernels
from rocwise.binary.bands import threshold_regions
from rocwise.data.rankings import rank_classes
from signals import ctrl_c_after

Y = np.array([0, 1, 0, 1, 0, 1, 0, 1])
BIG = np.arange(8) + 2**60


def test_pairs_keep_what_they_were_given():
    s, t = np.linspace(0, 1, 8), np.linspace(1, 0, 8)
    pairs = rw.pair(Y, {"a": s, "b": t})
    before = rw.compare(pairs).difference
    s[:] = np.nan
    assert rw.compare(pairs).difference == before
    with pytest.raises(ValueError, match="read-only"):
        pairs.scores("a")[:] = 0


@pytest.mark.parametrize(
    "scores",
    [
        pd.Series(pd.Categorical(["nan"] * 8, ordered=True)),
        pl.Series(["nan"] * 8, dtype=pl.Enum(["nan"])),
        pd.Series(pd.Categorical(["inf"] * 8, ordered=True)),
    ],
)
def test_a_category_may_be_called_nan(scores):
    assert rw.auc(Y, scores).value == 0.5
    assert rw.compare(Y, {"a": scores, "b": np.arange(8.0)}).estimates["a"] == 0.5


EXACT_OR_ERROR = {
    "regions": lambda: threshold_regions(Y, BIG),
    "roc": lambda: rw.roc(Y, BIG),
    "hull": lambda: rw.hull(Y, BIG),
    "hull, lower": lambda: rw.hull(Y, -BIG, direction="lower"),
    "cost curve": lambda: rw.cost_curve(Y, BIG),
    "det": lambda: rw.det(Y, BIG),
    "precision-recall": lambda: rw.precision_recall(Y, BIG),
    "segment": lambda: rw.confident_segment(Y, BIG),
    "average": lambda: rw.average_roc([(Y, BIG), (Y, BIG)], how="threshold"),
    "multiclass": lambda: rw.multiclass.auc(Y, np.c_[-BIG, BIG]),
    "hum": lambda: rw.multiclass.hum(Y, np.c_[BIG, BIG]),
    "without labels": lambda: rw.threshold_without_labels(BIG, costs=rw.Costs(1, 2)),
}


@pytest.mark.parametrize("call", EXACT_OR_ERROR.values(), ids=EXACT_OR_ERROR)
def test_whole_numbers_above_2_53_do_not_merge(call):
    with pytest.raises(rw.InputError, match=r"2\*\*53"):
        call()


def test_whole_numbers_above_2_53_that_differ_as_floats_are_fine():
    large = np.arange(8) * 1024 + 2**60
    assert rw.roc(Y, large).auc == rw.roc(Y, np.arange(8)).auc
    for call in (rw.hull, rw.det, rw.precision_recall):
        assert all(np.isin(call(Y, large).thresholds[1:], large))
    assert rw.h_measure(Y, BIG) == rw.h_measure(Y, np.arange(8))  # rates alone: nothing merges
    assert threshold_regions(Y, large).tpr.tolist() == threshold_regions(Y, range(8)).tpr.tolist()


def test_lists_of_integers_and_floats_are_exact_or_raise():
    assert rw.auc([0, 1, 0, 1], [2**60, 2**61, 0.5, 1]).value == 0.75
    with pytest.raises(rw.InputError, match="are equal in float64 but differ"):
        rw.auc([0, 1, 0, 1], [2**53, 2**53 + 1, 0.5, 1])
    with pytest.raises(rw.InputError, match="are equal in float64 but differ"):
        rw.auc([0, 1, 0, 1], [2**63, -1, 2**63 + 1, 0])


@pytest.mark.parametrize("values", [[True, "True"] * 4, [1, "1"] * 4, ["a", 2.5] * 4])
@pytest.mark.parametrize("place", ["y_true", "groups", "by", "y_score"])
def test_text_and_numbers_in_one_list_raise(values, place):
    given = {"y_true": Y, "y_score": np.arange(8.0)} | {place: values}
    with pytest.raises(rw.InputError, match=f"`{place}` mixes text"):
        rw.auc(**given)


@pytest.mark.parametrize(
    ("values", "fix"),
    [((i for i in range(8)), "pass list"), ({1, 2}, "no order"), (map(float, "12"), "pass list")],
)
def test_collections_without_order_are_distinguished(values, fix):
    with pytest.raises(rw.InputError, match=f"`y_score` is a .*{fix}"):
        rw.auc(Y, values)


def test_sparse_columns_raise_with_the_conversion():
    from scipy.sparse import csr_matrix

    with pytest.raises(rw.InputError, match="toarray"):
        rw.auc(Y, csr_matrix(np.arange(8.0)))


COUNTS = ([3.0, 2.0, 1.0], [2, 1, 0], [0, 1, 2])


@pytest.mark.parametrize(
    ("place", "value", "words"),
    [
        (0, [1.0, 2.0, 3.0], "`scores` must fall strictly"),
        (0, [3.0, 3.0, 1.0], "`scores` must fall strictly"),
        (0, [3.0, np.nan, 1.0], "`scores` contains nan"),
        (0, ["a", "b", "c"], "`scores` must be a list of numbers"),
        (1, [2, 1], "`pos` has 2 entries for 3"),
        (1, [-2, 1, 0], "`pos` must contain finite counts"),
        (1, [7.5, 2.5, 0], "`pos` must contain integers"),
        (1, [0, 0, 0], "`pos` is 0 everywhere"),
        (2, [], "`neg` must be a list"),
        (2, [np.inf, 1, 1], "`neg` must contain finite"),
        (2, [2**53, 2**53, 0], "at most 2"),
    ],
)
def test_tables_from_outside_are_checked(place, value, words):
    table = list(COUNTS)
    table[place] = value
    with pytest.raises(rw.InputError, match=words):
        rw.Tally.from_counts(*table)


def test_sorted_classes_from_outside_are_checked():
    with pytest.raises(rw.InputError, match="`neg` must rise"):
        rw.Tally.from_sorted([2.0, 1.0], [3.0])
    with pytest.raises(rw.InputError, match="`pos` contains nan"):
        rw.Tally.from_sorted([1.0], [np.nan])
    assert rw.auc(rw.Tally.from_sorted([1, 2], [2, 3])).value == 0.875


def test_whole_counts_of_floats_are_counts():
    assert rw.Tally.from_counts([2.0, 1.0], [3.0, 1.0], [1.0, 3.0]).pos.dtype == np.int64


def test_pairs_beyond_64_bits_are_resampled():
    many = rw.Tally.from_counts([2.0, 1.0], [4 * 10**9, 10**9], [10**9, 4 * 10**9])
    exact = rw.auc(many, method="delong")
    assert exact.value == pytest.approx(0.8)
    drawn = rw.auc(many, method="bootstrap", n_resamples=400, rng=1)
    assert drawn.value == exact.value
    assert drawn.standard_error == pytest.approx(exact.standard_error, rel=0.15)


SCORES = np.r_[np.nan, np.arange(99.0)]
MASK = (np.arange(100) % 2).astype(np.uint8)


@pytest.mark.parametrize(
    "kernel",
    [
        lambda: kernels.sort_by_class(MASK, SCORES),
        lambda: kernels.placements(MASK, SCORES),
        lambda: kernels.argsort(SCORES),
        lambda: rank_classes(MASK, SCORES),
        lambda: kernels.argsort(SCORES.astype(np.float32)),
        lambda: kernels.placements(np.resize(MASK, 10_000), np.resize(SCORES, 10_000)),
    ],
)
def test_a_nan_that_reaches_a_sort_raises(kernel):
    with pytest.raises(rw.InputError, match="nan"):
        kernel()


def test_kernels_end_on_any_bits():
    bits = np.random.default_rng(5).integers(0, 2**64, 400, dtype=np.uint64).view(np.float64)
    for kernel in (kernels.placement_sums, kernels.merge_curves):
        kernel(bits[:200], bits[200:])  # in no order at all: nonsense, but it ends


def sort_for_ever(labels, scores):
    while True:
        kernels.sort_by_class(labels, scores)


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="no timers")
def test_a_long_sort_hears_ctrl_c():
    n = 30_000_000
    rng = np.random.default_rng(1)
    labels, scores = rng.integers(0, 2, n, dtype=np.uint8), rng.random(n)
    began = time.monotonic()
    with ctrl_c_after(0.3), pytest.raises(KeyboardInterrupt):
        sort_for_ever(labels, scores)
    assert time.monotonic() - began < 2.5
