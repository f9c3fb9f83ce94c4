from typing import Any

import numpy as np
from numpy.typing import NDArray

def name_falling(
    entries: NDArray[np.floating],
    start: int,
    stop: int,
    positive: NDArray[np.bool_],
    new_score: NDArray[np.bool_],
    scores: NDArray[np.floating],
) -> None: ...
def take_falling(
    order: NDArray[np.int64], start: int, stop: int, column: NDArray[Any], taken: NDArray[Any]
) -> None: ...
def by_class(
    positive: NDArray[np.bool_],
    amounts: NDArray[Any],
    start: int,
    stop: int,
    pos: NDArray[Any],
    neg: NDArray[Any],
) -> None: ...
def whole_influences(
    sums: NDArray[Any],
    amounts: NDArray[Any],
    total: float,
    area: float,
    noise: float,
    beyond: bool,
    influences: NDArray[np.float64],
) -> None: ...
def number_in_order(
    codes: NDArray[np.int64], rank: NDArray[np.int64], numbers: NDArray[np.int64]
) -> int: ...
def cluster_members(
    positive: NDArray[np.bool_],
    clusters: NDArray[np.int64],
    start: int,
    stop: int,
    counts: NDArray[np.int64],
) -> bool: ...
def cluster_sums(
    positive: NDArray[np.bool_],
    starts: NDArray[np.int64],
    score: int,
    clusters: NDArray[np.int64],
    held: NDArray[np.float64] | None,
    of_negatives: NDArray[np.float64],
    of_positives: NDArray[np.float64],
    start: int,
    stop: int,
    sums: NDArray[np.float64],
) -> bool: ...
