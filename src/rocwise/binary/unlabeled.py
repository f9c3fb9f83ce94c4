"""Thresholds from scores alone, without labels: direct, by rank, and by the NROC curve.

Blanco-Vega, Ferri, Hernández-Orallo and Ramírez-Quintana, "Estimating the class probability
threshold without training data" (2006). The paper thresholds q = P(class 0); here the score is
p = 1 - q, the probability of the positive class, and its threshold T1 = 1 - T.
"""

from dataclasses import field, replace
from typing import Any, ClassVar, Literal, get_args

import numpy as np

from rocwise import checks, printing
from rocwise.arrays import Flags, Floats
from rocwise.costs import Costs, check_costly_errors, checked_costs
from rocwise.data.tally import float_scores
from rocwise.errors import InputError
from rocwise.inputs.coercion import Missing
from rocwise.inputs.rows import score_values
from rocwise.results import ASIDE, Result, result

UnlabeledMethod = Literal["rank", "direct", "nroc", "hybrid"]
Orientation = Literal["class1", "class0"]
TiedCases = Literal["class1", "ro"]


def threshold_without_labels(
    y_score: Any,
    *,
    costs: Costs,
    method: UnlabeledMethod = "rank",
    orientation: Orientation = "class1",
    missing: Missing = "raise",
) -> float:
    """Set a threshold for given costs from unlabeled scores.

    Parameters
    ----------
    y_score : array-like
        Probabilities of the positive class; for "rank" any finite scores.
    costs : Costs
        Costs of the outcomes, with skew = (fn - tp) / (fp - tn).
    method : {"rank", "direct", "nroc", "hybrid"}, default "rank"
        "direct": 1 / (1 + skew), for calibrated probabilities; "rank": predicts the proportion skew
        / (1 + skew) of the cases as positive; "nroc": the score at which the NROC curve has slope
        skew, which assumes equally frequent classes [1]_; "hybrid": mean of the last two.
    orientation : {"class1", "class0"}, default "class1"
        "class0" returns 1 - threshold, the threshold for the probability of the negative class.
    missing : {"raise", "drop"}, default "raise"
        What to do with missing scores.

    Returns
    -------
    float
        Threshold: a case is predicted positive if its score is at least this.

    See Also
    --------
    binary.rule_without_labels : Threshold from unlabeled scores, with a rule for ties.
    nroc : ROC curve expected of calibrated scores.
    threshold : Optimal threshold by a criterion.

    Notes
    -----
    Equation (5) of the paper is corrected: its last fraction is inverted.

    References
    ----------
    .. [1] R. Blanco-Vega, C. Ferri, J. Hernández-Orallo and M. J. Ramírez-Quintana, "Estimating
           the class probability threshold without training data", ROCML workshop, 2006.

    Examples
    --------
    >>> import rocwise as rw
    >>> scores = [0.05, 0.1, 0.1, 0.4, 0.45, 0.7, 0.8]
    >>> rw.threshold_without_labels(scores, costs=rw.Costs(fp=1, fn=1))
    0.4
    """
    scores = checked_scores(score_values(y_score, missing=missing), method, orientation)
    value = _threshold(scores, skew_of(costs), method)
    return value if orientation == "class1" else 1.0 - value


def rule_without_labels(
    y_score: Any,
    *,
    costs: Costs,
    method: UnlabeledMethod = "rank",
    ties: TiedCases = "class1",
    missing: Missing = "raise",
) -> "UnlabeledRule":
    """Set a threshold from unlabeled scores, with a rule for scores equal to it.

    Parameters
    ----------
    y_score : array-like
        Probabilities of the positive class; for "rank" any finite scores.
    costs : Costs
        Costs of the outcomes.
    method : {"rank", "direct", "nroc", "hybrid"}, default "rank"
        As in `threshold_without_labels`.
    ties : {"class1", "ro"}, default "class1"
        Whether all cases at the threshold are positive, or the proportion `ro` of them negative, so
        that the target number of negatives n / (skew + 1) is reached [1]_.
    missing : {"raise", "drop"}, default "raise"
        What to do with missing scores.

    Returns
    -------
    UnlabeledRule
        Result with `threshold` and `ro`, and the methods ``assign()`` for these cases and
        ``predict(y_score)`` for new ones.

    See Also
    --------
    threshold_without_labels : Threshold from unlabeled scores.
    nroc : ROC curve expected of calibrated scores.

    References
    ----------
    .. [1] R. Blanco-Vega, C. Ferri, J. Hernández-Orallo and M. J. Ramírez-Quintana, "Estimating
           the class probability threshold without training data", ROCML workshop, 2006.

    Examples
    --------
    >>> from rocwise import Costs
    >>> from rocwise.binary import rule_without_labels
    >>> rule = rule_without_labels([0.2, 0.5, 0.5, 0.5], costs=Costs(fp=1, fn=1), ties="ro")
    >>> rule.threshold, round(rule.ro, 3), rule.assign().tolist()
    (0.5, 0.333, [False, False, True, True])
    """
    checks.one_of(ties, "ties", get_args(TiedCases))
    if ties == "ro" and method != "rank":
        raise InputError(f"ties='ro' meets a target proportion by rank; got method={method!r}.")
    scores = checked_scores(score_values(y_score, missing=missing), method, "class1")
    skew = skew_of(costs)
    value = _threshold(scores, skew, method)
    tied, below = int(np.sum(scores == value)), int(np.sum(scores < value))
    target = len(scores) / (skew + 1)
    ro = float(np.clip((target - below) / tied, 0.0, 1.0)) if tied else 1.0
    rule = UnlabeledRule(
        threshold=value,
        method=method,
        skew=skew,
        ro=ro if method == "rank" else None,
        n_tied=tied,
        share_positive=0.0,
        ties=ties,
        costs=costs,
        n=len(scores),
        scores=scores,
    )
    return replace(rule, share_positive=float(rule.assign().mean()))


def nroc(y_score: Any, *, missing: Missing = "raise") -> "NrocCurve":
    """Compute the NROC curve, the ROC curve expected of calibrated scores.

    Parameters
    ----------
    y_score : array-like
        Probabilities of the positive class.
    missing : {"raise", "drop"}, default "raise"
        What to do with missing scores.

    Returns
    -------
    NrocCurve
        Result with `x`, `y` and `thresholds`, one point per case in descending order of the scores,
        and `auc`, the AUC that calibrated scores would have [1]_.

    See Also
    --------
    threshold_without_labels : Threshold from unlabeled scores.
    roc : Empirical ROC curve.
    calibration : Calibration curve, slope and intercept.

    References
    ----------
    .. [1] R. Blanco-Vega, C. Ferri, J. Hernández-Orallo and M. J. Ramírez-Quintana, "Estimating
           the class probability threshold without training data", ROCML workshop, 2006.

    Examples
    --------
    >>> import rocwise as rw
    >>> curve = rw.nroc([0.25, 0.75])
    >>> curve.x.tolist(), curve.y.tolist()
    ([0.0, 0.25, 1.0], [0.0, 0.75, 1.0])
    >>> ax = curve.plot()
    """
    # (6.4)
    values = score_values(y_score, missing=missing)
    rising = np.sort(checked_scores(values, "nroc", "class1"))
    scores = np.asarray(rising[::-1], np.float64)
    positives, negatives = _expected_classes(scores)
    x = np.concatenate([[0.0], np.cumsum(1 - scores) / negatives])
    y = np.concatenate([[0.0], np.cumsum(scores) / positives])
    x[-1] = y[-1] = 1.0
    return NrocCurve(
        x=np.minimum(x, 1.0),
        y=np.minimum(y, 1.0),
        thresholds=np.concatenate([[np.inf], scores]),
        auc=float(np.trapezoid(y, x)),
        expected_positives=positives,
        expected_negatives=negatives,
    )


@result
class UnlabeledRule(Result):
    """Threshold set without labels, with a rule for scores equal to it.

    `ro` is the proportion of cases exactly at the threshold to call negative, so that the target
    proportion of negatives is met (`ties="ro"`, by rank only); with `ties="class1"` they are
    positive.
    """

    frame_fields: ClassVar[tuple[str, ...]] = (
        *("threshold", "method", "skew", "ro", "n_tied", "share_positive", "ties", "n"),
    )
    threshold: float
    method: UnlabeledMethod
    skew: float
    ro: float | None
    n_tied: int
    share_positive: float
    ties: TiedCases
    costs: Costs
    n: int
    scores: Floats = field(metadata=ASIDE)

    @property
    def share_from_threshold(self) -> float:
        """Proportion of the scores at or above the threshold."""
        return float(np.mean(self.scores >= self.threshold))

    @property
    def threshold_text(self) -> str:
        """How the threshold is written: in the fewest digits that select the same scores."""
        below = self.scores[self.scores < self.threshold]
        low = float(below.max()) if len(below) else -np.inf
        if self.n_tied:
            return printing.rounded_between(low, self.threshold)
        above = self.scores[self.scores > self.threshold]
        high = float(above.min()) if len(above) else np.inf
        return printing.rounded_inside(self.threshold, low, high)

    @property
    def skew_words(self) -> str:
        """Cost of a false negative relative to a false positive."""
        return f"cost ratio FN : FP {self.skew:.4g}"

    def assign(self) -> Flags:
        """Which cases are positive among the cases that set the threshold.

        With `ties="ro"` the first tied cases, in the order given, are predicted negative.
        """
        called = self.scores >= self.threshold
        if self.ro is not None and self.ties == "ro":
            tied = np.flatnonzero(self.scores == self.threshold)
            called[tied[: round(self.ro * len(tied))]] = False
        return np.asarray(called)

    def predict(self, y_score: Any, *, rng: Any = None) -> Flags:
        """Which cases are positive among new cases; with `ties="ro"` chance settles ties."""
        checks.generator(rng)
        scores = checks.numbers(y_score, "y_score", infinite=True)
        called = np.asarray(scores >= self.threshold)
        if self.ro is not None and self.ties == "ro":
            drawn = np.random.default_rng(checks.seed(rng)).random(scores.shape)
            called &= ~((scores == self.threshold) & (drawn < self.ro))
        return called

    def _sentence(self) -> str:
        tied = "" if self.n_tied == 0 else f", {self.n_tied:,} of them at it"
        return (
            f"positive when score >= {self.threshold_text}, set without labels "
            f"({self.method}, {self.skew_words}); {printing.rate(self.share_positive, self.n)} of "
            f"{printing.counted(self.n, 'score')} {'is' if self.n == 1 else 'are'} positive{tied}"
        )


@result
class NrocCurve(Result):
    """NROC curve: the ROC curve expected of calibrated scores.

    Each case adds `1 - p` of a negative and `p` of a positive; here the most positive scores come
    first, so `x` is the expected false positive rate and `y` the expected true positive rate.
    """

    x: Floats
    y: Floats
    thresholds: Floats
    auc: float
    expected_positives: float
    expected_negatives: float

    def _sentence(self) -> str:
        return (
            f"NROC curve of {printing.counted(len(self.x) - 1, 'score')}, area {self.auc:.3f}; "
            f"{self.expected_positives:.4g} positives and {self.expected_negatives:.4g} negatives "
            "expected"
        )


def skew_of(costs: Any) -> float:
    """Cost ratio FN : FP (6.1); neither error may be free."""
    known = checked_costs(costs)
    check_costly_errors(known, "threshold_without_labels")
    return (known.fn - known.tp) / (known.fp - known.tn)


def checked_scores(y_score: Any, method: UnlabeledMethod, orientation: Orientation) -> Floats:
    """Finite scores; from 0 to 1 wherever they are taken for probabilities."""
    checks.one_of(method, "method", get_args(UnlabeledMethod))
    checks.one_of(orientation, "orientation", get_args(Orientation))
    scores = float_scores(np.asarray(y_score))
    if scores.ndim != 1 or not len(scores):
        raise InputError(
            f"`y_score` must be one column with at least one score; got the shape {scores.shape}."
        )
    wrong = ~np.isfinite(scores)
    if wrong.any():
        row = int(wrong.argmax())
        raise InputError(f"`y_score` must be finite; got {scores[row]:g} at row {row}.")
    outside = (scores < 0) | (scores > 1)
    if outside.any() and (method != "rank" or orientation == "class0"):
        row = int(outside.argmax())
        raise InputError(
            f"`y_score` must contain probabilities from 0 to 1 for method={method!r}; got "
            f"{scores[row]:g} at row {row}. method='rank' takes scores on any scale."
        )
    return scores


def _threshold(scores: Floats, skew: float, method: UnlabeledMethod) -> float:
    # (6.2, 6.3, 6.5)
    if method == "direct":
        return 1.0 / (1.0 + skew)  # (6.2) for p
    if method == "hybrid":
        return (_threshold(scores, skew, "rank") + _threshold(scores, skew, "nroc")) / 2
    if method == "nroc":
        positives, negatives = _expected_classes(scores)
        # (6.5) for p: Sum1 / (Sum1 + skew Sum0), Sum1 the positives here
        return positives / (positives + skew * negatives)
    rising = np.sort(scores)
    position = (len(rising) - 1) / (skew + 1) + 1  # (6.3); q falling is p rising
    if abs(position - round(position)) < 1e-9:  # rounding must not lift it off a score
        position = round(position)
    return float(np.interp(position, np.arange(1, len(rising) + 1), rising))


def _expected_classes(scores: Floats) -> tuple[float, float]:
    """Sums of p and of 1 - p."""
    positives, negatives = float(scores.sum()), float((1 - scores).sum())
    if positives <= 0 or negatives <= 0:
        value = "0" if positives <= 0 else "1"
        raise InputError(
            f"every `y_score` is {value}, so the scores expect one class only and the NROC curve "
            "is undefined. method='rank' and method='direct' do not need it."
        )
    return positives, negatives
