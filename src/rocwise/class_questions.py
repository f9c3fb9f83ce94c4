"""The front desk of questions about several classes: labels 0..m-1 and one score per class.

The analyses in `rocwise.multiclass` know `ClassRows` only; here each is given a front door that
turns what the user has into them.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec, Protocol, TypeVar

from rocwise import inputs
from rocwise.class_rows import ClassRows

P = ParamSpec("P")
R = TypeVar("R", covariant=True)


class ClassQuestion(Protocol[R]):
    """A function of rows of several classes that takes the data they are made from."""

    def __call__(self, y_true: Any, y_score: Any, **options: Any) -> R:
        """Ask it."""


def takes_confidences(analysis: Callable[Concatenate[ClassRows, P], R]) -> ClassQuestion[R]:
    """A front door for scores that are finite and at least 0, such as probabilities."""
    return _opened(analysis, confidences=True)


def takes_scores(analysis: Callable[Concatenate[ClassRows, P], R]) -> ClassQuestion[R]:
    """A front door for scores on any scale."""
    return _opened(analysis, confidences=False)


def _opened(
    analysis: Callable[Concatenate[ClassRows, P], R], confidences: bool
) -> ClassQuestion[R]:
    answer: Callable[..., Any] = analysis

    @functools.wraps(analysis)
    def ask(
        y_true: Any,
        y_score: Any,
        *,
        sample_weight: Any = None,
        missing: str = "raise",
        **options: Any,
    ) -> Any:
        rows = inputs.class_rows(
            y_true, y_score, sample_weight=sample_weight, missing=missing, confidences=confidences
        )
        return answer(rows, **options)

    ask.__signature__ = _signature(answer, ask)  # type: ignore[attr-defined]
    return ask


class ModelQuestion(Protocol[R]):
    """A function of several models of the same rows that takes the data they are made from."""

    def __call__(self, y_true: Any, scores: Any, **options: Any) -> R:
        """Ask it."""


def takes_models(
    analysis: Callable[Concatenate[dict[str, ClassRows], P], R],
) -> ModelQuestion[R]:
    """A front door for labels and the tables of scores of several models by name."""
    answer: Callable[..., Any] = analysis

    @functools.wraps(analysis)
    def ask(y_true: Any, scores: Any, *, missing: str = "raise", **options: Any) -> Any:
        return answer(inputs.model_rows(y_true, scores, missing=missing), **options)

    described = inspect.signature(answer)
    _, *kept = described.parameters.values()
    door = inspect.signature(ask, follow_wrapped=False).parameters
    data = [door["y_true"], door["scores"]]
    ask.__signature__ = described.replace(  # type: ignore[attr-defined]
        parameters=[*data, *kept, door["missing"]]
    )
    return ask


def _signature(answer: Callable[..., Any], ask: Callable[..., Any]) -> inspect.Signature:
    """What help shows: the data, the options of the analysis, then those about the data."""
    described = inspect.signature(answer)
    _, *options = described.parameters.values()
    door = inspect.signature(ask, follow_wrapped=False).parameters
    own = [door["sample_weight"], door["missing"]]
    return described.replace(parameters=[door["y_true"], door["y_score"], *options, *own])


if TYPE_CHECKING:  # the same doors as below, for type checkers
    from rocwise.multiclass import (
        averages,
        cost_uncertainty,
        hypervolumes,
        model_comparisons,
        one_vs_rest_curves,
        rule_costs,
        trees,
        weights,
    )

    class_cost = takes_confidences(rule_costs.class_cost)
    class_weights = takes_confidences(weights.class_weights)
    class_weights_under = takes_confidences(cost_uncertainty.class_weights_under)
    metaclass = takes_confidences(trees.metaclass)
    multiclass_auc = takes_scores(averages.multiclass_auc)
    multiclass_roc = takes_scores(one_vs_rest_curves.multiclass_roc)
    hum = takes_confidences(hypervolumes.hum)
    compare_multiclass = takes_models(model_comparisons.compare_multiclass)

_DOORS: dict[str, dict[str, str]] = {
    "takes_confidences": {
        "cost_uncertainty": "class_weights_under",
        "hypervolumes": "hum",
        "rule_costs": "class_cost",
        "trees": "metaclass",
        "weights": "class_weights",
    },
    "takes_scores": {
        "averages": "multiclass_auc",
        "one_vs_rest_curves": "multiclass_roc",
    },
    "takes_models": {
        "model_comparisons": "compare_multiclass",
    },
}
_DOOR_AND_HOME = {
    name: (door, home)
    for door, homes in _DOORS.items()
    for home, names in homes.items()
    for name in names.split()
}


def __getattr__(name: str) -> Any:
    """Build the door of a question when it is first asked, and load its analysis only then."""
    if name not in _DOOR_AND_HOME:
        raise AttributeError(f"module 'rocwise.class_questions' has no attribute {name!r}")
    from importlib import import_module

    door, home = _DOOR_AND_HOME[name]
    answer = globals()[door](getattr(import_module(f"rocwise.multiclass.{home}"), name))
    globals()[name] = answer
    return answer
