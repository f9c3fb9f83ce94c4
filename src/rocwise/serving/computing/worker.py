"""The process that computes: one task at a time, in lines of JSON; it can be killed any time."""

import json
import os
import queue
import sys
import threading
import time
import warnings
from collections.abc import Callable
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import Any

from rocwise.errors import InputError, MissingPackageError, RocwiseWarning
from rocwise.progress import listening

Message = dict[str, Any]
Send = Callable[[Message], None]
BEHIND = "--behind"  # with a lower priority than the browser
NICENESS = 10
STEP = 0.05  # seconds between two reports of progress


class FieldError(InputError):
    """Invalid input in one field of the page."""

    def __init__(self, field: str, text: str) -> None:
        super().__init__(text)
        self.field = field


def main() -> None:
    """Run tasks until the input ends."""
    out = os.fdopen(os.dup(sys.stdout.fileno()), "w", encoding="utf-8")
    sys.stdout = sys.stderr  # printed text must not end up among the messages

    def send(message: Message) -> None:
        out.write(json.dumps(message, allow_nan=False) + "\n")
        out.flush()

    tasks: queue.SimpleQueue[Message] = queue.SimpleQueue()
    threading.Thread(target=_listen, args=(tasks,), daemon=True).start()
    import_module("rocwise.serving.computing.tasks")  # before there is a task
    if BEHIND in sys.argv:
        lower_priority()
    while True:
        try:
            result(tasks.get(), send)
        except BrokenPipeError:
            os._exit(0)


def _listen(tasks: queue.SimpleQueue[Message]) -> None:
    """Queue tasks; at the end of the input the server is gone, and this process ends."""
    for line in sys.stdin:
        tasks.put(json.loads(line))
    os._exit(0)


def lower_priority() -> None:
    """Lower the priority of this process, and leave one processor to the browser."""
    if hasattr(os, "nice"):
        os.nice(NICENESS)
    with suppress(OSError):  # Linux weighs sessions before processes, and this one has its own
        Path("/proc/self/autogroup").write_text(str(NICENESS), encoding="ascii")
    if hasattr(os, "sched_setaffinity"):
        allowed = sorted(os.sched_getaffinity(0))
        if len(allowed) > 1:
            os.sched_setaffinity(0, allowed[1:])


def result(task: Message, send: Send) -> None:
    """Run a task; send its progress, then its result or an error."""
    from rocwise.serving.computing.tasks import TASKS

    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            with listening(_throttled(send)):
                result = TASKS[task["kind"]](task["options"], _throttled(send))
        except InputError as reason:
            send({"invalid": {"field": getattr(reason, "field", "job"), "text": str(reason)}})
        except (MissingPackageError, OSError) as reason:
            send({"invalid": {"field": "file", "text": str(reason)}})
        except MemoryError:
            send({"failed": "This machine has too little memory for that."})
        except Exception as reason:
            send({"failed": f"This went wrong inside rocwise: {type(reason).__name__}: {reason}"})
        else:
            messages = [
                str(each.message) for each in caught if issubclass(each.category, RocwiseWarning)
            ]
            try:
                send({"result": result, "warnings": list(dict.fromkeys(messages))})
            except (TypeError, ValueError) as reason:  # no JSON, as nan is none
                send({"failed": f"This went wrong inside rocwise: {reason}"})


def _throttled(send: Send) -> Callable[[float], None]:
    """Progress at most every `STEP` seconds."""
    last = [0.0]

    def report(done: float) -> None:
        now = time.monotonic()
        if now - last[0] >= STEP:
            last[0] = now
            send({"progress": min(max(float(done), 0.0), 1.0)})

    return report


if __name__ == "__main__":
    main()
