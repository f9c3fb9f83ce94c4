"""The words on pictures: axis titles in two dialects, legend entries, captions."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias

from rocwise import checks, printing

if TYPE_CHECKING:
    from rocwise.binary.auc import Auc

AxisWords: TypeAlias = Literal["ml", "clinical"]
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

TIES_SENTENCE = "Diagonals are tied scores; a tied pair counts one half."


def rate_word(rate: str, axis: AxisWords) -> str:
    """Return the axis title of a rate: `axis` is "ml" or "clinical".

    Examples
    --------
    >>> rate_word("tpr", "clinical")
    'Sensitivity'
    """
    return RATE_WORDS[checks.one_of(axis, "axis", tuple(RATE_WORDS))][rate]


def same_words(one: str, other: str) -> bool:
    """Say whether two axis titles mean the same rate, be it in the words of different fields.

    Examples
    --------
    >>> same_words("Sensitivity", "True positive rate"), same_words("Sensitivity", "Precision")
    (True, False)
    """
    if one == other:
        return True
    meant = (
        {rate for words in RATE_WORDS.values() for rate, word in words.items() if word == title}
        for title in (one, other)
    )
    return bool(set.intersection(*meant))


def entry(name: str | None, measure: str) -> str:
    """Return a legend entry: the name (if any), then the measure.

    Examples
    --------
    >>> entry("gbm", "AUC 0.911"), entry(None, "AUC 0.911")
    ('gbm, AUC 0.911', 'AUC 0.911')
    """
    return f"{name}, {measure}" if name else measure


def true_minus(words: str) -> str:
    """Return words with a minus sign in place of the hyphen before a number.

    Examples
    --------
    >>> true_minus("0.033 (-0.079 to 0.145), one-sided")
    '0.033 (−0.079 to 0.145), one-sided'
    """
    return re.sub(r"(?<![\w.])-(?=[\d.])", "−", words)


SURNAMES: Final = {
    "wilson": "Wilson",
    "delong": "DeLong",
    "clopper": "Clopper",
    "pearson": "Pearson",
    "hotelling": "Hotelling",
    "working-Hotelling": "Working-Hotelling",
}


def with_capitals(words: str) -> str:
    """Return the name of a method with the names of people in it as these write them.

    Examples
    --------
    >>> with_capitals("two-sided, delong"), with_capitals("working-hotelling")
    ('two-sided, DeLong', 'Working-Hotelling')
    """
    for plain, name in SURNAMES.items():
        words = re.sub(rf"\b{plain}\b", name, words)
    return words


def area_kind(auc: Auc) -> str:
    """Return what the area is: `AUC`, or `Partial AUC over FPR 0 to 0.1`."""
    if auc.part.is_whole:
        return "AUC"
    kind = f"artial AUC over {auc.part}"
    return f"Standardised p{kind}" if auc.standardized else f"P{kind}"


def area_words(auc: Auc, value: float) -> str:
    """Return a value on the scale of an area, with as many digits as the data support."""
    digits = 3 if auc.n_pos + auc.n_neg >= 100 else 2
    # A raw partial area is small, so that it needs a digit more to say as much.
    raw_part = not (auc.part.is_whole or auc.standardized)
    return f"{value:.{digits + raw_part}f}"


def interval_words(auc: Auc) -> str:
    """Return `0.630 to 0.833`."""
    return f"{area_words(auc, auc.interval.low)} to {area_words(auc, auc.interval.high)}"


def auc_words(auc: Auc) -> str:
    """Return `AUC 0.731 (95 % CI 0.630 to 0.833)`."""
    level = printing.percent(auc.interval.level)
    return f"AUC {area_words(auc, auc.value)} ({level} CI {interval_words(auc)})"


def name_of(result: Any, name: str | None) -> str | None:
    """Return the name the user gave, else the one the data came with."""
    return result.origin.name if name is None else name
