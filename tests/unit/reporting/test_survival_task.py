"""The report of censored outcomes: its numbers are those of the library."""

import json

import numpy as np
import pandas as pd
import pytest

import rocwise as rw

RNG = np.random.default_rng(6)
RISK = RNG.random(250).round(3)
TIME, END = RNG.exponential(1 / (0.2 + RISK)), RNG.uniform(0.5, 4, 250)
COHORT = pd.DataFrame(
    {
        "years": np.minimum(TIME, END).round(3),
        "died": TIME <= END,
        "risk": RISK,
        "noise": RNG.normal(size=250),
    }
)
COLUMNS = {"time": "years", "event": "died", "task": "survival", "path": None}


def sections(report):
    return {each["id"]: each for each in report.payload["sections"]}


def test_arrays_in_place_of_columns():
    arrays = {"time": COHORT["years"].to_numpy(), "event": COHORT["died"].to_numpy()}
    report = rw.report(scores={"risk": RISK}, times=[1], **{**COLUMNS, **arrays})
    f = rw.survival.follow_up(scores={"risk": RISK}, **arrays)
    (model,) = report.payload["summary"]["models"]
    assert model["value"] == rw.survival.auc(f, [1]).value[0]


def test_areas_counts_and_a_slider_of_times():
    report = rw.report(COHORT, ["risk", "noise"], times=[2, 0.5, 1], **COLUMNS)
    f = rw.survival.follow_up(COHORT, time="years", event="died", scores=["risk", "noise"])
    areas = rw.survival.auc(f, [0.5, 1, 2])
    models = report.payload["summary"]["models"]
    assert [each["value"] for each in models] == [areas[n].value[1] for n in ("risk", "noise")]
    assert [each["low"] for each in models] == [areas[n].low[1] for n in ("risk", "noise")]
    assert report.payload["summary"]["quantity"] == "AUC (t = 1)"
    found = sections(report)
    assert list(found) == ["auc-over-time", "comparison", "at-a-time", "concordance", "follow-up"]
    compared = rw.survival.compare(f, 1)
    (pair,) = report.payload["summary"]["comparison"]["rows"]
    assert (pair["difference"], pair["p"]) == (compared.difference[0], compared.p_value[0])
    slider = found["at-a-time"]
    assert slider["steps"] == ["0.5", "1", "2"]
    assert len(slider["plots"]) == len(slider["tables"]) == 3
    row = {name: column[0] for name, column in slider["tables"][1]["columns"].items()}
    assert row["TP"] + row["FP"] + row["FN"] + row["TN"] == pytest.approx(1000, abs=2)
    point = rw.survival.at(f, 1, threshold=row["threshold"])["risk"]
    assert row["TP"] == pytest.approx(1000 * point.sensitivity[0] * f.incidence(1), abs=1)
    low, high = point.ppv_low[0], point.ppv_high[0]
    assert row["PPV"] == f"{point.ppv[0]:.2f} ({low:.2f} to {high:.2f})"
    assert found["follow-up"]["tables"][0]["columns"]["cases"] == areas["risk"].n_cases.tolist()
    json.dumps(report.payload, allow_nan=False)
    assert "time-dependent" in " ".join(report.payload["methods"]["references"])


def test_risks_are_calibrated_at_a_single_time():
    f = rw.survival.follow_up(COHORT, time="years", event="died", score="risk")
    card = sections(rw.report(f, task="survival", times=1, path=None))["at-a-time"]
    assert card["plots"][1]["x"]["title"] == "Predicted risk by t = 1"
    row = {name: column[0] for name, column in card["tables"][1]["columns"].items()}
    brier, calibrated = rw.survival.brier(f, 1), rw.survival.calibration(f, 1)
    assert (row["Brier score"], row["IPA"]) == (brier.value[0], brier.ipa[0])
    assert (row["observed / expected"], row["slope"]) == (calibrated.ratio, calibrated.slope)
    noise = rw.survival.follow_up(COHORT, time="years", event="died", score="noise")
    for data, times, notes in ((f, [0.5, 1], 1), (noise, 1, 0)):
        report = rw.report(data, task="survival", times=times, path=None)
        card = sections(report)["at-a-time"]
        assert len(card["plots"]) == len(card["tables"]) == len(card["steps"])
        assert [each["section"] for each in report.payload["omitted"]] == ["calibration"] * notes


def test_competing_events_and_delayed_entry():
    coded = COHORT.assign(cause=np.where(COHORT.died, 1 + np.arange(250) % 2, 0))
    coded["word"] = np.array(["none", "heart", "other"])[coded.cause]
    codes = {"cause": "other", "censored": "none", "missing": "drop"}
    report = rw.report(coded, ["noise"], times=1, **{**COLUMNS, "event": "word"}, **codes)
    f = rw.survival.follow_up(coded, time="years", event="cause", cause=2, score="noise")
    value = report.payload["summary"]["models"][0]["value"]
    assert value == rw.survival.auc(f, 1).value[0]
    card = sections(report)["at-a-time"]
    row = {name: column[0] for name, column in card["tables"][0]["columns"].items()}
    every = rw.survival.at(f, 1, threshold=row["threshold"], controls="all")
    assert row["specificity"].startswith(f"{every.specificity[0]:.2f} ")
    assert "no event of any cause" in sections(report)["auc-over-time"]["text"]
    assert "competing event among the non-cases" in card["text"]
    late = COHORT.assign(years=COHORT.years + 1, entry=np.where(COHORT.years > 0.5, 1.2, 0))
    report = rw.report(late, ["noise"], times=2, entry="entry", **COLUMNS)
    assert "concordance" not in sections(report)
    assert report.payload["omitted"][0]["section"] == "concordance"


@pytest.mark.filterwarnings("ignore::rocwise.errors.MisuseWarning")
def test_a_small_sample_has_the_times_of_the_page():
    few = COHORT[:15]
    report = rw.report(few, ["risk"], times=[0.5, 1], **COLUMNS)
    assert len(sections(report)["auc-over-time"]["plots"][0]["layers"][-1]["x"]) == 2
    with pytest.raises(rw.InputError, match="pass `times`"):
        rw.report(few, ["risk"], **COLUMNS)


BAD = [
    ({"scores": ["risk"], "event": None}, "needs a FollowUp, or time, event"),
    ({"scores": None}, "`scores` is needed"),
    ({"scores": ["risk"], "classes": [1]}, "`classes` belongs to task='multiclass'"),
    ({"scores": ["risk"], "task": "ordinal"}, "`time` belongs to task='survival'"),
    ({"scores": ["risk"], "prevalence": 0.1}, "`prevalence` is not used by a report"),
]


@pytest.mark.parametrize(("options", "message"), BAD, ids=[m for _, m in BAD])
def test_bad_input(options, message):
    with pytest.raises(rw.InputError, match=message):
        rw.report(COHORT, **{**COLUMNS, **options})
