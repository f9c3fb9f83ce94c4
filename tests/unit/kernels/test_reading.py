"""Compiled readers against the numpy formulas of the statistics, on the same resamples."""

import numpy as np
import pytest

import rocwise as rw
from rocwise.binary.abstention import BestWindow, normalized
from rocwise.binary.curve_bands import LeastCosts, NetBenefit
from rocwise.binary.points.measures import Measured
from rocwise.binary.points.places import Asked
from rocwise.binary.points.resampled import PointMeasures
from rocwise.binary.resampling.forms_of_statistics import of_counts, reader_of
from rocwise.binary.threshold_rules import (
    RULES,
    TIES,
    cells_of,
    checked_rule,
    choose,
    rule_in_numbers,
)
from rocwise.kernels.plain.resampling import resample_counts as plain_counts

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
    "window": BestWindow(normalized(COSTS, "abstain"), 0.3),
}
POINTS = {
    "threshold": [0.3, 0.55, 2.0, -1.0],
    "sensitivity": [0.0, 0.3, 2 / 3, 0.8, 1.0],
    "specificity": [0.0, 0.5, 1 - 0.8, 0.9, 1.0],
    "fpr": [0.0, 0.2, 0.25, 1.0],
    "alarms": [0.0, 0.1, 0.35, 1.0],
}
STATISTICS |= {
    f"at {axis}": PointMeasures(Asked(axis, np.array(values), False), Measured(None, {}), None)
    for axis, values in POINTS.items()
}


def scored(kind, n=70, seed=0):
    rng = np.random.default_rng(seed)
    y = (np.arange(n) % 3 == 0).astype(np.int64)
    score = np.clip(0.35 + 0.2 * y + 0.2 * rng.normal(size=n), 0.001, 0.999)
    if kind == "tied":
        score = np.round(score, 1)
    if kind == "perfect":
        score = 0.2 + 0.6 * y + 1e-3 * rng.random(n)
    return y, score


def tally(kind):
    n = {"crowded": 12_000, "long": 700}.get(kind, 70)
    return rw.tally(*scored("tied" if kind == "crowded" else kind, n))


KINDS = ["distinct", "tied", "perfect", "crowded"]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", STATISTICS)
def test_readers_give_what_the_formulas_give(kernels, name, kind):
    data, statistic = tally(kind), STATISTICS[name]
    formula, reader = of_counts(data, statistic), reader_of(data, statistic)
    assert reader is not None
    expected = formula(*plain_counts(data.pos, data.neg, 3, 5, 25))
    for threads in (1, 2):
        found = kernels.resample_readings(data.pos, data.neg, 3, 5, 25, formula, reader, threads)
        np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-14)


LONG = ["area", "costs", "smooth", "means", "fixed", "youden", "cost", "inner", "window"]


@pytest.mark.parametrize("name", LONG)
@pytest.mark.parametrize("n", [31, 33, 34, 63, 64, 65, 66, 127, 129, 1000])
def test_readers_of_long_curves(kernels, name, n):
    """Hulls and the best look at a few places first, sums go by fours: lengths around either."""
    for shift in (1, -1):  # also a curve below the diagonal, whose hull is two corners
        y, score = scored("distinct", n + 40, seed=n)
        data, statistic = rw.tally(y[:n], shift * score[:n] + (shift < 0)), STATISTICS[name]
        formula, reader = of_counts(data, statistic), reader_of(data, statistic)
        expected = formula(*plain_counts(data.pos, data.neg, 3, 0, 6))
        found = kernels.resample_readings(data.pos, data.neg, 3, 0, 6, formula, reader, 1)
        np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-14)


UNLAID = ["area", "costs", "benefit", "smooth", "means", "fixed", "precision", "arcs", "window"]


@pytest.mark.parametrize("kind", ["distinct", "tied"])
@pytest.mark.parametrize("name", UNLAID)
def test_readers_of_curves_too_long_to_be_laid_out(kernels, name, kind):
    y, score = scored("distinct", 150_000)
    if kind == "tied":
        score[::20] = score[1::20]
    data, statistic = rw.tally(y, score), STATISTICS[name]
    assert len(data) > 2**17
    formula, reader = of_counts(data, statistic), reader_of(data, statistic)
    expected = formula(*plain_counts(data.pos, data.neg, 3, 0, 2))
    found = kernels.resample_readings(data.pos, data.neg, 3, 0, 2, formula, reader, 2)
    np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-14)


@pytest.mark.parametrize("abstain", [0.05, 0.15, 0.4])
@pytest.mark.parametrize("decimals", [1, 2, 3])
def test_windows_of_few_and_of_many_cases_at_a_score(kernels, abstain, decimals):
    """What is left out of few cases at a score is kept in a table, of 32 and more it is not."""
    y, score = scored("distinct", 3000)
    data = rw.tally(y, np.round(score, decimals))
    statistic = BestWindow(normalized(rw.Costs(fp=1, fn=2, abstain=abstain), "abstain"), 0.3)
    formula, reader = of_counts(data, statistic), reader_of(data, statistic)
    expected = formula(*plain_counts(data.pos, data.neg, 3, 0, 30))
    found = kernels.resample_readings(data.pos, data.neg, 3, 0, 30, formula, reader, 1)
    np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-14)
    assert data.neg.max() >= 32 > data.neg.min()


@pytest.mark.parametrize("name", [name for name in STATISTICS if name != "window"])
def test_readers_take_sums_of_weights(kernels, name):
    data, statistic = tally("tied"), STATISTICS[name]
    formula, reader = of_counts(data, statistic), reader_of(data, statistic)
    rng = np.random.default_rng(1)
    pos, neg = (
        rng.uniform(0.5, 2.0, (4, 1)) * part for part in plain_counts(data.pos, data.neg, 9, 0, 4)
    )
    held = np.stack([np.append(0, part.cumsum()) for part in (data.pos, data.neg)]).astype(float)
    found = kernels.read_amounts(pos, neg, held, formula, reader)
    np.testing.assert_allclose(found, formula(pos, neg), rtol=1e-11, atol=1e-13)


@pytest.mark.parametrize("kind", ["distinct", "tied"])
@pytest.mark.parametrize("name", [name for name in STATISTICS if name != "window"])
def test_models_share_the_rows_drawn(kernels, name, kind):
    y, first = scored(kind)
    _, second = scored(kind, seed=4)
    pairs = rw.pair(y, {"a": first, "b": second})
    statistic = STATISTICS[name]
    formulas = [of_counts(pairs.tally(model), statistic) for model in pairs.names]
    readers = [reader_of(pairs.tally(model), statistic) for model in pairs.names]
    orders = [kernels.paired_order(pairs.mask, pairs.scores(model)) for model in pairs.names]
    found = kernels.resample_paired_readings(
        pairs.mask, orders, 3, 2, 12, formulas, readers, threads=2
    )
    # rows drawn as by a table of single rows, summed at each score by brute force
    drawn = np.add(*plain_counts(pairs.mask.astype(np.int64), 1 - pairs.mask.astype(int), 3, 2, 12))
    for column, (model, formula) in enumerate(zip(pairs.names, formulas, strict=True)):
        scores = pairs.scores(model)
        at = [[scores == each] for each in pairs.tally(model).scores]
        sums = [
            np.array([[(times * own)[mask[0]].sum() for mask in at] for times in drawn])
            for own in (y, 1 - y)
        ]
        np.testing.assert_allclose(found[:, column], formula(*sums), rtol=1e-12, atol=1e-14)


@pytest.mark.parametrize("name", ["smooth", "means", "fixed"])
@pytest.mark.parametrize("n", [9, 201, 202, 203])
def test_smooth_areas_of_rows_without_ties(kernels, name, n):
    """One of two models has ties and is laid out; the other is read from the rows."""
    from rocwise.kernels.plain.reading import resample_paired_readings

    y, first = scored("distinct", n)
    pairs = rw.pair(y, {"a": first, "b": scored("tied", n, seed=4)[1], "c": first[::-1]})
    tallies, statistic = [pairs.tally(model) for model in pairs.names], STATISTICS[name]
    formulas = [of_counts(each, statistic) for each in tallies]
    readers = [reader_of(each, statistic) for each in tallies]
    orders = [kernels.paired_order(pairs.mask, pairs.scores(model)) for model in pairs.names]
    told = pairs.mask, orders, 5, 0, 30, formulas
    found = kernels.resample_paired_readings(*told, readers)
    np.testing.assert_allclose(found, resample_paired_readings(*told, None), rtol=1e-12)


def test_a_midpoint_on_a_score_is_left_to_exact_sums(kernels):
    # the sum of all scores, halved, by the number of positives is 0.5: a score
    data = rw.tally([1, 1, 0, 0], [0.75, 0.5, 0.5, 0.25])
    statistic = st.SmoothArea()
    formula, reader = of_counts(data, statistic), reader_of(data, statistic)
    found = kernels.resample_readings(data.pos, data.neg, 1, 0, 40, formula, reader)
    expected = formula(*plain_counts(data.pos, data.neg, 1, 0, 40))
    assert found.tolist() == pytest.approx(expected.tolist(), rel=1e-13)


def told(name):
    given = {"costs": COSTS} if name == "cost" else {"beta": 2.0} if name == "f-beta" else {}
    if RULES[name].limit is not None:
        given["constraint"] = {"max-alarms": 20, "min-lr-positive": 2, "max-lr-negative": 0.5}.get(
            name, 0.7
        )
    return given


@pytest.mark.parametrize("kind", ["distinct", "tied", "perfect", "long"])
@pytest.mark.parametrize("name", RULES)
def test_rules_choose_the_same_places(kernels, name, kind):
    data = tally(kind)
    for ties in TIES:
        for prevalence in (None, 0.05):
            rule, terms = checked_rule(name, prevalence=prevalence, **told(name))

            def chosen(tp, fp, rule=rule, terms=terms, ties=ties):
                cells = cells_of(tp, fp, float(data.n_pos), float(data.n_neg), terms.prevalence)
                return choose(cells, rule, terms, ties).place

            numbers = rule_in_numbers(rule, terms, ties)
            places, absent = kernels.resample_thresholds(
                data.pos, data.neg, 5, 0, 30, chosen, numbers, threads=2
            )
            tp, fp = kernels.resample_curves(data.pos, data.neg, 5, 0, 30)
            assert places.tolist() == chosen(tp, fp).tolist()
            above = np.maximum(places, 0)
            again = kernels.resample_left_out(data.pos, data.neg, 5, 0, 30, above)
            assert absent.tolist() == again.tolist()


def test_rows_left_out_are_those_not_drawn(kernels):
    data = tally("tied")
    places = np.arange(20) % len(data)
    found = kernels.resample_left_out(data.pos, data.neg, 8, 0, 20, places)
    for column, counts in enumerate((data.pos, data.neg)):
        ranks = np.append(0, counts.cumsum())
        single = np.ones(ranks[-1], np.int64)
        drawn = plain_counts(single, single, 8, 0, 20)[column]
        for line, (times, place) in enumerate(zip(drawn, places, strict=True)):
            assert found[line, column] == (times[: ranks[place]] == 0).sum()
            assert found[line, column + 2] == (times == 0).sum()


def test_a_function_of_ones_own_is_asked_in_chunks(kernels):
    data = tally("distinct")
    asked = []

    def formula(pos, neg):
        asked.append(len(pos))
        return pos[:, 0] + 0.5 * neg[:, -1]

    found = kernels.resample_readings(data.pos, data.neg, 3, 0, 40, formula, None)
    pos, neg = plain_counts(data.pos, data.neg, 3, 0, 40)
    assert found.tolist() == (pos[:, 0] + 0.5 * neg[:, -1]).tolist()
    assert sum(asked) == 40
