"""Are the values of independent groups alike? The answers of `by=` with a test of equality."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np

from rocwise import printing
from rocwise.errors import InputError
from rocwise.inference.interval_limits import normal_quantile
from rocwise.results import GroupAnswers, Interval, result


@result
class ComparableGroups(GroupAnswers):
    """The answers of independent groups, each with a value and its error, and a test of equality.

    `statistic` is Cochran's: the squared distances of the values from their weighted mean, in
    units of their variances; `p_value` refers it to chi-square with `df` degrees of freedom.
    A group whose sample shows no spread enters with the error that its interval stands for. With
    fewer than about 20 cases in a class of a group the test rejects too often.
    """

    @cached_property
    def _test(self) -> tuple[float, int, float]:
        values = [float(answer.value) for answer in self.answers.values()]
        errors = [
            error_behind(answer.standard_error, answer.interval) for answer in self.answers.values()
        ]
        return equality_test(values, errors)

    @property
    def statistic(self) -> float:
        """Cochran's statistic."""
        return self._test[0]

    @property
    def df(self) -> int:
        """Degrees of freedom: one less than there are groups."""
        return self._test[1]

    @property
    def p_value(self) -> float:
        """The p value of "all groups have the same value"."""
        return self._test[2]

    def _sentence(self) -> str:
        rows = super()._sentence()
        if len(self.answers) < 2:
            return rows
        return f"{rows}\nall equal: {printing.p_value(self.p_value)} (chi-square, {self.df} df)"


def error_behind(error: float | None, interval: Interval) -> float:
    """The standard error; where the sample shows none, what the interval's width stands for."""
    if error:
        return float(error)
    return (interval.high - interval.low) / (2 * normal_quantile(interval.level))


def equality_test(values: Sequence[float], errors: Sequence[float]) -> tuple[float, int, float]:
    """Cochran's statistic, its degrees of freedom and the upper tail of chi-square.

    >>> statistic, df, p = equality_test([0.8, 0.7], [0.05, 0.05])
    >>> round(statistic, 6), df, round(p, 6)
    (2.0, 1, 0.157299)
    """
    from scipy.special import chdtrc

    if len(values) < 2:
        raise InputError("`by` has one group; a test of equality needs two or more.")
    theta, weights = np.asarray(values), 1 / np.square(errors)
    mean = float(weights @ theta / weights.sum())
    statistic = float(weights @ (theta - mean) ** 2)
    df = len(values) - 1
    return statistic, df, float(chdtrc(df, statistic))
