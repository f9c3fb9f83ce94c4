"""The studio from a file to a saved report, by way of its requests."""

import json
import re
import time
from typing import Any

import numpy as np
import pytest

import rocwise as rw
from rocwise.serving.model_names import key_of, named

from .conftest import table
from .test_tasks import BAD_FILES, several


@pytest.fixture(scope="module")
def shown(client, ended):
    """A studio that shows a file."""
    content, *_ = table()
    result = client.put("/api/file?name=scores.csv", content=content)
    assert result.status_code == 200
    guess = result.json()["source"]["guess"]
    job = client.post("/api/columns", json=guess)
    assert job.status_code == 202
    assert ended(job.json())["state"] == "done"
    found: dict[str, Any] = client.get("/api/session").json()
    return found


def view(session, **changes):
    start = dict.fromkeys(("a", "b"), 0.5)
    return {
        "state": session["payload"]["state"] | {"thresholds": start} | changes,
        "pins": [],
        "tab": "curve",
    }


def embedded(page):
    text = page.partition('id="rocwise-data">')[2].partition("</script>")[0]
    found: dict[str, Any] = json.loads(text)
    return found


def test_an_empty_studio_asks_for_a_file(client, session):
    if session.payload is None:
        found = client.get("/api/session").json()
        assert found["payload"] is found["source"] is found["error"] is None
    for path in ("/api/jobs", "/api/report", "/api/python", "/api/columns"):
        if session.payload is None:
            assert client.post(path, json={}).status_code == 409


def test_the_file_is_shown(shown):
    _, y, scores = table()
    assert shown["loaded"] == "scores.csv"
    assert [model["name"] for model in shown["payload"]["models"]] == ["a", "b"]
    row = shown["payload"]["comparison"]["rows"][0]
    assert row["p"] == rw.compare(y, scores).p_value


@pytest.mark.parametrize("name", [name for name in BAD_FILES if name != "nul"])
def test_a_bad_file_changes_nothing(client, shown, name):
    content, file_name, words = BAD_FILES[name]
    before = client.get("/api/session").json()
    result = client.put("/api/file", params={"name": file_name}, content=content)
    assert result.status_code == 422
    assert result.json()["error"]["field"] == "file"
    assert words in result.json()["error"]["text"]
    after = client.get("/api/session").json()
    for kept in ("source", "payload", "choice", "loaded", "revision"):
        assert after[kept] == before[kept]


def test_columns_that_cannot_be_used_change_nothing(client, shown, ended):
    before = client.get("/api/session").json()
    job = ended(client.post("/api/columns", json={"label": "a", "scores": ["b"]}).json())
    assert job["state"] == "failed"
    assert job["error"]["field"] in ("label", "positive")
    assert client.get("/api/session").json()["payload"] == before["payload"]


def test_a_name_leads_out_of_no_folder(client, shown, session):
    content, *_ = table()
    outside = session.folder.parent / "escaped.csv"
    result = client.put("/api/file", params={"name": "../escaped.csv"}, content=content)
    assert result.json()["source"]["name"] == "escaped.csv"
    assert not outside.exists()
    assert "path" not in result.json()["source"]


def test_a_stream_without_a_length_is_cut_at_the_limit(client, shown, session):
    before = sorted(session.folder.iterdir())

    def endless():
        for _ in range(100):
            yield b"0" * 100_000

    result = client.put("/api/file?name=a.csv", content=endless())
    assert result.status_code == 413
    assert sorted(session.folder.iterdir()) == before


def test_bands_come_as_a_job_and_stay(client, shown, ended):
    wanted = {"kind": "bands", "band": "pointwise", "resamples": 50, "seed": 2}
    assert ended(client.post("/api/jobs", json=wanted).json())["state"] == "done"
    payload = client.get("/api/session").json()["payload"]
    assert payload["settings"]["band_kinds"] == ["pointwise"]
    assert payload["state"]["band"] == "pointwise"
    _, y, scores = table()
    band = rw.band(y, scores["a"], kind="pointwise", level=0.95, n_resamples=50, rng=2)
    assert payload["models"][0]["bands"]["pointwise"]["area"] == pytest.approx(band.area)


def test_a_job_can_be_cancelled(client, shown, ended):
    job = client.post("/api/jobs", json={"kind": "surface", "resamples": 50_000, "seed": 0}).json()
    for _ in range(600):
        now = client.get(f"/api/jobs/{job['id']}").json()
        if now["progress"] > 0:
            break
        time.sleep(0.05)
    assert now["state"] == "running"
    assert 0 < now["progress"] < 1
    client.delete(f"/api/jobs/{job['id']}")
    assert ended(job)["state"] == "cancelled"
    sections = [each["id"] for each in client.get("/api/session").json()["payload"]["sections"]]
    assert "abstention-surface" not in sections


@pytest.mark.parametrize(
    ("wanted", "field"),
    [
        ({"kind": "nothing", "resamples": 5, "seed": 0}, "job"),
        ({"kind": "bands", "resamples": 0, "seed": 0}, "resamples"),
        ({"kind": "bands", "resamples": 2.5, "seed": 0}, "resamples"),
        ({"kind": "bands", "resamples": "many", "seed": 0}, "resamples"),
        ({"kind": "bands", "resamples": None, "seed": 0}, "resamples"),
        ({"kind": "bands", "resamples": 5, "seed": -1}, "seed"),
        ({"kind": "bands", "resamples": 5, "seed": True}, "seed"),
    ],
)
def test_invalid_jobs_are_rejected(client, shown, wanted, field):
    result = client.post("/api/jobs", json=wanted)
    assert result.status_code == 422
    assert result.json()["error"]["field"] == field


def test_a_reloaded_page_finds_its_view(client, shown):
    mine = view(shown, prevalence=0.123) | {"pins": [{"pin": "A", "model": "a", "knot": 4}]}
    assert client.put("/api/view", json=mine).status_code == 204
    assert client.get("/api/session").json()["view"] == mine


@pytest.mark.parametrize("body", [b"[1]", b"{", b'{"a": NaN}', b"[" * 100_000, b'"x"'])
def test_what_is_no_json_object_is_rejected(client, body):
    assert client.put("/api/view", content=body).status_code == 400


def test_too_long_json_is_rejected(client):
    from rocwise.serving.app import LARGEST_JSON

    def pieces():
        for _ in range(LARGEST_JSON // 100_000 + 2):
            yield b" " * 100_000

    assert client.put("/api/view", content=pieces()).status_code == 413


def test_the_saved_report_starts_in_the_present_state(client, shown):
    mine = view(shown, model="b", prevalence=0.07, cost_ratio=3.5, theme="dark")
    mine["pins"] = [{"pin": "A", "model": "a", "threshold": "0.5", "tp": 7}]
    result = client.post("/api/report", json=mine)
    assert "attachment" in result.headers["content-disposition"]
    payload = embedded(result.text)
    assert payload["mode"] == "report"
    for name in ("model", "prevalence", "cost_ratio", "theme", "thresholds"):
        assert payload["state"][name] == mine["state"][name]
    assert payload["sections"][0]["tables"][0]["columns"]["tp"] == [7]


def test_a_state_that_is_none_is_not_believed(client, shown):
    wrong = {
        "model": "</script>",
        "prevalence": 7,
        "cost_ratio": "x",
        "band": "no",
        "thresholds": 3,
    }
    vast = {"cost_ratio": 10**400, "thresholds": {"a": -(10**400)}}  # no float is so large
    for state, pins in ((wrong, [1, {}]), (None, 5), ([], "AB"), ("x", {}), (vast, None)):
        result = client.post("/api/report", json={"state": state, "pins": pins})
        payload = embedded(result.text)
        assert payload["state"]["model"] in ("a", "b")
        assert payload["state"]["prevalence"] == shown["payload"]["state"]["prevalence"]


def test_results_about_data_that_is_gone_are_not_shown(client, shown, session, monkeypatch):
    """A job may end while another file is read: after it was too late to cancel it."""
    options = {"resamples": 20, "seed": 0, "level": 0.95, "band": "pointwise", "prevalence": 0.5}
    job = session.analyze("bands", options)
    assert job.ended.wait(30)
    assert "pointwise" in session.payload["settings"]["band_kinds"]
    before = session.payload
    monkeypatch.setattr(session, "data", "of another file")
    job.finish({"bands": {}, "kind": "future"}, [])
    assert session.payload is before


def test_a_full_disk_is_reported(client, monkeypatch):
    async def full(*_args):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("rocwise.serving.app.received", full)
    result = client.put("/api/file?name=scores.csv", content=b"y,a\n0,1\n")
    assert result.status_code == 507
    text = "The file could not be stored: no space left on device."
    assert result.json()["error"] == {"field": "file", "text": text}


@pytest.mark.parametrize("body", ['{"x": 1e999}', '{"x": "\\ud800"}', '{"\\udfff": 1}', "[]"])
@pytest.mark.parametrize("path", ["/api/view", "/api/columns", "/api/names", "/api/report"])
def test_json_that_could_not_be_sent_back_is_rejected(client, shown, body, path):
    assert client.post(path, content=body).status_code == 400
    assert client.get("/api/session").status_code == 200


@pytest.mark.parametrize("wrong", [{"state": 5}, {"pins": {}}, {"tab": 1}, {"language": None}])
def test_views_of_other_types_are_rejected(client, shown, wrong):
    assert client.put("/api/view", json=wrong).status_code == 400
    assert client.get("/api/session").json()["view"] != wrong


@pytest.mark.parametrize(
    "wrong", [{"order": 5}, {"order": [5]}, {"weight": {}}, {"label": ["y"]}, {"scores": [{}]}]
)
def test_choices_of_other_types_are_rejected(client, shown, wrong):
    result = client.post("/api/columns", json={"label": "y", "scores": ["a"]} | wrong)
    assert (result.status_code, result.json()["error"]["field"]) == (400, "columns")


def test_the_python_of_the_state_gives_the_same_numbers(
    client, shown, tmp_path, monkeypatch, capsys
):
    content, y, scores = table()
    (tmp_path / "scores.csv").write_bytes(content)
    monkeypatch.chdir(tmp_path)
    mine = view(shown, model="a", prevalence=0.07, cost_ratio=3.5, band="")
    code = client.post("/api/python", json=mine).json()["code"]
    exec(compile(code, "state", "exec"), {})
    output = capsys.readouterr().out
    assert str(rw.auc(y, scores["a"])) in output
    sensitivity = np.mean(scores["a"][y == 1] >= 0.5)
    assert f"sensitivity {sensitivity:.3f}" in output
    assert (tmp_path / "report.html").is_file()


def test_labels_that_look_like_keys_stay_as_they_are():
    plain = {"classes": ["⟦0⟧", "⟦ 0⟧"], "name": key_of(0)}
    assert named(plain, ["m"]) == {"classes": ["⟦0⟧", "⟦ 0⟧"], "name": "m"}


def test_a_model_is_renamed_everywhere_and_what_was_computed_stays(client, shown, ended):
    requested = {"kind": "permutation", "resamples": 40, "seed": 1}
    assert ended(client.post("/api/jobs", json=requested).json())["state"] == "done"
    before = client.get("/api/session").json()["payload"]
    name = '</script> "b" ⟦0⟧'
    found = client.put("/api/names", json={"place": 1, "name": name}).json()["payload"]
    assert [model["name"] for model in found["models"]] == ["a", name]
    assert found["comparison"]["rows"][0]["b"] == name
    assert found["models"][1]["bands"] == before["models"][1]["bands"]
    by_id = {part["id"]: part for part in found["sections"]}
    assert by_id["test-permutation-monte-carlo"]["tables"][0]["columns"]["second"] == [name]
    labels = [layer["label"] for layer in by_id["precision-recall"]["plots"][0]["layers"]]
    assert any(label and label.startswith(f"{name}, AP") for label in labels)
    report = client.post("/api/report", json=view({"payload": found}, model=name)).text
    assert embedded(report)["state"]["model"] == name
    code = client.post("/api/python", json=view({"payload": found})).json()["code"]
    assert f"pairs.renamed({ {'b': name}!r})" in code
    for wrong in ({"place": 1, "name": "a"}, {"place": 7, "name": "c"}, {"place": "1"}, {}):
        result = client.put("/api/names", json=wrong)
        assert (result.status_code, result.json()["error"]["field"]) == (422, "names")
    found = client.put("/api/names", json={"place": 1, "name": " "}).json()["payload"]
    assert [model["name"] for model in found["models"]] == ["a", "b"]


@pytest.mark.parametrize("task", ["multiclass", "ordinal", "regression"])
def test_other_tasks_from_a_file_to_report_and_python(
    client, ended, task, tmp_path, monkeypatch, capsys
):
    content, *_ = several()
    if task != "multiclass":
        content = b"y,m\n" + b"".join(b"%d,%d\n" % (k % 3, k * 7 % 11) for k in range(60))
    (tmp_path / "t.csv").write_bytes(content)
    guess = client.put("/api/file?name=t.csv", content=content).json()["source"]["guess"]
    job = client.post("/api/columns", json=guess | {"task": task})
    assert ended(job.json())["state"] == "done"
    found = client.get("/api/session").json()["payload"]
    first = found["summary"]["models"][0]
    client.put("/api/names", json={"place": 0, "name": "renamed"})
    page = client.post("/api/report", json={"state": {"theme": "dark"}, "language": "fr"}).text
    saved = embedded(page)
    assert (saved["task"], saved["state"]["theme"], saved["language"]) == (task, "dark", "fr")
    assert saved["summary"]["models"][0] == first | {"name": "renamed"}
    result = client.post("/api/jobs", json={"kind": "bands", "resamples": 5, "seed": 0})
    assert (result.status_code, result.json()["error"]["field"]) == (422, "job")
    monkeypatch.chdir(tmp_path)
    exec(compile(client.post("/api/python", json={}).json()["code"], "state", "exec"), {})
    output = capsys.readouterr().out
    assert output.startswith("renamed ")
    printed = float(re.search(r" (\d+\.\d+)", output)[1])
    assert printed == pytest.approx(first["value"], abs=0.006)
    assert (tmp_path / "report.html").is_file()


def test_censored_outcomes_from_a_file_to_report_and_python(
    client, ended, tmp_path, monkeypatch, capsys
):
    times = [k * 37 % 101 for k in range(99)]
    codes = [("lost", "dead", "other")[(k % 3 > 0) + (k % 9 == 1)] for k in range(99)]
    rows = ((t, codes[k], t + k % 7, t % 9) for k, t in enumerate(times))
    content = b"days,outcome,s,n\n" + b"".join(
        b"%d,%b,%d,%d\n" % (t, o.encode(), -s, -n) for t, o, s, n in rows
    )
    (tmp_path / "t.csv").write_bytes(content)
    monkeypatch.chdir(tmp_path)
    guess = client.put("/api/file?name=t.csv", content=content).json()["source"]["guess"]
    choice = guess | {"task": "survival", "label": "outcome", "scores": ["s", "n"]}
    response = client.post("/api/columns", json=choice)
    assert ended(response.json())["error"]["field"] == "time"
    choice |= {"time": "days", "positive": "dead"}
    response = client.post("/api/columns", json=choice)
    assert ended(response.json())["error"]["field"] == "censored"
    job = client.post("/api/columns", json=choice | {"censored": "lost"})
    assert ended(job.json())["state"] == "done"
    found = client.get("/api/session").json()["payload"]
    columns = {"time": "days", "event": "outcome", "scores": ["s", "n"]}
    f = rw.survival.follow_up("t.csv", cause="dead", censored="lost", **columns)
    report = rw.report(f, task="survival", path=None).payload
    assert found["summary"]["models"] == report["summary"]["models"]
    client.put("/api/names", json={"place": 0, "name": "renamed"})
    page = client.post("/api/report", json={"state": {"theme": "dark"}}).text
    assert embedded(page)["summary"]["models"][0]["name"] == "renamed"
    exec(compile(client.post("/api/python", json={}).json()["code"], "state", "exec"), {})
    assert capsys.readouterr().out.startswith("renamed:\n  AUC ")
    assert (tmp_path / "report.html").is_file()


@pytest.mark.parametrize(
    ("labels", "positive"),
    [
        (("1", "2"), "1"),
        (("1.0", "2.0"), "1.0"),
        (("9007199254740992", "9007199254740993"), "9007199254740993"),
        (("9007199254740992", "9007199254740993"), "9007199254740992"),
        (("inf", "0"), "inf"),
        (("inf", "fine"), "inf"),
        (("True", "False"), "False"),
        (("True", "x"), "True"),
        (("1e400", "2"), "2"),
        (("a'b", "nan()"), "a'b"),
    ],
)
def test_the_python_has_the_positive_label_as_the_file_does(
    client, ended, labels, positive, tmp_path, monkeypatch, capsys
):
    rows = "".join(f"{labels[k * k % 7 % 2]},{k % 5}\n" for k in range(40))
    content = f"y,a\n{rows}".encode()
    (tmp_path / "t.csv").write_bytes(content)
    client.put("/api/file?name=t.csv", content=content)
    choice = {"label": "y", "scores": ["a"], "positive": positive}
    assert ended(client.post("/api/columns", json=choice).json())["state"] == "done"
    found = client.get("/api/session").json()
    monkeypatch.chdir(tmp_path)
    code = client.post("/api/python", json=view(found)).json()["code"]
    exec(compile(code, "state", "exec"), {})
    assert f"AUC {found['payload']['models'][0]['auc']['value']:.2f}" in capsys.readouterr().out


def test_the_example_is_one_request_away(client, ended):
    pytest.importorskip("sklearn")
    job = ended(client.post("/api/example", json={}).json())
    assert job["state"] == "done"
    found = client.get("/api/session").json()
    assert found["payload"]["cases"]["n_pos"] == 212
    assert found["choice"] is None
    assert "breast_cancer_scores" in client.post("/api/python", json=view(found, model="")).text


def test_copies_of_files_that_are_not_shown_any_more_are_removed(client, ended, session, shown):
    for name in ("one.csv", "two.csv"):
        content, *_ = table()
        guess = client.put(f"/api/file?name={name}", content=content).json()["source"]["guess"]
        assert ended(client.post("/api/columns", json=guess).json())["state"] == "done"
    assert [path.name for path in session.folder.glob("file-*")] == [
        session.loaded.path.rpartition("/")[2]
    ]
