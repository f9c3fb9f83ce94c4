"""Questions about ordered classes: volume under the ROC surface and its relatives.

Beside `rw.ordinal_auc`, `rw.ordinal_test`, `rw.compare_ordinal`, `rw.ordinal_thresholds`,
`rw.roc_surface` and `rw.vus_best_order`, the package offers `thinned_surface` (a surface with few
enough cuts to draw) and `MOST_CLASSES_BY_CHANCE` (beyond, no volume is held against chance).
"""

from rocwise.lazy_names import attach

__getattr__, __dir__, __all__ = attach(__name__, __file__)
