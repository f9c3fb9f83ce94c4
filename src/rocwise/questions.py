"""The front desk: every question takes a tally, or labels and scores, or a frame or file.

The analyses in `rocwise.binary` know tallies and pairs only; here each is given a front door
that turns whatever the user has into the primitive that the analysis needs.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, Concatenate, ParamSpec, Protocol, TypeVar, overload

from rocwise import inputs
from rocwise.binary import unit_scores
from rocwise.errors import InputError
from rocwise.front_doors import door_and_home, opened
from rocwise.inputs import subgroups
from rocwise.primitives.pairs import Pairs
from rocwise.primitives.tallies import Tally

P = ParamSpec("P")
R = TypeVar("R", covariant=True)

ARRAY_OPTIONS = (
    "pos_label",
    "sample_weight",
    "direction",
    "missing",
    "resolution",
)
FRAME_OPTIONS = ("label", "score")
PAIR_OPTIONS = ("groups", "pos_label", "sample_weight", "direction", "missing")
CLUSTERED = ("auc",)


class Question(Protocol[P, R]):
    """A function of a tally that also takes the data a tally is made from."""

    @overload
    def __call__(self, data: Tally, *args: P.args, **kwargs: P.kwargs) -> R: ...
    @overload
    def __call__(self, y_true: Any, y_score: Any = ..., **options: Any) -> R: ...


def takes_data(analysis: Callable[Concatenate[Tally, P], R]) -> Question[P, R]:
    """Give an analysis of a tally its front door."""
    answer: Callable[..., Any] = analysis

    @functools.wraps(analysis)
    def ask(*data: Any, **options: Any) -> Any:
        data = _positional(answer.__name__, data, options)
        if options.get("groups") is not None:
            return answer(_clustered(answer.__name__, data, options), **options)
        options.pop("groups", None)
        if data and isinstance(data[0], Tally):
            if len(data) > 1:
                raise InputError(f"`{answer.__name__}` takes one tally and nothing beside it.")
            return answer(data[0], **options)
        y_score = data[1] if len(data) == 2 else None
        try:
            return answer(_counted(answer.__name__, data, options), **options)
        except unit_scores.ScoreRangeError as problem:
            raise unit_scores.with_row(problem, y_score) from None

    return ask


def _positional(question: str, data: tuple[Any, ...], options: dict[str, Any]) -> tuple[Any, ...]:
    """The data in order, whether given by place or as `data`, `y_true` and `y_score`."""
    if "data" in options:
        data = (*data, options.pop("data"))
    named = {name: options.pop(name) for name in ("y_true", "y_score") if name in options}
    if data and "y_true" in named:
        raise InputError(
            f"`{question}` was given `y_true` twice: by place and by name. The order is "
            "y_true, y_score."
        )
    in_order = [named[name] for name in ("y_true", "y_score") if name in named]
    return (*data, *in_order)


def _counted(question: str, data: tuple[Any, ...], options: dict[str, Any]) -> Tally:
    """The tally of whatever was given; the options that describe the data are taken out."""
    described = {name: options.pop(name) for name in ARRAY_OPTIONS if name in options}
    given = list(data)
    if any(name in options for name in FRAME_OPTIONS):
        columns = {name: options.pop(name, None) for name in FRAME_OPTIONS}
        if len(given) != 1 or None in columns.values():
            raise InputError(
                f"`{question}` of a frame or file needs both `label` and `score`, "
                "the names of the two columns."
            )
        return inputs.tally_frame(given[0], **columns, **described)
    if len(given) == 1 and isinstance(given[0], Pairs):
        raise InputError(
            f"`{question}` is about one model; pass pairs.tally(name), "
            f"with a name from {', '.join(given[0].names)}."
        )
    if len(given) != 2:
        raise InputError(
            f"`{question}` needs a tally, or y_true and y_score, or a frame or path with "
            f"label= and score=; got {len(given)} data arguments."
        )
    return inputs.tally(*given, **described)


def _clustered(question: str, data: tuple[Any, ...], options: dict[str, Any]) -> Pairs:
    """Rows with their clusters: a Pairs of one model."""
    if question not in CLUSTERED:
        raise InputError(
            f"`{question}` does not take `groups`; these do: {', '.join(CLUSTERED)}, and compare."
        )
    if len(data) != 2:
        raise InputError(
            f"`{question}` with `groups` needs the rows: y_true and y_score, not a tally."
        )
    described = {name: options.pop(name) for name in PAIR_OPTIONS if name in options}
    return inputs.pair(data[0], {"score": data[1]}, **described)


def _takes_pairs(analysis: Callable[Concatenate[Any, P], R]) -> Callable[Concatenate[Any, P], R]:
    """Give an analysis of pairs a front door for labels and several models' scores."""
    answer: Callable[..., Any] = analysis

    @functools.wraps(analysis)
    def ask(*data: Any, **options: Any) -> Any:
        if "pairs" in options:
            data = (options.pop("pairs"), *data)
        if data and isinstance(data[0], (Pairs, Tally)):
            return answer(*data, **options)
        described = {name: options.pop(name) for name in PAIR_OPTIONS if name in options}
        if len(data) != 2:
            raise InputError(
                f"`{answer.__name__}` needs a Pairs, two tallies, or y_true and a dict of scores."
            )
        return answer(inputs.pair(*data, **described), **options)

    return ask


def _takes_curves(analysis: Callable[Concatenate[Any, P], R]) -> Callable[Concatenate[Any, P], R]:
    """Give an analysis of several curves a front door for pairs and for (y_true, y_score)."""
    answer: Callable[..., Any] = analysis

    @functools.wraps(analysis)
    def ask(curves: Any, **options: Any) -> Any:
        if isinstance(curves, Pairs):
            curves = [curves.tally(name) for name in curves.names]
        tallies = [each if isinstance(each, Tally) else _pair_of_columns(each) for each in curves]
        return answer(tallies, **options)

    opened: Callable[..., Any] = ask
    return opened


def _pair_of_columns(each: Any) -> Tally:
    if not isinstance(each, tuple) or len(each) != 2:
        raise InputError(
            "`curves` must hold tallies or pairs (y_true, y_score); "
            f"got {type(each).__name__} in it."
        )
    return inputs.tally(*each)


def _takes_features(analysis: Callable[..., R]) -> Callable[..., R]:
    """Give the ranking of features a front door for tables and labels."""
    answer: Callable[..., Any] = analysis

    @functools.wraps(analysis)
    def ask(
        X: Any, y: Any, *, pos_label: Any = None, missing: str = "raise", **options: Any
    ) -> Any:
        try:
            pairs = inputs.pair(y, _feature_columns(X), pos_label=pos_label, missing=missing)
        except InputError as problem:
            raise InputError(
                str(problem)
                .replace("`scores[", "`X[")
                .replace(
                    "`scores` is empty; at least one model", "`X` is empty; at least one column"
                )
                .replace("`y_true`", "`y`")
            ) from None
        return answer(pairs, **options)

    return ask


def _feature_columns(X: Any) -> dict[str, Any]:
    """Columns by name: of a dict, of a data frame, or x0, x1, ... of a 2-D array."""
    if isinstance(X, dict):
        return {str(name): column for name, column in X.items()}
    if hasattr(X, "columns"):
        import narwhals as nw

        frame = nw.from_native(X, eager_only=True)
        return {str(name): frame.get_column(name) for name in frame.columns}
    import numpy as np

    table = np.asarray(X)
    if table.ndim != 2 or not table.shape[1]:
        raise InputError(
            f"`X` must be a table with one column per feature; got the shape {table.shape}."
        )
    return {f"x{k}": table[:, k] for k in range(table.shape[1])}


def _takes_scores(analysis: Callable[..., R]) -> Callable[..., R]:
    """Give an analysis of scores without labels a front door for columns of any kind."""
    answer: Callable[..., Any] = analysis

    @functools.wraps(analysis)
    def ask(y_score: Any, *, missing: str = "raise", **options: Any) -> Any:
        return answer(subgroups.score_values(y_score, missing=missing), **options)

    return ask


def _takes_groups(analysis: Callable[..., R]) -> Callable[..., R]:
    """Give an analysis of subgroups a front door for labels, scores and groups."""
    answer: Callable[..., Any] = analysis

    @functools.wraps(analysis)
    def ask(y_true: Any, y_score: Any, groups: Any, **options: Any) -> Any:
        names = ("pos_label", "direction", "missing")
        described = {name: options.pop(name) for name in names if name in options}
        whole, parts = subgroups.tallies_by_group(y_true, y_score, groups, **described)
        return answer(whole, parts, **options)

    return ask


_DOORS: dict[str, dict[str, str]] = {
    "takes_data": {
        "curves.empirical": "roc precision_recall det hull",
        "thresholds.tables": "thresholds",
        "thresholds.operating_points": "threshold",
        "thresholds.uncertainty": "threshold_uncertainty",
        "thresholds.guarantees": "guaranteed_threshold",
        "areas.empirical": "auc step_area",
        "areas.variances": "auc_variance",
        "areas.interval_choices": "auc_intervals",
        "areas.null_tests": "test_auc",
        "resampling.replicates": "bootstrap",
        "bands.confidence_bands": "band",
        "distributions.binormal_fits": "binormal",
        "bands.confident_segments": "confident_segment",
        "bands.rate_regions": "threshold_regions",
        "curves.smooth": "smooth_roc",
        "areas.margin_areas": "scored_roc scored_auc probabilistic_auc soft_auc brier",
        "costs.cost_curves": "cost_curve h_measure",
        "costs.decision_curves": "decision_curve",
        "costs.bands": "cost_band decision_band",
        "abstention.windows": "abstain",
        "isometrics.reliable_rules": "reliable",
        "abstention.surfaces": "abstention_surface",
        "abstention.bounded_windows": "abstain_within",
        "abstention.uncertainty": "abstention_uncertainty",
    },
    "_takes_pairs": {
        "comparisons.models": "compare",
        "costs.differences": "compare_costs compare_decisions",
    },
    "_takes_curves": {
        "bands.averages": "average_roc",
    },
    "_takes_scores": {
        "thresholds.unlabelled": "threshold_without_labels rule_without_labels nroc",
    },
    "_takes_groups": {
        "thresholds.subgroups": "threshold_by_group",
    },
    "_takes_features": {
        "distributions.feature_ranking": "rank_features",
    },
    "_as_it_is": {
        "areas.covariances": "auc_covariance",
    },
}
_DOOR_AND_HOME = door_and_home(_DOORS)


def _as_it_is(analysis: Callable[P, R]) -> Callable[P, R]:
    """An analysis that needs no door."""
    return analysis


def __getattr__(name: str) -> Any:
    """Build the door of a question when it is first asked, and load its analysis only then."""
    return opened(name, _DOOR_AND_HOME, globals(), "rocwise.binary")
