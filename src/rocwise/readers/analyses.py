"""The analysis of cells: means, differences and tests of modalities, or of a model and readers."""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np

from rocwise.arrays import Floats, Places
from rocwise.errors import InputError, count_of
from rocwise.inference.comparison import JointTest, all_pairs
from rocwise.inference.significance import Decision, Reference, checked_margin, decide
from rocwise.readers.cells import COVARIANCES, Cells, PairSums
from rocwise.readers.mean_of_readers import (
    NOISE,
    Anova,
    Mean,
    anova,
    contrast,
    difference_of,
    mean_of,
    off_diagonal,
)
from rocwise.readers.reader_comparison import ReaderComparison
from rocwise.readers.u_statistics import check_variance, pooled_mean
from rocwise.results import Interval, Table

COLUMNS = [  # of the differences of every reader
    *("reader", "first", "second", "difference", "standard_error", "low", "high", "p_value"),
]
METHODS: dict[str, str] = {
    "or": "Obuchowski-Rockette",
    "u-statistics": "U-statistics",
    "mle": "U-statistics, MLE variance",
}


@dataclass(frozen=True)
class Analysis:
    """How cells are compared: every option of a comparison, checked."""

    readers: str
    cases: str
    method: str
    level: float
    alternative: str
    margin: float | None
    ai: str | None


class Side(NamedTuple):
    """One side of a comparison: the cells of a modality, or of the standalone model."""

    name: str
    cells: Places
    readers: Places  # rising

    def repeated(self, other: "Side") -> "Side":
        """The cell of a standalone model for every reader of a modality."""
        return Side(self.name, np.repeat(self.cells, len(other.cells)), other.readers)


def compared_cells(
    cells: Cells, how: Analysis, sums: Callable[[], PairSums] | None = None
) -> ReaderComparison:
    """The comparison of cells; `sums` are those of U-statistics, for AUCs."""
    model = _model(cells, how)
    sides = _sides(cells, model)
    margin = checked_margin(how.alternative, how.margin, len(sides) + (model is not None))
    how = replace(how, margin=margin)
    if margin is not None and len(sides) + (model is not None) < 2:
        raise InputError("`margin` needs two modalities, or `ai`; the data have one modality.")
    _check_readers(cells, how, sides)
    method = _method(how, sides, model, sums)
    engine = Engine(cells, how, method, sums() if sums and method != "or" else None)
    return engine.result(sides, model)


def _model(cells: Cells, how: Analysis) -> Side | None:
    """The standalone model and the readers as two sides."""
    if how.ai is None:
        return None
    own = np.flatnonzero(cells.places[:, 1] == cells.readers.index(how.ai))
    others = cells.places[:, 1] != cells.places[own[0], 1]
    if not others.any():
        raise InputError(f"`ai` {how.ai!r} is the only reader; it needs readers to compare with.")
    if not (cells.read[own[0]] & cells.read[others].any(axis=0)).any():
        raise InputError(f"`ai` {how.ai!r} and the readers have no case in common.")
    return Side(how.ai, own, cells.places[own, 1])


def _sides(cells: Cells, model: Side | None) -> list[Side]:
    """The modalities with the cells of their readers."""
    own = cells.places[:, 1] == (-1 if model is None else model.readers[0])
    found = []
    for m, name in enumerate(cells.modalities):
        places = np.flatnonzero((cells.places[:, 0] == m) & ~own)
        if len(places):
            found.append(Side(name, places, cells.places[places, 1]))
    if len(found) == 1 and (model is not None or not found[0].name):
        n = len(found[0].cells)
        found = [found[0]._replace(name=f"mean of {count_of(n, 'reader')}")]
    return found


def _check_readers(cells: Cells, how: Analysis, sides: list[Side]) -> None:
    """Errors for what one reader cannot tell."""
    every = np.concatenate([side.readers for side in sides])
    counts = np.bincount(every, minlength=len(cells.readers))
    alone = [side for side in sides if len(side.cells) == 1]
    for side in alone:
        name = cells.readers[side.readers[0]]
        if len(sides) > 1 and counts[side.readers[0]] == 1:
            raise InputError(
                f"modality {side.name!r} has one reader, {name!r}, who has read no other; if that "
                f"is a standalone model, name it: ai={name!r}."
            )
    if alone and how.readers == "random":
        raise InputError(
            "one reader shows no variance between readers; use readers='fixed', which is about "
            "this reader alone."
        )


def _method(
    how: Analysis,
    sides: list[Side],
    model: Side | None,
    sums: Callable[[], PairSums] | None,
) -> str:
    """The method, which "auto" chooses by the readers of each pair of modalities."""
    partly = None
    for first, second in combinations(sides, 2):
        shared = set(first.readers) & set(second.readers)
        if shared and (len(shared) < len(first.readers) or len(shared) < len(second.readers)):
            partly = first.name, second.name
    if how.method == "or" or (how.method == "auto" and not partly):
        if partly:
            raise InputError(
                f"some readers have read both {partly[0]!r} and {partly[1]!r}, others one of them: "
                "use method='u-statistics'."
            )
        return "or"
    method = "u-statistics" if how.method == "auto" else how.method
    why = None
    if sums is None:
        why = "is for whole areas"
    elif model is not None:
        why = "has no comparison with `ai`"
    elif "fixed" in (how.readers, how.cases):
        why = "takes readers and cases to be random"
    if why:
        more = " (some readers have not read both modalities)" if how.method == "auto" else ""
        raise InputError(f"method={method!r}{more} {why}; use method='or'.")
    return method


@dataclass(frozen=True, eq=False)
class Engine:
    """Means, differences and tests of one comparison."""

    cells: Cells
    how: Analysis
    method: str
    sums: PairSums | None

    def mean(self, side: Side) -> Mean:
        """The mean of the readers of a modality."""
        if self.sums is not None:
            return self._pooled([side])
        v, C = self.cells.values[side.cells], self.cells.covariance[np.ix_(side.cells, side.cells)]
        return mean_of(v, C, self.how.readers, self.how.cases)

    def _pooled(self, sides: list[Side]) -> Mean:
        assert self.sums is not None
        return pooled_mean(
            self.sums,
            self.cells.values,
            [side.cells for side in sides],
            [side.readers for side in sides],
            self.method,
        )

    def difference(self, first: Side, second: Side) -> Mean:
        """The difference of two modalities, or of the standalone model and a modality."""
        if self.sums is not None:
            return self._pooled([first, second])
        values, C = self.cells.values, self.cells.covariance
        readers, one, other = _shared(first, second)
        if len(readers):
            C = contrast(C, one, other)
            return mean_of(values[one] - values[other], C, self.how.readers, self.how.cases)
        both = np.concatenate([first.cells, second.cells])
        groups = values[first.cells], values[second.cells]
        return difference_of(groups, C[np.ix_(both, both)], self.how.readers, self.how.cases)

    def decision(self, found: Mean, level: float) -> Decision:
        """Test and interval of a difference, cut to what differences can be."""
        largest = 1.0 if self.cells.bounded else math.inf
        decided = decide(
            found.value,
            found.error,
            alternative=self.how.alternative,
            margin=self.how.margin,
            level=level,
            reference=Reference(found.df),
        )
        return replace(decided, low=max(decided.low, -largest), high=min(decided.high, largest))

    def interval(self, found: Mean) -> Interval:
        """The interval of a mean, cut to what values can be."""
        reach = Reference(found.df).quantile(self.how.level) * found.error
        low, high = found.value - reach, found.value + reach
        if self.cells.bounded:
            low, high = max(low, 0.0), min(high, 1.0)
        return Interval(low, high, self.how.level, self.words())

    def words(self) -> str:
        """The method in words."""
        effects = f"{self.how.readers} readers and cases"
        if self.how.readers != self.how.cases:
            effects = f"{self.how.readers} readers, {self.how.cases} cases"
        used = METHODS[self.method]
        if self.method != "or" and len(np.unique(np.diagonal(self._pairs()))) > 1:
            used += " pooled over readings"
        if self.method == "or" and self.cells.method != "delong":
            used += f" with {COVARIANCES[self.cells.method]} covariances"
        return f"{used}, {effects}"

    def _pairs(self) -> Floats:
        assert self.sums is not None
        return np.asarray(self.sums.counts[3])

    def result(self, sides: list[Side], model: Side | None) -> ReaderComparison:
        """The comparison of all sides."""
        means = {side.name: self.mean(side) for side in sides}
        intervals = {n: self.interval(each) for n, each in means.items() if each.variance >= 0}
        estimates = {name: found.value for name, found in means.items()}
        by_reader = self._by_reader()
        pairs = list(combinations(sides, 2))
        if model is not None:
            k = int(model.cells[0])
            estimates = {model.name: float(self.cells.values[k])} | estimates
            intervals = {model.name: self.cell_interval(k)} | intervals
            pairs = [(model.repeated(side), side) for side in sides] + pairs
        found = [self.difference(*pair) for pair in pairs]
        truth = self.cells.truth
        fields: dict[str, Any] = {}
        noted = found or list(means.values())
        for each in noted if self.method != "or" else ():
            check_variance(each, self.method)
        if len(found) == 1:
            (mean,), decided = found, self.decision(found[0], self.how.level)
            fields = {
                "difference": mean.value,
                "standard_error": mean.error,
                "df": mean.df,
                "statistic": decided.statistic,
                "p_value": decided.p_value,
                "interval": Interval(decided.low, decided.high, self.how.level, self.words()),
            }
        elif found:
            joint = self._joint(sides) if model is None else None
            fields = {"pairwise": self._pairwise(list(estimates), found)}
            if joint is not None:
                fields |= {"statistic": joint.statistic, "df": joint.df, "p_value": joint.p_value}
                fields["df_denominator"] = joint.df_denominator
        elif len(means) == 1:
            mean = next(iter(means.values()))
            fields = {"standard_error": mean.error, "df": mean.df}
        return ReaderComparison(
            estimates=estimates,
            intervals=intervals,
            method=self.words(),
            quantity=self.cells.quantity,
            by_reader=by_reader,
            differences=self._differences(pairs),
            components=self._components(sides, model),
            design=design_of(self.cells, sides),
            n_readers=len(np.unique(np.concatenate([side.readers for side in sides]))),
            n_pos=int(np.count_nonzero(truth)),
            n_neg=int(np.count_nonzero(~truth)),
            n_readings=int(np.count_nonzero(self.cells.read)),
            note=self._note(noted),
            level=self.how.level,
            alternative=self.how.alternative,
            margin=self.how.margin,
            ai=self.how.ai,
            covariance=self.cells.method,
            seed=self.cells.seed,
            n_resamples=self.cells.n_resamples,
            origin=self.cells.origin,
            **fields,
        )

    def _note(self, found: list[Mean]) -> str | None:
        """What the variances show: none at all, or less between readers than due to cases."""
        notes = [self.cells.note] if self.cells.note else []
        both = self.how.readers == self.how.cases == "random" and self.method == "or"
        if len(found) == 1 and found[0].error == 0.0:
            notes.append("this sample shows no variance, so p and interval say little")
        elif len(found) == 1 and both and found[0].variance < found[0].fixed * (1 - 1e-9):
            fixed = math.sqrt(found[0].fixed)
            notes.append(
                "the readers vary less than the cases alone would make them vary (standard error "
                f"{found[0].error:.4f}, with fixed readers {fixed:.4f})"
            )
        return "; ".join(notes) or None

    def _by_reader(self) -> Table:
        """The endpoint of each cell with its interval."""
        cells = self.cells
        errors = np.sqrt(np.maximum(np.diagonal(cells.covariance), 0.0))
        limits = [self.cell_interval(k) for k in range(len(errors))]
        sizes = [cells.sizes(k) for k in range(len(errors))]
        return Table(
            reader=np.array([cells.readers[j] for _, j in cells.places], dtype=object),
            modality=np.array([cells.modalities[i] for i, _ in cells.places], dtype=object),
            n_pos=np.array([n for n, _ in sizes]),
            n_neg=np.array([n for _, n in sizes]),
            estimate=cells.values,
            standard_error=errors,
            low=np.array([each.low for each in limits]),
            high=np.array([each.high for each in limits]),
        )

    def cell_interval(self, k: int) -> Interval:
        """The interval of one cell: that of `auc` for areas, else a normal one."""
        cells, value = self.cells, float(self.cells.values[k])
        if cells.variances is not None:
            clustered = cells.origin.n_clusters is not None
            return cells.variances[k].interval(value, self.how.level, clustered=clustered)[1]
        found = self.interval(Mean(value, float(cells.covariance[k, k]), math.inf, 0.0))
        return replace(found, method="normal")

    def _differences(self, pairs: list[tuple[Side, Side]]) -> Table | None:
        """The difference of each reader who is on both sides, or from the standalone model."""
        rows = []
        for first, second in pairs:
            readers, one, other = _shared(first, second)
            values = (self.cells.values[one] - self.cells.values[other]).tolist()
            variances = np.diagonal(contrast(self.cells.covariance, one, other)).tolist()
            for j, value, variance in zip(readers, values, variances, strict=True):
                error = math.sqrt(variance) if variance > NOISE else 0.0
                found = decide(value, error, alternative="two-sided", level=self.how.level)
                sides = (self.cells.readers[j], first.name, second.name)
                rows.append((*sides, value, error, found.low, found.high, found.p_value))
        columns = dict(zip(COLUMNS, zip(*rows, strict=True), strict=False))
        names = {name: np.array(columns[name], dtype=object) for name in list(columns)[:3]}
        numbers = {name: np.array(each) for name, each in columns.items()}
        return Table(numbers | names) if rows else None

    def _pairwise(self, names: list[str], found: list[Mean]) -> Table:
        """One row for each pair; p adjusted by Holm, limits by Bonferroni."""
        means = dict(zip(combinations(range(len(names)), 2), found, strict=True))

        def test(a: int, b: int, level: float) -> tuple[float, float, Decision]:
            mean = means[a, b]
            return mean.value, mean.error, self.decision(mean, level)

        df = np.array([each.df for each in found])
        return Table({**all_pairs(names, self.how.level, test), "df": df})

    def _joint(self, sides: list[Side]) -> JointTest | None:
        """The joint test, where the same readers have read the same cases in all modalities."""
        table = _crossed(sides)
        if self.method != "or" or table is None or not self.cells.read.all():
            return None
        return self._anova(table).joint_test(self.how.readers, self.how.cases)

    def _anova(self, table: Places, C: Floats | None = None) -> Anova:
        cells = table.ravel()
        used = self.cells.covariance if C is None else C
        return anova(self.cells.values[table], used[np.ix_(cells, cells)])

    def _components(self, sides: list[Side], model: Side | None) -> dict[str, Any]:
        """Components of variance, and the parts that the cases of each class have in them."""
        table = _crossed(sides)
        parts = dict(zip(("positives", "negatives"), self.cells.parts or (), strict=False))
        if model is not None or len(sides) == 1:
            one, values = sides[0].cells, self.cells.values[sides[0].cells]
            first = None if model is None else model.repeated(sides[0]).cells
            if first is not None:
                values = self.cells.values[first] - values

            def own(C: Floats) -> dict[str, float]:
                C = C[np.ix_(one, one)] if first is None else contrast(C, first, one)
                return {"variance": float(np.trace(C)) / len(C), "covariance": off_diagonal(C)}

            found: dict[str, Any] = own(self.cells.covariance)
            S2 = float(values.var(ddof=1)) if len(values) > 1 else 0.0
            found = {"sigma2": S2 - found["variance"] + found["covariance"]} | found
            return found | {name: own(part) for name, part in parts.items()}
        if table is None or table.shape[1] < 2:
            return {}
        total = self._anova(table)
        found = {"var_reader": total.var_reader, "var_modality_reader": total.var_modality_reader}
        names = ("var", "cov1", "cov2", "cov3")
        found |= {name: getattr(total, name) for name in names}
        if total.var > 0:
            found |= {f"r{k}": found[f"cov{k}"] / total.var for k in (1, 2, 3)}
        for name, part in parts.items():
            own_class = self._anova(table, part)
            found[name] = {each: getattr(own_class, each) for each in names}
        return found


def _shared(first: Side, second: Side) -> tuple[Places, Places, Places]:
    """Readers on both sides, and their cells on either."""
    readers, one, other = np.intersect1d(first.readers, second.readers, return_indices=True)
    return readers, first.cells[one], second.cells[other]


def _crossed(sides: list[Side]) -> Places | None:
    """The cells as (modalities, readers), where all modalities have the same readers."""
    if any(not np.array_equal(side.readers, sides[0].readers) for side in sides):
        return None
    return np.stack([side.cells for side in sides])


def design_of(cells: Cells, sides: list[Side]) -> str:
    """The design in words (Hillis 2014); nothing is computed from it."""
    table = _crossed(sides)
    own = np.concatenate([side.cells for side in sides])
    read = cells.read[own]
    readers = np.concatenate([side.readers for side in sides])
    modality = np.repeat(np.arange(len(sides)), [len(side.cells) for side in sides])
    by_reader = np.stack([read[readers == j].any(axis=0) for j in np.unique(readers)])
    by_modality = np.stack([read[modality == m].any(axis=0) for m in range(len(sides))])
    if table is not None:
        if read.all():
            return "fully crossed"
        if len(by_reader) > 1 and by_reader.sum(axis=0).max() == 1:
            return "cases nested in readers"
        if len(sides) > 1 and by_modality.sum(axis=0).max() == 1:
            return "cases nested in modalities"
        groups = np.unique(by_reader, axis=0)
        same = all((read[readers == j] == read[readers == j][0]).all() for j in np.unique(readers))
        if same and 1 < len(groups) < len(by_reader) and groups.sum(axis=0).max() == 1:
            return f"split plot of {len(groups)} groups"
    elif len(np.unique(readers)) == len(readers):
        return "readers nested in modalities"
    every = len(np.unique(readers)) * len(sides) * read.shape[1]
    return f"{np.count_nonzero(read):,} of {every:,} readings"
