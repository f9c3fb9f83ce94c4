"""One thread for many small products, of a filter or a tree: more would wait for each other.

Products that are worth sharing out use as many as the one setting of threads says.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any

from rocwise.kernels.threads import thread_limit

FEWEST_STATES = 24  # below it the libraries start no threads for a product
MOST_STATES = 400  # from here a single product is long enough to share out


@contextmanager
def one_thread_for_small_products(n_states: int) -> Iterator[None]:
    """Let numerical libraries use one thread for products of this size, or those they may use.

    >>> with one_thread_for_small_products(64):
    ...     pass
    """
    if n_states < FEWEST_STATES:
        yield
        return
    with library_threads(1 if n_states < MOST_STATES else thread_limit()):
        yield


@contextmanager
def library_threads(limit: int) -> Iterator[None]:
    """Let numerical libraries use so many threads.

    Without threadpoolctl (which scikit-learn brings) nothing changes.

    >>> with library_threads(1):
    ...     pass
    """
    controller = _controller()
    if controller is None:
        yield
        return
    with controller.limit(limits=limit, user_api="blas"):
        yield


@cache
def _controller() -> Any:
    try:
        from threadpoolctl import ThreadpoolController
    except ImportError:
        return None
    return ThreadpoolController()
