"""Tests of the benchmarks themselves: a wrong value or a missing peer must show."""

import itertools
import json
import math
import os
import shutil
import signal
import sys
import time
import types
from pathlib import Path

import numpy as np
import pytest

from . import machine, pages, races, references, report
from .__main__ import main
from .agreement import MonteCarlo, Relative, SimilarBands
from .data import Sample, binormal, load
from .peers import NUMPY, Peer
from .races import Entry, Race, run_race
from .rows import Row, Status, anything_wrong, at_most, format_figure, times_as_fast
from .stopwatch import Timed, stopwatch
from .tasks import Task
from .workers import Worker, WorkerError, r_worker

VERSIONS = {"numpy": "2"}
ABSENT = Peer("absent", "pip install absent")


def steady(seconds, *value):
    return lambda _calls: Timed(seconds, value)


def failing(_calls):
    raise ValueError("no good")


class TestRace:
    def test_ratio_is_theirs_over_ours_and_judged(self):
        rivals = [
            Entry("slow", NUMPY, steady(0.75, 0.75), bar=times_as_fast(3)),
            Entry("faster", NUMPY, steady(0.70, 0.75), bar=times_as_fast(3)),
        ]
        rows = run_race(Race("t", steady(0.25, 0.75), rivals), VERSIONS, rounds=2)
        assert [row.status for row in rows] == [Status.PASS, Status.FAIL]
        assert rows[0].ratio == pytest.approx(3.0)
        assert not anything_wrong(rows)

    def test_a_different_value_is_never_timed(self):
        rival = Entry("other", NUMPY, steady(1.0, 0.75 + 1e-9))
        (row,) = run_race(Race("t", steady(0.1, 0.75), [rival]), VERSIONS, rounds=2)
        assert row.status is Status.DISAGREES
        assert row.ratio is None
        assert anything_wrong([row])

    def test_a_missing_peer_stays_in_the_table_with_its_command(self):
        rival = Entry("absent", ABSENT, failing, bar=times_as_fast(2))
        (row,) = run_race(Race("t", steady(0.1, 0.75), [rival]), VERSIONS, rounds=2)
        assert row.status is Status.NOT_INSTALLED
        assert row.ours == 0.1
        assert "not installed (1)" in report.table([row])
        assert "1. `pip install absent`" in report.table([row])

    def test_a_failing_peer_is_reported_and_a_failing_rocwise_is_wrong(self):
        rival = Entry("bad", NUMPY, failing)
        (peer_row,) = run_race(Race("t", steady(0.1, 0.75), [rival]), VERSIONS, rounds=1)
        (own_row,) = run_race(Race("t", failing), VERSIONS, rounds=1)
        assert peer_row.status is Status.PEER_BROKEN
        assert own_row.note == "ValueError: no good"
        assert anything_wrong([own_row])
        assert not anything_wrong([peer_row])

    def test_a_method_that_is_not_offered_is_absent(self):
        def refusing(_calls):
            raise ValueError("`method` must be one of 'delong'; got 'bootstrap'.")

        (row,) = run_race(Race("t", refusing), VERSIONS, rounds=1)
        assert row.status is Status.ABSENT
        assert not anything_wrong([row])

    def test_rounds_go_on_until_a_race_has_lasted_long_enough(self, monkeypatch):
        seconds = itertools.count()
        clock = types.SimpleNamespace(perf_counter=lambda: next(seconds), sleep=lambda _: None)
        monkeypatch.setattr(races, "time", clock)
        race = Race("t", steady(0.1, 1.0), [Entry("peer", NUMPY, steady(0.2, 1.0))])
        lengths = [
            len(run_race(race, VERSIONS, rounds, shortest)[0].raw["rocwise_seconds"])
            for rounds, shortest in ((1, 5.0), (7, 3.0), (2, 0.0))
        ]
        assert lengths == [5, 9, 2]

    def test_the_minimum_of_the_rounds_counts_and_is_scaled(self):
        times = itertools.cycle([0.4, 0.2, 0.3])
        rival = Entry("peer", NUMPY, lambda _calls: Timed(next(times), (1.0,)), scale=10)
        (row,) = run_race(Race("t", steady(0.1, 1.0), [rival]), VERSIONS, rounds=3)
        assert row.theirs == pytest.approx(2.0)
        assert row.scaled

    def test_limit_and_reference(self):
        reference = Entry("slowly", NUMPY, steady(9.0, 0.5), Relative(1e-9))
        race = Race("t", steady(0.1, 0.5), limit=at_most(1.0, "s"), reference=reference)
        (row,) = run_race(race, VERSIONS, rounds=2)
        assert row.status is Status.PASS
        assert row.note == "value checked against slowly"


class TestAgreement:
    def test_relative(self):
        assert Relative(1e-6).holds((1e-7, 2.0), (1e-7 * (1 + 5e-7), 2.0))
        assert not Relative(1e-6).holds((1e-7,), (1.1e-7,))
        assert not Relative(1e-6).holds((1.0, 2.0), (1.0,))

    def test_monte_carlo_tolerance_matches_simulated_quantiles(self):
        replicates = 500
        draws = np.random.default_rng(1).standard_normal((4000, replicates))
        error = np.quantile(draws, 0.025, axis=1).std()
        allowed = 5 * error * math.sqrt(2)
        rule = MonteCarlo(replicates, replicates)
        assert rule.holds((-1.959964, 1.959964), (-1.959964 + 0.9 * allowed, 1.959964))
        assert not rule.holds((-1.959964, 1.959964), (-1.959964 + 1.1 * allowed, 1.959964))

    def test_bands_must_overlap_and_have_similar_widths(self):
        assert SimilarBands().holds((0.1, 0.3), (0.15, 0.4))
        assert not SimilarBands().holds((0.1, 0.3), (0.35, 0.5))
        assert not SimilarBands().holds((0.1, 0.3), (0.2, 0.25))


class TestReferences:
    def test_permutation_p_equals_enumeration(self):
        rng = np.random.default_rng(4)
        label = np.array([0, 0, 0, 0, 1, 1, 1, 0])
        scores = rng.integers(0, 5, (2, 8)) + label
        first, second = (references._midranks(score.astype(float)) for score in scores)

        def difference(swap):
            one, two = np.where(swap, second, first), np.where(swap, first, second)
            return abs(
                references._kernel(label, one).mean() - references._kernel(label, two).mean()
            )

        swaps = itertools.product([False, True], repeat=8)
        observed = difference(np.zeros(8, dtype=bool))
        count = sum(difference(np.array(swap)) >= observed - 1e-12 for swap in swaps)
        sample = Sample(label, *scores.astype(float))
        assert references.permutation_p(sample) == (pytest.approx(count / 2**8, rel=1e-12),)

    def test_exact_bootstrap_variance_equals_enumeration(self):
        negative, positive = np.array([[1.0, 2, 2], [2, 1, 4]]), np.array([[2.0, 3], [2, 3]])
        label = np.repeat([0, 1], [3, 2])
        sample = Sample(label, *np.hstack([negative, positive]))
        w = references._kernel(label, sample.first) - references._kernel(label, sample.second)
        differences = [
            w[np.ix_(rows, columns)].mean()
            for rows in itertools.product(range(3), repeat=3)
            for columns in itertools.product(range(2), repeat=2)
        ]
        expected = pytest.approx(np.var(differences), rel=1e-12)
        assert references.exact_bootstrap_variance(sample) == (expected,)


class TestData:
    def test_columns_survive_the_files(self, tmp_path: Path):
        sample = binormal(1000, ties=True)
        sample.save(tmp_path)
        again = load(tmp_path)
        np.testing.assert_array_equal(again.label, sample.label)
        np.testing.assert_array_equal(again.first, sample.first)
        np.testing.assert_array_equal(again.second, sample.second)

    def test_scores_are_probabilities_and_tied_when_asked(self):
        sample = binormal(20_000, ties=True)
        assert sample.first.min() > 0
        assert sample.first.max() < 1
        assert len(np.unique(sample.first)) < 150
        assert binormal(100, dtype=np.float32).second.dtype == np.float32


class TestWorkers:
    def test_an_ended_worker_is_an_error(self):
        with Worker([sys.executable, "-c", "pass"]) as worker, pytest.raises(WorkerError):
            worker.versions()

    @pytest.mark.skipif(shutil.which("Rscript") is None, reason="R is not installed")
    def test_r_answers_with_its_versions_or_says_why_not(self):
        worker = r_worker()
        assert worker is not None
        with worker:
            versions = worker.versions()
            assert set(versions) <= {"pROC", "fbroc"}
            with pytest.raises(WorkerError):
                worker.measure(binormal(50), "no-such-question", 1)
            if "pROC" in versions:
                sample = binormal(500, ties=True)
                area = references._kernel(sample.label, sample.first).mean()
                assert worker.measure(sample, "auc", 2).value == (pytest.approx(area, rel=1e-12),)


class TestReport:
    @pytest.mark.parametrize(
        ("figure", "unit", "text"),
        [
            (1.234, "s", "1.23 s"),
            (0.350, "s", "350 ms"),
            (0.04, "s", "40 ms"),
            (85e-6, "s", "85 µs"),
            (-0.002, "s", "-2 ms"),
            (15.04, "x", "15x"),
            (2646.6, "x", "2647x"),
        ],
    )
    def test_figures(self, figure, unit, text):
        assert format_figure(figure, unit) == text

    def test_table_has_one_line_a_row_and_marks_scaled_figures(self):
        row = Row("a | b", "pROC", ours=0.1, theirs=1.0, ratio=10.0, scaled=True)
        lines = report.table([row, row]).splitlines()
        assert len(lines) == 4
        assert "a \\| b" in lines[2]
        assert "~1 s" in lines[2]


@pytest.mark.parametrize(("load", "said"), [(0.4, False), (1.1, True)])
def test_a_busy_machine_is_said_to_be_one(load, said):
    here = {**machine.describe(), "cores": 2, "load": load}
    text = machine.sentence(here, {"numpy": "2.4", "absent": None}, 0.5)
    assert ("busy" in text) is said
    assert "numpy 2.4." in text
    assert "absent" not in text


def test_stopwatch_gives_the_time_of_one_call():
    calls = []
    timed = stopwatch(lambda: calls.append(1) or len(calls), lambda answer: (answer,))(5)
    assert timed.value == (5,)
    assert timed.seconds < 0.1


def test_listing_names_the_chosen_tasks(capsys):
    assert main(["--list", "--only", "delong"]) == 0
    assert capsys.readouterr().out.split() == ["delong-interval", "delong-test"]


def tasks_are(monkeypatch, *tasks):
    made = types.SimpleNamespace(tasks=lambda: tasks)
    monkeypatch.setattr("benchmarks.__main__.MODULES", (made,))


def test_interruption_prints_what_is_done(monkeypatch, capsys, tmp_path):
    def interrupt(_setting):
        os.kill(os.getpid(), signal.SIGTERM)
        time.sleep(10)

    def done(_setting):
        return [Row("done before", ours=0.5)]

    tasks_are(monkeypatch, Task("a", [], done), Task("b", [], interrupt))
    assert main(["--json", str(tmp_path / "raw.json")]) == 0
    printed = capsys.readouterr().out
    assert "| done before | 500 ms |" in printed
    assert "Interrupted" in printed
    assert json.loads((tmp_path / "raw.json").read_text())["rows"][0]["ours"] == 0.5


def test_no_task_begins_when_the_time_is_up(monkeypatch, capsys):
    tasks_are(monkeypatch, Task("late", [], lambda _setting: [Row("late", ours=1.0)]))
    assert main(["--minutes", "0"]) == 0
    assert "not run: no time was left" in capsys.readouterr().out


class TestPages:
    rows = (
        Row("AUC, 1,000,000 rows", ours=0.0131, bar=at_most(1, "s"), status=Status.PASS),
        Row("AUC, 1,000,000 rows", "scikit-learn", ours=0.0131, theirs=0.5, ratio=38.2),
        Row("AUC, 1,000,000 rows", "pROC", ours=0.0131, status=Status.NOT_INSTALLED),
        Row("AUC, 1,000,000 rows, float32", "torchmetrics", 0.001, 1.0, ratio=1000.0),
        Row("Fixed-width band, 2,000 ...", "pROC ci.se", 0.1, 20.0, ratio=200.0, scaled=True),
        Row("something else", ours=1.0),
    )

    def test_the_readme_shows_tasks_that_ran_with_their_peers(self):
        assert pages.short_table(self.rows).splitlines()[2:] == [
            "| AUC, 1,000,000 rows | 13.1 ms | scikit-learn | 38.2x |",
            "| fixed-width band of 2,000 resamples, 10,000 rows | 100 ms | pROC | ~200x |",
        ]

    def test_both_pages_are_written(self, monkeypatch, tmp_path):
        for name in ("README", "PAGE"):
            path = tmp_path / name
            path.write_text(f"before\n{pages.BEGIN}\nold\n{pages.END}\nafter\n")
            monkeypatch.setattr(pages, name, path)
        pages.write(self.rows, "Some machine.")
        readme, page = ((tmp_path / name).read_text() for name in ("README", "PAGE"))
        assert readme.startswith("before\n")
        assert readme.endswith("after\n")
        assert "38.2x" in readme
        assert "old" not in readme
        assert "something else" in page
        assert "Some machine." in page

    def test_the_pages_have_places_for_the_tables(self):
        for path in (pages.README, pages.PAGE):
            assert "new" in pages.with_table(path.read_text(encoding="utf-8"), "new")
        with pytest.raises(ValueError, match="has no"):
            pages.with_table("no marks", "new")

    def test_what_the_readme_shows_is_asked(self):
        titles = Path(__file__).parent.glob("*.py")
        source = "".join(path.read_text(encoding="utf-8") for path in titles)
        for begins, _ in pages.SHOWN:
            assert begins.split(",")[0].split(" by")[0] in source

    @pytest.mark.parametrize("status", [Status.NO_TIME, Status.BROKEN, Status.DISAGREES])
    def test_only_a_whole_run_is_published(self, status):
        assert pages.complete(self.rows)
        assert not pages.complete([*self.rows, Row("a", status=status)])
        assert not pages.complete([])

    @pytest.mark.parametrize("part", ["--quick", "--only=auc"])
    def test_a_part_of_the_run_is_not_published(self, part):
        with pytest.raises(SystemExit):
            main(["--readme", part])
