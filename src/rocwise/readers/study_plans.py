"""Sample size and power of reader studies, from a pilot or from components of variance."""

import math
from bisect import bisect_left
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np

from rocwise import checks, printing
from rocwise.arrays import Floats
from rocwise.binary.planning import (
    MOST_CASES,
    PlannedCurve,
    checked_ratio,
    planned_area,
    planned_variance,
)
from rocwise.errors import InputError, ends_traceback, listed, shown
from rocwise.readers.comparison import ReaderComparison
from rocwise.readers.mean_of_readers import NOISE, Effect, check_effects
from rocwise.results import ASIDE, Result, Table, result

MOST_SEARCHED = 5_000  # cases or readers of which all numbers are tried
NEARLY_INFINITE = 1e10  # degrees of freedom from which on t is normal


@dataclass(frozen=True, eq=False)
class PlannedTest:
    """A test of the mean difference of readers, and its components (Hillis et al. 2011).

    `variance` and `covariance` are those of one reader's difference and of two readers' due to
    cases, one part for each class (positives, negatives), or one for all cases, and `sizes` the
    cases that each part rests on. `ratio` cannot change with one part.
    """

    sigma2: float
    variance: Floats
    covariance: Floats
    sizes: Floats
    ratio: float  # negatives per positive
    source: str
    difference: float
    margin: float | None
    alpha: float
    readers: str
    cases: str
    split: int

    def power(self, r: Any, n_pos: Any, n_neg: Any) -> tuple[Any, Any]:
        """Power and degrees of freedom of r readers; `n_pos` and `n_neg` are totals."""
        from scipy import special

        g, r, sigma2 = self.split, np.asarray(r, dtype=np.float64), self.sigma2
        n = np.stack(np.broadcast_arrays(n_pos, n_neg), axis=-1) / g
        fractions = self.sizes / (n if len(self.sizes) == 2 else n.sum(axis=-1, keepdims=True))
        V, C = fractions @ self.variance, np.maximum(fractions @ self.covariance, 0.0)
        D = sigma2 + V + (r / g - 1) * C
        between = sigma2 + V - C * (r / g - 1) / np.maximum(r - 1, 1)
        if self.readers == "fixed":
            D, between = D - sigma2, np.zeros_like(V)
        elif self.cases == "fixed":
            D = between = sigma2 + V - C
        D = np.maximum(D, NOISE)
        with np.errstate(divide="ignore"):
            df = np.maximum(r - 1, 1) * (D / np.maximum(between, 0.0)) ** 2
        shift = np.sqrt(r / D) * abs(self.difference + (self.margin or 0.0))
        tail = 1 - self.alpha / 2  # with a margin one-sided at half of alpha
        finite = np.minimum(df, NEARLY_INFINITE)
        t = special.stdtrit(finite, tail)
        # both tails underflow to nan where the power is 1
        power = 1 - np.nan_to_num(special.nctdtr(finite, shift, t))
        if self.margin is None:
            power += np.nan_to_num(special.nctdtr(finite, shift, -t))
        return power, df

    def needed_positives(self, r: int, ratio: float, power: float) -> float:
        """The smallest number of positives with the power (all up to 5,000 are tried), or inf."""

        def reached(M: Any) -> Any:
            return self.power(r, M, np.ceil(ratio * M - 1e-9))[0]

        sizes = np.arange(max(2 * self.split, 2), MOST_SEARCHED + 1)
        if (enough := reached(sizes) >= power).any():
            return int(sizes[enough.argmax()])
        if self.most_power(r) < power:
            return math.inf
        found = bisect_left(range(MOST_CASES), power, lo=MOST_SEARCHED, key=reached)
        return found if found < MOST_CASES else math.inf

    def most_power(self, r: int) -> float:
        """The power with endless cases."""
        certain = self.readers == "fixed" or self.sigma2 <= NOISE
        return 1.0 if certain else float(self.power(r, np.inf, np.inf)[0])


@result
class ReaderPlan(Result):
    """Numbers of readers and cases and the power of a reader study; one was solved for.

    Attributes
    ----------
    n_readers, n_pos, n_neg : int
        Readers, and cases of each class in all.
    power, achieved_power : float
        Target power, and the power of these numbers.
    alpha, difference, margin : float
        Significance level; difference to detect, or the true one with a margin.
    df : float
        Denominator degrees of freedom of the planned test.
    solved_for : {"cases", "readers", "power"}
        What was computed from the others.
    ratio : float
        Negatives per positive.
    split : int
        Groups of a split-plot design, each with its own cases; 1 is fully crossed.
    pilot : dict
        Components of the pilot, which `plan` takes too.
    """

    n_readers: int
    n_pos: int
    n_neg: int
    power: float
    achieved_power: float
    alpha: float
    difference: float
    margin: float | None
    df: float
    solved_for: Literal["cases", "readers", "power"]
    ratio: float
    split: int
    pilot: dict[str, Any]
    _test: PlannedTest = field(metadata=ASIDE)

    def table(self, readers: Iterable[int] = range(3, 13)) -> Table:
        """Cases that each number of readers needs; infinite where no number reaches the power.

        `achieved_power` then is the largest power of these readers.

        Parameters
        ----------
        readers : iterable of int
            Numbers of readers; with a split plot those that the groups divide.
        """
        given = checks.members(readers, "readers", "integers")
        numbers = [_whole(each, "readers", at_least=2) for each in given]
        numbers = [number for number in numbers if number % self.split == 0]
        if not numbers:
            raise InputError(
                f"`readers` must have a multiple of `split`={self.split}; got {shown(readers)}."
            )
        n_pos = [self._test.needed_positives(r, self.ratio, self.power) for r in numbers]
        n_neg = [M if math.isinf(M) else math.ceil(self.ratio * M - 1e-9) for M in n_pos]
        return Table(
            n_readers=np.array(numbers),
            n_pos=np.array(n_pos, dtype=object),
            n_neg=np.array(n_neg, dtype=object),
            achieved_power=self._test.power(numbers, n_pos, n_neg)[0],
        )

    def curves(self) -> Table:
        """Power by number of positives for the readers of the plan and around, as in `plot()`."""
        g, r = self.split, self.n_readers
        numbers = sorted({max(2, g, r // 2 // g * g), r, 2 * r, 4 * r})
        sizes = np.unique(np.geomspace(max(2 * g, 4), 4 * self.n_pos, 60).astype(np.int64))
        N = np.ceil(self.ratio * sizes)
        return Table(
            n_readers=np.repeat(numbers, len(sizes)),
            n_pos=np.tile(sizes, len(numbers)),
            n_neg=np.tile(N.astype(np.int64), len(numbers)),
            power=np.concatenate([self._test.power(k, sizes, N)[0] for k in numbers]),
        )

    def _sentence(self) -> str:
        target = "" if self.solved_for == "power" else f" (target {self.power:g})"
        what, at = "to detect a difference of", f"two-sided at {self.alpha:.3g}"
        if self.margin is not None:
            what = f"to show non-inferiority within {self.margin:g} at a difference of"
            at = f"one-sided at {self.alpha / 2:.3g}"
        plot = f" in {self.split} groups" if self.split > 1 else ""
        return (
            f"{self.n_readers} readers, {printing.classes(self.n_pos, self.n_neg)}{plot}: power "
            f"{self.achieved_power:.3f}{target} {what} {self.difference:g}, {at} "
            f"({self._test.source})"
        )


@ends_traceback
def plan(
    pilot: Any,
    *,
    difference: float | None = None,
    n_readers: int | None = None,
    n_pos: int | None = None,
    n_neg: int | None = None,
    ratio: float | None = None,
    power: float = 0.8,
    alpha: float = 0.05,
    margin: float | None = None,
    split: int = 1,
    readers: Effect = "random",
    cases: Effect = "random",
) -> ReaderPlan:
    """Sample size or power of a reader study.

    Without `n_pos` the number of cases is solved for, without `n_readers` that of readers; with
    both the power is computed [1]_.

    Parameters
    ----------
    pilot : ReaderComparison or dict
        A comparison of two modalities, or of a standalone model and readers; or its components:
        `var_modality_reader`, `var` (or `auc`, for Obuchowski's variance formula), and `cov1`,
        `cov2`, `cov3` (or the correlations `r1`, `r2`, `r3`), with `n_pos` and `n_neg`.
    difference : float, optional
        Difference to detect; with `margin` the true difference, 0 by default.
    n_readers : int, optional
        Number of readers.
    n_pos, n_neg : int, optional
        Numbers of cases of each class in all.
    ratio : float, optional
        Negatives per positive, by default those of the pilot.
    power : float, default 0.8
        Target power.
    alpha : float, default 0.05
        Two-sided significance level.
    margin : float, optional
        Margin of a test of non-inferiority, one-sided at alpha / 2.
    split : int, default 1
        Groups of a split-plot design, each of its own readers and cases.
    readers, cases : {"random", "fixed"}, default "random"
        As in `readers.compare`.

    Returns
    -------
    ReaderPlan
        `n_readers`, `n_pos`, `n_neg`, `achieved_power` and `df`; `table()` has the cases for
        several numbers of readers.

    See Also
    --------
    readers.compare : Comparison of modalities in reader studies.
    sample_size : Sample size for the AUC of models.

    References
    ----------
    .. [1] S. L. Hillis, N. A. Obuchowski and K. S. Berbaum, "Power estimation for multireader ROC
           methods", Acad. Radiol. 18, 2011. doi:10.1016/j.acra.2010.09.007

    Examples
    --------
    >>> import rocwise as rw
    >>> components = {"var_modality_reader": 0.0002, "auc": 0.85, "r1": 0.4, "r2": 0.4, "r3": 0.3}
    >>> found = rw.readers.plan(components, difference=0.05, n_readers=6)
    >>> found.n_readers, found.n_pos, found.n_neg
    (6, 171, 171)
    """
    given, found = _components(pilot)
    check_effects(readers, cases)
    margin = None if margin is None else checks.positive(margin, "margin")
    if difference is None and margin is None:
        raise InputError(
            "`difference` is needed, the smallest one that matters; that of a pilot is a poor plan."
        )
    d = 0.0 if difference is None else checks.within(difference, "difference", -1, 1)
    if d + (margin or 0.0) == 0 or (margin is not None and d + margin < 0):
        raise InputError(
            f"`difference` must {'exceed -margin' if margin else 'not be 0'}; got {d:g}."
        )
    split, alpha = _whole(split, "split"), checks.fraction(alpha, "alpha")
    test = PlannedTest(
        difference=d, margin=margin, alpha=alpha, readers=readers, cases=cases, split=split, **found
    )
    power = checks.fraction(power, "power")
    if ratio is not None and len(test.sizes) == 1:
        raise InputError(
            "`ratio` cannot change with a pilot whose components are not known for each class."
        )
    kappa = test.ratio if ratio is None else checked_ratio(ratio)
    r = None
    if n_readers is not None:
        r = _whole(n_readers, "n_readers", at_least=1 if readers == "fixed" else 2)
        if r % split:
            raise InputError(f"`n_readers` must be a multiple of `split`={split}; got {r}.")
    if n_pos is None and (r is None or n_neg is not None):
        raise InputError("give `n_readers`, or the cases `n_pos` (and `n_neg`), or both.")
    solved_for: Literal["cases", "readers", "power"] = "readers" if r is None else "power"
    if n_pos is None:
        assert r is not None
        needed, solved_for = test.needed_positives(r, kappa, power), "cases"
        if math.isinf(needed):
            raise InputError(
                f"no number of cases reaches power {power:g} at `alpha`={alpha:g} for the "
                f"`difference` {d:g} with `n_readers`={r} (at most {test.most_power(r):.2g}): more "
                "readers are needed."
            )
        M = int(needed)
    else:
        M = _whole(n_pos, "n_pos", at_least=2)
    N = math.ceil(kappa * M - 1e-9) if n_neg is None else _whole(n_neg, "n_neg", at_least=2)
    if len(test.sizes) == 1 and abs(N - test.ratio * M) > 1 + test.ratio:
        raise InputError(
            "`n_pos` and `n_neg` must have the ratio of the pilot, "
            f"{test.ratio:.3g} negatives per positive; its components are not known for each "
            f"class. Got {printing.classes(M, N)}."
        )
    if r is None:
        numbers = np.arange(split, MOST_SEARCHED + 1, split)
        numbers = numbers[numbers >= 2]
        powers = test.power(numbers, M, N)[0]
        if powers.max() < power:
            raise InputError(
                f"no number of readers reaches power {power:g} with {printing.classes(M, N)} (at "
                f"most {float(powers.max()):.2g}): more cases are needed."
            )
        r = int(numbers[(powers >= power).argmax()])
    achieved, df = test.power(r, M, N)
    return ReaderPlan(
        n_readers=r,
        n_pos=M,
        n_neg=N,
        power=power,
        achieved_power=float(achieved),
        alpha=alpha,
        difference=d,
        margin=margin,
        df=float(df),
        solved_for=solved_for,
        ratio=kappa if n_neg is None else N / M,
        split=split,
        pilot=given,
        _test=test,
    )


def _whole(value: Any, argument: str, at_least: int = 1) -> int:
    return checks.whole(value, argument, at_least=at_least, at_most=MOST_CASES)


def _components(pilot: Any) -> tuple[dict[str, Any], dict[str, Any]]:
    """The components of a comparison or a dict, and those of a `PlannedTest`."""
    ratio = None
    if isinstance(pilot, ReaderComparison):
        if pilot.difference is None:
            what = "it has one modality"
            if pilot.pairwise is not None:
                what = "choose two: modalities=[...]"
            raise InputError(f"`pilot` must compare two modalities, or `ai` with readers; {what}.")
        if not pilot.components or "nested" in pilot.design or "split" in pilot.design:
            raise InputError(
                f"`pilot` must be fully crossed, with the same readers; its design is "
                f"'{pilot.design}'. Pass its components as a dict."
            )
        sizes = {name: float(np.mean(pilot.by_reader[name])) for name in ("n_pos", "n_neg")}
        given, n = {**pilot.components, **sizes}, pilot.n_pos + pilot.n_neg
        source = f"components of a pilot with {pilot.n_readers} readers, {n} cases"
        ratio = pilot.n_neg / pilot.n_pos
    elif isinstance(pilot, Mapping):
        given, source = dict(pilot), "components as given"
    else:
        raise InputError(
            "`pilot` must be the result of `readers.compare`, or a dict of components; got "
            f"{shown(pilot)}."
        )
    of_model = "sigma2" in given
    sigma2 = _needed(given, "sigma2") if of_model else 2 * _needed(given, "var_modality_reader")
    classes = [given.get(name) for name in ("positives", "negatives")]
    if "auc" in given:
        curve = PlannedCurve.of_area(planned_area(given["auc"], "pilot['auc']"))
        of_pos = planned_variance("obuchowski", curve, math.inf)
        of_neg = planned_variance("obuchowski", curve, 1.0) - of_pos
        parts, n_cases = [given | {"var": own} for own in (of_pos, of_neg)], [1.0, 1.0]
        ratio = float(given.get("n_neg", 1)) / float(given.get("n_pos", 1))
    else:
        M, N = (
            checks.positive(_needed(given, name), f"pilot['{name}']") for name in ("n_pos", "n_neg")
        )
        ratio, parts, n_cases = ratio or N / M, [given], [M + N]
        if all(isinstance(each, Mapping) for each in classes):
            parts, n_cases = [dict(each or {}) for each in classes], [M, N]
    of_parts = np.array([_of_difference(each, of_model=of_model) for each in parts])
    if float(of_parts[:, 0].sum()) + max(sigma2, 0.0) <= NOISE:
        raise InputError("`pilot` shows no variance, so nothing can be planned from it.")
    found = {"sigma2": max(sigma2, 0.0), "sizes": np.array(n_cases), "ratio": ratio}
    variance, covariance = of_parts.T
    return given, found | {"variance": variance, "covariance": covariance, "source": source}


def _of_difference(given: Mapping[str, Any], *, of_model: bool) -> tuple[float, float]:
    """Variance of a reader's difference due to cases, and covariance of two readers'."""
    if of_model:
        return _needed(given, "variance"), _needed(given, "covariance")
    var = _needed(given, "var")
    cov1, cov2, cov3 = (
        _needed(given, f"cov{k}") if f"cov{k}" in given else var * _needed(given, f"r{k}")
        for k in (1, 2, 3)
    )
    return 2 * (var - cov1), 2 * (cov2 - cov3)


def _needed(given: Mapping[str, Any], name: str) -> float:
    if name not in given:
        raise InputError(f"`pilot` lacks {name!r}; it has {listed(given, 12)}.")
    return checks.real(given[name], f"pilot[{name!r}]")
