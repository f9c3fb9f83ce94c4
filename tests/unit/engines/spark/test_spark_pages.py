"""The blocks marked `py` of the user guide, which need a Spark session called `spark`."""

import re
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import rocwise as rw
from spark_sessions import local_session

PAGES = Path(__file__).parents[4] / "docs" / "guide"
BLOCKS = {
    f"{page.stem} {k}": block
    for page in sorted(PAGES.glob("*.md"))
    for k, block in enumerate(re.findall(r"^```py\n(.*?)^```", page.read_text(), re.M | re.S))
}


@pytest.mark.parametrize("name", BLOCKS)
def test_blocks_run(name, tmp_path):
    rng = np.random.default_rng(1)
    ill = rng.integers(0, 2, 400)
    columns = {"ill": ill, "risk": rng.normal(size=400) + ill, "other": rng.normal(size=400) + ill}
    columns |= {"country": rng.choice(["de", "pt"], 400), "patient": np.arange(400) // 3}
    pq.write_table(pa.table(columns), tmp_path / "scores.parquet")
    block = BLOCKS[name].replace("scores.parquet", str(tmp_path / "scores.parquet"))
    names = {"spark": local_session(), "rw": rw}
    exec(compile(block, name, "exec"), names)


def test_there_are_such_blocks():
    assert BLOCKS
