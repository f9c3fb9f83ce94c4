"""A readable tree that behaves like another model, with the costs of errors built in."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from sklearn import get_config
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.naive_bayes import GaussianNB
from sklearn.utils import check_random_state
from sklearn.utils.metadata_routing import MetadataRouter, MethodMapping, process_routing
from sklearn.utils.validation import (
    check_consistent_length,
    check_is_fitted,
    validate_data,
)

from rocwise import checks
from rocwise.arrays import Array, Floats
from rocwise.binary.thresholds.unlabelled import skew_of, threshold_without_labels
from rocwise.costs import Costs, refuse_free_errors
from rocwise.errors import InputError, count_of, listed
from rocwise.estimators.base.decision_rules import (
    EQUAL_COSTS,
    costs_alike,
    costs_or_default,
    mean_cost_of_labels,
)
from rocwise.estimators.base.parameters import checked_model, checked_state
from rocwise.estimators.base.rows import arguments_of_rows, rows_of
from rocwise.estimators.base.two_classes import TwoClasses, checked_weights, two_classes
from rocwise.estimators.mimetic.attributes import Attributes, Columns
from rocwise.estimators.mimetic.configurations import (
    DATA_TYPES,
    SCHEMES,
    WHEN_APPLYING,
    WHEN_LABELLING,
    Configuration,
    configuration_named,
)
from rocwise.estimators.mimetic.synthetic_rows import SyntheticRows, sample_rows
from rocwise.estimators.mimetic.tables import TableForm, columns_of, form_of, is_frame
from rocwise.estimators.probability_tree import ProbabilityEstimatingTree

HALF = 0.5


class MimeticClassifier(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """A decision tree grown on invented rows that another model, the oracle, has labelled.

    Parameters
    ----------
    configuration : str, default "Mim2Ordb"
        Scheme, threshold method and type of invented rows, one of 22 names: "Mim0a", "Mim1Dirb",
        "Mim2ROCc", "Mim3", ... (see `rocwise.threshold_without_labels` for the methods).
    oracle : classifier, optional
        With `predict_proba`; fitted on the rows given, unless inside a `FrozenEstimator`.
        Gaussian naive Bayes without it: nothing to tune, and the same in every run.
    costs : Costs, optional
        What errors cost; equal without it.
    n_samples : int, default 10000
        Rows to invent.
    random_state : optional
        Draws the rows, and decides between equally good splits.
    nominal : list of str or int, optional
        Nominal columns; in data frames text, categories and booleans are nominal anyway.
    encode : bool, default True
        Whether the oracle sees nominal columns one-hot, as the tree does; False: as in `X`.
    ccp_alpha, pos_label : float, optional
        Pruning of the tree, except in scheme 1; the positive class, as in `ThresholdClassifier`.

    Attributes
    ----------
    tree_, oracle_ : estimators
        The tree, on columns with nominal ones one-hot, and the fitted oracle.
    threshold_, relabelling_threshold_ : float, float or None
        Of the tree's probability when predicting; of the oracle's when labelling (scheme 2).
    how_ : str
        What was invented, labelled and learned, in a sentence.

    Examples
    --------
    >>> import rocwise as rw
    >>> from sklearn.datasets import load_breast_cancer
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> mimic = rw.estimators.MimeticClassifier("Mim1Dirc", costs=rw.Costs(fp=1, fn=5)).fit(X, y)
    >>> round(mimic.threshold_, 3)
    0.167
    """

    def __init__(
        self,
        configuration: str = "Mim2Ordb",
        *,
        oracle: Any = None,
        costs: Costs | None = None,
        n_samples: int = 10000,
        random_state: Any = None,
        nominal: Any = None,
        encode: bool = True,
        ccp_alpha: float = 5e-4,
        pos_label: Any = None,
    ) -> None:
        self.configuration = configuration
        self.oracle = oracle
        self.costs = costs
        self.n_samples = n_samples
        self.random_state = random_state
        self.nominal = nominal
        self.encode = encode
        self.ccp_alpha = ccp_alpha
        self.pos_label = pos_label

    def fit(self, X: Any, y: Any, **fit_params: Any) -> Self:
        """Fit the oracle, invent rows, label them, and grow the tree.

        `fit_params` go to the oracle; `sample_weight` also weighs the class shares of type a.
        """
        chosen = configuration_named(self.configuration)
        costs = costs_or_default(self.costs, EQUAL_COSTS)
        refuse_free_errors(costs, "MimeticClassifier")
        skew = skew_of(costs)
        n_rows = checks.size(self.n_samples, "n_samples", bytes_each=800)
        checks.flag(self.encode, "encode")
        checked_model(self._oracle(), "oracle")
        X = self._table(X, reset=True)
        check_consistent_length(X, y)
        labels = two_classes(y, self, pos_label=self.pos_label, alike=costs_alike(self.costs))
        weights = fit_params.get("sample_weight")
        if weights is not None:
            weights = checked_weights(weights, labels, self._oracle(), "oracle")
        if fit_params and get_config()["enable_metadata_routing"]:
            fit_params = process_routing(self, "fit", **fit_params).oracle.fit
        if weights is not None:
            X, labels, weights, fit_params = _with_weight(X, labels, weights, fit_params)
        rng = check_random_state(checked_state(self.random_state))
        self.classes_: Array = labels.classes
        self.pos_label_: Any = labels.classes[labels.place]
        self._order = np.array([1 - labels.place, labels.place])  # the negative class first
        self.form_: TableForm = form_of(X, self.nominal)
        columns = columns_of(X)
        self.attributes_: Attributes = Attributes.of(columns, self.form_.names, self.form_.nominal)
        self.oracle_: Any = self._fit_oracle(columns, labels, fit_params)
        share = _share_of_first(chosen, labels, weights, skew)
        called = self.classes_[self._order]
        rows = sample_rows(self.attributes_, self._opinion, n_rows, share, called, rng)
        self._grow(chosen, rows, costs, rng)
        self.configuration_ = chosen
        self.how_: str = _described(chosen, rows, skew, self)
        return self

    def predict_proba(self, X: Any) -> Floats:
        """The tree's probabilities by Laplace's rule, in the order of `classes_`.

        In scheme 2 they speak of the labels changed for the costs, not of the true classes.
        """
        check_is_fitted(self)
        encoded = self.attributes_.encode(columns_of(self._table(X, reset=False)))
        return self._tree_opinion(encoded)[:, self._order]

    def predict(self, X: Any) -> Array:
        """The positive class where its probability reaches `threshold_`, or exceeds 0.5.

        The first in scheme 1, the second in the others.
        """
        probability = self.predict_proba(X)[:, self._order[1]]
        if self.configuration_.scheme == WHEN_APPLYING:
            positive = probability >= self.threshold_
        else:
            positive = probability > HALF
        labels: Array = self.classes_[self._order[positive.astype(np.intp)]]
        return labels

    def mean_cost(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """Cost per case on labelled rows, in the units of `costs`; without them, the error rate."""
        return mean_cost_of_labels(self, X, y, sample_weight)

    def _table(self, X: Any, *, reset: bool) -> Any:
        """A data frame or an array of mixed values as it is; any other table as numbers."""
        if not is_frame(X):
            if _is_empty(self.nominal):
                return validate_data(self, X, reset=reset)
            X = np.asarray(X, dtype=object)
        validate_data(self, X, reset=reset, skip_check_array=True)
        return X

    def _oracle(self) -> Any:
        return GaussianNB() if self.oracle is None else self.oracle

    def _fit_oracle(self, columns: Columns, labels: TwoClasses, fit_params: dict[str, Any]) -> Any:
        oracle = clone(self._oracle())
        if not hasattr(oracle, "predict_proba"):
            raise InputError(f"`oracle` must have predict_proba; {type(oracle).__name__} has none.")
        oracle = oracle.fit(self._for_oracle(columns), labels.given, **fit_params)
        if list(oracle.classes_) != list(labels.classes):
            raise InputError(
                f"`oracle` knows the classes {listed(oracle.classes_)}, but y has "
                f"{listed(labels.classes)}."
            )
        return oracle

    def _for_oracle(self, columns: Columns) -> Any:
        return self.attributes_.encode(columns) if self.encode else self.form_.rebuild(columns)

    def _opinion(self, columns: Columns) -> Floats:
        """The oracle's probabilities of the negative and the positive class."""
        known = self.oracle_.predict_proba(self._for_oracle(columns))
        return np.asarray(known, dtype=np.float64)[:, self._order]

    def _grow(
        self, chosen: Configuration, rows: SyntheticRows, costs: Costs, rng: np.random.RandomState
    ) -> None:
        """Grow the tree and set the thresholds, by the scheme of the configuration."""
        self.threshold_: float = HALF
        self.relabelling_threshold_: float | None = None
        positive = rows.positive
        if chosen.scheme == WHEN_LABELLING:
            assert chosen.method is not None
            cut = threshold_without_labels(rows.probability, costs=costs, method=chosen.method)
            positive, self.relabelling_threshold_ = rows.probability >= cut, cut
        encoded = self.attributes_.encode(rows.columns)
        self.tree_: ProbabilityEstimatingTree = ProbabilityEstimatingTree(
            ccp_alpha=self.ccp_alpha if chosen.prunes else 0.0,
            random_state=rng.randint(np.iinfo(np.int32).max),
        ).fit(encoded, positive)
        if chosen.scheme == WHEN_APPLYING:
            assert chosen.method is not None
            opinion = self._tree_opinion(encoded)[:, 1]
            self.threshold_ = threshold_without_labels(opinion, costs=costs, method=chosen.method)

    def _tree_opinion(self, encoded: Floats) -> Floats:
        """The tree's probabilities; of a tree that saw one class only, (n + 1) / (n + 2) for it."""
        if len(self.tree_.classes_) == 2:
            return np.asarray(self.tree_.predict_proba(encoded))
        n_rows = float(self.tree_.leaf_counts_.sum())
        probabilities = np.full((len(encoded), 2), 1 / (n_rows + 2))
        probabilities[:, int(self.tree_.classes_[0])] = (n_rows + 1) / (n_rows + 2)
        return probabilities

    def get_metadata_routing(self) -> Any:
        """Arguments of `fit` go to the oracle; see scikit-learn's metadata routing."""
        mapping = MethodMapping().add(caller="fit", callee="fit")
        return MetadataRouter(owner=self).add(oracle=self._oracle(), method_mapping=mapping)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = False
        return tags


def _with_weight(
    X: Any, labels: TwoClasses, weights: Floats, fit_params: dict[str, Any]
) -> tuple[Any, TwoClasses, Floats, dict[str, Any]]:
    """The rows whose weight is not 0: the others must not widen a range."""
    kept = np.flatnonzero(weights > 0)
    remaining = TwoClasses(labels.given[kept], labels.classes, labels.place)
    cut = arguments_of_rows(fit_params, len(weights), kept)
    return rows_of(X, kept), remaining, weights[kept], cut


def _share_of_first(
    chosen: Configuration, labels: TwoClasses, weights: Floats | None, skew: float
) -> float | None:
    """The share of invented rows of the negative class; None: as the rows come."""
    if chosen.data_type == "a":
        return float(np.average(~labels.positive, weights=weights))
    return {"b": 0.5, "c": None, "d": 1.0 / (skew + 1.0)}[chosen.data_type]


def _described(
    chosen: Configuration, rows: SyntheticRows, skew: float, model: MimeticClassifier
) -> str:
    n_rows, n_positive = len(rows.positive), int(rows.positive.sum())
    cut = {
        WHEN_APPLYING: f" of {model.threshold_:.4g} on the tree's probability ({chosen.method})",
        WHEN_LABELLING: f" of {model.relabelling_threshold_ or 0:.4g} on the oracle's probability "
        f"({chosen.method})",
    }.get(chosen.scheme, "")
    return (
        f"{chosen.name}: {SCHEMES[chosen.scheme]}{cut}, a miss costs {skew:.4g} false alarms; "
        f"{count_of(n_rows, 'invented row')} ({DATA_TYPES[chosen.data_type]}), "
        f"{n_positive:,} called {listed([model.pos_label_])} by {type(model.oracle_).__name__}; "
        f"tree: {model.tree_.how_}"
    )


def _is_empty(nominal: Any) -> bool:
    """Whether no column is called nominal; what is no list at all is judged with the table."""
    try:
        return nominal is None or len(nominal) == 0
    except TypeError:  # a generator, or no list
        return False
