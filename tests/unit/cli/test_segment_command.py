"""``rocwise segment``."""

import pytest

import rocwise as rw
from unit.cli.command_runs import members

WORDS = ("--label", "ill", "--score", "a")


def test_json_is_the_segment(run, scores):
    document = members(run("segment", scores.path, *WORDS, "--level", "0.9", "--json").out)
    segment = rw.confident_segment(scores.ill, scores.a, level=0.9)
    assert document["cauc"] == pytest.approx(segment.cauc)
    assert document["b"] == segment.b.tolist()


def test_one_row_per_model(run, scores):
    out = run("segment", scores.path, *WORDS, "--score", "b").out
    for name, score in (("a", scores.a), ("b", scores.b)):
        segment = rw.confident_segment(scores.ill, score)
        (row,) = [line.split() for line in out.splitlines() if line.startswith(f"{name} ")]
        assert row[1] == str(len(segment.fpr))
        assert row[-3:] == [
            f"{segment.cauc:.3f}",
            f"{segment.mean_difference:+.4f}",
            f"{segment.mean_absolute_difference:.4f}",
        ]


def test_no_confident_threshold(run, table_of):
    path = table_of("y,p", *["0,1"] * 3, *["1,1"] * 60)
    out = run("segment", path, "--label", "y", "--score", "p", "--level", "0.5").out
    assert ["p", "0", "-", "-", "-", "-", "-"] in [line.split() for line in out.splitlines()]
    assert "Tango's 50% interval" in out
