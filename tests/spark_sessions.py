"""Spark for the tests: one session in this process, a cluster, a Connect server; all on loopback.

Without Java or pyspark the tests that need them are skipped with a message.
"""

from __future__ import annotations

import atexit
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from requirements_of_machine import needs

LOOPBACK = "127.0.0.1"
# compiled lightly and collected by one thread: tests are short
JAVA_OPTIONS = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC -XX:-UsePerfData"
SETTINGS = {
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    "spark.driver.bindAddress": LOOPBACK,
    "spark.driver.host": LOOPBACK,
    "spark.driver.memory": "1g",
    "spark.driver.extraJavaOptions": JAVA_OPTIONS,
    "spark.executor.memory": "512m",
    "spark.executor.extraJavaOptions": JAVA_OPTIONS,
    "spark.sql.shuffle.partitions": "2",
    "spark.log.level": "OFF",
}


def needs_spark() -> None:
    """Skip, visibly, where Spark cannot run."""
    needs("java")
    pytest.importorskip("pyspark", reason="pyspark is missing; pip install 'rocwise[spark]'")
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    os.environ.setdefault("SPARK_LOCAL_IP", LOOPBACK)


@cache
def local_session() -> Any:
    """The session of this process, on two threads; it ends with the process."""
    needs_spark()
    from pyspark.sql import SparkSession

    session = configured(SparkSession.builder.master("local[2]")).getOrCreate()
    atexit.register(session.stop)
    return session


def configured(builder: Any) -> Any:
    for name, value in SETTINGS.items():
        builder = builder.config(name, value)
    return builder


def free_port() -> int:
    with socket.socket() as opened:
        opened.bind((LOOPBACK, 0))
        return int(opened.getsockname()[1])


def wait_for(port: int, process: subprocess.Popen[bytes], seconds: float = 120) -> None:
    """Until something listens there."""
    end = time.monotonic() + seconds
    while time.monotonic() < end and process.poll() is None:
        with socket.socket() as tried:
            tried.settimeout(1)
            if tried.connect_ex((LOOPBACK, port)) == 0:
                return
        time.sleep(0.1)
    raise TimeoutError(f"nothing listens at port {port}")


@contextmanager
def started(log: Path, *words: str, **more: str) -> Iterator[subprocess.Popen[bytes]]:
    """A process of Spark by itself, ended at the end; `words` are for `spark-class`."""
    import pyspark

    home = Path(pyspark.__file__).parent
    environment = os.environ | {
        "SPARK_HOME": str(home),
        "SPARK_LOCAL_IP": LOOPBACK,
        "SPARK_DAEMON_MEMORY": "256m",
        "SPARK_DAEMON_JAVA_OPTS": JAVA_OPTIONS,
        "PYSPARK_PYTHON": sys.executable,
    }
    with log.open("wb") as written:
        process = subprocess.Popen(
            [home / "bin" / words[0], *words[1:]],
            env=environment | more,
            stdout=written,
            stderr=subprocess.STDOUT,
        )
    try:
        yield process
    finally:
        process.terminate()
        try:
            process.wait(20)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
