"""How many processors there are for this process."""

import os


def available_processors() -> int:
    """Number of processors this process may use.

    Examples
    --------
    >>> available_processors() >= 1
    True
    """
    counted = getattr(os, "process_cpu_count", None)  # from Python 3.13 on
    if counted is not None:
        return int(counted() or 1)
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
