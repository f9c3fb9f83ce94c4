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
def fill_rows(
    counts: Floats,
    totals: Floats,
    a: float,
    b: float,
    cuts: Floats,
    table: Floats,
    sums: Floats,
    first: int,
    last: int,
) -> None: ...
def eliminated(table: Floats) -> None: ...
def taken(table: Floats, sums: Floats, first: int, last: int) -> bool: ...
def substituted(table: Floats, by_a: float, by_b: float, step: Floats) -> float: ...
