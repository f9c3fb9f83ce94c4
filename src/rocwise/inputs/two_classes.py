"""`tally` and its like for frames and classes: one model's labels and scores, counted."""

from __future__ import annotations

from typing import Any

import numpy as np

from rocwise import checks
from rocwise.arrays import Array
from rocwise.data.pairs import Pairs
from rocwise.data.tally import Tally
from rocwise.errors import InputError
from rocwise.inputs.clean_rows import Direction, Missing, tally_of
from rocwise.inputs.columns.scores import score_column
from rocwise.inputs.columns.vectors import as_vector
from rocwise.inputs.paired_models import pair_frame, pairs_of_columns
from rocwise.inputs.rows import without_missing
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
    from rocwise.inputs.out_of_core import tally_anywhere

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


def _clustered(pairs: Pairs, resolution: int | None) -> Tally:
    """The tally of pairs of one model, with the clusters of its rows."""
    if resolution is not None:
        raise InputError("`resolution` does not go with `groups`, which need every row.")
    (name,) = pairs.names
    found = pairs.tally(name)
    return found.named(None) if name == SCORE else found
