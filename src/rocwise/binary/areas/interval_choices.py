"""Every interval of one area side by side, with a sentence on which to trust."""

from __future__ import annotations

from typing import Any, Unpack

import numpy as np
from numpy.typing import NDArray

from rocwise import checks, printing
from rocwise.arrays import Array, Floats
from rocwise.binary.areas.empirical import whole_area
from rocwise.binary.areas.intervals import METHOD_NAMES, METHODS, OF_UNLIKE_ROWS, area_interval
from rocwise.binary.areas.variances import effective_sizes
from rocwise.binary.curves.parts import WHOLE
from rocwise.data.tally import Tally
from rocwise.errors import InputError
from rocwise.inference.intervals.effective_sizes import symmetric_limits_hold
from rocwise.inputs.coercion import TallyOptions, as_clustered_tally, by_group
from rocwise.results import Result, result


@result
class AucIntervals(Result):
    """One area with the interval of every method, and which of them to trust here."""

    value: float
    method: NDArray[np.str_]
    standard_error: Array
    low: Floats
    high: Floats
    used: NDArray[np.str_]
    level: float
    recommended: str
    advice: str
    seed: int

    def _sentence(self) -> str:
        lines = [f"AUC {self.value:.3f}, {printing.percent(self.level)} intervals"]
        for name, low, high in zip(self.method, self.low, self.high, strict=True):
            mark = "*" if name == self.recommended else " "
            lines.append(f"{mark} {name:<16} {low:.3f} to {high:.3f}")
        return "\n".join([*lines, self.advice])

    def _columns(self) -> dict[str, Any]:
        return {
            "method": self.method,
            "standard_error": self.standard_error,
            "low": self.low,
            "high": self.high,
            "used": self.used,
        }


@by_group
def auc_intervals(
    data: Any = None,
    y_score: Any = None,
    *,
    level: float = 0.95,
    n_resamples: int = 2000,
    rng: Any = None,
    groups: Any = None,
    exact: bool = False,
    **given: Unpack[TallyOptions],
) -> AucIntervals:
    """All intervals of the area, and a plain sentence on which to trust here and why.

    Parameters
    ----------
    data, y_score
        A tally; or labels and scores; or a frame or path with `label=` and `score=`.
    level : float, default 0.95
        Confidence level.
    n_resamples : int, default 2000
        Replicates of the two bootstrap methods.
    rng : optional
        Their seed or generator.
    groups : optional
        Cluster of each row; only methods that know of clusters are then shown.
    exact : bool, default False
        Draw every row, also of more than 131,072 distinct scores, instead of bins: see `auc`.
    **given
        More about rows, a frame or a file (`label`, `score`, `by`, `pos_label`, `sample_weight`,
        `direction`, `missing`, `resolution`): see `tally`; `by` answers for every group of rows.

    Returns
    -------
    AucIntervals
        Arrays `method, standard_error, low, high, used` (what took over where a method cannot
        work), and `recommended`, `advice`.

    Examples
    --------
    >>> import rocwise as rw
    >>> answer = rw.auc_intervals([0, 0, 0, 0, 1, 1, 1], [1, 2, 3, 5, 4, 6, 7], rng=1)
    >>> answer.recommended
    'wilson'
    """
    tally = as_clustered_tally("auc_intervals", data, y_score, groups, given)
    level = checks.level(level)
    n_resamples = checks.draws(n_resamples, rng)
    seed = checks.seed(rng)
    exact = checks.flag(exact, "exact")
    value = whole_area(tally)
    names, errors, lows, highs, used = [], [], [], [], []
    for method in METHODS if tally.rows is None else OF_UNLIKE_ROWS:
        try:
            error, interval = area_interval(
                tally,
                WHOLE,
                value,
                method=method,
                level=level,
                n_resamples=n_resamples,
                rng=seed,
                exact=exact,
            )
        except InputError:  # BCa with every resample on one side of the estimate
            continue
        names.append(method)
        errors.append(error)
        lows.append(interval.low)
        highs.append(interval.high)
        used.append(interval.method)
    recommended, advice = advise(tally, value)
    return AucIntervals(
        value=value,
        method=np.array(names),
        standard_error=np.array(errors),
        low=np.array(lows),
        high=np.array(highs),
        used=np.array(used),
        level=level,
        recommended=recommended,
        advice=advice,
        seed=seed,
        origin=tally.origin,
    )


def advise(data: Tally, value: float) -> tuple[str, str]:
    """Which method to trust for these data, and why.

    The rule is what the coverage study supports (docs/explanation/coverage.md): it counts, as one
    does for a proportion, the cases of the smaller class on the wrong side.
    """
    smaller = min(effective_sizes(data))
    if smaller <= 1.0:
        return _trust("hoeffding", "one case in a class shows nothing of how that class varies")
    if value in (0.0, 1.0):
        return _trust("wilson", "the classes are separated, so the sample shows no variance")
    unit = "clusters" if data.clustered else "cases"
    cases = f"with {printing.count(smaller)} {unit} in the smaller class and an AUC of {value:.2f}"
    if symmetric_limits_hold(value, smaller):
        return _trust("delong", f"{cases}, the choice hardly matters, and this is the usual one")
    why = f"{cases}, a variance estimated from the data is often too small"
    method, advice = _trust("wilson", why)
    return method, f"{advice} It leans towards the largest variance that an area can have."


def _trust(method: str, why: str) -> tuple[str, str]:
    return method, f"Trust {METHOD_NAMES[method]}: {why}."
