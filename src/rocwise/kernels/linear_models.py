"""A linear state-space model, as the kernels take it."""

from typing import NamedTuple

from rocwise.arrays import Floats


class LinearModel(NamedTuple):
    """x -> A x + offset, y = H x, and what is known of x one step before the first y."""

    transition: Floats
    observation: Floats
    offset: Floats
    initial_mean: Floats
    initial_covariance: Floats
