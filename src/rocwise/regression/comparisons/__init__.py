"""Which of several forecasters is better on the same rows: paired tests of their losses.

`forecasters` (`rw.compare_rec`) follows one of the `designs` and asks `loss_tests` (Wilcoxon,
Diebold-Mariano, bootstrap-t in blocks or without) or `swap_tests` (permutation by swapping the
forecasts of a row, of mean losses and of whole REC curves); `results` holds the answer.
Others may use `RecComparison`.
"""
