"""From the arguments of a public function to a tally, pairs, or rows of several classes."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from rocwise.data.pairs import Pairs
from rocwise.data.smooth_steps import SmoothPlan
from rocwise.data.tally import Tally
from rocwise.errors import InputError, MisuseWarning, warn
from rocwise.inputs import two_classes
from rocwise.inputs.grouping import by_group as by_group
from rocwise.inputs.grouping import compared_by_group as compared_by_group
from rocwise.inputs.options import ClassOptions as ClassOptions
from rocwise.inputs.options import ClusteredClassOptions as ClusteredClassOptions
from rocwise.inputs.options import ClusteredRankingOptions as ClusteredRankingOptions
from rocwise.inputs.options import ComparisonOptions as ComparisonOptions
from rocwise.inputs.options import PairOptions as PairOptions
from rocwise.inputs.options import RankingOptions as RankingOptions
from rocwise.inputs.options import RowOptions as RowOptions
from rocwise.inputs.options import TallyOptions as TallyOptions
from rocwise.inputs.options import (
    check_no_memory_limit,
    check_no_other_data,
    first_given,
    given_options,
    named_columns_given,
)
from rocwise.inputs.options import options_shown as options_shown
from rocwise.inputs.rows import Direction as Direction
from rocwise.inputs.rows import Missing as Missing
from rocwise.inputs.tally_sketch import TallySketch
from rocwise.inputs.vectors import columns_by_name

if TYPE_CHECKING:  # not needed for two classes
    from rocwise.data.class_rows import ClassRows
    from rocwise.data.rankings import Ranking


def as_tally(
    function: str,
    data: Any,
    y_score: Any,
    given: TallyOptions,
    smooth: SmoothPlan | None = None,
) -> Tally:
    """The tally of the data of a function of one model; of a smooth curve, with its plan."""
    if isinstance(data, Tally) and y_score is None and not given:
        return data
    options = given_options(function, given)
    data = first_given(function, data, options)
    if isinstance(data, TallySketch):
        check_no_other_data(function, "a sketch", "TallySketch", y_score, options)
        return data.tally()
    if isinstance(data, Tally):
        check_no_other_data(function, "a tally", "tally", y_score, options)
        return data
    if named_columns_given(function, data, y_score, options):
        return two_classes.tally_of_frame(data, smooth, **options)
    check_no_memory_limit(options)
    return two_classes.tally_of_arrays(data, y_score, **options)


def as_pairs(
    function: str, data: Any, scores: Any, given: PairOptions | ComparisonOptions
) -> Pairs:
    """The pairs of the data of a function of several models."""
    if isinstance(data, Pairs) and scores is None and not given:
        return data
    options = given_options(function, given, "scores")
    data = first_given(function, data, options)
    named = options.pop("scores", None)
    if isinstance(data, Pairs):
        check_no_other_data(function, "pairs", "pair", scores if named is None else named, options)
        return data
    if scores is not None and named is not None:
        raise InputError(f"`{function}` was given `scores` twice: by place and by name.")
    scores = named if scores is None else scores
    if data is None or scores is None or isinstance(data, Tally):
        raise InputError(
            f"`{function}` needs a Pairs, or y_true and a dict of scores, or a frame or path with "
            "label= and scores=."
        )
    if "label" in options:
        return two_classes.pairs_of_frame(data, scores=scores, **options)
    check_no_memory_limit(options)
    return two_classes.pair(data, scores, **options)


def as_pairs_or_samples(
    function: str, data: Any, other: Any, given: ComparisonOptions
) -> tuple[Pairs, None] | tuple[Tally, Tally]:
    """Several models on the same rows, or two tallies: one model each on rows of its own."""
    data, other = (
        each.tally() if isinstance(each, TallySketch) else each for each in (data, other)
    )
    if isinstance(data, Tally) or isinstance(other, Tally):
        if not (isinstance(data, Tally) and isinstance(other, Tally)):
            raise InputError(f"`{function}` of independent samples needs two tallies or sketches.")
        for name in given:
            raise InputError(f"`{name}` describes rows; it does not go with tallies.")
        if data.seems_paired_with(other):
            warn(
                "The two tallies have the same labels in the same order and seem to be of the same "
                f"rows, but they are compared as independent samples. Use `{function}` with "
                "y_true and a dict of scores, or with the names of the columns, for a paired "
                "comparison.",
                MisuseWarning,
            )
        return data, other
    return as_pairs(function, data, other, given), None


def as_tallies(curves: Any) -> list[Tally]:
    """Several curves: pairs, or a list of tallies and of (y_true, y_score)."""
    if isinstance(curves, Pairs):
        return [curves.tally(name) for name in curves.names]
    single = getattr(curves, "ndim", 1) == 0
    if isinstance(curves, (Tally, str)) or not isinstance(curves, Iterable) or single:
        raise InputError(
            f"`curves` must be Pairs, or a list of tallies or of (y_true, y_score); got "
            f"{type(curves).__name__}."
        )
    given = list(curves)
    for each in given:
        if not isinstance(each, Tally) and not (isinstance(each, tuple) and len(each) == 2):
            raise InputError(
                "`curves` must contain tallies or pairs (y_true, y_score); "
                f"got {type(each).__name__} in it."
            )
    return [
        each if isinstance(each, Tally) else two_classes.tally_of_arrays(*each) for each in given
    ]


def as_features(X: Any, y: Any, *, pos_label: Any, missing: Missing) -> Pairs:
    """The columns of a table, each a score of its own, with the labels `y`."""
    columns = columns_by_name(X, "X", "a table with one column per feature", "x{}".format)
    if not columns:
        raise InputError("`X` is empty; at least one column is needed.")
    names = {name: f"X[{name!r}]" for name in columns}
    return two_classes.pairs_of_columns(
        y, columns, label="y", names=names, pos_label=pos_label, missing=missing
    )


def as_class_rows(y_true: Any, y_score: Any, *, nonnegative: bool, **given: Any) -> "ClassRows":
    """Rows of several classes: labels and one score per class; see `class_rows`."""
    from rocwise.data.class_rows import ClassRows, check_confidences
    from rocwise.inputs.several_classes import class_rows

    if not isinstance(y_true, ClassRows):
        return class_rows(y_true, y_score, nonnegative=nonnegative, **given)
    if given.get("classes") is not None:
        raise InputError("`classes` names the columns of scores; these rows have their names.")
    if nonnegative:
        check_confidences(y_true.scores, "y_score", y_true.rows)
    return y_true


def as_ranking(y_true: Any, y_score: Any, **described: Any) -> "Ranking":
    """Labels in an order with one score; see `rankings` for the options."""
    from rocwise.data.rankings import Ranking
    from rocwise.inputs.ordered_classes import rankings

    if isinstance(y_true, Ranking):
        return y_true
    arguments = {"score": "y_score"}
    return rankings(y_true, {"score": y_score}, arguments=arguments, **described)["score"]


def as_rankings(y_true: Any, scores: Any, **described: Any) -> "dict[str, Ranking]":
    """Labels in an order with the scores of several models by name."""
    from rocwise.inputs.ordered_classes import rankings, scores_by_name

    return rankings(y_true, scores_by_name(scores), **described)
