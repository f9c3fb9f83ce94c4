"""ROC curves of every class against the rest, with areas and, if wanted, bands."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Unpack

import numpy as np

from rocwise import checks, printing
from rocwise.arrays import Places
from rocwise.binary.auc import Auc, area_interval
from rocwise.binary.bands import Band, band
from rocwise.binary.partial_area import WHOLE
from rocwise.binary.roc import RocCurve, curve_of, whole_area
from rocwise.data.class_rows import ClassRows
from rocwise.data.tally import ScoreColumn, Tally, numbered
from rocwise.errors import InputError, listed, shown
from rocwise.inputs.coercion import ClusteredClassOptions, as_class_rows, options_shown
from rocwise.results import Origin, Resampled, result

MOST_CLASSES = 256


@result
class MulticlassRoc(Resampled):
    """One-vs-rest ROC curves with their AUCs and bands."""

    curves: dict[str, RocCurve]
    areas: dict[str, Auc]
    bands: dict[str, Band] | None
    level: float

    def only(self, name: str) -> "MulticlassRoc":
        """The same for one class."""
        if not isinstance(name, str) or name not in self.curves:
            raise InputError(f"`name` must be one of {listed(self.curves)}; got {shown(name)}.")
        return replace(
            self,
            curves={name: self.curves[name]},
            areas={name: self.areas[name]},
            bands=None if self.bands is None else {name: self.bands[name]},
        )

    def panels(self) -> "dict[str, MulticlassRoc]":
        """Each class by itself, for ``plot(subplots=True)``."""
        return {f"{name} against the rest": self.only(name) for name in self.curves}

    def _sentence(self) -> str:
        shown = ", ".join(
            f"{name} {area.value:.3f} ({area.interval.low:.3f} to {area.interval.high:.3f})"
            for name, area in self.areas.items()
        )
        return f"one-vs-rest ROC curves; AUC ({printing.percent(self.level)} CI) of {shown}"

    def _columns(self) -> dict[str, Any]:
        return {
            "class": np.repeat(list(self.curves), [len(c.fpr) for c in self.curves.values()]),
            "fpr": np.concatenate([curve.fpr for curve in self.curves.values()]),
            "tpr": np.concatenate([curve.tpr for curve in self.curves.values()]),
            "threshold": np.concatenate([curve.thresholds for curve in self.curves.values()]),
        }


@options_shown(ClusteredClassOptions)
def roc(
    y_true: Any,
    y_score: Any = None,
    *,
    bands: bool = False,
    level: float = 0.95,
    ignore_absent: bool = False,
    n_resamples: int = 1000,
    rng: Any = None,
    **given: Unpack[ClusteredClassOptions],
) -> MulticlassRoc:
    """Compute the ROC curve of each class against the rest.

    Parameters
    ----------
    bands : bool, default False
        Whether to compute a band around each curve: pointwise bootstrap, or joint regions for
        separated classes.
    level : float, default 0.95
        Confidence level of intervals and bands, for each class by itself.
    ignore_absent : bool, default False
        Whether to leave out classes without rows in place of an error.
    n_resamples : int, default 1000
        Number of resamples of the bands.
    rng : int, numpy.random.Generator or None, optional
        Seed or random generator; None draws a seed, which the result reports.

    Returns
    -------
    MulticlassRoc
        Result with `curves`, `areas` (with intervals) and `bands`, by class.

    See Also
    --------
    multiclass.auc : AUC of several classes.
    roc : Empirical ROC curve.
    band : Confidence band of the ROC curve.

    Examples
    --------
    >>> import rocwise as rw
    >>> y_score = [[0.7, 0.2, 0.1], [0.4, 0.5, 0.1], [0.3, 0.5, 0.2], [0.2, 0.3, 0.5]]
    >>> curves = rw.multiclass.roc(list("aabc"), y_score, classes=list("abc"))
    >>> {name: round(area.value, 3) for name, area in curves.areas.items()}
    {'a': 1.0, 'b': 0.833, 'c': 1.0}
    >>> ax = curves.plot()
    """
    rows = weighted_rows(y_true, y_score, given)
    level = checks.level(level)
    n_resamples = checks.draws(n_resamples, rng)
    bands = checks.flag(bands, "bands")
    ignore_absent = checks.flag(ignore_absent, "ignore_absent")
    columns = present_classes(rows, ignore_absent=ignore_absent).tolist()
    seed = checks.seed(rng) if bands else None
    tallies = {rows.class_names[k]: against_rest(rows, k) for k in columns}
    found = None
    if bands:
        found = {name: _band(each, level, n_resamples, seed) for name, each in tallies.items()}
    return MulticlassRoc(
        curves={name: curve_of(tally) for name, tally in tallies.items()},
        areas={name: _area_of(tally, level) for name, tally in tallies.items()},
        bands=found,
        level=level,
        seed=seed,
        n_resamples=n_resamples if bands else None,
        origin=rows.origin,
    )


def class_area(rows: ClassRows, k: int, level: float) -> Auc:
    """The area of one class against the rest, in the column of the class; never with a warning."""
    return _area_of(against_rest(rows, k), level)


def _area_of(tally: Tally, level: float) -> Auc:
    value = whole_area(tally)
    error, found = area_interval(tally, WHOLE, value, method="auto", level=level)
    return Auc(value=value, standard_error=error, interval=found, **tally.result_fields)


def _band(tally: Tally, level: float, n_resamples: int, seed: int | None) -> Band:
    """A pointwise band; joint regions where all resamples agree, as for separated classes."""
    try:
        return band(tally, kind="pointwise", level=level, n_resamples=n_resamples, rng=seed)
    except InputError:
        if tally.rows is not None:  # of weights or clusters there are no joint regions
            raise
        return band(tally, kind="joint-regions", level=level)


def against_rest(rows: ClassRows, k: int) -> Tally:
    """Class k against the rest, by the score for k."""
    mask = (rows.labels == k).astype(np.uint8)
    column = ScoreColumn(np.ascontiguousarray(rows.scores[:, k]), None, Origin())
    return Tally.from_rows(mask, column, rows.weights, clusters=rows.clusters)


def weighted_rows(y_true: Any, y_score: Any, given: Mapping[str, Any]) -> ClassRows:
    """Rows with scores on any scale, without those of weight 0."""
    return with_weight(as_class_rows(y_true, y_score, nonnegative=False, **given))


def with_weight(rows: ClassRows) -> ClassRows:
    """The rows with a weight above 0."""
    if rows.weights is None or rows.weights.all():
        return rows
    return chosen_rows(rows, np.flatnonzero(rows.weights > 0))


def chosen_rows(rows: ClassRows, kept: Places) -> ClassRows:
    """Some of the rows; clusters are renumbered."""
    return replace(
        rows,
        labels=rows.labels[kept],
        scores=rows.scores[kept],
        weights=None if rows.weights is None else rows.weights[kept],
        rows=kept if rows.rows is None else rows.rows[kept],
        clusters=None if rows.clusters is None else numbered(rows.clusters[kept]),
    )


def present_classes(rows: ClassRows, *, ignore_absent: bool | None = False) -> Places:
    """The classes that have rows; others raise unless ignored. None: no such option exists."""
    sizes = rows.class_sizes
    absent = np.flatnonzero(sizes == 0)
    if len(absent) and not ignore_absent:
        shown_names = listed([rows.names[k] for k in absent] if rows.names else absent)
        remedy = "Pass ignore_absent=True to average over the other classes."
        raise InputError(
            f"`y_true` has no row of class {shown_names}, so areas with it are undefined. "
            f"{'Every class needs a row.' if ignore_absent is None else remedy}"
        )
    present = np.flatnonzero(sizes)
    if not 2 <= len(present) <= MOST_CLASSES:
        raise InputError(
            f"`y_true` must contain rows of 2 to {MOST_CLASSES} classes; got {len(present)}."
        )
    return present
