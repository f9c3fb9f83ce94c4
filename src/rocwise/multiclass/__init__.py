"""Several classes without an order: areas under their ROC curves, and operating points."""

from rocwise.lazy_names import attach

__getattr__, __dir__, __all__ = attach(__name__, __file__)
