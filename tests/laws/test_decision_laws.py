"""p values, adjusted p values and intervals of one result agree."""

from typing import Any

import numpy as np
import pytest

import rocwise as rw

ALPHA = 0.05


def drawn(seed: int) -> tuple[Any, dict[str, Any], Any]:
    """Labels, scores of three correlated models and weights; 3 to 60 cases a class, some ties."""
    rng = np.random.default_rng(seed)
    n_pos, n_neg = rng.integers(3, 60, 2)
    y = np.repeat([1, 0], [n_pos, n_neg])
    common = rng.normal(size=len(y))
    gains = rng.uniform(0.3, 2.5) + rng.normal(scale=0.4, size=3)
    own = rng.normal(size=(3, len(y)))
    scores = dict(zip("abc", common + own + gains[:, None] * y, strict=True))
    if seed % 3 == 0:
        scores = {name: np.round(values) for name, values in scores.items()}
    return y, scores, rng.uniform(0.5, 4.0, len(y))


def excluded(low: Any, high: Any, null: float = 0.0) -> Any:
    return (np.asarray(low) > null) | (np.asarray(high) < null)


@pytest.mark.parametrize("seed", range(40))
def test_an_area_is_tested_by_its_interval(seed: int) -> None:
    y, scores, weight = drawn(seed)
    for options in ({}, {"sample_weight": weight}, {"groups": np.arange(len(y)) // 2}):
        area = rw.auc(y, scores["a"], **options)
        for null in (0.5, 0.75, 0.9):
            test = rw.test_auc(y, scores["a"], null=null, **options)
            assert (test.p_value < ALPHA) == excluded(*area.interval, null)


@pytest.mark.parametrize("seed", range(40))
def test_a_difference_is_significant_where_its_interval_excludes_zero(seed: int) -> None:
    y, scores, weight = drawn(seed)
    two = {name: scores[name] for name in "ab"}
    results = [
        rw.compare(y, two),
        rw.compare(y, two, sample_weight=weight),
        rw.compare(y, two, groups=np.arange(len(y)) // 2),
        rw.compare(rw.tally(y, scores["a"]), rw.tally(y, scores["b"])),
        rw.ordinal.compare(y, two),
        rw.compare(y, two, method="delong"),
    ]
    for result in results:
        assert (result.p_value < ALPHA) == excluded(*result.interval)


@pytest.mark.parametrize("seed", range(40))
def test_a_claim_holds_where_the_interval_supports_it(seed: int) -> None:
    y, scores, _ = drawn(seed)
    two = {name: scores[name] for name in "ab"}
    result = rw.compare(y, two, alternative="non-inferior", margin=0.1)
    assert (result.p_value < ALPHA / 2) == (result.interval.low > -0.1)


@pytest.mark.parametrize("seed", range(40))
def test_all_pairs_agree_with_each_pair(seed: int) -> None:
    y, scores, _ = drawn(seed)
    table = rw.compare(y, scores).pairwise
    assert ((table["p_value"] < ALPHA) == excluded(table["low"], table["high"])).all()
    # Bonferroni's limits decide as Bonferroni's p; Holm's rejects all of these, and maybe more
    outside = excluded(table["low_adjusted"], table["high_adjusted"])
    assert (outside == (3 * table["p_value"] < ALPHA)).all()
    assert (table["p_adjusted"][outside] < ALPHA).all()
    summary = rw.summary(y, scores).columns
    assert summary["p_value"][1:].tolist() == table["p_value"][:2].tolist()
    assert summary["p_adjusted"][1:].tolist() == table["p_adjusted"][:2].tolist()


@pytest.mark.parametrize("seed", range(10))
def test_parts_and_points_agree(seed: int) -> None:
    y, scores, _ = drawn(seed)
    two, drawing = {name: scores[name] for name in "ab"}, {"n_resamples": 100, "rng": 1}
    for where in ({"max_fpr": 0.3}, {"at_specificity": 0.8}, {"statistic": "average-precision"}):
        result = rw.compare(y, two, **where, **drawing)
        assert (result.p_value < ALPHA) == excluded(*result.interval)
    table = rw.compare_at(y, two, specificity=0.8, **drawing).to_frame()
    known = ~np.isnan(table["low"].astype(float))
    significant = table["p_value"][known] < ALPHA
    assert (significant == excluded(table["low"][known], table["high"][known])).all()


def test_wilson_is_the_default_of_every_measure() -> None:
    y, scores, _ = drawn(1)
    table = np.c_[-scores["a"], scores["a"]]
    for area, usual in (
        (rw.auc(y, scores["a"], method="wilson"), rw.auc(y, scores["a"])),
        (rw.ordinal.auc(y, scores["a"], method="wilson"), rw.ordinal.auc(y, scores["a"])),
        (rw.multiclass.auc(y, table, method="wilson"), rw.multiclass.auc(y, table)),
    ):
        assert area.interval == usual.interval
        assert area.interval.method == "Wilson (effective n)"
