"""What the classifiers share that may leave a case undecided."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from rocwise.arrays import Array, Decisions, Flags, Floats, Places
from rocwise.errors import InputError, shown
from rocwise.estimators.base.decision_rules import DecisionRuleClassifier, signed_distances
from rocwise.estimators.base.parameters import checked_label
from rocwise.estimators.base.two_classes import with_reject_label


class PartialDecision(NamedTuple):
    """Labels in which undecided rows hold the reject label, and the mask of these rows."""

    labels: Array
    abstained: Flags


class RejectOptionClassifier(DecisionRuleClassifier):
    """What the classifiers with a reject label share; subclasses say how scores are decided."""

    reject_label: Any

    def _decisions(self, scores: Floats) -> Decisions:
        """1 for the positive class, 0 for the other, -1 for neither."""
        raise NotImplementedError

    def _edges(self) -> tuple[float, float]:
        """Up to which score the negative class is predicted, and from which on the positive."""
        raise NotImplementedError

    def _refuse_ambiguous_label(self) -> None:
        if any(label == checked_label(self.reject_label) for label in self.classes_.tolist()):
            raise InputError(
                f"`reject_label` {shown(self.reject_label)} is one of the classes; choose a "
                "label that is none, such as reject_label='?'."
            )

    def predict_with_abstention(self, X: Any) -> PartialDecision:
        """Labels with the reject label where no decision is made, and the mask of those rows."""
        decisions = self._decisions(self._scores(X))
        abstained = decisions < 0
        labels = self._labels_of(decisions == 1)
        return PartialDecision(with_reject_label(labels, abstained, self.reject_label), abstained)

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
        """Row numbers of the undecided cases for people to look at, the most positive first."""
        scores = self._scores(X)
        rows = np.flatnonzero(self._decisions(scores) < 0)
        return rows[np.argsort(-scores[rows], kind="stable")]

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """Share of the cases that are decided and right."""
        right = np.asarray(self.predict(X) == np.asarray(y), dtype=bool)
        return float(np.average(right, weights=sample_weight))
