"""Readings and marks of readers from long frames, files and arrays."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from rocwise import checks
from rocwise.arrays import Array, Counts, Flags, Floats, Places
from rocwise.data.readings import CellMarks, Marks, Readings
from rocwise.data.tally import float_scores
from rocwise.errors import InputError, listed, shown
from rocwise.inputs.labels import label_text, positive_mask
from rocwise.inputs.rows import (
    DIRECTIONS,
    checked_weights,
    frame_vectors,
    same_length,
    vectors_of,
    without_missing,
)
from rocwise.inputs.scores import score_column
from rocwise.inputs.vectors import Vector
from rocwise.results import Origin

ROLES = ("label", "score", "case", "reader", "modality", "groups")
OF_MARKS = ("case", "score", "lesion", "weights", "reader", "modality")
OF_CASES = ("case", "lesions", "groups")
NO_LESION = ("", "0", "nan", "None", "False")
NO_ROWS = {
    "marks": "no rows; without marks, areas are 0.5 and sensitivities 0.",
    "cases": "no rows.",
}


def as_readings(
    function: str,
    data: Any,
    y_score: Any,
    given: Mapping[str, Any],
    *,
    pos_label: Any = None,
    direction: str = "higher",
    missing: str = "raise",
) -> Readings:
    """The readings of a long frame or file, or of arrays; `given` has columns by their roles."""
    checks.one_of(direction, "direction", DIRECTIONS)
    names = {role: given[role] for role in ROLES if given.get(role) is not None}
    lacking = [role for role in ROLES[2 * (y_score is not None) : 4] if role not in names]
    if isinstance(data, (str, Path)) and str(data).lower().endswith(".imrmc"):
        if names:
            raise InputError(f"an .imrmc file names its own columns; leave out {listed(names)}.")
        columns = vectors_of(_imrmc_columns(Path(data)))
        names = {role: role for role in columns}
    elif data is None or lacking:
        raise InputError(
            f"`{function}` needs a frame or path with label=, score=, case= and reader=, the "
            "names of columns; or y_true and y_score with case= and reader=; or the path of an "
            f".imrmc file (missing: {'`data`' if data is None else listed(lacking)})."
        )
    elif y_score is None:
        checks.column_names(**names)
        columns = frame_vectors(data, list(names.values()))
    elif "label" in names or "score" in names:
        raise InputError(
            "`label` and `score` name columns of a frame or file; with y_score leave them out."
        )
    else:
        arrays = {"y_true": data, "y_score": y_score, **names}
        columns = vectors_of(arrays, ["y_true"])
        names = {"label": "y_true", "score": "y_score"} | {role: role for role in names}
    columns, n_dropped = without_missing(columns, missing)
    found = {role: columns[name] for role, name in names.items()}
    mask = positive_mask(found["label"], pos_label, names["label"], found["score"])
    cases, case = _names(found["case"])
    truth = _of_cases(mask == 1, case, cases, found["case"], "truth", ["negative", "positive"])
    clusters = None
    if "groups" in found:
        groups, code = _names(found["groups"])
        words = [f"in group {name!r}" for name in groups]
        clusters = _of_cases(code, case, cases, found["case"], "group", words)
    scores, origin = _oriented(found["score"], names["score"], direction, clusters, n_dropped)
    cells, cell = _cells(found, len(case))
    read = np.zeros((len(cells["places"]), len(cases)), np.bool_)
    read[cell, case] = True
    values = np.zeros(read.shape)
    values[cell, case] = scores
    study = Readings(
        cases=np.array(cases, dtype=object),
        truth=truth,
        clusters=clusters,
        read=read,
        found=tuple(row[own] for row, own in zip(values, read, strict=True)),
        origin=origin,
        **cells,
    )
    if np.count_nonzero(read) < len(case):
        key = cell * len(cases) + case
        first, second = np.flatnonzero(key == key[np.bincount(key)[key].argmax()])[:2]
        rows = [found["case"].row(int(k)) for k in (first, second)]
        raise InputError(
            f"{study.name_of(cell[first])} read case {cases[case[first]]!r} twice (rows {rows[0]} "
            f"and {rows[1]}); average repeated readings first, or name the modality= column."
        )
    return study


def _imrmc_columns(path: Path) -> dict[str, Any]:
    """The columns of a file of iMRMC: lines of reader, case, modality and score."""
    lines = path.read_text(encoding="utf-8-sig").splitlines()
    start = next((k for k, line in enumerate(lines, 1) if "BEGIN DATA" in line.upper()), None)
    if start is None:
        raise InputError(f"{path.name} has no line 'BEGIN DATA:'.")
    truths: dict[str, float] = {}
    rows: list[tuple[str, str, str, float]] = []
    for number, line in enumerate(lines[start:], start + 1):
        if not line.strip():
            continue
        try:
            reader, case, modality, text = (field.strip() for field in line.split(",")[:4])
            rows.append((reader, case, modality, float(text)))
        except ValueError:
            raise InputError(
                f"line {number} of {path.name} must be reader, case, modality, score; got "
                f"{shown(line.strip())}."
            ) from None
        if reader in ("-1", "truth") or modality == "truth":
            truths[case] = rows.pop()[3]
    unknown = [case for _, case, _, _ in rows if case not in truths]
    if unknown or not rows:
        what = f"no truth for case {unknown[0]!r}" if unknown else "no readings"
        raise InputError(f"{path.name} has {what}.")
    readers, cases, modalities, scores = zip(*rows, strict=True)
    named = {"label": [truths[case] for case in cases], "score": scores, "case": cases}
    return named | {"reader": readers, "modality": modalities}


def _names(column: Vector) -> tuple[list[str], Places]:
    """Distinct values as text in the order of their first rows, and the place of each row's."""
    values, codes = column.distinct()
    _, first = np.unique(codes, return_index=True)
    order = np.argsort(first)
    return [label_text(values[k]) for k in order], np.argsort(order)[codes]


def _oriented(
    column: Vector, name: str, direction: str, clusters: Places | None, n_dropped: int = 0
) -> tuple[Floats, Origin]:
    """Scores in their own units, higher means positive."""
    origin = Origin(frame=column.frame, n_dropped=n_dropped)
    scores = score_column(column, name, direction=direction, origin=origin)
    oriented = scores.oriented.astype(np.float64)
    if scores.meanings is not None:  # integers beyond the mantissa of floats
        meant = float_scores(scores.meanings, name)[np.abs(oriented).astype(np.intp)]
        oriented = -meant if direction == "lower" else meant
    n_clusters = None if clusters is None else int(clusters.max()) + 1
    return oriented, replace(scores.origin, name=None, n_clusters=n_clusters)


def _cells(found: Mapping[str, Vector], n: int) -> tuple[dict[str, Any], Places]:
    """Modalities, readers, and modality and reader of each cell; and the cell of each row."""
    modalities, modality = _names(found["modality"]) if "modality" in found else ([""], np.zeros(n))
    readers, reader = _names(found["reader"]) if "reader" in found else (["reader"], np.zeros(n))
    key, cell = np.unique(modality * len(readers) + reader, return_inverse=True)
    places = np.stack(np.divmod(key.astype(np.intp), len(readers)), axis=1)
    return {"modalities": tuple(modalities), "readers": tuple(readers), "places": places}, cell


def _of_cases(
    values: Array, case: Places, cases: list[str], column: Vector, what: str, words: list[str]
) -> Array:
    """The value of each case, from those of its rows; an error for a case with two."""
    _, first = np.unique(case, return_index=True)
    found = values[first]
    wrong = np.flatnonzero(values != found[case])
    if len(wrong):
        k = int(wrong[0])
        own = int(first[case[k]])
        raise InputError(
            f"case {cases[case[k]]!r} is {words[int(values[own])]} in row {column.row(own)} and "
            f"{words[int(values[k])]} in row {column.row(k)}; a case has one {what}."
        )
    return found


def as_marks(marks: Any, cases: Any, given: Mapping[str, Any], *, direction: str) -> Marks:
    """Marks and cases from two frames or files; `given` has columns by their roles."""
    checks.one_of(direction, "direction", DIRECTIONS)
    checks.column_names(**given)
    for role in ("case", "score", "lesion", "lesions"):
        if given[role] is None:
            raise InputError(f"`{role}` must be the name of a column; got None.")
    own, of_cases = _table(marks, "marks", given, OF_MARKS), _table(cases, "cases", given, OF_CASES)
    names, rows = _names(of_cases["case"])
    if len(names) < len(rows):
        twice = names[int(np.argmax(np.bincount(rows) > 1))]
        raise InputError(f"`cases` has case {twice!r} twice; each case has one row.")
    lesions = _numbers_of_lesions(of_cases["lesions"])
    clusters = _names(of_cases["groups"])[1] if "groups" in of_cases else None
    number = {name: k for k, name in enumerate(names)}
    marked, code = _names(own["case"])
    if unknown := [name for name in marked if name not in number]:
        raise InputError(f"`marks` has case {unknown[0]!r}, which `cases` lacks.")
    case = np.array([number[name] for name in marked], np.intp)[code]
    cells, cell = _cells(own, len(case))
    scores, origin = _oriented(own["score"], given["score"], direction, clusters)
    if not np.isfinite(scores).all():
        row = own["score"].row(int(np.argmin(np.isfinite(scores))))
        raise InputError(f"`score` has an infinite value at row {row}; scores of marks are finite.")
    hit, lesion = _lesions_of_marks(own["lesion"], case, lesions, names)
    weights = _weights_of_marks(own.get("weights"), case, hit, lesion, lesions, names)
    order = np.lexsort((-scores, cell))
    key = cell * (lesion.max() + 1) + lesion
    kept = ~hit[order]
    kept[np.unique(key[order], return_index=True)[1]] = True  # the highest mark on each lesion
    order = order[kept]
    ends = np.searchsorted(cell[order], np.arange(1, len(cells["places"])))
    return Marks(
        cases=np.array(names, dtype=object),
        truth=lesions > 0,
        clusters=clusters,
        read=np.ones((len(cells["places"]), len(names)), np.bool_),
        found=tuple(
            CellMarks(case[each], scores[each], hit[each], weights[each])
            for each in np.split(order, ends)
        ),
        lesions=lesions,
        origin=origin,
        **cells,
    )


def _table(
    data: Any, argument: str, given: Mapping[str, Any], roles: tuple[str, ...]
) -> dict[str, Vector]:
    """Columns of a frame, a file or a dict of arrays, by their roles; lesions may be missing."""
    names = {role: given[role] for role in roles if given.get(role) is not None}
    wanted = list(names.values())
    try:
        if isinstance(data, Mapping):
            from rocwise.engines.frames import check_columns

            check_columns(wanted, list(data))
            found = vectors_of({name: data[name] for name in wanted})
            same_length(found)
        else:
            found = frame_vectors(data, wanted)
        without_missing(
            {name: found[name] for role, name in names.items() if role != "lesion"}, "raise"
        )
    except InputError as problem:
        reason = str(problem).removeprefix("`frame_or_path` ").partition(" Pass missing=")[0]
        if " is empty; " in reason:
            reason = NO_ROWS[argument]
        raise InputError(f"`{argument}`: {reason}") from None
    return {role: found[name] for role, name in names.items()}


def _numbers_of_lesions(column: Vector) -> Counts:
    """The number of lesions of each case."""
    values = column.values
    numbers = values if values.dtype.kind in "biuf" else np.full(len(values), -1)
    wrong = np.flatnonzero((numbers < 0) | (numbers != np.floor(numbers)))
    if len(wrong):
        k = int(wrong[0])
        raise InputError(
            f"`lesions` must be the number of lesions of each case, 0 or more; got "
            f"{shown(values[k])} at row {column.row(k)}."
        )
    return numbers.astype(np.int64)


def _lesions_of_marks(
    column: Vector, case: Places, lesions: Counts, cases: list[str]
) -> tuple[Flags, Places]:
    """Whether each mark is on a lesion, and the number of that lesion among all; 0 is none."""
    values, code = column.distinct()
    hit = ~np.array([label_text(value) in NO_LESION for value in values])[code]
    if column.missing is not None:
        hit &= ~column.missing
    key = np.where(hit, case * len(values) + code + 1, 0)
    _, lesion = np.unique(np.append(0, key), return_inverse=True)
    lesion = lesion[1:]
    first = np.unique(lesion[hit], return_index=True)[1]
    marked = np.bincount(case[hit][first], minlength=len(lesions))
    if (marked > lesions).any():
        k = int((marked > lesions).argmax())
        raise InputError(
            f"case {cases[k]!r} has {lesions[k]} lesions in `cases`, but marks on {marked[k]} "
            "different ones in `marks`."
        )
    return hit, lesion


def _weights_of_marks(
    column: Vector | None,
    case: Places,
    hit: Flags,
    lesion: Places,
    lesions: Counts,
    cases: list[str],
) -> Floats:
    """The weight of each mark's lesion in its case: equal ones, or those of a column."""
    if column is None:
        return np.where(hit, 1 / np.maximum(lesions[case], 1), 0.0)
    given = np.where(hit, checked_weights(column, "weights"), 0.0)
    _, first, same = np.unique(lesion, return_index=True, return_inverse=True)
    own = np.zeros(len(cases), np.bool_)
    own[case[given != given[first][same]]] = True  # two weights of one lesion
    total = np.bincount(case[first], given[first], len(cases))
    complete = np.bincount(case[first], hit[first], len(cases)) == lesions
    wrong = own | (total > 1 + 1e-9) | (complete & (lesions > 0) & (total < 1 - 1e-9))
    if wrong.any():
        raise InputError(
            "`weights` must be one weight for each lesion, that of all lesions of a case 1; those "
            f"of case {cases[int(wrong.argmax())]!r} are not."
        )
    return given
