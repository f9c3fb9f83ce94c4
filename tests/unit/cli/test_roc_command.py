"""``rocwise roc``."""

import re

import numpy as np
import pytest
from sklearn.metrics import roc_curve

import rocwise as rw
from rocwise.cli.commands.roc import RATES
from unit.cli.command_runs import members

WORDS = ("--label", "ill", "--score", "a")
ROW = re.compile(r"^ *(above all|below all|-?[\d.]+(?:e-?\d+)?) +([\d.]+) +([\d.]+)$")


def printed_points(out):
    return [found.groups() for line in out.splitlines() if (found := ROW.match(line))]


def test_json_is_the_curve(run, scores):
    document = members(run("roc", scores.path, *WORDS, "--json").out)
    fpr, tpr, thresholds = roc_curve(scores.ill, scores.a, drop_intermediate=False)
    np.testing.assert_allclose(document["fpr"], fpr, atol=1e-12)
    np.testing.assert_allclose(document["tpr"], tpr, atol=1e-12)
    assert document["thresholds"][0] is None  # beyond every score
    assert document["thresholds"][1:] == thresholds[1:].tolist()


@pytest.mark.parametrize("direction", ["higher", "lower"])
@pytest.mark.parametrize("name", ["a", "b"])
def test_every_printed_point_recounts(run, scores, direction, name):
    words = ("--label", "ill", "--score", name, "--direction", direction, "--all")
    points = printed_points(run("roc", scores.path, *words).out)
    score = getattr(scores, name)
    assert len(points) == len(np.unique(score)) + 1
    assert points[0] == ("above all" if direction == "higher" else "below all", "0.000", "0.000")
    for text, fpr, tpr in points[1:]:
        positive = score >= float(text) if direction == "higher" else score <= float(text)
        assert f"{positive[scores.ill == 0].mean():.3f}" == fpr
        assert f"{positive[scores.ill == 1].mean():.3f}" == tpr


def test_short_table_has_the_highest_points_at_round_rates(run, scores):
    out = run("roc", scores.path, *WORDS).out
    curve = rw.roc(scores.ill, scores.a)
    expected = [(f"{x:.3f}", f"{curve.tpr[curve.fpr <= x].max():.3f}") for x in RATES]
    shown = [(fpr, tpr) for _, fpr, tpr in printed_points(out)]
    for rate, tpr in expected:
        assert any(float(x) <= float(rate) and y == tpr for x, y in shown)
    assert f"{len(shown)} of 301 points" in out
    assert f"a: AUC {curve.auc:.3f}; positive when score >= threshold" in out


def test_two_models_two_tables(run, scores):
    out = run("roc", scores.path, *WORDS, "--score", "b").out
    assert out.count("positive when score >= threshold") == 2
    document = members(run("roc", scores.path, *WORDS, "--score", "b", "--json").out)
    assert list(document["results"]) == ["a", "b"]
