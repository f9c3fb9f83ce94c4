"""``rocwise survival``."""

import json

import numpy as np
import pandas as pd
import pytest

import rocwise as rw

COLUMNS = {"time": "days", "event": "died"}
WORDS = ["--time", "days", "--event", "died", "--score", "a"]


@pytest.fixture
def cohort(tmp_path):
    rng = np.random.default_rng(4)
    a = rng.random(200).round(3)
    frame = pd.DataFrame(
        {
            "days": np.ceil(rng.exponential(800 * (1.2 - a))),
            "died": (rng.random(200) < 0.7) * 1,
            "a": a,
            "b": rng.random(200).round(3),
            "site": np.arange(200) // 4,
        }
    )
    frame["entry"] = np.where(frame.days > 100, 50, 0)
    frame["cause"] = np.where(frame.died == 1, np.where(frame.site % 3, "heart", "other"), "none")
    path = tmp_path / "cohort.csv"
    frame.to_csv(path, index=False)
    return path


def test_areas_and_indices(run, cohort, tmp_path):
    plot = tmp_path / "auc.svg"
    words = [*WORDS, "--score", "b", "--times", "300", "--times", "700", "--plot", plot]
    code, out, err = run("survival", cohort, *words)
    assert (code, err.strip()) == (0, f"wrote {plot}")
    found = rw.survival.auc(cohort, [300, 700], score=["a", "b"], **COLUMNS)
    a = found["a"]
    assert f"{a.value[1]:.3f}  {a.low[1]:.3f} to {a.high[1]:.3f}" in out
    uno = rw.survival.concordance(cohort, score="b", **COLUMNS)
    assert f"{uno.value:.3f}  {uno.interval.low:.3f} to {uno.interval.high:.3f}" in out
    assert "200 rows" in out
    assert "cumulative/dynamic AUC; CI: logit" in out
    assert "incident/dynamic AUC" in run("survival", cohort, *words[:-2], "--kind", "incident").out
    assert plot.exists()
    document = json.loads(run("survival", cohort, *words[:-2], "--json").out)
    assert document["results"]["a"]["value"] == a.value.tolist()
    assert document["concordance"]["b"]["uno"]["value"] == uno.value


def test_without_times_some_of_many_are_shown(run, cohort):
    out = run("survival", cohort, *WORDS).out
    found = rw.survival.auc(cohort, score="a", **COLUMNS)
    assert f"(12 of {len(found.times)} times; --csv has all)" in out
    rows = [line.split() for line in out.splitlines() if line.startswith("a ") and " to " in line]
    shown = [float(row[1]) for row in rows if row[1][0].isdigit()]
    assert len(shown) == 12
    assert (shown[0], shown[-1]) == (found.times[0], found.times[-1])
    assert len(run("survival", cohort, *WORDS, "--csv").out.splitlines()) == len(found.times) + 1


def test_predicted_risks(run, cohort):
    out = " ".join(run("survival", cohort, *WORDS, "--times", "500", "--risk").out.split())
    assert repr(rw.survival.brier(cohort, 500, score="a", **COLUMNS)) in out
    assert repr(rw.survival.calibration(cohort, 500, score="a", **COLUMNS)) in out


def test_rates_at_a_threshold_and_the_comparison(run, cohort):
    words = [*WORDS, "--score", "b", "--times", "300", "--times", "700", "--seed", "1"]
    out = " ".join(run("survival", cohort, *words, "--threshold", "0.5").out.split())
    f = rw.survival.follow_up(cohort, score=["a", "b"], **COLUMNS)
    points = rw.survival.at(f, [300, 700], threshold=0.5)["a"]
    assert f"a: {str(points).splitlines()[0]}" in out
    found = rw.survival.compare(f, [300, 700], rng=1)
    assert str(found).splitlines()[0] in out
    words += ["--specificity", "0.9", "--resamples", "100", "--json"]
    document = json.loads(run("survival", cohort, *words).out)
    assert document["comparison"]["joint_p_value"] == found.joint_p_value
    assert document["at"]["b"]["axis"] == "specificity"


def test_competing_events_clusters_entry_and_band(run, cohort):
    words = ["--time", "days", "--event", "cause", "--score", "a", "--times", "300"]
    words += ["--times", "600", "--cause", "heart", "--censored", "none"]
    named = {"time": "days", "event": "cause", "cause": "heart", "censored": "none"}
    document = json.loads(
        run("survival", cohort, *words, "--controls", "all", "--group", "site", "--json").out
    )
    f = rw.survival.follow_up(cohort, score="a", groups="site", **named)
    own = rw.survival.auc(f, [300, 600], controls="all")
    assert document["results"]["a"]["standard_error"] == own.standard_error.tolist()
    index = rw.survival.concordance(f, controls="all")
    assert document["concordance"]["a"]["uno"]["value"] == index.value
    out = run("survival", cohort, *words, "--entry", "entry", "--band", "--seed", "1").out
    late = rw.survival.auc(cohort, [300, 600], score="a", entry="entry", band=True, rng=1, **named)
    assert f"band: {late.critical:.3f} standard errors" in out
    assert "concordance" not in out


def test_the_report(run, cohort, tmp_path):
    page = tmp_path / "page.html"
    words = ["--task", "survival", "--time", "days", "--label", "died", "--score", "a"]
    code, out, _ = run("report", cohort, *words, "--times", "400", "-o", page)
    assert (code, str(page) in out, page.is_file()) == (0, True, True)
    f = rw.survival.follow_up(cohort, score="a", **COLUMNS)
    made = rw.report(f, task="survival", times=400, path=None)
    assert f"{made.payload['summary']['models'][0]['value']}" in page.read_text()
    codes = ["--pos-label", "heart", "--censored", "none", "-o", page]
    words[5] = "cause"
    assert run("report", cohort, *words, "--times", "400", *codes).code == 0
    assert "needs --time" in run("report", cohort, *words[:2], *words[4:]).err
    assert "goes with --task survival" in run("report", cohort, *words[2:]).err


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ([*WORDS, "--times", "9999999"], "followed beyond t = 1e+07"),
        ([*WORDS, "--score", "a", "--times", "300"], "--score a is given twice"),
        ([*WORDS[:2], "--event", "a", "--score", "b"], "column 'a' has the values"),
        ([*WORDS, "--kind", "none"], "--kind"),
        ([*WORDS, "--tau", "0.5"], "no event before tau = 0.5"),
        ([*WORDS, "--threshold", "0.5"], "--threshold needs --times"),
        (["--time", "died", "--event", "died", "--score", "none"], "none"),
    ],
)
def test_bad_input(run, cohort, words, message):
    code, _, err = run("survival", cohort, *words)
    assert code == 2
    assert message in " ".join(err.split())
