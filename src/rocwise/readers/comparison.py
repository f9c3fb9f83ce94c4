"""Comparison of modalities, or of a standalone model and readers, in a reader study (MRMC)."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations
from typing import Any, Literal, TypeVar, get_args

import numpy as np

from rocwise import checks, printing
from rocwise.arrays import Floats, Places
from rocwise.binary.statistics import AnyStatistic, StatisticName
from rocwise.data.readings import Marks, Study
from rocwise.errors import InputError, count_of, ends_traceback, listed, shown
from rocwise.inference import significance
from rocwise.inference.comparison import ModelComparison, all_pairs
from rocwise.inference.significance import Alternative, Decision, Reference, checked_margin, decide
from rocwise.inputs.labels import label_text
from rocwise.inputs.reader_studies import as_readings
from rocwise.inputs.rows import Direction, Missing
from rocwise.progress import Report
from rocwise.readers.cells import Cells, Covariance, chosen_endpoint, measured
from rocwise.readers.mean_of_readers import (
    Anova,
    Effect,
    Mean,
    Side,
    check_effects,
    mean_of,
    off_diagonal,
)
from rocwise.readers.u_statistics import PairSums, pooled_mean
from rocwise.results import ASIDE, Interval, Table, result

Method = Literal["auto", "or", "u-statistics", "mle"]
S = TypeVar("S", bound=Study)
LIMITS = ("standard_error", "low", "high")
BY_READER = ("reader", "modality", "n_pos", "n_neg", "estimate", *LIMITS)
DIFFERENCES = ("reader", "first", "second", "difference", *LIMITS, "p_value")
TEXTS = ("reader", "modality", "first", "second")
METHODS: dict[str, str] = {
    "or": "Obuchowski-Rockette",
    "u-statistics": "U-statistics",
    "mle": "U-statistics, MLE variance",
}


@ends_traceback
def compare(
    data: Any = None,
    y_score: Any = None,
    *,
    label: Any = None,
    score: Any = None,
    case: Any = None,
    reader: Any = None,
    modality: Any = None,
    groups: Any = None,
    modalities: Any = None,
    ai: Any = None,
    readers: Effect = "random",
    cases: Effect = "random",
    method: Method = "auto",
    covariance: Covariance | Literal["auto"] = "auto",
    max_fpr: float | None = None,
    fpr_range: tuple[float, float] | None = None,
    tpr_range: tuple[float, float] | None = None,
    at_sensitivity: float | None = None,
    at_specificity: float | None = None,
    threshold: float | None = None,
    statistic: StatisticName
    | Literal["sensitivity", "specificity"]
    | AnyStatistic
    | Callable[..., float]
    | None = None,
    level: float = 0.95,
    alternative: Alternative = "two-sided",
    margin: float | None = None,
    pos_label: Any = None,
    direction: Direction = "higher",
    missing: Missing = "raise",
    n_resamples: int = 2000,
    rng: Any = None,
    progress: bool | Report | None = None,
) -> ReaderComparison:
    """Compare modalities, or a standalone model with readers, in a multi-reader study (MRMC).

    Parameters
    ----------
    data : DataFrame, path or array-like
        Data frame or file with one row for each case that a reader has read in a modality, with the
        names of its columns; an ``.imrmc`` file; or labels, with `y_score`.
    y_score : array-like, optional
        Scores.
    label, score : str, optional
        Columns of truth and score.
    case, reader : str, or array-like with `y_score`
        Columns of case and reader.
    modality : str, or array-like with `y_score`, optional
        Column of the modality; None for one modality.
    groups : str, or array-like with `y_score`, optional
        Column of the patient of each case, for cases that are not independent; with method="or".
    modalities : list of str, optional
        Which modalities, in which order; by default all in the order of their first rows.
    ai : str, optional
        Reader that is a standalone model: compared with the mean of the others.
    readers : {"random", "fixed"}, default "random"
        Whether the result is about other readers, too.
    cases : {"random", "fixed"}, default "random"
        Whether the result is about other cases, too; not both "fixed".
    method : {"auto", "or", "u-statistics", "mle"}, default "auto"
        "or" is the Obuchowski-Rockette analysis [1]_ with Hillis' degrees of freedom [2]_.
        "u-statistics" and "mle" compare AUCs pooled over readings, for any design [3]_. "auto" is
        "or" unless some readers, not all, read both modalities.
    covariance : {"auto", "delong", "jackknife", "unbiased", "exact-bootstrap", "bootstrap"}
        How the covariances due to cases are estimated; "auto" is "delong" for the AUC and for
        rates at a threshold, "jackknife" for other statistics. U-statistics have variances of
        their own: then it is for `by_reader`, `differences` and `components` alone.
    max_fpr : float, optional
        Partial AUC up to this false positive rate.
    fpr_range, tpr_range : tuple of float, optional
        Partial AUC within this range of a rate.
    at_sensitivity, at_specificity : float, optional
        Specificity at this sensitivity, or sensitivity at this specificity.
    threshold : float, optional
        With statistic="sensitivity" or "specificity": scores from here on are positive.
    statistic : str, object or callable, optional
        Another statistic than the AUC, as in `rw.compare`; or a function of ``(y_true, y_score)``.
    level : float, default 0.95
        Confidence level.
    alternative : {"two-sided", "greater", "less", "non-inferior", "equivalent"}
        Alternative hypothesis for first minus second; default "two-sided".
    margin : float, optional
        Margin of non-inferiority or equivalence.
    pos_label : optional
        Label of the positive class; not needed for 0/1, -1/1 and booleans.
    direction : {"higher", "lower"}, default "higher"
        Which scores mean positive.
    missing : {"raise", "drop"}, default "raise"
        Missing values: an error, or the reading is left out.
    n_resamples : int, default 2000
        Number of resamples, for covariance="bootstrap".
    rng : int, numpy.random.Generator or None, default None
        Seed or random generator.
    progress : bool or callable, optional
        Progress bar of resamples; by default for long work in a terminal.

    Returns
    -------
    ReaderComparison
        `estimates`, `difference`, `interval`, `p_value`, `df`; by reader `by_reader` and
        `differences`; `pairwise` for three modalities and more; `components` of variance.

    See Also
    --------
    readers.plan : Sample size and power of reader studies.
    froc : Marks on lesions.
    compare : Comparison of models on the same cases.

    References
    ----------
    .. [1] N. A. Obuchowski and H. E. Rockette, "Hypothesis testing of diagnostic accuracy for
           multiple readers and multiple tests", Commun. Stat. Simul. Comput. 24, 1995.
           doi:10.1080/03610919508813243
    .. [2] S. L. Hillis, "A comparison of denominator degrees of freedom methods for multiple
           observer ROC analysis", Stat. Med. 26, 2007. doi:10.1002/sim.2532
    .. [3] B. D. Gallas et al., "A framework for random-effects ROC analysis", Commun. Stat. Theory
           Methods 38, 2009. doi:10.1080/03610920802610084

    Examples
    --------
    >>> import rocwise as rw
    >>> from rocwise.datasets import reader_study
    >>> study = reader_study()
    >>> found = rw.readers.compare(
    ...     study.y_true, study.y_score, case=study.case, reader=study.reader,
    ...     modality=study.modality,
    ... )
    >>> round(found.difference, 3), round(found.p_value, 3), found.design
    (-0.074, 0.077, 'fully crossed')
    """
    level = checks.level(level)
    check_effects(readers, cases)
    checks.one_of(method, "method", get_args(Method))
    checks.one_of(covariance, "covariance", ("auto", *get_args(Covariance)))
    n_resamples = checks.draws(n_resamples, rng, progress, at_least=2)
    options = (max_fpr, fpr_range, tpr_range, at_sensitivity, at_specificity)
    endpoint = chosen_endpoint(options, threshold, statistic, direction)
    roles = {"label": label, "score": score, "case": case, "reader": reader}
    roles |= {"modality": modality, "groups": groups}
    readings = as_readings(
        "compare", data, y_score, roles, pos_label=pos_label, direction=direction, missing=missing
    )
    chosen, sides, model = chosen_sides(readings, modalities, ai)
    cells = measured(chosen, endpoint, covariance, n_resamples, rng, progress)
    return Analysis(
        cells, sides, model, readers, cases, method, level, alternative, margin
    ).result()


@result
class ReaderComparison(ModelComparison):
    """Modalities of a reader study compared, or a standalone model and the mean reader.

    `difference`, `standard_error`, `df`, `interval`, `statistic` and `p_value` are those of two
    modalities, or of the model less the mean of the readers; of three modalities and more
    `statistic`, `df`, `df_denominator` and `p_value` are those of the joint test, and `pairwise`
    has one row for each pair, as in `Comparison`. With one modality there are means alone.

    Attributes
    ----------
    by_reader : Table
        `reader, modality, n_pos, n_neg, estimate, standard_error, low, high`.
    differences : Table
        For each reader `reader, first, second, difference, standard_error, low, high, p_value`,
        by the normal distribution.
    components : dict
        Of modalities `var_reader, var_modality_reader, var, cov1, cov2, cov3, r1, r2, r3`; of a
        model and readers, and of one modality, `sigma2, variance, covariance`. The parts that the
        cases of each class have in the covariances are under `negatives` and `positives`.
    design : str
        "fully crossed", "split plot of 2 groups", "1,037 of 1,140 readings", ...
    n_readers, n_pos, n_neg, n_readings : int
        Readers without the standalone model; cases; readings.
    df, df_denominator : float or None
        Degrees of freedom; infinite for the normal distribution.
    ai : str or None
        Name of the standalone model.
    covariance : str
        How covariances due to cases were estimated, such as "delong".
    note : str or None
        Limits of the analysis of these data.
    """

    by_reader: Table
    differences: Table | None = None
    components: dict[str, Any] = field(default_factory=dict)
    design: str = "fully crossed"
    n_readers: int
    n_pos: int
    n_neg: int
    n_readings: int
    df: float | None = None
    df_denominator: float | None = None
    note: str | None = None
    level: float = 0.95
    alternative: str = "two-sided"
    margin: float | None = None
    ai: str | None = None
    covariance: str = "delong"
    _data: Any = field(default=None, metadata=ASIDE)

    @property
    def localized(self) -> bool:
        """Whether this is about marks on lesions (FROC)."""
        return isinstance(self._data, Marks)

    @property
    def two_sided_p_value(self) -> float:
        """The p value of the difference of two modalities against both alternatives."""
        tested: Any = self.difference, self.standard_error
        reference = significance.Reference(self.df)
        return significance.decide(*tested, alternative="two-sided", reference=reference).p_value

    def curves(self) -> dict[str, dict[str, tuple[Floats, Floats]]]:
        """ROC or FROC curves of readers by modality and reader, and "average", their vertical mean.

        A curve is its x and y. The area under the average is the mean of the readers' areas, which
        that of pooled scores is not (Chen and Samuelson 2014). The standalone model is apart.
        """
        data = self._data
        found: dict[str, dict[str, tuple[Floats, Floats]]] = {}
        names = [name for name in self.estimates if name != self.ai]
        for k, (m, j) in enumerate(data.places.tolist()):
            side = data.modalities[m] if len(names) > 1 else names[0]
            side = data.readers[j] if data.readers[j] == self.ai else side
            found.setdefault(side, {})[data.readers[j]] = data.curve_of(k)
        for name in names:
            found[name]["average"] = vertical_average(list(found[name].values()))
        return {name: found[name] for name in self.estimates}

    def _method_words(self) -> list[str]:
        covariance = "DeLong" if self.covariance == "delong" else self.covariance.replace("-", " ")
        own = ["free-response ROC"] if self.localized else []
        return [*super()._method_words(), covariance, *own]

    def _number(self, value: float) -> str:
        return f"{value:.3f}" if abs(value) < 1000 else f"{value:.4g}"

    def _claim(self) -> str:
        margin = "" if self.margin is None else f" within {self.margin:g}"
        return "" if self.alternative == "two-sided" else f" for '{self.alternative}'{margin}"

    def _sentence(self) -> str:
        shown = [f"{name} {self._number(value)}" for name, value in self.estimates.items()]
        sizes = printing.classes(self.n_pos, self.n_neg)
        readers = f"mean of {count_of(self.n_readers, 'reader')}"
        p = None if self.p_value is None else printing.p_value(self.p_value) + self._claim()
        note = f"; {self.note}" if self.note else ""
        end = f"({self.method}{self._df_words()}{self._draw_words()}){note}"
        if self.difference is not None:
            quantity = self.quantity + (":" if " " in self.quantity else "")
            about = f"{shown[1]}, {readers}" if self.ai is None else f"the {shown[1]}"
            change = f"difference {self._number(self.difference)}{self.interval_words()}"
            return f"{quantity} {shown[0]} against {about}, {sizes}: {change}, {p} {end}"
        if len(self.estimates) == 1 and self.intervals:
            (name, interval), value = *self.intervals.items(), self.estimates.values()
            of = "" if name == readers else f" of {name}"
            low, high = map(self._number, interval)
            text = f"{self._number(*value)} ({printing.percent(self.level)} CI {low} to {high}"
            return f"{self.quantity}{of}, {readers}, {sizes}: {text}; {end.removeprefix('(')}"
        joint = f"all equal: {p}" if p else "pairs only, without a joint test"
        return f"{self.quantity} of {', '.join(shown)}, {readers}, {sizes}; {joint} {end}"

    def _df_words(self) -> str:
        df, below = self.df, self.df_denominator
        if below is not None:
            return f", F with {df:g} and {'infinite' if math.isinf(below) else f'{below:.1f}'} df"
        if df is None or math.isinf(df):
            return ""
        if self.pairwise is not None:
            return f", chi-square with {df:g} df"
        return f", {df:.{1 if df < 100 else 0}f} df"

    def _columns(self) -> dict[str, Any]:
        if self.pairwise is None and self.difference is None:
            return dict(self.by_reader)
        return super()._columns()


def vertical_average(curves: list[tuple[Floats, Floats]]) -> tuple[Floats, Floats]:
    """The mean height of polylines at every x, below and above where one of them jumps."""
    x = np.unique(np.concatenate([own for own, _ in curves]))
    below = [np.interp(-x, -own[::-1], y[::-1]) for own, y in curves]
    above = [np.interp(x, own, y) for own, y in curves]
    heights = np.stack([np.mean(below, axis=0), np.mean(above, axis=0)], axis=1)
    return np.repeat(x, 2), heights.ravel()


@dataclass(frozen=True, eq=False)
class Analysis:
    """Means, differences and tests of modalities, and of a standalone model if there is one."""

    cells: Cells
    sides: list[Side]
    model: Side | None
    readers: str
    cases: str
    method: str
    level: float
    alternative: str
    margin: float | None
    sums: PairSums | None = None  # for U-statistics

    def result(self) -> ReaderComparison:
        """The comparison of all modalities, or of the standalone model."""
        n_sides = len(self.sides) + (self.model is not None)
        if n_sides > 2 and self.alternative != "two-sided":
            raise InputError(
                f"alternative={self.alternative!r} is about one difference: choose "
                f"{'one modality' if self.model else 'two modalities'}, modalities=[...]."
            )
        margin = checked_margin(self.alternative, self.margin, n_sides)
        if margin is not None and n_sides < 2:
            raise InputError("`margin` needs two modalities, or `ai`; the data have one modality.")
        _check_readers(self)
        method = _method(self)
        sums = PairSums.of(self.cells.data) if method != "or" else None
        return replace(self, margin=margin, method=method, sums=sums)._result()

    def mean(self, *sides: Side) -> Mean:
        """The mean of the readers of a modality, or the difference of two sides."""
        if self.sums is not None:
            return pooled_mean(self.sums, sides, self.method)
        found, cells = self.contrasts(*sides), self.cells
        return mean_of(found, cells.values, cells.covariance, self.readers, self.cases)

    def contrasts(self, *sides: Side) -> list[Floats]:
        """Matrices (readers, cells) whose products with the estimates `mean` is the mean of."""
        unit = np.eye(len(self.cells.values))
        if len(sides) == 1:
            return [unit[sides[0].cells]]
        readers, one, other = _shared(*sides)
        if len(readers):
            return [unit[one] - unit[other]]
        return [unit[sides[0].cells], -unit[sides[1].cells]]

    def decision(self, found: Mean, level: float, **claim: Any) -> Decision:
        """Two-sided test or that of a claim, and interval, cut to what there can be."""
        claim = {"alternative": "two-sided", "level": level, **claim}
        test = decide(found.value, found.error, reference=Reference(found.df), **claim)
        if not self.cells.bounded:
            return test
        return replace(test, low=max(test.low, -1.0), high=min(test.high, 1.0))

    def interval(self, found: Mean) -> Interval:
        """The interval of a mean."""
        limits = self.decision(found, self.level)
        low = max(limits.low, 0.0) if self.cells.bounded else limits.low
        return Interval(low, limits.high, self.level, self.words())

    def words(self) -> str:
        """The method in words."""
        used = METHODS[self.method]
        effects = f"{self.readers} readers and cases"
        if self.readers != self.cases:
            effects = f"{self.readers} readers, {self.cases} cases"
        if self.sums is not None and np.ptp(np.diagonal(self.sums.counts[3])) > 0:
            used += " pooled over readings"
        if self.sums is None and self.cells.method != "delong":
            used += f" with {self.cells.method.replace('-', ' ')} covariances"
        return f"{used}, {effects}"

    def _result(self) -> ReaderComparison:
        cells, data, sides, model = self.cells, self.cells.data, self.sides, self.model
        means = {side.name: self.mean(side) for side in sides}
        intervals = {n: self.interval(each) for n, each in means.items() if not each.is_negative}
        estimates = {name: found.value for name, found in means.items()}
        pairs = list(combinations(sides, 2))
        if model is not None:
            k = int(model.cells[0])
            estimates = {model.name: float(cells.values[k])} | estimates
            intervals = {model.name: self.cell_interval(k)} | intervals
            pairs = [(model.repeated(side), side) for side in sides] + pairs
        found = [self.mean(*pair) for pair in pairs] or list(means.values())
        self._check_variances(found)
        fields: dict[str, Any] = {}
        if len(found) == 1:
            fields = {"standard_error": found[0].error, "df": found[0].df}
        if len(pairs) == 1:
            claim = {"alternative": self.alternative, "margin": self.margin}
            decided = self.decision(found[0], self.level, **claim)
            interval = Interval(decided.low, decided.high, self.level, self.words())
            fields |= {"difference": found[0].value, "interval": interval}
            fields |= {"statistic": decided.statistic, "p_value": decided.p_value}
        elif pairs:
            means_of_pairs = dict(zip(combinations(range(len(estimates)), 2), found, strict=True))

            def test(a: int, b: int, level: float) -> tuple[float, float, Decision]:
                mean = means_of_pairs[a, b]
                return mean.value, mean.error, self.decision(mean, level)

            table = all_pairs(list(estimates), self.level, test)
            df = np.array([each.df for each in found])
            fields = {"pairwise": Table({**table, "df": df})}
            if model is None and _crossed(sides) and data.read.all() and self.sums is None:
                joint = self._anova().joint_test(self.readers, self.cases)
                fields |= {"statistic": joint.statistic, "df": joint.df, "p_value": joint.p_value}
                fields["df_denominator"] = joint.df_denominator
        differences, n_left_out = self._differences(pairs)
        n_pos = int(np.count_nonzero(data.truth))
        return ReaderComparison(
            estimates=estimates,
            intervals=intervals,
            method=self.words(),
            quantity=cells.quantity,
            by_reader=self._by_reader(),
            differences=differences,
            components=self._components(),
            design=design_of(data, sides),
            n_readers=len(np.unique(np.concatenate([side.readers for side in sides]))),
            n_pos=n_pos,
            n_neg=len(data.truth) - n_pos,
            n_readings=int(np.count_nonzero(data.read)),
            note=self._note(found, n_left_out),
            level=self.level,
            alternative=self.alternative,
            margin=self.margin,
            ai=None if model is None else model.name,
            covariance=cells.method,
            seed=cells.seed,
            n_resamples=cells.n_resamples,
            origin=data.origin,
            _data=data,
            **fields,
        )

    def _check_variances(self, found: list[Mean]) -> None:
        """An error for a negative variance, of which there is no test."""
        negative = next((each.variance for each in found if each.is_negative), None)
        if negative is None:
            return
        few, way, partly = "readers", "use method='or'", partly_shared(self.sides)
        if self.method == "or":
            few, way = "cases", "use covariance='delong'"
        elif partly:
            way = f"leave out readers who have not read both {partly[0]!r} and {partly[1]!r}"
        if self.method == "u-statistics":
            way += ", or use method='mle', which is conservative"
        name = "MLE" if self.method == "mle" else "unbiased"
        raise InputError(f"the {name} variance is negative ({negative:.3g}): too few {few}; {way}.")

    def _note(self, found: list[Mean], n_left_out: int) -> str | None:
        """What the variances show: none at all, or less between readers than due to cases."""
        notes = [self.cells.note] if self.cells.note else []
        if n_left_out:
            of = count_of(n_left_out, "reader")
            notes.append(f"the difference of {of} has a negative unbiased variance and is left out")
        both = self.readers == self.cases == "random" and self.sums is None
        if len(found) == 1 and found[0].error == 0.0:
            notes.append("this sample shows no variance: p and interval are unreliable")
        elif len(found) == 1 and both and found[0].variance < found[0].fixed * (1 - 1e-9):
            notes.append(
                "the readers vary less than the cases alone would make them vary (standard error "
                f"{found[0].error:.4f}, with fixed readers {math.sqrt(found[0].fixed):.4f})"
            )
        return "; ".join(notes) or None

    def _by_reader(self) -> Table:
        """The endpoint of each cell with its interval."""
        cells, data = self.cells, self.cells.data
        errors = np.sqrt(np.maximum(np.diagonal(cells.covariance), 0.0))
        each = zip(data.places, data.sizes(), cells.values, errors, strict=True)
        rows = [
            (data.readers[j], data.modalities[i], *sizes, *found, *self.cell_interval(k))
            for k, ((i, j), sizes, *found) in enumerate(each)
        ]
        return _table(BY_READER, rows)

    def cell_interval(self, k: int) -> Interval:
        """The interval of one cell: that of `auc` for areas, else a normal one."""
        cells, value = self.cells, float(self.cells.values[k])
        if cells.variances is not None:
            clustered = cells.data.clusters is not None
            return cells.variances[k].interval(value, self.level, clustered=clustered)[1]
        found = self.interval(Mean(value, float(cells.covariance[k, k]), math.inf, 0.0))
        return replace(found, method="normal")

    def _differences(self, pairs: list[tuple[Side, Side]]) -> tuple[Table | None, int]:
        """The difference of each reader who is on both sides, or from the standalone model.

        Those with a negative variance are left out, and counted.
        """
        rows, unit = [], np.eye(len(self.cells.values))
        shared = [(first.name, second.name, *_shared(first, second)) for first, second in pairs]
        for *names, readers, one, other in shared:
            A = unit[one] - unit[other]
            variances = np.diagonal(A @ self.cells.covariance @ A.T).tolist()
            for j, value, V in zip(readers, A @ self.cells.values, variances, strict=True):
                found = Mean(value, V, math.inf, V)
                test = self.decision(found, self.level)
                own = self.cells.data.readers[j], *names, value, found.error
                rows.append((found.is_negative, *own, test.low, test.high, test.p_value))
        kept = [own for is_negative, *own in rows if not is_negative]
        return _table(DIFFERENCES, kept) if kept else None, len(rows) - len(kept)

    def _anova(self, covariance: Floats | None = None) -> Anova:
        table = np.stack([side.cells for side in self.sides])
        C = self.cells.covariance if covariance is None else covariance
        return Anova.of(self.cells.values[table], C[np.ix_(table.ravel(), table.ravel())])

    def _components(self) -> dict[str, Any]:
        """Components of variance, and the parts that the cases of each class have in them."""
        parts = dict(zip(("positives", "negatives"), self.cells.parts or (), strict=False))
        sides, model = self.sides, self.model
        if model is None and len(sides) > 1:
            if not _crossed(sides) or len(sides[0].cells) < 2:
                return {}
            found: dict[str, Any] = self._anova().components()
            return found | {name: self._anova(C).covariances for name, C in parts.items()}
        (A,) = self.contrasts(*([model.repeated(sides[0])] if model else []), sides[0])

        def own(C: Floats) -> dict[str, float]:
            C = A @ C @ A.T
            return {"variance": float(np.trace(C)) / len(C), "covariance": off_diagonal(C)}

        found = own(self.cells.covariance)
        S2 = float((A @ self.cells.values).var(ddof=1)) if len(A) > 1 else 0.0
        found = {"sigma2": S2 - found["variance"] + found["covariance"]} | found
        return found | {name: own(part) for name, part in parts.items()}


def _table(names: tuple[str, ...], rows: Sequence[Sequence[Any]]) -> Table:
    columns = zip(names, zip(*rows, strict=True), strict=True)
    return Table({n: np.array(own, object if n in TEXTS else None) for n, own in columns})


def chosen_sides(data: S, modalities: Any, ai: Any) -> tuple[S, list[Side], Side | None]:
    """Cells of some modalities in their order, and of the standalone model, which has its own."""
    ai = None if ai is None else label_text(ai)
    modality, reader = data.places.T
    wanted = list(range(len(data.modalities)))
    if modalities is not None:
        names = [label_text(each) for each in checks.members(modalities, "modalities", "names")]
        for name in names:
            if name not in data.modalities:
                raise InputError(
                    f"`modalities` names {name!r}; those of the data are {listed(data.modalities)}."
                )
        if not names or len(set(names)) < len(names):
            raise InputError(f"`modalities` must name different ones; got {shown(modalities)}.")
        wanted = [data.modalities.index(name) for name in names]
    if ai is not None and ai not in data.readers:
        raise InputError(f"`ai` must be one of the readers, {listed(data.readers)}; got {ai!r}.")
    own = reader == (-1 if ai is None else data.readers.index(ai))
    model = np.flatnonzero(own & np.isin(modality, wanted))
    model = model if len(model) else np.flatnonzero(own)
    if len(model) > 1:
        raise InputError(
            f"`ai` {ai!r} has scores in modalities "
            f"{listed(data.modalities[m] for m in modality[model])}; name one: modalities=[...]."
        )
    kept = [cells for m in wanted if len(cells := np.flatnonzero((modality == m) & ~own))]
    if not kept:
        raise InputError(f"`ai` {ai!r} is the only reader; it needs readers to compare with.")
    chosen = np.concatenate([*kept, model])
    *places, last = np.split(np.arange(len(chosen)), np.cumsum([len(cells) for cells in kept]))
    sides = [
        Side(data.modalities[modality[cells[0]]], own, reader[cells])
        for cells, own in zip(kept, places, strict=True)
    ]
    if len(sides) == 1 and (ai is not None or not sides[0].name):
        sides = [sides[0]._replace(name=f"mean of {count_of(len(sides[0].cells), 'reader')}")]
    if ai is None:
        return data.some(chosen), sides, None
    if not (data.read[model] & data.read[chosen[:-1]].any(axis=0)).any():
        raise InputError(f"`ai` {ai!r} and the readers have no case in common.")
    return data.some(chosen), sides, Side(ai, last, reader[model])


def _check_readers(how: Analysis) -> None:
    """Raise for data of a single reader."""
    every = np.concatenate([side.readers for side in how.sides]).tolist()
    alone = [side for side in how.sides if len(side.cells) == 1]
    for side in alone:
        name = how.cells.data.readers[side.readers[0]]
        if len(how.sides) > 1 and every.count(side.readers[0]) == 1:
            raise InputError(
                f"modality {side.name!r} has one reader, {name!r}, who has read no other; if that "
                f"is a standalone model, name it: ai={name!r}."
            )
    if alone and how.readers == "random":
        raise InputError(
            "one reader shows no variance between readers; use readers='fixed', which is about "
            "this reader alone."
        )


def _method(how: Analysis) -> str:
    """The method, which "auto" chooses by the readers of each pair of modalities."""
    partly = partly_shared(how.sides)
    if how.method == "or" and partly:
        way = "use method='u-statistics'" if how.cells.areas else "leave out the others"
        raise InputError(
            f"some readers have read both {partly[0]!r} and {partly[1]!r}, others one of them: "
            f"{way}."
        )
    if how.method == "or" or (how.method == "auto" and not partly):
        return "or"
    method = "u-statistics" if how.method == "auto" else how.method
    reasons = {
        "is for the full AUC": not how.cells.areas,
        "has no comparison with `ai`": how.model is not None,
        "takes readers and cases to be random": "fixed" in (how.readers, how.cases),
        "takes cases to be independent, without `groups`": how.cells.data.clusters is not None,
    }
    why = next((reason for reason, found in reasons.items() if found), None)
    if why:
        more = " (some readers have not read both modalities)" if how.method == "auto" else ""
        way = "leave out readers who have not read both" if partly else "use method='or'"
        raise InputError(f"method={method!r}{more} {why}; {way}.")
    return method


def partly_shared(sides: list[Side]) -> tuple[str, str] | None:
    """Two modalities that some readers have read both of, and others one."""
    for first, second in combinations(sides, 2):
        if 0 < len(_shared(first, second)[0]) < max(len(first.cells), len(second.cells)):
            return first.name, second.name
    return None


def _shared(first: Side, second: Side) -> tuple[Places, Places, Places]:
    """Readers on both sides, and their cells on either."""
    readers, one, other = np.intersect1d(first.readers, second.readers, return_indices=True)
    return readers, first.cells[one], second.cells[other]


def _crossed(sides: list[Side]) -> bool:
    """Whether all modalities have the same readers."""
    return all(np.array_equal(side.readers, sides[0].readers) for side in sides)


def design_of(data: Study, sides: list[Side]) -> str:
    """The design in words (Hillis 2014); nothing is computed from it."""
    read = data.read[np.concatenate([side.cells for side in sides])]
    reader = np.concatenate([side.readers for side in sides])
    modality = np.repeat(np.arange(len(sides)), [len(side.cells) for side in sides])
    by_reader = np.stack([read[reader == j].any(axis=0) for j in np.unique(reader)])
    by_modality = np.stack([read[modality == m].any(axis=0) for m in np.unique(modality)])
    if _crossed(sides):
        if read.all():
            return "fully crossed"
        if len(by_reader) > 1 and by_reader.sum(axis=0).max() == 1:
            return "cases nested in readers"
        if len(sides) > 1 and by_modality.sum(axis=0).max() == 1:
            return "cases nested in modalities"
        groups = np.unique(by_reader, axis=0)
        same = np.array_equal(read, np.tile(by_reader, (len(sides), 1)))
        if same and 1 < len(groups) < len(by_reader) and groups.sum(axis=0).max() == 1:
            return f"split plot of {len(groups)} groups"
    elif len(by_reader) == len(reader):
        return "readers nested in modalities"
    every = len(by_reader) * len(sides) * read.shape[1]
    return f"{np.count_nonzero(read):,} of {every:,} readings"
