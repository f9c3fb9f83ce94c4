"""Numbers instead of classes: how far forecasts are off, and filters that make forecasts."""

from rocwise.lazy_names import attach

__getattr__, __dir__, __all__ = attach(__name__, __file__)
