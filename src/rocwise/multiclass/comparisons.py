"""Which of several models tells the classes apart better? All on the same rows."""

from __future__ import annotations

from typing import Any, Literal, Unpack, get_args

import numpy as np

from rocwise import checks
from rocwise.inference.comparison import Comparison, Estimates, compared, described_by
from rocwise.inference.effective_sizes import WILSON
from rocwise.inference.significance import Alternative, checked_margin
from rocwise.inputs.coercion import ClusteredClassOptions, options_shown
from rocwise.inputs.several_classes import model_rows
from rocwise.multiclass.class_areas import (
    AVERAGES,
    Average,
    ClassAreas,
    area_covariance,
    average_weights,
    resampled,
    weighted_sum,
)
from rocwise.progress import Report

CompareMethod = Literal["auto", "delong", "wilson", "bootstrap"]
METHODS: dict[str, str] = {
    "delong": "paired DeLong",
    "wilson": f"paired {WILSON}",
    "bootstrap": "paired bootstrap",
}


@options_shown(ClusteredClassOptions)
def compare(
    y_true: Any,
    scores: Any,
    *,
    average: Average = "hand-till",
    method: CompareMethod = "auto",
    level: float = 0.95,
    alternative: Alternative = "two-sided",
    margin: float | None = None,
    ignore_absent: bool = False,
    n_resamples: int = 2000,
    rng: Any = None,
    progress: bool | Report | None = None,
    **given: Unpack[ClusteredClassOptions],
) -> Comparison:
    """Compare models of several classes on the same rows.

    Parameters
    ----------
    y_true : array-like (n,)
        The true class of each row: the column numbers 0..m-1 of the scores, the names of their
        columns if these are frames, or labels of any kind with `classes`.
    scores : dict of name to array-like (n, m)
        One table of scores per model, all with the same classes in the same order.
    average : {"hand-till", "ovr", "ovr-weighted", "ovo-weighted"}
        What is compared, as in `multiclass.auc`.
    method : {"auto", "delong", "wilson", "bootstrap"}
        How the difference is judged: "auto" as in `compare`, "delong" where the rows of the
        smallest class times 1 - area (or area) are 7 or more, else "wilson".
    level, alternative, margin
        Level of the two-sided interval; "two-sided", "greater", "less", or with `margin`
        "non-inferior" and "equivalent", all for first minus second.
    ignore_absent, n_resamples, rng, progress
        As in `multiclass.auc`.

    Returns
    -------
    Comparison
        With `estimates`, `difference`, `standard_error`, `interval`, `statistic`, `p_value`;
        for more than two models the joint test and `pairwise`.

    Examples
    --------
    >>> import numpy as np, rocwise as rw
    >>> y = [0, 0, 1, 1, 2, 2]
    >>> a = np.array([[6, 2, 2], [4, 5, 1], [3, 5, 2], [2, 6, 2], [2, 3, 5], [3, 3, 4]])
    >>> b = np.array([[5, 3, 2], [4, 3, 3], [4, 3, 3], [2, 4, 4], [3, 3, 4], [4, 2, 4]])
    >>> round(rw.multiclass.compare(y, {"a": a, "b": b}).difference, 3)
    0.125
    """
    models = model_rows(y_true, scores, **given)
    checks.one_of(average, "average", get_args(Average))
    checks.one_of(method, "method", get_args(CompareMethod))
    level = checks.level(level)
    n_resamples = checks.draws(n_resamples, rng, progress, at_least=2, cells=len(models))
    ignore_absent = checks.flag(ignore_absent, "ignore_absent")
    margin = checked_margin(alternative, margin, len(models))
    seed = checks.seed(rng) if method == "bootstrap" else None
    areas = {n: ClassAreas(rows, ignore_absent=ignore_absent) for n, rows in models.items()}
    samples = list(areas.values())
    samples[0].check_two_rows("a comparison")
    weights = average_weights(average, samples[0].sizes)
    estimates = {name: weighted_sum(each.directed(), weights) for name, each in areas.items()}
    drawn = None
    if seed is not None:
        draws = resampled(samples, average, n_resamples=n_resamples, seed=seed, progress=progress)
        drawn = np.cov(draws, rowvar=False)
    clustered = samples[0].clusters is not None
    return compared(
        Estimates.on_same_rows(estimates, area_covariance(samples, average), drawn),
        method=method,
        described=described_by(METHODS, clustered=clustered),
        clustered=clustered,
        quantity=AVERAGES[average],
        level=level,
        alternative=alternative,
        margin=margin,
        seed=seed,
        origin=next(iter(models.values())).origin,
    )
