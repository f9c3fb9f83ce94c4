"""Planning a study before there are data: cases, power, detectable AUC, significance level.

`rocwise.sample_size` and `rocwise.power` answer the usual two questions; this package offers the
other two, `detectable_auc` and `significance_level`. All four give a `StudyPlan`, whose `curve`
is the power at other numbers of cases.
"""

from rocwise.lazy_names import attach

__getattr__, __dir__, __all__ = attach(__name__, __file__)
