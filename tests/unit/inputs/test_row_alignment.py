"""Every function raises for pandas Series with different indexes."""

import numpy as np
import pandas as pd
import pytest

import rocwise as rw

LABELS = pd.Series([1, 0, 1, 0, 1, 0], index=[5, 4, 3, 2, 1, 0])
SCORES = pd.Series([0.1, 0.8, 0.4, 0.35, 0.2, 0.9])  # aligned, high for the ones
TABLE = pd.DataFrame({"a": SCORES, "b": 1 - SCORES})
FOLDS = [0, 0, 0, 0, 1, 1]

FUNCTIONS = {
    "auc": lambda y, s, table: rw.auc(y, s),
    "tally": lambda y, s, table: rw.tally(y, s),
    "threshold": lambda y, s, table: rw.threshold(y, s, rule="youden"),
    "compare": lambda y, s, table: rw.compare(y, {"a": s, "b": -s}),
    "compare a frame": lambda y, s, table: rw.compare(y, table),
    "weights": lambda y, s, table: rw.auc(y, s.to_numpy(), sample_weight=s),
    "groups": lambda y, s, table: rw.auc(y, s.to_numpy(), groups=s),
    "by": lambda y, s, table: rw.auc(y, s.to_numpy(), by=s > 0.3),
    "ordinal.auc": lambda y, s, table: rw.ordinal.auc(y, s),
    "multiclass.auc": lambda y, s, table: rw.multiclass.auc(y, table),
    "rec": lambda y, s, table: rw.regression.rec(y, s),
    "cross_validated_auc": lambda y, s, table: rw.cross_validated_auc(y, s, FOLDS),
    "rank_features": lambda y, s, table: rw.rank_features(table, y),
}


@pytest.mark.parametrize("function", FUNCTIONS.values(), ids=FUNCTIONS)
def test_series_with_different_indexes_raise(function):
    with pytest.raises(rw.InputError, match=r"different indexes: row 0 is 5 in one and 0 in the"):
        function(LABELS, SCORES, TABLE)


@pytest.mark.parametrize("name", [n for n in FUNCTIONS if n not in ("cross_validated_auc", "by")])
def test_the_error_explains_the_alignment_which_works(name):
    with pytest.raises(rw.InputError, match=r"same labels in another order: pass .*\.loc\["):
        FUNCTIONS[name](LABELS, SCORES, TABLE)
    aligned = SCORES.loc[LABELS.index], TABLE.loc[LABELS.index]
    FUNCTIONS[name](LABELS, *aligned)
    by_place = LABELS.to_numpy(), SCORES.to_numpy()[::-1]
    assert rw.auc(LABELS, aligned[0]).value == rw.auc(*by_place).value


def test_other_labels_can_only_be_joined_by_place_on_demand():
    other = SCORES[::-1].set_axis(list("abcdef"))
    with pytest.raises(rw.InputError, match=r"Align them first, or pass y_score\.to_numpy\(\)"):
        rw.auc(LABELS, other)
    assert rw.auc(LABELS, other.to_numpy()).value == rw.auc(LABELS.to_numpy(), other).value


def test_series_with_one_index_and_arrays_without_pass():
    same = SCORES[::-1].set_axis(LABELS.index.copy())
    assert rw.auc(LABELS, same).value == rw.auc(np.array(LABELS), SCORES[::-1]).value
    missing = pd.Index([1.0, np.nan, 3.0, 4.0, 5.0, 6.0])
    rw.auc(LABELS.set_axis(missing), SCORES[::-1].set_axis(missing.copy()))


def test_a_repeated_label_is_no_order_to_align_by():
    y, s = LABELS.set_axis([0, 0, 1, 1, 2, 2]), SCORES.set_axis([0, 1, 0, 1, 2, 2])
    with pytest.raises(rw.InputError, match=r"row 1 is 0 in one and 1 in the other\. Align"):
        rw.auc(y, s)
