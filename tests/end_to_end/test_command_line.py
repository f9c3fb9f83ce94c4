"""The installed program in a process of its own: pipes, terminals, signals, what it loads."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import rocwise as rw

PROGRAM = str(Path(sys.executable).with_name("rocwise"))
MODULE = [sys.executable, "-m", "rocwise"]
COLUMNS = ["--label", "ill", "--score", "marker"]


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Path:
    rng = np.random.default_rng(4)
    ill = rng.integers(0, 2, 1000)
    rows = zip(ill.tolist(), (rng.normal(size=1000) + ill).tolist(), strict=True)
    path = tmp_path_factory.mktemp("data") / "scores.csv"
    lines = [f"{label},{score!r}" for label, score in rows]
    path.write_text("\n".join(["ill,marker", *lines]) + "\n", encoding="utf-8")
    return path


def result(*command: str, **options: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, capture_output=True, text=True, check=False, **options)


@pytest.mark.parametrize("start", [[PROGRAM], MODULE], ids=["program", "module"])
def test_both_ways_to_start(start: list[str], table: Path) -> None:
    done = result(*start, "auc", str(table), *COLUMNS, "--json")
    assert (done.returncode, done.stderr) == (0, "")
    labels, scores = np.loadtxt(table, delimiter=",", skiprows=1, unpack=True)
    assert json.loads(done.stdout)["results"]["marker"]["value"] == rw.auc(labels, scores).value


def test_csv_from_a_pipe(table: Path) -> None:
    with table.open() as lines:
        piped = result(PROGRAM, "auc", "-", *COLUMNS, stdin=lines)
    direct = result(PROGRAM, "auc", str(table), *COLUMNS)
    assert piped.returncode == 0
    assert piped.stdout.splitlines()[1:] == direct.stdout.splitlines()[1:]


def test_kernels_can_be_chosen() -> None:
    done = result(PROGRAM, "--version", env=os.environ | {"ROCWISE_KERNELS": "numpy"})
    assert done.stdout == f"rocwise {rw.__version__}, kernels: numpy\n"


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (["--help"], 0),
        ([], 2),
        (["nonsense"], 2),
        (["auc"], 2),
        (["auc", "nowhere.csv", *COLUMNS], 2),
        (["demo", "--output", "/dev/null/folder"], 1),
    ],
    ids=["help", "nothing", "nonsense", "no file", "no such file", "no such folder"],
)
def test_exit_codes_without_traceback(words: list[str], code: int) -> None:
    done = result(PROGRAM, *words)
    assert done.returncode == code
    assert "Traceback" not in done.stderr
    assert bool(done.stderr) == (code != 0)


@pytest.mark.skipif(sys.platform == "win32", reason="pipes of a Unix system")
def test_a_reader_that_leaves_early_is_fine(table: Path) -> None:
    command = [PROGRAM, "thresholds", str(table), *COLUMNS, "--all"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()  # long before the table of 1,000 rows is written
        assert process.stderr.read() == b""
        assert process.wait(60) == 0


@pytest.mark.skipif(sys.platform == "win32", reason="pipes of a Unix system")
@pytest.mark.parametrize("form", [[], ["--csv"]], ids=["buffered", "longer than the buffer"])
def test_requirements_and_plots_remain_where_a_reader_leaves_early(
    table: Path, tmp_path: Path, form: list[str]
) -> None:
    command = [PROGRAM, "roc", str(table), *COLUMNS, *form, "--require", "auc > 0.99"]
    command += ["--plot", str(tmp_path / "roc.svg")]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        assert b"requirement 'auc > 0.99' is not met" in process.stderr.read()
        assert process.wait(60) == 3
    assert (tmp_path / "roc.svg").stat().st_size


INTERRUPTED_IMPORT = """
import os, signal, sys, time
class Finder:
    def find_spec(self, name, path=None, target=None):
        if name == "numpy":
            try:
                os.kill(os.getpid(), signal.SIGINT)
                time.sleep(10)
            except KeyboardInterrupt:
                raise ImportError("numpy cannot be imported") from None
sys.meta_path.insert(0, Finder())
from rocwise.cli import main
sys.exit(main())
"""


@pytest.mark.skipif(sys.platform == "win32", reason="signals of a Unix system")
def test_an_import_that_is_interrupted_is_no_failed_import(table: Path) -> None:
    done = result(sys.executable, "-c", INTERRUPTED_IMPORT, "auc", str(table), *COLUMNS)
    assert (done.returncode, done.stderr) == (130, "interrupted\n")


def on_terminal(command: list[str], **environment: str) -> tuple[subprocess.Popen[bytes], int]:
    """The command with a terminal as its input and error stream, and our end of that."""
    import pty

    ours, theirs = pty.openpty()
    clean = {key: value for key, value in os.environ.items() if key != "NO_COLOR"}
    process = subprocess.Popen(
        command,
        stdin=theirs,
        stdout=subprocess.DEVNULL,
        stderr=theirs,
        env=clean | {"TERM": "xterm"} | environment,
    )
    os.close(theirs)
    return process, ours


def read_until(end: int, wanted: bytes) -> bytes:
    seen = b""
    while wanted not in seen:
        try:
            piece = os.read(end, 1000)
        except OSError:  # a terminal whose other side has closed
            break
        if not piece:
            break
        seen += piece
    return seen


@pytest.mark.skipif(sys.platform == "win32", reason="terminals of a Unix system")
@pytest.mark.parametrize("plain", [False, True])
def test_errors_are_red_only_on_a_willing_terminal(plain: bool) -> None:
    settings = {"NO_COLOR": "1"} if plain else {}
    process, end = on_terminal([PROGRAM, "auc", "nowhere.csv", *COLUMNS], **settings)
    shown = read_until(end, b"\n")
    assert process.wait(60) == 2
    os.close(end)
    sentence = b"error: no such file: nowhere.csv"
    assert shown == (sentence + b"\r\n" if plain else b"\x1b[31m" + sentence + b"\x1b[0m\r\n")


@pytest.mark.skipif(sys.platform == "win32", reason="terminals of a Unix system")
def test_interrupt_is_quiet() -> None:
    process, end = on_terminal([PROGRAM, "auc", "-", *COLUMNS])
    assert b"end with Ctrl-D" in read_until(end, b"Ctrl-D.\r\n")
    process.send_signal(signal.SIGINT)
    assert process.wait(60) == 130
    assert b"Traceback" not in read_until(end, b"Traceback")
    os.close(end)


# Seconds depend on the machine; what is loaded does not.
LOADED = "import json, sys; print(json.dumps(sorted(sys.modules)), file=sys.stderr)"
HEAVY = {"duckdb", "matplotlib", "narwhals", "pandas", "polars", "pyarrow", "scipy", "sklearn"}


def modules_after(words: list[str]) -> set[str]:
    code = f"from rocwise.cli import main; code = main({words!r}); {LOADED}; sys.exit(code)"
    done = result(sys.executable, "-c", code)
    assert done.returncode == 0, done.stderr
    return set(json.loads(done.stderr.splitlines()[-1]))


def test_help_does_not_wait_for_numpy() -> None:
    assert modules_after(["--help"]) & {"numpy", "dataclasses", *HEAVY} == set()


@pytest.mark.parametrize("command", ["auc", "demo"])
def test_help_of_a_command_loads_nothing_heavy(command: str) -> None:
    assert modules_after([command, "--help"]) & HEAVY == set()


def test_a_file_read_by_a_database_ends_in_silence(table: Path, tmp_path: Path) -> None:
    duckdb = pytest.importorskip("duckdb")
    typed = tmp_path / "scores.parquet"
    duckdb.sql(f"copy (from read_csv('{table}')) to '{typed}' (format parquet)")
    done = result(PROGRAM, "auc", str(typed), *COLUMNS)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("command", ["auc", "roc", "thresholds"])
def test_a_small_file_loads_numpy_and_the_analysis_requested(command: str, table: Path) -> None:
    loaded = modules_after([command, str(table), *COLUMNS])
    assert "numpy" in loaded
    student = {"scipy"} if command == "auc" else set()  # its interval has Student's quantile
    assert loaded & HEAVY == student
    others = {"rocwise.binary.compare", "rocwise.binary.threshold"}
    others |= {"rocwise.engines.parquet_files"}
    assert loaded & others == set()
