"""Spark on machines of its own: a master and two workers, a Connect server, all on loopback."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

import rocwise as rw
import spark_child
from rocwise import kernels
from rocwise.data.range_states import BinPlan, range_state
from rocwise.data.summed_rows import ClusterSums
from spark_sessions import LOOPBACK, free_port, needs_spark, started, wait_for

PATIENCE = 240


class Child:
    """The program of `spark_child`, line by line."""

    def __init__(self, master, folder, *steps):
        self.folder = folder
        tests = Path(spark_child.__file__).parent
        paths = os.pathsep.join([str(tests), *filter(None, [os.environ.get("PYTHONPATH")])])
        with (folder / "child.log").open("wb") as log:
            self.process = subprocess.Popen(
                [sys.executable, "-W", "ignore", tests / "spark_child.py", master, folder, *steps],
                env=os.environ | {"PYTHONPATH": paths},
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
            )

    def line(self):
        line = self.process.stdout.readline()
        assert line, (self.folder / "child.log").read_text()[-4000:]
        return json.loads(line)

    def marks(self, wanted):
        """Wait until so many batches were seen by workers."""
        end = time.monotonic() + PATIENCE
        while len(list(self.folder.glob("*.mark"))) < wanted:
            assert time.monotonic() < end
            time.sleep(0.02)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        self.process.stdout.close()


@pytest.fixture
def cluster(tmp_path):
    """The address of a master, and its two workers."""
    needs_spark()
    port = free_port()
    at = ("--host", LOOPBACK)
    deploy = "org.apache.spark.deploy"
    with started(
        tmp_path / "master.log",
        "spark-class",
        f"{deploy}.master.Master",
        *at,
        *("--port", str(port), "--webui-port", "0"),
    ) as master:
        wait_for(port, master)
        address = f"spark://{LOOPBACK}:{port}"
        words = ("spark-class", f"{deploy}.worker.Worker", *at, "--webui-port", "0", "--cores", "1")
        words += ("--memory", "700m", "--work-dir", str(tmp_path / "work"), address)
        local = {"SPARK_LOCAL_DIRS": str(tmp_path)}
        with (
            started(tmp_path / "worker1.log", *words, **local) as first,
            started(tmp_path / "worker2.log", *words, **local) as second,
        ):
            yield address, (first, second)


@pytest.fixture(scope="module")
def expected():
    table = spark_child.table()
    mask = table["ill"].to_numpy().astype(np.uint8)
    a, b = (table[name].to_numpy() for name in "ab")
    state = range_state(mask, a, BinPlan(50, len(mask)))
    placed = [kernels.placements(mask, scores) for scores in (a, b)]
    return {
        "sums": list(state.sums),
        "bins": state.scores.tolist(),
        "products": [list(row) for row in ClusterSums.of_rows(mask, placed).products],
        "area": rw.auc(table, label="ill", score="b").value,
    }


def test_a_cluster_computes_and_survives_the_loss_of_a_worker(cluster, tmp_path, expected):
    address, (first, _) = cluster
    with Child(address, tmp_path, "analyses", "killed", "interrupted", "ended") as child:
        assert child.line() == expected | {"kind": "pyspark.sql.classic.dataframe"}
        assert child.line() == {"started": True}
        child.marks(3 * spark_child.PARTS)  # in the middle of the jobs
        first.send_signal(signal.SIGKILL)
        assert child.line() == {"sums": expected["sums"], "executors": 1}
        assert child.line() == {"started": True}
        seen = len(list(tmp_path.glob("*.mark")))
        child.marks(seen + 1)
        child.process.send_signal(signal.SIGINT)
        line = child.line()
        assert line == {"interrupted": True, "jobs": 0, "area": expected["area"]}
        line = child.line()
        assert line["kind"] == "SparkJobError"
        assert line["message"].endswith("the Spark session of this frame has ended; start another.")
        assert child.process.wait(60) == 0
    left = [path.name for path in tmp_path.iterdir() if path.name.startswith(("blockmgr", "roc"))]
    assert left == []


def test_spark_connect(tmp_path, expected):
    needs_spark()
    pytest.importorskip("grpc", reason="grpcio is missing; pip install 'rocwise[spark]'")
    port = free_port()
    settings = {
        "spark.connect.grpc.binding.port": str(port),
        "spark.connect.grpc.binding.address": LOOPBACK,
        "spark.ui.enabled": "false",
        "spark.sql.shuffle.partitions": "2",
        "spark.driver.bindAddress": LOOPBACK,
        "spark.local.dir": str(tmp_path),
    }
    words = [word for item in settings.items() for word in ("--conf", "=".join(item))]
    server = "org.apache.spark.sql.connect.service.SparkConnectServer"
    with started(
        tmp_path / "server.log",
        *("spark-submit", "--master", "local[2]", "--driver-memory", "1g", *words),
        *("--class", server, "spark-internal"),
        SPARK_DAEMON_MEMORY="1g",
    ) as process:
        wait_for(port, process)
        with Child(f"sc://{LOOPBACK}:{port}", tmp_path, "analyses") as child:
            assert child.line() == expected | {"kind": "pyspark.sql.connect.dataframe"}
            assert child.process.wait(60) == 0
