"""Corners of the hull of points that rise from the origin: exact, whatever parts and threads.

And the isotonic fits of resamples, which are its slopes.
"""

from fractions import Fraction

import numpy as np
import pytest
from sklearn.isotonic import IsotonicRegression

import rocwise as rw
from rocwise.kernels import row_formulas
from rocwise.kernels.hulls import plain
from rocwise.kernels.plain.resampling import POSITIVE, row_counts


def corners_by_hand(x, y):
    """A monotone chain of fractions over all points, with the origin in front."""
    points = [(Fraction(0), Fraction(0))]
    points += [(Fraction(a), Fraction(b)) for a, b in zip(x.tolist(), y.tolist(), strict=True)]
    chain = []
    for place, (px, py) in enumerate(points):
        while len(chain) >= 2:
            (ax, ay), (bx, by) = points[chain[-2]], points[chain[-1]]
            if (by - ay) * (px - bx) > (py - by) * (bx - ax):
                break
            chain.pop()
        chain.append(place)
    return chain


def rising(kind, n, rng):
    if kind == "weights":
        return np.cumsum(rng.random(n)), np.cumsum(rng.random(n))
    right, up = rng.integers(0, 3, n), rng.integers(0, 3, n)
    if kind == "standing counts":  # most points in one place with the one before
        moves = rng.random(n) < 0.05
        return np.cumsum(right * moves), np.cumsum(up * moves)
    right[right + up == 0] = 1  # no two points in one place
    if kind == "sorted counts":
        right = np.sort(right)
    if kind == "large counts":  # their products pass 64 bits
        right, up = right * 10**11 + up, up * 10**11 + right
    return np.cumsum(right), np.cumsum(up)


@pytest.mark.parametrize(
    "kind", ["counts", "standing counts", "sorted counts", "large counts", "weights"]
)
@pytest.mark.parametrize("n", [1, 2, 7, 1998, 1999, 2000, 2500, 30_000])
def test_no_corner_is_lost_and_none_is_made(kernels, kind, n):
    x, y = rising(kind, n, np.random.default_rng([8, n]))
    assert kernels.concave_corners(x, y).tolist() == corners_by_hand(x, y)


def test_points_inside_an_edge_are_no_corners(kernels):
    x, y = np.array([1, 2, 4, 5]), np.array([2, 4, 8, 8])
    assert kernels.concave_corners(x, y).tolist() == [0, 3, 4]


def test_one_point_and_the_origin_are_both_corners(kernels):
    assert kernels.concave_corners(np.array([3]), np.array([2])).tolist() == [0, 1]


def test_vertical_and_level_runs(kernels):
    x, y = np.array([0, 0, 1, 2, 2]), np.array([1, 2, 2, 2, 3])
    assert kernels.concave_corners(x, y).tolist() == [0, 2, 5]


@pytest.mark.parametrize("n", [1998, 2001, 5000])  # both ways of finding corners
def test_a_circle_is_all_corners(kernels, n):
    angle = np.linspace(0, np.pi / 2, n + 1)[1:]
    found = kernels.concave_corners(1 - np.cos(angle), np.sin(angle))
    assert found.tolist() == list(range(n + 1))


@pytest.mark.parametrize("n", [1998, 2001, 5000])
@pytest.mark.parametrize("step", [1, 10**14])
def test_a_line_has_two_corners(kernels, n, step):
    x = step * np.arange(1, n + 1)
    assert kernels.concave_corners(x, 3 * x).tolist() == [0, n]


@pytest.mark.parametrize("step", [2**31, 2**61])
def test_a_corner_that_only_whole_numbers_show(kernels, step):
    """Products that floats would round to the same number."""
    x, y = np.array([step, 2 * step]), np.array([2**31 + 1, 2**32 + 1])
    assert kernels.concave_corners(x, y).tolist() == [0, 1, 2]
    assert kernels.concave_corners(x, y - np.array([1, 0])).tolist() == [0, 2]


@pytest.mark.parametrize("n", [1998, 2001, 5000])
def test_points_in_one_place_count_once(kernels, n):
    x = np.repeat(np.arange(n // 2), 2)
    corners = kernels.concave_corners(x, np.minimum(x, 7))
    assert x[corners[1:] - 1].tolist() == [7, n // 2 - 1]


def test_steps_too_small_to_move_the_curve(kernels):
    """Neighbouring points may coincide after rounding; the corners are those of the rest."""
    n = 3000
    steps = np.where(np.arange(n) >= 2, 1e-30, 1.0)
    x = np.cumsum(steps * (np.arange(n) % 2))
    y = np.cumsum(steps * (np.arange(n) % 2 == 0))
    corners = kernels.concave_corners(x, y)
    assert corners[-1] == n
    assert len(corners) < 10


@pytest.mark.parametrize("kind", ["counts", "large counts", "weights"])
@pytest.mark.parametrize("number", [1, 3])
def test_parts_threads_and_twins_find_the_same(kernels, monkeypatch, kind, number):
    x, y = rising(kind, 20_000, np.random.default_rng(3))
    whole = plain.concave_corners(x, y)
    monkeypatch.setattr(row_formulas, "ROWS_PER_THREAD", 700)
    with rw.threads(number):
        assert kernels.concave_corners(x, y).tolist() == whole.tolist()


def test_columns_of_two_kinds_and_every_other_row(kernels):
    x, y = np.array([1, 0, 2, 0, 3, 0]), np.array([2.0, 0.0, 3.0, 0.0, 3.5, 0.0])
    assert kernels.concave_corners(x[::2], y[::2]).tolist() == [0, 1, 2, 3]


def test_columns_of_unlike_length_are_refused(kernels):
    with pytest.raises(ValueError, match="`x` has 2 numbers, `y` 1"):
        kernels.concave_corners(np.array([1, 2]), np.array([1]))


def table(kind, n):
    """Positives and negatives at n scores, the highest first, that rise with the score."""
    rng = np.random.default_rng([9, n])
    cases = np.ones(n, np.int64) if kind == "distinct" else rng.integers(0, 4, n)
    pos = rng.binomial(cases, np.linspace(0.9, 0.1, n))
    neg = cases - pos
    pos[0], neg[-1] = pos[0] + 1, neg[-1] + 1  # of both classes
    return pos, neg


@pytest.mark.parametrize("kind", ["distinct", "tied"])
@pytest.mark.parametrize("n", [1, 2, 50, 4000])  # both ways of finding corners
def test_fits_of_resamples_are_those_of_scikit_learn(kernels, kind, n):
    pos, neg = table(kind, n)
    rows = int(pos.sum() + neg.sum())
    scores = -np.concatenate([np.repeat(np.arange(n), part) for part in (pos, neg)])
    labels = np.repeat([1, 0], [pos.sum(), neg.sum()])
    found = kernels.resample_isotonic(pos, neg, 5, 2, 5, np.arange(n))
    for line, times in zip(found, row_counts(5, 2, 5, POSITIVE, rows), strict=True):
        fit = IsotonicRegression().fit_transform(scores, labels, sample_weight=times + 1e-12)
        drawn = times > 0
        np.testing.assert_allclose(line[-scores[drawn]], fit[drawn], rtol=0, atol=1e-9)


@pytest.mark.parametrize("kind", ["distinct", "tied"])
@pytest.mark.parametrize("n", [1, 3, 1500, 5000])
def test_both_kinds_fit_the_same_resamples_to_the_last_bit(kernels, kind, n):
    pos, neg = table(kind, n)
    places = np.array([n - 1, 0, n // 2, n // 2])
    found = []
    for number in (1, 3):
        with rw.threads(number):
            found.append(kernels.resample_isotonic(pos, neg, 11, 0, 40, places))
    whole = plain.resample_isotonic(pos, neg, 11, 0, 40, places)
    assert np.array_equal(found[0], whole)
    assert np.array_equal(found[1], whole)
    assert np.array_equal(kernels.resample_isotonic(pos, neg, 11, 7, 9, places), whole[7:9])


def test_a_score_that_was_not_drawn_belongs_to_the_block_below(kernels):
    """The lowest such score belongs to the last block there is."""
    pos, neg = np.array([3, 1, 0, 1]), np.array([0, 0, 4, 0])
    places = np.arange(4)
    for line, times in enumerate(row_counts(1, 0, 60, POSITIVE, 9)):
        fit = kernels.resample_isotonic(pos, neg, 1, line, line + 1, places)[0]
        assert (np.diff(fit) <= 0).all()
        if times[3] == 0 and times[:3].sum() and times[5:].sum():
            assert fit[1] == fit[2]
        if times[4] == 0:
            assert fit[3] == fit[2]


def test_many_cases_at_few_scores_are_drawn_as_counts(kernels):
    pos, neg = np.array([60_000, 25_000, 9_000]), np.array([10_000, 25_000, 61_000])
    found = kernels.resample_isotonic(pos, neg, 3, 0, 200, np.arange(3))
    assert np.array_equal(found, plain.resample_isotonic(pos, neg, 3, 0, 200, np.arange(3)))
    share = pos / (pos + neg)
    error = np.sqrt(share * (1 - share) / (pos + neg))
    np.testing.assert_allclose(found.mean(axis=0), share, atol=5 * error.max() / np.sqrt(200))
    np.testing.assert_allclose(found.std(axis=0), error, rtol=0.2)


def test_weights_without_rows_cannot_be_resampled(kernels):
    weights = np.array([1.5, 0.5])
    with pytest.raises(rw.InputError, match="resamples draw rows"):
        kernels.resample_isotonic(weights, weights, 0, 0, 1, np.array([0]))
