"""The parts of the page for reader studies."""

import math
from collections.abc import Mapping
from typing import Any

import rocwise as rw
from rocwise.plotting import compose
from rocwise.references import keys_of_result, texts_of
from rocwise.reporting.other_tasks import summary
from rocwise.reporting.payload import Settings, differences, section, table

SIZES = ("n_readers", "n_pos", "n_neg")


def is_comparison(data: Any) -> bool:
    """Whether this is the result of `readers.compare` or `froc`."""
    return type(data).__name__ == "ReaderComparison"


def study_of(data: Any, scores: Any, options: Mapping[str, Any], settings: Settings) -> Any:
    """The comparison given, or that of readings in a frame, a file or arrays."""
    given = {name: value for name, value in options.items() if value is not None}
    if settings.method != "auto":
        raise rw.InputError("`method` selects intervals of areas; task 'readers' has its own.")
    if is_comparison(data):
        for name in [*(["scores"] if scores is not None else []), *given]:
            raise rw.InputError(f"`{name}` has no meaning with the result of a comparison.")
        return data
    if scores is not None:
        given["score" if "label" in given else "y_score"] = scores
    return rw.readers.compare(data, **given, level=settings.level)


def reader_payload(study: Any, difference: float | None) -> dict[str, Any]:
    """The members of the payload that depend on the study."""
    compared = None
    if study.difference is not None or study.pairwise is not None:
        compared = differences(study)
        if study.p_value is None:  # no joint test
            compared["joint"] = None
        if study.alternative != "two-sided":  # the page shows which is better
            compared["rows"][0]["p"] = study.two_sided_p_value
    estimates = {
        name: (value, study.intervals.get(name)) for name, value in study.estimates.items()
    }
    lost = study.origin.n_dropped
    return {
        "summary": summary(study.quantity, estimates, compared, n=study.n_readings),
        "settings": {"level": study.level, "seed": study.seed},
        "state": {"theme": "auto"},
        "sections": _sections(study, difference),
        "notes": [{"code": "dropped", "n": lost}] if lost else [],
        "omitted": [],
        "methods": {"references": texts_of(keys_of_result(study))},
    }


def _sections(study: Any, difference: float | None) -> list[dict[str, Any]]:
    """Curves of the readers with the design in words, their differences, and components."""
    text = f"{study._sentence()}. Design: {study.design}."
    shared = study.differences is not None and study.difference is not None
    drawn = [compose(study)] + ([compose(study, view="readers")] if shared else [])
    drawn += [compose(study, view="slopes")] if shared and study.ai is None else []
    columns = dict(study.by_reader)
    if not any(columns["modality"]):
        del columns["modality"]
    tables = [table(columns)]
    if study.differences is not None:
        columns, title = dict(study.differences), ""
        if study.difference is not None:  # the same pair in every row
            title = " − ".join(columns.pop(name)[0] for name in ("first", "second"))
        tables.append(table(columns, title))
    components = {k: v for k, v in study.components.items() if isinstance(v, float)}
    parts = {"component": list(components), "value": list(components.values())}
    of_variance = [table(parts)] if components else []
    if difference is not None:
        sizes: dict[str, Any] = {name: getattr(study, name) for name in SIZES}
        plan = rw.readers.plan(study, difference=difference, **sizes)
        title = f"Cases to detect a difference of {plan.difference:g} with power {plan.power:g}"
        rows = {
            name: ["∞" if value == math.inf else value for value in column]
            for name, column in dict(plan.table()).items()
        }
        of_variance.append(table(rows, title))
    return [
        section("reader-curves", plots=drawn, text=text),
        section("readers", tables=tables),
        *([section("components", tables=of_variance)] if of_variance else []),
    ]
