"""The only place that cleans data: arrays, tensors, frames and files become what analyses work on.

Analyses begin with a function of `coercion`; others use the names listed in the stub.
"""

from rocwise.lazy_names import attach

__getattr__, __dir__, __all__ = attach(__name__, __file__)
