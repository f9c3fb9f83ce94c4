"""Only the studio's own page gets a result."""

import pytest

from .conftest import LARGEST, PORT, TOKEN

HERE = f"http://127.0.0.1:{PORT}"


@pytest.fixture
def stranger(client):
    """Someone without the token."""
    from starlette.testclient import TestClient

    return TestClient(client.app, base_url=HERE)


@pytest.mark.parametrize("path", ["/api/session", "/nowhere", "/assets/other.js", "/api//"])
def test_without_the_token_no_data_are_served(stranger, path):
    assert stranger.get(path).status_code == 403
    assert stranger.get(f"{path}?token={TOKEN}").status_code == 403
    assert stranger.get(path, headers={"x-rocwise-token": "wrong"}).status_code == 403
    assert stranger.get(path, headers={"x-rocwise-token": ""}).status_code == 403
    assert stranger.get(path, headers={"cookie": f"rocwise-{PORT}={TOKEN}"}).status_code == 403


def test_the_page_itself_needs_no_token_and_sets_no_cookie(stranger):
    for path in ("/", "/assets/studio.js", "/assets/studio.css"):
        result = stranger.get(path)
        assert result.status_code == 200
        assert "set-cookie" not in result.headers
        assert TOKEN not in result.text


@pytest.mark.parametrize("host", ["evil.example", f"evil.example:{PORT}", "127.0.0.1:1", ""])
def test_other_names_for_this_machine_are_rejected(client, host):
    assert client.get("/api/session", headers={"host": host}).status_code == 403


def test_localhost_is_this_machine(client):
    headers = {"host": f"localhost:{PORT}", "origin": f"http://localhost:{PORT}"}
    assert client.get("/api/session", headers=headers).status_code == 200


@pytest.mark.parametrize(
    "origin", ["http://evil.example", "null", f"https://127.0.0.1:{PORT}", "http://127.0.0.1:1"]
)
def test_other_origins_are_rejected_even_with_the_token(client, origin):
    for method in ("GET", "POST", "PUT", "DELETE"):
        result = client.request(method, "/api/session", headers={"origin": origin})
        assert result.status_code == 403, method


def test_own_origin_passes(client):
    assert client.get("/api/session", headers={"origin": HERE}).status_code == 200


def test_cross_site_requests_reach_only_the_page(client):
    headers = {"sec-fetch-site": "cross-site"}
    assert client.get("/api/session", headers=headers).status_code == 403
    assert client.get("/assets/studio.js", headers=headers).status_code == 403
    assert client.get("/", headers=headers).status_code == 200  # a link that was followed


def test_what_is_too_large_is_rejected_before_it_is_read(client):
    read = []

    def content():
        read.append(1)
        yield b"x"

    headers = {"content-length": str(LARGEST + 1)}
    result = client.put("/api/file?name=a.csv", content=content(), headers=headers)
    assert result.status_code == 413
    assert "too large" in result.text
    assert client.post("/", headers=headers).status_code == 413


@pytest.mark.parametrize("length", ["-1", "many", "1e3", "+5", b"\xb2"])
def test_lengths_that_are_no_numbers_are_rejected(client, length):
    assert client.post("/api/view", headers={"content-length": length}).status_code == 413


def test_every_response_has_the_policy(client, stranger):
    for result in (
        client.get("/"),
        client.get("/api/session"),
        client.get("/x"),
        stranger.get("/"),
    ):
        policy = result.headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "script-src 'self';" in policy
        assert "eval" not in policy
        assert result.headers["x-content-type-options"] == "nosniff"
        assert result.headers["cache-control"] == "no-store"


@pytest.mark.parametrize(
    "path",
    [
        "/assets/../app.py",
        "/assets/%2e%2e/html.py",
        "/assets/page.js",
        "/assets/..%2f..%2fabout.py",
        "/assets//etc/passwd",
    ],
)
def test_no_other_file_is_served(client, path):
    assert client.get(path).status_code == 404


def test_websockets_are_rejected(client):
    from starlette.websockets import WebSocketDisconnect

    with (
        pytest.raises((WebSocketDisconnect, RuntimeError, AssertionError)),
        client.websocket_connect("/"),
    ):
        pass
