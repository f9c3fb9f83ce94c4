"""The area under the curve, whole or in part, with its interval; Komarek's step area."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, ClassVar, Literal, Unpack, get_args

from rocwise import checks, printing
from rocwise.binary.areas.grouped_areas import area_columns
from rocwise.binary.areas.intervals import AreaMethod, area_as_share, area_interval
from rocwise.binary.areas.whole_areas import whole_area as whole_area
from rocwise.binary.curves.counted_parts import part_sums
from rocwise.binary.curves.parts import WHOLE, Part, chosen_part, partial_area, stretch_of
from rocwise.binary.roc import AboutData
from rocwise.data.tally import Tally
from rocwise.data.unweighted import refuse_weights
from rocwise.errors import warn_below_half
from rocwise.inference.equal_groups import ComparableGroups
from rocwise.inference.intervals.effective_sizes import SizedArea
from rocwise.inputs.coercion import TallyOptions, as_clustered_tally, as_tally, by_group
from rocwise.results import GroupAnswers, Interval, result

StepTies = Literal["simultaneous", "optimistic", "pessimistic"]


@result
class Auc(AboutData):
    """An area under the ROC curve with its standard error and confidence interval."""

    group_answers: ClassVar[type[GroupAnswers] | None] = ComparableGroups
    columns_of_groups: ClassVar[Callable[..., Any]] = staticmethod(area_columns)
    value: float
    standard_error: float | None
    interval: Interval
    n_pos: float
    n_neg: float
    part: Part = WHOLE
    standardized: bool = False

    def __float__(self) -> float:
        return self.value

    @property
    def as_share(self) -> SizedArea:
        """The area of its part's width, with its effective size: what groups are compared by."""
        data = self._known_data()
        value = whole_area(data) if self.part.is_whole else area_of_part(data, self.part)
        return area_as_share(data, self.part, value)

    def _sentence(self) -> str:
        size = self.n_pos + self.n_neg
        name = "AUC" if self.part.is_whole else f"partial AUC over {self.part}"
        if self.standardized:
            name = f"standardised {name}"
        digits = 3 if size >= 100 else 2
        if not self.part.is_whole and not self.standardized:
            digits += 1
        low, high = self.interval.low, self.interval.high
        return (
            f"{name} {self.value:.{digits}f} ({printing.percent(self.interval.level)} CI "
            f"{low:.{digits}f} to {high:.{digits}f}, {self.interval.method}); "
            f"{printing.classes(self.n_pos, self.n_neg)}"
        )

    def _columns(self) -> dict[str, Any]:
        return {
            "value": [self.value],
            "standard_error": [self.standard_error],
            "low": [self.interval.low],
            "high": [self.interval.high],
            "level": [self.interval.level],
            "method": [self.interval.method],
            "n_pos": [self.n_pos],
            "n_neg": [self.n_neg],
        }


@result
class StepArea(AboutData):
    """Komarek's area in unit steps: `value` = `area` / `perfect_area`."""

    value: float
    area: float
    perfect_area: float
    ties: str

    def _sentence(self) -> str:
        return (
            f"step area {self.value:.3f}: {printing.count(self.area)} of "
            f"{printing.count(self.perfect_area)} squares, ties {self.ties}"
        )


@by_group
def auc(
    data: Any = None,
    y_score: Any = None,
    *,
    max_fpr: float | None = None,
    fpr_range: tuple[float, float] | None = None,
    tpr_range: tuple[float, float] | None = None,
    standardize: bool = False,
    method: AreaMethod = "auto",
    level: float = 0.95,
    n_resamples: int = 2000,
    groups: Any = None,
    rng: Any = None,
    exact: bool = False,
    **given: Unpack[TallyOptions],
) -> Auc:
    """Area under the ROC curve, or under part of it, with a confidence interval.

    Parameters
    ----------
    data, y_score
        A tally; or labels and scores; or a frame or path with `label=` and `score=`.
    max_fpr, fpr_range, tpr_range : optional
        Only the part with FPR from 0 to this; only this range (low, high) of FPR (area under the
        curve), or of TPR (area to its right).
    standardize : bool, default False
        McClish's scale for partial areas: 1/2 on the diagonal, 1 for the perfect curve.
    method : str, default "auto"
        How the interval is made. "auto" is "delong" where the smaller class times 1 - AUC (or
        times AUC) is 10 or more, and "wilson" elsewhere: Wilson's interval with the effective
        number of cases, which held the truth in 92 % of samples or more wherever it was counted.
        "delong", "hanley-mcneil", "jackknife", "exact-bootstrap", "unbiased" and "bootstrap" fall
        far below their level there; "logit", "bca" and "score" (Newcombe 2006) less so;
        "hoeffding" is never below, but wide. `auc_intervals` shows all. With one case in a class
        "hoeffding" takes over, and for AUC 0 or 1 "score"; `interval.method` says so.
    level, groups : optional
        Confidence level; the cluster of each row: the variance is then cluster-robust (Obuchowski
        1997), and the bootstrap draws whole clusters.
    n_resamples, rng, exact
        Replicates of the bootstrap methods, and their seed or generator; whether every row is
        drawn also of more than 131,072 distinct scores, instead of bins (`interval.n_bins`).
    **given
        More about rows, a frame or a file (`label`, `score`, `by`, `pos_label`, `sample_weight`,
        `direction`, `missing`, `resolution`): see `tally`; `by` answers for every group of rows.

    Returns
    -------
    Auc
        With `value`, `standard_error`, `interval`, `n_pos`, `n_neg`.

    Examples
    --------
    >>> import rocwise as rw
    >>> rw.auc([0, 0, 0, 0, 1, 1, 1], [1, 2, 3, 5, 4, 6, 7])
    AUC 0.92 (95 % CI 0.41 to 1.00, effective-size Wilson); 3 positives, 4 negatives
    """
    whole = max_fpr is None and fpr_range is None and tpr_range is None
    rows = as_clustered_tally("auc", data, y_score, groups, given, summed=whole)
    part = chosen_part(max_fpr, fpr_range, tpr_range)
    level = checks.level(level)
    n_resamples = checks.draws(n_resamples, rng)
    standardize = checks.flag(standardize, "standardize")
    value = whole_area(rows) if part.is_whole else area_of_part(rows, part)
    standard_error, interval = area_interval(
        rows,
        part,
        value,
        method=method,
        level=level,
        n_resamples=n_resamples,
        rng=rng,
        exact=checks.flag(exact, "exact"),
    )
    if part.is_whole and interval.high < 0.5:
        warn_below_half(value, rows.direction)
    if standardize:
        from rocwise.binary.resampling.binned import BinnedInterval  # resampling loads for long

        slope = part.standardized(1.0) - part.standardized(0.0)
        standard_error = standard_error and standard_error * slope
        ends = part.standardized(interval.low), part.standardized(interval.high)
        interval = replace(interval, low=ends[0], high=ends[1])
        if isinstance(interval, BinnedInterval):
            interval = replace(interval, error_bound=interval.error_bound * slope)
        value = part.standardized(value)
    return Auc._of_plain(
        value=value,
        standard_error=standard_error,
        interval=interval,
        n_pos=rows.n_pos,
        n_neg=rows.n_neg,
        part=part,
        standardized=standardize,
        data=rows,
        origin=rows.origin,
    )


def area_of_part(data: Tally, part: Part) -> float:
    """The area of one part, on the raw scale."""
    if not data.weighted:
        return part_sums(data, part).area
    _, fpr, tpr = stretch_of(data, part)
    return partial_area(fpr, tpr, part)


@by_group
def step_area(
    data: Any = None,
    y_score: Any = None,
    *,
    ties: StepTies = "simultaneous",
    **given: Unpack[TallyOptions],
) -> StepArea:
    """Komarek's step area (F1.4, F1.5): one square per (positive, negative) in the right order.

    Parameters
    ----------
    data, y_score
        A tally; or labels and scores; or a frame or path with `label=` and `score=`.
        Without weights.
    ties : {"simultaneous", "optimistic", "pessimistic"}
        Tied pairs count one half, one, or nothing.
    **given
        More about rows, a frame or a file (`label`, `score`, `by`, `pos_label`, `sample_weight`,
        `direction`, `missing`, `resolution`): see `tally`; `by` answers for every group of rows.

    Returns
    -------
    StepArea
        With `value`, `area` and `perfect_area`.

    Examples
    --------
    >>> import rocwise as rw
    >>> rw.step_area([1, 1, 0, 1, 0, 1], [6, 5, 4, 3, 2, 1])
    step area 0.625: 5 of 8 squares, ties simultaneous
    """
    tally = as_tally("step_area", data, y_score, given, summed=True)
    checks.one_of(ties, "ties", get_args(StepTies))
    refuse_weights(
        tally,
        "step_area",
        why="it counts squares of single cases",
        instead="`auc` takes weights, and is the same area where tied pairs count one half",
        clusters=False,
    )
    sums = tally.placement_sums
    doubled = {
        "simultaneous": sums.sum_u,
        "optimistic": sums.sum_u + sums.ties,
        "pessimistic": sums.sum_u - sums.ties,
    }[ties]
    perfect = sums.n_pos * sums.n_neg
    return StepArea(
        value=doubled / (2 * perfect),
        area=doubled / 2,
        perfect_area=perfect,
        ties=ties,
        data=tally,
        origin=tally.origin,
    )
