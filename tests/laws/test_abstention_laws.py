"""Laws of abstaining, against the enumeration of all windows."""

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import rocwise as rw
from oracles.scored_rows import few_values, plain_floats, rows
from oracles.windows import bounded, least_cost, windows

tenths = st.integers(1, 30).map(lambda tenth: tenth / 10)
small = st.integers(0, 12).map(lambda part: part / 10)
prevalences = st.one_of(st.none(), st.sampled_from([0.1, 0.5, 0.8]))
samples = rows(few_values, max_size=14)
outcomes = st.sampled_from(
    [
        rw.Costs(fp=1, fn=1),
        rw.Costs(fp=1, fn=5),
        rw.Costs(fp=0.3, fn=0.7),
        rw.Costs(fp=1, fn=1, tp=-0.5),
        rw.Costs(fp=2, fn=0.5, tp=-1, tn=-0.25),
        rw.Costs(fp=1, fn=-0.1, tp=-0.4),
    ]
)


@given(samples, tenths, small, small, prevalences)
def test_the_best_window_by_enumeration(data, mu, nu_pos, nu_neg, prevalence):
    costs = rw.Costs(fp=mu, fn=1, abstain=(nu_pos, nu_neg))
    window = rw.abstain(*data, costs=costs, prevalence=prevalence)
    cost, rate = least_cost(*data, mu, (nu_pos, nu_neg), prevalence)
    assert window.expected_cost == pytest.approx(cost, abs=1e-12)
    if nu_pos + nu_neg / mu < 1 - 1e-9:  # otherwise a single threshold is requested
        assert window.abstention_rate == pytest.approx(rate, abs=1e-12)


@given(rows(plain_floats), tenths, small)
def test_decisions_have_the_reported_cost(data, mu, nu):
    window = rw.abstain(*data, costs=rw.Costs(fp=mu, fn=1, abstain=nu))
    y, decided = np.array(data[0]), window.decide(data[1])
    paid = np.where(decided == -1, nu, np.where(decided == y, 0, np.where(y == 1, 1, mu)))
    assert paid.mean() == pytest.approx(window.expected_cost, abs=1e-12)
    assert np.mean(decided == -1) == pytest.approx(window.abstention_rate, abs=1e-12)


@given(samples, tenths, small, small, prevalences)
def test_lemma_1(data, mu, nu_pos, nu_neg, prevalence):
    """Abstaining never pays if nu_pos + nu_neg / mu >= 1: no window beats the best threshold."""
    if nu_pos + nu_neg / mu < 1:
        nu_pos = 1 - nu_neg / mu if nu_neg < mu else nu_pos  # on the border
    costs = rw.Costs(fp=mu, fn=1, abstain=(max(nu_pos, 0.0), nu_neg))
    window = rw.abstain(*data, costs=costs, prevalence=prevalence)
    if nu_pos + nu_neg / mu >= 1 - 1e-13:
        assert window.lower == window.upper
        assert window.abstention_rate == 0
    cost, _ = least_cost(*data, mu, (max(nu_pos, 0.0), nu_neg), prevalence)
    assert window.expected_cost == pytest.approx(cost, abs=1e-12)


@given(samples, tenths, small, prevalences)
def test_the_best_threshold_lies_in_the_window(data, mu, nu, prevalence):
    """Observation 1 of Friedel, Rückert and Kramer (2006)."""
    window = rw.abstain(*data, costs=rw.Costs(fp=mu, fn=1, abstain=nu), prevalence=prevalence)
    prior = np.mean(data[0]) if prevalence is None else prevalence
    y, s = np.array(data[0]), np.array(data[1], float)
    cuts = [-np.inf, *(np.unique(s)[1:] + np.unique(s)[:-1]) / 2, np.inf]
    costs = [
        prior * np.mean(s[y == 1] < cut) + (1 - prior) * mu * np.mean(s[y == 0] > cut)
        for cut in cuts
    ]
    best = [cut for cut, cost in zip(cuts, costs, strict=True) if cost <= min(costs) + 1e-12]
    assert any(window.lower <= cut <= window.upper for cut in best)


@given(samples, tenths, small, small, prevalences)
def test_dearer_abstention_narrows_the_window(data, mu, nu_1, nu_2, prevalence):
    """Observation 2; the lower threshold does not depend on mu, the upper one only on nu / mu."""
    wide, narrow = (
        rw.abstain(*data, costs=rw.Costs(fp=mu, fn=1, abstain=nu), prevalence=prevalence)
        for nu in sorted([nu_1, nu_2])
    )
    if wide.abstention_rate > 0:
        assert wide.lower <= narrow.lower
        assert narrow.upper <= wide.upper
    nu, other = min(nu_1, nu_2), mu + 0.7
    if nu < mu / (1 + mu) - 1e-9:
        dearer = rw.Costs(fp=other, fn=1, abstain=nu)
        assert rw.abstain(*data, costs=dearer, prevalence=prevalence).lower == wide.lower
        halved = rw.Costs(fp=mu / 2, fn=1, abstain=nu / 2)  # the same nu / mu
        assert rw.abstain(*data, costs=halved, prevalence=prevalence).upper == wide.upper


@given(samples, tenths, small)
def test_exchanging_the_classes(data, mu, nu):
    """K(mu, nu) = mu K'(1/mu, nu/mu)."""
    y, s = np.array(data[0]), np.array(data[1], float)
    forth = rw.abstain(y, s, costs=rw.Costs(fp=mu, fn=1, abstain=nu))
    back = rw.abstain(1 - y, -s, costs=rw.Costs(fp=1 / mu, fn=1, abstain=nu / mu))
    assert forth.expected_cost == pytest.approx(mu * back.expected_cost, abs=1e-12)


@settings(max_examples=40)
@given(rows(few_values, max_size=10), prevalences)
def test_the_surface_by_enumeration(data, prevalence):
    surface = rw.abstention_surface(*data, grid=6, prevalence=prevalence)
    tried = np.array(list(windows(*data, prevalence)))
    for i, mu in enumerate(surface.mu):
        for j, nu in enumerate(surface.nu):
            cost = tried @ [1, mu, nu, nu]
            assert surface.cost[i, j] == pytest.approx(cost.min(), abs=1e-12)
            if mu > 0 and nu < mu / (1 + mu) - 1e-9:
                rates = tried[cost <= cost.min() + 1e-12][:, 2:].sum(axis=1)
                assert surface.rate[i, j] == pytest.approx(rates.min(), abs=1e-12)


@settings(max_examples=40)
@given(samples, prevalences)
def test_surface_and_single_windows_agree(data, prevalence):
    surface = rw.abstention_surface(*data, grid=5, prevalence=prevalence)
    for i, mu in enumerate(surface.mu[1:], 1):
        for j, nu in enumerate(surface.nu):
            costs = rw.Costs(fp=mu, fn=1, abstain=nu)
            window = rw.abstain(*data, costs=costs, prevalence=prevalence)
            assert surface.cost[i, j] == pytest.approx(window.expected_cost, abs=1e-12)
            assert surface.rate[i, j] == pytest.approx(window.abstention_rate, abs=1e-12)
            assert (surface.lower[i, j], surface.upper[i, j]) == (window.lower, window.upper)


@given(rows(few_values), prevalences)
def test_the_surface_is_concave_rising_and_below_the_trivial_one(data, prevalence):
    """The misread figure: a trivial classifier never performs better on the same data."""
    surface = rw.abstention_surface(*data, grid=21, prevalence=prevalence)
    for steps in (np.diff(surface.cost, axis=0), np.diff(surface.cost, axis=1)):
        assert steps.min() >= -1e-12
    assert np.diff(surface.cost, 2, axis=0).max() <= 1e-12
    assert np.diff(surface.cost, 2, axis=1).max() <= 1e-12
    assert np.all(surface.cost[0] == 0)
    assert np.all(surface.cost[:, 0] <= 1e-12)
    assert np.asarray(surface.versus_trivial()).max() <= 1e-12
    assert np.all(
        surface.rate[surface.nu[None, :] >= surface.mu[:, None] / (1 + surface.mu[:, None])] == 0
    )


@given(samples, prevalences)
def test_without_abstaining_the_surface_is_the_cost_curve(data, prevalence):
    """K = (pi + mu (1 - pi)) NEC(PC), Drummond and Holte."""
    surface = rw.abstention_surface(*data, grid=6, prevalence=prevalence)
    prior = surface.prevalence
    scale = prior + surface.mu * (1 - prior)
    curve = rw.cost_curve(*data)
    np.testing.assert_allclose(surface.cost[:, -1], scale * curve.at(prior / scale), atol=1e-12)


@given(
    samples,
    outcomes,
    st.sampled_from([0, 0.1, 0.25, 0.4, 0.5, 1]),
    st.booleans(),
    prevalences,
)
def test_bounded_abstention_by_enumeration(data, costs, bound, decided, prevalence):
    per = "decided" if decided else "case"
    window = rw.abstain(*data, costs=costs, max_abstention=bound, per=per, prevalence=prevalence)
    cost, rate = bounded(*data, costs, decided=decided, prevalence=prevalence, max_abstention=bound)
    got = window.decided_cost if decided else window.expected_cost
    assert (got, window.abstention_rate) == pytest.approx((cost, rate), abs=1e-9)


@given(
    samples,
    outcomes,
    st.sampled_from([-0.5, -0.1, 0, 0.05, 0.1, 0.2, 0.3, 0.5]),
    st.booleans(),
    prevalences,
)
def test_bounded_cost_by_enumeration(data, costs, bound, decided, prevalence):
    assume(bound >= 0 or min(costs.tp, costs.tn) < 0)
    per = "decided" if decided else "case"
    best = bounded(*data, costs, decided=decided, prevalence=prevalence, max_cost=bound)
    options = {"costs": costs, "max_cost": bound, "per": per, "prevalence": prevalence}
    if best is None:
        with pytest.raises(rw.InputError, match="unattainable"):
            rw.abstain(*data, **options)
        return
    window = rw.abstain(*data, **options)
    got = (
        window.decided_cost if decided and window.decided_cost is not None else window.expected_cost
    )
    assert (got, window.abstention_rate) == pytest.approx(best, abs=1e-9)


@given(samples, outcomes, prevalences)
def test_without_a_bound_abstaining_for_nothing(data, costs, prevalence):
    """All may be left undecided: as `abstain` when not deciding costs 0, (5.2)."""
    free = rw.Costs(fp=costs.fp, fn=costs.fn, tp=costs.tp, tn=costs.tn, abstain=0)
    best = rw.abstain(*data, costs=free, prevalence=prevalence)
    within = rw.abstain(*data, costs=costs, max_abstention=1.0, per="case", prevalence=prevalence)
    assert within.expected_cost == pytest.approx(best.expected_cost, abs=1e-12)
