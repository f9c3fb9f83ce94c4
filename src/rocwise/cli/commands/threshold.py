"""``rocwise threshold``: where to set the threshold, and what it does there."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from functools import partial
from typing import TYPE_CHECKING, Any

from rocwise.cli.arguments.options import add_data_options, add_output_options
from rocwise.cli.runner import Answers, run_and_answer
from rocwise.errors import InputError

if TYPE_CHECKING:
    from rocwise.binary.threshold import ThresholdUncertainty
    from rocwise.cli.reports.thresholds import Form
    from rocwise.data.tally import Tally
    from rocwise.results import Result

DESCRIPTION = """\
The best threshold, what it does, and the Python lines that put it to work.

By costs (--cost-fp and --cost-fn) or by another --rule:
  youden, ameans, closest, product, equal, maximin
      of sensitivity and specificity
  predictive-sum, -product, -closest, -equal, -maximin
      of the predictive values
  accuracy, f1, f-beta, mcc, kappa, odds-ratio, chi-square, minimax
  prevalence
      share called positive, that of the cases or --constraint
  min-sensitivity, min-specificity, min-precision, min-npv, max-alarms,
  min-lr-positive, max-lr-negative
      best of the rest within --constraint

--bootstrap adds an interval and honest performance; --by chooses for each subgroup; --guarantee
certifies an error rate instead; --without-labels needs scores and costs only."""
EXAMPLES = """\
  rocwise threshold scores.csv --label ill --score p --cost-fp 1 --cost-fn 20 --prevalence 0.02
  rocwise threshold scores.csv --label ill --score p --rule min-sensitivity --constraint 0.9
  rocwise threshold scores.csv --label ill --score p --rule youden --bootstrap --seed 1
  rocwise threshold scores.csv --label ill --score p --rule f1 --by sex --json
  rocwise threshold scores.csv --label ill --score p --guarantee fpr --alpha 0.05
  rocwise threshold new.csv --score p --without-labels rank --cost-fp 1 --cost-fn 5"""


def add_options(parser: ArgumentParser) -> None:
    """Options of this command."""
    add_data_options(parser, groups=True, label_required=False)  # but see --without-labels
    group = parser.add_argument_group("threshold")
    group.add_argument("--rule", help="see above (default: cost, when costs are given)")
    for outcome, words in (
        ("fp", "a false alarm"),
        ("fn", "a miss"),
        ("tp", "a hit (default: 0)"),
        ("tn", "a correct rejection (default: 0)"),
    ):
        group.add_argument(f"--cost-{outcome}", type=float, metavar="COST", help=f"cost of {words}")
    group.add_argument(
        "--prevalence", type=float, metavar="SHARE", help="of positives, where it will be used"
    )
    group.add_argument("--constraint", type=float, metavar="LIMIT", help="of a min- or max- rule")
    group.add_argument("--beta", type=float, help="of f-beta: weight of recall against precision")
    group.add_argument(
        "--ties",
        choices=("strict", "mild", "middle"),
        help="which of equally good thresholds (default: strict; with costs mild)",
    )
    group.add_argument("--by", metavar="COLUMN", help="a threshold for each of these subgroups")
    group.add_argument(
        "--limit",
        choices=("each", "all"),
        help="with --by, whether the limit of max-alarms is for each subgroup (default) or for "
        "all of them together",
    )
    _add_more_options(parser)
    add_output_options(parser, "the threshold on the ROC curve", rates=True)


def _add_more_options(parser: ArgumentParser) -> None:
    group = parser.add_argument_group("how sure, how safe, and without labels")
    group.add_argument(
        "--bootstrap", action="store_true", help="interval of the threshold; out-of-bag performance"
    )
    group.add_argument(
        "--resamples", type=int, default=1000, metavar="N", help="of the bootstrap (default: 1000)"
    )
    group.add_argument("--level", type=float, default=0.95, help="of the interval (default: 0.95)")
    group.add_argument("--seed", type=int, metavar="N", help="makes the bootstrap repeatable")
    group.add_argument(
        "--guarantee",
        choices=("fpr", "fnr", "fdr", "for", "error"),
        help="certify that this rate is at most --alpha",
    )
    group.add_argument("--alpha", type=float, default=0.1, help="limit of the rate (default: 0.1)")
    group.add_argument(
        "--delta", type=float, default=0.1, help="how often it may fail to hold (default: 0.1)"
    )
    group.add_argument(
        "--grid",
        type=float,
        nargs="+",
        metavar="T",
        help="candidates for fdr, for and error (default: 0.01 to 0.99)",
    )
    group.add_argument(
        "--without-labels",
        choices=("rank", "direct", "nroc"),
        metavar="METHOD",
        help="from unlabelled scores and costs: rank, direct or nroc",
    )


def run(options: Namespace) -> None:
    """Print the thresholds."""
    run_and_answer(options, ask)


def ask(options: Namespace) -> Answers:
    """The threshold of each model, by the question that the options ask."""
    from rocwise.cli.reports.thresholds import GROUPS, UNLABELLED

    _refuse_clashes(options)
    if options.without_labels:
        return _told(*_without_labels(options), UNLABELLED)
    if options.by:
        return _told(*_by_group(options), GROUPS)
    return _of_each(options)


def _told(heading: str, answers: dict[str, Any], form: Form) -> Answers:
    from rocwise.cli.reports.thresholds import reports

    return Answers(
        answers,
        table=partial(reports, answers, form),
        heading=heading,
        of_each={name: {"python": form.python(each, name)} for name, each in answers.items()},
    )


def _refuse_clashes(options: Namespace) -> None:
    """One question at a time, with what it needs."""
    asked = {
        "--by": options.by,
        "--bootstrap": options.bootstrap,
        "--guarantee": options.guarantee,
        "--without-labels": options.without_labels,
    }
    chosen = [flag for flag, value in asked.items() if value]
    if len(chosen) > 1:
        raise InputError(f"{' and '.join(chosen)} are different questions; ask one at a time.")
    if options.label is None and not options.without_labels:
        raise InputError("the following arguments are required: --label")
    if options.limit and not options.by:
        raise InputError("--limit goes with --by.")
    if options.group and not options.bootstrap:
        raise InputError("--group is about intervals, and goes with --bootstrap.")
    if options.weight and options.without_labels:
        raise InputError("--weight has no meaning with --without-labels.")
    alone = {"--guarantee", "--without-labels"}.intersection(chosen)
    useless = [
        flag
        for flag, value in (("--rule", options.rule), ("--constraint", options.constraint))
        if value is not None
    ]
    if alone and useless:
        raise InputError(f"{useless[0]} has no meaning with {alone.pop()}.")


def _of_each(options: Namespace) -> Answers:
    """One threshold for each model: by a rule, with or without its interval, or certified."""
    from rocwise.cli.input_files import read_pairs
    from rocwise.cli.output.per_model import ask_each, heading

    form, question = _question(options)
    pairs = read_pairs(options)
    answers = ask_each(options, pairs, question)
    return _told(heading(options, pairs), answers, form)


def _question(options: Namespace) -> tuple[Form, Any]:
    import rocwise as rw
    from rocwise.cli.reports.thresholds import GUARANTEE, POINT, UNCERTAINTY

    if options.guarantee:
        return GUARANTEE, partial(
            rw.guaranteed_threshold,
            rate=options.guarantee,
            alpha=options.alpha,
            delta=options.delta,
            thresholds=options.grid,
        )
    terms = rule_terms(options)
    if not options.bootstrap:
        return POINT, partial(rw.threshold, **terms)

    def uncertainty(tally: Tally) -> ThresholdUncertainty:
        return rw.threshold(tally, **terms).uncertainty(
            n_resamples=options.resamples, level=options.level, rng=options.seed
        )

    return UNCERTAINTY, uncertainty


def rule_terms(options: Namespace) -> dict[str, Any]:
    """The rule and all it is told; costs alone mean the rule "cost"."""
    from rocwise.cli.arguments.cost_options import given_costs

    costs = given_costs(options)
    if options.rule is None and costs is None:
        raise InputError(
            "say what the threshold is for: --cost-fp and --cost-fn, or a --rule such as youden"
        )
    return {
        "rule": options.rule or "cost",
        "costs": costs,
        "prevalence": options.prevalence,
        "constraint": options.constraint,
        "beta": options.beta,
        "ties": options.ties,
    }


def _by_group(options: Namespace) -> tuple[str, dict[str, Result]]:
    import rocwise as rw
    from rocwise.cli.arguments.option_names import printable
    from rocwise.cli.input_files import as_columns, label_value, read_columns, source_name

    terms = rule_terms(options)
    weight = [] if options.weight is None else [options.weight]
    columns = read_columns(options.file, [options.label, *options.score, options.by, *weight])
    answers: dict[str, Result] = {}
    for name in options.score:
        try:
            answers[name] = rw.threshold(
                columns[options.label],
                columns[name],
                by=columns[options.by],
                pos_label=label_value(options.pos_label, columns[options.label]),
                direction=options.direction,
                missing=options.missing,
                sample_weight=columns[options.weight] if weight else None,
                limit=options.limit or "each",
                **terms,
            )
        except InputError as problem:
            named = {"y_true": options.label, "y_score": name, "by": options.by}
            named |= {"sample_weight": options.weight}
            raise problem.in_words_of(as_columns(named)) from None
    return f"{printable(source_name(options.file))}, by {printable(options.by)}", answers


def _without_labels(options: Namespace) -> tuple[str, dict[str, Result]]:
    from rocwise.binary import rule_without_labels
    from rocwise.cli.arguments.cost_options import given_costs
    from rocwise.cli.arguments.option_names import printable
    from rocwise.cli.input_files import as_columns, read_columns, source_name

    costs = given_costs(options)
    if costs is None:
        raise InputError("--without-labels needs --cost-fp and --cost-fn.")
    if options.direction == "lower":
        raise InputError("--without-labels takes higher scores to mean positive.")
    columns = read_columns(options.file, options.score)
    answers: dict[str, Result] = {}
    for name in options.score:
        try:
            answers[name] = rule_without_labels(
                columns[name], costs=costs, method=options.without_labels, missing=options.missing
            )
        except InputError as problem:
            raise problem.in_words_of(as_columns({"y_score": name})) from None
    return f"{printable(source_name(options.file))}, without labels", answers
