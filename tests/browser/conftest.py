"""A real browser, and reports to open in it.

Pages are opened from files, offline. Screenshots go to `screenshots` in this folder, for those who
wants to look at them.
"""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

import rocwise as rw
from requirements_of_machine import needs

ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    "--enable-precise-memory-info",
]
SCREENSHOTS = Path(__file__).parent / "screenshots"
HOSTILE = "</script><img src=x onerror=\"document.title='taken'\">"


class Made(NamedTuple):
    """A report in a file, and the rows that it is about."""

    path: Path
    y: np.ndarray
    scores: dict[str, np.ndarray]
    pairs: rw.Pairs


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """Closed after each module: a running Playwright keeps an event loop in this thread."""
    program = needs("chromium")
    api = pytest.importorskip("playwright.sync_api")
    with api.sync_playwright() as playwright:
        found = playwright.chromium.launch(executable_path=program, args=ARGUMENTS)
        yield found
        found.close()


@pytest.fixture
def open_page(browser: Any) -> Iterator[Callable[..., Any]]:
    """Open a file in a context of its own; errors of the page fail the test."""
    contexts = []
    problems: list[str] = []

    def open_file(path: Path, *, width: int = 1280, height: int = 900, **options: Any) -> Any:
        context = browser.new_context(
            viewport={"width": width, "height": height}, offline=True, **options
        )
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(8000)
        page.requests = []
        page.on("request", lambda request: page.requests.append(request.url))
        page.on("pageerror", lambda error: problems.append(str(error)))
        page.on(
            "console",
            lambda m: problems.append(m.text) if m.type in ("error", "warning") else None,
        )
        page.goto(path.as_uri())
        wait_until_ready(page)
        return page

    yield open_file
    for context in contexts:
        context.close()
    assert not problems


def grave(page: Any) -> dict[str, list[str]]:
    """Serious or critical barriers that axe-core finds, with the elements."""
    axe = pytest.importorskip("axe_playwright_python").__path__[0]
    page.evaluate((Path(axe) / "axe.min.js").read_text(encoding="utf-8"))
    found = page.evaluate("axe.run(document, {resultTypes: ['violations']})")["violations"]
    return {
        each["id"]: [node["html"][:120] for node in each["nodes"]][:3]
        for each in found
        if each["impact"] in ("serious", "critical")
    }


def wait_until_ready(page: Any) -> float:
    """Milliseconds from the start of the page until all charts stand; a busy machine gets 20 s."""
    for _ in range(800):
        found = page.evaluate("performance.getEntriesByName('rocwise-ready').map(e => e.startTime)")
        if found:
            return float(found[0])
        page.wait_for_timeout(25)
    raise AssertionError("the page never became ready")


def value(page: Any, testid: str) -> float:
    """The unrounded number that an element shows."""
    return float(page.get_by_test_id(testid).first.get_attribute("data-value"))


def fill(page: Any, testid: str, number: float) -> None:
    page.get_by_test_id(testid).fill(repr(number))


def downloaded(page: Any, testid: str) -> bytes:
    with page.expect_download() as waiting:
        page.get_by_test_id(testid).click()
    return Path(waiting.value.path()).read_bytes()


def frame_of(page: Any) -> dict[str, float]:
    """Where the square of the ROC plot is, in view."""
    frame = page.get_by_test_id("roc-frame")
    frame.scroll_into_view_if_needed()
    return dict(frame.bounding_box())


def snap(page: Any, name: str, *, full: bool = True) -> None:
    SCREENSHOTS.mkdir(exist_ok=True)
    page.screenshot(path=str(SCREENSHOTS / f"{name}.png"), full_page=full)


def three_models(n: int) -> tuple[np.ndarray, dict[str, np.ndarray]]:
    """Three models on the same cases: two continuous, one with few distinct scores."""
    rng = np.random.default_rng(1)
    y = (rng.random(n) < 0.098).astype(int)
    chance = {"gbm": 1.9, "logreg": 1.36, "rule": 0.8}
    logits = {name: rng.normal(size=n) + shift * y - 2 for name, shift in chance.items()}
    scores = {name: 1 / (1 + np.exp(-logit)) for name, logit in logits.items()}
    scores["rule"] = np.round(30 * scores["rule"]) / 30
    return y, scores


@pytest.fixture(scope="session")
def big(tmp_path_factory: pytest.TempPathFactory) -> Made:
    """100,000 cases, three models."""
    y, scores = three_models(100_000)
    pairs = rw.pair(y, scores)
    path = tmp_path_factory.mktemp("report") / "big.html"
    rw.report(pairs, path=path, title="Three models")
    return Made(path, y, scores, pairs)


@pytest.fixture(scope="session")
def small(tmp_path_factory: pytest.TempPathFactory) -> Made:
    """Few cases, and a model whose name is an attack."""
    y, scores = three_models(600)
    scores = {HOSTILE: scores["gbm"], "b": scores["logreg"]}
    pairs = rw.pair(y, scores)
    path = tmp_path_factory.mktemp("report") / "small.html"
    rw.report(pairs, path=path, title=HOSTILE, n_resamples=100)
    return Made(path, y, scores, pairs)
