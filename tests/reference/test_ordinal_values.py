"""Volumes that the R package trinROC gives for the krebs data, four markers of three classes."""

import gzip

import numpy as np
import pytest

import rocwise as rw

VOLUMES = {"Fac1": 0.564706, "Fac2": 0.393439, "Fac3": 0.545136, "Fac4": 0.283032}


@pytest.fixture(scope="module")
def krebs(data_folder):
    path = data_folder / "krebs.csv.gz"
    if not path.is_file():
        pytest.skip(f"no {path}")
    with gzip.open(path, "rt", encoding="utf-8") as file:
        header, *rows = (line.strip().split(",") for line in file)
    return {name: [row[k] for row in rows] for k, name in enumerate(header)}


@pytest.mark.parametrize("marker", VOLUMES)
def test_volume_of_a_marker(krebs, marker):
    scores = np.array(krebs[marker], float)
    result = rw.ordinal.auc(krebs["target"], scores, order=["healthy", "intermediate", "diseased"])
    assert result.value == pytest.approx(VOLUMES[marker], abs=5e-7)
    assert result.sizes == (20, 13, 17)
