"""Ordered classes: VUS, ordinal AUC, thresholds and ROC surfaces."""

from rocwise.lazy_names import attach

__getattr__, __dir__, __all__ = attach(__name__, __file__)
