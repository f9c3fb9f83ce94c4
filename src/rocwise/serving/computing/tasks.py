"""The tasks that the process that computes knows, by name."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rocwise.serving.computing import loading, questions

Task = Callable[[dict[str, Any], Callable[[float], None]], dict[str, Any]]

TASKS: dict[str, Task] = {
    "inspect": loading.inspect,
    "load": loading.load,
    "bands": questions.bands,
    "intervals": questions.intervals,
    "permutation": questions.permutation,
    "venkatraman": questions.venkatraman,
    "surface": questions.surface,
    "containment": questions.containment,
}
QUESTIONS = tuple(name for name in TASKS if name not in ("inspect", "load"))
