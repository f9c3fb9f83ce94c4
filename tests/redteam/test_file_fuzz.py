"""A short walk of the fuzzer through spoiled files; `make fuzz` walks on."""

import pytest

pytest.importorskip("duckdb")
from fuzz import files


@pytest.mark.parametrize("kind", files.KINDS)
def test_spoiled_files_are_answered_or_refused_alike(kind):
    outcomes = [files.run(files.Case(kind, number)) for number in range(20)]
    wrong = [(each.key, each.kind, each.detail) for each in outcomes if each.kind not in files.GOOD]
    assert wrong == []


def test_cases_are_the_same_every_time():
    case = files.cases(seed=3, share=0.01)[7]
    assert case == files.cases(seed=3, share=0.01)[7]
    assert files.content(case) == files.content(case)
    assert len({files.content(each) for each in files.cases(1, 0.002)}) > 40
