"""The page of reader studies."""

import pandas as pd
import pytest

import rocwise as rw
from rocwise.datasets import marked_lesions, reader_study
from rocwise.errors import InputError

STUDY = reader_study(4, 20, 25)
CELLS = {name: getattr(STUDY, name) for name in ("case", "reader", "modality")}
COLUMNS = {name: name for name in CELLS}


def payload(*data, **options):
    return rw.report(*data, path=None, task="readers", **options).payload


def sections(found):
    return {each["id"]: (len(each["plots"]), len(each["tables"])) for each in found["sections"]}


def test_readings_in_a_frame_or_in_arrays_and_their_comparison():
    found = payload(STUDY.y_true, STUDY.y_score, **CELLS)
    compared = rw.readers.compare(STUDY.y_true, STUDY.y_score, **CELLS)
    row = found["summary"]["comparison"]["rows"][0]
    assert (row["difference"], row["p"]) == (compared.difference, compared.p_value)
    assert found["summary"]["n"] == 360
    assert found["settings"]["seed"] is None  # nothing is drawn
    assert sections(found) == {"reader-curves": (3, 0), "readers": (0, 2), "components": (0, 1)}
    of_readers = found["sections"][1]["tables"][1]
    assert of_readers["title"] == "unaided − aided"
    assert list(of_readers["columns"])[:2] == ["reader", "difference"]
    frame = pd.DataFrame(STUDY.columns)
    for again in (
        payload(frame, "score", label="truth", **COLUMNS),
        payload(frame, label="truth", score="score", **COLUMNS),
        rw.report(compared, path=None).payload,
    ):
        assert again["summary"] == found["summary"]


def test_a_standalone_model_and_three_modalities():
    study = reader_study(4, 20, 25, separation=(1.2,), ai=1.6)
    found = payload(study.y_true, study.y_score, case=study.case, reader=study.reader, ai="AI")
    assert [each["name"] for each in found["summary"]["models"]] == ["AI", "mean of 4 readers"]
    assert sections(found)["reader-curves"] == (2, 0)
    three = pd.DataFrame(reader_study(4, 20, 25, separation=(1, 1.3, 1.6)).columns)
    found = payload(three, label="truth", score="score", **COLUMNS)
    assert len(found["summary"]["comparison"]["rows"]) == 3
    assert found["summary"]["comparison"]["joint"]["p"] > 0


def test_the_headline_is_about_a_difference_not_about_a_margin():
    study = reader_study(5, 45, 70, separation=(1.2,), ai=1.4)
    cells = {"case": study.case, "reader": study.reader, "ai": "AI"}
    claim = {"alternative": "non-inferior", "margin": 0.2}
    plain = rw.readers.compare(study.y_true, study.y_score, **cells)
    worse = rw.readers.compare(study.y_true, study.y_score, **cells, **claim)
    assert worse.p_value < 0.01 < plain.p_value
    found = rw.report(worse, path=None).payload
    assert found["summary"]["comparison"]["rows"][0]["p"] == plain.p_value
    assert "for 'non-inferior' within 0.2" in found["sections"][0]["text"]


def test_the_sizes_of_the_next_study():
    found = payload(STUDY.y_true, STUDY.y_score, **CELLS, difference=0.1)
    sizes = found["sections"][-1]["tables"][-1]
    compared = rw.readers.compare(STUDY.y_true, STUDY.y_score, **CELLS)
    plan = rw.readers.plan(compared, difference=0.1, n_readers=12)
    assert sizes["title"] == "Cases to detect a difference of 0.1 with power 0.8"
    assert sizes["columns"]["n_pos"][-1] == plan.n_pos
    assert sizes["columns"]["n_pos"][0] == "∞"  # three readers never suffice


def test_marks_on_lesions():
    marked = marked_lesions(3, 20, 25)
    names = {name: name for name in ("case", "score", "lesion", "lesions", "reader", "modality")}
    found = rw.report(rw.froc(marked.marks, marked.cases, **names), path=None).payload
    assert found["task"] == "readers"
    assert found["summary"]["quantity"] == "wAFROC area"
    assert any("Chakraborty" in each for each in found["methods"]["references"])


def test_errors():
    compared = rw.readers.compare(STUDY.y_true, STUDY.y_score, **CELLS)
    with pytest.raises(InputError, match="`ai` has no meaning with the result"):
        payload(compared, ai="R1")
    with pytest.raises(InputError, match="`case` belongs to task='readers'"):
        rw.report(STUDY.y_true, STUDY.y_score, case=STUDY.case, path=None)
    with pytest.raises(InputError, match="`difference` belongs to task='readers'"):
        rw.report(STUDY.y_true, STUDY.y_score, difference=0.1, path=None)
    with pytest.raises(InputError, match="`costs` is not used"):
        payload(STUDY.y_true, STUDY.y_score, **CELLS, costs=rw.Costs(1, 2))
    with pytest.raises(InputError, match="`method` selects intervals"):
        payload(STUDY.y_true, STUDY.y_score, **CELLS, method="delong")
    with pytest.raises(InputError, match="missing: 'reader'"):
        payload(STUDY.y_true, STUDY.y_score, case=STUDY.case)
