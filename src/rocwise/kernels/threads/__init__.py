"""Threads: how many there may be, how work is shared out to them, and how Ctrl-C is heard."""

from rocwise.kernels.threads.settings import (
    chosen_threads,
    limited_to,
    thread_limit,
    threads,
)
from rocwise.kernels.threads.sharing import (
    PIECES_PER_THREAD,
    even_parts,
    pieces,
    run_parts,
    shrinking_pieces,
)
from rocwise.kernels.threads.signals import (
    STEP_ROWS,
    heard,
    interruptible,
    steps_between_signals,
)

__all__ = [
    "PIECES_PER_THREAD",
    "STEP_ROWS",
    "chosen_threads",
    "even_parts",
    "heard",
    "interruptible",
    "limited_to",
    "pieces",
    "run_parts",
    "shrinking_pieces",
    "steps_between_signals",
    "thread_limit",
    "threads",
]
