"""Costs of decisions: cost curves, decision curves, and who is cheaper where.

`cost_curve`, `decision_curve`, `h_measure` and `compare_curves` are public names of `rocwise`;
this package offers besides them the two ways between ROC points and cost lines, `cost_lines` and
`roc_points`. Bands are methods of the curves.
"""

from rocwise.lazy_names import attach

__getattr__, __dir__, __all__ = attach(__name__, __file__)
