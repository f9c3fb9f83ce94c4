"""Indices of signal detection from one hit rate and one false alarm rate."""

from __future__ import annotations

import math
from statistics import NormalDist
from typing import Any

from rocwise import checks
from rocwise.binary.reported_points.area_bounds import auc_bounds, bias_index
from rocwise.errors import InputError
from rocwise.results import Result, json_safe, result


@result
class SignalDetection(Result):
    """Sensitivity (d', A', A) and bias (criterion, beta, B'', b) of one operating point.

    `criterion`, `beta` and `ln_beta` raise where two infinities cancel, which only happens at
    rates of 0 and 1; `indices()` has None there.
    """

    fpr: float
    tpr: float
    d_prime: float
    a_prime: float
    b_double_prime: float
    a: float
    b: float | None

    @property
    def criterion(self) -> float:
        """The criterion c (3.10)."""
        return self._defined("criterion")

    @property
    def beta(self) -> float:
        """The likelihood ratio at the criterion (3.10)."""
        return self._defined("beta")

    @property
    def ln_beta(self) -> float:
        """The logarithm of beta, c d' (3.10)."""
        return self._defined("ln_beta")

    def indices(self) -> dict[str, float | None]:
        """All indices by name, None where one is not defined."""
        z_f, z_h = _z(self.fpr), _z(self.tpr)
        total, ln_beta = z_h + z_f, _ln_beta(z_f, z_h)
        return {
            "d_prime": self.d_prime,
            "criterion": None if math.isnan(total) else -total / 2 + 0.0,
            "beta": None if ln_beta is None else _exp(ln_beta),
            "ln_beta": ln_beta,
            "a_prime": self.a_prime,
            "b_double_prime": self.b_double_prime,
            "a": self.a,
            "b": self.b,
        }

    def curve(self, n_points: int = 201) -> tuple[list[float], list[float]]:
        """Rates along the curve through the point if both classes are normal, equally wide (3.9).

        Empty where d' is infinite or not defined.
        """
        n_points = checks.size(n_points, "n_points", at_least=2, bytes_each=64)
        if not math.isfinite(self.d_prime):
            return [], []
        standard = NormalDist()
        steps = [-4.0 + 8.0 * k / (n_points - 1) for k in range(n_points)]
        fpr = [0.0, *(standard.cdf(step) for step in steps), 1.0]
        tpr = [0.0, *(standard.cdf(step + self.d_prime) for step in steps), 1.0]
        return fpr, tpr

    def _defined(self, name: str) -> float:
        value = self.indices()[name]
        if value is None:
            raise InputError(
                f"{name} is not defined at `fpr` {self.fpr:g} and `tpr` {self.tpr:g}, where two "
                "infinities cancel; pass the counts to `signal_detection_counts`, which corrects "
                "such rates."
            )
        return value

    def _columns(self) -> dict[str, Any]:
        columns = {"fpr": self.fpr, "tpr": self.tpr, **self.indices()}
        return {name: [value] for name, value in columns.items()}

    def to_dict(self) -> dict[str, Any]:
        """All indices as plain JSON-safe values; what is infinite or not defined is None."""
        plain: dict[str, Any] = json_safe(self.indices())
        return super().to_dict() | plain

    def _sentence(self) -> str:
        criterion = self.indices()["criterion"]
        words = "undefined" if criterion is None else f"{round(criterion, 3) + 0.0:.3f}"
        return (
            f"d' = {round(self.d_prime, 3) + 0.0:.3f}, criterion {words}, "
            f"A' = {self.a_prime:.3f}, A = {self.a:.3f} at hit rate {self.tpr:.3f}, false alarm "
            f"rate {self.fpr:.3f}"
        )


def signal_detection(fpr: Any, tpr: Any) -> SignalDetection:
    """Indices of signal detection theory from two rates (3.5, 3.6, 3.9 to 3.11).

    Parameters
    ----------
    fpr, tpr : float
        False alarm rate and hit rate. At 0 or 1 the indices d', criterion and beta are infinite
        where they are defined, and raise where not; `signal_detection_counts` corrects for that.

    Returns
    -------
    SignalDetection
        With `d_prime`, `criterion`, `beta`, `ln_beta`, `a_prime`, `b_double_prime`, `a`, `b`.

    Examples
    --------
    >>> import rocwise as rw
    >>> point = rw.signal_detection(0.15, 0.75)
    >>> round(point.d_prime, 4), round(point.criterion, 4), round(point.beta, 4)
    (1.7109, 0.181, 1.3629)
    """
    f, h = checks.rate(fpr, "fpr"), checks.rate(tpr, "tpr")
    z_h, z_f = _z(h), _z(f)
    d_prime = z_h - z_f
    if math.isnan(d_prime):
        raise InputError(
            f"`fpr` and `tpr` are both {f:g}, where d' is not defined; pass the counts to "
            "`signal_detection_counts`, which corrects such rates."
        )
    return SignalDetection(
        fpr=f,
        tpr=h,
        d_prime=d_prime,
        a_prime=a_prime(f, h),
        b_double_prime=_b_double_prime(f, h),
        a=auc_bounds(f, h).a,
        b=bias_index(f, h),
    )


def _ln_beta(z_f: float, z_h: float) -> float | None:
    """(z(F)^2 - z(H)^2) / 2 (3.10), None where two infinities meet."""
    if math.isinf(z_f) and math.isinf(z_h):
        return None
    return (z_f - z_h) * (z_f + z_h) / 2 + 0.0


def _exp(value: float) -> float:
    return math.inf if value > 709 else math.exp(value)


def _z(rate: float) -> float:
    """The normal quantile of a rate, infinite at 0 and 1."""
    if rate in (0.0, 1.0):
        return math.inf if rate else -math.inf
    return NormalDist().inv_cdf(rate)


def a_prime(f: float, h: float) -> float:
    """The index A' of Pollack and Norman, and Grier (3.9).

    >>> a_prime(0.2, 0.8)
    0.875
    """
    if h == f:
        return 0.5
    if h < f:
        return 1 - a_prime(h, f)
    return 0.5 + (h - f) * (1 + h - f) / (4 * h * (1 - f))


def _b_double_prime(f: float, h: float) -> float:
    """Grier's index of bias (3.11)."""
    of_hits, of_alarms = h * (1 - h), f * (1 - f)
    if h == f or of_hits + of_alarms == 0:
        return 0.0
    return math.copysign(1.0, h - f) * (of_hits - of_alarms) / (of_hits + of_alarms)


def signal_detection_counts(
    hits: Any, n_signal: Any, false_alarms: Any, n_noise: Any
) -> SignalDetection:
    """Indices of signal detection from counts, with the log-linear correction.

    The rates are (hits + 0.5) / (n_signal + 1) and (false_alarms + 0.5) / (n_noise + 1), never 0
    or 1, so that every index is finite.

    Parameters
    ----------
    hits, n_signal : int
        Hits among the trials with a signal.
    false_alarms, n_noise : int
        False alarms among the trials without one.

    Returns
    -------
    SignalDetection

    Examples
    --------
    >>> import rocwise as rw
    >>> round(rw.signal_detection_counts(20, 20, 0, 20).d_prime, 3)
    3.962
    """
    rates = []
    for count, total, names in (
        (hits, n_signal, ("hits", "n_signal")),
        (false_alarms, n_noise, ("false_alarms", "n_noise")),
    ):
        made = checks.whole(count, names[0], at_least=0, at_most=2**53)
        among = checks.whole(total, names[1], at_most=2**53)
        if made > among:
            raise InputError(
                f"`{names[0]}` must not be larger than `{names[1]}`; got {made} and {among}."
            )
        rates.append((made + 0.5) / (among + 1))
    return signal_detection(rates[1], rates[0])
