"""Equality of independent groups: Welch's F on the scale of the arcsine."""

import inspect

import numpy as np
import pytest
from scipy import stats

import rocwise as rw
from rocwise.inference.comparison import equality_test
from rocwise.inference.effective_sizes import SizedArea


@pytest.mark.skipif(
    "equal_var" not in inspect.signature(stats.f_oneway).parameters,
    reason="scipy before 1.16 has no Welch's analysis of variance",
)
@pytest.mark.parametrize("sizes", [(5, 9), (6, 10, 20), (4, 4, 5, 30)])
def test_it_is_welchs_analysis_of_variance(sizes):
    """Means of normal samples, taken for angles: scipy computes the same from the samples."""
    rng = np.random.default_rng(3)
    samples = [rng.normal(0.8 + 0.02 * k, 0.05 * (k + 1), n) for k, n in enumerate(sizes)]
    areas = [
        SizedArea(np.sin(each.mean()) ** 2, len(each) / (4 * each.var(ddof=1)), len(each) - 1, 1.0)
        for each in samples
    ]
    found, known = equality_test(areas), stats.f_oneway(*samples, equal_var=False)
    assert found.statistic == pytest.approx(known.statistic)
    assert found.p_value == pytest.approx(known.pvalue)
    assert found.df == len(sizes) - 1


def test_known_errors_make_a_chi_square():
    areas = [SizedArea(value, 200.0, np.inf, 1.0) for value in (0.6, 0.7, 0.75)]
    found = equality_test(areas)
    angles = np.arcsin(np.sqrt([0.6, 0.7, 0.75]))
    q = 800 * float(((angles - angles.mean()) ** 2).sum())
    assert found.p_value == pytest.approx(stats.chi2.sf(q, 2))
    assert np.isinf(found.df_denominator)


def test_equal_groups_and_separated_ones():
    y = np.tile([0, 1], 30)
    groups = np.repeat([0, 1, 2], 20)
    assert rw.auc(y, y, by=groups).p_value == 1.0  # all areas 1: no difference
    reversed_scores = np.where(groups == 2, -y, y)
    with pytest.warns(rw.RocwiseWarning):
        turned = rw.auc(y, reversed_scores, by=groups)
    assert turned.p_value < 1e-6


def test_the_test_does_not_depend_on_the_method_of_the_intervals():
    rng = np.random.default_rng(8)
    y = rng.integers(0, 2, 120)
    s, groups = y + rng.normal(size=120), np.arange(120) % 3
    whole = rw.auc(y, s, by=groups)
    assert rw.auc(y, s, by=groups, method="delong", level=0.8).p_value == whole.p_value
    assert "Welch's F, 2 and " in repr(whole)
    part = rw.auc(y, s, by=groups, max_fpr=0.3)
    scaled = rw.auc(y, s, by=groups, max_fpr=0.3, standardize=True)
    assert part.p_value == scaled.p_value != whole.p_value


def test_one_case_in_a_class_of_a_group():
    y = [0, 1, 0, 0, 1, 1, 0, 0, 1, 1]
    s, groups = [1, 2, 3, 2, 5, 4, 1, 3, 2, 6], [0, 0, 0, *[1] * 7]
    assert 0 < rw.auc(y, s, by=groups).p_value <= 1


def test_one_group_raises():
    with pytest.raises(rw.InputError, match="needs two or more"):
        _ = rw.auc([0, 1], [1, 2], by=[1, 1]).p_value
