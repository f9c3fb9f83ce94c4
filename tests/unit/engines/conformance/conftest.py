"""Engines made to work as if no row fitted into memory."""

import pytest

from engine_list import ENGINES
from rocwise.engines import sources
from rocwise.engines.out_of_core import parquet_rows
from rocwise.inputs import out_of_core


@pytest.fixture(params=ENGINES)
def engine(request):
    found = ENGINES[request.param]
    if not found.is_there:
        pytest.skip(f"{found.needs} is not installed")
    return found


@pytest.fixture
def forced(monkeypatch):
    """Leave rows where they are; with `counting=False` also never count equal ones."""

    def force(*, counting=False):
        monkeypatch.setattr(sources, "BYTES_PER_ROW", 10**12)
        monkeypatch.setattr(sources, "BYTES_PER_LETTER", 10**12)
        monkeypatch.setattr(parquet_rows, "SLICE_ROWS", 64)
        if not counting:
            monkeypatch.setattr(sources, "few_in_frame", lambda *_: False)
            monkeypatch.setattr(parquet_rows.ParquetRows, "few", lambda *_: False)
            monkeypatch.setattr(out_of_core, "MOST_DISTINCT", -1)

    return force
