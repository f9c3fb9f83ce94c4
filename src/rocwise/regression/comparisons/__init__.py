"""Which of several forecasters is better on the same rows: paired tests of their losses.

`forecasters` (`rw.compare_rec`) chooses among `loss_tests` (Wilcoxon, Diebold-Mariano and the
block bootstrap) and `swap_tests` (permutation by swapping the forecasts of a row, of mean losses
and of whole REC curves); `results` holds the answer. Others may use `RecComparison`.
"""
