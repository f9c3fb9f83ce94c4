"""Classes with an order: how well one score ranks them, and where to cut it.

`measures` (`rw.ordinal_auc`) with the kinds of `measure_kinds`: `volumes` under the ROC surface,
and `pair_areas`, averages of areas of pairs of classes. Their uncertainty is in `variances`,
`covariances` and `bootstrap`; `chance_tests` (`rw.ordinal_test`) and `score_comparisons`
(`rw.compare_ordinal`) test. `class_orders` tries all orders, `surfaces` draws three classes,
`cut_points` (`rw.ordinal_thresholds`) cuts the score at the least expected cost.
Others may use the results, and the names that the stub beside this file lists.
"""

from rocwise.lazy_names import attach

__getattr__, __dir__, __all__ = attach(__name__, __file__)
