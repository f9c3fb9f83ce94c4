"""Public files: fetched, checked twice, turned into the table that was counted on."""

from __future__ import annotations

import gzip
import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer

import pytest

from papers import __main__ as command
from papers.shared.data import data_file, entries
from papers.shared.download import (
    PublicSet,
    checksum_of,
    download,
    parsed,
    public_sets,
    reordered,
    table_of,
    written,
)

ARFF = """% a comment
@relation x
@attribute 'the class' {a, b}
@attribute size numeric
@attribute kind {'one, two', three}
@data
a, 1.50, 'one, two'
% another
b,?,three
"""
TABLE = 'size,kind,target\n1.50,"one, two",a\n,three,b\n'


def made(address, raw=ARFF, **more):
    told = {"target": "the class", **more}
    return PublicSet(((address, checksum_of(raw.encode())),), checksum_of(TABLE.encode()), **told)


@pytest.fixture
def address(tmp_path):
    """A public file, served on this machine."""
    (tmp_path / "x.arff").write_text(ARFF)
    quiet = type("Quiet", (SimpleHTTPRequestHandler,), {"log_message": lambda *_: None})
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(quiet, directory=str(tmp_path)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/x.arff"
    server.shutdown()
    server.server_close()


def test_a_file_is_fetched_checked_and_kept(address, tmp_path, capsys):
    assert download(tmp_path / "data", ["x"], {"x": made(address)}) == []
    assert gzip.decompress((tmp_path / "data" / "x.csv.gz").read_bytes()).decode() == TABLE
    assert f"x: downloaded from {address}" in capsys.readouterr().out
    assert download(tmp_path / "data", ["x"], {}) == []  # what is there is not fetched again
    assert "x: is there" in capsys.readouterr().out


def test_another_public_file_is_refused(address, tmp_path):
    (failure,) = download(tmp_path, ["x"], {"x": made(address, raw="other")})
    assert "another file than the one counted on" in failure
    assert not (tmp_path / "x.csv.gz").exists()


def test_another_table_is_refused(address):
    with pytest.raises(ValueError, match="table made from the public file differs"):
        table_of(made(address, target="kind"))


def test_no_answer_is_told(tmp_path, capsys):
    absent = made((tmp_path / "none.arff").as_uri())
    (failure,) = download(tmp_path, ["x"], {"x": absent})
    assert failure.startswith("x: ")
    assert "none.arff" in failure


def test_files_without_header_get_names_and_lose_dots():
    one = PublicSet((), "", "space", "class", (), ("class", "age"), ".")
    names, rows = parsed(["no. 12\n|comment\n\nyes. ?\n"], one)
    assert written(*reordered(names, rows, one)) == "age,target\n12,no\n,yes\n"


def test_the_command_fetches_and_says_what_it_cannot(address, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(command, "public_sets", lambda: {"prom": made(address)})
    assert command.main(["prom", "ads", "--download", str(tmp_path / "d")]) == 0
    told = capsys.readouterr().out
    assert "prom: downloaded" in told
    assert "no public address is kept for ads" in told
    monkeypatch.setattr(command, "public_sets", lambda: {"prom": made(address + "x")})
    assert command.main(["prom", "--download", str(tmp_path / "e")]) == 1
    assert "not downloaded: prom" in capsys.readouterr().out


def test_every_public_set_is_one_of_ours_and_has_checksums():
    assert set(public_sets()) <= set(entries())
    for name, one in public_sets().items():
        assert len(one.content) == 64, name
        for where, checksum in one.files:
            assert where.startswith("https://"), name
            assert len(checksum) == 64, name


@pytest.mark.usefixtures("data")
def test_tables_of_the_folder_have_the_checksums_of_public_ones(monkeypatch, tmp_path):
    for name in ("hepa", "hors", "flare-c", "oz8h", "spectf"):
        text = gzip.decompress(data_file(name).read_bytes())
        assert checksum_of(text) == public_sets()[name].content
    (tmp_path / "oz8h.csv.gz").write_bytes(gzip.compress(text))
    (tmp_path / "spectf.csv.gz").write_bytes(gzip.compress(text))  # packed anew: another file
    monkeypatch.setenv("ROCWISE_DATA", str(tmp_path))
    assert data_file("spectf").parent == tmp_path
    with pytest.raises(Exception, match="differs from the one counted on"):
        data_file("oz8h")
