"""Concordance indices of Harrell and Uno for censored outcomes, in O(n log n).

A pair (i, j) is comparable if i has the event before tau and j is known to be free of it then:
followed longer, or censored at the same time. Uno's weights 1 / G(X_i-)^2 make the index
independent of the distribution of censoring.
"""

import math
from typing import Any, Literal, NamedTuple, Unpack, get_args

import numpy as np

from rocwise import checks, kernels, printing
from rocwise.arrays import Floats, Places
from rocwise.data.follow_ups import CENSORED, COMPETING, EVENT, Controls, FollowUp
from rocwise.data.tally import effective_number
from rocwise.errors import InputError, MisuseWarning, count_of, warn, warn_below_half
from rocwise.inputs.follow_ups import FollowUpOptions, as_follow_up, scored
from rocwise.results import Interval, Number, result
from rocwise.survival.influence import (
    FEWEST,
    CensoredResult,
    by_score,
    standard_error,
    unit_interval,
)

Kind = Literal["uno", "harrell"]
Ties = Literal["half", "drop", "wrong"]


@result
class Concordance(Number, CensoredResult):
    """Concordance index of one score.

    Attributes
    ----------
    value : float
        Proportion of the comparable pairs in which the row with the earlier event has the higher
        score.
    standard_error, interval
        Its standard error by influence values, and its confidence interval.
    estimand : {"uno", "harrell"}
        Which index.
    tau : float
        Events before this time count.
    ties : {"half", "drop", "wrong"}
        How pairs with equal scores count.
    controls : {"survivors", "all"}
        Whether rows with an earlier competing event are compared, too.
    n, n_events : int
        Numbers of rows, and of events before `tau`.
    """

    value: float
    standard_error: float
    interval: Interval
    estimand: str
    tau: float
    ties: str
    controls: str
    n: int
    n_events: int

    def _metric(self) -> str:
        return "concordance"

    def _sentence(self) -> str:
        until = "" if np.isinf(self.tau) else f" before t = {self.tau:g}"
        return (
            f"concordance {printing.estimate(self.value, self.interval, self.n)}, "
            f"{self.estimand.capitalize()}; {count_of(self.n_events, 'event')}{until}, "
            f"{count_of(self.n, 'row')}"
        )


@scored(FollowUpOptions, Concordance)
def concordance(
    data: Any = None,
    *columns: Any,
    kind: Kind = "uno",
    tau: float | None = None,
    ties: Ties = "half",
    controls: Controls = "survivors",
    level: float = 0.95,
    **given: Unpack[FollowUpOptions],
) -> Any:
    """Compute Uno's or Harrell's concordance index (C-index) with a confidence interval.

    Parameters
    ----------
    kind : {"uno", "harrell"}, default "uno"
        "uno" weights pairs by the inverse squared probability of not being censored [1]_;
        "harrell" counts every comparable pair once [2]_, so that its limit depends on censoring.
    tau : float, optional
        Only events before this time count. By default all do for "harrell"; for "uno", whose
        weights grow with time, those before the last time with 10 rows at risk.
    ties : {"half", "drop", "wrong"}, default "half"
        Whether a pair with equal scores counts one half, is left out, or counts 0.
    controls : {"survivors", "all"}, default "survivors"
        Whether an event is compared with rows followed longer only, or also with rows that had a
        competing event before, which never have the event of interest [3]_.
    level : float, default 0.95
        Confidence level.

    Returns
    -------
    Concordance
        Result with `value`, `standard_error` and `interval`; for several scores one for each.

    See Also
    --------
    auc : AUC by a horizon.
    rocwise.ordinal.auc : Concordance with ordered classes.

    Notes
    -----
    The standard error is that of the influence values; for "uno" they include the estimation of
    the censoring distribution. Two events at the same time are not comparable; an event and a
    censored row at the same time are.

    References
    ----------
    .. [1] H. Uno, T. Cai, M. J. Pencina, R. B. D'Agostino and L. J. Wei, "On the C-statistics for
           evaluating overall adequacy of risk prediction procedures with censored survival data",
           Stat. Med. 30, 2011. doi:10.1002/sim.4154
    .. [2] F. E. Harrell, K. L. Lee and D. B. Mark, "Multivariable prognostic models", Stat. Med.
           15, 1996. doi:10.1002/(SICI)1097-0258(19960229)15:4<361::AID-SIM168>3.0.CO;2-4
    .. [3] M. Wolbers, P. Blanche, M. T. Koller, J. C. M. Witteman and T. A. Gerds, "Concordance for
           prognostic models with competing risks", Biostatistics 15, 2014.
           doi:10.1093/biostatistics/kxt059

    Examples
    --------
    >>> import numpy as np, rocwise as rw
    >>> rng = np.random.default_rng(1)
    >>> score = rng.random(300)
    >>> time, end = rng.exponential(0.5 / score), rng.exponential(1, 300)
    >>> rw.survival.concordance(np.minimum(time, end), time <= end, score, kind="harrell")
    concordance 0.694 (95% CI 0.649 to 0.737, logit), Harrell; 138 events, 300 rows
    """
    f, _ = as_follow_up("concordance", data, columns, given, timed=False)
    checks.one_of(kind, "kind", get_args(Kind))
    checks.one_of(ties, "ties", get_args(Ties))
    checks.one_of(controls, "controls", get_args(Controls))
    level = checks.level(level)
    options = kind, tau, ties, controls
    return by_score(f, lambda name: _of_score(f, name, options, level))


def _of_score(
    f: FollowUp, name: str, options: tuple[str, float | None, str, str], level: float
) -> Concordance:
    kind, _, ties, controls = options
    found = concordance_influence(f, name, *options)
    error = standard_error(f, found.U)
    interval = unit_interval(found.value, error, found.sizes, level)
    if found.constant:
        interval = Interval(found.value, found.value, level, "all scores are equal")
    if found.n_events < FEWEST:
        warn(
            f"only {count_of(found.n_events, 'event')} before tau = {found.tau:g}; intervals need "
            f"about {FEWEST}.",
            MisuseWarning,
        )
    if interval.high < 0.5:
        about = "an earlier event", "earlier events", "concordance"
        warn_below_half(found.value, f.origin.direction, *about)
    return Concordance(
        value=found.value,
        standard_error=error,
        interval=interval,
        estimand=kind,
        tau=found.tau,
        ties=ties,
        controls=controls,
        n=len(f),
        n_events=found.n_events,
        origin=f.column(name).origin,
    )


class ConcordanceInfluence(NamedTuple):
    """A concordance index, the influence value of each row (F8.16), and what it is about."""

    value: float
    U: Floats
    sizes: tuple[float, float]  # effective numbers of events, and of rows compared with them
    tau: float
    n_events: int
    constant: bool  # whether all scores are equal


def concordance_influence(
    f: FollowUp, name: str, kind: str, tau: float | None, ties: str, controls: str = "survivors"
) -> ConcordanceInfluence:
    """The index of one score, its influence values, and the effective number of events."""
    tau = _checked_tau(f, kind, tau)
    if f.strata is not None and kind == "harrell":
        raise InputError("`censoring_by` goes with kind='uno'.")
    event = (f.status == EVENT) & (f.time < tau)
    if not event.any():
        first = f.event_times[0]
        raise InputError(
            f"no event before tau = {tau:g}: the first is at {first:g}; pass a larger `tau`."
        )
    horizon = f.horizon(np.nextafter(min(tau, f.time[-1] + 1), 0.0))
    v = f.total * horizon.mass if kind == "uno" else np.ones(len(f))  # 1 / G(X-)
    w, rank = np.where(event, v * v, 0.0), f.rank(name)
    after = _pairs_of(2 * f.group + (f.status == CENSORED), rank, f.a, f.a * w, ties)
    terms = [(w, after.won, after.later, 2.0), (np.ones(len(f)), after.lost, after.earlier, 0.0)]
    if controls == "all":
        v_event, v_other = np.where(event, v, 0.0), np.where(f.status == COMPETING, v, 0.0)
        group, reverse = 2 * f.group + (f.status == EVENT), rank.max() - rank
        before = _pairs_of(group, reverse, f.a * v_event, f.a * v_other, ties)
        terms += [(v_event, before.lost, before.earlier, 1.0)]
        terms += [(v_other, before.won, before.later, 1.0)]
    own = [terms[0], *terms[2:3]]  # every pair once
    concordant = sum(float(np.dot(f.a * scale, won)) for scale, won, _, _ in own)
    pairs = sum(float(np.dot(f.a * scale, all_of)) for scale, _, all_of, _ in own)
    if pairs <= 0.0:
        raise InputError(
            f"no row is known to be free of the event after one before tau = {tau:g}"
            f"{' with another score' if ties == 'drop' else ''}, so there is no comparable pair."
        )
    value = min(concordant / pairs, 1.0)
    parts = [scale * (won - value * all_of) / pairs for scale, won, all_of, _ in terms]
    U = np.sum(parts, axis=0)
    if kind == "uno":
        q = sum(times * f.a * part for part, (*_, times) in zip(parts, terms, strict=True))
        U = U + horizon.mass_term(np.asarray(q))
    masses = (f.a * w)[event], f.a[after.earlier > 0]
    events, others = (effective_number(float(x.sum()), float(x @ x)) for x in masses)
    n_events, constant = int(np.count_nonzero(event)), int(rank.max()) == 0
    return ConcordanceInfluence(value, U, (events, others), tau, n_events, constant)


class PairsOfRows(NamedTuple):
    """Of each row: weight of its concordant pairs with later rows and with earlier ones; of all."""

    won: Floats
    lost: Floats
    later: Floats
    earlier: Floats


def _pairs_of(
    group: Places, rank: Places, later: Floats, earlier: Floats, ties: str
) -> PairsOfRows:
    won, lost = kernels.pair_sums(group, rank, later, earlier)
    n_later, n_earlier = _sums_beyond(group, later)[0], _sums_beyond(group, earlier)[1]
    if ties == "half":
        return PairsOfRows(won, lost, n_later, n_earlier)
    both = np.stack([rank, group])  # of equal ranks the later group is above: no pair is tied
    strict = kernels.pair_sums(
        group, np.unique(both, axis=1, return_inverse=True)[1], later, earlier
    )
    tied_later, tied_earlier = 2 * (won - strict.later), 2 * (lost - strict.earlier)
    won, lost = strict
    if ties == "drop":
        n_later, n_earlier = n_later - tied_later, n_earlier - tied_earlier
    return PairsOfRows(won, lost, n_later, n_earlier)


def _checked_tau(f: FollowUp, kind: str, tau: float | None) -> float:
    if f.entry is not None:
        raise InputError("`concordance` does not take `entry` (delayed entry); see survival.auc.")
    f.check_events()
    if tau is not None:
        whole = isinstance(tau, float) and tau == math.inf
        return math.inf if whole else checks.positive(tau, "tau")
    if kind == "harrell":
        return np.inf
    last = len(f) - FEWEST
    if last < 0 or not (f.event_times < f.time[last]).any():
        raise InputError(
            f"kind='uno' needs `tau`: no event comes before the last time with {FEWEST} "
            f"rows at risk, of {len(f)} rows; tau=float('inf') takes all events."
        )
    return float(f.time[last])


def _sums_beyond(group: Places, masses: Floats) -> tuple[Floats, Floats]:
    """Of each row, the sums over later and over earlier groups."""
    sums = np.cumsum(np.bincount(group, masses))
    return (sums[-1] - sums)[group], np.append(0.0, sums)[group]
