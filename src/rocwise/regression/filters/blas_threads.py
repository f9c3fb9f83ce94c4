"""One thread for the many small products of a filter: more would wait for each other."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any

FEWEST_STATES = 24  # below it the libraries start no threads for a product
MOST_STATES = 400  # from here a single product is long enough to share out


@contextmanager
def one_thread_for_small_products(n_states: int) -> Iterator[None]:
    """Let numerical libraries use one thread while products of this size are made.

    Without threadpoolctl (which scikit-learn brings) nothing changes.

    >>> with one_thread_for_small_products(64):
    ...     pass
    """
    controller = _controller() if FEWEST_STATES <= n_states < MOST_STATES else None
    if controller is None:
        yield
        return
    with controller.limit(limits=1, user_api="blas"):
        yield


@cache
def _controller() -> Any:
    try:
        from threadpoolctl import ThreadpoolController
    except ImportError:
        return None
    return ThreadpoolController()
