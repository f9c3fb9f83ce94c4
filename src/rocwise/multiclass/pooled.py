"""Areas of several classes pooled or in part, and Brier's score of all classes with its parts."""

from typing import Any, ClassVar, Unpack

import numpy as np

from rocwise import checks, kernels, printing
from rocwise.arrays import Array, Floats
from rocwise.binary.auc import Auc, auc
from rocwise.binary.bootstrap import bootstrap
from rocwise.binary.calibration import BrierParts, brier_parts
from rocwise.binary.partial_area import chosen_part
from rocwise.binary.statistics import Area
from rocwise.data.class_rows import ClassRows
from rocwise.errors import InputError
from rocwise.inputs.coercion import ClassOptions, ClusteredClassOptions, options_shown
from rocwise.multiclass.curves import weighted_rows
from rocwise.results import Estimate, ModelAnswers, Result, result


@result
class MicroAuc(Estimate):
    """The area when every score of every row is a case of its own: positive for the true class."""

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
    """The micro-averaged area: all scores of all rows in one curve, whole or up to an FPR.

    Scores of different classes are compared with each other, so they must share a scale. The
    scores of one row are not independent: the interval takes the row, or its group, for a cluster.

    Parameters
    ----------
    y_true, y_score
        As in `multiclass.auc`.
    max_fpr : float, optional
        Only the part of the curve with FPR up to this; its interval is by the bootstrap.
    level, n_resamples, rng
        Confidence level; number and seed of the resamples of whole rows.

    Returns
    -------
    MicroAuc

    Examples
    --------
    >>> from rocwise.multiclass import micro_auc
    >>> scores = [[0.7, 0.2, 0.1], [0.4, 0.5, 0.1], [0.3, 0.5, 0.2], [0.2, 0.3, 0.5]]
    >>> micro_auc([0, 0, 1, 2], scores).value
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
        origin=rows.origin,
    )


@result
class ClassParts(ModelAnswers[Any]):
    """Partial areas of every class against the rest, and their mean, `value`."""

    each_is = "class"
    column: str = "class"

    @property
    def value(self) -> float:
        """The mean over the classes."""
        return float(np.mean([area.value for area in self.answers.values()]))


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
    """Partial areas of every class against the rest, each with its interval.

    Parameters
    ----------
    y_true, y_score
        As in `multiclass.auc`.
    max_fpr, fpr_range, tpr_range, standardize, level
        As in `auc`.

    Returns
    -------
    ClassParts
        By the name of the class; `value` is their mean.

    Examples
    --------
    >>> from rocwise.multiclass import partial_class_areas
    >>> scores = [[0.7, 0.2, 0.1], [0.4, 0.5, 0.1], [0.3, 0.5, 0.2], [0.2, 0.3, 0.5]]
    >>> partial_class_areas([0, 0, 1, 2], scores, max_fpr=0.5)["0"].value
    0.5
    """
    rows = weighted_rows(y_true, y_score, given)
    if max_fpr is None and fpr_range is None and tpr_range is None:
        raise InputError("`partial_class_areas` needs one of `max_fpr`, `fpr_range`, `tpr_range`.")
    part: dict[str, Any] = {"max_fpr": max_fpr, "fpr_range": fpr_range, "tpr_range": tpr_range}
    part |= {"standardize": standardize, "level": level}
    rowwise: dict[str, Any] = {"sample_weight": rows.weights, "groups": rows.clusters}
    answers: dict[str, Auc] = {
        name: auc(rows.labels == k, rows.scores[:, k], **part, **rowwise)
        for k, name in enumerate(rows.class_names)
    }
    return ClassParts(answers=answers, origin=rows.origin)


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
    """Brier's score of several classes, with its parts, and the log loss.

    The parts are those of every class against the rest, recalibrated by isotonic regression:
    see `calibration`.

    Parameters
    ----------
    y_true, y_score
        As in `multiclass.auc`; the scores of a row are probabilities.

    Returns
    -------
    MulticlassBrier

    Examples
    --------
    >>> from rocwise.multiclass import multiclass_brier
    >>> scores = [[0.7, 0.2, 0.1], [0.4, 0.5, 0.1], [0.3, 0.5, 0.2], [0.2, 0.3, 0.5]]
    >>> round(multiclass_brier([0, 0, 1, 2], scores).value, 4)
    0.38
    """
    rows = weighted_rows(y_true, y_score, given)
    _refuse_other_sums(rows)
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
    scores, place = kernels.distinct(rows.scores[:, k])
    weights = np.ones(len(place), np.int64) if rows.weights is None else rows.weights
    own = rows.labels == k
    pos, neg = (
        np.bincount(place[one], weights[one], minlength=len(scores)).astype(weights.dtype)
        for one in (own, ~own)
    )
    return brier_parts(scores[::-1], pos[::-1], neg[::-1])


def _refuse_other_sums(rows: ClassRows) -> None:
    sums = rows.scores.sum(axis=1)
    wrong = (np.abs(sums - 1) > 1e-6) | (rows.scores < 0).any(axis=1)
    if wrong.any():
        raise InputError(
            "`y_score` must hold probabilities that add up to 1 in every row; "
            f"{int(wrong.sum()):,} rows do not (first at row {rows.row(int(wrong.argmax()))})."
        )
