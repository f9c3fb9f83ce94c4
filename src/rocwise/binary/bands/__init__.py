"""How far the true ROC curve may be from the observed one.

Bands around the whole curve or at each FPR (`rocwise.band`), averages of several curves
(`rocwise.average_roc`), the segment where misses and false alarms are not told apart
(`rocwise.confident_segment`), and rectangles at single thresholds: `threshold_regions`, offered
here. Others may use `results.Band` and these functions; the rest is geometry of polylines.
"""

from rocwise.lazy_names import attach

__getattr__, __dir__, __all__ = attach(__name__, __file__)
