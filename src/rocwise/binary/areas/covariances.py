"""Covariance matrices of the areas of several models on the same rows (F2.1 to F2.6)."""

from __future__ import annotations

from functools import partial
from itertools import combinations
from typing import Any, Literal, Unpack, get_args

import numpy as np

from rocwise import checks, kernels
from rocwise.arrays import Floats
from rocwise.binary.areas.influences import Influences, covariance, influences
from rocwise.errors import InputError
from rocwise.inputs.coercion import PairOptions, as_pairs, options_shown
from rocwise.kernels.row_formulas import run_models
from rocwise.primitives.pairs import Pairs

PairedVariance = Literal["delong", "jackknife", "exact-bootstrap", "unbiased"]
PAIRED_VARIANCES: tuple[str, ...] = get_args(PairedVariance)


@options_shown(PairOptions)
def auc_covariance(
    data: Any = None,
    scores: Any = None,
    *,
    method: PairedVariance = "delong",
    **given: Unpack[PairOptions],
) -> Floats:
    """Covariance matrix of the areas of models scored on the same rows.

    Parameters
    ----------
    data, scores
        Pairs; or y_true and a dict of scores; or a frame or path with `label=` and `scores=`.
    method : {"delong", "jackknife", "exact-bootstrap", "unbiased"}
        As in `auc_variance`; weights and groups are taken by "delong" alone.
    **given
        More about rows, a frame or a file: see `pair`.

    Returns
    -------
    ndarray
        One row and one column per model, in the order of `pairs.names`.

    Examples
    --------
    >>> import rocwise as rw
    >>> pairs = rw.pair([0, 0, 0, 1, 1, 1], {"a": [1, 2, 3, 2, 4, 5], "b": [2, 1, 4, 3, 5, 6]})
    >>> rw.auc_covariance(pairs).shape
    (2, 2)
    """
    return areas_and_covariance(as_pairs("auc_covariance", data, scores, given), method)[1]


def areas_and_covariance(pairs: Pairs, method: str) -> tuple[Floats, Floats]:
    """Areas (k,) and their covariance matrix (k, k)."""
    checks.one_of(method, "method", PAIRED_VARIANCES)
    if method != "delong" and (pairs.weights is not None or pairs.groups is not None):
        what = "weights" if pairs.weights is not None else "groups"
        raise InputError(
            f"{what} are not supported by method={method!r}; "
            "use method='delong', whose influence functions take them."
        )
    found = influences(pairs)
    if method == "delong":
        return found.areas, covariance(pairs, found)
    return found.areas, _other_covariance(pairs, found, method)


def _other_covariance(pairs: Pairs, found: Influences, method: str) -> Floats:
    N, M = pairs.n_neg, pairs.n_pos
    SN = N * N * (found.negatives @ found.negatives.T)  # influences carry 1/N and 1/M
    SM = M * M * (found.positives @ found.positives.T)
    if method != "exact-bootstrap" and min(N, M) < 2:
        raise InputError(f"method={method!r} needs at least two cases in each class.")
    if method == "jackknife":
        return np.asarray((SN / (N - 1) ** 2 + SM / (M - 1) ** 2) * (N + M - 1) / (N + M))
    R = residual_products(pairs, found.areas, SN, SM)
    if method == "exact-bootstrap":
        return np.asarray(SN / N**2 + SM / M**2 + R / (N * M) ** 2)
    return np.asarray(SN / (N * (N - 1)) + SM / (M * (M - 1)) - R / (N * M * (N - 1) * (M - 1)))


def residual_products(pairs: Pairs, areas: Floats, SN: Floats, SM: Floats) -> Floats:
    """R of F2.3 and F2.4 for every two models, without any N x M matrix.

    What one model needs is made once; each two of them take a count of their pairs in n log n.
    """
    N, M, k = pairs.n_neg, pairs.n_pos, len(pairs.names)
    stand = partial(kernels.standing, pairs.mask)
    standings = run_models(stand, [(placed,) for placed in pairs.placements], len(pairs))
    places = list(combinations(range(k), 2))
    counts = run_models(
        kernels.dominance, [(standings[a], standings[b]) for a, b in places], len(pairs)
    )
    S = np.zeros((k, k))  # sums of psi_a * psi_b over all (negative, positive)
    np.fill_diagonal(S, [own.squares / 4 for own in standings])
    for (a, b), count in zip(places, counts, strict=True):
        S[a, b] = count / 4
    R = np.triu(S - (N * M * areas)[:, None] * areas - M * SN - N * SM)
    return np.asarray(R + np.triu(R, 1).T)
