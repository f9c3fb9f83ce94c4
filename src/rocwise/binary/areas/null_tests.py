"""One area against a given value."""

from __future__ import annotations

import math
from typing import Any, Literal, Unpack, get_args

from rocwise import checks, printing
from rocwise.binary.areas.empirical import whole_area
from rocwise.binary.areas.rank_permutations import exact_tails, wilcoxon_variance
from rocwise.binary.areas.variances import Variance, area_variance, effective_sizes
from rocwise.binary.roc import AboutData
from rocwise.data.tally import Tally
from rocwise.data.unweighted import refuse_weights
from rocwise.errors import InputError
from rocwise.inference.intervals.interval_limits import divergence, newcombe_variance
from rocwise.inference.significance import PLAIN_ALTERNATIVES, PlainAlternative, Reference, decide
from rocwise.inputs.coercion import TallyOptions, as_clustered_tally, by_group
from rocwise.results import result

BY_PERMUTATION = ("exact", "wilcoxon")
TestMethod = Literal[Variance, "logit", "score", "exact", "wilcoxon"]


@result
class AucTest(AboutData):
    """An area tested against a value."""

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
    method: TestMethod = "delong",
    groups: Any = None,
    **given: Unpack[TallyOptions],
) -> AucTest:
    """Test one area against any value.

    Parameters
    ----------
    data, y_score
        A tally; or labels and scores; or a frame or path with `label=` and `score=`.
    null : float, default 0.5
        The area under the null hypothesis.
    alternative : {"two-sided", "greater", "less"}
        About the area, compared with `null`.
    method : str, default "delong"
        Variance that scales the difference: those of `auc_variance`; "logit" compares on the
        logit scale; "score" uses the variance that Newcombe's model gives at `null`, and takes
        over where the sample has no variance (AUC 0 or 1). With one case in a class Hoeffding's
        bound gives the p value. Against one half alone: "wilcoxon", the normal distribution of
        the rank sum with the variance that ties leave, and "exact", its exact permutation
        distribution (two-sided: all sums at least as far from the mean), for some 200 cases.
    groups : optional
        Cluster of each row, for "delong" and "logit": their variance is then cluster-robust.
    **given
        More about rows, a frame or a file (`label`, `score`, `by`, `pos_label`, `sample_weight`,
        `direction`, `missing`, `resolution`): see `tally`; `by` answers for every group of rows.

    Returns
    -------
    AucTest

    Examples
    --------
    >>> import rocwise as rw
    >>> rw.test_auc([0, 0, 0, 0, 1, 1, 1], [1, 2, 3, 5, 4, 6, 7], null=0.7).method
    'delong'
    """
    by_sums = str(method) not in BY_PERMUTATION
    tally = as_clustered_tally("test_auc", data, y_score, groups, given, summed=by_sums)
    checks.one_of(alternative, "alternative", PLAIN_ALTERNATIVES)
    checks.one_of(method, "method", get_args(TestMethod))
    null = checks.fraction(null, "null")
    value = whole_area(tally)
    if method in BY_PERMUTATION:
        return _permuted(tally, value, null, alternative, method)
    if min(effective_sizes(tally)) <= 1.0 and method != "score":
        return _bounded(tally, value, null, alternative)
    used, difference, error = _scaled(tally, value, null, method)
    found = decide(
        difference,
        error,
        alternative=alternative,
        margin=None,
        level=0.95,
        reference=Reference(),
    )
    return AucTest(
        value=value,
        null=null,
        standard_error=error,
        statistic=found.statistic,
        p_value=found.p_value,
        alternative=alternative,
        method=used,
        n_pos=tally.n_pos,
        n_neg=tally.n_neg,
        data=tally,
        origin=tally.origin,
    )


# pytest would otherwise collect a library function whose name starts with "test"
test_auc.__test__ = False  # type: ignore[attr-defined]


def _permuted(data: Tally, value: float, null: float, alternative: str, method: str) -> AucTest:
    """Wilcoxon's test of no difference between the classes, normal or exact."""
    if null != 0.5:
        raise InputError(f"method={method!r} tests against one half; got null={null:g}.")
    refuse_weights(
        data,
        f"test_auc with method={method!r}",
        why="it permutes rows that are alike and independent",
        instead="use method='delong', which is cluster-robust and takes weights",
    )
    error = math.sqrt(max(wilcoxon_variance(data), 0.0))
    found = decide(
        value - null,
        error,
        alternative=alternative,
        margin=None,
        level=0.95,
        reference=Reference(),
    )
    p = exact_tails(data)[alternative] if method == "exact" else found.p_value
    return AucTest(
        value=value,
        null=null,
        standard_error=error,
        statistic=found.statistic,
        p_value=p,
        alternative=alternative,
        method=method,
        n_pos=data.n_pos,
        n_neg=data.n_neg,
        data=data,
        origin=data.origin,
    )


def _bounded(data: Tally, value: float, null: float, alternative: str) -> AucTest:
    """With one case in a class: Hoeffding's bound, so that the test agrees with the interval."""
    exponent = divergence(value, null)
    statistic = math.copysign(math.sqrt(2 * exponent), value - null)
    tail = math.exp(-exponent)
    p = {
        "two-sided": min(1.0, 2 * tail),
        "greater": tail if value > null else 1.0,
        "less": tail if value < null else 1.0,
    }[alternative]
    return AucTest(
        value=value,
        null=null,
        standard_error=None,
        statistic=statistic,
        p_value=p,
        alternative=alternative,
        method="hoeffding",
        n_pos=data.n_pos,
        n_neg=data.n_neg,
        data=data,
        origin=data.origin,
    )


def _scaled(data: Tally, value: float, null: float, method: str) -> tuple[str, float, float]:
    """Method used, difference and standard error, on the scale of the test."""
    n_pos, n_neg = effective_sizes(data)
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
