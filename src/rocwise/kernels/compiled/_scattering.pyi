import numpy as np
from numpy.typing import NDArray

from rocwise.arrays import Scores

def count_near(
    mask: NDArray[np.uint8],
    scores: Scores,
    start: int,
    stop: int,
    lowest: float,
    highest: float,
) -> tuple[int, int]: ...
def write_far(
    mask: NDArray[np.uint8],
    scores: Scores,
    start: int,
    stop: int,
    lowest: float,
    highest: float,
    positives: int,
    near: int,
    near_stop: int,
    beyond: NDArray[np.float64],
    of_negatives: NDArray[np.float64],
    of_positives: NDArray[np.float64],
    near_scores: Scores,
    near_places: NDArray[np.int64],
) -> bool: ...
def count_scores(entries: Scores, start: int, stop: int, size: int) -> int: ...
def write_near(
    entries: Scores,
    places: NDArray[np.int64],
    start: int,
    stop: int,
    size: int,
    above: int,
    negative: NDArray[np.float64],
    positive: NDArray[np.float64],
    of_negatives: NDArray[np.float64],
    of_positives: NDArray[np.float64],
) -> None: ...
