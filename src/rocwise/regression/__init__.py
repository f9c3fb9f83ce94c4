"""Regression: REC and RROC curves, comparison of models, Kalman filters."""

from rocwise.lazy_names import attach

__getattr__, __dir__, __all__ = attach(__name__, __file__)
