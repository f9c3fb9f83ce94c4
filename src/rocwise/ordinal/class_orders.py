"""Which order of the classes does a score speak for? The volume of every order."""

from __future__ import annotations

from itertools import permutations
from typing import Any

import numpy as np

from rocwise import checks, printing
from rocwise.arrays import Array, Floats
from rocwise.data.rankings import Ranking
from rocwise.errors import InputError
from rocwise.inputs.coercion import Direction, Missing, as_ranking
from rocwise.ordinal.results import TIES, OrderedResult, Ties
from rocwise.ordinal.volumes import volume
from rocwise.results import result

MOST_CLASSES = 7


@result
class ClassOrder(OrderedResult):
    """The order of the classes with the largest volume; `orders` and `volumes` hold all."""

    value: float
    order: tuple[Any, ...]
    orders: Array
    volumes: Floats
    ties: str

    @property
    def chance(self) -> float:
        """The volume of one order by chance."""
        return 1 / len(self.volumes)

    def _sentence(self) -> str:
        order = " < ".join(str(label) for label in self.order)
        return (
            f"best order {order}: VUS {self.value:.3f}; "
            f"{printing.count(len(self.volumes))} orders, chosen on the same data"
        )

    def _columns(self) -> dict[str, Any]:
        return {
            "order": [" < ".join(map(str, order)) for order in self.orders.tolist()],
            "volume": self.volumes,
        }


def vus_best_order(
    y_true: Any,
    y_score: Any = None,
    *,
    ties: Ties = "strict",
    order: Any = None,
    decimals: int | None = None,
    direction: Direction = "higher",
    sample_weight: Any = None,
    missing: Missing = "raise",
) -> ClassOrder:
    """The order of nominal classes in which a score ranks them best.

    The largest volume over all orders is what the R package HUM reports for one marker. It was
    chosen on the data, so it is too good: at random it exceeds 1/r! by far.

    Parameters
    ----------
    y_true, y_score, order, decimals, direction, sample_weight, missing
        The data, as in `ordinal_auc`.
    ties : {"strict", "credit"}
        As in `ordinal_auc`.

    Returns
    -------
    ClassOrder
        With `value`, `order` (labels from the lowest score up), and all `orders` with `volumes`.

    Examples
    --------
    >>> import rocwise as rw
    >>> rw.vus_best_order(["b", "b", "a", "a", "c", "c"], [1, 2, 3, 4, 5, 6])
    best order b < a < c: VUS 1.000; 6 orders, chosen on the same data
    """
    ranking = as_ranking(
        y_true,
        y_score,
        order=order,
        any_order=True,
        decimals=decimals,
        direction=direction,
        sample_weight=sample_weight,
        missing=missing,
    )
    checks.one_of(ties, "ties", TIES)
    r = ranking.n_classes
    if r > MOST_CLASSES:
        raise InputError(
            f"`y_true` has {r} classes; all orders are tried for at most {MOST_CLASSES}."
        )
    orders = list(permutations(range(r)))
    volumes = np.array([volume(_reordered(ranking, order), ties) for order in orders])
    best = int(volumes.argmax())
    names = [tuple(ranking.labels[k] for k in order) for order in orders]
    return ClassOrder(
        value=float(volumes[best]),
        order=names[best],
        orders=np.array(names),
        volumes=volumes,
        ties=ties,
        origin=ranking.origin,
    )


def _reordered(ranking: Ranking, order: tuple[int, ...]) -> Ranking:
    """The same rows with the classes in another order; the sort is kept."""
    rank = np.argsort(order).astype(np.uint8)
    labels = tuple(ranking.labels[k] for k in order)
    rows, ranked, starts = ranking.in_order
    in_order = (rows, rank[ranked], starts)
    return Ranking(
        rank[ranking.codes],
        ranking.column,
        labels,
        ranking.origin,
        in_order,
        weights=ranking.weights,
        clusters=ranking.clusters,
    )
