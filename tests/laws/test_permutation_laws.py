"""What must contain for the permutation tests of two curves, whatever the data."""

from itertools import product

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy.stats import rankdata

from oracles.rearrangements import area_between, error_gaps, midrank_p
from oracles.scored_rows import few_values, plain_floats, rows
from rocwise.binary.permutation import (
    permutation_outcome,
    swap_steps,
    venkatraman_paired,
    venkatraman_unpaired,
)

OPPOSITE = {"two-sided": "two-sided", "greater": "less", "less": "greater"}
alternatives = st.sampled_from(list(OPPOSITE))
transforms = st.sampled_from(["none", "rank"])
ties = st.sampled_from(["random", "midrank"])


def paired_rows(scores=few_values, **options):
    """Labels and two scores per row, as arrays."""
    return rows(st.tuples(scores, scores), **options).map(
        lambda data: (
            np.array(data[0], dtype=np.uint8),
            np.array([a for a, _ in data[1]], dtype=float),
            np.array([b for _, b in data[1]], dtype=float),
        )
    )


def untied_rows(max_size):
    """Labels and two orders of the same rows."""

    def ordered(labels):
        places = st.permutations(range(len(labels)))
        return st.tuples(st.just(labels), places, places)

    labels = st.lists(st.integers(0, 1), min_size=2, max_size=max_size)
    both = labels.filter(lambda found: 0 < sum(found) < len(found))
    return both.flatmap(ordered).map(lambda data: tuple(map(np.array, data)))


samples = rows(few_values.map(float), max_size=12).map(
    lambda data: tuple(
        np.array([v for k, v in zip(*data, strict=True) if k == kind]) for kind in (0, 1)
    )
)


def quick(function, *data, **options):
    return function(*data, n_resamples=30, **options)


# --- the areas --------------------------------------------------------------------------------


@given(paired_rows(max_size=9), alternatives, transforms)
def test_exact_p_counts_every_choice_of_signs(data, alternative, transform):
    outcome = permutation_outcome(*data, how="exact", alternative=alternative, transform=transform)
    mask, first, second = data
    steps = swap_steps(mask, first, second, transform)
    sums = np.array(list(product((1, -1), repeat=len(steps)))) @ steps
    extreme = {
        "two-sided": np.abs(sums) >= abs(sums[0]),
        "greater": sums >= sums[0],
        "less": sums <= sums[0],
    }[alternative]
    scale = 4 * int(mask.sum()) * int(len(mask) - mask.sum())
    assert outcome.p_value == extreme.mean()
    difference = outcome.statistic * np.sqrt(outcome.variance)
    assert difference == pytest.approx(sums[0] / scale, rel=1e-13)
    assert outcome.variance == pytest.approx(np.mean(sums**2.0) / scale**2, rel=1e-13)


@given(paired_rows(max_size=30), alternatives, transforms)
def test_exchanging_the_models_turns_the_test_around(data, alternative, transform):
    mask, first, second = data
    options = {"how": "exact", "transform": transform}
    one = permutation_outcome(mask, first, second, alternative=alternative, **options)
    two = permutation_outcome(mask, second, first, alternative=OPPOSITE[alternative], **options)
    assert one == two._replace(statistic=-two.statistic, p_value=one.p_value)
    assert one.p_value == pytest.approx(two.p_value, rel=1e-12)


@given(paired_rows(max_size=30), alternatives, transforms)
def test_negating_scores_and_classes_changes_nothing(data, alternative, transform):
    mask, first, second = data
    options = {"how": "exact", "transform": transform, "alternative": alternative}
    one = permutation_outcome(mask, first, second, **options)
    two = permutation_outcome(1 - mask, -first, -second, **options)
    assert one == two._replace(p_value=one.p_value)
    assert one.p_value == pytest.approx(two.p_value, rel=1e-12)


@given(paired_rows(plain_floats, max_size=30), st.randoms(use_true_random=False))
def test_order_of_rows_and_scale_of_either_model_do_not_matter(data, random):
    mask, first, second = data
    order = list(range(len(mask)))
    random.shuffle(order)
    one = permutation_outcome(*data, how="exact")
    bent, quarter = np.arctan(first / 1e9) * 7, second / 4
    two = permutation_outcome(mask[order], bent[order], quarter[order], how="exact")
    kept = [len(np.unique(a)) == len(np.unique(b)) for a, b in ((bent, first), (quarter, second))]
    if all(kept):  # nothing rounded away
        assert one == two


@given(paired_rows(max_size=30))
def test_the_two_tails_both_contain_the_observed_value(data):
    greater, less = (
        permutation_outcome(*data, how="exact", alternative=side).p_value
        for side in ("greater", "less")
    )
    assert greater + less >= 1 - 1e-12
    two_sided = permutation_outcome(*data, how="exact").p_value
    assert two_sided == pytest.approx(min(1.0, 2 * min(greater, less)), rel=1e-12)


# --- the whole curves -------------------------------------------------------------------------


@settings(max_examples=30)
@given(paired_rows(max_size=6))
def test_midrank_test_is_the_enumeration(data):
    outcome = venkatraman_paired(*data, ties="midrank")
    assert (outcome.statistic, outcome.p_value) == midrank_p(*(c.tolist() for c in data))


@given(paired_rows(max_size=12))
def test_exchanging_the_models_keeps_the_midrank_test(data):
    mask, first, second = data
    one = venkatraman_paired(mask, first, second, ties="midrank")
    assert one == venkatraman_paired(mask, second, first, ties="midrank")
    same = venkatraman_paired(mask, first, first, ties="midrank")
    assert (same.statistic, same.p_value) == (0.0, 1.0)


@given(untied_rows(max_size=40))
def test_paired_statistic_without_ties(data):
    mask, first, second = data
    n = len(mask)
    found = {quick(venkatraman_paired, *data, ties=way).statistic for way in ("random", "midrank")}
    e = error_gaps(mask, first + 1, second + 1)
    assert found == {float(e)}
    assert e % 2 == 0
    turned = quick(venkatraman_paired, 1 - mask, -first, -second)
    assert turned.statistic == e
    classes = [scores[mask == label] for scores in (first, second) for label in (0, 1)]
    unpaired = quick(venkatraman_unpaired, *classes).statistic
    assert unpaired * n * n == pytest.approx(e, abs=1e-9)


@given(samples, samples)
def test_unpaired_statistic_is_the_area_between(first, second):
    c = (len(first[1]) + len(second[1])) / sum(map(len, (*first, *second)))
    outcome = quick(venkatraman_unpaired, *first, *second, ties="midrank")
    assert outcome.statistic == pytest.approx(area_between(first, second, c), abs=1e-13)
    assert 0 <= outcome.statistic < 1


@given(samples, samples, ties)
def test_unpaired_statistic_has_no_sides(first, second, way):
    one = quick(venkatraman_unpaired, *first, *second, ties="midrank").statistic
    exchanged = quick(venkatraman_unpaired, *second, *first, ties="midrank").statistic
    negated = [-scores for sample in (first, second) for scores in reversed(sample)]
    turned = quick(venkatraman_unpaired, *negated, ties="midrank").statistic
    assert exchanged == pytest.approx(one, abs=1e-13)
    assert turned == pytest.approx(one, abs=1e-13)
    outcome = quick(venkatraman_unpaired, *first, *second, ties=way)
    stretched = [scores**3 for scores in first] + [2 * scores - 1 for scores in second]
    assert quick(venkatraman_unpaired, *stretched, ties=way) == outcome


@given(samples)
def test_a_sample_does_not_differ_from_its_copies(sample):
    twice = [np.tile(scores, 2) for scores in sample]
    outcome = quick(venkatraman_unpaired, *sample, *twice, ties="midrank")
    assert outcome.statistic == pytest.approx(0.0, abs=1e-13)
    assert outcome.p_value == 1.0


@given(paired_rows(max_size=9), st.integers(0, 3), transforms)
def test_clusters_are_swapped_as_a_whole(data, seed, transform):
    """All swaps of clusters, each with recomputed AUCs of the swapped ranks."""
    mask, first, second = data
    clusters = np.random.default_rng(seed).integers(0, 3, len(mask))
    clusters = np.unique(clusters, return_inverse=True)[1]
    assume(clusters.max() > 0)
    found = permutation_outcome(
        mask, first, second, how="exact", clusters=clusters, transform=transform
    )
    if transform == "rank":
        first, second = rankdata(first), rankdata(second)
    gaps = []
    for swap in product((False, True), repeat=int(clusters.max()) + 1):
        other = np.array(swap)[clusters]
        one, two = np.where(other, second, first), np.where(other, first, second)
        gaps.append(area(mask, one) - area(mask, two))
    assert found.p_value == np.mean(np.abs(gaps) >= abs(gaps[0]) - 1e-9)


def area(mask, scores):
    differences = scores[mask == 1][:, None] - scores[mask == 0]
    return ((differences > 0) + (differences == 0) / 2).mean()
