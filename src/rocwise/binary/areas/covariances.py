"""Covariance matrices of the areas of several models on the same rows (F2.1 to F2.6)."""

from __future__ import annotations

from itertools import combinations
from typing import Any, Literal, NamedTuple, Unpack, get_args

import numpy as np

from rocwise import checks, kernels
from rocwise.arrays import Floats, Integers
from rocwise.binary.areas.influences import (
    Influences,
    covariance,
    influences,
    squared_influences,
)
from rocwise.data.pairs import Pairs
from rocwise.errors import InputError
from rocwise.inputs.coercion import PairOptions, as_pairs, options_shown
from rocwise.kernels.dominating.plain import Standing
from rocwise.kernels.placement_sums import PlacementSums
from rocwise.kernels.row_formulas import run_models

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
    return areas_and_covariance(as_pairs("auc_covariance", data, scores, given), method).matrix


def areas_and_covariance(pairs: Pairs, method: str) -> AreasAndCovariance:
    """Areas of all models and how they vary together, by any of `PAIRED_VARIANCES`."""
    checks.one_of(method, "method", PAIRED_VARIANCES)
    if method != "delong" and (pairs.weights is not None or pairs.groups is not None):
        what = "weights" if pairs.weights is not None else "groups"
        raise InputError(
            f"{what} are not supported by method={method!r}; "
            "use method='delong', whose influence functions take them."
        )
    found = influences(pairs)
    if method == "delong":
        return AreasAndCovariance(found.areas, covariance(pairs, found))
    return _other_covariance(pairs, found, method)


class AreasAndCovariance(NamedTuple):
    """Areas (k,), their covariance matrix (k, k), and sums of placements where there are any."""

    areas: Floats
    matrix: Floats
    sums: tuple[PlacementSums, ...] | None = None


def _other_covariance(pairs: Pairs, found: Influences, method: str) -> AreasAndCovariance:
    N, M = pairs.n_neg, pairs.n_pos
    squares = squared_influences(found)
    SN, SM = N * N * squares[1], M * M * squares[0]  # influences carry 1/N and 1/M
    if method != "exact-bootstrap" and min(N, M) < 2:
        raise InputError(f"method={method!r} needs at least two cases in each class.")
    if method == "jackknife":
        matrix = (SN / (N - 1) ** 2 + SM / (M - 1) ** 2) * (N + M - 1) / (N + M)
        return AreasAndCovariance(found.areas, np.asarray(matrix))
    R, sums = residual_products(pairs, found.areas, SN, SM)
    if method == "exact-bootstrap":
        matrix = SN / N**2 + SM / M**2 + R / (N * M) ** 2
    else:
        matrix = SN / (N * (N - 1)) + SM / (M * (M - 1)) - R / (N * M * (N - 1) * (M - 1))
    return AreasAndCovariance(found.areas, np.asarray(matrix), sums)


def residual_products(
    pairs: Pairs, areas: Floats, SN: Floats, SM: Floats
) -> tuple[Floats, tuple[PlacementSums, ...]]:
    """R of F2.3 and F2.4 for every two models, without any N x M matrix; sums of placements.

    What one model needs is made once; each two of them take a count of their pairs in n log n.
    """
    N, M, k = pairs.n_neg, pairs.n_pos, len(pairs.names)

    def stand(placed: Integers) -> tuple[Standing, PlacementSums]:
        own = kernels.standing(pairs.mask, placed)
        return own, kernels.standing_sums(own)

    stood = run_models(stand, [(placed,) for placed in pairs.placements], len(pairs))
    standings = [own for own, _ in stood]
    places = list(combinations(range(k), 2))
    counts = run_models(
        kernels.dominance, [(standings[a], standings[b]) for a, b in places], len(pairs)
    )
    S = np.zeros((k, k))  # sums of psi_a * psi_b over all (negative, positive)
    np.fill_diagonal(S, [own.squares / 4 for own in standings])
    for (a, b), count in zip(places, counts, strict=True):
        S[a, b] = count / 4
    R = np.triu(S - (N * M * areas)[:, None] * areas - M * SN - N * SM)
    return np.asarray(R + np.triu(R, 1).T), tuple(sums for _, sums in stood)
