"""Comparison of modalities, or of a standalone model and readers, in a reader study (MRMC)."""

import math
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from itertools import combinations
from typing import Any, Literal, NamedTuple, TypeVar, cast, get_args

import numpy as np

from rocwise import checks, printing
from rocwise.arrays import Floats, Places
from rocwise.binary.statistics import AnyStatistic, StatisticName
from rocwise.data.readings import Marks, Readings
from rocwise.errors import InputError, count_of, ends_traceback, listed, shown
from rocwise.inference.comparison import JointTest, ModelComparison
from rocwise.inference.significance import (
    Alternative,
    Decision,
    Reference,
    checked_margin,
    decide,
    holm,
)
from rocwise.inputs.labels import label_text
from rocwise.inputs.reader_studies import as_readings
from rocwise.inputs.rows import Direction, Missing
from rocwise.progress import Report
from rocwise.readers.cells import (
    COVARIANCES,
    Cells,
    Covariance,
    PairSums,
    chosen_endpoint,
    measured,
)
from rocwise.readers.mean_of_readers import (
    NOISE,
    Anova,
    Effect,
    Mean,
    anova,
    contrast,
    difference_of,
    mean_of,
    off_diagonal,
)
from rocwise.readers.u_statistics import check_variance, pooled_mean
from rocwise.results import ASIDE, Interval, Table, result

R = TypeVar("R", bound=Readings | Marks)
Method = Literal["auto", "or", "u-statistics", "mle"]
COLUMNS = [  # of the differences of every reader
    *("reader", "first", "second", "difference", "standard_error", "low", "high", "p_value"),
]
METHODS: dict[str, str] = {
    "or": "Obuchowski-Rockette",
    "u-statistics": "U-statistics",
    "mle": "U-statistics, MLE variance",
}


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
    equal_models = "all equal"
    _data: Any = field(default=None, metadata=ASIDE)

    @property
    def localized(self) -> bool:
        """Whether this is about marks on lesions (FROC)."""
        return isinstance(self._data, Marks)

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
        own = ["free-response ROC"] if self.localized else []
        return [*super()._method_words(), COVARIANCES[self.covariance], *own]

    def _number(self, value: float) -> str:
        return f"{value:.3f}" if abs(value) < 1000 else f"{value:.4g}"

    def _claim(self) -> str:
        margin = "" if self.margin is None else f" within {self.margin:g}"
        return "" if self.alternative == "two-sided" else f" for '{self.alternative}'{margin}"

    def _sentence(self) -> str:
        shown = [f"{name} {self._number(value)}" for name, value in self.estimates.items()]
        quantity = self.quantity + (":" if " " in self.quantity else "")
        sizes = printing.classes(self.n_pos, self.n_neg)
        readers = f"mean of {count_of(self.n_readers, 'reader')}"
        p = None if self.p_value is None else printing.p_value(self.p_value) + self._claim()
        end = f"({self.method}{self._df_words()}{self._draw_words()})" + (
            f"; {self.note}" if self.note else ""
        )
        if self.difference is not None:
            first, second = shown if self.ai is None else (shown[0], f"the {shown[1]}")
            about = f", {sizes}" if self.ai is not None else f", {readers}, {sizes}"
            return (
                f"{quantity} {first} against {second}{about}: difference "
                f"{self._number(self.difference)}{self.interval_words()}, {p} {end}"
            )
        if len(self.estimates) == 1 and self.intervals:
            name, value = next(iter(self.estimates.items()))
            of = "" if name == readers else f" of {name}"
            interval = self.intervals[name]
            low, high = map(self._number, interval)
            return (
                f"{self.quantity}{of}, {readers}, {sizes}: {self._number(value)} "
                f"({printing.percent(interval.level)} CI {low} to {high}) {end}"
            )
        joint = f"; {self.equal_models}: {p}" if p else ""
        return f"{self.quantity} of {', '.join(shown)}, {readers}, {sizes}{joint} {end}"

    def _df_words(self) -> str:
        if self.df is None or (math.isinf(self.df) and self.df_denominator is None):
            return ""
        if self.df_denominator is None:
            return f", {self.df:.1f} df" if self.df < 100 else f", {self.df:.0f} df"
        below = self.df_denominator
        return f", F with {self.df:g} and {'infinite' if math.isinf(below) else f'{below:.1f}'} df"

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
        Column of the patient of each case, for cases that are not independent.
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
        rates at a threshold, "jackknife" for other statistics.
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
    checks.one_of(readers, "readers", get_args(Effect))
    checks.one_of(cases, "cases", get_args(Effect))
    checks.one_of(method, "method", get_args(Method))
    checks.one_of(covariance, "covariance", ("auto", *get_args(Covariance)))
    n_resamples = checks.draws(n_resamples, rng, progress, at_least=2)
    if readers == cases == "fixed":
        raise InputError("`readers` and `cases` are both 'fixed'; one of them must be random.")
    options = (max_fpr, fpr_range, tpr_range, at_sensitivity, at_specificity)
    endpoint = chosen_endpoint(options, threshold, statistic)
    roles = {"label": label, "score": score, "case": case, "reader": reader}
    roles |= {"modality": modality, "groups": groups}
    readings = as_readings(
        "compare", data, y_score, roles, pos_label=pos_label, direction=direction, missing=missing
    )
    model = None if ai is None else label_text(ai)
    chosen = selected(readings, modalities, model)
    cells = measured(chosen, endpoint, covariance, n_resamples, rng, progress)
    how = Analysis(readers, cases, method, level, alternative, margin, model)
    sums = None
    if method != "or" and endpoint.whole:
        sums = lambda: PairSums.of_readings(chosen)  # noqa: E731
    return replace(compared_cells(cells, how, sums), _data=chosen)


def selected(data: R, modalities: Any, ai: str | None) -> R:
    """The cells of some modalities in their order; the standalone model may have its own."""
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
    model = data.readers.index(ai) if ai is not None else -1
    kept = [int(k) for m in wanted for k in np.flatnonzero(data.places[:, 0] == m)]
    own = np.flatnonzero(data.places[:, 1] == model)
    if ai is not None:
        among = [k for k in kept if k in own] or own.tolist()
        if len(among) > 1:
            raise InputError(
                f"`ai` {ai!r} has scores in modalities "
                f"{listed(data.modalities[m] for m in data.places[among, 0])}; name one: "
                "modalities=[...]."
            )
        kept = [*[k for k in kept if k not in own], *among]
    found = data.some(np.array(kept, np.intp))
    order = [*wanted, *(m for m in range(len(data.modalities)) if m not in wanted)]
    number = np.argsort(np.array(order))
    places = np.stack([number[found.places[:, 0]], found.places[:, 1]], axis=1)
    modalities = tuple(data.modalities[m] for m in order)
    return cast(R, replace(found, modalities=modalities, places=places))


class Side(NamedTuple):
    """One side of a comparison: the cells of a modality, or of the standalone model."""

    name: str
    cells: Places
    readers: Places


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

    def difference(self, first: Side, second: Side, model: Side | None) -> Mean:
        """The difference of two modalities, or of the standalone model and a modality."""
        if self.sums is not None:
            return self._pooled([first, second])
        values, C, how = (
            self.cells.values,
            self.cells.covariance,
            (self.how.readers, self.how.cases),
        )
        matched = _matched(first, second, model)
        if matched is not None:
            one, other = matched
            return mean_of(values[one] - values[other], contrast(C, one, other), *how)
        both = np.concatenate([first.cells, second.cells])
        groups = values[first.cells], values[second.cells]
        return difference_of(groups, C[np.ix_(both, both)], *how)

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
            pairs = [(model, side) for side in sides] + pairs
        found = [self.difference(first, second, model) for first, second in pairs]
        components = self._components(sides, model)
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
            fields = {"pairwise": self._pairwise(pairs, found)}
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
            differences=self._differences(pairs, model),
            components=components,
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

    def _differences(self, pairs: list[tuple[Side, Side]], model: Side | None) -> Table | None:
        """The difference of each reader who is on both sides, or from the standalone model."""
        C, rows = self.cells.covariance, []
        for first, second in pairs:
            shared = _in_both(first, second, model)
            for j, one, other in shared:
                pair = np.array([one]), np.array([other])
                variance = float(contrast(C, *pair)[0, 0])
                error = math.sqrt(variance) if variance > NOISE else 0.0
                value = float(self.cells.values[one] - self.cells.values[other])
                found = decide(value, error, alternative="two-sided", level=self.how.level)
                sides = (self.cells.readers[j], first.name, second.name)
                rows.append((*sides, value, error, found.low, found.high, found.p_value))
        columns = dict(zip(COLUMNS, zip(*rows, strict=True), strict=False))
        names = {name: np.array(columns[name], dtype=object) for name in list(columns)[:3]}
        numbers = {name: np.array(each) for name, each in columns.items()}
        return Table(numbers | names) if rows else None

    def _pairwise(self, pairs: list[tuple[Side, Side]], found: list[Mean]) -> Table:
        """One row for each pair; p adjusted by Holm, limits by Bonferroni."""
        level = self.how.level
        decisions = [self.decision(each, level) for each in found]
        adjusted = [self.decision(each, 1 - (1 - level) / len(found)) for each in found]
        fields = ("low", "high", "statistic", "p_value")
        return Table(
            first=np.array([first.name for first, _ in pairs], dtype=object),
            second=np.array([second.name for _, second in pairs], dtype=object),
            difference=np.array([each.value for each in found]),
            standard_error=np.array([each.error for each in found]),
            df=np.array([each.df for each in found]),
            **{name: np.array([getattr(each, name) for each in decisions]) for name in fields},
            p_adjusted=np.array(holm([each.p_value for each in decisions])),
            low_adjusted=np.array([each.low for each in adjusted]),
            high_adjusted=np.array([each.high for each in adjusted]),
        )

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
            side = sides[0]
            pair = None if model is None else cast(Any, _matched(model, side, model))
            values = self.cells.values[side.cells]
            if pair is not None:
                values = self.cells.values[pair[0]] - values

            def own(C: Floats) -> dict[str, float]:
                block = C[np.ix_(side.cells, side.cells)] if pair is None else contrast(C, *pair)
                return {
                    "variance": float(np.trace(block)) / len(block),
                    "covariance": off_diagonal(block),
                }

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


def _in_both(first: Side, second: Side, model: Side | None) -> list[tuple[int, int, int]]:
    """Readers on both sides with their cells; the standalone model stands against every reader."""
    if model is not None and first is model:
        pairs = zip(second.readers.tolist(), second.cells.tolist(), strict=True)
        return [(j, int(model.cells[0]), k) for j, k in pairs]
    place = dict(zip(second.readers.tolist(), second.cells.tolist(), strict=True))
    pairs = zip(first.readers.tolist(), first.cells.tolist(), strict=True)
    return [(j, k, place[j]) for j, k in pairs if j in place]


def _matched(first: Side, second: Side, model: Side | None) -> tuple[Places, Places] | None:
    """The cells of the same readers on both sides; None where the readers differ."""
    found = _in_both(first, second, model)
    if not found:
        return None
    return np.array([one for _, one, _ in found]), np.array([other for *_, other in found])


def _crossed(sides: list[Side]) -> Places | None:
    """The cells as (modalities, readers), where all modalities have the same readers."""
    orders = [np.argsort(side.readers) for side in sides]
    readers = [side.readers[order] for side, order in zip(sides, orders, strict=True)]
    if any(not np.array_equal(each, readers[0]) for each in readers):
        return None
    return np.stack([side.cells[order] for side, order in zip(sides, orders, strict=True)])


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
