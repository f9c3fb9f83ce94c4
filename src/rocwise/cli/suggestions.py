"""What was probably meant by options that a command does not have."""

import os
import re
from collections.abc import Collection, Sequence

from rocwise.errors import nearest

# Names in other programs, with the options that they may mean, of which commands have some.
SYNONYMS = {
    ("labels", "l", "y", "y-true", "truth", "outcome", "target"): ("--label", "--target"),
    ("scores", "s", "y-score", "y-pred", "pred", "preds", "prob", "probs", "proba", "marker"): (
        "--score",
        "--prediction",
    ),
    ("predictions", "prediction", "model", "models"): ("--prediction", "--score"),
    ("positive", "pos", "positive-label"): ("--pos-label",),
    ("alpha",): ("--level (1 - alpha)",),
    ("ci", "conf", "conf-level", "confidence", "confidence-level"): ("--level",),
    ("cutoff", "cut-off", "cutpoint", "thresh"): ("--threshold", "--rule"),
    ("fail-below", "fail-under", "fail-if", "min-auc", "assert", "check"): ("--require",),
    ("cost", "costs"): ("--costs", "--cost-fp and --cost-fn"),
    ("random-state", "random-seed", "rng"): ("--seed",),
    ("n-boot", "boot-n", "bootstrap", "n-resamples", "iterations"): ("--resamples",),
    ("weights", "sample-weight"): ("--weight",),
    ("groups", "cluster", "clusters", "subject", "patient"): ("--group",),
    ("subgroup", "stratify", "strata", "group-by"): ("--by",),
    ("o", "out", "output", "save", "figure"): ("--output", "--plot"),
    ("delimiter", "separator", "delim"): ("--sep",),
    ("dropna", "drop-na", "na-rm"): ("--missing drop",),
}
MEANINGS = {name: options for names, options in SYNONYMS.items() for name in names}
CUTOFF = 0.7  # similarity that a suggestion needs


def suggestion(message: str, typed: Sequence[str], known: Collection[str]) -> str:
    """A hint for a message of argparse; empty where nothing is near."""
    wrong = re.search(r"invalid choice: '([^']*)' \(choose from (.*)\)", message)
    if wrong is not None:
        near = nearest(wrong[1], re.findall(r"[^\s',]+", wrong[2]))
        return f"; did you mean {near}?" if near else ""
    options = [word.partition("=")[0] for word in typed if re.match(r"--?[a-zA-Z]", word)]
    for unknown in (option for option in options if option not in known):
        if near := _meant(unknown, known):
            return f"; {unknown}: did you mean {near}?"
    if not message.startswith("unrecognized arguments") or not set(options) <= set(known):
        return ""
    if any(os.path.isfile(word) for word in message.split()):
        return "; one file at a time: a pattern such as 'part-*.csv' reads several"
    if "--score" in typed or "--prediction" in typed:
        return "; an option takes one value: repeat it for several, as in --score a --score b"
    return ""


def _meant(unknown: str, known: Collection[str]) -> str | None:
    """The option that was meant by another name, or misspelt."""
    others = MEANINGS.get(unknown.strip("-").replace("_", "-"))
    if others is not None:
        return next((other for other in others if other.split()[0] in known), None)
    near: str | None = nearest(unknown, known, cutoff=CUTOFF)
    return near
