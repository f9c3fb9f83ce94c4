"""``rocwise threshold``: the best threshold, and what it does."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

import rocwise as rw
from rocwise import printing
from rocwise.binary import rule_without_labels
from rocwise.cli import terminal
from rocwise.cli.data import (
    as_columns,
    given_costs,
    label_value,
    read_columns,
    read_pairs,
    source_name,
)
from rocwise.cli.options import (
    SHARED_TEXT,
    add_arguments,
    add_cost_options,
    add_data_options,
    add_output_options,
    settings,
)
from rocwise.cli.output import Output, for_each, heading
from rocwise.cli.python_code import indented
from rocwise.errors import InputError

DESCRIPTION = """\
The best threshold, what it does, and the Python lines that apply it.

By costs (--cost-fp and --cost-fn) or by another --rule:
  youden, ameans, closest, product, equal, maximin
      of sensitivity and specificity
  predictive-sum, -product, -closest, -equal, -maximin
      of the predictive values
  accuracy, f1, f-beta, mcc, kappa, odds-ratio, chi-square, minimax
  prevalence
      proportion predicted positive, that of the cases or --constraint
  min-sensitivity, min-specificity, min-precision, min-npv, max-alarms,
  min-lr-positive, max-lr-negative
      best of the rest within --constraint

--bootstrap adds an interval and out-of-bag performance; --by chooses for each subgroup; --guarantee
certifies an error rate instead; --without-labels needs scores and costs only."""
EXAMPLES = """\
  rocwise threshold scores.csv --label ill --score p --cost-fp 1 --cost-fn 20 --prevalence 0.02
  rocwise threshold scores.csv --label ill --score p --rule min-sensitivity --constraint 0.9
  rocwise threshold scores.csv --label ill --score p --rule youden --bootstrap --seed 1
  rocwise threshold scores.csv --label ill --score p --rule f1 --by sex --json
  rocwise threshold scores.csv --label ill --score p --guarantee fpr --alpha 0.05
  rocwise threshold new.csv --score p --without-labels rank --cost-fp 1 --cost-fn 5"""
TIES = {"strict": "the strictest", "mild": "the mildest", "middle": "the middle one"}


def add_options(parser: ArgumentParser) -> None:
    """Options of this command."""
    add_data_options(parser, groups=True, label_required=False)  # but see --without-labels
    group = parser.add_argument_group("threshold")
    group.add_argument("--rule", help="see above (default: cost, when costs are given)")
    add_cost_options(group, "fp", "fn", "tp", "tn")
    add_arguments(
        group,
        "threshold",
        prevalence=None,
        constraint="of a min- or max- rule",
        beta="of f-beta: weight of recall against precision",
        ties="which of equally good thresholds: strict, mild, middle (default: strict; with costs "
        "mild)",
    )
    group.add_argument("--by", metavar="COLUMN", help="a threshold for each of these subgroups")
    group.add_argument(
        "--limit",
        choices=("each", "all"),
        help="with --by, whether the constraint of max-alarms is for each subgroup (default) or "
        "for all of them together",
    )
    group = parser.add_argument_group("uncertainty, guarantees, and without labels")
    group.add_argument(
        "--bootstrap", action="store_true", help="interval of the threshold; out-of-bag performance"
    )
    group.add_argument(
        "--resamples",
        dest="n_resamples",
        type=int,
        default=1000,
        metavar="N",
        help="number of resamples (default: 1000)",
    )
    group.add_argument("--level", type=float, default=0.95, help="confidence level (default: 0.95)")
    group.add_argument("--seed", dest="rng", type=int, metavar="N", help=SHARED_TEXT["rng"])
    group.add_argument(
        "--guarantee",
        dest="rate",
        choices=("fpr", "fnr", "fdr", "for", "error"),
        help="certify that this rate is at most --alpha",
    )
    group.add_argument("--alpha", type=float, default=0.1, help="bound of the rate (default: 0.1)")
    group.add_argument(
        "--delta", type=float, default=0.1, help="probability of failure (default: 0.1)"
    )
    group.add_argument(
        "--grid",
        dest="thresholds",
        type=float,
        nargs="+",
        metavar="T",
        help="candidates for fdr, for and error (default: 0.01 to 0.99)",
    )
    group.add_argument(
        "--without-labels",
        choices=("rank", "direct", "nroc"),
        metavar="METHOD",
        help="from unlabeled scores and costs: rank, direct or nroc",
    )
    add_output_options(parser, "the threshold on the ROC curve", rates=True)


class Form(NamedTuple):
    """Presentation of one kind of result: lines for the terminal, and lines of Python."""

    lines: Callable[[Any], list[str]]
    python: Callable[[Any, str], list[str]]
    named: bool = True  # whether the name of the model is printed, even if there is only one


def compute(options: Namespace) -> Output:
    """The threshold of each model."""
    _check_options(options)
    if options.without_labels:
        title, results, form = _without_labels(options), _unlabeled_rules(options), UNLABELED
    elif options.by:
        title, results, form = _by_title(options), _group_thresholds(options), GROUPS
    else:
        form, function = _function(options)
        pairs = read_pairs(options)
        title, results = heading(options, pairs), for_each(options, pairs, function)
    return Output(
        results,
        table=lambda: "\n\n".join(_report(results, name, form) for name in results),
        heading=title,
        of_each={name: {"python": form.python(each, name)} for name, each in results.items()},
    )


def _check_options(options: Namespace) -> None:
    """Raise for options that do not go together."""
    modes = {
        "--by": options.by,
        "--bootstrap": options.bootstrap,
        "--guarantee": options.rate,
        "--without-labels": options.without_labels,
    }
    chosen = [flag for flag, value in modes.items() if value]
    if len(chosen) > 1:
        raise InputError(f"{' and '.join(chosen)} are different questions; ask one at a time.")
    if options.label is None and not options.without_labels:
        raise InputError("the following arguments are required: --label")
    if options.limit and not options.by:
        raise InputError("--limit goes with --by.")
    if options.groups and not options.bootstrap:
        raise InputError("--group is about intervals, and goes with --bootstrap.")
    if options.sample_weight and options.without_labels:
        raise InputError("--weight has no meaning with --without-labels.")
    alone = {"--guarantee", "--without-labels"}.intersection(chosen)
    for flag, value in (("--rule", options.rule), ("--constraint", options.constraint)):
        if alone and value is not None:
            raise InputError(f"{flag} has no meaning with {alone.pop()}.")


def _function(options: Namespace) -> tuple[Form, Callable[[Any], Any]]:
    """One threshold for each model: by a rule, with or without its interval, or certified."""
    if options.rate:
        names = ("rate", "alpha", "delta", "thresholds")
        target = {name: getattr(options, name) for name in names}
        return GUARANTEE, lambda tally: rw.guaranteed_threshold(tally, **target)
    rule = _rule(options)
    if not options.bootstrap:
        return POINT, lambda tally: rw.threshold(tally, **rule)
    drawn = {name: getattr(options, name) for name in ("level", "n_resamples", "rng")}
    return UNCERTAINTY, lambda tally: rw.threshold(tally, **rule).uncertainty(**drawn)


def _rule(options: Namespace) -> dict[str, Any]:
    """The rule and its arguments; costs alone mean the rule "cost"."""
    costs = given_costs(options)
    if options.rule is None and costs is None:
        raise InputError(
            "say what the threshold is for: --cost-fp and --cost-fn, or a --rule such as youden"
        )
    return {"rule": options.rule or "cost", "costs": costs, **settings(options, "threshold")}


def _by_title(options: Namespace) -> str:
    return f"{source_name(options)}, by {terminal.printable(options.by)}"


def _group_thresholds(options: Namespace) -> dict[str, Any]:
    rule = _rule(options)
    weight = [] if options.sample_weight is None else [options.sample_weight]
    columns = read_columns(options.file, [options.label, *options.score, options.by, *weight])
    results: dict[str, Any] = {}
    for name in options.score:
        try:
            results[name] = rw.threshold(
                columns[options.label],
                columns[name],
                by=columns[options.by],
                pos_label=label_value(options.pos_label, columns[options.label]),
                direction=options.direction,
                missing=options.missing,
                sample_weight=columns[options.sample_weight] if weight else None,
                limit=options.limit or "each",
                **rule,
            )
        except InputError as problem:
            named = {"y_true": options.label, "y_score": name, "by": options.by}
            words = as_columns(named, sample_weight=options.sample_weight)
            raise problem.in_words_of(words) from None
    return results


def _without_labels(options: Namespace) -> str:
    return f"{source_name(options)}, without labels"


def _unlabeled_rules(options: Namespace) -> dict[str, Any]:
    costs = given_costs(options)
    if costs is None:
        raise InputError("--without-labels needs --cost-fp and --cost-fn.")
    if options.direction == "lower":
        raise InputError("--without-labels takes higher scores to mean positive.")
    columns = read_columns(options.file, options.score)
    results: dict[str, Any] = {}
    for name in options.score:
        try:
            results[name] = rule_without_labels(
                columns[name], costs=costs, method=options.without_labels, missing=options.missing
            )
        except InputError as problem:
            raise problem.in_words_of(as_columns({"y_score": name})) from None
    return results


# --- lines for the terminal


def _report(results: dict[str, Any], name: str, form: Form) -> str:
    """The result about one model, and the Python lines."""
    first, *rest = form.lines(results[name])
    head = f"{terminal.printable(name)}: " if len(results) > 1 or form.named else ""
    python = indented(form.python(results[name], name), "In Python:")
    return "\n".join([f"{head}{first}", *rest, "", python])


def _point(point: Any) -> list[str]:
    lines = [point.decision, f"  chosen for the {point.purpose}: {point.value:.4g}"]
    if point.expected_cost is not None and point.rule != "cost":
        lines.append(f"  expected cost {point.expected_cost:.4g} per case")
    size = point.n_pos + point.n_neg
    if abs(point.prevalence - point.n_pos / size) > 1e-12:
        lines.append(
            f"  at a prevalence of {point.prevalence:g} (in the file {point.n_pos / size:.3g})"
        )
    if len(point.equals) > 1:
        number = printing.count(len(point.equals))
        taken = f"{TIES[point.ties]} (--ties)"
        lines.append(f"  {number} thresholds are equally good; taken: {taken}")
    rates = {
        "sensitivity": point.tpr,
        "specificity": point.specificity,
        "precision": point.precision,
        "NPV": point.npv,
        "accuracy": point.accuracy,
    }
    texts = (
        f"{name}{terminal.NO_BREAK}{'undefined' if rate is None else printing.rate(rate, size)}"
        for name, rate in rates.items()
    )
    return [*lines, "", *_confusion(point), "", terminal.folded(f"  {', '.join(texts)}")]


def _confusion(point: Any) -> list[str]:
    """The confusion matrix."""
    rows = [
        ["  positives", printing.count(point.tp), printing.count(point.fn)],
        ["  negatives", printing.count(point.fp), printing.count(point.tn)],
    ]
    header = ["  in the file", "called positive", "called negative"]
    return terminal.aligned(header, rows, "lrr").split("\n")


def _uncertainty(result: Any) -> list[str]:
    resamples = printing.count(len(result.replicates) + result.n_failed)
    failed = f", {result.n_failed:,} without a threshold" if result.n_failed else ""
    columns = ("in_sample", "out_of_bag", "low", "high", "optimism")
    values = (getattr(result, column).tolist() for column in columns)
    rows = [
        [f"  {measure}", *("-" if value is None else f"{value:.3f}" for value in row)]
        for measure, *row in zip(result.measures.tolist(), *values, strict=True)
    ]
    level = printing.percent(result.interval.level)
    header = ["  measure", "in sample", "out of bag", f"{level} from", "to", "optimism"]
    interval = (
        f"  {level} interval of the threshold: {result.interval.ends} ({result.interval.method}, "
        f"{resamples} resamples{failed}, seed {result.seed})"
    )
    table = terminal.aligned(header, rows, "lrrrrr").split("\n")
    return [*_point(result.point), "", terminal.folded(interval), "", *table]


def _guarantee(result: Any) -> list[str]:
    size = result.n_pos + result.n_neg
    return [
        result.decision,
        terminal.folded(f"  {result.promise()}"),
        f"  observed {result.observed:.4g}, upper limit {result.upper:.4g}, "
        f"p = {result.p_value:.3g}",
        terminal.folded(
            f"  {result.n_certified:,} of {result.n_tested:,} thresholds certified "
            f"({result.method})"
        ),
        "",
        *_confusion(result),
        "",
        f"  sensitivity {printing.rate(result.tpr, size)}, "
        f"specificity {printing.rate(1 - result.fpr, size)}",
    ]


def _groups(result: Any) -> list[str]:
    rows = [
        _group_row(str(name), result[name], result.pooled_tpr[k], result.pooled_fpr[k])
        for k, name in enumerate(result.groups)
    ]
    pooled = result.pooled
    rows.append(_group_row("all together", pooled, pooled.tpr, pooled.fpr))
    header = ["group", "pos", "neg", "threshold", "sens", "spec", "value", "sens*", "spec*"]
    return [
        f"positive when score {_sign(result)} threshold, chosen by the rule {result.rule}",
        *terminal.aligned(header, rows, "lrr.rrrrr").split("\n"),
        f"value: {pooled.value_name}; *: what the threshold of all together does in the group",
        *([result.limit_words] if result.limit else []),
    ]


def _group_row(name: str, point: Any, tpr: float, fpr: float) -> list[str]:
    size = point.n_pos + point.n_neg
    sizes = [printing.count(point.n_pos), printing.count(point.n_neg)]
    own, pooled = (
        [printing.rate(rate, size) for rate in rates]
        for rates in ((point.tpr, point.specificity), (tpr, 1 - fpr))
    )
    return [name, *sizes, point.threshold_text, *own, f"{point.value:.4g}", *pooled]


def _unlabeled(rule: Any) -> list[str]:
    share = printing.rate(rule.share_positive, rule.n)
    lines = [
        f"positive when score >= {rule.threshold_text}",
        f"  set without labels ({rule.method}); {rule.skew_words}",
        f"  {share} of {printing.counted(rule.n, 'score')} called positive",
    ]
    if rule.n_tied > 1 and rule.ro is not None:
        tied = (
            f"  {rule.n_tied:,} scores are at the threshold; to meet the target share, "
            f"{rule.ro:.3g} of them would be negative"
        )
        lines.append(terminal.folded(tied))
    return lines


# --- lines of Python


def _sign(result: Any) -> str:
    return ">=" if result.origin.direction == "higher" else "<="


def _point_code(point: Any, name: str) -> list[str]:
    lines = _code(point, name, f"threshold(y_true, y_score, {_arguments(point)}{_rows(point)})")
    if point.origin.direction == "lower":
        return lines
    rule = _arguments(point).rpartition(", ties=")[0]
    return [
        *lines,
        "# in scikit-learn: from rocwise.estimators import ThresholdClassifier",
        f"# ThresholdClassifier(model, {rule})",
    ]


def _uncertainty_code(result: Any, name: str) -> list[str]:
    drawn = len(result.replicates) + result.n_failed
    call = (
        f"threshold(y_true, y_score, {_arguments(result.point)}{_rows(result)})"
        f".uncertainty(n_resamples={drawn}, level={result.interval.level:g}, rng={result.seed})"
    )
    return _code(result.point, name, call)


def _guarantee_code(result: Any, name: str) -> list[str]:
    grid = "" if result.grid is None else f", thresholds={result.grid.tolist()}"
    call = (
        f"guaranteed_threshold(y_true, y_score, rate={result.rate!r}, "
        f"alpha={result.alpha:g}, delta={result.delta:g}{grid}{_rows(result)})"
    )
    return _code(result, name, call)


def _code(point: Any, name: str, call: str) -> list[str]:
    """The line that applies the threshold, and the call that chooses it again."""
    return [
        f"positive = {_variable(name)} {_sign(point)} {_number(point)}",
        "# to choose it again: import rocwise as rw",
        f"# rw.{call}",
    ]


def _group_code(result: Any, name: str) -> list[str]:
    cells = [f"{str(group)!r}: {_number(result[group])}" for group in result.groups]
    limit = ', limit="all"' if result.limit == "all" else ""
    rule = f"{_arguments(result.pooled)}{limit}{_rows(result)}"
    return [
        f"thresholds = {{{', '.join(cells)}}}",
        f"positive = [s {_sign(result)} thresholds[str(g)] "
        f"for s, g in zip({_variable(name)}, group)]",
        "# to choose them again: import rocwise as rw",
        f"# rw.threshold(y_true, y_score, by=group, {rule})",
    ]


def _unlabeled_code(rule: Any, name: str) -> list[str]:
    costs = f"rw.{_costs(rule.costs)}"
    return [
        f"positive = {_variable(name)} >= {rule.threshold_text}",
        "# to set it again: import rocwise as rw, rocwise.binary",
        f"# rw.binary.rule_without_labels(y_score, costs={costs}, method={rule.method!r})",
    ]


def _variable(name: str) -> str:
    return name if name.isidentifier() else "score"


def _number(point: Any) -> str:
    """The threshold as Python reads it: the printed decimal, a category's name, or infinity."""
    if point.tp + point.fp == 0 and not np.isfinite(point.threshold):
        sign = "" if point.origin.direction == "higher" else "-"
        return f'float("{sign}inf")'
    return repr(point.threshold_text) if point.origin.categories else str(point.threshold_text)


def _arguments(point: Any) -> str:
    parts = [f"rule={point.rule!r}"]
    if point.costs is not None:
        parts.append(f"costs=rw.{_costs(point.costs)}")
    if abs(point.prevalence - point.n_pos / (point.n_pos + point.n_neg)) > 1e-12:
        parts.append(f"prevalence={point.prevalence:.12g}")
    numbers = {"constraint": point.constraint, "beta": point.beta}
    parts += [f"{name}={value:.12g}" for name, value in numbers.items() if value is not None]
    return ", ".join([*parts, f"ties={point.ties!r}"])


def _costs(costs: Any) -> str:
    named = {name: getattr(costs, name) for name in ("fp", "fn", "tp", "tn")}
    kept = {name: value for name, value in named.items() if value or name in ("fp", "fn")}
    return f"Costs({', '.join(f'{name}={value:.12g}' for name, value in kept.items())})"


def _rows(result: Any) -> str:
    """Arguments about direction, weights and clusters."""
    way = ', direction="lower"' if result.origin.direction == "lower" else ""
    weights = ", sample_weight=weight" if result.origin.n_rows is not None else ""
    return f"{way}{weights}{', groups=group' if result.origin.n_clusters is not None else ''}"


POINT = Form(_point, _point_code)
UNCERTAINTY = Form(_uncertainty, _uncertainty_code)
GUARANTEE = Form(_guarantee, _guarantee_code)
GROUPS = Form(_groups, _group_code, named=False)
UNLABELED = Form(_unlabeled, _unlabeled_code)
