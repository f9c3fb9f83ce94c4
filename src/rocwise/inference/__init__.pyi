"""The public names of this package."""
# fmt: off

from .intervals import cv_interval as cv_interval
from .proportions import proportion_interval as proportion_interval
from .proportions import tango_interval as tango_interval
from .significance import holm as holm

__all__: list[str]
