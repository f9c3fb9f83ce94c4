"""``rocwise ordinal``: how well scores rank ordered classes."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from rocwise.cli.arguments.class_options import add_file_options, add_interval_options
from rocwise.cli.arguments.options import add_choice, add_output_options
from rocwise.cli.runner import Answers, Picture, run_and_answer
from rocwise.errors import InputError

if TYPE_CHECKING:
    from rocwise.data.rankings import Ranking
    from rocwise.inference.comparison import Comparison
    from rocwise.ordinal.cut_points import OrdinalThresholds
    from rocwise.ordinal.measures import OrdinalAuc
    from rocwise.ordinal.null_tests import OrdinalTest

MOST_CLASSES_TESTED = 50  # by the variance of the volume under chance
DESCRIPTION = """\
How well a score ranks cases of ordered classes (grades, stages): the volume under the ROC surface
or an average of areas, with interval and test against chance. Several scores are compared on the
same rows; with costs, the score is cut into the classes where that costs least."""
EXAMPLES = """\
  rocwise ordinal ratings.csv --label grade --score s
  rocwise ordinal ratings.csv --label grade --score a --score b --measure pairs --ties strict
  rocwise ordinal cases.csv --label stage --order healthy mild ill --score marker --cuts
  rocwise ordinal ratings.csv --label grade --score s --costs '0,1,4;1,0,1;4,1,0' --json"""


def add_options(parser: ArgumentParser) -> None:
    """Options of this command."""
    group = add_file_options(parser, "a score; repeat it to compare several")
    group.add_argument(
        "--order",
        nargs="+",
        metavar="LABEL",
        help="the classes from the lowest to the highest (default: as numbers sort)",
    )
    add_choice(
        group,
        "--direction",
        ("higher", "lower"),
        "which scores mean a higher class (default: higher)",
    )
    group.add_argument(
        "--decimals", type=int, metavar="N", help="round scores before they are compared"
    )
    group = parser.add_argument_group("measure")
    group.add_argument(
        "--measure",
        default="volume",
        help="volume (default): chance that one case of each class is ranked in order; "
        "consecutive: mean AUC of the cuts; pairwise: mean AUC of pairs of classes; pairs: share "
        "of pairs of cases in order",
    )
    group.add_argument(
        "--ties",
        default="credit",
        help="credit (default): a run of t tied cases earns 1/t!; strict: nothing",
    )
    add_interval_options(
        group,
        "how the interval is made: auto (default), delong, logit, bootstrap; for volumes also "
        "plug-in and unbiased",
    )
    group = parser.add_argument_group("cuts")
    group.add_argument(
        "--cuts", action="store_true", help="cut scores into classes; a mistake costs its distance"
    )
    group.add_argument(
        "--costs", metavar="TABLE", help="the same with these costs: '0,1,4;1,0,1;4,1,0', rows true"
    )
    add_output_options(parser, "the measures (one score, three classes: sections of the surface)")


class Found(NamedTuple):
    """What is said about the scores."""

    rankings: dict[str, Ranking]
    areas: dict[str, OrdinalAuc]
    untested: dict[str, str]  # why a score is not held against chance; nothing where it is
    tests: dict[str, OrdinalTest]
    comparison: Comparison | None
    cuts: dict[str, OrdinalThresholds]


def run(options: Namespace) -> None:
    """Print the measures, the comparison, the cuts."""
    run_and_answer(options, ask)


def ask(options: Namespace) -> Answers:
    """The measure of each score, the scores compared, and the cuts."""
    from rocwise.cli.arguments.class_options import named_columns
    from rocwise.cli.input_files import as_columns

    columns = named_columns(options, [])
    named = {f"scores[{name!r}]": name for name in options.score}
    named |= {"y_true": options.label, "y_score": options.score[0]}
    named |= {"sample_weight": options.weight, "groups": options.group}
    try:
        found = _found(columns, options)
    except InputError as problem:
        raise problem.in_words_of(as_columns(named)) from None
    return Answers(
        found.areas,
        table=partial(_report, found),
        heading=_heading(found, options),
        of_each={
            name: {"test": found.tests.get(name), "cuts": found.cuts.get(name)}
            for name in found.areas
        },
        of_all=None if found.comparison is None else {"comparison": found.comparison},
        picture=partial(_picture, found),
    )


def _found(columns: dict[str, Any], options: Namespace) -> Found:
    import rocwise as rw
    from rocwise.cli.arguments.class_options import described_rows, typed_labels
    from rocwise.cli.arguments.cost_options import cost_table
    from rocwise.inputs import rankings

    labels = columns[options.label]
    scores = {name: columns[name] for name in options.score}
    described = {
        "order": typed_labels(options.order, labels),
        "decimals": options.decimals,
        "direction": options.direction,
        "missing": options.missing,
        **described_rows(options, columns),
    }
    wanted = {"measure": options.measure, "ties": options.ties}
    drawn = {"n_resamples": options.resamples, "rng": options.seed, "level": options.level}
    ranked = rankings(labels, scores, **described)
    areas = {
        name: rw.ordinal.auc(ranking, method=options.method, **wanted, **drawn)
        for name, ranking in ranked.items()
    }
    untested = {name: _no_test(ranking, **wanted) for name, ranking in ranked.items()}
    tests = {
        name: rw.ordinal.null_test(ranking, **wanted)
        for name, ranking in ranked.items()
        if not untested[name]
    }
    comparison = None
    if len(scores) > 1:
        method: Any = "auto" if options.method == "logit" else options.method
        comparison = rw.ordinal.compare(
            labels, scores, method=method, **wanted, **drawn, **described
        )
    costs = cost_table(options.costs)
    cut = ranked if options.cuts or costs is not None else {}
    cuts = {name: rw.ordinal.thresholds(each, costs=costs) for name, each in cut.items()}
    return Found(ranked, areas, untested, tests, comparison, cuts)


def _no_test(ranking: Ranking, measure: str, ties: str) -> str:
    """Why a score is not held against chance; nothing where it is."""
    if ties == "strict" and ranking.has_mixed_ties:
        return "no test: tied scores"
    if measure == "volume" and ranking.n_classes > MOST_CLASSES_TESTED:
        return f"no test: more than {MOST_CLASSES_TESTED} classes"
    return ""


def _heading(found: Found, options: Namespace) -> str:
    from rocwise.cli.arguments.option_names import printable
    from rocwise.cli.input_files import source_name

    first = next(iter(found.rankings.values()))
    order = " < ".join(map(str, first.labels))
    source = printable(source_name(options.file))
    head = f"{source}: classes {printable(order)}; {first.sizes_in_words()}"
    return "; ".join([head, *first.origin.remarks("a higher class")])


def _report(found: Found) -> str:
    """The screen below the heading."""
    from rocwise.cli.arguments.option_names import printable
    from rocwise.cli.output.terminal import folded
    from rocwise.cli.reports.comparisons import verdict

    parts = [_table(found)]
    if found.comparison is not None:
        parts.append(verdict(found.comparison))
    parts += [folded(f"{printable(name)}: {cuts}") for name, cuts in found.cuts.items()]
    return "\n\n".join(parts)


def _table(found: Found) -> str:
    from rocwise import printing
    from rocwise.cli.output.text_tables import aligned

    some = next(iter(found.areas.values()))
    rows = []
    for name, area in found.areas.items():
        n = sum(area.sizes)
        known = area.has_interval
        limits = [printing.rate(end, n) for end in area.interval] if known else []
        rows.append(
            [
                name,
                printing.rate(area.value, n),
                " to ".join(limits) or "-",
                f"{area.standard_error:.4f}" if known else "-",
                area.interval.method if known else "a class has one row",
                found.untested[name] or printing.p_value(found.tests[name].p_value),
            ]
        )
    level = printing.percent(some.level)
    header = ["score", "value", f"{level} CI", "SE", "interval by", "against chance"]
    ties = ", ties count nothing" if some.ties == "strict" else ""
    title = f"{some.quantity}{ties}; by chance {some.chance:.3g}"
    return f"{title}\n{aligned(header, rows, 'lrlrll')}"


def _picture(found: Found) -> Picture:
    """The surface of one score and three classes; else the measures."""
    first = next(iter(found.rankings.values()))
    one = len(found.rankings) == 1 and first.n_classes == 3
    if not one or first.origin.direction == "lower":
        return found.areas, {}
    import rocwise as rw

    return {name: rw.ordinal.surface(ranking) for name, ranking in found.rankings.items()}, {}
