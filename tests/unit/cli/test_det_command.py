"""``rocwise det``, and clinical words at the axes of plots."""

import numpy as np
import pytest

import rocwise as rw
from unit.cli.command_runs import members

ONE = ("--label", "ill", "--score", "a")
DRAWN = ("--resamples", 60, "--seed", 3)


def test_rates_and_curve_are_those_of_the_library(run, scores):
    equal = rw.equal_error_rate(scores.ill, scores.a, n_resamples=60, rng=3)
    curve = rw.det(scores.ill, scores.a)
    found = members(run("det", scores.path, *ONE, *DRAWN, "--json").out)
    assert found["value"] == equal.value
    assert found["interval"]["low"] == equal.interval.low
    assert found["curve"]["fnr"] == curve.fnr.tolist()


def test_the_table_has_the_lowest_fnr_up_to_each_fpr(run, scores):
    out = run("det", scores.path, *ONE, *DRAWN).out
    rows = [line.split() for line in out.partition("misses\n")[2].splitlines()]
    assert "95% CI" in out
    assert len(rows) == 9
    healthy, ill = scores.a[scores.ill == 0], scores.a[scores.ill == 1]
    for threshold, alarms, misses in rows:
        cut = float(threshold)
        assert float(alarms) == pytest.approx(np.mean(healthy >= cut), abs=5e-4)
        assert float(misses) == pytest.approx(np.mean(ill < cut), abs=5e-4)


@pytest.mark.parametrize(
    ("words", "axes"),
    [
        (("det", *DRAWN), ("1 − specificity (%)", "1 − sensitivity (%)")),
        (("roc",), ("1 − specificity", "Sensitivity")),
        (("pr", "--band", "pointwise", *DRAWN), ("Sensitivity", "Positive predictive value")),
    ],
)
def test_clinical_words_at_the_axes(run, scores, tmp_path, words, axes):
    path = tmp_path / "plot.svg"
    command, *options = words
    found = run(command, scores.path, *ONE, *options, "--plot", path, "--clinical")
    assert found.code == 0, found.err
    text = path.read_text(encoding="utf-8")
    assert all(f">{axis}<" in text for axis in axes)
