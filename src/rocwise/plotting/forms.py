"""Parts of many plots: ROC square, rows of estimates, steps, histograms, tables of cells.

`axis` is "ml" (true and false positive rate) or "clinical" (sensitivity, 1 − specificity).
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from rocwise import printing
from rocwise.arrays import Floats
from rocwise.errors import InputError
from rocwise.plotting import spec, words

if TYPE_CHECKING:
    from rocwise.data.tally import Tally

UNIT: Floats = np.array([0.0, 1.0])
FOREST_MARGIN = 0.04


UPPER: tuple[spec.LegendPlace, ...] = ("upper right", "upper left")


def chart(
    layers: Iterable[spec.Layer], x: spec.Axis | str, y: spec.Axis | str, *caption: str, **form: Any
) -> spec.PlotSpec:
    """Layers over two axes; a title alone is that of an axis of rates."""
    across, up = (spec.unit_axis(each) if isinstance(each, str) else each for each in (x, y))
    return spec.PlotSpec(tuple(layers), across, up, caption=caption, **form)


def roc_square(
    layers: Iterable[spec.Layer], axis: spec.AxisWords = "ml", chance: bool = True, *caption: str
) -> spec.PlotSpec:
    """Layers in the ROC square, the chance line below them."""
    diagonal = [spec.reference(UNIT, UNIT)] if chance else []
    x, y = words.rate_word("fpr", axis), words.rate_word("tpr", axis)
    return chart((*diagonal, *layers), x, y, *caption, square=True)


def marked_point(
    fpr: float, tpr: float, text: str, *, edge: float = 0.85, bottom: float = 0.06, slot: int = 0
) -> tuple[spec.Points, spec.Label]:
    """A point in the ROC square with its label; a label near an edge is on the inner side."""
    side: spec.Side = "below-left" if fpr > edge else "below-right"
    if tpr < bottom:  # the tick labels of the axis are below
        side = "above-left" if fpr > edge else "above-right"
    return spec.marker(fpr, tpr, slot=slot), spec.Label(fpr, tpr, text, side, slot=slot)


def prevalence_line(prevalence: float, n: float) -> spec.Line:
    """The precision of a random classifier."""
    label = f"chance (prevalence {printing.rate(prevalence, n)})"
    return spec.reference(UNIT, np.full(2, prevalence), label=label)


def clipped_line(slope: float, intercept: float) -> tuple[Floats, Floats]:
    """The two ends of the part of a line in the unit square; empty where it misses the square."""
    if np.isinf(slope):
        return np.zeros(2), UNIT
    if slope == 0:
        low, high = (0.0, 1.0) if 0 <= intercept <= 1 else (1.0, 0.0)
    else:
        low, high = max(0.0, -intercept / slope), min(1.0, (1 - intercept) / slope)
    if low > high:
        return np.empty(0), np.empty(0)
    x = np.array([low, high])
    return x, np.clip(slope * x + intercept, 0.0, 1.0)


def arc(x: Floats, y: Floats, start: Sequence[float], end: Sequence[float]) -> spec.Line:
    """The part of a curve between two of its points."""
    between = (x > start[0]) & (x < end[0])
    ends_x, ends_y = zip(start, end, strict=True)
    return spec.Line(
        np.concatenate([ends_x[:1], x[between], ends_x[1:]]),
        np.concatenate([ends_y[:1], y[between], ends_y[1:]]),
    )


class Row(NamedTuple):
    """A row of a forest plot: name, estimate, confidence limits if any, and text at the right."""

    name: str
    value: float
    limits: Sequence[float] | None
    text: str


def estimate_row(name: str, value: float, *limits: float, n: float = np.inf) -> Row:
    """A row whose text is the estimate with its confidence limits, if any."""
    text = printing.rate(value, n)
    if not limits:
        return Row(name, float(value), None, text)
    low, high = map(float, limits)
    text = f"{text} ({printing.rate(low, n)} to {printing.rate(high, n)})"
    return Row(name, float(value), (low, high), text)


def forest(
    rows: Sequence[Row],
    title: str,
    *,
    level: float | None = None,
    null: float | None = None,
    caption: str = "",
    include: Iterable[float] = (),
) -> spec.PlotSpec:
    """Rows from top to bottom, the null value as a dashed line; `include` is on the axis too."""
    heights = np.arange(len(rows), dtype=np.float64)[::-1]
    y = spec.list_axis("", [row.name for row in rows], downwards=True)
    reach = [*include, *(end for row in rows for end in (row.value, *(row.limits or ())))]
    frame = spec.padded(reach if null is None else [*reach, null], FOREST_MARGIN)
    layers: list[spec.Layer] = [] if null is None else [spec.reference((null, null), y.limits)]
    limited = [k for k, row in enumerate(rows) if row.limits]
    if limited:
        ends = np.clip([rows[k].limits or () for k in limited], *frame)
        layers.append(spec.Whiskers(ends[:, 0], ends[:, 1], heights[limited]))
    layers.append(spec.Points(np.clip([row.value for row in rows], *frame), heights))
    texts = zip(heights.tolist(), rows, strict=True)
    return spec.PlotSpec(
        layers=tuple(layers),
        x=spec.Axis(title if level is None else f"{title} ({printing.percent(level)} CI)", frame),
        y=y,
        right_ticks=tuple(spec.Tick(height, words.true_minus(row.text)) for height, row in texts),
        caption=(words.capital(caption),) if caption else (),
        rows=len(rows),
    )


def one_row(
    result: Any, name: spec.Name, title: str, *, n: float = np.inf, caption: str = "", **more: Any
) -> spec.PlotSpec:
    """The value of a result with its interval, if it has one, as the row of a forest plot."""
    interval = result.interval if getattr(result, "has_interval", True) else None
    row = estimate_row(name or "", result.value, *(interval or ()), n=n)
    if interval is not None:
        caption = f"Interval: {interval.method}. {caption}".rstrip()
        more["level"] = interval.level
    return forest([row], title, caption=caption, **more)


def calibration_square(
    result: Any, label: str, x: str, y: str, *caption: str, bars: Any = (), marked: bool = True
) -> spec.PlotSpec:
    """Observed over predicted proportions with their limits, and the diagonal."""
    interval = f"{printing.percent(result.level)} CI"
    points = [spec.Points(result.predicted, result.observed)] if marked else []
    layers = (
        spec.reference(UNIT, UNIT, label="ideal"),
        *bars,
        spec.Band(result.predicted, result.low, result.high, label=interval),
        spec.Line(result.predicted, result.observed, label=label),
        *points,
    )
    places: Any = ("upper left", "lower right")
    return chart(layers, x, y, *caption, square=True, legend_places=places)


def with_top_row(plot: spec.PlotSpec, name: str, values: Floats) -> spec.PlotSpec:
    """A forest plot with gray points in a further row on top, such as the values of folds."""
    top = plot.rows or 0
    ends = (-0.5, top + 0.5)
    lines = [replace(each, y=np.array(ends)) for each in plot.layers if isinstance(each, spec.Line)]
    others = [each for each in plot.layers if not isinstance(each, spec.Line)]
    points = spec.Points(values, np.full(len(values), float(top)), muted=True)
    return replace(
        plot,
        layers=(*lines, points, *others),
        y=spec.Axis("", ends, ticks=(spec.Tick(float(top), name), *(plot.y.ticks or ()))),
        rows=top + 1,
    )


def confusion_plot(
    cells: tuple[Any, Floats, Any], classes: Iterable[str], called: Iterable[str], *caption: str
) -> spec.PlotSpec:
    """A table of true classes (rows) and predicted ones: counts, their proportions, and words."""
    _, rates, _ = cells
    texts = tuple(
        tuple(
            f"{printing.count(count)}\n{word}{printing.percent(round(float(rate), 3))}"
            for count, rate, word in zip(*row, strict=True)
        )
        for row in zip(*cells, strict=True)
    )
    x, y = (
        spec.list_axis("Predicted class", called),
        spec.list_axis("True class", classes, downwards=True),
    )
    return chart(
        (spec.Cells(rates, texts),), x, y, *caption, square=True, bare=True, legend_places=()
    )


def ecdf_steps(values: Floats, ends: spec.Limits | None = None) -> tuple[Floats, Floats]:
    """Corners of the empirical distribution function, between two ends."""
    x = np.repeat(np.sort(values), 2)
    y = np.repeat(np.arange(len(values) + 1) / len(values), 2)
    if ends is None:
        return x, y[1:-1]
    return np.concatenate(([ends[0]], x, [ends[1]])), y


def threshold_steps(
    thresholds: Floats, values: Floats, direction: str, ends: spec.Limits
) -> tuple[Floats, Floats]:
    """Corners of the steps of a measure over the threshold, up to the next score."""
    sign = -1.0 if direction == "lower" else 1.0  # the rule score <= t is -score >= -t
    lowest, highest = sorted((sign * ends[0], sign * ends[1]))
    order = np.argsort(sign * thresholds, kind="stable")
    threshold, value = sign * thresholds[order], values[order]
    finite = np.isfinite(threshold)
    x = np.concatenate(([lowest], np.repeat(threshold[finite], 2)[:-1]))
    y = np.repeat(value[finite], 2)
    beyond = value[threshold == np.inf]
    if len(beyond):
        x = np.append(x, [x[-1], highest])
        y = np.append(y, [beyond[-1], beyond[-1]])
    return sign * x, y


def threshold_limits(thresholds: Floats, argument: str) -> spec.Limits:
    """Limits of an axis of thresholds, the infinite ones left out."""
    if not np.isfinite(thresholds).any():
        raise InputError(
            f"`{argument}` has no finite threshold, so there is no axis to draw it on."
        )
    return spec.padded(thresholds)


FEWEST_BINS, MOST_BINS = 8, 40


def bin_edges(values: Floats, n_values: float) -> Floats:
    """Edges of equal bins over the values: about twice the cube root of their number."""
    low, high = float(np.min(values)), float(np.max(values))
    if not high > low:
        reach = 0.5 * max(abs(low), 1.0)
        low, high = low - reach, high + reach
    n_bins = int(np.clip(round(2 * n_values ** (1 / 3)), FEWEST_BINS, MOST_BINS))
    return np.linspace(low, high, n_bins + 1)


def bars(bins: Floats, heights: Floats, **style: Any) -> spec.Band:
    """Adjacent bars over the edges of bins as one filled outline."""
    x = np.repeat(bins, 2)[1:-1]
    return spec.Band(x, np.zeros(len(x)), np.repeat(heights, 2), **style)


def class_proportions(data: "Tally") -> tuple[Floats, Floats, Floats]:
    """Edges of bins of the scores, and the proportions of negatives and of positives in them.

    Few whole numbers have a bin each.
    """
    scores = np.asarray(data.scores, dtype=np.float64)
    finite = np.isfinite(scores)
    if not finite.any():
        raise InputError("`data` has no finite score, so there is no axis to draw it on.")
    low, high = np.min(scores[finite]), np.max(scores[finite])
    if high - low < MOST_BINS and np.array_equal(scores[finite], np.round(scores[finite])):
        edges = np.arange(low - 0.5, high + 1.0)
    else:
        edges = bin_edges(scores[finite], float(data.n_pos + data.n_neg))

    def proportions(counts: Any, total: float) -> Floats:
        weights = np.asarray(counts, np.float64)[finite]
        return np.histogram(scores[finite], edges, weights=weights)[0] / total

    return edges, proportions(data.neg, data.n_neg), proportions(data.pos, data.n_pos)
