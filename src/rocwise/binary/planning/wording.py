"""The sentences of planned studies."""

from __future__ import annotations

from rocwise import printing
from rocwise.binary.planning.designs import Design

FORMULA_NAMES = {
    "obuchowski": "Obuchowski's variance",
    "hanley-mcneil": "Hanley and McNeil's variance",
    "binormal": "Obuchowski and McClish's variance",
    "delong": "DeLong's test of normal scores",
}
ROUGH_BELOW = 10
"""Cases in a class below which the normal approximation is not to be trusted."""


def cases_words(n_pos: int, n_neg: int, design: Design) -> str:
    """``85 positives, 170 negatives``, and whether two groups of that size are needed."""
    sizes = printing.classes(n_pos, n_neg)
    return f"{sizes} {groups_words(design)}".rstrip()


def groups_words(design: Design) -> str:
    """Who the cases are, where it is not plain: ``in each of two groups``."""
    if design.second is None:
        return ""
    return "in each of two groups" if design.correlation is None else "with both scores"


def difference_words(design: Design) -> str:
    """``AUC 0.8 from 0.7``, or the two AUCs and the difference if that was set by itself."""
    other = design.null if design.second is None else design.second.auc
    words = f"AUC {design.first.auc:.4g} from {other:.4g}"
    if design.second is None or design.difference == design.first.auc - other:
        return words
    return f"{words} if they differ by {design.difference:.4g}"


def significance_words(alpha: float, sides: int) -> str:
    """``two-sided at 5 %``."""
    return f"{'two' if sides == 2 else 'one'}-sided at {100 * alpha:.3g} %"


def formula_words(design: Design) -> str:
    """Which variance, and for paired designs how correlated."""
    if design.pilot is not None:
        sizes = printing.classes(design.pilot.n_pos, design.pilot.n_neg)
        agree = "" if design.correlation is None else f", correlation {design.correlation:.2f}"
        return f"DeLong's variance of a pilot with {sizes}{agree}"
    words = FORMULA_NAMES[design.variance]
    if isinstance(design.correlation, tuple):
        negatives, positives = design.correlation
        return f"{words}, score correlations {negatives:g} and {positives:g}"
    if design.correlation is not None:
        return f"{words}, correlation {design.correlation:g}"
    return words
