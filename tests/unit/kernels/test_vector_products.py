"""Sums of products do not depend on the threads of linear algebra libraries."""

import math

import numpy as np
import pytest

from rocwise import kernels

threadpoolctl = pytest.importorskip("threadpoolctl")


@pytest.mark.parametrize("kind", [np.float64, np.int64])
def test_the_same_with_any_number_of_threads_and_close_to_exact(kind):
    rng = np.random.default_rng(0)
    first, second = (10 * rng.random(60_000)).astype(kind), rng.normal(size=60_000)
    found = set()
    for threads in (1, 2, 3):
        with threadpoolctl.threadpool_limits(threads):
            found.add(kernels.dot(first, second))
    assert len(found) == 1
    exact = math.fsum(a * b for a, b in zip(first.tolist(), second.tolist(), strict=True))
    assert found.pop() == pytest.approx(exact, rel=1e-12)
