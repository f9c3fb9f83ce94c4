"""One threshold per subgroup, beside what one threshold for all does in each of them."""

from __future__ import annotations

from typing import Any

import numpy as np

from rocwise import printing
from rocwise.arrays import Array, Floats
from rocwise.binary.areas.empirical import whole_area
from rocwise.binary.curves.empirical import rates_at
from rocwise.binary.thresholds.operating_points import OperatingPoint, chosen_point
from rocwise.binary.thresholds.rules import RuleName, Ties
from rocwise.costs import Costs
from rocwise.errors import InputError, warn_below_half
from rocwise.inputs.coercion import Direction, Missing
from rocwise.inputs.subgroups import tallies_by_group
from rocwise.primitives.float_scores import refuse_merged
from rocwise.primitives.tallies import Tally
from rocwise.results import Result, result


@result
class GroupThresholds(Result):
    """The operating point of each subgroup, in the order of `groups`.

    `pooled` is the point chosen on all rows together; `pooled_tpr` and `pooled_fpr` are what its
    threshold does in each group.
    """

    groups: tuple[str, ...]
    thresholds: Floats
    tpr: Floats
    fpr: Floats
    value: Floats
    pooled_tpr: Floats
    pooled_fpr: Floats
    n_pos: Array
    n_neg: Array
    rule: str
    pooled: OperatingPoint
    points: dict[str, OperatingPoint]

    def __getitem__(self, group: str) -> OperatingPoint:
        return self.points[group]

    def _sentence(self) -> str:
        texts = [f"{name}: {self.points[name].threshold_text}" for name in self.groups]
        sign = ">=" if self.origin.direction == "higher" else "<="
        return (
            f"thresholds of {printing.counted(len(self.groups), 'group')} by rule {self.rule!r}, "
            f"positive when score {sign} threshold: {', '.join(texts)}; all together: "
            f"{self.pooled.threshold_text}"
        )

    def _columns(self) -> dict[str, Any]:
        names = ("tpr", "fpr", "value", "pooled_tpr", "pooled_fpr", "n_pos", "n_neg")
        columns = {name: getattr(self, name) for name in names}
        return {"group": np.array(self.groups), "threshold": self.thresholds, **columns}


def threshold_by_group(
    data: Any = None,
    y_score: Any = None,
    groups: Any = None,
    *,
    rule: RuleName = "cost",
    costs: Costs | None = None,
    prevalence: float | None = None,
    constraint: float | None = None,
    beta: float | None = None,
    ties: Ties | None = None,
    label: str | None = None,
    score: str | None = None,
    pos_label: Any = None,
    direction: Direction = "higher",
    missing: Missing = "raise",
) -> GroupThresholds:
    """The best threshold of each subgroup of rows.

    Thresholds of small groups are uncertain: ask `answer[group].uncertainty()` before acting on a
    difference between two of them.

    Parameters
    ----------
    data, y_score
        Labels and scores; or a frame or path with `label=` and `score=`.
    groups : array-like or str
        The subgroup of each row, or the name of its column; every group needs both classes.
    rule, costs, prevalence, constraint, beta, ties
        As in `threshold`, the same for all groups.
    label, score, pos_label, direction, missing
        As in `tally` and `tally_frame`.

    Returns
    -------
    GroupThresholds
        With `groups`, `thresholds`, `tpr`, `fpr`, `value`; `pooled`, the point of all rows, and
        `pooled_tpr`, `pooled_fpr`, what its threshold does in each group.

    Examples
    --------
    >>> import rocwise as rw
    >>> y, sex = [0, 1, 0, 1], ["f", "f", "m", "m"]
    >>> rw.threshold_by_group(y, [1, 2, 3, 4], sex, rule="youden").thresholds.tolist()
    [2.0, 4.0]
    """
    tally, parts = tallies_by_group(
        "threshold_by_group",
        data,
        y_score,
        groups,
        label=label,
        score=score,
        pos_label=pos_label,
        direction=direction,
        missing=missing,
    )
    terms: dict[str, Any] = {
        "rule": rule,
        "costs": costs,
        "prevalence": prevalence,
        "constraint": constraint,
        "beta": beta,
        "ties": ties,
    }
    refuse_merged(tally)
    warn_below_half(whole_area(tally), tally.direction)
    pooled = chosen_point(tally, **terms)
    points = {name: _point_of(name, part, terms) for name, part in parts.items()}
    return _answer(tally, parts, pooled, points)


def _answer(
    data: Tally,
    parts: dict[str, Tally],
    pooled: OperatingPoint,
    points: dict[str, OperatingPoint],
) -> GroupThresholds:
    chosen = list(points.values())
    there = [rates_at(part, np.array([float(pooled.threshold)])) for part in parts.values()]
    nobody = pooled.tp + pooled.fp == 0  # also where a score is infinite
    return GroupThresholds(
        groups=tuple(points),
        thresholds=np.array([float(point.threshold) for point in chosen]),
        tpr=np.array([point.tpr for point in chosen]),
        fpr=np.array([point.fpr for point in chosen]),
        value=np.array([point.value for point in chosen]),
        pooled_tpr=np.array([0.0 if nobody else tpr[0] for _, tpr in there]),
        pooled_fpr=np.array([0.0 if nobody else fpr[0] for fpr, _ in there]),
        n_pos=np.array([point.n_pos for point in chosen]),
        n_neg=np.array([point.n_neg for point in chosen]),
        rule=pooled.rule,
        pooled=pooled,
        points=points,
        origin=data.origin,
    )


def _point_of(name: str, part: Tally, terms: dict[str, Any]) -> OperatingPoint:
    try:
        return chosen_point(part, **terms)
    except InputError as problem:
        raise InputError(f"group {name!r}: {problem}") from None
