"""Settings for all tests."""

import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import settings

from long_files import turn

os.environ.setdefault("MPLBACKEND", "Agg")  # figures are drawn, and no window opens

# `make test` draws the same examples in every run, "thorough" new ones; a failure prints the blob
# that repeats it. No deadline: the time of an example depends on the load of the machine.
settings.register_profile(
    "ci", max_examples=100, deadline=None, print_blob=True, derandomize=True, database=None
)
settings.register_profile("quick", parent=settings.get_profile("ci"), max_examples=20)
settings.register_profile("thorough", max_examples=2000, deadline=None, print_blob=True)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "ci"))


@pytest.fixture(scope="session")
def data_folder() -> Path:
    """The folder with the public data sets; tests that need it are skipped without it."""
    named = os.environ.get("ROCWISE_DATA")
    folder = Path(named) if named else Path(__file__).parents[2] / "shared" / "data"
    if not (folder / "MANIFEST.csv").is_file():
        pytest.skip(f"no data sets in {folder}; name their folder in ROCWISE_DATA")
    return folder


# One server or browser for all tests of a file: each goes on where the one before it stopped.
IN_WRITTEN_ORDER = (Path(__file__).parent / "browser", Path(__file__).parent / "unit" / "serving")


STARTING_STATES: dict[int, Any] = {}  # of the generators that modules of tests share


def shared_generator(item) -> np.random.Generator | None:
    rng = getattr(getattr(item, "module", None), "RNG", None)
    return rng if isinstance(rng, np.random.Generator) else None


def pytest_runtest_setup(item):
    """Every test draws the same numbers, whichever tests of its module ran before it."""
    if (rng := shared_generator(item)) is not None:
        rng.bit_generator.state = STARTING_STATES[id(rng)]


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items):
    for rng in filter(None, map(shared_generator, items)):
        STARTING_STATES.setdefault(id(rng), rng.bit_generator.state)
    places = [k for k, item in enumerate(items) if item.path.parent in IN_WRITTEN_ORDER]
    written = sorted((items[k] for k in places), key=lambda item: (item.path, item.location[1]))
    for place, item in zip(places, written, strict=True):
        items[place] = item
    items.sort(key=lambda item: turn(item.nodeid))
