"""Settings for all tests."""

import os
from pathlib import Path

import pytest
from hypothesis import settings

os.environ.setdefault("MPLBACKEND", "Agg")  # figures are drawn, and no window opens

# Examples are drawn anew in every run; a failure prints the blob that repeats it. No deadline:
# how long one example takes depends on what else the machine does.
settings.register_profile("ci", max_examples=100, deadline=None, print_blob=True)
settings.register_profile("quick", parent=settings.get_profile("ci"), max_examples=20)
settings.register_profile("thorough", parent=settings.get_profile("ci"), max_examples=2000)
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


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items):
    places = [k for k, item in enumerate(items) if item.path.parent in IN_WRITTEN_ORDER]
    written = sorted((items[k] for k in places), key=lambda item: (item.path, item.location[1]))
    for place, item in zip(places, written, strict=True):
        items[place] = item
