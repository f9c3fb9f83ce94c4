"""Texts of plots, and small forms that many of them share."""

from rocwise.plotting import words
from rocwise.plotting.matplotlib_backend.layout import wrapped_entry


def test_words():
    minus = words.true_minus("0.033 (-0.079 to -inf), one-sided, 1e-05")
    assert minus == "0.033 (−0.079 to −inf), one-sided, 1e−05"
    assert words.same_rate("Sensitivity", "True positive rate")
    assert not words.same_rate("Sensitivity", "Precision")
    long = "gradient boosting, AUC 0.731 (95% CI 0.630 to 0.833)"
    assert wrapped_entry(long) == long.replace(" (", "\n(")
