import numpy as np
from numpy.typing import NDArray

Sums = tuple[int, int, int, int, int, int, int]

def merge_block(
    neg: NDArray[np.floating], pos: NDArray[np.floating], i: int, i_end: int, j: int, j_end: int
) -> Sums: ...
def merge_curve(
    neg: NDArray[np.floating],
    pos: NDArray[np.floating],
    i: int,
    i_end: int,
    j: int,
    j_end: int,
    scores: NDArray[np.floating],
    tp: NDArray[np.int64],
    fp: NDArray[np.int64],
    place: int,
) -> int: ...
def merge_rates(
    neg: NDArray[np.floating],
    pos: NDArray[np.floating],
    i: int,
    i_end: int,
    j: int,
    j_end: int,
    scores: NDArray[np.floating],
    tpr: NDArray[np.float64],
    fpr: NDArray[np.float64],
    place: int,
) -> tuple[int, int]: ...
def table_totals(pos_counts: NDArray[np.int64], neg_counts: NDArray[np.int64]) -> Sums: ...
