"""The table of gains has a line for what the machine can and for every question."""

from pathlib import Path
from time import sleep

import numpy as np
import pytest

from . import threads_gain
from .threads_gain import Took


@pytest.fixture(autouse=True)
def _little_work(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(threads_gain, "PIECES", 4)


def test_every_question_has_a_line(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(f"before\n{threads_gain.BEGIN}\nold\n{threads_gain.END}\nafter\n")
    words = ["--rows", "3000", "--resamples", "100", "--turns", "1", "--page", str(page)]
    threads_gain.main(words)
    lines = capsys.readouterr().out.splitlines()
    names = [line.split(" | ")[0].removeprefix("| ") for line in lines[2:] if line.startswith("|")]
    assert names == [threads_gain.CEILING, *threads_gain.questions(3000, 100)]
    assert "cores" in lines[-1]
    kept = [threads_gain.BEGIN, *lines, threads_gain.END]
    assert page.read_text().splitlines() == ["before", *kept, "after"]


def test_a_call_takes_seconds_of_the_processor_and_of_the_clock() -> None:
    busy = threads_gain.took(lambda: sum(range(200_000)))
    assert 0 < busy.processor < 10 * busy.clock
    waiting = threads_gain.took(lambda: sleep(0.02))
    assert waiting.processor < 0.02 <= waiting.clock


def test_one_thread_and_two_take_turns() -> None:
    asked: list[int] = []
    alone, shared = threads_gain.in_turns(lambda: asked.append(1), lambda: asked.append(2), 5)
    assert asked == [1, 2] * 6  # the first of each is not counted
    assert min(*alone, *shared) >= 0


def test_halves_are_all_of_the_work(monkeypatch: pytest.MonkeyPatch) -> None:
    sorted_rows: list[float] = []
    monkeypatch.setattr(threads_gain.np, "sort", lambda piece: sorted_rows.append(piece[0]))
    threads_gain.sort_halves(np.arange(5.0)[:, None])
    assert sorted(sorted_rows) == [0, 1, 2, 3, 4]


def test_a_gain_is_told_beside_what_the_machine_can() -> None:
    line = threads_gain.line_of("auc", Took(0.03, 0.04), Took(0.015, 0.032), 1.6)
    assert line == "| auc | 30.0 | 15.0 | 2.00 | 1.25 | 78% |"
    assert "| short | short | short |" in threads_gain.line_of(
        "auc", Took(1e-4, 1.0), Took(1e-4, 1.0), 1.6
    )


def test_stolen_time_is_a_share_of_the_time_that_was_wanted() -> None:
    words = threads_gain.stolen_words([0] * 8, [50, 0, 10, 900, 100, 0, 10, 30])
    assert "30%" in words
    assert threads_gain.stolen_words([], []) == ""
