"""ROC analysis: AUC, confidence intervals, comparison of models, threshold selection.

Functions take `y_true, y_score`, a frame or a file, or a `tally`, the table of positives and
negatives at every distinct score. Public names are listed in `__init__.pyi` and imported when
first used.
"""

from rocwise.about import VERSION
from rocwise.lazy_names import attach

__version__ = VERSION
__getattr__, __dir__, __all__ = attach(__name__, __file__)
