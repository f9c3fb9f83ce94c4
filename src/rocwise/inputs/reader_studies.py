"""Readings from long frames, files and arrays: one row for each case that a reader has read."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from rocwise import checks
from rocwise.arrays import Array, Codes, Places
from rocwise.data.readings import Readings
from rocwise.data.tally import float_scores
from rocwise.errors import InputError, listed, shown
from rocwise.inputs.labels import label_text, positive_mask
from rocwise.inputs.rows import DIRECTIONS, frame_vectors, same_length, vectors_of, without_missing
from rocwise.inputs.scores import score_column
from rocwise.inputs.vectors import Vector
from rocwise.results import Origin

ROLES = ("label", "score", "case", "reader", "modality", "groups")
NEEDED = ROLES[:4]


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
