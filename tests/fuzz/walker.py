"""Calls with one spoiled argument, and what came of them."""

import contextlib
import dataclasses
import inspect
import math
import random
import re
import signal
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

import rocwise as rw
from fuzz.calls import Target, follower, methods_of, result_methods, targets
from fuzz.reasons import reason_for
from fuzz.values import VALUES, has_use, short

PATIENCE = 10.0  # seconds for one call
# What help calls the same: `data` are y_true in the first place, `other` the scores of several
# models; errors name columns as columns, and the first wrong row of data.
OTHER_NAMES = {
    "data": ("y_true", "time"),
    "y_score": ("scores",),
    "time": ("event",),
    "times": ("t",),
    "margin": ("difference",),
    "covariates": ("covariate", "column"),
    **dict.fromkeys(("case", "lesion", "lesions", "weights", "reader", "modality"), ("column",)),
    "random_state": ("seed",),
    # the error for one of them alone names the other, or what excludes it
    "initial_mean": ("initial_covariance", "transition"),
    # the other class as the positive one: what was requested cannot be kept
    "pos_label": ("positive", "alpha"),
    **dict.fromkeys(
        ("process_noise", "observation_noise", "alpha", "beta", "step"), ("state", "covariance")
    ),
    **dict.fromkeys(
        ("at_specificity", "at_sensitivity", "max_fpr", "tpr_range", "fpr_range"), ("method",)
    ),
    "folds": ("method",),
    **dict.fromkeys(("auc", "other"), ("power", "scores", "second")),
    "resolution": ("threshold",),
    "part": ("statistic",),
    **dict.fromkeys(("label", "score"), ("column", "columns", "scores")),
    **dict.fromkeys(("groups", "sample_weight", "by"), ("column",)),
    "scores": ("column", "score", "y_score", "y_pred"),  # of the one model that is requested about
}
GOOD = {"error with the name", "result"}


@dataclass(frozen=True)
class Case:
    """One call: the target, which parameter is spoiled, and by which value."""

    target: Target
    parameter: str
    value: str

    @property
    def key(self) -> str:
        passed = self.target.working
        method = passed.get("method") or passed.get("kind") or passed.get("task") or ""
        return f"{self.target.name}({method}).{self.parameter}={self.value}"


@dataclass(frozen=True)
class Outcome:
    """What came of a case: its kind, and the sentence or result in short."""

    key: str
    kind: str
    detail: str


class TooLong(BaseException):
    """A call that did not come back in time."""


def cases(seed: int = 0, fraction: float = 1.0) -> list[Case]:
    """All cases, or a proportion of them drawn with a seed, in an order drawn with it too."""
    every = [
        Case(target, parameter, value)
        for target in all_targets()
        for parameter in target.parameters
        for value in VALUES
    ]
    drawn = random.Random(seed)
    drawn.shuffle(every)
    return every[: math.ceil(fraction * len(every))]


def all_targets() -> list[Target]:
    """Public names, and methods of the results that they give; each method once."""
    found = targets()
    of_results = [each for target in found for each in result_methods(target)]
    methods = {each.name: each for each in (*of_results, *methods_of(follower()))}
    return [*found, *methods.values()]


def run(case: Case) -> Outcome:
    """The outcome of the call."""
    arguments = dict(case.target.working)
    arguments[case.parameter] = VALUES[case.value]()
    try:
        with _within(PATIENCE), warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            result = case.target.call(**arguments)
    except rw.InputError as raised:
        words = "|".join((re.escape(case.parameter), *OTHER_NAMES.get(case.parameter, ())))
        named = re.search(rf"\b({words})\b", str(raised))
        kind = "error with the name" if named else "error without the name"
        return Outcome(case.key, kind, short(raised, 200))
    except TooLong:
        return Outcome(case.key, "long", "")
    except Exception as error:
        if isinstance(error, ImportError):
            raise
        if case.value == "function" and "_takes_nothing" in str(error):
            return Outcome(case.key, "result", "the user's own function was called, and failed")
        return Outcome(case.key, "foreign error", f"{type(error).__name__}: {short(error, 200)}")
    foreign = [w for w in caught if not issubclass(w.category, rw.RocwiseWarning)]
    if foreign:
        return Outcome(case.key, "leaked warning", short(foreign[0].message, 200))
    return _judged(case, result)


def _judged(case: Case, result: Any) -> Outcome:
    if not finite(result):
        return Outcome(case.key, "nan", short(result))
    parameter = case.target.parameters[case.parameter]
    allowed = has_use(case.value, parameter.annotation, parameter.default)
    if allowed or reason_for(case.target.name, case.parameter, case.value):
        return Outcome(case.key, "result", "")
    return Outcome(case.key, "swallowed", short(result))


def finite(result: Any) -> bool:
    """Whether no number in a result is nan; infinities are thresholds beyond all scores."""
    return not any(_is_nan(value) for value in numbers_in(result))


def numbers_in(result: Any, depth: int = 0) -> Iterator[Any]:
    if depth > 6 or isinstance(result, (str, bytes)):
        return
    if isinstance(result, np.ndarray):
        yield from (result.ravel() if result.dtype.kind in "fc" else ())
    elif isinstance(result, (float, np.floating, complex)):
        yield result
    elif isinstance(result, dict):
        for value in result.values():
            yield from numbers_in(value, depth + 1)
    elif isinstance(result, (list, tuple)):
        for value in result:
            yield from numbers_in(value, depth + 1)
    elif dataclasses.is_dataclass(result) and not inspect.isclass(result):
        for item in dataclasses.fields(result):
            if item.name not in MAY_BE_NAN.get(type(result).__name__, ()):
                yield from numbers_in(getattr(result, item.name), depth + 1)


MAY_BE_NAN: dict[str, set[str]] = {
    "BoundContours": {"fpr", "tpr"},  # nan parts the two pieces of a line
    "MulticlassAuc": {"pairwise", "directed"},  # the diagonal: a class and itself
    "ThresholdTable": {"ppv", "npv", "f1", "mcc", "lr_positive", "lr_negative", "g_mean"},
    "PointsTable": {"ppv", "npv", "f1", "lr_positive", "lr_negative"},
}
"""Fields of results in which nan is the documented word for "undefined here"."""


def _is_nan(value: Any) -> bool:
    return bool(value != value)


@contextlib.contextmanager
def _within(seconds: float) -> Iterator[None]:
    def stop(*_: object) -> None:
        raise TooLong

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
