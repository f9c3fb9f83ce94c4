"""The names that this package offers, listed once."""
# fmt: off

from .proportions import proportion_interval as proportion_interval

__all__: list[str]
