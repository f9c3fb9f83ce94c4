"""Pictures and tables of a section of the page, and what had to be left out, with the reason."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple, TypeVar

import rocwise as rw
from rocwise.plotting import compose
from rocwise.plotting.spec import PlotSpec
from rocwise.reporting.simplification import simplified
from rocwise.results import Result, json_safe

T = TypeVar("T")
MOST_ROWS = 200


class Omitted(NamedTuple):
    """A part that the data did not allow."""

    section: str
    model: str
    why: str


def unless_refused(
    ask: Callable[[], T], section: str, model: str, omitted: list[Omitted]
) -> T | None:
    """The answer; None, with a note of the reason, where the library refuses the question."""
    try:
        return ask()
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
    asked: dict[str, Callable[[rw.Tally], Any]] = {
        "smooth-roc": rw.smooth_roc,
        "confident-segment": lambda tally: rw.confident_segment(tally, level=level),
        "precision-recall": rw.precision_recall,
        "decision-curve": rw.decision_curve,
        "calibration": lambda tally: rw.calibration(tally, level=level),
    }
    found = (_overlaid(name, question, tallies, omitted) for name, question in asked.items())
    return [each for each in found if each is not None]


def _overlaid(
    name: str,
    question: Callable[[rw.Tally], Any],
    tallies: Mapping[str, rw.Tally],
    omitted: list[Omitted],
) -> dict[str, Any] | None:
    """All models in one picture, with a table where there are numbers to read."""
    answers = {}
    for model, tally in tallies.items():
        answer = unless_refused(
            lambda tally=tally: question(tally),  # type: ignore[misc]
            name,
            model,
            omitted,
        )
        if answer is not None:
            answers[model] = answer
    if not answers:
        return None
    summary = SUMMARIES.get(name)
    tables = [] if summary is None else [summary(answers)]
    places = [place for place, model in enumerate(tallies) if model in answers]
    drawn = unless_refused(
        lambda: [in_colours_of(compose(answers), places)], name, "", [] if tables else omitted
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
