"""The fuzzer for some seconds: a seeded proportion of every part. `make fuzz` walks all of it."""

import warnings
from collections import Counter

import pytest

from fuzz import commands, files, frames, walker
from fuzz.calls import UNKNOWN, targets
from fuzz.reasons import REASONS, reason_for
from fuzz.values import VALUES, has_use

NOT_BY_NAME = ("error without the name", "foreign error", "leaked warning")


@pytest.mark.parametrize("target", targets(), ids=lambda target: target.name)
def test_every_public_name_has_a_call_that_works(target):
    """A new name that the usual arguments do not suit needs a line in `fuzz.calls.SPECIAL`."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        target.call(**target.working)


def test_every_method_of_a_result_has_arguments():
    walker.all_targets()
    assert not UNKNOWN, "these need a line in `fuzz.calls.METHODS`"


@pytest.mark.parametrize(
    ("part", "fraction"),
    [(frames, 1.0), (commands, 0.05), (files, 0.0034), (walker, 0.02)],
    ids=lambda p: str(p)[-25:],
)
def test_short_walk(part, fraction):
    outcomes = [part.run(case) for case in part.cases(seed=20, fraction=fraction)]
    wrong = [outcome for outcome in outcomes if outcome.kind not in part.GOOD]
    assert len(outcomes) > 50
    # one error in two hundred may not name the parameter, or be of another package
    kinds = Counter(outcome.kind for outcome in wrong)
    unnamed = sum(kinds.pop(kind, 0) for kind in NOT_BY_NAME)
    assert unnamed <= 0.005 * len(outcomes) + 1, wrong
    assert not kinds, wrong


def test_reasons_are_about_values_that_exist():
    import re

    for _, _, value in REASONS:
        assert any(re.fullmatch(value, key) for key in VALUES), value


def test_what_has_a_use():
    assert has_use("None", "int | None", None)
    assert not has_use("text 'no'", "bool", False)
    assert not has_use("2", "bool", False)
    assert has_use("True", "bool", False)
    assert reason_for("rocwise.auc", "pos_label", "True")
    assert reason_for("rocwise.auc", "level", "nan") is None
