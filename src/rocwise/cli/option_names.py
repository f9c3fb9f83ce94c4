"""The library's sentences in the words of the command line, safe to print.

The library names Python arguments and says "Pass missing='drop'"; at a shell the argument is an
option, `--missing drop`, and the data are columns of a file.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

FLAGS = {
    "alpha": "--alpha",
    "alternative": "--alternative",
    "at_sensitivity": "--at-sensitivity",
    "at_specificity": "--at-specificity",
    "auc": "--auc",
    "average": "--average",
    "bandwidth": "--bandwidth",
    "beta": "--beta",
    "block": "--block",
    "classes": "--classes",
    "constraint": "--constraint",
    "correlation": "--correlation",
    "costs": "--cost-fp and --cost-fn",
    "costs.abstain": "--cost-abstain",
    "costs.fn": "--cost-fn",
    "costs.fp": "--cost-fp",
    "costs.tn": "--cost-tn",
    "costs.tp": "--cost-tp",
    "decimals": "--decimals",
    "delta": "--delta",
    "direction": "--direction",
    "fpr": "--fpr",
    "fpr_range": "--fpr-range",
    "frame_or_path": "FILE",
    "future": "--future",
    "groups": "--group",
    "horizon": "--horizon",
    "ignore_absent": "--ignore-absent",
    "joint": "--joint",
    "kind": "--kind",
    "ks": "--ks",
    "level": "--level",
    "loss": "--loss",
    "m": "--m",
    "margin": "--margin",
    "max_abstention": "--max-abstention",
    "max_cost": "--max-cost",
    "max_fpr": "--max-fpr",
    "measure": "--measure",
    "method": "--method",
    "metric": "--metric",
    "midpoint": "--midpoint",
    "missing": "--missing",
    "n_neg": "--n-neg",
    "n_pos": "--n-pos",
    "n_resamples": "--resamples",
    "negative": "--negative",
    "null": "--null",
    "other": "--other",
    "path": "--plot",
    "per": "--per",
    "policy": "--policy",
    "pos_label": "--pos-label",
    "positive": "--positive",
    "power": "--power",
    "predictions": "--prediction",
    "prevalence": "--prevalence",
    "rate": "--guarantee",
    "ratio": "--ratio",
    "rescale": "--rescale",
    "rng": "--seed",
    "rows": "--rows",
    "rule": "--rule",
    "severity": "--severity",
    "sides": "--sides",
    "skew": "--skew",
    "slope": "--slope",
    "standardize": "--standardize",
    "stratified": "--stratified",
    "thresholds": "--grid",
    "ties": "--ties",
    "tolerance": "--tolerance",
    "tpr": "--tpr",
    "tpr_range": "--tpr-range",
    "up_to": "--up-to",
    "y_train": "--train",
}
_NAMES = "|".join(re.escape(name) for name in FLAGS)
_IN_TICKS = re.compile(rf"`({_NAMES})`")
_ASSIGNED = re.compile(rf"\b({_NAMES})=('[^']*'|\"[^\"]*\"|True\b|[-+.\w]*\w)?")
LONGEST = 600


def shell_words(sentence: str, columns: Mapping[str, str] | None = None) -> str:
    """A sentence of the library as the shell user should read it.

    Parameters
    ----------
    sentence
        What the library says.
    columns
        For names of arguments, the columns of the file that were passed as these.

    Examples
    --------
    >>> shell_words("`y_true` has 1 missing value. Pass missing='drop'.", {"y_true": "ill"})
    "column 'ill' has 1 missing value. Pass --missing drop."
    """
    for argument, column in (columns or {}).items():
        sentence = sentence.replace(f"`{argument}`", f"column {column!r}")
    sentence = _ASSIGNED.sub(lambda found: _option(found[1], found[2]), sentence)
    return _IN_TICKS.sub(lambda found: FLAGS[found[1]], sentence)


def _option(name: str, value: str | None) -> str:
    if value is None or value == "True":
        return FLAGS[name]
    from shlex import quote

    quoted = value[0] in "'\""
    return f"{FLAGS[name]} {quote(value[1:-1] if quoted else value)}"


def printable(text: str) -> str:
    r"""The text on one line, control characters spelt out, cut when it would fill the screen.

    A file's column names may hold anything, also codes that steer a terminal.

    >>> print(printable("a\x1b[31m\tb"))
    a\x1b[31m\tb
    """
    if not text.isprintable():
        text = "".join(sign if sign.isprintable() else ascii(sign)[1:-1] for sign in text)
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 4]} ..."
