"""``rocwise compare``."""

import re

import numpy as np
import pytest

import rocwise as rw
from unit.cli.command_runs import members, write_csv

BOTH = ("--label", "ill", "--score", "a", "--score", "b")


def pairs_of(scores, **more):
    return rw.pair(scores.ill, {"a": scores.a, "b": scores.b, **more})


def test_sentences_agree_with_the_library(run, scores):
    code, out, err = run("compare", scores.path, *BOTH)
    assert (code, err) == (0, "")
    result = rw.compare(pairs_of(scores))
    assert str(result) in " ".join(out.split())


def test_json_has_every_digit(run, scores):
    document = members(run("compare", scores.path, *BOTH, "--json").out)
    result = rw.compare(pairs_of(scores))
    assert document["p_value"] == result.p_value
    assert document["interval"] == result.interval.to_dict()
    assert document["estimates"] == result.estimates


def test_three_models_are_compared_jointly_and_in_pairs(run, scores, tmp_path):
    c = np.random.default_rng(1).normal(size=300) + scores.ill
    columns = (scores.ill, scores.a, scores.b, c)
    path = write_csv(tmp_path / "three.csv", ["ill", "a", "b", "c"], *columns)
    out = run("compare", path, *BOTH, "--score", "c").out
    result = rw.compare(pairs_of(scores, c=c))
    df = f"2 and {result.df_denominator:.1f} df"
    assert f"F {result.statistic:.2f} with {df}" in out
    by_delong = run("compare", path, *BOTH, "--score", "c", "--method", "delong").out
    statistic = rw.compare(pairs_of(scores, c=c), method="delong").statistic
    assert f"chi-square {statistic:.2f} with 2 df" in by_delong
    for first, second in (("a", "b"), ("a", "c"), ("b", "c")):
        assert re.search(rf"^{first} +{second} ", out, re.MULTILINE)


def test_clusters_change_the_error(run, scores, tmp_path):
    patient = np.arange(300) // 3
    columns = (scores.ill, scores.a, scores.b, patient)
    path = write_csv(tmp_path / "clusters.csv", ["ill", "a", "b", "patient"], *columns)
    document = members(run("compare", path, *BOTH, "--group", "patient", "--json").out)
    pairs = rw.pair(scores.ill, {"a": scores.a, "b": scores.b}, groups=patient)
    assert document["standard_error"] == rw.compare(pairs).standard_error


def test_groups_of_rows(run, scores, tmp_path):
    site, patient = np.arange(300) % 2, np.arange(300) // 3
    columns = {"ill": scores.ill, "a": scores.a, "b": scores.b, "site": site, "patient": patient}
    path = write_csv(tmp_path / "sites.csv", list(columns), *columns.values())
    expected = rw.compare(path, label="ill", scores=["a", "b"], by="site", groups="patient")
    words = ("compare", path, *BOTH, "--by", "site", "--group", "patient")
    code, out, err = run(*words)
    assert (code, err) == (0, "")
    assert " ".join(str(expected).split()) in " ".join(out.split())
    assert run(*words, "--csv").out.startswith("site,first,second,difference,")
    unmet = run(*words, "--require", "p_value > 0.99")
    assert unmet.code == 3
    assert "is not met by comparison, site 0" in unmet.err
    outcome = run("compare", path, *BOTH, "--by", "site", "--folds", "patient")
    assert (outcome.code, outcome.out) == (2, "")
    assert "--by does not go with --folds" in outcome.err


def test_points_are_compared_by_a_repeatable_bootstrap(run, scores):
    words = ("--at-specificity", "0.9", "--resamples", "200", "--seed", "4")
    first, again = (run("compare", scores.path, *BOTH, *words).out for _ in range(2))
    assert first == again
    assert "sensitivity at specificity 0.9" in first
    assert "paired bootstrap" in first


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("--alternative", "equivalent"), "--alternative equivalent needs --margin"),
        (("--method", "magic"), "--method must be one of"),
        (("--method", "delong", "--max-fpr", "0.1"), "--method bootstrap"),
        (("--group", "nowhere"), "no column is called 'nowhere'"),
    ],
)
def test_errors_are_sentences(run, scores, words, sentence):
    code, out, err = run("compare", scores.path, *BOTH, *words)
    assert (code, out) == (2, "")
    assert sentence in err
