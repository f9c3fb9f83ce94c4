"""Where the tests of papers find data."""

from __future__ import annotations

import os
from pathlib import Path

import pytest


@pytest.fixture
def data(monkeypatch, tmp_path):
    """The folder of `ROCWISE_DATA`, or the one beside the project; skipped without it."""
    named = os.environ.get("ROCWISE_DATA")
    folder = Path(named) if named else Path(__file__).parents[2] / "shared" / "data"
    if not folder.is_dir():
        pytest.skip(f"no data sets in {folder}; name their folder in ROCWISE_DATA")
    monkeypatch.setenv("ROCWISE_DATA", str(folder))
    monkeypatch.setenv("ROCWISE_CACHE", str(tmp_path))
