"""The result of a reader study: means, differences, readers, components, and its curves."""

import math
from dataclasses import field
from typing import Any

import numpy as np

from rocwise import printing
from rocwise.arrays import Floats
from rocwise.data.readings import Marks
from rocwise.errors import count_of
from rocwise.inference import significance
from rocwise.inference.comparison import ModelComparison
from rocwise.results import ASIDE, Table, result


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
        joint = f"{self.equal_models}: {p}" if p else "pairs only, without a joint test"
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
