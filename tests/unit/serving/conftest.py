"""A studio without a socket: its session and processes are real, its requests are not sent."""

from typing import Any

import numpy as np
import pytest

from rocwise.serving.sessions import Session

TOKEN = "the-token"
PORT = 8765
LARGEST = 2_000_000


@pytest.fixture(scope="module")
def session():
    pytest.importorskip("starlette")
    made = Session()
    made.start()
    yield made
    made.close()


@pytest.fixture(scope="module")
def client(session):
    from starlette.testclient import TestClient

    from rocwise.serving.app import app_of

    app = app_of(session, token=TOKEN, port=PORT, largest=LARGEST)
    return TestClient(app, base_url=f"http://127.0.0.1:{PORT}", headers={"x-rocwise-token": TOKEN})


@pytest.fixture(scope="module")
def ended(client):
    """Wait until a job is over; its final state."""

    def wait(job):
        session: Session = client.app.state.session
        assert session.jobs[job["id"]].ended.wait(60)
        found: dict[str, Any] = client.get(f"/api/jobs/{job['id']}").json()
        return found

    return wait


def table(n=300, *, label="y"):
    """A csv file with two models, and what is in it."""
    rng = np.random.default_rng(5)
    y = rng.integers(0, 2, n)
    scores = {"a": np.round(rng.normal(1.2 * y), 3), "b": np.round(rng.normal(0.6 * y), 3)}
    rows = [
        f"{label},a,b",
        *(
            f"{t},{a!r},{b!r}"
            for t, a, b in zip(y, *map(np.ndarray.tolist, scores.values()), strict=True)
        ),
    ]
    return "\n".join(rows).encode() + b"\n", y, scores


@pytest.fixture
def written(tmp_path):
    """Write bytes to a file; its path."""

    def write(content, name="scores.csv"):
        (tmp_path / name).write_bytes(content)
        return str(tmp_path / name)

    return write
