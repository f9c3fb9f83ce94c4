"""The table of gains has a line for every question."""

import pytest

from . import threads_gain


def test_every_question_has_a_line(capsys: pytest.CaptureFixture[str]) -> None:
    threads_gain.main(["--rows", "3000", "--resamples", "100", "--calls", "1"])
    lines = capsys.readouterr().out.splitlines()
    names = [line.split(" | ")[0].removeprefix("| ") for line in lines[2:] if line.startswith("|")]
    assert names == list(threads_gain.questions(3000, 100))
    assert "cores" in lines[-1]


def test_seconds_are_of_the_processor_and_of_the_clock() -> None:
    busier, clock = threads_gain.seconds(lambda: sum(range(20_000)), 1, 2)
    assert 0 < busier < 10 * clock
