"""Pictures of measures at points and of values with an interval: a row for each."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from rocwise import checks, printing
from rocwise.plotting.layers import Axis, Layer, Line, Picture, Points, Tick, Whiskers
from rocwise.plotting.registry import picture_of
from rocwise.plotting.wording import entry, name_of, true_minus, with_capitals

if TYPE_CHECKING:
    from rocwise.binary.compare_at import PointsComparison
    from rocwise.binary.operating_points import EqualErrorResult, PointsTable
    from rocwise.binary.precision_recall import AveragePrecisionResult
    from rocwise.binary.summary import ModelSummary

MARGIN = 0.04
SHOWN = ("sensitivity", "specificity", "ppv", "npv", "accuracy", "f1")


def _forest(
    rows: list[tuple[str, float, float, float]],
    title: str,
    *,
    caption: tuple[str, ...] = (),
    reference: float | None = None,
    decimals: int = 3,
) -> Picture:
    """Values with their limits, one row each, the first on top."""
    heights = np.arange(len(rows) - 1, -1, -1, dtype=np.float64)
    values, low, high = (np.array([row[k] for row in rows]) for k in (1, 2, 3))
    reach = [*low.tolist(), *high.tolist()]
    layers: list[Layer] = [Whiskers(low, high, heights), Points(values, heights)]
    if reference is not None:
        reach.append(reference)
        ends = np.array([-0.5, len(rows) - 0.5])
        layers.insert(0, Line(np.full(2, reference), ends, role="reference"))
    margin = MARGIN * (max(reach) - min(reach) or 1.0)
    texts = [f"{v:.{decimals}f} ({a:.{decimals}f} to {b:.{decimals}f})" for _, v, a, b in rows]
    return Picture(
        layers=tuple(layers),
        x=Axis(title, (min(reach) - margin, max(reach) + margin)),
        y=Axis(
            "",
            (-0.5, len(rows) - 0.5),
            ticks=tuple(Tick(float(h), row[0]) for h, row in zip(heights, rows, strict=True)),
        ),
        right_ticks=tuple(
            Tick(float(h), true_minus(text)) for h, text in zip(heights, texts, strict=True)
        ),
        caption=caption,
        rows=len(rows),
    )


def _words(measure: str) -> str:
    return measure.upper() if measure in ("ppv", "npv", "f1") else measure


@picture_of("PointsTable")
def points_picture(
    table: PointsTable, *, name: str | None = None, measures: tuple[str, ...] = SHOWN
) -> Picture:
    """Draw measures at the points as rows with their limits.

    Parameters
    ----------
    table
        The measures at points.
    name
        Stands before the names of the rows.
    measures
        Which of them.
    """
    for measure in measures:
        checks.one_of(
            measure, "measures", [c for c in table.columns if f"{c}_low" in table.columns]
        )
    rows = []
    for row, asked in enumerate(table.asked.tolist()):
        for measure in measures:
            value, low, high = (
                table.columns[f"{measure}{end}"].tolist()[row] for end in ("", "_low", "_high")
            )
            if value is not None:
                where = f" at {asked:.4g}" if len(table) > 1 else ""
                rows.append((entry(name, f"{_words(measure)}{where}"), value, low, high))
    at = "" if len(table) > 1 else f" {table.asked[0]:.4g}"
    title = f"At {table.axis}{at} ({printing.percent(table.level)} CI)"
    return _forest(rows, title, caption=(f"Intervals: {with_capitals(table.method)}.",))


@picture_of("PointsComparison")
def points_comparison_picture(found: PointsComparison, *, name: str | None = None) -> Picture:
    """Draw differences of rates of two models with their limits.

    Parameters
    ----------
    found
        The comparison at points.
    name
        Stands before the names of the rows.
    """
    table = found.table
    columns = zip(*(table[c].tolist() for c in ("asked", "measure", *LIMITS)), strict=True)
    rows = [
        (entry(name, f"{_words(measure)} at {asked:.4g}"), value, low, high)
        for asked, measure, value, low, high in columns
        if measure in SHOWN
    ]
    first, second = found.names
    title = f"{first} minus {second} ({printing.percent(found.level)} CI)"
    return _forest(rows, title, reference=0.0)


LIMITS = ("difference", "low", "high")


@picture_of("AveragePrecisionResult")
def average_precision_picture(
    result: AveragePrecisionResult, *, name: str | None = None, chance: bool = True
) -> Picture:
    """Draw the average precision as a point with its interval.

    Parameters
    ----------
    result
        The average precision.
    name
        What the row is called.
    chance
        Whether to draw the prevalence, what a worthless model has.
    """
    return _one_row(result, result.quantity, name, result.chance if chance else None)


@picture_of("EqualErrorResult")
def equal_error_picture(result: EqualErrorResult, *, name: str | None = None) -> Picture:
    """Draw the equal error rate as a point with its interval.

    Parameters
    ----------
    result
        The equal error rate.
    name
        What the row is called.
    """
    return _one_row(result, "equal error rate", name, None)


def _one_row(result: Any, quantity: str, name: str | None, reference: float | None) -> Picture:
    interval = result.interval
    title = f"{quantity[0].upper()}{quantity[1:]} ({printing.percent(interval.level)} CI)"
    row = (name_of(result, name) or "", result.value, interval.low, interval.high)
    return _forest([row], title, caption=(f"Intervals: {interval.method}.",), reference=reference)


@picture_of("ModelSummary")
def summary_picture(result: ModelSummary, *, name: str | None = None) -> Picture:
    """Draw the areas of all models with their intervals.

    Parameters
    ----------
    result
        The summary.
    name
        Stands before the names of the rows.
    """
    columns = (result.columns[c].tolist() for c in ("auc", "auc_low", "auc_high"))
    rows = [(entry(name, model), *row) for model, *row in zip(result.names, *columns, strict=True)]
    title = f"AUC ({printing.percent(result.level)} CI)"
    return _forest(rows, title, reference=0.5, caption=(f"Intervals: {result.auc_method}.",))
