"""A result of every class that has a plot, from the list of the gallery; and a few rows."""

from functools import partial

import numpy as np
from gallery import names_of_data, result_of
from gallery_list import KINDS

import rocwise as rw
from rocwise.plotting import plot

RNG = np.random.default_rng(7)
Y = np.arange(60) % 2
S = RNG.normal(size=60).round(1) + Y
OTHER = RNG.normal(size=60) + 0.5 * Y
COSTS = rw.Costs(fp=0.5, fn=1, abstain=0.2)
PAIRS = rw.pair(Y, {"a": S, "b": OTHER})

MAKE = {name: partial(result_of, kind, names_of_data()) for name, kind in KINDS.items()}
"""Name of a class that has a plot to a function that makes a result of it."""

OPTIONS = {name: list(kind.views) for name, kind in KINDS.items() if kind.views}
"""More ways in which results of a class are drawn, besides without any option."""


def recorded(result, **options):
    """What would be drawn."""
    return plot(result, backend="none", **options)


def layers(spec, kind):
    """The layers of one kind of a plot specification."""
    return [layer for layer in spec.layers if isinstance(layer, kind)]
