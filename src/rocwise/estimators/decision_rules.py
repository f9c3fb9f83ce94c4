"""Meta-estimators for two classes: threshold, reject option, target PPV and NPV."""

from dataclasses import KW_ONLY, dataclass, replace
from typing import Any, Literal, NamedTuple, Self

import numpy as np
from sklearn.base import clone
from sklearn.utils import indexable
from sklearn.utils.validation import check_is_fitted

from rocwise import checks, printing
from rocwise.arrays import Array, Decisions, Flags, Floats, Places
from rocwise.binary.abstention import AbstentionWindow, abstain
from rocwise.binary.reliable import ReliableRule, reliable
from rocwise.binary.threshold import OperatingPoint, chosen_point
from rocwise.binary.threshold_rules import RULES, RuleName
from rocwise.costs import Costs, checked_costs
from rocwise.data.range_states import binned
from rocwise.data.tally import Tally
from rocwise.errors import ConflictError, InputError, MisuseWarning, UnattainableError, shown, warn
from rocwise.estimators import base
from rocwise.inputs import tally
from rocwise.inputs.folds import rows_of

EQUAL_COSTS = Costs(fp=1, fn=1)
LEAST_ABOVE_ZERO = np.nextafter(0.0, 1.0)


class DecisionRuleClassifier(base.MetaEstimator):
    """Fits the model on all rows, and a rule on scores of rows the model had not seen."""

    cv: Any
    pos_label: Any

    def fit(self, X: Any, y: Any, **fit_params: Any) -> Self:
        """Fit the model and learn the rule.

        Parameters
        ----------
        X : array-like, sparse matrix or data frame of shape (n_samples, n_features)
            Features.
        y : array-like
            Two labels; others than 0/1, -1/1 and booleans need `pos_label`, unless the rule
            treats both classes equally.
        **fit_params
            Go to the `fit` of the model, cut to the rows of each fold. `sample_weight` among
            them also weighs the cases of the rule; `groups` go to the splitter `cv` (a number of
            folds then keeps groups together), and the uncertainty of the rule draws them whole.
        """
        X, y = indexable(X, y)
        labels = base.two_classes(y, self, pos_label=self.pos_label, symmetric=self._symmetric())
        prefit = base.is_fitted_already(self.estimator, self.cv)
        fitted_here = None if prefit else self._model()
        of_rows = fit_params, labels.given, fitted_here, "estimator"
        weights = base.model_weights(*of_rows, labels.classes)
        groups = base.row_groups(fit_params.get("groups"), len(labels.given))

        def score(model: Any, rows: Any) -> Floats:
            return base.score_rows(model, rows, labels.place)

        base.scoring_method(base.checked_model(self._model(), "estimator"))
        scores, how = self._fit_model(X, labels.given, fit_params, score)
        self.classes_: Array = labels.classes
        self.pos_label_: Any = labels.classes[labels.place]
        self._positive_place = labels.place
        self.response_method_: str = base.scoring_method(self.estimator_)
        counted = tally(labels.positive, scores, sample_weight=weights, groups=groups)
        as_fitted = " of the model as it was fitted" if prefit else ""
        self._learn(counted, f"{how} by {self.response_method_}{as_fitted}")
        self._fit_more(X, labels.given)
        return self

    def _learn(self, counted: Tally, how: str) -> None:
        """Learn the rule from the held-out scores; higher means positive."""
        raise NotImplementedError

    def _symmetric(self) -> bool:
        """Whether nothing would change if the other class were predicted positive."""
        raise NotImplementedError

    def _labels_of(self, positive: Flags) -> Array:
        """The label of the positive class where True, else the other."""
        place = self._positive_place
        labels: Array = self.classes_[np.where(positive, place, 1 - place)]
        return labels

    def _towards_second(self, distances: Floats) -> Floats:
        """Distances above 0 for the second class, as in scikit-learn."""
        return distances if self._positive_place == 1 else -distances

    def _fit_more(self, X: Any, labels: Array) -> None:
        """Fit what the rule needs in addition."""

    def _scores(self, X: Any) -> Floats:
        """Scores of new rows by the model fitted on every row."""
        check_is_fitted(self)
        return base.score_rows(self.estimator_, X, self._positive_place)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = False
        return tags


def signed_distances(scores: Floats, decisions: Array, lower: float, upper: float) -> Floats:
    """Distances from `upper`, above 0, where 1 was decided, from `lower`, below 0, where 0 was."""
    far = np.zeros(len(scores))
    positive, negative = decisions == 1, decisions == 0
    far[positive] = _beyond(scores[positive], upper)
    far[negative] = -_beyond(-scores[negative], -lower)
    return far


def _beyond(scores: Floats, edge: float) -> Floats:
    """Distances of scores beyond an edge, never 0, increasing with the score."""
    if np.isinf(edge):
        return np.logaddexp(0.0, scores)
    return np.maximum(scores - edge, LEAST_ABOVE_ZERO)


def costs_or_default(costs: Any, default: Costs) -> Costs:
    """The costs given, or equal ones."""
    return default if costs is None else checked_costs(costs)


def mean_cost(
    positive: Flags, said_positive: Flags, abstained: Flags, costs: Costs, sample_weight: Any = None
) -> float:
    """Cost per case of decisions whose truth is known, in the units of the costs."""
    for_positive, for_negative = (
        costs.abstain if isinstance(costs.abstain, tuple) else (costs.abstain, costs.abstain)
    )
    if abstained.any() and (for_positive is None or for_negative is None):
        raise InputError("`costs.abstain` is needed: some cases were not decided.")
    right = np.where(positive, costs.tp, costs.tn)
    wrong = np.where(positive, costs.fn, costs.fp)
    undecided = np.where(positive, for_positive or 0.0, for_negative or 0.0)
    decided = np.where(said_positive == positive, right, wrong)
    paid = np.where(abstained, undecided, decided)
    weights = None if sample_weight is None else base.row_weights(sample_weight, len(paid))
    return float(np.average(paid, weights=weights))


def same_costs(costs: Costs | None) -> bool:
    """Whether both classes have the same costs; without costs they do."""
    if costs is None:
        return True
    checked_costs(costs)
    pair = costs.abstain if isinstance(costs.abstain, tuple) else (costs.abstain, costs.abstain)
    return costs.fp == costs.fn and costs.tp == costs.tn and pair[0] == pair[1]


def mean_cost_of_labels(model: Any, X: Any, y: Any, sample_weight: Any = None) -> float:
    """Cost per case of the predictions of a model without reject option."""
    predicted = np.asarray(model.predict(X) == model.pos_label_)
    truth = np.asarray(y) == model.pos_label_
    costs = costs_or_default(model.costs, EQUAL_COSTS)
    return mean_cost(truth, predicted, np.zeros(len(predicted), dtype=bool), costs, sample_weight)


class PartialDecision(NamedTuple):
    """Labels in which undecided rows hold the reject label, and the mask of these rows."""

    labels: Array
    abstained: Flags


class RejectOptionClassifier(DecisionRuleClassifier):
    """Base of classifiers with a reject label; subclasses define the decision."""

    reject_label: Any

    def _decisions(self, scores: Floats) -> Decisions:
        """1 for the positive class, 0 for the other, -1 for neither."""
        raise NotImplementedError

    def _edges(self) -> tuple[float, float]:
        """Up to which score the negative class is predicted, and from which on the positive."""
        raise NotImplementedError

    def _check_reject_label(self) -> None:
        if self.reject_label in self.classes_.tolist():
            raise InputError(
                f"`reject_label` {shown(self.reject_label)} is one of the classes; choose a "
                "label that is none, such as reject_label='?'."
            )

    def predict_with_abstention(self, X: Any) -> PartialDecision:
        """Labels with the reject label where no decision is made, and the mask of those rows."""
        decisions = self._decisions(self._scores(X))
        abstained = decisions < 0
        labels = self._labels_of(decisions == 1)
        return PartialDecision(
            base.with_reject_label(labels, abstained, self.reject_label), abstained
        )

    def predict(self, X: Any) -> Array:
        """Labels; `reject_label` where no decision is made."""
        return self.predict_with_abstention(X).labels

    def decision_function(self, X: Any) -> Floats:
        """Above 0 where the second class is predicted, below where the first, 0 where undecided.

        The distance of the score from the threshold that decided; undecided cases are tied.
        """
        scores = self._scores(X)
        distances = signed_distances(scores, self._decisions(scores), *self._edges())
        return self._towards_second(distances)

    def review_queue(self, X: Any) -> Places:
        """Row numbers of the undecided cases for manual review, the most positive first."""
        scores = self._scores(X)
        rows = np.flatnonzero(self._decisions(scores) < 0)
        return rows[np.argsort(-scores[rows], kind="stable")]

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """Proportion of the cases that are decided and right."""
        right = np.asarray(self.predict(X) == np.asarray(y), dtype=bool)
        return float(np.average(right, weights=sample_weight))


SCORES_KEPT = 4096
ABOUT_POSITIVES = ("f1", "f-beta", "prevalence")  # rules that treat the classes differently


@dataclass(eq=False, repr=False)
class ThresholdClassifier(DecisionRuleClassifier):
    """Predicts the positive class when the model's score reaches a threshold learned by a rule.

    The threshold is the one that `rocwise.threshold` chooses on held-out scores; the model itself
    is then fitted on every row. There is no `predict_proba`, since 0.5 is not where `predict`
    decides: probabilities are those of `estimator_`.

    Parameters
    ----------
    estimator : classifier, optional
        With `predict_proba` or `decision_function`; logistic regression without it.
    rule : str, default "cost"
        Criterion of `rocwise.threshold`, such as "cost", "youden" or "min-sensitivity".
    costs : Costs, optional
        Costs of errors and correct decisions; without them both errors cost 1.
    prevalence : float, optional
        Prevalence in the target population; by default that of the rows.
    constraint : float, optional
        Constraint of rules that have one, such as "min-sensitivity".
    beta : float, optional
        Weight of recall in the rule "f-beta".
    cv : int, splitter, iterable or "prefit", default 5
        Folds of the held-out scores, at most as many as the rarer class has rows. "prefit": the
        estimator is fitted already, and all rows given to `fit` are new to it.
    pos_label : scalar, optional
        The label of the positive class; needed for other labels than 0/1, -1/1 and booleans,
        unless the rule and the costs treat both classes equally.

    Attributes
    ----------
    threshold_ : float
        Decision threshold: cases with at least this score are predicted positive.
    point_ : OperatingPoint
        Operating point on the held-out scores.
    how_ : str
        Which rule, on which scores, in a sentence.
    estimator_, classes_, pos_label_, response_method_
        The fitted model, both labels and the positive one, the method that scores.

    Examples
    --------
    >>> import rocwise as rw
    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> model = DecisionTreeClassifier(min_samples_leaf=20, random_state=0)
    >>> classifier = rw.estimators.ThresholdClassifier(model, costs=rw.Costs(fp=5, fn=1)).fit(X, y)
    >>> round(classifier.threshold_, 3)
    0.912
    """

    estimator: Any = None
    _: KW_ONLY
    rule: RuleName = "cost"
    costs: Costs | None = None
    prevalence: float | None = None
    constraint: float | None = None
    beta: float | None = None
    cv: Any = 5
    pos_label: Any = None

    def _symmetric(self) -> bool:
        rule = RULES[checks.one_of(self.rule, "rule", tuple(RULES))]
        prevalence = self.prevalence
        if prevalence is not None:
            prevalence = checks.prevalence(prevalence)
        symmetric = rule.limit is None and rule.name not in ABOUT_POSITIVES
        return symmetric and same_costs(self.costs) and prevalence in (None, 0.5)

    def _learn(self, counted: Tally, how: str) -> None:
        point = chosen_point(
            counted,
            rule=self.rule,
            costs=self.costs if self.rule != "cost" else costs_or_default(self.costs, EQUAL_COSTS),
            prevalence=self.prevalence,
            constraint=self.constraint,
            beta=self.beta,
        )
        # the model travels with enough of the scores for a plot, not with all of them
        self.point_: OperatingPoint = replace(point, data=binned(counted, SCORES_KEPT))
        self.threshold_: float = float(point.threshold)
        if np.isinf(self.threshold_):
            warn(
                f"no row is predicted positive: of {printing.classes(counted.n_pos, counted.n_neg)}"
                " the best threshold is above every score. Check `costs`, or pass another `rule`.",
                MisuseWarning,
            )
        self.how_: str = f"{self.point_}; {how}"

    def decision_function(self, X: Any) -> Floats:
        """Distance of score and threshold, above 0 where `predict` gives the second class.

        Scores closer to each other than the rounding of the difference become equal.
        """
        scores = self._scores(X)
        edges = self.threshold_, self.threshold_
        return self._towards_second(signed_distances(scores, scores >= edges[1], *edges))

    def predict(self, X: Any) -> Array:
        """The positive class where its score is at least `threshold_`, else the other."""
        return self._labels_of(self._scores(X) >= self.threshold_)

    def mean_cost(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """Cost per case on labeled rows, in the units of `costs`; without them, the error rate."""
        return mean_cost_of_labels(self, X, y, sample_weight)


# Not deciding costs as much as an error, so it never pays.
NEVER_ABSTAIN = Costs(fp=1, fn=1, abstain=1)


@dataclass(eq=False, repr=False)
class AbstainingClassifier(RejectOptionClassifier):
    """Reject option: undecided cases get a label of their own or that of a second model.

    Parameters
    ----------
    estimator : classifier, optional
        With `predict_proba` or `decision_function`; logistic regression without it.
    costs : Costs, optional
        With `abstain`. Without costs both errors cost 1 and so does abstaining: it never pays.
    reject_label : scalar, default -1
        What `predict` returns for an undecided case.
    cv : int, splitter, iterable or "prefit", default 5
        Folds of the held-out scores, as in `ThresholdClassifier`.
    prevalence : float, optional
        Prevalence in the target population; by default that of the rows.
    second : classifier, optional
        Decides the cases left undecided, in place of the reject label; fitted on all rows.
    pos_label : scalar, optional
        Label of the positive class, as in `ThresholdClassifier`.

    Attributes
    ----------
    window_ : AbstentionWindow
        No decision where `window_.lower` < score < `window_.upper`.
    second_ : classifier
        The fitted second model; others as in `ThresholdClassifier`.

    Examples
    --------
    >>> import rocwise as rw
    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.naive_bayes import GaussianNB
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> costs = rw.Costs(fp=1, fn=1, abstain=0.1)
    >>> model = rw.estimators.AbstainingClassifier(GaussianNB(), costs=costs).fit(X, y)
    >>> labels, abstained = model.predict_with_abstention(X)
    >>> sorted(set(labels.tolist())), int(abstained.sum()) == labels.tolist().count(-1)
    ([-1, 0, 1], True)
    """

    estimator: Any = None
    _: KW_ONLY
    costs: Costs | None = None
    reject_label: Any = -1
    cv: Any = 5
    prevalence: float | None = None
    second: Any = None
    pos_label: Any = None

    def _symmetric(self) -> bool:
        return same_costs(self.costs) and self.prevalence in (None, 0.5)

    def _learn(self, counted: Tally, how: str) -> None:
        costs = costs_or_default(self.costs, NEVER_ABSTAIN)
        base.check_label(self.reject_label)
        self.window_: AbstentionWindow = abstain(counted, costs=costs, prevalence=self.prevalence)
        if self.window_.lower < self.window_.upper and self.second is None:
            self._check_reject_label()
        self.how_: str = f"{self.window_}; {how}"

    def _fit_more(self, X: Any, labels: Array) -> None:
        second = None if self.second is None else clone(base.checked_model(self.second, "second"))
        self.second_: Any = None if second is None else second.fit(X, labels)

    def _decisions(self, scores: Floats) -> Decisions:
        return self.window_.decide(scores)

    def _edges(self) -> tuple[float, float]:
        return self.window_.lower, self.window_.upper

    def predict(self, X: Any) -> Array:
        """Labels; of undecided cases the second model's, or `reject_label` without one."""
        labels, abstained = self.predict_with_abstention(X)
        if self.second_ is None or not abstained.any():
            return labels
        others = np.asarray(self.second_.predict(rows_of(X, np.flatnonzero(abstained))))
        decided = labels[~abstained]
        common = np.result_type(decided, others) if len(decided) else others.dtype
        settled: Array = np.empty(len(labels), dtype=common)
        settled[abstained], settled[~abstained] = others, decided
        return settled

    def mean_cost(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """Cost per case on labeled rows, abstentions of the first model at their price."""
        decisions = self._decisions(self._scores(X))
        truth = np.asarray(y) == self.pos_label_
        costs = costs_or_default(self.costs, NEVER_ABSTAIN)
        return mean_cost(truth, decisions == 1, decisions < 0, costs, sample_weight)


MIXED = "cases on which the two rules of the mixture disagree are rejected"


@dataclass(eq=False, repr=False)
class ReliableClassifier(RejectOptionClassifier):
    """Reject option with a target PPV and NPV: predicts a class only where its target is reached.

    The rule is `rocwise.reliable` on held-out scores. Of a mixture of two rules, `predict` decides
    only the cases on which both agree: it depends on the rows alone, never on chance.

    Parameters
    ----------
    estimator : classifier, optional
        With `predict_proba` or `decision_function`; logistic regression without it.
    positive, negative : float, default 0.9
        Targets for the cases predicted positive and for those predicted negative.
    metric : {"precision", "f", "m"} or a pair of them
        Metric of the targets, as in `rocwise.reliable`.
    reject_label : scalar, default -1
        What `predict` returns for an undecided case.
    cv : int, splitter, iterable or "prefit", default 5
        Folds of the held-out scores, as in `ThresholdClassifier`.
    unattainable : {"reject", "raise"}
        When the scores cannot reach the targets: decide no case at all, or raise.
    pos_label : scalar, optional
        Label of the positive class, as in `ThresholdClassifier`.

    Attributes
    ----------
    rule_ : ReliableRule or None
        The rule; None when the targets are out of reach, and every case is rejected. Others as
        in `ThresholdClassifier`.

    Examples
    --------
    >>> import rocwise as rw
    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.naive_bayes import GaussianNB
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> model = rw.estimators.ReliableClassifier(GaussianNB(), positive=0.96, negative=0.96)
    >>> model.fit(X, y).rule_.case
    3
    """

    estimator: Any = None
    _: KW_ONLY
    positive: float = 0.9
    negative: float = 0.9
    metric: Any = "precision"
    reject_label: Any = -1
    cv: Any = 5
    unattainable: Literal["reject", "raise"] = "reject"
    pos_label: Any = None

    def _symmetric(self) -> bool:
        pair = isinstance(self.metric, (tuple, list)) and len(set(map(repr, self.metric))) > 1
        targets = [checks.rate(getattr(self, side), side) for side in ("positive", "negative")]
        return targets[0] == targets[1] and not pair

    def _learn(self, counted: Tally, how: str) -> None:
        checks.one_of(self.unattainable, "unattainable", ("reject", "raise"))
        base.check_label(self.reject_label)
        self.rule_: ReliableRule | None
        try:
            self.rule_ = reliable(
                counted, positive=self.positive, negative=self.negative, metric=self.metric
            )
        except (UnattainableError, ConflictError) as problem:
            if self.unattainable == "raise":
                raise
            self.rule_ = None
            self.how_: str = f"no case is decided: {problem} ({how})"
        else:
            mixed = f"; {MIXED}" if any(self.rule_.mixing) else ""
            self.how_ = f"{self.rule_}{mixed}; {how}"
        if not self._decides_all():
            self._check_reject_label()

    def _decides_all(self) -> bool:
        """Whether one threshold parts the classes, so that no score falls between two."""
        return self.rule_ is not None and self.rule_.case < 3 and self.rule_.mixing == (0.0, 0.0)

    def _decisions(self, scores: Floats) -> Decisions:
        if self.rule_ is None:
            return np.full(len(scores), -1, dtype=np.int8)
        if self._decides_all():
            return (scores >= self.rule_.upper_threshold).astype(np.int8)
        return self.rule_.decide(scores)

    def _edges(self) -> tuple[float, float]:
        if self.rule_ is None:
            return -np.inf, np.inf
        sure, partly = self.rule_.thresholds_of_positives()
        return (self.rule_.thresholds_of_negatives()[1] if self.rule_.case == 3 else partly), sure
