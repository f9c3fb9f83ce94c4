"""The payload of a page about binary classifiers: curves at a few knots, bands, sections."""

import math
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import partial
from itertools import combinations
from operator import attrgetter
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

import rocwise as rw
from rocwise.arrays import Floats
from rocwise.inference import holm
from rocwise.plotting import compose
from rocwise.plotting.spec import Band, Layer, Line, PlotSpec
from rocwise.results import Result, json_safe

FEW = 60  # points that are all kept
DECADE_FLOOR = 1e-5  # where an axis of logarithms begins
TOLERANCE = 2e-4  # as a proportion of the axes: a tenth of a pixel on a plot of 500


def needed_points(x: ArrayLike, y: ArrayLike, tolerance: float = TOLERANCE) -> NDArray[np.intp]:
    """Indices of the points through which a line stays within `tolerance` of the whole one.

    Ramer's and Douglas and Peucker's method; `x` and `y` are in units of the axes.
    """
    x, y = np.asarray(x, dtype=np.float64), np.asarray(y, dtype=np.float64)
    kept = np.zeros(len(x), dtype=bool)
    kept[[0, -1]] = True
    open_parts = [(0, len(x) - 1)]
    while open_parts:
        first, last = open_parts.pop()
        if last - first < 2:
            continue
        distance = _distances(x[first : last + 1], y[first : last + 1])
        farthest = int(distance.argmax())
        if distance[farthest] > tolerance:
            middle = first + 1 + farthest
            kept[middle] = True
            open_parts += [(first, middle), (middle, last)]
    return np.flatnonzero(kept)


def _distances(x: NDArray[np.float64], y: NDArray[np.float64]) -> NDArray[np.float64]:
    """Distances of the inner points from the segment between the ends."""
    along, up = x[-1] - x[0], y[-1] - y[0]
    dx, dy = x[1:-1] - x[0], y[1:-1] - y[0]
    length = along * along + up * up
    fraction = np.clip((dx * along + dy * up) / length, 0, 1) if length else 0.0
    return np.asarray(np.hypot(dx - fraction * along, dy - fraction * up))


def plain_line(x: ArrayLike, y: ArrayLike, tolerance: float = TOLERANCE) -> dict[str, list[float]]:
    """A line in the unit square, simplified and rounded far below what can be seen.

    It keeps the points that it needs on an axis of logarithms, too.
    """
    x, y = np.asarray(x), np.asarray(y)
    decades = np.log10(np.maximum(x, DECADE_FLOOR)) / -np.log10(DECADE_FLOOR)
    linear, logarithmic = needed_points(x, y, tolerance), needed_points(decades, y, 4 * tolerance)
    places = np.union1d(linear, logarithmic)
    fine = np.where(x[places] < 0.01, np.round(x[places], 7), np.round(x[places], 5))
    return {"x": fine.tolist(), "y": np.round(y[places], 5).tolist()}


def simplified(plot: PlotSpec) -> PlotSpec:
    """The same plot with fewer points in its lines and bands."""
    spans = [axis.limits[1] - axis.limits[0] for axis in (plot.x, plot.y)]
    return replace(plot, layers=tuple(_shortened(layer, *spans) for layer in plot.layers))


def _shortened(layer: Layer, width: float, height: float) -> Layer:
    """The layer with the points that any of its lines needs, rounded; one with gaps has all."""
    if not isinstance(layer, Line | Band):
        return layer
    names = ("y",) if isinstance(layer, Line) else ("lower", "upper")
    lines: dict[str, Floats] = {name: getattr(layer, name) for name in names}
    kept = np.arange(len(layer.x))
    if len(kept) > FEW and np.isfinite([layer.x, *lines.values()]).all():
        needed = [needed_points(layer.x / width, line / height, 1e-3) for line in lines.values()]
        kept = np.unique(np.concatenate(needed))
    columns: dict[str, Any] = {"x": _rounded(layer.x[kept], width)}
    columns |= {name: _rounded(line[kept], height) for name, line in lines.items()}
    return replace(layer, **columns)


def _rounded(values: Floats, span: float) -> Floats:
    """The values to a hundred-thousandth of an axis, where floats have so many decimals."""
    digits = int(5 - np.floor(np.log10(span))) if span > 0 else 5
    return np.round(values, digits) if digits < 100 else values


T = TypeVar("T")
Omitted = list[dict[str, str]]  # parts that the data did not allow: section, model, why
MOST_ROWS = 200


def unless_invalid(
    compute: Callable[[], T], section: str, model: str, omitted: Omitted
) -> T | None:
    """The result; None, with the reason in `omitted`, where the data do not allow it."""
    try:
        return compute()
    except rw.InputError as reason:
        why = str(reason).partition(" Pass ")[0].replace("`", "")  # without advice about Python
        omitted.append({"section": section, "model": model, "why": why})
        return None


def section(
    name: str,
    *,
    text: str = "",
    title: str = "",
    plots: list[Any] | None = None,
    tables: list[dict[str, Any]] | None = None,
) -> dict[str, Any]:
    """A section of the page: text, plots and tables under a heading."""
    drawn = [simplified(plot) for plot in plots or []]
    # the page draws every layer as it is, confusion matrices too
    layers = [[layer.to_dict() for layer in plot.layers] for plot in drawn]
    plain = [each.to_dict() | {"layers": own} for each, own in zip(drawn, layers, strict=True)]
    return {"id": name, "title": title, "text": text, "plots": plain, "tables": tables or []}


def table(result: Result | Mapping[str, Any], title: str = "") -> dict[str, Any]:
    """A table of plain values, from a result or from columns; a long one is truncated."""
    columns = result._columns() if isinstance(result, Result) else result
    rows = max((len(column) for column in columns.values()), default=0)
    if rows > MOST_ROWS:
        title = f"{title} (first {MOST_ROWS} of {rows:,} rows)".lstrip()
    plain = {name: json_safe(list(column)[:MOST_ROWS]) for name, column in columns.items()}
    return {"title": title, "columns": plain}


def binary_sections(
    models: Sequence["Model"], settings: "Settings", omitted: Omitted
) -> list[dict[str, Any]]:
    """Smooth ROC, confident segment, precision and recall, decision curve, calibration.

    With `min_cell` only those whose numbers are the same for merged steps.
    """
    tallies = {model.name: model.tally for model in models}
    analyses: dict[str, Callable[[rw.Tally], Any]] = {
        "smooth-roc": _smooth_roc,
        "confident-segment": partial(rw.confident_segment, level=settings.level),
        "precision-recall": rw.precision_recall,
        "decision-curve": rw.decision_curve,
        "calibration": partial(rw.calibration, level=settings.level),
    }
    if settings.min_cell > 1:
        omitted += [
            {"section": name, "model": "", "why": SINGLE_SCORES}
            for name in analyses
            if name != "precision-recall"
        ]
        analyses = {"precision-recall": partial(_merged_precision, tallies)}
        tallies = {model.name: model.shown for model in models}
    found = (_overlaid(name, compute, tallies, omitted) for name, compute in analyses.items())
    return [each for each in found if each is not None]


def _smooth_roc(data: rw.Tally) -> Any:
    """The smooth ROC curve; an error where its midpoint is beyond the scores."""
    with warnings.catch_warnings():
        warnings.simplefilter("error", rw.errors.MidOutOfRangeWarning)
        try:
            return rw.smooth_roc(data)
        except rw.errors.MidOutOfRangeWarning as reason:
            raise rw.InputError(str(reason)) from None


def _merged_precision(tallies: Mapping[str, rw.Tally], shown: rw.Tally) -> Any:
    """Precision and recall at the merged steps, with the average precision of all cases."""
    whole = rw.precision_recall(tallies[str(shown.origin.name)])
    return replace(rw.precision_recall(shown), average_precision=whole.average_precision)


def by_model(
    compute: Callable[[Any], Any], name: str, models: Mapping[str, Any], omitted: Omitted
) -> dict[str, Any]:
    """The result for each model for which it is defined."""
    found = {
        model: unless_invalid(partial(compute, values), name, model, omitted)
        for model, values in models.items()
    }
    return {model: result for model, result in found.items() if result is not None}


def _overlaid(
    name: str,
    compute: Callable[[rw.Tally], Any],
    tallies: Mapping[str, rw.Tally],
    omitted: Omitted,
) -> dict[str, Any] | None:
    """All models in one plot, with a table for some analyses."""
    results = by_model(compute, name, tallies, omitted)
    if not results:
        return None
    columns = COLUMNS.get(name, {})
    tables = [model_table(results, columns)] if columns else []
    slots = [slot for slot, model in enumerate(tallies) if model in results]
    drawn = unless_invalid(
        lambda: [in_colors_of(compose(results), slots)], name, "", [] if tables else omitted
    )
    return section(name, plots=drawn, tables=tables) if drawn or tables else None


def model_table(results: Mapping[str, Any], columns: Mapping[str, Callable[[Any], Any]]) -> Any:
    """A table with a row for each model."""
    found = {name: list(map(value, results.values())) for name, value in columns.items()}
    return table({"model": list(results), **found})


def _end(rate: str, index: int) -> Callable[[Any], Any]:
    return lambda segment: getattr(segment, rate)[index] if len(segment.fpr) else None


COLUMNS: dict[str, dict[str, Callable[[Any], Any]]] = {
    "calibration": {
        name: attrgetter(name) for name in ("slope", "intercept", "ece", "brier", "log_loss")
    },
    "confident-segment": {
        "thresholds": lambda segment: len(segment.fpr),
        "fpr from": _end("fpr", 0),
        "tpr from": _end("tpr", 0),
        "fpr to": _end("fpr", -1),
        "tpr to": _end("tpr", -1),
        "cauc": attrgetter("cauc"),
    },
}


def in_colors_of(plot: PlotSpec, slots: Sequence[int]) -> PlotSpec:
    """Each model with its slot among all models, also where some are left out.

    The page takes the color of a model from there, and hides it by that.
    """
    own = [layer for layer in plot.layers if getattr(layer, "role", "") != "reference"]
    if 1 + max((layer.slot for layer in own), default=0) != len(slots):
        return plot
    moved = (
        replace(layer, slot=slots[layer.slot]) if layer in own else layer for layer in plot.layers
    )
    return replace(plot, layers=tuple(moved))


class Knots(NamedTuple):
    """Places in the table of a tally, -1 for the origin, with the counts at each.

    The places rise, so that counts do too.
    """

    places: NDArray[np.intp]
    tp: NDArray[Any]
    fp: NDArray[Any]


def curve_knots(tally: rw.Tally, *, most: int | None, min_cell: int = 1) -> Knots:
    """At most about `most` knots with the hull, the best Youden index and both ends among them.

    There are more only if the hull alone has more; None is for all distinct scores. `min_cell` is
    the fewest cases (clusters, where there are some) between a knot and the next; vertices of the
    hull that are nearer are left out.
    """
    tp, fp = np.asarray(tally.tp), np.asarray(tally.fp)
    every = most is None or len(tp) <= most
    places = np.arange(len(tp)) if every or most is None else _evenly_spaced(tally, most)
    if min_cell > 1:
        places = _far_enough(places, tally, min_cell)
    zero = np.zeros(1, dtype=tp.dtype)
    return Knots(
        np.concatenate([[-1], places]),
        np.concatenate([zero, tp[places]]),
        np.concatenate([zero, fp[places]]),
    )


def _evenly_spaced(tally: rw.Tally, most: int) -> NDArray[np.intp]:
    """The places that must be kept, and others at even distances along the curve."""
    tpr, fpr = tally.tp / tally.n_pos, tally.fp / tally.n_neg
    last = len(tpr) - 1
    from_last = np.arange(last, -1.0, -1.0)  # distinct scores, never one float
    ranked = rw.Tally.from_counts(from_last, tally.pos, tally.neg, squares=tally.squares)
    vertices = last - rw.hull(ranked).thresholds[1:].astype(np.intp)
    kept = np.union1d(vertices, [np.argmax(tpr - fpr), last])
    free = max(most - len(kept), 0)
    even = np.searchsorted(tpr + fpr, 2 * (np.arange(free) + 0.5) / max(free, 1))
    return np.union1d(kept, np.minimum(even, last))


def _far_enough(places: Any, tally: rw.Tally, fewest: int) -> NDArray[np.intp]:
    """Places with at least so many cases or clusters between them and at both ends."""
    n_between, n_after = _case_counts(tally)
    kept = [-1]
    for place in places.tolist():
        if n_after(place) >= fewest and n_between(kept[-1], place) >= fewest:
            kept.append(place)
    return np.array([*kept[1:], len(tally.scores) - 1], dtype=np.intp)


def _case_counts(tally: rw.Tally) -> tuple[Callable[[int, int], int], Callable[[int], int]]:
    """Functions that count cases, or distinct clusters, between two places and after a place."""
    rows = tally.rows
    if rows is None or rows.clusters is None:
        ends = [*(tally.tp + tally.fp).tolist(), 0]  # 0 before the first place, which is -1
        return lambda a, b: ends[b] - ends[a], lambda a: ends[-2] - ends[a]
    clusters = np.asarray(rows.clusters)
    order = np.argsort(clusters, kind="stable")
    same = clusters[order[1:]] == clusters[order[:-1]]
    earlier, later = np.full(len(order), -1), np.full(len(order), len(order))
    earlier[order[1:][same]] = order[:-1][same]  # the row before of the same cluster
    later[order[:-1][same]] = order[1:][same]
    left = np.append(np.cumsum((later == len(order))[::-1])[::-1], 0)
    starts = np.append(rows.starts, len(order))
    return (
        lambda a, b: int(np.count_nonzero(earlier[starts[a + 1] : starts[b + 1]] < starts[a + 1])),
        lambda a: int(left[starts[a + 1]]),
    )


def coarse_tally(tally: rw.Tally, knots: Knots) -> rw.Tally:
    """The cases between knots at one score each, to be drawn where few cases must not show."""
    return rw.Tally.from_counts(
        tally.scores[knots.places[1:]],
        np.diff(knots.tp),
        np.diff(knots.fp),
        rows=None if tally.rows is None else tally.rows.joined(knots.places[:-1] + 1),
        origin=tally.origin,
    )


def plain_knots(tally: rw.Tally, knots: Knots) -> dict[str, list[Any]]:
    """Thresholds and steps of the counts, ready for JSON."""
    threshold = [None, *(_threshold(tally, place) for place in knots.places[1:].tolist())]
    tp, fp = (np.diff(counts, prepend=counts[:1]).tolist() for counts in knots[1:])
    return {"threshold": threshold, "tp": tp, "fp": fp}


def _threshold(tally: rw.Tally, place: int) -> float | int | str:
    """A number, or its text where a number in JavaScript would be another one."""
    if tally.origin.categories:
        return int(tally.scores[place])
    text = tally.threshold_text(place)
    number = float(text)
    if math.isinf(number):
        return "Infinity" if number > 0 else "-Infinity"
    if Decimal(repr(number)) != Decimal(text):
        return text
    return int(number) if number.is_integer() and abs(number) < 2**53 else number


BARS = 40
SHOWN_SETTINGS = ["level", "method", "seed", "n_resamples", "min_cell", "max_knots", "band_kinds"]
FEW_CASES = 30  # of a class: below this the page warns
FEW_CLUSTERS = 20  # the same, as in `at`
RESAMPLES = 2000  # of clusters, as in `at`
MOST_RESAMPLED = 500  # knots of a model of clusters, each of which has limits by resamples
MEASURES = ("sensitivity", "specificity", "ppv", "npv", "lr_positive", "lr_negative")
SINGLE_SCORES = "it is computed from single scores, which min_cell withholds"
BAND_TOLERANCE = 5e-4


@dataclass(frozen=True, kw_only=True)
class Settings:
    """How the report is to be made."""

    level: float = 0.95
    method: str = "auto"
    seed: int = 0
    n_resamples: int = 400
    min_cell: int = 1
    max_knots: int | None = 2000
    band_kinds: tuple[str, ...] = ()
    prevalence: float | None = None
    costs: rw.Costs | None = None

    @property
    def intervals(self) -> dict[str, Any]:
        """Options of the intervals of all models."""
        return {"level": self.level, "method": self.method, "rng": self.seed}


class Model(NamedTuple):
    """A model, and the part of it that may be shown."""

    name: str
    tally: rw.Tally
    knots: Knots
    shown: rw.Tally


def binary_payload(
    tallies: Mapping[str, rw.Tally], pairs: rw.Pairs | None, settings: Settings
) -> dict[str, Any]:
    """The members of the payload that depend on the data; without `pairs` cases differ."""
    models = [_model(name, tally, settings) for name, tally in tallies.items()]
    omitted: Omitted = []
    plain = [_plain_model(model, pairs, settings, omitted) for model in models]
    first = models[0].tally
    prevalence = first.n_pos / (first.n_pos + first.n_neg)
    return {
        "cases": {
            "n_pos": first.n_pos,
            "n_neg": first.n_neg,
            "prevalence": prevalence,
            "rows": first.origin.n_rows,
            "clusters": first.origin.n_clusters,
            "weighted": first.weighted,
            "paired": pairs is not None,
        },
        "models": plain,
        "comparison": unless_invalid(
            lambda: _comparison(tallies, pairs, settings), "comparison", "", omitted
        ),
        "settings": {name: json_safe(getattr(settings, name)) for name in SHOWN_SETTINGS}
        | {"limit_resamples": RESAMPLES},
        "state": _start(plain, prevalence, settings),
        "sections": binary_sections(models, settings, omitted),
        "notes": _notes(models, plain, pairs, settings),
        "omitted": omitted,
    }


def _model(name: str, tally: rw.Tally, settings: Settings) -> Model:
    most = settings.max_knots
    if tally.clustered and most is not None:
        most = min(most, MOST_RESAMPLED)
    knots = curve_knots(tally, most=most, min_cell=settings.min_cell)
    shown = tally if settings.min_cell == 1 else coarse_tally(tally, knots)
    return Model(name, tally, knots, shown.named(name))


def _plain_model(
    model: Model, pairs: rw.Pairs | None, settings: Settings, omitted: Omitted
) -> dict[str, Any]:
    tally, (_, tp, fp) = model.tally, model.knots
    curve = rw.roc(model.shown)
    return {
        "name": model.name,
        "direction": tally.direction,
        "categories": list(tally.origin.categories),
        "n_pos": tally.n_pos,
        "n_neg": tally.n_neg,
        "effective": tally.effective_sizes,
        "auc": _area(model, pairs, settings),
        "knots": plain_knots(tally, model.knots),
        "limits": _limits(model, settings) if tally.clustered else None,
        "path": plain_line(curve.fpr, curve.tpr),
        "bands": _bands(model, settings, omitted),
        "histogram": unless_invalid(
            lambda: histogram(model.shown), "histogram", model.name, omitted
        ),
        "start": int(np.argmax(tp / tally.n_pos - fp / tally.n_neg)),
    }


def _area(model: Model, pairs: rw.Pairs | None, settings: Settings) -> dict[str, Any]:
    if pairs is not None and pairs.groups is not None:
        areas: Any = rw.auc(pairs.select([model.name]), **settings.intervals)
        result = areas[model.name]
    else:
        result = rw.auc(model.tally, **settings.intervals)
    interval = result.interval
    found = {"value": result.value, "standard_error": json_safe(result.standard_error)}
    found |= {"low": interval.low, "high": interval.high}
    found |= {"level": interval.level, "method": interval.method}
    test: Any = "wilson" if settings.method == "auto" else settings.method
    try:
        return found | {"p": rw.test_auc(model.tally, method=test).p_value}
    except rw.InputError:  # not all intervals have a test
        return found | {"p": None}


def _limits(model: Model, settings: Settings) -> dict[str, list[Any]]:
    """Lower and upper limits of measures at each knot, by resamples of clusters as in `at`.

    Those of independent cases follow from counts, and are computed on the page.
    """
    tally, places = model.tally, model.knots.places
    far = -np.inf if tally.direction == "lower" else np.inf
    thresholds = np.append(far, np.asarray(tally.scores, np.float64)[places[1:]])
    options: Any = {"level": settings.level, "rng": settings.seed, "n_resamples": RESAMPLES}
    parts = np.array_split(thresholds, 1 + len(thresholds) // (2 * MOST_RESAMPLED))  # for memory

    def limits(prevalence: float | None) -> dict[str, list[Any]]:
        tables = [rw.at(tally, threshold=part, prevalence=prevalence, **options) for part in parts]
        return {
            name: [
                [_six_digits(limit) for each in tables for limit in each.columns[f"{name}_{end}"]]
                for end in ("low", "high")
            ]
            for name in MEASURES
        }

    given = limits(float(tally.n_pos / (tally.n_pos + tally.n_neg)))
    return limits(None) | {f"{name}_given": given[name] for name in ("ppv", "npv")}


def _six_digits(value: Any) -> float | None:
    """A limit without the digits that no reader sees; None for one that is infinite or none."""
    known = value is not np.ma.masked and math.isfinite(value)
    return float(f"{value:.6g}") if known else None


def _bands(model: Model, settings: Settings, omitted: Omitted) -> dict[str, Any]:
    options = (settings.level, settings.n_resamples, settings.seed)
    found = {}
    for kind in settings.band_kinds:
        compute = partial(plain_band, model.shown, kind, *options)  # its edges are the curve, moved
        band = unless_invalid(compute, f"band {kind}", model.name, omitted)
        if band is not None:
            found[kind] = band
    return found


def plain_band(
    tally: rw.Tally, kind: Any, level: float, n_resamples: int, seed: int
) -> dict[str, Any]:
    """A band of a ROC curve, ready for JSON."""
    band = rw.band(tally, kind=kind, level=level, n_resamples=n_resamples, rng=seed)
    return {
        "level": band.level,
        "area": band.area,
        "n_resamples": band.n_resamples,
        "seed": json_safe(band.seed),
        "lower": plain_line(band.fpr, band.lower, BAND_TOLERANCE),
        "upper": plain_line(band.fpr, band.upper, BAND_TOLERANCE),
    }


def histogram(tally: rw.Tally) -> dict[str, Any]:
    """Cases of each class in bars of equal width; one bar per category where there are some."""
    scores = np.asarray(tally.scores, dtype=np.float64)
    if not np.isfinite(scores).all():
        raise rw.InputError("`y_score` has infinite values, for which there are no bars.")
    whole = bool(tally.origin.categories) or bool(np.all(scores == np.round(scores)))
    edges = _edges(scores, whole=whole)
    counts = [np.histogram(scores, edges, weights=part)[0] for part in (tally.pos, tally.neg)]
    pos, neg = (part if tally.weighted else part.astype(np.int64) for part in counts)
    return {"edges": _short(edges).tolist(), "pos": pos.tolist(), "neg": neg.tolist()}


def _edges(scores: Floats, *, whole: bool) -> Floats:
    """Where bars of equal width begin and end; few whole numbers have a bar each."""
    low, high = float(scores.min()), float(scores.max())
    with np.errstate(over="ignore", invalid="ignore"):
        if whole and len(scores) <= BARS and high - low < BARS - 1:
            edges = np.linspace(low - 0.5, high + 0.5, int(high - low) + 2)
        elif high > low:
            edges = np.linspace(low, high, BARS + 1)
        else:
            half = max(0.5, abs(low) * 1e-3)
            edges = np.array([low - half, low + half])
        span = float(edges[-1] - edges[0])
    if not np.isfinite(span) or not np.all(np.diff(edges) > 0):
        raise rw.InputError(
            "`y_score` lies too close together, or too far apart, for bars of equal width."
        )
    return edges


def _short(edges: Floats) -> Floats:
    """The same in the few digits that a plot needs, where these are distinct."""
    digits = 6 - int(np.floor(np.log10(edges[-1] - edges[0])))
    short = np.round(edges, digits) if digits <= 300 else edges
    return short if np.all(np.diff(short) > 0) else edges


def differences(comparison: Any) -> dict[str, Any]:
    """The comparison of two or more models, ready for JSON.

    p values of several models are adjusted, and so are limits where the test has adjusted ones.
    """
    several = comparison.pairwise is not None
    columns = comparison._columns()
    p = "p_adjusted" if several else "p_value"
    limits = ("low_adjusted", "high_adjusted") if "low_adjusted" in columns else ("low", "high")
    keys = ("first", "second", "difference", *limits, p, "statistic")
    rows = list(zip(*(columns[key] for key in keys), strict=True))
    df = getattr(comparison, "df", None)
    joint = {"statistic": comparison.statistic, "df": df, "p": comparison.p_value}
    simultaneous = "low_adjusted" in columns
    return plain_comparison(comparison, rows, joint if several else None, simultaneous)


def _comparison(
    tallies: Mapping[str, rw.Tally], pairs: rw.Pairs | None, settings: Settings
) -> dict[str, Any] | None:
    if len(tallies) < 2:
        return None
    if pairs is not None:
        return differences(rw.compare(pairs, level=settings.level, rng=settings.seed))
    names = list(combinations(tallies, 2))  # of models on different observations
    level = 1 - (1 - settings.level) / len(names)  # Bonferroni's limits for all pairs
    results = [rw.compare(tallies[a], tallies[b], level=level) for a, b in names]
    p_values = holm([result.p_value for result in results])
    rows = [
        (a, b, result.difference, *(result.interval or (None, None)), p, result.statistic)
        for (a, b), result, p in zip(names, results, p_values, strict=True)
    ]
    return plain_comparison(results[0], rows, None, len(rows) > 1)


def plain_comparison(
    first: Any, rows: Sequence[tuple[Any, ...]], joint: Any, simultaneous: bool
) -> dict[str, Any]:
    """Differences of pairs of models, ready for JSON."""
    names = ("a", "b", "difference", "low", "high", "p", "statistic")
    return {
        "method": first.method,
        "quantity": first.quantity,
        "adjusted": "Holm" if len(rows) > 1 else None,
        "simultaneous": simultaneous,
        "joint": json_safe(joint),
        "rows": [json_safe(dict(zip(names, row, strict=True))) for row in rows],
    }


def _start(models: list[dict[str, Any]], prevalence: float, settings: Settings) -> dict[str, Any]:
    """Where the page starts: the best model at its largest Youden index."""
    costs = settings.costs or rw.Costs(fp=1, fn=1)
    false_alarm = costs.fp - costs.tn
    abstain = costs.abstain if isinstance(costs.abstain, float) else None
    best = max(models, key=lambda model: model["auc"]["value"])
    return {
        "model": best["name"],
        "thresholds": {},
        "prevalence": prevalence if settings.prevalence is None else settings.prevalence,
        "cost_ratio": (costs.fn - costs.tp) / false_alarm,
        "abstain_cost": 0.2 if abstain is None else (abstain - costs.tn) / false_alarm,
        "band": settings.band_kinds[0] if settings.band_kinds else "",
        "theme": "auto",
    }


def _notes(
    models: list[Model], plain: list[dict[str, Any]], pairs: rw.Pairs | None, settings: Settings
) -> list[dict[str, Any]]:
    """Warnings and notes about the data."""
    first = models[0].tally
    notes: list[dict[str, Any]] = []
    for code, number in (("few-positives", first.n_pos), ("few-negatives", first.n_neg)):
        if number < FEW_CASES:
            notes.append({"code": code, "n": number})
    if pairs is None and len(models) > 1:
        notes.append({"code": "different-cases"})
    if first.clustered:
        n_clusters = first.origin.n_clusters
        notes.append({"code": "clusters", "n": n_clusters})
        if n_clusters is not None and n_clusters < FEW_CLUSTERS:
            notes.append({"code": "few-clusters", "n": n_clusters})
    if first.n_dropped:
        notes.append({"code": "dropped", "n": first.n_dropped})
    if first.origin.read_by:
        notes.append({"code": "read-as", "how": first.origin.read_by.removeprefix("read with ")})
    if first.weighted:
        notes.append({"code": "weighted"})
    if settings.min_cell > 1:
        notes.append({"code": "min-cell", "n": settings.min_cell})
    for model, each in zip(models, plain, strict=True):
        area, tally = each["auc"], model.tally
        if area["high"] < 0.5:
            notes.append({"code": "below-half", "model": model.name})
        tied = float(tally.pos / tally.n_pos @ (tally.neg / tally.n_neg))  # of pairs
        if tied / 2 > (area["high"] - area["low"]) / 2:  # which breaking the ties could move it
            notes.append({"code": "ties", "model": model.name, "tied": tied})
    return notes
