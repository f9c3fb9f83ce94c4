"""The verdict follows from the statements."""

from __future__ import annotations

import pytest

from papers.shared.claims import Claim, claims_table, judged


def claim(holds, **marks):
    return Claim("section 1", "a statement", "counts", "a number", holds, **marks)


@pytest.mark.parametrize(
    ("statements", "verdict"),
    [
        ([True] * 4 + [False], "reproduced"),
        ([True] * 4 + [False, None, None], "reproduced"),
        ([True] * 3 + [False], "in part"),
        ([True] * 2 + [False] * 3, "in part"),
        ([True] + [False] * 2, "not reproduced"),
    ],
)
def test_verdict_by_the_proportion_that_holds(statements, verdict):
    assert judged([claim(one) for one in statements], "").verdict == verdict


@pytest.mark.parametrize(
    ("conclusions", "verdict"),
    [
        ([True, True], "reproduced with the erratum"),
        ([True, False], "in part"),
        ([False, False], "not reproduced"),
        ([None, True], "reproduced with the erratum"),
    ],
)
def test_verdict_by_the_conclusions(conclusions, verdict):
    others = [claim(True, erratum=True), *[claim(True)] * 9]
    found = judged([*others, *(claim(one, conclusion=True) for one in conclusions)], "Why.")
    assert found.verdict == verdict
    assert found.sentence.endswith("Why.")


def test_conclusions_are_bold():
    table = claims_table([claim(True, conclusion=True), claim(False)])
    assert "| **a statement** |" in table
    assert "1 of 2 tested statements hold, 1 of 1 conclusions." in table
