"""The built-in series are the published ones."""

import csv
import gzip
from pathlib import Path

import numpy as np

from rocwise.datasets import lynx_trappings, yearly_sunspots


def column(path: Path) -> np.ndarray:
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        return np.array([float(row["target"]) for row in csv.DictReader(lines)])


def test_lynx(data_folder: Path) -> None:
    np.testing.assert_array_equal(lynx_trappings(), column(data_folder / "lynx.csv.gz"))


def test_sunspots_are_yearly_means_of_the_monthly_numbers(data_folder: Path) -> None:
    """Yearly numbers weigh months by their days and were revised for a few years."""
    monthly = column(data_folder / "sunspots.csv.gz").reshape(-1, 12).mean(axis=1)
    ours = yearly_sunspots()[49:]  # 1749 is the first year with months
    errors = np.abs(ours - monthly[: len(ours)])
    assert errors.max() < 2
    assert np.mean(errors < 0.15) > 0.93


def test_lengths_and_fresh_copies() -> None:
    assert (len(yearly_sunspots()), len(lynx_trappings())) == (280, 114)
    yearly_sunspots()[0] = -1
    assert yearly_sunspots()[0] == 5
