"""Numpy twins of the loops over segments of a curve, from (x0, y0) to (x1, y1) each.

A part of the area lies between `low` and `high` along x.
"""

import numpy as np

from rocwise.arrays import Amounts, Counts, Floats


def segment_areas(
    x0: Floats, x1: Floats, y0: Floats, y1: Floats, low: float, high: float
) -> Floats:
    """The area below each segment within the part.

    Examples
    --------
    >>> zero, one = np.array([0.0]), np.array([1.0])
    >>> segment_areas(zero, one, zero, one, 0.5, 1.0).tolist()
    [0.375]
    """
    left, right = np.maximum(x0, low), np.minimum(x1, high)
    middle = ((left + right) / 2 - x0) / _or_one(x1 - x0)
    return np.asarray(np.maximum(right - left, 0.0) * (y0 + (y1 - y0) * middle))


def positive_influences(
    before: Floats, after: Floats, low: float, high: float, area: float, noise: float
) -> Floats:
    """How much a positive moves the part, on segments with these FPR before and after them.

    That is the mean length of what lies within the part to the right of it, less the area of the
    part; 0 where only rounding, `noise`, is left.

    Examples
    --------
    >>> positive_influences(np.array([0.0]), np.array([0.5]), 0.0, 1.0, 0.5, 0.0).tolist()
    [0.25]
    """
    passed = _passed(before, after, high)
    if low > 0:
        passed = passed - _passed(before, after, low)
    return _without_noise(passed - area, noise)


def negative_influences(
    x0: Floats,
    x1: Floats,
    y0: Floats,
    y1: Floats,
    low: float,
    high: float,
    at_low: float,
    at_high: float,
    shift: float,
    noise: float,
) -> Floats:
    """How much a negative moves the part: the mean height of the curve there, and a shift.

    Beyond the ends of the part the height is that at the end.

    Examples
    --------
    >>> zero, one = np.array([0.0]), np.array([1.0])
    >>> negative_influences(zero, one, zero, one, 0.0, 0.5, 0.0, 0.5, 0.25, 0.0).tolist()
    [0.625]
    """
    run = x1 - x0
    over = _or_one(run)
    left, right = np.clip(x0, low, high), np.clip(x1, low, high)
    share = ((left + right) / 2 - x0) / over
    total = (right - left) * (y0 + share * (y1 - y0))
    if low > 0:
        total = np.clip(low - x0, 0.0, run) * at_low + total
    height = (total + np.clip(x1 - high, 0.0, run) * at_high) / over
    return _without_noise(height + shift, noise)


def precision_steps(
    tp: Amounts,
    fp: Amounts,
    pos: Amounts,
    n_pos: float,
    n_neg: float,
    odds: float,
    columns: tuple[Floats, ...],
) -> tuple[float, float, float]:
    """What some steps of a curve add to the average precision, and its slopes; sums of these.

    `tp` and `fp` are sums up to each score, `pos` the positives at it, `odds` the negatives per
    positive. With S and T the rates and g = S / (S + odds T), the columns are filled with g, with
    g times the share of positives there, and with dg/dS and dg/dT times this share; the sums are
    those of S dg/dS, of T dg/dT, and of the slope in the share of positives, added up in order.

    Examples
    --------
    >>> columns = tuple(np.empty((4, 2)))
    >>> precision_steps(np.array([1, 2]), np.array([0, 1]), np.array([1, 1]), 2, 1, 0.5, columns)
    (0.1111111111111111, -0.1111111111111111, 0.5)
    >>> columns[0].tolist(), columns[1].tolist()
    ([1.0, 0.6666666666666666], [0.5, 0.3333333333333333])
    """
    check_steps(tp, fp, pos, *columns)
    precision, gained, by_hits, by_alarms = columns
    tpr, fpr, mass = tp / n_pos, fp / n_neg, pos / n_pos
    false = odds * fpr
    called = tpr + false
    precision[:] = tpr / called
    gained[:] = mass * precision
    by_hits[:] = mass * false / (called * called)
    by_alarms[:] = -odds * mass * tpr / (called * called)
    seen = called / (1 + odds)
    by_prevalence = mass * (tpr * fpr / (seen * seen))
    of_hits, of_alarms, slope = (
        float(np.cumsum(each)[-1]) for each in (by_hits * tpr, by_alarms * fpr, by_prevalence)
    )
    return of_hits, of_alarms, slope


def summed_upwards(column: Floats) -> Floats:
    """Each number with the sum of all after it, in its place; they are added from the last on.

    Examples
    --------
    >>> summed_upwards(np.array([4.0, 2.0, 1.0])).tolist()
    [7.0, 3.0, 1.0]
    """
    np.cumsum(column[::-1], out=column[::-1])
    return column


def doubled_area(tp: Counts, fp: Counts) -> int:
    """Twice the pairs below a curve of cumulated counts, those on its diagonal steps once.

    Examples
    --------
    >>> doubled_area(np.array([1, 1, 3]), np.array([0, 2, 3]))
    8
    """
    check_steps(tp, fp)
    kind = np.int64 if fits_in_64_bits(tp, fp) else object
    heights, places = (np.append(0, each).astype(kind) for each in (tp, fp))
    return int((np.diff(places) * (heights[1:] + heights[:-1])).sum())


def fits_in_64_bits(tp: Counts, fp: Counts) -> bool:
    """Whether twice the number of pairs does.

    Examples
    --------
    >>> fits_in_64_bits(np.array([2**31]), np.array([2**31]))
    False
    """
    return 2 * int(tp[-1]) * int(fp[-1]) < 2**63


def check_steps(*columns: Amounts) -> None:
    """Refuse columns that the compiled loops would misread."""
    if not len(columns[0]) or len({len(column) for column in columns}) > 1:
        raise ValueError("the columns must be of one length, at least 1.")


def _without_noise(influence: Floats, noise: float) -> Floats:
    """Exactly 0 where only rounding is left, so that a variance of 0 is seen to be 0."""
    return np.where(np.abs(influence) > noise, influence, 0.0)


def _passed(before: Floats, after: Floats, f: float) -> Floats:
    """Integral up to f of a ramp that rises from 0 at `before` to 1 at `after`."""
    run = after - before
    inside = np.clip(f - before, 0.0, run)
    return np.asarray(inside * inside / (2 * _or_one(run)) + np.maximum(f - after, 0.0))


def _or_one(run: Floats) -> Floats:
    """What to divide by: 1 where a segment does not run, and what is divided is 0 or not read."""
    return np.where(run > 0, run, 1.0)
