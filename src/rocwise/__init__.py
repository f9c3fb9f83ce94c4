"""ROC analysis: how good a model is, whether A beats B, and where to set the threshold.

Sort once, ask everything: `tally` counts positives and negatives at every distinct score, and
every other function is a question asked of that tally, or directly of `y_true, y_score`.
Names are loaded when first used, so `import rocwise` costs little more than `import numpy`. They
are listed in `__init__.pyi`, for type checkers, editors and this module alike.
"""

from rocwise.about import VERSION
from rocwise.lazy_names import attach

__version__ = VERSION
__getattr__, __dir__, __all__ = attach(__name__, __file__)
