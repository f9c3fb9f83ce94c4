"""Ctrl-C stops the whole call; a partial result comes only on request, and is marked."""

import json
import os
import signal
import subprocess
import sys
import time
from importlib import import_module

import numpy as np
import pytest

import rocwise as rw
from rocwise.inference import resampling
from signals import ctrl_c_after

RNG = np.random.default_rng(3)
Y = RNG.integers(0, 2, 120)
A, B = Y + RNG.normal(size=120), Y + 2 * RNG.normal(size=120)
THREE = RNG.integers(0, 3, 90)
SCORES = RNG.random((90, 3)) + np.eye(3)[THREE]
MANY = {"n_resamples": 10**6, "rng": 1}
MANY_ROWS = rw.tally(np.arange(2**18) % 4 < 2, np.arange(2**18))  # drawn by blocks

# every function that resamples; each begins with draws in chunks
FUNCTIONS = {
    "auc": lambda: rw.auc(Y, A, method="bootstrap", **MANY),
    "auc, bca": lambda: rw.auc(Y, A, method="bca", **MANY),
    "auc_intervals": lambda: rw.auc_intervals(Y, A, **MANY),
    "bootstrap": lambda: rw.bootstrap(Y, A, **MANY),
    "bootstrap of a smooth area": lambda: rw.bootstrap(Y, A, statistic="youden-threshold", **MANY),
    "band, simultaneous": lambda: rw.band(Y, A, kind="simultaneous", **MANY),
    "band, fixed width": lambda: rw.band(Y, A, kind="fixed-width", **MANY),
    "band, future": lambda: rw.band(Y, A, kind="future", **MANY),
    "band, future, of many scores": lambda: rw.band(MANY_ROWS, kind="future", **MANY),
    "band, pointwise": lambda: rw.band(Y, A, kind="pointwise", **MANY),
    "compare": lambda: rw.compare(Y, {"a": A, "b": B}, method="bootstrap", **MANY),
    "compare, permutation": lambda: rw.compare(
        Y, {"a": A, "b": B}, method="permutation-monte-carlo", **MANY
    ),
    "compare, venkatraman": lambda: rw.compare(Y, {"a": A, "b": B}, method="venkatraman", **MANY),
    "compare, unpaired": lambda: rw.compare(
        rw.tally(Y, A), rw.tally(Y[::-1], B[::-1]), method="bootstrap", **MANY
    ),
    "threshold": lambda: rw.threshold(Y, A, rule="youden").uncertainty(**MANY),
    "abstain": lambda: rw.abstain(Y, A, costs=rw.Costs(1, 1, abstain=0.2)).uncertainty(**MANY),
    "cost curve": lambda: rw.cost_curve(Y, A).band(**MANY),
    "decision curve": lambda: rw.decision_curve(
        Y, 1 / (1 + np.exp(-A)), thresholds=[0.1, 0.5]
    ).band(**MANY),
    "curves": lambda: rw.compare_curves(Y, {"a": A, "b": B}, **MANY),
    "multiclass": lambda: rw.multiclass.auc(THREE, SCORES, method="bootstrap", **MANY).interval,
    "ordinal": lambda: rw.ordinal.auc(THREE, SCORES[:, 2], method="bootstrap", **MANY).interval,
}


@pytest.fixture
def interrupted_once(monkeypatch):
    """Ctrl-C after a few chunks; whether another pass was begun after it."""
    passes = []
    real = resampling.chunks
    import_module("rocwise.binary.permutation")

    def chunks(total, cells):
        passes.append(total)
        for number, part in enumerate(real(total, max(cells, 2_000))):
            if number == 3:
                raise KeyboardInterrupt
            yield part

    monkeypatch.setattr(resampling, "chunks", chunks)
    for module in list(sys.modules.values()):
        if getattr(module, "chunks", None) is real:
            monkeypatch.setattr(module, "chunks", chunks)
    return passes


@pytest.mark.parametrize("name", FUNCTIONS)
def test_an_interruption_stops_the_whole_call(interrupted_once, name):
    with pytest.raises(KeyboardInterrupt):
        FUNCTIONS[name]()
    assert len(interrupted_once) == 1


ONE_PASS = [
    "auc",
    "auc_intervals",
    "bootstrap",
    "band, fixed width",
    "band, future",
    "band, future, of many scores",
    "band, pointwise",
    "compare",
    "multiclass",
]


@pytest.mark.parametrize("name", ONE_PASS)
def test_a_partial_result_reports_its_resamples(interrupted_once, name):
    with rw.partial_results() as stopped, pytest.warns(rw.RocwiseWarning, match="interrupted"):
        result = FUNCTIONS[name]()
    assert 2 <= stopped.made < stopped.requested == 10**6
    if name == "multiclass":
        return  # the interval alone; see below
    assert f"interrupted: {stopped.made:,} of 1,000,000 resamples" in repr(result)
    document = json.loads(json.dumps(result.to_dict()))
    assert document["origin"]["interrupted"] == [stopped.made, 10**6]
    if hasattr(result, "n_resamples"):
        assert result.n_resamples == document["n_resamples"] == stopped.made
    if hasattr(result, "replicates"):
        assert len(result.replicates) == stopped.made


def test_an_interval_that_is_computed_later_is_marked_too(interrupted_once):
    result = rw.multiclass.auc(THREE, SCORES, method="bootstrap", **MANY)
    with rw.partial_results() as stopped, pytest.warns(rw.RocwiseWarning, match="interrupted"):
        document = result.to_dict()
    assert document["origin"]["interrupted"] == [stopped.made, 10**6]
    assert "interrupted" in repr(result)


def interrupt_passes(monkeypatch, stops):
    """Ctrl-C in the chunk with the given number of each pass; how many replicates each needs."""
    passes, real = [], resampling.chunks

    def chunks(total, cells):
        stop = stops[len(passes)] if len(passes) < len(stops) else None
        passes.append(total)
        for number, part in enumerate(real(total, max(cells, 2_000))):
            if number == stop:
                raise KeyboardInterrupt
            yield part

    monkeypatch.setattr(resampling, "chunks", chunks)
    return passes


def test_a_simultaneous_band_looks_again_at_what_it_has_drawn(monkeypatch):
    """The result is that of a band of so many resamples to begin with."""
    passes = interrupt_passes(monkeypatch, [3])
    with rw.partial_results() as stopped, pytest.warns(rw.RocwiseWarning, match="interrupted"):
        result = FUNCTIONS["band, simultaneous"]()
    assert passes == [10**6, stopped.made]
    assert result.n_resamples == stopped.made
    assert f"interrupted: {stopped.made:,} of 1,000,000 resamples" in repr(result)
    whole = rw.band(Y, A, **MANY | {"n_resamples": stopped.made})
    assert np.array_equal(result.lower, whole.lower)
    assert np.array_equal(result.upper, whole.upper)


def test_it_does_so_where_most_resampled_curves_are_the_curve(monkeypatch):
    """Two cases of each class: the first pass finds no width to begin the second with."""
    interrupt_passes(monkeypatch, [3])
    few = {"level": 0.1, "stratified": True, "n_resamples": 10**6, "rng": 1}
    with rw.partial_results() as stopped, pytest.warns(rw.RocwiseWarning, match="interrupted"):
        result = rw.band([0, 0, 1, 1], [1, 3, 2, 4], **few)
    assert result.n_resamples == stopped.made > 0


def test_a_second_interruption_stops_the_second_look(monkeypatch):
    passes = interrupt_passes(monkeypatch, [3, 1])
    with (
        rw.partial_results() as stopped,
        pytest.warns(rw.RocwiseWarning, match="interrupted"),
        pytest.raises(KeyboardInterrupt),
    ):
        FUNCTIONS["band, simultaneous"]()
    assert passes == [10**6, stopped.made]


def test_no_further_pass_is_begun(interrupted_once):
    with (
        rw.partial_results(),
        pytest.warns(rw.RocwiseWarning, match="interrupted"),
        pytest.raises(KeyboardInterrupt),
    ):
        FUNCTIONS["compare, unpaired"]()
    assert len(interrupted_once) == 1


def test_permission_ends_with_the_block(interrupted_once):
    with rw.partial_results() as stopped:
        pass
    assert not stopped
    with pytest.raises(KeyboardInterrupt):
        FUNCTIONS["bootstrap"]()


def test_later_results_do_not_inherit_an_interruption(interrupted_once, monkeypatch):
    with rw.partial_results(), pytest.warns(rw.RocwiseWarning, match="interrupted"):
        FUNCTIONS["bootstrap"]()
    assert "interrupted" not in repr(rw.auc(Y, A))
    assert rw.auc(Y, A).origin.interrupted is None


def test_too_few_resamples_give_no_result(monkeypatch):
    def stop(_done):
        raise KeyboardInterrupt

    monkeypatch.setattr(resampling, "CELLS_PER_CHUNK", 1)
    with rw.partial_results() as stopped, pytest.raises(KeyboardInterrupt):
        rw.bootstrap(Y, A, progress=stop)
    assert not stopped


@pytest.mark.skipif(sys.platform == "win32", reason="signals of a Unix system")
@pytest.mark.parametrize(
    "name", ["auc", "band, simultaneous", "auc_intervals", "compare", "multiclass"]
)
def test_the_key_interrupts_within_a_second(name, monkeypatch):
    """A real signal while real kernels run, for seconds if nothing stops them."""
    monkeypatch.setitem(MANY, "n_resamples", 2 * 10**7)
    sent = time.perf_counter() + 0.7
    with ctrl_c_after(0.7), pytest.raises(KeyboardInterrupt):
        FUNCTIONS[name]()
    assert time.perf_counter() - sent < 3  # a second, on a machine that does other work too


@pytest.mark.skipif(sys.platform == "win32", reason="signals of a Unix system")
@pytest.mark.parametrize(
    "words",
    [
        ["band", "--kind", "fixed-width", "--resamples", "20000000", "--json"],
        ["band", "--resamples", "2000000"],
        ["auc", "--method", "bootstrap", "--resamples", "20000000"],
    ],
    ids=" ".join,
)
def test_a_command_ends_with_130_and_one_line(tmp_path, words):
    path = tmp_path / "s.csv"
    lines = [f"{y},{a}" for y, a in zip(Y, A, strict=True)]
    path.write_text("\n".join(["y,a", *lines, ""]))
    plot = tmp_path / "old.svg"
    plot.write_text("old")
    command = [words[0], str(path), "--label", "y", "--score", "a", *words[1:]]
    running = subprocess.Popen(
        [sys.executable, "-m", "rocwise", *command, "--plot", str(plot)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=os.environ | {"PYTHONUNBUFFERED": "1"},
        text=True,
    )
    time.sleep(2.5)
    running.send_signal(signal.SIGINT)
    out, err = running.communicate(timeout=30)
    assert (running.returncode, out, err) == (130, "", "interrupted\n")
    assert plot.read_text() == "old"
