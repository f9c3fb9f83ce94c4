"""Jobs of Spark, started and stopped: what goes wrong there in words that help here."""

from __future__ import annotations

import re
import uuid
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib.util import find_spec
from typing import Any

from rocwise.engines.spark.workers import CHANGED, OTHER_VERSION
from rocwise.errors import InputError, missing_package

WITHOUT_US = re.compile(r"ModuleNotFoundError: No module named '(rocwise|numpy|pyarrow)")
ENDED = (
    "SESSION_OR_CONTEXT_NOT_EXISTS",
    "SparkContext was shut down",
    "stopped SparkContext",
    "Connection refused",
    "'NoneType' object has no attribute 'sc'",
)


class SparkJobError(RuntimeError):
    """A job of Spark failed for reasons of its own; `__cause__` is what Spark said."""


@contextmanager
def job(frame: Any, purpose: str) -> Iterator[None]:
    """Run a job; Ctrl-C cancels it on the cluster too, and failures are told in one sentence."""
    if find_spec("pyarrow") is None:  # pyspark alone does not bring it
        raise missing_package("pyarrow", "spark", "A frame of Spark")
    tag = f"rocwise-{uuid.uuid4().hex}"
    session = frame.sparkSession
    try:
        session.addTag(tag)
        yield
    except KeyboardInterrupt:
        _cancel(session, tag)
        raise
    except (InputError, SparkJobError, MemoryError):
        raise
    except Exception as problem:
        if _was_interrupted(problem):  # Spark's own clients may replace it by what it led to
            _cancel(session, tag)
            raise KeyboardInterrupt from problem
        raise _told(problem, purpose) from problem
    finally:
        with suppress(Exception):
            session.removeTag(tag)


def _cancel(session: Any, tag: str) -> None:
    with suppress(Exception):  # the session may be gone; the interruption is what counts
        session.interruptTag(tag)


def _was_interrupted(problem: BaseException | None) -> bool:
    """Whether Ctrl-C is among what led to a problem."""
    while problem is not None:
        if isinstance(problem, KeyboardInterrupt):
            return True
        problem = problem.__cause__ or problem.__context__
    return False


def _told(problem: Exception, purpose: str) -> Exception:
    """The refusal or failure behind what Spark raised."""
    said = str(problem)
    absent = WITHOUT_US.search(said)
    if absent:
        return SparkJobError(
            f"{purpose}: the Python of Spark's workers has no package {absent[1]!r}. Install "
            "rocwise there (the same version as here), with numpy and pyarrow."
        )
    if OTHER_VERSION in said:
        return SparkJobError(f"{purpose}: {_line_with(OTHER_VERSION, said)}")
    if CHANGED in said:
        return InputError(
            f"{purpose}: {CHANGED}. Call .persist() on it, or write it to a file and read that."
        )
    # pyspark asserts, without a word, that there is a session whenever a column is made
    gone = isinstance(problem, ConnectionError) or (
        isinstance(problem, AssertionError) and not said
    )
    if gone or any(sign in said for sign in ENDED):
        return SparkJobError(
            f"{purpose}: the Spark session of this frame has ended; start another."
        )
    if type(problem).__name__ == "AnalysisException":
        return InputError(f"`frame_or_path` cannot be read by Spark: {_first_line(said)}")
    return SparkJobError(f"{purpose}: the job failed on Spark: {_first_line(said)}")


def _line_with(words: str, text: str) -> str:
    found = next(line for line in text.splitlines() if words in line)
    return found[found.index(words) :].strip()


def _first_line(text: str) -> str:
    """The first line that says something, without the frames of Java or Python below it."""
    lines = [line.strip() for line in text.splitlines()]
    said = next((line for line in lines if line and not line.startswith("An error occurred")), text)
    return said[:400]
