"""A classifier that keeps a promise for each class it predicts, and is silent otherwise."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np

from rocwise import checks
from rocwise.arrays import Decisions, Floats
from rocwise.binary.isometrics.reliable_results import ReliableRule
from rocwise.binary.isometrics.reliable_rules import reliable
from rocwise.data.tally import Tally
from rocwise.errors import ConflictError, UnattainableError
from rocwise.estimators.base.parameters import checked_label
from rocwise.estimators.base.reject_option import RejectOptionClassifier

MIXED = "cases on which the two rules of the mixture disagree are rejected"


class ReliableClassifier(RejectOptionClassifier):
    """Predicts a class only where its held-out performance reaches the target for that class.

    The rule is `rocwise.reliable` on held-out scores. Of a mixture of two rules, `predict` decides
    only the cases on which both agree: it depends on the rows alone, never on chance.

    Parameters
    ----------
    estimator : classifier, optional
        With `predict_proba` or `decision_function`; logistic regression without it.
    positive, negative : float, default 0.9
        Targets for the cases called positive and for those called negative.
    metric : {"precision", "f", "m"} or a pair of them
        What is promised, as in `rocwise.reliable`.
    reject_label : default -1
        What `predict` says of an undecided case.
    cv : int, splitter, iterable or "prefit", default 5
        Folds of the held-out scores that the rule is learned on, as in `ThresholdClassifier`.
    unattainable : {"reject", "raise"}
        When the scores cannot reach the targets: decide no case at all, or raise.
    pos_label : optional
        As in `ThresholdClassifier`; not needed where both targets are the same.

    Attributes
    ----------
    rule_ : ReliableRule or None
        The rule; None when the targets are out of reach, and every case is rejected.
    how_ : str
        The rule, and on which scores it was learned, in a sentence.
    estimator_, classes_, pos_label_, response_method_
        The fitted model, both labels and the positive one, the method that scores.

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

    def __init__(
        self,
        estimator: Any = None,
        *,
        positive: float = 0.9,
        negative: float = 0.9,
        metric: Any = "precision",
        reject_label: Any = -1,
        cv: Any = 5,
        unattainable: Literal["reject", "raise"] = "reject",
        pos_label: Any = None,
    ) -> None:
        self.estimator = estimator
        self.positive = positive
        self.negative = negative
        self.metric = metric
        self.reject_label = reject_label
        self.cv = cv
        self.unattainable = unattainable
        self.pos_label = pos_label

    def _classes_alike(self) -> bool:
        pair = isinstance(self.metric, (tuple, list)) and len(set(map(repr, self.metric))) > 1
        targets = [checks.rate(getattr(self, side), side) for side in ("positive", "negative")]
        return targets[0] == targets[1] and not pair

    def _learn(self, counted: Tally, how: str) -> None:
        checks.one_of(self.unattainable, "unattainable", ("reject", "raise"))
        checked_label(self.reject_label)
        self.rule_: ReliableRule | None
        try:
            self.rule_ = reliable(
                counted,
                positive=self.positive,
                negative=self.negative,
                metric=self.metric,
            )
        except (UnattainableError, ConflictError) as problem:
            if self.unattainable == "raise":
                raise
            self.rule_ = None
            self.how_: str = f"no case is decided: {problem} ({how})"
        else:
            mixed = f"; {MIXED}" if any(self.rule_.mixing) else ""
            self.how_ = f"{self.rule_}{mixed}; {how}"
        if self._may_abstain():
            self._refuse_ambiguous_label()

    def _decides_all(self) -> bool:
        """Whether one threshold parts the classes, so that no score falls between two."""
        return self.rule_ is not None and self.rule_.case < 3 and self.rule_.mixing == (0.0, 0.0)

    def _may_abstain(self) -> bool:
        return not self._decides_all()

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
