"""Harrell's and Uno's concordance: vectors of other packages, pairs counted, influence, errors."""

from itertools import product

import numpy as np
import pytest

import rocwise as rw
from rocwise.survival.concordance_indices import concordance_influence

pytestmark = pytest.mark.filterwarnings("ignore:only .* intervals need about 10")
follow_up, concordance = rw.survival.follow_up, rw.survival.concordance
A = (
    range(1, 11),
    [1, 0, 1, 1, 0, 1, 0, 1, 1, 0],
    [0.9, 0.4, 0.8, 0.3, 0.7, 0.6, 0.2, 0.5, 0.35, 0.1],
)
B = (
    [2, 2, 3, 3, 3, 5, 5, 6, 6, 8, 8, 9],
    [1, 0, 1, 1, 0, 1, 0, 1, 0, 1, 1, 0],
    [5, 3, 4, 4, 2, 3, 5, 2, 4, 3, 1, 2],
)
C = (
    [1, 2, 3, 4, 4, 5, 6, 7, 7, 8, 9, 10],
    [1, 2, 0, 1, 2, 1, 0, 2, 1, 0, 1, 0],
    [8, 3, 5, 7, 6, 4, 2, 5, 3, 1, 4, 2],
)
ISSUE = ([11, 11, 26, 89, 128, 299, 300], [1, 0, 0, 1, 0, 1, 0])
OF_ISSUE = [-0.02, 1.2, -0.56, -1.33, -0.81, 1.02, -1.29]
VECTORS = [  # survival::concordance, scikit-survival, pec; standard errors of the specification
    (A, {"kind": "harrell"}, 0.8620689655, 0.1288240492),
    (A, {"tau": np.inf}, 0.8807789111, 0.1111365079),
    (B, {"kind": "harrell", "tau": 5.5}, 0.8181818182, 0.1197288754),
    (B, {"tau": 5.5}, 0.7971756101, 0.1256061131),
    (C, {"tau": 8}, 0.8879146016, 0.0925019114),
    (C, {"tau": 8, "controls": "all"}, 0.7890370370, 0.1362835296),
    ((*ISSUE, OF_ISSUE), {"tau": 299}, 0.3137254902, None),
    ((*ISSUE, OF_ISSUE), {"tau": 299.5}, 0.5087719298, None),
]
SMALL = {"A": A, "B": B, "C": C}


def of(rows, **options):
    return follow_up(*rows, cause=1, **options)


@pytest.mark.parametrize(("rows", "options", "value", "error"), VECTORS)
def test_vectors(rows, options, value, error):
    found = concordance(of(rows), **options)
    assert found.value == pytest.approx(value, abs=1e-9)
    if error is not None:
        assert found.standard_error == pytest.approx(error, abs=1e-9)
        assert found.value in found.interval


def by_counting(f, tau, kind, ties, controls):
    """The definition, pair by pair, from the rows in any order."""
    X, d, a, M = f.time, f.status, f.a, np.asarray(f.column(f.names[0]).oriented)

    def followed_before(t):
        product_of = 1.0
        for s in np.unique(X[t > X]):
            at_risk = a[s <= X].sum() - a[(s == X) & (d > 0)].sum()
            lost = a[(s == X) & (d == 0)].sum()
            product_of *= 1 - lost / at_risk if lost else 1.0
        return product_of

    top = bottom = 0.0
    for i, j in product(range(len(X)), repeat=2):
        if d[i] != 1 or X[i] >= tau:
            continue
        Gi = followed_before(X[i]) if kind == "uno" else 1.0
        if X[j] > X[i] or (X[j] == X[i] and d[j] == 0):
            weight = a[i] * a[j] / Gi**2
        elif controls == "all" and d[j] == 2 and X[j] <= X[i]:
            weight = a[i] * a[j] / (Gi * (followed_before(X[j]) if kind == "uno" else 1.0))
        else:
            continue
        if M[i] == M[j] and ties == "drop":
            continue
        credit = (M[i] > M[j]) + (M[i] == M[j]) * (ties == "half") / 2
        top, bottom = top + weight * credit, bottom + weight
    return top / bottom


@pytest.mark.parametrize("name", SMALL)
@pytest.mark.parametrize("ties", ["half", "drop", "wrong"])
@pytest.mark.parametrize("kind", ["uno", "harrell"])
def test_pairs_counted_and_influence_by_differences(name, kind, ties):
    weights = 1 + np.random.default_rng(3).random(len(SMALL[name][0]))
    f = of(SMALL[name], sample_weight=weights)
    for tau, controls in product((5.5, 8, np.inf), ("survivors", "all")):
        options = kind, tau, ties, controls
        found = concordance_influence(f, f.names[0], *options)
        assert found.value == pytest.approx(by_counting(f, tau, kind, ties, controls))
        assert f.a @ found.U == pytest.approx(0, abs=1e-12)
        h = 1e-6
        for k in range(len(f)):
            ends = []
            for step in (h, -h):
                moved = f.a.copy()
                moved[k] += step
                value = concordance_influence(f.reweighted(moved), f.names[0], *options).value
                ends.append(value)
            assert (ends[0] - ends[1]) / (2 * h) == pytest.approx(found.U[k], abs=1e-7)


def sample(n=200, seed=1, decimals=1):
    rng = np.random.default_rng(seed)
    score = rng.random(n)
    time, censored = rng.exponential(1 / (0.5 + 2 * score)), rng.exponential(1, n)
    return np.round(np.minimum(time, censored), decimals), time <= censored, np.round(score, 1)


@pytest.mark.parametrize("kind", ["uno", "harrell"])
def test_laws(kind):
    time, event, score = sample()
    n = len(time)
    weights = np.random.default_rng(2).integers(1, 4, n)
    options = {"kind": kind, "tau": 1.5}
    plain = concordance(time, event, score, **options)
    shuffled = np.random.default_rng(5).permutation(n)
    again = concordance(time[shuffled], event[shuffled], score[shuffled], **options)
    assert (again.value, again.standard_error) == pytest.approx((plain.value, plain.standard_error))
    assert concordance(time, event, np.exp(score), **options).value == plain.value
    turned = concordance(time, event, -score, direction="lower", **options)
    assert (turned.value, turned.standard_error) == (plain.value, plain.standard_error)
    with pytest.warns(rw.RocwiseWarning, match="below 0.5"):
        low = concordance(time, event, -score, **options)
    assert low.value == pytest.approx(1 - plain.value)
    copies = [np.repeat(each, weights) for each in (time, event, score)]
    heavy = concordance(time, event, score, sample_weight=weights, **options)
    assert heavy.value == pytest.approx(concordance(*copies, **options).value)
    twice = [np.tile(each, 2) for each in (time, event, score)]
    clusters = np.tile(np.arange(n), 2)
    assert concordance(*twice, groups=clusters, **options).standard_error == pytest.approx(
        plain.standard_error
    )
    scaled = concordance(time, event, score, sample_weight=np.full(n, 0.01), **options)
    assert (scaled.value, scaled.standard_error) == pytest.approx(
        (plain.value, plain.standard_error)
    )


def test_without_censoring_uno_is_harrell():
    time, _, score = sample(60)
    found = [concordance(time, np.ones(60), score, kind=k, tau=1) for k in ("uno", "harrell")]
    assert found[0].value == pytest.approx(found[1].value)
    rows = list(zip(score, time, strict=True))
    pairs = [(s - r, t > u) for s, t in rows for r, u in rows]
    assert concordance(time, np.ones(60), score, kind="harrell").value == pytest.approx(
        np.mean([(d < 0) + (d == 0) / 2 for d, later in pairs if later])
    )


def test_strata_of_censoring_are_separate():
    time, event, score = sample(120)
    stratum, G = np.arange(120) % 2, np.ones(120)
    for rows in (stratum == 0, stratum == 1):
        own = follow_up(time[rows], event[rows], score[rows])
        G[rows] = [own.followed(t - 1e-9) for t in time[rows]]
    weights = event * (time < 1) / G**2
    later = (time[:, None] < time) | ((time[:, None] == time) & (event == 0))
    won = (score[:, None] > score) + (score[:, None] == score) / 2
    np.fill_diagonal(later, False)
    expected = (weights @ (later * won)).sum() / (weights @ later).sum()
    found = concordance(time, event, score, tau=1, censoring_by=stratum)
    assert found.value == pytest.approx(expected)
    assert found.value != concordance(time, event, score, tau=1).value
    with pytest.raises(rw.InputError, match="`censoring_by` goes with kind='uno'"):
        concordance(time, event, score, kind="harrell", censoring_by=stratum)


def test_default_tau_and_sentence():
    time, event, score = sample(300, decimals=3)
    found = concordance(time, event, score)
    assert found.tau == np.sort(time)[-10]
    assert repr(found).startswith(f"concordance {found.value:.3f} (95% CI ")
    assert f"events before t = {found.tau:g}, 300 rows" in repr(found)
    both = concordance(time, event, {"a": score, "b": score**2}, kind="harrell")
    assert both["a"].value == pytest.approx(both["b"].value)
    assert both["a"].tau == np.inf


def test_extremes():
    time, event = np.arange(1, 31), np.arange(30) % 3 > 0
    perfect = concordance(time, event, -time, kind="harrell")
    assert (perfect.value, perfect.standard_error) == (1.0, 0.0)
    assert perfect.interval.high == 1.0
    assert 0.7 < perfect.interval.low < 0.9
    constant = concordance(time, event, np.zeros(30), kind="harrell")
    assert (constant.value, *constant.interval) == (0.5, 0.5, 0.5)


def test_few_events_and_turned_scores_are_warned_of():
    with pytest.warns(rw.RocwiseWarning, match="only 6 events before tau = inf"):
        concordance(*A, kind="harrell")
    time, event, score = sample(300)
    with pytest.warns(rw.RocwiseWarning, match="below 0.5"):
        concordance(time, event, -score, kind="harrell")


BAD = [
    ({}, "needs `tau`: no event comes before the last time with 10 rows at risk"),
    ({"tau": 1}, "no event before tau = 1: the first is at 1"),
    ({"tau": -2}, "`tau`"),
    ({"kind": "somers"}, "`kind`"),
]


@pytest.mark.parametrize(("options", "message"), BAD, ids=[m for _, m in BAD])
def test_bad_input(options, message):
    with pytest.raises(rw.InputError, match=message):
        concordance(*A, **options)


def test_no_comparable_pair_and_no_delayed_entry():
    with pytest.raises(rw.InputError, match="delayed entry"):
        concordance(follow_up(*A, entry=np.arange(10) / 2 + 0.1), kind="harrell")
    with pytest.raises(rw.InputError, match="no comparable pair"):
        concordance([1, 2, 3], [0, 0, 1], [3, 2, 1], kind="harrell")
    with pytest.raises(rw.InputError, match="with another score"):
        concordance([1, 2], [1, 0], [3, 3], kind="harrell", ties="drop")
