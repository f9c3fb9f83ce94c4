"""``rocwise ordinal``: how well scores rank ordered classes."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from typing import TYPE_CHECKING, Any

from rocwise.cli.class_options import add_file_options, add_interval_options
from rocwise.cli.options import add_output_options
from rocwise.errors import InputError

if TYPE_CHECKING:
    from rocwise.inference.comparison_results import Comparison
    from rocwise.ordinal.chance_tests import OrdinalTest
    from rocwise.ordinal.cut_points import OrdinalThresholds
    from rocwise.ordinal.measures import OrdinalAuc
    from rocwise.primitives.rankings import Ranking

DESCRIPTION = """\
How well a score ranks cases of ordered classes (grades, stages): the volume under the ROC surface
or an average of areas, with interval and test against chance. Several scores are compared on the
same rows; with costs, the score is cut into the classes where that costs least."""
EXAMPLES = """\
  rocwise ordinal ratings.csv --label grade --score s
  rocwise ordinal ratings.csv --label grade --score a --score b --measure pairs --ties strict
  rocwise ordinal cases.csv --label stage --classes healthy mild ill --score marker --cuts
  rocwise ordinal ratings.csv --label grade --score s --costs '0,1,4;1,0,1;4,1,0' --json"""


def add_options(parser: ArgumentParser) -> None:
    """Options of this command."""
    group = add_file_options(parser, "a score; repeat it to compare several")
    group.add_argument(
        "--classes",
        nargs="+",
        metavar="LABEL",
        help="the classes from the lowest to the highest (default: as the labels sort)",
    )
    group.add_argument(
        "--direction",
        choices=("higher", "lower"),
        default="higher",
        help="which scores mean a higher class (default: higher)",
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
        "how the interval is made: delong (default), logit, bootstrap; for volumes also plug-in "
        "and unbiased",
    )
    group = parser.add_argument_group("cuts")
    group.add_argument(
        "--cuts", action="store_true", help="cut scores into classes; a mistake costs its distance"
    )
    group.add_argument(
        "--costs", metavar="TABLE", help="the same with these costs: '0,1,4;1,0,1;4,1,0', rows true"
    )
    add_output_options(parser, "the measures (one score, three classes: sections of the surface)")


def run(options: Namespace) -> None:
    """Print the measures, the comparison, the cuts."""
    from rocwise.cli.class_options import named_columns, worded
    from rocwise.cli.plot_option import check_picture_path, save_picture

    check_picture_path(options.plot)
    columns = named_columns(options, [])
    names = {f"scores[{name!r}]": name for name in options.score}
    try:
        found = _Answers(columns, options)
    except InputError as problem:
        raise worded(problem, options, {**names, "y_score": options.score[0]}) from None
    print(found.document() if options.json else found.text(options))
    if options.plot:
        save_picture(found.picture(), options.plot)


class _Answers:
    """What is said about the scores."""

    def __init__(self, columns: dict[str, Any], options: Namespace) -> None:
        from rocwise.cli.class_options import cost_table, typed_labels
        from rocwise.inputs.ordered_classes import ordered_rows
        from rocwise.ordinal.chance_tests import ordinal_test
        from rocwise.ordinal.cut_points import ordinal_thresholds
        from rocwise.ordinal.measures import ordinal_auc
        from rocwise.primitives.rankings import Ranking

        rows = ordered_rows(
            columns[options.label],
            {name: columns[name] for name in options.score},
            arguments={name: f"scores[{name!r}]" for name in options.score},
            classes=typed_labels(options.classes, columns[options.label]),
            decimals=options.decimals,
            direction=options.direction,
            missing=options.missing,
        )
        self.rankings = {
            name: Ranking(rows.codes, column, rows.labels, rows.origin)
            for name, column in rows.columns.items()
        }
        wanted = {"measure": options.measure, "ties": options.ties}
        drawn = {"n_resamples": options.resamples, "rng": options.seed, "level": options.level}
        self.areas: dict[str, OrdinalAuc] = {
            name: ordinal_auc(ranking, method=options.method, **wanted, **drawn)
            for name, ranking in self.rankings.items()
        }
        self.untested = {n: _no_test(each, **wanted) for n, each in self.rankings.items()}
        self.tests: dict[str, OrdinalTest] = {
            name: ordinal_test(ranking, **wanted)
            for name, ranking in self.rankings.items()
            if not self.untested[name]
        }
        self.comparison: Comparison | None = None
        if len(self.rankings) > 1:
            self.comparison = self._compared(options, wanted, drawn)
        self.cuts: dict[str, OrdinalThresholds] = {}
        costs = cost_table(options.costs)
        if options.cuts or costs is not None:
            self.cuts = {
                name: ordinal_thresholds(ranking, costs=costs)
                for name, ranking in self.rankings.items()
            }

    def _compared(
        self, options: Namespace, wanted: dict[str, Any], drawn: dict[str, Any]
    ) -> Comparison:
        from rocwise.ordinal.score_comparisons import compare_ordinal

        method = "delong" if options.method == "logit" else options.method
        return compare_ordinal(self.rankings, method=method, **wanted, **drawn)

    def document(self) -> str:
        """Everything: of one score its members, of several an object for each."""
        from rocwise.cli.json_output import document

        more = {
            name: {
                "test": self.tests.get(name),
                "cuts": self.cuts.get(name),
            }
            for name in self.areas
        }
        beside = None if self.comparison is None else {"comparison": self.comparison}
        return document(self.areas, of_each=more, of_all=beside)

    def text(self, options: Namespace) -> str:
        """The screen."""
        from rocwise.cli.commands.compare import verdict
        from rocwise.cli.input_files import source_name
        from rocwise.cli.option_names import printable
        from rocwise.cli.terminal import folded
        from rocwise.ordinal.results import remarks

        first = next(iter(self.rankings.values()))
        order = " < ".join(map(str, first.labels))
        sizes = first.sizes_in_words()
        head = f"{printable(source_name(options.file))}: classes {printable(order)}; {sizes}"
        parts = ["; ".join([head, *remarks(first.origin)]), self._table()]
        if self.comparison is not None:
            parts.append(verdict(self.comparison))
        for name, cuts in self.cuts.items():
            parts.append(folded(f"{printable(name)}: {cuts}"))
        return "\n\n".join(parts)

    def _table(self) -> str:
        from rocwise import printing
        from rocwise.cli.text_tables import aligned
        from rocwise.ordinal.measure_kinds import MEASURES

        some = next(iter(self.areas.values()))
        rows = []
        for name, area in self.areas.items():
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
                    self.untested[name] or printing.p_value(self.tests[name].p_value),
                ]
            )
        level = printing.percent(some.level)
        header = ["score", "value", f"{level} CI", "SE", "interval by", "against chance"]
        ties = ", ties count nothing" if some.ties == "strict" else ""
        title = f"{MEASURES[some.measure]}{ties}; by chance {some.chance:.3g}"
        return f"{title}\n{aligned(header, rows, 'lrlrll')}"

    def picture(self) -> dict[str, object]:
        """What to draw."""
        first = next(iter(self.rankings.values()))
        if len(self.rankings) == 1 and first.n_classes == 3 and first.origin.direction == "higher":
            from rocwise.ordinal.surfaces import thinned_surface

            return {name: thinned_surface(ranking) for name, ranking in self.rankings.items()}
        return dict(self.areas)


def _no_test(ranking: Ranking, measure: str, ties: str) -> str:
    """Why a score is not held against chance; nothing where it is."""
    from rocwise.ordinal.variances import MOST_CLASSES_BY_CHANCE

    if ties == "strict" and ranking.has_mixed_ties:
        return "no test: tied scores"
    if measure == "volume" and ranking.n_classes > MOST_CLASSES_BY_CHANCE:
        return f"no test: more than {MOST_CLASSES_BY_CHANCE} classes"
    return ""
