"""The lines for production decide as the results do."""

import itertools

import numpy as np
import pytest

import rocwise as rw
from rocwise.cli.python_code import reliable_lines, window_lines

SCORES = np.array([-np.inf, 0.0, 1.0, 2.0, np.inf])


def decisions(lines, score, seed):
    """What the lines decide, with their draws seeded."""
    seeded = "\n".join(lines).replace("default_rng(1)", f"default_rng({seed})")
    names = {"score": score}
    exec(seeded, names)
    return names["decision"]


@pytest.mark.parametrize("direction", ["higher", "lower"])
@pytest.mark.parametrize("nu", [0.1, 0.4, 0.9])
def test_windows(nu, direction):
    for labels in itertools.product([0, 1], repeat=5):
        if 0 < sum(labels) < 5:
            window = rw.abstain(
                labels, SCORES, costs=rw.Costs(fp=0.7, fn=1, abstain=nu), direction=direction
            )
            new = np.array([*SCORES, window.lower, window.upper])
            expected = window.decide(new)
            np.testing.assert_array_equal(decisions(window_lines(window), new, 1), expected)


@pytest.mark.parametrize("direction", ["higher", "lower"])
@pytest.mark.parametrize("rule", ["arcs", "paper"])
def test_reliable_rules(rule, direction):
    options = {"metric": ("f", "m"), "m": 0.1, "alpha": 0.3, "rule": rule, "direction": direction}
    found = 0
    for labels in itertools.product([0, 1], repeat=5):
        try:
            result = rw.reliable(labels, SCORES, positive=0.3, negative=0.5, **options)
        except ValueError:
            continue
        found += 1
        lines = reliable_lines(result)
        np.testing.assert_array_equal(decisions(lines, SCORES, 3), result.decide(SCORES, rng=3))
    assert found > 5
