"""The state of a studio, and queues of jobs for the processes that compute."""

import itertools
import json
import os
import queue
import shutil
import stat
import subprocess
import sys
import tempfile
import threading
import weakref
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any, Literal, NamedTuple

from rocwise.serving.model_names import checked_name, named

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

JobState = Literal["queued", "running", "done", "cancelled", "failed"]
Finish = Callable[[Any, list[str]], None]
Fail = Callable[[dict[str, str]], None]
STOPPED = "The process that computed it ended; this machine may have too little memory."


@dataclass(eq=False)
class Job:
    """One task and its progress."""

    id: int
    kind: str
    options: dict[str, Any]
    finish: Finish
    fail: Fail | None = None
    state: JobState = "queued"
    progress: float = 0.0
    error: dict[str, str] | None = None  # the field of the page, and the text
    ended: threading.Event = field(default_factory=threading.Event)

    def plain(self) -> dict[str, Any]:
        """For the page."""
        return {
            "id": self.id,
            "kind": self.kind,
            "state": self.state,
            "progress": 1.0 if self.state == "done" else self.progress,
            "error": self.error,
        }


class Lane:
    """A queue of jobs for one process, which ends with a cancelled job and is then replaced."""

    def __init__(self, *, behind: bool = False) -> None:
        self._behind = behind
        self._waiting: queue.SimpleQueue[Job | None] = queue.SimpleQueue()
        self._lock = threading.Lock()
        self._running: Job | None = None
        self._process: subprocess.Popen[str] | None = None
        self._thread = threading.Thread(target=self._work, daemon=True, name="rocwise-jobs")
        self._closed = False

    def start(self) -> None:
        """Start to run jobs."""
        self._thread.start()

    def warm(self) -> None:
        """Start the process, so that it imports what it needs before there is a job."""
        with self._lock, suppress(OSError):
            self._running_process()

    def _running_process(self) -> subprocess.Popen[str]:
        if self._closed:
            raise OSError("closed")
        if self._process is None or self._process.poll() is not None:
            self._process = _started(behind=self._behind)
        return self._process

    def submit(self, job: Job) -> None:
        """Append a job to the queue."""
        if self._closed:
            _end(job, "cancelled")
        else:
            self._waiting.put(job)

    def cancel(self, job: Job) -> None:
        """Stop a job that is queued or running."""
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
        while not self._waiting.empty():
            left = self._waiting.get()
            if left is not None and left.state == "queued":
                _end(left, "cancelled")

    def _do(self, job: Job) -> None:
        message = None
        with suppress(OSError, ValueError):  # no process, or one that is gone
            message = self._result(job)
        self._ended(job, message or {"failed": STOPPED})
        if message is None or job.state == "cancelled":  # the process has ended or will end
            if self._process is not None:
                self._process.kill()
                _wait_for(self._process)
            self.warm()

    def _result(self, job: Job) -> dict[str, Any] | None:
        """The last message of the process; None where it ended before."""
        with self._lock:
            process = self._running_process()
        assert process.stdin is not None and process.stdout is not None
        process.stdin.write(json.dumps({"kind": job.kind, "options": job.options}) + "\n")
        process.stdin.flush()
        for line in process.stdout:
            message: dict[str, Any] = json.loads(line)
            if "progress" not in message:
                return message
            job.progress = max(job.progress, message["progress"])
        return None

    def _ended(self, job: Job, message: dict[str, Any]) -> None:
        """Store the result, unless the job was cancelled meanwhile."""
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
            job.error = message.get("invalid") or {"field": "job", "text": message["failed"]}
            if job.fail is not None:
                job.fail(job.error)
        except Exception as reason:  # the next jobs must not be blocked
            text = f"This went wrong inside rocwise: {type(reason).__name__}: {reason}"
            job.error = {"field": "job", "text": text}
        _end(job, "failed")


def _end(job: Job, state: JobState) -> None:
    job.state = state
    job.ended.set()


def _started(*, behind: bool) -> subprocess.Popen[str]:
    """A process that waits for tasks, with the module path of this one."""
    options = ["--behind"] if behind else []
    place = os.pathsep.join(path for path in sys.path if path)
    return subprocess.Popen(
        [sys.executable, "-P", "-m", "rocwise.serving.computing.worker", *options],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        encoding="utf-8",
        env=os.environ | {"PYTHONPATH": place},
        start_new_session=True,  # Ctrl-C is for the server, which ends this process
    )


def _wait_for(process: subprocess.Popen[str]) -> None:
    for pipe in (process.stdin, process.stdout):
        if pipe is not None:
            with suppress(OSError):  # unwritten data has no reader any more
                pipe.close()
    process.wait()


KEPT_JOBS = 50
READING = ("inspect", "load")


@dataclass
class Source:
    """Where rows come from: a "file", the "example", or "kept" data that Python gave."""

    form: str
    path: str
    name: str
    ours: bool = False  # a copy in the session's folder
    text: dict[str, str] = field(default_factory=dict)  # how it is written, if that was given
    size: int | None = None
    columns: list[dict[str, Any]] = field(default_factory=list)
    guess: dict[str, Any] | None = None

    def plain(self) -> dict[str, Any]:
        """For the page, without the path."""
        names = ("form", "name", "size", "columns", "guess")
        return {name: getattr(self, name) for name in names}

    def task(self) -> dict[str, Any]:
        """For the process that reads it."""
        return {name: getattr(self, name) for name in ("form", "path", "name", "ours", "text")}


class Shown(NamedTuple):
    """What is shown: where it came from, the columns that were picked, `{column: name}`.

    `literals` are the labels of classes as Python writes them.
    """

    form: str
    path: str
    choice: Mapping[str, Any] | None
    names: Mapping[str, str]
    literals: Mapping[str, str]
    text: Mapping[str, str] = {}


PREFIX = "rocwise-studio-"
LOCK = "lock"


def locked_folder() -> tuple[Path, IO[bytes] | None]:
    """A new folder that only this user can read, and a file in it that is locked while it is used.

    The lock ends with the process, however it ends. Windows has none, nor removes folders.
    """
    while True:
        folder = Path(tempfile.mkdtemp(prefix=PREFIX))
        if fcntl is None:
            return folder, None
        file = (folder / LOCK).open("wb")
        fcntl.flock(file, fcntl.LOCK_EX)
        if folder.exists():  # and was not taken for a stale one before it was locked
            return folder, file
        file.close()


def remove_stale_folders() -> None:
    """Remove folders of studios of this user that were killed."""
    if fcntl is None:
        return
    for folder in Path(tempfile.gettempdir()).glob(f"{PREFIX}*"):
        with suppress(OSError):  # such as of a locked file
            about = folder.lstat()
            if not stat.S_ISDIR(about.st_mode) or about.st_uid != os.getuid():
                continue
            with (folder / LOCK).open("rb") as file:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                shutil.rmtree(folder, ignore_errors=True)


class Session:
    """The state of one studio, with its two processes."""

    def __init__(self) -> None:
        remove_stale_folders()
        folder, lock_file = locked_folder()
        self.folder: Path = folder
        self._lock_file: IO[bytes] | None = lock_file
        # also when a script ends without a stop
        self._removed = weakref.finalize(self, shutil.rmtree, self.folder, ignore_errors=True)
        self.reading: Lane = Lane()
        self.computing: Lane = Lane(behind=True)
        self.source: Source | None = None  # the file whose columns are on offer
        self.loaded: Source | None = None  # the one that is shown
        self.choice: dict[str, Any] | None = None
        self.payload: dict[str, Any] | None = None
        self.data: str | None = None
        self.columns: list[str] = []  # the models as the data calls them
        self.names: list[str] = []  # as the page does
        self.literals: dict[str, str] = {}
        self.view: dict[str, Any] | None = None
        self.error: dict[str, str] | None = None
        self.revision: int = 0  # grows with everything that the page must fetch again
        self.jobs: dict[int, Job] = {}
        self._numbers = itertools.count(1)
        self._since = 0  # jobs before this one are of other data
        self._lock = threading.RLock()

    def start(self) -> None:
        """Start to run jobs."""
        self.reading.start()
        self.computing.start()
        self.reading.warm()

    def close(self) -> None:
        """End the processes and remove temporary files."""
        self.reading.close()
        self.computing.close()
        self._removed()
        if self._lock_file is not None:
            self._lock_file.close()

    def number(self) -> int:
        """A new number of a file or job."""
        return next(self._numbers)

    def plain(self) -> dict[str, Any]:
        """For the page."""
        with self._lock:
            return {
                "source": None if self.source is None else self.source.plain(),
                "loaded": None if self.loaded is None else self.loaded.name,
                "choice": self.choice,
                "payload": self.named(self.payload),
                "view": self.view,
                "error": self.error,
                "revision": self.revision,
                "job": self.named(self._latest(reading=False)),
                "reading": self._latest(reading=True),
            }

    def named(self, plain: Any) -> Any:
        """Plain values with the present names of the models."""
        return named(plain, self.names)

    def shown(self) -> tuple[dict[str, Any], Shown] | None:
        """The payload that is shown, and where it came from."""
        with self._lock:
            payload, source = self.named(self.payload), self.loaded
            if source is None or payload is None:
                return None
            path = source.name if source.ours else source.path
            names = dict(zip(self.columns, self.names, strict=True))
            return payload, Shown(source.form, path, self.choice, names, self.literals, source.text)

    def rename(self, place: Any, name: str) -> None:
        """Rename a model; without a name, to that of its column."""
        with self._lock:
            self.names = checked_name(name, place, self.names, self.columns)
            self.revision += 1

    def _latest(self, *, reading: bool) -> dict[str, Any] | None:
        """The last job that reads, or the last analysis of the present data."""
        since = 0 if reading else self._since
        jobs = (job for job in self.jobs.values() if job.id > since)
        found = [job for job in jobs if (job.kind in READING) == reading]
        return found[-1].plain() if found else None

    def inspect(
        self, source: Source, choice: dict[str, Any] | None = None, *, load: bool = False
    ) -> Job:
        """Find the columns of a file; with `load` also load those chosen or guessed."""

        def finish(result: dict[str, Any], _warnings: list[str]) -> None:
            guess = result["guess"]
            with self._lock:
                if self.source is not None:
                    self._forget(self.source)
                source.columns, source.guess = result["columns"], guess
                self.source, self.error = source, guess["error"]
                self.revision += 1
                if load and guess["error"] is None:
                    self.load(source, {name: guess[name] for name in guess if name != "error"})

        options = source.task() | {"choice": choice}
        fail = self._fail if load else None
        return self._begin(self.reading, "inspect", options, finish, fail)

    def _fail(self, error: dict[str, str]) -> None:
        """Store an error for pages that are loaded later."""
        with self._lock:
            self.error = error
            self.revision += 1

    def load(self, source: Source, choice: dict[str, Any] | None) -> Job:
        """Read the chosen columns and show them."""
        keep = self.folder / f"data-{self.number()}.pickle"
        options = {"source": source.task(), "choice": choice, "keep": str(keep)}

        def finish(result: dict[str, Any], warnings: list[str]) -> None:
            with self._lock:
                for job in self.jobs.values():
                    if job.kind not in READING:  # of data that are no longer shown
                        self.computing.cancel(job)
                self._since = self.number()
                if self.data is not None and self.data != source.path:
                    Path(self.data).unlink(missing_ok=True)
                before = self.loaded
                self.data, self.payload = result["data"], result["payload"]
                self.columns, self.names = list(result["names"]), list(result["names"])
                self.literals = result["literals"]
                self.source = self.loaded = source
                self.choice, self.view, self.error = choice, None, None
                self.payload["warnings"] = warnings
                self.revision += 1
                if before is not None and before is not source:
                    self._forget(before)
            self.computing.warm()

        return self._begin(self.reading, "load", options, finish, self._fail)

    def analyze(self, kind: str, options: dict[str, Any]) -> Job:
        """Start a long analysis."""
        data = self.data
        assert data is not None

        def finish(result: dict[str, Any], warnings: list[str]) -> None:
            with self._lock:
                if self.payload is not None and self.data == data:  # not replaced meanwhile
                    self.payload = _with_result(self.payload, result, options, warnings)
                    self.revision += 1

        return self._begin(self.computing, kind, {"data": data, **options}, finish)

    def cancel(self, job: Job) -> None:
        """Stop a job."""
        lane = self.reading if job.kind in READING else self.computing
        lane.cancel(job)

    def _begin(
        self,
        lane: Lane,
        kind: str,
        options: dict[str, Any],
        finish: Finish,
        fail: Fail | None = None,
    ) -> Job:
        with self._lock:
            job = Job(self.number(), kind, options, finish, fail)
            self.jobs[job.id] = job
            for old in list(self.jobs)[:-KEPT_JOBS]:
                if self.jobs[old].ended.is_set():
                    del self.jobs[old]
        lane.submit(job)
        return job

    def _forget(self, source: Source) -> None:
        """Remove our copy of a file that is no longer shown."""
        if source.ours and source is not self.loaded:
            Path(source.path).unlink(missing_ok=True)


def _with_result(
    payload: dict[str, Any], result: dict[str, Any], options: dict[str, Any], warnings: list[str]
) -> dict[str, Any]:
    """A new payload with the result of an analysis: bands of the curves, or a section."""
    from rocwise.reporting.methods import references

    found = _merged(payload, result, options, warnings)
    return found | {"methods": payload["methods"] | {"references": references(found)}}


def _merged(
    payload: dict[str, Any], result: dict[str, Any], options: dict[str, Any], warnings: list[str]
) -> dict[str, Any]:
    if "section" in result:
        section = dict(result["section"])
        section["text"] = " ".join([section["text"], *warnings])
        others = [each for each in payload["sections"] if each["id"] != section["id"]]
        return payload | {"sections": [section, *others]}
    settings, kind, bands = payload["settings"], result["kind"], result["bands"]
    kinds = list(dict.fromkeys([*settings["band_kinds"], kind]))
    drawn = {"band_kinds": kinds, "n_resamples": options["resamples"], "seed": options["seed"]}
    models = [
        model | {"bands": model["bands"] | {kind: bands[model["name"]]}}
        for model in payload["models"]
    ]
    state = payload["state"] | {"band": kind}
    return payload | {"models": models, "settings": settings | drawn, "state": state}
