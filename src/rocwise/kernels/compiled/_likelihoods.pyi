import numpy as np
from numpy.typing import NDArray

from rocwise.arrays import Amounts

Floats = NDArray[np.float64]

def logistic_sums(
    x: Floats,
    pos: Amounts,
    neg: Amounts,
    etas: Floats,
    odds: Floats,
    logs: Floats,
    sums: Floats,
) -> None: ...
def eliminated(
    counts: Floats,
    shares: Floats,
    densities: Floats,
    cuts: Floats,
    totals: Floats,
    slope: float,
    kept: Floats,
    sums: Floats,
) -> bool: ...
def substituted(kept: Floats, by_a: float, by_b: float, step: Floats) -> None: ...
