"""Ordered classes: how well one score ranks them, and where to cut it."""

from rocwise.lazy_names import attach

__getattr__, __dir__, __all__ = attach(__name__, __file__)
