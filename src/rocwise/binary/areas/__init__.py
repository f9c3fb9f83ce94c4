"""The area under the ROC curve: whole, in part, with its variance, interval and test.

`empirical` has the area and `intervals` its limits, by the `variances` of one model and the
`influences` and `covariances` of several on the same rows; `null_tests` tests an area against a
value, `interval_choices` lays all intervals side by side, and `margin_areas` are those that look
at how far apart scores are (their pairs summed by `logistic_sums`).
To users it offers `scored_roc`, beside what `rocwise` itself lists.
"""

from rocwise.lazy_names import attach

__getattr__, __dir__, __all__ = attach(__name__, __file__)
