"""`tally`, `pair` and their like for frames and classes: from data to the two primitives."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from rocwise import checks
from rocwise.arrays import Array
from rocwise.errors import InputError, listed
from rocwise.inputs.beyond_memory.pairs import large_pairs
from rocwise.inputs.beyond_memory.tallies import tally_anywhere
from rocwise.inputs.clean_rows import (
    Direction,
    Missing,
    complete_pairs,
    frame_vectors,
    refuse_label_as_score,
    tally_of,
)
from rocwise.inputs.columns.scores import score_column, score_names
from rocwise.inputs.columns.vectors import as_vector, host_array, series_by_name
from rocwise.inputs.rows import without_missing
from rocwise.primitives.pairs import Pairs
from rocwise.primitives.tallies import Tally
from rocwise.results import Origin

SCORE = "score"  # name of the one model of arrays


def tally(
    y_true: Any,
    y_score: Any,
    *,
    pos_label: Any = None,
    sample_weight: Any = None,
    groups: Any = None,
    direction: Direction = "higher",
    missing: Missing = "raise",
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
        Weight of each row. For every value weight 2 is the row twice; intervals take rows for
        what was sampled, and weights for how many cases of the population each stands for.
    groups : array-like, optional
        Cluster of each row, when rows are not independent; resampling then draws whole clusters.
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
    if groups is not None:
        return _clustered(
            pairs_of_columns(
                y_true,
                {SCORE: y_score},
                label="y_true",
                called={SCORE: "y_score"},
                groups=groups,
                sample_weight=sample_weight,
                pos_label=pos_label,
                direction=direction,
                missing=missing,
            ),
            resolution,
        )
    columns = {"y_true": as_vector(y_true, "y_true"), "y_score": as_vector(y_score, "y_score")}
    if sample_weight is not None:
        columns["sample_weight"] = as_vector(sample_weight, "sample_weight")
    return tally_of(
        columns,
        names=("y_true", "y_score", "sample_weight"),
        pos_label=pos_label,
        direction=direction,
        missing=missing,
        resolution=resolution,
    )


def tally_classes(
    negative: Any,
    positive: Any,
    *,
    direction: Direction = "higher",
    missing: Missing = "raise",
    resolution: int | None = None,
) -> Tally:
    """A tally from the scores of each class: controls and cases in two arrays.

    Parameters
    ----------
    negative, positive : array-like
        Scores of the negatives and of the positives, as in `tally`.
    direction, missing, resolution
        As in `tally`.

    Returns
    -------
    Tally

    Examples
    --------
    >>> import rocwise as rw
    >>> rw.auc(rw.tally_classes(negative=[0.1, 0.4], positive=[0.35, 0.8])).value
    0.75
    """
    parts = [
        _one_class(values, name, missing)
        for name, values in (("negative", negative), ("positive", positive))
    ]
    labels = [np.full(len(scores) + left_out, k) for k, (scores, left_out) in enumerate(parts)]
    gaps = [np.append(scores, np.full(left_out, np.nan)) for scores, left_out in parts]
    return tally(
        np.concatenate(labels),
        np.concatenate(gaps if missing == "drop" else [scores for scores, _ in parts]),
        direction=direction,
        missing=missing,
        resolution=resolution,
    )


def _one_class(values: Any, name: str, missing: Missing) -> tuple[Array, int]:
    """Scores of one class without missing ones, and how many these were; refused by its name."""
    columns, n_dropped = without_missing({name: as_vector(values, name)}, missing)
    if not len(columns[name]):
        raise InputError(f"`{name}` is empty; each class needs at least one score.")
    column = score_column(columns[name], name, direction="higher", origin=Origin())
    if column.origin.categories:
        raise InputError(f"`{name}` must hold numbers; for ordered categories use `tally`.")
    return column.oriented if column.meanings is None else column.meanings, n_dropped


def tally_frame(
    frame_or_path: Any,
    *,
    label: str,
    score: str,
    pos_label: Any = None,
    sample_weight: str | None = None,
    groups: str | None = None,
    direction: Direction = "higher",
    missing: Missing = "raise",
    resolution: int | None = None,
    memory_limit: str | int | None = None,
) -> Tally:
    """A tally from two columns of a data frame, or of a `.csv`, `.tsv` or `.parquet` file.

    Parameters
    ----------
    frame_or_path : frame, str or Path
        pandas, polars, pyarrow, or any frame narwhals knows; or a path or glob.
    label, score, sample_weight, groups : str
        Names of the columns.
    pos_label, direction, missing, resolution
        As in `tally`.
    memory_limit : str or int, default "2GB"
        Memory for rows. More rows stay where they are: equal ones are counted there or, where
        there are more than ten million distinct scores, sorted range by range. The area and its
        standard error are then still exact, and curves have 65,536 points (or `resolution`).

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
    checks.column_names(label=label, score=score, sample_weight=sample_weight, groups=groups)
    if groups is not None:
        return _clustered(
            pair_frame(
                frame_or_path,
                label=label,
                scores=[score],
                groups=groups,
                pos_label=pos_label,
                sample_weight=sample_weight,
                direction=direction,
                missing=missing,
            ),
            resolution,
        )
    return tally_anywhere(
        frame_or_path,
        label=label,
        score=score,
        sample_weight=sample_weight,
        pos_label=pos_label,
        direction=direction,
        missing=missing,
        resolution=resolution,
        memory_limit=memory_limit,
    )


def pair(
    y_true: Any,
    scores: Any,
    *,
    pos_label: Any = None,
    groups: Any = None,
    sample_weight: Any = None,
    direction: Direction = "higher",
    missing: Missing = "raise",
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
    models = _named_scores(scores)
    return pairs_of_columns(
        y_true,
        models,
        label="y_true",
        called={name: f"scores[{name!r}]" for name in models},
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
    direction: Direction = "higher",
    missing: Missing = "raise",
    memory_limit: str | int | None = None,
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
    memory_limit : str or int, default "2GB"
        Memory for rows, as in `tally_frame`. Of more rows only sums are known afterwards: enough
        for whole areas by DeLong's method, in `compare`, `auc_covariance` and `auc`.

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
    checks.column_names(label=label, groups=groups, sample_weight=sample_weight)
    names = score_names(scores)
    _refuse_repeated(names)
    refuse_label_as_score(label, names)
    described: dict[str, Any] = {
        "label": label,
        "groups": groups,
        "weights": sample_weight,
        "pos_label": pos_label,
        "direction": direction,
        "missing": missing,
    }
    large = large_pairs(frame_or_path, scores=names, memory_limit=memory_limit, **described)
    if large is not None:
        return large
    columns = frame_vectors(frame_or_path, [label, *names, groups, sample_weight])
    return complete_pairs(columns, models={name: name for name in names}, **described)


def _clustered(pairs: Pairs, resolution: int | None) -> Tally:
    """The tally of pairs of one model, with the clusters of its rows."""
    if resolution is not None:
        raise InputError("`resolution` does not go with `groups`, which need every row.")
    (name,) = pairs.names
    found = pairs.tally(name)
    return found.named(None) if name == SCORE else found


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


def pairs_of_columns(
    labels: Any,
    models: Mapping[str, Any],
    *,
    label: str,
    called: Mapping[str, str],
    groups: Any = None,
    sample_weight: Any = None,
    pos_label: Any = None,
    direction: Direction = "higher",
    missing: Missing = "raise",
) -> Pairs:
    """Labels beside one column per model; refusals call them `label` and `called[model]`."""
    given = {label: labels} | {called[name]: values for name, values in models.items()}
    optional = {"groups": groups, "sample_weight": sample_weight}
    given |= {name: values for name, values in optional.items() if values is not None}
    columns = {name: as_vector(values, name) for name, values in given.items()}
    return complete_pairs(
        columns,
        label=label,
        models=called,
        groups="groups",
        weights="sample_weight",
        pos_label=pos_label,
        direction=direction,
        missing=missing,
    )
