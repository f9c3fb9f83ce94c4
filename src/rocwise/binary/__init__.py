"""Two classes: curves, areas, comparisons, bands, thresholds, costs, abstention and planning.

One module a topic; what `rocwise` itself does not list of their public functions is listed here.
"""

from rocwise.lazy_names import attach

__getattr__, __dir__, __all__ = attach(__name__, __file__)
