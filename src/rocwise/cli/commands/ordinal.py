"""``rocwise ordinal``: how well scores rank ordered classes."""

from functools import partial
from typing import Any, NamedTuple

import rocwise as rw
from rocwise import printing
from rocwise.cli import data
from rocwise.cli.commands.compare import verdict
from rocwise.cli.options import INTEGER, Options, Parser
from rocwise.cli.output import Output, Plot, interval_table
from rocwise.cli.terminal import folded, printable
from rocwise.inputs import rankings

DESCRIPTION = """\
How well a score ranks cases of ordered classes (grades, stages): the volume under the ROC surface
or an average of AUCs, with interval and test against chance. Several scores are compared on the
same rows; with costs, thresholds divide the score into the classes at the least cost."""
EXAMPLES = """\
  rocwise ordinal ratings.csv --label grade --score s
  rocwise ordinal ratings.csv --label grade --score a --score b --measure pairs --ties strict
  rocwise ordinal cases.csv --label stage --order healthy mild ill --score marker --cuts
  rocwise ordinal ratings.csv --label grade --score s --costs '0,1,4;1,0,1;4,1,0' --json"""

MOST_CLASSES_TESTED = 50  # by the variance of the volume under chance


def add_options(parser: Parser) -> None:
    parser.file()
    parser.scores("a score; repeat it to compare several")
    parser.rows("sample_weight", "groups")
    parser.missing()
    text = "the classes from the lowest to the highest (default: as numbers sort)"
    parser.option("--order", text, nargs="+", metavar="LABEL")
    direction = "which scores mean a higher class (default: higher)"
    parser.choice("--direction", ("higher", "lower"), direction)
    parser.option("--decimals", "round scores before they are compared", **INTEGER)
    parser.section("measure")
    parser.arguments(
        "ordinal.auc",
        measure="volume (default): probability that one case of each class is ranked in order; "
        "consecutive: mean AUC of the cuts; pairwise: mean AUC of pairs of classes; pairs: "
        "proportion of pairs of cases in order",
        ties="credit (default): a run of t tied cases counts 1/t!; strict: nothing",
        method="interval: auto (default: wilson), delong, logit, bootstrap; for volumes also "
        "plug-in and unbiased",
        level=None,
        n_resamples=None,
        rng=None,
    )
    parser.section("thresholds")
    parser.flag("--cuts", "thresholds between the classes, costs by distance")
    text = "the same with these costs: '0,1,4;1,0,1;4,1,0', rows true"
    parser.option("--costs", text, metavar="TABLE")
    parser.output("the measures (one score, three classes: sections of the surface)")


class Found(NamedTuple):
    """Results about the scores; `tests` has those of scores that can be tested."""

    rankings: dict[str, Any]
    areas: dict[str, Any]
    tests: dict[str, Any]
    comparison: Any
    cuts: dict[str, Any]


def compute(options: Options) -> Output:
    """The measure of each score, the scores compared, and the thresholds."""
    columns = data.class_columns(options)
    named = data.score_names(options) | options.given("sample_weight", "groups")
    with data.columns_named(named, y_true=options.label, y_score=options.score[0]):
        found = _found(columns, options)
    return Output(
        found.areas,
        lambda _: _report(found),
        _heading(found, options),
        of_each={
            name: {"test": found.tests.get(name), "cuts": found.cuts.get(name)}
            for name in found.areas
        },
        of_all=None if found.comparison is None else {"comparison": found.comparison},
        plot=partial(_plot, found),
    )


def _found(columns: dict[str, Any], options: Options) -> Found:
    labels = columns[options.label]
    scores = {name: columns[name] for name in options.score}
    described = {
        "order": data.typed_labels(options.order, labels),
        **options.given("decimals", "direction", "missing"),
        **data.row_arguments(options, columns),
    }
    arguments = options.settings("ordinal.auc")
    measure = options.given("measure", "ties")
    ranked = rankings(labels, scores, **described)
    areas = {name: rw.ordinal.auc(each, **arguments) for name, each in ranked.items()}
    tests = {
        name: rw.ordinal.null_test(ranking, **measure)
        for name, ranking in ranked.items()
        if not _no_test(ranking, **measure)
    }
    comparison = None
    if len(scores) > 1:
        if options.method == "logit":
            arguments["method"] = "auto"
        comparison = rw.ordinal.compare(labels, scores, **arguments, **described)
    costs = data.cost_table(options.costs)
    cut = ranked if options.cuts or costs is not None else {}
    cuts = {name: rw.ordinal.thresholds(each, costs=costs) for name, each in cut.items()}
    return Found(ranked, areas, tests, comparison, cuts)


def _no_test(ranking: Any, measure: str, ties: str) -> str:
    """Why a score is not tested against chance; empty where it is."""
    if ties == "strict" and ranking.has_mixed_ties:
        return "no test: tied scores"
    if measure == "volume" and ranking.n_classes > MOST_CLASSES_TESTED:
        return f"no test: more than {MOST_CLASSES_TESTED} classes"
    return ""


def _heading(found: Found, options: Options) -> str:
    first = next(iter(found.rankings.values()))
    order = " < ".join(map(str, first.labels))
    head = f"{data.source_name(options)}: classes {printable(order)}; {first.sizes_in_words()}"
    return "; ".join([head, *first.origin.remarks("a higher class")])


def _report(found: Found) -> str:
    parts = [_table(found)]
    if found.comparison is not None:
        parts.append(verdict(found.comparison))
    parts += [folded(f"{printable(name)}: {cuts}") for name, cuts in found.cuts.items()]
    return "\n\n".join(parts)


def _table(found: Found) -> str:
    some = next(iter(found.areas.values()))
    tests = [
        printing.p_value(found.tests[name].p_value)
        if name in found.tests
        else _no_test(found.rankings[name], area.measure, area.ties)
        for name, area in found.areas.items()
    ]
    table = interval_table("score", "value", found.areas, against_chance=tests)
    ties = ", ties count nothing" if some.ties == "strict" else ""
    title = f"{some.quantity}{ties}; by chance {some.chance:.3g}"
    return f"{title}\n{table}"


def _plot(found: Found) -> Plot:
    """The surface of one score and three classes; else the measures."""
    first = next(iter(found.rankings.values()))
    one = len(found.rankings) == 1 and first.n_classes == 3
    if not one or first.origin.direction == "lower":
        return found.areas, {}
    return {name: rw.ordinal.surface(ranking) for name, ranking in found.rankings.items()}, {}
