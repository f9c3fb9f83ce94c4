"""Are the values of independent groups alike? The results of `by=` with a test of equality."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cached_property

import numpy as np

from rocwise import printing
from rocwise.errors import InputError
from rocwise.inference.comparison import JointTest
from rocwise.inference.effective_sizes import NEARLY_NORMAL, SizedArea
from rocwise.results import GroupAnswers, result


@result
class ComparableGroups(GroupAnswers):
    """The results of independent groups, each with a value and its error, and a test of equality.

    `statistic` is Welch's F of the groups' values, on the scale of the arcsine of their root and
    with the effective sizes that Wilson's interval of an area rests on: `p_value` refers it to F
    with `df` and `df_denominator` degrees of freedom.
    """

    @cached_property
    def _test(self) -> JointTest:
        return equality_test([answer.as_share for answer in self.answers.values()])

    @property
    def statistic(self) -> float:
        """Welch's F."""
        return self._test.statistic

    @property
    def df(self) -> float | None:
        """Degrees of freedom: one less than there are groups."""
        return self._test.df

    @property
    def df_denominator(self) -> float | None:
        """Degrees of freedom of the errors; infinite where they are as good as known."""
        return self._test.df_denominator

    @property
    def p_value(self) -> float:
        """The p value of "all groups have the same value"."""
        return self._test.p_value

    def _sentence(self) -> str:
        rows = super()._sentence()
        if len(self.answers) < 2:
            return rows
        return f"{rows}\nall equal: {printing.p_value(self.p_value)} ({self.reference})"

    @property
    def reference(self) -> str:
        """What the p value is read from, in words."""
        errors = self._test.df_denominator or math.inf
        second = f"{errors:.0f}" if errors < NEARLY_NORMAL else "infinite"
        return f"Welch's F, {self.df} and {second} df"


def equality_test(shares: Sequence[SizedArea]) -> JointTest:
    """Welch's test that independent values are equal (Biometrika 38, 1951, 330-336).

    The variance of the arcsine of a share's root is 1 / (4 size), wherever the share lies, so that
    a group near 1 has no more weight than its cases give it.
    """
    from scipy.special import chdtrc, fdtrc

    if len(shares) < 2:
        raise InputError("`by` has one group; a test of equality needs two or more.")
    k = len(shares)
    angles = np.arcsin(np.sqrt([share.value for share in shares]))
    weights = 4 * np.array([share.size for share in shares])
    total = float(weights.sum())
    between = float(weights @ (angles - weights @ angles / total) ** 2) / (k - 1)
    unsure = float(((1 - weights / total) ** 2 / [share.df for share in shares]).sum())
    statistic = between / (1 + 2 * (k - 2) / (k * k - 1) * unsure)
    errors = (k * k - 1) / (3 * unsure) if unsure > 0 else math.inf
    if errors < NEARLY_NORMAL:
        p = float(fdtrc(k - 1, errors, statistic))
    else:
        p = float(chdtrc(k - 1, (k - 1) * statistic))
    return JointTest(statistic, k - 1, p, errors)
