"""Scores from 0 to 1, for functions that use their values and not only their ranks."""

from collections.abc import Iterator
from contextlib import contextmanager
from fractions import Fraction

import numpy as np

from rocwise.arrays import Array, Flags, Floats
from rocwise.data.pairs import Pairs
from rocwise.data.smooth_steps import exact_total, in_units
from rocwise.data.tally import Tally
from rocwise.errors import InputError, ScoreRangeError, count_of

# only the smooth curve offers to rescale scores; elsewhere that would invent risks
RESCALED = {
    "smooth_roc": ", or rescale=True to map the scores to 0 to 1",
    "the smAUC": (
        ", or statistic=rw.statistics.SmoothArea(rescale=True) to map the scores to 0 to 1"
    ),
}


def check_score_values(data: Tally, caller: str) -> None:
    """Raise for categories and bins, which have ranks but no values."""
    if data.origin.categories:
        raise InputError(
            f"{_named(caller)} needs numeric scores, but `y_score` has ordered categories; "
            "pass numbers from 0 to 1."
        )
    if data.origin.exact_area:
        itself = "Pass the file or frame itself, not a tally; or round them to few digits"
        remedy = itself if caller == "smooth_roc" else "Round them to few digits"
        raise InputError(
            f"{_named(caller)} needs the scores themselves, but so many of them differ that only "
            f"bins of them fit into `memory_limit`. {remedy}, so that equal rows can be "
            "counted, or raise `memory_limit` to about 64 bytes for each row."
        )
    if data.error_bound > 0:
        raise InputError(
            f"{_named(caller)} needs the scores themselves, but these were binned; "
            "leave `resolution` out."
        )


def unit_scores(data: Tally, caller: str, *, rescale: bool = False) -> Floats:
    """Distinct scores from 0 to 1, descending, larger for positives: 1 - s of lower ones."""
    check_score_values(data, caller)
    scores = np.asarray(data.scores, dtype=np.float64)
    low, high = sorted(scores[[0, -1]].tolist())
    if not np.isfinite([low, high]).all():  # infinite ones have an order but no value
        number = _rows_of(data, ~np.isfinite(scores))
        limit = float(np.finfo(np.float64).max)
        raise ScoreRangeError(
            f"{_named(caller)} needs finite scores, but `{{argument}}` has "
            f"{count_of(number, 'infinite value')}; pass probabilities instead of logits.",
            -limit,
            limit,
        )
    if not rescale and not 0 <= low <= high <= 1:
        number = _rows_of(data, (scores < 0) | (scores > 1))
        raise ScoreRangeError(
            f"{_named(caller)} needs scores from 0 to 1, but `{{argument}}` has "
            f"{count_of(number, 'value')} outside, from {low:g} to {high:g}. "
            f"Pass probabilities{RESCALED.get(caller, '')}.",
            0.0,
            1.0,
        )
    return in_units(scores, (low, high) if rescale else None, data.direction)


def _rows_of(data: Tally, chosen: Flags) -> int:
    """How many rows have one of the chosen distinct scores, whatever their weights."""
    rows = data.rows
    if rows is None:
        return int((data.pos + data.neg)[chosen].sum())
    counts = np.ones(len(rows), dtype=np.int64) if rows.counts is None else rows.counts
    return int(np.add.reduceat(counts, rows.starts)[chosen].sum())


def _named(caller: str) -> str:
    return caller if " " in caller else f"`{caller}`"


@contextmanager
def scores_of_model(pairs: Pairs, name: str) -> Iterator[None]:
    """Errors about scores name the model and the first row that caused them."""
    try:
        yield
    except ScoreRangeError as problem:
        sign = 1 if pairs.origin.direction == "higher" else -1
        raise problem.located(sign * pairs.scores(name), f"scores[{name!r}]") from None


def class_mean(scores: Floats, counts: Array, total: float) -> float:
    """The mean score of a class, rounded once."""
    return float(exact_total(scores, counts) / Fraction(total))
