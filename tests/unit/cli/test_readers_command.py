"""``rocwise readers`` and ``rocwise froc``."""

import json

import pandas as pd
import pytest

import rocwise as rw
from rocwise.datasets import marked_lesions, reader_study

COLUMNS = {name: name for name in ("score", "case", "reader", "modality")} | {"label": "truth"}
WORDS = [word for name, column in COLUMNS.items() for word in (f"--{name}", column)]
LESIONS = ["--case", "case", "--score", "score", "--lesion", "lesion", "--lesions", "lesions"]


@pytest.fixture
def study(tmp_path):
    path = tmp_path / "study.csv"
    pd.DataFrame(reader_study(4, 20, 25).columns).to_csv(path, index=False)
    return path


@pytest.fixture
def marks(tmp_path):
    marked = marked_lesions(3, 20, 25)
    for name in ("marks", "cases"):
        pd.DataFrame(getattr(marked, name)).to_csv(tmp_path / f"{name}.csv", index=False)
    return [tmp_path / "marks.csv", "--cases", tmp_path / "cases.csv", *LESIONS]


def test_a_mean_without_interval(run, tmp_path):
    pd.DataFrame(reader_study(2, 10, 10, rng=13).columns).to_csv(tmp_path / "few.csv")
    code, out, _ = run("readers", tmp_path / "few.csv", *WORDS, "--method", "u-statistics")
    assert code == 0
    assert out.split("\n\n")[1].splitlines()[2].split() == ["aided", "0.985"]


def test_modalities(run, study):
    code, out, err = run("readers", study, *WORDS, "--difference", "0.1")
    assert (code, err) == (0, "")
    found = rw.readers.compare(study, **COLUMNS)
    assert "study.csv: 20 positives, 25 negatives; fully crossed" in " ".join(out.split())
    assert repr(found) in " ".join(out.split())
    assert "Cases to detect 0.1 with power 0.8:" in out
    found = json.loads(run("readers", study, *WORDS, "--json", "--readers", "fixed").out)
    document = found["results"]["comparison"]
    fixed = rw.readers.compare(study, **COLUMNS, readers="fixed")
    assert document["p_value"] == fixed.p_value


def test_a_standalone_model(run, tmp_path):
    path = tmp_path / "ai.csv"
    frame = pd.DataFrame(reader_study(3, 20, 25, separation=(1.2,), ai=1.6).columns)
    frame.assign(truth=frame.truth.map({0: "no", 1: "yes"})).to_csv(path, index=False)
    words = [*WORDS[:6], *WORDS[8:], "--ai", "AI", "--pos-label", "yes"]
    out = run("readers", path, *words, "--margin", "0.1", "--alternative", "non-inferior").out
    assert "AUC AI" in out
    assert "for 'non-inferior' within 0.1" in " ".join(out.split())


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--label", "truth"], "--score is required: a column of"),
        ([*WORDS, "--ai", "R9"], "--ai must be one of the readers"),
        ([*WORDS, "--readers", "none"], "--readers"),
        ([*WORDS, "--only", "C"], "--only names 'C'"),
    ],
)
def test_errors(run, study, words, message):
    code, _, err = run("readers", study, *words)
    assert code == 2
    assert message in err


def test_marks_of_one_reader(run, marks):
    words = [*marks, "--at", "0.5", "--seed", "1"]
    out = run("froc", *words).out
    assert "wAFROC area 0." in out
    assert "0.500" in out
    document = json.loads(run("froc", *words, "--json").out)
    assert document["results"]["curve"]["kind"] == "FrocCurve"
    assert "--view is for several readers" in run("froc", *words, "--view", "slopes").err


def test_marks_of_readers(run, marks, tmp_path):
    plot = tmp_path / "froc.svg"
    cells = ["--reader", "reader", "--modality", "modality"]
    code, out, _ = run("froc", *marks, *cells, "--plot", plot, "--view", "readers")
    assert code == 0
    assert "wAFROC area: unaided" in out
    assert plot.exists()


def test_a_report(run, study, tmp_path):
    words = [*WORDS, "--task", "readers", "-o", tmp_path / "report.html"]
    code, out, err = run("report", study, *words)
    assert (code, err) == (0, "")
    assert out.startswith("wrote ")
    assert "--case goes with --task readers" in run("report", study, *WORDS).err
