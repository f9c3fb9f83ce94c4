"""Weights where the size of scores counts, and refusals that say why there are none."""

import numpy as np
import pytest

import rocwise as rw
from rocwise.binary.bands import threshold_regions
from rocwise.binary.scored_auc import scored_roc
from rocwise.multiclass import micro_auc, multiclass_brier, partial_class_areas

RNG = np.random.default_rng(12)
N = 60
Y = RNG.integers(0, 2, N)
P = np.round(0.6 * RNG.uniform(size=N) + 0.3 * Y, 2)
COPIES = RNG.integers(0, 4, N)
WEIGHTS = RNG.uniform(0.2, 3, N)
AGAIN = np.repeat(np.arange(N), COPIES)
AMOUNTS = {
    "scored_auc": rw.scored_auc,
    "probabilistic_auc": rw.probabilistic_auc,
    "soft_auc": rw.soft_auc,
    "brier": rw.brier,
    "scored_roc": lambda *rows, **given: scored_roc(*rows, tau=[0, 0.1, 0.3], **given).share,
    "smAUC": lambda *rows, **given: rw.smooth_roc(*rows, **given).auc,
    "midpoint": lambda *rows, **given: rw.smooth_roc(*rows, **given).midpoint,
    "class means": lambda *rows, **given: rw.smooth_roc(*rows, midpoint="class-means", **given).auc,
}


@pytest.mark.parametrize("ask", AMOUNTS.values(), ids=AMOUNTS)
def test_weight_2_is_the_row_twice_and_scale_is_nothing(ask):
    copied = ask(Y[AGAIN], P[AGAIN])
    np.testing.assert_allclose(ask(Y, P, sample_weight=COPIES), copied, rtol=1e-12)
    weighted = ask(Y, P, sample_weight=WEIGHTS)
    np.testing.assert_allclose(ask(Y, P, sample_weight=7 * WEIGHTS), weighted, rtol=1e-9)
    assert not np.allclose(weighted, ask(Y, P), rtol=1e-6)


def test_against_all_pairs():
    w_pos, w_neg = WEIGHTS[Y == 1], WEIGHTS[Y == 0]
    margins = P[Y == 1][:, None] - P[Y == 0]
    held = w_pos[:, None] * w_neg / (w_pos.sum() * w_neg.sum())
    given = {"sample_weight": WEIGHTS}
    assert rw.scored_auc(Y, P, **given) == pytest.approx((held * np.maximum(margins, 0)).sum())
    soft = (held / (1 + np.exp(-3 * margins))).sum()
    assert rw.soft_auc(Y, P, beta=3, **given) == pytest.approx(soft)
    assert rw.brier(Y, P, **given) == pytest.approx(np.average((P - Y) ** 2, weights=WEIGHTS))
    apart = np.average(P[Y == 1], weights=w_pos) - np.average(P[Y == 0], weights=w_neg)
    assert rw.probabilistic_auc(Y, P, **given) == pytest.approx((1 + apart) / 2)


def test_the_bootstrap_of_smooth_areas_draws_weighted_rows():
    constant = rw.bootstrap(
        Y, P, statistic="smooth-auc", n_resamples=50, rng=1, sample_weight=np.full(N, 2.5)
    )
    plain = rw.bootstrap(Y, P, statistic="smooth-auc", n_resamples=50, rng=1)
    np.testing.assert_allclose(constant.replicates, plain.replicates, rtol=1e-9)
    assert "with their weights" in constant.interval.method


@pytest.mark.parametrize(
    ("ask", "instead"),
    [
        (rw.step_area, "`auc` takes weights"),
        (rw.binormal, "use `auc` for the area and `band` for the curve"),
        (rw.confident_segment, "use `threshold`"),
        (threshold_regions, "use `at` with threshold="),
        (lambda *rows, **given: rw.guaranteed_threshold(*rows, rate="fpr", **given), "uncertainty"),
        (lambda *rows, **given: rw.test_auc(*rows, method="exact", **given), "method='delong'"),
        (lambda *rows, **given: rw.band(*rows, kind="joint-regions", **given), "'simultaneous'"),
    ],
)
def test_refusals_say_why_and_what_instead(ask, instead):
    with pytest.raises(rw.InputError, match=instead) as caught:
        ask(Y, P, sample_weight=WEIGHTS)
    assert "leave" not in str(caught.value)
    assert "since" in str(caught.value) or "takes rows for independent" in str(caught.value)


@pytest.mark.parametrize("ask", [rw.binormal, rw.confident_segment, threshold_regions])
def test_clusters_are_not_taken_for_independent_rows(ask):
    with pytest.raises(rw.InputError, match="no version with clusters, since"):
        ask(rw.tally(Y, P, groups=np.arange(N) // 3))


def test_questions_about_several_classes():
    kind = RNG.integers(0, 3, 40)
    table = RNG.dirichlet([1, 1, 1], 40)
    table[np.arange(40), kind] += 0.3
    table /= table.sum(axis=1, keepdims=True)
    copies = RNG.integers(1, 4, 40)
    again = np.repeat(np.arange(40), copies)
    for ask in (
        lambda *rows, **given: rw.multiclass.hum(*rows, **given).value,
        lambda *rows, **given: micro_auc(*rows, **given).value,
        lambda *rows, **given: partial_class_areas(*rows, max_fpr=0.3, **given).value,
        lambda *rows, **given: multiclass_brier(*rows, **given).parts,
        lambda *rows, **given: multiclass_brier(*rows, **given).log_loss,
    ):
        weighted = ask(kind, table, sample_weight=copies)
        np.testing.assert_allclose(weighted, ask(kind[again], table[again]), rtol=1e-9, atol=1e-12)
    exact = rw.multiclass.hum(kind, table, sample_weight=copies / 7)
    drawn = rw.multiclass.hum(kind, table, sample_weight=copies / 7, n_tuples=60_000, rng=3)
    assert drawn.value == pytest.approx(exact.value, abs=4 * drawn.standard_error)
    groups = np.arange(40) // 4
    assert "20" not in repr(micro_auc(kind, table, groups=groups)).rpartition(";")[2]
    robust = micro_auc(kind, table, groups=groups).standard_error
    assert robust != pytest.approx(micro_auc(kind, table).standard_error)
