from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocwise.kernels.placement_sums import PlacementSums

class Plan:
    buckets: int
    summed_by_codes: int

def plan(scores: NDArray[np.floating], buckets: int) -> Plan: ...
def count(
    mask: NDArray[np.uint8],
    scores: NDArray[np.floating],
    plan: Plan,
    start: int,
    stop: int,
    counts: NDArray[np.int64],
) -> None: ...
def spread(
    mask: NDArray[np.uint8],
    scores: NDArray[np.floating],
    plan: Plan,
    start: int,
    stop: int,
    next_place: NDArray[np.int64],
    target: NDArray[np.floating],
) -> bool: ...
def sort_buckets(
    values: NDArray[np.floating], plan: Plan, bounds: NDArray[np.int64], first: int, last: int
) -> None: ...
def sort_few(
    mask: NDArray[np.uint8], scores: NDArray[np.floating], target: NDArray[np.floating]
) -> int: ...
def few_rows(
    labels: Any, scores: Any
) -> tuple[NDArray[np.floating], NDArray[np.floating], PlacementSums] | None: ...
def spread_keyed(
    mask: NDArray[np.uint8],
    scores: NDArray[np.floating],
    plan: Plan,
    start: int,
    stop: int,
    next_place: NDArray[np.int64],
    target: NDArray[Any],
) -> bool: ...
def order_buckets(
    entries: NDArray[Any],
    plan: Plan,
    bounds: NDArray[np.int64],
    first: int,
    last: int,
    order: NDArray[np.int64],
) -> None: ...
def place_buckets(
    entries: NDArray[Any],
    plan: Plan,
    bounds: NDArray[np.int64],
    first: int,
    last: int,
    pos_below: int,
    placements: NDArray[np.int64],
) -> None: ...
def lend(wanted: bool) -> bool: ...
def lend_codes(wanted: bool) -> bool: ...
def mark_slots(
    labels: NDArray[Any],
    scores: NDArray[np.floating],
    plan: Plan,
    start: int,
    stop: int,
    slots: NDArray[np.uint16],
    counts: NDArray[np.int64],
) -> bool: ...
def fill_slots(
    slots: NDArray[np.uint16],
    scores: NDArray[np.floating],
    start: int,
    stop: int,
    next_place: NDArray[np.int64],
    target: NDArray[np.floating],
) -> bool: ...
def sum_buckets(
    values: NDArray[np.floating],
    plan: Plan,
    bounds: NDArray[np.int64],
    first: int,
    last: int,
    sums: NDArray[np.uint64] | None,
    ends: NDArray[np.float64],
) -> None: ...
def are_in_order(ends: NDArray[np.float64]) -> bool: ...
def joined_sums(sums: NDArray[np.uint64], bounds: NDArray[np.int64]) -> PlacementSums: ...
