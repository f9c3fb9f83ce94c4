"""Rules with two thresholds in words that decide the same cases as the numbers."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from rocwise import printing
from rocwise.arrays import Floats
from rocwise.data.tally import Tally
from rocwise.errors import InputError, count_of, shown
from rocwise.results import Origin

POSITIVE, NEGATIVE, UNDECIDED = 1, 0, -1


def decision_rule(positive: str | None, negative: str | None, *, every: bool) -> str:
    """The rule in words, from when to call which class; None for never.

    `every` says that all cases are decided, so that one condition is enough.

    >>> decision_rule("if score >= 0.7", "if score <= 0.4", every=False)
    'positive if score >= 0.7, negative if score <= 0.4, otherwise no decision'
    """
    if every:
        if positive is None or negative is None:
            return f"always {'negative' if positive is None else 'positive'}"
        return f"positive {positive}, otherwise negative"
    if positive is None and negative is None:
        return "no decision on any case"
    parts = ["never positive" if positive is None else f"positive {positive}"]
    parts.append("never negative" if negative is None else f"negative {negative}")
    return ", ".join([*parts, "otherwise no decision"])


def condition(
    origin: Origin, side: int, sure: str | None, partly: str | None = None, share: float = 0.0
) -> str | None:
    """When to call a class: surely from one threshold on, and a share of the cases from another.

    >>> condition(Origin(), POSITIVE, "0.7", "0.6", 0.25)
    'if score >= 0.7 (and 25 % of those >= 0.6)'
    """
    sign = ">=" if (side == POSITIVE) == (origin.direction == "higher") else "<="
    if share == 0 or partly is None:
        return None if sure is None else f"if score {sign} {sure}"
    percent = f"{100 * share:.3g} %"
    if sure is None:
        return f"for {percent} of scores {sign} {partly}"
    return f"if score {sign} {sure} (and {percent} of those {sign} {partly})"


def mid_gap_texts(data: Tally, alarms: tuple[int, int], middle: tuple[float, float]) -> list[Any]:
    """Texts of mid-gap thresholds of the positive and the negative side; None beyond all scores.

    A threshold is written with four digits, and more where its gap is narrow.
    """
    texts: list[str | None] = []
    for place, value, side in zip(alarms, middle, (POSITIVE, NEGATIVE), strict=True):
        if place == (0 if side == POSITIVE else len(data)):
            texts.append(None)
        elif data.origin.categories:
            texts.append(data.origin.categories[int(data.scores[place - side])])
        elif place in (0, len(data)):
            texts.append(f"{value:g}")
        else:
            kind = data.scores.dtype if data.scores.dtype.kind == "f" else np.float64
            one, other = data.scores[place - 1 : place + 1].tolist()
            texts.append(printing.rounded_inside(value, one, other, kind))
    return texts


def score_text(data: Tally, place: int, side: int) -> str:
    """The score at `place` in the fewest digits that decide like it, on the side given."""
    scores, origin = data.scores, data.origin
    if origin.categories:
        return origin.categories[int(scores[place])]
    if side == POSITIVE:
        return data.threshold_text(place)
    higher = data.direction == "higher"
    beyond = np.inf if higher else -np.inf
    return printing.rounded_threshold(
        scores[place].item(),
        scores[place - 1].item() if place else beyond,
        direction="lower" if higher else "higher",
        dtype=scores.dtype if scores.dtype.kind == "f" else np.float64,
    )


def _as_numbers(y_score: Any) -> Floats | None:
    try:
        scores = np.asarray(y_score)
    except (TypeError, ValueError, RecursionError):
        return None
    return scores.astype(np.float64) if scores.dtype.kind in "iuf" and scores.ndim <= 2 else None


def new_scores(y_score: ArrayLike) -> Floats:
    """Scores to decide on, which must be numbers."""
    scores = _as_numbers(y_score)
    if scores is None:
        raise InputError(f"`y_score` must hold numbers; got {shown(y_score, 60)}.")
    missing = np.flatnonzero(np.isnan(scores.ravel()))
    if len(missing):
        raise InputError(
            f"`y_score` has {count_of(len(missing), 'missing value')} (first at row {missing[0]}); "
            "no decision was made."
        )
    return scores
