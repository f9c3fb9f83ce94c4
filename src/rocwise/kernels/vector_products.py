"""Products of long vectors, in one thread and in one order of additions."""

import numpy as np

from rocwise.arrays import Array


def dot(first: Array, second: Array) -> float:
    """Sum of the products of two columns, the same to the last bit however many threads there are.

    Linear algebra libraries wake their threads for it, which takes longer than the sum, and add
    in an order that depends on how many there are.

    Examples
    --------
    >>> dot(np.array([1.0, 2.0]), np.array([3.0, 4.0]))
    11.0
    """
    return float(np.einsum("i,i->", first, second))
