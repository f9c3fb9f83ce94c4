"""`tally`, `tally_frame`, `pair` and `pair_frame`: from the user's data to the two primitives."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from rocwise import checks
from rocwise.arrays import Places
from rocwise.engines import columns_of
from rocwise.errors import InputError, listed
from rocwise.inputs.labels import positive_mask
from rocwise.inputs.rows import checked_weights, same_length, without_missing
from rocwise.inputs.scores import score_column
from rocwise.inputs.vectors import Vector, as_vector, from_narwhals, host_array, series_by_name
from rocwise.primitives.pairs import Pairs
from rocwise.primitives.tallies import Tally, binned
from rocwise.results import Origin

DIRECTIONS = ("higher", "lower")


def tally(
    y_true: Any,
    y_score: Any,
    *,
    pos_label: Any = None,
    sample_weight: Any = None,
    direction: str = "higher",
    missing: str = "raise",
    resolution: int | None = None,
) -> Tally:
    """Count positives and negatives at every distinct score: the start of every analysis.

    Parameters
    ----------
    y_true : array-like
        Labels: 0/1, -1/1 or booleans; any other pair together with `pos_label`.
    y_score : array-like
        Scores: integers, floats or an ordered categorical. Infinities rank like other values.
    pos_label : optional
        The label of the positive class.
    sample_weight : array-like, optional
        Weight of each row.
    direction : {"higher", "lower"}
        Which scores mean positive. Never guessed.
    missing : {"raise", "drop"}
        What to do with rows whose label, score or weight is missing; "drop" counts them.
    resolution : int, optional
        Keep at most this many bins of about equal size; `error_bound` says what the AUC may lose.

    Returns
    -------
    Tally

    Examples
    --------
    >>> import rocwise as rw
    >>> rw.tally([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    Tally: 2 positives, 2 negatives
    """
    columns = {"y_true": as_vector(y_true, "y_true"), "y_score": as_vector(y_score, "y_score")}
    if sample_weight is not None:
        columns["sample_weight"] = as_vector(sample_weight, "sample_weight")
    return _tally_of(
        columns,
        names=("y_true", "y_score", "sample_weight"),
        pos_label=pos_label,
        direction=direction,
        missing=missing,
        resolution=resolution,
    )


def tally_frame(
    frame_or_path: Any,
    *,
    label: str,
    score: str,
    pos_label: Any = None,
    sample_weight: str | None = None,
    direction: str = "higher",
    missing: str = "raise",
    resolution: int | None = None,
) -> Tally:
    """A tally from two columns of a data frame, or of a `.csv`, `.tsv` or `.parquet` file.

    Parameters
    ----------
    frame_or_path : frame, str or Path
        pandas, polars, pyarrow, or any frame narwhals knows; or a path or glob.
    label, score, sample_weight : str
        Names of the columns.
    pos_label, direction, missing, resolution
        As in `tally`.

    Returns
    -------
    Tally

    Examples
    --------
    >>> import pandas as pd, rocwise as rw
    >>> frame = pd.DataFrame({"ill": [0, 0, 1, 1], "marker": [1.0, 4.0, 3.5, 8.0]})
    >>> rw.tally_frame(frame, label="ill", score="marker")
    Tally: 2 positives, 2 negatives
    """
    wanted = [label, score] + ([sample_weight] if sample_weight is not None else [])
    return _tally_of(
        frame_vectors(frame_or_path, wanted),
        names=(label, score, sample_weight or ""),
        pos_label=pos_label,
        direction=direction,
        missing=missing,
        resolution=resolution,
    )


def pair(
    y_true: Any,
    scores: Any,
    *,
    pos_label: Any = None,
    groups: Any = None,
    sample_weight: Any = None,
    direction: str = "higher",
    missing: str = "raise",
) -> Pairs:
    """Several models' scores on the same rows, for paired comparisons.

    Parameters
    ----------
    y_true : array-like
        Labels, as in `tally`.
    scores : dict of name to array-like, or 2-D array
        One entry (or column) per model; columns of an array are named "model 1", "model 2", ...
    pos_label, sample_weight, direction, missing
        As in `tally`.
    groups : array-like, optional
        Cluster of each row, when rows are not independent.

    Returns
    -------
    Pairs

    Examples
    --------
    >>> import rocwise as rw
    >>> rw.pair([0, 0, 1, 1], {"a": [1, 2, 3, 4], "b": [2, 1, 4, 3]})
    Pairs of a, b: 2 positives, 2 negatives
    """
    return pairs_of_columns(
        y_true,
        _named_scores(scores),
        ("y_true", "scores"),
        groups=groups,
        sample_weight=sample_weight,
        pos_label=pos_label,
        direction=direction,
        missing=missing,
    )


def pair_frame(
    frame_or_path: Any,
    *,
    label: str,
    scores: Sequence[str],
    groups: str | None = None,
    pos_label: Any = None,
    sample_weight: str | None = None,
    direction: str = "higher",
    missing: str = "raise",
) -> Pairs:
    """Pairs from columns of a data frame or file; see `pair` and `tally_frame`.

    Parameters
    ----------
    frame_or_path : frame, str or Path
        As in `tally_frame`.
    label, groups, sample_weight : str
        Names of columns.
    scores : sequence of str
        Names of the score columns, one per model.
    pos_label, direction, missing
        As in `tally`.

    Returns
    -------
    Pairs

    Examples
    --------
    >>> import pandas as pd, rocwise as rw
    >>> frame = pd.DataFrame({"ill": [0, 0, 1, 1], "a": [1, 2, 3, 4], "b": [2, 1, 4, 3]})
    >>> rw.pair_frame(frame, label="ill", scores=["a", "b"])
    Pairs of a, b: 2 positives, 2 negatives
    """
    names = [scores] if isinstance(scores, str) else list(scores)
    if not names:
        raise InputError("`scores` is empty; at least one model is needed.")
    _refuse_repeated(names)
    extra = [name for name in (groups, sample_weight) if name is not None]
    return _complete_pairs(
        frame_vectors(frame_or_path, [label, *names, *extra]),
        label=label,
        models={name: name for name in names},
        groups=groups,
        weights=sample_weight,
        pos_label=pos_label,
        direction=direction,
        missing=missing,
    )


def _tally_of(
    columns: dict[str, Vector],
    *,
    names: tuple[str, str, str],
    pos_label: Any,
    direction: str,
    missing: str,
    resolution: int | None,
) -> Tally:
    checks.one_of(direction, "direction", DIRECTIONS)
    label, score, weight = names
    same_length(columns)
    columns, n_dropped = without_missing(columns, missing)
    mask = positive_mask(columns[label], pos_label, label)
    origin = Origin(frame=_frame_kind(columns), n_dropped=n_dropped)
    column = score_column(columns[score], score, direction=direction, origin=origin)
    weights = checked_weights(columns[weight], mask, weight) if weight in columns else None
    counted = Tally.from_rows(mask, column, weights)
    if resolution is None:
        return counted
    return binned(counted, checks.whole(resolution, "resolution", at_least=2))


def pairs_of_columns(
    labels: Any,
    models: Mapping[str, Any],
    arguments: tuple[str, str],
    *,
    groups: Any = None,
    sample_weight: Any = None,
    pos_label: Any = None,
    direction: str = "higher",
    missing: str = "raise",
) -> Pairs:
    """Labels beside one column per model; `arguments` says what refusals call the two."""
    label, table = arguments
    names = {name: f"{table}[{name!r}]" for name in models}
    given = {label: labels} | {names[name]: values for name, values in models.items()}
    optional = {"groups": groups, "sample_weight": sample_weight}
    given |= {name: values for name, values in optional.items() if values is not None}
    columns = {name: as_vector(values, name) for name, values in given.items()}
    return _complete_pairs(
        columns,
        label=label,
        models=names,
        groups="groups",
        weights="sample_weight",
        pos_label=pos_label,
        direction=direction,
        missing=missing,
    )


def _complete_pairs(columns: dict[str, Vector], *, missing: str, **described: Any) -> Pairs:
    """Pairs of the rows in which nothing is missing."""
    same_length(columns)
    columns, n_dropped = without_missing(columns, missing)
    return pairs_of(columns, n_dropped=n_dropped, **described)


def pairs_of(
    columns: dict[str, Vector],
    *,
    n_dropped: int,
    label: str,
    models: Mapping[str, str],
    groups: str | None,
    weights: str | None,
    pos_label: Any,
    direction: str,
) -> Pairs:
    """Pairs of complete columns, each option the name of the column that it stands for."""
    checks.one_of(direction, "direction", DIRECTIONS)
    mask = positive_mask(columns[label], pos_label, label)
    frame = _frame_kind(columns)
    scores = {
        model: score_column(
            columns[name],
            name,
            direction=direction,
            origin=Origin(frame=frame, n_dropped=n_dropped, name=model),
        )
        for model, name in models.items()
    }
    return Pairs(
        mask,
        scores,
        groups=_group_codes(columns[groups]) if groups in columns else None,
        weights=checked_weights(columns[weights], mask, weights) if weights in columns else None,
        origin=Origin(frame=frame, n_dropped=n_dropped, direction=direction),
    )


def _named_scores(scores: Any) -> dict[str, Any]:
    """Models by name from a dict, a frame, or the columns of a 2-D array."""
    if hasattr(scores, "columns") and not isinstance(scores, Mapping):
        scores = series_by_name(scores, "scores")
    if isinstance(scores, Mapping):
        _refuse_repeated([str(name) for name in scores])
        models = {str(name): values for name, values in scores.items()}
    else:
        table = host_array(scores, "scores")
        if table.ndim != 2:
            raise InputError(
                "`scores` must be a dict of name to scores, or a 2-D array with one column per "
                f"model; got an array of shape {table.shape}."
            )
        models = {f"model {j + 1}": table[:, j] for j in range(table.shape[1])}
    if not models:
        raise InputError("`scores` is empty; at least one model is needed.")
    return models


def _refuse_repeated(names: Sequence[str]) -> None:
    repeated = [name for name in dict.fromkeys(names) if list(names).count(name) > 1]
    if repeated:
        raise InputError(f"`scores` names {listed(repeated)} more than once; names must differ.")


def frame_vectors(frame_or_path: Any, wanted: Sequence[str]) -> dict[str, Vector]:
    """The wanted columns of a frame or file by name."""
    series, library = columns_of(frame_or_path, list(dict.fromkeys(wanted)))
    if library is None:
        return {name: replace(as_vector(v, name), name=name) for name, v in series.items()}
    return {name: from_narwhals(values, name, library) for name, values in series.items()}


def _frame_kind(columns: Mapping[str, Vector]) -> str | None:
    return next((column.frame for column in columns.values() if column.frame), None)


def _group_codes(groups: Vector) -> Places:
    return np.unique(groups.values, return_inverse=True)[1].astype(np.intp)
