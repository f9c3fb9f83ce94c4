"""Python lines that apply a decision rule to an array of scores."""

import math
import re
from collections.abc import Sequence
from typing import Any

from rocwise.cli import terminal

DRAW = "draw = np.random.default_rng(1).random(len(score))  # mixes at random, seeded"
LAST = "decision = np.where(positive, 1, np.where(negative, 0, -1))  # -1: no decision"


def window_lines(window: Any) -> list[str]:
    """Lines that decide like an abstention window."""
    # nothing lies beyond infinity, not even an infinite score
    named = bool(window.origin.categories)
    upper = number(window.upper, None if named else window.upper_text)
    lower = number(window.lower, None if named else window.lower_text)
    high = f"score {'>=' if window.upper < math.inf else '>'} {upper}"
    low = f"score {'<=' if window.lower > -math.inf else '<'} {lower}"
    positive, negative = (high, low) if window.origin.direction == "higher" else (low, high)
    return ["import numpy as np", f"positive = {positive}", f"negative = {negative}", LAST]


def reliable_lines(rule: Any) -> list[str]:
    """Lines that decide like a reliable rule, at random (seeded) where it mixes thresholds."""
    high, low = (">=", "<=") if rule.origin.direction == "higher" else ("<=", ">=")
    texts = ((None, None), (None, None)) if rule.origin.categories else rule.texts
    certain, mixed = map(number, rule.thresholds_of_positives(), texts[0])
    left, right = map(number, rule.thresholds_of_negatives(), texts[1])
    never_positive, never_negative = rule.beyond_scores()
    positive = [] if never_positive else [f"(score {high} {certain})"]
    negative = [] if never_negative else [f"(score {low} {right})"]
    if rule.mixing[0] > 0:
        positive.append(f"(score {high} {mixed}) & (draw < {rule.mixing[0]:.12g})")
    if rule.mixing[1] > 0:
        negative.append(f"(score {low} {left}) & (draw >= {rule.mixing[1]:.12g})")
    none = "np.zeros(len(score), dtype=bool)"
    negatives = " | ".join(negative) or none if rule.case == 3 else "~positive"
    return [
        "import numpy as np",
        *([DRAW] if max(rule.mixing) > 0 else []),
        f"positive = {' | '.join(positive) or none}",
        f"negative = {negatives}",
        LAST,
    ]


def number(value: float, text: str | None = None) -> str:
    """The number as Python reads it: the printed text, or all digits."""
    if math.isinf(value):
        return "np.inf" if value > 0 else "-np.inf"
    return repr(float(value)) if text is None else text


def indented(lines: Sequence[str], title: str = "In production, with `score` an array:") -> str:
    """The lines under a heading; long ones go on after a comma."""
    return "\n".join([title, *(f"  {part}" for line in lines for part in _broken(line))])


def _broken(line: str) -> list[str]:
    """A line, or a comment, in lines that fit, broken after commas between arguments."""
    most, sign = terminal.width() - 2, "# " if line.startswith("# ") else ""
    first, *pieces = re.split("(?<=,) ", line)  # all commas are in brackets
    lines = [first]
    for piece in pieces:
        if len(lines[-1]) + 1 + len(piece) > most:
            lines.append(f"{sign}    {piece}")
        else:
            lines[-1] += f" {piece}"
    return lines
