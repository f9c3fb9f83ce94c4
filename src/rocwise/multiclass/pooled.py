"""Areas of several classes pooled or in part, and Brier's score of all classes with its parts."""

from typing import Any, ClassVar, Unpack

import numpy as np

from rocwise import checks, printing
from rocwise.arrays import Array, Floats
from rocwise.binary.auc import Auc, auc
from rocwise.binary.bootstrap import bootstrap
from rocwise.binary.calibration import BrierParts, brier_parts
from rocwise.binary.partial_area import chosen_part
from rocwise.binary.statistics import Area
from rocwise.data.class_rows import ClassRows
from rocwise.errors import InputError
from rocwise.inputs.coercion import ClassOptions, ClusteredClassOptions, options_shown
from rocwise.multiclass.curves import against_rest, weighted_rows
from rocwise.results import Estimate, ModelResults, Result, result


@result
class MicroAuc(Estimate):
    """Micro-averaged AUC: every score of a row is a case, positive for the true class."""

    frame_fields: ClassVar[tuple[str, ...]] = (
        *("value", "standard_error", "low", "high"),
        *("n_rows", "n_classes"),
    )

    quantity: str
    n_rows: int
    n_classes: int

    def _sentence(self) -> str:
        found = printing.estimate(self.value, self.interval, self.n_rows)
        return (
            f"micro-averaged {self.quantity} {found}; {self.n_classes} classes, "
            f"{printing.count(self.n_rows)} rows"
        )


@options_shown(ClusteredClassOptions)
def micro_auc(
    y_true: Any,
    y_score: Any = None,
    *,
    max_fpr: float | None = None,
    level: float = 0.95,
    n_resamples: int = 2000,
    rng: Any = None,
    **given: Unpack[ClusteredClassOptions],
) -> MicroAuc:
    """Compute the micro-averaged AUC, of all scores of all rows in one curve.

    Scores of different classes are compared with each other and must be on a common scale. The
    interval treats each row, or its cluster, as the sampling unit.

    Parameters
    ----------
    max_fpr : float, optional
        Restrict the area to false positive rates up to this value, with a bootstrap interval.
    level : float, default 0.95
        Confidence level.
    n_resamples : int, default 2000
        Number of bootstrap resamples.
    rng : int, numpy.random.Generator or None, optional
        Seed or random generator; None draws a seed, which the result reports.

    Returns
    -------
    MicroAuc
        Result with `value`, `standard_error` and `interval`.

    See Also
    --------
    multiclass.auc : AUC of several classes.
    multiclass.partial_class_areas : Partial AUC of each class.

    Examples
    --------
    >>> from rocwise.multiclass import micro_auc
    >>> y_score = [[0.7, 0.2, 0.1], [0.4, 0.5, 0.1], [0.3, 0.5, 0.2], [0.2, 0.3, 0.5]]
    >>> micro_auc([0, 0, 1, 2], y_score).value
    0.9375
    """
    rows = weighted_rows(y_true, y_score, given)
    level, n_resamples = checks.level(level), checks.draws(n_resamples, rng)
    m = rows.n_classes
    labels = (rows.labels[:, None] == np.arange(m)).astype(np.int64).ravel()
    units = np.arange(len(rows.labels)) if rows.clusters is None else rows.clusters
    scores, whose = rows.scores.ravel(), np.repeat(units, m)
    weights = None if rows.weights is None else np.repeat(rows.weights, m)
    part = chosen_part(max_fpr, None, None)
    rowwise: dict[str, Any] = {"groups": whose, "sample_weight": weights, "level": level}
    found: Any
    if part.is_whole:
        found = auc(labels, scores, **rowwise)
    else:
        drawn = {"n_resamples": n_resamples, "rng": rng}
        found = bootstrap(labels, scores, statistic=Area(part), **rowwise, **drawn)
    return MicroAuc(
        value=found.value,
        standard_error=found.standard_error,
        interval=found.interval,
        quantity=Area(part).name,
        n_rows=len(rows.labels),
        n_classes=m,
        seed=found.seed,
        n_resamples=found.n_resamples,
        origin=rows.origin,
    )


@result
class ClassParts(ModelResults[Any]):
    """Partial areas of every class against the rest, and their mean, `value`."""

    each_is = "class"
    column: str = "class"

    @property
    def value(self) -> float:
        """The mean over the classes."""
        return float(np.mean([area.value for area in self.results.values()]))


@options_shown(ClusteredClassOptions)
def partial_class_areas(
    y_true: Any,
    y_score: Any = None,
    *,
    max_fpr: float | None = None,
    fpr_range: tuple[float, float] | None = None,
    tpr_range: tuple[float, float] | None = None,
    standardize: bool = False,
    level: float = 0.95,
    **given: Unpack[ClusteredClassOptions],
) -> ClassParts:
    """Compute the partial AUC of each class against the rest.

    Parameters
    ----------
    max_fpr : float, optional
        Restrict the area to false positive rates from 0 to this value.
    fpr_range : (float, float), optional
        Restrict the area to this range of false positive rates (area under the curve).
    tpr_range : (float, float), optional
        Restrict the area to this range of true positive rates (area to the right of the curve).
    standardize : bool, default False
        Rescale to 0.5 on the diagonal and 1 for the perfect curve [1]_.
    level : float, default 0.95
        Confidence level.

    Returns
    -------
    ClassParts
        One result per class, with its interval; `value` is their mean.

    See Also
    --------
    multiclass.auc : AUC of several classes.
    auc : AUC with a confidence interval.

    References
    ----------
    .. [1] D. K. McClish, "Analyzing a portion of the ROC curve", Med. Decis. Making 9, 1989.
           doi:10.1177/0272989X8900900307

    Examples
    --------
    >>> from rocwise.multiclass import partial_class_areas
    >>> y_score = [[0.7, 0.2, 0.1], [0.4, 0.5, 0.1], [0.3, 0.5, 0.2], [0.2, 0.3, 0.5]]
    >>> areas = partial_class_areas([0, 0, 1, 2], y_score, max_fpr=0.5)
    >>> areas["0"].value, round(areas.value, 3)
    (0.5, 0.444)
    """
    rows = weighted_rows(y_true, y_score, given)
    if max_fpr is None and fpr_range is None and tpr_range is None:
        raise InputError("`partial_class_areas` needs one of `max_fpr`, `fpr_range`, `tpr_range`.")
    part: dict[str, Any] = {"max_fpr": max_fpr, "fpr_range": fpr_range, "tpr_range": tpr_range}
    part |= {"standardize": standardize, "level": level}
    rowwise: dict[str, Any] = {"sample_weight": rows.weights, "groups": rows.clusters}
    results: dict[str, Auc] = {
        name: auc(rows.labels == k, rows.scores[:, k], **part, **rowwise)
        for k, name in enumerate(rows.class_names)
    }
    return ClassParts(results=results, origin=rows.origin)


PARTS = ("miscalibration", "discrimination", "uncertainty")


@result
class MulticlassBrier(Result):
    """Brier's score of several classes: the mean squared distance of probabilities and outcome.

    `value` = `miscalibration` - `discrimination` + `uncertainty`; all are sums over the classes,
    whose own are in the table. 0 is best; two classes have twice the score of `brier`.
    """

    value: float
    miscalibration: float
    discrimination: float
    uncertainty: float
    log_loss: float
    names: tuple[str, ...]
    parts: Floats
    n_rows: int

    def _columns(self) -> dict[str, Array]:
        columns = dict(zip(("brier", *PARTS), self.parts.T, strict=True))
        return {"class": np.array(self.names)} | columns

    def _sentence(self) -> str:
        size = f"{len(self.names)} classes, {printing.count(self.n_rows)} rows"
        return (
            f"Brier score {self.value:.3f} = miscalibration {self.miscalibration:.3f} - "
            f"discrimination {self.discrimination:.3f} + uncertainty {self.uncertainty:.3f}; log "
            f"loss {self.log_loss:.3f}; {size}"
        )


@options_shown(ClassOptions)
def multiclass_brier(
    y_true: Any,
    y_score: Any = None,
    **given: Unpack[ClassOptions],
) -> MulticlassBrier:
    """Compute the multiclass Brier score with its decomposition, and the log loss.

    The components are sums over the classes, each against the rest and recalibrated by isotonic
    regression, as in `calibration`.

    Parameters
    ----------
    y_true : array-like of shape (n,)
        Labels, as in `multiclass.auc`.
    y_score : array-like of shape (n, m)
        Class probabilities.

    Returns
    -------
    MulticlassBrier
        Result with `value` [1]_, `miscalibration`, `discrimination`, `uncertainty` and `log_loss`.

    See Also
    --------
    brier : Brier score.
    calibration : Calibration curve, slope and intercept.
    multiclass.auc : AUC of several classes.

    References
    ----------
    .. [1] G. W. Brier, "Verification of forecasts expressed in terms of probability", Mon. Weather
           Rev. 78, 1950, 1-3.

    Examples
    --------
    >>> from rocwise.multiclass import multiclass_brier
    >>> y_score = [[0.7, 0.2, 0.1], [0.4, 0.5, 0.1], [0.3, 0.5, 0.2], [0.2, 0.3, 0.5]]
    >>> round(multiclass_brier([0, 0, 1, 2], y_score).value, 4)
    0.38
    """
    rows = weighted_rows(y_true, y_score, given)
    _check_sums(rows)
    parts = np.array([_parts_of(rows, k) for k in range(rows.n_classes)])
    own = rows.scores[np.arange(len(rows.labels)), rows.labels]
    with np.errstate(divide="ignore"):
        loss = -float(np.average(np.log(own), weights=rows.weights))
    totals = parts.sum(axis=0)
    return MulticlassBrier(
        **dict(zip(("value", *PARTS), totals.tolist(), strict=True)),
        log_loss=loss,
        names=rows.class_names,
        parts=parts,
        n_rows=len(rows.labels),
        origin=rows.origin,
    )


def _parts_of(rows: ClassRows, k: int) -> BrierParts:
    tally = against_rest(rows, k)
    return brier_parts(np.asarray(tally.scores, np.float64), tally.pos, tally.neg)


def _check_sums(rows: ClassRows) -> None:
    sums = rows.scores.sum(axis=1)
    wrong = (np.abs(sums - 1) > 1e-6) | (rows.scores < 0).any(axis=1)
    if wrong.any():
        raise InputError(
            "`y_score` must contain probabilities that add up to 1 in every row; "
            f"{int(wrong.sum()):,} rows do not (first at row {rows.row(int(wrong.argmax()))})."
        )
