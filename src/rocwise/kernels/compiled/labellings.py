"""Ways to hand out labels among one case of each class, with the compiled loop."""

import numpy as np

from rocwise.arrays import Floats, Places
from rocwise.kernels.compiled import _classes
from rocwise.kernels.no_nan import refuse_nan
from rocwise.kernels.plain.labellings import tuple_credits as plain_credits
from rocwise.kernels.threads import steps_between_signals

TIED = -1.0  # of tuples some of whose labellings tie
WORK = 16  # rows of other loops take as long as the paths of a tuple, for each path


def tuple_credits(table: Floats, chosen: Places, noise: float) -> Floats:
    """Compiled twin of `plain.labellings.tuple_credits`, which counts labellings that tie.

    Examples
    --------
    >>> table = np.array([[0.75, 0.25], [0.5, 0.5], [0.25, 0.5]])
    >>> tuple_credits(table, np.array([[0, 1, 1], [2, 1, 2]]), 1e-12).tolist()
    [1.0, 0.5, 1.0]
    """
    refuse_nan(noise, what="the noise")
    table = np.ascontiguousarray(table, np.float64)
    chosen = np.ascontiguousarray(chosen, np.int64)
    if table.ndim != 2 or chosen.ndim != 2 or len(chosen) != table.shape[1]:
        raise ValueError(
            f"`chosen` must have a line for each column of the table; it has {len(chosen)}."
        )
    earned = np.empty(chosen.shape[1])
    each = max(1, table.shape[1] ** 3 // WORK)
    for start, stop in steps_between_signals(0, len(earned) * each):
        step = -(-start // each), -(-stop // each)
        wrong = _classes.tuple_credits(table, chosen, noise, TIED, earned, *step)
        if wrong:
            refuse_nan(table)
            raise ValueError(f"`chosen` must hold rows from 0 to {len(table) - 1}.")
    tied = np.flatnonzero(earned == TIED)
    if len(tied):
        earned[tied] = plain_credits(table, chosen[:, tied], noise)
    return earned
