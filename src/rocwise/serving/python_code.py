"""The present state of the studio as Python that gives the same numbers."""

import math
from collections.abc import Mapping
from typing import Any

from rocwise.reporting.data_forms import columns_by_model
from rocwise.serving.sessions import Shown

EXAMPLE = """\
from rocwise.datasets import breast_cancer_scores
cases = breast_cancer_scores()
pairs = rw.pair(cases.y_true, cases.scores)"""
FUNCTIONS = {  # for each model, and for several
    "multiclass": ("multiclass.auc", "multiclass.compare"),
    "ordinal": ("ordinal.auc", "ordinal.compare"),
    "regression": ("regression.rec", "regression.compare"),
}


def python_code(data: Shown, payload: Mapping[str, Any], state: Mapping[str, Any]) -> str:
    """Lines that read the data and compute what the page shows now."""
    lines = ["import rocwise as rw", ""]
    if payload["task"] == "binary":
        lines += [*_pairs(data), "", *_of_two_classes(payload, state)]
    elif payload["task"] == "survival":
        lines += _of_follow_up(data, payload)
    else:
        lines = [*(["import pandas as pd"] if data.choice else []), *lines]
        lines += _of_other_task(data, payload)
    return "\n".join(lines) + "\n"


def _of_two_classes(payload: Mapping[str, Any], state: Mapping[str, Any]) -> list[str]:
    models: list[Mapping[str, Any]] = payload["models"]
    model = next((each for each in models if each["name"] == state["model"]), models[0])
    threshold = state["thresholds"].get(model["name"])
    costs = f"rw.Costs(fp=1, fn={_number(state['cost_ratio'])})"
    prevalence = _number(state["prevalence"])
    lines = [f"tally = pairs.tally({model['name']!r})", "print(rw.auc(tally))"]
    if len(payload["models"]) > 1:
        lines.append("print(rw.compare(pairs))")
    if state.get("hidden"):
        lines.append(f"# hidden on the page: {', '.join(map(repr, state['hidden']))}")
    sign = "<=" if model["direction"] == "lower" else ">="
    if threshold is None:
        lines.append("# the page shows the point where no case is predicted positive")
    else:
        lines += ["", f"# the rule on the page: positive when score {sign} {_number(threshold)}"]
        own = model["n_pos"] / (model["n_pos"] + model["n_neg"])
        more = "" if state["prevalence"] == own else f", prevalence={prevalence}"
        if payload["cases"]["clusters"] is not None:
            more += f", rng={payload['settings']['seed']}"
        lines.append(f"print(rw.at(tally, threshold={_number(threshold)}{more}))")
    lines += ["", f"# the cheapest rule at a prevalence of {prevalence}"]
    lines.append(f'print(rw.threshold(tally, rule="cost", costs={costs}, prevalence={prevalence}))')
    settings = payload["settings"]
    if state.get("band"):
        options = {"kind": state["band"], "level": settings["level"]}
        options |= {"n_resamples": settings["n_resamples"], "rng": settings["seed"]}
        listed = ", ".join(f"{name}={value!r}" for name, value in options.items())
        lines += ["", f"band = rw.band(tally, {listed})"]
    report = f'path="report.html", prevalence={prevalence}, costs={costs}'
    return [*lines, "", f"rw.report(pairs, {report}, bands={settings['band_kinds']!r})"]


def _pairs(data: Shown) -> list[str]:
    if data.form == "example":
        lines = EXAMPLE.splitlines()
    elif data.choice is None:
        names = ", ".join(f"{name!r}: ..." for name in data.names)
        lines = [
            "# y_true and the scores that were given to rw.studio",
            f"scores = {{{names}}}",
            "pairs = rw.pair(y_true, scores)",
        ]
    else:
        options = [*_columns(data.choice, data.literals), *_text(data)]
        body = "".join(f"    {option},\n" for option in options)
        lines = f"pairs = rw.pair(\n    {data.path!r},\n{body})".splitlines()
    changed = {column: name for column, name in data.names.items() if column != name}
    return [*lines, f"pairs = pairs.renamed({changed!r})"] if changed else lines


def _columns(choice: Mapping[str, Any], literals: Mapping[str, str]) -> list[str]:
    options = [f"label={choice['label']!r}", f"scores={list(choice['scores'])!r}"]
    if choice.get("positive") not in (None, ""):
        options.append(f"pos_label={literals[choice['positive']]}")
    options += _unusual(choice, "direction", "missing")
    further = {"sample_weight": choice.get("weight"), "groups": choice.get("group")}
    return options + [f"{name}={column!r}" for name, column in further.items() if column]


def _text(data: Shown) -> list[str]:
    """How the text of the file is written; pandas has the same names."""
    return [f"{name}={value!r}" for name, value in data.text.items()]


def _unusual(choice: Mapping[str, Any], *names: str) -> list[str]:
    """Options that do not have their default."""
    usual = {"direction": "higher", "missing": "raise"}
    return [
        f"{each}={choice[each]!r}" for each in names if choice.get(each) not in (None, usual[each])
    ]


def _of_follow_up(data: Shown, payload: Mapping[str, Any]) -> list[str]:
    """Censored outcomes: AUC over time, the comparison, the report."""
    choice = data.choice
    lines = ["# f: the follow-up that was given to rw.studio"]
    if choice is not None:
        options = [f"time={choice['time']!r}", f"event={choice['label']!r}"]
        options.append(f"scores={list(choice['scores'])!r}")
        for name, field in (("cause", "positive"), ("censored", "censored")):
            if choice.get(field) not in (None, ""):
                options.append(f"{name}={data.literals[choice[field]]}")
        options += _unusual(choice, "direction", "missing")
        further = {"sample_weight": choice.get("weight"), "groups": choice.get("group")}
        options += [f"{name}={column!r}" for name, column in further.items() if column]
        body = "".join(f"    {option},\n" for option in options)
        lines = f"f = rw.survival.follow_up(\n    {data.path!r},\n{body})".splitlines()
        changed = {column: name for column, name in data.names.items() if column != name}
        lines += [f"f = f.renamed({changed!r})"] if changed else []
    lines += ["", "print(rw.survival.auc(f))", "print(rw.survival.concordance(f))"]
    if len(payload["summary"]["models"]) > 1:
        lines.append(f"print(rw.survival.compare(f, rng={payload['settings']['seed']!r}))")
    return [*lines, "", 'rw.report(f, path="report.html", task="survival")']


def _of_other_task(data: Shown, payload: Mapping[str, Any]) -> list[str]:
    """Several classes, ordered classes, forecasts: the values, their comparison, the report."""
    task = payload["task"]
    lines, options = _arrays(data, payload)
    value, comparison = FUNCTIONS[task]
    lines += ["", "for name, score in scores.items():"]
    lines.append(f"    print(name, rw.{value}({', '.join(['y_true', 'score', *options])}))")
    if len(payload["summary"]["models"]) > 1:
        level = f"level={payload['settings']['level']!r}"
        requested = ["y_true", "scores", level, f"rng={payload['settings']['seed']!r}", *options]
        lines.append(f"print(rw.{comparison}({', '.join(requested)}))")
    requested = ["y_true", "scores", 'path="report.html"', f"task={task!r}", *options]
    return [*lines, "", f"rw.report({', '.join(requested)})"]


def _arrays(data: Shown, payload: Mapping[str, Any]) -> tuple[list[str], list[str]]:
    """Lines that make `y_true` and `scores`, and the options that go with them."""
    choice = data.choice
    if choice is None:
        names = ", ".join(f"{name!r}: ..." for name in data.names.values())
        lines = ["# y_true and the scores that were given to rw.studio", f"scores = {{{names}}}"]
        return lines, []
    classes = payload["summary"].get("classes") or []
    listed_classes = f"[{', '.join(data.literals.get(each, repr(each)) for each in classes)}]"
    options = []
    if payload["task"] == "multiclass":
        options.append(f"classes={listed_classes}")
    elif payload["task"] == "ordinal":
        options += [f"order={listed_classes}", *_unusual(choice, "direction")]
    options += _unusual(choice, "missing")
    lines = [f"frame = {_read(data)}"]
    lines += [f"y_true = frame[{choice['label']!r}]", "scores = {"]
    by_model = columns_by_model(choice["scores"], classes) or {}
    for column, name in data.names.items():
        of_model = list(by_model[column].values()) if column in by_model else column
        lines.append(f"    {name!r}: frame[{of_model!r}]{'.to_numpy()' if classes else ''},")
    return [*lines, "}"], options


def _read(data: Shown) -> str:
    path = data.path
    ending = path.lower()
    if ending.endswith((".parquet", ".pq", ".xlsx")):
        return f"pd.read_{'excel' if ending.endswith('x') else 'parquet'}({path!r})"
    tabs = ["sep='\\t'"] if ".tsv" in ending[-8:] and "sep" not in data.text else []
    return f"pd.read_csv({', '.join([repr(path), *tabs, *_text(data)])})"


def _number(value: float) -> str:
    """All digits, without a needless point."""
    number = float(value)
    if math.isinf(number):
        return f"float({str(number)!r})"
    return repr(int(number)) if number.is_integer() and abs(number) < 1e15 else repr(number)
