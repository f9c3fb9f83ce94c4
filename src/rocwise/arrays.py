"""Types of arrays, and masks of undefined numbers."""

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

Array: TypeAlias = NDArray[Any]
Floats: TypeAlias = NDArray[np.float64]
Scores: TypeAlias = NDArray[np.floating]  # float32 or float64
Integers: TypeAlias = NDArray[np.int64]
Counts: TypeAlias = NDArray[np.int64]
Weights: TypeAlias = NDArray[Any]  # numbers of rows, or sums of their weights
Places: TypeAlias = NDArray[np.intp]
Codes: TypeAlias = NDArray[np.uint8]
Mask: TypeAlias = NDArray[np.uint8]  # 1 for a positive row, 0 for a negative one
Flags: TypeAlias = NDArray[np.bool_]
Signs: TypeAlias = NDArray[np.int8]  # 1 or -1
Decisions: TypeAlias = NDArray[np.int8]  # 1 for positive, 0 for negative, -1 for neither
Ranks: TypeAlias = NDArray[np.int32]  # places among the distinct values of a tally
Words: TypeAlias = NDArray[np.uint64]  # of a random stream


def masked_nan(values: Any) -> Floats:
    """The numbers as an array, masked where any of them is nan."""
    array = np.asarray(values)
    undefined = np.isnan(array)
    if not undefined.any():
        return array
    masked: Floats = np.ma.masked_array(array, mask=undefined)
    return masked
