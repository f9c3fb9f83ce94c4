"""ROC curves of every class against the rest, with areas and, if wanted, bands."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from rocwise import checks, printing
from rocwise.arrays import Places
from rocwise.binary.auc import Auc, area_interval
from rocwise.binary.bands import Band, band
from rocwise.binary.influence import whole_area
from rocwise.binary.partial_area import WHOLE
from rocwise.binary.roc import RocCurve, curve_of
from rocwise.data.class_rows import ClassRows
from rocwise.data.tally import ScoreColumn, Tally, numbered
from rocwise.errors import InputError, listed, shown
from rocwise.inputs.coercion import Missing, as_class_rows
from rocwise.kernels.row_formulas import run_models
from rocwise.results import Origin, Result, result


@result
class MulticlassRoc(Result):
    """Every class against the rest, in the column of the class: curve, area and band."""

    curves: dict[str, RocCurve]
    areas: dict[str, Auc]
    bands: dict[str, Band] | None
    level: float
    seed: int | None = None

    def only(self, name: str) -> MulticlassRoc:
        """The same for one class."""
        if not isinstance(name, str) or name not in self.curves:
            raise InputError(f"`name` must be one of {listed(self.curves)}; got {shown(name)}.")
        return replace(
            self,
            curves={name: self.curves[name]},
            areas={name: self.areas[name]},
            bands=None if self.bands is None else {name: self.bands[name]},
        )

    def panels(self) -> dict[str, MulticlassRoc]:
        """Each class by itself, for ``plot(beside=True)``."""
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


def roc(
    y_true: Any,
    y_score: Any = None,
    *,
    classes: Any = None,
    bands: bool = False,
    level: float = 0.95,
    ignore_absent: bool = False,
    n_resamples: int = 1000,
    rng: Any = None,
    sample_weight: Any = None,
    groups: Any = None,
    missing: Missing = "raise",
) -> MulticlassRoc:
    """One ROC curve for each class against the rest.

    Parameters
    ----------
    y_true : array-like (n,)
        The true class of each row: the column numbers 0..m-1 of `y_score`, the names of its
        columns if it is a frame, or labels of any kind with `classes`.
    y_score : array-like (n, m)
        One score per class, on any scale.
    classes : sequence of labels, optional
        The label of each column of `y_score`, in their order.
    bands : bool, default False
        Also a band around each curve: pointwise, by the bootstrap; for separated classes, whose
        resamples all agree, by joint regions.
    level : float, default 0.95
        Level of intervals and bands, for each class by itself.
    ignore_absent : bool, default False
        Leave out classes without rows instead of refusing them.
    n_resamples, rng
        Of the bands, as in `bootstrap`.
    sample_weight, groups : array-like (n,), optional
        Weight and cluster of each row, as in `multiclass.auc`; bands draw clusters whole.
    missing : {"raise", "drop"}
        Refuse incomplete rows, or leave them out.

    Returns
    -------
    MulticlassRoc
        With `curves`, `areas` (with intervals) and `bands`, by the name of the class.
        Draw it with `.plot()`, or with ``.plot(beside=True)`` on one panel for each class.

    Examples
    --------
    >>> import rocwise as rw
    >>> scores = [[0.7, 0.2, 0.1], [0.4, 0.5, 0.1], [0.3, 0.5, 0.2], [0.2, 0.3, 0.5]]
    >>> curves = rw.multiclass.roc(list("aabc"), scores, classes=list("abc"))
    >>> {name: round(area.value, 3) for name, area in curves.areas.items()}
    {'a': 1.0, 'b': 0.833, 'c': 1.0}
    """
    rows = as_class_rows(
        y_true,
        y_score,
        classes=classes,
        sample_weight=sample_weight,
        groups=groups,
        missing=missing,
        nonnegative=False,
    )
    rows = with_weight(rows)
    level = checks.level(level)
    n_resamples = checks.draws(n_resamples, rng)
    bands = checks.flag(bands, "bands")
    ignore_absent = checks.flag(ignore_absent, "ignore_absent")
    columns = present_classes(rows, ignore_absent=ignore_absent).tolist()
    names = [rows.class_names[k] for k in columns]
    made = run_models(_curve_and_area, [(rows, k, level) for k in columns], len(rows.labels))
    tallies, curves, areas = zip(*made, strict=True)
    seed = checks.seed(rng) if bands else None
    found = None
    if bands:
        told = (_band(tally, level, n_resamples, seed) for tally in tallies)
        found = dict(zip(names, told, strict=True))
    return MulticlassRoc(
        curves=dict(zip(names, curves, strict=True)),
        areas=dict(zip(names, areas, strict=True)),
        bands=found,
        level=level,
        seed=seed,
        origin=rows.origin,
    )


def class_area(rows: ClassRows, k: int, level: float) -> Auc:
    """The area of one class against the rest, in the column of the class.

    Below one half it speaks for itself, without a warning.
    """
    return _area_of(_against_rest(rows, k), level)


def _curve_and_area(rows: ClassRows, k: int, level: float) -> tuple[Tally, RocCurve, Auc]:
    """One class against the rest, its curve and the area below it."""
    tally = _against_rest(rows, k)
    return tally, curve_of(tally), _area_of(tally, level)


def _area_of(tally: Tally, level: float) -> Auc:
    value = whole_area(tally)
    error, found = area_interval(tally, WHOLE, value, method="auto", level=level)
    return Auc(
        value=value,
        standard_error=error,
        interval=found,
        n_pos=tally.n_pos,
        n_neg=tally.n_neg,
        origin=tally.origin,
    )


def _band(tally: Tally, level: float, n_resamples: int, seed: int | None) -> Band:
    """A pointwise band; joint regions where all resamples agree, as for separated classes."""
    try:
        return band(tally, kind="pointwise", level=level, n_resamples=n_resamples, rng=seed)
    except InputError:
        if tally.rows is not None:  # of weights or clusters there are no joint regions
            raise
        return band(tally, kind="joint-regions", level=level)


def _against_rest(rows: ClassRows, k: int) -> Tally:
    """Class k against the rest, by the score for k."""
    mask = (rows.labels == k).astype(np.uint8)
    column = ScoreColumn(np.ascontiguousarray(rows.scores[:, k]), None, Origin())
    return Tally.from_rows(mask, column, rows.weights, clusters=rows.clusters)


MOST_CLASSES = 256


def with_weight(rows: ClassRows) -> ClassRows:
    """The rows that have any weight; others are none."""
    if rows.weights is None or rows.weights.all():
        return rows
    kept = rows.weights > 0
    return replace(
        rows,
        labels=rows.labels[kept],
        scores=rows.scores[kept],
        weights=rows.weights[kept],
        rows=np.flatnonzero(kept) if rows.rows is None else rows.rows[kept],
        clusters=None if rows.clusters is None else numbered(rows.clusters[kept]),
    )


def present_classes(rows: ClassRows, *, ignore_absent: bool | None = False) -> Places:
    """The classes that have rows; others are refused unless they are to be ignored.

    None for a question that has no such choice, so that a refusal does not offer it.
    """
    sizes = rows.class_sizes
    absent = np.flatnonzero(sizes == 0)
    if len(absent) and not ignore_absent:
        raise InputError(
            f"`y_true` has no row of class {_called(rows, absent)}, so areas with it are "
            "undefined. "
            + (
                "Every class needs a row."
                if ignore_absent is None
                else "Pass ignore_absent=True to average over the other classes."
            )
        )
    present = np.flatnonzero(sizes)
    if not 2 <= len(present) <= MOST_CLASSES:
        raise InputError(
            f"`y_true` must hold rows of 2 to {MOST_CLASSES} classes; got {len(present)}."
        )
    return present


def _called(rows: ClassRows, columns: Places) -> str:
    """Some classes by name, or by the numbers of their columns."""
    return listed([rows.names[k] for k in columns] if rows.names else columns)
