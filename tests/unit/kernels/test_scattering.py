"""Values of scores are written to the rows that have them: compared row by row."""

import numpy as np
import pytest

from rocwise.kernels.scattering.plain import ByScore
from rocwise.kernels.threads import threads


def rows(n, decimals, dtype=np.float64, seed=0):
    rng = np.random.default_rng([n, decimals, seed])
    mask = rng.integers(0, 2, n).astype(np.uint8)
    return mask, np.round(rng.normal(size=n), decimals).astype(dtype)


def values(mask, scores, span, seed=1):
    """Values of both classes for a span, and what each row then has, one by one."""
    rng = np.random.default_rng(seed)
    distinct = sorted({float(x) for x in scores if span[0] <= x <= span[1]}, reverse=True)
    own = [ByScore(rng.random(len(distinct)), *rng.random(2)) for _ in range(2)]
    expected = [], []
    for label, score in zip(mask.tolist(), scores.tolist(), strict=True):
        if span[0] <= score <= span[1]:
            value = own[label].within[distinct.index(score)]
        else:
            value = own[label].above if score > span[1] else own[label].below
        expected[label].append(value)
    return own, expected


def written(kernels, mask, scores, span, own):
    out = tuple(np.full(int((mask == label).sum()), np.nan) for label in (0, 1))
    kernels.values_by_class(mask, scores, span, *own, out)
    return [each.tolist() for each in out]


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("decimals", [0, 1, 12])
@pytest.mark.parametrize("n", [0, 1, 2, 7, 900])
def test_every_row_has_the_value_of_its_score(kernels, n, decimals, dtype):
    mask, scores = rows(n, decimals, dtype)
    for span in ((-0.5, 0.5), (-np.inf, np.inf), (0.0, np.inf), (9.0, 10.0), (0.5, -0.5)):
        own, expected = values(mask, scores, span)
        assert written(kernels, mask, scores, span, own) == list(expected)


def test_zeros_of_both_signs_are_one_score(kernels):
    mask, scores = np.array([0, 1, 1, 0], np.uint8), np.array([0.0, -0.0, 1.0, -1.0])
    own = [ByScore(np.array([3.0, 2.0]) + k, 8.0 + k, 5.0 + k) for k in (0, 10)]
    assert written(kernels, mask, scores, (-0.0, 1.0), own) == [[2.0, 5.0], [12.0, 13.0]]


@pytest.mark.parametrize("decimals", [1, 12])
def test_threads_share_the_rows(kernels, monkeypatch, decimals):
    from rocwise.kernels import row_formulas

    monkeypatch.setattr(row_formulas, "ROWS_PER_THREAD", 100)
    mask, scores = rows(3_000, decimals)
    own, expected = values(mask, scores, (-0.5, 0.7))
    for number in (1, 2, 5):
        with threads(number):
            assert written(kernels, mask, scores, (-0.5, 0.7), own) == list(expected)


def test_values_must_be_as_many_as_scores(kernels):
    mask, scores = rows(50, 12)
    own = [ByScore(np.zeros(3), 0.0, 0.0)] * 2
    with pytest.raises(ValueError, match="50 scores, but 3 values"):
        written(kernels, mask, scores, (-np.inf, np.inf), own)


def test_places_must_be_as_many_as_rows(kernels):
    mask, scores = rows(50, 12)
    own, _ = values(mask, scores, (0.0, 1.0))
    for out in ((np.empty(50), np.empty(50)), tuple(np.empty((2, 2), np.float32))):
        with pytest.raises(ValueError, match="room"):
            kernels.values_by_class(mask, scores, (0.0, 1.0), *own, out)
    for kind, step in ((np.float32, 1), (np.float64, 2)):
        out = tuple(np.empty(step * int((mask == k).sum()), kind)[::step] for k in (0, 1))
        with pytest.raises(ValueError, match="next to each other"):
            kernels.values_by_class(mask, scores, (0.0, 1.0), *own, out)


def test_labels_other_than_two_are_refused(kernels):
    own = [ByScore(np.empty(0), 0.0, 0.0)] * 2
    with pytest.raises(ValueError, match="0 or 1"):
        written(kernels, np.array([2, 2], np.uint8), np.zeros(2), (1.0, 2.0), own)


def test_scores_that_change_meanwhile_are_refused(monkeypatch):
    compiled = pytest.importorskip("rocwise.kernels.scattering.compiled")
    mask, scores = rows(50, 12)
    own, _ = values(mask, scores, (0.0, np.inf))
    count = compiled._scattering.count_near
    for wrong in (-1, 1):
        changed = lambda *given, by=wrong: (count(*given)[0], count(*given)[1] + by)  # noqa: E731
        monkeypatch.setattr(compiled._scattering, "count_near", changed)
        with pytest.raises(ValueError, match="changed by another thread"):
            written(compiled, mask, scores, (0.0, np.inf), own)
