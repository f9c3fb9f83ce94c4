"""Follow-up of censored rows, sorted once: risk sets, and the mass of every row at a horizon.

At a horizon t the rows have Kaplan-Meier masses: cases and controls with these are an ordinary
weighted table of two classes. Masses are estimates, which adds one term to influence values.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Literal, NamedTuple, get_args

import numpy as np

from rocwise import checks, kernels
from rocwise.arrays import Array, Flags, Floats, Places
from rocwise.data.tally import ScoreColumn, Tally, in_user_units
from rocwise.errors import InputError, count_of, listed
from rocwise.immutable import Immutable, cached_property, read_only
from rocwise.results import Origin, as_frame

Controls = Literal["survivors", "all"]
CENSORED, EVENT, COMPETING = 0, 1, 2
ROUNDING = 1e-12  # of sums of weights
LARGEST_REUSED = 2**22 - 2**10  # floats: 32 MB less a bit


class RiskSets(NamedTuple):
    """Rows at risk, events and the Kaplan-Meier estimate at each distinct time (F8.1)."""

    at_risk: Floats  # Y: weight of the rows at risk
    events: Floats  # D: weight of the events of any cause
    left: Floats  # Y - D; exactly 0 where all rows at risk had their event
    before: Floats  # S(u-), all causes
    after: Floats  # S(u)
    per_risk: Floats  # 1 / Y; 0 where Y is 0
    per_left: Floats  # 1 / (Y - D); 0 where it or D is 0


class FollowUp(Immutable):
    """Times, events and scores of rows with censoring, in ascending order of time.

    Built by `rocwise.survival.follow_up`. All arrays with one value per row are in the order of
    time; `order` has the row of the data that each comes from.

    Attributes
    ----------
    time : ndarray
        Time of each row, ascending.
    status : ndarray of int
        0 censored, 1 event of interest, 2 competing event.
    entry : ndarray or None
        Time of entry of each row: at risk at s if entry < s <= time. None: from the start.
    weights : ndarray or None
        Weight of each row, above 0.
    clusters : ndarray of int or None
        Cluster of each row, from 0.
    strata : ndarray of int or None
        Stratum of each row, from 0, within which censoring is independent.
    names : tuple of str
        Names of the scores.
    times : ndarray
        Distinct times, ascending.
    order : ndarray of int
        Row of the data, after missing rows were left out, of each row.
    n, n_events, n_competing, n_censored : int
        Numbers of rows.

    Examples
    --------
    >>> import rocwise as rw
    >>> f = rw.survival.follow_up([1, 2, 3, 4, 5], [1, 0, 1, 1, 0], [0.9, 0.4, 0.8, 0.3, 0.1])
    >>> f
    FollowUp: 5 rows, 3 events, 2 censored; times 1 to 5
    >>> rw.auc(f.tally(3.5)).value
    1.0
    """

    time: Floats
    status: Array
    entry: Floats | None
    weights: Floats | None
    clusters: Places | None
    strata: Places | None
    strata_names: tuple[str, ...]
    order: Places
    origin: Origin
    _columns: dict[str, ScoreColumn]

    def __init__(
        self,
        *,
        time: Floats,
        status: Array,
        columns: Mapping[str, ScoreColumn] = {},
        entry: Floats | None = None,
        weights: Floats | None = None,
        clusters: Places | None = None,
        strata: Places | None = None,
        strata_names: tuple[str, ...] = (),
        order: Places | None = None,
        origin: Origin | None = None,
    ) -> None:
        given_columns = {"time": time, "status": status, "entry": entry, "weights": weights}
        given_columns |= {"clusters": clusters, "strata": strata}
        given_columns["order"] = np.arange(len(time)) if order is None else order
        self._set(
            **{
                name: None if each is None else read_only(each)
                for name, each in given_columns.items()
            },
            strata_names=strata_names,
            origin=origin or Origin(),
            _columns=dict(columns),
        )

    @classmethod
    def from_rows(
        cls, columns: Mapping[str, ScoreColumn], rows: Mapping[str, Array | None], **others: Any
    ) -> "FollowUp":
        """From arrays in any order: `rows` are time, status, entry, weights, clusters, strata."""
        assert rows["time"] is not None
        # allocated and freed, never touched: from then on the C library reuses memory of this size
        # in place of new pages for every array (mallopt(3)), which halves the time of an AUC
        np.empty(min(16 * len(rows["time"]), LARGEST_REUSED))
        order = kernels.argsort(rows["time"])
        ranked: dict[str, Any] = {n: None if row is None else row[order] for n, row in rows.items()}
        sorted_columns = {name: each.of(each.oriented[order]) for name, each in columns.items()}
        return cls(columns=sorted_columns, order=order, **ranked, **others)

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the scores."""
        return tuple(self._columns)

    @property
    def n(self) -> int:
        """Number of rows."""
        return len(self.time)

    def __len__(self) -> int:
        return len(self.time)

    @property
    def n_events(self) -> int:
        """Number of events of interest."""
        return int(np.count_nonzero(self.status == EVENT))

    @property
    def n_competing(self) -> int:
        """Number of competing events."""
        return int(np.count_nonzero(self.status == COMPETING))

    @property
    def n_censored(self) -> int:
        """Number of censored rows."""
        return int(np.count_nonzero(self.status == CENSORED))

    @cached_property
    def a(self) -> Floats:
        """Weight of each row, 1 where none were given (the `a` of the formulas)."""
        return np.ones(len(self)) if self.weights is None else self.weights

    @cached_property
    def total(self) -> float:
        """A: the total weight."""
        return float(len(self)) if self.weights is None else float(self.weights.sum())

    @cached_property
    def _starts(self) -> Places:
        """First row of each distinct time, and the number of rows."""
        new = self.time[1:] != self.time[:-1]
        return np.concatenate([[0], np.flatnonzero(new) + 1, [len(self)]])

    @cached_property
    def _untied(self) -> bool:
        return len(self._starts) > len(self)

    @cached_property
    def times(self) -> Floats:
        """Distinct times, ascending."""
        return self.time if self._untied else self.time[self._starts[:-1]]

    @cached_property
    def group(self) -> Places:
        """Position of each row's time among the distinct times."""
        places = np.arange(len(self.times))
        return places if self._untied else np.repeat(places, np.diff(self._starts))

    @cached_property
    def entered(self) -> Places | None:
        """Position of the first distinct time at which each row is at risk."""
        return None if self.entry is None else np.searchsorted(self.times, self.entry, "right")

    @cached_property
    def event_times(self) -> Floats:
        """Distinct times of events of interest."""
        return np.unique(self.time[self.status == EVENT])

    def sums(self, row_values: Floats) -> Floats:
        """Sums of values, one per row, at each distinct time."""
        return row_values if self._untied else np.add.reduceat(row_values, self._starts[:-1])

    @cached_property
    def risk(self) -> RiskSets:
        """Risk sets and Kaplan-Meier estimate at the distinct times."""
        at_risk = len(self) - self._starts[:-1].astype(np.float64)
        if self.weights is not None:
            at_risk = np.cumsum(self.sums(self.weights)[::-1])[::-1]
        if self.entered is not None:
            later = np.bincount(self.entered, self.a, len(at_risk) + 1)  # rows that enter later
            at_risk = at_risk - np.cumsum(later[:0:-1])[::-1]
        events = self.sums(self.weighted(self.status > CENSORED))
        left = at_risk - events
        left[left <= ROUNDING * at_risk] = 0.0
        per_risk = 1.0 / np.where(at_risk > 0, at_risk, np.inf)
        per_left = 1.0 / np.where((left > 0) & (events > 0), left, np.inf)
        after: Any = np.cumprod(1.0 - events * per_risk)
        if (exhausted := (left == 0) & (events > 0)).any():
            after[int(exhausted.argmax()) :] = 0.0
        before = np.append(1.0, after[:-1])
        return RiskSets(at_risk, events, left, before, after, per_risk, per_left)

    @cached_property
    def event_masses(self) -> Floats:
        """The mass of each row with an event, which is the same at all later times (F8.2)."""
        found = np.zeros(len(self))
        if self.strata is None:
            per_time = self.risk.before * self.risk.per_risk
            return np.asarray(per_time[self.group] * (self.status > CENSORED))
        for rows, part in self.parts:
            found[rows] = part.event_masses * (part.total / self.total)
        return found

    def weighted(self, row_values: Any) -> Floats:
        """Values, one per row, times the weights of the rows."""
        if self.weights is None:
            return np.asarray(row_values, np.float64)
        return np.asarray(row_values * self.weights)

    def rank(self, name: str) -> Places:
        """Position of each row's score among the distinct scores, ascending."""
        return self.ranked(name)[1]

    def n_scores(self, name: str) -> int:
        """Number of distinct scores."""
        return len(self.ranked(name)[0])

    def ranked(self, name: str) -> tuple[Array, Places]:
        """The distinct scores, ascending, as they are oriented, and each row's position there."""
        known: dict[str, tuple[Array, Places]] = self.__dict__.setdefault("_ranked", {})
        if name not in known:
            known[name] = kernels.distinct(self.column(name).oriented)
        return known[name]

    def column(self, name: str) -> ScoreColumn:
        """The scores by name, oriented so that higher means an earlier event."""
        if name not in self._columns:
            raise InputError(f"`score` {name!r} is not among the scores: {self._known}.")
        return self._columns[name]

    @property
    def _known(self) -> str:
        return listed(self.names) if self.names else "none; pass scores to follow_up"

    def scores(self, name: str) -> Array:
        """Scores in the user's units, in the order of time."""
        column = self.column(name)
        return in_user_units(column.oriented, column.origin.direction, column.meanings)

    def only_name(self, score: str | None = None) -> str:
        """The score of this name, or the only one there is."""
        if score is None and len(self.names) != 1:
            raise InputError(f"`score` must name one of the scores: {self._known}.")
        name = self.names[0] if score is None else score
        self.column(name)
        return name

    def renamed(self, names: Mapping[str, str]) -> "FollowUp":
        """The same scores, some of them with other names."""
        called = {name: names.get(name, name) for name in self._columns}
        columns = {
            called[name]: replace(column, origin=replace(column.origin, name=called[name]))
            for name, column in self._columns.items()
        }
        return self._with(columns=columns)

    def reweighted(self, weights: Floats) -> "FollowUp":
        """The same rows with other weights, which may be 0, without sorting again."""
        other = self._with(weights=weights)
        kept = ("_starts", "times", "group", "entered", "_ranked")
        other.__dict__.update({name: self.__dict__[name] for name in kept if name in self.__dict__})
        return other

    @cached_property
    def parts(self) -> "list[tuple[Places, FollowUp]]":
        """Rows and follow-up of each stratum of censoring."""
        assert self.strata is not None
        codes = range(int(self.strata.max()) + 1)
        rows = [np.flatnonzero(self.strata == k) for k in codes]
        whole = self._with(strata=None, clusters=None)
        return [(own, whole.part(own)) for own in rows]

    def part(self, rows: Places) -> "FollowUp":
        """The follow-up of some rows, without scores."""
        names = ("time", "status", "entry", "weights", "clusters", "strata")
        own = {name: getattr(self, name) for name in names}
        found: dict[str, Any] = {name: own[name][rows] for name in names if own[name] is not None}
        for name in {"clusters", "strata"} & found.keys():
            found[name] = kernels.distinct(found[name])[1]  # from 0 without gaps
        if "clusters" in found and found["clusters"].max() == 0:
            del found["clusters"]
        return FollowUp(**found)

    def check_events(self) -> None:
        """Raise where there is no event of interest."""
        if not self.n_events:
            raise InputError(
                f"no event of the cause among {len(self):,} rows, so there is no case."
            )

    def horizon(self, t: float) -> "Horizon":
        """Masses of the rows at time `t`."""
        return Horizon(self, t)

    def survival(self, t: float) -> float:
        """Kaplan-Meier estimate S(t) of being free of events of any cause."""
        return self.horizon(checks.real(t, "t")).survival

    def incidence(self, t: float) -> float:
        """Aalen-Johansen estimate of the probability of the event by `t`."""
        return self.horizon(checks.real(t, "t")).incidence

    def followed(self, t: float) -> float:
        """Kaplan-Meier estimate G(t) of not being censored by `t`; events come first (F8.3)."""
        k = int(np.searchsorted(self.times, checks.real(t, "t"), "right"))
        return float(self.censoring[k - 1]) if k else 1.0

    @cached_property
    def censoring(self) -> Floats:
        """G, the Kaplan-Meier estimate of not being censored, at each distinct time."""
        left, censored = self.risk.left, self.sums(self.weighted(self.status == CENSORED))
        hazard = censored / np.where(left > 0, left, np.inf)
        return np.asarray(np.cumprod(np.maximum(1.0 - hazard, 0.0)))

    def tally(
        self, time: float, score: str | None = None, *, controls: Controls | None = None
    ) -> Tally:
        """Weighted tally of cases and controls at a horizon, for every function of two classes.

        Values are those of the horizon; standard errors and intervals of these functions treat the
        masses as known, in contrast to those of `rocwise.survival`.

        Parameters
        ----------
        time : float
            Horizon.
        score : str, optional
            Name of the score, if there are several.
        controls : {"survivors", "all"}, optional
            Whether rows with a competing event by `time` are controls; by default they are.

        Returns
        -------
        Tally
            Cases and controls with their masses as weights.
        """
        name = self.only_name(score)
        found = self.horizon(checks.real(time, "time"))
        controls = controls or ("all" if self.n_competing else "survivors")
        checks.one_of(controls, "controls", get_args(Controls))
        found.check(controls)
        kept = found.case | found.controls(controls)
        column = self.column(name)
        return Tally.from_rows(
            found.case[kept].astype(np.uint8),
            column.of(column.oriented[kept]),
            weights=(self.a * found.mass)[kept],
            clusters=None if self.clusters is None else self.clusters[kept],
        ).with_origin(replace(column.origin, n_rows=int(kept.sum())))

    def __repr__(self) -> str:
        parts = [count_of(self.n, "row"), count_of(self.n_events, "event")]
        if self.n_competing:
            parts.append(count_of(self.n_competing, "competing event"))
        ends = f"times {self.time[0]:g} to {self.time[-1]:g}"
        head = f"FollowUp: {', '.join(parts)}, {self.n_censored:,} censored; {ends}"
        return "; ".join([head, *self.origin.remarks("an earlier event")])

    def to_frame(self) -> Any:
        """Kaplan-Meier table: one row per distinct time."""
        columns = {"time": self.times, "at_risk": self.risk.at_risk}
        for name, code in (("events", EVENT), ("competing", COMPETING), ("censored", CENSORED)):
            columns[name] = self.sums(self.a * (self.status == code))
        return as_frame(columns | {"survival": self.risk.after}, self.origin.frame)


class Horizon(Immutable):
    """Cases and controls at a horizon t, with the mass of every row (F8.2).

    Attributes
    ----------
    data : FollowUp
    time : float
        The horizon t.
    n_before : int
        Rows with a time up to t: the first ones.
    mass : ndarray
        m of each row; the sum of weight times mass is 1. 0 for rows censored by t.
    case, survivor, competing : ndarray of bool
        Event of interest by t; followed beyond t; competing event by t.
    """

    data: FollowUp
    time: float
    n_before: int
    _n_times: int  # distinct times up to t

    def __init__(self, data: FollowUp, time: float) -> None:
        n_times = int(np.searchsorted(data.times, time, "right"))
        n_before = int(data._starts[n_times])
        self._set(data=data, time=time, n_before=n_before, _n_times=n_times)

    @cached_property
    def case(self) -> Flags:
        """Rows with the event by t."""
        return self._by_now(EVENT)

    @cached_property
    def competing(self) -> Flags:
        """Rows with a competing event by t."""
        return self._by_now(COMPETING)

    def _by_now(self, code: int) -> Flags:
        found: Flags = self.data.status == code
        found[self.n_before :] = False
        return found

    @cached_property
    def survivor(self) -> Flags:
        """Rows followed beyond t that had entered by then."""
        found = np.zeros(len(self.data), np.bool_)
        found[self.n_before :] = True
        return found if self.data.entry is None else found & (self.data.entry <= self.time)

    def controls(self, controls: Controls) -> Flags:
        """Survivors, or all rows known to be without the event by t."""
        return self.survivor | self.competing if controls == "all" else self.survivor

    @property
    def n_censored(self) -> int:
        """Rows censored by t, whose class is unknown."""
        return int(np.count_nonzero(self.data.status[: self.n_before] == CENSORED))

    @cached_property
    def survival(self) -> float:
        """S(t)."""
        return float(self.data.risk.after[self._n_times - 1]) if self._n_times else 1.0

    @cached_property
    def incidence(self) -> float:
        """F_1(t): probability of the event of interest by t (Aalen-Johansen)."""
        k = self.n_before
        return float((self.data.weighted(self.mass)[:k] * self.case[:k]).sum())

    @cached_property
    def beyond(self) -> float:
        """Y(t+): weight of the survivors."""
        if self.data.entry is None and self.data.weights is None:
            return float(len(self.data) - self.n_before)
        return float(self.data.a[self.survivor].sum())

    @cached_property
    def mass(self) -> Floats:
        """The mass of each row."""
        f, k = self.data, self.n_before
        found = np.zeros(len(f))
        if f.strata is not None:
            for rows, part in f.parts:
                found[rows] = part.horizon(self.time).mass * (part.total / f.total)
            return found
        found[:k] = f.event_masses[:k]
        if self.beyond > 0:
            found[k:] = self.survival / self.beyond
        if f.entry is not None:
            found[k:] *= self.survivor[k:]
        return found

    def at_scores(self, name: str, controls: Controls) -> tuple[Floats, Floats]:
        """Masses of the cases and of the controls at each distinct score, ascending."""
        f, k = self.data, self.n_before
        rank, size, row_values = f.rank(name), f.n_scores(name), f.weighted(self.mass)
        cases: Any = np.bincount(rank[:k], row_values[:k] * self.case[:k], size)
        others: Any = np.bincount(rank[k:], row_values[k:], size)
        if controls == "all":
            others = others + np.bincount(rank[:k], row_values[:k] * self.competing[:k], size)
        return cases, others

    def influence(self, direct: Floats) -> Floats:
        """Influence values U of an estimate from its derivatives by the weights, masses fixed.

        `direct` are m_k times the derivative of the estimate by a_k m_k; the second term is that of
        the masses, which are estimated too (F8.9). The variance of the estimate is the sum of
        squares of a U, see `rocwise.survival.influence`.
        """
        return direct + self.mass_term(self.data.weighted(direct))

    def mass_term(self, q: Floats) -> Floats:
        """Sum of q_i d log m_i / d a_k over rows i, for every row k (F8.9).

        For weights of events only, such as Uno's, q is 0 elsewhere, and any later time will do.
        """
        f, k = self.data, self.n_before
        if f.strata is not None:
            found = np.zeros(len(f))
            for rows, part in f.parts:
                own = q[
                    rows
                ]  # masses are those within the stratum times its proportion of the rows
                found[rows] = part.horizon(self.time).mass_term(own) + own.sum() / part.total
            return found
        K, risk = self._n_times, f.risk
        e = np.bincount(f.group[:k], q[:k], K)
        q_S, upto = float(q[k:].sum()), np.cumsum(e)
        h = (q_S + (upto[-1] if K else 0.0) - upto) * risk.per_left[:K]
        cum = np.cumsum((h * risk.events[:K] - e) * risk.per_risk[:K])
        found = np.empty(len(f))
        found[:k] = cum[f.group[:k]] - h[f.group[:k]] * (f.status[:k] > CENSORED)
        found[k:] = cum[-1] if K else 0.0
        if f.entered is not None:
            found -= np.append(0.0, cum)[np.minimum(f.entered, K)]
        if q_S:
            found[k:] -= q_S / self.beyond * (1.0 if f.entry is None else self.survivor[k:])
        return found

    def check(self, controls: Controls = "survivors") -> None:
        """Raise where there is no case or no control at t."""
        f, t = self.data, self.time
        before = f"{self.n_censored:,} of {len(f):,} rows were censored before"
        f.check_events()
        if not self.case.any():
            first = f.event_times[0]
            raise InputError(f"no event by t = {t:g}: the first is at {first:g}; {before}.")
        if not self.survivor.any():
            exempt = controls == "all" and self.competing.any() and self.survival == 0
            if not exempt:
                longest = f.time[-1] if f.entry is None else f.time[f.entry <= t][-1]
                raise InputError(
                    f"no row was followed beyond t = {t:g} (longest {longest:g}), so there is "
                    f"no control; {before}."
                )
        elif self.survival == 0 and f.strata is None:
            empty = float(f.times[np.flatnonzero(f.risk.after == 0)[0]])
            raise InputError(
                f"all rows at risk at t = {empty:g} had their event, so that survival is 0 from "
                "there on though rows enter later; leave out the rows of the first times."
            )
        if f.strata is not None:
            self._check_strata()

    def _check_strata(self) -> None:
        for k, (_, part) in enumerate(self.data.parts):
            own = part.horizon(self.time)
            if own.survival > 0 and not own.survivor.any():
                name = self.data.strata_names[k] if self.data.strata_names else k
                raise InputError(
                    f"no row of stratum {name!r} of `censoring_by` was followed beyond "
                    f"t = {self.time:g} (longest {part.time[-1]:g})."
                )
