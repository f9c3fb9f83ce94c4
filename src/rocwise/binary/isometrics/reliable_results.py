"""The answer of `reliable`: two thresholds, the promises they keep, and their price."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rocwise import checks, printing
from rocwise.arrays import Floats
from rocwise.binary.abstention.rules import NEGATIVE, POSITIVE, UNDECIDED, new_scores
from rocwise.binary.isometrics.hull_arcs import Point
from rocwise.binary.isometrics.lines import NAMES, Line, Sides, isometric, metric_of
from rocwise.results import Result, result

Texts = tuple[tuple[str | None, str | None], tuple[str | None, str | None]]
ROUNDING = 1e-12


@result
class ReliableRule(Result):
    """Two thresholds that keep a promise for each class, at the price of some abstention.

    `case` is 1 (one point of the hull keeps both promises), 2 (an arc does; no abstention) or 3
    (abstention between `point_a` and `point_b`). Scores from `upper_threshold` on are positive,
    scores up to `lower_threshold` negative (the other way round where lower scores mean
    positive). Both are those of the left end of a hull edge; `mixing` is the share of the way to
    the right end, whose thresholds are in `upper_mixed` and `lower_mixed`. The performances are
    those among the decided cases; the precision of a class that is never called is None. `texts`
    are the thresholds of positives and of negatives as they are written, None beyond all scores.
    """

    frame_fields: ClassVar[tuple[str, ...]] = (
        "case",
        "upper_threshold",
        "lower_threshold",
        "upr",
        "unr",
        "abstention_rate",
        "positive_performance",
        "negative_performance",
    )
    case: int
    upper_threshold: float
    lower_threshold: float
    rule: str
    upr: float
    unr: float
    point_a: Point
    point_b: Point
    point: Point
    positive_performance: float | None
    negative_performance: float | None
    mixing: tuple[float, float]
    upper_mixed: float
    lower_mixed: float
    texts: Texts
    interval: tuple[Point, Point] | None
    abstention_rate: float
    metric: Sides
    targets: tuple[float, float]
    by_rule: str
    skew: float
    skew_after: float
    m: float
    m_after: float
    alpha: float
    positive_line: Line
    negative_line: Line
    hull_fpr: Floats
    hull_tpr: Floats
    transformed_fpr: Floats
    transformed_tpr: Floats
    n_pos: float
    n_neg: float

    def decide(self, y_score: ArrayLike, *, rng: Any = None) -> NDArray[np.int8]:
        """1 for positive, 0 for negative, -1 for no decision, of new scores.

        Where a point lies inside a hull edge the rule is a mixture of two. With `rng` cases are
        assigned to the two at random, as often as `mixing` says; without it each case is decided
        only where both agree, which abstains a little more and keeps promised precisions.
        """
        scores = new_scores(y_score)
        checks.generator(rng)
        sign = 1.0 if self.origin.direction == "higher" else -1.0
        oriented = sign * scores
        sure, partly = (sign * value for value in self.thresholds_of_positives())
        never_positive, never_negative = self.beyond_scores()
        positive = (oriented >= sure) & (not never_positive)
        may_be_positive = oriented >= partly if self.mixing[0] > 0 else positive
        left, right = (sign * value for value in self.thresholds_of_negatives())
        # without abstention whatever is not positive is negative, also inside a gap of the scores
        surely_negative = (oriented <= right) & (not never_negative)
        negative = surely_negative if self.case == 3 else ~may_be_positive
        if rng is not None:
            draws = np.random.default_rng(checks.seed(rng)).random(scores.shape)
            positive |= may_be_positive & (draws < self.mixing[0])
            negative |= (oriented <= left) & (draws >= self.mixing[1])
        answer = np.full(scores.shape, UNDECIDED, dtype=np.int8)
        answer[negative] = NEGATIVE
        answer[positive] = POSITIVE
        return answer

    def reached_lines(self) -> tuple[Line, ...]:
        """The isometrics of the performances reached, in the ROC space of the decided cases."""
        reached = self.positive_performance, self.negative_performance
        return tuple(
            isometric(
                metric_of(side, sign), value, skew=self.skew_after, alpha=self.alpha, m=self.m_after
            )
            for side, value, sign in zip(self.metric, reached, "+-", strict=True)
            if value is not None
        )

    def thresholds_of_positives(self) -> tuple[float, float]:
        """From which scores on cases are positive, at the left and right end of the hull edge."""
        if self.origin.direction == "higher":
            return self.upper_threshold, self.upper_mixed
        return self.lower_threshold, self.lower_mixed

    def thresholds_of_negatives(self) -> tuple[float, float]:
        """Up to which scores cases are negative, at the left and right end of the hull edge."""
        if self.origin.direction == "higher":
            return self.lower_threshold, self.lower_mixed
        return self.upper_threshold, self.upper_mixed

    def beyond_scores(self) -> tuple[bool, bool]:
        """Whether no score is surely positive, and none surely negative, not even infinite ones.

        So it is where the hull edge of `point_a` starts in (0, 0), and that of `point_b` ends in
        (1, 1): a threshold there is infinite, as it also is at an infinite score.
        """
        along = self.hull_fpr + self.hull_tpr
        first, last = float(along[1]) - ROUNDING, float(along[-2]) + ROUNDING
        return sum(self.point_a) < first, sum(self.point_b) > last

    @property
    def metric_words(self) -> tuple[str, str]:
        """What is promised for positives and for negatives: ``precision``, ``F-measure``."""
        return NAMES[self.metric[0]], NAMES[self.metric[1]]

    def _sentence(self) -> str:
        size = self.n_pos + self.n_neg
        promises = " and ".join(
            f"{metric} {'undefined' if value is None else f'{value:.4g}'} for {name}"
            for metric, value, name in zip(
                self.metric_words,
                (self.positive_performance, self.negative_performance),
                ("positives", "negatives"),
                strict=True,
            )
        )
        price = (
            f"no decision on {printing.rate(self.abstention_rate, size)} of the cases"
            if self.case == 3
            else "without abstaining"
        )
        return (
            f"{self.rule}: {promises}, {price} (case {self.case}); "
            f"{printing.classes(self.n_pos, self.n_neg)}"
        )
