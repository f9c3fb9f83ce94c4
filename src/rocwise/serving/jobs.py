"""Work that takes a while: a queue before a process of its own, with progress and cancel."""

from __future__ import annotations

import json
import os
import queue
import subprocess
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Literal

JobState = Literal["queued", "running", "done", "cancelled", "failed"]
Finish = Callable[[Any, list[str]], None]
Fail = Callable[[dict[str, str]], None]
STOPPED = "The process that computed it ended; this machine may have too little memory."


@dataclass(eq=False)
class Job:
    """One task and how far it is."""

    id: int
    kind: str
    options: dict[str, Any]
    finish: Finish
    fail: Fail = lambda _refusal: None
    state: JobState = "queued"
    progress: float = 0.0
    refusal: dict[str, str] | None = None  # beside which field, and the sentence
    ended: threading.Event = field(default_factory=threading.Event)

    def plain(self) -> dict[str, Any]:
        """For the page."""
        return {
            "id": self.id,
            "kind": self.kind,
            "state": self.state,
            "progress": 1.0 if self.state == "done" else self.progress,
            "error": self.refusal,
        }


class Lane:
    """Does jobs one after the other in a process that can be started ahead of the first.

    A job that is cancelled takes the process with it; the next one gets a new one. What goes on
    while the reader uses the page is done `behind` it, by a process that lets others go first.
    """

    def __init__(self, *, behind: bool = False) -> None:
        self._behind = behind
        self._waiting: queue.SimpleQueue[Job | None] = queue.SimpleQueue()
        self._lock = threading.Lock()
        self._running: Job | None = None
        self._process: subprocess.Popen[str] | None = None
        self._thread = threading.Thread(target=self._work, daemon=True, name="rocwise-jobs")
        self._closed = False

    def start(self) -> None:
        """Begin to take jobs."""
        self._thread.start()

    def warm(self) -> None:
        """Start the process, so that it imports what it needs before there is a job."""
        with self._lock:
            if self._process is None and not self._closed:
                self._process = _started(behind=self._behind)

    def submit(self, job: Job) -> None:
        """Put a job at the end of the queue."""
        if self._closed:
            _end(job, "cancelled")
        else:
            self._waiting.put(job)

    def cancel(self, job: Job) -> None:
        """Stop a job, whether it waits or runs; one that has ended stays as it is."""
        with self._lock:
            if job.state == "queued":
                _end(job, "cancelled")
            elif job.state == "running" and job is self._running:
                job.state = "cancelled"
                if self._process is not None:
                    self._process.kill()

    def close(self) -> None:
        """End the process and the thread."""
        with self._lock:
            self._closed = True
            if self._process is not None:
                self._process.kill()
        self._waiting.put(None)
        if self._thread.is_alive():
            self._thread.join(timeout=5)

    def _work(self) -> None:
        while True:
            job = self._waiting.get()
            if job is None or self._closed:
                self._waiting.put(job)
                break
            with self._lock:
                if job.state != "queued":
                    continue
                job.state, self._running = "running", job
            self._do(job)
        if self._process is not None:
            _wait_for(self._process)
        self._turn_away()

    def _turn_away(self) -> None:
        """Nobody shall wait for what will never be done."""
        while True:
            try:
                job = self._waiting.get_nowait()
            except queue.Empty:
                return
            if job is not None and job.state == "queued":
                _end(job, "cancelled")

    def _do(self, job: Job) -> None:
        message = None
        with suppress(OSError, ValueError):  # no process, or one that is gone: told below
            message = self._answer(job)
        self._ended(job, message or {"failed": STOPPED})
        if message is None or job.state == "cancelled":  # which ended the process
            self._replace()

    def _answer(self, job: Job) -> dict[str, Any] | None:
        """What the process says in the end; None where it ends without a word."""
        process = self._process_at_hand()
        assert process.stdin is not None and process.stdout is not None
        process.stdin.write(json.dumps({"kind": job.kind, "options": job.options}) + "\n")
        process.stdin.flush()
        for line in process.stdout:
            message: dict[str, Any] = json.loads(line)
            if "progress" not in message:
                return message
            job.progress = max(job.progress, message["progress"])
        return None

    def _replace(self) -> None:
        """A new process for the next job."""
        if self._process is not None:
            self._process.kill()
            _wait_for(self._process)
        with self._lock, suppress(OSError):  # then the next job tries again
            self._process = None
            if not self._closed:
                self._process = _started(behind=self._behind)

    def _process_at_hand(self) -> subprocess.Popen[str]:
        with self._lock:
            if self._closed:
                raise OSError("closed")
            if self._process is None or self._process.poll() is not None:
                self._process = _started(behind=self._behind)
            return self._process

    def _ended(self, job: Job, message: dict[str, Any]) -> None:
        """Keep the answer, unless the job was cancelled while it was on its way."""
        with self._lock:
            self._running = None
            if job.state == "cancelled":
                _end(job, "cancelled")
                return
        try:
            if "result" in message:
                job.finish(message["result"], message["warnings"])
                _end(job, "done")
                return
            job.refusal = message.get("refused") or {"field": "job", "text": message["failed"]}
            job.fail(job.refusal)
        except Exception as reason:  # or the next jobs would wait for ever
            text = f"This went wrong inside rocwise: {type(reason).__name__}: {reason}"
            job.refusal = {"field": "job", "text": text}
        _end(job, "failed")


def _end(job: Job, state: JobState) -> None:
    job.state = state
    job.ended.set()


def _started(*, behind: bool) -> subprocess.Popen[str]:
    """A process that waits for tasks and imports from where this one does."""
    options = ["--behind"] if behind else []
    place = os.pathsep.join(path for path in sys.path if path)
    return subprocess.Popen(
        [sys.executable, "-P", "-m", "rocwise.serving.computing.worker", *options],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        encoding="utf-8",
        env=os.environ | {"PYTHONPATH": place},
        start_new_session=True,  # Ctrl-C is for the server, which ends this one in its own way
    )


def _wait_for(process: subprocess.Popen[str]) -> None:
    for pipe in (process.stdin, process.stdout):
        if pipe is not None:
            with suppress(OSError):  # what was left to write has no reader any more
                pipe.close()
    process.wait()
