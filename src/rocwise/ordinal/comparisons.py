"""Which of several scores ranks the ordered classes better? All on the same rows."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Literal, Unpack, get_args

import numpy as np

from rocwise import checks
from rocwise.arrays import Floats
from rocwise.data.rankings import Ranking
from rocwise.errors import InputError
from rocwise.inference.comparison import Comparison, Estimates, compared, described_by
from rocwise.inference.effective_sizes import WILSON
from rocwise.inference.significance import Alternative, checked_margin
from rocwise.inputs.coercion import ClusteredRankingOptions, as_rankings, options_shown
from rocwise.ordinal.measures import Measure, MeasureKind, Ties, measure_kind, resampled
from rocwise.ordinal.variances import subset_covariance
from rocwise.progress import Report

CompareMethod = Literal["auto", "delong", "wilson", "plug-in", "unbiased", "bootstrap"]
METHODS: dict[str, str] = {
    "delong": "paired DeLong",
    "wilson": f"paired {WILSON}",
    "plug-in": "paired plug-in variance",
    "unbiased": "paired unbiased variance",
    "bootstrap": "paired bootstrap",
}


@options_shown(ClusteredRankingOptions)
def compare(
    y_true: Any,
    scores: Any = None,
    *,
    measure: Measure = "volume",
    ties: Ties = "credit",
    method: CompareMethod = "auto",
    level: float = 0.95,
    alternative: Alternative = "two-sided",
    margin: float | None = None,
    n_resamples: int = 2000,
    rng: Any = None,
    progress: bool | Report | None = None,
    **given: Unpack[ClusteredRankingOptions],
) -> Comparison:
    """Compare several scores of ordered classes on the same rows.

    Parameters
    ----------
    y_true : array-like
        As in `ordinal.auc`.
    scores : dict of name to array-like, or data frame
        One entry per model or marker.
    measure, ties
        What is compared, as in `ordinal.auc`.
    method : {"auto", "delong", "wilson", "plug-in", "unbiased", "bootstrap"}
        How the difference is judged: "auto" as in `compare`, "delong" where the rows of the
        smallest class times 1 - measure (or measure) are 7 or more, else "wilson"; "plug-in" and
        "unbiased" compare volumes, in time and memory that grow with the square of the rows.
    level, alternative, margin
        Level of the two-sided interval; "two-sided", "greater", "less", or with `margin`
        "non-inferior" and "equivalent", all for first minus second.
    n_resamples, rng, progress
        Of the bootstrap, which draws rows within their class.

    Returns
    -------
    Comparison
        With `estimates`, `difference`, `standard_error`, `interval`, `statistic`, `p_value`;
        for more than two scores the joint test and `pairwise`.

    Examples
    --------
    >>> import rocwise as rw
    >>> y = [1, 1, 2, 2, 2, 3, 3, 3, 3, 1]
    >>> a, b = [1, 3, 2, 5, 4, 6, 2.5, 7, 8, 5.5], [2, 1, 3, 4, 6, 5, 7, 8, 9, 0]
    >>> round(rw.ordinal.compare(y, {"a": a, "b": b}).p_value, 3)
    0.23
    """
    rankings = as_rankings(y_true, scores, **given)
    wanted = measure_kind(measure, ties)
    level = checks.level(level)
    n_resamples = checks.draws(n_resamples, rng, progress, at_least=2, cells=len(rankings))
    margin = checked_margin(alternative, margin, len(rankings))
    checks.one_of(method, "method", get_args(CompareMethod))
    if method in ("plug-in", "unbiased") and measure != "volume":
        raise InputError(
            f"method={method!r} compares volumes; for measure={measure!r} use method='delong'."
        )
    seed = checks.seed(rng) if method == "bootstrap" else None
    samples = list(rankings.values())
    estimates = {name: wanted.value(each) for name, each in rankings.items()}
    samples[0].check_two_rows("a comparison")
    other = _other_covariance(samples, wanted, method, n_resamples, seed, progress)
    clustered = samples[0].clusters is not None
    return compared(
        Estimates.on_same_rows(estimates, wanted.covariance(samples), other),
        method=method,
        described=described_by(METHODS, clustered=clustered),
        clustered=clustered,
        quantity=wanted.name,
        level=level,
        alternative=alternative,
        margin=margin,
        seed=seed,
        origin=replace(samples[0].origin, direction="higher"),  # its remark is about two classes
    )


def _other_covariance(
    samples: list[Ranking],
    wanted: MeasureKind,
    method: str,
    n_resamples: int,
    seed: int | None,
    progress: bool | Report | None,
) -> Floats | None:
    """The covariance matrix by another method than DeLong's."""
    if method == "bootstrap":
        assert seed is not None
        draws = resampled(samples, wanted, n_resamples=n_resamples, seed=seed, progress=progress)
        return np.cov(draws, rowvar=False)
    if method in ("plug-in", "unbiased"):
        return subset_covariance(samples, wanted.ties, method)
    return None
