"""The names that this package offers, listed once."""
# fmt: off

from .margin_areas import scored_roc as scored_roc

__all__: list[str]
