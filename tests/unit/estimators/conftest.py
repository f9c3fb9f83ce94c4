"""One thread per test: many tiny fits run at once, and threads that wait would take all cores."""

import pytest
from threadpoolctl import threadpool_limits


@pytest.fixture(autouse=True, scope="module")
def one_thread():
    with threadpool_limits(1):
        yield
