"""The resampler: its draws, its compiled readers against numpy formulas, and brute force."""

import numpy as np
import pytest

import rocwise as rw
from rocwise.binary.abstention import BestWindow, normalized
from rocwise.binary.curve_bands import LeastCosts, NetBenefit
from rocwise.binary.operating_points import PointMeasures, PointSpec
from rocwise.binary.statistics import of_counts, reader_of
from rocwise.binary.threshold_rules import (
    RULES,
    TIES,
    cells_of,
    checked_rule,
    choose,
    rule_in_numbers,
)
from rocwise.inference.resampling import sampled_rows
from rocwise.kernels import resample as kernel
from rocwise.kernels.resample import (
    Model,
    Reader,
    Units,
    counts_of,
    left_out,
    multiplicities,
    ranked_rows,
    resample,
    stream_key,
    units_of_counts,
)

st = rw.statistics
COSTS = rw.Costs(fp=1, fn=5, abstain=0.3)
STATISTICS = {
    "area": st.Area(),
    "early": st.PartialArea(max_fpr=0.1),
    "inner": st.PartialArea(fpr_range=(0.2, 0.5), standardize=True),
    "sensitive": st.PartialArea(tpr_range=(0.7, 1.0)),
    "sensitivity": st.SensitivityAt(0.8),
    "specificity": st.SpecificityAt(0.9),
    "certain": st.SensitivityAt(1.0),
    "youden": st.YoudenThreshold(),
    "equal": st.EqualErrorRate(),
    "cost": st.LeastCost(rw.Costs(fp=1, fn=5), prevalence=0.1),
    "smooth": st.SmoothArea(),
    "means": st.SmoothArea("class-means"),
    "fixed": st.SmoothArea(0.3, rescale=True),
    "precision": st.AveragePrecision(),
    "arcs": st.AveragePrecision(interpolation="davis-goadrich", prevalence=0.02),
    "recall": st.PrecisionAt(0.6),
    "costs": LeastCosts(np.linspace(0, 1, 11)),
    "benefit": NetBenefit(np.array([0.1, 0.5, 0.9])),
}
POINTS = {
    "threshold": [0.3, 0.55, 2.0, -1.0],
    "sensitivity": [0.0, 0.3, 2 / 3, 0.8, 1.0],
    "specificity": [0.0, 0.5, 1 - 0.8, 0.9, 1.0],
    "fpr": [0.0, 0.2, 0.25, 1.0],
    "alarms": [0.0, 0.1, 0.35, 1.0],
}
STATISTICS |= {
    f"at {axis}": PointMeasures(PointSpec(axis, np.array(values), False))
    for axis, values in POINTS.items()
}
compiled = pytest.mark.skipif(kernel._resample is None, reason="not compiled")


def scored(kind, n=90, seed=0):
    """Tally, units and rows of one kind of data."""
    rng = np.random.default_rng(seed)
    y = np.arange(n) % 3 == 0
    s = rng.beta(2, 2, n) * 0.7 + 0.3 * y * rng.random(n)
    s = s.round(1) if kind == "tied" else s
    weights = rng.gamma(1.0, size=n) if kind in ("weights", "weighted clusters") else None
    clusters = rng.integers(0, 20, n) if "clusters" in kind else None
    tally = rw.tally(y, s, sample_weight=weights)
    order = np.argsort(-s, kind="stable")
    ends = np.append(np.diff(s[order]) != 0, True)
    units, of_rows = sampled_rows(~y[order], None if clusters is None else clusters[order])
    rows = ranked_rows(y[order], ends, of_rows, None if weights is None else weights[order])
    return tally, units, rows


KINDS = ["rows", "tied", "weights", "clusters", "weighted clusters"]


@compiled
@pytest.mark.parametrize("name", STATISTICS)
@pytest.mark.parametrize("kind", KINDS)
def test_readers_read_what_the_formulas_compute(name, kind):
    tally, units, rows = scored(kind)
    formula, reader = of_counts(tally, STATISTICS[name]), reader_of(tally, STATISTICS[name])
    found = resample(units, [Model(rows, formula, reader)], 7, 3, 43)
    expected = formula(*counts_of(rows, multiplicities(units, 7, 3, 43)))
    np.testing.assert_allclose(found[:, 0], expected, rtol=1e-12, atol=1e-14)


@compiled
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("abstain", [0.05, 0.3, 3.0])
def test_windows_and_what_is_left_out_of_them(kind, abstain):
    tally, units, rows = scored(kind)
    costs = rw.Costs(fp=1, fn=5, abstain=abstain)
    statistic = BestWindow(normalized(costs), 0.3)
    formula, reader = statistic.of_counts(tally), statistic.reader(tally)
    models = [Model(rows, formula, reader)], [Model(rows, formula)]
    found, expected = (resample(units, own, 7, 0, 40, with_left_out=True) for own in models)
    np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-14)


def options_of(name):
    given = {"costs": COSTS} if name == "cost" else {"beta": 2.0} if name == "f-beta" else {}
    if RULES[name].limit is not None:
        limits = {"max-alarms": 20, "min-lr-positive": 2, "max-lr-negative": 0.5}
        given["constraint"] = limits.get(name, 0.7)
    return given


@compiled
@pytest.mark.parametrize("name", RULES)
@pytest.mark.parametrize("kind", ["rows", "tied", "weighted clusters"])
@pytest.mark.parametrize("ties", TIES)
@pytest.mark.parametrize("prevalence", [None, 0.05])
def test_rules_choose_the_same_vertices(name, kind, ties, prevalence):
    _, units, rows = scored(kind)
    rule, terms = checked_rule(name, prevalence=prevalence, **options_of(name))
    numbers = rule_in_numbers(rule, terms, ties)
    times = multiplicities(units, 7, 0, 25)
    tp, fp = (np.pad(np.cumsum(part, axis=1), ((0, 0), (1, 0))) for part in counts_of(rows, times))
    inside = cells_of(tp, fp, tp[:, -1:], fp[:, -1:], terms.prevalence)
    chosen = choose(inside, rule, terms, ties)[0]
    reader = Reader("threshold", numbers, width=5, finished=lambda read: read)
    found = resample(units, [Model(rows, None, reader)], 7, 0, 25)[:, 0]
    assert found[:, 0].tolist() == chosen.tolist()
    absent = counts_of(rows, left_out(units, times))
    above = np.maximum(chosen, 0)
    for column, part in zip((1, 3), absent, strict=True):
        sums = np.pad(np.cumsum(part, axis=1), ((0, 0), (1, 0)))
        np.testing.assert_allclose(found[:, column], sums[np.arange(25), above], atol=1e-12)
        np.testing.assert_allclose(found[:, column + 1], sums[:, -1])


def test_the_generator_is_splitmix64():
    """The published sequence of seed 1234567, scaled to a range."""
    known = [6457827717110365317, 3203168211198807973, 9817491932198370423]
    state = np.array([1234567], np.uint64)
    for number in known:
        state = state + np.uint64(kernel.STEP)
        assert int(kernel._mixed(state.copy())[0]) == number
    for size in (1, 7, 2**31 - 1):
        words = np.array(known, np.uint64)
        assert kernel._scaled(words, size).tolist() == [n * size >> 64 for n in known]


def test_both_implementations_draw_the_same(implementation):
    """Written out once more: a stream for positives, one for negatives."""
    drawn = multiplicities(Units(np.array([5, 3])), 2**64 - 1, 10**6, 10**6 + 4)
    for line, replicate in enumerate(range(10**6, 10**6 + 4)):
        expected = []
        for kind, size in ((1, 5), (0, 3)):
            state, counts = stream_key(2**64 - 1, replicate, kind), [0] * size
            for _ in range(size):
                state = (state + kernel.STEP) % 2**64
                word = int(kernel._mixed(np.array([state], np.uint64))[0])
                counts[word * size >> 64] += 1
            expected += counts
        assert drawn[line].tolist() == expected


@pytest.mark.parametrize(
    "units",
    [
        Units(np.array([4, 9])),
        Units(np.array([6, 3, 4])),
        Units(np.array([5]), np.array([[1, 0, 0, 0, 0], [0, 1, 1, 1, 1]], bool)),
        Units(np.array([2, 2]), counts=np.array([5, 0, 3, 4])),
    ],
)
def test_replicates_depend_on_seed_and_number_alone(implementation, units):
    whole = multiplicities(units, 5, 0, 60)
    np.testing.assert_array_equal(multiplicities(units, 5, 20, 33), whole[20:33])
    assert not np.array_equal(multiplicities(units, 6, 0, 60), whole)
    sizes = units.strata if units.counts is None else np.array([5, 7])
    starts = np.append(0, np.cumsum(units.strata)[:-1])
    np.testing.assert_array_equal(np.add.reduceat(whole, starts, axis=1), np.tile(sizes, (60, 1)))
    for own in units.classes if units.classes is not None else ():
        assert (whole[:, own].sum(axis=1) > 0).all()
    assert multiplicities(units, 5, 4, 4).shape == (0, units.size)


def test_draws_are_uniform(implementation):
    drawn = multiplicities(Units(np.array([10, 3])), 1, 0, 20_000)
    np.testing.assert_allclose(drawn.mean(axis=0), 1.0, atol=5 * np.sqrt(0.9 / 20_000))
    np.testing.assert_allclose(drawn.var(axis=0), [0.9] * 10 + [2 / 3] * 3, rtol=0.08)


def test_models_have_the_same_resampled_units(implementation):
    rng = np.random.default_rng(1)
    y = np.arange(40) % 2 == 0
    units, of_rows = sampled_rows(~y)
    times = multiplicities(units, 3, 0, 20)[:, of_rows]
    models, expected = [], []
    for s in (rng.normal(size=40) + y, np.round(rng.normal(size=40) + y)):
        order = np.argsort(-s, kind="stable")
        ends = np.append(np.diff(s[order]) != 0, True)
        rows = ranked_rows(y[order], ends, of_rows[order])
        tally = rw.tally(y, s)
        models.append(Model(rows, of_counts(tally, st.Area()), reader_of(tally, st.Area())))
        credit = (np.sign(s[y][:, None] - s[~y]) + 1) / 2
        expected.append(np.einsum("bi,ij,bj->b", times[:, y], credit, times[:, ~y]) / 400)
    np.testing.assert_allclose(resample(units, models, 3, 0, 20), np.stack(expected, 1))


def test_isotonic_fits_are_those_of_scikit_learn(implementation):
    from sklearn.isotonic import IsotonicRegression

    from rocwise.binary.calibration import isotonic_at

    tally, units, rows = scored("tied")
    places = np.arange(len(tally))
    reader = Reader("isotonic", places.astype(float), width=len(places), finished=np.copy)

    def formula(pos, neg):
        return np.stack([isotonic_at(places, *own) for own in zip(pos, neg, strict=True)])

    found = resample(units, [Model(rows, formula, reader)], 2, 0, 10)[:, 0]
    pos, neg = counts_of(rows, multiplicities(units, 2, 0, 10))
    for line in range(10):
        cases = pos[line] + neg[line]
        there = cases > 0
        fit = IsotonicRegression(increasing=False)
        expected = fit.fit_transform(
            places[there], pos[line][there] / cases[there], sample_weight=cases[there].astype(float)
        )
        np.testing.assert_allclose(found[line][there], expected, atol=1e-9)


def test_identical_rows_are_drawn_together_only_where_scores_are_few():
    few, many = np.array([50, 10]), np.array([50_000, 10_000])
    assert units_of_counts(few, few)[0].counts is None
    units, rows = units_of_counts(many, many)
    assert units.counts.tolist() == [50_000, 10_000, 50_000, 10_000]
    assert len(rows.codes) == 4
    drawn = multiplicities(units, 3, 0, 400)
    assert drawn[:, 0].mean() == pytest.approx(50_000, abs=5 * np.sqrt(50_000 / 6 / 400))


def test_areas_of_identical_rows(implementation):
    units, rows = units_of_counts(np.array([50_000, 10_000]), np.array([20_000, 40_000]))
    tally = rw.Tally.from_counts([2.0, 1.0], [50_000, 10_000], [20_000, 40_000])
    model = Model(rows, of_counts(tally, st.Area()), Reader("area", np.empty(0)))
    found = resample(units, [model], 3, 0, 300)
    assert found.std() == pytest.approx(rw.auc(tally).standard_error, rel=0.2)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [((-1, 0, 1), "seed"), ((2**64, 0, 1), "seed"), ((1, 3, 2), "first"), ((1, -1, 2), "first")],
)
def test_wrong_requests_are_rejected(implementation, arguments, words):
    with pytest.raises(ValueError, match=words):
        multiplicities(Units(np.array([2, 2])), *arguments)


def test_a_class_that_is_never_drawn(implementation, monkeypatch):
    monkeypatch.setattr(kernel, "MOST_ATTEMPTS", 3)
    classes = np.zeros((2, 400), bool)
    classes[0, 0], classes[1, 1:] = True, True
    units = Units(np.array([400]), classes)
    with pytest.raises(rw.InputError, match="no cluster bootstrap sample of 3 contains every"):
        multiplicities(units, 1, 0, 50)


def test_counts_without_a_class_are_rejected():
    with pytest.raises(ValueError, match="Both classes"):
        units_of_counts(np.array([0, 0]), np.array([1, 2]))
    with pytest.raises(rw.InputError, match="weights without its rows"):
        units_of_counts(np.array([0.5, 1.0]), np.array([1.0, 2.0]))
