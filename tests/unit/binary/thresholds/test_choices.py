"""Choosing among thresholds: the candidates of a curve are looked at by steps."""

import numpy as np
import pytest

import rocwise as rw
from rocwise.binary.threshold_rules import (
    NOWHERE,
    RULES,
    TIES,
    candidate_cells,
    candidate_thresholds,
    checked_rule,
    choose,
    choose_on_curve,
)
from rocwise.errors import InputError

WITHIN = {"max-alarms": 0.3, "min-lr-positive": 2.0, "max-lr-negative": 0.5}


def tally_of(kind):
    rng = np.random.default_rng(3)
    y = rng.integers(0, 2, 50_000)
    y[:2] = 0, 1
    score = rng.normal(size=len(y)) + y
    if kind == "ties":
        score = np.round(score, 2)
    if kind == "flat":  # long runs of thresholds that are equally good
        score = np.where(rng.random(len(y)) < 0.5, 1.0 - y, rng.random(len(y)))
    weights = rng.random(len(y)) if kind == "weighted" else None
    direction = "lower" if kind == "lower" else "higher"
    return rw.tally(y, score, sample_weight=weights, direction=direction)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("kind", ["continuous", "ties", "flat", "weighted", "lower"])
@pytest.mark.parametrize("name", RULES)
def test_a_curve_is_told_as_a_table_is(kind, name):
    data = tally_of(kind)
    told = {"cost": {"costs": rw.Costs(fp=1, fn=3)}, "f-beta": {"beta": 2.0}}.get(name, {})
    if RULES[name].limit is not None:
        told = {"constraint": WITHIN.get(name, 0.6)}
    rule, terms = checked_rule(name, **told)
    for ties in TIES:
        expected = choose(candidate_cells(data, None), rule, terms, ties)
        for number in (1, 3):
            with rw.threads(number):
                found = choose_on_curve(data, rule, terms, ties)
            assert found.place == expected.place
            assert found.equal.tolist() == np.flatnonzero(expected.equal).tolist()
    if found.place != NOWHERE:
        everywhere = candidate_thresholds(data)
        assert candidate_thresholds(data, found.equal).tolist() == everywhere[found.equal].tolist()


def test_infinite_and_undefined_values_of_an_own_rule():
    data = tally_of("continuous")

    def own(tp, fp, fn, tn):
        best = np.where(tn == 6, 1.0, 1.0 - 1e-16)  # equal up to rounding
        return np.where((tn >= 5) & (tn <= 6), best, np.where(tp % 5 == 0, np.nan, -np.inf))

    point = rw.threshold(data, rule=own)
    rejected = data.n_neg - np.append(0, data.fp)
    equal = (rejected >= 5) & (rejected <= 6)
    assert point.equals.tolist() == candidate_thresholds(data)[equal].tolist()
    with pytest.raises(InputError, match="no value at any threshold"):
        rw.threshold(data, rule=lambda tp, fp, fn, tn: np.full(np.shape(tp), np.nan))
