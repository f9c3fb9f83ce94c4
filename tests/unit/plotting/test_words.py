"""Texts of plots, and small forms that many of them share."""

import numpy as np

from rocwise.plotting import forms, words
from rocwise.plotting.matplotlib_backend.layout import wrapped_entry
from rocwise.plotting.plots.costs import round_levels


def test_words():
    minus = words.true_minus("0.033 (-0.079 to -inf), one-sided, 1e-05")
    assert minus == "0.033 (−0.079 to −inf), one-sided, 1e−05"
    assert words.with_capitals("two-sided, delong") == "two-sided, DeLong"
    assert words.with_capitals("working-hotelling") == "Working-Hotelling"
    assert words.same_rate("Sensitivity", "True positive rate")
    assert not words.same_rate("Sensitivity", "Precision")
    long = "gradient boosting, AUC 0.731 (95 % CI 0.630 to 0.833)"
    assert wrapped_entry(long) == long.replace(" (", "\n(")


def test_forms():
    assert np.array_equal(forms.clipped_line(2.0, 0.0), [[0.0, 0.5], [0.0, 1.0]])
    steps = forms.share_steps(np.array([3.0, 1.0]))
    assert np.array_equal(steps, [[1.0, 1.0, 3.0, 3.0], [0.0, 0.5, 0.5, 1.0]])
    assert forms.bin_edges(np.array([0.0, 1.0]), 1000).shape == (21,)
    assert round_levels(np.array([0.0, 0.31])) == (0.05, 0.1, 0.15, 0.2, 0.25, 0.3)
