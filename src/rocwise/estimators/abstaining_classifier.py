"""A classifier that leaves cases undecided when that is cheaper than deciding."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.base import clone

from rocwise.arrays import Array, Decisions, Floats
from rocwise.binary.abstention.windows import AbstentionWindow, abstain
from rocwise.costs import Costs
from rocwise.data.tally import Tally
from rocwise.estimators.base.decision_rules import costs_alike, costs_or_default, mean_cost
from rocwise.estimators.base.parameters import checked_label, checked_model
from rocwise.estimators.base.reject_option import RejectOptionClassifier
from rocwise.estimators.base.rows import rows_of
from rocwise.estimators.base.two_classes import TwoClasses

# Not deciding costs as much as an error, so it never pays.
NEVER_ABSTAIN = Costs(fp=1, fn=1, abstain=1)


class AbstainingClassifier(RejectOptionClassifier):
    """Decides where deciding is cheap, and hands the rest to a second model or to people.

    Parameters
    ----------
    estimator : classifier, optional
        With `predict_proba` or `decision_function`; logistic regression without it.
    costs : Costs, optional
        With `abstain`. Without costs both errors cost 1 and so does abstaining: it never pays.
    reject_label : default -1
        What `predict` says of an undecided case.
    cv : int, splitter, iterable or "prefit", default 5
        Folds of the held-out scores that the window is learned on, as in `ThresholdClassifier`.
    prevalence : float, optional
        Share of positives where the classifier will be used; that of the rows without it.
    second : classifier, optional
        Asked about the cases left undecided; fitted on all rows. `predict` then returns its
        answers in place of the reject label.
    pos_label : optional
        As in `ThresholdClassifier`; not needed where both classes have the same costs.

    Attributes
    ----------
    window_ : AbstentionWindow
        No decision where `window_.lower` < score < `window_.upper`.
    how_ : str
        The window, and on which scores it was learned, in a sentence.
    estimator_, second_, classes_, pos_label_, response_method_
        The fitted models, both labels and the positive one, the method that scores.

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

    def __init__(
        self,
        estimator: Any = None,
        *,
        costs: Costs | None = None,
        reject_label: Any = -1,
        cv: Any = 5,
        prevalence: float | None = None,
        second: Any = None,
        pos_label: Any = None,
    ) -> None:
        self.estimator = estimator
        self.costs = costs
        self.reject_label = reject_label
        self.cv = cv
        self.prevalence = prevalence
        self.second = second
        self.pos_label = pos_label

    def _classes_alike(self) -> bool:
        return costs_alike(self.costs) and self.prevalence in (None, 0.5)

    def _learn(self, counted: Tally, how: str) -> None:
        costs = costs_or_default(self.costs, NEVER_ABSTAIN)
        checked_label(self.reject_label)
        self.window_: AbstentionWindow = abstain(counted, costs=costs, prevalence=self.prevalence)
        if self.window_.lower < self.window_.upper and self.second is None:
            self._refuse_ambiguous_label()
        self.how_: str = f"{self.window_}; {how}"

    def _fit_more(self, X: Any, labels: TwoClasses, fit_params: dict[str, Any]) -> None:
        second = None if self.second is None else clone(checked_model(self.second, "second"))
        self.second_: Any = None if second is None else second.fit(X, labels.given)

    def _decisions(self, scores: Floats) -> Decisions:
        return self.window_.decide(scores)

    def _edges(self) -> tuple[float, float]:
        return self.window_.lower, self.window_.upper

    def predict(self, X: Any) -> Array:
        """Labels; of undecided cases the second model's, or `reject_label` without one."""
        labels, abstained = self.predict_with_abstention(X)
        if self.second_ is None or not abstained.any():
            return labels
        answers = np.asarray(self.second_.predict(rows_of(X, np.flatnonzero(abstained))))
        decided = labels[~abstained]
        common = np.result_type(decided, answers) if len(decided) else answers.dtype
        settled: Array = np.empty(len(labels), dtype=common)
        settled[abstained], settled[~abstained] = answers, decided
        return settled

    def mean_cost(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """Cost per case on labelled rows, abstentions of the first model at their price."""
        decisions = self._decisions(self._scores(X))
        truth = np.asarray(y) == self.pos_label_
        costs = costs_or_default(self.costs, NEVER_ABSTAIN)
        return mean_cost(truth, decisions == 1, decisions < 0, costs, sample_weight)
