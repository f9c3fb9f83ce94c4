"""Censored outcomes: time-dependent ROC curves, AUC, concordance, Brier score, calibration."""

from rocwise.lazy_names import attach

__getattr__, __dir__, __all__ = attach(__name__, __file__)
