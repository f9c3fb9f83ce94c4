"""`pair`, `pair_frame`: several models' scores on the same rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rocwise import checks
from rocwise.data.pairs import Pairs
from rocwise.errors import InputError, listed
from rocwise.inputs.clean_rows import (
    Direction,
    Missing,
    complete_pairs,
    frame_vectors,
    refuse_label_as_score,
)
from rocwise.inputs.columns.scores import score_names
from rocwise.inputs.columns.vectors import as_vector, host_array, series_by_name


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
    from rocwise.inputs.out_of_core import large_pairs

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
