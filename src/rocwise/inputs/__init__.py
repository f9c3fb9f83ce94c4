"""The one entrance for data: arrays, tensors, frames and files become what the analyses work on.

`vectors` reads one column of anything, `labels` finds the positives, `scores` makes floats that
sort; `rocwise.engines` fetches columns from frames and files. Analyses begin with
a function of `coercion`; what lies above them, such as the command line, uses the names below.
"""

from rocwise.lazy_names import attach

__getattr__, __dir__, __all__ = attach(__name__, __file__)
