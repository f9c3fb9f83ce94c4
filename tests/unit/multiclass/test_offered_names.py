"""What the package offers beside the names of `rocwise`."""

import rocwise as rw
from rocwise import multiclass


def test_names_of_the_package():
    assert multiclass.__all__ == [
        "Evolution",
        "class_cost",
        "class_weights_under",
        "micro_auc",
        "multiclass_brier",
        "partial_class_areas",
        "sample_costs",
    ]
    assert all(callable(getattr(multiclass, name)) for name in multiclass.__all__)


def test_they_are_not_on_top():
    assert not set(multiclass.__all__) & set(rw.__all__)
