"""Sums of long vectors, and of their products: in one thread, whatever the order of additions."""

import math

import numpy as np

from rocwise.arrays import Array, Floats

BLOCK = 2**15  # numbers that are taken apart together, and stay in the nearest caches
HEADROOM = 16  # bits: sums of a block, rounded to multiples of one number, are exact
PASSES = 6  # of 37 bits each; numbers of more different sizes are added one by one
LARGEST = 2.0**900


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


def rounded_sum(values: Floats) -> float:
    """The sum of all numbers, rounded once: `math.fsum` without a list of them.

    Each pass splits off the leading bits, as multiples of one number whose sums have no rounding
    (Rump, Ogita and Oishi, SIAM J. Sci. Comput. 31, 2008, 189-224); what the passes give is few.

    Examples
    --------
    >>> rounded_sum(np.array([1e100, 1.0, -1e100]))
    1.0
    """
    return math.fsum(exact_parts(values))


def exact_parts(values: Floats) -> list[float]:
    """Few numbers with the same sum as all, without any rounding; columns side by side add theirs.

    Examples
    --------
    >>> math.fsum(exact_parts(np.array([1e100, 1.0])) + exact_parts(np.array([-1e100])))
    1.0
    """
    parts: list[float] = []
    for start in range(0, len(values), BLOCK):
        rest = values[start : start + BLOCK]
        for _ in range(PASSES):
            largest = float(np.abs(rest).max())
            if largest == 0.0 or not largest < LARGEST:
                break
            unit = math.ldexp(1.0, math.frexp(largest)[1] + HEADROOM)
            leading = (unit + rest) - unit
            parts.append(float(leading.sum()))
            rest = rest - leading
        if largest != 0.0:  # what is still left, if anything
            parts += rest[rest != 0.0].tolist()
    return parts
