"""``rocwise pr``."""

import pytest

import rocwise as rw
from unit.cli.command_runs import members


@pytest.mark.parametrize("kind", ["simultaneous", "pointwise"])
def test_the_band_is_that_of_the_library(run, scores, kind):
    requested = ("--label", "ill", "--score", "a", "--band", kind, "--resamples", 60, "--seed", 3)
    found = run("pr", scores.path, *requested)
    band = rw.precision_recall(scores.ill, scores.a).band(kind=kind, n_resamples=60, rng=3)
    low, high = (limit[0] for limit in band.at(0.5))
    assert f"95% {kind} band" in found.out
    row = next(line for line in found.out.splitlines() if line.split()[:1] == ["0.500"])
    assert row.split() == ["0.500", f"{low:.3f}", f"{high:.3f}"]
    exact = members(run("pr", scores.path, *requested, "--json").out)
    assert exact["band"]["lower"] == pytest.approx(band.lower.tolist())


def test_without_a_band_there_is_none(run, scores):
    found = run("pr", scores.path, "--label", "ill", "--score", "a")
    assert "lower precision" not in found.out
    assert "An uninformative model has" in found.out
