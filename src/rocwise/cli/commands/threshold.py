"""``rocwise threshold``: the best threshold, and what it does."""

import math
from collections.abc import Callable
from typing import Any

import rocwise as rw
from rocwise import printing
from rocwise.binary import rule_without_labels
from rocwise.cli import data, terminal
from rocwise.cli.options import Options, Parser
from rocwise.cli.output import Output, for_each, heading, one_by_one, rate_text, sign_of
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
UNCERTAINTY = "binary.threshold.OperatingPoint.uncertainty"


def add_options(parser: Parser) -> None:
    parser.data("sample_weight", "groups", label_required=False)  # but see --without-labels
    parser.section("threshold")
    parser.option("--rule", "see above (default: cost, when costs are given)")
    parser.costs("fp", "fn", "tp", "tn")
    parser.arguments(
        "threshold",
        prevalence=None,
        constraint="of a min- or max- rule",
        beta="of f-beta: weight of recall against precision",
        ties="which of equally good thresholds: strict, mild, middle (default: strict; with costs "
        "mild)",
    )
    parser.column("--by", "a threshold for each of these subgroups")
    parser.option(
        "--limit",
        "with --by, whether the constraint of max-alarms is for each subgroup (default) or for all "
        "of them together",
        choices=("each", "all"),
    )
    parser.section("uncertainty, guarantees, and without labels")
    parser.flag("--bootstrap", "interval of the threshold; out-of-bag performance")
    parser.arguments(UNCERTAINTY, n_resamples=None, level=None, rng=None)
    rates, text = ("fpr", "fnr", "fdr", "for", "error"), "certify that this rate is at most --alpha"
    parser.option("--guarantee", text, dest="rate", choices=rates)
    alpha, delta = "bound of the rate", "probability of failure"
    parser.arguments("guaranteed_threshold", alpha=alpha, delta=delta)
    text = "candidates for fdr, for and error (default: 0.01 to 0.99)"
    parser.option("--grid", text, dest="thresholds", type=float, nargs="+", metavar="T")
    text = "from unlabeled scores and costs: rank, direct, nroc or hybrid"
    methods = ("rank", "direct", "nroc", "hybrid")
    parser.option("--without-labels", text, choices=methods, metavar="METHOD")
    parser.output("the threshold on the ROC curve", rates=True)


def compute(options: Options) -> Output:
    """The threshold of each model."""
    mode = _mode(options)
    if mode == "--without-labels":
        title, results = f"{data.source_name(options)}, without labels", _unlabeled_rules(options)
    elif mode == "--by":
        title = f"{data.source_name(options)}, by {terminal.printable(options.by)}"
        results = _group_thresholds(options)
    else:
        function = _function(options)
        pairs = data.read_pairs(options)
        title, results = heading(options, pairs), for_each(options, pairs, function)
    python = {name: _python(options, name, each) for name, each in results.items()}

    def report(name: str, result: Any) -> str:
        first, *rest = LINES[mode](result)
        head = f"{terminal.printable(name)}: " if len(results) > 1 or mode != "--by" else ""
        return "\n".join(
            [terminal.folded(f"{head}{first}"), *rest, "", indented(python[name], "In Python:")]
        )

    of_each = {name: {"python": lines} for name, lines in python.items()}
    return Output(results, one_by_one(report), title, of_each=of_each)


def _mode(options: Options) -> str:
    """The option that selects the task, if any; raises for options that do not go together."""
    modes = {
        "--by": options.by,
        "--bootstrap": options.bootstrap,
        "--guarantee": options.rate,
        "--without-labels": options.without_labels,
    }
    chosen = [flag for flag, value in modes.items() if value]
    if len(chosen) > 1:
        raise InputError(f"{' and '.join(chosen)} exclude each other; pass one of them.")
    if options.label is None and not options.without_labels:
        raise InputError("the following arguments are required: --label")
    if options.limit and not options.by:
        raise InputError("--limit goes with --by.")
    if options.groups and not options.bootstrap:
        raise InputError("--group is about intervals, and goes with --bootstrap.")
    if options.sample_weight and options.without_labels:
        raise InputError("--weight has no meaning with --without-labels.")
    for flag, value in (("--rule", options.rule), ("--constraint", options.constraint)):
        if value is not None and (options.rate or options.without_labels):
            raise InputError(f"{flag} has no meaning with {chosen[0]}.")
    return "".join(chosen)


def _function(options: Options) -> Callable[[Any], Any]:
    """One threshold for each model: by a rule, with or without its interval, or certified."""
    if options.rate:
        return lambda tally: rw.guaranteed_threshold(tally, **_target(options))
    rule = _rule(options)
    if not options.bootstrap:
        return lambda tally: rw.threshold(tally, **rule)
    drawn = options.settings(UNCERTAINTY)
    return lambda tally: rw.threshold(tally, **rule).uncertainty(**drawn)


def _target(options: Options) -> dict[str, Any]:
    """The certified rate and its bounds."""
    certified = options.settings("guaranteed_threshold")
    return {"rate": options.rate, **certified, "thresholds": options.thresholds}


def _rule(options: Options) -> dict[str, Any]:
    """The rule and its arguments; costs alone mean the rule "cost"."""
    costs = data.given_costs(options)
    if options.rule is None and costs is None:
        raise InputError("pass --cost-fp and --cost-fn, or a --rule such as youden")
    return {"rule": options.rule or "cost", "costs": costs, **options.settings("threshold")}


def _group_thresholds(options: Options) -> dict[str, Any]:
    rule = _rule(options)
    weight = [] if options.sample_weight is None else [options.sample_weight]
    columns = data.read_columns(options.file, [options.label, *options.score, options.by, *weight])
    labels = columns[options.label]
    results: dict[str, Any] = {}
    for name in options.score:
        with data.columns_named(
            options.given("by", "sample_weight"), y_true=options.label, y_score=name
        ):
            results[name] = rw.threshold(
                labels,
                columns[name],
                by=columns[options.by],
                pos_label=data.label_value(options.pos_label, labels),
                limit=options.limit or "each",
                **options.given("direction", "missing"),
                **data.row_arguments(options, columns),
                **rule,
            )
    return results


def _unlabeled_rules(options: Options) -> dict[str, Any]:
    costs = data.given_costs(options)
    if costs is None:
        raise InputError("--without-labels needs --cost-fp and --cost-fn.")
    if options.direction == "lower":
        raise InputError("--without-labels takes higher scores to mean positive.")
    columns = data.read_columns(options.file, options.score)
    results: dict[str, Any] = {}
    for name in options.score:
        with data.columns_named(y_score=name):
            results[name] = rule_without_labels(
                columns[name], costs=costs, method=options.without_labels, missing=options.missing
            )
    return results


# --- lines for the terminal


def _point(point: Any) -> list[str]:
    lines, in_file = [point._sentence()], point.n_pos / (point.n_pos + point.n_neg)
    if abs(point.prevalence - in_file) > 1e-12:
        lines.append(f"  at a prevalence of {point.prevalence:g} (in the file {in_file:.3g})")
    rates = {"precision": point.precision, "NPV": point.npv, "accuracy": point.accuracy}
    texts = (
        f"{name} {'undefined' if rate is None else rate_text(point, rate)}"
        for name, rate in rates.items()
    )
    return [*lines, "", *_confusion(point), "", f"  {', '.join(texts)}"]


def _confusion(point: Any) -> list[str]:
    """The confusion matrix."""
    rows = [
        ["  positives", printing.count(point.tp), printing.count(point.fn)],
        ["  negatives", printing.count(point.fp), printing.count(point.tn)],
    ]
    header = ["  in the file", "predicted positive", "predicted negative"]
    return terminal.aligned(header, rows, "lrr").split("\n")


def _uncertainty(result: Any) -> list[str]:
    resamples = printing.count(len(result.replicates) + result.n_failed)
    failed = f", {result.n_failed:,} without a threshold" if result.n_failed else ""
    level = printing.percent(result.interval.level)
    interval = (
        f"  {level} interval of the threshold: {result.interval.ends} ({result.interval.method}, "
        f"{resamples} resamples{failed}, seed {result.seed})"
    )
    return [*_point(result.point), "", terminal.folded(interval), "", result.to_string()]


def _guarantee(result: Any) -> list[str]:
    certified = f"{result.n_certified:,} of {result.n_tested:,} thresholds certified"
    limit = f"  upper limit {result.upper:.4g}, p = {result.p_value:.3g}; {certified}"
    return [result._sentence(), limit, "", *_confusion(result)]


def _groups(result: Any) -> list[str]:
    rows = [
        _group_row(str(name), result[name], result.pooled_tpr[k], result.pooled_fpr[k])
        for k, name in enumerate(result.groups)
    ]
    pooled = result.pooled
    rows.append(_group_row("all together", pooled, pooled.tpr, pooled.fpr))
    header = ["group", "pos", "neg", "threshold", "sens", "spec", "value", "sens*", "spec*"]
    return [
        f"positive when score {sign_of(result)} threshold, chosen by the rule {result.rule}",
        *terminal.aligned(header, rows, "lrr.rrrrr").split("\n"),
        f"value: {pooled.value_name}; *: what the threshold of all together does in the group",
        *([result.limit_words] if result.limit else []),
    ]


def _group_row(name: str, point: Any, tpr: float, fpr: float) -> list[str]:
    sizes = [printing.count(point.n_pos), printing.count(point.n_neg)]
    sens, spec = rate_text(point, point.tpr), rate_text(point, point.specificity)
    pooled = [rate_text(point, tpr), rate_text(point, 1 - fpr)]
    return [name, *sizes, point.threshold_text, sens, spec, f"{point.value:.4g}", *pooled]


def _unlabeled(rule: Any) -> list[str]:
    lines = [f"{rule}"]
    if rule.n_tied > 1 and rule.ro is not None:
        tied = (
            f"  {rule.n_tied:,} scores are at the threshold; to meet the target proportion, "
            f"{rule.ro:.3g} of them would be negative"
        )
        lines.append(terminal.folded(tied))
    return lines


LINES: dict[str, Callable[[Any], list[str]]] = {
    "": _point,
    "--bootstrap": _uncertainty,
    "--guarantee": _guarantee,
    "--by": _groups,
    "--without-labels": _unlabeled,
}


# --- lines of Python


def _python(options: Options, name: str, result: Any) -> list[str]:
    """Lines that apply the threshold, and the call that finds it again."""
    scores = name if name.isidentifier() else "score"
    if options.by:
        cells = [f"{str(group)!r}: {_number(result[group])}" for group in result.groups]
        decide = f"[s {sign_of(result)} thresholds[str(g)] for s, g in zip({scores}, group)]"
        rule = {**_rule(options), "limit": options.limit}
        return [
            f"thresholds = {{{', '.join(cells)}}}",
            f"positive = {decide}",
            "# to choose them again: import rocwise as rw",
            _call("threshold(y_true, y_score, by=group, ", rule, options),
        ]
    point = result.point if options.bootstrap else result
    decide = f"positive = {scores} {sign_of(point)} {_number(point)}"
    if options.without_labels:
        how = {"costs": result.costs, "method": result.method}
        again = "# to set it again: import rocwise as rw, rocwise.binary"
        return [decide, again, _call("binary.rule_without_labels(y_score, ", how, options)]
    lines = [decide, "# to choose it again: import rocwise as rw"]
    if options.rate:
        start = "guaranteed_threshold(y_true, y_score, "
        return [*lines, _call(start, _target(options), options)]
    call = _call("threshold(y_true, y_score, ", _rule(options), options)
    if options.bootstrap:
        drawn = {**options.settings(UNCERTAINTY), "rng": result.seed}
        return [*lines, f"{call}.uncertainty({_written(drawn)})"]
    if options.direction == "lower":
        return [*lines, call]
    model = {**_rule(options), "ties": None}
    return [
        *lines,
        call,
        "# in scikit-learn: from rocwise.estimators import ThresholdClassifier",
        f"# ThresholdClassifier(model, {_written(model)})",
    ]


def _number(point: Any) -> str:
    """The threshold as Python reads it: the printed decimal, a category's name, or infinity."""
    if not math.isfinite(point.threshold):
        return f'float("{point.threshold}")'
    return repr(point.threshold_text) if point.origin.categories else str(point.threshold_text)


def _call(start: str, arguments: dict[str, Any], options: Options) -> str:
    """A call as a comment, with the arguments about direction, weights and clusters."""
    rows = {
        "direction='lower'": options.direction == "lower",
        "sample_weight=weight": options.sample_weight is not None,
        "groups=group": options.groups is not None,
    }
    words = [_written(arguments), *(text for text, needed in rows.items() if needed)]
    return f"# rw.{start}{', '.join(words)})"


def _written(arguments: dict[str, Any]) -> str:
    """Arguments as Python code; those that are None are left out."""
    given = {name: value for name, value in arguments.items() if value is not None}
    return ", ".join(f"{name}={_value(value)}" for name, value in given.items())


def _value(value: Any) -> str:
    if isinstance(value, rw.Costs):
        costs = {name: getattr(value, name) or None for name in ("fp", "fn", "tp", "tn")}
        return f"rw.Costs({_written({**costs, 'fp': value.fp, 'fn': value.fn})})"
    return f"{value:.12g}" if isinstance(value, float) else repr(value)
