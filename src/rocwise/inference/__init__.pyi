"""The names that this package offers, listed once."""
# fmt: off
# ruff: noqa: E501, I001

from .proportions import proportion_interval as proportion_interval

__all__: list[str]
