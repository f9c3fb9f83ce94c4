"""The studio in a real browser: files good and bad, work while dragging, nothing lost."""

import itertools
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import rocwise as rw
from rocwise.serving.servers import REDIRECT

from . import pace
from .conftest import HOSTILE, fill, grave, snap, three_models, value, wait_until_ready
from .pace import by_processor

pytest.importorskip("uvicorn")
NUMBERS = itertools.count(1)
REJECTED = re.compile(r"Failed to load resource.*\b(4\d\d)\b")  # by Chromium


@pytest.fixture(scope="module")
def studio() -> Iterator[Any]:
    with rw.studio(open_browser=False) as running:
        yield running


@pytest.fixture
def open_studio(browser: Any, studio: Any) -> Iterator[Callable[..., Any]]:
    """Open the studio in a context of its own; errors of the page fail the test."""
    contexts, problems = [], []

    def on_console(message: Any) -> None:
        if message.type in ("error", "warning") and not REJECTED.search(message.text):
            problems.append(message.text)

    def open_it(url: str = "", *, width: int = 1440, height: int = 1000, **options: Any) -> Any:
        context = browser.new_context(viewport={"width": width, "height": height}, **options)
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(20_000)
        page.requests = []
        page.on("request", lambda request: page.requests.append(request.url))
        page.on("pageerror", lambda error: problems.append(str(error)))
        page.on("console", on_console)
        page.goto(url or studio.url)
        wait_until_ready(page)
        return page

    yield open_it
    for context in contexts:
        context.close()
    assert not problems


def as_csv(y: np.ndarray, scores: dict[str, np.ndarray], label: str = "y") -> bytes:
    def quoted(name: str) -> str:
        return '"' + name.replace('"', '""') + '"'

    columns = [y.tolist(), *(column.tolist() for column in scores.values())]
    lines = [",".join(map(quoted, [label, *scores]))]
    lines += [",".join(map(repr, row)) for row in zip(*columns, strict=True)]
    return ("\n".join(lines) + "\n").encode()


def give(page: Any, content: bytes, name: str = "scores.csv") -> None:
    payload = {"name": name, "mimeType": "text/csv", "buffer": content}
    page.get_by_test_id("drop-file").locator("input").set_input_files(payload)


def pick(page: Any, *names: str) -> None:
    """Tick the boxes of these columns of scores, and no others."""
    if not page.get_by_test_id("column-apply").is_visible():
        page.get_by_test_id("columns").click()
    for box in page.get_by_test_id("column-score").all():
        box.set_checked(box.get_attribute("value") in names)


def picked(page: Any) -> list[str]:
    ticked = page.locator("[data-testid=column-score]:checked")
    return [box.get_attribute("value") for box in ticked.all()]


def shows(page: Any, name: str) -> None:
    """Wait until a file is shown."""
    page.wait_for_function(
        "name => document.querySelector('[data-testid=loaded]').textContent === name"
        " && document.querySelector('[data-testid=reading]').textContent === ''"
        " && document.querySelector('[data-testid=roc-plot]') !== null",
        arg=name,
    )


def state_of_job(page: Any, state: str, timeout: int = 60_000) -> None:
    page.wait_for_selector(f"[data-testid=job-progress][data-state={state}]", timeout=timeout)


@pytest.fixture
def filled(open_studio: Callable[..., Any]) -> tuple[Any, np.ndarray, dict[str, np.ndarray]]:
    """A page that shows 600 cases and three models."""
    y, scores = three_models(600)
    page = open_studio()
    name = f"cases-{next(NUMBERS)}.csv"  # no other test's: the server is the same
    give(page, as_csv(y, scores), name)
    shows(page, name)
    return page, y, scores


def test_an_empty_studio_explains_what_to_do(browser: Any) -> None:
    with rw.studio(open_browser=False) as empty:
        context = browser.new_context(viewport={"width": 1280, "height": 800})
        page = context.new_page()
        page.goto(empty.url)
        wait_until_ready(page)
        assert "Drop a file" in page.get_by_test_id("empty").inner_text()
        assert page.get_by_test_id("job-progress").get_attribute("data-state") == "idle"
        assert page.get_by_test_id("error").count() == 0
        assert page.get_by_test_id("save-report").is_disabled()
        assert not page.get_by_test_id("job-start").is_visible()
        assert not grave(page)
        zone = page.get_by_test_id("drop-file").bounding_box()
        assert zone["width"] > 600
        assert abs(zone["x"] + zone["width"] / 2 - 640) < 20
        snap(page, "studio-empty")
        page.get_by_test_id("empty").get_by_test_id("example").click()
        page.get_by_test_id("roc-plot").wait_for()
        context.close()


def patients(n: int = 60) -> bytes:
    """A study with numbers of patients, another form of the outcome, sexes, and a missing cell."""
    rng = np.random.default_rng(0)
    y = (rng.random(n) < 0.4).astype(int)
    rows = ["PatientID,gos6,Gruppe,marker,Ergebnis"]
    for k in range(n):
        result = "" if k == 4 else ("negative", "positive")[y[k]]
        rows.append(
            f"{1001 + k},{6 - 4 * y[k] + k % 2},{'MF'[k % 2]},{rng.random() + y[k]},{result}"
        )
    return "\n".join(rows).encode()


def test_a_study_is_read_safely_and_lists_what_was_left_out(open_studio: Any) -> None:
    page = open_studio()
    give(page, patients(), "d2.csv")
    error = page.locator("[data-testid=error][data-field=label]")
    error.wait_for()
    assert page.get_by_test_id("column-label").input_value() == "Ergebnis"
    assert picked(page) == ["marker"]
    box = page.get_by_test_id("column-missing")
    below, after = error.bounding_box(), box.bounding_box()
    assert 0 <= after["y"] - below["y"] - below["height"] < 30
    box.check()
    page.get_by_test_id("column-apply").click()
    shows(page, "d2.csv")
    words = page.get_by_test_id("left-out").inner_text()
    for part in (
        "PatientID (looks like an identifier)",
        "gos6 (each value has one class)",
        "Gruppe (text)",
    ):
        assert part in words
    give(page, b"y,a\n0,1\n1,2\n1\n", "dx.csv")
    error = page.get_by_test_id("error")
    error.wait_for()
    assert "dx.csv" in error.inner_text()


def test_another_kind_of_label_is_never_chosen_silently(open_studio: Any) -> None:
    page = open_studio()
    rows = [f"{('positive', 'Positive ', 'negative')[k % 3]},{k / 7}" for k in range(60)]
    give(page, ("y,a\n" + "\n".join(rows)).encode(), "similar.csv")
    error = page.locator("[data-testid=error][data-field=label]")
    error.wait_for()
    assert "differ in blanks or capitals" in error.inner_text()
    assert page.get_by_test_id("column-task").input_value() == "binary"
    assert (
        "'Positive ', 'negative', 'positive'" in page.get_by_test_id("column-values").inner_text()
    )


def test_clusters_are_those_of_the_library(open_studio: Any) -> None:
    page = open_studio()
    rng = np.random.default_rng(3)
    patient = rng.integers(0, 30, 200)
    y = (rng.random(200) < 0.4).astype(int)
    score = y + rng.normal(size=30)[patient] + rng.normal(size=200)
    give(page, as_csv(y, {"s": score, "patient": patient}), "lesions.csv")
    shows(page, "lesions.csv")
    assert picked(page) == ["s"]
    page.get_by_test_id("columns").click()
    page.locator("details.more > summary").click()
    page.get_by_test_id("column-group").select_option("patient")
    page.get_by_test_id("column-apply").click()
    page.locator(".notes", has_text="30 clusters").wait_for()
    tally = rw.tally(y, score, groups=patient)
    found = rw.at(tally, threshold=value(page, "threshold"), rng=0)
    for name in ("sensitivity", "specificity", "ppv", "npv"):
        limits = page.locator("tr", has=page.get_by_test_id(name)).locator("[data-low]").first
        low, high = found.columns[f"{name}_low"][0], found.columns[f"{name}_high"][0]
        assert limits.inner_text() == f"{low:.3f}–{high:.3f}"
    page.get_by_test_id("tab-uncertainty").click()
    page.get_by_test_id("compute-threshold").click()
    section = page.get_by_test_id("threshold-uncertainty")
    section.wait_for()
    chosen = rw.threshold(tally, rule="youden")
    sure = chosen.uncertainty(n_resamples=1000, rng=0)
    words = section.locator("tbody tr").first.inner_text()
    for text in (chosen.threshold_text, sure.interval.low_text, sure.interval.high_text):
        assert text.replace("-", "−") in words
    assert page.locator(".panel .card").first.get_attribute("id") == "threshold-uncertainty"


def test_the_point_is_few_keys_away(filled: Any) -> None:
    page, *_ = filled
    page.evaluate("scrollTo(0, 0)")
    page.keyboard.press("Tab")
    focused = "document.activeElement.dataset.testid"
    assert page.evaluate(focused) == "skip"
    stops = 0
    while page.evaluate(focused) != "operating-point":
        page.keyboard.press("Tab")
        stops += 1
    assert stops <= 12
    page.evaluate("scrollTo(0, document.body.scrollHeight)")
    page.keyboard.press("ArrowRight")
    page.wait_for_timeout(100)
    box = page.get_by_test_id("operating-point").bounding_box()
    assert -1 < box["y"] < 1000 - box["height"]
    page.get_by_test_id("skip").focus()
    page.keyboard.press("Enter")
    page.wait_for_timeout(100)
    assert page.evaluate(focused) == "operating-point"


def test_a_job_that_is_started_while_a_file_is_read_waits(filled: Any) -> None:
    page, *_ = filled
    fill(page, "job-resamples", 60)
    page.evaluate(
        "() => document.querySelector('[data-testid=example]').click()"
        " || document.querySelector('[data-testid=job-start]').click()"
    )
    page.wait_for_function(
        "() => document.querySelector('[data-testid=job-progress]').dataset.state === 'done'"
        " && document.querySelector('[data-testid=loaded]').textContent.includes('example')"
    )
    assert page.locator("[data-testid=roc-plot] path.band").count() > 0


def test_a_file_is_read_at_once_and_counted_right(filled: Any, studio: Any) -> None:
    page, y, scores = filled
    assert studio.token not in page.url
    assert page.context.cookies() == []
    ours = f"http://127.0.0.1:{studio.port}/"
    assert all(url.startswith((ours, "data:", "blob:")) for url in page.requests)
    for name in ("gbm", "rule"):
        page.get_by_test_id("model-select").select_option(name)
        page.get_by_test_id("operating-point").press("PageUp")
        called = scores[name] >= value(page, "threshold")
        assert value(page, "tp") == np.sum(called & (y == 1))
        assert value(page, "fp") == np.sum(called & (y == 0))
    row = page.locator("[data-testid=pairs-table] tr[data-a=gbm][data-b=logreg]")
    shown = float(row.get_by_test_id("difference").get_attribute("data-value"))
    areas = [rw.auc(y, scores[name]).value for name in ("gbm", "logreg")]
    assert shown == pytest.approx(areas[0] - areas[1], abs=1e-12)
    snap(page, "studio")


def test_a_page_that_is_there_before_the_file_is_read_shows_it(
    browser: Any, tmp_path: Path
) -> None:
    y, scores = three_models(3000)
    path = tmp_path / "early.csv"
    path.write_bytes(as_csv(y, scores))
    with rw.studio(path, open_browser=False) as early:
        context = browser.new_context()
        page = context.new_page()
        page.goto(early.url)
        shows(page, "early.csv")
        context.close()


def test_a_file_can_be_dropped(filled: Any) -> None:
    page, *_ = filled
    y, scores = three_models(200)
    text = as_csv(y, {"dropped": scores["gbm"]}).decode()
    page.evaluate(
        """text => {
          const data = new DataTransfer();
          data.items.add(new File([text], 'dropped.csv'));
          const options = { dataTransfer: data, bubbles: true, cancelable: true };
          for (const kind of ['dragover', 'drop'])
            document.body.dispatchEvent(new DragEvent(kind, options));
        }""",
        text,
    )
    shows(page, "dropped.csv")
    assert page.get_by_test_id("model-select").input_value() == "dropped"


BAD = {
    "encoding": ("y,größe\n0,1\n1,2\n".encode() + b"\xe4", "file", "UTF-8"),
    "garbage": (bytes(range(256)) * 100, "file", "not text"),
    "one class": (b"y,s\n1,0.1\n1,0.7\n1,0.9\n", "label", "one class"),
    "text scores": (b"y,s\n0,low\n1,high\n0,mid\n", "scores", "no column of scores"),
    "empty": (b"", "file", "empty"),
}


def test_errors_of_files_are_next_to_the_field_and_nothing_is_lost(filled: Any) -> None:
    page, y, scores = filled
    fill(page, "prevalence", 0.04)
    page.get_by_test_id("pin").click()
    page.get_by_test_id("operating-point").press("PageDown")

    def everything() -> list[Any]:
        numbers = [value(page, name) for name in ("threshold", "tp", "prevalence", "ppv")]
        pinned = page.get_by_test_id("pinned").all_inner_texts()
        return [*numbers, pinned, page.get_by_test_id("verdict").inner_text()]

    before = everything()
    for name, (content, field, words) in BAD.items():
        give(page, content, f"{name}.csv")
        error = page.locator(f"[data-testid=error][data-field={field}]")
        error.wait_for()
        assert words in error.inner_text(), name
        assert page.get_by_test_id("error").count() == 1
        assert everything() == before, name
        if field == "scores":
            snap(page, "studio-error", full=False)
    give(page, as_csv(y, {"mended": scores["gbm"]}), "mended.csv")
    shows(page, "mended.csv")
    assert page.get_by_test_id("error").count() == 0


def test_a_file_that_is_too_large_is_never_sent(filled: Any, tmp_path: Path) -> None:
    page, *_ = filled
    huge = tmp_path / "huge.csv"
    with huge.open("wb") as file:
        file.truncate(2_000_000_000)  # no block of it is written
    page.requests.clear()
    before = value(page, "threshold"), page.get_by_test_id("verdict").inner_text()
    page.get_by_test_id("drop-file").locator("input").set_input_files(huge)
    error = page.locator("[data-testid=error][data-field=file]")
    error.wait_for()
    assert "too large" in error.inner_text()
    assert (value(page, "threshold"), page.get_by_test_id("verdict").inner_text()) == before
    assert not [url for url in page.requests if "/api/file" in url]


def test_columns_are_picked_with_errors_next_to_their_field(open_studio: Any) -> None:
    page = open_studio()
    rng = np.random.default_rng(0)
    rows = [f"{'ill' if k % 3 else 'well'},{rng.random()},{rng.random()},n{k}" for k in range(60)]
    give(page, ("state,a,b,note\n" + "\n".join(rows) + "\n").encode(), "picked.csv")
    shows(page, "picked.csv")
    assert page.get_by_test_id("column-positive").input_value() == "ill"
    assert picked(page) == ["a", "b"]
    assert page.get_by_test_id("left-out").inner_text().endswith("note (text).")
    pick(page, "a", "note")
    page.get_by_test_id("column-apply").click()
    error = page.locator("[data-testid=error][data-field=scores]")
    error.wait_for()
    assert "note" in error.inner_text()
    pick(page, "b")
    assert page.get_by_test_id("error").count() == 0  # it was about a column that is not chosen
    page.get_by_test_id("column-positive").select_option("well")
    page.get_by_test_id("column-apply").click()
    page.wait_for_function(
        "() => [...document.querySelector('[data-testid=model-select]').options]"
        ".map(each => each.value).join() === 'b'"
    )
    assert page.get_by_test_id("error").count() == 0
    assert value(page, "tp") + value(page, "fn") == 20


def test_work_shows_progress_and_can_be_cancelled(filled: Any) -> None:
    page, *_ = filled
    progress = page.get_by_test_id("job-progress")
    assert progress.get_attribute("data-state") == "idle"
    page.get_by_test_id("job-kind").select_option("surface")
    fill(page, "job-resamples", 50_000)
    page.get_by_test_id("job-start").click()
    state_of_job(page, "running")
    page.wait_for_function(
        "() => document.querySelector('[data-testid=job-progress]').dataset.value > 0.001",
        timeout=30_000,
    )
    snap(page, "studio-working", full=False)
    page.get_by_test_id("job-cancel").click()
    state_of_job(page, "cancelled")
    assert page.get_by_test_id("job-start").is_enabled()
    page.get_by_test_id("job-kind").select_option("bands")
    fill(page, "job-resamples", 100)
    before = value(page, "threshold")
    page.get_by_test_id("job-start").click()
    state_of_job(page, "done")
    assert page.locator("[data-testid=roc-plot] path.band").count() == 3
    assert page.get_by_test_id("band-select").input_value() == "simultaneous"
    assert value(page, "threshold") == before
    fill(page, "job-resamples", 2.5)
    page.get_by_test_id("job-start").click()
    page.locator("[data-testid=error][data-field=resamples]").wait_for()


def test_results_are_in_their_tabs(filled: Any) -> None:
    page, y, scores = filled
    page.get_by_test_id("job-kind").select_option("permutation")
    fill(page, "job-resamples", 60)
    page.get_by_test_id("job-start").click()
    state_of_job(page, "done")
    page.get_by_test_id("job-look").click()
    section = page.get_by_test_id("test-permutation-monte-carlo")
    section.wait_for()
    expected = rw.compare(
        y,
        {name: scores[name] for name in ("gbm", "logreg")},
        method="permutation-monte-carlo",
        n_resamples=60,
        rng=0,
    )
    assert f"{expected.p_value:.3f}" in section.locator("tbody tr").first.inner_text()
    for tab in ("costs", "abstain", "compare", "uncertainty", "curve"):
        page.get_by_test_id(f"tab-{tab}").click()
        page.locator(".panel .card").first.wait_for()
        snap(page, f"studio-{tab}")
        if tab == "uncertainty":
            cited = page.locator("#methods").inner_text()
            assert all(each in cited for each in expected.to_dict()["references"])


def test_dragging_is_little_work_while_a_bootstrap_runs(open_studio: Any, big: Any) -> None:
    with rw.studio(big.pairs, open_browser=False) as running:
        page = open_studio(running.url)
        page.get_by_test_id("roc-plot").wait_for(timeout=60_000)
        fill(page, "job-resamples", 100_000)
        page.get_by_test_id("job-start").click()
        state_of_job(page, "running")
        work = by_processor(page)
        assert page.get_by_test_id("job-progress").get_attribute("data-state") == "running"
        page.get_by_test_id("job-cancel").click()
        state_of_job(page, "cancelled")
        page.context.close()
    assert work.median <= pace.FRAME
    assert work.slow <= pace.SLOW


def test_pins_are_compared_and_everything_survives_a_reload(filled: Any) -> None:
    page, *_ = filled
    page.get_by_test_id("pin").click()
    first = value(page, "tp")
    page.get_by_test_id("operating-point").press("PageUp")
    page.get_by_test_id("pin").click()
    second = value(page, "tp")
    assert value(page, "pin-difference-tp") == second - first
    for name, title in (("lr-positive", "LR+"), ("ppv", "PPV")):
        row = page.locator(".pin-table tr", has=page.get_by_role("rowheader", name=title))
        assert row.locator("td").first.inner_text() == page.get_by_test_id(name).first.inner_text()
    fill(page, "prevalence", 0.03)
    fill(page, "cost-ratio", 7)
    page.get_by_test_id("operating-point").press("ArrowRight")
    kept = {name: value(page, name) for name in ("threshold", "tp", "prevalence", "cost-ratio")}
    snap(page, "studio-pins", full=False)
    page.reload()
    wait_until_ready(page)
    page.get_by_test_id("roc-plot").wait_for()
    assert {name: value(page, name) for name in kept} == kept
    assert page.get_by_test_id("pinned").count() == 2
    assert len(picked(page)) == 3
    page.locator("[data-testid=pinned][data-pin=A] .pin-name").click()
    assert value(page, "tp") == first
    page.get_by_test_id("reset").click()
    assert value(page, "cost-ratio") == 1


def test_the_saved_report_opens_offline_in_the_same_state(
    open_studio: Any, open_page: Any, tmp_path: Path
) -> None:
    y, scores = three_models(600)
    page = open_studio()
    give(page, as_csv(y, {HOSTILE: scores["gbm"], "b": scores["logreg"]}), "hostile.csv")
    shows(page, "hostile.csv")
    assert HOSTILE in page.get_by_test_id("verdict").inner_text()
    assert page.title() != "taken"
    page.get_by_test_id("model-select").select_option("b")
    page.get_by_test_id("operating-point").press("PageDown")
    page.get_by_test_id("pin").click()
    fill(page, "prevalence", 0.123)
    kept = {name: value(page, name) for name in ("threshold", "prevalence", "tp", "ppv")}
    with page.expect_download() as saved:
        page.get_by_test_id("save-report").click()
    path = tmp_path / "saved.html"
    saved.value.save_as(path)
    report = open_page(path)
    assert {name: value(report, name) for name in kept} == kept
    assert report.get_by_test_id("model-select").input_value() == "b"
    assert "Pinned operating points" in report.get_by_test_id("pinned-points").inner_text()
    assert report.title() != "taken"
    assert path.stat().st_size <= 300_000


def test_models_are_renamed_recoloured_and_hidden(
    filled: Any, open_page: Any, tmp_path: Path
) -> None:
    page, *_ = filled
    page.get_by_test_id("pin").click()
    page.get_by_test_id("operating-point").press("PageUp")
    kept = {name: value(page, name) for name in ("threshold", "tp", "prevalence")}
    row = page.locator("[data-testid=model-row][data-model=gbm]")
    row.get_by_test_id("model-name").fill(HOSTILE)
    row.get_by_test_id("model-name").press("Enter")
    page.wait_for_function(
        "name => document.querySelector('[data-testid=verdict]').textContent.includes(name)",
        arg=HOSTILE,
    )
    assert page.title() != "taken"
    assert {name: value(page, name) for name in kept} == kept
    assert page.get_by_test_id("pinned").get_attribute("data-model") == HOSTILE
    assert page.get_by_test_id("model-select").input_value() == HOSTILE
    other = page.locator("[data-testid=model-row][data-model=logreg]")
    other.get_by_test_id("model-name").fill("rule")  # which another one has
    other.get_by_test_id("model-name").press("Enter")
    page.locator("[data-testid=error][data-field=names]").wait_for()
    other.get_by_test_id("model-name").fill("logistic")
    other.get_by_test_id("model-name").press("Enter")
    page.get_by_test_id("error").wait_for(state="detached")
    page.locator("[data-testid=model-row][data-model=logistic] [data-testid=model-color]").click()
    page.locator("[data-testid=model-row][data-model=rule] [data-testid=model-visible]").click()
    assert page.locator("[data-testid=roc-plot] path.curve[data-model]").count() == 2
    snap(page, "studio-looks", full=False)
    page.get_by_test_id("copy-python").click()
    code = page.get_by_test_id("python-code").inner_text()
    compile(code, "state", "exec")
    assert "'logreg': 'logistic'" in code
    assert "hidden on the page: 'rule'" in code
    page.reload()
    wait_until_ready(page)
    assert page.locator("[data-testid=roc-plot] path.curve[data-model]").count() == 2
    with page.expect_download() as saved:
        page.get_by_test_id("save-report").click()
    path = tmp_path / "looks.html"
    saved.value.save_as(path)
    report = open_page(path)
    assert report.title() != "taken"
    assert report.locator("[data-testid=roc-plot] path.curve[data-model]").count() == 2
    assert report.get_by_test_id("hidden-models").inner_text() == "Hidden: rule."
    stroke = "e => getComputedStyle(e).stroke"
    line = "[data-testid=roc-plot] path[data-model=logistic]"
    assert report.locator(line).evaluate(stroke) == page.locator(line).evaluate(stroke)


def several_columns(task: str) -> dict[str, Any]:
    rng = np.random.default_rng(8)
    place = rng.integers(0, 3, 150)
    if task == "multiclass":
        kinds = np.array(["low", "mid", "high"])
        columns = {
            f"{model}_{kind}": rng.random(150).round(4) + (kinds[place] == kind)
            for model in ("forest", "net")
            for kind in kinds
        }
        return {"kind": kinds[place], **columns}
    label = place if task == "ordinal" else place + rng.random(150).round(4)
    return {"y": label, "a": place + rng.normal(size=150).round(3), "b": rng.random(150).round(4)}


@pytest.mark.parametrize("task", ["multiclass", "ordinal", "regression"])
def test_files_of_other_tasks(
    open_studio: Any, open_page: Any, tmp_path: Path, monkeypatch: Any, capsys: Any, task: str
) -> None:
    columns = {name: np.asarray(each).tolist() for name, each in several_columns(task).items()}
    rows = [",".join(map(str, row)) for row in zip(*columns.values(), strict=True)]
    content = "\n".join([",".join(columns), *rows, ""]).encode()
    page = open_studio()
    give(page, content, f"{task}.csv")
    page.wait_for_function(
        "name => document.querySelector('[data-testid=loaded]').textContent === name",
        arg=f"{task}.csv",
    )
    page.get_by_test_id("models-table").wait_for()
    assert page.get_by_test_id("column-task").input_value() == task
    assert page.get_by_test_id("job-start").is_disabled()
    assert page.get_by_test_id("error").count() == 0
    page.get_by_test_id("model-name").first.fill("renamed")
    page.get_by_test_id("model-name").first.press("Enter")
    page.locator("[data-testid=models-table] tr[data-model=renamed]").wait_for()
    assert not grave(page)
    snap(page, f"studio-{task}")
    page.get_by_test_id("copy-python").click()
    code = page.get_by_test_id("python-code").inner_text()
    (tmp_path / f"{task}.csv").write_bytes(content)
    monkeypatch.chdir(tmp_path)
    exec(compile(code, "state", "exec"), {})
    shown = page.locator("[data-testid=models-table] tr[data-model=renamed] [data-testid=value]")
    first = capsys.readouterr().out.splitlines()[0]
    assert first.startswith("renamed ")
    assert shown.inner_text() in first
    with page.expect_download() as saved:
        page.get_by_test_id("save-report").click()
    saved.value.save_as(tmp_path / "saved.html")
    report = open_page(tmp_path / "saved.html")
    assert (
        report.get_by_test_id("verdict").inner_text() == page.get_by_test_id("verdict").inner_text()
    )
    give(page, b"y,s\n1,0.1\n1,0.7\n", "one.csv")  # one class: an error, and the other file stays
    page.locator("[data-testid=error][data-field=label]").wait_for()
    assert page.locator("[data-testid=models-table] tr[data-model=renamed]").count() == 1


def test_the_error_of_a_wrong_order_is_next_to_its_field(open_studio: Any) -> None:
    page = open_studio()
    rows = "\n".join(f"{('low', 'mid', 'high')[k % 3]},{k % 3 + k % 5 / 4}" for k in range(60))
    give(page, f"size,s\n{rows}\n".encode(), "words.csv")
    error = page.locator("[data-testid=error][data-field=order]")
    error.wait_for()
    for order in ("low, mid", "low, mid, highest"):
        page.get_by_test_id("column-order").fill(order)
        page.get_by_test_id("column-apply").click()
        error.wait_for()
        assert "once" in error.inner_text()
    page.get_by_test_id("column-order").fill("low, mid, high")
    page.get_by_test_id("column-apply").click()
    page.get_by_test_id("error").wait_for(state="detached")
    page.locator(".subtitle", has_text="low, mid, high").wait_for()
    assert value(page, "value") > 0.9


def test_python_for_the_present_state(filled: Any) -> None:
    page, *_ = filled
    page.get_by_test_id("model-select").select_option("gbm")
    page.get_by_test_id("copy-python").click()
    code = page.get_by_test_id("python-code").inner_text()
    compile(code, "state", "exec")
    assert page.get_by_test_id("loaded").inner_text() in code
    assert re.search(r"threshold=([\d.e-]+)", code)[1] == repr(value(page, "threshold"))


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_no_serious_barriers(open_studio: Any, scheme: str) -> None:
    page = open_studio(color_scheme=scheme)
    y, scores = three_models(200)
    give(page, as_csv(y, scores), f"{scheme}.csv")
    shows(page, f"{scheme}.csv")
    page.get_by_test_id("pin").click()
    for tab in ("curve", "uncertainty"):
        page.get_by_test_id(f"tab-{tab}").click()
        assert not grave(page)
    snap(page, f"studio-{scheme}")


def test_it_fits_on_a_phone_and_works_by_keyboard(open_studio: Any) -> None:
    page = open_studio(width=390, height=800, locale="de-DE")
    y, scores = three_models(200)
    give(page, as_csv(y, scores), "phone.csv")
    shows(page, "phone.csv")
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    snap(page, "studio-phone")
    page.get_by_test_id("tab-curve").press("ArrowRight")
    assert page.get_by_test_id("tab-costs").get_attribute("aria-selected") == "true"
    assert page.get_by_test_id("tab-costs").evaluate("tab => tab === document.activeElement")
    page.get_by_test_id("cost-curve").wait_for()
    assert page.get_by_test_id("job-start").inner_text() == "Start"
    assert "Spalten" in page.locator("form.columns-form").get_attribute("aria-label")


def test_wrong_tokens_get_no_data(browser: Any, studio: Any) -> None:
    for fragment in ("", "#" + "x" * 32):
        context = browser.new_context()
        page = context.new_page()
        page.goto(f"http://127.0.0.1:{studio.port}/{fragment}")
        page.get_by_test_id("error").wait_for()
        assert "contains the token" in page.get_by_test_id("error").inner_text()
        context.close()


def test_the_token_stays_in_its_tab_and_port(browser: Any, studio: Any, tmp_path: Path) -> None:
    """No request to another port has it; a page that is loaded again, or redirected, works."""
    context = browser.new_context()
    page = context.new_page()
    (tmp_path / "open.html").write_text(REDIRECT.format(url=studio.url))
    page.goto((tmp_path / "open.html").as_uri())
    page.wait_for_url(f"http://127.0.0.1:{studio.port}/")
    wait_until_ready(page)
    page.reload()
    wait_until_ready(page)
    assert page.get_by_test_id("error").count() == 0
    with rw.studio(open_browser=False) as other:
        sent: list[str] = []
        context.on("request", lambda request: sent.append(str(request.all_headers())))
        page.goto(f"http://127.0.0.1:{other.port}/")
        page.get_by_test_id("error").wait_for()  # and has no token of its own
        assert sent
        assert studio.token not in "".join(sent)
        page.goto(other.url)  # the same page, with another fragment
        page.wait_for_function("() => !document.querySelector('[data-testid=error]')")
    context.close()


def test_a_server_that_is_gone_is_reported(browser: Any) -> None:
    with rw.studio(open_browser=False) as ending:
        context = browser.new_context()
        page = context.new_page()
        page.goto(ending.url)
        wait_until_ready(page)
    give(page, b"y,s\n0,1\n1,2\n")
    page.get_by_test_id("error").wait_for()
    assert "cannot be reached" in page.get_by_test_id("error").inner_text()
    context.close()


def test_columns_of_times_and_events(open_studio: Any) -> None:
    rng = np.random.default_rng(4)
    risk = rng.random(150).round(3)
    time = rng.exponential(0.3 / (0.05 + risk)).round(3)
    ends = ["alive", "died", "died", "moved"]
    rows = [f"{t},{ends[k % 4]},{s}" for k, (t, s) in enumerate(zip(time, risk, strict=True))]
    page = open_studio()
    give(page, "\n".join(["years,died,risk", *rows, ""]).encode(), "cohort.csv")
    page.get_by_test_id("error").wait_for()  # several classes need a column of scores for each
    page.get_by_test_id("column-task").select_option("survival")
    assert page.get_by_test_id("column-time").input_value() == "years"
    page.get_by_test_id("column-positive").select_option("died")
    page.get_by_test_id("column-censored").select_option("alive")
    page.get_by_test_id("column-apply").click()
    page.get_by_test_id("at-a-time").locator("input[type=range]").wait_for()
    assert page.get_by_test_id("error").count() == 0
    codes = {"cause": "died", "censored": "alive"}
    f = rw.survival.follow_up(time, [ends[k % 4] for k in range(150)], risk, **codes)
    report = rw.report(f, task="survival", path=None)
    found = page.locator("[data-testid=models-table] [data-testid=value]").get_attribute(
        "data-value"
    )
    assert float(found) == report.payload["summary"]["models"][0]["value"]
    page.reload()
    page.get_by_test_id("columns").click()
    picked = [page.get_by_test_id(f"column-{each}") for each in ("time", "censored")]
    assert [each.input_value() for each in picked] == ["years", "alive"]
    page.get_by_test_id("columns").click()
    assert not grave(page)
    snap(page, "studio-survival")
