"""Tests of one area against a given value."""

import math
from typing import Any, Literal, Unpack, get_args

import numpy as np

from rocwise import checks, printing
from rocwise.arrays import Floats, Integers
from rocwise.binary.auc import METHOD_NAMES, Variance, area_variance
from rocwise.binary.influence import area_variance_by_class
from rocwise.binary.partial_area import WHOLE
from rocwise.binary.roc import DataResult, whole_area
from rocwise.data.tally import Tally, check_unweighted
from rocwise.errors import InputError
from rocwise.inference.effective_sizes import decide_by_limits
from rocwise.inference.intervals import divergence, newcombe_variance
from rocwise.inference.significance import PLAIN_ALTERNATIVES, PlainAlternative, decide
from rocwise.inputs.coercion import TallyOptions, as_tally, by_group
from rocwise.results import result

MOST_STEPS = 2_000_000_000  # additions for the exact distribution: a few seconds


BY_PERMUTATION = ("exact", "wilcoxon")
TEST_NAMES = METHOD_NAMES | {"exact": "exact Wilcoxon", "wilcoxon": "Wilcoxon"}
TestMethod = Literal["wilson", Variance, "logit", "score", "exact", "wilcoxon"]


@result
class AucTest(DataResult):
    """Test of the AUC against a null value."""

    value: float
    null: float
    standard_error: float | None
    statistic: float
    p_value: float
    alternative: str
    method: str
    n_pos: float
    n_neg: float

    def _sentence(self) -> str:
        size = self.n_pos + self.n_neg
        return (
            f"AUC {printing.rate(self.value, size)} against {self.null:g}: "
            f"z = {self.statistic:.2f}, {printing.p_value(self.p_value)} "
            f"({self.alternative}, {self.method}); {printing.classes(self.n_pos, self.n_neg)}"
        )


@by_group
def test_auc(
    data: Any = None,
    y_score: Any = None,
    *,
    null: float = 0.5,
    alternative: PlainAlternative = "two-sided",
    method: TestMethod = "wilson",
    **given: Unpack[TallyOptions],
) -> AucTest:
    """Test the null hypothesis that the AUC equals a given value.

    Parameters
    ----------
    null : float, default 0.5
        AUC under the null hypothesis.
    alternative : {"two-sided", "greater", "less"}, default "two-sided"
        Alternative hypothesis about the AUC, relative to `null`.
    method : str, default "wilson"
        Method of the test, one of

        - "wilson": inverts the default interval of `auc`, so that p < alpha exactly where `null`
          lies outside the interval of level 1 - alpha;
        - "delong", "jackknife", "exact-bootstrap", "unbiased", "hanley-mcneil": z tests with
          these variances, see `auc_variance`; "logit": on the logit scale;
        - "score": z test with Newcombe's variance [1]_ under the null hypothesis, also defined
          for an AUC of 0 or 1;
        - "wilcoxon": rank-sum test with tie correction, for `null` 0.5;
        - "exact": exact permutation distribution of the rank sum, for `null` 0.5 and up to about
          200 cases.

    Returns
    -------
    AucTest
        Result with `value`, `statistic`, `p_value`, `null`, `alternative` and `method`.

    See Also
    --------
    auc : AUC with a confidence interval.
    compare : Test and interval for the difference of AUCs.
    ordinal.null_test : Test of an ordinal score against chance.
    sample_size : Sample size for a test of AUCs.

    Notes
    -----
    With a single case in a class the p value is from Hoeffding's bound.

    References
    ----------
    .. [1] R. G. Newcombe, "Confidence intervals for an effect size measure based on the
           Mann-Whitney statistic. Part 2", Stat. Med. 25, 2006. doi:10.1002/sim.2324

    Examples
    --------
    >>> import rocwise as rw
    >>> rw.test_auc([0, 0, 0, 0, 1, 1, 1], [1, 2, 3, 5, 4, 6, 7], method="delong")
    AUC 0.92 against 0.5: z = 3.54, p < 0.001 (two-sided, DeLong); 3 positives, 4 negatives
    """
    tally = as_tally("test_auc", data, y_score, given)
    checks.one_of(alternative, "alternative", PLAIN_ALTERNATIVES)
    checks.one_of(method, "method", get_args(TestMethod))
    null = checks.fraction(null, "null")
    value = whole_area(tally)
    used: str = method
    error: float | None = None
    if method not in (*BY_PERMUTATION, "score") and min(tally.effective_sizes) <= 1.0:
        used, (statistic, p_value) = "hoeffding", _hoeffding_bound(value, null, alternative)
    elif method == "wilson":
        variance = area_variance_by_class(tally, WHOLE)
        error = math.sqrt(max(variance.variance, 0.0))
        limits = variance.as_share(value).limits
        found = decide_by_limits(value, limits, null=null, alternative=alternative, level=0.95)
        statistic, p_value = found.statistic, found.p_value
    else:
        if method in BY_PERMUTATION:
            difference, error = value - null, _wilcoxon_error(tally, null, method)
        else:
            used, difference, error = _scaled(tally, value, null, method)
        found = decide(difference, error, alternative=alternative)
        statistic, p_value = found.statistic, found.p_value
        if method == "exact":
            p_value = exact_tails(tally)[alternative]
    return AucTest(
        value=value,
        null=null,
        standard_error=error,
        statistic=statistic,
        p_value=p_value,
        alternative=alternative,
        method=f"{'cluster-robust ' * tally.clustered}{TEST_NAMES[used]}",
        data=tally,
        **tally.result_fields,
    )


# pytest would otherwise collect a library function whose name starts with "test"
test_auc.__test__ = False  # type: ignore[attr-defined]


def _wilcoxon_error(data: Tally, null: float, method: str) -> float:
    """Standard error of the area when labels do not depend on scores, ties taken into account.

    The variance is (n + 1 - sum(t^3 - t) / (n (n - 1))) / (12 P N) for tie groups of t cases.
    """
    if null != 0.5:
        raise InputError(f"method={method!r} tests H0: AUC = 0.5; got null={null:g}.")
    check_unweighted(
        data,
        f"test_auc with method={method!r}",
        why="it permutes rows that are independent and exchangeable",
        instead="use method='delong', which is cluster-robust and takes weights",
    )
    n_pos, n_neg = float(data.n_pos), float(data.n_neg)
    n, t = n_pos + n_neg, (data.pos + data.neg).astype(np.float64)
    ties = float((t**3 - t).sum()) / (n * (n - 1))
    return math.sqrt((n + 1 - ties) / (12 * n_pos * n_neg))


def _hoeffding_bound(value: float, null: float, alternative: str) -> tuple[float, float]:
    """Statistic and p value by Hoeffding's bound, so that the test agrees with the interval."""
    exponent = divergence(value, null)
    tail = math.exp(-exponent)
    p = {
        "two-sided": min(1.0, 2 * tail),
        "greater": tail if value > null else 1.0,
        "less": tail if value < null else 1.0,
    }[alternative]
    return math.copysign(math.sqrt(2 * exponent), value - null), p


def _scaled(data: Tally, value: float, null: float, method: str) -> tuple[str, float, float]:
    """Method used, difference and standard error, on the scale of the test."""
    n_pos, n_neg = data.effective_sizes
    variance = 0.0
    if method != "score":
        variance = area_variance(data, "delong" if method == "logit" else method)
    if variance < 0:
        raise InputError(f"method={method!r} gives a negative variance; use method='delong'.")
    if variance == 0.0:
        return "score", value - null, math.sqrt(newcombe_variance(null, n_pos, n_neg))
    error = math.sqrt(variance)
    if method == "logit":
        logit = math.log(value / (1 - value)) - math.log(null / (1 - null))
        return method, logit, error / (value * (1 - value))
    return method, value - null, error


def exact_tails(data: Tally) -> dict[str, float]:
    """Exact p values of the area against one half, by midranks, for each alternative."""
    pos, neg = data.pos[::-1], data.neg[::-1]
    sizes = np.asarray(pos + neg, np.int64)
    doubled = 2 * (np.cumsum(sizes) - sizes) + sizes + 1
    values = doubled - doubled[0]
    values //= max(int(np.gcd.reduce(values)), 1)
    of_negatives = bool(data.n_neg < data.n_pos)
    own = neg if of_negatives else pos
    chosen, observed, n = int(own.sum()), int(own @ values), int(sizes.sum())
    probabilities = _rank_sum_distribution(values, sizes, chosen)
    total = int(values @ sizes) * chosen
    distances = np.abs(n * np.arange(len(probabilities)) - total)  # integers: compared exactly
    up, down = float(probabilities[observed:].sum()), float(probabilities[: observed + 1].sum())
    if of_negatives:
        up, down = down, up
    far = float(probabilities[distances >= abs(n * observed - total)].sum())
    return {name: min(p, 1.0) for name, p in (("two-sided", far), ("greater", up), ("less", down))}


def _rank_sum_distribution(values: Integers, sizes: Integers, chosen: int) -> Floats:
    """Probability of every sum of `chosen` cases, by adding one tie group after the other."""
    largest = int(np.repeat(values, sizes)[-chosen:].sum())
    steps = int(np.minimum(sizes, chosen).sum() + len(sizes)) * (chosen + 1) * (largest + 1)
    if steps > MOST_STEPS:
        raise InputError(
            f"method='exact' would take {steps:.2g} steps for {int(sizes.sum()):,} cases with "
            f"{len(sizes):,} distinct scores; use method='wilcoxon', whose normal "
            "approximation is accurate for so many."
        )
    p = chosen / int(sizes.sum())
    table = np.zeros((chosen + 1, largest + 1))
    table[0, 0] = 1.0
    for value, size in zip(values.tolist(), sizes.tolist(), strict=True):
        added = np.zeros_like(table)
        for taken, probability in enumerate(_binomial(size, p)[: chosen + 1].tolist()):
            shift = taken * value
            if shift <= largest:
                before = table[: chosen + 1 - taken, : largest + 1 - shift]
                added[taken:, shift:] += probability * before
        table = added
    return np.asarray(table[chosen] / table[chosen].sum())


def _binomial(n: int, p: float) -> Floats:
    """Probabilities of 0, 1, ..., n successes."""
    from scipy.special import gammaln

    k = np.arange(n + 1)
    combinations = gammaln(n + 1) - gammaln(k + 1) - gammaln(n - k + 1)
    return np.asarray(np.exp(combinations + k * math.log(p) + (n - k) * math.log1p(-p)))
