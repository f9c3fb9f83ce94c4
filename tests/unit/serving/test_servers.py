"""A studio that really listens: in this process, and as a command that Ctrl-C ends."""

import os
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path

import pytest

import rocwise as rw

from .conftest import table

pytest.importorskip("uvicorn")


def get(url, **headers):
    try:
        with urllib.request.urlopen(
            urllib.request.Request(url, headers=headers), timeout=10
        ) as got:
            return got.status, got.read().decode()
    except urllib.error.HTTPError as response:
        with response:
            return response.code, response.read().decode()


def command(*words, **options):
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    program = [sys.executable, "-m", "rocwise", "studio", "--no-browser", *words]
    return subprocess.Popen(program, **pipes, **options)


@pytest.mark.skipif(os.name == "nt", reason="Ctrl-C is sent as a signal")
def test_the_command_prints_one_line_serves_and_ends_with_ctrl_c(tmp_path):
    content, *_ = table()
    (tmp_path / "scores.csv").write_bytes(content)
    started = time.monotonic()
    process = command(str(tmp_path / "scores.csv"))
    try:
        assert process.stdout is not None
        url = process.stdout.readline().strip()
        assert url.startswith("http://127.0.0.1:")
        address, _, token = url.partition("#")
        status, page = get(address)
        waited = time.monotonic() - started
        worked = _worked(process.pid)
        assert (status, "studio.js" in page) == (200, True)
        session, header = f"{address}api/session", {"X-Rocwise-Token": token}
        assert get(session, **header)[0] == 200
        assert get(session)[0] == 403
        assert get(session, **header, Host="evil.example")[0] == 403
        assert get(session, **header, Origin="http://evil.example")[0] == 403
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=20)
    finally:
        process.kill()
        process.wait()
    assert process.returncode in (0, 130)
    assert (out, err) == ("", "")
    assert waited < 5  # 0.3 s on an idle machine
    assert worked <= 1  # of the processor, which holds on a busy machine, too


@pytest.mark.skipif(os.name == "nt", reason="Ctrl-C is sent as a signal")
@pytest.mark.parametrize("pause", [0.0, 0.05, 0.2])
def test_ctrl_c_again_and_again_prints_no_traceback(tmp_path, pause):
    process = command(env=os.environ | {"TMPDIR": str(tmp_path)})
    assert process.stdout is not None
    assert process.stdout.readline()
    time.sleep(0.3)
    for _ in range(5):
        process.send_signal(signal.SIGINT)
        time.sleep(pause)
    out, err = process.communicate(timeout=20)
    assert (process.returncode in (0, 130), out, err) == (True, "", "")
    assert not list(tmp_path.iterdir())


def _worked(process):
    """Seconds that a process has used the processor; None where the system has no such number."""
    path = Path(f"/proc/{process}/stat")
    if not path.is_file():
        return 0.0
    fields = path.read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


@pytest.mark.skipif(os.name == "nt", reason="a script as the browser")
def test_the_browser_gets_no_token_on_its_command_line(tmp_path):
    browser, seen = tmp_path / "browser", tmp_path / "seen"
    browser.write_text(f'#!/bin/sh\necho "$@" > {seen}.new && mv {seen}.new {seen}\n')
    browser.chmod(0o755)
    env = os.environ | {"BROWSER": f"{browser} %s", "TMPDIR": str(tmp_path)}
    program = [sys.executable, "-m", "rocwise", "studio"]
    with subprocess.Popen(program, stdout=subprocess.PIPE, text=True, env=env) as process:
        try:
            assert process.stdout is not None
            url = process.stdout.readline().strip()
            for _ in range(200):
                if seen.exists():
                    break
                time.sleep(0.05)
            opened = seen.read_text().strip()
            assert opened.startswith("file:///")
            assert url.partition("#")[2] not in opened
            page = Path(urllib.request.url2pathname(opened.removeprefix("file://")))
            assert f'content="0; url={url}"' in page.read_text()
            assert page.stat().st_mode & 0o077 == 0
        finally:
            process.terminate()


@pytest.mark.skipif(os.name == "nt", reason="signals")
def test_ending_it_from_outside_is_as_orderly(tmp_path):
    process = command(env=os.environ | {"TMPDIR": str(tmp_path)})
    assert process.stdout is not None
    assert get(process.stdout.readline().strip())[0] == 200
    assert [each.name.startswith("rocwise-studio-") for each in tmp_path.iterdir()] == [True]
    process.terminate()
    out, err = process.communicate(timeout=20)
    assert (process.returncode, out, err) == (0, "", "")
    assert not list(tmp_path.iterdir())


@pytest.mark.skipif(not Path("/proc").is_dir(), reason="looks at /proc")
def test_no_process_outlives_a_server_that_was_killed(tmp_path):
    process = command(env=os.environ | {"TMPDIR": str(tmp_path)})
    assert process.stdout is not None
    url = process.stdout.readline()
    assert url
    children: list[int] = []
    for _ in range(200):
        children = [
            int(p)
            for p in Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
        ]
        if children:
            break
        time.sleep(0.05)
    assert children
    process.kill()
    process.communicate()
    for _ in range(400):
        if not any(_lives(child) for child in children):
            return
        time.sleep(0.05)
    raise AssertionError("a process lives on")


def _lives(number):
    try:
        return Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


@pytest.mark.skipif(os.name == "nt", reason="locks of Unix")
def test_the_next_studio_removes_the_folder_of_one_that_was_killed(tmp_path):
    env = os.environ | {"TMPDIR": str(tmp_path)}
    running, killed = command(env=env), command(env=env)
    try:
        for process in (running, killed):
            assert process.stdout is not None
            assert process.stdout.readline()
        killed.kill()
        killed.communicate()
        assert len(list(tmp_path.iterdir())) == 2
        (tmp_path / "rocwise-studio-of-others").symlink_to(tmp_path)
        last = command("no-such-file.csv", env=env)
        last.communicate(timeout=20)
        last = command(env=env)
        assert last.stdout is not None
        assert last.stdout.readline()
        assert len(list(tmp_path.iterdir())) == 3  # of both that run, and the link
        last.terminate()
        last.communicate(timeout=20)
    finally:
        for process in (running, killed):
            process.terminate()
            process.communicate(timeout=20)
    assert [path.name for path in tmp_path.iterdir()] == ["rocwise-studio-of-others"]


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["no-such-file.csv"], "no such file"),
        (["--port", "99999"], "--port"),
        (["--label", "y"], "FILE"),
        (["--prot", "1"], "--port"),
    ],
)
def test_invalid_options_raise_at_once(words, sentence):
    process = command(*words)
    out, err = process.communicate(timeout=30)
    assert (process.returncode, out) == (2, "")
    assert sentence in err
    assert "Traceback" not in err


def test_a_port_that_is_taken_raises():
    with (
        rw.studio(open_browser=False) as first,
        pytest.raises(rw.InputError, match="cannot be used"),
    ):
        rw.studio(open_browser=False, port=first.port)


def test_data_from_python_is_shown_and_nothing_stays_behind():
    _, y, scores = table()
    with rw.studio(y, scores=scores, open_browser=False) as studio:
        folder = studio._session.folder
        assert folder.stat().st_mode & 0o077 == 0
        assert "127.0.0.1" in repr(studio)
        assert studio.token in studio._repr_html_()
        (job,) = studio._session.jobs.values()
        assert job.ended.wait(60)
        assert studio._session.payload is not None
        assert [model["name"] for model in studio._session.shown()[0]["models"]] == ["a", "b"]
    assert not folder.exists()
    with pytest.raises(urllib.error.URLError):
        urllib.request.urlopen(studio.url, timeout=5)


def session_of(path, **given):
    """What the page finds when everything has been read."""
    with rw.studio(path, open_browser=False, **given) as studio:
        session = studio._session
        looked = next(iter(session.jobs.values()))
        assert looked.ended.wait(60)
        assert all(job.ended.wait(60) for job in list(session.jobs.values()))
        return session.plain()


def test_a_file_that_is_plain_is_loaded_by_itself(tmp_path):
    content, *_ = table(label="state")
    (tmp_path / "scores.csv").write_bytes(content)
    found = session_of(tmp_path / "scores.csv")
    assert (found["loaded"], found["error"]) == ("scores.csv", None)
    named = session_of(tmp_path / "scores.csv", label="state", scores=["b"])
    assert [model["name"] for model in named["payload"]["models"]] == ["b"]
    assert named["choice"]["scores"] == ["b"]


def test_the_format_that_is_given_is_that_of_the_library(tmp_path):
    """1,234 alone could be thousands: the studio reads it as `auc` does."""
    path = tmp_path / "scores.csv"
    path.write_text("y;a\n" + "".join(f"{k % 2};{k + 1},{100 + k}\n" for k in range(40)))
    found = session_of(path, label="y", scores=["a"], sep=";", decimal=",")
    (model,) = found["payload"]["models"]
    area = rw.auc(path, label="y", score="a", decimal=",")
    assert (model["auc"]["value"], model["auc"]["low"]) == (area.value, area.low)
    with pytest.raises(rw.InputError, match="`decimal` must be"):
        rw.studio(path, decimal=";", open_browser=False)


def test_errors_of_named_columns_are_on_the_page(tmp_path):
    content, *_ = table()
    (tmp_path / "scores.csv").write_bytes(content)
    found = session_of(tmp_path / "scores.csv", label="y", scores=["a", "c"])
    assert found["payload"] is None
    assert found["error"]["field"] == "scores"
    assert found["source"]["guess"]["scores"] == ["a", "c"]  # as they were named, to be mended
    (tmp_path / "bad.csv").write_bytes(b"")
    found = session_of(tmp_path / "bad.csv")
    assert (found["error"]["field"], found["source"]) == ("file", None)


def test_bad_data_from_python_raises_before_anything_runs():
    with pytest.raises(rw.InputError, match="no negative"):
        rw.studio([1, 1], scores={"a": [1, 2]}, open_browser=False)
    here = Path(__file__)  # a file, and never read
    with pytest.raises(rw.InputError, match="`pos_label` goes with `label` and `scores`"):
        rw.studio(here, pos_label="ill", open_browser=False)
    with pytest.raises(rw.InputError, match="`classes` goes with rows"):
        rw.studio(here, label="y", scores=["a"], classes=[0, 1], open_browser=False)
    with pytest.raises(rw.InputError, match="`data` is missing"):
        rw.studio(scores={"a": [1, 2]}, open_browser=False)


def test_the_server_stays_light():
    code = (
        "import sys, rocwise as rw\n"
        "with rw.studio(open_browser=False) as studio: pass\n"
        "print([name for name in ('numpy', 'scipy', 'matplotlib') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
    code = "import sys, rocwise, rocwise.cli; print('rocwise.serving' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"


def test_without_its_packages_the_studio_names_them(monkeypatch):
    import importlib.util

    known = importlib.util.find_spec
    absent = {"starlette"}
    monkeypatch.setattr(
        importlib.util, "find_spec", lambda name: None if name in absent else known(name)
    )
    with pytest.raises(rw.errors.MissingPackageError, match=r"rocwise\[studio\]"):
        rw.studio(open_browser=False)


def test_other_tasks_from_python_and_from_named_columns(tmp_path):
    y = [k % 3 for k in range(30)]
    scores = {"m": [k % 3 + k % 7 / 5 for k in range(30)]}
    with rw.studio(y, scores=scores, task="ordinal", open_browser=False) as studio:
        payload = _shown(studio)
        assert payload["summary"]["models"][0]["value"] == rw.ordinal.auc(y, scores["m"]).value
    rows = "\n".join(f"{a},{b}" for a, b in zip(y, scores["m"], strict=True))
    (tmp_path / "g.csv").write_text(f"stars,m\n{rows}\n")
    with rw.studio(
        tmp_path / "g.csv", label="stars", scores="m", open_browser=False
    ) as studio:  # by the label classes are ordered
        assert _shown(studio)["task"] == "ordinal"
    for options, words in (
        ({"task": "guess"}, "`task`"),
        ({"task": "multiclass", "order": [0, 1, 2]}, "`order`"),
    ):
        with pytest.raises(rw.InputError, match=words):
            rw.studio(y, scores=scores, open_browser=False, **options)
    with pytest.raises(rw.InputError, match="`label`"):
        rw.studio(tmp_path / "g.csv", task="ordinal", open_browser=False)


def _shown(studio):
    for _ in range(600):
        found = studio._session.named(studio._session.payload)
        if found is not None:
            return found
        time.sleep(0.05)
    raise AssertionError("nothing is shown")
