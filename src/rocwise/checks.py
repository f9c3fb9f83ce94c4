"""The only place that checks options: numbers in a range, names from a list, random generators."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from rocwise.errors import InputError, shown


def fraction(value: Any, argument: str) -> float:
    """A number strictly between 0 and 1."""
    number = real(value, argument)
    if not 0.0 < number < 1.0:
        raise InputError(f"`{argument}` must lie strictly between 0 and 1; got {shown(value)}.")
    return number


def rate(value: Any, argument: str) -> float:
    """A number from 0 to 1, both ends allowed."""
    number = real(value, argument)
    if not 0.0 <= number <= 1.0:
        raise InputError(f"`{argument}` must lie between 0 and 1; got {shown(value)}.")
    return number


def real(value: Any, argument: str) -> float:
    """A finite number; text that spells one is not taken for it."""
    try:
        number = float("text" if isinstance(value, (str, bytes)) else value)
    except (TypeError, ValueError, OverflowError):
        raise InputError(f"`{argument}` must be a number; got {shown(value)}.") from None
    if not math.isfinite(number):
        raise InputError(f"`{argument}` must be a finite number; got {shown(value)}.")
    return number


def not_negative(value: Any, argument: str) -> float:
    """A finite number of at least 0."""
    number = real(value, argument)
    if number < 0:
        raise InputError(f"`{argument}` must not be negative; got {shown(value)}.")
    return number


def whole(value: Any, argument: str, *, at_least: int = 1) -> int:
    """A whole number of at least `at_least`."""
    try:
        number = int(value)
    except (TypeError, ValueError, OverflowError):
        number = at_least - 1
    if isinstance(value, bool) or number != value or number < at_least:
        raise InputError(
            f"`{argument}` must be a whole number of at least {at_least}; got {shown(value)}."
        )
    return number


def one_of(value: Any, argument: str, choices: Sequence[str]) -> str:
    """One of a list of names."""
    if not isinstance(value, str) or value not in choices:
        names = ", ".join(repr(choice) for choice in choices)
        raise InputError(f"`{argument}` must be one of {names}; got {shown(value)}.")
    return value


def rate_range(value: Any, argument: str) -> tuple[float, float]:
    """A pair 0 <= low < high <= 1."""
    try:
        low, high = value
    except (TypeError, ValueError):
        raise InputError(
            f"`{argument}` must be a pair (low, high) of rates; got {shown(value)}."
        ) from None
    low, high = rate(low, argument), rate(high, argument)
    if not low < high:
        raise InputError(f"`{argument}` must have low < high; got ({low:g}, {high:g}).")
    return low, high


def seed(rng: Any) -> int:
    """A 63-bit seed from None, an integer, a SeedSequence or a Generator (SPEC 7).

    Resampling derives replicate b from (seed, b) alone, so one integer is all it needs; a
    Generator is advanced by one draw.
    """
    if rng is None:
        return int(np.random.SeedSequence().generate_state(1, np.uint64)[0] >> np.uint64(1))
    if isinstance(rng, np.random.Generator):
        return int(rng.integers(0, 2**63))
    if isinstance(rng, np.random.SeedSequence):
        return int(rng.generate_state(1, np.uint64)[0] >> np.uint64(1))
    if isinstance(rng, (int, np.integer)) and not isinstance(rng, bool):
        if not 0 <= int(rng) < 2**63:
            raise InputError(f"`rng` as a seed must lie between 0 and 2**63 - 1; got {rng!r}.")
        return int(rng)
    raise InputError(
        f"`rng` must be None, a seed, a numpy Generator or a SeedSequence; got {rng!r}."
    )
