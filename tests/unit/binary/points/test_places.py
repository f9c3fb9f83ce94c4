"""Points of many curves at once are those of each curve by itself."""

import numpy as np
import pytest

from rocwise.binary.points.places import Asked, _places_in_rows

ROWS = np.array([[0.0, 0.25, 0.25, 0.5, 1.0], [0.0, 0.0, 0.0, 1.0, 1.0], [0.0, 0.1, 0.2, 0.3, 1.0]])
WANTED = np.array([[-0.5, 0.0, 0.25, 0.3, 1.0, 2.0]])


@pytest.mark.parametrize("side", ["left", "right"])
@pytest.mark.parametrize("size", [1, 2, 3, 4, 5])
def test_places_are_those_of_searchsorted(side, size):
    rows = ROWS[:, :size]
    expected = [np.searchsorted(row, WANTED[0], side=side).tolist() for row in rows]
    assert _places_in_rows(rows, WANTED, side).tolist() == expected


@pytest.mark.parametrize("axis", ["sensitivity", "specificity", "fpr", "alarms"])
@pytest.mark.parametrize("interpolate", [False, True])
def test_each_of_many_curves_is_read_as_if_it_were_alone(axis, interpolate):
    asked = Asked(axis, np.array([0.0, 0.2, 0.5, 1.0]), interpolate)
    rng = np.random.default_rng(2)
    tpr, fpr = (np.sort(rng.integers(0, 9, (6, 12)) / 8, axis=1) for _ in range(2))
    tpr[:, 0] = fpr[:, 0] = 0.0
    tpr[:, -1] = fpr[:, -1] = 1.0
    none = np.empty(0, np.intp)
    together = asked.on(tpr, fpr, none, 0.3)
    for row in range(len(tpr)):
        alone = asked.on(tpr[row : row + 1], fpr[row : row + 1], none, 0.3)
        for found, expected in zip(together, alone, strict=True):
            assert found[row].tolist() == expected[0].tolist()
