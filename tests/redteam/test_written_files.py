"""A file that is there stays whole, whatever happens while a new one is written."""

import errno
import os
import stat
import subprocess
import sys
import threading
from pathlib import Path

import pytest

import rocwise as rw
from rocwise import atomic_write
from rocwise.cli import main
from rocwise.plotting import save

pytest.importorskip("matplotlib")
CURVE = rw.roc([0, 1, 0, 1, 1], [1, 2, 3, 4, 5])


@pytest.fixture
def full_disk(monkeypatch):
    """Writing works, but nothing gets onto the disk."""

    def fails(_handle):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(atomic_write.os, "fsync", fails)


def contents(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir()}


@pytest.mark.parametrize("kind", ["svg", "png", "pdf"])
def test_plots_on_a_full_disk(tmp_path, full_disk, kind):
    path = tmp_path / f"old.{kind}"
    path.write_bytes(b"old")
    with pytest.raises(OSError, match="No space left on device") as caught:
        save(CURVE, path)
    assert caught.value.filename == str(path)
    assert contents(tmp_path) == {path.name: b"old"}


@pytest.mark.parametrize("kind", ["svg", "png", "pdf"])
def test_a_command_on_a_full_disk_names_the_file(tmp_path, full_disk, capsys, kind):
    table, path = tmp_path / "s.csv", tmp_path / f"old.{kind}"
    table.write_text("y,a\n0,1\n1,2\n0,3\n1,4\n")
    path.write_bytes(b"old")
    words = ["roc", str(table), "--label", "y", "--score", "a", "--plot", str(path)]
    assert main(words) == 1
    assert capsys.readouterr().err == f"error: {path}: no space left on device\n"
    assert path.read_bytes() == b"old"


def test_tables_on_a_full_disk(tmp_path, full_disk):
    (tmp_path / "t.csv").write_text("old")
    with pytest.raises(OSError, match=r"t\.csv"):
        CURVE.to_csv(tmp_path / "t.csv")
    assert contents(tmp_path) == {"t.csv": b"old"}


def test_an_interruption_leaves_the_old_file_alone(tmp_path, monkeypatch):
    def interrupted(*_paths):
        raise KeyboardInterrupt

    (tmp_path / "t.csv").write_text("old")
    monkeypatch.setattr(atomic_write.os, "replace", interrupted)
    with pytest.raises(KeyboardInterrupt):
        CURVE.to_csv(tmp_path / "t.csv")
    assert contents(tmp_path) == {"t.csv": b"old"}


@pytest.mark.skipif(sys.platform == "win32", reason="limits of a Unix system")
@pytest.mark.parametrize("kind", ["svg", "png", "pdf"])
def test_a_real_limit_of_bytes(tmp_path, kind):
    """Files are limited to a kilobyte, as a full disk would."""
    path = tmp_path / f"old.{kind}"
    path.write_bytes(b"old")
    code = (
        "import resource, signal, sys, rocwise as rw; from rocwise.plotting import save\n"
        "curve = rw.roc([0, 1, 0, 1, 1], [1, 2, 3, 4, 5])\n"
        "import matplotlib.font_manager\n"
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (1024, 1024))\n"
        "try:\n    save(curve, sys.argv[1])\n"
        "except OSError as problem:\n    print(problem.filename == sys.argv[1])\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(path)], capture_output=True, text=True, timeout=120
    )
    assert done.stdout == "True\n", done.stderr
    assert contents(tmp_path) == {path.name: b"old"}


@pytest.mark.skipif(sys.platform == "win32", reason="signals of a Unix system")
def test_a_process_that_is_killed(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("old")
    code = (
        "import os, signal, sys, rocwise as rw\n"
        "os.fsync = lambda _: os.kill(os.getpid(), signal.SIGKILL)\n"
        "rw.roc([0, 1], [1, 2]).to_csv(sys.argv[1])\n"
    )
    done = subprocess.run([sys.executable, "-c", code, str(path)], timeout=120, check=False)
    assert done.returncode == -9
    assert path.read_text() == "old"


@pytest.mark.skipif(sys.platform == "win32", reason="modes and links of a Unix system")
def test_modes_and_links_stay(tmp_path):
    real, link = tmp_path / "real.csv", tmp_path / "link.csv"
    real.write_text("old")
    real.chmod(0o640)
    link.symlink_to(real)
    CURVE.to_csv(link)
    assert link.is_symlink()
    assert real.read_text() == CURVE.to_csv()
    assert stat.S_IMODE(real.stat().st_mode) == 0o640
    before = os.umask(0o027)
    try:
        CURVE.to_csv(tmp_path / "new.csv")
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "new.csv").stat().st_mode) == 0o640


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="pipes with names")
def test_pipes_are_written_to(tmp_path):
    pipe, got = tmp_path / "pipe.csv", []
    os.mkfifo(pipe)
    reader = threading.Thread(target=lambda: got.append(pipe.read_text()))
    reader.start()
    CURVE.to_csv(pipe)
    reader.join()
    assert got == [CURVE.to_csv()]


@pytest.mark.skipif(sys.platform == "win32", reason="links of a Unix system")
@pytest.mark.parametrize("command", ["report", "roc"])
@pytest.mark.parametrize("source", ["in.csv", "i*.csv", "-"])
@pytest.mark.parametrize("linked", [False, True])
def test_the_data_is_never_the_output(tmp_path, capsys, monkeypatch, command, source, linked):
    monkeypatch.chdir(tmp_path)
    data_file = Path("data.html" if command == "report" else "data.svg")
    data_file.write_text("y,a\n0,1\n1,2\n0,3\n1,4\n")
    before = data_file.read_bytes()
    Path("in.csv").symlink_to(data_file)
    option = "--output" if command == "report" else "--plot"
    target = str(data_file) if linked else "in.csv"
    with open(data_file) as stream:
        monkeypatch.setattr(sys, "stdin", stream)
        assert main([command, source, "--label", "y", "--score", "a", option, target]) == 2
    assert f"{option} '{target}' is a file of the input" in capsys.readouterr().err
    assert data_file.read_bytes() == before


@pytest.mark.skipif(not os.path.exists("/dev/stdout"), reason="devices of a Unix system")
def test_a_report_in_a_pipe(tmp_path):
    table = tmp_path / "in.csv"
    table.write_text("y,a\n0,1\n1,2\n0,3\n1,4\n")
    words = ["report", str(table), "--label", "y", "--score", "a", "-o", "/dev/stdout"]
    words += ["--resamples", "10"]
    done = subprocess.run(
        [sys.executable, "-m", "rocwise", *words], capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("<!doctype html>")
    assert done.stdout.endswith("</html>\n")
    assert "wrote /dev/stdout" in done.stderr


def test_a_folder_that_is_not_there(tmp_path):
    with pytest.raises(FileNotFoundError) as caught:
        CURVE.to_csv(tmp_path / "gone" / "t.csv")
    assert caught.value.filename == str(tmp_path / "gone" / "t.csv")
