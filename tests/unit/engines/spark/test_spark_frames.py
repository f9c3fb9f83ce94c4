"""Frames of Spark on two threads of this machine: many ranges, odd names, odd frames."""

import subprocess
import sys

import numpy as np
import pyarrow as pa
import pytest

import rocwise as rw
from rocwise import kernels
from rocwise.data.range_states import BinPlan, range_state
from rocwise.data.summed_rows import ClusterSums
from rocwise.engines.out_of_core.large_sources import Request
from rocwise.engines.sources import is_spark_frame
from rocwise.engines.spark import (
    SparkJobError,
    SparkSource,
)
from spark_sessions import local_session

RNG = np.random.default_rng(5)
N = 6000
LABELS = RNG.integers(0, 2, N)
HALF_TIED = np.where(RNG.random(N) < 0.4, 0.25, RNG.normal(size=N) + LABELS)
ROUNDED = np.round(RNG.normal(size=N) + LABELS, 1) + 0.0
CLUSTERS = RNG.integers(0, 90, N)
SITES = np.array([f"site {k}" for k in RNG.integers(0, 70, N)])
SITES[: N // 3] = "site 0"  # one group that several tasks share
TABLE = pa.table(
    {"ill": LABELS, "a.b": HALF_TIED, "b": ROUNDED, "one `cluster`": CLUSTERS, "site": SITES}
)
MASK = LABELS.astype(np.uint8)
PLACED = [kernels.placements(MASK, scores) for scores in (HALF_TIED, ROUNDED)]


@pytest.fixture(scope="module")
def frame():
    return local_session().createDataFrame(TABLE).repartition(3).cache()


@pytest.fixture
def source(frame):
    return SparkSource(frame, range_rows=N // 5, most_counted=10**6)


def request_of(*scores, higher=True, bins=50, complete=()):
    return Request("ill", 1, 0, scores, higher, bins, N, complete)


@pytest.mark.parametrize("higher", [True, False])
def test_the_state_of_many_ranges_is_that_of_all_rows(source, higher):
    found = source.range_state(request_of("a.b", higher=higher))
    scores = HALF_TIED if higher else 0 - HALF_TIED
    expected = range_state(MASK, scores, BinPlan(50, N))
    assert found.sums == expected.sums
    for name in ("scores", "pos", "neg"):
        assert getattr(found, name).tobytes() == getattr(expected, name).tobytes()


def test_the_placements_of_two_models_meet_without_a_join(source):
    assert source.cluster_sums(request_of("a.b", "b"), None) == ClusterSums.of_rows(MASK, PLACED)


def test_sums_over_clusters(source):
    name = "one `cluster`"
    columns = (LABELS, 1 - LABELS, *(own * u for own in (LABELS, 1 - LABELS) for u in PLACED))
    p, n, *placed = (np.bincount(CLUSTERS, each).astype(np.int64) for each in columns)
    expected = ClusterSums.of_clusters(p, n, placed[:2], placed[2:])
    assert source.cluster_sums(request_of("a.b", "b", complete=(name,)), name) == expected
    assert source.cluster_sums(request_of("a.b", complete=(name,)), name) == expected.only(0)


def test_sums_within_groups(source):
    found = source.group_sums(request_of("a.b", complete=("site",)), ["site"])
    assert found.groups.tolist() == np.unique(SITES).tolist()
    for k, site in enumerate(found.groups):
        own = site == SITES
        sums = kernels.placement_sums(*kernels.sort_by_class(MASK[own], HALF_TIED[own]))
        assert [found.columns[name][k] for name in sums._fields] == list(sums)


def test_results_are_those_of_the_rows_in_memory(frame):
    named = {"label": "ill", "score": "a.b"}
    for function in (rw.auc, rw.roc, rw.hull, rw.cost_curve):
        found, expected = (function(data, **named).to_dict() for data in (frame, TABLE))
        assert found.pop("origin")["frame"] is None
        assert expected.pop("origin")["frame"] == "pyarrow"
        assert found == expected


def test_too_many_distinct_rows_stay_on_spark(frame):
    small = SparkSource(frame, range_rows=N, most_counted=10)
    assert small.counted(["ill", "a.b"], None) is None
    assert len(small.counted(["ill"], None).counts) == 2


def test_weights_are_counted_whatever_they_are(frame):
    from pyspark.sql import functions as sql

    weighted = frame.withColumn("w", sql.col("`b`") * sql.col("`b`") / 10)
    table = TABLE.append_column("w", pa.array(ROUNDED * ROUNDED / 10))
    named = {"label": "ill", "score": "b", "sample_weight": "w"}
    found, expected = rw.auc(weighted, **named), rw.auc(table, **named)
    assert found.value == pytest.approx(expected.value, rel=1e-13)
    assert found.standard_error == pytest.approx(expected.standard_error, rel=1e-12)


@pytest.mark.parametrize(
    ("names", "message"),
    [
        (["ill", "x", "x"], "more than one column is called 'x'"),
        (["ill", "X", "other"], "no column is called 'x'; the columns are"),
    ],
)
def test_names_of_columns_are_exact(names, message):
    frame = local_session().range(4).selectExpr("id % 2", "id", "id").toDF(*names)
    with pytest.raises(rw.InputError, match=message):
        rw.auc(frame, label="ill", score="x")


def test_a_frame_that_changes_while_it_is_read_raises():
    def scored(batches):
        for batch in batches:
            ill = pa.array(batch["id"].to_numpy() % 2)
            score = np.random.default_rng().random(batch.num_rows)  # new ones in every pass
            yield pa.RecordBatch.from_pydict({"ill": ill, "score": score})

    rows = local_session().range(3000).mapInArrow(scored, "ill bigint, score double")
    source = SparkSource(rows, range_rows=500, most_counted=10)
    request = Request("ill", 1, 0, ("score",), True, 50, 3000)
    with pytest.raises(rw.InputError, match=r"gave other rows .* Call \.persist\(\)"):
        source.range_state(request)


def test_what_spark_cannot_read_raises_one_sentence():
    from pyspark.sql import functions as sql

    nested = (
        local_session()
        .range(4)
        .select(sql.expr("id % 2 as ill"), sql.create_map(sql.lit("a"), "id").alias("score"))
    )
    with pytest.raises(
        rw.InputError, match="`score` must contain one value in each row; it is map<"
    ):
        rw.auc(nested, label="ill", score="score")
    variants = local_session().range(4).selectExpr("id % 2 as ill", "parse_json('1') as score")
    with pytest.raises(rw.InputError, match="cannot be read by Spark"):
        rw.auc(variants, label="ill", score="score")


def test_a_failing_job_gives_a_message_of_one_line():
    frame = local_session().range(4).selectExpr("id % 2 as ill", "raise_error('no luck') as score")
    with pytest.raises(SparkJobError, match="looking at the rows: the job failed on Spark") as info:
        rw.auc(frame, label="ill", score="score")
    assert "\n" not in str(info.value)
    assert info.value.__cause__ is not None


def test_workers_without_this_package_are_named():
    def absent(batches):
        raise ModuleNotFoundError("No module named 'rocwise'")
        yield from batches

    rows = local_session().range(4).mapInArrow(absent, "ill int, score double")
    with pytest.raises(SparkJobError, match="workers has no package 'rocwise'"):
        rw.auc(rows, label="ill", score="score")


def test_frames_are_recognised_without_importing_spark(frame):
    assert is_spark_frame(frame)
    assert not is_spark_frame(TABLE)
    code = "import rocwise, rocwise.engines.spark, sys; print('pyspark' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"
