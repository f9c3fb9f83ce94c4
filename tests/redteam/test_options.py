"""Invalid options that once gave a result."""

import math

import numpy as np
import pytest

import rocwise as rw
from rocwise.binary import detectable_auc
from rocwise.binary.bands import threshold_regions
from rocwise.inference import proportion_interval
from rocwise.multiclass import Evolution, sample_costs

RNG = np.random.default_rng(4)
Y = np.arange(60) % 2
S = np.clip(0.4 + 0.2 * Y + RNG.normal(0, 0.15, 60), 0.01, 0.99).round(2)
T = RNG.random(60).round(2)
MODELS = {"a": S, "b": T}
CLASSES, TABLE = np.arange(45) % 3, RNG.random((45, 3))
NEXT_TO_1 = 1 - 2**-53

FLAGS = {
    "auc": lambda f: rw.auc(Y, S, max_fpr=0.2, standardize=f),
    "band": lambda f: rw.band(Y, S, kind="fixed-width", future=f, n_resamples=20, rng=1),
    "band, stratified": lambda f: rw.band(
        Y, S, kind="fixed-width", stratified=f, n_resamples=20, rng=1
    ),
    "cv_interval": lambda f: rw.inference.cv_interval([0.7, 0.8], corrected=f),
    "detectable_auc": lambda f: detectable_auc(n_pos=30, n_neg=30, larger=f),
    "sample_costs": lambda f: sample_costs(1, 3, n_classes=3, whole=f, rng=1),
    "multiclass.auc": lambda f: rw.multiclass.auc(CLASSES, TABLE, ignore_absent=f),
    "smooth_roc": lambda f: rw.smooth_roc(Y, S, rescale=f),
    "roc": lambda f: rw.roc(Y, S, drop_intermediate=f),
    "tree": lambda f: (
        rw.estimators.ModelTreeRegressor(prune=f).fit(S[:, None], T).predict(S[:, None])
    ),
    "mimetic": lambda f: (
        rw.estimators.MimeticClassifier(encode=f, random_state=1)
        .fit(S[:, None], Y)
        .predict(S[:, None])
    ),
}


@pytest.mark.parametrize("call", FLAGS.values(), ids=FLAGS)
@pytest.mark.parametrize("nonsense", ["no", "false", math.nan, {}, [], 1, 0.0, np.array([True])])
def test_only_flags_are_flags(call, nonsense):
    with pytest.raises(rw.InputError, match="must be True or False"):
        call(nonsense)


@pytest.mark.parametrize("call", FLAGS.values(), ids=FLAGS)
def test_flags_of_numpy_are_flags(call):
    assert repr(call(np.False_)) == repr(call(False))


LEVELS = {
    "proportion": lambda v: proportion_interval(3, 10, level=v),
    "regions": lambda v: threshold_regions(Y, S, level=v),
    "auc": lambda v: rw.auc(Y, S, level=v),
    "compare": lambda v: rw.compare(Y, MODELS, level=v),
    "intervals": lambda v: rw.auc_intervals(Y, S, level=v, n_resamples=20),
    "features": lambda v: rw.rank_features(np.c_[S, T], Y, level=v),
    "multiclass": lambda v: rw.multiclass.auc(CLASSES, TABLE, level=v).interval,
    "averages": lambda v: rw.average_roc([(Y, S), (Y, T)], level=v),
    "within": lambda v: rw.regression.rec(S, T).within(0.2, level=v),
}


@pytest.mark.parametrize("call", LEVELS.values(), ids=LEVELS)
@pytest.mark.parametrize("level", [NEXT_TO_1, 1, 0, -0.5, math.nan, "0.9", None, True])
def test_levels_without_finite_quantiles(call, level):
    with pytest.raises(rw.InputError, match="`level` must"):
        call(level)


DRAWN = {
    "auc": lambda n: rw.auc(Y, S, n_resamples=n, rng=1),
    "auc, bootstrap": lambda n: rw.auc(Y, S, method="bootstrap", n_resamples=n, rng=1),
    "auc_intervals": lambda n: rw.auc_intervals(Y, S, n_resamples=n, rng=1),
    "bootstrap": lambda n: rw.bootstrap(Y, S, n_resamples=n, rng=1),
    "band": lambda n: rw.band(Y, S, kind="pointwise", n_resamples=n, rng=1),
    "compare": lambda n: rw.compare(Y, MODELS, n_resamples=n, rng=1),
    "compare, bootstrap": lambda n: rw.compare(Y, MODELS, method="bootstrap", n_resamples=n, rng=1),
    "curves": lambda n: rw.compare_curves(Y, MODELS, n_resamples=n, rng=1),
    "multiclass": lambda n: rw.multiclass.auc(CLASSES, TABLE, n_resamples=n, rng=1).interval,
    "uncertainty": lambda n: rw.threshold(Y, S, rule="youden").uncertainty(n_resamples=n, rng=1),
    "rec band": lambda n: rw.regression.band(rw.regression.rec(S, T), n_resamples=n, rng=1),
}


@pytest.mark.parametrize("call", DRAWN.values(), ids=DRAWN)
@pytest.mark.parametrize("n", [0, -1, 2.5, "200", None, True, [200], math.nan])
def test_numbers_of_resamples_that_are_none(call, n):
    with pytest.raises(rw.InputError, match="`n_resamples` must be an integer"):
        call(n)


@pytest.mark.parametrize("call", DRAWN.values(), ids=DRAWN)
@pytest.mark.parametrize("n", [10**9, 1e9, 10**400, 10**5000], ids=["int", "float", "400", "5000"])
def test_too_many_resamples_raise_with_their_memory(call, n):
    with pytest.raises(rw.InputError, match=r"`n_resamples` must be at most .* would take"):
        call(n)


@pytest.mark.parametrize("call", DRAWN.values(), ids=DRAWN)
def test_200_resamples_by_any_type(call):
    for n in (200.0, np.int32(200), np.float64(200)):
        assert repr(call(n)) == repr(call(200))


@pytest.mark.parametrize("option", ["rng", "n_resamples"])
def test_intervals_do_not_leave_out_methods(option):
    with pytest.raises(rw.InputError, match=f"`{option}`"):
        rw.auc_intervals(Y, S, **{option: "x"})


UNUSED = {
    "auc, rng": lambda: rw.auc(Y, S, rng="x"),
    "compare, ties": lambda: rw.compare(Y, MODELS, ties="x"),
    "compare, transform": lambda: rw.compare(Y, MODELS, transform="x"),
    "compare, progress": lambda: rw.compare(Y, MODELS, progress="x"),
    "hum, rng": lambda: rw.multiclass.hum(CLASSES, TABLE, rng="x"),
    "rec_band, rng": lambda: rw.regression.band(rw.regression.rec(S, T), rng="x"),
    "ordinal.auc, rng": lambda: rw.ordinal.auc(CLASSES, TABLE[:, 0], rng="x"),
    "class_weights, rng": lambda: rw.multiclass.class_weights(CLASSES, TABLE, rng="x"),
    "FilterRegressor, hidden": lambda: rw.estimators.FilterRegressor(hidden="x").fit(S[:, None], T),
    "FilterRegressor, random_state": lambda: rw.estimators.FilterRegressor(random_state="x").fit(
        S[:, None], T
    ),
}


@pytest.mark.parametrize("name", UNUSED)
def test_options_of_other_methods_are_looked_at(name):
    with pytest.raises(rw.InputError, match=name.partition(", ")[2]):
        UNUSED[name]()


def test_grids_rise_from_0_to_1():
    for grid in ([1, 0], [0.5, 0.5], [-0.1, 1], [0, 1.1], [], "x", [np.nan], [[0, 1]]):
        with pytest.raises(rw.InputError, match="`grid` must"):
            rw.average_roc([(Y, S), (Y, T)], grid=grid)
    assert "area" not in repr(rw.average_roc([(Y, S), (Y, T)], grid=[0.5]))


def test_thresholds_are_numbers():
    for cut in ([np.nan], "x", [1j], [True], object()):
        with pytest.raises(rw.InputError, match="`thresholds` must contain"):
            threshold_regions(Y, S, thresholds=cut)


def test_lines_are_about_rates():
    line = rw.isometric("precision+", 0.8, skew=2)
    for fpr in (np.nan, None, 7, "x", -0.1):
        with pytest.raises(rw.InputError, match="`fpr` must contain"):
            line.tpr(fpr)


def test_decimals_that_lose_the_scores():
    scores = np.linspace(0, 1, 45) * 1e300
    for decimals in (320, 10**9, 10**400):
        with pytest.raises(rw.InputError, match="`decimals`"):
            rw.ordinal.auc(CLASSES, TABLE[:, 0], decimals=decimals)
    with pytest.raises(rw.InputError, match="`decimals` 20 is too many"):
        rw.ordinal.auc(CLASSES, scores, decimals=20)


def test_sizes_have_limits():
    for call in (
        lambda: rw.cost_curve(Y, S).band(grid=10**9),
        lambda: rw.abstention_surface(Y, S, grid=10**9),
        lambda: sample_costs(1, 2, n_classes=3000),
        lambda: rw.multiclass.hum(CLASSES, TABLE, n_tuples=10**9),
        lambda: Evolution(population=10**7),
    ):
        with pytest.raises(rw.InputError, match="must be at most"):
            call()


def test_intervals_have_two_ends_in_order():
    for low, high in ((np.nan, 1), (0.9, 0.1), (None, 1), ("0", 1), (10**400, 1)):
        with pytest.raises(rw.InputError, match="`low`"):
            rw.Interval(low, high)


@pytest.mark.parametrize("bad", [math.nan, math.inf, None, "x"])
def test_statistics_without_a_number_raise_with_the_count(bad):
    def odd(fpr, tpr, thresholds):
        return bad if tpr[1] > 0 else 1.0

    with pytest.raises(rw.InputError, match="`statistic` odd"):
        rw.bootstrap(Y, S, statistic=odd, n_resamples=50, rng=1)
    with pytest.raises(rw.InputError, match="`statistic` odd"):
        rw.compare(Y, MODELS, statistic=odd, n_resamples=50, rng=1)


def test_the_count_of_undefined_resamples():
    calls = iter(range(1000))

    def third(fpr, tpr, thresholds):
        return math.nan if next(calls) % 3 == 2 else 1.0

    with pytest.raises(rw.InputError, match="nan or infinite in 17 of 50 resamples"):
        rw.bootstrap(Y, S, statistic=third, n_resamples=50, rng=1)


def test_errors_show_any_value():
    for value in (10**5000, -(10**5000), object(), [10**5000], "x" * 10**6):
        with pytest.raises(rw.InputError) as caught:
            rw.auc(Y, S, level=value)
        assert len(str(caught.value)) < 500


def test_absent_classes_raise_input_errors():
    from rocwise.estimators.mimetic import AbsentClassError

    assert issubclass(AbsentClassError, rw.InputError)


BEYOND = {
    "fpr": lambda: rw.auc_bounds([1e-300, 1e-299], [0.5, 0.7]),
    "beta": lambda: rw.threshold(Y, S, rule="f-beta", beta=1e200),
    "n": lambda: rw.inference.tango_interval(5, 3, 1e300),
    "costs.fp": lambda: rw.Costs(1.7e308, 1.7e308),
    "alpha": lambda: rw.guaranteed_threshold(Y, S, alpha=5e-324),
    "alpha of a line": lambda: rw.isometric("f+", 0.5, skew=2, alpha=1e300),
    "up_to": lambda: rw.regression.compare(S, {"a": S + 0.1, "b": S - 0.2}, up_to=5e-324),
    "ratio": lambda: rw.sample_size(0.8, ratio=5e-324),
    "auc": lambda: rw.power(1e-300, n_pos=30, n_neg=30),
}


@pytest.mark.parametrize("name", BEYOND)
def test_numbers_at_the_edge_of_floats_raise_with_the_name(name):
    with pytest.raises(rw.InputError, match=f"`{name.partition(' ')[0]}`"):
        BEYOND[name]()


def test_splits_that_train_on_what_they_test():
    rows = np.arange(60)
    splits = [(rows, rows[:30]), (rows, rows[30:])]
    with pytest.raises(rw.InputError, match="split 0 trains on 30 rows that it tests"):
        rw.cross_validated_auc(Y, S, splits)
