"""How much work one move of a drag is, in time of the processor, which holds on a busy machine."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

import numpy as np

from .conftest import frame_of

MOVES = 120
SLOW = 33.0  # in 95 of 100 moves
FRAME = 16.0  # of a screen with 60 Hz: work that fits leaves no frame out; 8 ms were measured


def moved(page: Any) -> None:
    """Drag the point by real moves of the mouse along a quarter of a circle."""
    box = frame_of(page)
    at = page.get_by_test_id("operating-point").locator(".dot").bounding_box()
    page.mouse.move(at["x"] + at["width"] / 2, at["y"] + at["height"] / 2)
    page.mouse.down()
    for k in range(MOVES):
        angle = np.pi / 2 * (k / (MOVES - 1))
        x = box["x"] + box["width"] * (1 - np.cos(angle)) * 0.95
        page.mouse.move(x, box["y"] + box["height"] * (1 - np.sin(angle)) * 0.95)
    page.mouse.up()


class Work(NamedTuple):
    """Milliseconds of the page's main thread for each move, in time of the processor."""

    median: float
    slow: float


def by_processor(page: Any) -> Work:
    """Script, layout and paint of each move, from a trace of the page's main thread."""
    with _traced(page.context.browser) as events:
        moved(page)
    mains = {
        (each["pid"], each["tid"])
        for each in events
        if each["name"] == "thread_name" and each["args"]["name"] == "CrRendererMain"
    }
    done = [each for each in events if (each["pid"], each["tid"]) in mains and "tdur" in each]
    kinds = [each for each in done if each["name"] == "EventDispatch"]
    moves = sorted(e["ts"] for e in kinds if e["args"]["data"]["type"] == "pointermove")
    assert len(moves) >= MOVES / 2
    work = np.zeros(len(moves) + 1)
    for each in done:
        if each["name"].endswith("RunTask"):
            place = np.searchsorted(moves, each["ts"] + each["dur"] / 2)
            work[place] += each["tdur"] / 1000
    return Work(float(np.median(work[1:])), float(np.quantile(work[1:], 0.95)))


@contextmanager
def _traced(browser: Any) -> Iterator[list[dict[str, Any]]]:
    session = browser.new_browser_cdp_session()
    events: list[dict[str, Any]] = []
    ended: list[bool] = []
    session.on("Tracing.dataCollected", lambda event: events.extend(event["value"]))
    session.on("Tracing.tracingComplete", lambda _: ended.append(True))
    wanted = {"categories": "devtools.timeline,toplevel", "transferMode": "ReportEvents"}
    session.send("Tracing.start", wanted)
    try:
        yield events
    finally:
        session.send("Tracing.end")
        page = browser.contexts[-1].pages[-1]
        for _ in range(400):
            if ended:
                break
            page.wait_for_timeout(25)
        session.detach()
