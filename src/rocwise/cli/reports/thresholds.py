"""What ``rocwise threshold`` says: the decision, its table of outcomes, and the Python for it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from rocwise import printing
from rocwise.cli.arguments.option_names import printable
from rocwise.cli.output import terminal
from rocwise.cli.output.python_snippets import shown
from rocwise.cli.output.text_tables import aligned

if TYPE_CHECKING:
    from rocwise.binary.guarantees import GuaranteedThreshold
    from rocwise.binary.threshold import OperatingPoint, ThresholdUncertainty
    from rocwise.binary.threshold_groups import GroupThresholds
    from rocwise.binary.unlabeled import UnlabelledRule


class Form(NamedTuple):
    """How answers of one kind are told: lines for the screen, and lines of Python."""

    lines: Callable[[Any], list[str]]
    python: Callable[[Any, str], list[str]]
    named: bool = True  # whether an answer is told after the name of its model, even if alone


def reports(answers: Mapping[str, Any], form: Form) -> str:
    """The answer about each model, and the Python for it."""
    several = len(answers) > 1
    parts = []
    for name, answer in answers.items():
        first, *rest = form.lines(answer)
        head = f"{printable(name)}: " if several or form.named else ""
        python = shown(form.python(answer, name), "In Python:")
        parts.append("\n".join([f"{head}{first}", *rest, "", python]))
    return "\n\n".join(parts)


def _point(point: OperatingPoint) -> list[str]:
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
        lines.append(f"  {number} thresholds are equally good; taken: {_which(point.ties)}")
    return [*lines, "", *_outcomes(point), "", _rates(point, size)]


def _which(ties: str) -> str:
    words = {"strict": "the strictest", "mild": "the mildest", "middle": "the middle one"}
    return f"{words[ties]} (--ties)"


def _outcomes(point: OperatingPoint | GuaranteedThreshold) -> list[str]:
    """The fourfold table of counts in the file."""
    rows = [
        ["  positives", printing.count(point.tp), printing.count(point.fn)],
        ["  negatives", printing.count(point.fp), printing.count(point.tn)],
    ]
    return aligned(["  in the file", "called positive", "called negative"], rows, "lrr").split("\n")


def _rates(point: OperatingPoint, size: float) -> str:
    def text(value: float | None) -> str:
        return "undefined" if value is None else printing.rate(value, size)

    rates = {
        "sensitivity": point.tpr,
        "specificity": point.specificity,
        "precision": point.precision,
        "NPV": point.npv,
        "accuracy": point.accuracy,
    }
    pieces = (f"{name}{terminal.TOGETHER}{text(value)}" for name, value in rates.items())
    return terminal.folded(f"  {', '.join(pieces)}")


def _uncertainty(answer: ThresholdUncertainty) -> list[str]:
    resamples = printing.count(len(answer.replicates) + answer.n_failed)
    failed = f", {answer.n_failed:,} without a threshold" if answer.n_failed else ""
    rows = [
        [f"  {row[0]}", *("-" if value is None else f"{value:.3f}" for value in row[1:])]
        for row in zip(
            answer.measures.tolist(),
            *(
                getattr(answer, column).tolist()
                for column in ("in_sample", "out_of_bag", "low", "high", "optimism")
            ),
            strict=True,
        )
    ]
    level = printing.percent(answer.interval.level)
    header = ["  measure", "in sample", "out of bag", f"{level} from", "to", "optimism"]
    return [
        *_point(answer.point),
        "",
        terminal.folded(
            f"  {level} interval of the threshold: "
            f"{answer.interval.ends} ({answer.interval.method}, {resamples} resamples{failed}, "
            f"seed {answer.seed})"
        ),
        "",
        *aligned(header, rows, "lrrrrr").split("\n"),
    ]


def _guarantee(answer: GuaranteedThreshold) -> list[str]:
    size = answer.n_pos + answer.n_neg
    return [
        answer.decision,
        terminal.folded(f"  {answer.promise()}"),
        f"  observed {answer.observed:.4g}, upper limit {answer.upper:.4g}, "
        f"p = {answer.p_value:.3g}",
        terminal.folded(
            f"  {answer.n_certified:,} of {answer.n_tested:,} thresholds certified "
            f"({answer.method})"
        ),
        "",
        *_outcomes(answer),
        "",
        f"  sensitivity {printing.rate(answer.tpr, size)}, "
        f"specificity {printing.rate(1 - answer.fpr, size)}",
    ]


def _groups(answer: GroupThresholds) -> list[str]:
    rows = [
        _group_row(str(name), answer[name], answer.pooled_tpr[k], answer.pooled_fpr[k])
        for k, name in enumerate(answer.groups)
    ]
    pooled = answer.pooled
    rows.append(_group_row("all together", pooled, pooled.tpr, pooled.fpr))
    header = ["group", "pos", "neg", "threshold", "sens", "spec", "value", "sens*", "spec*"]
    sign = ">=" if answer.origin.direction == "higher" else "<="
    return [
        f"positive when score {sign} threshold, chosen by the rule {answer.rule}",
        *aligned(header, rows, "lrr.rrrrr").split("\n"),
        f"value: {pooled.value_name}; *: what the threshold of all together does in the group",
        *([answer.limit_words] if answer.limit else []),
    ]


def _group_row(name: str, point: OperatingPoint, tpr: float, fpr: float) -> list[str]:
    size = point.n_pos + point.n_neg
    sizes = [printing.count(point.n_pos), printing.count(point.n_neg)]
    rates = [printing.rate(rate, size) for rate in (point.tpr, point.specificity)]
    others = [printing.rate(rate, size) for rate in (tpr, 1 - fpr)]
    return [name, *sizes, point.threshold_text, *rates, f"{point.value:.4g}", *others]


def _unlabelled(rule: UnlabelledRule) -> list[str]:
    share = printing.rate(rule.share_positive, rule.n)
    lines = [
        f"positive when score >= {rule.threshold_text}",
        f"  set without labels ({rule.method}); {rule.skew_words}",
        f"  {share} of {printing.counted(rule.n, 'score')} called positive",
    ]
    if rule.n_tied > 1 and rule.ro is not None:
        lines.append(
            terminal.folded(
                f"  {rule.n_tied:,} scores are at the threshold; to meet the target share, "
                f"{rule.ro:.3g} of them would be negative"
            )
        )
    return lines


def _python_of_point(point: OperatingPoint, name: str) -> list[str]:
    """The line that puts the threshold to work, and those that choose it again."""
    call = f"threshold(y_true, y_score, {_terms(point)}{_way(point)})"
    return [*_decided_and_again(point, name, call), *_python_of_model(point)]


def _python_of_uncertainty(answer: ThresholdUncertainty, name: str) -> list[str]:
    drawn = len(answer.replicates) + answer.n_failed
    call = (
        f"threshold(y_true, y_score, {_terms(answer.point)}{_way(answer)})"
        f".uncertainty(n_resamples={drawn}, level={answer.interval.level:g}, rng={answer.seed})"
    )
    return _decided_and_again(answer.point, name, call)


def _python_of_guarantee(answer: GuaranteedThreshold, name: str) -> list[str]:
    grid = "" if answer.grid is None else f", thresholds={answer.grid.tolist()}"
    call = (
        f"guaranteed_threshold(y_true, y_score, rate={answer.rate!r}, "
        f"alpha={answer.alpha:g}, delta={answer.delta:g}{grid}{_way(answer)})"
    )
    return _decided_and_again(answer, name, call)


def _decided_and_again(
    point: OperatingPoint | GuaranteedThreshold, name: str, call: str
) -> list[str]:
    sign = ">=" if point.origin.direction == "higher" else "<="
    return [
        f"positive = {_variable(name)} {sign} {_number(point)}",
        "# to choose it again: import rocwise as rw",
        f"# rw.{call}",
    ]


def _python_of_unlabelled(rule: UnlabelledRule, name: str) -> list[str]:
    costs = f"rw.{_costs(rule.costs)}"
    return [
        f"positive = {_variable(name)} >= {rule.threshold_text}",
        "# to set it again: import rocwise as rw, rocwise.binary",
        f"# rw.binary.rule_without_labels(y_score, costs={costs}, method={rule.method!r})",
    ]


def _variable(name: str) -> str:
    """What to call the array of scores."""
    return name if name.isidentifier() else "score"


def _python_of_model(point: OperatingPoint) -> list[str]:
    """The scikit-learn classifier that learns this threshold, where scores are a model's own."""
    if point.origin.direction == "lower":
        return []
    terms = _terms(point).rpartition(", ties=")[0]
    return [
        "# in scikit-learn: from rocwise.estimators import ThresholdClassifier",
        f"# ThresholdClassifier(model, {terms})",
    ]


def _python_of_groups(answer: GroupThresholds, name: str) -> list[str]:
    sign = ">=" if answer.origin.direction == "higher" else "<="
    cells = [f"{str(group)!r}: {_number(answer[group])}" for group in answer.groups]
    terms = _terms(answer.pooled)
    return [
        f"thresholds = {{{', '.join(cells)}}}",
        f"positive = [s {sign} thresholds[str(g)] for s, g in zip({_variable(name)}, group)]",
        "# to choose them again: import rocwise as rw",
        f"# rw.threshold(y_true, y_score, by=group, {terms}{_limit(answer)}{_way(answer)})",
    ]


def _limit(answer: GroupThresholds) -> str:
    return ', limit="all"' if answer.limit == "all" else ""


def _number(point: OperatingPoint | GuaranteedThreshold) -> str:
    """The threshold as Python writes it: the printed decimal, a category's name, or infinity."""
    if point.tp + point.fp == 0 and not np.isfinite(point.threshold):
        sign = "" if point.origin.direction == "higher" else "-"
        return f'float("{sign}inf")'
    return repr(point.threshold_text) if point.origin.categories else point.threshold_text


def _terms(point: OperatingPoint) -> str:
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


def _way(answer: Any) -> str:
    """What was said about the rows."""
    way = ', direction="lower"' if answer.origin.direction == "lower" else ""
    weights = ", sample_weight=weight" if answer.origin.n_rows is not None else ""
    return f"{way}{weights}{', groups=group' if answer.origin.n_clusters is not None else ''}"


POINT = Form(_point, _python_of_point)
UNCERTAINTY = Form(_uncertainty, _python_of_uncertainty)
GUARANTEE = Form(_guarantee, _python_of_guarantee)
GROUPS = Form(_groups, _python_of_groups, named=False)
UNLABELLED = Form(_unlabelled, _python_of_unlabelled)
