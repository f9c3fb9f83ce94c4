"""Readings and marks of readers from long frames, files and arrays."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from rocwise import checks
from rocwise.arrays import Array, Codes, Counts, Flags, Floats, Places
from rocwise.data.readings import Marks, Readings
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
NEEDED = ROLES[:4]
OF_MARKS = ("case", "score", "lesion", "weights", "reader", "modality")


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
    given = {role: value for role, value in given.items() if value is not None}
    if isinstance(data, (str, Path)) and str(data).lower().endswith(".imrmc"):
        columns, names = _imrmc_columns(Path(data), given)
    else:
        columns, names = _columns(function, data, y_score, given)
    same_length(columns)
    columns, n_dropped = without_missing(columns, missing)
    found = {role: columns[name] for role, name in names.items()}
    mask = positive_mask(found["label"], pos_label, names["label"], found["score"])
    frame = next((column.frame for column in columns.values() if column.frame), None)
    origin = Origin(frame=frame, direction=direction, n_dropped=n_dropped)
    scores = score_column(found["score"], names["score"], direction=direction, origin=origin)
    oriented = scores.oriented.astype(np.float64)
    if scores.meanings is not None:  # integers beyond the mantissa of floats
        sign = 1.0 if direction == "higher" else -1.0
        meant = float_scores(scores.meanings, names["score"])
        oriented = sign * meant[np.abs(oriented).astype(np.intp)]
    cases, case = _names(found["case"])
    readers, reader = _names(found["reader"])
    modalities, modality = [""], np.zeros(len(case), np.intp)
    if "modality" in found:
        modalities, modality = _names(found["modality"])
    truth = _truth_of_cases(mask, case, cases, found["case"])
    cell, places = _cells(modality, reader, len(readers))
    read = np.zeros((len(places), len(cases)), np.bool_)
    read[cell, case] = True
    if np.count_nonzero(read) < len(case):
        _raise_twice(cell, case, cases, found["case"], readers, modalities, places)
    values = np.zeros(read.shape)
    values[cell, case] = oriented
    clusters = None
    if "groups" in found:
        clusters = _clusters_of_cases(_names(found["groups"])[1], case, cases, found["case"])
    return Readings(
        truth=truth == 1,
        cases=np.array(cases, dtype=object),
        modalities=tuple(modalities),
        readers=tuple(readers),
        places=places,
        scores=values,
        read=read,
        clusters=clusters,
        origin=Origin(
            frame=frame,
            direction=direction,
            n_dropped=n_dropped,
            categories=scores.origin.categories,
            n_clusters=None if clusters is None else int(clusters.max()) + 1,
        ),
    )


def _columns(
    function: str, data: Any, y_score: Any, given: Mapping[str, Any]
) -> tuple[dict[str, Vector], dict[str, str]]:
    """The columns by name, and the name of each role."""
    roles = dict(given)
    if y_score is None:
        lacking = [role for role in NEEDED if role not in roles]
        if data is None or lacking:
            raise InputError(
                f"`{function}` needs a frame or path with label=, score=, case= and reader=, the "
                "names of columns; or y_true and y_score with case= and reader=; or the path of "
                f"an .imrmc file{f' (missing: {listed(lacking)})' if data is not None else ''}."
            )
        checks.column_names(**roles)
        return frame_vectors(data, list(roles.values())), {r: roles[r] for r in ROLES if r in roles}
    if data is None:
        raise InputError(f"`{function}` needs `y_true` with `y_score`; it was given None.")
    for role in ("label", "score"):
        if role in roles:
            raise InputError(f"`{role}` names a column of a frame or file; with y_score leave it.")
    for role in ("case", "reader"):
        if role not in roles:
            raise InputError(f"`{function}` needs `{role}`, the {role} of each row.")
    arrays = {"y_true": data, "y_score": y_score, **roles}
    names = {"label": "y_true", "score": "y_score"} | {role: role for role in roles}
    return vectors_of(arrays), names


def _imrmc_columns(
    path: Path, given: Mapping[str, Any]
) -> tuple[dict[str, Vector], dict[str, str]]:
    """The columns of a file of iMRMC: lines of reader, case, modality and score."""
    if set(given) - {"groups"}:
        raise InputError(f"an .imrmc file names its own columns; leave out {listed(given)}.")
    if "groups" in given:
        raise InputError("an .imrmc file has no `groups`; pass a frame with that column.")
    try:
        lines = path.read_text(encoding="utf-8-sig").splitlines()
    except OSError as problem:
        raise InputError(f"`data` cannot be read: {problem}.") from None
    start = next((k for k, line in enumerate(lines) if "BEGIN DATA" in line.upper()), None)
    if start is None:
        raise InputError(f"{path.name} has no line 'BEGIN DATA:'.")
    truths: dict[str, float] = {}
    rows: list[tuple[str, str, str, float]] = []
    for number, line in enumerate(lines[start + 1 :], start=start + 2):
        if not line.strip():
            continue
        fields = [field.strip() for field in line.split(",")]
        try:
            reader, case, modality, value = *fields[:3], float(fields[3])
        except (ValueError, IndexError):
            raise InputError(
                f"line {number} of {path.name} must be reader, case, modality, score; got "
                f"{shown(line.strip())}."
            ) from None
        if reader in ("-1", "truth") or modality == "truth":
            truths[case] = value
        else:
            rows.append((reader, case, modality, value))
    unknown = [case for _, case, _, _ in rows if case not in truths]
    if unknown or not rows:
        what = f"no truth for case {unknown[0]!r}" if unknown else "no readings"
        raise InputError(f"{path.name} has {what}.")
    readers, cases, modalities, scores = zip(*rows, strict=True)
    labels = [truths[case] for case in cases]
    named = {"label": labels, "score": scores, "case": cases, "reader": readers}
    columns = vectors_of(named | {"modality": modalities})
    return columns, {role: role for role in columns}


def _names(column: Vector) -> tuple[list[str], Places]:
    """Distinct values as text in the order of their first rows, and the place of each row's."""
    values, codes = column.distinct()
    _, first = np.unique(codes, return_index=True)
    order = np.argsort(first)
    place = np.empty(len(order), np.intp)
    place[order] = np.arange(len(order))
    return [label_text(values[k]) for k in order], place[codes]


def _cells(modality: Places, reader: Places, n_readers: int) -> tuple[Places, Places]:
    """The cell of each row, and modality and reader of each cell."""
    found, cell = np.unique(modality * n_readers + reader, return_inverse=True)
    return cell, np.stack(np.divmod(found, n_readers), axis=1)


def _truth_of_cases(mask: Codes, case: Places, cases: list[str], column: Vector) -> Codes:
    """Whether each case is positive; an error for one with two truths."""
    truth = np.zeros(len(cases), np.uint8)
    truth[case] = mask
    wrong = np.flatnonzero(truth[case] != mask)
    if len(wrong):
        own = case == case[wrong[0]]
        rows = [column.row(int(np.flatnonzero(own & (mask == label))[0])) for label in (1, 0)]
        raise InputError(
            f"case {cases[case[wrong[0]]]!r} is positive in row {rows[0]} and negative in row "
            f"{rows[1]}; a case has one truth."
        )
    return truth


def _raise_twice(
    cell: Places,
    case: Places,
    cases: list[str],
    column: Vector,
    readers: list[str],
    modalities: Any,
    places: Places,
) -> None:
    """The error for two readings of a case by the same reader in the same modality."""
    key = cell * len(cases) + case
    _, first, counts = np.unique(key, return_index=True, return_counts=True)
    k = int(first[counts > 1].min())
    rows = [column.row(int(row)) for row in np.flatnonzero(key == key[k])[:2]]
    modality, reader = places[cell[k]]
    where = f" in modality {modalities[modality]!r}" if modalities[modality] else ""
    raise InputError(
        f"reader {readers[reader]!r} read case {cases[case[k]]!r} twice{where} (rows {rows[0]} "
        f"and {rows[1]}); average repeated readings first, or name the modality= column."
    )


def _clusters_of_cases(codes: Places, case: Places, cases: list[str], column: Vector) -> Array:
    """The cluster of each case; an error for a case in two."""
    clusters = np.zeros(len(cases), np.intp)
    clusters[case] = codes
    wrong = np.flatnonzero(clusters[case] != codes)
    if len(wrong):
        raise InputError(
            f"`groups` has two groups for case {cases[case[wrong[0]]]!r} (row "
            f"{column.row(int(wrong[0]))} differs from a later one); a case is in one."
        )
    return clusters


def as_marks(marks: Any, cases: Any, given: Mapping[str, Any], *, direction: str) -> Marks:
    """Marks and cases from two frames or files; `given` has columns by their roles."""
    checks.one_of(direction, "direction", DIRECTIONS)
    checks.column_names(**given)
    for role in ("case", "score", "lesion", "lesions"):
        if given[role] is None:
            raise InputError(f"`{role}` must be the name of a column; got None.")
    names = {role: given[role] for role in OF_MARKS if given.get(role) is not None}
    found = _table_vectors(marks, "marks", list(names.values()))
    own = {role: found[name] for role, name in names.items()}
    lesion = own.pop("lesion")
    without_missing({names[role]: column for role, column in own.items()}, "raise")
    frame = next((column.frame for column in found.values() if column.frame), None)
    clusters, lesions, rows = _cases_with_lesions(cases, given)
    number = {name: k for k, name in enumerate(rows)}
    of_marks, code = _names(own["case"])
    unknown = next((name for name in of_marks if name not in number), None)
    if unknown is not None:
        raise InputError(f"`marks` has case {unknown!r}, which `cases` lacks.")
    case = np.array([number[name] for name in of_marks], np.intp)[code]
    readers, reader = _names(own["reader"]) if "reader" in own else (["reader"], 0 * case)
    modalities, modality = _names(own["modality"]) if "modality" in own else ([""], 0 * case)
    cell, places = _cells(modality, reader, len(readers))
    origin = Origin(frame=frame, direction=direction)
    scores = score_column(own["score"], names["score"], direction=direction, origin=origin)
    oriented = scores.oriented.astype(np.float64)
    if not np.isfinite(oriented).all():
        row = own["score"].row(int(np.argmin(np.isfinite(oriented))))
        raise InputError(f"`score` has an infinite value at row {row}; scores of marks are finite.")
    hit, target, n_targets = _lesions_of_marks(lesion, case, lesions, rows)
    weights = _weights_of_marks(own.get("weights"), case, hit, target, lesions, rows)
    order = np.lexsort((-oriented, target, cell))  # the highest mark on each lesion comes first
    key = cell[order] * n_targets + target[order]
    kept = np.sort(order[~hit[order] | np.append(True, np.diff(key) != 0)])
    return Marks(
        lesions=lesions,
        cases=np.array(rows, dtype=object),
        modalities=tuple(modalities),
        readers=tuple(readers),
        places=places,
        cell=cell[kept],
        case=case[kept],
        scores=oriented[kept],
        hit=hit[kept],
        weights=weights[kept],
        clusters=clusters,
        origin=Origin(
            frame=frame,
            direction=direction,
            categories=scores.origin.categories,
            n_clusters=None if clusters is None else int(clusters.max()) + 1,
        ),
    )


def _table_vectors(data: Any, argument: str, names: list[str]) -> dict[str, Vector]:
    """Columns of a frame, a file or a dict of arrays."""
    try:
        if not isinstance(data, Mapping):
            return frame_vectors(data, names)
        from rocwise.engines.frames import check_columns

        check_columns(names, list(data))
    except InputError as problem:
        reason = str(problem).removeprefix("`frame_or_path` ")
        raise InputError(f"`{argument}`: {reason}") from None
    found = vectors_of({name: data[name] for name in names})
    same_length(found)
    return found


def _cases_with_lesions(
    cases: Any, given: Mapping[str, Any]
) -> tuple[Places | None, Counts, list[str]]:
    """Cluster, number of lesions, and name of each case."""
    roles = ("case", "lesions", "groups")
    names = {role: given[role] for role in roles if given.get(role) is not None}
    found = _table_vectors(cases, "cases", list(names.values()))
    without_missing(found, "raise")
    column, counts = found[names["case"]], found[names["lesions"]]
    rows, code = _names(column)
    if len(rows) < len(code):
        twice = rows[int(np.argmax(np.bincount(code) > 1))]
        raise InputError(f"`cases` has case {twice!r} twice; each case has one row.")
    numbers = counts.values if counts.values.dtype.kind in "biuf" else np.full(len(code), -1)
    wrong = np.flatnonzero((numbers < 0) | (numbers != np.floor(numbers)))
    if len(wrong):
        k = int(wrong[0])
        raise InputError(
            f"`lesions` must be the number of lesions of each case, 0 or more; got "
            f"{shown(counts.values[k])} at row {counts.row(k)}."
        )
    clusters = _names(found[names["groups"]])[1] if "groups" in names else None
    return clusters, numbers.astype(np.int64), rows


def _lesions_of_marks(
    column: Vector, case: Places, lesions: Counts, cases: list[str]
) -> tuple[Flags, Places, int]:
    """Whether each mark is on a lesion, the number of that lesion, and how many numbers exist."""
    values, code = column.distinct()
    none = np.array([label_text(value) in ("", "0", "nan", "None", "False") for value in values])
    hit = ~none[code]
    if column.missing is not None:
        hit &= ~column.missing
    _, target = np.unique(np.where(hit, case * len(values) + code, -1), return_inverse=True)
    first = np.unique(target[hit], return_index=True)[1]
    marked = np.bincount(case[hit][first], minlength=len(lesions))
    wrong = np.flatnonzero(marked > lesions)
    if len(wrong):
        k = int(wrong[0])
        raise InputError(
            f"case {cases[k]!r} has {lesions[k]} lesions in `cases`, but marks on {marked[k]} "
            "different ones in `marks`."
        )
    return hit, target, int(target.max()) + 1


def _weights_of_marks(
    column: Vector | None,
    case: Places,
    hit: Flags,
    target: Places,
    lesions: Counts,
    cases: list[str],
) -> Floats:
    """The weight of each mark's lesion in its case: equal ones, or those of a column."""
    if column is None:
        return np.where(hit, 1 / np.maximum(lesions[case], 1), 0.0)
    given = np.where(hit, checked_weights(column, "weights"), 0.0)
    own = np.zeros(int(target.max()) + 1)
    own[target[hit]] = given[hit]
    first = np.flatnonzero(hit)[np.unique(target[hit], return_index=True)[1]]
    total = np.bincount(case[first], own[target[first]], len(lesions))
    complete = np.bincount(case[first], minlength=len(lesions)) == lesions
    wrong = (total > 1 + 1e-9) | (complete & (lesions > 0) & (total < 1 - 1e-9))
    if wrong.any() or (own[target] != given)[hit].any():
        k = int(wrong.argmax()) if wrong.any() else int(case[hit & (own[target] != given)][0])
        raise InputError(
            "`weights` must be one weight for each lesion, that of all lesions of a case 1; those "
            f"of case {cases[k]!r} are not."
        )
    return given
