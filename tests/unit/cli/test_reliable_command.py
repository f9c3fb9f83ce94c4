"""``rocwise reliable``."""

import numpy as np
import pytest

import rocwise as rw
from unit.cli.command_runs import members

TARGETS = ("--positive", "0.9", "--negative", "0.95")


def reliable(run, scores, *words):
    code, out, err = run("reliable", scores.path, "--label", "ill", "--score", "a", *words)
    assert (code, err) == (0, "")
    return out


def test_the_screen(run, scores):
    out = reliable(run, scores, *TARGETS)
    rule = rw.reliable(scores.ill, scores.a, positive=0.9, negative=0.95)
    assert rule.rule in out.replace("\n  ", " ")
    row = next(line for line in out.splitlines() if line.startswith("positive: "))
    assert row.split()[1:5] == ["precision", "0.9", "0.9", f"{rule.upr:.4g}"]
    assert "Case 3: no single threshold meets both targets" in out
    assert f"rule arcs, skew {rule.skew:.4g}" in " ".join(out.split())


def test_json_has_all_that_is_printed(run, scores):
    text, found = (
        reliable(run, scores, *TARGETS),
        members(reliable(run, scores, *TARGETS, "--json")),
    )
    shown = [found[name] for name in ("upr", "unr", "skew", "skew_after", "abstention_rate")]
    shown += [found["positive_performance"], found["negative_performance"], *found["targets"]]
    shown += [*found["point_a"], *found["point_b"], *found["point"]]
    for value in shown:
        assert f"{value:.4g}" in text
    assert found["rule"] in text.replace("\n  ", " ")
    for line in found["production"]:
        assert line in text


def test_the_lines_for_production_decide_identically(run, scores):
    for words, options in (
        (TARGETS, {"positive": 0.9, "negative": 0.95}),
        (("--positive", "0.7", "--negative", "0.7"), {"positive": 0.7, "negative": 0.7}),
    ):
        found = members(reliable(run, scores, *words, "--json"))
        rule = rw.reliable(scores.ill, scores.a, **options)
        names: dict = {"score": scores.a}
        lines = [line.replace("default_rng(1)", "default_rng(7)") for line in found["production"]]
        exec("\n".join(lines), names)
        np.testing.assert_array_equal(names["decision"], rule.decide(scores.a, rng=7))


def test_metrics_and_skew(run, scores):
    words = ("--positive", "0.7", "--negative", "0.6", "--metric", "f", "m", "--m", "0.1")
    found = members(reliable(run, scores, *words, "--cost-fp", "1", "--cost-fn", "2", "--json"))
    rule = rw.reliable(
        scores.ill, scores.a, positive=0.7, negative=0.6, metric=("f", "m"), m=0.1,
        costs=rw.Costs(fp=1, fn=2),
    )  # fmt: skip
    assert found["metric"] == ["f", "m"]
    assert found["point_a"] == pytest.approx(rule.point_a)
    paper = reliable(run, scores, *words, "--rule", "paper", "--skew", "2")
    assert "rule paper, skew 2)" in paper


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--positive", "0.99999", "--negative", "0.9", "--metric", "f"), "unattainable"),
        (("--positive", "0.99", "--negative", "0.9", "--metric", "f"), "--positive"),
        (("--positive", "1.5", "--negative", "0.9"), "--positive"),
        ((*TARGETS, "--metric", "accuracy"), "--metric"),
        ((*TARGETS, "--metric", "f", "m", "m"), "--metric"),
        ((*TARGETS, "--rule", "mine"), "--rule"),
        ((*TARGETS, "--skew", "-1"), "--skew"),
        ((*TARGETS, "--cost-fp", "1"), "--cost-fn"),
        (("--positive", "0.9"), "--negative"),
    ],
)
def test_errors(run, scores, words, message):
    code, out, err = run("reliable", scores.path, "--label", "ill", "--score", "a", *words)
    assert (code, out) == (2, "")
    assert message in err
