"""Several classes without an order: areas under their curves, and operating points.

`areas` measures how well a table of scores, one column per class, ranks the classes; in
`operating_points` are the rules that turn such a row into one class at the least expected cost.
Beside `rw.multiclass_auc`, `rw.multiclass_roc`, `rw.hum`, `rw.compare_multiclass`,
`rw.class_weights` and `rw.metaclass`, the package offers `class_weights_under` and `sample_costs`
(costs known only roughly), `class_cost` (what a rule costs on new rows) and `Evolution` (how the
genetic search is to run).
"""

from rocwise.lazy_names import attach

__getattr__, __dir__, __all__ = attach(__name__, __file__)
