"""Every interval of one area side by side, with a sentence on which to trust."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocwise import checks, printing
from rocwise.binary.areas import whole_area
from rocwise.binary.intervals import METHOD_NAMES, METHODS, OF_WEIGHTS, area_interval
from rocwise.binary.partial import WHOLE
from rocwise.binary.variances import effective_sizes
from rocwise.errors import InputError
from rocwise.results import Result
from rocwise.tallies import Tally

FEW_CASES = 20
NEAR_ONE = 0.95


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class AucIntervals(Result):
    """One area with the interval of every method, and which of them to trust here."""

    value: float
    method: NDArray[np.str_]
    standard_error: NDArray[Any]
    low: NDArray[np.float64]
    high: NDArray[np.float64]
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


def auc_intervals(
    data: Tally, *, level: float = 0.95, n_resamples: int = 2000, rng: Any = None
) -> AucIntervals:
    """All intervals of the area, and a plain sentence on which to trust here and why.

    Parameters
    ----------
    data : Tally, or y_true and y_score
        The scored cases.
    level : float, default 0.95
        Confidence level.
    n_resamples : int, default 2000
        Replicates of the two bootstrap methods.
    rng : optional
        Their seed or generator.

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
    'score'
    """
    checks.fraction(level, "level")
    seed = checks.seed(rng)
    value = whole_area(data)
    names, errors, lows, highs, used = [], [], [], [], []
    for method in OF_WEIGHTS if data.weighted else METHODS:
        try:
            error, interval = area_interval(
                data, WHOLE, value, method=method, level=level, n_resamples=n_resamples, rng=seed
            )
        except InputError:  # BCa with every resample on one side of the estimate
            continue
        names.append(method)
        errors.append(error)
        lows.append(interval.low)
        highs.append(interval.high)
        used.append(interval.method)
    recommended, advice = advise(data, value)
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
        origin=data.origin,
    )


def advise(data: Tally, value: float) -> tuple[str, str]:
    """Which method to trust for these data, and why, as the coverage study found."""
    smaller = min(effective_sizes(data))
    extreme = max(value, 1 - value)
    if extreme == 1.0:
        why = "the classes are separated, so the sample shows no variance"
        return "score", f"Trust {METHOD_NAMES['score']}: {why}."
    if smaller < FEW_CASES:
        why = f"the smaller class has only {printing.count(smaller)} cases"
        return "score", f"Trust {METHOD_NAMES['score']}: {why}, too few for a variance estimate."
    if extreme > NEAR_ONE:
        why = "the AUC is so near its limit that a symmetric interval reaches past it"
        return "logit", f"Trust {METHOD_NAMES['logit']}: {why}."
    why = f"both classes have {FEW_CASES} cases or more and the AUC is not near its limits"
    return "delong", f"Trust {METHOD_NAMES['delong']}: {why}."
