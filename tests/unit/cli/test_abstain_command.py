"""``rocwise abstain``."""

import numpy as np
import pytest

import rocwise as rw
from unit.cli.command_runs import members

COSTS = ("--cost-fp", "1", "--cost-fn", "5")
PRICED = (*COSTS, "--cost-abstain", "0.4")


def output_of(run, scores, *words, score="a"):
    code, out, err = run("abstain", scores.path, "--label", "ill", "--score", score, *words)
    assert (code, err) == (0, "")
    return out


def decided_by(lines, score):
    names: dict = {"score": score}
    exec("\n".join(lines), names)
    return names["decision"]


def production(out):
    lines = out.splitlines()
    start = next(k for k, line in enumerate(lines) if line.startswith("In production"))
    return [line.strip() for line in lines[start + 1 : start + 5]]


def test_the_screen(run, scores):
    out = output_of(run, scores, *PRICED)
    window = rw.abstain(scores.ill, scores.a, costs=rw.Costs(fp=1, fn=5, abstain=0.4))
    assert window.rule in out.replace("\n  ", " ")
    rows = dict(line.split("  ", 1) for line in out.splitlines() if "  " in line.strip())
    assert rows["cost per case"].strip() == f"{window.expected_cost:.4g}"
    assert rows["abstention rate"].strip() == f"{window.abstention_rate:.4g}"
    assert max(map(len, out.splitlines()[1:])) <= 80  # the first line names the file


def test_the_lines_for_production_decide_identically(run, scores):
    for score, values in (("a", scores.a), ("b", scores.b)):
        lines = production(output_of(run, scores, *PRICED, score=score))
        window = rw.abstain(scores.ill, values, costs=rw.Costs(fp=1, fn=5, abstain=0.4))
        np.testing.assert_array_equal(decided_by(lines, values), window.decide(values))
    lines = production(output_of(run, scores, *PRICED, "--direction", "lower"))
    window = rw.abstain(
        scores.ill, scores.a, costs=rw.Costs(fp=1, fn=5, abstain=0.4), direction="lower"
    )
    np.testing.assert_array_equal(decided_by(lines, scores.a), window.decide(scores.a))


def test_json_has_all_that_is_printed(run, scores):
    words = (*PRICED, "--prevalence", "0.1", "--intervals", "--resamples", "50", "--seed", "1")
    text = output_of(run, scores, *words, "--surface")
    found = members(output_of(run, scores, *words, "--surface", "--json"))
    assert found["rule"] in text.replace("\n  ", " ")
    shown = [found[name] for name in ("lower", "upper", "expected_cost", "abstention_rate")]
    shown += [found[name] for name in ("undecided_positives", "undecided_negatives", "fnr", "fpr")]
    shown += [found["cost_without_abstaining"], found["prevalence"], found["trivial_volume"]]
    more = found["uncertainty"]
    shown += [more["out_of_bag_cost"], found["surface"]["volume"]]
    shown += [more[name]["low"] for name in ("lower", "upper", "expected_cost")]
    for value in shown:
        assert f"{value:.4g}" in text
    assert f"{more['n_resamples']}" in text
    for line in found["production"]:
        assert line in text


def test_bounds(run, scores):
    found = members(output_of(run, scores, *COSTS, "--max-abstention", "0.2", "--json"))
    window = rw.abstain(scores.ill, scores.a, costs=rw.Costs(fp=1, fn=5), max_abstention=0.2)
    assert (found["lower"], found["decided_cost"]) == (window.lower, window.decided_cost)
    out = output_of(run, scores, *COSTS, "--max-cost", "0.4", "--per", "case")
    window = rw.abstain(scores.ill, scores.a, costs=rw.Costs(fp=1, fn=5), max_cost=0.4, per="case")
    assert f"{window.decided_cost:.4g}" in out


@pytest.mark.parametrize("extra", [(), ("--surface",)])
def test_plots(run, scores, tmp_path, extra):
    pytest.importorskip("matplotlib")
    target = tmp_path / "window.svg"
    words = ("--label", "ill", "--score", "a", *PRICED, *extra, "--plot", target)
    code, _, err = run("abstain", scores.path, *words)
    assert (code, err) == (0, f"wrote {target}\n")
    text = target.read_text()
    assert ("Cost of abstaining" in text) == bool(extra)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (COSTS, "--cost-abstain"),
        ((*PRICED, "--max-cost", "1"), "not allowed with"),
        ((*PRICED, "--per", "case"), "--per"),
        ((*COSTS, "--max-cost", "1", "--intervals"), "--intervals"),
        ((*COSTS, "--cost-abstain", "1", "2", "3"), "--cost-abstain"),
        ((*COSTS, "--cost-abstain", "-1"), "--cost-abstain may be negative, a gain, but not below"),
        (("--cost-fp", "1", "--cost-fn", "0", "--cost-abstain", "0.1"), "cost more"),
        (("--cost-fp", "nan", "--cost-fn", "1", "--cost-abstain", "0.1"), "--cost-fp"),
        ((*PRICED, "--prevalence", "2"), "--prevalence"),
    ],
)
def test_errors(run, scores, words, message):
    code, out, err = run("abstain", scores.path, "--label", "ill", "--score", "b", *words)
    assert (code, out) == (2, "")
    assert message in err


def test_a_cost_out_of_reach(run, table_of):
    path = table_of("ill,risk", "0,1", "1,1", "0,1", "1,1")
    words = ("--label", "ill", "--score", "risk", *COSTS, "--max-cost", "0.1")
    code, _, err = run("abstain", path, *words)
    assert code == 2
    assert "Use --max-cost 0.5 or more" in err
