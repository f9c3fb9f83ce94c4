"""Windows of float32 scores hold when they are applied to those scores, which numpy compares as
float32: a threshold that is none is rounded first, perhaps onto a score it should leave out."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rocwise as rw

COSTS = rw.Costs(fp=1, fn=2, abstain=0.1)
neighbors = st.lists(st.tuples(st.booleans(), st.integers(0, 6)), min_size=4, max_size=40).filter(
    lambda rows: len({label for label, _ in rows}) == 2
)
starts = st.sampled_from([0.1, -0.1, 0.5, 1e-45, -3e-45, 3e38, 1e10])


def float32_steps(start: float, steps: list[int]) -> np.ndarray:
    """The float32 so many floats above `start`."""
    ladder = [np.float32(start)]
    for _ in range(max(steps)):
        ladder.append(np.nextafter(ladder[-1], np.float32(np.inf)))
    return np.array(ladder, np.float32)[steps]


def recounted(y, scores, lower, upper, direction):
    """Errors and abstentions of the rule as it is stated, on scores of their own type."""
    low, high = scores <= lower, scores >= upper
    negative, positive = (low, high) if direction == "higher" else (high, low)
    positive = positive & ~negative if lower == upper else positive
    return (
        np.mean(positive[y == 0]),
        np.mean(negative[y == 1]),
        np.mean(~positive[y == 1] & ~negative[y == 1]),
        np.mean(~positive[y == 0] & ~negative[y == 0]),
    )


def checked(window, y, scores, direction):
    assert window.lower == np.float32(window.lower)
    assert window.upper == np.float32(window.upper)
    if window.lower == window.upper:
        return  # one threshold, which belongs to one side
    stated = (window.fpr, window.fnr, window.undecided_positives, window.undecided_negatives)
    for lower, upper in (
        (window.lower, window.upper),
        (float(window.lower_text), float(window.upper_text)),
    ):
        assert recounted(y, scores, lower, upper, direction) == pytest.approx(stated, abs=1e-12)


@given(neighbors, starts, st.sampled_from(["higher", "lower"]))
def test_windows_of_neighbouring_float32_recount(rows, start, direction):
    y = np.array([label for label, _ in rows], int)
    scores = float32_steps(start, [step for _, step in rows])
    for costs in (COSTS, rw.Costs(fp=3, fn=1, abstain=0.2)):
        checked(rw.abstain(y, scores, costs=costs, direction=direction), y, scores, direction)
        bounded = rw.abstain(
            y, scores, costs=rw.Costs(costs.fp, costs.fn), max_abstention=0.5, direction=direction
        )
        checked(bounded, y, scores, direction)


def test_a_gap_of_one_float32_takes_the_scores_themselves():
    scores = float32_steps(0.1, [0, 0, 1, 1, 2, 2])
    y = np.array([0, 0, 0, 1, 1, 1])
    window = rw.abstain(y, scores, costs=COSTS)
    assert (window.lower, window.upper) == (float(scores[0]), float(scores[-1]))
    assert (scores <= window.lower).tolist() == [True, True, False, False, False, False]
    assert (scores >= window.upper).tolist() == [False, False, False, False, True, True]


def test_a_wider_gap_keeps_its_middle():
    window = rw.abstain([0, 0, 1, 0, 1, 1], np.array([0, 0, 1, 1, 3, 3], np.float32), costs=COSTS)
    assert (window.lower, window.upper) == (0.5, 2.0)
