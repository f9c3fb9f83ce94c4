"""Filters of state-space models: linear, extended, unscented, central-difference, square-root."""

from rocwise.lazy_names import attach

__getattr__, __dir__, __all__ = attach(__name__, __file__)
