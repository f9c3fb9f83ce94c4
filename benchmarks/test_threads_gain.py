"""The tables of gains have a line for what the machine can and for every long question."""

from pathlib import Path
from threading import Thread
from time import sleep

import numpy as np
import pytest

from rocwise import kernels

from . import gain_kernels, threads_gain
from .gain_questions import questions
from .growth import NO_BREAK
from .threads_gain import Gain, Took


@pytest.fixture(autouse=True)
def _little_work(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(threads_gain, "PIECES", 4)
    monkeypatch.setattr(threads_gain, "ROUNDS", 1)


def test_every_question_has_a_line_or_is_short(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    page = tmp_path / "page.md"
    page.write_text(f"before\n{threads_gain.BEGIN}\nold\n{threads_gain.END}\nafter\n")
    words = ["--rows", "6000", "--resamples", "100", "--turns", "1", "--page", str(page)]
    threads_gain.main(words)
    out = capsys.readouterr().out.strip()
    asked = questions(6000, 100)
    assert all(f"| {group} | one thread" in out for group in [gain_kernels.GROUP, *asked])
    assert out.count(f"| {threads_gain.CEILING} |") == 1 + len(asked)
    (short,) = (line for line in out.splitlines() if line.startswith("At most 5 ms"))
    names = [name for group in asked.values() for name in group]
    for name in names:
        assert (f"| {name} |" in out) != (name in short.strip(".").split(": ")[1].split("; "))
    assert "cores" in out.splitlines()[-1]
    kept = f"{threads_gain.BEGIN}\n{out}\n{threads_gain.END}"
    assert page.read_text().replace(NO_BREAK, " ") == f"before\n{kept}\nafter\n"


def test_kernels_that_callers_do_not_share_out_are_asked_with_what_took_longest() -> None:
    before = dict(vars(kernels))
    many, few = np.arange(100_000.0), np.arange(3.0)

    def ask() -> None:
        assert kernels.ascending(few).size == 3
        assert kernels.ascending(many).size == many.size
        helper = Thread(target=kernels.first_nan, args=(few,))
        helper.start()
        helper.join()

    calls = gain_kernels.longest_calls({"some": {"a question": ask}})
    assert vars(kernels) == before
    assert "`first_nan`" not in calls
    assert calls["`ascending`"]().size == many.size


def test_a_word_chooses_questions_or_a_group(capsys: pytest.CaptureFixture[str]) -> None:
    asked = questions(6000, 100)
    bands = threads_gain.chosen(asked, "band")
    assert set(asked["Bands"]) == set(bands["Bands"])
    assert list(bands["Forecasts"]) == ["`rec_band`, bootstrap"]
    assert "Curves of all rows" not in bands
    with pytest.raises(SystemExit):
        threads_gain.main(["--only", "band", "--page", "page.md"])
    assert "leave out --only" in capsys.readouterr().err


def test_what_gains_too_little_is_told(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    bare, even = (Took(0.02, 0.02), Took(0.01, 0.01)), (Took(0.06, 0.06), Took(0.035, 0.06))
    slow, short = (Took(0.06, 0.06), Took(0.05, 0.05)), (Took(0.004, 0.06), Took(0.004, 0.06))
    answers = iter([bare, even, slow, short])
    monkeypatch.setattr(threads_gain, "in_turns", lambda *_: next(answers))
    found = threads_gain.ask_all("Some", dict.fromkeys(["even", "slow", "short"], list), 1)
    assert found.bold == ["slow"]
    assert found.short == ["short"]
    lines = capsys.readouterr().out.splitlines()
    assert lines[-1] == "| slow | 60.0 | 50.0 | **1.20** | 1.20 | 60% |"
    told = threads_gain.verdict([found])
    assert told.startswith("\n1 of 2 gain less than 1.7")
    assert told.endswith("At most 5 ms: short.")
    assert threads_gain.verdict([]).startswith("\n0 of 0")


def test_a_call_takes_seconds_of_the_processor_and_of_the_clock() -> None:
    busy = threads_gain.took(lambda: sum(range(200_000)))
    assert 0 < busy.processor < 10 * busy.clock
    waiting = threads_gain.took(lambda: sleep(0.02))
    assert waiting.processor < 0.02 <= waiting.clock


def test_one_thread_and_two_take_turns() -> None:
    asked: list[int] = []
    alone, shared = threads_gain.in_turns(lambda: asked.append(1), lambda: asked.append(2), 5)
    assert asked == [1, 2] + [1, 1, 2, 2] * 3  # the first of each is not counted
    assert min(*alone, *shared) >= 0


def test_the_best_of_all_rounds_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(threads_gain, "ROUNDS", 2)
    taken = [(Took(4, 9), Took(2, 5)), (Took(1, 1), Took(1, 1))]  # two questions of a round
    again = [(Took(5, 8), Took(3, 4)), (Took(2, 2), Took(2, 2))]
    answers = iter([*taken, *again])
    monkeypatch.setattr(threads_gain, "in_turns", lambda *_: next(answers))
    found = threads_gain.in_rounds(dict.fromkeys("ab", (list, list)), 1)
    assert found == {"a": (Took(4, 8), Took(2, 4)), "b": taken[1]}


def test_halves_are_all_of_the_work(monkeypatch: pytest.MonkeyPatch) -> None:
    sorted_rows: list[float] = []
    monkeypatch.setattr(threads_gain.np, "sort", lambda piece: sorted_rows.append(piece[0]))
    threads_gain.sort_halves(np.arange(5.0)[:, None])
    assert sorted(sorted_rows) == [0, 1, 2, 3, 4]


def test_a_gain_is_told_beside_what_the_machine_can() -> None:
    alone, shared = Took(0.03, 0.04), Took(0.015, 0.032)
    line = threads_gain.line_of("auc", alone, shared, Gain(1.6, 1.6))
    assert line == "| auc | 30.0 | 15.0 | 2.00 | 1.25 | 78% |"


@pytest.mark.parametrize(
    ("gain", "most", "low"), [(1.65, 2.0, False), (1.6, 2.0, True), (1.2, 1.2, False)]
)
def test_enough_is_the_bar_or_what_the_machine_can(gain: float, most: float, low: bool) -> None:
    assert Gain(gain, 1.0).below(Gain(most, 1.0)) == low


def test_stolen_time_is_a_share_of_the_time_that_was_wanted() -> None:
    words = threads_gain.stolen_words([0] * 8, [50, 0, 10, 900, 100, 0, 10, 30])
    assert "30%" in words
    assert threads_gain.stolen_words([], []) == ""
