"""The payload of a page about binary classifiers: curves at a few knots, bands, sections."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import partial
from itertools import combinations
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

import rocwise as rw
from rocwise.arrays import Floats
from rocwise.inference import holm
from rocwise.plotting import compose
from rocwise.plotting.spec import Band, Layer, Line, PlotSpec
from rocwise.results import Result, json_safe

L = TypeVar("L", Line, Band)
FEW = 60  # points that are left alone
DECADE_FLOOR = 1e-5  # where an axis of logarithms begins
TOLERANCE = 2e-4  # as a share of the axes: a tenth of a pixel on a plot of 500


def needed_points(x: ArrayLike, y: ArrayLike, tolerance: float = TOLERANCE) -> NDArray[np.intp]:
    """Places of the points through which a line stays within `tolerance` of the whole one.

    Ramer's and Douglas and Peucker's method; `x` and `y` are in units of the axes.

    Examples
    --------
    >>> needed_points([0, 0.5, 1, 1], [0, 0.5, 1, 2]).tolist()
    [0, 2, 3]
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
    share = np.clip((dx * along + dy * up) / length, 0, 1) if length else 0.0
    return np.asarray(np.hypot(dx - share * along, dy - share * up))


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


def simplified(picture: PlotSpec) -> PlotSpec:
    """The same picture with fewer points in its lines and bands."""
    spans = [axis.limits[1] - axis.limits[0] for axis in (picture.x, picture.y)]
    return replace(picture, layers=tuple(_layer(layer, *spans) for layer in picture.layers))


def _layer(layer: Layer, width: float, height: float) -> Layer:
    if isinstance(layer, Line) and len(layer.x) > FEW:
        return _shortened(layer, width, ("y",), height)
    if isinstance(layer, Band) and len(layer.x) > FEW:
        return _shortened(layer, width, ("lower", "upper"), height)
    return layer


def _shortened(layer: L, width: float, names: tuple[str, ...], height: float) -> L:
    """The layer with the points that any of its lines needs; one with gaps stays as it is."""
    lines: list[NDArray[np.float64]] = [np.asarray(getattr(layer, name)) for name in names]
    if not all(np.isfinite(values).all() for values in (layer.x, *lines)):
        return layer
    needed = [needed_points(layer.x / width, line / height, 1e-3) for line in lines]
    places = np.unique(np.concatenate(needed))
    digits = _digits(width), _digits(height)
    shorter = {
        name: np.round(line[places], digits[1]) for name, line in zip(names, lines, strict=True)
    }
    columns: dict[str, Any] = {"x": np.round(layer.x[places], digits[0]), **shorter}
    return replace(layer, **columns)


def _digits(span: float) -> int:
    """Decimals that keep a hundred-thousandth of an axis."""
    return int(5 - np.floor(np.log10(span))) if span > 0 else 5


T = TypeVar("T")
MOST_ROWS = 200


class Omitted(NamedTuple):
    """A part that the data did not allow."""

    section: str
    model: str
    why: str


def unless_invalid(
    compute: Callable[[], T], section: str, model: str, omitted: list[Omitted]
) -> T | None:
    """The result; None, with the reason in `omitted`, where the data do not allow it."""
    try:
        return compute()
    except rw.InputError as reason:
        omitted.append(Omitted(section, model, str(reason)))
        return None


def section(
    name: str,
    *,
    text: str = "",
    title: str = "",
    pictures: list[Any] | None = None,
    tables: list[dict[str, Any]] | None = None,
) -> dict[str, Any]:
    """A section of the page: words, pictures and tables under a heading."""
    plain = [_plain(simplified(picture)) for picture in pictures or []]
    return {"id": name, "title": title, "text": text, "pictures": plain, "tables": tables or []}


def _plain(picture: PlotSpec) -> dict[str, Any]:
    """The picture as plain values; the page draws every layer as it is, tables of fields too."""
    return picture.to_dict() | {"layers": [layer.to_dict() for layer in picture.layers]}


def table(answer: Result | Mapping[str, Any], title: str = "") -> dict[str, Any]:
    """A table of plain values, from a result or from columns; a long one says that it was cut."""
    columns = answer._columns() if isinstance(answer, Result) else answer
    rows = max((len(column) for column in columns.values()), default=0)
    if rows > MOST_ROWS:
        title = f"{title} (first {MOST_ROWS} of {rows:,} rows)".lstrip()
    plain = {name: json_safe(list(column)[:MOST_ROWS]) for name, column in columns.items()}
    return {"title": title, "columns": plain}


def binary_sections(
    tallies: Mapping[str, rw.Tally], level: float, omitted: list[Omitted]
) -> list[dict[str, Any]]:
    """Smooth ROC, confident segment, precision and recall, decision curve, calibration."""
    analyses: dict[str, Callable[[rw.Tally], Any]] = {
        "smooth-roc": rw.smooth_roc,
        "confident-segment": partial(rw.confident_segment, level=level),
        "precision-recall": rw.precision_recall,
        "decision-curve": rw.decision_curve,
        "calibration": partial(rw.calibration, level=level),
    }
    found = (_overlaid(name, compute, tallies, omitted) for name, compute in analyses.items())
    return [each for each in found if each is not None]


def by_model(
    compute: Callable[[Any], Any], name: str, models: Mapping[str, Any], omitted: list[Omitted]
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
    omitted: list[Omitted],
) -> dict[str, Any] | None:
    """All models in one plot, with a table for some analyses."""
    results = by_model(compute, name, tallies, omitted)
    if not results:
        return None
    summary = SUMMARIES.get(name)
    tables = [] if summary is None else [summary(results)]
    places = [place for place, model in enumerate(tallies) if model in results]
    drawn = unless_invalid(
        lambda: [in_colours_of(compose(results), places)], name, "", [] if tables else omitted
    )
    return section(name, pictures=drawn, tables=tables) if drawn or tables else None


def _calibration_table(answers: Mapping[str, Any]) -> dict[str, Any]:
    measures = ("slope", "intercept", "ece", "brier", "log_loss")
    columns = {each: [getattr(a, each) for a in answers.values()] for each in measures}
    return table({"model": list(answers), **columns})


def _segment_table(answers: Mapping[str, Any]) -> dict[str, Any]:
    ends = {"from": 0, "to": -1}
    columns: dict[str, list[Any]] = {"model": list(answers)}
    columns["thresholds"] = [len(a.fpr) for a in answers.values()]
    for word, place in ends.items():
        for rate in ("fpr", "tpr"):
            columns[f"{rate} {word}"] = [
                getattr(a, rate)[place] if len(a.fpr) else None for a in answers.values()
            ]
    columns["cauc"] = [a.cauc for a in answers.values()]
    return table(columns)


SUMMARIES = {"calibration": _calibration_table, "confident-segment": _segment_table}


def in_colours_of(picture: PlotSpec, places: Sequence[int]) -> PlotSpec:
    """Each model with the slot of its place among all models, also where some are left out.

    The page takes the colour of a model from there, and hides it by that.
    """
    own = [layer for layer in picture.layers if getattr(layer, "role", "") != "reference"]
    if 1 + max((layer.slot for layer in own), default=0) != len(places):
        return picture
    moved = tuple(
        replace(layer, slot=places[layer.slot]) if layer in own else layer
        for layer in picture.layers
    )
    return replace(picture, layers=moved)


class Knots(NamedTuple):
    """Places in the table of a tally, -1 for the origin, with the counts at each.

    The places rise, so that counts do too.
    """

    places: NDArray[np.intp]
    tp: NDArray[Any]
    fp: NDArray[Any]


def curve_knots(tally: rw.Tally, *, most: int | None, min_cell: int = 1) -> Knots:
    """At most about `most` knots with the hull, the best Youden index and both ends among them.

    Parameters
    ----------
    tally : Tally
        The model.
    most : int or None
        How many; None for all distinct scores. More only if the hull alone has more.
    min_cell : int
        Fewest cases between a knot and the next; the hull gives way to this.

    Examples
    --------
    >>> import rocwise as rw
    >>> tally = rw.tally([0, 0, 1, 0, 1, 1], [1, 2, 3, 4, 5, 6])
    >>> curve_knots(tally, most=None).tp.tolist()
    [0, 1, 2, 2, 3, 3, 3]
    >>> curve_knots(tally, most=None, min_cell=3).tp.tolist()
    [0, 2, 3]
    """
    tp, fp = np.asarray(tally.tp), np.asarray(tally.fp)
    every = most is None or len(tp) <= most
    places = np.arange(len(tp)) if every or most is None else _spread(tally, most)
    if min_cell > 1:
        places = _far_enough(places, tp + fp, min_cell)
    zero = np.zeros(1, dtype=tp.dtype)
    return Knots(
        np.concatenate([[-1], places]),
        np.concatenate([zero, tp[places]]),
        np.concatenate([zero, fp[places]]),
    )


def _spread(tally: rw.Tally, most: int) -> NDArray[np.intp]:
    """The places that must be kept, and others at even distances along the curve."""
    along = tally.tp / tally.n_pos + tally.fp / tally.n_neg
    kept = np.union1d(_hull_places(tally), [best_youden(tally), len(along) - 1])
    free = max(most - len(kept), 0)
    even = np.searchsorted(along, 2 * (np.arange(free) + 0.5) / max(free, 1))
    return np.union1d(kept, np.minimum(even, len(along) - 1))


def _hull_places(tally: rw.Tally) -> NDArray[np.intp]:
    """Places of the hull's vertices in the table; the origin is not in it."""
    from_last = np.arange(len(tally.tp) - 1.0, -1.0, -1.0)  # unlike scores, never one float
    ranked = rw.Tally.from_counts(from_last, tally.pos, tally.neg, squares=tally.squares)
    return len(from_last) - 1 - rw.hull(ranked).thresholds[1:].astype(np.intp)


def _far_enough(places: Any, cases: Any, fewest: int) -> NDArray[np.intp]:
    """Those after each of which, and before the first, lie at least so many cases."""
    kept: list[int] = []
    last = 0
    total = cases[-1]
    for place in places.tolist():
        if cases[place] - last >= fewest and total - cases[place] >= fewest:
            kept.append(place)
            last = cases[place]
    return np.array([*kept, len(cases) - 1], dtype=np.intp)


def best_youden(tally: rw.Tally) -> int:
    """The place with the largest difference of the two rates, the first of several."""
    return int(np.argmax(tally.tp / tally.n_pos - tally.fp / tally.n_neg))


def coarse_tally(tally: rw.Tally, knots: Knots) -> rw.Tally:
    """The cases between knots at one score each: what may be drawn where few cases must not show.

    >>> import rocwise as rw
    >>> tally = rw.tally([0, 0, 1, 0, 1, 1], [1, 2, 3, 4, 5, 6])
    >>> coarse_tally(tally, curve_knots(tally, most=None, min_cell=3)).scores.tolist()
    [4.0, 1.0]
    """
    return rw.Tally.from_counts(
        tally.scores[knots.places[1:]], np.diff(knots.tp), np.diff(knots.fp), origin=tally.origin
    )


def plain_knots(tally: rw.Tally, knots: Knots) -> dict[str, list[Any]]:
    """Thresholds and steps of the counts, ready for JSON."""
    threshold = [None, *(_threshold(tally, place) for place in knots.places[1:].tolist())]
    return {"threshold": threshold, "tp": _steps(knots.tp), "fp": _steps(knots.fp)}


def _steps(counts: NDArray[Any]) -> list[Any]:
    steps: list[Any] = np.diff(counts, prepend=counts[:1]).tolist()
    return steps


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
FEW_CASES = 30  # of a class: below this the page says so
BAND_TOLERANCE = 5e-4


@dataclass(frozen=True, kw_only=True)
class Settings:
    """How the report is to be made."""

    level: float
    seed: int
    n_resamples: int
    min_cell: int
    max_knots: int | None
    band_kinds: tuple[str, ...]
    prevalence: float | None
    costs: rw.Costs | None


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
    omitted: list[Omitted] = []
    plain = [_plain_model(model, pairs, settings, omitted) for model in models]
    first = models[0].tally
    prevalence = first.n_pos / (first.n_pos + first.n_neg)
    return {
        "cases": {
            "n_pos": first.n_pos,
            "n_neg": first.n_neg,
            "prevalence": prevalence,
            "weighted": first.weighted,
            "paired": pairs is not None,
        },
        "models": plain,
        "comparison": unless_invalid(
            lambda: _comparison(tallies, pairs, settings), "comparison", "", omitted
        ),
        "settings": {
            name: json_safe(getattr(settings, name))
            for name in ("level", "seed", "n_resamples", "min_cell", "max_knots", "band_kinds")
        },
        "state": _start(plain, prevalence, settings),
        "sections": binary_sections({m.name: m.shown for m in models}, settings.level, omitted),
        "notes": _notes(models, plain, pairs),
        "omitted": [each._asdict() for each in omitted],
    }


def _model(name: str, tally: rw.Tally, settings: Settings) -> Model:
    knots = curve_knots(tally, most=settings.max_knots, min_cell=settings.min_cell)
    shown = tally if settings.min_cell == 1 else coarse_tally(tally, knots)
    return Model(name, tally, knots, shown.named(name))


def _plain_model(
    model: Model, pairs: rw.Pairs | None, settings: Settings, omitted: list[Omitted]
) -> dict[str, Any]:
    tally, (_, tp, fp) = model.tally, model.knots
    curve = rw.roc(model.shown)
    return {
        "name": model.name,
        "direction": tally.direction,
        "categories": list(tally.origin.categories),
        "n_pos": tally.n_pos,
        "n_neg": tally.n_neg,
        "auc": _area(model, pairs, settings),
        "knots": plain_knots(tally, model.knots),
        "path": plain_line(curve.fpr, curve.tpr),
        "bands": _bands(model, settings, omitted),
        "histogram": unless_invalid(
            lambda: histogram(model.shown), "histogram", model.name, omitted
        ),
        "start": int(np.argmax(tp / tally.n_pos - fp / tally.n_neg)),
    }


def _area(model: Model, pairs: rw.Pairs | None, settings: Settings) -> dict[str, Any]:
    options: dict[str, Any] = {"level": settings.level, "rng": settings.seed}
    if pairs is not None and pairs.groups is not None:
        areas: Any = rw.auc(pairs.select([model.name]), **options)
        answer = areas[model.name]
    else:
        answer = rw.auc(model.tally, **options)
    low, high = answer.interval
    return {
        "value": answer.value,
        "standard_error": json_safe(answer.standard_error),
        "low": low,
        "high": high,
        "level": answer.interval.level,
        "method": answer.interval.method,
    }


def _bands(model: Model, settings: Settings, omitted: list[Omitted]) -> dict[str, Any]:
    found = {}
    for kind in settings.band_kinds:
        options: dict[str, Any] = {
            "kind": kind,
            "level": settings.level,
            "n_resamples": settings.n_resamples,
            "rng": settings.seed,
        }
        compute = partial(rw.band, model.shown, **options)  # its edges are the curve, moved
        band = unless_invalid(compute, f"band {kind}", model.name, omitted)
        if band is not None:
            found[kind] = plain_band(band)
    return found


def plain_band(band: Any) -> dict[str, Any]:
    """The band of a ROC curve, ready for JSON."""
    return {
        "level": band.level,
        "area": band.area,
        "lower": plain_line(band.fpr, band.lower, BAND_TOLERANCE),
        "upper": plain_line(band.fpr, band.upper, BAND_TOLERANCE),
    }


def histogram(tally: rw.Tally) -> dict[str, Any]:
    """Cases of each class in bars of equal width; one bar per category where there are some.

    >>> import rocwise as rw
    >>> bars = histogram(rw.tally([0, 0, 1, 1], [0, 1, 1, 4]))
    >>> len(bars["edges"]), sum(bars["pos"]), sum(bars["neg"])
    (6, 2, 2)
    """
    scores = np.asarray(tally.scores, dtype=np.float64)
    if not np.isfinite(scores).all():
        raise rw.InputError("`y_score` has infinite values, for which there are no bars.")
    whole = bool(tally.origin.categories) or bool(np.all(scores == np.round(scores)))
    edges = _edges(scores, whole=whole)
    amounts = [np.histogram(scores, edges, weights=part)[0] for part in (tally.pos, tally.neg)]
    kept = amounts if tally.weighted else [part.astype(np.int64) for part in amounts]
    return {"edges": _short(edges).tolist(), "pos": kept[0].tolist(), "neg": kept[1].tolist()}


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
    """The same in the few digits that a picture needs, where these tell them apart."""
    digits = 6 - int(np.floor(np.log10(edges[-1] - edges[0])))
    short = np.round(edges, digits) if digits <= 300 else edges
    return short if np.all(np.diff(short) > 0) else edges


def _comparison(
    tallies: Mapping[str, rw.Tally], pairs: rw.Pairs | None, settings: Settings
) -> dict[str, Any] | None:
    if len(tallies) < 2:
        return None
    if pairs is None:
        return _of_samples(tallies, settings)
    return differences(rw.compare(pairs, level=settings.level, rng=settings.seed))


def differences(comparison: Any) -> dict[str, Any]:
    """The comparison of two or more models, ready for JSON; p values of several are adjusted."""
    several = comparison.pairwise is not None
    columns = comparison._columns()
    p = "p_adjusted" if several else "p_value"
    keys = ("first", "second", "difference", "low", "high", p, "statistic")
    rows = [_row(*values) for values in zip(*(columns[key] for key in keys), strict=True)]
    joint = None
    if several:
        df = getattr(comparison, "df", None)
        joint = {"statistic": comparison.statistic, "df": df, "p": comparison.p_value}
    return {
        "method": comparison.method,
        "quantity": comparison.quantity,
        "adjusted": "Holm" if several else None,
        "joint": json_safe(joint),
        "rows": rows,
    }


def _of_samples(tallies: Mapping[str, rw.Tally], settings: Settings) -> dict[str, Any]:
    """Models on different observations."""
    names = list(combinations(tallies, 2))
    answers = [rw.compare(tallies[a], tallies[b], level=settings.level) for a, b in names]
    p_values = holm([answer.p_value for answer in answers])
    rows = [
        _row(a, b, answer.difference, *(answer.interval or (None, None)), p, answer.statistic)
        for (a, b), answer, p in zip(names, answers, p_values, strict=True)
    ]
    return {
        "method": answers[0].method,
        "quantity": answers[0].quantity,
        "adjusted": "Holm" if len(rows) > 1 else None,
        "joint": None,
        "rows": rows,
    }


def _row(*values: Any) -> dict[str, Any]:
    names = ("a", "b", "difference", "low", "high", "p", "statistic")
    return {name: json_safe(value) for name, value in zip(names, values, strict=True)}


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
    models: list[Model], plain: list[dict[str, Any]], pairs: rw.Pairs | None
) -> list[dict[str, Any]]:
    """What a reader must know before believing a number."""
    first = models[0].tally
    notes: list[dict[str, Any]] = []
    for code, number in (("few-positives", first.n_pos), ("few-negatives", first.n_neg)):
        if number < FEW_CASES:
            notes.append({"code": code, "n": number})
    if pairs is None and len(models) > 1:
        notes.append({"code": "different-cases"})
    if pairs is not None and pairs.groups is not None:
        notes.append({"code": "clusters", "n": len(np.unique(pairs.groups))})
    if first.n_dropped:
        notes.append({"code": "dropped", "n": first.n_dropped})
    if first.weighted:
        notes.append({"code": "weighted"})
    for model, each in zip(models, plain, strict=True):
        if each["auc"]["value"] < 0.5:
            notes.append({"code": "below-half", "model": model.name})
        tied = _tied_share(model.tally)
        if tied > 0.01:
            notes.append({"code": "ties", "model": model.name, "share": tied})
    return notes


def _tied_share(tally: rw.Tally) -> float:
    """Share of the pairs of a positive and a negative with one score."""
    return float(tally.pos / tally.n_pos @ (tally.neg / tally.n_neg))
