"""What the page is given about several classes, ordered classes and forecasts of a number."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import rocwise as rw
from rocwise.inputs import named_columns
from rocwise.plotting import compose
from rocwise.reporting.data_forms import digest_of
from rocwise.reporting.sections import Omitted, section, table, unless_refused
from rocwise.reporting.two_classes import Settings

KNOWN = ("label", "y_true", "missing", "direction")


def other_payload(
    task: str,
    data: Any,
    scores: Any,
    given: Mapping[str, Any],
    labels: Mapping[str, Any],
    settings: Settings,
) -> dict[str, Any]:
    """The members of the payload that depend on the data; `labels`: `classes` and `order`."""
    said = {name: value for name, value in given.items() if value is not None}
    for name in said:
        if name not in KNOWN:
            raise rw.InputError(f"`{name}` is not used by a report with task={task!r}.")
    y_true, models = _columns(task, data, scores, said)
    options: dict[str, Any] = {
        name: said[name] for name in ("missing", "direction") if name in said
    }
    if task != "ordinal" and options.pop("direction", "higher") != "higher":
        raise rw.InputError(f"`direction` means nothing for task={task!r}; leave it out.")
    for name, which in (("classes", "multiclass"), ("order", "ordinal")):
        if labels.get(name) is None:
            continue
        if task != which:
            raise rw.InputError(f"`{name}` goes with task={which!r}, not with task={task!r}.")
        options[name] = labels[name]
    omitted: list[Omitted] = []
    make = {"multiclass": _multiclass, "ordinal": _ordinal, "regression": _regression}[task]
    verdict, sections = make(y_true, models, options, settings, omitted)
    return {
        "hash": digest_of(y_true, *models.values()),
        "verdict": verdict,
        "sections": sections,
        "notes": [],
        "omitted": [each._asdict() for each in omitted],
        "methods": {"text": _methods(len(y_true), settings), "references": []},
    }


def _columns(task: str, data: Any, scores: Any, said: dict[str, Any]) -> tuple[Any, dict[str, Any]]:
    """What happened, and what each model says: of arrays, or of the columns that were named."""
    if said.get("y_true") is not None:
        data = said["y_true"]
    if data is None or scores is None:
        raise rw.InputError(
            f"`report` with task={task!r} needs y_true and `scores`, a dict by the names of the "
            "models; or a frame or path with label= and the names of columns as `scores`."
        )
    if "label" in said:
        names = [scores] if isinstance(scores, str) else list(scores)
        columns = named_columns(data, [said["label"], *names])
        found = {name: columns[name] for name in names}
        # one column for each class belongs to one model
        models = {"model": found} if task == "multiclass" else found
        return columns[said["label"]], models
    if not isinstance(scores, Mapping):
        scores = {"model": scores}
    return data, {str(name): values for name, values in scores.items()}


def _multiclass(
    y_true: Any,
    models: dict[str, Any],
    options: dict[str, Any],
    settings: Settings,
    omitted: list[Omitted],
) -> tuple[str, list[dict[str, Any]]]:
    areas = {
        name: rw.multiclass_auc(y_true, values, level=settings.level, **options)
        for name, values in models.items()
    }
    verdict, compared = _compared(rw.compare_multiclass, y_true, models, options, settings, areas)
    curves = {
        name: unless_refused(
            lambda values=values: rw.multiclass_roc(y_true, values, **options),  # type: ignore[misc]
            "one-vs-rest",
            name,
            omitted,
        )
        for name, values in models.items()
    }
    drawn = [compose(curve, title=name) for name, curve in curves.items() if curve is not None]
    return verdict, [
        section(
            "areas",
            title="Areas of pairs of classes",
            text=_sentences(areas),
            pictures=[compose(area, title=name) for name, area in areas.items()],
            tables=[table(area, name) for name, area in areas.items()],
        ),
        *compared,
        section("one-vs-rest", title="One-vs-rest ROC curves", pictures=drawn),
    ]


def _ordinal(
    y_true: Any,
    models: dict[str, Any],
    options: dict[str, Any],
    settings: Settings,
    omitted: list[Omitted],
) -> tuple[str, list[dict[str, Any]]]:
    areas = {
        name: rw.ordinal_auc(y_true, values, level=settings.level, **options)
        for name, values in models.items()
    }
    verdict, compared = _compared(rw.compare_ordinal, y_true, models, options, settings, areas)
    questions: dict[str, tuple[str, Any]] = {"roc-surface": ("ROC surface", rw.roc_surface)}
    questions |= {"cut-points": ("Cut points", rw.ordinal_thresholds)}
    parts = [
        section("areas", title="Volumes", text=_sentences(areas), pictures=[compose(areas)]),
        *compared,
    ]
    for place, (title, question) in questions.items():
        answers = {
            name: unless_refused(
                lambda values=values, question=question: question(  # type: ignore[misc]
                    y_true, values, **options
                ),
                title,
                name,
                omitted,
            )
            for name, values in models.items()
        }
        known = {name: answer for name, answer in answers.items() if answer is not None}
        if known:
            drawn = [compose(answer, title=name) for name, answer in known.items()]
            parts.append(section(place, title=title, text=_sentences(known), pictures=drawn))
    return verdict, parts


def _regression(
    y_true: Any,
    models: dict[str, Any],
    options: dict[str, Any],
    settings: Settings,
    omitted: list[Omitted],
) -> tuple[str, list[dict[str, Any]]]:
    curves = {name: rw.rec(y_true, values, **options) for name, values in models.items()}
    verdict, compared = _compared(rw.compare_rec, y_true, models, options, settings, curves)
    bands = {
        name: unless_refused(
            lambda curve=curve: rw.rec_band(curve, level=settings.level),  # type: ignore[misc]
            "band",
            name,
            omitted,
        )
        for name, curve in curves.items()
    }
    known = {name: band for name, band in bands.items() if band is not None}
    shifts = {name: rw.rroc(y_true, values, **options) for name, values in models.items()}
    return verdict, [
        section("rec", title="REC curves", text=_sentences(curves), pictures=[compose(curves)]),
        section("rec-band", title="REC curves with bands", pictures=[compose(known)]),
        *compared,
        section("rroc", title="RROC curves", text=_sentences(shifts), pictures=[compose(shifts)]),
    ]


def _compared(
    question: Any,
    y_true: Any,
    models: dict[str, Any],
    options: dict[str, Any],
    settings: Settings,
    answers: Mapping[str, Any],
) -> tuple[str, list[dict[str, Any]]]:
    """The verdict, and a section on the differences where there are several models."""
    if len(models) < 2:
        return f"{next(iter(answers.values()))!r}.", []
    answer = question(y_true, models, level=settings.level, rng=settings.seed, **options)
    tables = [] if answer.pairwise is None else [table(answer.pairwise)]
    part = section(
        "comparison",
        title="Comparison",
        text=f"{answer!r}.",
        pictures=[compose(answer)],
        tables=tables,
    )
    return f"{answer!r}.", [part]


def _sentences(answers: Mapping[str, Any]) -> str:
    return " ".join(f"{name}: {answer!r}." for name, answer in answers.items())


def _methods(n_rows: int, settings: Settings) -> str:
    return (
        f"The analysis of {n_rows:,} rows was done with rocwise {rw.__version__}; intervals have "
        f"the level {settings.level:g}, resampling the seed {settings.seed}."
    )
