"""How smooth a drag is: by the processor's time, which holds on a busy machine, and by the clock.

The limits are those of the design: event to paint 20 ms in the median and 33 ms in 95 of 100 moves,
50 frames a second. The clock is believed only while the rest of the machine is at rest.
"""

import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

from .conftest import frame_of

MOVES = 120
MEDIAN, SLOW, FRAMES = 20.0, 33.0, 50.0
FRAME = 16.0  # of a screen with 60 Hz: work that fits leaves no frame out; 8 ms were measured
CALM = 0.15  # of a processor that may be used by others while the clock is believed
LATENCIES = """() => {
  window.late = []; window.frames = 0;
  const count = () => { window.frames += 1; requestAnimationFrame(count); };
  requestAnimationFrame(count);
  addEventListener('pointermove', (event) => {
    const start = event.timeStamp;
    requestAnimationFrame(() => {
      const channel = new MessageChannel();
      channel.port1.onmessage = () => window.late.push(performance.now() - start);
      channel.port2.postMessage(0);
    });
  }, true);
}"""


class Pace(NamedTuple):
    """Milliseconds from an event to after the next paint, and frames per second."""

    median: float
    slow: float  # the 95 % quantile
    frames: float
    others: float  # processors that other programs used meanwhile

    @property
    def smooth(self) -> bool:
        return self.median <= MEDIAN and self.slow <= SLOW and self.frames >= FRAMES


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


def assert_smooth(measure: Callable[[], Pace]) -> None:
    """Hold a drag to the limits by the clock; it is tried again, and the tries are told.

    A machine at rest gets one more try: others may still have worked in one move of seven, and one
    of twenty decides. What is not smooth there twice fails; while others are busy nothing is known,
    nor would be by another try.
    """
    tries: list[Pace] = []
    while all(each.others <= CALM for each in tries):
        found = measure()
        if found.smooth:
            return
        tries.append(found)
        assert sum(each.others <= CALM for each in tries) < 2, f"not smooth, at rest: {tries}"
    pytest.skip(f"other programs keep the processors busy; run this test alone: {tries}")


def by_clock(page: Any) -> Pace:
    page.evaluate(LATENCIES)
    start = page.evaluate("[performance.now(), window.frames]")
    used = others()
    moved(page)
    end = page.evaluate("[performance.now(), window.frames]")
    late = page.evaluate("window.late")
    assert len(late) >= MOVES / 4
    frames = 1000 * (end[1] - start[1]) / (end[0] - start[0])
    return Pace(float(np.median(late)), float(np.quantile(late, 0.95)), frames, used())


def others() -> Callable[[], float]:
    """How many processors were busy, from now on, with what is none of ours."""
    start, mine, since = _busy(), _ours(), time.monotonic()

    def used() -> float:
        return (_busy() - start - (_ours() - mine)) / (time.monotonic() - since)

    return used


def _busy() -> float:
    """Seconds that all processors have worked; the load where the system does not tell."""
    try:
        ticks = Path("/proc/stat").read_text().split("\n", 1)[0].split()[1:9]
    except OSError:
        return time.monotonic() * os.getloadavg()[0]
    user, nice, system, _idle, _waiting, *rest = map(int, ticks)
    return (user + nice + system + sum(rest)) / os.sysconf("SC_CLK_TCK")


def _ours() -> float:
    """Seconds that this process and all below it have worked."""
    total, tick = 0, os.sysconf("SC_CLK_TCK")
    parents, times = {}, {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = path.read_text().rpartition(")")[2].split()
        except OSError:  # it has ended meanwhile
            continue
        parents[int(path.parent.name)] = int(fields[1])
        times[int(path.parent.name)] = int(fields[11]) + int(fields[12])
    for process in times:
        above = process
        while above and above != os.getpid():
            above = parents.get(above, 0)
        total += times[process] if above else 0
    return total / tick


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
    session.on("Tracing.dataCollected", lambda told: events.extend(told["value"]))
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
