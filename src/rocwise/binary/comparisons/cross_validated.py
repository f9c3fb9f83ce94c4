"""Models compared by cross-validation: fold by fold, by influences of rows, or pooled.

Each fold has a model of its own, and training sets overlap. So the differences of the folds are
neither one sample of independent numbers nor differences of one pair of models; the two methods
say how they deal with that, and the pooled one what it takes for granted.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, get_args

import numpy as np

from rocwise import checks
from rocwise.arrays import Floats, Places
from rocwise.binary.cross_validation.areas import (
    CrossValidatedAuc,
    areas_of,
    cross_validated,
    warn_of_pooling,
)
from rocwise.binary.cross_validation.fold_areas import (
    FoldAreas,
    influence_covariance,
    mean_influences,
)
from rocwise.data.pairs import Pairs
from rocwise.errors import InputError
from rocwise.inference.class_spreads import CovarianceByClass
from rocwise.inference.comparison_results import Comparison
from rocwise.inference.comparisons import FewCases, compared
from rocwise.inference.significance import Reference, checked_margin
from rocwise.inputs.folds import OutOfFoldScores, as_out_of_fold_models, folded_pairs

FoldMethod = Literal["corrected-t", "influence"]
FOLD_METHODS: tuple[str, ...] = get_args(FoldMethod)
DESCRIBED = {
    "corrected-t": "corrected t over the differences of folds",
    "influence": "influence functions of the fold-wise AUCs",
}
POOLED = (
    "pooled over folds: takes the scores of all folds to be on one scale, and the models as given"
)


def compare_by_folds(
    data: Any,
    scores: Any,
    folds: Any,
    method: str | None,
    level: float,
    alternative: str,
    margin: float | None,
    given: Mapping[str, Any],
) -> Comparison:
    """Compare cross-validated models; see `compare`."""
    method = "corrected-t" if method in (None, "auto") else method
    chosen = checks.one_of(method, "method", FOLD_METHODS)
    models = _models(data, scores, folds, given)
    if len(models) < 2:
        raise InputError(f"`compare` needs at least two models; got {', '.join(models)}.")
    _refuse_other_folds(models)
    margin = checked_margin(alternative, margin, len(models))
    areas = {name: areas_of(rows) for name, rows in models.items()}
    answers = {
        name: cross_validated(rows, areas[name], level, "corrected-t")
        for name, rows in models.items()
    }
    first = next(iter(models.values()))
    covariance, df = _spread(first.groups, areas, answers, chosen)
    robust = chosen == "influence" and first.groups is not None
    return compared(
        {name: answer.value for name, answer in answers.items()},
        covariance,
        quantity="cross-validated AUC",
        method=chosen,
        description=f"{'cluster-robust ' if robust else ''}{DESCRIBED[chosen]}",
        level=level,
        alternative=alternative,
        margin=margin,
        reference=Reference(df),
        few=_by_pairs(covariance) if df is not None else FewCases(),
        intervals={name: answer.intervals[chosen] for name, answer in answers.items()},
        origin=first.origin_of_rows(),
    )


def warn_of_pooled_folds(data: Any, scores: Any, folds: Any, given: Mapping[str, Any]) -> None:
    """Before scores of all folds are compared together: warn where they have no common scale."""
    for rows in _models(data, scores, folds, given).values():
        warn_of_pooling(rows)


def _models(
    data: Any, scores: Any, folds: Any, given: Mapping[str, Any]
) -> dict[str, OutOfFoldScores]:
    """The out-of-fold scores of every model, whatever form the data have."""
    if isinstance(data, Pairs) or "label" in given:
        return folded_pairs(data, scores, folds, given)
    options = {name: value for name, value in given.items() if name not in ("y_true", "scores")}
    labels = given.get("y_true") if data is None else data
    return as_out_of_fold_models(
        labels,
        given.get("scores") if scores is None else scores,
        folds,
        X=None,
        pos_label=options.get("pos_label"),
        direction=options.get("direction", "higher"),
        missing=options.get("missing", "raise"),
        groups=options.get("groups"),
        sample_weight=options.get("sample_weight"),
    )


def _refuse_other_folds(models: Mapping[str, OutOfFoldScores]) -> None:
    """Only models of the same folds can be compared fold by fold."""
    (name, first), *others = models.items()
    for other, rows in others:
        if rows.folds.shape != first.folds.shape or (rows.folds != first.folds).any():
            raise InputError(f"`folds` of {name!r} and {other!r} differ; models need the same.")


def _spread(
    groups: Places | None,
    areas: Mapping[str, Sequence[FoldAreas]],
    answers: Mapping[str, CrossValidatedAuc],
    method: str,
) -> tuple[Floats, float | None]:
    """Covariance matrix of the mean areas, and its degrees of freedom (None: normal).

    Nadeau and Bengio's corrected variance of the mean of J fold values is their sample variance
    times 1/J + f/(1 - f), where a fold tests the share f of the cases; the same factor for the
    covariances of models makes it that of the fold-wise differences.
    """
    if method == "influence":
        moved = np.stack([mean_influences(each) for each in areas.values()])
        return influence_covariance(moved, groups), None
    first = next(iter(answers.values()))
    values = np.stack([answer.fold_values for answer in answers.values()])
    share = 1 / first.n_folds
    factor = 1 / values.shape[1] + share / (1 - share)
    return np.cov(values) * factor, float(values.shape[1] - 1)


def _by_pairs(covariance: Floats) -> FewCases:
    """Few folds make no matrix to trust: several models are judged by the tests of their pairs."""
    return FewCases(by_class=CovarianceByClass(covariance, (covariance,), (0.0,)))
