"""Words of plots: titles of rates, legend entries, areas with their intervals."""

import math
import re
from typing import TYPE_CHECKING, Any, Final

from rocwise import checks, printing
from rocwise.plotting.spec import AxisWords, Name

if TYPE_CHECKING:
    from rocwise.binary.auc import Auc

RATE_WORDS: Final = {
    "ml": {
        "fpr": "False positive rate",
        "tpr": "True positive rate",
        "fnr": "False negative rate",
        "precision": "Precision",
        "recall": "Recall",
    },
    "clinical": {
        "fpr": "1 − specificity",
        "tpr": "Sensitivity",
        "fnr": "1 − sensitivity",
        "precision": "Positive predictive value",
        "recall": "Sensitivity",
    },
}


def rate_word(rate: str, axis: AxisWords) -> str:
    """The axis title of a rate: `axis` is "ml" or "clinical"."""
    return RATE_WORDS[checks.one_of(axis, "axis", tuple(RATE_WORDS))][rate]


def same_rate(one: str, other: str) -> bool:
    """Whether two axis titles mean the same rate."""
    pairs = zip(*(titles.values() for titles in RATE_WORDS.values()), strict=True)
    return one == other or any({one, other} == set(titles) for titles in pairs)


def entry(name: Name, measure: str) -> str:
    """A legend entry: the name (if any), then the measure."""
    return f"{name}, {measure}" if name else measure


def name_of(result: Any, name: Name) -> str | None:
    """The name given by the user, else that of the data."""
    return result.origin.name if name is None else name


def entry_of(result: Any, name: Name, measure: str) -> str:
    """A legend entry with the name given by the user, else that of the data."""
    return entry(name_of(result, name), measure)


def of(name: Name) -> str:
    """' of NAME', or nothing."""
    return "" if name is None else f" of {name}"


def capital(text: str) -> str:
    """The text with a capital first letter."""
    return text[:1].upper() + text[1:]


def true_minus(text: str) -> str:
    """The text with a minus sign in place of the hyphen before a number."""
    return re.sub(r"(?<![\w.])-(?=[\d.]|inf)|(?<=\de)-(?=\d)", "−", text)


def decision(point: Any) -> str:
    """`≥ 0.3`: which scores are positive at the threshold of a point."""
    if not math.isfinite(point.threshold):
        return str(point.threshold_text)
    return f"{'≤' if point.origin.direction == 'lower' else '≥'} {true_minus(point.threshold_text)}"


def area_kind(auc: "Auc", axis: AxisWords = "ml") -> str:
    """`AUC`, or `Partial AUC over FPR 0 to 0.1`; with clinical axes `specificity 0.9 to 1`."""
    part = auc.part
    if part.is_whole:
        return "AUC"
    clinical = f"sensitivity {part.low:g} to {part.high:g}"
    if part.axis == "fpr":
        clinical = f"specificity {1 - part.high:.10g} to {1 - part.low:.10g}"
    kind = f"artial AUC over {part if axis == 'ml' else clinical}"
    return f"Standardized p{kind}" if auc.standardized else f"P{kind}"


def area_words(auc: "Auc", value: float) -> str:
    """A value on the scale of an area, with as many digits as the data support."""
    digits = 3 if auc.n_pos + auc.n_neg >= 100 else 2
    raw_part = not (auc.part.is_whole or auc.standardized)  # small: one digit more
    return f"{value:.{digits + raw_part}f}"


def interval_words(auc: "Auc") -> str:
    """`0.630 to 0.833`."""
    return f"{area_words(auc, auc.interval.low)} to {area_words(auc, auc.interval.high)}"


def auc_words(auc: "Auc") -> str:
    """`AUC 0.731 (95% CI 0.630 to 0.833)`."""
    level = printing.percent(auc.interval.level)
    return f"AUC {area_words(auc, auc.value)} ({level} CI {interval_words(auc)})"
