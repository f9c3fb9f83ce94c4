"""``rocwise power``."""

import json

import pytest

import rocwise as rw
from rocwise.binary import detectable_auc


def test_cases_for_a_power(run):
    code, out, err = run("power", "--auc", 0.8, "--power", 0.9)
    assert (code, err) == (0, "")
    plan = rw.sample_size(0.8, power=0.9)
    assert " ".join(out.split()).startswith(repr(plan))
    assert "positives  negatives  power" in out


@pytest.mark.parametrize(
    ("words", "plan"),
    [
        (("--auc", 0.7, "--n-pos", 40, "--n-neg", 80), lambda: rw.power(0.7, n_pos=40, n_neg=80)),
        (
            ("--n-pos", 40, "--n-neg", 80, "--power", 0.9),
            lambda: detectable_auc(n_pos=40, n_neg=80, power=0.9),
        ),
        (
            ("--auc", 0.85, "--other", 0.78, "--correlation", 0.4),
            lambda: rw.sample_size(0.85, 0.78, correlation=0.4),
        ),
        (
            ("--auc", 0.8, "--null", 0.7, "--ratio", 2, "--sides", 1, "--alpha", 0.1),
            lambda: rw.sample_size(0.8, null=0.7, ratio=2, sides=1, alpha=0.1),
        ),
    ],
)
def test_what_is_left_out_is_found(run, words, plan):
    document = json.loads(run("power", *words, "--json").out)["results"]["plan"]
    expected = plan().to_dict()
    assert document == json.loads(json.dumps(expected))


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ((), "--auc is needed"),
        (("--auc", 0.8, "--n-pos", 10), "belong together"),
        (("--auc", 0.8, "--n-pos", 10, "--n-neg", 10, "--power", 0.9), "leave out one of"),
        (("--auc", 1.5), "--auc"),
        (("--auc", 0.8, "--alpha", 2), "--alpha"),
    ],
)
def test_errors_are_sentences(run, words, sentence):
    code, out, err = run("power", *words)
    assert (code, out) == (2, "")
    assert sentence in err
