"""Intervals, tests and resampling used by all topics.

`variance` makes variances of influence values, `intervals` and `proportions` confidence intervals,
`effective_sizes` those of few cases; `significance` has tests and p values, `comparison` the
comparison of several models, `resampling` the bootstrap of any statistic.
Public: `cv_interval`, `holm`, `proportion_interval`, `tango_interval`.
"""

from rocwise.lazy_names import attach

__getattr__, __dir__, __all__ = attach(__name__, __file__)
