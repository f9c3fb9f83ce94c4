"""The names that this package offers, listed once."""
# fmt: off
# ruff: noqa: E501, I001

from .margin_areas import scored_roc as scored_roc

__all__: list[str]
