"""``rocwise threshold``."""

import re

import numpy as np
import pytest

import rocwise as rw
from rocwise.binary import rule_without_labels
from unit.cli.command_runs import members, write_csv

COSTS = ("--cost-fp", 1, "--cost-fn", 20)


def chosen(run, scores, *words, score="a"):
    return run("threshold", scores.path, "--label", "ill", "--score", score, *words)


def python_of(out):
    """The lines of code at the end of the screen, those that were broken put together again."""
    code = re.sub(r"\n  (# |)    ", " ", out.rpartition("In Python:\n")[2])
    return [line.strip() for line in code.splitlines()]


def called_again(line, **data):
    """What the commented call results."""
    return eval(line.removeprefix("# "), {"rw": rw, **data})


def test_costs(run, scores):
    code, out, err = chosen(run, scores, *COSTS, "--prevalence", 0.02)
    point = rw.threshold(scores.ill, scores.a, costs=rw.Costs(fp=1, fn=20), prevalence=0.02)
    assert (code, err) == (0, "")
    assert out.startswith(f"{scores.path}: ")
    assert point.decision in out
    assert f"smallest expected cost ({point.expected_cost:.4g})" in out
    assert "at a prevalence of 0.02" in out
    rows = {line.split()[0]: line.split()[1:] for line in out.splitlines() if line.strip()}
    assert rows["positives"] == [str(point.tp), str(point.fn)]
    assert rows["negatives"] == [str(point.fp), str(point.tn)]


@pytest.mark.parametrize(
    "words",
    [
        COSTS,
        ("--rule", "min-sensitivity", "--constraint", 0.9),
        ("--rule", "f-beta", "--beta", 2, "--ties", "middle"),
        ("--rule", "mcc", "--prevalence", 0.1),
        ("--rule", "youden", *COSTS, "--cost-tp", -1),
    ],
)
@pytest.mark.parametrize("direction", ["higher", "lower"])
@pytest.mark.filterwarnings("ignore::rocwise.errors.DirectionWarning")
def test_the_python_lines_agree_with_the_screen(run, scores, words, direction):
    code, out, _ = chosen(run, scores, *words, "--direction", direction, score="b")
    decide, _, again, *model = python_of(out)
    found = {"b": scores.b}
    exec(decide, found)
    point = called_again(again, y_true=scores.ill, y_score=scores.b)
    assert code == 0
    assert int(found["positive"].sum()) == point.tp + point.fp
    assert point.decision in out
    assert len(model) == 2 * (direction == "higher")


def test_the_python_line_for_scikit_learn(run, scores):
    """The model learns the threshold of the held-out scores by the rule of the screen."""
    pytest.importorskip("sklearn")
    *_, get, call = python_of(chosen(run, scores, *COSTS, "--prevalence", 0.1).out)
    names = {"rw": rw, "model": None}
    exec(get.removeprefix("# in scikit-learn: "), names)
    wrapped = eval(call.removeprefix("# "), names)
    wrapped.fit(scores.a[:, None], scores.ill)
    assert wrapped.point_.costs == rw.Costs(fp=1, fn=20)
    assert wrapped.point_.prevalence == 0.1


def test_json_has_what_the_screen_has(run, scores):
    document = members(chosen(run, scores, *COSTS, "--json").out)
    point = rw.threshold(scores.ill, scores.a, costs=rw.Costs(fp=1, fn=20))
    for name in ("threshold", "tp", "fp", "tn", "fn", "expected_cost", "npv", "accuracy"):
        assert document[name] == getattr(point, name)
    out = chosen(run, scores, *COSTS).out
    assert document["python"] == python_of(out)
    assert document["decision"] in out


def test_bootstrap(run, scores):
    words = ("--rule", "youden", "--bootstrap", "--resamples", 60, "--seed", 3, "--level", 0.9)
    code, out, err = chosen(run, scores, *words)
    point = rw.threshold(scores.ill, scores.a, rule="youden")
    sure = point.uncertainty(n_resamples=60, rng=3, level=0.9)
    assert (code, err) == (0, "")
    flat = " ".join(out.split())
    assert sure.interval.ends in flat
    assert "60 resamples, seed 3" in flat
    row = next(line for line in out.splitlines() if line.startswith("Youden index"))
    assert row.split()[2:4] == [f"{sure.in_sample[0]:.3f}", f"{sure.out_of_bag[0]:.3f}"]
    again = called_again(python_of(out)[2], y_true=scores.ill, y_score=scores.a)
    assert again.interval == sure.interval
    document = members(chosen(run, scores, *words, "--json").out)
    assert document["interval"]["low"] == sure.interval.low
    assert document["out_of_bag"] == sure.out_of_bag.tolist()


@pytest.mark.parametrize("names", [["f", "m"], [1, 2]])
def test_groups(run, tmp_path, names):
    rng = np.random.default_rng(5)
    y, sex = rng.integers(0, 2, 120), rng.choice(names, 120)
    s = np.round(rng.normal(size=120) + y, 2)
    path = write_csv(tmp_path / "sexes.csv", ["y", "s", "sex"], y, s, sex)
    words = ("threshold", path, "--label", "y", "--score", "s", "--rule", "f1", "--by", "sex")
    code, out, err = run(*words)
    result = rw.threshold(y, s, by=sex, rule="f1")
    assert (code, err) == (0, "")
    rows = {line.split()[0]: line.split() for line in out.splitlines() if line}
    for name in names:
        assert rows[str(name)][3] == result[name].threshold_text
    first, second, _, again = python_of(out)
    found = {"s": s, "group": sex}
    exec(first, found)
    exec(second, found)
    expected = sum(result[name].tp + result[name].fp for name in names)
    assert sum(found["positive"]) == expected
    repeated = called_again(again, y_true=y, y_score=s, group=sex)
    assert repeated.thresholds.tolist() == result.thresholds.tolist()
    document = members(run(*words, "--json").out)
    assert document["results"][str(names[-1])]["tp"] == result[names[-1]].tp


def test_guarantee(run, scores):
    code, out, err = chosen(run, scores, "--guarantee", "fnr", "--alpha", 0.2, "--delta", 0.05)
    result = rw.guaranteed_threshold(scores.ill, scores.a, rate="fnr", alpha=0.2, delta=0.05)
    assert (code, err) == (0, "")
    assert result.decision in out
    assert "false negative rate at most 0.2 with confidence 95%" in " ".join(out.split())
    again = called_again(python_of(out)[2], y_true=scores.ill, y_score=scores.a)
    assert again.threshold == result.threshold
    grid = ("--guarantee", "fdr", "--alpha", 0.4, "--grid", 0.5, 1.0, 1.5)
    document = members(chosen(run, scores, *grid, "--json").out)
    again = called_again(document["python"][2], y_true=scores.ill, y_score=scores.a)
    assert document["threshold"] == again.threshold in (0.5, 1.0, 1.5)
    assert document["n_tested"] == 3


def test_without_labels(run, scores):
    words = ("threshold", scores.path, "--score", "b", "--without-labels", "rank", *COSTS)
    code, out, err = run(*words)
    rule = rule_without_labels(scores.b, costs=rw.Costs(fp=1, fn=20))
    assert (code, err) == (0, "")
    assert f"positive when score >= {rule.threshold!r}" in out
    assert "scores are at the threshold" in out
    decide, _, again = python_of(out)
    found = {"b": scores.b}
    exec(decide, found)
    assert found["positive"].sum() == rule.assign().sum()
    assert called_again(again, y_score=scores.b).threshold == rule.threshold
    assert members(run(*words, "--json").out)["ro"] == rule.ro


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ((), "pass --cost-fp and --cost-fn"),
        (("--cost-fp", 1), "add --cost-fn"),
        (("--rule", "best"), "--rule must be one of 'cost', 'youden'"),
        (("--rule", "min-npv"), "--rule min-npv needs --constraint"),
        (("--rule", "youden", "--constraint", 1), "--constraint has no meaning with --rule youden"),
        (("--rule", "youden", "--prevalence", 2), "--prevalence must lie strictly between"),
        (("--rule", "youden", "--cost-tp", 1), "--cost-tp and --cost-tn go with"),
        (("--cost-fp", -1, "--cost-fn", 1), "cheaper than the right decision"),
        (("--by", "b", "--bootstrap", *COSTS), "--by and --bootstrap exclude each other"),
        (("--guarantee", "fpr", "--rule", "f1"), "--rule has no meaning with --guarantee"),
        (("--guarantee", "fpr", "--alpha", 0), "--alpha must lie strictly between"),
        (("--guarantee", "fdr"), "this rate needs --grid"),
        (("--without-labels", "rank"), "--without-labels needs --cost-fp and --cost-fn"),
        (("--without-labels", "direct", *COSTS), "column 'a' must contain probabilities"),
        (("--by", "a", *COSTS), "no group of column 'a' has a result; the first is -2.78"),
    ],
)
def test_errors(run, scores, words, sentence):
    code, out, err = chosen(run, scores, *words)
    assert (code, out) == (2, "")
    assert sentence in err
