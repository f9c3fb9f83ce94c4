"""The present state of the studio as Python that gives the same numbers."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

EXAMPLE = """\
from rocwise.datasets import breast_cancer_scores
cases = breast_cancer_scores()
pairs = rw.pair(cases.y_true, cases.scores)"""


def python_code(
    form: str,
    path: str,
    choice: Mapping[str, Any] | None,
    payload: Mapping[str, Any],
    state: Mapping[str, Any],
) -> str:
    """Lines that read the data, answer, and decide as the page does now."""
    model = _shown_model(payload, state["model"])
    threshold = state["thresholds"].get(model["name"])
    costs = f"rw.Costs(fp=1, fn={_number(state['cost_ratio'])})"
    share = _number(state["prevalence"])
    lines = ["import rocwise as rw", "", *_reading(form, path, choice, payload), ""]
    lines += [f"tally = pairs.tally({model['name']!r})", "print(rw.auc(tally))"]
    if len(payload["models"]) > 1:
        lines.append("print(rw.compare(pairs))")
    sign = "<=" if model["direction"] == "lower" else ">="
    if threshold is None:
        lines.append("# the page shows the point where no case is called positive")
    else:
        lines += ["", f"# the rule on the page: positive when score {sign} {_number(threshold)}"]
        lines.append(f"print(rw.at(tally, threshold={_number(threshold)}, prevalence={share}))")
    lines += ["", f"# the cheapest rule at a prevalence of {share}"]
    lines.append(f'print(rw.threshold(tally, rule="cost", costs={costs}, prevalence={share}))')
    if state.get("band"):
        settings = payload["settings"]
        lines += ["", _band(state["band"], settings)]
    lines += ["", _report(payload, share, costs)]
    return "\n".join(lines) + "\n"


def _shown_model(payload: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    models: list[Mapping[str, Any]] = payload["models"]
    return next((model for model in models if model["name"] == name), models[0])


def _reading(
    form: str, path: str, choice: Mapping[str, Any] | None, payload: Mapping[str, Any]
) -> list[str]:
    if form == "example":
        return EXAMPLE.splitlines()
    if choice is None:
        names = ", ".join(f"{model['name']!r}: ..." for model in payload["models"])
        return [
            "# y_true and the scores that were given to rw.studio",
            f"scores = {{{names}}}",
            "pairs = rw.pair(y_true, scores)",
        ]
    options = [f"label={choice['label']!r}", f"scores={list(choice['scores'])!r}"]
    if choice.get("positive") not in (None, "", "1", "True", "true", "1.0"):
        options.append(f"pos_label={_as_held(choice['positive'])}")
    if choice.get("direction", "higher") != "higher":
        options.append("direction='lower'")
    if choice.get("missing", "raise") != "raise":
        options.append("missing='drop'")
    if choice.get("weight"):
        options.append(f"sample_weight={choice['weight']!r}")
    if choice.get("group"):
        options.append(f"groups={choice['group']!r}")
    body = "".join(f"    {option},\n" for option in options)
    return f"pairs = rw.pair_frame(\n    {path!r},\n{body})".splitlines()


def _as_held(text: str) -> str:
    """A label as the file holds it: a number where it reads as one."""
    try:
        number = float(text)
    except ValueError:
        return repr(text)
    return repr(int(number)) if number.is_integer() else repr(number)


def _band(kind: str, settings: Mapping[str, Any]) -> str:
    return (
        f"band = rw.band(tally, kind={kind!r}, level={settings['level']!r}, "
        f"n_resamples={settings['n_resamples']!r}, rng={settings['seed']!r})"
    )


def _report(payload: Mapping[str, Any], share: str, costs: str) -> str:
    kinds = payload["settings"]["band_kinds"]
    return f'rw.report(pairs, "report.html", prevalence={share}, costs={costs}, bands={kinds!r})'


def _number(value: float) -> str:
    """All digits, without a needless point."""
    number = float(value)
    if math.isinf(number):
        return f"float({str(number)!r})"
    return repr(int(number)) if number.is_integer() and abs(number) < 1e15 else repr(number)
