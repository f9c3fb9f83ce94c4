"""The names that this package offers beside those of `rocwise`, listed once."""
# fmt: off

from .surfaces import thinned_surface as thinned_surface
from .variances import MOST_CLASSES_BY_CHANCE as MOST_CLASSES_BY_CHANCE

__all__: list[str]
