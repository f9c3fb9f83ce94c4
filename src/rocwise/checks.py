"""The only place that checks options: numbers in a range, names from a list, random generators."""

import math
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from rocwise.arrays import Floats
from rocwise.errors import InputError, did_you_mean, shown

LARGEST_LEVEL = 1 - 1e-12  # beyond it the quantiles of some methods are no longer finite
SMALLEST_RATE = 1e-100  # below it odds, and products of them, are no finite numbers
LARGEST_GRID = 1_000_000  # places of a curve
LARGEST_SIDE = 5_000  # places on each axis of a surface
MEMORY = 4 * 2**30  # bytes of the results of one call; more is an error
MEMORY_FOR_ROWS = 2 * 10**9  # bytes that rows of a file may take by default
LEAST_MEMORY = 10**8
MEMORY_TEXT = re.compile(r"([0-9]{1,9}(?:\.[0-9]{1,9})?)\s*([KMGT]?(?:I?B)?)", re.IGNORECASE)


def fraction(value: Any, argument: str) -> float:
    """A number strictly between 0 and 1."""
    return _fitting(value, argument, "lie strictly between 0 and 1", lambda x: 0.0 < x < 1.0)


def rate(value: Any, argument: str) -> float:
    """A number from 0 to 1, both ends allowed."""
    return within(value, argument, 0.0, 1.0)


def level(value: Any, argument: str = "level") -> float:
    """A confidence level: a fraction whose quantiles are finite numbers."""
    number = fraction(value, argument)
    if number > LARGEST_LEVEL:
        raise InputError(
            f"`{argument}` must not be above 1 - 1e-12, where intervals have no finite limits; "
            f"got {shown(value)}."
        )
    return number


def prevalence(value: Any, argument: str = "prevalence") -> float:
    """A proportion of positives: a fraction whose odds are finite numbers, also when multiplied."""
    number = fraction(value, argument)
    if number < SMALLEST_RATE:
        raise InputError(f"`{argument}` must be at least {SMALLEST_RATE:g}; got {shown(value)}.")
    return number


def flag(value: Any, argument: str) -> bool:
    """True or False; text, numbers and collections are not taken for one of them."""
    if value is True or value is False:
        return value
    if not isinstance(value, np.bool_):
        raise InputError(f"`{argument}` must be True or False; got {shown(value)}.")
    return bool(value)


def real(value: Any, argument: str) -> float:
    """A finite number; text that spells one, truth values and arrays are not taken for it."""
    if type(value) is float and math.isfinite(value):
        return value
    try:
        number = float("no number" if _is_no_number(value) else value)
    except (TypeError, ValueError, ArithmeticError):
        raise InputError(f"`{argument}` must be a number; got {shown(value)}.") from None
    if not math.isfinite(number):
        raise InputError(f"`{argument}` must be a finite number; got {shown(value)}.")
    return number


def not_negative(value: Any, argument: str) -> float:
    """A finite number of at least 0."""
    return _fitting(value, argument, "not be negative", lambda x: x >= 0)


def _is_no_number(value: Any) -> bool:
    """What `float` would take, with or without a warning, though no number was meant."""
    return isinstance(value, (str, bytes, bool, np.bool_, complex, np.complexfloating)) or (
        isinstance(value, np.ndarray) and (value.ndim > 0 or value.dtype.kind not in "iuf")
    )


def positive(value: Any, argument: str) -> float:
    """A finite number above 0."""
    return _fitting(value, argument, "be above 0", lambda x: x > 0)


def within(value: Any, argument: str, low: float, high: float) -> float:
    """A finite number between two limits, beyond which results would not be finite."""
    return _fitting(
        value, argument, f"lie between {low:g} and {high:g}", lambda x: low <= x <= high
    )


def _fitting(value: Any, argument: str, rule: str, fits: Callable[[float], bool]) -> float:
    number = real(value, argument)
    if not fits(number):
        raise InputError(f"`{argument}` must {rule}; got {shown(value)}.")
    return number


def whole(value: Any, argument: str, *, at_least: int = 1, at_most: int | None = None) -> int:
    """An integer of at least `at_least`; 200.0 is 200."""
    number = _integer(value)
    if number is None or number < at_least:
        raise InputError(
            f"`{argument}` must be an integer of at least {at_least}; got {shown(value)}."
        )
    if at_most is not None and number > at_most:
        raise InputError(f"`{argument}` must be at most {at_most:,}; got {shown(value)}.")
    return number


def _integer(value: Any) -> int | None:
    """The integer that a value is, or None."""
    if type(value) is int:
        return value
    if _is_no_number(value):
        return None
    try:
        number = int(value)
        return number if bool(number == value) else None
    except (TypeError, ValueError, ArithmeticError):
        return None


def size(value: Any, argument: str, *, at_least: int = 1, bytes_each: int = 8) -> int:
    """An integer number of stored elements; an error if they take more than `MEMORY`."""
    number = whole(value, argument, at_least=at_least)
    if number * bytes_each > MEMORY:
        needed = number * bytes_each // 2**30
        memory = f"{needed:,} GiB" if needed < 10**9 else "more memory than any machine has"
        raise InputError(
            f"`{argument}` must be at most {MEMORY // bytes_each:,}; {shown(value)} would take "
            f"{memory} here."
        )
    return number


def memory(value: Any, argument: str) -> int:
    """Bytes from an integer or from text such as "2GB" or "512 MiB"; 2 GB for None."""
    if value is None:
        return MEMORY_FOR_ROWS
    match = MEMORY_TEXT.fullmatch(value.strip()) if isinstance(value, str) else None
    if match:
        unit = match[2].upper()
        step = 1024 if "I" in unit else 1000
        number: int | None = int(float(match[1]) * step ** "BKMGT".index(unit[:1] or "B"))
    else:
        number = _integer(value)
    if number is None or number < LEAST_MEMORY:
        raise InputError(
            f"`{argument}` must be at least 100 MB, as text such as '2GB' or in bytes; got "
            f"{shown(value)}."
        )
    return number


def draws(
    n_resamples: Any, rng: Any = None, progress: Any = None, *, at_least: int = 1, cells: int = 1
) -> int:
    """The number of resamples; `rng`, which is not advanced, and `progress` are checked too."""
    number = size(n_resamples, "n_resamples", at_least=at_least, bytes_each=8 * max(cells, 1))
    generator(rng)
    reported(progress)
    return number


def reported(progress: Any) -> None:
    """An error unless `progress` is a flag, a function, or None."""
    if progress is not None and not isinstance(progress, (bool, np.bool_)):
        if callable(progress) and not isinstance(progress, type):
            return
        raise InputError(
            f"`progress` must be True, False or a function of the fraction done; got "
            f"{shown(progress)}."
        )


def numbers(
    value: Any, argument: str, *, infinite: bool = False, nan: bool = False, most: int = 2
) -> Floats:
    """An array of finite numbers, unless a caller judges them, with at most `most` axes."""
    try:
        array = np.asarray(value)
        if array.dtype.kind == "O":
            array = np.array([real(each, argument) for each in array.ravel()]).reshape(array.shape)
    except (TypeError, ValueError, ArithmeticError, RecursionError):
        array = np.array("no numbers")
    if array.dtype.kind not in "iuf" or array.ndim > most:
        raise InputError(f"`{argument}` must contain numbers; got {shown(value)}.")
    array = array.astype(np.float64)
    wrong = (np.isnan(array) & (not nan)) | (np.isinf(array) & (not infinite))
    if wrong.any():
        first = float(array.ravel()[int(wrong.ravel().argmax())])
        kind = "numbers, not nan" if infinite else "finite numbers"
        raise InputError(f"`{argument}` must contain {kind}; got {first!r}.")
    return array


def rates(value: Any, argument: str, *, most: int = 2) -> Floats:
    """An array of numbers from 0 to 1."""
    array = numbers(value, argument, most=most)
    outside = (array < 0) | (array > 1)
    if outside.any():
        wrong = float(array[outside].ravel()[0])
        raise InputError(f"`{argument}` must contain rates from 0 to 1; got {wrong!r}.")
    return array


def one_of(
    value: Any, argument: str, choices: Sequence[str], other_names: Mapping[str, str] = {}
) -> str:
    """One of a list of names; `other_names` of some choices are pointed to, not taken."""
    if not isinstance(value, str) or value not in choices:
        names = ", ".join(repr(choice) for choice in choices)
        meant = did_you_mean(value, choices, other_names)
        raise InputError(f"`{argument}` must be one of {names}; got {shown(value)}.{meant}")
    return value


def members(value: Any, argument: str, what: str) -> list[Any]:
    """The members of a list, tuple, array or the like; text and single values have none."""
    if not isinstance(value, (str, bytes, Mapping)):
        try:
            return list(value)
        except TypeError:
            pass
    raise InputError(f"`{argument}` must be a list of {what}; got {shown(value)}.")


def text(value: Any, argument: str) -> str:
    """Words; nothing else is turned into them."""
    if not isinstance(value, str):
        raise InputError(f"`{argument}` must be text; got {shown(value, 60)}.")
    return value


def column_names(**names: Any) -> None:
    """An error for values that are no names of columns; None is allowed."""
    for argument, name in names.items():
        if name is not None and not isinstance(name, (str, int)):  # pandas numbers columns
            raise InputError(f"`{argument}` must be the name of a column; got {shown(name)}.")


def rate_range(value: Any, argument: str) -> tuple[float, float]:
    """A pair 0 <= low < high <= 1."""
    try:
        low, high = value
    except (TypeError, ValueError):
        raise InputError(
            f"`{argument}` must be a pair (low, high) of rates; got {shown(value)}."
        ) from None
    low, high = rate(low, argument), rate(high, argument)
    if not high - low >= SMALLEST_RATE:
        least = f",  with a difference of at least {SMALLEST_RATE:g}" if low < high else ""
        raise InputError(f"`{argument}` must have low < high{least}; got ({low:g}, {high:g}).")
    return low, high


def generator(rng: Any, argument: str = "rng") -> None:
    """An error unless this is None, a seed, a Generator or a SeedSequence; nothing is drawn."""
    if rng is None or isinstance(rng, (np.random.Generator, np.random.SeedSequence)):
        return
    if not isinstance(rng, (int, np.integer)) or isinstance(rng, bool):
        raise InputError(
            f"`{argument}` must be None, a seed, a numpy Generator or a SeedSequence; got "
            f"{shown(rng)}."
        )
    if not 0 <= int(rng) < 2**63:
        raise InputError(
            f"`{argument}` as a seed must lie between 0 and 2**63 - 1; got {shown(rng)}."
        )


def random_state(value: Any) -> Any:
    """None, a seed or a RandomState, as scikit-learn takes them."""
    if value is None or isinstance(value, np.random.RandomState):
        return value
    return whole(value, "random_state", at_least=0, at_most=2**32 - 1)


def seed(rng: Any) -> int:
    """A 63-bit seed from None, an integer, a SeedSequence or a Generator, which is advanced."""
    generator(rng)
    if isinstance(rng, np.random.Generator):
        return int(rng.integers(0, 2**63))
    if rng is None or isinstance(rng, np.random.SeedSequence):
        sequence = rng or np.random.SeedSequence()
        return int(sequence.generate_state(1, np.uint64)[0] >> np.uint64(1))
    return int(rng)
