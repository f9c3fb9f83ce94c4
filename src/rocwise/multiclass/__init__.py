"""Several classes without an order: AUC, ROC curves and class weights."""

from rocwise.lazy_names import attach

__getattr__, __dir__, __all__ = attach(__name__, __file__)
