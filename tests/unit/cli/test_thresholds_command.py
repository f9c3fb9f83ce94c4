"""``rocwise thresholds``: every printed threshold gives the counts of its row."""

import re

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import rocwise as rw
from rocwise.cli.commands.thresholds import COLUMNS
from unit.cli.command_runs import members, write_csv

WORDS = ("--label", "ill", "--score", "a")
ALONE = "a cost has a meaning only relative to the other one:"
COSTS = ("--cost-fp", "1", "--cost-fn", "10")
ROW = re.compile(r"^(?:Y|C|YC)? *(-?[\d.]+(?:e-?\d+)?) +(\d+) +(\d+) +(\d+) +(\d+) ")


def printed_rows(out):
    found = [ROW.match(line) for line in out.splitlines()]
    return [(row[1], [int(cell) for cell in row.groups()[1:]]) for row in found if row]


def counts_at(labels, score, text, direction):
    """The independent count, from the text on the screen alone."""
    positive = score >= float(text) if direction == "higher" else score <= float(text)
    return [
        int(np.sum(positive & (labels == 1))),
        int(np.sum(positive & (labels == 0))),
        int(np.sum(~positive & (labels == 1))),
        int(np.sum(~positive & (labels == 0))),
    ]


def check_recount(outcome, labels, score, direction, n_rows):
    assert outcome.code == 0
    rows = printed_rows(outcome.out)
    assert len(rows) == n_rows
    for text, counts in rows:
        assert counts == counts_at(labels, score, text, direction)


@pytest.mark.parametrize("direction", ["higher", "lower"])
@pytest.mark.parametrize("name", ["a", "b"])
def test_all_rows_recount(run, scores, direction, name):
    words = ("--label", "ill", "--score", name, "--direction", direction, "--all")
    score = getattr(scores, name)
    outcome = run("thresholds", scores.path, *words)
    check_recount(outcome, scores.ill, score, direction, len(np.unique(score)))


cases = st.lists(
    st.tuples(
        st.integers(0, 1),
        st.one_of(
            st.floats(-1e9, 1e9),
            st.integers(-3, 3).map(float),
            st.floats(0.3, 0.3000001),
            st.floats(-1e-12, 1e-12),
        ),
    ),
    min_size=2,
    max_size=40,
).filter(lambda rows: len({label for label, _ in rows}) == 2)


@settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(cases, st.sampled_from(["higher", "lower"]))
def test_recount_law(run, tmp_path, rows, direction):
    labels, score = (np.array(column) for column in zip(*rows, strict=True))
    path = write_csv(tmp_path / "law.csv", ["y", "p"], labels, score)
    words = ("--label", "y", "--score", "p", "--direction", direction, "--all")
    n_rows = len(np.unique(score))
    check_recount(run("thresholds", path, *words), labels, score, direction, n_rows)


def test_json_is_the_whole_table(run, scores):
    document = members(run("thresholds", scores.path, *WORDS, *COSTS, "--json").out)
    table = rw.thresholds(scores.ill, scores.a, costs=rw.Costs(fp=1, fn=10))
    assert document["threshold"] == table.threshold.tolist()
    assert document["expected_cost"] == table.expected_cost.tolist()
    assert document["npv"][-1] is None


def test_short_table_has_the_best_rows_and_their_number(run, scores):
    out = run("thresholds", scores.path, *WORDS, *COSTS, "--rows", "4").out
    n_shown = len(printed_rows(out))
    assert 4 <= n_shown <= 6
    assert f"{n_shown} of 300 thresholds" in out
    table = rw.thresholds(scores.ill, scores.a, costs=rw.Costs(fp=1, fn=10))
    costs = [
        (10 * fn + fp) / 300
        for text, (_, fp, fn, _) in printed_rows(out)
        if re.search(rf"^C.*: score >= {re.escape(text)}$", out, re.MULTILINE)
    ]
    assert costs == [pytest.approx(table.expected_cost.min())]
    best = re.search(r"^Y  largest Youden index, ([\d.]+): score >= (.*)$", out, re.MULTILINE)
    assert best is not None
    tp, fp, fn, tn = counts_at(scores.ill, scores.a, best[2], "higher")
    youden = tp / (tp + fn) + tn / (tn + fp) - 1
    assert best[1] == f"{youden:.3f}"
    assert youden == pytest.approx(table.youden.max())


def test_cost_may_be_cheapest(run, scores):
    words = (*WORDS, "--cost-fn", "1", "--cost-fp")
    remark = "Cheaper than every threshold: no positive predictions, "
    table = rw.thresholds(scores.ill, scores.a, costs=rw.Costs(fp=1e6, fn=1))
    cost = scores.ill.mean()
    mentioned = f"{remark}{cost:.4g} per case." in run("thresholds", scores.path, *words, "1e6").out
    assert mentioned == bool(cost < table.expected_cost.min())
    upside_down = (*words, "1e6", "--direction", "lower")
    assert f"{remark}{cost:.4g} per case." in run("thresholds", scores.path, *upside_down).out
    assert remark not in run("thresholds", scores.path, *words, "1").out


@pytest.mark.parametrize("width", [60, 80, 120, 200])
def test_columns_that_do_not_fit_are_named(run, scores, monkeypatch, width):
    monkeypatch.setenv("COLUMNS", str(width))
    out = run("thresholds", scores.path, *WORDS, *COSTS).out
    lines = out.splitlines()[1:]
    assert max(map(len, lines)) <= width
    header = next(line.split() for line in lines if line.strip().startswith("threshold"))
    absent = [title for title in COLUMNS if title not in header]
    assert (f"Too wide for this screen: {', '.join(absent)}" in " ".join(out.split())) == bool(
        absent
    )
    assert (width >= 120) == (not absent)


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--cost-fp", "1"], f"error: {ALONE} add --cost-fn.\n"),
        (["--cost-fn", "1"], f"error: {ALONE} add --cost-fp.\n"),
        (["--cost-fp", "0", "--cost-fn", "0"], "error: --cost-fp and --cost-fn must not make"),
        (["--cost-fp", "nan", "--cost-fn", "1"], "error: --cost-fp must be a finite number"),
        (["--rows", "0"], "error: --rows must be an integer of at least 1; got 0.\n"),
        (["--rows", "3", "--all"], "error: argument --all: not allowed with argument --rows"),
    ],
    ids=["no miss", "no alarm", "free", "nan", "rows", "rows and all"],
)  # fmt: skip
def test_errors(run, scores, words, sentence):
    code, out, err = run("thresholds", scores.path, *WORDS, *words)
    assert (code, out) == (2, "")
    assert err.startswith(sentence)


def test_weights_are_not_rounded(run, tmp_path):
    columns = [0, 1, 0, 1], [1, 2, 3, 4], [0.5, 1.25, 1, 2]
    path = write_csv(tmp_path / "t.csv", ["y", "p", "w"], *columns)
    out = run("thresholds", path, "--label", "y", "--score", "p", "--weight", "w").out
    assert "weighted 3.25 positives, 1.5 negatives" in out
    assert re.search(r"^ +3 +2 +1 +1.25 +0.5 ", out, re.MULTILINE)
