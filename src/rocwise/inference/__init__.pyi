"""The names that this package offers, listed once."""
# fmt: off

from .proportions import proportion_interval as proportion_interval
from .significance import holm as holm

__all__: list[str]
