"""Streams that are closed, broken or full: one sentence, no traceback."""

import subprocess
import sys

import pytest

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="a shell of a Unix system")
COLUMNS = "--label y --score a"


@pytest.fixture
def shell(tmp_path):
    """Runs `rocwise` with redirections; results exit code and both outputs."""
    (tmp_path / "s.csv").write_text("y,a\n" + "0,1\n1,2\n0,3\n1,4\n" * 200)

    def run(line):
        program = f"{sys.executable} -m rocwise"
        done = subprocess.run(
            ["bash", "-c", line.replace("rocwise", program, 1)],
            cwd=tmp_path, capture_output=True, text=True, timeout=120,
        )  # fmt: skip
        assert "Traceback" not in done.stderr
        return done.returncode, done.stdout, done.stderr

    return run


def test_closed_output(shell):
    code, _, err = shell(f"rocwise auc s.csv {COLUMNS} >&-")
    assert (code, err) == (1, "error: standard output is closed.\n")


def test_closed_input(shell):
    code, _, err = shell(f"rocwise auc - {COLUMNS} <&-")
    assert code == 2
    assert err.startswith("error: standard input is closed;")


@pytest.mark.parametrize("closed", [">&- 2>&-", "2>&-", "<&- >&- 2>&-"])
def test_several_closed_streams(shell, closed):
    code, out, _ = shell(f"rocwise auc s.csv {COLUMNS} {closed}")
    assert (code == 0) == (">&- 2" not in closed.replace("2>&-", "2", 1) and bool(out))


def test_output_on_a_full_disk(shell):
    code, _, err = shell(f"rocwise auc s.csv {COLUMNS} > /dev/full")
    assert (code, err) == (1, "error: standard output: no space left on device\n")


def test_errors_on_a_full_disk(shell):
    assert shell(f"rocwise auc nowhere.csv {COLUMNS} 2> /dev/full")[0] == 2


def test_a_reader_that_has_seen_enough(shell):
    code, out, err = shell(
        f"rocwise roc s.csv {COLUMNS} --json | head -c 10; exit ${{PIPESTATUS[0]}}"
    )
    assert (code, err) == (0, "")
    assert len(out) == 10


@pytest.mark.parametrize(
    "line",
    [
        "rocwise power --auc 1e-320 --n-pos 10 --n-neg 10",
        "rocwise power --auc 0.8 --ratio 1e-320 --power 0.8",
        f"rocwise ordinal s.csv {COLUMNS} --decimals 99999999999999999999",
    ],
)
def test_numbers_at_the_edge_raise_one_sentence(shell, line):
    code, _, err = shell(line)
    assert code == 2
    assert err.startswith("error: ")


def test_a_tiny_limit_of_errors(shell):
    code, out, _ = shell("rocwise rec s.csv --target y --prediction a --up-to 1e-320")
    assert code == 2 or "nan" not in out


def test_tiny_costs_give_no_nan(shell):
    code, out, _ = shell(
        f"rocwise abstain s.csv {COLUMNS} --cost-fp 1 --cost-fn 1e-320 --cost-abstain 0.2"
    )
    assert code == 2 or "nan" not in out


def test_large_labels_are_read_exactly(tmp_path, shell):
    low, high = 2**53, 2**53 + 1
    (tmp_path / "big.csv").write_text(f"y,a\n{low},1\n{high},2\n{low},3\n{high},4\n")
    code, out, err = shell(f"rocwise auc big.csv {COLUMNS} --pos-label {high} --json")
    assert code == 0, err
    assert '"value": 0.75' in out


def test_a_label_is_no_score(shell):
    code, _, err = shell("rocwise auc s.csv --label y --score y")
    assert code == 2
    assert "--label and --score both name the column 'y'" in err
