"""Displays in scikit-learn's manner: from an estimator, from predictions, or from folds."""

from collections.abc import Callable, Mapping
from typing import Any, ClassVar, Literal, Self

import numpy as np

from rocwise import checks
from rocwise.arrays import Array, Floats
from rocwise.binary.abstention import abstain
from rocwise.binary.abstention_surface import abstention_surface
from rocwise.binary.cost_curves import cost_curve
from rocwise.binary.roc import roc
from rocwise.binary.roc_averages import average_roc
from rocwise.costs import Costs
from rocwise.data.tally import Tally
from rocwise.errors import InputError, shown
from rocwise.estimators.base import SCORING_METHODS, score_rows, two_classes
from rocwise.inputs.folds import rows_of
from rocwise.inputs.two_classes import tally
from rocwise.regression.rec_curves import rec

Response = Literal["auto", "predict_proba", "decision_function"]


class _Display:
    """Base class of displays: a result, a name, and axes once it is drawn.

    Attributes
    ----------
    result
        The result of rocwise that is drawn.
    name : str or None
        What the legend calls it.
    ax_, figure_
        Matplotlib axes and figure, after `plot`.
    """

    result: Any
    ax_: Any
    figure_: Any

    def __init__(self, result: Any, *, name: str | None = None) -> None:
        self.result = result
        self.name: str | None = None if name is None else checks.text(name, "name")

    def plot(self, ax: Any = None, *, name: str | None = None, **options: Any) -> Self:
        """Draw on the axes given, or on new ones; options as for `plot` of the result."""
        called = self.name if name is None else name
        self.ax_ = self.result.plot(ax=ax, name=called, **options)
        self.figure_ = self.ax_.figure
        return self

    def __repr__(self) -> str:
        return f"{type(self).__name__}: {self.result!r}"


class _TwoClassDisplay(_Display):
    """Displays of scores of two classes."""

    _of_all_costs: ClassVar[Callable[[Tally], Any]]

    @classmethod
    def _computed(cls, data: Tally, costs: Costs | None) -> Any:
        """What is drawn."""
        cls._check_costs(costs)
        return cls._of_all_costs(data)

    @classmethod
    def _check_costs(cls, costs: Costs | None) -> None:
        if costs is not None:
            raise InputError(f"{cls.__name__} shows all costs at once; leave `costs` out.")

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        X: Any,
        y: Any,
        *,
        sample_weight: Any = None,
        response_method: Response = "auto",
        pos_label: Any = None,
        name: str | None = None,
        ax: Any = None,
        costs: Costs | None = None,
        **options: Any,
    ) -> Self:
        """Score rows with a fitted classifier and draw.

        Parameters
        ----------
        estimator
            A fitted classifier of two classes.
        X, y
            Rows and their labels.
        sample_weight
            Weights of the rows.
        response_method
            "predict_proba", "decision_function", or whichever there is.
        pos_label
            The positive label; 0/1, -1/1 and booleans need none.
        name
            What the legend calls it; the class of the estimator without it.
        ax
            Axes to draw on.
        costs
            Costs of errors and of abstaining, if the display needs them.
        **options
            Title of the plot.
        """
        labels, scores = _scored(estimator, X, y, response_method, pos_label)
        data = tally(labels, scores, sample_weight=sample_weight)
        called = type(estimator).__name__ if name is None else name
        return cls(cls._computed(data, costs), name=called).plot(ax, **options)

    @classmethod
    def from_predictions(
        cls,
        y_true: Any,
        y_score: Any,
        *,
        sample_weight: Any = None,
        pos_label: Any = None,
        name: str | None = None,
        ax: Any = None,
        costs: Costs | None = None,
        **options: Any,
    ) -> Self:
        """Draw labels and scores; parameters as for `from_estimator`."""
        data = tally(y_true, y_score, sample_weight=sample_weight, pos_label=pos_label)
        return cls(cls._computed(data, costs), name=name).plot(ax, **options)

    @classmethod
    def from_cv_results(
        cls,
        cv_results: Mapping[str, Any],
        X: Any,
        y: Any,
        *,
        response_method: Response = "auto",
        pos_label: Any = None,
        name: str | None = None,
        ax: Any = None,
        costs: Costs | None = None,
        **options: Any,
    ) -> Self:
        """Score the held-out rows of every fold and draw; parameters as for `from_estimator`.

        `cv_results` is what `cross_validate` returns with `return_estimator=True` and
        `return_indices=True`.
        """
        folds = []
        for model, rows in _folds(cv_results):
            held_out = rows_of(X, rows), np.asarray(y)[rows]
            folds.append(_scored(model, *held_out, response_method, pos_label))
        return cls(cls._of_folds(folds, costs), name=name).plot(ax, **options)

    @classmethod
    def _of_folds(cls, folds: list[tuple[Array, Floats]], costs: Costs | None) -> Any:
        """All held-out rows together."""
        labels, scores = (np.concatenate(parts) for parts in zip(*folds, strict=True))
        return cls._computed(tally(labels, scores), costs)


class RocDisplay(_TwoClassDisplay):
    """ROC curve of a classifier, or the average curve over folds.

    Examples
    --------
    >>> from rocwise.estimators import RocDisplay
    >>> import matplotlib
    >>> matplotlib.use("Agg")
    >>> display = RocDisplay.from_predictions([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8], name="risk")
    >>> display.result.auc, display.ax_.get_xlabel()
    (0.75, 'False positive rate')
    """

    _of_all_costs: ClassVar[Any] = staticmethod(roc)

    @classmethod
    def _of_folds(cls, folds: list[tuple[Array, Floats]], costs: Costs | None) -> Any:
        cls._check_costs(costs)
        return average_roc([tally(labels, scores) for labels, scores in folds])


class CostDisplay(_TwoClassDisplay):
    """Cost curve of a classifier, or of the pooled held-out rows of folds.

    Examples
    --------
    >>> from rocwise.estimators import CostDisplay
    >>> import matplotlib
    >>> matplotlib.use("Agg")
    >>> display = CostDisplay.from_predictions([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    >>> display.ax_.get_xlabel()
    'Probability cost'
    """

    _of_all_costs: ClassVar[Any] = staticmethod(cost_curve)


class AbstentionDisplay(_TwoClassDisplay):
    """Reject region at `costs`; without them the least cost over all costs.

    Examples
    --------
    >>> import rocwise as rw
    >>> from rocwise.estimators import AbstentionDisplay
    >>> import matplotlib
    >>> matplotlib.use("Agg")
    >>> y, score = [0, 0, 1, 0, 1, 1], [0.1, 0.2, 0.4, 0.6, 0.7, 0.9]
    >>> costs = rw.Costs(fp=1, fn=1, abstain=0.2)
    >>> AbstentionDisplay.from_predictions(y, score, costs=costs).ax_.get_ylabel()
    'True positive rate'
    """

    @classmethod
    def _computed(cls, data: Tally, costs: Costs | None) -> Any:
        return abstention_surface(data) if costs is None else abstain(data, costs=costs)


class RecDisplay(_Display):
    """The REC curve of a regressor: the proportion of cases within each tolerance.

    Examples
    --------
    >>> from rocwise.estimators import RecDisplay
    >>> import matplotlib
    >>> matplotlib.use("Agg")
    >>> RecDisplay.from_predictions([1, 2, 3], [1.5, 2, 2]).result.aoc
    0.5
    """

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        X: Any,
        y: Any,
        *,
        name: str | None = None,
        ax: Any = None,
        **options: Any,
    ) -> Self:
        """Forecast rows with a fitted regressor and draw."""
        called = type(estimator).__name__ if name is None else name
        return cls(rec(y, estimator.predict(X)), name=called).plot(ax, **options)

    @classmethod
    def from_predictions(
        cls, y_true: Any, y_pred: Any, *, name: str | None = None, ax: Any = None, **options: Any
    ) -> Self:
        """Draw values and forecasts."""
        return cls(rec(y_true, y_pred), name=name).plot(ax, **options)

    @classmethod
    def from_cv_results(
        cls,
        cv_results: Mapping[str, Any],
        X: Any,
        y: Any,
        *,
        name: str | None = None,
        ax: Any = None,
        **options: Any,
    ) -> Self:
        """Forecast the held-out rows of every fold and draw all of them together."""
        parts = [
            (np.asarray(y)[rows], model.predict(rows_of(X, rows)))
            for model, rows in _folds(cv_results)
        ]
        truth, forecasts = (np.concatenate(columns) for columns in zip(*parts, strict=True))
        return cls(rec(truth, forecasts), name=name).plot(ax, **options)


def _folds(cv_results: Any) -> list[tuple[Any, Any]]:
    """The model and the held-out rows of every fold."""
    try:
        return list(zip(cv_results["estimator"], cv_results["indices"]["test"], strict=True))
    except (KeyError, TypeError, IndexError):
        raise InputError(
            "`cv_results` must be what cross_validate returns with return_estimator=True and "
            f"return_indices=True; got {shown(cv_results, 60)}."
        ) from None


def _scored(
    estimator: Any, X: Any, y: Any, response_method: str, pos_label: Any
) -> tuple[Array, Floats]:
    """Which rows are positive, and their scores."""
    classes = two_classes(y, estimator, pos_label=pos_label, symmetric=False)
    known = getattr(estimator, "classes_", classes.classes)
    positive = classes.classes[classes.place]
    wanted = SCORING_METHODS if response_method == "auto" else (response_method,)
    method = next((name for name in wanted if hasattr(estimator, name)), None)
    if method not in SCORING_METHODS:
        raise InputError(
            f"`estimator` must have one of {', '.join(wanted)}; {type(estimator).__name__} has "
            "none. Pass `response_method`, or scores to `from_predictions`."
        )
    place = int(np.flatnonzero(np.asarray(known) == positive)[0])
    return classes.positive, score_rows(estimator, X, place, method)
