"""The front desk of questions about ordered classes: labels with an order, one score per ranker.

The analyses in `rocwise.ordinal` know rankings only; here each is given a front door that turns
what the user has into them.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec, Protocol, TypeVar

from rocwise.errors import InputError
from rocwise.front_doors import door_and_home, opened, signature_with
from rocwise.inputs.ordered_classes import OrderedRows, ordered_rows

if TYPE_CHECKING:
    from rocwise.primitives.rankings import Ranking

P = ParamSpec("P")
R = TypeVar("R", covariant=True)
DATA_OPTIONS = ("classes", "decimals", "direction", "missing")


class OrdinalQuestion(Protocol[R]):
    """A function of a ranking that takes the data it is made from."""

    def __call__(self, y_true: Any, y_score: Any, **options: Any) -> R:
        """Ask it."""


class RankerQuestion(Protocol[R]):
    """A function of several rankings that takes the data they are made from."""

    def __call__(self, y_true: Any, scores: Any, **options: Any) -> R:
        """Ask it."""


def takes_ranking(analysis: Callable[Concatenate[Ranking, P], R]) -> OrdinalQuestion[R]:
    """A front door for labels and one score."""
    answer: Callable[..., Any] = analysis

    @functools.wraps(analysis)
    def ask(y_true: Any, y_score: Any, **options: Any) -> Any:
        described = {name: options.pop(name) for name in DATA_OPTIONS if name in options}
        rows = ordered_rows(y_true, {"score": y_score}, arguments={"score": "y_score"}, **described)
        return answer(_rankings(rows)["score"], **options)

    ask.__signature__ = _signature(answer, "y_score")  # type: ignore[attr-defined]
    return ask


def takes_rankers(
    analysis: Callable[Concatenate[dict[str, Ranking], P], R],
) -> RankerQuestion[R]:
    """A front door for labels and the scores of several rankers by name."""
    answer: Callable[..., Any] = analysis

    @functools.wraps(analysis)
    def ask(y_true: Any, scores: Any, **options: Any) -> Any:
        described = {name: options.pop(name) for name in DATA_OPTIONS if name in options}
        named = _by_name(scores)
        arguments = {name: f"scores[{name!r}]" for name in named}
        rows = ordered_rows(y_true, named, arguments=arguments, **described)
        return answer(_rankings(rows), **options)

    ask.__signature__ = _signature(answer, "scores")  # type: ignore[attr-defined]
    return ask


def _rankings(rows: OrderedRows) -> dict[str, Ranking]:
    from rocwise.primitives.rankings import Ranking

    return {
        name: Ranking(rows.codes, column, rows.labels, rows.origin)
        for name, column in rows.columns.items()
    }


def _by_name(scores: Any) -> dict[str, Any]:
    """Rankers by name, from a dict or a data frame."""
    if hasattr(scores, "columns") and not isinstance(scores, Mapping):
        from rocwise.inputs.vectors import series_by_name

        scores = series_by_name(scores, "scores")
    if not isinstance(scores, Mapping) or len(scores) < 2:
        raise InputError(
            "`scores` must be a dict of name to scores, or a frame, with at least two rankers; "
            f"got {scores!r:.60}."
        )
    return {str(name): values for name, values in scores.items()}


def _signature(answer: Callable[..., Any], score: str) -> inspect.Signature:
    data = [
        inspect.Parameter(name, inspect.Parameter.POSITIONAL_OR_KEYWORD)
        for name in ("y_true", score)
    ]
    defaults = {"direction": "higher", "missing": "raise"}
    own = [
        inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=defaults.get(name))
        for name in DATA_OPTIONS
    ]
    return signature_with(answer, data, own)


if TYPE_CHECKING:  # the same doors as below, for type checkers
    from rocwise.ordinal import (
        chance_tests,
        class_orders,
        cut_points,
        measures,
        score_comparisons,
        surfaces,
    )

    ordinal_auc = takes_ranking(measures.ordinal_auc)
    test_ordinal = takes_ranking(chance_tests.test_ordinal)
    ordinal_thresholds = takes_ranking(cut_points.ordinal_thresholds)
    roc_surface = takes_ranking(surfaces.roc_surface)
    vus_best_order = takes_ranking(class_orders.vus_best_order)
    compare_ordinal = takes_rankers(score_comparisons.compare_ordinal)

_DOORS: dict[str, dict[str, str]] = {
    "takes_ranking": {
        "measures": "ordinal_auc",
        "chance_tests": "test_ordinal",
        "cut_points": "ordinal_thresholds",
        "surfaces": "roc_surface",
        "class_orders": "vus_best_order",
    },
    "takes_rankers": {"score_comparisons": "compare_ordinal"},
}
_DOOR_AND_HOME = door_and_home(_DOORS)


def __getattr__(name: str) -> Any:
    """Build the door of a question when it is first asked, and load its analysis only then."""
    return opened(name, _DOOR_AND_HOME, globals(), "rocwise.ordinal")
