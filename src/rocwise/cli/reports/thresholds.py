"""What ``rocwise threshold`` says: the decision, its table of outcomes, and the Python for it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from rocwise import printing
from rocwise.cli import terminal
from rocwise.cli.option_names import printable
from rocwise.cli.text_tables import aligned

if TYPE_CHECKING:
    from rocwise.binary.thresholds.guarantees import GuaranteedThreshold
    from rocwise.binary.thresholds.operating_points import OperatingPoint
    from rocwise.binary.thresholds.subgroups import GroupThresholds
    from rocwise.binary.thresholds.uncertainty import ThresholdUncertainty
    from rocwise.binary.thresholds.unlabelled import UnlabelledRule


def report(answer: Any, name: str, *, several: bool) -> str:
    """The answer about one model in lines for the screen."""
    kind = type(answer).__name__
    writers: dict[str, Callable[[Any], list[str]]] = {
        "OperatingPoint": _point,
        "ThresholdUncertainty": _uncertainty,
        "GuaranteedThreshold": _guarantee,
        "GroupThresholds": _groups,
        "UnlabelledRule": _unlabelled,
    }
    lines = writers[kind](answer)
    head = f"{printable(name)}: " if several or kind != "GroupThresholds" else ""
    return "\n".join([f"{head}{lines[0]}", *lines[1:]])


def _point(point: OperatingPoint) -> list[str]:
    from rocwise.binary.thresholds.rules import RULES

    words = RULES[point.rule].words(f"{point.constraint or 0:g}")
    lines = [point.decision, f"  chosen for the {words}: {point.value:.4g}"]
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

    return terminal.folded(
        f"  sensitivity {text(point.tpr)}, specificity {text(point.specificity)}, "
        f"precision {text(point.precision)}, NPV {text(point.npv)}, "
        f"accuracy {text(point.accuracy)}"
    )


def _uncertainty(answer: ThresholdUncertainty) -> list[str]:
    low, high = (f"{end:.4g}" if np.isfinite(end) else "no score" for end in answer.interval)
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
    header = ["  measure", "in sample", "out of bag", "from", "to", "optimism"]
    return [
        *_point(answer.point),
        "",
        terminal.folded(
            f"  {printing.percent(answer.interval.level)} interval of the threshold: {low} to "
            f"{high} ({answer.interval.method}, {resamples} resamples{failed}, seed {answer.seed})"
        ),
        "",
        *aligned(header, rows, "lrrrrr").split("\n"),
    ]


def _guarantee(answer: GuaranteedThreshold) -> list[str]:
    from rocwise.binary.thresholds.guarantees import RATES

    size = answer.n_pos + answer.n_neg
    return [
        answer.decision,
        terminal.folded(
            f"  {RATES[answer.rate]} at most {answer.alpha:g}, with confidence "
            f"{printing.percent(1 - answer.delta)}"
        ),
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
        _group_row(name, answer[name], answer.pooled_tpr[k], answer.pooled_fpr[k])
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
        f"positive when score >= {rule.threshold!r}",
        f"  set without labels ({rule.method}); a miss costs {rule.skew:.4g} false alarms",
        f"  {share} of {rule.n:,} scores are called positive",
    ]
    if rule.n_tied > 1 and rule.ro is not None:
        lines.append(
            f"  {rule.n_tied:,} scores are at the threshold; to meet the target share, "
            f"{rule.ro:.3g} of them would be negative"
        )
    return lines


def python_lines(answer: Any, name: str) -> list[str]:
    """The lines that put the answer to work, and the one that chooses it again."""
    column = name if name.isidentifier() else "score"
    kind = type(answer).__name__
    if kind == "GroupThresholds":
        return _python_of_groups(answer, column)
    if kind == "UnlabelledRule":
        again = f"rule_without_labels(y_score, costs=rw.{_costs(answer.costs)}"
        return [
            f"positive = {column} >= {answer.threshold!r}",
            "# to set it again: import rocwise as rw",
            "# from rocwise.binary.thresholds import rule_without_labels",
            f"# {again}, method={answer.method!r})",
        ]
    decided = _decided(answer.point if kind == "ThresholdUncertainty" else answer, column)
    if kind == "GuaranteedThreshold":
        grid = "" if answer.grid is None else f", thresholds={answer.grid.tolist()}"
        call = (
            f"guaranteed_threshold(y_true, y_score, rate={answer.rate!r}, "
            f"alpha={answer.alpha:g}, delta={answer.delta:g}{grid}"
        )
    elif kind == "ThresholdUncertainty":
        drawn = len(answer.replicates) + answer.n_failed
        call = (
            f"threshold(y_true, y_score, {_terms(answer.point)}{_way(answer)}).uncertainty("
            f"n_resamples={drawn}, level={answer.interval.level:g}, rng={answer.seed})"
        )
        return [decided, "# to choose it again: import rocwise as rw", f"# rw.{call}"]
    else:
        call = f"threshold(y_true, y_score, {_terms(answer)}"
    lines = [decided, "# to choose it again: import rocwise as rw", f"# rw.{call}{_way(answer)})"]
    return [*lines, *_python_of_model(answer)] if kind == "OperatingPoint" else lines


def _python_of_model(point: OperatingPoint) -> list[str]:
    """The scikit-learn classifier that learns this threshold, where scores are a model's own."""
    if point.origin.direction == "lower":
        return []
    terms = _terms(point).rpartition(", ties=")[0]
    return [f"# in scikit-learn: rocwise.estimators.ThresholdClassifier(model, {terms})"]


def _python_of_groups(answer: GroupThresholds, column: str) -> list[str]:
    sign = ">=" if answer.origin.direction == "higher" else "<="
    cells = [f"{name!r}: {_number(answer[name])}" for name in answer.groups]
    terms = _terms(answer.pooled)
    return [
        f"thresholds = {{{', '.join(cells)}}}",
        f"positive = [s {sign} thresholds[g] for s, g in zip({column}, group)]",
        "# to choose them again: import rocwise as rw",
        f"# rw.threshold_by_group(y_true, y_score, group, {terms}{_way(answer)})",
    ]


def _decided(point: OperatingPoint | GuaranteedThreshold, column: str) -> str:
    sign = ">=" if point.origin.direction == "higher" else "<="
    return f"positive = {column} {sign} {_number(point)}"


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
    return ', direction="lower"' if answer.origin.direction == "lower" else ""
