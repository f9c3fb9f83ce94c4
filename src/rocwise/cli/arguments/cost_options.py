"""The costs that were typed, for commands about two classes and about more."""

from __future__ import annotations

from argparse import Namespace
from typing import TYPE_CHECKING

from rocwise.errors import InputError

if TYPE_CHECKING:
    from rocwise.costs import Costs


def given_costs(options: Namespace) -> Costs | None:
    """The costs, when those of both errors were given; one of them alone says nothing."""
    import rocwise as rw

    right = {name: getattr(options, f"cost_{name}", None) for name in ("tp", "tn")}
    if options.cost_fp is None and options.cost_fn is None:
        if any(cost is not None for cost in right.values()):
            raise InputError("--cost-tp and --cost-tn go with --cost-fp and --cost-fn.")
        return None
    if options.cost_fp is None or options.cost_fn is None:
        absent = "--cost-fp" if options.cost_fp is None else "--cost-fn"
        raise InputError(f"a cost says something only beside the other one: add {absent}.")
    return rw.Costs(
        fp=options.cost_fp, fn=options.cost_fn, tp=right["tp"] or 0.0, tn=right["tn"] or 0.0
    )


def cost_table(text: str | None) -> list[list[float]] | None:
    """Costs that were typed: rows of true classes by semicolons, numbers by commas.

    >>> cost_table("0,1;5,0")
    [[0.0, 1.0], [5.0, 0.0]]
    """
    if text is None:
        return None
    try:
        rows = [[float(cell) for cell in row.split(",")] for row in text.split(";")]
    except ValueError:
        rows = []
    if not rows or any(len(row) != len(rows) for row in rows):
        raise InputError(
            "--costs must be a square table, rows of true classes by semicolons and costs of "
            f"what they are called by commas, such as '0,1,4;1,0,1;4,1,0'; got {text!r}."
        )
    return rows
