"""Statistics that every topic shares: limits of intervals, tests and draws.

Nothing here knows of curves or classes. `interval_limits` goes from an estimate and its error to
an interval, `proportions` and `tango` do so from counts; `significance` and `comparisons` go from
estimates and their covariance to statistics, p values and a `Comparison`; `resampling`
draws resamples; `class_spreads` are variances of measures over classes, of
which `deferred_estimates` make intervals when asked for, and `effective_sizes` those of few cases;
`cost_matrices` checks the costs and shares of several classes.
To users it offers `proportion_interval`.
"""

from rocwise.lazy_names import attach

__getattr__, __dir__, __all__ = attach(__name__, __file__)
