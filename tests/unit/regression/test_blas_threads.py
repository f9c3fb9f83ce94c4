import numpy as np
import pytest

import rocwise as rw
from rocwise.regression.blas_threads import one_thread_for_small_products
from rocwise.regression.filters import KalmanFilter
from rocwise.regression.filters.steps import steps_over_time

threadpoolctl = pytest.importorskip("threadpoolctl")


def blas_threads():
    found = threadpoolctl.threadpool_info()
    return [each["num_threads"] for each in found if each["user_api"] == "blas"]


@pytest.mark.parametrize(("states", "limited"), [(32, True), (4, False), (1000, False)])
def test_small_products_get_one_thread(states, limited):
    before = blas_threads()
    with one_thread_for_small_products(states):
        assert blas_threads() == ([1] * len(before) if limited else before)
    assert blas_threads() == before


def test_large_products_get_what_the_setting_of_threads_says():
    before = blas_threads()
    with rw.threads(1), one_thread_for_small_products(1000):
        assert blas_threads() == [1] * len(before)
    assert blas_threads() == before


def test_filters_walk_with_one_thread_and_give_the_others_back():
    before = blas_threads()
    size = 30
    model = KalmanFilter(
        0.9 * np.eye(size),
        np.eye(1, size),
        process_noise=np.eye(size),
        observation_noise=1.0,
        initial_mean=np.zeros(size),
        initial_covariance=np.eye(size),
    )
    seen = [
        blas_threads()
        for _ in steps_over_time(*model._ready(1), np.zeros((1, 3, 1)), np.ones((3, 1), bool))
    ]
    assert seen == [[1] * len(before)] * 3
    assert blas_threads() == before
