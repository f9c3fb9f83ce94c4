"""Messages of the benchmark of Spark where Spark cannot run."""

import pytest

from . import spark_scale


@pytest.mark.parametrize(
    ("found", "programs", "words"),
    [(None, "java", "pip install 'rocwise"), (object(), None, "Java is not installed")],
)
def test_what_is_missing_is_named(monkeypatch, found, programs, words):
    monkeypatch.delenv("JAVA_HOME", raising=False)
    monkeypatch.setattr(spark_scale, "find_spec", lambda _name: found)
    monkeypatch.setattr(spark_scale.shutil, "which", lambda _name: programs)
    with pytest.raises(RuntimeError, match=words), spark_scale.session():
        pass


def test_what_was_spent_is_measured():
    with spark_scale.spent() as cost:
        sum(k * k for k in range(300_000))
    assert 0 <= cost.processor <= cost.wall + 1
