"""`tally` and `pair`: labels of two classes with the scores of one model, or of several."""

from collections.abc import Mapping, Sequence, Sized
from typing import Any, TypedDict, Unpack, overload

import numpy as np

from rocwise import checks
from rocwise.arrays import Array
from rocwise.data.pairs import Pairs
from rocwise.data.smooth_steps import SmoothPlan
from rocwise.data.tally import Tally
from rocwise.errors import InputError, MemoryLimitError, ends_traceback
from rocwise.inputs.options import (
    as_text_file,
    check_no_bins,
    check_no_memory_limit,
    given_options,
    named_columns_given,
)
from rocwise.inputs.rows import (
    Direction,
    Grouping,
    Missing,
    by_arrays,
    by_columns,
    check_score_columns,
    complete_pairs,
    frame_vectors,
    grouping_of,
    pairs_of,
    tally_of,
    vectors_of,
    without_missing,
)
from rocwise.inputs.scores import score_column, score_names
from rocwise.inputs.vectors import as_vector, check_names_differ, columns_by_name, model_number
from rocwise.results import Origin


class _PairRows(TypedDict, total=False):
    pos_label: Any
    sample_weight: Any
    groups: Any
    direction: Direction
    missing: Missing


class _TallyRows(_PairRows, total=False):
    resolution: int | None


class _Files(TypedDict, total=False):
    memory_limit: str | int | None
    sep: str | None
    decimal: str | None
    encoding: str | None


class _FrameRows(_TallyRows, _Files, total=False):
    """Options of `tally` for a frame or file."""


class _FramePairs(_PairRows, _Files, total=False):
    """Options of `pair` for a frame or file."""


@overload
def tally(y_true: Any, y_score: Any, **options: Unpack[_TallyRows]) -> Tally: ...
@overload
def tally(y_true: Any, *, label: str, score: str, **options: Unpack[_FrameRows]) -> Tally: ...
@overload
def tally(y_true: Any, *, label: str, scores: str, **options: Unpack[_FrameRows]) -> Tally: ...
@overload
def tally(
    *,
    negative: Any,
    positive: Any,
    direction: Direction = ...,
    missing: Missing = ...,
    resolution: int | None = ...,
) -> Tally: ...
@ends_traceback
def tally(
    y_true: Any = None,
    y_score: Any = None,
    *,
    label: str | None = None,
    score: str | None = None,
    scores: str | None = None,
    negative: Any = None,
    positive: Any = None,
    pos_label: Any = None,
    sample_weight: Any = None,
    groups: Any = None,
    direction: Direction = "higher",
    missing: Missing = "raise",
    resolution: int | None = None,
    memory_limit: str | int | None = None,
    sep: str | None = None,
    decimal: str | None = None,
    encoding: str | None = None,
) -> Tally:
    """Count positives and negatives at each distinct score.

    The result is accepted by every function for two classes in place of `y_true` and `y_score`.
    There are three forms: ``tally(y_true, y_score)`` of arrays, ``tally(frame_or_path, label=,
    score=)`` of columns, and ``tally(negative=, positive=)`` of the scores of each class.

    Parameters
    ----------
    y_true : array-like, DataFrame or path
        Labels: 0/1, -1/1 or booleans, or any other pair with `pos_label`. Or a data frame (pandas,
        polars, pyarrow, a relation of DuckDB, or any other known to narwhals); or the path of a
        `.csv`, `.tsv` or `.parquet` file, of a folder of them, a glob, or a list of paths.
    y_score : array-like, optional
        Scores: integers, floats or an ordered categorical. Infinite scores rank like other values.
    label : str, optional
        Name of the column of labels of a data frame or file.
    score : str, optional
        Name of the column of scores.
    scores : str, optional
        The same as `score`.
    negative : array-like, optional
        Scores of the negatives.
    positive : array-like, optional
        Scores of the positives.
    pos_label : scalar, optional
        Label of the positive class; required unless it is 1 or True.
    sample_weight : array-like or str, optional
        Weight of each row, or the name of its column. For estimates, weight 2 equals the row twice;
        intervals treat rows as the sampling units, and weights as numbers of cases in the
        population.
    groups : array-like or str, optional
        Cluster of each row, or the name of its column, if rows are not independent.
    direction : {"higher", "lower"}, default "higher"
        Which scores mean positive. The direction is never inferred.
    missing : {"raise", "drop"}, default "raise"
        What to do with rows with a missing label, score or weight; "drop" reports their number.
    resolution : int, optional
        Largest number of bins, of about equal size; `error_bound` bounds the error of the AUC.
    memory_limit : str or int, default "2GB"
        Memory for rows of a data frame or file. Above it, data are aggregated by score, or sorted
        range by range with more than ten million distinct scores: the AUC and its standard error
        remain exact, and curves have 65,536 points (or `resolution`).
    sep : str, optional
        Delimiter of a text file; found by its first lines by default.
    decimal : {".", ","}, optional
        Decimal sign of a text file; found by its cells by default.
    encoding : str, optional
        Encoding of a text file; by default UTF-8, UTF-16 or Windows-1252.

    Returns
    -------
    Tally
        Counts with `scores`, `pos`, `neg`, `n_pos` and `n_neg`.

    See Also
    --------
    pair : Several models' scores on the same rows.
    auc : AUC with a confidence interval.
    roc : Empirical ROC curve.
    TallySketch : Mergeable summary of scores, with bounded memory.

    Examples
    --------
    >>> import pandas as pd, rocwise as rw
    >>> t = rw.tally([0, 0, 1, 1], [0.1, 0.4, 0.4, 0.8])
    >>> t.scores.tolist(), t.pos.tolist(), t.neg.tolist()
    ([0.8, 0.4, 0.1], [1, 1, 0], [0, 1, 1])
    >>> frame = pd.DataFrame({"ill": [0, 0, 1, 1], "marker": [1.0, 4.0, 3.5, 8.0]})
    >>> rw.tally(frame, label="ill", score="marker")
    Tally: 2 positives, 2 negatives
    >>> rw.auc(rw.tally(negative=[0.1, 0.4], positive=[0.35, 0.8])).value
    0.75
    """
    options: dict[str, Any] = {
        "direction": direction,
        "missing": missing,
        "resolution": resolution,
    }
    rows = {"pos_label": pos_label, "sample_weight": sample_weight, "groups": groups}
    columns = given_options("tally", {"label": label, "score": score, "scores": scores})
    y_true = as_text_file(y_true, {"sep": sep, "decimal": decimal, "encoding": encoding})
    if negative is not None or positive is not None:
        others = {"y_true": y_true, "y_score": y_score, **columns, **rows}
        others |= {"memory_limit": memory_limit}
        return _tally_of_classes(negative, positive, others, **options)
    if y_true is None or (y_score is None and not columns):
        raise InputError(
            "`tally` needs y_true and y_score, or a frame or path with label= and score=, or "
            "negative= and positive=."
        )
    if named_columns_given("tally", y_true, y_score, columns):
        return tally_of_frame(y_true, memory_limit=memory_limit, **columns, **rows, **options)
    check_no_memory_limit({"memory_limit": memory_limit})
    return tally_of_arrays(y_true, y_score, **rows, **options)


def tally_of_arrays(
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
    """The tally of labels and scores."""
    if groups is not None:
        check_no_bins(resolution)
    given = {"y_true": y_true, "y_score": y_score, "sample_weight": sample_weight, "groups": groups}
    return tally_of(
        vectors_of(given, required=("y_true", "y_score")),
        names=("y_true", "y_score", "sample_weight", "groups"),
        pos_label=pos_label,
        direction=direction,
        missing=missing,
        resolution=resolution,
    )


def _tally_of_classes(
    negative: Any, positive: Any, others: Mapping[str, Any], **options: Any
) -> Tally:
    """The tally of the scores of each class."""
    for name, value in others.items():
        if value is not None:
            raise InputError(f"`{name}` does not go with `negative` and `positive`.")
    if negative is None or positive is None:
        raise InputError("`tally` needs both `negative` and `positive`, the scores of each class.")
    missing = options["missing"]
    parts = [_one_class(negative, "negative", missing), _one_class(positive, "positive", missing)]
    labels = [np.full(len(scores) + dropped, k) for k, (scores, dropped) in enumerate(parts)]
    # rows that were dropped are dropped again, and counted
    scores = [np.append(s, np.full(dropped, np.nan)) if dropped else s for s, dropped in parts]
    return tally_of_arrays(np.concatenate(labels), np.concatenate(scores), **options)


def _one_class(values: Any, name: str, missing: Missing) -> tuple[Array, int]:
    """Scores of one class without missing ones, and how many these were."""
    columns, n_dropped = without_missing({name: as_vector(values, name)}, missing)
    if not len(columns[name]):
        raise InputError(f"`{name}` is empty; each class needs at least one score.")
    column = score_column(columns[name], name, direction="higher", origin=Origin())
    if column.origin.categories:
        raise InputError(f"`{name}` must contain numbers; for ordered categories pass labels.")
    return column.oriented if column.meanings is None else column.meanings, n_dropped


def tally_of_frame(
    frame: Any, smooth: SmoothPlan | None = None, *, score: Any, groups: Any = None, **options: Any
) -> Tally:
    """The tally of columns of a frame or file; of a smooth curve, with its plan."""
    if groups is None:
        from rocwise.inputs.out_of_core import tally_anywhere  # and with it the engines

        return tally_anywhere(frame, smooth, score=score, **options)
    check_no_bins(options.pop("resolution", None))
    pairs = pairs_of_frame(frame, scores=[score], groups=groups, **options)
    return pairs.tally(pairs.names[0])


@overload
def pair(
    y_true: Any,
    scores: Any,
    *,
    label: str = ...,
    **options: Unpack[_FramePairs],
) -> Pairs: ...
@overload
def pair(
    y_true: Any,
    *,
    label: str,
    score: Any,
    **options: Unpack[_FramePairs],
) -> Pairs: ...
@ends_traceback
def pair(
    y_true: Any = None,
    scores: Any = None,
    *,
    label: str | None = None,
    score: Any = None,
    pos_label: Any = None,
    groups: Any = None,
    sample_weight: Any = None,
    direction: Direction = "higher",
    missing: Missing = "raise",
    memory_limit: str | int | None = None,
    sep: str | None = None,
    decimal: str | None = None,
    encoding: str | None = None,
) -> Pairs:
    """Combine the scores of several models on the same rows, for paired comparisons.

    There are two forms: ``pair(y_true, scores)`` of arrays and ``pair(frame_or_path, label=,
    scores=)`` of columns.

    Parameters
    ----------
    y_true : array-like, DataFrame or path
        Labels, or a data frame or the path of a file, as in `tally`.
    scores : dict of str to array-like, 2-D array or list of str, optional
        Scores of each model, by its name; the columns of an array are named "model 1", "model 2",
        ... Of a data frame or file, the names of the columns.
    label : str, optional
        Name of the column of labels of a data frame or file.
    score : list of str, optional
        The same as `scores`.
    pos_label : scalar, optional
        Label of the positive class; required unless it is 1 or True.
    groups : array-like or str, optional
        Cluster of each row, or the name of its column, if rows are not independent.
    sample_weight : array-like or str, optional
        Weight of each row, or the name of its column.
    direction : {"higher", "lower"}, default "higher"
        Which scores mean positive.
    missing : {"raise", "drop"}, default "raise"
        What to do with rows with a missing value.
    memory_limit : str or int, default "2GB"
        Memory for rows of a data frame or file. Above it, data are aggregated, which suffices for
        the AUC by DeLong's method in `compare`, `auc_covariance` and `auc`.
    sep : str, optional
        Delimiter of a text file; found by its first lines by default.
    decimal : {".", ","}, optional
        Decimal sign of a text file; found by its cells by default.
    encoding : str, optional
        Encoding of a text file; by default UTF-8, UTF-16 or Windows-1252.

    Returns
    -------
    Pairs
        Scores with `names`, and the method ``tally(name)`` for those of one model.

    See Also
    --------
    tally : Counts of both classes at each distinct score.
    compare : Test and interval for the difference of AUCs.
    summary : Table of AUCs, operating points and p values of several models.

    Examples
    --------
    >>> import pandas as pd, rocwise as rw
    >>> pairs = rw.pair([0, 0, 1, 1], {"a": [1, 2, 3, 4], "b": [2, 1, 4, 3]})
    >>> rw.compare(pairs).estimates
    {'a': 1.0, 'b': 1.0}
    >>> frame = pd.DataFrame({"ill": [0, 0, 1, 1], "a": [1, 2, 3, 4], "b": [2, 1, 4, 3]})
    >>> rw.pair(frame, label="ill", scores=["a", "b"])
    Pairs of a, b: 2 positives, 2 negatives
    """
    models = given_options("pair", {"scores": scores, "score": score}, "scores").get("scores")
    if y_true is None or models is None:
        raise InputError(
            "`pair` needs y_true and a dict of scores, or a frame or path with label= and scores=."
        )
    options: dict[str, Any] = {
        "groups": groups,
        "sample_weight": sample_weight,
        "pos_label": pos_label,
        "direction": direction,
        "missing": missing,
    }
    y_true = as_text_file(y_true, {"sep": sep, "decimal": decimal, "encoding": encoding})
    if label is not None:
        return pairs_of_frame(
            y_true, label=label, scores=models, memory_limit=memory_limit, **options
        )
    check_no_memory_limit({"memory_limit": memory_limit})
    models, names = _models_by_name(models, y_true)
    return pairs_of_columns(y_true, models, label="y_true", names=names, **options)


def _models_by_name(scores: Any, y_true: Any) -> tuple[dict[str, Any], dict[str, str]]:
    """Scores of each model, and what error messages call them."""
    n_rows = len(y_true) if isinstance(y_true, Sized) else 0
    if isinstance(scores, (list, tuple)) and {len(scores)} != {n_rows} == _lengths(scores):
        raise InputError(
            "`scores` is a list with an array for each model; pass a dict of name to scores, such "
            "as {'a': ..., 'b': ...}."
        )
    must_be = "a dict of name to scores, or a 2-D array with one column per model"
    models = columns_by_name(scores, "scores", must_be, model_number)
    if not models:
        raise InputError("`scores` is empty; at least one model is needed.")
    return models, {name: f"scores[{name!r}]" for name in models}


def _lengths(scores: Sequence[Any]) -> set[int]:
    return {len(each) if isinstance(each, Sized) else 0 for each in scores}


def pairs_of_frame(
    frame: Any,
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
    """Pairs of columns of a frame or file."""
    from rocwise.inputs.out_of_core import large_pairs

    names = _checked_names(label, scores, groups=groups, sample_weight=sample_weight)
    described: dict[str, Any] = {
        "label": label,
        "groups": groups,
        "weights": sample_weight,
        "pos_label": pos_label,
        "direction": direction,
        "missing": missing,
    }
    large = large_pairs(frame, scores=names, memory_limit=memory_limit, **described)
    if large is not None:
        return large
    columns = frame_vectors(frame, [label, *names, groups, sample_weight])
    return pairs_of(columns, models={name: name for name in names}, **described)


def _checked_names(label: Any, scores: Any, **others: Any) -> list[str]:
    """The names of the columns of scores; those of all columns must be names, and differ."""
    checks.column_names(label=label, **others)
    names = score_names(scores)
    check_names_differ(names)
    check_score_columns(label, names)
    return names


def pairs_of_columns(
    labels: Any,
    models: Mapping[str, Any],
    *,
    label: str,
    names: Mapping[str, str],
    groups: Any = None,
    sample_weight: Any = None,
    **described: Any,
) -> Pairs:
    """Pairs of one column per model; errors name the arguments `label` and `names[model]`."""
    given = {label: labels} | {names[model]: values for model, values in models.items()}
    columns = vectors_of(given | {"groups": groups, "sample_weight": sample_weight})
    weights = "sample_weight"
    return pairs_of(
        columns, label=label, models=names, groups="groups", weights=weights, **described
    )


def grouped_pairs(
    data: Any,
    scores: Any,
    by: Any,
    *,
    label: str | None = None,
    groups: Any = None,
    sample_weight: Any = None,
    missing: Missing = "raise",
    memory_limit: Any = None,
    **described: Any,
) -> tuple[Pairs, Grouping]:
    """Pairs of arrays, or of columns of a frame or file, and the subgroups of their rows."""
    if label is None:
        check_no_memory_limit({"memory_limit": memory_limit})
        models, names = _models_by_name(scores, data)
        keys, given = by_arrays(by)
        given |= {"y_true": data} | {names[model]: each for model, each in models.items()}
        columns = vectors_of(given | {"groups": groups, "sample_weight": sample_weight})
        about: dict[str, Any] = {"label": "y_true", "groups": "groups"}
        about["weights"] = "sample_weight"
    else:
        keys = by_columns(by)
        checked = _checked_names(label, scores, groups=groups, sample_weight=sample_weight)
        names = {name: name for name in checked}
        wanted = [name for name in (label, *names, groups, sample_weight, *keys) if name]
        clusters = [] if groups is None else [groups]
        check_in_memory(data, wanted, memory_limit, checked, [*keys, *clusters])
        columns = frame_vectors(data, wanted)
        about = {"label": label, "groups": groups, "weights": sample_weight}
    columns, n_dropped = without_missing(columns, missing)
    pairs = complete_pairs(columns, n_dropped, models=names, **about, **described)
    return pairs, grouping_of(columns, keys)


def check_in_memory(
    source: Any,
    wanted: list[str],
    memory_limit: Any,
    scores: Sequence[str],
    keys: Sequence[str],
) -> None:
    """An error for rows in groups, of several models or in clusters, that do not fit."""
    from rocwise.engines import large_source
    from rocwise.engines.interrupts import interruptible
    from rocwise.inputs.out_of_core import check_score_types

    memory = checks.memory(memory_limit, "memory_limit")
    check_score_types(source, scores)
    with interruptible(), large_source(source, wanted, memory, keys=keys) as rows:
        if rows is not None:
            raise MemoryLimitError(
                "`by` with clusters, a comparison or rows left out for all models needs all rows "
                "in memory: raise `memory_limit`, or call the function for each model or group."
            )
