"""``rocwise band``."""

import numpy as np

import rocwise as rw
from unit.cli.command_runs import members

WORDS = ("--label", "ill", "--score", "a", "--seed", "3", "--resamples", "200")


def test_json_is_the_band(run, scores):
    document = members(run("band", scores.path, *WORDS, "--json").out)
    band = rw.band(scores.ill, scores.a, kind="simultaneous", n_resamples=200, rng=3)
    assert (document["kind"], document["level"]) == ("simultaneous", 0.95)
    np.testing.assert_allclose(document["lower"], band.lower)
    np.testing.assert_allclose(document["upper"], band.upper)


def test_table_shows_the_edges(run, scores):
    out = run("band", scores.path, *WORDS, "--kind", "joint-regions", "--joint").out
    band = rw.band(scores.ill, scores.a, kind="joint-regions", joint=True)
    lower, upper = band.at(0.3)
    cuts = scores.a[
        np.array([np.mean(scores.a[scores.ill == 0] >= cut) for cut in scores.a]) <= 0.3
    ]
    seen = np.mean(scores.a[scores.ill == 1] >= cuts.min())
    expected = ["0.300", f"{seen:.3f}", f"{float(lower):.3f}", f"{float(upper):.3f}"]
    assert expected in [line.split() for line in out.splitlines()]
    assert "simultaneous joint regions (Kolmogorov) for the true curve" in out
    assert f"area of the band {band.area:.3f}" in out


def test_error_names_options(run, scores):
    done = run("band", scores.path, *WORDS, "--kind", "pointwise", "--future")
    assert done.code != 0
    assert "--future is not defined for --kind pointwise" in done.err
