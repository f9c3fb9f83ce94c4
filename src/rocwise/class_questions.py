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
from rocwise.front_doors import door_and_home, opened, signature_with
from rocwise.primitives.class_rows import ClassRows

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

    ask.__signature__ = _signature(answer, ask)  # type: ignore[attr-defined]
    return ask


def _signature(answer: Callable[..., Any], ask: Callable[..., Any]) -> inspect.Signature:
    """Of the door, the data come first and its own options last."""
    door = inspect.signature(ask, follow_wrapped=False).parameters.values()
    data = [each for each in door if each.kind is each.POSITIONAL_OR_KEYWORD]
    return signature_with(answer, data, [each for each in door if each.kind is each.KEYWORD_ONLY])


if TYPE_CHECKING:  # the same doors as below, for type checkers
    from rocwise.multiclass.areas import averages, hypervolumes, model_comparisons, one_vs_rest
    from rocwise.multiclass.operating_points import (
        class_trees,
        cost_uncertainty,
        rule_costs,
        weights,
    )

    class_cost = takes_confidences(rule_costs.class_cost)
    class_weights = takes_confidences(weights.class_weights)
    class_weights_under = takes_confidences(cost_uncertainty.class_weights_under)
    metaclass = takes_confidences(class_trees.metaclass)
    multiclass_auc = takes_scores(averages.multiclass_auc)
    multiclass_roc = takes_scores(one_vs_rest.multiclass_roc)
    hum = takes_confidences(hypervolumes.hum)
    compare_multiclass = takes_models(model_comparisons.compare_multiclass)

_DOORS: dict[str, dict[str, str]] = {
    "takes_confidences": {
        "operating_points.cost_uncertainty": "class_weights_under",
        "areas.hypervolumes": "hum",
        "operating_points.rule_costs": "class_cost",
        "operating_points.class_trees": "metaclass",
        "operating_points.weights": "class_weights",
    },
    "takes_scores": {
        "areas.averages": "multiclass_auc",
        "areas.one_vs_rest": "multiclass_roc",
    },
    "takes_models": {
        "areas.model_comparisons": "compare_multiclass",
    },
}
_DOOR_AND_HOME = door_and_home(_DOORS)


def __getattr__(name: str) -> Any:
    """Build the door of a question when it is first asked, and load its analysis only then."""
    return opened(name, _DOOR_AND_HOME, globals(), "rocwise.multiclass")
