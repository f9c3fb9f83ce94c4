"""What the page is given about models that tell two classes apart."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np

import rocwise as rw
from rocwise.arrays import Floats
from rocwise.inference import holm
from rocwise.reporting.knots import Knots, coarse_tally, curve_knots, plain_knots
from rocwise.reporting.sections import Omitted, binary_sections, unless_refused
from rocwise.reporting.simplification import plain_line
from rocwise.results import json_safe

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
        "comparison": unless_refused(
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
        "histogram": unless_refused(
            lambda: histogram(model.shown), "histogram", model.name, omitted
        ),
        "start": int(np.argmax(tp / tally.n_pos - fp / tally.n_neg)),
    }


def _area(model: Model, pairs: rw.Pairs | None, settings: Settings) -> dict[str, Any]:
    options: dict[str, Any] = {"level": settings.level, "rng": settings.seed}
    if pairs is not None and pairs.groups is not None:
        by_model: Any = rw.auc(pairs.select([model.name]), **options)
        answer = by_model[model.name]
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
        band = unless_refused(
            lambda kind=kind: rw.band(  # type: ignore[misc]
                model.shown,  # its edges are the curve, moved
                kind=kind,
                level=settings.level,
                n_resamples=settings.n_resamples,
                rng=settings.seed,
            ),
            f"band {kind}",
            model.name,
            omitted,
        )
        if band is not None:
            found[kind] = {
                "level": band.level,
                "area": band.area,
                "lower": plain_line(band.fpr, band.lower, BAND_TOLERANCE),
                "upper": plain_line(band.fpr, band.upper, BAND_TOLERANCE),
            }
    return found


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
    answer = rw.compare(pairs, level=settings.level, rng=settings.seed)
    if answer.pairwise is not None:
        table = {name: json_safe(column) for name, column in answer.pairwise.items()}
        keys = ("first", "second", "difference", "low", "high", "p_adjusted", "statistic")
        rows = [_row(*values) for values in zip(*(table[key] for key in keys), strict=True)]
        joint = {"statistic": answer.statistic, "df": answer.df, "p": answer.p_value}
    else:
        assert answer.interval is not None  # DeLong's has one
        low, high = answer.interval
        rows = [_row(*pairs.names, answer.difference, low, high, answer.p_value, answer.statistic)]
        joint = None
    return {
        "method": answer.method,
        "quantity": answer.quantity,
        "adjusted": "Holm" if joint else None,
        "joint": json_safe(joint),
        "rows": rows,
    }


def _of_samples(tallies: Mapping[str, rw.Tally], settings: Settings) -> dict[str, Any]:
    """Each model on cases of its own."""
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
