"""The unbiased variance is unbiased: over all samples of a small population, exactly."""

from itertools import product

import numpy as np
import pytest

import rocwise as rw
from oracles.ordered_chains import tensor
from rocwise.inputs.ordered_classes import ordered_rows, rankings_of
from rocwise.ordinal.variances import shared_mean, subset_variance


def ranking_of(y, f):
    return rankings_of(ordered_rows(y, {"s": f}, arguments={"s": "y_score"}))["s"]


@pytest.mark.parametrize("ties", ["credit", "strict"])
def test_unbiased_over_all_samples(ties):
    """Two rows of each of three classes with values 0, 1, 2: all 729 samples, equally likely."""
    y = [0, 0, 1, 1, 2, 2]
    values, variances = [], []
    known = {}
    for f in product(range(3), repeat=6):
        key = tuple(sorted(f[:2]) + sorted(f[2:4]) + sorted(f[4:]))
        if key not in known:
            ranking = ranking_of(y, f)
            h = tensor(y, f, strict=ties == "strict")
            known[key] = h.mean(), subset_variance(ranking, ties, "unbiased")
        value, variance = known[key]
        values.append(value)
        variances.append(variance)
    assert np.mean(variances) == pytest.approx(np.var(values), abs=1e-13)


def test_means_over_shared_rows():
    y, f = [0, 0, 1, 1, 1, 2, 2], [1, 2, 2, 3, 1, 2, 4]
    h = tensor(y, f)
    share = ranking_of(y, f).share
    assert shared_mean(share, (), strict=False) == pytest.approx(h.mean() ** 2)
    assert shared_mean(share, (0, 1, 2), strict=False) == pytest.approx((h**2).mean())
    assert shared_mean(share, (1,), strict=False) == pytest.approx((h.mean((0, 2)) ** 2).mean())
    assert shared_mean(share, (0, 2), strict=False) == pytest.approx((h.mean(1) ** 2).mean())


def test_limits_of_sums_over_subsets():
    y = np.repeat(np.arange(9), 2)
    with pytest.raises(rw.InputError, match="at most 8"):
        rw.ordinal.auc(y, y, method="unbiased").standard_error  # noqa: B018
    many = np.repeat([0, 1], 2500)
    scores = {"a": np.arange(5000), "b": np.arange(5000) % 7}
    with pytest.raises(rw.InputError, match="4,000 rows"):
        rw.ordinal.compare(many, scores, method="unbiased")
    big = rw.ordinal.auc(np.arange(60_000) % 3, np.arange(60_000), method="unbiased")
    small = rw.ordinal.auc(np.arange(60_000) % 3, np.arange(60_000))
    assert big.standard_error == pytest.approx(small.standard_error, rel=1e-3)


def test_a_negative_estimate_is_refused(monkeypatch):
    monkeypatch.setattr("rocwise.ordinal.measures.subset_variance", lambda *_: -0.01)
    answer = rw.ordinal.auc([0, 0, 1, 1], [1, 3, 2, 4], method="unbiased")
    with pytest.raises(rw.InputError, match="negative variance"):
        answer.interval  # noqa: B018
