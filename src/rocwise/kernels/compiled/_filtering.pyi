import numpy as np
from numpy.typing import NDArray

def log_likelihoods(
    moving: NDArray[np.float64],
    seeing: NDArray[np.float64],
    shift: NDArray[np.float64],
    mean: NDArray[np.float64],
    covariance: NDArray[np.float64],
    observed: NDArray[np.float64],
    present: NDArray[np.uint8],
    process: NDArray[np.float64],
    noise: NDArray[np.float64],
    result: NDArray[np.float64],
) -> None: ...
