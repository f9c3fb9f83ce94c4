"""Scorers by name, for `GridSearchCV` and its kin."""

from collections.abc import Callable
from typing import Any, Literal, get_args

import numpy as np
from sklearn.metrics import make_scorer

from rocwise import checks
from rocwise.binary.influence import area_of
from rocwise.binary.partial_area import WHOLE, chosen_part
from rocwise.binary.precision_recall import precision_recall
from rocwise.binary.roc import roc_rates
from rocwise.binary.smooth_roc import smooth_roc
from rocwise.binary.statistics import ROUNDING
from rocwise.costs import Costs
from rocwise.data.tally import Tally
from rocwise.errors import InputError, listed
from rocwise.estimators.decision_rules import EQUAL_COSTS, mean_cost
from rocwise.inputs.two_classes import tally
from rocwise.survival.influence import checked_times

ScorerName = Literal[
    "auc",
    "average_precision",
    "partial_auc",
    "sensitivity_at_specificity",
    "specificity_at_sensitivity",
    "cost",
    "smauc",
]
OPTIONS = {
    "auc": {"pos_label"},
    "average_precision": {"pos_label"},
    "partial_auc": {"max_fpr", "pos_label"},
    "sensitivity_at_specificity": {"specificity", "pos_label"},
    "specificity_at_sensitivity": {"sensitivity", "pos_label"},
    "cost": {"costs", "pos_label"},
    "smauc": {"pos_label"},
}
OTHER_NAMES = {  # of scikit-learn and others
    "roc_auc": "auc",
    "roc_auc_score": "auc",
    "ap": "average_precision",
    "average_precision_score": "average_precision",
    "pr_auc": "average_precision",
    "pauc": "partial_auc",
    "recall_at_specificity": "sensitivity_at_specificity",
    "tpr_at_fpr": "sensitivity_at_specificity",
    "expected_cost": "cost",
}


def scorer(name: ScorerName, **options: Any) -> Any:
    """Make a scikit-learn scorer by its name.

    Parameters
    ----------
    name : str
        Score, one of

        - "auc": AUC;
        - "average_precision": average precision;
        - "partial_auc": standardized partial AUC [1]_ up to `max_fpr` (default 0.1);
        - "sensitivity_at_specificity", "specificity_at_sensitivity": the one at a `specificity` or
          `sensitivity` of at least the given value (default 0.9);
        - "cost": minus the expected cost per case of the predictions, at `costs` (default
          ``Costs(fp=1, fn=1)``);
        - "smauc": area under the smooth ROC curve.
    **options
        The options named above, and `pos_label` for labels other than 0/1, -1/1 or booleans.

    Returns
    -------
    callable
        Scorer for `scoring=`; larger is better.

    See Also
    --------
    estimators.scorers : Several scorers by name.
    auc : AUC with a confidence interval.
    smooth_roc : Smooth ROC curve (smROC).

    References
    ----------
    .. [1] D. K. McClish, "Analyzing a portion of the ROC curve", Med. Decis. Making 9, 1989.
           doi:10.1177/0272989X8900900307

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.model_selection import GridSearchCV
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> from rocwise.estimators import scorer
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> tree = DecisionTreeClassifier(random_state=0)
    >>> depths = {"max_depth": [1, 3]}
    >>> search = GridSearchCV(tree, depths, scoring=scorer("partial_auc", max_fpr=0.2)).fit(X, y)
    >>> search.best_params_
    {'max_depth': 3}
    """
    checks.one_of(name, "name", get_args(ScorerName), OTHER_NAMES)
    for option in options:
        if option not in OPTIONS[name]:
            raise InputError(
                f"`{option}` is not an option of the scorer {name!r}; "
                f"its options are {', '.join(sorted(OPTIONS[name]))}."
            )
    if name == "cost":
        return make_scorer(cost_of_decisions, greater_is_better=False, **options)
    # the values of a smooth curve mean something at any size, so only probabilities are taken
    response = "predict_proba" if name == "smauc" else ("decision_function", "predict_proba")
    return make_scorer(score_of_ranking, response_method=response, measure=name, **options)


def survival_auc_scorer(times: Any, **options: Any) -> Any:
    """Make a scikit-learn scorer of the time-dependent AUC for models of censored outcomes.

    Parameters
    ----------
    times : float or array-like
        Horizons; the score is the mean of the AUCs by these.
    **options
        Options of `survival.auc`: `kind` and `controls`.

    Returns
    -------
    callable
        Scorer for `scoring=`, of models whose `predict` returns a risk; `y` is a structured array
        or data frame with one column of events (bool) and one of times, as in scikit-survival.

    See Also
    --------
    survival.auc : AUC by a horizon, with intervals.
    estimators.scorer : Scorers for two classes.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.base import BaseEstimator
    >>> from sklearn.model_selection import cross_val_score
    >>> from rocwise.estimators import survival_auc_scorer
    >>> class Score(BaseEstimator):
    ...     def fit(self, X, y):
    ...         return self
    ...     def predict(self, X):
    ...         return X[:, 0]
    >>> rng = np.random.default_rng(1)
    >>> X = rng.random((300, 1))
    >>> time, end = rng.exponential(0.5 / X[:, 0]), rng.exponential(1, 300)
    >>> y = np.empty(300, dtype=[("event", bool), ("time", float)])
    >>> y["event"], y["time"] = time <= end, np.minimum(time, end)
    >>> cross_val_score(Score(), X, y, scoring=survival_auc_scorer([0.25, 0.5]), cv=3).round(3)
    array([0.715, 0.658, 0.791])
    """
    horizons = checked_times(times, "survival_auc_scorer")
    return make_scorer(mean_survival_auc, response_method="predict", times=horizons, **options)


def mean_survival_auc(y: Any, risk: Any, times: Any, **options: Any) -> float:
    """Mean of the AUCs by some times, of events and times in one array."""
    from rocwise import survival

    names = getattr(getattr(y, "dtype", None), "names", None)
    columns = [np.asarray(y[name]) for name in (y.columns if names is None else names)]
    events = [each for each in columns if each.dtype.kind == "b"]
    numbers = [each for each in columns if each.dtype.kind in "iuf"]
    if len(columns) != 2 or len(events) != 1 or len(numbers) != 1:
        raise InputError(
            "`y` must have two columns, events (bool) and times, as a structured array or a frame."
        )
    areas: Any = survival.auc(numbers[0], events[0], risk, times=times, **options)
    return float(np.mean(areas.value))


def scorers(*names: ScorerName, **options: Any) -> dict[str, Any]:
    """Make several scikit-learn scorers, for ``GridSearchCV(scoring=..., refit=name)``.

    Parameters
    ----------
    *names : str
        Names, as in `scorer`; all by default.
    **options
        Options of the scorers; each uses its own.

    Returns
    -------
    dict of str to callable
        Scorers by name.

    See Also
    --------
    estimators.scorer : Named scikit-learn scorer.

    Examples
    --------
    >>> from rocwise.estimators import scorers
    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.model_selection import cross_validate
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> tree = DecisionTreeClassifier(max_depth=3, random_state=0)
    >>> found = cross_validate(tree, X, y, scoring=scorers("auc", "partial_auc", max_fpr=0.2))
    >>> print(found["test_auc"].mean().round(3), found["test_partial_auc"].mean().round(3))
    0.905 0.812
    """
    chosen: tuple[ScorerName, ...] = names or get_args(ScorerName)
    for name in chosen:
        checks.one_of(name, "name", get_args(ScorerName), OTHER_NAMES)
    for option in sorted(options):
        if option != "pos_label" and not any(option in OPTIONS[name] for name in chosen):
            raise InputError(f"`{option}` is not an option of these scorers.")
    return {
        name: scorer(name, **{key: options[key] for key in options if key in OPTIONS[name]})
        for name in chosen
    }


def score_of_ranking(
    y_true: Any,
    y_score: Any,
    *,
    measure: str,
    pos_label: Any = None,
    sample_weight: Any = None,
    **options: Any,
) -> float:
    """A measure of scores by its name."""
    data = tally(y_true, y_score, pos_label=pos_label, sample_weight=sample_weight)
    return float(MEASURES[measure](data, **options))


def _average_precision(data: Tally) -> float:
    return precision_recall(data).average_precision


def _smooth_area(data: Tally) -> float:
    return smooth_roc(data).auc


def _partial_auc(data: Tally, max_fpr: float = 0.1) -> float:
    """McClish's standardized area up to a false positive rate."""
    part = chosen_part(max_fpr, None, None)
    return part.standardized(area_of(data, part))


def _sensitivity_at_specificity(data: Tally, specificity: float = 0.9) -> float:
    """The largest sensitivity of a threshold with at least a specificity."""
    wanted = checks.rate(specificity, "specificity") - ROUNDING
    fpr, tpr = roc_rates(data)
    return float(tpr[1 - fpr >= wanted].max())


def _specificity_at_sensitivity(data: Tally, sensitivity: float = 0.9) -> float:
    """The largest specificity of a threshold with at least a sensitivity."""
    wanted = checks.rate(sensitivity, "sensitivity") - ROUNDING
    fpr, tpr = roc_rates(data)
    return 1 - float(fpr[tpr >= wanted].min())


MEASURES: dict[str, Callable[..., float]] = {
    "auc": lambda data: area_of(data, WHOLE),
    "average_precision": _average_precision,
    "partial_auc": _partial_auc,
    "sensitivity_at_specificity": _sensitivity_at_specificity,
    "specificity_at_sensitivity": _specificity_at_sensitivity,
    "smauc": _smooth_area,
}


def cost_of_decisions(
    y_true: Any,
    y_pred: Any,
    *,
    costs: Costs | None = None,
    pos_label: Any = None,
    sample_weight: Any = None,
) -> float:
    """The cost per case of decisions."""
    prices = EQUAL_COSTS if costs is None else costs
    given, called = np.asarray(y_true), np.asarray(y_pred)
    if pos_label is None:
        usual = set(np.unique(given).tolist()) in ({0, 1}, {-1, 1}, {0}, {1}, {-1})
        if not usual and costs is not None:
            raise InputError(
                f"`pos_label` is required for the labels {listed(np.unique(given))} of `y_true`. "
                "Pass it to the scorer."
            )
        pos_label = 1 if usual else given[0]
    truth, positive = given == pos_label, called == pos_label
    return mean_cost(truth, positive, np.zeros(len(truth), dtype=bool), prices, sample_weight)
